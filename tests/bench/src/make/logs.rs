//! Logs and long test runs.

use std::fmt::Write as _;

use super::Numbers;

/// An access log in the combined format, with seven failures of the server and a handful of missing pages.
pub(super) fn access_log(lines: usize) -> String {
    let mut numbers = Numbers::new(11);
    let mut out = String::new();
    let paths = [
        "/",
        "/cart",
        "/catalog?page=2",
        "/catalog/tea",
        "/assets/app.css",
        "/assets/app.js",
        "/api/session",
    ];
    for at in 0..lines {
        let (status, method, path) = match at {
            60 | 61 | 200 | 333 | 334 => (500, "POST", "/api/checkout"),
            120 | 390 => (503, "GET", "/reports/annual.pdf"),
            at if at % 53 == 7 => (404, "GET", "/favicon-old.ico"),
            _ => (200, "GET", numbers.of(&paths)),
        };
        let _ = writeln!(
            out,
            "203.0.113.{} - - [12/Mar/2026:{:02}:{:02}:{:02} +0000] \"{method} {path} HTTP/1.1\" {status} {} \"-\" \"Mozilla/5.0\"",
            numbers.below(60) + 1,
            9 + at / 360,
            at / 6 % 60,
            at % 6 * 10 + numbers.below(10),
            if status == 200 { 900 + numbers.below(40_000) } else { 162 },
        );
    }
    out
}

/// A service's log: mostly routine lines, two failures with their traces.
pub(super) fn service(lines: usize) -> String {
    let mut numbers = Numbers::new(12);
    let mut out = String::new();
    for at in 0..lines {
        let time = format!("2026-03-12 09:{:02}:{:02},{:03}", at / 60 % 60, at % 60, numbers.below(1000));
        let _ = match at {
            700 => writeln!(
                out,
                "{time} ERROR shop.pay: charging order 8812 failed\nTraceback (most recent call last):\n  File \"/srv/shop/pay.py\", line 71, in charge\n    token = order.card[\"token\"]\nKeyError: 'token'"
            ),
            1100 => writeln!(out, "{time} WARNING shop.stock: slow query (2140 ms): select sku from stock"),
            1301 => writeln!(out, "{time} ERROR shop.mail: connection to mail.example.org refused"),
            _ => writeln!(
                out,
                "{time} INFO shop.web: GET /{} 200 in {} ms",
                numbers.of(&["cart", "catalog", "orders", "session"]),
                numbers.below(90) + 2
            ),
        };
    }
    out
}

/// A run of `cargo test` over a large crate with three failures.
pub(super) fn cargo_suite(tests: usize) -> String {
    let mut numbers = Numbers::new(13);
    let mut out = String::from(
        "   Compiling harbour v0.4.0 (/home/ana/harbour)\n    Finished `test` profile [unoptimized + debuginfo] target(s) in 21.40s\n     Running unittests src/lib.rs (target/debug/deps/harbour-1f0c2d9be1a4c07d)\n\n",
    );
    let _ = writeln!(out, "running {tests} tests");
    let rooms = ["berth", "lock", "tide", "pilot", "crane", "customs"];
    let acts = ["opens", "closes", "counts", "refuses_twice", "keeps_order", "survives_restart", "rounds"];
    let failed = [
        (811, "tide::tests::turns_at_midnight"),
        (2044, "customs::tests::sums_duties"),
        (3999, "lock::tests::fills"),
    ];
    for at in 0..tests {
        let _ = match failed.iter().find(|(place, _)| *place == at) {
            Some((_, name)) => writeln!(out, "test {name} ... FAILED"),
            None => writeln!(out, "test {}::tests::{}_{at} ... ok", numbers.of(&rooms), numbers.of(&acts)),
        };
    }
    out.push_str("\nfailures:\n\n");
    for (line, (_, name)) in failed.iter().enumerate() {
        let file = name.split("::").next().unwrap_or("lib");
        let _ = writeln!(
            out,
            "---- {name} stdout ----\n\nthread '{name}' panicked at src/{file}.rs:{}:9:\nassertion `left == right` failed: {file} differs\n  left: {}\n right: {}\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
            140 + line * 31,
            17 + line,
            18 + line
        );
    }
    out.push_str("\nfailures:\n");
    failed.iter().for_each(|(_, name)| out.push_str(&format!("    {name}\n")));
    let _ = writeln!(
        out,
        "\ntest result: FAILED. {} passed; 3 failed; 0 ignored; 0 measured; 0 filtered out; finished in 6.71s\n\nerror: test failed, to rerun pass `--lib`",
        tests - 3
    );
    out
}
