//! Shortened failures of pytest and Mocha, and coverage tables: what stays in each.

use super::pytest_report::Part;
use super::{coverage, mocha, pytest};

const LOCALS: &str = include_str!("../../builtin/python/cases/pytest-locals.txt");

#[test]
fn every_failure_keeps_its_test_its_place_and_what_was_asserted() {
    let (short, _) = pytest(LOCALS, 24_000).unwrap();
    let summary = LOCALS.lines().filter(|line| line.starts_with("FAILED "));
    let mut tests = 0;
    for line in summary {
        tests += 1;
        let (id, wording) = line.split_once(" - ").unwrap();
        let heading = short
            .lines()
            .find(|line| line.starts_with(&format!("{id} - ")))
            .unwrap_or_else(|| panic!("{id}"));
        assert!(heading.contains(wording.trim_end_matches('.')), "{heading}: {wording}");
    }
    assert_eq!(tests, 45);
    for line in LOCALS.lines().filter(|line| line.starts_with("tests/test_") && line.contains(".py:")) {
        let place = line.split(": ").next().unwrap().trim_end_matches(':');
        assert!(short.contains(&format!("  {place}:")), "{place}");
    }
    for line in LOCALS.lines().filter(|line| line.starts_with("E  ")) {
        let wording = line[1..].trim();
        assert!(short.contains(wording), "{wording}");
    }
    assert!(short.len() * 5 < LOCALS.len(), "{} of {}", short.len(), LOCALS.len());
}

#[test]
fn a_small_budget_names_every_failed_test_with_its_place() {
    let (short, _) = pytest(LOCALS, 9_000).unwrap();
    for line in LOCALS.lines().filter(|line| line.starts_with("FAILED ")) {
        assert!(short.contains(line.split(" - ").next().unwrap()), "{line}");
    }
    assert_eq!(short.matches("  tests/test_").count(), 45, "{short}");
}

#[test]
fn test_output_between_suites_stays() {
    let text = "\n\n  Loaded from disk\n  cart\n    ✔ adds\n    Using a test database\n    ✔ rounds\n    nested\n      ✔ works\n      - waits\n\n  stock\n    lines\n      ✔ counts\n\n\n  4 passing (9ms)\n  1 pending\n\n";
    let (short, counts) = mocha(text, 9_000).unwrap();
    assert_eq!(
        short,
        "  Loaded from disk\n  cart\n    Using a test database\n    nested\n      - waits\n  4 passing (9ms)\n  1 pending\n"
    );
    assert_eq!(counts, [("tests passed", 4), ("names of suites", 2)]);
    assert_eq!(mocha("  cart\n    ✔ adds\n", 9_000), None);
}

#[test]
fn a_long_coverage_table_keeps_every_incomplete_file_worst_first() {
    let rows: String = (0..40)
        .map(|n| {
            format!(
                "src/shop/part{n:02}.py      40     {n:2}    {}%   {}\n",
                100 - n,
                (0..n).map(|at| format!("{}-{}", at * 9 + 1, at * 9 + 3)).collect::<Vec<_>>().join(", ")
            )
        })
        .collect();
    let text = format!(
        "Name                   Stmts   Miss  Cover   Missing\n-----\n{rows}-----\nTOTAL                   1600    780    51%\n"
    );
    let (short, counts) = coverage(&text, 24_000).unwrap();
    assert_eq!(counts, [("files fully covered", 1)]);
    let mut shown = short.lines();
    assert_eq!(shown.next(), Some("Name Stmts Miss Cover Missing (worst first)"));
    assert!(shown.next().unwrap().starts_with("src/shop/part39.py 40 39 61% 1-3, 10-12, "), "{short}");
    assert!(
        (1..40).all(|n| short.contains(&format!("src/shop/part{n:02}.py 40 {n} {}%", 100 - n))),
        "{short}"
    );
    assert!(short.ends_with("\nTOTAL 1600 780 51%\n"), "{short}");
    assert!(short.len() * 2 < text.len(), "{} of {}", short.len(), text.len());
}

/// As where a test module can't be imported.
#[test]
fn a_frame_in_frozen_code_of_python_is_a_frame_and_no_error() {
    let lines = [
        "____ ERROR collecting tests/test_cart.py ____",
        "<frozen importlib._bootstrap>:1204: in _gcd_import",
        "    ???",
        "tests/test_cart.py:2: in <module>",
        "    import shop",
        "E   ModuleNotFoundError: No module named 'shop'",
    ];
    let failures = super::pytest_report::failures(&lines);
    let [Part::Frame(frozen), Part::Frame(own)] = &failures[0].parts[..] else { panic!("{failures:?}") };
    assert_eq!((frozen.place, frozen.what), ("<frozen importlib._bootstrap>:1204", "in _gcd_import"));
    assert!(frozen.foreign && frozen.errors.is_empty(), "{frozen:?}");
    assert_eq!((own.place, own.errors.as_slice()), ("tests/test_cart.py:2", &lines[5..]));
}
