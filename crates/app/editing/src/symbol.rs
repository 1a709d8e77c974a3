//! Symbols: whatever a text gives a name to.

use base::Span;

use crate::nature::Nature;

base::ids! {
    SymbolId;
    ScopeId;
}

/// Something that has a name.
pub struct Symbol<'t> {
    /// Without indices: `car` where `car[i]` is declared.
    pub name: String,
    pub role: Role,
    /// Of the name; of its last word, where it has parts.
    pub span: Span,
    pub statement: Span,
    /// The comment above it, or the text in quotes after it.
    pub documentation: Option<String>,
    /// Declared with an index, so that `car[2]` and `car2` mean it.
    pub indexed: bool,
    pub nature: Nature<'t>,
    /// Where it is declared.
    pub scope: ScopeId,
    /// What its members or values are declared in.
    pub inside: Option<ScopeId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Scene,
    Theory,
    Parameter,
    Definition,
    Function,
    Control,
    Frame,
    Body,
    Group,
    Surface,
    Quantity,
    Mode,
    ModeValue,
    Thing,
    Kind,
    Connection,
    Law,
    /// Of a function, a kind, a connection or a law.
    Argument,
    /// What a loop or a sum counts with.
    Counter,
    Label,
    Transition,
    Sequence,
    Plan,
    Choice,
    Claim,
    Camera,
    Light,
}

impl Role {
    pub fn word(self) -> &'static str {
        match self {
            Role::Scene => "scene",
            Role::Theory => "theory",
            Role::Parameter => "parameter",
            Role::Definition => "definition",
            Role::Function => "function",
            Role::Control => "control",
            Role::Frame => "frame",
            Role::Body => "body",
            Role::Group => "group",
            Role::Surface => "surface",
            Role::Quantity => "quantity",
            Role::Mode => "mode",
            Role::ModeValue => "value of a mode",
            Role::Thing => "thing",
            Role::Kind => "kind",
            Role::Connection => "connection",
            Role::Law => "law",
            Role::Argument => "argument",
            Role::Counter => "counter",
            Role::Label => "equation",
            Role::Transition => "transition",
            Role::Sequence => "sequence",
            Role::Plan => "plan",
            Role::Choice => "choice of a plan",
            Role::Claim => "claim",
            Role::Camera => "camera",
            Role::Light => "light",
        }
    }

    /// A number and a thing may share a name, as a weight and its mass do.
    pub(crate) fn is_thing(self) -> bool {
        use Role::*;
        matches!(self, Frame | Body | Group | Surface | Thing | Kind | Connection)
    }

    /// Names that no expression can speak of.
    pub(crate) fn is_title(self) -> bool {
        use Role::*;
        matches!(self, Scene | Theory | Law | Transition | Sequence | Plan | Claim | Camera | Light | Label)
    }
}
