//! Members of base types, of call results and of lambda receivers; `receiver_types` explains how expectations are
//! marked.

use plimsoll_code::refs::{Confidence, Definition, Use, references};

use crate::common::Project;
use crate::receiver_types::check;

#[test]
fn python_bases_are_searched_in_their_listed_order() {
    let python = "class Base:\n    def run(self): pass\n\nclass Alpha(Base):\n    def run(self): pass\n\nclass Beta(Base):\n    def run(self): pass\n\nclass Plain(Base):\n    pass\n\nclass Both(Beta, Alpha):\n    def go(self):\n        self.run() #= Beta\n        super().run() #= Beta\n        super(Both, self).run() #= Beta\n\nclass Late(Plain, Alpha):\n    def go(self):\n        super().run() #= Alpha\n";
    check(&[("run.py", python)], "run", "run.py");
}

#[test]
fn a_keyword_for_the_base_is_a_variable_elsewhere() {
    let typescript = "export class Base { run() {} }\nexport class Stranger { run() {} }\nexport class Child extends Base {\n  a(parent: any) { parent.run(); } //= ?\n  b(base: any) { base.run(); } //= ?\n  c() { super.run(); } //= Base\n}\n";
    check(&[("run.ts", typescript)], "run", "run.ts");
}

#[test]
fn a_named_base_is_followed_and_a_foreign_one_has_no_local_methods() {
    let kotlin = "package n\n\ninterface Left {\n  fun run() {}\n}\n\ninterface Right {\n  fun run() {}\n}\n\nclass Child : Left, Right {\n  override fun run() {\n    super<Right>.run() //= Right\n  }\n}\n\nclass Screen : Activity() {\n  override fun run() {\n    super.run() //= -\n  }\n}\n\nfun make() = object : Left {\n  override fun run() {\n    super.run() //= Left\n  }\n}\n";
    check(&[("n/Run.kt", kotlin)], "run", "Run.kt");
    let java = "package n;\ninterface Left { default void run() {} }\ninterface Right { default void run() {} }\nclass Stranger { void run() {} }\nclass Child implements Left, Right {\n  public void run() {\n    Right.super.run(); //= Right\n  }\n}\nclass Use extends Stranger {\n  Left make() {\n    return new Left() {\n      public void run() {\n        super.run(); //= Left\n      }\n    };\n  }\n}\n";
    check(&[("n/Run.java", java)], "run", "Run.java");
}

#[test]
fn a_call_on_a_new_value_uses_the_returned_type() {
    let typescript = "export class Cart { open() {} }\nexport class Shop {\n  open() {}\n  cart(): Cart { return new Cart(); }\n  any(): any { return 1; }\n}\nnew Shop().open(); //= Shop\nnew Shop().cart().open(); //= Cart\nnew Shop().any().open(); //= ?\nconst a = new Shop().cart();\na.open(); //= Cart\n";
    check(&[("shop.ts", typescript)], "open", "shop.ts");
}

#[test]
fn a_return_type_comes_only_from_a_reachable_function() {
    let python = "import requests\n\nclass Handle:\n    def run(self): pass\n\nclass Other:\n    def run(self): pass\n\nclass Store:\n    def open(self) -> 'Handle':\n        return Handle()\n\ndef get(url) -> 'Handle':\n    return Handle()\n\ndef f(path):\n    x = open(path)\n    x.run() #= ?\n    y = requests.get(path)\n    y.run() #= ?\n    z = get(path)\n    z.run() #= Handle\n";
    check(&[("run.py", python)], "run", "run.py");
}

#[test]
fn a_nested_functions_variable_is_separate() {
    let python = "class Client:\n    def run(self): pass\n\nclass Other:\n    def run(self): pass\n\ndef outer(make):\n    def inner(x: Client):\n        x.run() #= Client\n    x = make()\n    if x:\n        Client(1)\n    x.run() #= ?\n";
    check(&[("run.py", python)], "run", "run.py");
}

#[test]
fn a_kotlin_lambdas_receiver_is_searched_first() {
    let kotlin = "package n\n\nclass Cart {\n  fun add(x: Int) {}\n}\n\nclass Other {\n  fun add(x: Int) {}\n}\n\nclass Use {\n  fun add(x: Int) {}\n  fun a(c: Cart) { c.apply { add(1) } } //= Cart\n  fun b(c: Cart?) { c?.run { add(2) } } //= Cart\n  fun d(o: Other) { with(o) { add(3) } } //= Other\n  fun e() { buildList { add(4) } } //= ?\n  fun f() { run { add(5) } } //= Use\n  fun g(c: Cart) { c.also { add(6) } } //= Use\n}\n";
    check(&[("n/Use.kt", kotlin)], "add", "Use.kt");
}

#[test]
fn an_annotations_argument_is_not_a_member_of_the_annotated_type() {
    let java = "package n;\nclass Cart {\n  @Column(total = 3)\n  private int total;\n  int total() { return total; } //= field:Cart\n  @Column(total = 4) int a() { return 1; } //= -\n  void b() { while ((total = next()) > 0) {} } //= field:Cart\n}\n";
    check(&[("n/Cart.java", java)], "total", "Cart.java");
}

#[test]
fn a_java_field_is_never_called_and_a_kotlin_method_always_is() {
    let java = "package n;\nclass Cart {\n  private int total;\n}\nrecord Row(int size) {}\nclass Use {\n  int a() { return make().total(); } //= -\n}\n";
    check(&[("n/Cart.java", java)], "total", "Cart.java");
    let java = java.replace("total(); } //= -", "size(); } //= ?");
    check(&[("n/Cart.java", java.as_str())], "size", "Cart.java");
    let kotlin = "package n\n\nclass Door {\n  fun isOpen() = true\n}\n\nclass Use {\n  fun a() = make().isOpen //= -\n  fun b() = make().isOpen() //= ?\n}\n";
    check(&[("n/Door.kt", kotlin)], "isOpen", "Door.kt");
}

#[test]
fn a_kotlin_property_is_used_as_a_named_argument() {
    let kotlin = "package n\n\nclass Cart(val total: Int)\n\nclass Row(val total: Int)\n\nfun a() = Cart(total = 3) //= field:Cart\n\nfun b() = post(total = 3) //= -\n";
    check(&[("n/Cart.kt", kotlin)], "total", "Cart.kt");
}

#[test]
fn a_cpp_name_has_the_type_of_its_nearest_declaration() {
    let cpp = "struct conn { int send(int x); };\nstruct other { int send(int x); };\nstatic conn sock;\nclass Use {\n  conn link;\n  int a() { return link.send(1); } //= conn\n  int b() { return this->link.send(2); } //= conn\n  int c() { for (other& one : all) { return one.send(3); } return 0; } //= other\n  int d() { if (other* one = find()) { return one->send(4); } return 0; } //= other\n  int e() { auto sock = make(); return sock.send(5); } //= ?\n  int f() { other one(size); return one.send(6); } //= other\n  int g() { auto [a, sock] = make(); return sock.send(7); } //= ?\n  int h() { return sock.send(8); } //= conn\n};\n";
    check(&[("a/use.cpp", cpp)], "send", "use.cpp");
}

#[test]
fn a_call_does_not_match_a_sibling_type() {
    let typescript = "export class Shape { area() {} }\nexport class Square extends Shape { area() {} }\nexport class Round extends Shape { area() {} }\nexport class Plain extends Shape {}\nexport class Small extends Plain { area() {} }\nexport function a(s: Square) { s.area(); } //= Shape Square\nexport function b(s: Shape) { s.area(); } //= Round Shape Small Square\nexport function c(s: Plain) { s.area(); } //= Shape Small\n";
    check(&[("shape.ts", typescript)], "area", "shape.ts");
}

#[test]
fn members_are_visible_only_within_their_own_type() {
    let scala = "package n\ntrait Shape { def area = 1 }\nobject Round { def area = 2 }\nclass Other {\n  def a = area //= -\n}\nclass Square extends Shape {\n  def a = area //= Shape\n}\n";
    check(&[("n/A.scala", scala)], "area", "A.scala");
    let swift = "protocol Shape { func area() -> Int }\nenum Mode {\n  func area() -> Int { return 3 }\n}\nclass Other {\n  func a() -> Int { return area() } //= -\n}\nclass Square: Shape {\n  func area() -> Int { return 1 }\n}\nextension Square {\n  func a() -> Int { return area() } //= Square\n}\n";
    check(&[("App/A.swift", swift)], "area", "A.swift");
    let php = "<?php\nnamespace App;\nenum Mode {\n  const LIMIT = 3;\n  function a() { return self::LIMIT; } //= Mode\n}\nclass Other {\n  function a() { return LIMIT; } //= -\n}\n";
    check(&[("src/Mode.php", php)], "LIMIT", "Mode.php");
}

#[test]
fn a_frequently_used_variable_has_its_declared_type() {
    let python = format!(
        "class Client:\n    def run(self): pass\n\nclass Other:\n    def run(self): pass\n\ndef f(x: Client):\n{}    x.run() #= Client\n",
        "    x.go()\n".repeat(100)
    );
    check(&[("run.py", python.as_str())], "run", "run.py");
}

#[test]
fn an_untyped_value_may_be_of_the_requested_type() {
    let kotlin = "package n\n\nclass Square {\n  fun area() = 2\n}\n\nclass Round {\n  fun area() = 3\n}\n\nclass Use {\n  fun a(x: Any) { if (x is Square) x.area() } //= ?\n}\n";
    check(&[("n/Use.kt", kotlin)], "area", "Use.kt");
}

#[test]
fn a_java_call_is_the_imported_method_and_not_the_field() {
    let java = "package n;\nimport static n.Util.total;\nclass Cart {\n  int total;\n  int a() { return total() + 1; } //= Util\n  int b() { return total + 1; } //= field:Cart\n}\nclass Util { static int total() { return 1; } }\n";
    check(&[("n/Cart.java", java)], "total", "Cart.java");
    let java = "package n;\nclass Base { int total() { return 1; } }\nclass Cart extends Base {\n  int total;\n  int a() { return total() + 1; } //= Base\n}\n";
    check(&[("n/Cart.java", java)], "total", "Cart.java");
}

#[test]
fn a_c_struct_is_found_through_its_typedefs() {
    let c = "struct cart { int total; };\ntypedef struct cart cart_t;\ntypedef cart_t basket;\nstruct other { int total; };\nint a(cart_t *c) { return c->total; } //= field:cart\nint b(basket *c) { return c->total; } //= field:cart\nint d(struct other *o) { return o->total; } //= field:other\n";
    check(&[("a.c", c)], "total", "a.c");
}

#[test]
fn a_kotlin_constructor_argument_is_not_an_outer_member() {
    let kotlin = "package n\n\nval total = 5\n\nclass Cart(total: Int) {\n  val half = total / 2 //= -\n}\n\nclass Row(val total: Int) {\n  val half = total / 2 //= field:Row\n}\n";
    check(&[("n/Cart.kt", kotlin)], "total", "Cart.kt");
}

#[test]
fn a_field_is_used_on_the_line_of_its_namesake_method() {
    let rust = "pub struct Cart {\n    pub total: u32,\n}\nimpl Cart {\n    pub fn total(&self) -> u32 { self.total } //= field:Cart\n}\n";
    check(&[("src/lib.rs", rust)], "total", "lib.rs");
    let csharp =
        "namespace N;\npublic class Cart {\n  int total;\n  int Total() => total; //= field:N.Cart\n}\n";
    check(&[("a/Cart.cs", csharp)], "total", "Cart.cs");
    let java = "package n;\nclass Cart {\n  private int size;\n  int size() { return this.size; } //= field:Cart\n}\n";
    check(&[("n/Cart.java", java)], "size", "Cart.java");
}

#[test]
fn a_call_on_a_foreign_modules_member_matches_no_local_type() {
    let python = "import os\nimport numpy as np\nimport way.join\n\nclass Url:\n    def join(self, x):\n        return x\n\ndef f(x):\n    way.join.quote(x) #= -\n    a = os.path.join('a') #= -\n    b = np.linalg.join('a') #= -\n    return np.load(x).join('a') #= ?\n\ndef g(way: Url):\n    return way.join('a') #= Url\n\ndef h(way):\n    return way.join('a') #= ?\n\ndef i():\n    way = Url()\n    return way.join('a') #= Url\n\ndef k():\n    return way.join('a') #= -\n";
    check(&[("url.py", python)], "join", "url.py");
}

#[test]
fn a_definition_in_a_language_without_a_grammar_is_beside_those_of_others() {
    let project = Project::new(&[
        ("lib/shop/socket.ex", "defmodule Shop.Socket do\n  def connect(x), do: x\nend\n"),
        ("assets/socket.js", "export class Socket {}\n"),
    ]);
    let (store, reader) = project.indexed();
    let found = references(&store, &reader, &project.root(), "Socket").unwrap();
    let places = |all: &[Definition]| -> Vec<String> {
        all.iter().map(|one| format!("{}:{}", one.path, one.line)).collect()
    };
    assert_eq!(places(&found.definitions), ["assets/socket.js:1"]);
    assert_eq!(places(&found.by_lines), ["lib/shop/socket.ex:1"]);
    assert!(found.uses.is_empty(), "{:?}", found.uses);
}

/// Types of Go that all embed each other.
#[test]
fn embedded_go_types_are_visited_once() {
    let names: Vec<String> = (0..16).map(|n| format!("Part{n}")).collect();
    let mut go = String::from("package n\n\n");
    for name in &names {
        let others = names.iter().filter(|other| *other != name).map(|other| format!("\t*{other}\n"));
        go += &format!("type {name} struct {{\n{}}}\n\n", others.collect::<String>());
    }
    go += "type Own struct{}\n\nfunc (o Own) Close() {}\n\nfunc a(p Part0) {\n\tp.Close() //= -\n}\n\nfunc b(o Own) {\n\to.Close() //= Own\n}\n";
    check(&[("go.mod", "module x\n"), ("part.go", go.as_str())], "Close", "part.go");
}

#[test]
fn a_call_deep_in_a_sum_has_the_type_of_its_head() {
    let c = format!(
        "struct cart {{ int sum; }};\nint f(struct cart *c) {{\n    return {}; //= field:cart\n}}\n",
        ["c->sum"; 500].join(" +\n    ")
    );
    check(&[("cart.c", c.as_str())], "sum", "cart.c");
    let rust = format!(
        "pub trait Part {{\n    fn sum(&self) -> i32;\n}}\npub fn f<T: Part>(c: &T) -> i32 {{\n    {} //= Part\n}}\n",
        ["c.sum()"; 500].join(" +\n    ")
    );
    check(&[("src/lib.rs", rust.as_str())], "sum", "lib.rs");
}

#[test]
fn what_a_class_of_python_asks_itself_is_its_own() {
    let python = "class Alpha:\n    def run(self): pass\n\n    def deco(self):\n        def inner(f):\n            self.run() #= Alpha\n            return f\n        return inner\n\nclass Beta:\n    def run(self): pass\n\n    @property\n    def part(self) -> Alpha:\n        return Alpha()\n\n    def made(self) -> Alpha:\n        return Alpha()\n\n    def go(self):\n        self.part.run() #= Alpha\n        self.made().run() #= Alpha\n\n    @classmethod\n    def create(cls):\n        return cls().run() #= Beta\n\nclass Gamma:\n    def part(self) -> Beta:\n        return Beta()\n\n    def made(self) -> Beta:\n        return Beta()\n\ndef wrap():\n    def inner(self: Alpha):\n        self.run() #= Alpha\n\n    def other(self):\n        self.run() #= ?\n";
    check(&[("run.py", python)], "run", "run.py");
}

#[test]
fn anonymous_classes_and_casts_give_the_receivers_type() {
    let typescript = "export class Base { go() {} }\nexport class Stranger { go() {} }\nexport function mixed() {\n  return class extends Base {\n    m() { super.go(); } //= Base\n  };\n}\nexport function f(x: any, y: any) {\n  (x as Base).go(); //= Base\n  (<Stranger>y).go(); //= Stranger\n}\nexport class Made extends Stranger {\n  make(): Base { return new Base(); }\n  m() { const b = this.make(); b.go(); } //= Base\n}\nexport class Other { make(): Stranger { return new Stranger(); } }\nexport class Held {\n  hold() {\n    return { go() {}, m() { this.go(); } }; //= Held.hold\n  }\n}\n";
    check(&[("go.ts", typescript)], "go", "go.ts");
    let java = "package n;\nclass Cart { void pay() {} }\nclass Shop { void pay() {} }\nclass Use {\n  void a(Object x) { ((Cart) x).pay(); } //= Cart\n}\n";
    check(&[("n/Cart.java", java)], "pay", "Cart.java");
}

#[test]
fn a_class_without_a_name_inherits_what_its_bases_have() {
    let java = "package n;\nclass Base { void pay() {} }\nclass Other { void pay() {} }\nclass Shop {\n  void pay() {}\n  Base a = new Base() {\n    void b() { pay(); } //= Base\n    void c() { this.pay(); } //= Base\n  };\n  void d() { pay(); } //= Shop\n  Base e = new Base() {\n    void f() {\n      new Runnable() {\n        public void run() { pay(); } //= ?\n      };\n    }\n  };\n}\n";
    check(&[("n/Shop.java", java)], "pay", "Shop.java");
    let kotlin = "package n\nopen class Base {\n  fun pay() {}\n}\nclass Other {\n  fun pay() {}\n}\nclass Shop {\n  val a = object : Base() {\n    fun b() { pay() } //= Base\n  }\n}\n";
    check(&[("n/Shop.kt", kotlin)], "pay", "Shop.kt");
    let scala = "package n\nclass Base(x: String) {\n  def pay(): Unit = ()\n}\nclass Other {\n  def pay(): Unit = ()\n}\nclass Shop {\n  val a = new Base(\"x\") {\n    pay() //= Base\n  }\n}\n";
    check(&[("n/Shop.scala", scala)], "pay", "Shop.scala");
    let php = "<?php\nclass Base {\n  function pay() {}\n}\nclass Shop {\n  function pay() {}\n  function a() {\n    return new class extends Base {\n      function b() { $this->pay(); } //= Base\n    };\n  }\n  function c() { $this->pay(); } //= Shop\n}\n";
    check(&[("Shop.php", php)], "pay", "Shop.php");
    // Its base is of a library, and only called like the own one.
    let foreign = "package m;\nimport lib.Base;\nclass Use {\n  Base a = new Base() {\n    void b() { pay(); } //= -\n  };\n}\n";
    check(&[("n/Shop.java", java), ("m/Use.java", foreign)], "pay", "Use.java");
}

#[test]
fn what_a_type_around_inherits_is_in_scope_in_the_types_inside() {
    let java = "package n;\nclass Base { void pay() {} }\nclass Shop extends Base {\n  Runnable a = new Runnable() {\n    public void run() { pay(); } //= ?\n  };\n  void b() {\n    c(new Runnable() {\n      public void run() { pay(); } //= ?\n    });\n  }\n  class Inner {\n    void d() { pay(); } //= ?\n  }\n  static class Apart {\n    void d() { pay(); } //= -\n  }\n  void e() { pay(); } //= Base\n}\nclass Other {\n  Runnable f = new Runnable() {\n    public void run() { pay(); } //= -\n  };\n}\n";
    check(&[("n/Shop.java", java)], "pay", "Shop.java");
    let kotlin = "package n\nopen class Base {\n  fun pay() {}\n}\nclass Shop : Base() {\n  val a = object : Runnable {\n    override fun run() { pay() } //= ?\n  }\n  inner class Inner {\n    fun c() { pay() } //= ?\n  }\n  class Apart {\n    fun c() { pay() } //= -\n  }\n  fun b() { pay() } //= Base\n}\n";
    check(&[("n/Shop.kt", kotlin)], "pay", "Shop.kt");
}

#[test]
fn a_method_of_scala_between_two_values_is_asked_of_the_first() {
    let scala = "package n\nclass Cart {\n  def add(x: Int): Cart = this\n  def run(other: Till) = {\n    other add 1 //= Till\n  }\n}\nclass Till {\n  def add(x: Int): Till = this\n}\nclass Use {\n  def a(cart: Cart) = cart add 1 //= Cart\n  def b(cart: Cart) = cart.add(1) //= Cart\n}\n";
    check(&[("n/Cart.scala", scala)], "add", "Cart.scala");
}

#[test]
fn what_is_waited_for_in_rust_is_what_its_future_gives() {
    let rust = "pub struct Ask;\npub struct Reply;\nimpl Ask {\n    pub fn json(self) -> Self { self }\n}\nimpl Reply {\n    pub fn json(&self) {}\n}\nimpl std::future::IntoFuture for Ask {\n    type Output = Reply;\n    type IntoFuture = std::future::Ready<Reply>;\n    fn into_future(self) -> Self::IntoFuture { std::future::ready(Reply) }\n}\npub fn ask() -> Ask { Ask }\npub async fn reply() -> Reply { Reply }\npub async fn f() {\n    let a = ask().await;\n    a.json(); //= ?\n    let b = reply().await;\n    b.json(); //= Reply\n    let c = ask();\n    c.json(); //= Ask\n}\n";
    check(&[("src/lib.rs", rust)], "json", "lib.rs");
}

#[test]
fn a_trait_for_everything_does_not_take_the_standard_librarys_methods() {
    let rust = "pub trait Parse {\n    fn parse_ref(&self, text: &str);\n    fn map(self, by: u32) -> u32;\n}\nimpl<F> Parse for F\nwhere\n    F: Fn(&str),\n{\n    fn parse_ref(&self, text: &str) { self(text) }\n    fn map(self, by: u32) -> u32 { by }\n}\npub fn f(all: Vec<u32>, one: Option<u32>) {\n    all.into_iter().map(|x| x + 1); //= -\n    one.map(|x| x + 1); //= -\n}\n";
    check(&[("src/lib.rs", rust)], "map", "lib.rs");
}

#[test]
fn a_variable_that_is_called_like_an_import_isnt_that() {
    let basket = "class Basket:\n    def total(self): pass\n";
    let python = "import cart\n\ndef a():\n    cart.total()\n\ndef b(cart):\n    cart.total()\n\ndef c(all):\n    for cart in all:\n        cart.total()\n\ndef d():\n    try:\n        import cart\n    except ImportError:\n        cart = None\n    cart.total()\n";
    let script = "import * as cart from './cart';\nexport function a() { cart.total(); }\nexport function b(cart: any) { cart.total(); }\nexport const c = (all: any[]) => all.map((cart) => cart.total());\nexport function d() {\n  const cart = require('./cart');\n  return () => cart.total();\n}\n";
    let cases = [
        ([("cart.py", "def total():\n    pass\n"), ("basket.py", basket), ("use.py", python)], &[4, 18][..]),
        (
            [
                ("cart.ts", "export function total() {}\n"),
                ("basket.ts", "export class Basket { total() {} }\n"),
                ("use.ts", script),
            ],
            &[2, 7],
        ),
    ];
    for (files, expected) in cases {
        let project = Project::new(&files);
        let (store, reader) = project.indexed();
        let found = references(&store, &reader, &project.root(), "total").unwrap();
        let is_sure = |one: &&Use| one.path == files[2].0 && one.confidence == Confidence::Resolved;
        let lines: Vec<u32> = found.uses.iter().filter(is_sure).map(|one| one.line).collect();
        assert_eq!(lines, expected, "{}", files[2].0);
    }
}

#[test]
fn what_a_foreign_function_gives_is_of_no_own_type_unless_it_was_given_one() {
    let typescript = "import request from 'supertest';\nimport { createHash } from 'crypto';\nimport { inject } from 'di';\nimport { useIt } from '~/it';\nexport class Cart { update() {} }\nuseIt().update(); //= ?\nrequest(1).update(); //= -\ncreateHash('md5').update(); //= -\nrequest().get('/a').update(); //= -\ninject(Cart).update(); //= ?\ninject<Cart>().update(); //= ?\ninject('cart').update(); //= ?\nunknown().update(); //= ?\nexport function f(x: any) {\n  inject(x).update(); //= ?\n}\n";
    check(&[("cart.ts", typescript)], "update", "cart.ts");
}

#[test]
fn what_a_derived_default_gives_is_the_type_itself() {
    let cart = "#[derive(Default)]\npub struct Cart;\nimpl Cart {\n    pub fn pay(&self) {}\n}\n";
    let rust = "pub mod a;\npub mod b;\nuse a::Cart;\npub fn f() {\n    let one = Cart::default();\n    one.pay();\n    let other = b::Cart::default();\n    other.pay();\n}\n";
    let files = [
        ("Cargo.toml", "[package]\nname = \"shop\"\n"),
        ("src/a.rs", cart),
        ("src/b.rs", cart),
        ("src/lib.rs", rust),
    ];
    let project = Project::new(&files);
    let (store, reader) = project.indexed();
    for (name, expected) in [("a.Cart.pay", 6), ("b.Cart.pay", 8)] {
        let found = references(&store, &reader, &project.root(), name).unwrap();
        let sure = found.uses.iter().filter(|one| one.confidence == Confidence::Resolved);
        assert_eq!(sure.map(|one| one.line).collect::<Vec<_>>(), [expected], "{name}");
    }
}

#[test]
fn a_variable_that_hides_a_field_is_not_of_the_fields_type() {
    let java = "package n;\nclass Cart { void pay() {} }\nclass Till { void pay() {} }\nclass U {\n  Cart c;\n  void a(java.util.List<Till> ts) {\n    for (var c : ts) {\n      c.pay(); //= ?\n    }\n  }\n  void b() {\n    run(c -> c.pay()); //= ?\n  }\n  void d() {\n    run((c, x) -> {\n      c.pay(); //= ?\n    });\n  }\n  void e() {\n    try (var c = open()) {\n      c.pay(); //= ?\n    }\n  }\n  void f() {\n    var c = other();\n    c.pay(); //= ?\n  }\n  void g() {\n    c.pay(); //= Cart\n  }\n}\n";
    check(&[("n/U.java", java)], "pay", "U.java");
    let kotlin = "package n\nclass Cart {\n  fun pay() {}\n}\nclass Till {\n  fun pay() {}\n}\nclass U(val c: Cart) {\n  fun a(ts: List<Till>) {\n    for (c in ts) {\n      c.pay() //= ?\n    }\n  }\n  fun b() {\n    run { c -> c.pay() } //= ?\n  }\n  fun d() {\n    val c = other()\n    c.pay() //= ?\n  }\n  fun e() {\n    c.pay() //= Cart\n  }\n  fun f() {\n    val (c, d) = other()\n    c.pay() //= ?\n  }\n  fun g() {\n    c?.let { c -> c.pay() } //= Cart\n  }\n}\n";
    check(&[("n/U.kt", kotlin)], "pay", "U.kt");
    let csharp = "namespace N;\nclass Cart { public void Pay() {} }\nclass Till { public void Pay() {} }\nclass U {\n  Cart c;\n  void A(List<Till> ts) {\n    foreach (var c in ts) {\n      c.Pay(); //= ?\n    }\n    Run(c => c.Pay()); //= ?\n    var (c, d) = Other();\n  }\n  void B() {\n    var c = Other();\n    c.Pay(); //= ?\n  }\n  void D() {\n    Get(out var c);\n    c.Pay(); //= ?\n  }\n  void E() {\n    c.Pay(); //= N.Cart\n  }\n}\n";
    check(&[("n/U.cs", csharp)], "Pay", "U.cs");
    let swift = "class Cart { func pay() {} }\nclass Till { func pay() {} }\nclass U {\n  var c: Cart\n  func a() {\n    for c in ts {\n      c.pay() //= ?\n    }\n    run { c in c.pay() } //= ?\n  }\n  func b() {\n    if let c = other() { c.pay() } //= ?\n    guard let c = other() else { return }\n    c.pay() //= ?\n  }\n  func d() {\n    let c = other()\n    c.pay() //= ?\n  }\n  func e() {\n    c.pay() //= Cart\n    if let c { c.pay() } //= Cart\n    if let c = c { c.pay() } //= Cart\n  }\n}\n";
    check(&[("App/U.swift", swift)], "pay", "U.swift");
    let scala = "package n\nclass Cart {\n  def pay(): Unit = ()\n}\nclass Till {\n  def pay(): Unit = ()\n}\nclass U(val c: Cart) {\n  def a() = {\n    val c = other()\n    c.pay() //= ?\n  }\n  def b(xs: List[Till]) = xs.map(c => c.pay()) //= ?\n  def d(xs: List[Till]) = for (c <- xs) yield c.pay() //= ?\n  def e() = c.pay() //= Cart\n}\n";
    check(&[("n/U.scala", scala)], "pay", "U.scala");
}
