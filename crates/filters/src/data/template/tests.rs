use super::{clock, kinds};

fn written(lines: &[String]) -> Vec<String> {
    let lines: Vec<(usize, &str, bool)> =
        lines.iter().enumerate().map(|(at, line)| (at, line.as_str(), false)).collect();
    kinds(&lines)
        .iter()
        .map(|(_, kind)| format!("×{} {}", kind.lines.len(), kind.written(&kind.judged())))
        .collect()
}

#[test]
fn a_clock_is_one() {
    for (text, time) in [
        ("2026-11-20T10:11:12Z", Some("10:11:12")),
        ("[20/Nov/2026:10:11:12 +0000]", Some("10:11:12")),
        ("2026:02:35", None),
        ("took 99:10:11", None),
        ("1:10:11:12:13", None),
        ("02:00:00:ce:b9:f0", None),
    ] {
        assert_eq!(clock(text), time, "{text}");
    }
}

#[test]
fn a_slot_lists_its_values() {
    let lines: Vec<String> = (0..300)
        .map(|n| {
            format!(
                "2026-11-20T10:00:{:02}Z INFO job {n} of 3f{n:06x}aa done in {}ms status={} ({} MB)",
                n % 60,
                3 + n % 90,
                [200, 200, 204][n % 3],
                7
            )
        })
        .collect();
    assert_eq!(
        written(&lines),
        [
            "×300 INFO job {0 to 299, all different} of {all different such as 3f000000aa} done in {3 to 92, 90 different values}ms status={204 ×100; 200 ×200} (7 MB)"
        ]
    );
}

#[test]
fn names_are_slots_where_there_are_many() {
    let lines: Vec<String> = (0..90)
        .map(|n| {
            format!(
                "user {} has signed in",
                ["ana", "omar", "dana", "li", "eve", "tom", "kim", "jo", "max"][n % 9]
            )
        })
        .collect();
    assert_eq!(
        written(&lines),
        ["×90 user {ana, dana, eve, jo, kim, li, max, omar, tom ×10 each} has signed in"]
    );
    let few: Vec<String> =
        (0..90).map(|n| format!("the {} has ended", ["import", "export"][n % 2])).collect();
    assert_eq!(written(&few), ["×45 the import has ended", "×45 the export has ended"]);
}

#[test]
fn a_name_with_a_figure_is_one_of_the_names() {
    let packages = ["cron", "vim", "curl", "libpq5", "gawk", "less", "zlib1g", "wget", "make", "php8.2"];
    let lines: Vec<String> =
        (0..90).map(|n| format!("status installed {} {n}-1", packages[n % 10])).collect();
    let written_lines = written(&lines);
    assert!(
        matches!(written_lines.as_slice(), [one] if one.starts_with("×90 status installed {")),
        "{written_lines:?}"
    );
    // A number isn't a name.
    let mut lines: Vec<String> = packages.iter().map(|name| format!("the job {name} has ended")).collect();
    lines.retain(|line| !line.contains(|c: char| c.is_ascii_digit()));
    lines.extend((0..9).map(|n| format!("the job {n} has ended")));
    assert_eq!(written(&lines).len(), 2);
}
