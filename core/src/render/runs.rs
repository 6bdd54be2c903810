//! Neutral messages in runs, as they become messages of a provider.
use crate::{
    json::{Json, Object},
    prompt::{Body, Diagnostic, IssuedData, Message, Part, Role},
    redact::Clean,
};

/// Each message by itself, results that follow one another together, with the index of the first.
pub(super) fn runs(messages: &[Message]) -> impl Iterator<Item = (usize, &[Message])> {
    let same = |a: &Message, b: &Message| a.role == Role::Tool && b.role == Role::Tool;
    messages.chunk_by(same).scan(0usize, |at, run| {
        let first = *at;
        *at = first.saturating_add(run.len());
        Some((first, run))
    })
}

/// What a part's issuer alone can read, when that is one of `providers` and, where both are known, the model.
pub(super) fn issued<'a>(
    part: &'a Part,
    providers: &[&str],
    model: Option<&Clean>,
) -> Option<&'a IssuedData> {
    part.provider_data.as_ref().filter(|data| {
        data.issuer.as_ref().is_some_and(|issuer| {
            providers.contains(&issuer.provider.as_str()) && model.is_none_or(|model| *model == issuer.model)
        })
    })
}

/// Arguments as the object that providers ask for; others under the key `arguments`, with a diagnostic.
pub(super) fn as_object(arguments: &Json) -> (Object, Option<Diagnostic>) {
    if let Json::Object(object) = arguments {
        return (object.clone(), None);
    }
    let mut wrapped = Object::new();
    wrapped.insert("arguments", arguments.clone());
    let note = "arguments that are no object are sent under the key arguments";
    (wrapped, Some(Diagnostic::new("arguments_wrapped", note)))
}

/// A schema as that of an object, which providers ask for.
pub(super) fn object_schema(schema: &Json) -> Json {
    let mut schema = schema.clone();
    if let Json::Object(fields) = &mut schema
        && fields.get("type").is_none()
    {
        fields.insert("type", "object");
    }
    schema
}

/// Whether text can be left out without a word being lost.
pub(super) fn is_blank(part: &Part) -> bool {
    matches!(&part.body, Body::Text(text) if text.as_str().trim().is_empty())
}

/// The report that a message of nothing is left out.
pub(super) fn empty(message: &Message, index: usize) -> Diagnostic {
    let what = "a message of which nothing can be sent is left out";
    Diagnostic::new("block_empty", what).row(&message.row).index(index)
}
