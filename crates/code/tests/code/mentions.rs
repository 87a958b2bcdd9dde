//! Files that need each other without an import: packages, namespaces and modules that are seen as a whole.

use plimsoll_code::graph::{Graph, find_cycles};
use plimsoll_code::search::{Reader, Refreshed};
use plimsoll_code::{Options, Store, update_only};

use crate::common::{Project, dump};

/// `importer -> imported` of all files, in order.
fn edges(project: &Project) -> Vec<String> {
    let (_, reader) = project.indexed();
    let graph = Graph::of(&reader, |_| true);
    let names = |i: usize| graph.paths[i].as_str();
    let each = graph.imports.iter().enumerate();
    each.flat_map(|(from, all)| all.iter().map(move |to| format!("{} -> {}", names(from), names(*to))))
        .collect()
}

#[test]
fn csharp_namespaces_give_file_dependencies() {
    let project = Project::new(&[
        (
            "Shop/Cart.cs",
            "using Shop.Pricing;\nnamespace Shop;\npublic class Cart { Price Total; Money M; }\n",
        ),
        ("Shop/Pricing/Price.cs", "namespace Shop.Pricing;\npublic class Price { Cart Of; Rate R; }\n"),
        ("Shop/Sale.cs", "namespace Shop;\nusing Pricing;\nclass Sale { Rate R; }\n"),
        ("Shop/Pricing/Rate.cs", "namespace Shop.Pricing;\npublic class Rate { Price P; }\n"),
        ("Bank/Money.cs", "namespace Bank;\npublic class Money { string Cart; }\n"),
    ]);
    assert_eq!(
        edges(&project),
        [
            "Shop/Cart.cs -> Shop/Pricing/Price.cs",
            "Shop/Pricing/Price.cs -> Shop/Cart.cs",
            "Shop/Pricing/Price.cs -> Shop/Pricing/Rate.cs",
            "Shop/Pricing/Rate.cs -> Shop/Pricing/Price.cs",
            "Shop/Sale.cs -> Shop/Pricing/Rate.cs",
        ]
    );
    let (store, reader) = project.indexed();
    let circles = find_cycles(&Graph::from_dependencies(&store, &reader, |_| true).unwrap());
    let told: Vec<String> = circles.into_iter().map(|one| one.files.join(" ")).collect();
    assert_eq!(told, ["Shop/Cart.cs Shop/Pricing/Price.cs"], "one folder is one whole");
}

#[test]
fn files_of_a_package_or_module_depend_on_each_other() {
    let project = Project::new(&[
        ("src/main/java/a/Base.java", "package a;\npublic class Base {}\n"),
        ("src/main/java/a/Part.java", "package a;\nimport b.Left;\nclass Part extends Base { Left l; }\n"),
        ("src/main/java/a/Left.java", "package a;\nclass Left {}\n"),
        ("src/main/java/b/Left.java", "package b;\npublic class Left {}\n"),
        ("src/main/java/b/Other.java", "package b;\nclass Other { Base b; }\n"),
        ("src/test/java/a/PartTest.java", "package a;\nclass PartTest { Part p; }\n"),
        ("kt/src/main/kotlin/k/Ops.kt", "package k\nfun shared() {}\n"),
        ("kt/src/main/kotlin/u/Use.kt", "package u\nimport k.shared\nfun use() { shared() }\n"),
        ("lib/Http/Strategy.php", "<?php\nnamespace App\\Http;\ninterface Strategy {}\n"),
        ("lib/Http/Handler.php", "<?php\nnamespace App\\Http;\nclass Handler implements Strategy {}\n"),
        ("Sources/Net/Usage/Help.swift", "struct Help {}\n"),
        ("Sources/Net/Command.swift", "func show() { _ = Help() }\n"),
        ("Sources/Far/Command.swift", "func show() { _ = Help() }\n"),
    ]);
    assert_eq!(
        edges(&project),
        [
            "Sources/Net/Command.swift -> Sources/Net/Usage/Help.swift",
            "kt/src/main/kotlin/u/Use.kt -> kt/src/main/kotlin/k/Ops.kt",
            "lib/Http/Handler.php -> lib/Http/Strategy.php",
            "src/main/java/a/Part.java -> src/main/java/a/Base.java",
            "src/main/java/a/Part.java -> src/main/java/b/Left.java",
            "src/test/java/a/PartTest.java -> src/main/java/a/Part.java",
        ]
    );
}

#[test]
fn a_type_of_several_platforms_is_the_one_that_all_share() {
    let project = Project::new(&[
        ("io/src/commonMain/kotlin/io/Path.kt", "package io\nexpect class Path\n"),
        ("io/src/jvmMain/kotlin/io/Path.kt", "package io\nactual class Path\n"),
        ("io/src/jsMain/kotlin/io/Path.kt", "package io\nactual class Path\n"),
        ("io/src/zlibMain/kotlin/io/Zip.kt", "package io\nclass Zip(val at: Path)\n"),
        ("io/src/jvmMain/kotlin/io/Disk.kt", "package io\nclass Disk(val at: Path)\n"),
    ]);
    assert_eq!(
        edges(&project),
        [
            "io/src/jvmMain/kotlin/io/Disk.kt -> io/src/jvmMain/kotlin/io/Path.kt",
            "io/src/zlibMain/kotlin/io/Zip.kt -> io/src/commonMain/kotlin/io/Path.kt",
        ]
    );
}

#[test]
fn a_type_of_swift_is_where_it_is_defined_and_not_where_it_is_extended() {
    let project = Project::new(&[
        ("Sources/Shop/Cart.swift", "public final class Cart {}\n"),
        ("Sources/Shop/Cart+Pay.swift", "public extension Cart {\n  func pay() {}\n}\n"),
        ("Sources/Shop/Cart+Total.swift", "extension Cart {\n  func total() {}\n}\n"),
        ("Sources/Shop/Date+Day.swift", "extension Date {\n  func day() {}\n}\n"),
        ("Sources/Shop/Page.swift", "struct Page {\n  let cart: Cart\n  let at: Date\n}\n"),
    ]);
    assert_eq!(
        edges(&project),
        [
            "Sources/Shop/Cart+Pay.swift -> Sources/Shop/Cart.swift",
            "Sources/Shop/Cart+Total.swift -> Sources/Shop/Cart.swift",
            "Sources/Shop/Page.swift -> Sources/Shop/Cart.swift",
        ]
    );
}

#[test]
fn an_open_reader_sees_a_new_dependency() {
    let project = Project::new(&[
        ("A.cs", "namespace N;\nclass A { Part p; }\n"),
        ("B.cs", "namespace N;\nclass B {}\n"),
    ]);
    let (mut store, _) = project.indexed();
    let asked = Store::open_read_only(store.path()).unwrap().unwrap();
    let mut reader = Reader::open(&asked).unwrap();
    project.write("B.cs", b"namespace N;\nclass B {}\nclass Part {}\n");
    update_only(&mut store, &project.root(), &["B.cs".to_owned()], &Options::default()).unwrap();
    assert_eq!(reader.refresh(&asked).unwrap(), Refreshed::Everything);
    assert_eq!(Graph::of(&reader, |_| true).edges(), 1);
}

#[test]
fn adding_or_removing_a_ruby_class_changes_no_dependency() {
    let project = Project::new(&[
        ("config/application.rb", "class Application\nend\n"),
        ("app/models/user.rb", "class User\nend\n"),
        ("app/models/concerns/tagged.rb", "module Tagged\nend\n"),
        ("script/a.rb", "User.first\n"),
    ]);
    let (mut store, _) = project.indexed();
    let asked = Store::open_read_only(store.path()).unwrap().unwrap();
    let mut reader = Reader::open(&asked).unwrap();
    project.write("app/models/user.rb", b"class User\n  include Tagged\n  class Part\n  end\nend\n");
    let only = ["app/models/user.rb".to_owned()];
    update_only(&mut store, &project.root(), &only, &Options::default()).unwrap();
    assert_ne!(reader.refresh(&asked).unwrap(), Refreshed::Everything);
    assert_eq!(Graph::of(&reader, |_| true).edges(), 2);
    let mut fresh = project.store("other");
    project.update(&mut fresh);
    assert_eq!(dump(store.path(), &[]), dump(fresh.path(), &[]));
}

#[test]
fn a_file_that_becomes_a_template_has_no_types_for_others() {
    let project = Project::new(&[
        ("A.cs", "namespace N;\nclass A { Part p; }\n"),
        ("templates/Part.cs", "namespace N;\nclass Part {}\n"),
    ]);
    let mut store = project.store("kept");
    project.update(&mut store);
    for (text, needs) in [
        ("namespace N;\nclass <%= name %> {}\n", 0),
        ("namespace N;\nclass Part { int a; }\n", 1),
        ("namespace N;\nclass Part { <%= rest %> }\n", 0),
    ] {
        project.write("templates/Part.cs", text.as_bytes());
        project.update(&mut store);
        let reader = Reader::open(&store).unwrap();
        assert_eq!(Graph::of(&reader, |_| true).edges(), needs, "{text}");
    }
}

#[test]
fn a_moved_kotlin_function_moves_the_dependency() {
    let project = Project::new(&[
        ("src/main/kotlin/k/Ops.kt", "package k\nfun shared() {}\n"),
        ("src/main/kotlin/k/More.kt", "package k\nfun other() {}\n"),
        ("src/main/kotlin/u/Use.kt", "package u\nimport k.shared\nfun use() { shared() }\n"),
    ]);
    let mut store = project.store("kept");
    project.update(&mut store);
    project.write("src/main/kotlin/k/Ops.kt", b"package k\nfun more() {}\n");
    project.write("src/main/kotlin/k/More.kt", b"package k\nfun shared() {}\n");
    project.update(&mut store);
    let mut fresh = project.store("fresh");
    project.update(&mut fresh);
    for store in [&store, &fresh] {
        let needed: Vec<String> =
            store.imported_lines("src/main/kotlin/u/Use.kt").unwrap().into_keys().collect();
        assert_eq!(needed, ["src/main/kotlin/k/More.kt"]);
    }
}

#[test]
fn adding_or_removing_a_type_changes_dependencies() {
    let project = Project::new(&[
        ("A.cs", "namespace N;\nclass A { Part p; }\n"),
        ("B.cs", "namespace N;\nclass B {}\n"),
        ("C.cs", "namespace N;\nclass C { B b; }\n"),
    ]);
    let mut store = project.store("kept");
    project.update(&mut store);
    for text in [
        "namespace N;\nclass B {}\nclass Part {}\n",
        "namespace M;\nclass B {}\nclass Part {}\n",
        "namespace N;\nclass Part { A a; }\n",
        "namespace N;\n\nclass Part { A a; }\n",
    ] {
        project.write("B.cs", text.as_bytes());
        project.update(&mut store);
        let mut fresh = project.store("anew");
        fresh.clear().unwrap();
        project.update(&mut fresh);
        assert_eq!(dump(store.path(), &[]), dump(fresh.path(), &[]), "{text}");
    }
}

#[test]
fn ruby_constants_are_loaded_from_the_files_named_after_them() {
    let project = Project::new(&[
        ("config/application.rb", "module Harbour\n  class Application < Rails::Application\n  end\nend\n"),
        ("app/models/user.rb", "class User < ApplicationRecord\n  include Tagged\n  has_many :carts\nend\n"),
        ("app/models/application_record.rb", "class ApplicationRecord < ActiveRecord::Base\nend\n"),
        ("app/models/concerns/tagged.rb", "module Tagged\nend\n"),
        (
            "app/models/shop/cart.rb",
            "module Shop\n  class Cart < ApplicationRecord\n    def lines = Line.all\n  end\nend\n",
        ),
        ("app/models/shop/line.rb", "class Shop::Line\nend\n"),
        (
            "app/controllers/users_controller.rb",
            "class UsersController\n  def show = User.find(Shop::Cart::LIMIT)\nend\n",
        ),
        ("spec/models/user_spec.rb", "describe User do\nend\n"),
        ("app/models/admin/user.rb", "module Admin\n  class User\n  end\nend\n"),
        (
            "app/controllers/admin/users_controller.rb",
            "class Admin::UsersController\n  def show = User.first\nend\n",
        ),
        (
            "app/controllers/admin/carts_controller.rb",
            "module Admin\n  class CartsController\n    def show = User.first\n  end\nend\n",
        ),
        // Its own, and not the app's.
        ("script/user.rb", "class Line\n  User = Struct.new(:name)\n  def a = User.new\nend\n"),
    ]);
    assert_eq!(
        edges(&project),
        [
            "app/controllers/admin/carts_controller.rb -> app/models/admin/user.rb",
            "app/controllers/admin/users_controller.rb -> app/models/user.rb",
            "app/controllers/users_controller.rb -> app/models/shop/cart.rb",
            "app/controllers/users_controller.rb -> app/models/user.rb",
            "app/models/shop/cart.rb -> app/models/application_record.rb",
            "app/models/shop/cart.rb -> app/models/shop/line.rb",
            "app/models/user.rb -> app/models/application_record.rb",
            "app/models/user.rb -> app/models/concerns/tagged.rb",
            "spec/models/user_spec.rb -> app/models/user.rb",
        ]
    );
}

#[test]
fn adding_or_removing_an_autoloader_gem_changes_dependencies() {
    let project = Project::new(&[
        ("lib/harbour.rb", "require 'zeitwerk'\n\nmodule Harbour\nend\n"),
        ("lib/harbour/crane.rb", "module Harbour\n  class Crane\n    def lift = Hook.new\n  end\nend\n"),
        ("lib/harbour/hook.rb", "module Harbour\n  class Hook\n  end\nend\n"),
    ]);
    assert_eq!(edges(&project), ["lib/harbour/crane.rb -> lib/harbour/hook.rb"]);
    let mut store = project.store("kept");
    project.update(&mut store);
    for text in ["module Harbour\nend\n", "require 'zeitwerk'\n\nmodule Harbour\nend\n"] {
        project.write("lib/harbour.rb", text.as_bytes());
        project.update(&mut store);
        let mut other = project.store("other");
        other.clear().unwrap();
        project.update(&mut other);
        assert_eq!(dump(store.path(), &[]), dump(other.path(), &[]), "{text}");
    }
}
