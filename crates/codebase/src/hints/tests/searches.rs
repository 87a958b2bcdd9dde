//! Which places a hint after a search names, and in which project.

use super::*;

#[test]
fn a_place_is_the_searched_definition_and_not_the_files_first() {
    let world = World::new();
    world.write(
        "src/bill.ts",
        "export class Bill {\n  lines = [];\n}\n\nexport function invoiceDiscount(price: number) {\n  return price / 10;\n}\n",
    );
    world.write(
        "src/pay.ts",
        "import { invoiceDiscount } from './bill';\n\nexport const pay = () => invoiceDiscount(3);\n",
    );
    world.index();
    let told = world.grep("discount_of_invoice", "No matches found").unwrap();
    assert!(told.contains("\nsrc/bill.ts:5 function invoiceDiscount"), "{told}");
    // It only has the `of`.
    assert!(!told.contains("src/path.ts"), "{told}");
}

#[test]
fn a_failed_search_gives_no_hint() {
    let world = World::new();
    let output = Output {
        text: String::new(),
        raw: json!({"error": "regex parse error: unclosed group"}),
        failed: false,
        exit: None,
        full_in: None,
    };
    let input = json!({"pattern": "total_of_cart("});
    let call = ToolCall { name: "Grep".into(), kind: ToolKind::Grep, input, output: Some(output), id: None };
    assert_eq!(world.tell("s", EventKind::PostTool, Some(call)).map(|told| told.text), None);
}

/// It has printed nothing yet, so its hits are unknown.
#[test]
fn a_background_search_gets_no_hint() {
    let world = World::new();
    let told = |name: &str, raw: Value| {
        let output = Output { text: String::new(), raw, failed: false, exit: None, full_in: None };
        let command = "rg total_of_cart";
        let call = ToolCall {
            name: name.into(),
            kind: ToolKind::Shell { command: command.into() },
            input: json!({"command": command}),
            output: Some(output),
            id: None,
        };
        world.tell("s", EventKind::PostTool, Some(call)).map(|told| told.text)
    };
    assert_eq!(told("Bash", json!({"stdout": "", "stderr": "", "backgroundTaskId": "b1"})), None);
    assert_eq!(told("Monitor", json!({"taskId": "b2", "timeoutMs": 300_000})), None);
    let text = told("Bash", json!({"stdout": "", "stderr": ""})).unwrap();
    assert!(text.starts_with("No hits for `total_of_cart`"), "{text}");
}

#[test]
fn a_session_in_a_folder_of_the_project_has_its_index() {
    let world = World::new();
    let told = |session: &str, project: &Path| {
        let output = Output {
            text: "No matches found".into(),
            raw: Value::Null,
            failed: false,
            exit: None,
            full_in: None,
        };
        let input = json!({"pattern": "total_of_cart"});
        let call =
            ToolCall { name: "Grep".into(), kind: ToolKind::Grep, input, output: Some(output), id: None };
        let mut event = world.event("claude-code", session, EventKind::PostTool, Some(call), false);
        event.cwd = Some(project.to_owned());
        let readable = || Readable::everything();
        tell(&PendingEvent {
            home: &world.home,
            event: &event,
            settings: &world.settings,
            project,
            now_ms: 1,
            search: "mcp__plimsoll__search",
            guests: &[],
            readable: ReadRules(&readable),
        })
        .map(|told| told.text)
    };
    let below = world.root().join("src");
    assert!(told("a", &below).unwrap().contains("src/cart.ts:1 function cartTotal"));
    assert_eq!(told("b", world.root().parent().unwrap()), None, "above it");
    std::fs::create_dir_all(below.join(".git")).unwrap();
    assert_eq!(told("c", &below), None, "a repository of its own");
}

#[test]
fn a_search_without_hits_gets_the_ranked_places_once() {
    let world = World::new();
    let told = world.grep(r"total_of_cart\(", "No matches found").unwrap();
    assert!(told.starts_with("No hits for `total_of_cart\\(`"), "{told}");
    assert!(told.contains("src/cart.ts:1 function cartTotal"), "{told}");
    assert!(!told.contains("secret.ts"), "{told}");
    assert_eq!(world.grep(r"total_of_cart\(", "No matches found"), None);
    let shell = ToolKind::Shell { command: "rg cart_total".into() };
    let told = world.after(shell, "Bash", json!({"command": "rg cart_total"}), "").unwrap();
    assert!(told.text.contains("src/cart.ts:1") && told.ledger_name == "hits", "{told:?}");
}

#[test]
fn a_search_with_too_many_hits_gets_places_and_others_do_not() {
    let world = World::new();
    let hits = |count: usize| "src/x.ts:1:cartTotal\n".repeat(count);
    let told = world.grep("cartTotal", &hits(101)).unwrap();
    assert!(told.starts_with("101 hits for `cartTotal`"), "{told}");
    for (pattern, output) in [
        ("cartTotal", hits(100)),
        ("cartTotal", hits(1)),
        ("import", hits(300)),
        ("zebra_unknown_word", String::new()),
        ("xx", String::new()),
    ] {
        assert_eq!(world.grep(pattern, &output), None, "{pattern}");
    }
}

#[test]
fn places_that_changed_since_are_not_named() {
    let world = World::new();
    world.write("src/cart.ts", "export function other() {}\n");
    let told = world.grep("total_of_cart", "No matches found").unwrap_or_default();
    assert!(!told.contains("src/cart.ts"), "{told}");
}
