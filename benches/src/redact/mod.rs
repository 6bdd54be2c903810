//! The redactor: the texts that it is measured on, and what is measured.
pub mod cases;
pub mod floods;
pub mod log;
mod random;
