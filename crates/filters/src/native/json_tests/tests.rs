//! Reports of test runners in JSON: which counts and failures are shown, and what is left to `json`.

use serde_json::{Value, json};

use super::summary;

/// Eight files with twelve tests each: those in `failed` fail, and one is pending.
fn report(failed: &[(usize, usize)]) -> Value {
    let test = |file: usize, nth: usize| {
        let fails = failed.contains(&(file, nth));
        let status = if fails {
            "failed"
        } else if (file, nth) == (4, 4) {
            "pending"
        } else {
            "passed"
        };
        let message = format!(
            "Error: \u{1b}[2mexpect(\u{1b}[22mreceived).toBe(expected)\n\nExpected: {}\nReceived: {nth}\n    at Object.toBe (/srv/shop/cart{file}.test.js:{}:19)\n    at call (/srv/shop/node_modules/jest-circus/run.js:1:2)\n    at new Promise (<anonymous>)\n    at Object.<anonymous> (/srv/shop/cart{file}.test.js:7:3)",
            file + 1_000,
            nth + 20
        );
        let messages: Vec<String> = if fails { vec![message] } else { Vec::new() };
        json!({"ancestorTitles": [format!("cart {file}")], "fullName": format!("cart {file} keeps item {nth}"), "status": status, "title": format!("keeps item {nth}"), "failureMessages": messages, "duration": nth})
    };
    let suites: Vec<Value> = (0..8)
        .map(|file| {
            let tests: Vec<Value> = (0..12).map(|nth| test(file, nth)).collect();
            json!({"name": format!("/srv/shop/cart{file}.test.js"), "status": "passed", "message": "", "assertionResults": tests})
        })
        .collect();
    let passed = 95 - failed.len();
    json!({"numFailedTests": failed.len(), "numPassedTests": passed, "numPendingTests": 1, "numTodoTests": 0, "numTotalTests": 96, "snapshot": {"added": 0, "unmatched": 3}, "startTime": 1_700_000_000_000_u64, "success": failed.is_empty(), "testResults": suites})
}

#[test]
fn each_failure_has_its_file_and_its_message_and_counts_are_the_runners_own() {
    let short = summary(&report(&[(2, 5), (6, 1)]), 24_000).expect("a report");
    for fact in [
        "numFailedTests=2",
        "numPassedTests=93",
        "numTotalTests=96",
        "snapshot.unmatched=3",
        "success=false",
        "left out: passed tests, startTime\n",
        "/srv/shop/cart2.test.js\n  failed: cart 2 keeps item 5\n    Error: expect(received).toBe(expected)\n",
        "Expected: 1002",
        "cart2.test.js:25:19",
        "at Object.<anonymous> (/srv/shop/cart2.test.js:7:3)",
        "  failed: cart 6 keeps item 1\n",
        "cart6.test.js:21:19",
        "… 2 library frames",
        "/srv/shop/cart4.test.js\n  pending: cart 4 keeps item 4\n",
    ] {
        assert!(short.contains(fact), "{fact}: {short}");
    }
    assert!(!short.contains("cart 1 keeps") && !short.contains("numTodoTests"), "{short}");
    let green = summary(&report(&[]), 24_000).expect("a report");
    assert!(green.contains("success=true") && !green.contains("failed:"), "{green}");
}

#[test]
fn such_a_report_is_recognised_among_json() {
    let report = report(&[(2, 5)]);
    assert_eq!(crate::native::json(&report.to_string(), 24_000), summary(&report, 24_000));
    // Results of other tools have fields that a summary of tests would lose.
    let other = json!({"testResults": [{"name": "probe", "score": 7, "assertionResults": []}]});
    assert_eq!(summary(&other, 24_000), None);
}

#[test]
fn failures_that_do_not_fit_are_counted() {
    let failed: Vec<(usize, usize)> =
        (0..8).flat_map(|file| (0..12).map(move |nth| (file, nth))).filter(|at| *at != (4, 4)).collect();
    for room in [2_000, 6_000] {
        let short = summary(&report(&failed), room).expect("a report");
        assert!(short.len() <= room, "{room}: {short}");
        let left: usize = short
            .lines()
            .find_map(|line| line.strip_prefix("… ")?.strip_suffix(" more failed tests")?.parse().ok())
            .expect("a count");
        assert_eq!(left + short.matches("  failed: ").count(), 95, "{short}");
        assert!(short.contains("\nleft out: startTime\n"), "{short}");
    }
}

#[test]
fn a_file_that_did_not_run_shows_why() {
    let report = json!({"numRuntimeErrorTestSuites": 1, "success": false, "testResults": [{"name": "/srv/shop/a.test.js", "status": "failed", "message": "Cannot find module './b' from 'a.test.js'", "assertionResults": []}]});
    let short = summary(&report, 24_000).expect("a report");
    assert!(
        short.contains("failed: /srv/shop/a.test.js\n    Cannot find module './b' from 'a.test.js'\n"),
        "{short}"
    );
}

#[test]
fn a_file_that_failed_without_a_message_is_named() {
    let test = json!({"fullName": "cart keeps it", "status": "skipped", "failureMessages": []});
    let report = json!({"numFailedTestSuites": 1, "success": false, "testResults": [{"name": "/srv/shop/a.test.js", "status": "failed", "message": "", "assertionResults": [test]}]});
    let short = summary(&report, 24_000).expect("a report");
    assert!(short.contains("failed: /srv/shop/a.test.js\n"), "{short}");
    assert!(short.contains("skipped: cart keeps it"), "{short}");
}

#[test]
fn a_long_list_among_the_counts_takes_no_room_from_failures() {
    let mut report = report(&[(2, 5)]);
    let keys: Vec<String> = (0..400).map(|n| format!("cart keeps its total {n}")).collect();
    report["snapshot"] = json!({"unchecked": 400, "filesRemovedList": ["a.snap"], "uncheckedKeysByFile": [{"filePath": "/srv/shop/a.test.js", "keys": keys}]});
    let short = summary(&report, 6_000).expect("a report");
    for fact in [
        "snapshot.unchecked=400",
        r#"snapshot.filesRemovedList=["a.snap"]"#,
        "left out: passed tests, snapshot.uncheckedKeysByFile, startTime\n",
        "  failed: cart 2 keeps item 5\n",
        "Expected: 1002",
    ] {
        assert!(short.contains(fact), "{fact}: {short}");
    }
    assert!(!short.contains("keeps its total"), "{short}");
}

#[test]
fn failures_outside_tests_are_shown_and_each_failed_test_once() {
    let failing = "Error: expect(received).toBe(expected)\n\nExpected: 2";
    let again = "  ● cart › keeps \u{1b}[1mit\u{1b}[22m\n\n    Error: expect(received).toBe(expected)\n\n    Expected: 2\n\n";
    let after = "  ● Test suite failed to run\n\n    Error: the connection is still open\n";
    let report = |message: &str| {
        json!({"success": false, "testResults": [{"name": "/srv/shop/a.test.js", "status": "failed", "message": message, "assertionResults": [
            {"fullName": "cart keeps it", "status": "failed", "failureMessages": [failing]}
        ]}]})
    };
    for message in ["", again, failing] {
        let short = summary(&report(message), 24_000).expect("a report");
        assert_eq!(short.matches("Expected: 2").count(), 1, "{short}");
        assert!(!short.contains("failed: /srv"), "{short}");
    }
    for message in [format!("{again}{after}"), format!("{after}{again}"), after.to_owned()] {
        let short = summary(&report(&message), 24_000).expect("a report");
        assert!(short.contains("failed: /srv/shop/a.test.js\n"), "{short}");
        assert_eq!(short.matches("the connection is still open").count(), 1, "{short}");
        assert_eq!(short.matches("Expected: 2").count(), 1, "{short}");
    }
}

#[test]
fn files_that_did_not_run_and_do_not_fit_are_counted() {
    let suites: Vec<Value> = (0..200)
        .map(|file| json!({"name": format!("/srv/shop/a{file}.test.js"), "status": "failed", "message": "Cannot find module './b'", "assertionResults": []}))
        .collect();
    let short = summary(&json!({"success": false, "testResults": suites}), 3_000).expect("a report");
    assert!(short.len() <= 3_000, "{short}");
    let left: usize = short
        .lines()
        .find_map(|line| line.strip_prefix("… ")?.strip_suffix(" more failed files")?.parse().ok())
        .expect("a count");
    assert_eq!(left + short.matches("failed: /srv").count(), 200, "{short}");
}

#[test]
fn other_reports_are_left_alone() {
    for other in [
        json!([1]),
        json!({"success": true, "testResults": []}),
        json!({"success": true, "testResults": [{"name": "a"}]}),
        json!({"success": true, "testResults": [{"name": "a", "assertionResults": [{"fullName": "b", "status": "maybe"}]}]}),
    ] {
        assert_eq!(summary(&other, 24_000), None, "{other}");
    }
}
