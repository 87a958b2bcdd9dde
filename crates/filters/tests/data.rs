//! The laws of data: nothing is shown under a wrong heading, counts are right, no word of failure selects anything,
//! rare rows among many are shown, and the budget is kept.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use plimsoll_filters::{Answer, Filter, FilterSet, shorten_within};

use proptest::prelude::*;

fn shortened(command: &str, text: &str, room: usize) -> Option<String> {
    shorten_within(&FilterSet::builtin(), command, Some(0), text, room).map(|done| done.text)
}

/// How many rows a line says are left out: `… 1 row`, `… 12 rows`, and nothing else.
fn rows_left_out(line: &str) -> Option<usize> {
    let (count, word) = line.trim().strip_prefix("… ")?.split_once(' ')?;
    let count: usize = count.parse().ok()?;
    (word == if count == 1 { "row" } else { "rows" }).then_some(count)
}

#[test]
fn one_omitted_row_is_counted_in_the_singular() {
    let lines = ["… 1 row", "  … 12 rows", "… 1 rows", "… 12 row", "… 12 more lines", "12 rows"];
    assert_eq!(lines.map(rows_left_out), [Some(1), Some(12), None, None, None, None]);
}

/// Numbers of a line of the form `name (12)` or `also 3, 4`.
fn numbers(text: &str) -> Vec<usize> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|figures| figures.parse().ok()).collect()
}

/// A search with `files` files, of which each has its own number of matches.
fn search(files: &[usize], words: &[&str]) -> (String, BTreeMap<String, Vec<(usize, String)>>) {
    let mut text = String::new();
    let mut truth: BTreeMap<String, Vec<(usize, String)>> = BTreeMap::new();
    for (nth, matches) in files.iter().enumerate() {
        let name = format!("src/part{}/file-{nth}.rs", nth % 5);
        for at in 0..*matches {
            let line = at * 7 + 1;
            let body = format!("    let value_{nth}_{at} = {}();", words[(nth + at) % words.len()]);
            writeln!(text, "{name}:{line}:{body}").unwrap();
            truth.entry(name.clone()).or_default().push((line, body.trim().to_owned()));
        }
    }
    (text, truth)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_match_is_read_under_its_own_file_and_all_are_counted(
        files in prop::collection::vec(1usize..40, 2..60),
        room in prop::sample::select(vec![1_500_usize, 2_100, 6_000, 12_000, 24_000]),
    ) {
        let (text, truth) = search(&files, &["read", "write"]);
        let total: usize = files.iter().sum();
        let Some(shown) = shortened("grep -rn value src", &text, room) else { return Ok(()) };
        prop_assert!(shown.len() <= room + 64, "{} of {room}", shown.len());
        if total >= 10 {
            prop_assert!(shown.starts_with(&format!("{total} matches in {} files", truth.len())), "{shown}");
        }
        let mut file = String::new();
        for line in shown.lines().skip(1) {
            let body = line.trim_start();
            if let Some((name, rest)) = body.split_once(':').filter(|(name, _)| truth.contains_key(*name)) {
                // A match with its file on its line.
                let (number, printed) = rest.split_once(':').unwrap();
                prop_assert!(truth[name].iter().any(|(at, body)| at.to_string() == number && printed.trim() == body), "{line}");
            } else if let Some((number, printed)) = body.split_once(':').filter(|(number, _)| number.parse::<usize>().is_ok()) {
                prop_assert!(truth[&file].iter().any(|(at, body)| at.to_string() == number && printed.trim() == body), "{file}: {line}");
            } else if let Some(also) = body.strip_prefix("also ") {
                for number in numbers(also) {
                    prop_assert!(truth[&file].iter().any(|(at, _)| *at == number), "{file}: {line}");
                }
            } else if let Some((name, count)) = line.rsplit_once(" (") {
                file = name.to_owned();
                prop_assert_eq!(numbers(count)[0], truth[name].len());
            } else if truth.contains_key(line) {
                file = line.to_owned();
            }
        }
    }

    #[test]
    fn a_changed_line_is_read_under_its_own_file_and_all_are_counted(
        files in prop::collection::vec(prop::collection::vec((1usize..30, 0usize..9), 1..5), 1..30),
        room in prop::sample::select(vec![1_500_usize, 2_100, 6_000, 24_000]),
    ) {
        let mut text = String::new();
        let mut truth: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for (nth, hunks) in files.iter().enumerate() {
            let name = format!("src/part{}/file{nth}.rs", nth % 4);
            writeln!(text, "diff --git a/{name} b/{name}\nindex 1..2 100644\n--- a/{name}\n+++ b/{name}").unwrap();
            for (at, (added, removed)) in hunks.iter().enumerate() {
                let from = at * 100 + 1;
                writeln!(text, "@@ -{from},{} +{from},{} @@ fn f{nth}_{at}", removed + 6, added + 6).unwrap();
                text.push_str(" a\n b\n c\n");
                (0..*removed).for_each(|line| writeln!(text, "-old {nth} {at} {line}").unwrap());
                (0..*added).for_each(|line| writeln!(text, "+new {nth} {at} {line}").unwrap());
                text.push_str(" d\n e\n f\n");
                let entry = truth.entry(name.clone()).or_default();
                *entry = (entry.0 + added, entry.1 + removed);
            }
        }
        let Some(shown) = shortened("git diff", &text, room) else { return Ok(()) };
        prop_assert!(shown.len() <= room + 64, "{} of {room}", shown.len());
        let (added, removed) = truth.values().fold((0, 0), |sum, each| (sum.0 + each.0, sum.1 + each.1));
        if shown.contains("not shown") {
            let plural = if files.len() == 1 { "file" } else { "files" };
            prop_assert!(shown.starts_with(&format!("{} {plural}, +{added} -{removed};", files.len())), "{shown}");
        }
        let (mut file, mut hunk) = (usize::MAX, usize::MAX);
        let mut seen: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for line in shown.lines() {
            if let Some((_, what)) = line.split_once(" @@ fn f") {
                let at = numbers(what);
                prop_assert_eq!(at[0], file, "{} in {}", line, shown);
                hunk = at[1];
            } else if line.starts_with(['+', '-']) {
                let at = numbers(line);
                prop_assert_eq!((at[0], at[1]), (file, hunk), "{}", line);
                let entry = seen.entry(file).or_default();
                *entry = if line.starts_with('+') { (entry.0 + 1, entry.1) } else { (entry.0, entry.1 + 1) };
            } else if let Some(rest) = line.strip_prefix("… +") {
                let more = numbers(rest);
                let entry = seen.entry(file).or_default();
                *entry = (entry.0 + more[0], entry.1 + more[1]);
            } else if let Some((name, rest)) = line.split_once(" +").filter(|(name, _)| truth.contains_key(*name)) {
                prop_assert_eq!((numbers(rest)[0], numbers(rest)[1]), truth[name]);
                file = numbers(name)[1];
            } else if line.starts_with("diff --git ") {
                file = numbers(line)[1];
            }
        }
        // Where all hunks of a file have their heading, its lines are all shown or counted.
        if !shown.contains(" hunks") && shown.contains("@@") {
            for (name, all) in &truth {
                let at = numbers(name)[1];
                prop_assert_eq!(seen.get(&at), Some(all), "{} in {}", name, shown);
            }
        }
    }

    #[test]
    fn the_one_row_that_differs_is_shown(
        rows in 60usize..600,
        at in any::<prop::sample::Index>(),
        odd in 0usize..5,
        form in 0usize..3,
    ) {
        let at = at.index(rows);
        let table: Vec<Vec<String>> = (0..rows)
            .map(|n| {
                let mut row = vec![
                    format!("{}", 1000 + n),
                    format!("Customer {}", n * 17 % 997),
                    ["paid", "open", "sent"][n % 3].to_owned(),
                    format!("{}.{:02}", 20 + n * 7 % 60, n % 100),
                    "DE".to_owned(),
                ];
                if n == at {
                    row[[2, 2, 3, 3, 4][odd]] = ["parked", "", "98765.00", "-", "XK"][odd].to_owned();
                }
                row
            })
            .collect();
        let head = ["id", "name", "state", "amount", "country"];
        let (command, text) = match form {
            0 => ("cat orders.csv", table.iter().fold(head.join(",") + "\n", |all, row| all + &row.join(",") + "\n")),
            1 => {
                let rows = table.iter().fold(String::new(), |all, row| {
                    let cells: Vec<String> = row.iter().map(|cell| format!("{cell:<14}")).collect();
                    all + " " + &cells.join("| ") + "\n"
                });
                let names: Vec<String> = head.iter().map(|cell| format!("{cell:<14}")).collect();
                ("psql -c 'select * from orders'", format!(" {}\n{}\n{rows}({} rows)\n\n", names.join("| "), ["---------------"; 5].join("+"), table.len()))
            }
            _ => {
                let records: Vec<String> = table
                    .iter()
                    .map(|row| {
                        let fields: Vec<String> = head.iter().zip(row).map(|(name, cell)| format!("\"{name}\":\"{cell}\"")).collect();
                        format!("{{{}}}", fields.join(","))
                    })
                    .collect();
                ("curl -s https://example.org/api/orders", format!("[{}]", records.join(",")))
            }
        };
        // In less than this, half can't be saved: the first rows and the summary of each column cost as much.
        if text.len() < 8_000 {
            return Ok(());
        }
        let shown = shortened(command, &text, 24_000).unwrap();
        prop_assert!(shown.contains(&(1000 + at).to_string()), "row {at}: {shown}");
        prop_assert!(shown.contains(&format!("{rows} rows")) || shown.starts_with(&format!("[{rows}]")), "{shown}");
        // Rows of up to 8,000 bytes are shown whole, below a heading.
        prop_assert!(shown.len() < 8_200 && (form == 2 || shown.len() < text.len() / 2), "{}", shown.len());
        let gaps: usize = shown.lines().filter_map(rows_left_out).sum();
        let there = shown.lines().filter(|line| line.contains("Customer ") && !line.contains(" such as ") && !line.contains('×')).count();
        prop_assert_eq!(gaps + there, rows, "{}", shown);
    }
}

/// The same output with other words is shortened to the same text with other words.
#[test]
fn no_word_of_failure_selects_anything() {
    let harmful = ["ERROR: missing", "panic_failed", "TypeError: x", "fatal: broken", "FAILED a.rs:3"];
    let harmless = ["GREEN: grass x", "quick_brown_", "FoxxJumps: x", "light: yellow", "YELLOW a.rs:3"];
    let texts: Vec<(&str, String)> = vec![
        (
            "grep -rn x src",
            (0..900)
                .map(|n| {
                    format!(
                        "src/d{}/f{}.rs:{}:    let v{n} = {};\n",
                        n % 7,
                        n % 41,
                        n + 1,
                        WORD[n % WORD.len()]
                    )
                })
                .collect(),
        ),
        (
            "find . -type f",
            (0..2_500).map(|n| format!("./part-{}/{}-{n}.txt\n", n % 90, WORD[n % WORD.len()])).collect(),
        ),
        (
            "cat notes.md",
            (0..4_000).map(|n| format!("line {n} {}\n", WORD[n * 7 % 97 % WORD.len()])).collect(),
        ),
        (
            "sed -n 1,9000p notes.txt",
            (0..4_000).map(|n| format!("line {n} {}\n", WORD[n * 7 % 97 % WORD.len()])).collect(),
        ),
        (
            "psql -c 'select * from notes'",
            format!(
                " id | note \n----+------\n{}(900 rows)\n",
                (0..900).map(|n| format!(" {n} | {}{n} \n", WORD[n % WORD.len()])).collect::<String>()
            ),
        ),
        ("git diff", {
            let hunk = |n: usize| format!("@@ -{n},2 +{n},2 @@\n-a {n}\n+{} {n}\n b\n", WORD[n % WORD.len()]);
            (0..60)
                .map(|n| {
                    format!(
                        "diff --git a/f{n} b/f{n}\n--- a/f{n}\n+++ b/f{n}\n{}",
                        (1..30).map(hunk).collect::<String>()
                    )
                })
                .collect()
        }),
        (
            "curl -s https://example.org/api",
            format!(
                "[{}]",
                (0..900)
                    .map(|n| format!("{{\"id\":{n},\"note\":\"{} {n}\"}}", WORD[n % WORD.len()]))
                    .collect::<Vec<_>>()
                    .join(",")
            ),
        ),
        (
            "ls -la",
            (0..900)
                .map(|n| format!("-rw-r--r-- 1 ana ana {n} Nov 20 10:11 {}{n}\n", WORD[n % WORD.len()]))
                .collect(),
        ),
    ];
    for (command, text) in texts {
        for room in [2_100, 24_000] {
            let with = |words: [&str; 5]| {
                WORD.iter().zip(words).fold(text.clone(), |text, (mark, word)| text.replace(mark, word))
            };
            let (bad, good) = (with(harmful), with(harmless));
            assert_eq!(bad.len(), good.len());
            let (bad, good) = (
                shortened(command, &bad, room).unwrap_or(bad),
                shortened(command, &good, room).unwrap_or(good),
            );
            let back = |text: String, words: [&str; 5]| {
                WORD.iter().zip(words).fold(text, |text, (mark, word)| text.replace(word, mark))
            };
            // A word that is cut has fewer letters left to replace.
            let lines = |text: &str| {
                text.lines()
                    .filter(|line| !line.contains('…') && !line.contains("kinds") && !line.contains(':'))
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            };
            let (bad, good) = (back(bad, harmful), back(good, harmless));
            assert_eq!(bad.lines().count(), good.lines().count(), "{command} {room}:\n{bad}\n---\n{good}");
            assert_eq!(lines(&bad), lines(&good), "{command} {room}");
        }
    }
}

const ADDRESS: &str = "plimsoll://task/t0123456789";

const WORD: [&str; 5] = ["WORDA", "WORDB", "WORDC", "WORDD", "WORDE"];

#[test]
fn source_is_shown_whole_if_it_fits_and_below_its_outline() {
    let mut text = String::from("\"\"\"Errors that a failed import may raise.\"\"\"\nimport os\n");
    let mut names = Vec::new();
    while text.len() < 23_000 {
        let n = names.len();
        writeln!(text, "\n\ndef handle_error_{n}(value):\n    \"\"\"Raise an error, then fail.\"\"\"\n    if value is missing:").unwrap();
        for line in 0..12 {
            writeln!(text, "        raise ImportError(\"part {n} {line} failed: error\")").unwrap();
        }
        names.push(format!("def handle_error_{n}(value):"));
    }
    let long = text.repeat(2);
    let long = &long[..29_000];
    assert!(
        Answer::of_command(&FilterSet::builtin(), "cat src/errors.py", Some(0), long, 29_000, ADDRESS)
            .is_none()
    );
    let preview =
        Answer::of_command(&FilterSet::builtin(), "cat src/errors.py", Some(0), long, 2_115, ADDRESS)
            .unwrap();
    assert!(preview.with_address(ADDRESS).contains("def handle_error_1(value):"));
    for command in ["cat src/errors.py", "sed -n 1,900p src/errors.py", "head -n 2000 src/errors.py"] {
        assert_eq!(shortened(command, &text, 24_000), None, "{command}");
    }
    let shown = shortened("cat src/errors.py", &text, 9_000).unwrap();
    assert!(shown.len() <= 9_000 && shown.contains("import os"), "{}", shown.len());
    for (n, name) in names.iter().enumerate() {
        assert!(shown.contains(name.as_str()), "{name}: {shown}");
        let _ = n;
    }
}

#[test]
fn binary_data_is_described_briefly() {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend((0..60_000_u32).flat_map(|n| (n.wrapping_mul(2_654_435_761)).to_le_bytes()));
    let text = String::from_utf8_lossy(&bytes).into_owned();
    for command in ["cat logo.png", "./tool --print"] {
        let shown = shortened(command, &text, 24_000).unwrap();
        assert!(shown.contains("PNG image") && shown.len() < 1_200, "{shown}");
    }
}

/// Every capture of a filter that prints data, five times behind itself.
#[test]
fn any_data_keeps_to_its_budget() {
    let set = FilterSet::builtin();
    let root = std::path::Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("builtin");
    let mut seen = 0;
    for family in std::fs::read_dir(root).unwrap().flatten() {
        let Ok(files) = std::fs::read_dir(family.path()) else { continue };
        for file in files
            .flatten()
            .map(|file| file.path())
            .filter(|path| path.extension().is_some_and(|end| end == "toml"))
        {
            let filter = Filter::parse(&std::fs::read_to_string(&file).unwrap(), "case").unwrap();
            for case in filter.cases.iter().filter(|_| filter.prints_data()) {
                let Some(name) = &case.input_file else { continue };
                let bytes = std::fs::read(family.path().join(name)).unwrap();
                let text = String::from_utf8_lossy(&bytes).into_owned();
                for text in [text.repeat(5)] {
                    for room in [900, 2_100] {
                        let Some(shown) = shortened(&case.command, &text, room) else { continue };
                        seen += 1;
                        assert!(
                            shown.len() <= room + 16,
                            "{} / {}: {} of {room}",
                            filter.name,
                            case.name,
                            shown.len()
                        );
                        let answer = Answer::of_command(&set, &case.command, Some(0), &text, room, ADDRESS);
                        assert!(
                            answer.is_none_or(|answer| answer.with_address(ADDRESS).len() <= room),
                            "{}",
                            case.name
                        );
                    }
                }
            }
        }
    }
    assert!(seen > 60, "{seen}");
}
