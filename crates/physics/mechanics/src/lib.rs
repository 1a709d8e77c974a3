//! Mechanics: from the model of a scene to its equations.
//!
//! Notation follows Drake: `p_WB` is the position of B in W, `R_WB` the rotation from B's axes to W's, `w_WB` an angular
//! velocity, `v_WB` and `a_WB` velocity and acceleration of B's origin; vectors are expressed in W unless a suffix says
//! otherwise (`w_WB_B`). Inner letters meet: `p_WQ = p_WB + R_WB * p_BQ`.

#![allow(non_snake_case, reason = "names of frames are capitals, as in the book")]

mod actuation;
mod balance;
mod body;
mod change;
mod codes;
mod constraint;
mod contact;
mod delay;
mod dynamics;
mod energy;
mod entry;
mod family;
mod formulate;
mod hand;
mod kinematics;
mod meaning;
mod picture;
mod quantity;
mod reaction;
mod reset;
mod rotation;

pub use codes::CODES;
pub use formulate::{Families, Options, Rotations, formulate, formulate_unverified};
pub use hand::HAND;
