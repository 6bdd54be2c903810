//! How a reader reads, and what it had to repair.

/// How the reader reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Lenient: a lone surrogate escape, an escaped U+0000 and invalid UTF-8 in a string become U+FFFD and
    /// are counted, and a byte order mark at the start of the input is skipped. Strict: a lone surrogate and
    /// invalid UTF-8 are errors, and U+0000 stays.
    pub lenient: bool,
    /// The deepest nesting of arrays and objects that is accepted; `[]` has depth 1. Never more than
    /// [`Options::DEPTH_LIMIT`].
    pub max_depth: usize,
}

impl Options {
    /// What `max_depth` is at most, so that values can be dropped and written on small stacks.
    pub const DEPTH_LIMIT: usize = 1024;

    /// Strict, to depth 128.
    pub const STRICT: Options = Options { lenient: false, max_depth: 128 };

    /// Lenient, to depth 128.
    pub const LENIENT: Options = Options { lenient: true, max_depth: 128 };
}

impl Default for Options {
    /// [`Options::STRICT`].
    fn default() -> Options {
        Options::STRICT
    }
}

/// What a lenient reader replaced, and how many pairs gave way to a later one with the same key.
/// What stands in skipped values is not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repairs {
    /// Lone surrogate escapes that became U+FFFD.
    pub surrogates: u32,
    /// Escapes of U+0000 that became U+FFFD.
    pub nuls: u32,
    /// Invalid UTF-8 sequences that became U+FFFD.
    pub utf8: u32,
    /// Pairs that were dropped because their key came again in the same object.
    pub duplicate_keys: u32,
}

impl Repairs {
    /// The number of replacements, duplicate keys aside.
    pub fn total(&self) -> u32 {
        self.surrogates.saturating_add(self.nuls).saturating_add(self.utf8)
    }
}
