//! Names of Python that a function says are its module's, those in the heads of functions, those of arguments, and those that strings
//! name.

use plimsoll_code::refs::{Confidence, references};

use crate::common::Project;

/// The lines of the sure uses of a name.
fn sure(text: &str, name: &str) -> Vec<u32> {
    let project = Project::new(&[("cart.py", text)]);
    let (store, reader) = project.indexed();
    let found = references(&store, &reader, &project.root(), name).unwrap();
    found.uses.iter().filter(|one| one.confidence == Confidence::Resolved).map(|one| one.line).collect()
}

#[test]
fn what_a_function_says_is_global_is_that_of_its_module() {
    let python = "LIMIT = ''\n\ndef get():\n    global LIMIT\n    if not LIMIT:\n        LIMIT = 'x'\n    return LIMIT\n\ndef own():\n    LIMIT = 1\n    return LIMIT\n";
    assert_eq!(sure(python, "LIMIT"), [4, 5, 6, 7]);
}

#[test]
fn a_string_that_is_part_of_a_type_names_it() {
    let python = "class Cart:\n    pass\n\nMany = Union[\"Cart\", str]\nT = TypeVar(\"T\", bound=\"Cart\")\nx = cast(\"Cart\", 1)\na: Literal[\"Cart\"]\nb: t.Literal[\"Cart\"]\nc: Annotated[\"Cart\", \"Cart\"]\nd: \"Cart\"\ne = {\"Cart\": 1}\nf = post(\"Cart\")\n";
    assert_eq!(sure(python, "Cart"), [4, 5, 6, 9, 10]);
}

#[test]
fn a_default_and_a_type_of_a_function_mean_what_is_around_it() {
    let python = "LIMIT = 1\n\nclass Cart:\n    TOP = 2\n\n    def fill(self, top=TOP, LIMIT=LIMIT, kind: int = LIMIT) -> int:\n        return top + LIMIT\n\nkey = lambda LIMIT=LIMIT: LIMIT\n";
    assert_eq!(sure(python, "LIMIT"), [6, 6, 9]);
    assert_eq!(sure(python, "Cart.TOP"), [6]);
}

#[test]
fn an_argument_isnt_named_after_a_field_where_the_class_has_a_constructor() {
    let python = "class Cart:\n    size = 1\n\n    def __init__(self, size=2):\n        self.limit = size\n\nclass Row(NamedTuple):\n    size: int\n\na = Cart(size=3)\nb = Row(size=4)\n";
    assert_eq!(sure(python, "Cart.size"), [0; 0]);
    assert_eq!(sure(python, "Row.size"), [11]);
}

#[test]
fn what_a_module_doesnt_have_is_no_method_of_its_name() {
    let project = Project::new(&[
        ("shop/__init__.py", ""),
        ("shop/cart.py", "class Cart:\n    def total(self):\n        return 1\n\ncart = Cart()\n"),
        ("shop/tools.py", "def other():\n    return 1\n"),
        (
            "shop/use.py",
            "import shop.tools\nfrom shop import tools\nfrom shop.cart import Cart, cart\n\ntools.total()\nshop.tools.total()\nCart().total()\ncart.total()\n",
        ),
    ]);
    let (store, reader) = project.indexed();
    let found = references(&store, &reader, &project.root(), "Cart.total").unwrap();
    let near = found.uses.iter().filter(|one| one.confidence != Confidence::Textual);
    assert_eq!(near.map(|one| one.line).collect::<Vec<_>>(), [7, 8]);
}
