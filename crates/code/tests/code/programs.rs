//! The files in which programs begin, by their text and by what manifests declare.

use plimsoll_code::graph::programs;

use crate::common::Project;

#[test]
fn entry_points_come_from_manifests_and_language_rules() {
    let project = Project::new(&[
        ("package.json", r#"{"name": "shop", "bin": {"shop": "./dist/cli.js"}}"#),
        ("src/cli.ts", "import { cart } from './cart'\ncart()\n"),
        ("src/cart.ts", "export const cart = () => 1\n"),
        ("examples/package.json", r#"{"bin": "start.js"}"#),
        ("examples/start.js", "cart()\n"),
        ("till/pyproject.toml", "[project.scripts]\ntill = \"till.command:run\"\n"),
        ("till/src/till/command.py", "def run():\n    pass\n"),
        ("till/src/till/other.py", "def run():\n    pass\n"),
        ("Main.scala", "package shop\nobject Main extends App {\n  println(1)\n}\n"),
        ("Start.scala", "package shop\n@main def start(): Unit = println(1)\n"),
        ("Words.scala", "package shop\nclass Words(all: Array[String])\n"),
        ("web/shop/urls.py", "urlpatterns = []\n"),
        ("web/shop/wsgi.py", "application = 1\n"),
        ("web/lib/http/wsgi.py", "def serve():\n    pass\n"),
        ("gate/urls.py", "def join():\n    pass\n"),
        ("gate/wsgi.py", "def serve():\n    pass\n"),
        ("gate/serving.py", "from .wsgi import serve\n"),
        ("cmd/shop/main.go", "package main\n\nfunc main() {}\n"),
        ("cmd/main.go", "package cmd\n\nfunc Main() {}\n"),
    ]);
    let (store, reader) = project.indexed();
    let read = |path: &str| std::fs::read_to_string(project.root().join(path)).ok();
    let mut found: Vec<String> = programs(&store, &reader, &read).unwrap().into_iter().collect();
    found.sort();
    assert_eq!(
        found,
        [
            "Main.scala",
            "Start.scala",
            "cmd/shop/main.go",
            "src/cli.ts",
            "till/src/till/command.py",
            "web/shop/wsgi.py"
        ]
    );
}
