//! JUnit reports of several tools, at small and large budgets.

use super::summary;
use crate::{FilterSet, shorten_within};

/// As pytest writes it, with so many tests, of which two failed, one couldn't be set up and one was skipped.
fn document(tests: usize) -> String {
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<testsuites><testsuite name=\"pytest\" errors=\"1\" failures=\"2\" skipped=\"1\" tests=\"{tests}\" time=\"1.234\" hostname=\"ci\">\n"
    );
    for n in 0..tests {
        let open = format!("<testcase classname=\"shop.mod{}\" name=\"test_{n}\" time=\"0.001\"", n % 6);
        text += &match n {
            17 | 41 => format!(
                "{open}><failure message=\"AssertionError: assert {n} == {0}\">def test_{n}():\n&gt;       assert {n} == {0}\nE       assert {n} == {0}\n\ntests/mod5.py:{n}: AssertionError</failure></testcase>\n",
                n + 1
            ),
            30 => format!(
                "{open}><skipped type=\"pytest.skip\" message=\"needs postgres\">tests/mod2.py:9: needs postgres</skipped></testcase>\n"
            ),
            55 => format!(
                "{open}><error message=\"failed on setup with &quot;KeyError: 'DB_URL'&quot;\"><![CDATA[    return os.environ[\"DB_URL\"] > 1\nconftest.py:12: KeyError]]></error></testcase>\n"
            ),
            _ => format!("{open} />\n"),
        };
    }
    text + "</testsuite></testsuites>\n"
}

const FACTS: [&str; 10] = [
    "pytest: tests=600, failures=2, errors=1, skipped=1, time=1.234\n",
    "failure: shop.mod5 test_17 (tests/mod5.py:17)\n",
    "assert 17 == 18",
    "test_41 (tests/mod5.py:41)",
    "assert 41 == 42",
    "error: shop.mod1 test_55 (conftest.py:12)\n",
    "failed on setup with \"KeyError: 'DB_URL'\"",
    "os.environ[\"DB_URL\"] > 1",
    "skipped: shop.mod0 test_30: needs postgres\n",
    "left out: passed tests",
];

#[test]
fn failures_keep_place_and_message_and_counts_come_from_the_report() {
    let text = document(600);
    for room in [2_050, 10_000, 24_000] {
        let short = summary(&text, room).unwrap();
        assert!(short.len() <= room, "{room}: {}", short.len());
        for fact in FACTS {
            assert!(short.contains(fact), "{room} {fact}: {short}");
        }
    }
}

#[test]
fn only_what_the_report_contains_is_named_as_omitted() {
    let case = |n: usize| {
        format!(
            "<testcase classname=\"shop/cart.py\" name=\"assert_used\"><error type=\"LOW\" message=\"Use of assert detected.\">Use of assert detected.\nLocation shop/cart.py:{n}</error></testcase>"
        )
    };
    let all: String = (1..40).map(case).collect();
    for (more, wanted) in [
        ("", None),
        ("<testcase name=\"a\"/>", Some("left out: passed tests\n")),
        ("<testcase name=\"a\"><system-out/></testcase>", Some("left out: passed tests\n")),
        ("<system-err>a line</system-err>", Some("left out: what tests printed\n")),
        (
            "<testcase name=\"a\"><system-out>a line</system-out></testcase>",
            Some("left out: passed tests, what tests printed\n"),
        ),
    ] {
        let text = format!("<testsuite name=\"bandit\" tests=\"39\">{all}{more}</testsuite>\n");
        let short = summary(&text, 24_000).unwrap();
        let named = short.split_inclusive('\n').find(|line| line.starts_with("left out: "));
        assert_eq!(named, wanted, "{more}: {short}");
    }
}

#[test]
fn whatever_command_prints_it() {
    for command in ["cat build/junit.xml", "pytest -q --junitxml=/dev/stdout", "./run-tests.sh"] {
        let done = shorten_within(&FilterSet::builtin(), command, Some(0), &document(600), 9_000).unwrap();
        for fact in FACTS {
            assert!(done.text.contains(fact), "{command} {fact}: {}", done.text);
        }
    }
}

/// As Biome writes it, where each file is a suite, and as a runner that names a suite and no class.
#[test]
fn a_test_without_class_or_file_is_named_by_its_suite() {
    let suite = |n: usize| {
        format!(
            "<testsuite name=\"src/f{n}.js\" tests=\"1\" failures=\"1\"><testcase name=\"lint.noUnused\" line=\"{n}\" column=\"4\"><failure message=\"This is unused.\">line {n}, This is unused.</failure></testcase></testsuite>"
        )
    };
    let cart = "<testsuite name=\"cart\" tests=\"2\" failures=\"1\"><testsuite name=\"empty\"/><testcase name=\"adds up\"><failure message=\"3 isn't 4\"/></testcase><testcase name=\"cart empties\"><failure message=\"1 isn't 0\"/></testcase></testsuite>";
    let all: String = (1..20).map(suite).collect();
    let short = summary(&format!("<testsuites>{all}{cart}</testsuites>"), 9_000).unwrap();
    for fact in [
        "failure: lint.noUnused (src/f1.js:1:4)\n    line 1, This is unused.\n",
        "failure: lint.noUnused (src/f19.js:19:4)\n",
        "failure: cart adds up\n    3 isn't 4\n",
        "failure: cart empties\n    1 isn't 0\n",
    ] {
        assert!(short.contains(fact), "{fact}: {short}");
    }
}

#[test]
fn failures_that_do_not_fit_in_the_report_are_counted() {
    let case = |n: usize| {
        format!(
            "<testcase name=\"t{n}\" file=\"src/t.ts\" line=\"{n}\"><failure message=\"no {n}\"/></testcase>"
        )
    };
    let all: String = (0..900).map(case).collect();
    let text = format!("ran\n<testsuite name=\"a\" tests=\"900\" failures=\"900\">{all}</testsuite>\nend\n");
    let short = summary(&text, 3_000).unwrap();
    assert!(short.len() <= 3_000 && short.starts_with("ran\na: tests=900, failures=900\n"), "{short}");
    assert!(short.contains("failure: t0 (src/t.ts:0)\n    no 0\n"), "{short}");
    assert!(short.contains(" more failed tests\n") && short.ends_with("\nend\n"), "{short}");
}

/// As ruff writes it, each finding a test, and as Vitest does.
#[test]
fn many_failures_become_a_list_with_every_place() {
    let found = |n: usize| {
        let (file, rule) = (n % 12, n % 5);
        format!(
            "<testcase name=\"org.ruff.D10{rule}\" classname=\"/srv/shop/part{file}\" file=\"/srv/shop/part{file}.py\" line=\"{n}\" column=\"5\"><failure message=\"Missing docstring {rule}\">line {n}, col 5, Missing docstring {rule}</failure></testcase>"
        )
    };
    let all: String = (100..500).map(found).collect();
    let text = format!(
        "<testsuites name=\"ruff\" tests=\"400\"><testsuite name=\"ruff\">{all}</testsuite></testsuites>"
    );
    let short = summary(&text, 9_000).unwrap();
    assert!(short.len() <= 9_000 && !short.contains("more failed tests"), "{short}");
    assert!((100..500).all(|n| short.contains(&format!("{n}:5"))), "{short}");
    assert!(short.contains("org.ruff.D104") && short.contains("Missing docstring 4"), "{short}");
    let failed = |n: usize| {
        format!(
            "<testcase classname=\"test/cart.js\" name=\"Cart &gt; counts {n}\"><failure message=\"expected {n} to be 0\" type=\"AssertionError\">AssertionError: expected {n} to be 0\n ❯ test/cart.js:{n}:22</failure></testcase><testcase name=\"adds {n}\"/>"
        )
    };
    let all: String = (100..160).map(failed).collect();
    let text = format!("<testsuite name=\"test/cart.js\" tests=\"120\" failures=\"60\">{all}</testsuite>");
    let short = summary(&text, 9_000).unwrap();
    assert!(short.len() <= 9_000 && !short.contains('❯'), "{short}");
    assert!(
        short.contains("Cart > counts") && short.contains("of each failed test the first line"),
        "{short}"
    );
    assert!((100..160).all(|n| short.contains(&format!("{n}:22"))), "{short}");
}

#[test]
fn anything_else_is_left_alone() {
    for text in [
        document(1),
        document(600).replace("testcase", "case"),
        document(600).replace("testsuite", "suite"),
        document(600) + &"a line of another tool\n".repeat(2_000),
        // A program that has such a document in it, twice; what another tool printed between two of them; matches of a search.
        format!("A = '{0}'\n\ndef cart():\n    return 7\n\nB = '{0}'\n", document(60)),
        format!("{0}ERROR: no report of the api: permission denied\n{0}", document(600)),
        document(600).replace('\n', "\nout/junit.xml:"),
        // Another report above it.
        format!(
            "<?xml version=\"1.0\"?>\n<coverage rate=\"0.5\"><class rate=\"0.4\"/></coverage>\n{}",
            document(600)
        ),
    ] {
        assert_eq!(summary(&text, 24_000), None);
    }
}

#[test]
fn each_of_several_documents_has_its_own_counts() {
    let document = |name: &str, failures: usize| {
        let failed =
            "<testcase name=\"adds up\" classname=\"adds up\"><failure>1 isn't 2</failure></testcase>";
        let passed = "<testcase name=\"empties\"/>".repeat(60);
        format!(
            "<?xml version=\"1.0\"?>\n<testsuites tests=\"{0}\" failures=\"{failures}\"><testsuite name=\"{name}\" tests=\"{0}\">{passed}{1}</testsuite></testsuites>\n",
            60 + failures,
            failed.repeat(failures)
        )
    };
    let text = format!("{}\u{feff}{}", document("cart", 2), document("web", 0));
    let short = summary(&text, 9_000).unwrap();
    assert!(
        short.starts_with("tests=62, failures=2\ntests=60, failures=0\ncart: tests=62\nweb: tests=60\n"),
        "{short}"
    );
    // A name that is its class is written once.
    assert_eq!(short.matches("failure: adds up\n    1 isn't 2\n").count(), 2, "{short}");
    let many = summary(&document("cart", 1).repeat(30), 9_000).unwrap();
    assert!(many.contains("… 10 more reports\n… 30 more suites\n"), "{many}");
}

#[test]
fn failures_outside_tests_are_named_by_their_suite() {
    let passed = "<testcase classname=\"db\" name=\"keeps\"/>".repeat(60);
    let text = format!(
        "<testsuites><testsuite name=\"db\" tests=\"60\" errors=\"1\">{passed}<error message=\"teardown failed\">connection lost</error></testsuite></testsuites>"
    );
    let short = summary(&text, 9_000).unwrap();
    assert!(
        short.contains("left out: passed tests\nerror: db\n    teardown failed\n    connection lost\n"),
        "{short}"
    );
}

/// As CTest writes it: the failure says that the test failed, and the test's output why.
#[test]
fn a_failure_without_a_message_shows_its_tests_output() {
    let case = |n: usize| {
        let (failure, printed) = match n {
            7 => ("<failure message=\"Failed\"/>", "assertion x == 7 at cart.cpp:12 &amp; on"),
            9 => ("<failure type=\"Timeout\"/>", "waiting"),
            _ => ("", "all is well"),
        };
        format!(
            "<testcase name=\"t{n}\" classname=\"t{n}\">{failure}<system-out>{printed}</system-out></testcase>\n"
        )
    };
    let all: String = (0..60).map(case).collect();
    let short =
        summary(&format!("<testsuite name=\"shop\" tests=\"60\">{all}</testsuite>\n"), 9_000).unwrap();
    assert!(short.contains("failure: t7\n    Failed\n    assertion x == 7 at cart.cpp:12 & on\n"), "{short}");
    assert!(short.contains("failure: t9\n    Timeout\n    waiting\n"), "{short}");
    assert!(!short.contains("all is well") && short.contains("what tests printed"), "{short}");
}

#[test]
fn an_unescaped_character_ends_a_failure_only_with_its_test() {
    let passed = "<testcase name=\"keeps\"/>".repeat(90);
    let failed = |name: &str| {
        format!("<testcase name=\"{name}\"><failure message=\"no {name}\">1 < 2</failure></testcase>")
    };
    let text = format!("<testsuite name=\"cart\">{passed}{}{}</testsuite>", failed("adds"), failed("sums"));
    let short = summary(&text, 9_000).unwrap();
    for fact in ["failure: cart adds\n    no adds\n", "failure: cart sums\n    no sums\n"] {
        assert!(short.contains(fact), "{fact}: {short}");
    }
}
