use super::{
    Factory, Report, cases,
    lab::{Case, Lab, at, insert, insert_part, plain, row_id, same},
};
use throughline_core::{
    id::SessionId,
    model::{
        Arguments, Issuer, MediaSource, Op, Part, PartBody, PartSource, ProviderData, ResultStatus, Round,
        StoredRow, Usage,
    },
};

pub(super) async fn run<F: Factory>(lab: &mut Lab<'_, F>, report: &mut Report) {
    cases!(Fidelity, lab, report;
        "text of any character comes back to the byte" => characters,
        "text of a megabyte comes back to the byte" => long,
        "numbers in JSON text keep their literals" => numbers,
        "identifiers of any character and of full length" => identifiers,
        "every kind of part and every field of a row comes back" => fields,
    );
}

/// Writes one part and compares what is read.
async fn round_trip<F: Factory>(lab: &mut Lab<'_, F>, texts: &[String]) -> Case {
    let session = lab.session("text");
    let mut ops = vec![lab.put(&session, 1), insert(&session, lab.row("m1", "2026-03-01"))];
    let mut wanted: Vec<Part<String>> = Vec::new();
    for (index, text) in (0..).zip(texts) {
        let part = lab.part("m1", index, text);
        wanted.push(plain(&part));
        ops.push(insert_part(&session, part));
    }
    lab.write(ops).await?;
    let found = lab.rows(&session).await?.pop().map(|found| found.parts).unwrap_or_default();
    for (found, wanted) in found.iter().zip(&wanted) {
        same("part", found, wanted)?;
    }
    same("number of parts", &found.len(), &wanted.len())
}

async fn characters<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let mut texts: Vec<String> = [
        "",
        " ",
        "\t\r\n\u{b}\u{c}",
        "\\\"'`",
        "null",
        "0012",
        "1e5",
        "{\"a\":1}",
        "'); DROP TABLE sessions;--",
        "? ?1 :name @name $1 %s",
        "e\u{301} \u{e9}",
        "\u{202e}right to left",
        "\u{feff}mark",
        "\u{fffd}\u{fffe}\u{ffff}",
        "\u{10ffff}",
        "👩‍👩‍👧‍👦",
        "line\u{2028}separator\u{2029}",
        "trailing space ",
        "\u{7f}\u{80}\u{9f}",
    ]
    .map(str::to_owned)
    .to_vec();
    // Every 61st character, many at a time; not U+0000, which readers replace.
    let all: Vec<char> = (1..=0x10_FFFF).filter_map(char::from_u32).step_by(61).collect();
    texts.extend(all.chunks(8192).map(|chunk| chunk.iter().collect()));
    round_trip(lab, &texts).await
}

async fn long<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let text = "the quick brown fox \\ \"jumps\" over 漢字 😀 e\u{301}\n".repeat(20_000);
    round_trip(lab, &[text]).await
}

async fn numbers<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("numbers");
    let text = r#"{"a":12345678901234567890,"b":-0.0,"c":1.50,"d":1E400,"e":0.1000000000000000055511151231257827,"f":9007199254740993}"#;
    let part = Part {
        body: PartBody::ToolCall {
            call_id: "call_1".into(),
            name: lab.clean("calculate"),
            arguments: Arguments::Json(lab.clean(text)),
        },
        ..lab.part("m1", 0, "")
    };
    let ops = vec![
        lab.put(&session, 1),
        insert(&session, lab.row("m1", "2026-03-01")),
        insert_part(&session, part.clone()),
    ];
    lab.write(ops).await?;
    let found = lab.rows(&session).await?.pop().map(|found| found.parts);
    same("part", &found, &Some(vec![plain(&part)]))
}

async fn identifiers<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let long = "\u{1F600}".repeat(200 - 34);
    for odd in ["a/b", "a\\b", "'", "\"", "%", "é", "e\u{301}", " ", "..", "?", "\u{1F600}", &long] {
        let key = format!("{odd}{}", lab.name("k"));
        let session = SessionId::new("conformance", odd, key).expect("a session id of a case");
        let ops = vec![
            lab.put(&session, 1),
            insert(&session, lab.row(odd, "2026-03-01")),
            insert_part(&session, lab.part(odd, 0, odd)),
        ];
        lab.write(ops).await?;
        same("session", &lab.stored(&session).await?.map(|found| found.id), &Some(session.clone()))?;
        let wanted = StoredRow { row: lab.row(odd, "2026-03-01"), parts: vec![lab.part(odd, 0, odd)] };
        same("rows", &lab.rows(&session).await?, &vec![plain(&wanted)])?;
    }
    Ok(())
}

async fn fields<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("fields");
    let mut row = lab.row("m1", "2026-03-01T09:00:00.123456789Z");
    row.source_at = Some(at("2025-12-31T23:59:60Z"));
    row.imported = true;
    row.round = Some(Round { row: row_id("m0"), index: 3 });
    row.issuer = Some(Issuer { provider: lab.clean("anthropic"), model: lab.clean("a-model") });
    row.generation_checkpoint_id = Some(String::new());
    row.prefix_fingerprint = Some("ab".repeat(32));
    row.prefix_hash = Some("cd".repeat(32));
    row.rules = u32::MAX;
    let text = |text: &str| lab.clean(text);
    let image = PartBody::Image {
        media_type: text("image/png"),
        source: MediaSource::Url(text("https://example.org/a.png")),
        name: None,
    };
    let document = PartBody::Document {
        media_type: text("application/pdf"),
        source: MediaSource::File(text("file_1")),
        name: Some(text("notes.pdf")),
    };
    let bodies = vec![
        PartBody::Text { text: text("said") },
        image.clone(),
        document.clone(),
        PartBody::Thinking { text: text("hm"), redacted: false },
        PartBody::Thinking { text: text(""), redacted: true },
        PartBody::ToolCall {
            call_id: "call_1".into(),
            name: text("read"),
            arguments: Arguments::Text(text("not JSON")),
        },
        PartBody::ToolResult {
            call_id: "call_1".into(),
            status: ResultStatus::Cancelled,
            content: vec![image, document, PartBody::Text { text: text("") }],
        },
    ];
    let mut parts: Vec<Part> = Vec::new();
    for (index, body) in (0..).zip(bodies) {
        parts.push(Part {
            row: row_id("m1"),
            index,
            body,
            replay: index % 2 == 0,
            provider_data: None,
            source: None,
        });
    }
    parts[3].provider_data = Some(ProviderData { signature: None, data: None, item_id: Some(text("rs_1")) });
    parts[5].source = Some(PartSource {
        id: Some(row_id("record")),
        at: Some(at("2026-03-01T09:00:00.000000001Z")),
        usage: Some(Usage {
            input_tokens: 1,
            output_tokens: 2,
            cache_creation_input_tokens: 3,
            cache_read_input_tokens: u64::from(u32::MAX),
        }),
        stop_reason: Some("end_turn".into()),
    });
    let mut ops = vec![lab.put(&session, 1), insert(&session, row.clone())];
    ops.extend(parts.iter().map(|part| Op::InsertPart { session: session.clone(), part: part.clone() }));
    lab.write(ops).await?;
    same("row", &lab.rows(&session).await?, &vec![plain(&StoredRow { row, parts })])
}
