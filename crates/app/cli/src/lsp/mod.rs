//! `ansatz lsp`: the language server, which editors start and talk to over its standard input and output.
//!
//! What is known of a text comes from `editing`; here it is only said in the words of the protocol.

mod answer;
mod check;
mod document;
mod folder;
mod pipe;
mod place;
mod seen;
mod uri;

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use serde_json::{Value, json};

use crate::render;
use check::Checks;
use document::Document;

pub fn serve() -> ExitCode {
    let (connection, writer) = pipe::connect();
    if let Err(reason) = talk(&connection) {
        render::complain(&reason, "this command is for editors to start; see docs/how-to/editors.md");
        return ExitCode::FAILURE;
    }
    drop(connection);
    // What was answered last is still on its way.
    match writer.join() {
        Ok(Ok(())) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn talk(connection: &Connection) -> Result<(), String> {
    let nobody = |_| "no editor talks to this program".to_string();
    let (id, _) = connection.initialize_start().map_err(nobody)?;
    let abilities = json!({
        "capabilities": capabilities(),
        "serverInfo": { "name": "ansatz", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, abilities).map_err(|error| error.to_string())?;
    let sender = connection.sender.clone();
    let mut server = Server {
        documents: HashMap::new(),
        checks: Checks::new(Arc::new(move |message| {
            // Whoever is gone does not listen.
            let _ = sender.send(message);
        })),
    };
    for message in &connection.receiver {
        match message {
            Message::Request(request) => {
                if connection.handle_shutdown(&request).map_err(|error| error.to_string())? {
                    return Ok(());
                }
                if connection.sender.send(Message::Response(server.answer(request))).is_err() {
                    return Ok(());
                }
            }
            Message::Notification(notification) => server.hear(notification),
            Message::Response(_) => {}
        }
    }
    Ok(())
}

fn capabilities() -> Value {
    json!({
        "positionEncoding": "utf-16",
        "textDocumentSync": { "openClose": true, "change": 2, "save": true },
        "hoverProvider": true,
        "completionProvider": { "triggerCharacters": [".", "[", "\""] },
        "definitionProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "renameProvider": { "prepareProvider": true },
        "documentFormattingProvider": true,
        "documentSymbolProvider": true,
        "signatureHelpProvider": { "triggerCharacters": ["(", ","] },
        "inlayHintProvider": true,
        "foldingRangeProvider": true,
        "semanticTokensProvider": { "legend": seen::legend(), "full": true },
        "codeActionProvider": { "codeActionKinds": ["quickfix"] },
    })
}

struct Server {
    /// What is open in the editor, by address.
    documents: HashMap<String, Document>,
    checks: Checks,
}

impl Server {
    fn answer(&mut self, request: Request) -> Response {
        let Request { id, method, params } = request;
        // A defect must not take the editor's other services along.
        let answered = catch_unwind(AssertUnwindSafe(|| answer::answer(&method, &params, &self.documents)));
        match answered {
            Ok(Ok(result)) => Response::new_ok(id, result),
            Ok(Err(answer::Refusal::Unknown)) => {
                Response::new_err(id, ErrorCode::MethodNotFound as i32, format!("`{method}` is not known here"))
            }
            Ok(Err(answer::Refusal::Because(reason))) => {
                Response::new_err(id, ErrorCode::InvalidRequest as i32, reason)
            }
            Err(_) => {
                let reason = "a defect of Ansatz; please report it with the text";
                Response::new_err(id, ErrorCode::InternalError as i32, reason.to_string())
            }
        }
    }

    fn hear(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        let Some(uri) = params["textDocument"]["uri"].as_str().map(str::to_string) else { return };
        match method.as_str() {
            "textDocument/didOpen" => {
                let text = params["textDocument"]["text"].as_str().unwrap_or_default();
                let version = params["textDocument"]["version"].as_i64();
                let document = Document::new(&uri, text, version);
                self.checks.check(&document);
                self.documents.insert(uri, document);
            }
            "textDocument/didChange" => {
                let Some(document) = self.documents.get_mut(&uri) else { return };
                document.version = params["textDocument"]["version"].as_i64();
                for change in params["contentChanges"].as_array().into_iter().flatten() {
                    document.change(change);
                }
                self.checks.check(document);
            }
            "textDocument/didSave" => {
                // What is saved may be a theory that others use.
                self.documents.values().for_each(|document| self.checks.check(document));
            }
            "textDocument/didClose" => {
                self.documents.remove(&uri);
                self.checks.forget(&uri);
            }
            _ => {}
        }
    }
}
