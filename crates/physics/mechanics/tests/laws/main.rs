//! Laws of the formulation: the equations of motion are those of the textbook, and their size is that of the description.

mod random;
mod textbook;

mod euler_lagrange;
mod size;
