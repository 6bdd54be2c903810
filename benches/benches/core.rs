//! The cases under criterion: `cargo bench -p throughline-benches`.
#![allow(missing_docs, reason = "criterion's macros write undocumented functions")]
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::time::Duration;
use throughline_benches::cases;

fn core(criterion: &mut Criterion) {
    for case in cases::all() {
        let (group, name) = case.name.split_once(": ").unwrap_or(("", case.name));
        let mut group = criterion.benchmark_group(group);
        group
            .warm_up_time(Duration::from_millis(300))
            .measurement_time(Duration::from_secs(2))
            .sample_size(10);
        if case.bytes > 0 {
            group.throughput(Throughput::Bytes(case.bytes as u64));
        }
        group.bench_function(name, |bencher| bencher.iter(|| (case.run)()));
    }
}

criterion_group!(benches, core);
criterion_main!(benches);
