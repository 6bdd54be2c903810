//! How random a value looks.
use super::bytes::part;

/// Bytes of a value that are looked at.
pub(super) const LOOK: usize = 128;

/// How random a value looks: 0 a word or prose, 1 perhaps, 2 probably, 3 surely.
///
/// Counted are the runs that a value falls into (words with their capital, digits), which are short in random text
/// and long in names, and the pairs of letters that no language writes often.
pub(super) fn score(value: &[u8]) -> u8 {
    if value.len() < 8 {
        return 0;
    }
    let looks = Looks::of(value);
    let (letters, digits) = (looks.count(LETTERS), looks.count(DIGITS));
    if looks.count(BLANKS) > 0 || letters == 0 {
        return 0;
    }
    // Ten times the mean length of the runs.
    let length =
        letters.saturating_add(digits).saturating_mul(10).checked_div(looks.count(RUNS)).unwrap_or(100);
    let odd = looks.odd();
    let long = value.len() >= 16;
    match () {
        () if (length <= RUN_RANDOM && digits >= 1) || (odd >= 45 && letters >= 12) => {
            2u8.saturating_add(u8::from(long))
        }
        () if odd >= 34 && letters >= 8 || (length <= RUN_RANDOM) => 2,
        () if (length <= RUN_PERHAPS && digits >= 1) || odd >= 25 => 1,
        () => 0,
    }
}

/// What a value looks like, counted in one go.
struct Looks {
    /// Letters, digits, blanks, runs and pairs of letters: so many bits each.
    counts: u64,
    /// Pairs that are not both letters, or common.
    common: u64,
    all: usize,
}

/// Bits of a count, which [`LOOK`] fits in.
const BITS: u32 = 12;
/// What is counted, in the order of its bits.
const LETTERS: u32 = 0;
const DIGITS: u32 = 1;
const BLANKS: u32 = 2;
const RUNS: u32 = 3;
const PAIRED: u32 = 4;

impl Looks {
    fn of(value: &[u8]) -> Self {
        let value = part(value, 0, value.len().min(LOOK));
        let (mut counts, mut common, mut before) = (0u64, 0u64, OTHER | NONE);
        for b in value {
            let here = BYTES.get(usize::from(*b)).copied().unwrap_or(OTHER | NONE);
            let kinds = usize::from(before >> 5).wrapping_mul(8).wrapping_add(usize::from(here >> 5));
            counts = counts.wrapping_add(STEPS.get(kinds).copied().unwrap_or(0));
            let row = PAIRS.get(usize::from(before & NONE)).copied().unwrap_or(0);
            common = common.wrapping_add(u64::from(row.wrapping_shr(u32::from(here & NONE)) & 1));
            before = here;
        }
        Self { counts, common, all: value.len() }
    }

    fn count(&self, what: u32) -> usize {
        let mask = 1u64.wrapping_shl(BITS).wrapping_sub(1);
        usize::try_from(self.counts.wrapping_shr(what.wrapping_mul(BITS)) & mask).unwrap_or(0)
    }

    /// How many of a hundred pairs of letters no language writes often.
    fn odd(&self) -> usize {
        let rare = self.all.saturating_sub(usize::try_from(self.common).unwrap_or(0));
        rare.saturating_mul(100).checked_div(self.count(PAIRED)).unwrap_or(0)
    }
}

/// The kinds of bytes, in the highest three bits.
const OTHER: u8 = 0;
const DIGIT: u8 = 1 << 5;
const LOWER: u8 = 2 << 5;
const UPPER: u8 = 3 << 5;
const BLANK: u8 = 4 << 5;
/// What stands for no letter below them.
const NONE: u8 = 31;

/// For each byte its kind, and which letter it is.
static BYTES: [u8; 256] = {
    let mut all = [0; 256];
    let (mut b, mut rest) = (0u8, all.as_mut_slice());
    while let [slot, more @ ..] = rest {
        *slot = match b {
            b'a'..=b'z' => LOWER | b.wrapping_sub(b'a'),
            b'A'..=b'Z' => UPPER | b.wrapping_sub(b'A'),
            b'0'..=b'9' => DIGIT | NONE,
            b if b.is_ascii_whitespace() => BLANK | NONE,
            _ => OTHER | NONE,
        };
        b = b.wrapping_add(1);
        rest = more;
    }
    all
};

/// For the kind of a byte and that of the next one, what the next one counts for.
static STEPS: [u64; 64] = {
    let mut all = [0; 64];
    let (mut pair, mut rest) = (0u8, all.as_mut_slice());
    while let [slot, more @ ..] = rest {
        let (before, here) = ((pair >> 3) << 5, pair << 5);
        let letter = matches!(here, LOWER | UPPER);
        let goes_on = matches!((before, here), (DIGIT, DIGIT) | (LOWER | UPPER, LOWER) | (UPPER, UPPER));
        let counted = [
            (letter, LETTERS),
            (matches!(here, DIGIT), DIGITS),
            (matches!(here, BLANK), BLANKS),
            ((letter || matches!(here, DIGIT)) && !goes_on, RUNS),
            (letter && matches!(before, LOWER | UPPER), PAIRED),
        ];
        let mut list = counted.as_slice();
        while let [(counts, what), others @ ..] = list {
            if *counts {
                *slot |= 1u64.wrapping_shl(what.wrapping_mul(BITS));
            }
            list = others;
        }
        pair = pair.wrapping_add(1);
        rest = more;
    }
    all
};

/// Ten times the mean length of the runs of a random value, at most.
const RUN_RANDOM: usize = 28;
/// The same of a value that may be random.
const RUN_PERHAPS: usize = 40;

/// The pairs of letters that make up nine tenths of what people write in names and prose.
const COMMON: &str = "th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co \
    me de hi ri ro ic ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us \
    ac ot il tr ly nc et ut ss so rs un lo wa ge ie wh ee wi em ad ol rt po we na ul ni ts mo ow pa \
    im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev ld ry mp fe bl ab gh ty op wo sa ay ex ke \
    fr oo av ag if ap gr od bo sp rd do uc bu ei ov by rm ep tt oc fa ef cu rn sc gi da yo cr cl du \
    ga qu ue ff ba ey ls va um pp ua up lu go ht ru ug ds lt pi rc rr eg au ck ew mu br bi pt ak pu \
    ui rg ib tl ny ki rk ys ob mm fu ph og ms ye ud mb ip ub oi rl gu dr hr cc tw ft wn nu af hu nn \
    eo vo rv nf xp gn sm fl iz ok nl my gl aw ju oa eq sy sl ps jo lf nv je nk kn gs dy hy ze ks xt \
    bs ik dd rp sk xi oe oy ws lv dl rf eu dg";

/// For each first letter, a bit for each second letter; all of them where one is no letter.
static PAIRS: [u32; 32] = {
    let mut rows = [u32::MAX; 32];
    let (mut letter, mut rest) = (b'a', rows.as_mut_slice());
    while let ([row, more @ ..], b'a'..=b'z') = (rest, letter) {
        *row = seconds(letter, COMMON.as_bytes()) | 1u32.wrapping_shl(NONE as u32);
        letter = letter.saturating_add(1);
        rest = more;
    }
    rows
};

const fn seconds(first: u8, mut list: &[u8]) -> u32 {
    let mut bits = 0;
    while let [a, b, rest @ ..] = list {
        if *a == first {
            bits |= bit(*b);
        }
        list = match rest {
            [_, more @ ..] => more,
            [] => rest,
        };
    }
    bits
}

const fn bit(letter: u8) -> u32 {
    1u32.wrapping_shl(letter.saturating_sub(b'a') as u32)
}

/// How many of a hundred pairs of letters no language writes often.
pub(super) fn odd(value: &[u8]) -> usize {
    Looks::of(value).odd()
}

#[cfg(test)]
mod tests {
    use super::score;

    #[test]
    fn scores() {
        for value in
            ["brain-sync-wrong-branch", "maxActiveAsyncRunsPerSession", "getUserAccessToken", "password"]
        {
            assert!(score(value.as_bytes()) < 2, "{value} {}", score(value.as_bytes()));
        }
        for value in
            ["Zf3D0LXCM3EIMbgJpUNnkRtOfOueHznB", "q9x2mn7pk4rt8wy1cv5bz3df6gh0jl2e", "b9a2c8d7e1f04a5b"]
        {
            assert!(score(value.as_bytes()) >= 2, "{value}");
        }
    }
}
