//! `stats`: the figures, the calls behind them, and the export.

use crate::desk::Desk;

/// Appends calls as hooks do; the last two come from a version without filters and tokens.
fn recorded() -> Desk {
    let desk = Desk::new();
    let line = |number: u32, more: &str| {
        format!(
            "\n{number}-1 {{\"call\":{{\"session\":\"s\",\"agent\":\"codex\",\"project\":\"/w/shop\",\"class\":\"measured\",\
             \"overhead_bytes\":0,\"elapsed_us\":5,{more}}}}}\n"
        )
    };
    let filtered = r#""tool":"Bash","filter":"git-log","raw_bytes":40960,"returned_bytes":2048,"ok":true,"at_ms":1767225600000"#;
    let formula = r#""tool":"=1+1","raw_bytes":4096,"returned_bytes":1024,"ok":true,"at_ms":1767312000000"#;
    let failed = r#""tool":"Bash","raw_bytes":9999,"returned_bytes":1,"ok":false,"at_ms":1767398400000"#;
    std::fs::create_dir_all(desk.plimsoll()).unwrap();
    let text: String = [filtered, formula, failed].iter().zip(1..).map(|(more, n)| line(n, more)).collect();
    std::fs::write(desk.plimsoll().join("events.pending"), text).unwrap();
    desk
}

#[test]
fn figures_are_grouped_by_period_and_filter_and_never_money() {
    let desk = recorded();
    let text = desk.run(&["stats"]).ended(0).out;
    for words in ["today: 0 B", "7 days: 0 B", "all: 42 KB", "1 failed", "git-log 41 KB → 2.05 KB (1 call)"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains("prices"), "{text}");
    let stats = desk.run(&["stats", "--json"]).ended(0).json();
    assert_eq!(stats["periods"].as_array().unwrap().len(), 3);
    assert_eq!(stats["stats"]["by_filter"][0]["name"], "git-log");
    std::fs::write(desk.plimsoll().join("settings.toml"), "[prices]\nopus = 100\n").unwrap();
    assert!(desk.run(&["stats"]).ended(0).out.contains("opus 1.05."));
}

#[test]
fn a_list_of_calls_counts_what_it_leaves_out() {
    let desk = recorded();
    let path = desk.plimsoll().join("events.pending");
    let few = std::fs::read_to_string(&path).unwrap();
    assert!(!desk.run(&["stats", "--calls"]).ended(0).out.contains(" more; "));
    let told = desk.run(&["stats", "--calls", "--days", "1"]).ended(3).out;
    assert!(told.contains("--days"), "{told}");
    let again = |number: usize| few.replace("-1 {", &format!("-{number} {{"));
    std::fs::write(&path, (2..40).map(again).collect::<String>()).unwrap();
    let calls = desk.run(&["stats", "--calls"]).ended(0).out;
    assert_eq!(calls.lines().count(), 101, "{calls}");
    assert!(calls.ends_with("(17 more; `plimsoll stats --export csv` writes every call)\n"), "{calls}");
}

#[test]
fn a_call_that_replaces_nothing_is_listed_as_a_cost() {
    let desk = recorded();
    let hook = r#"{"call":{"session":"s","agent":"codex","project":"/w/shop","tool":"hook","class":"none","raw_bytes":0,
        "returned_bytes":0,"overhead_bytes":294,"ok":true,"elapsed_us":5,"at_ms":1767484800000}}"#;
    // The model reads the error of a call that failed in place of a result.
    let failed = r#"{"call":{"session":"s","agent":"codex","project":"/w/shop","tool":"execute","class":"none","raw_bytes":0,
        "returned_bytes":120,"overhead_bytes":120,"ok":false,"elapsed_us":5,"at_ms":1767484800001}}"#;
    let path = desk.plimsoll().join("events.pending");
    let mut text = std::fs::read_to_string(&path).unwrap();
    text += &format!("\n9-1 {}\n\n9-2 {}\n", hook.replace('\n', ""), failed.replace('\n', ""));
    std::fs::write(&path, text).unwrap();
    let calls = desk.run(&["stats", "--calls"]).ended(0).out;
    let first = "codex  execute  failed, own cost 120 B\ncodex  hook  own cost 294 B\ncodex  Bash  1 B of ";
    assert!(calls.starts_with(first), "{calls}");
    assert!(
        calls.contains("codex  Bash  2.05 KB of 41 KB returned, 38.9 KB kept out (measured)\n"),
        "{calls}"
    );
}

/// Zero days have no calls, and a number that no calendar has isn't a period.
#[test]
fn a_period_has_at_least_a_day() {
    let desk = recorded();
    for (days, command) in [("0", "stats"), ("4294967296", "stats"), ("0", "discover"), ("40000", "discover")]
    {
        let err = desk.run(&[command, "--days", days]).ended(2).err;
        let told =
            format!("`{days}` isn't possible for --days <DAYS>: a whole number from 1 to 36500 is needed; ");
        assert!(err.contains(&told), "{err}");
    }
    desk.run(&["stats", "--days", "36500"]).ended(0);
}

#[test]
fn every_row_is_exported_and_nothing_in_it_is_a_formula() {
    let desk = recorded();
    let csv = desk.run(&["stats", "--export", "csv"]).ended(0).out;
    let lines: Vec<&str> = csv.split("\r\n").collect();
    assert_eq!(lines.len(), 5, "{csv}");
    assert!(lines[0].starts_with("id,at_ms,agent,session,project,tool,filter,raw_bytes,"), "{csv}");
    assert_eq!(
        lines[1],
        "1,1767225600000,codex,s,/w/shop,Bash,git-log,40960,2048,38912,measured,true,0,5,10240,512,plimsoll-4b"
    );
    assert!(lines[2].contains(",'=1+1,,4096,1024,3072,"), "{csv}");
    assert!(lines[3].contains(",9999,1,0,measured,false,"), "{csv}");
    let json = desk.run(&["stats", "--export", "json", "--since", "2026-01-03"]).ended(0).json();
    assert!(
        (1..3).contains(&json.as_array().unwrap().len()),
        "the day begins at this computer's midnight: {json}"
    );
    desk.run(&["stats", "--export", "csv", "--since", "1h"]).ended(3);
    desk.run(&["stats", "--export", "csv", "--since", "soon"]).ended(2);
    desk.run(&["stats", "--export", "xml"]).ended(2);
    desk.run(&["stats", "--since", "7d"]).ended(2);
    desk.run(&["stats", "--export", "csv", "--json"]).ended(2);
}
