//! The actions of the tool `codebase` by name, and which of them use an argument. Doesn't read any.

/// The actions by name.
pub(super) const ACTIONS: &[(&str, Action)] = &[
    ("search", Action::Search),
    ("references", Action::References),
    ("refs", Action::References),
    ("card", Action::Card),
    ("map", Action::Map),
    ("patterns", Action::Patterns),
    ("cycles", Action::Cycles),
    ("health", Action::Health),
    ("style", Action::Style),
    ("metadata", Action::Metadata),
    ("status", Action::Status),
    ("reindex", Action::Reindex),
    ("review", Action::Review),
    ("diagnostics", Action::Diagnostics),
    ("remember", Action::Remember),
    ("recall", Action::Recall),
    ("search_codebase", Action::Search),
    ("get_symbol_references", Action::References),
    ("get_team_patterns", Action::Patterns),
    ("detect_circular_dependencies", Action::Cycles),
    ("get_style_guide", Action::Style),
    ("get_codebase_metadata", Action::Metadata),
    ("refresh_index", Action::Reindex),
    ("get_indexing_status", Action::Status),
    ("get_memory", Action::Recall),
];

/// What can be asked of a project's code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    Search,
    References,
    Card,
    Map,
    Patterns,
    Cycles,
    Health,
    Style,
    Metadata,
    Status,
    Reindex,
    Review,
    Diagnostics,
    Remember,
    Recall,
}

/// The actions that search.
const SEARCHING: &[Action] = &[Action::Search, Action::Card];
/// The actions that take a folder or a file.
const IN_FOLDER: &[Action] = &[
    Action::Search,
    Action::Card,
    Action::Map,
    Action::Cycles,
    Action::Health,
    Action::Diagnostics,
    Action::Remember,
    Action::Recall,
];
/// The action that has the specification's names of switches.
const REINDEX: &[Action] = &[Action::Reindex];
/// The action that keeps a memory; it takes what a capture takes besides.
const REMEMBER: &[Action] = &[Action::Remember];

/// Which actions use an argument, for the error about one that the action doesn't use.
pub(super) const USES: &[(&str, &[Action])] = &[
    (
        "query",
        &[
            Action::Search,
            Action::References,
            Action::Card,
            Action::Patterns,
            Action::Style,
            Action::Review,
            Action::Recall,
        ],
    ),
    ("symbol", &[Action::Search, Action::References, Action::Card, Action::Remember, Action::Recall]),
    ("direction", &[Action::References]),
    (
        "limit",
        &[
            Action::Search,
            Action::References,
            Action::Card,
            Action::Map,
            Action::Cycles,
            Action::Health,
            Action::Reindex,
            Action::Diagnostics,
            Action::Recall,
        ],
    ),
    (
        "offset",
        &[
            Action::Search,
            Action::References,
            Action::Card,
            Action::Cycles,
            Action::Health,
            Action::Style,
            Action::Reindex,
            Action::Diagnostics,
            Action::Recall,
        ],
    ),
    ("path", IN_FOLDER),
    ("scope", IN_FOLDER),
    ("category", &[Action::Patterns, Action::Style, Action::Remember, Action::Recall]),
    ("type", &[Action::Remember, Action::Recall]),
    ("filter", &[Action::Recall]),
    ("memory", REMEMBER),
    ("content", REMEMBER),
    ("supersedes", REMEMBER),
    ("intent", SEARCHING),
    ("mode", SEARCHING),
    ("includeSnippets", SEARCHING),
    ("include_snippets", SEARCHING),
    ("language", SEARCHING),
    ("lang", SEARCHING),
    ("framework", SEARCHING),
    ("layer", SEARCHING),
    ("componentType", SEARCHING),
    ("tags", &[Action::Search, Action::Card, Action::Remember]),
    ("filters", SEARCHING),
    ("reason", &[Action::Reindex, Action::Remember]),
    ("incrementalOnly", REINDEX),
    ("incremental", REINDEX),
    ("dryRun", REINDEX),
    ("dry_run", &[Action::Reindex, Action::Remember]),
    ("base", &[Action::Review]),
];

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};
    use system::Arguments;

    use super::*;
    use crate::entry_points::codebase_tool::parse_request;

    /// A value that every argument of this name may have.
    fn value(name: &str) -> Value {
        match name {
            "direction" => json!("callers"),
            "intent" => json!("edit"),
            "mode" => json!("full"),
            "limit" | "offset" => json!(3),
            "includeSnippets" | "include_snippets" | "incrementalOnly" | "incremental" | "dryRun"
            | "dry_run" => {
                json!(true)
            }
            "filters" => json!({"language": "rust"}),
            _ => json!("x"),
        }
    }

    /// What reading an action with this argument gives, where it has what it needs.
    fn error_of(word: &str, action: Action, argument: &str) -> Option<String> {
        let mut given = Map::new();
        given.insert("action".into(), word.into());
        match action {
            Action::Search | Action::Card => drop(given.insert("query".into(), "x".into())),
            Action::References => drop(given.insert("symbol".into(), "x".into())),
            _ => {}
        }
        given.insert(argument.into(), value(argument));
        let mut arguments = Arguments::new("codebase", given);
        let read = parse_request(&mut arguments).err();
        read.or_else(|| arguments.finish().err()).map(|error| error.to_string())
    }

    /// An argument is taken by each action that uses it; another action's is refused by an error that says whose it is.
    #[test]
    fn each_action_takes_its_arguments_and_names_the_actions_of_others() {
        for (argument, users) in USES {
            for (word, action) in ACTIONS {
                let error = error_of(word, *action, argument);
                if users.contains(action) {
                    assert_eq!(error, None, "{word} {argument}");
                    continue;
                }
                let error = error.unwrap_or_default();
                assert!(error.contains(&format!("doesn't use {argument}; ")), "{word} {argument}: {error}");
                let rest = error.split("; ").nth(1).unwrap_or_default();
                let named: Vec<&str> = rest.split([',', ' ']).collect();
                for (name, one) in ACTIONS {
                    // If an action has several names, the error names the first.
                    let is_first = ACTIONS
                        .iter()
                        .find(|(_, other)| other == one)
                        .is_some_and(|(first, _)| first == name);
                    assert_eq!(
                        named.contains(name),
                        is_first && users.contains(one),
                        "{word} {argument}: {error}"
                    );
                }
            }
        }
    }
}
