//! Edits as agents make them: in part of a line, of a whole file, in files with other line ends, and of comments alone.

use super::*;

/// The beginning of an edit's hint, if there is one.
fn begins(told: Option<String>) -> String {
    told.unwrap_or_default().lines().next().unwrap_or_default().to_owned()
}

const TOLD: &str = "`cartTotal`, just edited in src/cart.ts, is used in other files:";

#[test]
fn edits_of_comments_and_layout_give_no_hint() {
    let world = World::new();
    for (old, new) in [
        ("  let sum = 0;", "  // Sums up.\n  let sum = 0;"),
        ("  // Sums up.", "  // Adds up."),
        ("    sum += item;", "      sum  +=  item;"),
        ("  return sum;\n", "\n  return sum; // all\n"),
    ] {
        assert_eq!(world.edit("src/cart.ts", old, new), None, "{new}");
    }
    assert_eq!(begins(world.edit("src/cart.ts", "sum  +=  item", "sum -= item")), TOLD);
}

#[test]
fn changing_part_of_a_head_edits_the_head() {
    for (old, new) in
        [("cartTotal(items: ", "cartSum(items: "), ("cartTotal", "cartSum"), ("(items: number[])", "()")]
    {
        let world = World::new();
        assert_eq!(begins(world.edit("src/cart.ts", old, new)), TOLD, "{new}");
    }
}

#[test]
fn overwriting_a_file_names_the_users_of_changed_heads() {
    let world = World::new();
    let text = FILES[0].1;
    assert_eq!(world.create("src/cart.ts", &format!("// The cart.\n{text}")), None);
    assert_eq!(begins(world.create("src/cart.ts", &text.replace("(items: ", "(tax: number, items: "))), TOLD);
}

#[test]
fn line_ends_of_windows_and_a_byte_order_mark_are_no_obstacle() {
    let (old, new) =
        ("(items: number[]): number {\n  let sum = 0;", "(items: number[]): bigint {\n  let sum = 1n;");
    for file in [FILES[0].1.replace('\n', "\r\n"), format!("\u{feff}{}", FILES[0].1)] {
        let world = World::new();
        world.write("src/cart.ts", &file);
        world.index();
        let ends = if file.contains('\r') { "\r\n" } else { "\n" };
        world.write("src/cart.ts", &file.replace(&old.replace('\n', ends), &new.replace('\n', ends)));
        let input = json!({"file_path": "src/cart.ts", "old_string": old, "new_string": new});
        let told = world.after(ToolKind::Edit { path: "src/cart.ts".into() }, "Edit", input, "ok");
        assert_eq!(begins(told.map(|told| told.text)), TOLD, "{ends:?}");
    }
}

#[test]
fn a_bare_constant_is_recognised_by_its_value() {
    let world = World::new();
    world.write("py/limits.py", "MOST_ITEMS = 3\n\n\ndef other():\n    return 1\n");
    world
        .write("py/shelf.py", "from limits import MOST_ITEMS\n\n\ndef fits(n):\n    return n < MOST_ITEMS\n");
    world.index();
    assert_eq!(world.edit("py/limits.py", "return 1", "return 2"), None, "beside it");
    let told = world.edit("py/limits.py", "MOST_ITEMS = 3", "MOST_ITEMS = 4").unwrap();
    assert!(told.starts_with("`MOST_ITEMS`") && told.contains("py/shelf.py:5"), "{told}");
}

#[test]
fn importers_of_a_removed_or_renamed_file_are_named() {
    for (line, to) in [
        ("*** Delete File: src/cart.ts", None),
        ("*** Update File: src/cart.ts\n*** Move to: src/bag.ts", Some("src/bag.ts")),
    ] {
        let world = World::new();
        let patch = format!("*** Begin Patch\n{line}\n*** End Patch");
        let apply = || {
            let kind = ToolKind::Edit { path: "src/cart.ts".into() };
            world.after(kind, "apply_patch", json!({"command": patch}), "Done").map(|told| told.text)
        };
        assert_eq!(apply(), None, "it's still there");
        std::fs::remove_file(world.root().join("src/cart.ts")).unwrap();
        to.into_iter().for_each(|to| world.write(to, FILES[0].1));
        // One of its importers was moved with it.
        world.write("src/report.ts", "import { cartTotal } from './bag';\n");
        let told = apply().unwrap();
        assert!(told.starts_with("src/cart.ts, just removed, is imported in other files:\n"), "{told}");
        assert!(told.contains("\nsrc/checkout.ts:1") && told.contains("\ntest/cart.test.ts:1"), "{told}");
        assert!(!told.contains("report") && !told.contains("secret"), "{told}");
        assert_eq!(apply(), None, "once is enough");
    }
}

#[test]
fn a_moved_module_is_missed_only_by_importers_of_its_file() {
    for (line, to) in [
        ("*** Update File: src/cart.ts\n*** Move to: src/cart.tsx", "src/cart.tsx"),
        ("*** Delete File: src/cart.ts", "src/cart/index.ts"),
    ] {
        let world = World::new();
        world.write("src/exact.ts", "import { cartTotal } from './cart.ts';\n\ncartTotal([]);\n");
        world.index();
        std::fs::remove_file(world.root().join("src/cart.ts")).unwrap();
        world.write(to, FILES[0].1);
        let patch = format!("*** Begin Patch\n{line}\n*** End Patch");
        let kind = ToolKind::Edit { path: "src/cart.ts".into() };
        let told = world.after(kind, "apply_patch", json!({"command": patch}), "Done").unwrap().text;
        assert!(told.contains("\nsrc/exact.ts:1") && !told.contains("checkout"), "{told}");
    }
}

#[test]
fn importers_are_named_after_a_command_as_after_a_patch() {
    let moves = |world: &World, from: &str, to: &str| {
        let to = world.root().join(to);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::rename(world.root().join(from), to).unwrap();
    };
    let run = |world: &World, command: &str| {
        let kind = ToolKind::Shell { command: command.into() };
        world.after(kind, "Bash", json!({"command": command}), "").map(|told| told.text)
    };
    for (command, from, to) in [
        ("rm src/cart.ts", "src/cart.ts", "../cart.ts"),
        ("git rm -q src/cart.ts", "src/cart.ts", "../cart.ts"),
        ("cd src && git mv cart.ts bag.ts", "src/cart.ts", "src/bag.ts"),
        ("mkdir -p lib && mv src/cart.ts lib", "src/cart.ts", "lib/cart.ts"),
        ("rm -r src/parts", "src/parts", "../parts"),
        ("git mv src/parts lib/parts", "src/parts", "lib/parts"),
    ] {
        let world = World::new();
        world.write("src/parts/knob.ts", "import { lid } from './lid';\n\nexport const knob = lid;\n");
        world.write("src/parts/lid.ts", "export const lid = 1;\n");
        world.write("src/pot.ts", "import { knob } from './parts/knob';\n\nexport const pot = knob;\n");
        world.index();
        assert_eq!(run(&world, command), None, "{command}: it's still there");
        moves(&world, from, to);
        let told = run(&world, command).unwrap();
        let (what, who) = match from {
            "src/parts" => ("src/parts/", "\nsrc/pot.ts:1"),
            _ => (from, "\nsrc/checkout.ts:1"),
        };
        let first = format!("{what}, just removed, is imported in other files:\n");
        assert!(told.starts_with(&first) && told.contains(who), "{command}: {told}");
        assert!(!told.contains("src/parts/knob.ts:"), "{command}: {told}");
        assert_eq!(run(&world, command), None, "{command}: once is enough");
    }
    // Its importers were changed with it.
    let world = World::new();
    moves(&world, "src/a.ts", "src/deep/a.ts");
    world.write("src/c.ts", "import { Printer } from './deep/a';\n\nexport const c = new Printer().run();\n");
    assert_eq!(run(&world, "git mv src/a.ts src/deep/a.ts"), None);
}
