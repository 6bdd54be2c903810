//! The providers' interfaces by name.
use super::{Options, Rendered, anthropic, gemini, openai_chat, openai_responses};
use crate::prompt::Prompt;

/// An interface of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Api {
    /// Anthropic Messages.
    Anthropic,
    /// OpenAI Responses.
    OpenaiResponses,
    /// OpenAI Chat Completions.
    OpenaiChat,
    /// Gemini generateContent.
    Gemini,
}

impl Api {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Anthropic, Self::OpenaiResponses, Self::OpenaiChat, Self::Gemini];

    /// The name on the command line and in JavaScript, such as `openai-responses`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenaiResponses => "openai-responses",
            Self::OpenaiChat => "openai-chat",
            Self::Gemini => "gemini",
        }
    }

    /// Reads a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|api| api.as_str() == name)
    }

    /// The provider as rows name it (`issuer.provider`): `anthropic`, `openai` or `google`.
    #[must_use]
    pub fn provider(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenaiResponses | Self::OpenaiChat => "openai",
            Self::Gemini => "google",
        }
    }
}

/// Makes a request of any of the providers (`spec/prompt.md`, "Rendering for providers").
///
/// Any prompt renders: what cannot be sent is a diagnostic. The same input gives the same bytes. Linear in the
/// prompt.
///
/// ```
/// use throughline_core::{prompt::{Input, assemble}, render::{self, Api}};
/// let prompt = assemble(Input::default());
/// for api in Api::ALL {
///     let rendered = render::render(api, &prompt, &render::Options::default());
///     assert!(rendered.body.as_object().is_some());
/// }
/// ```
#[must_use]
pub fn render(api: Api, prompt: &Prompt, options: &Options) -> Rendered {
    match api {
        Api::Anthropic => anthropic(prompt, options),
        Api::OpenaiResponses => openai_responses(prompt, options),
        Api::OpenaiChat => openai_chat(prompt, options),
        Api::Gemini => gemini(prompt, options),
    }
}
