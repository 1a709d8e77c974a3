//! `ansatz playground`: the studio as a folder for any web server, with the compiler in the page.

use std::process::ExitCode;

use studio::Missing;

use crate::arguments::PlaygroundArguments;
use crate::{docs, render};

pub fn playground(arguments: &PlaygroundArguments) -> ExitCode {
    let folder = &arguments.output;
    match studio::playground(docs::pages()) {
        Ok(files) => {
            let done = format!("serve it: python3 -m http.server -d {}", folder.display());
            docs::write("playground", &files, folder, &done)
        }
        Err(missing) => {
            let what = match missing {
                Missing::Page => "the studio's page",
                Missing::Compiler => "the compiler for browsers",
            };
            let hint = "`make playground` builds all of it, and says what is missing on this machine";
            render::complain(&format!("this program was built without {what}"), hint);
            ExitCode::FAILURE
        }
    }
}
