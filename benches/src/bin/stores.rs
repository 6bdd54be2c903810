//! Prompts a second, and a log, into each store that the arguments name (`sqlite:PATH`, `postgres://…`); prints
//! `[{"prompts": a second, "ingest": bytes a second}]` in their order.
#![allow(missing_docs, reason = "a program")]

#[cfg(target_family = "wasm")]
fn main() {}

#[cfg(not(target_family = "wasm"))]
fn main() {
    native::main();
}

#[cfg(not(target_family = "wasm"))]
mod native {
    use serde_json::json;
    use std::time::Duration;
    use throughline::{SystemClock, SystemEntropy};
    use throughline_benches::{
        data,
        store::{now, open},
    };
    use throughline_core::{
        engine::{Engine, IngestOptions, Options},
        host::Parts,
        id::SessionId,
        redact::Redactor,
    };

    const ENOUGH: Duration = Duration::from_secs(3);
    const LOG: usize = 4 * 1024 * 1024;

    async fn measure(store: &str) -> serde_json::Value {
        let entropy = SystemEntropy::new().unwrap_or_else(|error| panic!("{error}"));
        let host = Parts { storage: open(store).await, clock: SystemClock, entropy };
        let engine = Engine::new(host, Redactor::standard(), Options::default());
        let session = SessionId::new("bench", "", "s").unwrap_or_else(|error| panic!("{error}"));
        let (mut prompts, begun) = (0_u32, now());
        while begun.elapsed() < ENOUGH {
            let text = format!("prompt {prompts}: how the parser treats a trailing comma");
            engine.submit_prompt(&session, None, &text).await.unwrap_or_else(|error| panic!("{error}"));
            prompts += 1;
        }
        let prompts = f64::from(prompts) / begun.elapsed().as_secs_f64();
        let log = data::log(LOG);
        let begun = now();
        let mut ingest = engine.ingest(IngestOptions::default());
        for piece in log.as_bytes().chunks(1 << 20) {
            ingest.push(piece).await.unwrap_or_else(|error| panic!("{error}"));
        }
        ingest.finish().await.unwrap_or_else(|error| panic!("{error}"));
        #[allow(clippy::cast_precision_loss, reason = "a length of a few megabytes")]
        let ingest = log.len() as f64 / begun.elapsed().as_secs_f64();
        json!({ "prompts": prompts, "ingest": ingest })
    }

    pub(super) fn main() {
        let stores = std::env::args().skip(1);
        let figures: Vec<_> = stores.map(|store| pollster::block_on(measure(&store))).collect();
        println!("{}", serde_json::Value::Array(figures));
    }
}
