//! The output of `go test -json`: the report of `go test -v` in pieces, an event a line, those of several packages
//! mixed. Owns reassembling the pieces; Go's own filter decides which lines of the report matter.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde::Deserialize;

use crate::builtin;
use crate::by_rules::by_rules;
use crate::definition::Filter;
use crate::normal::{self, normalise};
use crate::shortened::{GENERIC, Shortened};

/// Fewer events than this stay unchanged.
const FEW: usize = 6;
/// One line in this many may be something else: go prints a build's errors beside the events.
const OTHERS: usize = 4;
/// What happens to a test, a package or a build.
const ACTIONS: &[&str] = &[
    "start",
    "run",
    "pause",
    "cont",
    "pass",
    "bench",
    "fail",
    "output",
    "skip",
    "attr",
    "build-output",
    "build-fail",
];
/// Every event has it.
const ACTION: &[u8] = b"\"Action\":";
/// How go's report names a test that failed, and its filter.
const FAILED: &str = "--- FAIL: ";
const FILTER: &str = "go-test";

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event {
    action: String,
    #[serde(default)]
    package: String,
    /// A build event has no package yet.
    #[serde(default)]
    import_path: String,
    #[serde(default)]
    test: String,
    #[serde(default)]
    output: String,
}

/// What one package printed.
#[derive(Default)]
struct Package {
    report: String,
    /// Its tests that failed.
    failed: Vec<String>,
}

/// The report that the events in `text` make up, in about `room` bytes; `None` for any other text.
pub(crate) fn go_events(text: &str, room: usize) -> Option<Shortened> {
    let (report, events) = put_together(text)?;
    let rules = builtin::all().iter().find(|found| found.name == FILTER)?;
    let filter = Arc::new(Filter::parse(rules.rules, rules.file).ok()?);
    let head = format!("… {events} events not shown, but the report that they make up:\n");
    let done = by_rules(&filter, &normalise(&report), room.saturating_sub(head.len()));
    Some(Shortened { text: head + &done.text, filter: GENERIC.to_owned(), left_out: done.left_out })
}

/// The report by package, and how many events it was in.
fn put_together(text: &str) -> Option<(String, usize)> {
    memchr::memmem::find(text.as_bytes(), ACTION)?;
    let mut packages: Vec<Package> = Vec::new();
    let mut at: HashMap<String, usize> = HashMap::new();
    let (mut events, mut others) = (0_usize, 0_usize);
    for line in normal::lines(text).filter(|line| !line.trim().is_empty()) {
        let found = event(line);
        let name = found.as_ref().map_or("", |event| match event.package.as_str() {
            "" => event.import_path.as_str(),
            package => package,
        });
        let place = *at.entry(name.to_owned()).or_insert_with(|| {
            packages.push(Package::default());
            packages.len() - 1
        });
        let Some(package) = packages.get_mut(place) else { continue };
        match found {
            Some(event) => {
                events += 1;
                package.report.push_str(&event.output);
                if event.action == "fail" && !event.test.is_empty() {
                    package.failed.push(event.test);
                }
            }
            None => {
                others += 1;
                package.report.push_str(line);
                package.report.push('\n');
            }
        }
    }
    if events < FEW || others * OTHERS > events {
        return None;
    }
    let reports: String = packages.iter().map(Package::whole).collect();
    Some((reports, events))
}

fn event(line: &str) -> Option<Event> {
    // Anything else isn't worth a try.
    let json = line
        .trim_start()
        .strip_prefix('{')
        .filter(|rest| memchr::memmem::find(rest.as_bytes(), ACTION).is_some());
    let event: Event = serde_json::from_str(json.map(|_| line)?).ok()?;
    let named = !(event.package.is_empty() && event.import_path.is_empty());
    (named && ACTIONS.contains(&event.action.as_str())).then_some(event)
}

impl Package {
    /// The report, with the tests that it doesn't name: those that were running when the run was stopped have no
    /// line.
    fn whole(&self) -> String {
        let mut report = self.report.clone();
        if !report.is_empty() && !report.ends_with('\n') {
            report.push('\n');
        }
        let named: HashSet<&str> = self
            .report
            .lines()
            .filter_map(|line| line.trim_start().strip_prefix(FAILED)?.split(' ').next())
            .collect();
        let silent = self.failed.iter().filter(|test| !named.contains(test.as_str()));
        let lines: String = silent.map(|test| format!("{FAILED}{test}\n")).collect();
        report + &lines
    }
}

#[cfg(test)]
mod tests {
    use super::{go_events, put_together};

    fn line(package: &str, action: &str, test: &str, output: &str) -> String {
        let mut event =
            serde_json::json!({"Time": "2026-11-20T10:11:12Z", "Action": action, "Package": package});
        for (key, value) in [("Test", test), ("Output", output)] {
            if !value.is_empty() {
                event[key] = value.into();
            }
        }
        format!("{event}\n")
    }

    #[test]
    fn pieces_of_two_packages_are_put_together() {
        let text = [
            "# example.org/shop/till\ntill/till.go:3:9: undefined: drawer\n".to_owned(),
            line("shop/cart", "run", "TestTotal", ""),
            line("shop/cart", "output", "TestTotal", "=== RUN   TestTotal\n"),
            line("shop/jar", "output", "TestLabel", "=== RUN   TestLabel\n"),
            line("shop/cart", "output", "TestTotal", "    cart_test.go:7: total is 3,"),
            line("shop/jar", "output", "TestLabel", "    jar_test.go:9: no label\n"),
            line("shop/cart", "output", "TestTotal", " not 4\n"),
            line("shop/cart", "output", "TestTotal", "--- FAIL: TestTotal (0.00s)\n"),
            line("shop/cart", "fail", "TestTotal", ""),
            line("shop/jar", "fail", "TestLabel", ""),
            line("shop/jar", "output", "", "FAIL\tshop/jar\t0.007s\n"),
        ]
        .concat();
        let (report, events) = put_together(&text).expect("events");
        assert_eq!(events, 10);
        assert_eq!(
            report,
            "# example.org/shop/till\ntill/till.go:3:9: undefined: drawer\n\
            === RUN   TestTotal\n    cart_test.go:7: total is 3, not 4\n--- FAIL: TestTotal (0.00s)\n\
            === RUN   TestLabel\n    jar_test.go:9: no label\nFAIL\tshop/jar\t0.007s\n--- FAIL: TestLabel\n"
        );
    }

    #[test]
    fn every_failed_test_stays_among_many_passed() {
        let mut text = String::new();
        for nth in 0..200 {
            let test = format!("TestRow{nth}");
            text += &line("shop/jar", "run", &test, "");
            text += &line("shop/jar", "output", &test, &format!("=== RUN   {test}\n"));
            if nth % 60 == 41 {
                text += &line("shop/jar", "output", &test, &format!("    jar_test.go:{nth}: too heavy\n"));
                text += &line("shop/jar", "output", &test, &format!("--- FAIL: {test} (0.00s)\n"));
                text += &line("shop/jar", "fail", &test, "");
            } else {
                text += &line("shop/jar", "output", &test, &format!("--- PASS: {test} (0.00s)\n"));
                text += &line("shop/jar", "pass", &test, "");
            }
        }
        let done = go_events(&text, 4_000).expect("events");
        for nth in [41, 101, 161] {
            assert!(done.text.contains(&format!("--- FAIL: TestRow{nth} ")), "{}", done.text);
            assert!(done.text.contains(&format!("jar_test.go:{nth}: too heavy")), "{}", done.text);
        }
        assert!(done.text.len() < 1_000, "{}", done.text);
    }

    #[test]
    fn other_json_is_left_alone() {
        let log = "{\"Action\":\"output\",\"Service\":\"till\",\"Output\":\"drawer\"}\n".repeat(20);
        let unknown = "{\"Action\":\"sold\",\"Package\":\"shop/jar\"}\n".repeat(20);
        let few = line("shop/jar", "run", "TestLabel", "").repeat(3);
        let mixed =
            line("shop/jar", "run", "TestLabel", "").repeat(8) + &"a line of something else\n".repeat(8);
        for text in [log, unknown, few, mixed] {
            assert_eq!(put_together(&text), None, "{text}");
        }
    }
}
