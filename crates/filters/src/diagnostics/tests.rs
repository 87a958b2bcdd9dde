//! Grouping findings of linters and compilers: which layouts are recognised, and what every budget keeps.

use super::sums::begun;
use super::{by_file_and_rule, is_styled};

const ESLINT: &str = "/home/ana/shop/src/a.js
   1:7   error    'u0' is assigned a value but never used      no-unused-vars
   2:9   error    'total' is not defined                       no-undef
   2:26  error    'price' is not defined                       no-undef
   3:1   warning  Expected a default case                      default-case

/home/ana/shop/src/b c.js
   1:1   error    'total' is not defined                       no-undef
   9:9   error    Parsing error: Unexpected token
   9:10  warning  Expected a default case                      default-case

✖ 7 problems (5 errors, 2 warnings)
";

#[test]
fn rows_under_a_name_keep_file_place_and_message() {
    let more: String =
        (10..60).map(|n| format!("  {n}:1  error  'x{n}' is not defined  no-undef\n")).collect();
    let text = ESLINT.replace("b c.js", "b.js").replace("\n\n✖", &format!("\n{more}\n✖"));
    let text = by_file_and_rule(&text, 24_000).unwrap();
    for fact in [
        "/home/ana/shop/src/a.js\n",
        "/home/ana/shop/src/b.js\n",
        "  error no-undef 2:9: 'total' is not defined\n",
        "  error 9:9: Parsing error: Unexpected token\n",
        "✖ 7 problems (5 errors, 2 warnings)\n",
    ] {
        assert!(text.contains(fact), "{fact}: {text}");
    }
}

/// A filter may have taken the blanks between the columns.
#[test]
fn a_message_may_begin_with_anything() {
    for message in [
        "`debugger` is not allowed",
        "async function has no await",
        "\"y\" is unused",
        "$ref is odd",
        "(a) is odd",
    ] {
        let text: String = (1..80)
            .map(|n| {
                format!(
                    " {}:10 error 'x{n}' is not defined  no-undef\n {}:3 warning {message}  some-rule\n",
                    n * 3,
                    n * 3 + 1
                )
            })
            .collect();
        let text = format!("/home/ana/shop/src/a.js\n{text}✖ 158 problems (79 errors, 79 warnings)\n");
        let short = by_file_and_rule(&text, 24_000).unwrap();
        assert!(!short.contains("each of these: "), "{short}");
        for fact in ["some-rule", message, "4:3, 7:3, 10:3", "238:3", "'x79'"] {
            assert!(short.contains(fact), "{fact}: {short}");
        }
        let line = format!(" 3:3 warning {message}  some-rule");
        let found = super::forms::row(&line, "a.js").expect("a finding");
        assert_eq!((found.severity, found.rule, found.message), ("warning", "some-rule", message));
    }
}

#[test]
fn a_rule_may_come_before_its_message() {
    let mut text = String::new();
    for file in ["orders", "carts", "users"] {
        text.push_str(&format!("/home/ana/shop/api/{file}.yaml\n"));
        for n in 1..=20 {
            text.push_str(&format!(
                " {n}:3  warning  operation-tags   Operation must have \"tags\".  paths./{file}.get.{n}\n"
            ));
            text.push_str(&format!(
                " {n}:9  error    no-$ref-siblings  $ref must be alone.  paths./{file}.put.{n}\n"
            ));
        }
        text.push('\n');
    }
    text.push_str("✖ 120 problems (60 errors, 60 warnings, 0 infos, 0 hints)\n");
    let short = by_file_and_rule(&text, 24_000).unwrap();
    assert!(short.len() < text.len(), "{short}");
    for fact in [
        "operation-tags",
        "no-$ref-siblings",
        "Operation must have \"tags\".",
        "/home/ana/shop/api/carts.yaml",
        "20:9",
        "✖ 120 problems (60 errors, 60 warnings, 0 infos, 0 hints)",
    ] {
        assert!(short.contains(fact), "{fact}: {short}");
    }
    let line = " 7:3  warning  operation-tags   Operation must have \"tags\".  paths./orders.get.7";
    let found = super::forms::row(line, "a.yaml").unwrap();
    assert_eq!(
        (found.message, found.rule),
        ("Operation must have \"tags\".  paths./orders.get.7", "operation-tags")
    );
    // A message of one word, and its rule behind it.
    let found = super::forms::row("  3:9  error  re-export  import/no-cycle", "a.ts").unwrap();
    assert_eq!((found.message, found.rule), ("re-export", "import/no-cycle"));
}

#[test]
fn a_search_is_not_a_list_of_findings() {
    assert!(!is_styled("src/a.rs:1: let error = 1;\nsrc/a.rs:2: let x = 2;\n"));
    assert!(is_styled("src/a.c:1:2: error: x\nsrc/a.c:2:2: warning: y [-Wz]\n"));
}

/// As many findings as asked, over files and rules.
fn many(files: usize, each: usize) -> String {
    let mut text = String::new();
    for file in 0..files {
        for nth in 0..each {
            let (line, rule) = (nth * 3 + 1, nth % 7);
            text.push_str(&format!("src/dir{}/file{file}.ts({line},{}): error TS23{rule:02}: Type 'T{nth}' is wrong in way {rule}.\n", file % 5, nth + 2));
        }
    }
    text.push_str("src/dir0/file0.ts(9999,1): error TS9999: The one odd thing.\n");
    text
}

#[test]
fn every_budget_keeps_what_it_can_and_counts_the_rest() {
    for (files, each) in [(20, 10), (40, 60), (300, 30), (2_000, 4)] {
        let text = many(files, each);
        for room in [1_500, 6_000, 24_000, 200_000] {
            let Some(short) = by_file_and_rule(&text, room) else { panic!("{files} {each} {room}") };
            assert!(short.len() <= room + 1_200, "{files} {each} {room}: {}", short.len());
            assert!(short.contains("TS9999") && short.contains("The one odd thing"), "{short}");
            if files <= 40 && room >= 6_000 {
                for file in 0..files {
                    assert!(short.contains(&format!("/file{file}.ts")), "{file}: {short}");
                }
                assert!(short.contains("9999:1"), "{short}");
            }
        }
    }
}

#[test]
fn a_complete_list_names_every_place() {
    let text = many(24, 8);
    let short = by_file_and_rule(&text, 24_000).unwrap();
    assert!(short.len() * 3 < text.len(), "{} of {}\n{short}", short.len(), text.len());
    for nth in 0..8 {
        let place = format!("{}:{}", nth * 3 + 1, nth + 2);
        assert_eq!(short.matches(&place).count(), 24, "{place}: {short}");
    }
}

#[test]
fn marks_under_a_line_of_source_keep_file_line_and_rule() {
    let mut text = String::new();
    for file in 0..6 {
        for line in 1..20 {
            text.push_str(&format!("\nIn part{file}.sh line {line}:\nrm $a{line}\n   ^--^ SC2086 (info): Double quote to prevent globbing.\n   ^--^ SC2154 (warning): a{line} is referenced but not assigned.\n\nDid you mean: \nrm \"$a{line}\"\n\n"));
        }
    }
    text.push_str(
        "For more information:\n  https://www.shellcheck.net/wiki/SC2154 -- a1 is referenced but not a...\n",
    );
    let short = by_file_and_rule(&text, 4_000).unwrap();
    assert!(short.len() <= 4_000, "{}", short.len());
    for fact in [
        "lines of source and of suggested changes are left out",
        "SC2086",
        "SC2154",
        "https://www.shellcheck.net",
    ] {
        assert!(short.contains(fact), "{fact}: {short}");
    }
    for file in 0..6 {
        let section = short.split(&format!("part{file}.sh")).nth(1).unwrap();
        let section = section.split("\npart").next().unwrap();
        let words: Vec<&str> = section.split(|c: char| !c.is_alphanumeric()).collect();
        assert!((1..20).all(|line| words.contains(&line.to_string().as_str())), "{section}");
    }
}

#[test]
fn a_finding_without_a_rule_is_grouped_by_its_level() {
    let mut text = String::new();
    for n in 1..90 {
        text.push_str(&format!(
            "src/A{}.java:{n}: error: cannot find symbol\n    total(x{n});\n    ^\n  symbol: x{n}\n",
            n % 9
        ));
        text.push_str(&format!(
            "src/A{}.java:{n}: warning: [rawtypes] found raw type: T{n}\n    new T{n}();\n        ^\n",
            n % 9
        ));
        text.push_str(&format!("src/A{}.java:{n}: warning: use of s{n} is not wise\n", n % 9));
    }
    let short = by_file_and_rule(&text, 4_000).unwrap();
    assert!(short.contains("[rawtypes]") || short.contains("rawtypes ×"), "{short}");
    assert!(!short.contains("other ×") && short.contains("error ×89: cannot find symbol"), "{short}");
    assert_eq!(short.matches("cannot find symbol").count(), 1, "{short}");
}

/// As oxlint and other tools with such boxes print it, and in plain signs.
#[test]
fn findings_over_boxes_of_source_are_a_list() {
    let boxed = |n: usize| {
        format!(
            "  ⚠ eslint(no-unused-vars): Parameter 'reply{n}' is declared but never used.\n    ╭─[lib/log.js:{n}:29]\n {n} │   incomingRequest (request, reply, metadata) {{\n    ·                             ──┬──\n    ·                               ╰── 'reply' is declared here\n    ╰────\n  help: Consider removing this parameter.\n\n"
        )
    };
    let plain = |n: usize| {
        format!(
            "  ! eslint(no-unused-vars): Parameter 'reply{n}' is declared but never used.\n    ,-[lib/log.js:{n}:29]\n {n} |   incomingRequest (request, reply, metadata) {{\n    :                             ^^|^^\n    :                               `-- 'reply' is declared here\n    `----\n  help: Consider removing this parameter.\n\n"
        )
    };
    for form in [boxed as fn(usize) -> String, plain] {
        let text: String = (10..90).map(form).collect();
        assert!(super::is_list(&text), "{text}");
        let short = by_file_and_rule(&text, 24_000).unwrap();
        assert!(short.len() * 3 < text.len() && short.matches("lib/log.js").count() == 1, "{short}");
        for fact in ["eslint(no-unused-vars)", "Parameter … is declared", "10:29", "89:29"] {
            assert!(short.contains(fact), "{fact}: {short}");
        }
    }
}

/// oxlint frames what a finding is about a second time, with a place of its own, in the same file or in another one.
#[test]
fn a_findings_other_places_are_not_an_explanation() {
    let finding = |n: usize| {
        format!(
            "  x unicorn(rule-{n}): Function `skip{n}` does not capture any variables\n    ,-[lib/jar.js:{n}:10]\n {n} | function jar(shelf) {{\n    :          ^|^\n    :           `-- Outer scope\n    `----\n    ,-[lib/till.js:{}:22]\n 111 |   skip: function skip{n}(opts) {{\n    :                  ^^|^\n    `----\n  help: Move `skip{n}` to the outer scope, where it is made once and not on every call that comes from outside.\n\n",
            n + 900
        )
    };
    let text: String = (10..40).map(finding).collect();
    let room = 5_000;
    let short = by_file_and_rule(&text, room).unwrap();
    assert!(short.len() <= room, "{room}: {}\n{short}", short.len());
    assert!(short.contains("… 30 lines of explanation not shown"), "{short}");
    for n in 10..40 {
        for place in [format!("{n}:10"), format!("lib/till.js:{}:22", n + 900)] {
            assert!(short.contains(&place), "{place}: {short}");
        }
    }
}

/// As mypy prints it where its settings say `pretty`.
#[test]
fn a_continued_message_has_its_rule_at_its_end() {
    let finding = |n: usize| {
        format!(
            "src/a{}.py:{n}: error: Function is missing a type annotation \n[no-untyped-def]\n    def inspect(cls):\n    ^~~~~~~~~~~~~~~~~\nsrc/a{}.py:{}: error: Missing type arguments for generic type\n\"Attribute{n}\"  [type-arg]\n    x: Attribute\n       ^\n",
            n % 3,
            n % 3,
            n + 1
        )
    };
    let text: String = (10..90).step_by(2).map(finding).collect();
    let text = format!("{text}Found 80 errors in 3 files (checked 20 source files)\n");
    for room in [1_400, 24_000] {
        let short = by_file_and_rule(&text, room).unwrap();
        for fact in ["no-untyped-def", "type-arg", "src/a2.py", "89", "Found 80 errors in 3 files"] {
            assert!(short.contains(fact), "{room} {fact}: {short}");
        }
        assert!(short.len() <= room + 200 && short.len() * 3 < text.len(), "{short}");
    }
}

/// Where not all of a group's places fit, those that do are shown, and the group keeps its count.
#[test]
fn spare_room_shows_the_first_places_of_large_groups() {
    let of = |file: &str, count: usize| -> String {
        (1..=count).map(|n| format!("src/{file}.go:{n}:6: can inline 'step{n}'\n")).collect()
    };
    let text = [of("jar", 4), of("shelf", 600), of("till", 500)].concat();
    for room in [1_000, 2_000, 3_000] {
        let short = by_file_and_rule(&text, room).unwrap();
        assert!(short.len() <= room, "{room}: {}\n{short}", short.len());
        assert!(short.len() + 300 > room, "{room}: {}\n{short}", short.len());
        for fact in ["×600", "×500", "1:6, 2:6, 3:6, 4:6, 5:6", "some or all places are left out"] {
            assert!(short.contains(fact), "{room} {fact}: {short}");
        }
    }
    // As many files that not even their rules are named.
    let text: String = (0..60).map(|file| of(&format!("part{file}"), 30)).collect();
    let short = by_file_and_rule(&text, 1_600).unwrap();
    assert!(short.len() <= 1_600 && short.contains("part0.go ×30: 1:6, 2:6, 3:6"), "{short}");
    assert!((0..60).all(|file| short.contains(&format!("part{file}.go ×30"))), "{short}");
}

#[test]
fn a_complete_group_has_no_mark_of_more() {
    let all = ["3:9", "8:2", "9:1", "12:3"];
    for (room, expected) in [(200, ": 3:9, 8:2, 9:1, 12:3"), (26, ": 3:9, 8:2, 9:1, …"), (10, "")] {
        let (mut out, mut left) = (String::new(), room);
        begun(&mut out, all.into_iter(), &mut left);
        assert_eq!((&*out, left), (expected, room - expected.len()), "{room}");
    }
}

/// RuboCop prints between the level and the cop whether it can correct the offense.
#[test]
fn a_correctable_offense_has_its_cop_as_its_rule() {
    let finding = |n: usize| {
        format!(
            "app/part{0}.rb:{n}:5: C: [Correctable] Style/StringLiterals: Prefer single-quoted strings.\n    a = \"{n}\"\n        ^^^\napp/part{0}.rb:{n}:9: C: [Correctable] Layout/LineLength: Line is too long. [{n}/80]\n",
            n % 4
        )
    };
    let text: String = (1..40).map(finding).collect();
    for room in [1_000, 24_000] {
        let short = by_file_and_rule(&text, room).unwrap();
        for fact in ["Style/StringLiterals", "Layout/LineLength", "C: [Correctable]", "39:9"] {
            assert!(short.contains(fact), "{room} {fact}: {short}");
        }
        assert!(!short.contains("Correctable ×"), "{room}: {short}");
    }
}

/// PHPStan's tables have neither a level nor a column.
#[test]
fn tables_of_phpstan_keep_each_file_line_and_identifier() {
    let ruler = format!(" ------ {}\n", "-".repeat(60));
    let mut text = String::new();
    for file in 0..30 {
        text += &format!("{ruler}  Line   src/Part{file}.php\n{ruler}");
        for line in 1..9 {
            text += &format!(
                "  {:<6} Method Part{file}::total{line}() has no return type specified.\n         🪪  missingType.return\n",
                line * 11
            );
        }
        text += &format!(
            "  99     Parameter #1 $jar of function weigh expects int, string|null\n         given.\n         🪪  argument.type\n{ruler}\n"
        );
    }
    text += " [ERROR] Found 270 errors\n";
    assert!(super::is_list(&text));
    for room in [9_000, 24_000] {
        let short = by_file_and_rule(&text, room).unwrap();
        assert!(short.len() <= room, "{room}: {}\n{short}", short.len());
        for file in 0..30 {
            let part = short.split(&format!("src/Part{file}.php")).nth(1).unwrap_or_default();
            let part = part.split("src/Part").next().unwrap_or_default();
            for place in ["11", "88", "99"] {
                assert!(part.contains(place), "{room} {file}:{place}: {short}");
            }
        }
        for fact in ["missingType.return", "argument.type", "[ERROR] Found 270 errors"] {
            assert!(short.contains(fact), "{room} {fact}: {short}");
        }
    }
}

/// As ty prints it, and rustc: a finding's explanation has its own place, and no blank line above it.
#[test]
fn a_note_with_its_own_place_right_below_a_finding_belongs_to_the_finding() {
    let finding = |n: usize, between: &str, note: &str| {
        format!(
            "error[invalid-argument-type]: Argument to function `getattr` is incorrect\n   --> shop/cart.py:{n}:28\n    |\n{n} |     return getattr(values, option)\n    |                            ^^^^^^ Expected `str`, found `str | None`\ninfo: `None` is not assignable to `str`\n{between}{note}: Function defined here\n    --> stdlib/builtins.pyi:4080:5\n     |\n4080 | def getattr(o: object, name: str, /) -> Any:\n     |     ^^^^^^^            --------- Parameter declared here\n\n"
        )
    };
    let text =
        |between: &str, note: &str| -> String { (110..150).map(|n| finding(n, between, note)).collect() };
    let count = |text: &str| -> usize {
        super::parse::pieces(text).iter().map(super::finding::Piece::findings).sum()
    };
    for note in ["info", "note", "help"] {
        let text = text("", note);
        assert_eq!(count(&text), 40, "{note}");
        let short = by_file_and_rule(&text, 24_000).unwrap();
        assert!(short.lines().all(|line| !line.starts_with("stdlib/")), "{short}");
        for fact in
            ["shop/cart.py", "110:28", "149:28", "stdlib/builtins.pyi:4080:5", "Function defined here"]
        {
            assert!(short.contains(fact), "{note} {fact}: {short}");
        }
    }
    // Separated, at another level, or with a rule, it's a finding itself.
    for (between, note) in [("\n", "info"), ("", "warning"), ("", "info[possibly-unused]")] {
        assert_eq!(count(&text(between, note)), 80, "{note}");
    }
}

#[test]
fn a_list_of_rules_promises_no_words_that_it_lacks() {
    let finding =
        |n: usize| format!("src/part{}.rs:{n}:5: warning: words about {n} only [rule-{}]\n", n % 20, n % 30);
    let text: String = (10..400).map(finding).collect();
    for short in (600..8_000).step_by(100).filter_map(|room| by_file_and_rule(&text, room)) {
        let says = short.lines().any(|line| line.contains("rule-") && line.contains(": words about"));
        assert!(says || !short.contains("with what it says"), "{short}");
    }
}
