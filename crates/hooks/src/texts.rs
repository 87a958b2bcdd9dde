//! The texts for the agent's model. Short and neutral, with the tools' names as that agent shows them; shouting is
//! rightly taken for an injection.

use contract::Amount;

use crate::situation::Tools;

/// Printed at the start of a session, and carried by each of its requests.
pub(crate) fn session_start(tools: &Tools) -> String {
    let Tools { execute, batch, index, search } = tools;
    format!(
        "Plimsoll keeps large outputs out of this conversation: {execute} runs what prints much (several: {batch}), \
         {index} stores a page, file or folder, {search} finds passages in it and in outputs. Read files that you will \
         edit with the usual tool."
    )
}

/// Advice about a call that one of Plimsoll's tools does better. Some agents show it behind "hook error", so it says
/// first what it is. If the call was `turned_away`, it says how to make it anyway.
pub(crate) fn advice(text: &str, turned_away: bool) -> String {
    if turned_away {
        format!("Advice, not an error: {text} To run this call as it is, send it once more.")
    } else {
        format!("Advice from Plimsoll; the call goes on. {text}")
    }
}

/// About a raw download in the shell. `url` only if `index` can fetch it.
pub(crate) fn download(tools: &Tools, url: Option<&str>) -> String {
    let Tools { execute, index, search, .. } = tools;
    match url {
        Some(url) => format!(
            "This puts the whole response into the conversation. {index} with url {url} stores it and {search} finds \
             the passages; or {execute} runs the same command and returns what matters."
        ),
        None => format!(
            "This puts the whole response into the conversation. {execute} runs the same command, stores it and \
             returns what matters."
        ),
    }
}

/// About HTTP in an interpreter one-liner.
pub(crate) fn inline_http(tools: &Tools) -> String {
    format!(
        "This prints a response of unknown size into the conversation. {} runs the same code and returns what \
         matters; the rest stays searchable.",
        tools.execute
    )
}

/// About the agent's own page fetching.
pub(crate) fn fetch(tools: &Tools, url: &str) -> String {
    let Tools { index, search, .. } = tools;
    format!("{index} with url {url} stores the page, and {search} finds the passages you need.")
}

/// About printing a large log or data file.
pub(crate) fn dump(tools: &Tools, file: &str, bytes: u64) -> String {
    let Tools { execute, index, search, .. } = tools;
    format!(
        "{file} is {}. {execute} with path set to it gives a script its text as FILE_CONTENT and returns only what \
         the script prints; or {index} it and {search}.",
        Amount::bytes(bytes)
    )
}

/// Once per session, beside a command that tends to print a lot.
pub(crate) fn noisy(tools: &Tools) -> String {
    format!(
        "Long output ahead? {} runs the same command and returns failures and totals first.",
        tools.execute
    )
}

/// Once per session, when a large file is read.
pub(crate) fn large_read(tools: &Tools, bytes: u64) -> String {
    format!(
        "This file is {}. To search it rather than edit it, {} and {} keep it out of the conversation.",
        Amount::bytes(bytes),
        tools.index,
        tools.search
    )
}

/// One of the user's rules denies it.
pub(crate) fn denied(rule: &str, source: &str, what: &str) -> String {
    format!(
        "Denied by the user's rule {rule} in {source}: it covers `{what}`. This is the user's choice, not a \
         malfunction."
    )
}

/// One of the user's rules asks first.
pub(crate) fn ask(rule: &str, source: &str, what: &str) -> String {
    format!("The user's rule {rule} in {source} asks before `{what}`.")
}

/// The same if there is nobody to ask.
pub(crate) fn nobody_to_ask(reason: &str) -> String {
    format!("{reason} Nobody can be asked in this session, so it isn't run.")
}
