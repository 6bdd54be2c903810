//! Rows that are made at run time, from what a host says.
use super::{
    Place,
    alphabet::Alphabet,
    row::{Needs, Row, Shape},
};
use crate::redact::Confidence;

/// Names of the alphabets.
pub(in crate::redact) const ALPHABETS: &[&str] = &[
    "alnum", "upper", "hex", "dashed", "word", "dotted", "padded", "colon", "base64", "cookie", "path",
    "query",
];

/// Names of what a run may have to hold.
pub(in crate::redact) const NEEDS: &[&str] = &["any", "digit", "mixed", "random"];

/// The alphabet of this name.
pub(in crate::redact) fn alphabet(name: &str) -> Option<Alphabet> {
    Some(match name {
        "alnum" => Alphabet::Alnum,
        "upper" => Alphabet::Upper,
        "hex" => Alphabet::Hex,
        "dashed" => Alphabet::Dashed,
        "word" => Alphabet::Word,
        "dotted" => Alphabet::Dotted,
        "padded" => Alphabet::Padded,
        "colon" => Alphabet::Colon,
        "base64" => Alphabet::Base64,
        "cookie" => Alphabet::Cookie,
        "path" => Alphabet::Path,
        "query" => Alphabet::Query,
        _ => return None,
    })
}

/// What a run must hold, by its name.
pub(in crate::redact) fn needs(name: &str) -> Option<Needs> {
    Some(match name {
        "any" => Needs::Any,
        "digit" => Needs::Digit,
        "mixed" => Needs::Mixed,
        "random" => Needs::Random,
        _ => return None,
    })
}

/// A row without a shape of its own.
pub(in crate::redact) fn host(
    id: &'static str,
    kind: &'static str,
    confidence: Confidence,
    keywords: &'static [&'static str],
) -> Row {
    Row { id, kind, confidence, keywords, shape: Shape::Place(Place::Host) }
}

impl Row {
    /// The same row for a token; with names that are none, as it was.
    pub(in crate::redact) fn token(self, letters: &str, min: usize, max: usize, must: &str) -> Self {
        match (alphabet(letters), needs(must)) {
            (Some(alphabet), Some(needs)) => {
                Self { shape: Shape::Token { alphabet, min, max, needs }, ..self }
            }
            _ => self,
        }
    }
}
