//! How often the same bytes may be read.
//!
//! A finder that reads on from many places of a stretch would read it as often as there are places. What it may read
//! again is bounded by what it reads for the first time, so that a flood costs a constant times its length.

/// How often the bytes that were read may be read again.
const TIMES: usize = 8;
/// The most bytes that are left to be read again.
const MOST: usize = 64 * 1024;

/// What was read, and how much of it may be read again.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Budget {
    far: usize,
    left: usize,
}

impl Budget {
    /// Whether `i` is inside of what was read often enough.
    pub(super) fn spent(self, i: usize) -> bool {
        i < self.far && self.left == 0
    }

    /// Where what was read ends.
    pub(super) fn far(self) -> usize {
        self.far
    }

    /// Notes that the bytes from `start` to `end` were read. Those that were not read before pay for those that were.
    pub(super) fn spend(&mut self, start: usize, end: usize) {
        if end <= start {
            return;
        }
        let fresh = end.saturating_sub(start.max(self.far)).saturating_mul(TIMES);
        let left = self.left.saturating_add(fresh).saturating_sub(end.saturating_sub(start));
        self.left = left.min(MOST);
        self.far = end.max(self.far);
    }
}

#[cfg(test)]
mod tests {
    use super::Budget;

    #[test]
    fn a_stretch_is_read_so_often_and_no_more() {
        let mut budget = Budget::default();
        let mut read = 0;
        for i in 0..100_000 {
            if !budget.spent(i) {
                budget.spend(i, i + 1000);
                read += 1000;
            }
        }
        assert!((100_000..1_000_000).contains(&read), "{read}");
        assert!(!budget.spent(budget.far()));
    }

    #[test]
    fn what_was_not_read_is_not_spent() {
        let mut budget = Budget::default();
        budget.spend(20, 20);
        assert!(!budget.spent(10));
    }

    #[test]
    fn short_stretches_one_after_the_other_are_read() {
        let mut budget = Budget::default();
        for i in (0..10_000).step_by(10) {
            assert!(!budget.spent(i));
            budget.spend(i, i + 20);
        }
    }
}
