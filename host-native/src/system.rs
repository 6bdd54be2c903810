use std::{
    hash::{BuildHasher, Hasher, RandomState},
    time::{SystemTime, UNIX_EPOCH},
};
use throughline_core::{
    host::{Clock, Entropy},
    time::Timestamp,
};

/// The system's wall clock, in milliseconds.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        #[allow(clippy::disallowed_methods, reason = "this is the clock that a native host injects")]
        let now = SystemTime::now();
        let millis = match now.duration_since(UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_millis()).unwrap_or(i64::MAX),
            Err(before) => i64::try_from(before.duration().as_millis()).map_or(i64::MIN, |millis| -millis),
        };
        let bound = if millis < 0 { Timestamp::MIN } else { Timestamp::MAX };
        Timestamp::from_unix_millis(millis).unwrap_or(bound)
    }
}

/// The system gives no random bytes.
#[derive(Debug, Clone, thiserror::Error)]
#[error("the system gives no random bytes: {why}")]
pub struct EntropyError {
    why: String,
}

impl EntropyError {
    /// `entropy_unavailable`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        "entropy_unavailable"
    }
}

/// The system's random bytes.
#[derive(Debug, Clone)]
pub struct SystemEntropy {
    /// Seeded from the system once; takes over should the system fail later on.
    spare: RandomState,
}

impl SystemEntropy {
    /// Tries the system's source once.
    ///
    /// # Errors
    /// `entropy_unavailable` when it gives nothing.
    pub fn new() -> Result<Self, EntropyError> {
        let mut probe = [0; 16];
        getrandom::fill(&mut probe).map_err(|error| EntropyError { why: error.to_string() })?;
        Ok(Self { spare: RandomState::new() })
    }
}

impl Entropy for SystemEntropy {
    fn bytes(&self) -> [u8; 16] {
        use std::sync::atomic::{AtomicU64, Ordering};
        static CALLS: AtomicU64 = AtomicU64::new(0);
        let mut bytes = [0; 16];
        if getrandom::fill(&mut bytes).is_err() {
            let call = CALLS.fetch_add(1, Ordering::Relaxed);
            let half = |salt: u8| {
                let mut hasher = self.spare.build_hasher();
                hasher.write_u64(call);
                hasher.write_u32(std::process::id());
                hasher.write_u8(salt);
                u128::from(hasher.finish())
            };
            bytes = ((half(0) << 64) | half(1)).to_be_bytes();
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_near_the_year_of_this_program() {
        assert!(SystemClock.now() > Timestamp::parse("2025-01-01").unwrap());
        assert!(SystemClock.now() < Timestamp::parse("2125-01-01").unwrap());
    }

    #[test]
    fn entropy_does_not_repeat() {
        let entropy = SystemEntropy::new().unwrap();
        let many: std::collections::BTreeSet<_> = (0..1000).map(|_| entropy.bytes()).collect();
        assert_eq!(many.len(), 1000);
    }
}
