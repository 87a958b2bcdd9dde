//! What `plimsoll code review` says are the tests of a definition.

use super::code_git::{repository, write};
use super::code_review::printed;
use super::desk::Desk;

#[test]
fn the_tests_of_a_member_name_what_it_is_a_member_of() {
    let desk = Desk::new();
    let root = repository(
        &desk,
        &[
            ("shop/__init__.py", ""),
            ("shop/signing.py", "class Seal:\n    def sign(self, text):\n        return text\n"),
            (
                "tests/test_signing.py",
                "from shop.signing import Seal\n\n\ndef test_sign():\n    assert Seal().sign('a') == 'a'\n",
            ),
            (
                "tests/test_paper.py",
                "# Whoever can sign is tested.\n\n\ndef test_paper(person):\n    assert person\n",
            ),
        ],
    );
    write(&root, "shop/signing.py", "class Seal:\n    def sign(self, text):\n        return text + '.'\n");
    let out = printed(&desk, &root);
    assert!(out.contains("  - tests: `tests/test_signing.py`\n"), "{out}");
    assert!(!out.contains("test_paper") && !out.contains("no test names"), "{out}");
}

#[test]
fn tests_that_only_have_a_functions_name_in_a_text_are_not_its_tests() {
    let desk = Desk::new();
    let root = repository(
        &desk,
        &[
            ("shop/__init__.py", ""),
            ("shop/views.py", "def index(request):\n    return request\n"),
            (
                "tests/test_views.py",
                "from shop.views import index\n\n\ndef test_index():\n    assert index(1) == 1\n",
            ),
            ("tests/test_paper.py", "def test_paper(client):\n    assert client.get('index')\n"),
        ],
    );
    write(&root, "shop/views.py", "def index(request):\n    return [request]\n");
    let out = printed(&desk, &root);
    assert!(out.contains("  - tests: `tests/test_views.py`\n"), "{out}");
}

#[test]
fn a_test_that_may_call_another_types_member_gives_way_to_one_that_names_the_type() {
    let desk = Desk::new();
    let cart = "export class Cart {\n  discard(): number {\n    return 1;\n  }\n}\n";
    let root = repository(
        &desk,
        &[
            ("src/cart.ts", cart),
            (
                "test/cart.test.ts",
                "import { Cart } from '../src/cart';\n\ntest('all', () => new Cart().discard());\n",
            ),
            ("test/api.test.ts", "test('api', () => request(1).discard('/orders'));\n"),
        ],
    );
    write(&root, "src/cart.ts", &cart.replace('1', "2"));
    let out = printed(&desk, &root);
    assert!(out.contains("  - tests: `test/cart.test.ts`\n"), "{out}");
}

#[test]
fn a_member_keeps_its_tests_where_the_index_has_no_word_for_its_type() {
    let desk = Desk::new();
    let root = repository(
        &desk,
        &[
            ("shop/__init__.py", ""),
            ("shop/signing.py", "class K:\n    def sign(self, text):\n        return text\n"),
            (
                "tests/test_paper.py",
                "# Whoever can sign is tested.\n\n\ndef test_paper(one):\n    assert one\n",
            ),
        ],
    );
    write(&root, "shop/signing.py", "class K:\n    def sign(self, text):\n        return text + '.'\n");
    let out = printed(&desk, &root);
    assert!(out.contains("  - tests: `tests/test_paper.py`\n"), "{out}");
}
