//! Rows as a storage gives them back.
use throughline_core::{
    id::RowId,
    model::{
        Arguments, InputState, Issuer, MediaSource, Metadata, Part, PartBody, ProviderData, ResultStatus,
        Round, Row, RowKind, StoredRow,
    },
    time::Timestamp,
};

pub(super) type Stored = StoredRow<String>;

pub(super) fn id(text: &str) -> RowId {
    RowId::new(text).unwrap_or_else(|error| panic!("{error}"))
}

pub(super) fn at(place: u64) -> Timestamp {
    Timestamp::EPOCH.saturating_add_millis(i64::try_from(place).unwrap_or(i64::MAX))
}

pub(super) fn row(kind: RowKind, name: &str, place: u64) -> Stored {
    let row = Row {
        id: id(name),
        kind,
        created_at: at(place),
        source_at: None,
        imported: false,
        live: true,
        sidechain: false,
        round: None,
        issuer: None,
        generation_checkpoint_id: None,
        prefix_fingerprint: None,
        prefix_hash: None,
        metadata: None,
        rules: 1,
    };
    StoredRow { row, parts: Vec::new() }
}

pub(super) fn with(mut stored: Stored, body: PartBody<String>) -> Stored {
    let index = u32::try_from(stored.parts.len()).unwrap_or(u32::MAX);
    let row = stored.row.id.clone();
    stored.parts.push(Part { row, index, body, replay: true, provider_data: None, source: None });
    stored
}

pub(super) fn said(kind: RowKind, name: &str, place: u64, words: &str) -> Stored {
    with(row(kind, name, place), PartBody::Text { text: words.to_owned() })
}

pub(super) fn meta(stored: &mut Stored) -> &mut Metadata<String> {
    stored.row.metadata.get_or_insert_default()
}

pub(super) fn positional(mut stored: Stored, action: &str) -> Stored {
    let metadata = meta(&mut stored);
    (metadata.preserve_position, metadata.system_action) = (true, Some(action.to_owned()));
    stored
}

pub(super) fn pending(mut stored: Stored) -> Stored {
    meta(&mut stored).input = Some(InputState::Pending);
    stored
}

pub(super) fn image(name: &str) -> PartBody<String> {
    PartBody::Image {
        media_type: "image/png".into(),
        source: MediaSource::Base64("iVBORw0KGgo".into()),
        name: Some(name.to_owned()),
    }
}

pub(super) fn file(upload: &str) -> PartBody<String> {
    PartBody::File { id: upload.to_owned(), name: Some("plan.md".into()), media_type: None, size: Some(12) }
}

/// Thinking in its place; the row is by the model.
pub(super) fn thinking(stored: Stored, model: &str, signature: String) -> Stored {
    let body = PartBody::Thinking { text: "let me see".into(), redacted: false };
    let mut stored = with(stored, body);
    if let Some(part) = stored.parts.last_mut() {
        part.provider_data = Some(ProviderData { signature: Some(signature), data: None, item_id: None });
    }
    stored.row.issuer = Some(Issuer { provider: "anthropic".into(), model: model.to_owned() });
    stored
}

pub(super) fn call(kind: RowKind, name: &str, place: u64, round: Option<(&RowId, u32)>) -> Stored {
    let mut stored = row(kind, name, place);
    stored.row.round = round.map(|(row, index)| Round { row: row.clone(), index });
    let arguments = Arguments::Json(format!(r#"{{"path":"src/{name}.rs"}}"#));
    with(stored, PartBody::ToolCall { call_id: format!("id-{name}"), name: "read".into(), arguments })
}

pub(super) fn ended(stored: &Stored, status: ResultStatus, body: PartBody<String>, is_late: bool) -> Stored {
    let call_id = format!("id-{}", stored.row.id);
    let mut ended = with(stored.clone(), PartBody::ToolResult { call_id, status, content: vec![body] });
    if let Some(part) = ended.parts.last_mut() {
        part.replay = !is_late;
    }
    ended
}

pub(super) fn is_waiting(stored: &Stored) -> bool {
    stored.row.kind.is_call() && stored.row.live && stored.parts.len() == 1
}
