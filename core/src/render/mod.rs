//! Neutral prompts into the requests of providers, and their answers back into rows.
//!
//! What a provider is sent follows from the [`Prompt`](crate::prompt::Prompt) alone, and is stable under
//! appending: a prompt that extends another gives messages that extend the other's, cache markers apart. Nothing
//! here reads a row. Thinking that may not be stored has its text in [`Prompt::held`](crate::prompt::Prompt::held)
//! alone, and goes from there into the request. The way back is [`read`] for a whole answer and [`Stream`] for one that comes in pieces.
//!
//! # What becomes of what
//!
//! | neutral | Anthropic Messages | OpenAI Responses | OpenAI Chat Completions | Gemini generateContent |
//! |---|---|---|---|---|
//! | model | `model` | `model` | `model` | not in the body: it stands in the address |
//! | system | `system`, a text block each | first items of `input`, role `developer` | first messages, role `developer` | `systemInstruction.parts` |
//! | user | a `user` message of its own | a `user` message item | a `user` message | a `user` content |
//! | developer, system in place | a `user` message, in `<developer-note>`; by option a `system` message | a `developer` message item | a `developer` message | a `user` content, in `<developer-note>` |
//! | assistant | one `assistant` message | its items: `reasoning`, `message`, `function_call` | one `assistant` message, texts before calls | one `model` content |
//! | text | `text` | `input_text`; the model's as `output_text`, or plain without its id | text | `text` |
//! | thinking of its own | `thinking`, `redacted_thinking` | `reasoning` with encrypted content, directly before its item | left out | `thought` part, where it is signed |
//! | thinking of others | left out | left out, and its item without its id | left out | left out |
//! | signature on another part | – | – | – | `thoughtSignature` on that part |
//! | call | `tool_use` | `function_call` | `tool_calls` | `functionCall`; the first of a foreign round with the sentinel |
//! | results of a round | one `user` message of `tool_result` | a `function_call_output` each | a `tool` message each | one `user` content of `functionResponse` |
//! | failed result | `is_error` | `[error]` before the text | `[error]` before the text | `response.error` |
//! | image | `image`: base64, URL, file | `input_image`: base64, URL, file | `image_url`: base64, URL | `inlineData`, `fileData` |
//! | document | `document`: PDF by base64, URL; file | `input_file`: base64, URL, file | `file`: PDF by base64; file | `inlineData`, `fileData` |
//! | media in a result | in `tool_result` | in the `output` list | named in its place | `functionResponse.parts` |
//! | media elsewhere | named in its place | named in its place | named in its place | as media |
//! | tools | `tools` | `tools`, `strict: false` | `tools` | `tools[0].functionDeclarations` |
//! | tool_choice | `tool_choice` | `tool_choice`, `parallel_tool_calls` | the same | `toolConfig.functionCallingConfig` |
//! | effort | `output_config.effort` | `reasoning.effort` | `reasoning_effort` | `generationConfig.thinkingConfig.thinkingLevel` |
//! | response_format | `output_config.format` | `text.format` | `response_format` | `generationConfig.responseJsonSchema` |
//! | max_output_tokens | `max_tokens`, always there | `max_output_tokens` | `max_completion_tokens` | `generationConfig.maxOutputTokens` |
//! | cache markers | `cache_control` | `prompt_cache_key` | `prompt_cache_key` | none: the provider caches by itself |
//! | begins with the model | the resume note goes first | as it is | as it is | the resume note goes first |
//! | always | | `store: false`, `include: ["reasoning.encrypted_content"]` | | |
//!
//! A call's id is sent as it is when the provider takes it and it is new, else as `tl_…`; the table is
//! [`Rendered::renamed`]. Accepted are letters, digits, `_` and `-`: any number for Anthropic, 64 for OpenAI
//! Responses, 40 for OpenAI Chat; any visible characters up to 128 for Gemini.
//!
//! # Codes of diagnostics
//!
//! | code | what happened |
//! |---|---|
//! | `model_missing` | the request names no model, and the provider asks for one |
//! | `setting_unsupported` | a setting that the provider does not have is left out |
//! | `tool_choice_without_tools` | a choice among no tools is left out |
//! | `tool_name_refused` | the provider refuses a tool's name; [`Rendered::renamed_tools`] has the one it goes under |
//! | `tool_id_renamed` | a call's id is refused or repeats; the table of [`Rendered::renamed`] has both |
//! | `arguments_wrapped` | arguments that are no object are sent as `{"arguments": …}` |
//! | `thinking_unsigned` | thinking without signature or encrypted content is left out |
//! | `thinking_foreign` | thinking of another provider is left out |
//! | `thinking_unsupported` | the provider takes no thinking; it is left out |
//! | `thinking_alone` | an assistant message that would hold thinking alone is left out |
//! | `signature_foreign` | the signature on a call is another model's; the provider's sentinel stands in its place |
//! | `ends_with_assistant` | the request ends with an assistant message: the provider goes on with that one, or refuses it |
//! | `media_unsupported` | an image or document of a kind that the provider does not take is named in its place |
//! | `media_misplaced` | an image or document where the provider takes none is named in its place |
//! | `block_empty` | an empty text block, or a message that would have no block, is left out |
//!
//! `row` is that of the message; `index` is that of the message, or of the tool for the `tool_name_refused` of a declared tool.
//!
//! Of answers:
//!
//! | code | what happened |
//! |---|---|
//! | `thinking_withheld` | signed thinking whose text holds a secret is not stored; [`Response::held`] has it for as long as its tool round lasts |
//! | `thinking_unsigned` | thinking came without signature or encrypted content: stored for people, never sent again |
//! | `signature_invalid` | a signature or encrypted content is no base64, and is not kept |
//! | `thinking_dropped`, `thinking_mismatch_allowed` | the provider says so of thinking in the request |
//! | `block_unknown` | a block of a kind that is not known is left out |
//! | `citations_left_out` | citations or annotations of a text are left out |
//! | `choice_left_out` | of several answers the first counts |
//! | `call_cut` | a call whose arguments had not come whole is left out |
//! | `event_unknown` | an event of a kind that is not known is passed over |
//! | `context_tokens_missing` | the answer does not say how large the prompt was |

mod anthropic;
mod api;
mod error;
mod gemini;
mod ids;
mod names;
mod object;
mod openai;
mod openai_chat;
mod openai_responses;
mod rendered;
mod request;
mod response;
mod runs;
mod settings;
mod stream;
#[cfg(test)]
mod tests;
mod texts;

pub use anthropic::render as anthropic;
pub use api::{Api, render};
pub use error::RenderError;
pub use gemini::render as gemini;
pub use openai_chat::render as openai_chat;
pub use openai_responses::render as openai_responses;
pub use request::{Options, RenamedId, RenamedTool, Rendered};
pub use response::{Answered, Block, Call, Response, read};
pub use stream::{Merged, Stream};
