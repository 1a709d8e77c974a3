//! Why nothing was made of a scene: something is wrong with it, or with the page around it.

use std::process::ExitCode;

use ansatz::Error;
use studio::Refusal;

use crate::render;

pub enum Trouble {
    Scene(Error),
    Page(Refusal),
}

impl Trouble {
    pub fn tell(self) -> ExitCode {
        match self {
            Trouble::Scene(error) => render::print_error(&error),
            Trouble::Page(Refusal { message, hint }) => render::complain(&message, &hint),
        }
        ExitCode::FAILURE
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Trouble {
        Trouble::Scene(error)
    }
}

impl From<Refusal> for Trouble {
    fn from(refusal: Refusal) -> Trouble {
        Trouble::Page(refusal)
    }
}
