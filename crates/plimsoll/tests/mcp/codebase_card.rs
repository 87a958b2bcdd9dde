//! The decision card of the tool `codebase`: whether enough is known, what a change reaches, and an example.

use serde_json::{Value, json};

use crate::client::Client;
use crate::codebase::{asked, place};

#[test]
fn the_card_says_whether_enough_is_known() {
    let place = place();
    let mut client = place.session();
    let answer = asked(&mut client, "codebase", &json!({"action": "card", "symbol": "readConfig"}));
    let card = &answer["preflight"];
    assert_eq!(card["ready"], true, "{answer}");
    assert_eq!(card["impact"]["coverage"], "2/2 callers in results", "{answer}");
    assert_eq!(card["impact"]["details"][0]["line"], 1, "{answer}");
    // A question in words means the definition whose name has these words.
    let answer = asked(
        &mut client,
        "codebase",
        &json!({"action": "card", "query": "read config", "mode": "full", "max_tokens": 8000}),
    );
    assert_eq!(
        answer["preflight"]["definition"],
        json!({"name": "readConfig", "file": "src/config.ts", "line": 4}),
        "{answer}"
    );
    let answer = asked(&mut client, "search_codebase", &json!({"query": "ListenForever", "intent": "edit"}));
    assert_eq!(answer["preflight"]["ready"], true, "nobody calls it: {answer}");
    let answer = asked(
        &mut client,
        "codebase",
        &json!({"action": "card", "query": "quantum teleportation of llamas"}),
    );
    assert_eq!(
        (&answer["preflight"]["ready"], &answer["preflight"]["abstain"]),
        (&json!(false), &json!(true)),
        "{answer}"
    );
}

#[test]
fn the_card_names_the_line_at_which_each_file_is_reached() {
    let place = place();
    place.write("work/ship/src/start.ts", "// Starts it.\nimport { main } from './app';\n\nmain();\n");
    // Files of one package of Go see each other's names without an import.
    place
        .write("work/ship/net/client.go", "package net\n\nfunc Dial() int {\n\treturn ListenForever(1)\n}\n");
    place.write(
        "work/ship/net/server_test.go",
        "package net\n\nimport \"testing\"\n\nfunc TestListens(t *testing.T) {\n\tif ListenForever(2) != 2 {\n\t\tt.Fatal()\n\t}\n}\n",
    );
    for (path, text) in [
        ("tax.h", "int compute_tax(int a);\n"),
        ("tax.c", "#include \"tax.h\"\n\nint compute_tax(int a) {\n  return a * 2;\n}\n"),
        ("cart.h", "int total(int a);\n"),
        (
            "cart.c",
            "#include \"cart.h\"\n#include \"tax.h\"\n\nint total(int a) {\n  return compute_tax(a);\n}\n",
        ),
        ("main.c", "#include \"cart.h\"\n\nint main(void) {\n  return total(1);\n}\n"),
        ("test_tax.c", "#include \"tax.h\"\n\nint main(void) {\n  return compute_tax(1) - 2;\n}\n"),
    ] {
        place.write(&format!("work/ship/c/{path}"), text);
    }
    let mut client = place.session();
    let details = |client: &mut Client, symbol: &str| -> Vec<(u64, String, Option<u64>)> {
        let asking = json!({"action": "card", "symbol": symbol, "max_tokens": 8000});
        let answer = asked(client, "codebase", &asking);
        let all = answer["preflight"]["impact"]["details"].as_array().expect("details");
        let told = |one: &Value| {
            let file = one["file"].as_str().expect("a file").to_owned();
            (one["hop"].as_u64().expect("a hop"), file, one["line"].as_u64())
        };
        all.iter().map(told).collect()
    };
    let reached = details(&mut client, "readConfig");
    for expected in [
        (1, "src/app.ts".to_owned(), Some(1)),
        (1, "src/router.ts".to_owned(), Some(1)),
        (2, "src/start.ts".to_owned(), Some(2)),
    ] {
        assert!(reached.contains(&expected), "{expected:?}: {reached:?}");
    }
    assert!(reached.iter().all(|(.., line)| line.is_some()), "{reached:?}");
    // An include names a header, not the file that implements it.
    let reached = details(&mut client, "compute_tax");
    for expected in [
        (1, "c/cart.c".to_owned(), Some(5)),
        (1, "c/test_tax.c".to_owned(), Some(4)),
        (2, "c/main.c".to_owned(), Some(1)),
    ] {
        assert!(reached.contains(&expected), "{expected:?}: {reached:?}");
    }
    let reached = details(&mut client, "ListenForever");
    for expected in [(1, "net/client.go".to_owned(), Some(4)), (1, "net/server_test.go".to_owned(), Some(6))]
    {
        assert!(reached.contains(&expected), "{expected:?}: {reached:?}");
    }
}

#[test]
fn the_card_shows_an_example_of_the_area_and_the_health_of_the_file() {
    let place = place();
    let example = "import logging\nimport requests\n\n\ndef used():\n    logging.info(requests.get('a'))\n";
    place.write("work/ship/shop/pay/charge.py", example);
    place.write("work/ship/port/send.py", example);
    place.write("work/ship/shop/pay/refund.py", "def refund_order(order):\n    return order\n");
    let long = format!("def track_parcel(parcel):\n    return parcel\n{}", "# one more line\n".repeat(1_100));
    place.write("work/ship/port/track.py", &long);
    let mut client = place.session();
    let mut card = |symbol: &str| {
        let answer = asked(&mut client, "codebase", &json!({"action": "card", "symbol": symbol}));
        answer["preflight"].clone()
    };
    let refund = card("refund_order");
    assert_eq!(refund["bestExample"], "shop/pay/charge.py", "{refund}");
    let reasons = refund["health"]["reasons"].to_string();
    assert!(reasons.contains("refund_order (line 1)") && !reasons.contains("lines"), "{refund}");
    let track = card("track_parcel");
    assert_eq!(track["bestExample"], "port/send.py", "{track}");
    assert_eq!(track["health"]["file"], "port/track.py", "{track}");
    assert!(track["health"]["reasons"][0].as_str().is_some_and(|text| text.ends_with(" lines")), "{track}");
}

#[test]
fn a_card_is_about_the_definition_that_is_meant_among_several_of_its_name() {
    let place = place();
    place.write("work/ship/a/one.ts", "export function paint(x: number) {\n  return x;\n}\n");
    place.write("work/ship/b/two.ts", "export function paint(x: string) {\n  return x;\n}\n");
    place.write("work/ship/b/use.ts", "import { paint } from './two';\n\nexport const page = paint('x');\n");
    place.write(
        "work/ship/b/two.test.ts",
        "import { paint } from './two';\n\ntest('paints', () => paint('x'));\n",
    );
    place.write("work/ship/src/purse.ts", "export class Purse {}\n");
    place.write("work/ship/vendor/lib/purse.js", "export class Purse {}\n");
    place.write("work/ship/src/tint.d.ts", "export declare function tint(x: number): number;\n");
    place.write("work/ship/src/tint.js", "export function tint(x) {\n  return x;\n}\n");
    place.write("work/ship/src/page.ts", "import { tint } from './tint';\n\nexport const page = tint(7);\n");
    let mut client = place.session();
    let mut card = |asking: Value| asked(&mut client, "codebase", &asking)["preflight"].clone();
    let either = card(json!({"action": "card", "symbol": "paint", "mode": "full"}));
    assert_eq!(
        (&either["ready"], &either["definition"]["file"], &either["nextAction"]),
        (
            &json!(false),
            &json!("a/one.ts"),
            &json!(
                "1 other definition is called paint (b/two.ts): ask again with the file that is meant as the scope"
            )
        ),
        "{either}"
    );
    let first = card(json!({"action": "card", "symbol": "paint", "scope": "a/one.ts", "mode": "full"}));
    assert_eq!(first["definition"]["file"], "a/one.ts", "{first}");
    assert_eq!(first["impact"]["coverage"], "0/0 callers in results", "{first}");
    let second = card(json!({"action": "card", "symbol": "paint", "scope": "b", "mode": "full"}));
    assert_eq!(
        (&second["ready"], &second["definition"]["file"], &second["impact"]["coverage"]),
        (&json!(true), &json!("b/two.ts"), &json!("1/1 callers in results")),
        "{second}"
    );
    // What is copied into the project is nobody's to change.
    let own = card(json!({"action": "card", "symbol": "Purse", "mode": "full"}));
    assert_eq!((&own["ready"], &own["definition"]["file"]), (&json!(true), &json!("src/purse.ts")), "{own}");
    // The types beside a file are those of its code.
    let typed = card(json!({"action": "card", "symbol": "tint", "mode": "full"}));
    assert_eq!(
        (&typed["definition"]["file"], &typed["impact"]["coverage"]),
        (&json!("src/tint.js"), &json!("1/1 callers in results")),
        "{typed}"
    );
    let types = card(json!({"action": "card", "symbol": "tint", "scope": "src/tint.d.ts", "mode": "full"}));
    assert_eq!(types["impact"]["coverage"], "0/1 callers in results", "{types}");
}
