//! The room's tests: what each rule gives, and the promise over random histories.
mod cases;
mod properties;
mod rows;
mod shape;
