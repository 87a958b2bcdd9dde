//! Edits of members and of functions whose names libraries and other files have as well.

use super::World;

#[test]
fn a_librarys_member_is_not_a_use() {
    let world = World::new();
    for (path, text) in [
        (
            "py/cache.py",
            "class Cache:\n    def evict(self, key):\n        return key\n\n\ndef flush(all):\n    return all\n",
        ),
        ("py/own.py", "from cache import Cache\n\n\ndef tidy(cache):\n    return cache.evict(1)\n"),
        ("py/named.py", "def tidy(cache: 'Cache'):\n    return cache.evict(2)\n"),
        ("py/other.py", "def tidy(table):\n    return table.evict(3)\n"),
        ("py/output.py", "import sys\n\n\ndef end():\n    sys.stdout.flush()\n"),
        ("py/plain.py", "from cache import flush\n\n\ndef end():\n    return flush([])\n"),
    ] {
        world.write(path, text);
    }
    world.index();
    let told = world.edit("py/cache.py", "        return key", "        return [key]").unwrap();
    assert!(told.contains("py/own.py:5") && told.contains("py/named.py:2"), "{told}");
    assert!(!told.contains("py/other.py"), "{told}");
    let told = world.edit("py/cache.py", "    return all", "    return list(all)").unwrap();
    assert!(told.contains("py/plain.py:5") && !told.contains("py/output.py"), "{told}");
}

#[test]
fn a_file_that_cannot_mean_the_definition_is_not_a_user() {
    let world = World::new();
    for (path, text) in [
        ("web/pay.ts", "export function payNow(sum: number) {\n  return sum;\n}\n"),
        ("web/index.ts", "export * from './pay';\n"),
        ("web/form.ts", "import { payNow } from './index';\n\npayNow(3);\n"),
        (
            "web/button.ts",
            "export function wire(root: Element) {\n  const payNow = root.querySelector('.pay');\n  payNow?.remove();\n}\n",
        ),
        ("py/prices.py", "def total_price(items):\n    return sum(items)\n"),
        ("py/shop.py", "from prices import total_price\n\n\ndef sell():\n    return total_price([1])\n"),
        ("py/local.py", "def cost():\n    total_price = 3\n    return total_price\n"),
        ("go/go.mod", "module example.com/shop\n"),
        ("go/a.go", "package shop\n\nfunc ValueOf(x int) int {\n\treturn x\n}\n"),
        ("go/b.go", "package shop\n\nfunc run() int {\n\treturn ValueOf(3)\n}\n"),
        ("go/other/c.go", "package other\n\nfunc run() int {\n\tValueOf := 3\n\treturn ValueOf\n}\n"),
    ] {
        world.write(path, text);
    }
    world.index();
    let told = world.edit("web/pay.ts", "(sum: number)", "(sum: bigint)").unwrap();
    assert!(told.contains("web/form.ts:3") && !told.contains("button.ts"), "{told}");
    let told = world.edit("py/prices.py", "sum(items)", "max(items)").unwrap();
    assert!(told.contains("py/shop.py:5") && !told.contains("local.py"), "{told}");
    let told = world.edit("go/a.go", "return x", "return -x").unwrap();
    assert!(told.contains("go/b.go:4") && !told.contains("c.go"), "{told}");
}

#[test]
fn a_variable_set_from_the_definition_is_a_use() {
    let world = World::new();
    for (path, text) in [
        ("go/go.mod", "module example.com/shop\n"),
        ("go/a.go", "package shop\n\nfunc ValueOf(x int) int {\n\treturn x\n}\n"),
        ("go/b.go", "package shop\n\nfunc run() int {\n\tValueOf := ValueOf(3)\n\treturn ValueOf\n}\n"),
        ("c/sum.c", "int basket_sum(int x) {\n  return x;\n}\n"),
        ("c/use.c", "void f(struct s *p) {\n  p->basket_sum = other(3);\n  g(basket_sum(3));\n}\n"),
    ] {
        world.write(path, text);
    }
    world.index();
    let told = world.edit("go/a.go", "return x", "return -x").unwrap();
    assert!(told.contains("go/b.go:4"), "{told}");
    let told = world.edit("c/sum.c", "return x", "return -x").unwrap();
    assert!(told.contains("c/use.c"), "{told}");
}

#[test]
fn code_in_another_language_is_not_a_user() {
    let world = World::new();
    for (path, text) in [
        ("go/go.mod", "module example.com/shop\n"),
        ("go/a.go", "package shop\n\nfunc renderPage(x int) int {\n\treturn x\n}\n"),
        ("go/b.go", "package shop\n\nfunc run() int {\n\treturn renderPage(3)\n}\n"),
        ("web/page.js", "function go() {\n  renderPage(3);\n}\n"),
        ("tool/page.rb", "def go\n  renderPage(3)\nend\n"),
        ("web/page.html", "{{ renderPage 3 }}\n"),
    ] {
        world.write(path, text);
    }
    world.index();
    let told = world.edit("go/a.go", "return x", "return -x").unwrap();
    assert!(told.contains("go/b.go:4") && told.contains("web/page.html:1"), "{told}");
    assert!(!told.contains("page.js") && !told.contains("page.rb"), "{told}");
}

#[test]
fn a_function_of_c_with_a_prototype_is_one_definition() {
    let world = World::new();
    for (path, text) in [
        ("c/sum.h", "int basket_sum(int x);\n"),
        ("c/sum.c", "#include \"sum.h\"\n\nint basket_sum(int x) {\n  return x;\n}\n"),
        ("c/use.c", "#include \"sum.h\"\n\nint all(void) {\n  return basket_sum(3);\n}\n"),
        ("c/one.c", "static int twice_so(int x) {\n  return x;\n}\n"),
        ("c/two.c", "static int twice_so(int x) {\n  return 2 * x;\n}\n"),
        ("c/call.c", "int call(void) {\n  return twice_so(3);\n}\n"),
    ] {
        world.write(path, text);
    }
    world.index();
    let told = world.edit("c/sum.c", "return x", "return x + 1").unwrap();
    assert!(told.contains("c/use.c:4") && told.contains("c/sum.h:1"), "{told}");
    assert_eq!(world.edit("c/one.c", "return x", "return x + 1"), None, "either may be meant");
}

#[test]
fn a_file_that_defines_another_one_is_named_with_the_line_of_its_use() {
    let world = World::new();
    for (path, text) in [
        ("py/utils.py", "def get_value(obj, key):\n    return obj\n"),
        (
            "py/fields.py",
            "import utils\n\n\nclass Field:\n    def get_value(self, obj):\n        \"\"\"Gets it.\n\n        As get_value does.\n        \"\"\"\n        return utils.get_value(obj, 'a')\n",
        ),
    ] {
        world.write(path, text);
    }
    world.index();
    let told = world.edit("py/utils.py", "    return obj", "    return [obj]").unwrap();
    assert!(told.contains("py/fields.py:10"), "{told}");
}

#[test]
fn a_type_is_not_edited_where_one_of_its_members_is() {
    let world = World::new();
    for (path, text) in [
        ("py/basket.py", "class Basket:\n    def sum_up(self):\n        return 1\n"),
        ("py/use.py", "from basket import Basket\n\n\ndef make():\n    return Basket()\n"),
    ] {
        world.write(path, text);
    }
    world.index();
    assert_eq!(world.edit("py/basket.py", "def sum_up(self)", "def add_up(self)"), None);
    let told = world.edit("py/basket.py", "class Basket:", "class Basket(dict):").unwrap();
    assert!(told.contains("py/use.py:5"), "{told}");
}
