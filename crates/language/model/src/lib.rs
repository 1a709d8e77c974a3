//! The model: a scene with every name resolved, every loop unrolled, every dimension checked.
//!
//! Terms still speak of frames, vectors and time derivatives; what these mean in coordinates is for physics to say.

mod change;
mod codes;
mod constant;
mod contact;
mod idle;
mod judge;
mod model;
mod picture;
mod print;
mod question;
mod reaction;
mod resolve;
mod term;
mod unit;

pub use change::{Claim, Discrete, DiscreteId, Formula, Kept, Mode, ModeId, Transition};
pub use codes::{BAD_DATA, BAD_DELAY, CODES, NO_EFFECT, NO_REACTION, TOO_LARGE, UNDEFINED_VALUE};
pub use contact::{
    Apart, CONTACT_STATES, ContactPair, ContactQuantity, ContactShape, Contacts, HALF_SPACE, SURFACE, Touchable,
};
pub use judge::{judge, note_passing};
pub use model::{
    Actuator, ActuatorId, Body, Bound, Component, Control, ControlId, Cost, Delay, Equation, Family, Force, Frame,
    FrameId, Gravity, Inertia, Limits, Model, Output, Parameter, ParameterId, Plot, Potential, Prescription, Quantity,
    QuantityId, Rotation, Slot, Thing, Torque, WORLD,
};
pub use picture::{
    ArgumentKind, Camera, Curve, FIGURES, Figure, FigureArgument, FigureRow, Light, Look, Picture, Surface, Trace,
};
pub use print::print;
pub use question::{
    Asked, Assumption, AssumptionKind, Condition, Described, Extreme, Fragment, Moment, Motion, Question, Standing,
    Sweep,
};
pub use reaction::{Held, Reaction, ReactionId, ReactionPart};
pub use resolve::{
    BUILT_INS, COLORS, CONTACT_FIELDS, CONTACT_PROPERTIES, DataColumn, DataFile, FRAME_FIELDS, Library,
    MOST_STATEMENTS, PROPERTIES, SCENE_QUANTITIES, SHAPES, Theory, UsedFile, resolve, rgb,
};
pub use term::{Amount, BoundId, FrameQuantity, SceneQuantity, Shape, Term, TermId, TermKind, Terms, Type};
pub use unit::turning_unit;
