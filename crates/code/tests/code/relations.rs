//! A definition's callers, callees and subtypes; the fixtures are in `fixtures/relations`.

use std::path::Path;

use plimsoll_code::refs::{callees, callers, implementations};

use crate::common::Project;

/// A project of all fixtures.
fn project() -> Project {
    let project = Project::new(&[]);
    let folder = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("tests/fixtures/relations");
    for inside in ["", "go"] {
        for entry in std::fs::read_dir(folder.join(inside)).unwrap().map(Result::unwrap) {
            if entry.path().is_file() {
                let path = Path::new(inside).join(entry.file_name());
                project.write(path.to_str().unwrap(), &std::fs::read(entry.path()).unwrap());
            }
        }
    }
    project
}

#[test]
fn subtypes_and_overrides_are_listed_in_every_language() {
    let project = project();
    let (store, reader) = project.indexed();
    let mut wrong = Vec::new();
    for (name, expected) in [
        ("Shape", "Base:2 of Shape, Square:5 of Base later, Tile:9 of Square later"),
        ("Base", "Square:5 of Base, Tile:9 of Square later"),
        ("Shape.area", "area:3 of Shape.area, area:7 of Base.area later, area:10 of Square.area later"),
        ("Engine", "Diesel:6 of Engine, Truck:11 of Diesel later"),
        ("Engine.start", "start:7 of Engine.start, start:12 of Diesel.start later"),
        ("Store", "Disk:3 of Store, Cached:7 of Disk later"),
        ("Store.put", "put:4 of Store.put, put:8 of Disk.put later"),
        ("Source", "FileSource:3 of Source, Zip:6 of FileSource later"),
        ("Socket", "Tls:3 of Socket"),
        ("ISink", "FileSink:4 of ISink, RollingSink:5 of FileSink later"),
        ("Walk", "Dog:2 of Walk, Run:5 of Walk"),
        ("Walk.walk", "walk:3 of Walk.walk"),
        ("Reader", "Disk:8 of Reader"),
        ("Reader.Read", "Read:10 of Reader.Read"),
        ("Core", "plainCore:17 of Core, hooked:24 of Core"),
        // A method of that name has another signature.
        ("Checker", "Gate:10 of Checker"),
        ("Loud", "Animal:5 of Loud, Cat:9 of Animal later"),
        ("Job", "Mail:4 of Job"),
        ("Logs", "Mail:4 of Logs"),
        ("Plays", "Tape:2 of Plays, Disc:4 of Plays"),
        // A private one overrides nothing.
        ("Source.read", "read:4 of Source.read, read:7 of FileSource.read later"),
        ("Plays.play", "play:2 of Plays.play, play:4 of Plays.play"),
        ("Codec", "Text:3 of Codec, Json:4 of Text later"),
        ("times", ""),
    ] {
        let found = implementations(&store, &reader, &project.root(), name).unwrap();
        assert!(!found.definitions.is_empty() && !found.cut && found.unread.is_empty(), "{name}");
        let told: Vec<String> = found
            .implementations
            .iter()
            .map(|one| {
                let later = if one.transitive { " later" } else { "" };
                format!("{}:{} of {}{later}", one.name, one.definition.line, one.of)
            })
            .collect();
        if told.join(", ") != expected {
            wrong.push(format!("{name}: {}\ninstead of {expected}", told.join(", ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_method_overrides_only_what_its_language_allows() {
    let project = Project::new(&[
        (
            "wash.py",
            "class Drum:\n    def __spin(self): pass\n    def __len__(self): return 1\n    def _fill(self): pass\n\n\n\
             class Turbo(Drum):\n    def __spin(self): pass\n    def __len__(self): return 2\n    def _fill(self): pass\n",
        ),
        (
            "pump.h",
            "class Pump {\n public:\n  virtual void draw();\n  void show();\n private:\n  void prime();\n  \
             virtual void hook();\n};\nclass Turbine : public Pump {\n  void draw();\n  void prime() {}\n  \
             void show();\n public:\n  void hook();\n};\n",
        ),
        (
            "pump.cc",
            "#include \"pump.h\"\nvoid Pump::prime() {}\nvoid Turbine::draw() {}\nvoid Turbine::show() {}\n",
        ),
        (
            "mill.h",
            "class Mill {\n public:\n  virtual void turn();\n};\nclass Wind : public Mill {\n  void turn();\n};\n\
             class Sail : public Wind {\n  void turn();\n};\n",
        ),
        (
            "tape.kt",
            "package a\n\nopen class Tape {\n    internal open fun wind() {}\n    internal fun cut() {}\n}\n\n\
             class Loop : Tape() {\n    internal override fun wind() {}\n    internal fun cut(at: Int) {}\n}\n",
        ),
        (
            "hob.scala",
            "class Hob {\n  private[this] def glow(): Int = 1\n  private[hob] def warm(): Int = 1\n}\n\
             class Ring extends Hob {\n  private[this] def glow(): Int = 2\n  private[hob] override def warm(): Int = 2\n}\n",
        ),
        (
            "oven.rb",
            "class Oven\n  def bake; heat; end\n\n  private\n\n  def heat; end\nend\n\n\
             class Grill < Oven\n  private\n\n  def heat; end\nend\n",
        ),
    ]);
    let (store, reader) = project.indexed();
    let mut wrong = Vec::new();
    for (name, expected) in [
        ("__spin", ""),
        ("__len__", "wash.py:9"),
        ("_fill", "wash.py:10"),
        ("Pump.draw", "pump.cc:3 pump.h:10"),
        ("Pump.prime", ""),
        ("prime", ""),
        ("Pump.show", ""),
        ("Pump.hook", "pump.h:14"),
        // A method that is virtual in a base is virtual without the keyword.
        ("Wind.turn", "mill.h:9"),
        ("wind", "tape.kt:9"),
        ("cut", ""),
        ("glow", ""),
        ("warm", "hob.scala:7"),
        // Ruby's `private` only says who may call a method; it's overridden like any other.
        ("Oven.heat", "oven.rb:12"),
    ] {
        let found = implementations(&store, &reader, &project.root(), name).unwrap();
        assert!(!found.definitions.is_empty(), "{name}");
        let places = found.implementations.iter().map(|one| &one.definition);
        let told: Vec<String> = places.map(|d| format!("{}:{}", d.path, d.line)).collect();
        if told.join(" ") != expected {
            wrong.push(format!("{name}: {}\ninstead of {expected}", told.join(" ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_base_outside_the_signature_counts_and_an_anonymous_object_does_not() {
    let parameters: Vec<String> = (0..60).map(|n| format!("T{n}")).collect();
    let cut = format!(
        "import {{ Base }} from './base'\nexport class Cut<{}> extends Base {{}}\n",
        parameters.join(", ")
    );
    let project = Project::new(&[
        ("base.ts", "export class Base {}\n"),
        ("alias.ts", "import { Base as Root } from './base'\nexport class Alias extends Root {}\n"),
        ("cut.ts", cut.as_str()),
        ("user.ts", "import { Base } from './base'\nexport const made = new Base()\n"),
        (
            "Plug.kt",
            "package a\ninterface Factory { fun make(): Int }\nclass Plug {\n    companion object : Factory {\n        \
             override fun make() = 1\n    }\n}\nclass Other {\n    val made = object : Factory {\n        \
             override fun make() = 2\n    }\n}\n",
        ),
    ]);
    let (store, reader) = project.indexed();
    for (name, expected) in [("Base", "Alias:2, Cut:2"), ("Factory", "Plug:3")] {
        let found = implementations(&store, &reader, &project.root(), name).unwrap();
        let told = found.implementations.iter().map(|one| format!("{}:{}", one.name, one.definition.line));
        assert_eq!(told.collect::<Vec<_>>().join(", "), expected, "{name}");
    }
}

#[test]
fn subtypes_are_listed_at_their_definition_and_within_one_language() {
    let project = Project::new(&[
        ("Plays.swift", "protocol Plays { func play() }\n"),
        ("Outside.swift", "extension Media.Tape: Plays { func play() {} }\n"),
        ("Disc.swift", "enum Store { struct Disc {} }\n"),
        ("DiscPlays.swift", "extension Store.Disc: Plays { func play() {} }\n"),
        (
            "lib.rs",
            "pub trait Spins { fn spin(&self); }\nimpl Spins for outside::Tape { fn spin(&self) {} }\n\
             pub struct Top;\nimpl Spins for Top { fn spin(&self) {} }\n",
        ),
        ("tape.ts", "export class Tape {}\n"),
    ]);
    let (store, reader) = project.indexed();
    for (name, expected) in [("Plays", &["DiscPlays.swift", "Outside.swift"][..]), ("Spins", &["lib.rs"])] {
        let found = implementations(&store, &reader, &project.root(), name).unwrap();
        let told: Vec<&str> = found.implementations.iter().map(|one| one.definition.path.as_str()).collect();
        assert_eq!(told, expected, "{name}");
    }
}

#[test]
fn calls_are_resolved_or_named_as_foreign() {
    let project = project();
    let (store, reader) = project.indexed();
    let mut wrong = Vec::new();
    for (name, expected, foreign) in [
        ("total", "product*2 Resolved times:15, area Resolved area:1 area:3 area:7 area:10", "sum"),
        (
            "Tile.area",
            "area Resolved area:7, Square Resolved Square:5, area Resolved area:1 area:3 area:7 area:10",
            "outside",
        ),
        ("later", "total Resolved total:3, Tile Resolved Tile:9", ""),
        ("Diesel.start", "turn Resolved turn:16", ""),
        ("Disk.put", "write Resolved write:5", ""),
        ("Dog.walk", "step*2 Resolved step:7", ""),
        ("Disk.Read", "text Resolved text:17", ""),
        ("Mail.run", "log Resolved log:3", ""),
        ("step", "", ""),
        ("none", "", ""),
    ] {
        let found = callees(&store, &reader, &project.root(), name).unwrap();
        assert!(!found.definitions.is_empty() && found.unread.is_empty(), "{name}");
        let told: Vec<String> = found
            .callees
            .iter()
            .map(|one| {
                let calls = if one.calls > 1 { format!("*{}", one.calls) } else { String::new() };
                let of = one.definitions.iter().map(|d| {
                    let words: Vec<&str> = d.signature.split(|c: char| !c.is_alphanumeric()).collect();
                    let own = [one.name.as_str(), "times"].into_iter().find(|name| words.contains(name));
                    format!(" {}:{}", own.unwrap_or("?"), d.line)
                });
                format!("{}{calls} {:?}{}", one.name, one.confidence, of.collect::<String>())
            })
            .collect();
        if told.join(", ") != expected || found.foreign.join(" ") != foreign {
            wrong.push(format!(
                "{name}: {} and {}\ninstead of {expected} and {foreign}",
                told.join(", "),
                found.foreign.join(" ")
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let found = callees(&store, &reader, &project.root(), "Total").unwrap();
    assert!(found.definitions.is_empty() && found.callees.is_empty(), "a name isn't replaced");
    assert_eq!(found.similar, ["total"]);
}

#[test]
fn callers_are_functions_with_the_number_of_their_calls() {
    let project = project();
    let (store, reader) = project.indexed();
    let told = |name: &str| -> Vec<String> {
        let found = callers(&store, &reader, &project.root(), name).unwrap();
        assert!(!found.definitions.is_empty());
        found
            .callers
            .iter()
            .map(|one| {
                format!("{} {}:{} *{}", one.inside.as_deref().unwrap_or("-"), one.path, one.line, one.calls)
            })
            .collect()
    };
    assert_eq!(told("times"), ["Square.area shapes.ts:7 *1", "total user.ts:4 *2"]);
    assert_eq!(told("total"), ["later user.ts:6 *1", "- user.ts:7 *1"]);
    assert_eq!(told("turn"), ["Diesel.start shapes.py:8 *1"]);
}
