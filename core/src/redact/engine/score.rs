//! How random a value looks.
use super::bytes::part;

/// Bytes of a value that are looked at.
pub(super) const LOOK: usize = 128;

/// How random a value looks: 0 a word or prose, 1 perhaps, 2 probably, 3 surely.
///
/// Counted are the runs that a value falls into (words with their capital, digits), which are short in random text
/// and long in names, and the pairs of letters that no language writes often.
pub(super) fn score(value: &[u8]) -> u8 {
    let value = part(value, 0, value.len().min(LOOK));
    if value.len() < 8 || value.iter().any(u8::is_ascii_whitespace) {
        return 0;
    }
    let Runs { letters, digits, length } = Runs::of(value);
    let odd = odd(value);
    let long = value.len() >= 16;
    match () {
        () if letters == 0 => 0,
        () if (length <= RUN_RANDOM && digits >= 1) || (odd >= 45 && letters >= 12) => {
            2u8.saturating_add(u8::from(long))
        }
        () if odd >= 34 && letters >= 8 || (length <= RUN_RANDOM) => 2,
        () if (length <= RUN_PERHAPS && digits >= 1) || odd >= 25 => 1,
        () => 0,
    }
}

/// The runs that a value falls into.
struct Runs {
    letters: usize,
    digits: usize,
    /// Ten times their mean length.
    length: usize,
}

impl Runs {
    fn of(value: &[u8]) -> Self {
        let (mut runs, mut letters, mut digits, mut before) = (0usize, 0usize, 0usize, 0u8);
        for b in value {
            letters = letters.saturating_add(usize::from(b.is_ascii_alphabetic()));
            digits = digits.saturating_add(usize::from(b.is_ascii_digit()));
            let goes_on = (before.is_ascii_digit() && b.is_ascii_digit())
                || (before.is_ascii_alphabetic() && b.is_ascii_lowercase())
                || (before.is_ascii_uppercase() && b.is_ascii_uppercase());
            runs = runs.saturating_add(usize::from(b.is_ascii_alphanumeric() && !goes_on));
            before = *b;
        }
        let length = letters.saturating_add(digits).saturating_mul(10).checked_div(runs).unwrap_or(100);
        Self { letters, digits, length }
    }
}

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

/// For each first letter, a bit for each second letter.
const PAIRS: [u32; 26] = {
    let mut rows = [0; 26];
    let (mut letter, mut rest) = (b'a', rows.as_mut_slice());
    while let [row, more @ ..] = rest {
        *row = seconds(letter, COMMON.as_bytes());
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

fn common(a: u8, b: u8) -> bool {
    let (a, b) = (a.to_ascii_lowercase(), b.to_ascii_lowercase());
    PAIRS.get(usize::from(a.saturating_sub(b'a'))).is_some_and(|row| row & bit(b) != 0)
}

/// How many of a hundred pairs of letters no language writes often.
pub(super) fn odd(value: &[u8]) -> usize {
    let value = part(value, 0, value.len().min(LOOK));
    let (mut all, mut rare, mut before) = (0usize, 0usize, 0u8);
    for b in value {
        let letter = b.is_ascii_alphabetic();
        if letter && before != 0 {
            all = all.saturating_add(1);
            rare = rare.saturating_add(usize::from(!common(before, *b)));
        }
        before = if letter { *b } else { 0 };
    }
    rare.saturating_mul(100).checked_div(all).unwrap_or(0)
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
