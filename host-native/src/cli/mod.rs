//! The `throughline` command.
