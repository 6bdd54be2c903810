//! The `throughline` command; see [`throughline::cli`].
fn main() {}
