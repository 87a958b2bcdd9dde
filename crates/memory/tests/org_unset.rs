//! What is captured for the organisation where no server is set stays on this computer, and the reply says so.

#![allow(clippy::unwrap_used, reason = "tests")]

mod place;

use place::{Place, contents};
use plimsoll_memory::actions::{Capture, capture};

#[test]
fn without_a_server_a_capture_for_the_organisation_says_that_nobody_else_has_it() {
    let place = Place::new();
    let context = place.context();
    let reply = |domain: &str| {
        let given = Capture {
            content: format!("Offices close at 6, says {domain}"),
            namespace: "context".into(),
            domain: Some(domain.into()),
            ..Capture::default()
        };
        capture(&context, &given).unwrap()
    };
    let told = reply("org");
    assert!(told["note"].as_str().unwrap().contains("only this computer has it"), "{told}");
    for domain in ["project", "user"] {
        assert!(reply(domain)["note"].is_null(), "{domain}");
    }
    assert_eq!(contents(&context, "domain:org"), ["Offices close at 6, says org"]);
}
