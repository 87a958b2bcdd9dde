//! The database stays small beside its text.

use std::path::Path;

use crate::common::{add, markdown, temp};

/// All Markdown of this repository, if the tests run inside it.
fn own_docs() -> String {
    let root = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../..");
    let mut all = String::new();
    for entry in std::fs::read_dir(root).expect("repository").flatten() {
        if entry.path().extension().is_some_and(|e| e == "md") {
            all.push_str(&std::fs::read_to_string(entry.path()).expect("read"));
        }
    }
    all
}

#[test]
fn the_database_is_at_most_three_times_its_text() {
    let mut t = temp();
    let mut bytes = 0;
    for n in 0..12 {
        let text = markdown(100_000 + n * 20_000, n as u64 + 1);
        bytes += text.len();
        add(&mut t.store, &format!("doc {n}"), &text);
    }
    let own = own_docs();
    if !own.is_empty() {
        bytes += own.len();
        add(&mut t.store, "own", &own);
    }
    let stats = t.store.stats().expect("stats");
    assert_eq!(stats.text_bytes as usize, bytes);
    let ratio = stats.database_bytes as f64 / bytes as f64;
    println!("database / text = {ratio:.2}");
    assert!(ratio <= 3.0, "{ratio:.2}");
}
