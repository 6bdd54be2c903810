//! Sections, and the order in which a provider reads them.
use serde::Serialize;

/// A provider, by the order in which it reads a request: what comes after a difference is not cached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Provider {
    /// Anthropic Messages: tools, system, messages.
    #[default]
    Anthropic,
    /// OpenAI Responses: tools, system, messages.
    OpenAiResponses,
    /// OpenAI Chat Completions: tools, system, messages.
    OpenAiChat,
    /// Gemini generateContent: system, tools, messages.
    Gemini,
}

impl Provider {
    /// All of them, by their names on the command line.
    pub const ALL: [(&'static str, Self); 4] = [
        ("anthropic", Self::Anthropic),
        ("openai-responses", Self::OpenAiResponses),
        ("openai-chat", Self::OpenAiChat),
        ("gemini", Self::Gemini),
    ];

    /// Reads a name such as `openai-chat`.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, provider)| provider)
    }

    pub(super) fn order(self) -> [Section; 5] {
        let (first, second) = match self {
            Self::Gemini => (Section::System, Section::Tools),
            _ => (Section::Tools, Section::System),
        };
        [Section::Model, first, second, Section::Settings, Section::Messages]
    }
}

/// A section of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    /// The model.
    Model,
    /// The tools.
    Tools,
    /// The system texts.
    System,
    /// The settings.
    Settings,
    /// The messages.
    Messages,
}
