//! Logs of services and builds: which lines are counted, which stay.

use super::*;

#[test]
fn messages_are_counted_and_warnings_stay_apart() {
    let mut text = String::new();
    for n in 0..500 {
        text.push_str(&format!(
            "2026-11-20T10:{:02}:{:02}Z INFO request {n} served in {n} ms\n",
            n / 60,
            n % 60
        ));
    }
    text.push_str("2026-11-20T10:09:00Z WARN disk 91% full\n2026-11-20T10:09:01Z WARN disk 92% full\n");
    text.push_str("2026-11-20T10:09:02Z ERROR payment 17 refused\n  at pay (src/pay.ts:3:1)\n");
    let short = log(&text, 9_000).unwrap();
    assert!(short.lines().count() < 10, "{short}");
    for fact in [
        "×500 INFO request {0 to 499, all different} served in {0 to 499, all different} ms (10:00:00 to 10:08:19)",
        "disk 91%",
        "disk 92%",
        "payment 17 refused",
        "src/pay.ts:3:1",
    ] {
        assert!(short.contains(fact), "{fact}: {short}");
    }
}

/// As a strict build of a site prints them: each warning is about another link.
#[test]
fn where_the_whole_would_be_shown_each_warning_is() {
    let info: String =
        (0..60).map(|n| format!("2026-11-20 10:00:{n:02} INFO page {n} was written in {n} ms\n")).collect();
    let warnings = |count: usize| -> String {
        let words = ["setup", "basket", "till", "stock", "returns", "rates", "claims"];
        let link = |n: usize| format!("{}/{}.md", words[n % 7], words[n / 7 % 7]);
        let one = |n| {
            format!(
                "2026-11-20 10:01:{:02} WARNING the page has a link to {}, which isn't there\n",
                n % 60,
                link(n)
            )
        };
        (0..count).map(one).collect()
    };
    let text = info.clone() + &warnings(30);
    let missing = |short: &str| warnings(30).lines().filter(|line| !short.contains(*line)).count();
    assert_eq!(missing(&log(&text, text.len() + 1).unwrap()), 0);
    assert!(missing(&log(&text, text.len() / 2).unwrap()) > 10);
}

#[test]
fn the_one_odd_line_is_shown_though_it_states_no_error() {
    let line = |n: usize, status: &str, size: &str| {
        format!(
            "2026-11-20T10:{:02}:{:02}Z INFO GET /orders/{n} status={status} in {} ms cache={size}\n",
            n / 60 % 60,
            n % 60,
            10 + n % 30
        )
    };
    for (status, size, odd) in
        [("299", "warm", "status=299"), ("200", "cold", "cache=cold"), ("200", "", "cache=\n")]
    {
        let text: String =
            (0..900).map(|n| if n == 517 { line(n, status, size) } else { line(n, "200", "warm") }).collect();
        let short = log(&text, 9_000).unwrap();
        assert!(short.contains("/orders/517") && short.contains(odd) && short.len() < 700, "{short}");
    }
    let mut slow: String = (0..900).map(|n| line(n, "200", "warm")).collect();
    slow = slow.replace("/orders/333 status=200 in 13 ms", "/orders/333 status=200 in 48211 ms");
    assert!(log(&slow, 9_000).unwrap().contains("/orders/333 status=200 in 48211 ms"));
}

#[test]
fn rare_kinds_have_room_among_any_number_of_kinds() {
    let mut text = String::new();
    for n in 0..4_000_usize {
        let kind = n % 40;
        text.push_str(&format!(
            "2026-11-20T10:{:02}:{:02}Z INFO part-{kind} of the {kind}th kind has done {n} things{}\n",
            n / 60 % 60,
            n % 60,
            " and more".repeat(kind)
        ));
        if n == 2_345 {
            text.push_str("2026-11-20T10:40:00Z INFO switched over to the second site\n");
        }
    }
    for room in [1_200, 2_050, 9_000] {
        let short = log(&text, room).unwrap();
        assert!(short.contains("switched over to the second site") && short.len() <= room + 100, "{short}");
    }
}

#[test]
fn other_texts_are_not_logs() {
    assert_eq!(log("fn main() {\n    println!();\n}\nmod a;\nmod b;\nmod c;\n", 9_000), None);
    assert_eq!(repeats("a\na\na\n\n\nb\n", 9_000), "a  [×3]\n\nb\n");
}

#[test]
fn lines_with_different_values_are_not_repeats() {
    let lists: [fn(usize) -> String; 6] = [
        |n| format!("0190b5a0-0000-7000-8000-{n:012x}\n"),
        |n| format!("order 0190b5a0-0000-7000-8000-{n:012x} has been sent\n"),
        |n| format!("{}\n", 10_000_000_000 + n),
        |n| format!("0x{n:08x}\n"),
        |n| format!("took {} ms\n", n + 1),
        |n| format!("2026-11-20T10:{:02}:{:02}Z\n", n / 60, n % 60),
    ];
    for list in lists {
        let text: String = (0..300).map(list).collect();
        assert_eq!(repeats(&text, 20_000), text);
    }
}

/// A text that doesn't fit isn't cut in its middle if most lines are alike.
#[test]
fn a_runs_odd_line_is_shown_regardless_of_its_words() {
    let run = |odd: &str| -> String {
        (0..900)
            .map(|n| match n {
                517 => format!("{odd}\n"),
                _ => format!("order 0190b5a0-0000-7000-8000-{n:012x} has been sent to {}\n", 100 + n % 7),
            })
            .collect()
    };
    for odd in ["order 17 has been kept back", "waiting for the customs", "ERROR no such order"] {
        let short = repeats(&run(odd), 9_000);
        assert!(short.contains(odd) && short.contains("×899 order {") && short.len() < 2_000, "{short}");
        assert!(short.contains("000000000000 has") && short.contains("000000000383 has"), "{short}");
    }
}

#[test]
fn the_mark_says_what_differed() {
    let text: String = (1..=300).map(|n| format!("the request took {n} ms altogether\n")).collect();
    assert_eq!(repeats(&text, 9_000), "the request took 1 ms altogether  [×300, times differ]\n");
    assert_eq!(repeats(&"the request took 1 ms\n".repeat(9), 9_000), "the request took 1 ms  [×9]\n");
}

#[test]
fn lines_around_a_long_text_are_shown_at_any_budget() {
    let mut text = String::from(
        "13421 function calls in 0.040 seconds\n\n   Ordered by: cumulative time\n\n   ncalls tottime filename\n",
    );
    for n in 0..400 {
        text.push_str(&format!(
            "   {n} 0.00{} <frozen importlib._bootstrap>:{n}(_find_and_load_{})\n",
            n % 7,
            n % 11
        ));
    }
    text.push_str("done with everything\n");
    for room in [2_000, 8_000] {
        let short = repeats(&text, room);
        assert!(short.len() <= room, "{}", short.len());
        for line in ["13421 function calls", "Ordered by: cumulative", "ncalls tottime filename"] {
            assert_eq!(short.matches(line).count(), 1, "{room}: {short}");
        }
        assert!(short.ends_with("done with everything\n"), "{room}: {short}");
    }
}

#[test]
fn traces_below_messages_do_not_change_what_is_a_log_or_a_report() {
    let trace = "Traceback (most recent call last):\n  File \"/srv/shop/main.py\", line 43, in order\n    return price(line)\nKeyError: 'amont'\n";
    let request = |n: u32| format!("INFO:     127.0.0.1:{n} - \"GET /products/{n} HTTP/1.1\" 200 OK\n");
    let failed = format!(
        "INFO:     127.0.0.1:9 - \"POST /orders HTTP/1.1\" 500\nERROR:    Exception in application\n{trace}"
    );
    let log: String = (0..30).map(|n| request(n) + if n % 5 == 4 { failed.as_str() } else { "" }).collect();
    assert!(is_log(&log));
    let finding = "error[E0308]: mismatched types\n  --> src/main.rs:34:25\n   |\n34 |     put(body);\n   |         ^^^^ expected `&str`\n";
    assert!(!is_log(&finding.replace("34 |", "   |").repeat(20)));
}

#[test]
fn times_within_messages_are_values_and_not_timestamps() {
    let mut text = String::from("-- dumped at 09:00:00 from the depot\n");
    for n in 0..400 {
        text.push_str(&format!(
            "INSERT INTO parcels VALUES ({n}, 'P{}', 'Graz', 'on the way since 0{}:1{}:00 of that day');\n",
            10_000 + n * 37,
            n % 9,
            n % 6
        ));
    }
    text.push_str("-- done at 09:00:02 with the depot\n");
    let short = alike(&text, 6_000).expect("most lines are alike");
    let kind = short.lines().find(|line| line.starts_with("×400 INSERT INTO")).expect("its kind");
    assert!(kind.ends_with("of that day');"), "{kind}");
    assert!(short.lines().next().is_some_and(|first| !first.contains("09:00:00 to ")), "{short}");
}

#[test]
fn only_what_runs_in_one_direction_has_a_span() {
    let line = |name: &str, hour: usize, n: usize| {
        format!("{name} | 2026-03-01T{hour:02}:{:02}:10 INFO request {n} handled in {n} ms\n", n % 60)
    };
    let web: String = (0..60).map(|n| line("web-1", 10, n)).collect();
    let db: String = (0..60).map(|n| line("db-1 ", 7, n)).collect();
    let of = |text: &str| log(text, 4_000).unwrap();
    assert!(
        !of(&(web.clone() + &db)).contains(" to db") && !of(&(web.clone() + &db)).contains("07:59:10"),
        "{}",
        of(&(web + &db))
    );
    assert!(of(&db).contains("07:00:10 to ") && of(&db).contains("07:59:10"), "{}", of(&db));
    // Over days the days are named.
    let days: String =
        (1..60).map(|n| format!("2026-03-{:02}T10:00:{n:02} INFO part {n} done\n", 1 + n / 3)).collect();
    let days = days + "2026-03-21T10:00:00 INFO the shop is closed\n";
    assert!(of(&days).contains("(2026-03-01T10:00:01 to 2026-03-20T10:00:59)"), "{}", of(&days));
}

/// The heading tells the whole log's time, and a time that is the same twice is told once.
#[test]
fn no_time_is_told_twice() {
    let text: String = (0..60).map(|n| format!("2026-03-01 10:00:{n:02} INFO part {n} done\n")).collect();
    let of = |text: &str| log(text, 4_000).unwrap();
    let short = of(&text);
    assert!(
        short.starts_with("60 messages, 1 kind, 2026-03-01 10:00:00 to 2026-03-01 10:00:59\n"),
        "{short}"
    );
    assert_eq!(short.matches("10:00:59").count(), 1, "{short}");
    let short = of(&(text + "2026-03-01 10:01:00 INFO the shop is closed\n"));
    assert!(short.contains("} done (10:00:00 to 10:00:59)\n"), "{short}");
    let burst: String = (0..60).map(|n| format!("2026-03-01 10:00:07,{n:03} INFO part {n} done\n")).collect();
    assert!(of(&burst).starts_with("60 messages, 1 kind, 2026-03-01 10:00:07\n"), "{}", of(&burst));
}

/// As a server for development prints them.
#[test]
fn messages_that_differ_only_in_their_time_are_shown_once() {
    let line = |n: usize, rest: &str| format!("127.0.0.1 - - [22/Nov/2026 06:24:{n:02}] {rest}\n");
    let mut text: String = (0..40).map(|n| line(n, &format!("\"GET /p{n}.html HTTP/1.1\" 200 -"))).collect();
    for n in 41..46 {
        text += &line(n, "\"GET /favicon.ico HTTP/1.1\" 404 -");
    }
    text += &line(47, "\"GET /gone HTTP/1.1\" 404 -");
    let short = log(&text, 4_000).unwrap();
    let heading = "46 messages, 3 kinds, 22/Nov/2026 06:24:00 to 22/Nov/2026 06:24:47\n";
    assert!(short.starts_with(heading), "{short}");
    assert!(
        short.contains("×5 127.0.0.1 - - \"GET /favicon.ico HTTP/1.1\" 404 - (06:24:41 to 06:24:45)\n"),
        "{short}"
    );
    assert_eq!(short.matches("/favicon.ico").count(), 2, "{short}");
    assert!(short.contains("06:24:47] \"GET /gone HTTP/1.1\" 404 -"), "{short}");
    // A time in the message isn't when it was logged.
    let slots: String = (0..40)
        .map(|n| format!("2026-11-22 06:24:{n:02} ERROR job for slot {:02}:00:00 failed\n", n % 20))
        .collect();
    let short = log(&slots, 4_000).unwrap();
    for slot in ["00", "01", "02", "19"] {
        assert!(short.contains(&format!(" slot {slot}:00:00 failed\n")), "{slot}: {short}");
    }
}

#[test]
fn rulers_between_lines_take_no_room() {
    let (double, single) = ("═".repeat(40), "─".repeat(40));
    let block = |n: usize| {
        format!(
            "DS-{n} (HIGH): Specify a user in the image\n{double}\nRunning containers with root user can lead to an escape.\n{single}\n image of the app, line {n} of its file\n\n"
        )
    };
    let text: String = (100..300).map(block).collect();
    let short = repeats(&text, 9_000);
    assert!(short.len() <= 9_000 && short.starts_with("600 lines, "), "{short}");
    assert!(short.contains("×200 ") && !short.contains("────") && !short.contains("════"), "{short}");
    for fact in ["DS-100 (HIGH)", "line 100 of its file", "DS-299 (HIGH)", "line 299 of its file"] {
        assert!(short.contains(fact), "{fact}: {short}");
    }
}

#[test]
fn bars_in_a_diagram_are_not_rulers() {
    let text: String = (0..900)
        .map(|n| format!("bucket {n} of latency in the shop\n{}\n", "*".repeat(10 + n * 7 % 51)))
        .collect();
    let short = repeats(&text, 24_000);
    assert!(short.contains(&format!("shop\n{}\n", "*".repeat(17))), "{short}");
}

/// A reader looks for errors that each name another place, not for names around them.
#[test]
fn each_failure_of_one_kind_is_shown_where_there_is_room() {
    let error = |n: usize| format!("ERROR in cart{n}.shop: tax{n} isn't declared\n");
    let text: String = (100..140)
        .map(|n| error(n) + &format!("name{n}\nThe rest is hidden for now\nUsed by the shop in line {n}\n"))
        .collect();
    let short = repeats(&text, text.len() - 1_500);
    assert!(short.starts_with("160 lines, ") && short.len() < text.len() - 1_500, "{short}");
    for n in 100..140 {
        assert!(short.contains(&error(n)), "{n}: {short}");
    }
    // With less room there are some from all parts.
    let short = repeats(&text, 2_400);
    let shown = |from: usize| (from..from + 10).filter(|n| short.contains(&error(*n))).count();
    assert!([100, 110, 120, 130].into_iter().all(|from| shown(from) > 1), "{short}");
}

#[test]
fn a_log_with_long_statements_below_its_lines_shows_its_errors() {
    let below = |rows: usize| (0..rows).map(|row| format!("\t({row},'paid',17),\n")).collect::<String>();
    let mut text: String = (0..40)
        .map(|n| {
            let line = "LOG:  duration: 9.929 ms  statement: insert into orders(id,status,total) values";
            format!("2026-11-20 10:00:{n:02}.608 UTC [17106] {line}\n{}", below(30))
        })
        .collect();
    text.push_str("2026-11-20 10:01:00.354 UTC [24200] ERROR:  relation \"order_lines\" does not exist\n");
    let short = log(&text, 2_000).unwrap();
    assert!(short.contains("×40 ") && short.contains("relation \"order_lines\" does not exist"), "{short}");
    // Headings without a time over a report are none of its messages.
    let report: String = (0..6).map(|n| format!("info: part {n}\n{}", below(30))).collect();
    assert!(!is_log(&report));
}

/// structlog begins with the event, and a container's host puts its name in front.
#[test]
fn records_are_messages_whatever_comes_first_in_them() {
    for front in ["", "web-1  | ", "[pod/web-7d9f/web] ", "2026-11-20T10:00:00.120Z "] {
        let line = |n: usize| {
            format!(
                "{front}{{\"event\":\"request is served\",\"path\":\"/orders/{n}\",\"ms\":{},\"level\":\"info\"}}\n",
                n % 30
            )
        };
        let mut lines: Vec<String> = (0..400).map(line).collect();
        let odd = format!("{front}{{\"event\":\"payment is refused\",\"order\":17,\"level\":\"error\"}}\n");
        lines.insert(200, odd.clone());
        let short = log(&lines.concat(), 9_000).unwrap();
        assert!(short.starts_with("401 messages, ") && short.contains(&odd), "{short}");
        assert!(short.contains("×400 ") && short.len() < 2_000, "{short}");
    }
}

#[test]
fn an_object_of_json_behind_a_message_is_one_value() {
    let line = |n: usize| {
        format!(
            "[2026-11-30T19:{:02}:{:02}.010765+00:00] checkout.INFO: Order stored {{\"order\":{},\"ms\":{}}} []\n",
            n / 60,
            n % 60,
            4_000 + n,
            3 + n % 30
        )
    };
    let text: String = (0..300).map(line).collect();
    let short = log(&text, 4_000).unwrap();
    let kind = "×300 checkout.INFO: Order stored {all different such as {\"order\":4000,\"ms\":3}} []";
    assert!(short.contains(kind), "{short}");
}
