//! Members by the receiver's type. The expected types follow `//=` in the fixtures: those whose method is meant, `field:T` and
//! `variant:T` for what isn't a method, `-` for none of the project's, `?` for unknown.

use plimsoll_code::Kind;
use plimsoll_code::refs::{Confidence, references};

use crate::common::Project;

pub(crate) fn check(files: &[(&str, &str)], name: &str, ending: &str) {
    let project = Project::new(files);
    let (store, reader) = project.indexed();
    let found = references(&store, &reader, &project.root(), name).unwrap();
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for (path, text) in files.iter().filter(|(path, _)| path.ends_with(ending)) {
        for (line, row) in (1..).zip(text.lines()) {
            let Some((code, expected)) = row.split_once("//= ").or_else(|| row.split_once("#= ")) else {
                continue;
            };
            let Some(one) =
                found.uses.iter().find(|u| u.path == *path && u.line == line && u.text.contains(name))
            else {
                let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
                if expected != "-" && words.any(|word| word == name) {
                    wrong.push(format!("{path}:{line} {} isn't a use", row.trim()));
                }
                continue;
            };
            let told = |i: &usize| {
                let of = &found.definitions[*i];
                match of.kind {
                    Kind::Field | Kind::Variant => format!("{}:{}", of.kind.name(), of.container),
                    _ => of.container.clone(),
                }
            };
            let mut of: Vec<String> = one.of.iter().map(told).collect();
            of.sort_unstable();
            let mut wanted: Vec<&str> = expected.split_whitespace().collect();
            wanted.sort_unstable();
            checked += 1;
            let as_expected = match (expected, one.confidence) {
                ("-", confidence) => confidence == Confidence::Textual,
                ("?", confidence) => confidence == Confidence::InScope,
                (_, confidence) => confidence == Confidence::Resolved && of == wanted,
            };
            if !as_expected {
                wrong.push(format!("{path}:{line} {} → {:?} {of:?}", row.trim(), one.confidence));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(checked > 0, "nothing is expected of {name} in {ending}");
}

#[test]
fn a_method_of_a_go_type_with_several_parameters_belongs_to_that_type() {
    let go = "package a\n\ntype Base[T any, C any] struct{ all []T }\n\ntype Other struct{}\n\nfunc (b *Base[T, C]) Set() bool { return true }\n\nfunc (o Other) Set() bool { return false }\n\nfunc f(b *Base[int, string], o Other) {\n\tb.Set() //= Base\n\to.Set() //= Other\n}\n";
    check(&[("go.mod", "module a\n"), ("a.go", go)], "Set", "a.go");
}

#[test]
fn go_follows_declarations_results_fields_and_interfaces() {
    check(
        &[
            ("go.mod", include_str!("../fixtures/references/go/go.mod")),
            ("store/store.go", include_str!("../fixtures/references/go/store/store.go")),
            ("main.go", include_str!("../fixtures/references/go/main.go")),
        ],
        "Close",
        ".go",
    );
}

#[test]
fn fields_of_go_structs_without_a_name_are_told_apart() {
    let go = "package a\n\ntype Cart struct{ Total int }\n\nfunc (c Cart) Sum() int { return c.Total } //= field:Cart\n\nvar conf struct {\n\tTotal int\n\tInner struct {\n\t\tTotal int\n\t}\n\tCart\n}\n\ntype Shop struct {\n\tCarts []struct {\n\t\tTotal int\n\t}\n}\n\ntype Till Shop\n\nfunc f(s Shop, t Till) {\n\tconf.Total = 1 //= field:conf\n\tconf.Inner.Total = 2 //= field:conf.Inner\n\tconf.Cart.Total = 3 //= field:Cart\n\tfor _, c := range s.Carts {\n\t\tc.Total = 4 //= field:Shop.Carts\n\t}\n\tt.Carts[0].Total = 5 //= field:Shop.Carts\n\tlocal := struct{ Total int }{}\n\tlocal.Total = 6 //= -\n}\n";
    check(&[("go.mod", "module a\n"), ("a.go", go)], "Total", "a.go");
    let go = "package a\n\ntype Cart struct{}\n\nfunc (c Cart) Sum() int { return 1 }\n\ntype Line struct{}\n\nfunc (l Line) Sum() int { return 2 }\n\nvar conf struct {\n\tn int\n\tCart\n}\n\nfunc f() {\n\tconf.Sum() //= Cart\n\tlocal := struct {\n\t\t*Line\n\t}{}\n\tlocal.Sum() //= Line\n}\n";
    check(&[("go.mod", "module a\n"), ("a.go", go)], "Sum", "a.go");
}

#[test]
fn rust_follows_functions_fields_patterns_traits_and_macros() {
    check(
        &[
            ("Cargo.toml", include_str!("../fixtures/references/rust/Cargo.toml")),
            ("src/lib.rs", include_str!("../fixtures/references/rust/src/lib.rs")),
            ("src/both.rs", include_str!("../fixtures/references/rust/src/both.rs")),
            ("src/both/tests.rs", include_str!("../fixtures/references/rust/src/both/tests.rs")),
            ("src/request.rs", include_str!("../fixtures/references/rust/src/request.rs")),
            ("src/response.rs", include_str!("../fixtures/references/rust/src/response.rs")),
            ("src/uses.rs", include_str!("../fixtures/references/rust/src/uses.rs")),
        ],
        "finish",
        ".rs",
    );
}

#[test]
fn fields_variants_and_methods_are_distinguished() {
    macro_rules! parts {
        ($($file:literal),*) => {
            &[$((concat!("src/", $file), include_str!(concat!("../fixtures/references/parts/", $file)))),*]
        };
    }
    let rust = ("src/lib.rs", "mod mode;\nmod modes;\nmod shape;\nmod r#use;\n");
    let mut files: Vec<(&str, &str)> = parts!(
        "shape.rs",
        "use.rs",
        "shape.go",
        "shape.ts",
        "shape.py",
        "shape.h",
        "shape.c",
        "mode.c",
        "mode.rs",
        "modes.rs",
        "Mode.java",
        "mode.ts"
    )
    .to_vec();
    files.push(rust);
    for ending in [".rs", ".go", ".ts", ".py", ".c"] {
        check(&files, "width", ending);
    }
    for ending in [".c", ".rs", ".java", ".ts"] {
        check(&files, "FAST", ending);
    }
}

#[test]
fn fields_and_declared_variables_give_their_type_in_class_languages() {
    let csharp = "namespace M;\nusing N;\npublic class Use {\n  private readonly Sel _sel;\n  public Sel Prop { get; set; }\n  void A() { _sel.Fits(1); } //= N.Sel\n  void B() { this._sel.Fits(2); } //= N.Sel\n  void C() { Prop.Fits(3); } //= N.Sel\n  void D() { Sel l = Make(); l.Fits(4); } //= N.Sel\n  void E() { _sel?.Fits(5); } //= N.Sel\n  void F() { foreach (Sel z in all) { z.Fits(6); } } //= N.Sel\n  void G(Other _sel) { _sel.Fits(7); } //= N.Other\n}\npublic class Prim(Sel sel) { void P() { sel.Fits(8); } } //= N.Sel\n";
    check(
        &[
            (
                "a/A.cs",
                "namespace N;\npublic class Sel { public bool Fits(int x) => true; }\npublic class Other { public bool Fits(int x) => true; }\n",
            ),
            ("b/B.cs", csharp),
        ],
        "Fits",
        "B.cs",
    );
    let php = "<?php\nnamespace App;\nuse App\\N\\Sel;\nclass Useit {\n  private Sel $sel;\n  public function __construct(private readonly Sel $prom) {}\n  function a() { $this->sel->fits(1); } //= Sel\n  function b() { $this->prom->fits(2); } //= Sel\n  function c(Sel $s) { $s->fits(3); } //= Sel\n  function d() { $l = new Sel(); $l->fits(4); } //= Sel\n  function e(?Sel $s) { $s?->fits(5); } //= Sel\n}\n";
    check(
        &[
            ("src/N/Sel.php", "<?php\nnamespace App\\N;\nclass Sel {\n  public function fits($x) {}\n}\n"),
            (
                "src/N/Other.php",
                "<?php\nnamespace App\\N;\nclass Other {\n  public function fits($x) {}\n}\n",
            ),
            ("src/Useit.php", php),
        ],
        "fits",
        "Useit.php",
    );
    let kotlin = "package n\n\nclass Use(private val sel: Sel) {\n  lateinit var late: Sel\n  fun a() { sel.fits(1) } //= Sel\n  fun b() { this.sel.fits(2) } //= Sel\n  fun c(s: Sel?) { s?.fits(3) } //= Sel\n  fun d() { late.fits(4) } //= Sel\n}\n";
    check(
        &[
            ("n/A.kt", "package n\n\nclass Sel {\n  fun fits(x: Int): Boolean {\n    return true\n  }\n}\n"),
            (
                "n/B.kt",
                "package n\n\nclass Other {\n  fun fits(x: Int): Boolean {\n    return true\n  }\n}\n",
            ),
            ("n/Use.kt", kotlin),
        ],
        "fits",
        "Use.kt",
    );
    let swift = "class Use {\n  private let sel: Sel\n  var opt: Sel?\n  func a() { sel.fits(1) } //= Sel\n  func b() { self.sel.fits(2) } //= Sel\n  func c() { opt?.fits(3) } //= Sel\n}\n";
    check(
        &[
            ("App/A.swift", "class Sel { func fits(_ x: Int) {} }\nclass Other { func fits(_ x: Int) {} }\n"),
            ("App/Use.swift", swift),
        ],
        "fits",
        "Use.swift",
    );
    let java = "package n;\nclass Use {\n  private final Sel sel;\n  void a() { sel.fits(1); } //= Sel\n  void b() { for (Sel s : all) { s.fits(2); } } //= Sel\n  void c() { Sel s = Make(); s.fits(3); } //= Sel\n}\n";
    check(
        &[
            ("n/Sel.java", "package n;\nclass Sel { boolean fits(int x) { return true; } }\n"),
            ("n/Other.java", "package n;\nclass Other { boolean fits(int x) { return true; } }\n"),
            ("n/Use.java", java),
        ],
        "fits",
        "Use.java",
    );
}

#[test]
fn a_qualified_type_is_not_its_namesake() {
    let php = "<?php\nnamespace App;\nclass Useit {\n  function a() { return Psr7\\Utils::modify(1); } //= -\n  function b() { return Redirect::modify(2); } //= Redirect\n}\n";
    let redirect =
        "<?php\nnamespace App;\nclass Redirect {\n  public static function modify($x) { return $x; }\n}\n";
    check(&[("src/Redirect.php", redirect), ("src/Useit.php", php)], "modify", "Useit.php");
    let rules = "module Shop\n  module Rules\n    class Base\n    end\n  end\nend\n";
    let ruby =
        "class One < Other::Rules::Base #= -\nend\n\nclass Two < Shop::Rules::Base #= Shop.Rules\nend\n";
    check(&[("lib/rules.rb", rules), ("lib/use.rb", ruby)], "Base", "use.rb");
}

#[test]
fn a_ruby_constant_that_aliases_a_namespace_is_followed() {
    let rules = "module Shop\n  module Rules\n    class Base\n    end\n  end\nend\n";
    let other = "module Third\n  Rules = Shop::Rules\n  Norms = Third::Rules\n  Round = Third::Round\nend\n";
    let ruby = "class One < Third::Rules::Base #= Shop.Rules\nend\n\nclass Two < Third::Norms::Base #= Shop.Rules\nend\n\nclass Three < Fourth::Rules::Base #= -\nend\n";
    check(&[("lib/rules.rb", rules), ("lib/other.rb", other), ("lib/use.rb", ruby)], "Base", "use.rb");
}

#[test]
fn a_ruby_alias_is_visible_unqualified_only_where_it_is_defined() {
    let fake = "module Shop\n  class Fake\n    def self.push(x)\n      x\n    end\n  end\nend\n";
    let support = "module Support\n  Wire = Line\n  Line = Shop::Fake\nend\n\nPipe = Support::Wire\n";
    let ruby = "module Support\n  class Inner\n    def a\n      Wire.push(1) #= Shop.Fake\n    end\n  end\nend\n\nclass Far\n  def a\n    Wire.push(1) #= ?\n    Support::Wire.push(2) #= Shop.Fake\n    Pipe.push(3) #= Shop.Fake\n  end\nend\n";
    let files = [("lib/fake.rb", fake), ("lib/support.rb", support), ("lib/use.rb", ruby)];
    check(&files, "push", "use.rb");
}

#[test]
fn a_call_distinguishes_a_method_from_a_value_of_the_same_name() {
    let java = "package n;\nclass Cart {\n  private int total;\n  int total() { return total; } //= field:Cart\n  int a() { return total() + 1; } //= Cart\n  int b(Cart other) { return other.total; } //= field:Cart\n  int c(Cart other) { return other.total(); } //= Cart\n  Object d(Cart other) { return use(other::total); } //= Cart\n}\n";
    check(&[("n/Cart.java", java)], "total", "Cart.java");
    let kotlin = "package n\n\nclass Cart(val total: Int)\n\nclass Till {\n  fun total(): Int = 3\n  fun a(c: Cart): Int = c.total //= field:Cart\n  fun b(): Int = total() //= Till\n  fun c(): Int = total //= -\n}\n";
    check(&[("n/Till.kt", kotlin)], "total", "Till.kt");
    let php = "<?php\nnamespace App;\nclass Cart {\n  private $total;\n  public function total() { return $this->total; } //= field:Cart\n  public function both() { return $this->total(); } //= Cart\n}\n";
    check(&[("src/Cart.php", php)], "total", "Cart.php");
}

#[test]
fn an_argument_or_field_label_is_not_a_member_of_the_enclosing_type() {
    let csharp = "namespace N;\npublic class Dto { public string Total { get; set; } }\npublic class Cart {\n  public string Total { get; set; }\n  Dto A() { return new Dto { Total = \"x\" }; } //= field:N.Dto\n  void B() { Post(Total: \"x\"); } //= -\n  bool C(object o) { return o is Dto { Total: \"y\" }; } //= field:N.Dto\n  string D() { return Total; } //= field:N.Cart\n}\n";
    check(&[("a/Cart.cs", csharp)], "Total", "Cart.cs");
    let kotlin = "package n\n\nclass Cart(val total: Int) {\n  fun a() { post(total = 5) } //= -\n  fun b(): Int = total //= field:Cart\n}\n";
    check(&[("n/Cart.kt", kotlin)], "total", "Cart.kt");
    let swift = "class Cart {\n  var total = 0\n  func a() { post(total: 3) } //= -\n  func post(total given: Int) { use(given) } //= -\n  func b() -> Int { return total } //= field:Cart\n}\n";
    check(&[("App/Cart.swift", swift)], "total", "Cart.swift");
    let scala = "package n\nclass Cart(val total: Int) {\n  def a() = post(total = 3) //= -\n  def b() = total //= field:Cart\n}\n";
    check(&[("n/Cart.scala", scala)], "total", "Cart.scala");
    let php = "<?php\nnamespace App;\nclass Cart {\n  private $total;\n  function a() { return post(total: 3); } //= -\n  function b() { return $this->total; } //= field:Cart\n}\n";
    check(&[("src/Cart.php", php)], "total", "Cart.php");
}

#[test]
fn a_builders_result_has_its_declared_type() {
    let java = "package n;\nclass Shop {\n  static class Builder { Builder name(String n) { return this; } Shop build() { return null; } void open() {} }\n  void open() {}\n  static void main() {\n    Shop a = new Builder().name(\"x\").build();\n    a.open(); //= Shop\n    Shop b = new Builder()\n        .name(\"x\")\n        .build();\n    b.open(); //= Shop\n    Builder c = new Builder();\n    c.open(); //= Shop.Builder\n  }\n}\n";
    check(&[("n/Shop.java", java)], "open", "Shop.java");
}

#[test]
fn a_call_on_a_string_literal_matches_no_project_type() {
    let python = "class Url:\n    def join(self, x):\n        return x\n\ndef f(parts, url):\n    a = b', '.join(parts) #= -\n    b = {'x': 1}.join(1) #= -\n    return url.join(1) #= ?\n";
    check(&[("url.py", python)], "join", "url.py");
    let typescript = "export class Url { join(x: any) {} }\nexport const a = ', '.join(1); //= -\nexport const b = (u: any) => u.join(1); //= ?\n";
    check(&[("url.ts", typescript)], "join", "url.ts");
    let java = "package n;\nclass Text {\n  void trim() {}\n  void a() { \"x\".trim(); } //= -\n  void b() { get().trim(); } //= ?\n}\n";
    check(&[("n/Text.java", java)], "trim", "Text.java");
}

#[test]
fn a_package_declaration_is_not_a_use_of_a_member() {
    let kotlin = "package shop.log //= -\n\nclass Tree {\n  fun log() {}\n  fun a() { log() } //= Tree\n}\n";
    check(&[("n/Tree.kt", kotlin)], "log", "Tree.kt");
    let java = "package shop.log; //= -\nclass Tree {\n  void log() {}\n  void a() { log(); } //= Tree\n}\n";
    check(&[("n/Tree.java", java)], "log", "Tree.java");
    let csharp = "namespace Shop.Log; //= -\nclass Tree {\n  void Log() {}\n  void A() { Log(); } //= Shop.Log.Tree\n}\n";
    check(&[("n/Tree.cs", csharp)], "Log", "Tree.cs");
}

#[test]
fn a_types_bases_come_from_its_own_file_and_not_a_namesakes() {
    let maker = "package n;\ninterface Maker { Object make(); }\n";
    let rich = "package n;\nclass Rich { static class Factory implements Maker { public Object make() { return 1; } } }\n";
    let java = "package n;\nclass Use {\n  static class Factory { Object make() { return 2; } }\n  Object a(Factory factory) { return factory.make(); } //= Use.Factory\n  Object b(Maker maker) { return maker.make(); } //= Maker Rich.Factory\n}\n";
    check(&[("n/Maker.java", maker), ("n/Rich.java", rich), ("n/Use.java", java)], "make", "Use.java");
}

#[test]
fn a_super_call_is_not_a_use_of_an_override() {
    let typescript = "export class Base { run() {} }\nexport class Stranger { run() {} }\nexport class Child extends Base {\n  run() { super.run(); } //= Base\n}\nexport class Other extends Base {\n  run() {\n    super.run(); //= Base\n  }\n}\n";
    check(&[("run.ts", typescript)], "run", "run.ts");
    let csharp = "namespace N;\npublic class Base { public virtual int Run() => 1; }\npublic class Stranger { public int Run() => 2; }\npublic class Child : Base {\n  public override int Run() => base.Run() + 1; //= N.Base\n  int A(Stranger? s) { return s?.Run(); } //= N.Stranger\n}\n";
    check(&[("a/Run.cs", csharp)], "Run", "Run.cs");
}

#[test]
fn a_ruby_setter_definition_is_not_a_use_of_the_reader() {
    let project = Project::new(&[(
        "cart.rb",
        "class Cart\n  attr_reader :total\n  def total=(x)\n    @total = x\n  end\n  def add\n    total\n  end\nend\n",
    )]);
    let (store, reader) = project.indexed();
    let found = references(&store, &reader, &project.root(), "total").unwrap();
    let sure = found.uses.iter().filter(|one| one.confidence == Confidence::Resolved);
    assert_eq!(sure.map(|one| one.line).collect::<Vec<_>>(), [7], "{found:?}");
}

#[test]
fn a_static_instance_has_its_declared_type() {
    let swift = "class Use {\n  func a() { Sel.shared.fits(1) } //= Sel\n}\n";
    let sel = "class Sel {\n  static let shared = Sel()\n  func fits(_ x: Int) {}\n}\nclass Other { func fits(_ x: Int) {} }\n";
    check(&[("App/A.swift", sel), ("App/Use.swift", swift)], "fits", "Use.swift");
    let csharp = "namespace N;\nclass Use {\n  void A() { Sel.Instance.Fits(1); } //= N.Sel\n}\n";
    let sel = "namespace N;\npublic class Sel {\n  public static Sel Instance { get; } = new Sel();\n  public bool Fits(int x) => true;\n}\npublic class Other { public bool Fits(int x) => true; }\n";
    check(&[("a/A.cs", sel), ("b/B.cs", csharp)], "Fits", "B.cs");
}

#[test]
fn a_member_is_a_candidate_beside_an_extension_or_a_lambda_receiver() {
    let kotlin = "package n\n\nobject Single {\n  fun run() = 5\n}\n\nclass Other {\n  fun run() = 2\n}\n\nfun String.run() = 7\n\nclass Use {\n  fun a() { Single.run() } //= Single\n  fun b(c: Any) { c.apply { run() } } //= ?\n  fun run() = 8\n  fun c() { run() } //= Use\n}\n";
    check(&[("n/Use.kt", kotlin)], "run", "Use.kt");
}

#[test]
fn php_types_may_be_nullable_or_self() {
    let php = "<?php\nnamespace App;\nclass Sel {\n  public function fits($x) {}\n  public static function go(): self { return new self(); }\n}\nclass Other { public function fits($x) {} }\nclass Useit {\n  function a(Sel|null $s) { $s->fits(1); } //= Sel\n  function b() { $f = Sel::go(); $f->fits(2); } //= Sel\n  function c() { static::fits(3); } //= Useit\n  function fits($x) {}\n}\n";
    check(&[("src/Useit.php", php)], "fits", "Useit.php");
}

#[test]
fn a_nested_type_is_not_a_value_of_its_base() {
    let csharp = "namespace N;\npublic class Base { public static bool Fits(int x) => true; }\npublic class Outer {\n  public class Inner : Base { public static new bool Fits(int x) => true; }\n}\npublic class Other : Base { public static new bool Fits(int x) => false; }\nclass Use {\n  bool A() { return Outer.Inner.Fits(1); } //= N.Outer.Inner\n}\n";
    check(&[("a/Use.cs", csharp)], "Fits", "Use.cs");
}

/// Types that are all each other's bases, which no compiler accepts, and a namesake outside of them.
#[test]
fn circular_bases_are_visited_once() {
    let names: Vec<String> = (0..60).map(|n| format!("Part{n}")).collect();
    let mut java = String::from("package n;\n");
    for name in &names {
        let others: Vec<&str> = names.iter().map(String::as_str).filter(|other| *other != name).collect();
        java += &format!("interface {name} extends {} {{}}\n", others.join(", "));
    }
    java += "class Other { void run() {} }\nclass Own { void run() {} }\nclass Use {\n  void a(Part0 part) { part.run(); } //= -\n  void b(Own own) { own.run(); } //= Own\n}\n";
    check(&[("n/Use.java", java.as_str())], "run", "Use.java");
}

#[test]
fn an_assignment_is_to_the_field_and_an_accessor_needs_no_call() {
    let java = "package n;\nclass Cart {\n  private int total;\n  int total() { return total; } //= field:Cart\n  void a() { total = 3; } //= field:Cart\n  Object b(Cart other) { return use(other::total); } //= Cart\n}\nrecord Row(int total) {}\nclass Use {\n  Object a(Rows all) { return all.map(Row::total); } //= field:Row\n}\n";
    check(&[("n/Cart.java", java)], "total", "Cart.java");
    let java = "package n;\npublic class Cart {\n  public boolean isOpen() { return true; }\n}\n";
    let kotlin = "package n\n\nclass Till {\n  fun a(c: Cart): Boolean = c.isOpen //= Cart\n  fun b(c: Cart): Boolean = c.isOpen() //= Cart\n}\n";
    check(&[("n/Cart.java", java), ("n/Till.kt", kotlin)], "isOpen", "Till.kt");
}

#[test]
fn a_name_in_a_nested_lambda_may_belong_to_its_receiver() {
    let sum = ["total"; 500].join(" +\n    ");
    let kotlin = format!(
        "package n\n\nclass Cart(val total: Int) {{\n  fun a(): Int = {sum} //= field:Cart\n  fun b(c: Other): Int = c.run {{ {sum} }} //= field:Other\n  fun d(c: Other): Int = c.let {{ {sum} }} //= field:Cart\n}}\n\nclass Other(val total: Int)\n"
    );
    check(&[("n/Cart.kt", kotlin.as_str())], "total", "Cart.kt");
}

#[test]
fn a_name_in_a_types_head_is_only_that_types_member() {
    let kotlin = "package n\n\nclass Line(val amount: Int) {\n  fun a(): Int = amount + 1 //= field:Line\n}\n\nclass Other(val amount: Int) {\n  fun a(): Int = amount + 1 //= field:Other\n}\n\nclass Till {\n  fun a(): Int = amount //= -\n}\n\nopen class Base(val amount: Int)\n\nclass Child : Base(1) {\n  fun a(): Int = amount //= field:Base\n}\n";
    check(&[("n/Line.kt", kotlin)], "amount", "Line.kt");
    let java = "package n;\nrecord Line(int amount) {\n  int a() { return amount + 1; } //= field:Line\n}\nrecord Other(int amount) {\n  int a() { return amount + 1; } //= field:Other\n}\nclass Till {\n  int a() { return amount; } //= -\n}\n";
    check(&[("n/Line.java", java)], "amount", "Line.java");
    let csharp = "namespace N;\npublic record Line(int Amount) {\n  int A() { return Amount + 1; } //= field:N.Line\n}\npublic record Other(int Amount) {\n  int A() { return Amount + 1; } //= field:N.Other\n}\nclass Till {\n  int A() { return Amount; } //= -\n}\n";
    check(&[("a/Line.cs", csharp)], "Amount", "Line.cs");
}

#[test]
fn a_call_deep_in_a_sum_has_the_functions_return_type() {
    let go = format!(
        "package n\n\ntype Cart struct{{ Total int }}\n\nfunc f(c Cart) int {{\n\treturn {} //= field:Cart\n}}\n",
        ["c.Total"; 500].join(" +\n\t\t")
    );
    check(&[("go.mod", "module x\n"), ("cart.go", go.as_str())], "Total", "cart.go");
    let rust = format!(
        "pub struct Cart {{\n    pub sum: i32,\n}}\npub fn f(c: Cart) -> i32 {{\n    {} //= field:Cart\n}}\n",
        ["c.sum"; 500].join(" +\n    ")
    );
    check(&[("src/lib.rs", rust.as_str())], "sum", "lib.rs");
}
