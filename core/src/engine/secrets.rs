//! No secret survives in anything that is stored or told, wherever it stands and wherever a text is cut.
use super::{Activity, CheckpointRequest, Engine, Options, QueueMode, RecordOptions, RecoverRequest};
use crate::{
    host::{FixedClock, MemoryStorage, Parts, Storage},
    id::{Project, SessionId},
    model::{Answer, Query, Structural, Table, Trigger},
    redact::Redactor,
    time::Timestamp,
};
use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use core::sync::atomic::{AtomicU64, Ordering};
use proptest::prelude::*;

/// Secrets in parts, with the value that must not be found.
fn planted() -> impl Strategy<Value = (String, String)> {
    let value = "[A-Za-z0-9]{36}";
    (0usize..4, value).prop_map(|(kind, value)| {
        let text = match kind {
            0 => ["ghp_", &value].concat(),
            1 => ["password = \"", &value, "\""].concat(),
            2 => ["Authorization: Bearer ", &value].concat(),
            _ => ["https://ada:", &value, "@example.org/x"].concat(),
        };
        (text, value)
    })
}

/// How much stands before the secret: about where texts are cut.
fn lead() -> impl Strategy<Value = usize> {
    prop_oneof![0usize..300, 1_950usize..2_050, 3_900usize..4_100]
}

fn around(lead: usize, secret: &str, tail: usize) -> String {
    format!("{} {secret} {}", "word ".repeat(lead / 5), "tail ".repeat(tail / 5))
}

/// Everything that is stored, as it is stored.
async fn stored(storage: &MemoryStorage) -> Vec<String> {
    let mut all = Vec::new();
    for table in Table::ALL {
        if let Ok(Answer::Bodies(bodies)) =
            storage.read(&Query::Bodies { table, after: None, limit: 1000 }).await
        {
            all.extend(bodies.into_iter().map(|body| body.text));
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_secret_survives_at_any_cut(
        (secret, value) in planted(),
        leads in proptest::array::uniform6(lead()),
        tail in lead(),
        budget in 200u32..6_000,
        trigger in 0usize..5,
        buffered in any::<bool>(),
    ) {
        let [prompt, query, remember, context, note, entity] = leads.map(|lead| around(lead, &secret, tail));
        let drawn = AtomicU64::new(0);
        let entropy = move || u128::from(drawn.fetch_add(1, Ordering::Relaxed)).to_be_bytes();
        let host = Parts { storage: MemoryStorage::default(), clock: FixedClock(Timestamp::EPOCH), entropy };
        let options = Options {
            queue: if buffered { QueueMode::Buffered } else { QueueMode::Journaled },
            ..Options::default()
        };
        let engine = Engine::new(host, Redactor::standard(), options);
        let id = SessionId::new("test", "", "s").unwrap();
        let texts = super::properties::at_once(async {
            let project = Project::new(&format!("/work/{secret}"));
            let options = RecordOptions { project, at: None };
            let activities =
                [Activity::Prompt(prompt.clone()), Activity::Query(query), Activity::Remember(remember)];
            engine.record(&id, &activities, &options).await.unwrap();
            engine.submit_prompt(&id, None, &prompt).await.unwrap();
            let structural = Structural {
                focal_entities: vec![entity.clone()],
                active_aspects: vec![entity.clone(), entity],
                active_constraints: Vec::new(),
                traversal_memories: 1,
            };
            let request = CheckpointRequest {
                context: Some(context),
                note: Some(note),
                structural: Some(structural),
                ..Trigger::ALL[trigger].into()
            };
            engine.take_checkpoint(&id, request).await.unwrap();
            let mut texts = stored(&engine.host().storage).await;
            for budget in [200, budget, 10_000] {
                let request = RecoverRequest {
                    session: Some(id.clone()),
                    budget: usize::try_from(budget).ok(),
                    ..RecoverRequest::default()
                };
                texts.push(engine.recover(&request).await.unwrap().unwrap().recovery.text.to_string());
            }
            texts.extend(stored(&engine.host().storage).await);
            let found = engine.inspect().await.unwrap().secrets;
            prop_assert!(found.is_empty(), "{found:?} in {texts:?}");
            Ok(texts)
        })?;
        for fragment in value.as_bytes().windows(8) {
            let fragment = core::str::from_utf8(fragment).unwrap();
            prop_assert!(!texts.iter().any(|text| text.contains(fragment)), "{fragment} of {secret}");
        }
    }
}
