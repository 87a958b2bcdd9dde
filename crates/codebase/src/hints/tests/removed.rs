//! Which importers are named after a command removed or moved files, and which aren't because they miss nothing.

use super::*;

fn run(world: &World, command: &str) -> Option<String> {
    let kind = ToolKind::Shell { command: command.into() };
    world.after(kind, "Bash", json!({"command": command}), "").map(|told| told.text)
}

fn remove(world: &World, path: &str) {
    std::fs::remove_file(world.root().join(path)).unwrap();
}

#[test]
fn a_go_package_is_missed_once_its_last_file_is_gone() {
    let world = World::new();
    world.write("go.mod", "module example.com/g\n");
    for name in ["http", "more", "http_test"] {
        world.write(&format!("http/{name}.go"), "package http\n\nfunc Serve() {}\n");
    }
    world.write("main.go", "package main\n\nimport \"example.com/g/http\"\n\nfunc main() { http.Serve() }\n");
    world.index();
    remove(&world, "http/http.go");
    assert_eq!(run(&world, "rm http/http.go"), None, "the other file makes the package");
    remove(&world, "http/more.go");
    let told = run(&world, "rm http/more.go").unwrap();
    assert_eq!(told, "http/more.go, just removed, is imported in other files:\nmain.go:3");
    std::fs::create_dir_all(world.root().join("web")).unwrap();
    std::fs::rename(world.root().join("http"), world.root().join("web/http")).unwrap();
    let told = run(&world, "mv http web/http").unwrap();
    assert_eq!(
        told, "http/, just removed, is imported in other files:\nmain.go:3",
        "its path is another one"
    );
}

#[test]
fn importers_changed_before_the_removal_miss_nothing() {
    let world = World::new();
    world.write("src/total.ts", "export const total = 1;\n");
    world.write("src/moved.ts", "import { total } from './total';\n\nexport const moved = total;\n");
    world.write("src/kept.ts", "import { total } from './total';\n\nexport const kept = total;\n");
    world.write("py/total.py", "total = 1\n");
    world.write("py/moved.py", "from total import total\n\nprint(total)\n");
    world.index();
    world.write("src/moved.ts", "import { total } from './cart';\n\nexport const moved = total + 1;\n");
    world.write("src/kept.ts", "import { total } from './total';\n\nexport const kept = total + 1;\n");
    world.write("py/moved.py", "from sums import total\n\nprint(total)\n");
    remove(&world, "src/total.ts");
    remove(&world, "py/total.py");
    let told = run(&world, "rm src/total.ts").unwrap();
    assert_eq!(told, "src/total.ts, just removed, is imported in other files:\nsrc/kept.ts:1");
    assert_eq!(run(&world, "rm py/total.py"), None);
}

#[test]
fn a_script_that_becomes_typescript_is_missed_by_scripts_alone() {
    let world = World::new();
    world.write("src/bag.js", "export const bag = 1;\n");
    world.write("src/typed.ts", "import { bag } from './bag.js';\n\nexport const typed = bag;\n");
    world.write("src/page.js", "import { bag } from './bag.js';\n\nexport const page = bag;\n");
    world.index();
    std::fs::rename(world.root().join("src/bag.js"), world.root().join("src/bag.ts")).unwrap();
    let told = run(&world, "git mv src/bag.js src/bag.ts").unwrap();
    assert_eq!(told, "src/bag.js, just removed, is imported in other files:\nsrc/page.js:1");
}

#[test]
fn a_command_is_understood_whichever_folder_an_agent_reports_with_it() {
    for reported in ["", "src"] {
        let world = World::new();
        std::fs::rename(world.root().join("src/cart.ts"), world.root().join("src/bag.ts")).unwrap();
        let command = "cd src && git mv cart.ts bag.ts";
        let output =
            Output { text: String::new(), raw: Value::Null, failed: false, exit: None, full_in: None };
        let call = ToolCall {
            name: "Bash".into(),
            kind: ToolKind::Shell { command: command.into() },
            input: json!({"command": command}),
            output: Some(output),
            id: None,
        };
        let mut event = world.event("claude-code", "s", EventKind::PostTool, Some(call), true);
        event.cwd = Some(world.root().join(reported));
        let told = world.context_of(&event).unwrap().text;
        assert!(told.starts_with("src/cart.ts, just removed, is imported in other files:\n"), "{told}");
        assert!(told.contains("\nsrc/checkout.ts:1"), "{told}");
    }
}
