//! Beside the vectors, which hold what each provider is sent: what holds of every request and every answer.
mod answers;
mod anthropic;
mod held;
mod properties;
mod wire;
