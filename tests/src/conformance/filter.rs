use super::{
    Factory, Report, cases,
    lab::{Case, Lab, ids, insert, insert_boundary, insert_part, plain, row_id, same, set_live},
};
use throughline_core::model::{RowKind, RowSummary};

pub(super) async fn run<F: Factory>(lab: &mut Lab<'_, F>, report: &mut Report) {
    cases!(Filter, lab, report;
        "rows are those of the live main conversation" => live_main,
        "a row leaves the conversation and comes back whole" => back,
        "a boundary whose anchor left the conversation is not in force" => rewound,
        "the index has every row with its kind and number of parts" => index,
    );
}

async fn live_main<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("main");
    let mut ops = vec![lab.put(&session, 1)];
    for (id, live, sidechain) in [
        ("m1", true, false),
        ("m2", false, false),
        ("m3", true, true),
        ("m4", false, true),
        ("m5", true, false),
    ] {
        let mut row = lab.row(id, "2026-03-01T09:00:00Z");
        (row.live, row.sidechain) = (live, sidechain);
        ops.push(insert(&session, row));
    }
    lab.write(ops).await?;
    same("rows", &ids(&lab.rows(&session).await?), &vec!["m1".to_owned(), "m5".to_owned()])?;
    let index = lab.row_index(&session).await?;
    let live: Vec<bool> = index.iter().map(|head| head.live).collect();
    same("live", &live, &vec![true, false, true, false, true])?;
    lab.write(vec![set_live(&session, "m2", true), set_live(&session, "m4", true)]).await?;
    let wanted = ["m1", "m2", "m5"].map(str::to_owned).to_vec();
    same("rows with one come alive", &ids(&lab.rows(&session).await?), &wanted)
}

async fn rewound<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("rewound");
    let mut ops = vec![lab.put(&session, 1)];
    let (mut first, mut second) = (lab.boundary("b1", 1), lab.boundary("b2", 2));
    for (boundary, anchor) in [(&mut first, "m1"), (&mut second, "m2")] {
        ops.push(insert(&session, lab.row(anchor, "2026-03-01T09:00:00Z")));
        boundary.anchor = row_id(anchor);
        ops.push(insert_boundary(&session, boundary.clone()));
    }
    lab.write(ops).await?;
    same("boundary", &lab.boundary_in_force(&session).await?, &Some(plain(&second)))?;
    lab.write(vec![set_live(&session, "m2", false)]).await?;
    same("boundary after a rewind", &lab.boundary_in_force(&session).await?, &Some(plain(&first)))?;
    lab.write(vec![set_live(&session, "m2", true), set_live(&session, "m1", false)]).await?;
    same(
        "boundary of the branch that came back",
        &lab.boundary_in_force(&session).await?,
        &Some(plain(&second)),
    )
}

async fn back<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("back");
    let row = lab.row("m1", "2026-03-01T09:00:00Z");
    let ops = vec![
        lab.put(&session, 1),
        insert(&session, row.clone()),
        insert_part(&session, lab.part("m1", 0, "said")),
    ];
    lab.write(ops).await?;
    let before = lab.rows(&session).await?;
    lab.write(vec![set_live(&session, "m1", false)]).await?;
    same("rows", &lab.rows(&session).await?, &Vec::new())?;
    let live: Vec<bool> = lab.row_index(&session).await?.iter().map(|head| head.live).collect();
    same("live", &live, &vec![false])?;
    lab.write(vec![set_live(&session, "m1", true)]).await?;
    same("rows", &lab.rows(&session).await?, &before)?;
    // As it was when it was written dead.
    let mut dead = lab.row("m2", "2026-03-01T09:00:01Z");
    dead.live = false;
    lab.write(vec![insert(&session, dead.clone())]).await?;
    lab.write(vec![set_live(&session, "m2", true), set_live(&session, "m1", false)]).await?;
    dead.live = true;
    let found = lab.rows(&session).await?;
    same(
        "the row says that it is live",
        &found.into_iter().map(|found| found.row).collect(),
        &vec![plain(&dead)],
    )
}

async fn index<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("index");
    let mut ops = vec![lab.put(&session, 1)];
    let mut wanted = Vec::new();
    for (number, kind) in RowKind::ALL.into_iter().enumerate() {
        let id = format!("m{number}");
        let mut row = lab.row(&id, "2026-03-01T09:00:00Z");
        row.kind = kind;
        let parts = u32::try_from(number).unwrap_or(0);
        wanted.push(RowSummary { id: row.id.clone(), kind, created_at: row.created_at, live: true, parts });
        ops.push(insert(&session, row));
        ops.extend((0..parts).map(|index| insert_part(&session, lab.part(&id, index, "text"))));
    }
    lab.write(ops).await?;
    same("index", &lab.row_index(&session).await?, &wanted)
}
