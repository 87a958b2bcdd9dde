//! How a reply becomes text: in full for the user, whose terminal and files take any length, and bounded for an agent,
//! which pays for every byte. A document isn't cut, because a part can't be used.

use contract::Reply;
use serde_json::Value;

/// Maximum size of a reply to an agent.
const MAX_BYTES: usize = 24_000;

/// The lists that a reply may have.
const LISTS: [&str; 9] = [
    "results",
    "pending",
    "entities",
    "relationships",
    "history",
    "candidate_merges",
    "neighbors",
    "prompts",
    "templates",
];

/// The sizes to which the parts of a reply are cut that is still too long, one after the other.
const PART_BYTES: [usize; 6] = [6_000, 3_000, 1_500, 700, 300, 100];
/// A list or object within a reply has at least this many items left.
const MIN_ITEMS: usize = 20;

/// How a reply becomes text.
#[derive(Clone, Copy)]
pub(super) enum ReplyFormat {
    /// As JSON, as the specification defines it.
    Json,
    /// The same of an action that takes an offset, at which it goes on.
    Pages,
    /// Only the text under this key, to be used as it is.
    Text(&'static str),
    /// Only the document under this key, which is useless in part.
    Document {
        /// The key.
        key: &'static str,
        /// The key of the number of things in it.
        count: &'static str,
        /// What to do if it doesn't fit into a reply.
        too_long: &'static str,
    },
}

/// The reply to the user or to an agent.
pub(super) fn reply(data: Value, format: ReplyFormat, person: bool) -> Reply {
    let text = match format {
        ReplyFormat::Text(key) | ReplyFormat::Document { key, .. } if data[key].is_string() => {
            let text = data[key].as_str().unwrap_or_default();
            match format {
                _ if person || text.len() <= MAX_BYTES => text.to_owned(),
                ReplyFormat::Document { count, too_long, .. } => format!(
                    "{count}: {}. The text has {} bytes, and a reply has at most {MAX_BYTES}, so it is left out. {too_long}",
                    data[count],
                    text.len()
                ),
                _ => cut(text),
            }
        }
        _ if person => super::terminal_text::render(&data),
        ReplyFormat::Pages => bounded(data.clone(), true).to_string(),
        _ => bounded(data.clone(), false).to_string(),
    };
    Reply::plain(text).with_data(data)
}

/// The beginning of a text, and how much is left out.
fn cut(text: &str) -> String {
    let end = text.floor_char_boundary(MAX_BYTES);
    format!("{}\n… {} bytes more", &text[..end], text.len() - end)
}

/// Bounds a reply: shortens a list or cuts a long text. Names the next page's offset if the action takes one, and
/// otherwise says what to ask instead. A reply that begins with a later page has its `offset`. It's JSON in any case: what
/// is too long here is cut by the host in the middle.
fn bounded(mut data: Value, pages: bool) -> Value {
    if data.to_string().len() <= MAX_BYTES {
        return data;
    }
    let from = data["offset"].as_u64().unwrap_or(0);
    let goes_on = |data: &mut Value, shown: usize| {
        if pages {
            data["next_offset"] = (from + shown as u64).into();
        } else {
            data["shortened"] =
                format!("a reply has at most {MAX_BYTES} bytes; ask for less, or with a smaller limit")
                    .into();
        }
    };
    if let Some(content) = data["content"].as_str() {
        let end = fitting(content, MAX_BYTES * 3 / 4);
        let (shown, bytes) = (content[..end].to_owned(), content.len());
        if end < bytes {
            data["content"] = shown.into();
            data["content_bytes"] = (from + bytes as u64).into();
            goes_on(&mut data, end);
        }
    }
    for list in LISTS {
        while data.to_string().len() > MAX_BYTES {
            let Some(all) = list_in(&mut data, list).filter(|all| all.len() > 1) else { break };
            all.truncate(all.len() * 3 / 4);
            let shown = all.len();
            goes_on(&mut data, shown);
        }
        // A single item may be too long by itself.
        for one in list_in(&mut data, list).into_iter().flatten() {
            if let Some(content) = one["content"].as_str() {
                let end = fitting(content, MAX_BYTES / 2);
                if end < content.len() {
                    one["content"] = format!("{}… (get shows the rest)", &content[..end]).into();
                }
            }
        }
    }
    cut_parts(&mut data);
    data
}

/// Where a text must end to take at most so many bytes in JSON, in which a line end takes two and other characters six.
fn fitting(text: &str, most: usize) -> usize {
    const QUOTES: usize = 2;
    let mut end = text.floor_char_boundary(most);
    while Value::from(&text[..end]).to_string().len() > most + QUOTES {
        end = text.floor_char_boundary(end * 3 / 4);
    }
    end
}

/// Cuts what is in a reply that is still too long, such as the text that a merge proposes or an entity's properties. Not its
/// `content`, whose next page begins where it ends.
fn cut_parts(data: &mut Value) {
    if data.to_string().len() <= MAX_BYTES {
        return;
    }
    data["shortened"] =
        format!("a reply has at most {MAX_BYTES} bytes; texts that end with … and lists in it are cut")
            .into();
    for most in PART_BYTES {
        for (key, part) in data.as_object_mut().into_iter().flatten() {
            if key != "content" {
                cut_part(part, most);
            }
        }
        if data.to_string().len() <= MAX_BYTES {
            return;
        }
    }
}

fn cut_part(part: &mut Value, most: usize) {
    let items = (most / 10).max(MIN_ITEMS);
    match part {
        Value::String(text) if text.len() > most => {
            text.truncate(text.floor_char_boundary(most));
            text.push('…');
        }
        Value::Array(all) => {
            all.truncate(items);
            for one in all {
                cut_part(one, most);
            }
        }
        Value::Object(all) => {
            let mut left = items;
            all.retain(|_, _| {
                let is_kept = left > 0;
                left = left.saturating_sub(1);
                is_kept
            });
            for one in all.values_mut() {
                cut_part(one, most);
            }
        }
        _ => {}
    }
}

/// A list of a reply. Indexing to change it would add a key that isn't there.
fn list_in<'a>(data: &'a mut Value, list: &str) -> Option<&'a mut Vec<Value>> {
    data.get_mut(list)?.as_array_mut()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const EXPORT: ReplyFormat =
        ReplyFormat::Document { key: "content", count: "count", too_long: "Write it to a file." };

    #[test]
    fn a_user_gets_everything_and_an_agent_no_part_of_a_document() {
        let long = "é".repeat(MAX_BYTES);
        for (format, person, whole) in [
            (EXPORT, true, true),
            (EXPORT, false, false),
            (ReplyFormat::Text("content"), true, true),
            (ReplyFormat::Text("content"), false, false),
        ] {
            for text in ["short", &long] {
                let data = json!({"count": 7, "content": text});
                let reply = reply(data.clone(), format, person);
                assert_eq!(reply.data, data);
                assert_eq!(reply.text == text, whole || text == "short");
                assert!(person || reply.text.len() < MAX_BYTES + 100);
            }
        }
        let refused = reply(json!({"count": 7, "content": long}), EXPORT, false).text;
        assert!(refused.starts_with("count: 7. The text has 48000 bytes") && refused.ends_with("file."));
        let cut = reply(json!({"content": long}), ReplyFormat::Text("content"), false).text;
        assert!(cut.ends_with("… 24000 bytes more"), "{}", &cut[cut.len() - 40..]);
    }

    #[test]
    fn a_shortened_list_names_its_next_page_and_has_no_new_keys() {
        let one = json!({"id": "x", "content": "y".repeat(1_000)});
        let data = json!({"results": vec![one; 100], "total": 300});
        let shortened = |data: &Value, format: ReplyFormat| {
            let text = reply(data.clone(), format, false).text;
            assert!(text.len() <= MAX_BYTES + 100, "{}", text.len());
            serde_json::from_str::<Value>(&text).unwrap()
        };
        let keys = |data: &Value| data.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        let bounded = shortened(&data, ReplyFormat::Pages);
        assert_eq!(keys(&bounded), ["results", "total", "next_offset"]);
        let shown = bounded["results"].as_array().unwrap().len();
        assert_eq!(bounded["next_offset"], shown);
        assert!(shown > 10, "{shown}");
        let mut later = data.clone();
        later["offset"] = 200.into();
        assert_eq!(shortened(&later, ReplyFormat::Pages)["next_offset"], 200 + shown);
        // Where no offset can be given, none is named.
        let bounded = shortened(&data, ReplyFormat::Json);
        assert_eq!(keys(&bounded), ["results", "total", "shortened"]);
        assert!(bounded["shortened"].as_str().unwrap().contains("smaller limit"));
        let all = reply(data, ReplyFormat::Json, true).text;
        assert_eq!(all.matches("yyyy\n").count() + usize::from(all.ends_with("yyyy")), 100);
    }

    /// Whatever is long in it: a reply to an agent has at most so many bytes, is JSON, and says that it's shortened.
    #[test]
    fn no_reply_is_longer_than_an_agent_is_given() {
        let long = "y".repeat(400_000);
        let prompt = json!({"name": "x", "description": "y".repeat(900)});
        let ids: Vec<String> = (0..2_000).map(|n| format!("{n:020x}")).collect();
        let merge = json!({"memories": ids, "similarity": 0.9, "proposed_content": long});
        let properties: serde_json::Map<String, Value> =
            (0..900).map(|n| (format!("key {n}"), "y".repeat(500).into())).collect();
        let aliases: Vec<String> = (0..9_000).map(|n| format!("alias {n}")).collect();
        let links: Vec<Value> =
            ids.iter().map(|id| json!({"from": "x", "to": id, "kind": "supersedes"})).collect();
        for (data, key) in [
            (json!({"prompts": vec![prompt.clone(); 500], "total": 500}), "total"),
            (json!({"templates": vec![prompt; 500], "total": 500}), "total"),
            (json!({"groups_found": 1, "candidate_merges": [merge], "dry_run": true}), "dry_run"),
            (json!({"id": "entity_x", "name": "x", "properties": properties}), "name"),
            (json!({"entities": [{"id": "entity_x", "properties": properties}], "total": 1}), "total"),
            (json!({"id": "entity_x", "name": "x", "aliases": aliases}), "name"),
            (json!({"id": "x", "content": "short", "links": links}), "content"),
            (json!({"id": "x", "content": long, "description": long}), "id"),
        ] {
            for format in [ReplyFormat::Json, ReplyFormat::Pages] {
                let text = reply(data.clone(), format, false).text;
                assert!(text.len() <= MAX_BYTES, "{} bytes: {}", text.len(), &text[..200]);
                let shown: Value = serde_json::from_str(&text).unwrap();
                assert_eq!(shown[key], data[key], "{}", &text[..200]);
                assert!(
                    shown["shortened"].is_string() || shown["next_offset"].is_u64(),
                    "{}",
                    &text[text.len() - 200..]
                );
            }
        }
    }

    /// The pages of a text are the text, however long its characters are in JSON.
    #[test]
    fn the_pages_of_a_content_leave_nothing_out() {
        for of in ["plain words ", "\"quoted\" ", "\n", "\u{1}", "日本"] {
            let content = of.repeat(60_000 / of.len());
            let (mut read, mut from) = (String::new(), 0);
            loop {
                let mut data =
                    json!({"id": "x", "tags": vec!["t".repeat(90); 50], "content": content[from..]});
                if from > 0 {
                    data["offset"] = from.into();
                }
                let text = reply(data, ReplyFormat::Pages, false).text;
                assert!(text.len() <= MAX_BYTES, "{of:?}: {} bytes", text.len());
                let page: Value = serde_json::from_str(&text).unwrap();
                read.push_str(page["content"].as_str().unwrap());
                let Some(next) = page["next_offset"].as_u64() else { break };
                from = usize::try_from(next).unwrap();
                assert_eq!(from, read.len(), "{of:?}");
            }
            assert!(read == content, "{of:?}");
        }
    }
}
