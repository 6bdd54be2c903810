//! How many bytes the finders look at. Counted in tests alone, which hold floods to it.

/// Counts `bytes` as looked at.
#[cfg(test)]
pub(in crate::redact) fn count(bytes: usize) {
    SEEN.with(|seen| seen.set(seen.get().saturating_add(bytes)));
}

/// Nothing outside of tests.
#[cfg(not(test))]
pub(in crate::redact) const fn count(_: usize) {}

#[cfg(test)]
std::thread_local! {
    static SEEN: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}

/// How many bytes were looked at in this thread while `run` ran.
#[cfg(test)]
pub(in crate::redact) fn measure(run: impl FnOnce()) -> usize {
    SEEN.set(0);
    run();
    SEEN.get()
}
