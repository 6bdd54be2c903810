//! The room's tests: what each rule gives, and the promise over random histories.
mod cases;
mod properties;
mod restored;
pub(crate) mod rows;
mod shape;
mod thinking;
