//! Commands with long output, which are those with a filter for reports, and commands known to be small.

use filters::FilterSet;
use shell::{Stage, pipelines};

use super::bounded::is_bounded;

/// Whether some part of the command tends to print far more than needed: a built-in filter knows its reports, or it's
/// an unlimited `git log`.
pub fn is_noisy(command: &str) -> bool {
    let filters = FilterSet::builtin();
    pipelines(command)
        .iter()
        .filter(|pipeline| !is_bounded(pipeline))
        .filter_map(|pipeline| pipeline.first())
        .any(|stage| filters.is_noisy(&stage.words) || is_whole_log(stage))
}

fn is_whole_log(stage: &Stage) -> bool {
    let log =
        stage.arguments().iter().find(|word| !word.starts_with('-')).is_some_and(|first| first == "log");
    stage.program() == "git" && log && !stage.arguments().iter().any(|word| is_count(word))
}

fn is_count(word: &str) -> bool {
    word == "-n"
        || word.starts_with("--max-count")
        || (word.len() > 1 && word.starts_with('-') && word[1..].bytes().all(|b| b.is_ascii_digit()))
        || (word.starts_with("-n") && word[2..].bytes().all(|b| b.is_ascii_digit()))
}

/// Whether the command is a small one that deserves no advice.
pub fn is_small(command: &str) -> bool {
    let pipelines = pipelines(command);
    let [pipeline] = pipelines.as_slice() else { return false };
    let [stage] = pipeline.as_slice() else { return false };
    let first =
        stage.arguments().iter().map(String::as_str).find(|word| !word.starts_with('-')).unwrap_or_default();
    if stage.arguments().iter().any(|word| word == "--version") {
        return true;
    }
    match stage.program() {
        "pwd" | "mkdir" | "cp" | "mv" | "rm" | "touch" | "cd" | "which" | "whoami" | "date" | "echo"
        | "true" | "hostname" | "uname" | "id" | "ln" | "chmod" | "basename" | "dirname" | "test" | "["
        | "wc" | "df" => true,
        "ls" => !stage
            .arguments()
            .iter()
            .any(|word| word.starts_with('-') && !word.starts_with("--") && word.contains('R')),
        "git" => {
            matches!(
                first,
                "status"
                    | "branch"
                    | "add"
                    | "commit"
                    | "checkout"
                    | "switch"
                    | "stash"
                    | "remote"
                    | "rev-parse"
                    | "push"
                    | "pull"
                    | "fetch"
                    | "tag"
            ) || (first == "log" && stage.arguments().iter().any(|word| is_count(word)))
        }
        _ => false,
    }
}
