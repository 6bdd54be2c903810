use crate::json::{Json, Object};

pub(super) fn object<const N: usize>(pairs: [(&str, Json); N]) -> Object {
    pairs.into_iter().map(|(key, value)| (key.into(), value)).collect()
}
