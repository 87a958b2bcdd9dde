//! Two members of one name, as a merge of two branches may leave them. Agents use the last one.

use crate::common::{Scratch, format, server};
use plimsoll_edits::{Dialect, EntryState, entry_state, plan, plan_removal};
use std::fs;

const JSON: [Dialect; 3] = [Dialect::Json, Dialect::JsonComments, Dialect::Jsonc];
const OURS: &str = "{ \"command\": \"/h/.plimsoll/bin/plimsoll\", \"args\": [\"mcp\"] }";
const THEIRS: &str = "{ \"command\": \"mine\" }";

fn file_with(entries: &[&str]) -> String {
    let lines: String = entries.iter().map(|entry| format!("    \"plimsoll\": {entry},\n")).collect();
    format!("{{\n  \"mcpServers\": {{\n{lines}    \"b\": {{}}\n  }}\n}}\n")
}

#[test]
fn an_entry_that_is_there_twice_goes_twice() {
    for (there, left) in [
        (vec![OURS, OURS], vec![]),
        (vec![OURS, OURS, OURS], vec![]),
        (vec![THEIRS, OURS], vec![THEIRS]),
        (vec![THEIRS, OURS, OURS], vec![THEIRS]),
        (vec![OURS, THEIRS], vec![OURS, THEIRS]),
    ] {
        for dialect in JSON {
            let scratch = Scratch::new();
            let path = scratch.file("servers.json", file_with(&there).as_bytes());
            let planned = plan_removal(&path, format(dialect), &[server(true)], None);
            assert_eq!(planned.refusal, None, "{there:?}");
            assert_eq!(String::from_utf8(planned.after.clone()).unwrap(), file_with(&left), "{there:?}");
            // One that isn't in effect is somebody's own doing, and is named.
            assert_eq!(planned.remains.is_empty(), !left.contains(&OURS), "{:?}", planned.remains);
            scratch.apply(&planned);
        }
    }
}

/// What the second of two lists of servers hides must not come into effect because the second one is left empty.
#[test]
fn a_list_that_hides_another_stays_when_it_is_empty() {
    let scratch = Scratch::new();
    let path = scratch.file("servers.json", b"{}\n");
    let receipt = scratch.apply(&plan(&path, format(Dialect::Json), &[server(true)]));
    let text = fs::read_to_string(&path).unwrap();
    let once_more = format!(
        "{},\n  \"mcpServers\": {{ \"plimsoll\": {OURS} }}\n}}\n",
        text.trim_end().strip_suffix('}').unwrap().trim_end()
    );
    fs::write(&path, once_more).unwrap();
    let planned = plan_removal(&path, format(Dialect::Json), &[server(true)], Some(&receipt));
    assert_eq!(planned.refusal, None);
    scratch.apply(&planned);
    assert_eq!(entry_state(&path, format(Dialect::Json), &server(true)), EntryState::Absent);
    assert!(!planned.remains.is_empty(), "the hidden one is named");
}
