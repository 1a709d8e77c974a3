//! Lowering: from the functional program to one whole kernel module. Systems of equations become calls of solver templates,
//! integrals become integrators, everything else straight-line code.

mod border;
mod contact;
mod curves;
mod directional;
mod eliminate;
mod emit;
mod enclose;
mod exchange;
mod executive;
mod family;
mod forcing;
mod function;
mod history;
mod implicit;
mod integral;
mod jump;
mod kink;
mod lower;
mod measured;
mod narrow;
mod range;
mod roll;
mod rows;
mod saltation;
mod search;
mod singles;
mod sliding;
mod solved;
mod states;
mod sums;
mod surfaces;
mod switches;
mod system;

pub use contact::{how_they_touch, most_points_of};
pub use directional::{SLOPES, slopes_of, with_slopes};
pub use executive::{Automaton, Linkage, Mode, lower_executive};
pub use integral::state_array;
pub use lower::{Options, lower};
pub use numerics::Method;
