//! The default layout of cache markers (`spec/prompt.md`, "Cache markers").
use super::{Body, Marker, MarkerAt, Message, Part, ResultContent, Retention, Tool, Ttl};
use crate::redact::Clean;
use alloc::vec::Vec;

/// A look-up reaches back 20 blocks; this keeps a margin of two.
const REACH: usize = 18;

/// The last tool, the last system part, and two parts of messages. `round` is the last assistant message.
/// However long the messages are, only the last of them are looked at.
pub(super) fn default_markers(
    tools: &[Tool],
    system: &[Clean],
    messages: &[Message],
    round: Option<usize>,
    retention: Retention,
) -> Vec<Marker> {
    let kept = retention.ordered();
    let last = |at, length: usize, ttl: Ttl| {
        length.checked_sub(1).map(|index| Marker { at, index, part: None, ttl })
    };
    let fixed =
        [last(MarkerAt::Tools, tools.len(), kept.tools), last(MarkerAt::System, system.len(), kept.system)];
    let moving = message_places(messages, round).into_iter().flatten();
    let moving = moving.map(|(index, part)| Marker {
        at: MarkerAt::Message,
        index,
        part: Some(part),
        ttl: kept.messages,
    });
    fixed.into_iter().flatten().chain(moving).collect()
}

/// The last two messages that can carry a marker. When the newest round put more than [`REACH`] blocks behind
/// the end of the request before it, the first of the two stands within reach of that end instead, so that a
/// look-up from it finds what was cached there.
fn message_places(messages: &[Message], round: Option<usize>) -> [Option<(usize, usize)>; 2] {
    let mut carriers =
        messages.iter().enumerate().rev().filter_map(|(i, message)| Some((i, last_carrier(message)?)));
    let Some(newest) = carriers.next() else { return [None, None] };
    let before = carriers.next();
    let moved = round.filter(|round| *round > 0 && reaches_further(messages, *round));
    let moved = moved.and_then(|round| within_reach(messages, round));
    [moved.filter(|moved| before.is_none_or(|before| *moved < before)).or(before), Some(newest)]
}

/// Whether there are more than [`REACH`] blocks from message `round` on.
fn reaches_further(messages: &[Message], round: usize) -> bool {
    let mut blocks = 0usize;
    messages.iter().skip(round).any(|message| {
        blocks = blocks.saturating_add(message.parts.len());
        blocks > REACH
    })
}

/// The last part that can carry a marker among the [`REACH`] blocks from message `round` on.
fn within_reach(messages: &[Message], round: usize) -> Option<(usize, usize)> {
    let blocks = messages
        .iter()
        .enumerate()
        .skip(round)
        .flat_map(|(i, message)| message.parts.iter().enumerate().map(move |(k, part)| (i, k, part)));
    blocks.take(REACH).filter(|(_, _, part)| carries(part)).last().map(|(i, k, _)| (i, k))
}

fn last_carrier(message: &Message) -> Option<usize> {
    message.parts.iter().rposition(carries)
}

/// No marker stands on empty text or on thinking.
fn carries(part: &Part) -> bool {
    match &part.body {
        Body::Text(text) => !text.as_str().trim().is_empty(),
        Body::Thinking { .. } => false,
        Body::ToolResult { content: ResultContent::Text(text), .. } => !text.is_empty(),
        Body::ToolResult { .. } | Body::ToolCall { .. } | Body::Image(_) | Body::Document(_) => true,
    }
}
