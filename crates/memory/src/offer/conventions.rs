//! What the specification of the codebase calls conventions, decisions, gotchas and failures: namespaces of the one store, with the
//! category as a tag and the reason behind the text.

use contract::Error;
use system::Arguments;

/// Kinds of what is known of a codebase, and where each belongs.
const TYPES: &[(&str, &str)] = &[
    ("convention", "patterns"),
    ("decision", "decisions"),
    ("gotcha", "learnings"),
    ("failure", "blockers"),
];

/// Text, namespace and tags of what is to be remembered, if it is given in these words.
pub(super) fn given(args: &mut Arguments) -> Result<Option<(String, String, Vec<String>)>, Error> {
    let Some(namespace) = args.choice("type", TYPES)? else { return Ok(None) };
    let mut content = match args.string("memory")? {
        Some(memory) => memory,
        None => args.required("content")?,
    };
    if let Some(reason) = args.string("reason")?.filter(|reason| !reason.trim().is_empty()) {
        content.push_str("\nReason: ");
        content.push_str(reason.trim());
    }
    let tags = args.string("category")?.into_iter().collect();
    Ok(Some((content, namespace.to_owned(), tags)))
}

/// Namespace and tag that are asked for.
pub(super) fn asked(args: &mut Arguments) -> Result<(Option<String>, Option<String>), Error> {
    let namespace = args.choice("type", TYPES)?.map(str::to_owned);
    Ok((namespace, args.string("category")?.map(|category| format!("tag:{category}"))))
}
