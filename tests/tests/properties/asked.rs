//! How many cases are asked, from which seed, and of which properties: set when the test is compiled, since a browser has no
//! environment.

const CASES: Option<&str> = option_env!("THROUGHLINE_CASES");
const SEED: Option<&str> = option_env!("THROUGHLINE_SEED");
const ONLY: Option<&str> = option_env!("THROUGHLINE_PROPERTIES");

pub(crate) fn all_hold() {
    let cases = CASES.map_or(3000, |cases| cases.parse().expect("THROUGHLINE_CASES is a number"));
    let seed = SEED.map_or(1, |seed| seed.parse().expect("THROUGHLINE_SEED is a number"));
    let report = throughline_tests::properties::run(cases, seed, ONLY.unwrap_or_default());
    let (properties, cases) = (report.properties, report.cases);
    println!("{properties} properties, {cases} cases from seed {seed}");
    assert!(
        (properties > 20 || ONLY.is_some() && properties > 0) && cases > 0,
        "nothing was asked: {properties} properties, {cases} cases"
    );
    assert!(report.failures.is_empty(), "{}", report.failures.join("\n"));
}
