//! Hints as an agent receives them, and when there are none, in a small indexed project.

use agents::{Event, Output};
use code::Options;
use home::{Env, Home, Settings};
use serde_json::json;
use system::ReadRules;

use super::*;

mod caps;
mod checker_results;
mod constructors;
mod edited_heads;
mod large;
mod members;
mod removed;
mod searches;

/// One file of each kind: a definition, its callers, a test, a function worth repeating, and enough files for a map.
const FILES: &[(&str, &str)] = &[
    (
        "src/cart.ts",
        "export function cartTotal(items: number[]): number {\n  let sum = 0;\n  for (const item of items) {\n    sum += item;\n  }\n  return sum;\n}\n\nfunction onlyHere() {\n  return 1;\n}\n",
    ),
    (
        "src/checkout.ts",
        "import { cartTotal } from './cart';\n\nexport function checkout(items: number[]) {\n  return cartTotal(items) * 2;\n}\n",
    ),
    (
        "src/report.ts",
        "import { cartTotal } from './cart';\n\nexport const report = (items: number[]) => `sum ${cartTotal(items)}`;\n",
    ),
    ("test/cart.test.ts", "import { cartTotal } from '../src/cart';\n\ntest('sum', () => cartTotal([1]));\n"),
    ("src/secret.ts", "import { cartTotal } from './cart';\n\nexport const hidden = cartTotal([7]);\n"),
    (
        "src/path.ts",
        "/** Tidies a path. */\nexport function normalisePath(path: string): string {\n  const parts: string[] = [];\n  for (const part of path.split('/')) {\n    if (part === '..') {\n      parts.pop();\n    } else if (part !== '.' && part !== '') {\n      parts.push(part);\n    }\n  }\n  return '/' + parts.join('/');\n}\n",
    ),
    ("src/a.ts", "export class Printer {\n  run() {\n    return 1;\n  }\n}\n"),
    ("src/b.ts", "export class Plotter {\n  run() {\n    return 2;\n  }\n}\n"),
    ("src/c.ts", "import { Printer } from './a';\n\nexport const c = new Printer().run();\n"),
    ("src/d.ts", "export const d = 4;\n"),
    ("src/e.ts", "export const e = 5;\n"),
    ("docs/note.md", "# Note\n\nThe cartTotal is explained here.\n"),
    ("README.md", "# Shop\n"),
];

struct World {
    dir: tempfile::TempDir,
    home: Home,
    settings: Settings,
    /// Files of this ending may not be read.
    denied: &'static str,
}

impl World {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let env = Env::for_test(dir.path());
        let home = Home::resolve(&env).unwrap();
        home.ensure().unwrap();
        let world = Self { dir, home, settings: Settings::default(), denied: "secret.ts" };
        std::fs::create_dir_all(world.root().join(".git")).unwrap();
        for (path, text) in FILES {
            world.write(path, text);
        }
        world.index();
        world
    }

    fn root(&self) -> PathBuf {
        dunce::canonicalize(self.dir.path()).unwrap().join("work/shop")
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn db(&self) -> PathBuf {
        self.home.project(&Project::at(&self.root()).unwrap()).join("code.db")
    }

    fn set(&mut self, settings: &str) {
        std::fs::write(self.home.root().join("settings.toml"), settings).unwrap();
        self.settings = Settings::load(&self.home).unwrap();
    }

    fn index(&self) {
        let db = self.db();
        home::private_dir(db.parent().unwrap()).unwrap();
        let mut store = Store::open(&db).unwrap();
        code::update(&mut store, &self.root(), &Options::default()).unwrap();
    }

    fn tell(&self, session: &str, kind: EventKind, tool: Option<ToolCall>) -> Option<ModelContext> {
        self.tell_as("claude-code", session, kind, tool)
    }

    fn tell_as(
        &self,
        agent: &'static str,
        session: &str,
        kind: EventKind,
        tool: Option<ToolCall>,
    ) -> Option<ModelContext> {
        // Subagents get hints too.
        self.context_of(&self.event(agent, session, kind, tool, true))
    }

    /// As the session's own agent, and not one of its subagents.
    fn tell_main(&self, session: &str, kind: EventKind) -> Option<ModelContext> {
        self.context_of(&self.event("claude-code", session, kind, None, false))
    }

    fn event(
        &self,
        agent: &'static str,
        session: &str,
        kind: EventKind,
        tool: Option<ToolCall>,
        subagent: bool,
    ) -> Event {
        Event {
            agent,
            raw_name: "x".into(),
            kind,
            session: Some(session.into()),
            cwd: Some(self.root()),
            project: None,
            tool,
            prompt: None,
            subagent,
            transcript: None,
            model: None,
            permission_mode: None,
        }
    }

    fn context_of(&self, event: &Event) -> Option<ModelContext> {
        let denied = self.denied;
        let readable = move || Readable::new(move |path| !path.to_string_lossy().ends_with(denied));
        tell(&PendingEvent {
            home: &self.home,
            event,
            settings: &self.settings,
            project: &self.root(),
            now_ms: 1,
            search: "mcp__plimsoll__search",
            guests: &[],
            readable: ReadRules(&readable),
        })
    }

    fn after(&self, kind: ToolKind, name: &str, input: Value, output: &str) -> Option<ModelContext> {
        self.after_in("s", kind, name, input, output)
    }

    fn after_in(
        &self,
        session: &str,
        kind: ToolKind,
        name: &str,
        input: Value,
        output: &str,
    ) -> Option<ModelContext> {
        let output =
            Output { text: output.into(), raw: Value::Null, failed: false, exit: None, full_in: None };
        let call = ToolCall { name: name.into(), kind, input, output: Some(output), id: None };
        let told = self.tell(session, EventKind::PostTool, Some(call));
        if let Some(told) = &told {
            assert!(told.text.len() <= MAX_BYTES, "{} bytes: {}", told.text.len(), told.text);
        }
        told
    }

    fn grep(&self, pattern: &str, output: &str) -> Option<String> {
        self.after(ToolKind::Grep, "Grep", json!({"pattern": pattern}), output).map(|told| told.text)
    }

    /// Edits a file as an agent does, and returns the hint.
    fn edit(&self, path: &str, old: &str, new: &str) -> Option<String> {
        let text = std::fs::read_to_string(self.root().join(path)).unwrap();
        assert!(text.contains(old), "{path} has no {old:?}");
        self.write(path, &text.replacen(old, new, 1));
        let input = json!({"file_path": path, "old_string": old, "new_string": new});
        self.after(ToolKind::Edit { path: path.into() }, "Edit", input, "ok").map(|told| told.text)
    }

    fn create(&self, path: &str, text: &str) -> Option<String> {
        self.write(path, text);
        let input = json!({"file_path": path, "content": text});
        self.after(ToolKind::Edit { path: path.into() }, "Write", input, "ok").map(|told| told.text)
    }
}

#[test]
fn editing_a_definition_names_its_users_elsewhere_once() {
    let world = World::new();
    let told = world.edit("src/cart.ts", "(items: number[])", "(items: number[], tax: number)").unwrap();
    assert!(told.starts_with("`cartTotal`, just edited in src/cart.ts"), "{told}");
    for place in ["src/checkout.ts:4", "src/report.ts:3", "test/cart.test.ts:3 (test)"] {
        assert!(told.contains(place), "{place}: {told}");
    }
    assert!(!told.contains("secret") && !told.contains("docs/note.md"), "{told}");
    assert!(told.ends_with("mcp__plimsoll__codebase with action references lists every use."), "{told}");
    assert_eq!(world.edit("src/cart.ts", "tax: number", "tax: bigint"), None, "once is enough");
}

#[test]
fn edits_count_inside_a_definition_and_not_beside_one() {
    let world = World::new();
    assert!(world.edit("src/cart.ts", "    sum += item;", "    sum += 2 * item;").is_some());
    assert_eq!(
        world.edit("src/cart.ts", "  return 1;", "  return 2;"),
        None,
        "nobody uses onlyHere elsewhere"
    );
    // Two classes have a `run`, and nothing here says which one is meant.
    assert_eq!(world.edit("src/a.ts", "    return 1;", "    return 3;"), None);
    assert_eq!(world.edit("README.md", "# Shop", "# A shop"), None);
}

#[test]
fn a_patch_is_an_edit_as_well() {
    let world = World::new();
    let patch = "*** Begin Patch\n*** Update File: src/cart.ts\n@@\n-export function cartTotal(items: number[]): number {\n+export function cartTotal(all: number[]): number {\n   let sum = 0;\n*** End Patch";
    let text = FILES[0].1.replacen("items", "all", 1);
    world.write("src/cart.ts", &text);
    let kind = ToolKind::Edit { path: "src/cart.ts".into() };
    let told = world.after(kind, "apply_patch", json!({"command": ["apply_patch", patch]}), "Done").unwrap();
    assert!(told.text.contains("src/checkout.ts:4") && told.ledger_name == "users", "{told:?}");
}

/// Codex reports nothing after a patch that its shell applies, so the hint comes before.
#[test]
fn a_shell_patch_of_codex_gets_its_hint_before_it_runs() {
    let world = World::new();
    let command = "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: src/cart.ts\n@@\n-  let sum = 0;\n+  let sum = 1;\n*** End Patch\nEOF\n";
    let before = |session: &str, agent: &'static str| {
        let kind = ToolKind::Shell { command: command.into() };
        let input = json!({"command": command});
        let call = ToolCall { name: "Bash".into(), kind, input, output: None, id: None };
        world.tell_as(agent, session, EventKind::PreTool, Some(call)).map(|told| told.text)
    };
    let told = before("a", "codex").unwrap();
    assert!(told.starts_with("`cartTotal`, which this edits in src/cart.ts"), "{told}");
    assert_eq!(before("b", "claude-code"), None);
}

#[test]
fn a_repeated_function_is_named_once() {
    let world = World::new();
    let copy = FILES[5].1.replace("normalisePath", "cleanPath");
    let told = world.create("src/clean.ts", &copy).unwrap();
    assert!(told.contains("repeats function `normalisePath` in src/path.ts:2"), "{told}");
    assert_eq!(world.create("src/clean.ts", &copy), None, "once is enough");
    let body = copy.trim_end();
    let told =
        world.edit("src/d.ts", "export const d = 4;", &format!("export const d = 4;\n\n{body}")).unwrap();
    assert!(told.contains("just written in src/d.ts"), "{told}");
    let other = "export function other(words: string[]): number {\n  const seen = new Set<string>();\n  for (const word of words) {\n    if (!seen.has(word)) {\n      seen.add(word.toLowerCase());\n    }\n  }\n  return seen.size + words.length;\n}\n";
    assert_eq!(world.create("src/other.ts", other), None);
    assert_eq!(world.create("test/clean.test.ts", &copy), None, "tests may repeat");
    // Existing text wasn't just written.
    let moved = format!(
        "{body}\n\nexport const one = 1;\nexport const two = 2;\nexport const three = 3;\nexport const four = 4;\nexport const five = 5;"
    );
    world.write("src/e.ts", &copy);
    assert_eq!(world.edit("src/e.ts", body, &moved), None);
}

#[test]
fn a_large_file_that_is_read_whole_gets_its_outline() {
    let world = World::new();
    let text: String = (0..900)
        .map(|n| format!("export function part{n}(value: number) {{\n  return value + {n} * 3;\n}}\n"))
        .collect();
    world.write("src/large.ts", &text);
    let read = |path: &str, partial: bool| {
        let kind = ToolKind::Read { path: path.into(), partial };
        world.after(kind, "Read", json!({"file_path": path}), "…").map(|told| told.text)
    };
    assert_eq!(read("src/large.ts", false), None, "not indexed yet");
    world.index();
    assert!(read("src/large.ts", false).unwrap().contains("\n1 function part0"));
    assert_eq!(read("src/large.ts", false), None, "once is enough");
    assert_eq!(read("src/large.ts", true), None);
    assert_eq!(read("src/cart.ts", false), None);
}

#[test]
fn the_beginning_of_a_session_names_the_map_where_there_is_one() {
    let world = World::new();
    let begins = |world: &World, session: &str, source: &str, subagent: bool| {
        let event = Event {
            agent: "codex",
            raw_name: "SessionStart".into(),
            kind: EventKind::SessionStart { source: Some(source.into()) },
            session: Some(session.into()),
            cwd: Some(world.root()),
            project: None,
            tool: None,
            prompt: None,
            subagent,
            transcript: None,
            model: None,
            permission_mode: None,
        };
        let readable = || Readable::everything();
        tell(&PendingEvent {
            home: &world.home,
            event: &event,
            settings: &world.settings,
            project: &world.root(),
            now_ms: 1,
            search: "plimsoll_search",
            guests: &[],
            readable: ReadRules(&readable),
        })
        .map(|told| told.text)
    };
    let told = begins(&world, "a", "startup", false).unwrap();
    assert!(
        told.len() <= 300 * BYTES_PER_TOKEN
            && told.contains("13 files")
            && told.contains("plimsoll_codebase"),
        "{told}"
    );
    assert!(told.contains("src/cart.ts 4"), "{told}");
    assert_eq!(begins(&world, "a", "startup", false), None);
    assert_eq!(begins(&world, "b", "resume", false), None);
    assert_eq!(begins(&world, "b", "fork", false), None);
    assert_eq!(begins(&world, "c", "startup", true), None);
    assert!(begins(&world, "a", "clear", false).is_some());
    std::fs::remove_dir_all(world.root().join("src")).unwrap();
    let told = begins(&world, "e", "startup", false).unwrap();
    assert!(!told.contains("src"), "the folder is gone: {told}");
    std::fs::remove_file(world.db()).unwrap();
    assert_eq!(begins(&world, "d", "startup", false), None);
}

#[test]
fn one_switch_turns_hints_off_and_unnamed_sessions_get_none() {
    let mut world = World::new();
    let asked = |world: &World, session: &str| {
        world.after_in(
            session,
            ToolKind::Grep,
            "Grep",
            json!({"pattern": "total_of_cart"}),
            "No matches found",
        )
    };
    assert!(asked(&world, "one").is_some());
    assert!(asked(&world, "two").is_some());
    assert_eq!(asked(&world, ""), None);
    std::fs::write(world.home.root().join("settings.toml"), "[codebase]\nautomatic = false\n").unwrap();
    world.settings = Settings::load(&world.home).unwrap();
    assert_eq!(asked(&world, "three"), None);
}
