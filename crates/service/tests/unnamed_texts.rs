//! Texts that are indexed without a name: none takes another's place, whatever their first lines.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::sync::Arc;

use contract::{Index, Input};
use home::{Clock, Env};
use plimsoll_service::{Call, Service};
use serde_json::{Value, json};

fn service(dir: &std::path::Path) -> Arc<Service> {
    std::fs::create_dir_all(dir.join("project/.git")).unwrap();
    let env = Env::for_test(dir).with_cwd(dir.join("project"));
    let service = Service::new(env, Clock::fixed(1_772_304_300_000)).unwrap();
    service.set_project(&[dir.join("project")]);
    Arc::new(service)
}

#[test]
fn two_texts_with_one_first_line_are_both_kept_and_the_same_text_is_one() {
    let dir = tempfile::tempdir().unwrap();
    let service = service(dir.path());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let index = |content: &str, source: Option<&str>| -> Value {
        let mut request = Index::of(Input::Content(content.into()));
        request.source = source.map(str::to_owned);
        runtime.block_on(service.index(&Call::from_user(), request)).unwrap().data
    };
    let (first, second) = ("# Notes\n\nThe walrus is grey.\n", "# Notes\n\nThe penguin is black.\n");
    let one = index(first, None);
    assert_eq!(one["source"], "text:Notes");
    let two = index(second, None);
    let marked = two["source"].as_str().unwrap().to_owned();
    assert!(marked.starts_with("text:Notes (") && two["indexed"]["replaced"] == false, "{two}");
    // The same text again is the same source.
    for (text, label) in [(first, "text:Notes"), (second, marked.as_str())] {
        let again = index(text, None);
        assert_eq!(
            (&again["source"], &again["indexed"]["unchanged"]),
            (&json!(label), &json!(true)),
            "{again}"
        );
    }
    // A given name belongs to the caller: new text replaces the old one.
    index(first, Some("notes"));
    assert_eq!(index(second, Some("notes"))["indexed"]["replaced"], true);
}
