//! What one operation costs in a store of a million checkpoints. `fill STORE CHECKPOINTS` writes them,
//! `measure STORE CHECKPOINTS` prints the median of each operation in milliseconds, in the order of the table.
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
    use std::sync::Arc;
    use throughline::SystemEntropy;
    use throughline_benches::{
        many::{Many, PER_SESSION},
        store::{now, open},
    };
    use throughline_core::{
        engine::{Engine, EngineError, Options, RecoverRequest},
        host::{DynStorage, FixedClock, Parts},
        model::{SessionCursor, Trigger},
        redact::Redactor,
    };

    const READS: usize = 201;
    const WRITES: usize = 51;
    const PRUNES: usize = 11;
    /// Sessions that a prune of a batch finds too old: as many checkpoints as one look of it takes.
    const OLD: usize = 200 / PER_SESSION;

    type Host = Parts<Arc<dyn DynStorage>, FixedClock, SystemEntropy>;

    struct Bench {
        many: Many,
        engine: Engine<Host>,
        drawn: u64,
        figures: Vec<serde_json::Value>,
    }

    fn entropy() -> SystemEntropy {
        SystemEntropy::new().unwrap_or_else(|error| panic!("{error}"))
    }

    impl Bench {
        async fn new(store: &str, many: Many) -> Self {
            let mut options = Options::default();
            options.continuity.max_checkpoints_per_session = u32::try_from(PER_SESSION).unwrap_or(u32::MAX);
            // Each project has more sessions that may be taken than are looked at.
            options.recovery_window_millis = 7 * 24 * 3_600_000;
            let host =
                Parts { storage: open(store).await, clock: FixedClock(Many::now()), entropy: entropy() };
            let engine = Engine::new(host, Redactor::standard(), options);
            Self { many, engine, drawn: 0x9e37_79b9_7f4a_7c15, figures: Vec::new() }
        }

        /// A session, another one each time.
        fn draw(&mut self) -> usize {
            self.drawn ^= self.drawn << 13;
            self.drawn ^= self.drawn >> 7;
            self.drawn ^= self.drawn << 17;
            usize::try_from(self.drawn % self.many.sessions as u64).unwrap_or(0)
        }

        /// The median of some runs; each must come to the result that is expected of it.
        async fn measure<T: PartialEq + std::fmt::Debug>(
            &mut self,
            name: &str,
            times: usize,
            expected: T,
            work: impl AsyncFn(&Engine<Host>, Many, usize) -> Result<T, EngineError>,
        ) {
            let mut taken = Vec::new();
            for _ in 0..times {
                let number = self.draw();
                let since = now();
                let found = work(&self.engine, self.many, number).await;
                taken.push(since.elapsed().as_secs_f64() * 1000.0);
                let found = found.unwrap_or_else(|error| panic!("{name}: {error}"));
                assert_eq!(found, expected, "{name}");
            }
            self.note(name, taken);
        }

        fn note(&mut self, name: &str, mut taken: Vec<f64>) {
            taken.sort_by(f64::total_cmp);
            self.figures.push(json!([name, taken[taken.len() / 2]]));
        }

        async fn prune_batches(&mut self) {
            let mut taken = Vec::new();
            for turn in 0..PRUNES {
                let name = format!("old-{}-{turn}", std::process::id());
                Many::add_old(&self.engine.host().storage, &entropy(), &name, OLD).await;
                let since = now();
                let pruned = self.engine.prune().await.unwrap_or_else(|error| panic!("{error}"));
                taken.push(since.elapsed().as_secs_f64() * 1000.0);
                assert_eq!(pruned.checkpoints, (OLD * PER_SESSION) as u64, "{pruned:?}");
            }
            self.note("prune: 200 of 10 sessions", taken);
        }
    }

    async fn measure(store: &str, many: Many) -> Vec<serde_json::Value> {
        let mut bench = Bench::new(store, many).await;
        bench
            .measure("recover: a session", READS, true, async |engine, _, number| {
                let session = Some(Many::session(number));
                let found = engine.recover(&RecoverRequest { session, ..RecoverRequest::default() }).await?;
                Ok(found.is_some_and(|found| found.session == Many::session(number)))
            })
            .await;
        bench
            .measure("recover: a project", READS, true, async |engine, many, number| {
                let project = Some(many.project(number));
                let found = engine.recover(&RecoverRequest { project, ..RecoverRequest::default() }).await?;
                Ok(found.is_some())
            })
            .await;
        bench
            .measure("recover: the newest of all", READS, true, async |engine, _, _| {
                Ok(engine.recover(&RecoverRequest::default()).await?.is_some())
            })
            .await;
        bench
            .measure("list: 20 checkpoints of a session", READS, 20, async |engine, _, number| {
                Ok(engine.checkpoints(Some(&Many::session(number)), 20).await?.len())
            })
            .await;
        bench
            .measure("list: the newest 20 checkpoints", READS, 20, async |engine, _, _| {
                Ok(engine.checkpoints(None, 20).await?.len())
            })
            .await;
        bench
            .measure("list: the newest 50 sessions", READS, 50, async |engine, _, _| {
                Ok(engine.sessions(50, None).await?.sessions.len())
            })
            .await;
        bench
            .measure("list: 50 sessions from the middle", READS, 50, async |engine, many, _| {
                let middle = many.sessions / 2;
                let (last_activity, session) = (many.last_activity(middle), Many::session(middle));
                let after = SessionCursor { last_activity, storage_key: session.storage_key() };
                Ok(engine.sessions(50, Some(after)).await?.sessions.len())
            })
            .await;
        bench
            .measure("prune: nothing", WRITES, 0, async |engine, _, _| Ok(engine.prune().await?.checkpoints))
            .await;
        bench
            .measure("tick: nothing is due", WRITES, 0, async |engine, _, _| {
                Ok(engine.tick().await.written.len())
            })
            .await;
        bench
            .measure("write: a prompt", WRITES, (), async |engine, _, number| {
                let text = "How does the parser treat a trailing comma?";
                engine.submit_prompt(&Many::session(number), None, text).await.map(drop)
            })
            .await;
        bench
            .measure("write: a checkpoint, with the cap", WRITES, true, async |engine, _, number| {
                let taken = engine.take_checkpoint(&Many::session(number), Trigger::Explicit).await?;
                Ok(taken.written)
            })
            .await;
        bench.prune_batches().await;
        bench.figures
    }

    pub(super) fn main() {
        let words: Vec<String> = std::env::args().skip(1).collect();
        let [word, store, checkpoints] = &*words else { panic!("fill|measure STORE CHECKPOINTS") };
        let many = Many::of(checkpoints.parse().unwrap_or_else(|error| panic!("{checkpoints}: {error}")));
        match &**word {
            "fill" => pollster::block_on(async { many.fill(&open(store).await, &entropy()).await }),
            "measure" => {
                let figures = pollster::block_on(measure(store, many));
                println!("{}", serde_json::Value::Array(figures));
            }
            other => panic!("{other}: fill|measure STORE CHECKPOINTS"),
        }
    }
}
