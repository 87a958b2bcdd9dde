//! Tables and lists: rows, issues, requests of a browser, its page as a tree, tools of a server.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::Numbers;

const GOODS: &[&str] = &["tea", "rope", "lantern", "anchor", "compass", "flag", "chart", "buoy"];

/// Orders, three of them charged back.
pub(super) fn csv(rows: usize) -> String {
    let mut numbers = Numbers::new(21);
    let mut out = String::from("id,date,customer,country,sku,quantity,unit_price,status,note\n");
    for at in 0..rows {
        let (status, note) = match at {
            311 | 702 | 1_190 => ("refunded", "chargeback"),
            _ => (numbers.of(&["paid", "shipped", "delivered"]), ""),
        };
        let _ = writeln!(
            out,
            "{},2026-{:02}-{:02},customer-{:04},{},{}-{},{},{}.{:02},{status},{note}",
            50_000 + at,
            1 + at / 450,
            1 + at / 15 % 28,
            numbers.below(2_000),
            numbers.of(&["DE", "FR", "NL", "PL", "SE"]),
            numbers.of(GOODS),
            numbers.below(90) + 10,
            numbers.below(9) + 1,
            numbers.below(80) + 3,
            numbers.below(100),
        );
    }
    out
}

/// Issues of a project as the hosting service's program prints them in JSON.
pub(super) fn issues(count: usize) -> String {
    let mut numbers = Numbers::new(22);
    let issue = |at: usize, numbers: &mut Numbers| {
        let (title, labels) = match at {
            9 => ("Sign-in times out in Safari after two minutes".to_owned(), vec!["bug", "sign-in"]),
            41 => ("Sign-in times out behind a proxy".to_owned(), vec!["bug", "sign-in", "network"]),
            _ => (
                format!(
                    "{} {} is {}",
                    numbers.of(&["The", "A"]),
                    numbers.of(GOODS),
                    numbers.of(&["misaligned", "too slow to load", "shown twice", "missing in print"])
                ),
                vec![numbers.of(&["bug", "question", "docs"])],
            ),
        };
        let steps: Vec<String> = (0..9)
            .map(|_| {
                format!(
                    "Open the {} page and choose the {} in the {} list.",
                    numbers.of(GOODS),
                    numbers.of(GOODS),
                    numbers.of(&["first", "second", "last"])
                )
            })
            .collect();
        json!({
            "number": 1_400 - at * 3,
            "title": title,
            "state": if at % 5 == 4 { "CLOSED" } else { "OPEN" },
            "author": {"login": numbers.of(&["ana", "omar", "dana", "li"])},
            "labels": labels.iter().map(|name| json!({"name": name, "color": "d73a4a"})).collect::<Vec<_>>(),
            "createdAt": format!("2026-02-{:02}T{:02}:15:00Z", 1 + at % 28, at % 24),
            "comments": numbers.below(12),
            "url": format!("https://git.example.org/ana/shop/issues/{}", 1_400 - at * 3),
            "body": format!("What happened\n\n{}\n\nExpected: one row. Seen: {}.\n\nVersion 1.4.{}, Linux.", steps.join("\n"), numbers.of(&["two rows", "none", "an empty page"]), at % 9),
        })
    };
    let all: Vec<Value> = (0..count).map(|at| issue(at, &mut numbers)).collect();
    json!(all).to_string() + "\n"
}

/// Open pull requests, one a line.
pub(super) fn pull_requests(count: usize) -> String {
    let mut numbers = Numbers::new(23);
    let mut out = String::new();
    for at in 0..count {
        let title = if at == 33 {
            "Retry the payment once when the bank times out".to_owned()
        } else {
            format!(
                "{} the {} of the {}",
                numbers.of(&["Fix", "Move", "Speed up", "Test"]),
                numbers.of(&["layout", "index", "cache", "total"]),
                numbers.of(GOODS)
            )
        };
        let _ = writeln!(
            out,
            "{}\t{title}\t{}/{}-{at}\t{}\t2026-03-{:02}T{:02}:40:11Z",
            910 - at,
            numbers.of(&["ana", "omar", "dana"]),
            numbers.of(GOODS),
            if at % 7 == 3 { "DRAFT" } else { "OPEN" },
            1 + at % 12,
            at % 24
        );
    }
    out
}

/// A page's network requests; short enough to be read unshortened.
pub(super) fn network() -> String {
    "[GET] https://shop.example.org/ => [200] OK\n[GET] https://shop.example.org/assets/app.css => [200] OK\n[GET] https://shop.example.org/assets/app.js => [200] OK\n[GET] https://shop.example.org/api/session => [401] Unauthorized\n[POST] https://shop.example.org/api/checkout => [500] Internal Server Error\n[GET] https://shop.example.org/favicon.ico => [404] Not Found\n".to_owned()
}

/// A page as a browser's tree of roles, as a browser tool gives it.
pub(super) fn snapshot(cards: usize) -> String {
    let mut numbers = Numbers::new(24);
    let mut at = 2;
    let mut next = || {
        at += 1;
        at
    };
    let mut out = format!(
        "- Page URL: https://shop.example.org/checkout\n- Page Title: Checkout\n- Page Snapshot:\n- generic [ref=e2]:\n  - banner [ref=e{}]:\n    - heading \"Checkout\" [level=1] [ref=e{}]\n  - main [ref=e{}]:\n",
        next(),
        next(),
        next()
    );
    for card in 0..cards {
        if card == cards / 2 {
            let _ =
                writeln!(out, "    - alert [ref=e{}]: The card was declined by the bank (code 51)", next());
        }
        let good = numbers.of(GOODS);
        let _ = writeln!(
            out,
            "    - listitem [ref=e{}]:\n      - link \"{good} {card}\" [ref=e{}] [cursor=pointer]:\n        - /url: /catalog/{good}-{card}\n      - text: {}.{:02} EUR",
            next(),
            next(),
            numbers.below(90),
            numbers.below(100)
        );
    }
    let _ = writeln!(
        out,
        "  - contentinfo [ref=e{}]:\n    - textbox \"Card number\" [ref=e{}]\n    - button \"Pay now\" [ref=e{}] [cursor=pointer]",
        next(),
        next(),
        next()
    );
    out
}

/// The tools of a large MCP server.
pub(super) fn tool_list(count: usize) -> String {
    let mut numbers = Numbers::new(25);
    let verbs = ["list", "get", "create", "update", "close"];
    let things = ["branch", "commit", "release", "label", "milestone", "review", "check", "secret"];
    let tool = |at: usize, numbers: &mut Numbers| {
        let verb = if at == 23 { "delete" } else { verbs[at % verbs.len()] };
        let thing = if at == 23 { "branch" } else { things[at / verbs.len() % things.len()] };
        let extra = numbers.of(&["page", "per_page", "sort", "state"]);
        json!({
            "name": format!("{verb}_{thing}"),
            "description": format!("Calls the hosting service to {verb} a {thing} of a repository. {}", if at == 23 { "Refuses protected branches unless force is true." } else { "The answer has at most a hundred entries." }),
            "inputSchema": {"type": "object", "required": ["owner", "repo"], "properties": {
                "owner": {"type": "string", "description": "Who owns the repository"},
                "repo": {"type": "string", "description": "Its name without the owner"},
                extra: {"type": "string", "description": format!("How the {thing}s are {extra}d")},
            }}
        })
    };
    let tools: Vec<Value> = (0..count).map(|at| tool(at, &mut numbers)).collect();
    json!({ "tools": tools }).to_string() + "\n"
}
