use super::{
    Factory, Report, cases,
    lab::{Case, Lab, at, ids, insert, insert_part, row_id, same},
};
use throughline_core::model::RowPlace;

pub(super) async fn run<F: Factory>(lab: &mut Lab<'_, F>, report: &mut Report) {
    cases!(Order, lab, report;
        "rows order by time, from the first year to the last nanosecond" => times,
        "rows of one time order by the bytes of their ids" => ties,
        "rows are read from a place on, that place included" => from,
        "parts order by index" => parts,
    );
}

async fn times<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    const TIMES: [&str; 11] = [
        "0001-01-01T00:00:00Z",
        "1969-12-31T23:59:59.999999999Z",
        "1970-01-01T00:00:00Z",
        "2026-03-01T08:59:59.999999999Z",
        "2026-03-01T09:00:00Z",
        "2026-03-01T09:00:00.000000001Z",
        "2026-03-01T09:00:00.5Z",
        "2026-03-01T12:00:01+03:00",
        "2026-03-01T09:00:01.000001Z",
        "9999-12-31T23:59:59Z",
        "9999-12-31T23:59:59.999999999Z",
    ];
    let session = lab.session("times");
    let mut ops = vec![lab.put(&session, 1)];
    // 5 and 11 have no common divisor: every index comes once, in another order. The ids run backwards.
    for turn in 0..TIMES.len() {
        let index = turn * 5 % TIMES.len();
        ops.push(insert(&session, lab.row(&format!("{:02}", TIMES.len() - index), TIMES[index])));
    }
    lab.write(ops).await?;
    let wanted: Vec<String> = (0..TIMES.len()).map(|index| format!("{:02}", TIMES.len() - index)).collect();
    let found = lab.rows(&session).await?;
    same("rows", &ids(&found), &wanted)?;
    let times: Vec<_> = found.iter().map(|found| found.row.created_at).collect();
    same("times", &times, &TIMES.map(at).to_vec())?;
    let index = lab.row_index(&session).await?;
    same("times of the index", &index.iter().map(|head| head.created_at).collect(), &times)?;
    same("ids of the index", &index.iter().map(|head| head.id.as_str().to_owned()).collect(), &wanted)
}

/// In the order of their UTF-8 bytes. UTF-16 would put the last two the other way round; a locale, much else.
const IDS: [&str; 14] =
    ["!", "10", "2", "A", "B", "Z", "_", "a", "a!", "aa", "b", "é", "\u{FF5E}", "\u{1F600}"];

async fn ties<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("ties");
    let mut ops = vec![lab.put(&session, 1)];
    for turn in 0..IDS.len() {
        ops.push(insert(&session, lab.row(IDS[turn * 5 % IDS.len()], "2026-03-01T09:00:00Z")));
    }
    lab.write(ops).await?;
    let wanted: Vec<String> = IDS.map(str::to_owned).to_vec();
    same("rows", &ids(&lab.rows(&session).await?), &wanted)?;
    let index = lab.row_index(&session).await?;
    same("index", &index.iter().map(|head| head.id.as_str().to_owned()).collect(), &wanted)
}

async fn from<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("from");
    let places = [("b", "09:00:00"), ("a", "09:00:01"), ("é", "09:00:01"), ("a2", "09:00:02")];
    let mut ops = vec![lab.put(&session, 1)];
    for (id, time) in places {
        ops.push(insert(&session, lab.row(id, &format!("2026-03-01T{time}Z"))));
        ops.push(insert_part(&session, lab.part(id, 0, id)));
    }
    lab.write(ops).await?;
    for (id, time, rest) in [
        ("b", "09:00:00", 0),
        ("zzz", "08:59:59.999999999", 0),
        ("c", "09:00:00", 1),
        ("a", "09:00:01", 1),
        ("aa", "09:00:01", 2),
        ("é", "09:00:01", 2),
        ("\u{1F600}", "09:00:01", 3),
        ("a2", "09:00:02", 3),
        ("a3", "09:00:02", 4),
    ] {
        let place = RowPlace { created_at: at(&format!("2026-03-01T{time}Z")), id: row_id(id) };
        let found = lab.rows_from(&session, Some(place)).await?;
        let wanted: Vec<String> = places[rest..].iter().map(|(id, _)| (*id).to_owned()).collect();
        same(&format!("rows from {id} at {time}"), &ids(&found), &wanted)?;
        same("parts", &found.iter().all(|found| found.parts.len() == 1), &true)?;
    }
    Ok(())
}

async fn parts<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("parts");
    let mut ops = vec![lab.put(&session, 1), insert(&session, lab.row("m1", "2026-03-01"))];
    let indexes = [0, 1, 2, 9, 10, 11, 100, u32::MAX];
    for turn in 0..indexes.len() {
        ops.push(insert_part(&session, lab.part("m1", indexes[turn * 3 % indexes.len()], "text")));
    }
    ops.push(insert(&session, lab.row("m2", "2026-03-01")));
    lab.write(ops).await?;
    let found = lab.rows(&session).await?;
    let order: Vec<Vec<u32>> =
        found.iter().map(|found| found.parts.iter().map(|part| part.index).collect()).collect();
    same("parts", &order, &vec![indexes.to_vec(), Vec::new()])?;
    let counts: Vec<u32> = lab.row_index(&session).await?.iter().map(|head| head.parts).collect();
    same("counts", &counts, &vec![8, 0])
}
