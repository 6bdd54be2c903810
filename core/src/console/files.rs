//! Files that flags name, read whole.
use super::{
    failure::Failure,
    surroundings::{Surroundings, whole},
};
use crate::json::{self, Json};
use alloc::{string::String, vec::Vec};

pub(super) async fn bytes<S: Surroundings>(surroundings: &S, file: &str) -> Result<Vec<u8>, Failure> {
    whole(surroundings, file).await.map_err(|fault| Failure::input(file, &fault))
}

pub(super) async fn text<S: Surroundings>(
    surroundings: &S,
    file: &str,
    wanted: &str,
) -> Result<String, Failure> {
    let bytes = bytes(surroundings, file).await?;
    String::from_utf8(bytes).map_err(|_| Failure::usage("option_invalid", wanted).at(file))
}

pub(super) async fn json<S: Surroundings>(surroundings: &S, file: &str) -> Result<Json, Failure> {
    let text = text(surroundings, file, "JSON is UTF-8 text").await?;
    json::parse(&text).map_err(|error| Failure::from(error).at(file))
}
