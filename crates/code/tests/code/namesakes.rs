//! Types that are called alike: a path in front of one, or the import that brings it, says which is meant. Methods of a type and of its
//! values that are called alike.

use plimsoll_code::refs::{Confidence, references};

use crate::common::Project;
use crate::receiver_types::check;

/// Compares the definitions that the uses on a line surely mean with those that follow `//=` or `#=` there, by file and line; `-` is
/// none.
pub(crate) fn check_places(files: &[(&str, &str)], name: &str) {
    let project = Project::new(files);
    let (store, reader) = project.indexed();
    let found = references(&store, &reader, &project.root(), name).unwrap();
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for (path, text) in files {
        for (line, row) in (1..).zip(text.lines()) {
            let Some((_, expected)) = row.split_once("//= ").or_else(|| row.split_once("#= ")) else {
                continue;
            };
            let uses = found.uses.iter().filter(|one| (one.path.as_str(), one.line) == (*path, line));
            let of = uses.filter(|one| one.confidence == Confidence::Resolved).flat_map(|one| &one.of);
            let of: Vec<String> = of
                .map(|i| format!("{}:{}", found.definitions[*i].path, found.definitions[*i].line))
                .collect();
            checked += 1;
            if of.join(" ") != expected.trim_start_matches('-') {
                wrong.push(format!("{path}:{line} {}: {of:?}", row.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(checked > 0, "nothing is expected of {name}");
}

#[test]
fn methods_of_a_class_of_ruby_and_of_its_instances_are_told_apart() {
    let ruby = "class Cart\n  def self.total; 1; end\n\n  def total; 2; end\n\n  LIMIT = total #= cart.rb:2\n\n  def a\n    total #= cart.rb:4\n    self.total #= cart.rb:4\n    self.class.total #= -\n    Cart.total #= cart.rb:2\n    Cart.new.total #= cart.rb:4\n  end\n\n  def self.b\n    total #= cart.rb:2\n    self.total #= cart.rb:2\n  end\n\n  class << self\n    def c\n      total #= cart.rb:2\n    end\n  end\n\n  before :total\n  alias sum total\n  run { total }\nend\n";
    let other = "class Other\n  def a\n    cart = Cart.new\n    cart.total #= cart.rb:4\n    Cart.total #= cart.rb:2\n    total #= -\n  end\nend\n";
    check_places(&[("cart.rb", ruby), ("other.rb", other)], "total");
    let ruby = "module Both\n  module_function\n\n  def fold; end\n\n  def self.a\n    fold #= both.rb:4\n  end\n\n  def b\n    fold #= both.rb:4\n  end\nend\n\nBoth.fold #= both.rb:4\n\nclass Only\n  class << self\n    def fold; end\n\n    def c\n      fold #= both.rb:19\n    end\n  end\n\n  def d\n    fold #= -\n  end\nend\n";
    check_places(&[("both.rb", ruby)], "fold");
}

#[test]
fn static_members_of_swift_and_those_of_values_are_told_apart() {
    let swift = "public struct Path {\n  public static func glob(_ of: String) -> Int { return 1 }\n  public func glob(_ of: String) -> Int { return 2 }\n  static let all = 1\n  var all: Int { return Path.all }\n  func a(other: Path) {\n    other.glob(1) //= Path.swift:3\n    glob(2) //= Path.swift:3\n    self.glob(3) //= Path.swift:3\n    Self.glob(4) //= Path.swift:2\n    Path().glob(5) //= Path.swift:3\n    Path.glob(6) //= Path.swift:2\n    run { x in glob(x) } //= Path.swift:3\n  }\n  static func b() {\n    glob(7) //= Path.swift:2\n    func inner() {\n      glob(8) //= Path.swift:2\n    }\n  }\n  init() {\n    glob(9) //= Path.swift:3\n  }\n}\n";
    check_places(&[("Path.swift", swift)], "glob");
    let swift = "struct Cart {\n  static let total = 1\n  var total: Int { return Cart.total } //= Cart.swift:2\n  func a(other: Cart) { use(other.total) } //= Cart.swift:3\n  static func b() -> Int { return total } //= Cart.swift:2\n  func c() -> Int { return total } //= Cart.swift:3\n}\n";
    let uses =
        "func f(cart: Cart) {\n  use(Cart.total) //= Cart.swift:2\n  use(cart.total) //= Cart.swift:3\n}\n";
    check_places(&[("Cart.swift", swift), ("Use.swift", uses)], "total");
}

#[test]
fn a_type_in_another_is_not_meant_behind_somebody_elses() {
    let cart = "package n;\npublic class Cart {\n  public static class Builder { public static void create() {} }\n}\n";
    let java = "package m;\nimport com.other.Foo;\nimport n.Cart;\nclass Special extends Cart {}\nclass Use {\n  void a() { Foo.Builder.create(); } //= ?\n  void b() { Cart.Builder.create(); } //= Cart.Builder\n  void c() { n.Cart.Builder.create(); } //= Cart.Builder\n  void d() { com.other.Foo.Builder.create(); } //= ?\n  void e() { Special.Builder.create(); } //= Cart.Builder\n}\n";
    check(&[("src/n/Cart.java", cart), ("src/m/Use.java", java)], "create", "Use.java");
    let cart = "package n\n\nclass Cart {\n  object Builder {\n    fun create() {}\n  }\n}\n";
    let kotlin = "package m\n\nimport com.other.Foo\nimport n.Cart\n\nfun a() {\n  Foo.Builder.create() //= ?\n  Cart.Builder.create() //= Cart.Builder\n}\n";
    check(&[("src/n/Cart.kt", cart), ("src/m/Use.kt", kotlin)], "create", "Use.kt");
    let cart = "struct Cart {\n  struct Builder {\n    static func create() {}\n  }\n}\n";
    let swift = "func a() {\n  URL.Builder.create() //= ?\n  Cart.Builder.create() //= Cart.Builder\n  App.Cart.Builder.create() //= Cart.Builder\n}\n";
    check(&[("App/Cart.swift", cart), ("App/Use.swift", swift)], "create", "Use.swift");
    let cart =
        "namespace N;\npublic class Cart {\n  public class Builder { public static void Create() {} }\n}\n";
    let csharp = "using N;\nnamespace M;\nclass Use {\n  void A() { Foo.Builder.Create(); } //= ?\n  void B() { Cart.Builder.Create(); } //= N.Cart.Builder\n  void C() { N.Cart.Builder.Create(); } //= N.Cart.Builder\n}\n";
    check(&[("a/Cart.cs", cart), ("b/Use.cs", csharp)], "Create", "Use.cs");
    let cart = "namespace shop {\nstruct Cart {\n  struct Builder { static void create(); };\n};\nstruct Till { static void create(); };\n}\n";
    let cpp = "#include \"cart.hpp\"\nnamespace other = shop;\nvoid a() { foo::Builder::create(); } //= ?\nvoid b() { shop::Cart::Builder::create(); } //= shop.Cart.Builder\nvoid c() { other::Till::create(); } //= shop.Till\nvoid d() { foo::Till::create(); } //= ?\n";
    check(&[("cart.hpp", cart), ("use.cpp", cpp)], "create", "use.cpp");
}

#[test]
fn a_package_in_front_of_a_type_of_java_is_that_types() {
    let cart = "package shop.pay;\npublic class Cart { public static void open() {} }\n";
    let java = "package shop.pay;\nclass Use {\n  void a() { com.other.Cart.open(); } //= ?\n  void b() { shop.pay.Cart.open(); } //= Cart\n  void c() { Cart.open(); } //= Cart\n}\n";
    check(&[("src/shop/pay/Cart.java", cart), ("src/shop/pay/Use.java", java)], "open", "Use.java");
}

#[test]
fn what_comes_from_a_package_has_none_of_the_projects_types() {
    let cart = "export namespace Shop {\n  export class Builder {\n    static create() {}\n  }\n}\nexport class Till {\n  static create() {}\n}\n";
    let typescript = "import { Shop, Till } from './cart';\nimport * as All from './cart';\nimport { Foo } from 'foo';\nexport function a() {\n  Foo.Builder.create(); //= ?\n  Foo.Till.create(); //= ?\n  Shop.Builder.create(); //= Shop.Builder\n  All.Till.create(); //= Till\n}\nexport function b(Till: any) {\n  Till.create(); //= ?\n}\n";
    check(&[("cart.ts", cart), ("use.ts", typescript)], "create", "use.ts");
}

#[test]
fn an_imported_type_is_the_one_of_its_file() {
    let cart = "export class Cart {\n  pay() {}\n}\n";
    let other = "export namespace Old {\n  export class Cart {\n    pay() {}\n  }\n}\n";
    let typescript = "import { Cart } from './cart';\nimport { Old } from './old';\nexport function a(cart: Cart, old: Old) {\n  cart.pay(); //= Cart\n}\n";
    check(&[("cart.ts", cart), ("old.ts", other), ("use.ts", typescript)], "pay", "use.ts");
    let cart = "class Cart:\n    def pay(self): ...\n";
    let other = "class Outer:\n    class Cart:\n        def pay(self): ...\n";
    let python =
        "from cart import Cart\nfrom other import Outer\n\n\ndef a(cart: Cart):\n    cart.pay()  #= Cart\n";
    check(&[("cart.py", cart), ("other.py", other), ("use.py", python)], "pay", "use.py");
    let cart = "package n\n\nclass Cart {\n  fun pay() {}\n}\n\nclass Other\n";
    let other = "package m\n\nclass Till {\n  class Cart {\n    fun pay() {}\n  }\n}\n";
    let kotlin =
        "package k\n\nimport m.Till\nimport n.Cart\n\nfun a(cart: Cart) {\n  cart.pay() //= Cart\n}\n";
    let inner = "package k\n\nimport m.Till.Cart\nimport n.Other\n\nfun a(cart: Cart) {\n  cart.pay() //= Till.Cart\n}\n";
    let near = "package n\n\nimport m.Till\n\nfun a(cart: Cart) {\n  cart.pay() //= Cart\n}\n";
    let files = [
        ("n/Cart.kt", cart),
        ("m/Till.kt", other),
        ("k/Use.kt", kotlin),
        ("k/In.kt", inner),
        ("n/Near.kt", near),
    ];
    for ending in ["Use.kt", "In.kt", "Near.kt"] {
        check(&files, "pay", ending);
    }
    let cart = "package n;\npublic class Cart { public void pay() {} }\n";
    let other = "package m;\npublic class Till {\n  public static class Cart { public void pay() {} }\n}\n";
    let java = "package k;\nimport m.Till;\nimport n.Cart;\nclass Use {\n  void a(Cart cart) { cart.pay(); } //= Cart\n}\n";
    check(&[("n/Cart.java", cart), ("m/Till.java", other), ("k/Use.java", java)], "pay", "Use.java");
    // `Till.Cart` is written as what it's in, or inherited from that.
    let one = "package shop;\npublic class Cart { public void pay() {} }\n";
    let inner = "package shop;\npublic class Till { public static class Cart { public void pay() {} } }\n";
    let sub = "package shop;\nclass Sub extends Till {\n  Cart inherited;\n  void f(Cart c) { c.pay(); } //= Cart Till.Cart\n}\n";
    let path = "package shop;\nclass Use {\n  Cart other;\n  void g(Till.Cart d) { d.pay(); } //= Cart Till.Cart\n}\n";
    let plain = "package shop;\nclass Plain {\n  void g(Cart d) { d.pay(); } //= Cart\n}\n";
    let files = [
        ("shop/Cart.java", one),
        ("shop/Till.java", inner),
        ("shop/Sub.java", sub),
        ("shop/Use.java", path),
        ("shop/Plain.java", plain),
    ];
    for ending in ["Sub.java", "Use.java", "Plain.java"] {
        check(&files, "pay", ending);
    }
    // This one is meant, too: it extends the other.
    let made = "package m;\npublic class Till {\n  public static class Cart extends n.Cart { public void pay() {} }\n}\n";
    let java = java.replace("//= Cart", "//= Cart Till.Cart");
    check(&[("n/Cart.java", cart), ("m/Till.java", made), ("k/Use.java", java.as_str())], "pay", "Use.java");
}

#[test]
fn a_type_of_another_language_is_another_one() {
    let typescript = "export class Base {\n  save() {}\n}\nexport class User extends Base {\n  email: string;\n  save() {}\n}\n";
    let python = "class Model:\n    def save(self): ...\n\n\nclass User(Model):\n    def __init__(self, email):\n        self.email = email  #= -\n\n\ndef a(user: User):\n    user.save()  #= Model\n    User(1).save()  #= Model\n    return user.email  #= -\n";
    let files = [("web/user.ts", typescript), ("api/user.py", python)];
    check(&files, "save", "user.py");
    check(&files, "email", "user.py");
    let java = "class User {\n  String email() { return null; }\n  void a(User user) {\n    user.save(); //= -\n    save(); //= -\n    user.email(); //= User\n  }\n}\n";
    let files = [("web/user.ts", typescript), ("api/User.java", java)];
    check(&files, "save", "User.java");
    check(&files, "email", "User.java");
    let ruby = "class User\n  def a\n    save #= -\n    self.save #= -\n    User.new.save #= -\n  end\nend\n";
    check(&[("web/user.ts", typescript), ("api/user.rb", ruby)], "save", "user.rb");
}
