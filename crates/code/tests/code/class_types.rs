//! Members and values in languages with classes: what a declaration, a holder, a result or a type's own name says of them.

use plimsoll_code::Kind;
use plimsoll_code::refs::{Confidence, references};

use crate::common::Project;
use crate::namesakes::check_places;
use crate::receiver_types::check;

/// The lines of the uses that are certain.
fn certain(files: &[(&str, &str)], name: &str) -> Vec<u32> {
    let project = Project::new(files);
    let (store, reader) = project.indexed();
    let found = references(&store, &reader, &project.root(), name).unwrap();
    let sure = found.uses.iter().filter(|one| one.confidence == Confidence::Resolved);
    sure.map(|one| one.line).collect()
}

#[test]
fn a_macro_in_the_head_of_a_class_doesnt_hide_it() {
    let cpp = "class SHOP_API Base {\n public:\n  virtual int close();\n};\nclass SHOP_API Cart final : public Base {\n public:\n  explicit Cart(int total) : Base(), m_total(total), m_open{} {} //= field:Cart\n  int total() { return m_total; } //= field:Cart\n private:\n  int m_total;\n  bool m_open;\n};\nstruct Other {\n  Other() : m_total(1) {} //= field:Other\n  int m_total;\n};\n";
    check(&[("cart.cpp", cpp)], "m_total", "cart.cpp");
    let project = Project::new(&[("cart.cpp", cpp)]);
    let (store, reader) = project.indexed();
    let found = references(&store, &reader, &project.root(), "Cart").unwrap();
    let told: Vec<(Kind, u32)> = found.definitions.iter().map(|one| (one.kind, one.line)).collect();
    assert!(told.contains(&(Kind::Class, 5)), "{told:?}");
    assert_eq!(certain(&[("cart.cpp", cpp)], "Base"), [5, 7]);
    assert_eq!(certain(&[("cart.cpp", cpp)], "m_open"), [7]);
    let api = "#define SHOP_API\nclass SHOP_API Cart {\n  int total;\n};\n";
    assert_eq!(certain(&[("api.cpp", api)], "SHOP_API"), [2]);
}

#[test]
fn a_macro_in_front_of_a_declaration_doesnt_hide_it() {
    let header = "#define SHOP_API\n#define SHOP_PURE [[nodiscard]]\nnamespace shop {\nclass Cart {\n public:\n  SHOP_PURE bool empty() const { return all_.size() == 0; }\n  SHOP_API std::size_t count() const;\n  int close() { return empty() ? 0 : 1; } //= shop.Cart\n  std::vector<int> all_;\n};\nclass Other {\n public:\n  SHOP_PURE bool empty() const { return true; }\n};\nSHOP_API std::string name(const Cart &cart);\n}\n";
    check(&[("cart.hpp", header)], "empty", "cart.hpp");
    let uses = "#include \"cart.hpp\"\nstd::string use(shop::Cart &cart) { return shop::name(cart); }\nstd::size_t many(shop::Cart &cart) { return cart.count(); }\n";
    let files = [("cart.hpp", header), ("use.cpp", uses)];
    assert_eq!(certain(&files, "shop.name"), [2]);
    assert_eq!(certain(&files, "shop.Cart.count"), [3]);
    assert_eq!(certain(&[("cart.hpp", header)], "SHOP_API"), [7, 15]);
    assert_eq!(certain(&[("cart.hpp", header)], "SHOP_PURE"), [6, 13]);
}

#[test]
fn an_argument_of_a_macro_in_front_of_a_declaration_is_a_use() {
    let text = "#define SHOP_OLD(level)\n#define SHOP_UNUSED(x) (void)(x);\nstatic const int old_level = 1;\nint total = 0;\nSHOP_OLD(old_level) int size(void) { return 4; }\nSHOP_OLD(\"old_level\") int count(void) { return 4; }\nint run(void) {\n  int total = 1;\n  SHOP_UNUSED(total) int other = 3;\n  return other;\n}\n";
    assert_eq!(certain(&[("size.c", text)], "old_level"), [5]);
    // A local may be meant, which isn't looked for there.
    assert_eq!(certain(&[("size.c", text)], "total"), [0; 0]);
}

#[test]
fn a_parameter_of_a_function_without_a_body_is_seen_there_alone() {
    let text = "#include \"size.h\"\nstatic void put(char *to, int size);\nstatic void put(char *to, int size) { to[size] = 0; }\nint run(void) { return size(); }\ntypedef int (*reader)(int size);\nstruct S { int (*read)(int size); };\nvoid with(int (*of)(int size), int n) { of(size() + n); }\n";
    let files = [("size.h", "int size(void);\nchar *take(int size);\n"), ("run.c", text)];
    assert_eq!(certain(&files, "size"), [4, 7]);
    let text = "namespace s {\nint size();\nclass A {\n public:\n  A(int size);\n  void put(int size);\n  int own() { return size(); }\n};\nvoid go(int size);\nint run() { return size(); }\nauto same = [](int size) { return size; };\nvoid caught() { try { run(); } catch (int size) { go(size); } }\n}\n";
    assert_eq!(certain(&[("size.hpp", text)], "size"), [7, 10]);
    let go = "package a\n\ntype Store interface {\n\tPut(size int)\n}\n\nfunc run() int { return size() }\n";
    let own = "package a\n\nfunc size() int { return 1 }\n";
    assert_eq!(certain(&[("go.mod", "module a\n"), ("a.go", own), ("b.go", go)], "size"), [7]);
    let text = "import { size } from './a';\nabstract class A { abstract put(size: number): void; }\ninterface I { (size: number): void; new (size: number): I }\ntype C = new (size: number) => A;\nexport const run = () => size();\n";
    assert_eq!(certain(&[("a.ts", "export function size() {}\n"), ("b.ts", text)], "size"), [1, 5]);
    let own = "namespace N;\nclass Base { protected static int Size() => 1; }\n";
    let text = "namespace N;\ndelegate void D(int Size);\nclass A : Base { int Run() { return Size(); } }\n";
    assert_eq!(certain(&[("a.cs", own), ("b.cs", text)], "Size"), [3]);
}

#[test]
fn a_namespace_that_is_called_like_its_class_is_not_that() {
    let files = [
        ("composer.json", "{\"autoload\": {\"psr-4\": {\"Shop\\\\\": \"src/\"}}}\n"),
        ("src/Cart/Cart.php", "<?php\nnamespace Shop\\Cart;\nclass Cart {}\n"),
        (
            "src/Use.php",
            "<?php\nnamespace Shop;\nuse Shop\\Cart\\Cart;\nfunction a() { return new Cart(); }\n",
        ),
    ];
    assert_eq!(certain(&files, "Cart"), [3, 4]);
}

#[test]
fn a_class_of_php_that_is_named_from_the_root_is_that_of_its_namespace() {
    let cart = |head: &str, namespace: &str| {
        format!("<?php\n{head}namespace {namespace};\nclass Cart {{ public static function make() {{}} }}\n")
    };
    // A license may be long.
    let license = format!("/*\n{}*/\n", " * A line of a license.\n".repeat(1_000));
    let (app, other) = (cart("", "App"), cart(&license, "Other"));
    let uses = "<?php\nnamespace Web;\nfunction a() { \\App\\Cart::make(); }\nfunction b() { \\Other\\Cart::make(); }\nfunction c() { \\Foreign\\Cart::make(); }\nfunction d() { return new \\App\\Cart(); }\n";
    let composer = "{\"autoload\": {\"psr-4\": {\"App\\\\\": \"app/\", \"Other\\\\\": \"lib/\"}}}\n";
    let files = [
        ("composer.json", composer),
        ("app/Cart.php", app.as_str()),
        ("lib/Cart.php", other.as_str()),
        ("app/use.php", uses),
    ];
    for (name, expected) in
        [("app.Cart.make", &[3][..]), ("lib.Cart.make", &[4]), ("app.Cart", &[3, 6]), ("lib.Cart", &[4])]
    {
        assert_eq!(certain(&files, name), expected, "{name}");
    }
}

#[test]
fn a_function_in_a_method_of_a_component_has_its_own_this() {
    let vue = "<script>\nexport default {\n  methods: {\n    pay() {},\n    other() {\n      [1].forEach(function () { this.pay(); });\n      [1].forEach(() => { this.pay(); });\n      const helper = { run() { this.pay(); } };\n    },\n    later: debounce(function () { this.pay(); }, 300),\n  },\n  mounted() { this.pay(); },\n};\nfunction free() { this.pay(); }\n</script>\n";
    assert_eq!(certain(&[("src/Card.vue", vue)], "pay"), [7, 10, 12]);
}

#[test]
fn a_component_of_vue_asks_itself_for_its_methods() {
    let vue = "<template><p @click=\"pay\"/></template>\n<script>\nexport default {\n  data() { return { total: 1 }; },\n  computed: {\n    sum() { return this.total; },\n  },\n  watch: {\n    total() { this.pay(); },\n  },\n  methods: {\n    pay() { return this.sum; },\n    async other() { await this.pay(); },\n  },\n};\nclass Other { run() { this.pay(); } }\n</script>\n";
    for (name, expected) in [("pay", &[9, 13][..]), ("sum", &[12]), ("total", &[])] {
        assert_eq!(certain(&[("src/Card.vue", vue)], name), expected, "{name}");
    }
}

#[test]
fn a_value_of_an_enumeration_is_named_through_what_that_is_in() {
    let header = "namespace shop {\nstruct Cart {\n  enum Mode { OPEN, SHUT };\n  Mode mode;\n  bool is() { return mode == OPEN; } //= variant:shop.Cart.Mode\n};\nnamespace Level {\nenum value { OPEN };\n}\nenum Kind { PLAIN };\n}\n";
    let unseen = "#include \"cart.hpp\"\nint a(int mode) { return mode == OPEN; } //= ?\nint b(int mode) { return mode == shop::Cart::OPEN; } //= variant:shop.Cart.Mode\nint c(int mode) { return mode == shop::Cart::Mode::OPEN; } //= variant:shop.Cart.Mode\nint d(int mode) { return mode == shop::Level::OPEN; } //= variant:shop.Level.value\n";
    let seen = "#include \"cart.hpp\"\nusing namespace shop::Level;\nint a(int mode) { return mode == OPEN; } //= variant:shop.Level.value\n";
    let files = [("cart.hpp", header), ("unseen.cpp", unseen), ("seen.cpp", seen)];
    for ending in ["cart.hpp", "seen.cpp"] {
        check(&files, "OPEN", ending);
    }
    let plain = "#include \"cart.hpp\"\nint a(int of) { return of == shop::PLAIN; } //= variant:shop.Kind\nint b(int of) { return of == shop::Kind::PLAIN; } //= variant:shop.Kind\n";
    check(&[("cart.hpp", header), ("plain.cpp", plain)], "PLAIN", "plain.cpp");
}

#[test]
fn what_a_cpp_value_holds_or_gives_has_its_type() {
    let cpp = "#include <memory>\nstruct Cart { void close(); Cart& next(); };\nstruct Other { void close(); };\ntypedef std::shared_ptr<Cart> cart_ptr;\nstruct Shop {\n  std::unique_ptr<Cart> m_cart;\n  std::vector<Other> m_all;\n  Cart open();\n  static Other make();\n  void a() { m_cart->close(); } //= Cart\n  void b() { m_cart.close(); } //= ?\n  void c() { m_all[0].close(); } //= Other\n  void d() { this->open().next().close(); } //= Cart\n  void e() { Shop::make().close(); } //= Other\n  void f(cart_ptr one) { one->close(); } //= Cart\n  void g() { (*m_cart).close(); } //= Cart\n};\n";
    check(&[("shop.cpp", cpp)], "close", "shop.cpp");
}

#[test]
fn what_a_class_of_cpp_gives_by_its_own_operators_is_not_that_class() {
    let cpp = "struct Line { void shut(); };\nstruct Cart {\n  void shut();\n  Line operator[](int i);\n  Line &operator*();\n};\nstruct Other { void shut(); Other operator*(int by); };\nstruct Holder { void shut(); void own() { this->shut(); } Line *operator->(); }; //= Holder\nvoid a(Cart cart) { cart[0].shut(); } //= ?\nvoid b(Cart cart) { (*cart).shut(); } //= ?\nvoid c(Cart cart) { cart.shut(); } //= Cart\nvoid d(Other *other) { (*other).shut(); } //= Other\nvoid e(Other *other) { other[0].shut(); } //= Other\nvoid f(Other other) { (&other)->shut(); } //= Other\nvoid g(Holder holder) { holder->shut(); } //= ?\nvoid h(Holder holder) { holder.shut(); } //= Holder\n";
    check(&[("cart.cpp", cpp)], "shut", "cart.cpp");
}

#[test]
fn a_macro_of_c_uses_what_its_body_names() {
    let c = "#define CTB(x) ((x) | 1)\n#define SHORT(x) check(x, CTB(2), \"CTB\")\n#define LONG(CTB) (CTB + 1)\n#define PART(o) ((o)->CTB)\nint f(int a) { return SHORT(a) + CTB(a); }\n";
    assert_eq!(certain(&[("a.c", c)], "CTB"), [2, 5]);
    assert_eq!(certain(&[("a.cpp", c)], "CTB"), [2, 5]);
}

#[test]
fn a_key_in_a_literal_of_c_is_a_field_of_the_declared_type() {
    let c = "struct cart { int total; };\nstruct other { int total; };\nstruct cart one = { .total = 1 }; //= field:cart\nstruct other all[] = { { .total = 1 } }; //= field:other\nint f(void) { use((struct cart){ .total = 2 }); return 0; } //= field:cart\nstruct pair both = { .first = { .total = 3 } }; //= -\n";
    check(&[("a.c", c)], "total", "a.c");
}

#[test]
fn what_a_method_gives_has_the_type_in_front_of_its_name() {
    let java = "package n;\nclass Cart {\n  void pay() {}\n  Cart add(int x) { return this; }\n  static <T> Cart of(T x) { return new Cart(); }\n}\nclass Other { void pay() {} }\nclass Shop { Cart cart() { return null; } }\nclass Use {\n  Shop shop;\n  Cart own() { return null; }\n  void a() { new Cart().add(1).pay(); } //= Cart\n  void b() { Cart.of(1).pay(); } //= Cart\n  void c(Shop s) { var cart = s.cart(); cart.pay(); } //= Cart\n  void d() { shop.cart().pay(); } //= Cart\n  void e(Foreign f) { f.cart().pay(); } //= ?\n  void g() { own().pay(); } //= Cart\n}\n";
    check(&[("n/Use.java", java)], "pay", "Use.java");
    let csharp = "namespace N;\npublic class Cart { public void Pay() {} }\npublic class Other { public void Pay() {} }\npublic class Shop {\n  public Cart Open(int x) => null;\n  public TItem Get<TItem>() => default;\n}\nclass Use {\n  void A() { var shop = new Shop(); var cart = shop.Open(1); cart.Pay(); } //= N.Cart\n  void B(Shop shop) { shop.Get().Pay(); } //= ?\n  static Cart Make() => new();\n  void C() { Make().Pay(); } //= N.Cart\n  void D() { var one = Use.Make(); one.Pay(); } //= N.Cart\n  void E() { var one = Unknown(); one.Pay(); } //= ?\n}\n";
    check(&[("a/Use.cs", csharp)], "Pay", "Use.cs");
}

#[test]
fn variables_made_of_each_other_end() {
    let kotlin = "package n\n\nclass Cart {\n  fun pay() {}\n}\n\nclass Other {\n  fun pay() {}\n}\n\nfun a() {\n  val one = two.make()\n  val two = one.make()\n  one.pay() //= ?\n}\n";
    check(&[("n/Use.kt", kotlin)], "pay", "Use.kt");
}

#[test]
fn a_types_name_reaches_what_it_inherits_where_it_is_seen() {
    let types = "class Base {\n  static func make() {}\n}\nclass Other {\n  static func make() {}\n}\nclass Child: Base {}\n";
    let swift = "func a() {\n  Child.make() //= Base\n}\n";
    check(&[("App/A.swift", types), ("App/Use.swift", swift)], "make", "Use.swift");
    let java = "package n;\nclass Base { static void make() {} }\nclass Other { static void make() {} }\nclass Child extends Base {}\nclass Use {\n  void a() { Child.make(); } //= Base\n}\n";
    check(&[("n/Use.java", java)], "make", "Use.java");
    let types =
        "namespace Lib;\npublic class Base { public static void Make() {} }\npublic class Child : Base {}\n";
    let seen = "using Lib;\nnamespace App;\nclass Seen {\n  void A() { Child.Make(); } //= Lib.Base\n  void B(Seen of) { of.Child.Make(); } //= ?\n}\n";
    let unseen = "namespace Other;\nclass Not {\n  void A() { Child.Make(); } //= ?\n}\n";
    let files = [("a/A.cs", types), ("b/Seen.cs", seen), ("c/Not.cs", unseen)];
    check(&files, "Make", "Seen.cs");
    check(&files, "Make", "Not.cs");
}

#[test]
fn a_function_that_extends_a_type_of_kotlin_names_its_members() {
    let kotlin = "package n\n\nclass Sink {\n  fun flush() {}\n}\n\nclass Other {\n  fun flush() {}\n}\n\nfun Sink.commonWrite() {\n  flush() //= Sink\n}\n\nfun commonRead() {\n  flush() //= -\n}\n\nclass Pipe {\n  fun flush() {}\n\n  fun Sink.pass() {\n    flush() //= Sink\n  }\n\n  fun own() {\n    flush() //= Pipe\n  }\n}\n";
    check(&[("n/Sink.kt", kotlin)], "flush", "Sink.kt");
}

#[test]
fn a_php_name_at_the_root_isnt_one_in_a_namespace() {
    let php = "<?php\nnamespace App;\nfunction count($x) { return \\count($x); }\nfunction twice($x) { return count($x); }\nfunction thrice($x) { return \\App\\count($x); }\n";
    assert_eq!(certain(&[("src/functions.php", php)], "count"), [4, 5]);
    for head in ["<?php namespace App;\n", "<?php\ndeclare(strict_types=1); namespace App;\n"] {
        let php = format!("{head}function count($x) {{ return \\count($x); }}\n");
        assert_eq!(certain(&[("src/functions.php", php.as_str())], "count"), [] as [u32; 0], "{php}");
    }
    let php = "<?php\nnamespace App;\nclass Cart {\n  function size() {}\n  function a() { return size(); } //= -\n  function b() { return $this->size(); } //= Cart\n}\n";
    check(&[("src/Cart.php", php)], "size", "Cart.php");
}

#[test]
fn a_path_of_php_begins_at_the_namespace_around_it_or_at_an_import() {
    let one = "<?php\nnamespace Shop;\nuse Far\\Till;\nuse Far as Away;\nfunction pay() {}\nfunction a() {\n  namespace\\pay(); //= one.php:5\n  Till\\pay(); //= three.php:3\n  Away\\Till\\pay(); //= three.php:3\n  Cart\\pay(); //= two.php:3\n  namespace\\Cart\\pay(); //= two.php:3\n  Other\\pay(); //= -\n  \\Shop\\Cart\\pay(); //= two.php:3\n  pay(); //= one.php:5\n}\n";
    let two = "<?php\nnamespace Shop\\Cart;\nfunction pay() {}\npay(); //= two.php:3\nnamespace Shop\\Line;\nfunction pay() {}\npay(); //= two.php:6\n\\Shop\\Cart\\pay(); //= two.php:3\nnamespace\\pay(); //= two.php:6\n";
    let three = "<?php\nnamespace Far\\Till {\n  function pay() {}\n  pay(); //= three.php:3\n}\nnamespace {\n  function pay() {}\n  pay(); //= three.php:7\n  Far\\Till\\pay(); //= three.php:3\n}\nnamespace Far\\Lot {\n  pay(); //= three.php:7\n  \\pay(); //= three.php:7\n}\n";
    check_places(&[("one.php", one), ("two.php", two), ("three.php", three)], "pay");
}

#[test]
fn a_call_of_ruby_that_is_left_out_for_nil_has_its_receiver() {
    let ruby = "class Cart\n  def pay; end\nend\n\nclass Till\n  def pay; end\n\n  def a\n    cart = Cart.new\n    cart&.pay #= Cart\n    self&.pay #= Till\n    x&.pay #= ?\n  end\nend\n";
    check(&[("lib/cart.rb", ruby)], "pay", "cart.rb");
}

#[test]
fn a_call_with_types_in_brackets_has_its_receiver() {
    let csharp = "namespace N;\npublic class Cart { public T Get<T>(int x) => default; public static T Make<T>() => default; }\npublic class Other { public T Get<T>(int x) => default; }\nclass Use {\n  void A(Cart cart) { cart.Get<int>(1); } //= N.Cart\n  void B(Cart cart) { cart?.Get<System.Collections.Generic.List<int>>(2); } //= N.Cart\n  void C(Other other) { other.Get<int>(3); } //= N.Other\n  void D(Foreign it) { it.Get<int>(4); } //= -\n}\n";
    check(&[("a/Use.cs", csharp)], "Get", "Use.cs");
    let cpp = "struct Cart { template <typename T> T as() const; Cart *next(); };\nstruct Other { template <typename T> T as() const; };\nint a(Cart cart) { return cart.as<int>(); } //= Cart\nint b(Cart *cart) { return cart->as<int>(); } //= Cart\nint c(Other other) { return other.as<int>(); } //= Other\nint d(Cart *cart) { return cart->next()->as<int>(); } //= Cart\n";
    check(&[("cart.cpp", cpp)], "as", "cart.cpp");
    let java = "package n;\nclass Cart { <T> void add(T x) {} }\nclass Other { <T> void add(T x) {} }\nclass Use {\n  void a(Cart cart) { cart.<String>add(\"x\"); } //= Cart\n  void b(Other other) { other.<String>add(\"x\"); } //= Other\n}\n";
    check(&[("n/Use.java", java)], "add", "Use.java");
}

#[test]
fn a_member_named_through_a_prototype_is_that_ones() {
    let js = "class Cart {\n  total() {}\n}\nfunction Other() {}\nOther.prototype.total = function () {};\nCart.prototype.total.call(x); //= Cart\nOther.prototype.total.call(x); //= Other.prototype\nString.prototype.total.call(x); //= -\nconst of = y.prototype.total; //= -\n";
    check(&[("src/cart.js", js)], "total", "cart.js");
    let own = "class Own {\n  total() {}\n  same(x) { return x.total === Own.prototype.total; }\n}\nexport class Last extends Own {\n  total() { return Own.prototype.total.call(this); } //= Own\n}\n";
    check(&[("src/own.ts", own)], "total", "own.ts");
}

#[test]
fn a_label_of_java_is_a_value_of_the_only_enumeration_with_all_of_them() {
    let java = "package n;\nclass Use {\n  int a(Reader r) {\n    switch (r.peek()) {\n      case NUMBER: return 1; //= variant:Token\n      case NULL: return 2;\n      default: return 3;\n    }\n  }\n  int b(Reader r) {\n    return switch (r.peek()) {\n      case NUMBER -> 1; //= variant:Other\n      case STRING, NAME -> 2;\n      default -> 3;\n    };\n  }\n  int c(Reader r) {\n    switch (r.peek()) {\n      case NUMBER: return 1; //= ?\n      default: return 2;\n    }\n  }\n}\n";
    let files = [
        ("n/Token.java", "package n;\nenum Token { NUMBER, NULL, NAME }\n"),
        ("n/Other.java", "package n;\nenum Other { NUMBER, STRING, NAME }\n"),
        ("m/Use.java", java),
    ];
    check(&files, "NUMBER", "Use.java");
}

#[test]
fn a_label_of_java_is_a_value_of_the_type_that_decides() {
    let java = "package m;\nimport java.util.concurrent.TimeUnit;\nimport n.Unit;\nclass Use {\n  private TimeUnit own;\n  int a(TimeUnit unit) {\n    switch (unit) {\n      case SECONDS: return 1; //= -\n      case MINUTES: return 2;\n    }\n  }\n  int b() {\n    return switch (own) {\n      case SECONDS -> 1; //= -\n      case MINUTES -> 2;\n    };\n  }\n  int c(Unit unit) {\n    switch (unit) {\n      case SECONDS: return 1; //= variant:Unit\n      default: return 2;\n    }\n  }\n  int d(Clock clock) {\n    switch (clock.unit()) {\n      case SECONDS: return 1; //= variant:Unit\n      default: return 2;\n    }\n  }\n}\n";
    let files = [
        ("n/Unit.java", "package n;\nenum Unit { SECONDS, MINUTES, HOURS }\n"),
        ("n/Other.java", "package n;\nenum Other { SECONDS }\n"),
        ("m/Clock.java", "package m;\nclass Clock { n.Unit unit() { return null; } }\n"),
        ("m/Use.java", java),
    ];
    check(&files, "SECONDS", "Use.java");
    let java = "package m;\nclass Base { static final int RED = 1, BLUE = 2; }\nclass Use extends Base {\n  int a(int of) {\n    switch (of) {\n      case RED: return 1; //= Base\n      case BLUE: return 2;\n    }\n  }\n}\n";
    check(
        &[("n/Color.java", "package n;\nenum Color { RED, BLUE }\n"), ("m/Use.java", java)],
        "RED",
        "Use.java",
    );
}

#[test]
fn an_enumeration_is_not_left_out_because_very_many_have_a_value_of_that_name() {
    let java = "package n;\nclass Use {\n  int a(Reader r) {\n    switch (r.peek()) {\n      case NONE: return 1;\n      case LAST: return 2; //= ?\n    }\n  }\n}\n";
    let both = ["First", "Second"].map(|name| format!("package n;\nenum {name} {{ NONE, LAST }}\n"));
    let many: Vec<(String, String)> = (10..70)
        .map(|n| (format!("m/Mode{n}.java"), format!("package m;\nenum Mode{n} {{ NONE }}\n")))
        .collect();
    let mut files =
        vec![("a/First.java", both[0].as_str()), ("z/Second.java", both[1].as_str()), ("o/Use.java", java)];
    files.extend(many.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    check(&files, "LAST", "Use.java");
}

#[test]
fn what_a_module_of_ruby_names_may_be_of_what_takes_it_in() {
    let ruby = "module Priced\n  def label\n    total #= ?\n  end\n\n  def other(total)\n    total + 1\n  end\nend\n\nclass Cart\n  include Priced\n\n  def total; end\nend\n\nclass Step\n  def run\n    total #= -\n  end\nend\n";
    check(&[("lib/cart.rb", ruby)], "total", "cart.rb");
    let ruby = "class Base\n  def run\n    step #= ?\n  end\nend\n\nclass Own < Base\n  def step; end\nend\n";
    check(&[("lib/base.rb", ruby)], "step", "base.rb");
}

#[test]
fn a_field_of_a_value_whose_type_is_evident_has_its_declared_type() {
    let java = "package n;\nclass Url { void host() {} }\nclass Other { void host() {} }\nclass Base { Url url; }\nclass Request extends Base {}\nclass Use {\n  Request req;\n  void a(Request request) { request.url.host(); } //= Url\n  void b() { this.req.url.host(); } //= Url\n  void c() { req.url.host(); } //= Url\n  void d(Foreign f) { f.url.host(); } //= ?\n}\n";
    check(&[("n/Use.java", java)], "host", "Use.java");
    let kotlin = "package n\n\nclass Url {\n  fun host() {}\n}\n\nclass Other {\n  fun host() {}\n}\n\nclass Request(val url: Url?)\n\nclass Use {\n  fun a(request: Request) { request.url?.host() } //= Url\n}\n";
    check(&[("n/Use.kt", kotlin)], "host", "Use.kt");
    let swift = "class Url { func host() {} }\nclass Other { func host() {} }\nstruct Request {\n  let url: Url\n}\nfunc a(request: Request) {\n  request.url.host() //= Url\n}\n";
    check(&[("App/Use.swift", swift)], "host", "Use.swift");
    let csharp = "namespace N;\npublic class Url { public void Host() {} }\npublic class Other { public void Host() {} }\npublic class Request { public Url Url { get; set; } }\nclass Use {\n  void A(Request request) { request.Url.Host(); } //= N.Url\n}\n";
    check(&[("a/Use.cs", csharp)], "Host", "Use.cs");
}

#[test]
fn a_class_is_named_where_its_members_have_their_bodies() {
    let header = "namespace shop {\nclass Cart {\n public:\n  Cart();\n  void close();\n};\n}\n";
    let bodies =
        "#include \"cart.hpp\"\nnamespace shop {\nCart::Cart() {}\nvoid Cart::close() { Cart other; }\n}\n";
    assert_eq!(certain(&[("cart.hpp", header), ("cart.cpp", bodies)], "shop.Cart"), [3, 4, 4]);
}

#[test]
fn a_type_that_a_file_declares_ahead_is_the_only_one_of_its_name() {
    let shop = "class Cart;\nclass Shop {\n  Cart *cart;\n};\n";
    let files = [("shop.hpp", shop), ("cart.hpp", "class Cart {\n  int total;\n};\n")];
    assert_eq!(certain(&files, "Cart"), [1, 3]);
    let other = ("other.hpp", "namespace other {\nclass Cart {\n  int total;\n};\n}\n");
    assert_eq!(certain(&[files[0], files[1], other], "Cart"), [] as [u32; 0]);
}

#[test]
fn an_instance_variable_of_ruby_is_what_its_class_sets_it_to() {
    let ruby = "class Cart\n  def pay(x); end\nend\n\nclass Other\n  def pay(x); end\nend\n\nclass Use\n  def initialize(x)\n    @cart = Cart.new\n    @both = Cart.new\n    @both = Other.new(1)\n    @given = x\n    @late = nil\n  end\n\n  def a\n    @cart.pay(1) #= Cart\n    @both.pay(1) #= ?\n    @given.pay(1) #= ?\n    @late ||= Other.new\n    @late.pay(1) #= Other\n    @unset.pay(1) #= ?\n  end\nend\n\nclass Nilable\n  def initialize\n    @cart = Cart.new\n    @word = Cart.new\n    @word = nilable(1)\n    @sent = Cart.new\n  end\n\n  class Inner\n    def initialize\n      @inner = Cart.new\n    end\n  end\n\n  def a\n    @cart &&= Other.new\n    @cart.pay(1) #= ?\n    @word.pay(1) #= ?\n    @inner.pay(1) #= ?\n    instance_variable_set(:@sent, 1)\n    @sent.pay(1) #= ?\n  end\nend\n\nclass Open\n  attr_reader :read\n  attr_accessor :cart,  :till\n\n  def initialize\n    @cart = Cart.new\n    @read = Cart.new\n  end\n\n  def a\n    @cart.pay(1) #= ?\n    @read.pay(1) #= Cart\n  end\nend\n\nclass Pair\n  def initialize\n    @first, @second = Cart.new, Other.new\n  end\n\n  def a\n    @first.pay(1) #= ?\n    @second.pay(1) #= ?\n  end\nend\n\nclass Till\n  def initialize\n    @cart = Other.new\n  end\n\n  def a\n    go(@cart, 1)\n    @cart.pay(1) #= Other\n    @cart == Cart.new\n  end\nend\n";
    check(&[("lib/use.rb", ruby)], "pay", "use.rb");
    let ruby = "class Cart\n  def pay; end\nend\n\nclass Other\n  def pay; end\nend\n\nclass Use\n  attr_accessor :till,\n                :open\n  private attr_writer :own\n\n  def initialize(x)\n    @open = Cart.new\n    @own = Cart.new\n    @sent = Cart.new\n    @part = Cart.new\n    @each = Cart.new\n    @error = Cart.new\n    @both = Cart.new rescue Other.new\n    @sure = Cart.new\n  end\n\n  def a(x)\n    @open.pay #= ?\n    @own.pay #= ?\n    instance_variable_set(\"@sent\", x)\n    @sent.pay #= ?\n    y, (@part, z) = x\n    @part.pay #= ?\n    for @each in x do y end\n    @each.pay #= ?\n  rescue StandardError => @error\n    @error.pay #= ?\n    @both.pay #= ?\n    go(@sure, x)\n    { x => @sure }\n    @sure.pay #= Cart\n  end\nend\n";
    check(&[("lib/use.rb", ruby)], "pay", "use.rb");
}

#[test]
fn a_types_parameter_is_what_bounds_it() {
    let java = "package n;\nclass Cart { void pay() {} }\nclass Other { void pay() {} }\nclass Use<E extends Cart> {\n  <T extends Cart> void a(T one) { one.pay(); } //= Cart\n  <T> void b(T one) { one.pay(); } //= ?\n  <K, T> void two(T one) { one.pay(); } //= ?\n  <K extends Map<K, String>, T extends Cart> void three(T one) { one.pay(); } //= Cart\n  void c(E one) { one.pay(); } //= Cart\n  void d(Object x) {\n    switch (x) {\n      case Cart c -> c.pay(); //= Cart\n      default -> {}\n    }\n  }\n}\n";
    check(&[("n/Use.java", java)], "pay", "Use.java");
    let swift = "class Cart { func pay() {} }\nclass Other { func pay() {} }\nclass Use {\n  var cart: Cart?\n  func a() { self.cart!.pay() } //= Cart\n}\n";
    check(&[("App/Use.swift", swift)], "pay", "Use.swift");
}

/// `this.#cart` is a field as any other, and a field of a field has the type that its own declaration says.
#[test]
fn private_fields_of_javascript_and_fields_of_fields_have_their_declared_types() {
    let typescript = "export class Cart { run() {} }\nexport class Stranger { run() {} }\nexport interface State { cart: Cart; other?: Stranger }\nexport interface Shop { state: State }\nexport class Use {\n  #cart: Cart;\n  #late!: Cart;\n  #other?: Stranger;\n  shop: Shop;\n  any: any;\n  a() { this.#cart.run(); } //= Cart\n  b() { this.#late.run(); } //= Cart\n  c() { this.#other?.run(); } //= Stranger\n  d() { this.shop.state.cart.run(); } //= Cart\n  e() { this.shop?.state.other?.run(); } //= Stranger\n  f() { this.any.state.cart.run(); } //= ?\n  g(shop: Shop) { shop.state.cart.run(); } //= Cart\n  h(shop: Shop) { shop.any.cart.run(); } //= ?\n}\n";
    check(&[("run.ts", typescript)], "run", "run.ts");
}
