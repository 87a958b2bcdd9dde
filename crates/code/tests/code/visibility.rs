//! What a bare name means, depending on where it is: Swift modules, PHP namespaces, nesting in Ruby, C++ template
//! bases.

use plimsoll_code::refs::{Confidence, callers, implementations, references};

use crate::common::Project;

/// `path:line` of every resolved use of a name.
fn resolved(project: &Project, name: &str) -> Vec<String> {
    let (store, reader) = project.indexed();
    let found = references(&store, &reader, &project.root(), name).unwrap();
    let sure = found.uses.iter().filter(|u| u.confidence == Confidence::Resolved);
    sure.map(|u| format!("{}:{}", u.path, u.line)).collect()
}

/// The subtypes of a name, with their confidence.
fn made_from(project: &Project, name: &str) -> Vec<String> {
    let (store, reader) = project.indexed();
    let found = implementations(&store, &reader, &project.root(), name).unwrap();
    found.implementations.iter().map(|one| format!("{} {:?}", one.name, one.confidence)).collect()
}

#[test]
fn a_swift_module_is_visible_in_its_folders_and_to_its_importers() {
    let project = Project::new(&[
        ("Sources/Net/Usage/Help.swift", "struct Help {}\n"),
        ("Sources/Net/Parsable Types/Command.swift", "func show() { _ = Help() }\n"),
        ("Tests/NetTests/HelpTests.swift", "@testable import Net\nfunc testHelp() { _ = Help() }\n"),
        ("Sources/Other/Show.swift", "func other() { _ = Help() }\n"),
    ]);
    assert_eq!(
        resolved(&project, "Help"),
        ["Sources/Net/Parsable Types/Command.swift:1", "Tests/NetTests/HelpTests.swift:2"]
    );
}

#[test]
fn a_swift_module_may_have_folders_in_source() {
    let project = Project::new(&[
        ("Source/Core/Help.swift", "struct Help {}\n"),
        ("Source/Features/Command.swift", "func show() { _ = Help() }\n"),
        ("Tests/HelpTests.swift", "@testable import Shop\nfunc testHelp() { _ = Help() }\n"),
        ("Example/App.swift", "import Shop\nfunc example() { _ = Help() }\n"),
    ]);
    assert_eq!(resolved(&project, "Help"), ["Source/Features/Command.swift:1", "Tests/HelpTests.swift:2"]);
}

#[test]
fn an_objects_members_can_be_imported_from_any_folder() {
    let project = Project::new(&[
        ("src/a/Model.scala", "package a\nobject Pack {\n  object Zip\n  def wrap(x: Int) = x\n}\n"),
        ("src/b/Use.scala", "package b\nimport a.Pack._\nclass Use { val z = Seq(Zip); def w = wrap(1) }\n"),
        ("src/b/One.scala", "package b\nimport a.Pack.wrap\nclass One { def w = wrap(1) }\n"),
        ("src/b/No.scala", "package b\nimport c.Pack._\nclass No { def w = wrap(1) }\n"),
        ("src/k/Modes.kt", "package k\nenum class Mode { FAST, SLOW }\n"),
        ("src/l/Use.kt", "package l\nimport k.Mode.*\nfun use() = FAST\n"),
        ("src/l/One.kt", "package l\nimport k.Mode.SLOW\nfun one() = SLOW\n"),
    ]);
    assert_eq!(resolved(&project, "Zip"), ["src/b/Use.scala:3"]);
    assert_eq!(resolved(&project, "wrap"), ["src/b/One.scala:2", "src/b/One.scala:3", "src/b/Use.scala:3"]);
    assert_eq!(resolved(&project, "FAST"), ["src/l/Use.kt:3"]);
    assert_eq!(resolved(&project, "SLOW"), ["src/l/One.kt:2", "src/l/One.kt:3"]);
}

#[test]
fn folders_in_sources_may_be_one_swift_module() {
    let project = Project::new(&[
        ("Sources/Cache/Help.swift", "struct Help {}\n"),
        ("Sources/General/Use.swift", "func use() { _ = Help() }\n"),
    ]);
    let (store, reader) = project.indexed();
    let found = references(&store, &reader, &project.root(), "Help").unwrap();
    let told: Vec<_> = found.uses.iter().map(|one| (one.path.as_str(), one.confidence)).collect();
    assert_eq!(told, [("Sources/General/Use.swift", Confidence::InScope)]);
}

#[test]
fn a_name_may_be_qualified_by_its_package() {
    let project = Project::new(&[
        ("src/main/scala/a/b/Session.scala", "package a.b\n\nclass Session(x: Int)\n"),
        (
            "src/test/scala/UseTest.scala",
            "object UseTest {\n  val s = a.b.Session(1)\n  val t = c.Session(1)\n}\n",
        ),
    ]);
    assert_eq!(resolved(&project, "Session"), ["src/test/scala/UseTest.scala:2"]);
}

#[test]
fn a_php_namespace_is_visible_in_its_folder() {
    let project = Project::new(&[
        ("src/Http/Strategy.php", "<?php\nnamespace App\\Http;\ninterface Strategy {}\n"),
        ("src/Http/Handler.php", "<?php\nnamespace App\\Http;\ninterface Handler extends Strategy {}\n"),
        ("src/Http/Plain.php", "<?php\nnamespace App\\Http;\nclass Plain implements Handler {}\n"),
    ]);
    assert_eq!(made_from(&project, "Strategy"), ["Handler Resolved", "Plain Resolved"]);
}

#[test]
fn a_ruby_constant_is_searched_in_the_enclosing_modules() {
    let project = Project::new(&[
        ("lib/a.rb", "class Shop\n  module Actions\n    class Empty; end\n  end\nend\n"),
        ("lib/b.rb", "class Shop\n  module Actions\n    class Create < Empty; end\n  end\nend\n"),
        ("lib/c.rb", "module Elsewhere\n  class Lost < Empty; end\nend\n"),
    ]);
    assert_eq!(made_from(&project, "Empty"), ["Create Resolved", "Lost Textual"]);
}

#[test]
fn a_template_with_constructors_is_still_a_base() {
    let project = Project::new(&[
        (
            "walker.h",
            "template<typename T> class Regexp::Walker {\n public:\n  Walker();\n  Walker(const Walker&) = delete;\n};\n",
        ),
        ("use.cc", "#include \"walker.h\"\nclass Counter : public Regexp::Walker<int> {\n};\n"),
    ]);
    let found = made_from(&project, "Walker");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("Counter"), "{found:?}");
}

#[test]
fn a_chained_call_may_be_a_method_or_its_overrides() {
    let project = Project::new(&[
        ("Core/ISelector.cs", "namespace Core { public interface ISelector { bool Fits(int x); } }\n"),
        (
            "Core/Named.cs",
            "namespace Core { public class Named : ISelector { public bool Fits(int x) => true; } }\n",
        ),
        (
            "Rules/Rule.cs",
            "namespace Rules { class Rule { void Run(Context c) { if (!c.Selector.Fits(1)) return; } } }\n",
        ),
    ]);
    let (store, reader) = project.indexed();
    let found = callers(&store, &reader, &project.root(), "Fits").unwrap();
    let told: Vec<String> =
        found.callers.iter().map(|one| format!("{:?} {:?}", one.inside, one.confidence)).collect();
    assert_eq!(told, ["Some(\"Rules.Rule.Run\") InScope"]);
    project.write("Other/Foot.cs", b"namespace Other { class Foot { public bool Fits(int x) => false; } }\n");
    let (store, reader) = project.indexed();
    let found = callers(&store, &reader, &project.root(), "Fits").unwrap();
    assert_eq!((found.callers.len(), found.undecided), (0, 1), "another method of that name may be meant");
}

#[test]
fn calls_with_an_unknown_receiver_are_counted() {
    let project = Project::new(&[
        ("src/Disk.kt", "open class Disk {\n  fun wipe() {}\n  fun all() { wipe() }\n}\n"),
        ("src/Sink.kt", "class Sink {\n  fun wipe() {}\n}\n"),
        ("tests/Check.kt", "fun check(disk: Any) {\n  given(disk).wipe()\n  given(disk).wipe()\n}\n"),
    ]);
    let (store, reader) = project.indexed();
    let found = callers(&store, &reader, &project.root(), "wipe").unwrap();
    assert_eq!((found.callers.len(), found.undecided), (1, 2));
    let none = callers(&store, &reader, &project.root(), "given").unwrap();
    assert_eq!((none.definitions.len(), none.undecided), (0, 0));
}

#[test]
fn a_file_scoped_namespace_is_visible_only_to_its_users() {
    let project = Project::new(&[
        ("Inner/Chain.cs", "namespace Lib.Inner;\n\npublic class Chain { public void Add() {} }\n"),
        ("Use.cs", "using Lib.Inner;\nnamespace App;\nclass Use { Chain c; }\n"),
        ("Below.cs", "namespace Lib.Inner.Deep;\nclass Below { Chain c; }\n"),
        ("Not.cs", "namespace Other;\nclass Not { Chain c; }\n"),
    ]);
    assert_eq!(resolved(&project, "Chain"), ["Below.cs:2", "Use.cs:3"]);
    let (store, reader) = project.indexed();
    let found = references(&store, &reader, &project.root(), "Chain.Add").unwrap();
    assert_eq!(found.definitions[0].container, "Lib.Inner.Chain");
}
