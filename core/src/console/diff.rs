//! `diff`: where two prompts part.
use super::{
    answer::Answer,
    arguments::Call,
    failure::{Failure, NOT_SO},
    place::Place,
    surroundings::{Surroundings, whole},
};
use crate::{
    host::FileFault,
    prompt::{Explanation, Prices, PromptFile, Provider, Request, explain_files},
};
use alloc::{
    format,
    string::{String, ToString},
};
use serde_json::json;

pub(super) async fn run<S: Surroundings>(call: &Call, surroundings: &S) -> Result<Answer, Failure> {
    let [a, b] = call.words() else {
        let (code, message) = match call.words().len() {
            0 | 1 => ("argument_missing", "two prompts are compared; one is missing"),
            _ => ("unknown_argument", "two prompts are compared, not more"),
        };
        return Err(Failure::usage(code, message).at("<A> <B>"));
    };
    let provider = call.value("--provider").and_then(Provider::parse).unwrap_or_default();
    let prices = call.value("--prices").map(prices).transpose()?;
    let (a, b) = (prompt(a, call, surroundings).await?, prompt(b, call, surroundings).await?);
    let found = explain_files(&a, &b, provider, prices);
    let exit = if found.equal || found.longer.is_some() { 0 } else { NOT_SO };
    let answer = if call.json() { in_json(&found)? } else { Answer::text(described(&found)) };
    Ok(answer.exit(exit))
}

/// A file of `prompt --json`, else the prompt of a session.
async fn prompt<S: Surroundings>(word: &str, call: &Call, surroundings: &S) -> Result<PromptFile, Failure> {
    match whole(surroundings, word).await {
        Ok(bytes) => {
            let invalid = |reason: &str| Failure::usage("prompt_invalid", reason).at(word);
            let text = String::from_utf8(bytes).map_err(|_| invalid("a prompt is UTF-8 text"))?;
            PromptFile::read(&text).map_err(|error| Failure::from(error).at(word))
        }
        Err(FileFault::NotFound | FileFault::LongName) => {
            let engine = Place::find(call, surroundings).await?.open(surroundings).await?;
            let session = engine.find_session(word, call.value("--harness"), call.value("--agent")).await?;
            let prompt = engine.prompt(&session, &Request::default()).await?;
            Ok(PromptFile::read(&prompt.json_text())?)
        }
        Err(fault) => Err(Failure::input(word, &fault)),
    }
}

/// `CACHED,UNCACHED`, for a million tokens.
fn prices(text: &str) -> Result<Prices, Failure> {
    let price = |text: &str| {
        let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        text.parse::<f64>().ok().filter(|price| is_plain && price.is_finite())
    };
    let both = text.split_once(',').and_then(|(cached, uncached)| Some((price(cached)?, price(uncached)?)));
    both.map(|(cached, uncached)| Prices { cached, uncached }).ok_or_else(|| {
        let accepted = "two prices for a million tokens, such as 0.3,3";
        Failure::usage("argument_invalid", format!("accepted: {accepted}")).at("--prices")
    })
}

/// Which of the two goes on from the other.
fn longer(found: &Explanation) -> Option<&'static str> {
    found.longer.map(|longer| if longer == "next" { "B" } else { "A" })
}

fn in_json(found: &Explanation) -> Result<Answer, Failure> {
    Answer::json(&json!({
        "equal": found.equal,
        "first_difference": found.first_difference,
        "cause": found.cause,
        "longer": longer(found),
        "kept_tokens": found.kept_tokens,
        "recomputed_tokens": found.recomputed_tokens,
        "cost": found.cost,
    }))
}

fn described(found: &Explanation) -> String {
    let outcome = match (found.equal, longer(found), found.first_difference) {
        (true, ..) => "equal".to_string(),
        (_, Some(longer), _) => format!("{longer} goes on from the other"),
        (_, _, Some(at)) => {
            let section = serde_json::to_value(at.section).unwrap_or_default();
            let section = section.as_str().unwrap_or_default();
            format!("they part in {section}, item {}, byte {}", at.index, at.byte)
        }
        _ => String::new(),
    };
    let cause = found.cause.map(|cause| format!("cause        {cause}\n")).unwrap_or_default();
    let cost = found.cost.map(|cost| format!("cost         {cost}\n")).unwrap_or_default();
    format!(
        "{outcome}\n{cause}kept         {} tokens\nrecomputed   {} tokens\n{cost}",
        found.kept_tokens, found.recomputed_tokens
    )
}
