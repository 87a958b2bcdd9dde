//! What `plimsoll code review` says of the users of what a diff changes or removes.

use super::code_git::{code, repository, write};
use super::code_review::printed;
use super::desk::Desk;

#[test]
fn a_removed_definition_is_reported_even_if_its_name_exists_elsewhere() {
    let desk = Desk::new();
    let root = repository(
        &desk,
        &[
            ("pkg/__init__.py", ""),
            ("pkg/a.py", "def kept():\n    return 1\n\n\ndef helper():\n    return 1\n"),
            ("pkg/b.py", "def helper():\n    return 2\n"),
            ("pkg/c.py", "from pkg.a import helper\n\n\ndef run():\n    return helper()\n"),
            ("pkg/d.py", "from pkg.b import helper\n\n\ndef go():\n    return helper()\n"),
        ],
    );
    write(&root, "pkg/a.py", "def kept():\n    return 1\n");
    write(&root, "pkg/b.py", "def helper():\n    return 3\n");
    let out = printed(&desk, &root);
    for part in [
        "- **high**: `helper` is gone, and still named in 1 file (`pkg/a.py`)",
        "- function `helper` in `pkg/a.py:5`: removed\n  - used outside the diff: `pkg/c.py:5`",
        "- function `helper` in `pkg/b.py:1`: changed\n  - used outside the diff: `pkg/d.py:5`",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    assert!(!out.contains("kept"), "{out}");
}

#[test]
fn what_a_diff_leaves_in_the_files_that_it_changes_is_outside() {
    let desk = Desk::new();
    let utils = "def get_value(one):\n    return one\n\n\ndef other(one):\n    return get_value(one)\n";
    let fields = "from pkg import utils\n\nLIMIT = 1\n\n\nclass Field:\n    def get_value(self, one):\n        return utils.get_value(one)\n";
    let test = "from pkg import utils\n\n\ndef test_value():\n    assert utils.get_value(1) == 1\n";
    let root = repository(
        &desk,
        &[
            ("pkg/__init__.py", ""),
            ("pkg/utils.py", utils),
            ("pkg/fields.py", fields),
            ("tests/test_utils.py", test),
        ],
    );
    write(&root, "pkg/utils.py", &utils.replace("def get_value", "def value_of"));
    write(&root, "pkg/fields.py", &fields.replace("LIMIT = 1", "LIMIT = 2"));
    let out = printed(&desk, &root);
    for part in [
        "- **high**: `get_value` is gone, and still named in 2 files (`pkg/utils.py`)",
        "removed\n  - used outside the diff: `pkg/fields.py:8`, `pkg/utils.py:6`\n  - tests: `tests/test_utils.py`\n",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
}

#[test]
fn members_of_a_removed_type_and_short_names_arent_looked_for() {
    let desk = Desk::new();
    let bag = "class Bag:\n    def pop(self, key):\n        return key\n\n\ns = Bag()\n";
    let uses = "from pkg.bag import Bag\n\n\ndef use(items, s):\n    items.pop(s)\n    return Bag()\n";
    let nested = "export class Sack {\n  static inner = class {\n    weight = 1;\n  };\n}\n";
    let root = repository(
        &desk,
        &[("pkg/__init__.py", ""), ("pkg/a.ts", nested), ("pkg/bag.py", bag), ("pkg/use.py", uses)],
    );
    for path in ["pkg/a.ts", "pkg/bag.py"] {
        std::fs::remove_file(root.join(path)).unwrap();
    }
    let out = printed(&desk, &root);
    for part in [
        "- **high**: `Bag` is gone, and still named in 1 file (`pkg/bag.py`)",
        "- variable `s` in `pkg/bag.py:6`: removed\n\nThe uses of 1 more definition weren't looked for.",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    assert!(!out.contains("pop") && !out.contains("weight"), "{out}");
}

#[test]
fn a_constructor_is_used_where_its_type_is_called() {
    let desk = Desk::new();
    let root = repository(
        &desk,
        &[
            ("pkg/__init__.py", ""),
            ("pkg/bill.py", "class Invoice:\n    def __init__(self, total):\n        self.total = total\n"),
            ("pkg/send.py", "from pkg.bill import Invoice\n\n\ndef send():\n    return Invoice(1)\n"),
            (
                "pkg/read.py",
                "from pkg.bill import Invoice\n\n\ndef read(one: Invoice):\n    return one.total\n",
            ),
            (
                "pkg/other.py",
                "import pkg.bill\n\n\nclass Base:\n    pass\n\n\nclass Other(Base):\n    def __init__(self):\n        super().__init__()\n",
            ),
        ],
    );
    write(
        &root,
        "pkg/bill.py",
        "class Invoice:\n    def __init__(self, total, tax):\n        self.total = total + tax\n",
    );
    let out = printed(&desk, &root);
    for part in [
        "- **high**: `__init__` takes or gives something else; outside the diff it is used in 1 file (`pkg/bill.py`)",
        "- method `Invoice.__init__` in `pkg/bill.py:2`: takes or gives something else\n  - used outside the diff: `pkg/send.py:5`\n",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
}

#[test]
fn what_only_names_a_type_doesnt_construct_it() {
    let desk = Desk::new();
    let root = repository(
        &desk,
        &[
            ("Cart.java", "class Cart {\n  Cart(int total) {}\n}\n"),
            ("Make.java", "class Make {\n  Object a() { return new Cart(1); }\n}\n"),
            ("Map.java", "class Map {\n  java.util.function.IntFunction<Object> a = Cart::new;\n}\n"),
            ("Take.java", "class Take {\n  void a(Cart cart) {}\n}\n"),
            ("till.rb", "class Till\n  def initialize(total)\n  end\nend\n"),
            ("shop.rb", "require_relative 'till'\nTill.new(1)\nTill.newest\nTill.take(OldTill.new(1))\n"),
        ],
    );
    write(&root, "Cart.java", "class Cart {\n  Cart(int total, int tax) {}\n}\n");
    write(&root, "till.rb", "class Till\n  def initialize(total, tax)\n  end\nend\n");
    let out = printed(&desk, &root);
    for part in [
        "`Cart.java:2`: takes or gives something else\n  - used outside the diff: `Make.java:2`, `Map.java:2`\n",
        "`till.rb:2`: takes or gives something else\n  - used outside the diff: `shop.rb:2`\n",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
}

#[test]
fn what_a_change_reaches_at_two_steps_is_named_with_its_line() {
    let desk = Desk::new();
    let root = repository(
        &desk,
        &[
            ("src/cart.ts", "export function total(n: number) {\n  return n;\n}\n"),
            ("src/page.ts", "import { total } from './cart';\nexport const page = () => total(1);\n"),
            (
                "src/app.ts",
                "// Starts it.\nimport { page } from './page';\nexport const app = () => page();\n",
            ),
            ("src/far.ts", "import { app } from './app';\napp();\n"),
            ("test/page.test.ts", "import { page } from '../src/page';\ntest('page', () => page());\n"),
        ],
    );
    write(&root, "src/cart.ts", "export function total(n: number, tax: number) {\n  return n + tax;\n}\n");
    let data = code(&desk, &root, &["review"]);
    let symbol = &data["symbols"][0];
    assert_eq!(symbol["callers"][0]["file"], "src/page.ts", "{data}");
    let expected = serde_json::json!([{"file": "src/app.ts", "line": 2, "hop": 2}]);
    assert_eq!(symbol["reached"], expected, "neither tests nor a third step: {data}");
    let out = printed(&desk, &root);
    assert!(out.contains("\n  - its users are imported in: `src/app.ts:2`\n"), "{out}");
}
