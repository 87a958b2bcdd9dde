//! What `plimsoll code` says of languages that no grammar reads: nothing is called unused or undefined because nobody looked.

use super::code_git::{repository, write};
use super::desk::Desk;

#[test]
fn what_nobody_reads_in_a_language_without_a_grammar_is_not_denied() {
    let desk = Desk::new();
    let cart = "local Cart = {}\n\nfunction Cart.total(items)\n  return #items\nend\n\nreturn Cart\n";
    let pay =
        "local cart = require('shop.cart')\n\nreturn function(items)\n  return cart.total(items)\nend\n";
    let root = repository(&desk, &[("lua/shop/cart.lua", cart), ("lua/shop/pay.lua", pay)]);
    let found = "defined  lua/shop/cart.lua:3  function Cart.total(items)\n\
                 textual  lua/shop/pay.lua:4  return cart.total(items)\n";
    let unread = "imports of lua aren't followed, so who needs whom isn't known there";
    for (words, code, expected) in [
        (&["refs", "total"][..], 0, found),
        (&["refs", "Cart.total"], 0, found),
        (&["refs", "items"], 0, "no definition of items is known, and those in lua may not be;"),
        (&["refs", "total", "--callers"], 3, "callers in lua aren't known; the references of total list"),
        (&["refs", "total", "--callees"], 3, "callees in lua aren't known; the references of total list"),
        (&["card", "total"], 0, "no card can be made of what lua defines: look at the references of total"),
        (&["map"], 0, unread),
        (&["cycles"], 0, unread),
        (&["cycles"], 0, "no file whose imports are followed imports itself through others\n"),
        (&["patterns"], 0, "error style is used here; files in lua aren't read for that"),
        (&["refs", "nowhere"], 3, "nothing is called nowhere here, and no indexed file has the word"),
    ] {
        let typed: Vec<&str> = ["code"].iter().chain(words).copied().collect();
        let out = desk.run_in(&root, &typed).ended(code).out;
        assert!(out.contains(expected), "{words:?}\n{out}");
        assert!(!out.contains("nothing here defines") && !out.contains("nothing is called total"), "{out}");
    }
}

#[test]
fn patterns_of_the_few_files_that_are_read_do_not_pass_for_the_projects() {
    let desk = Desk::new();
    let files = [
        ("lib/cart.dart", "class Cart {}\n"),
        ("lib/pay.dart", "class Pay {}\n"),
        ("tool/main.py", "import requests\n\nrequests.get('/')\n"),
    ];
    let root = repository(&desk, &files);
    let printed = || desk.run_in(&root, &["code", "patterns"]).ended(0).out;
    assert!(printed().ends_with("files in dart aren't read for that\n"), "{}", printed());
    for path in ["tool/a.py", "tool/b.py"] {
        write(&root, path, "import requests\n");
    }
    assert!(!printed().contains("dart"), "{}", printed());
}
