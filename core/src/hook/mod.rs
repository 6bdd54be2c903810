//! What a harness that people run already needs so that its events come here: [`settings`] puts commands into its
//! settings file and takes them out again (`spec/hosts.md`, "Hooks").

pub mod settings;
