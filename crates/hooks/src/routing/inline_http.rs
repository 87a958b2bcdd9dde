//! Interpreter one-liners that print an HTTP response.

use shell::pipelines;

use super::bounded::is_bounded;
use super::download::is_public_page;

/// Code that starts a request.
const REQUESTS: [&str; 18] = [
    "fetch(",
    "requests.get",
    "requests.request",
    "urlopen(",
    "http.get(",
    "https.get(",
    "http.request(",
    "https.request(",
    "Net::HTTP",
    "LWP::",
    "HTTP::Tiny",
    "file_get_contents('http",
    "file_get_contents(\"http",
    "curl_exec",
    "httpx.",
    "axios",
    "open-uri",
    "urllib3",
];

/// Code of a request other than GET.
const NON_GETS: [&str; 18] = [
    ".post(",
    ".put(",
    ".patch(",
    ".delete(",
    ".head(",
    "method:",
    "method=",
    "'POST'",
    "\"POST\"",
    "'PUT'",
    "\"PUT\"",
    "'HEAD'",
    "\"HEAD\"",
    "data=",
    "json=",
    "body:",
    "post_form",
    "CURLOPT_POST",
];

/// Code that prints the response itself, not only its status.
const RESPONSES: [&str; 12] = [
    ".text",
    ".content",
    ".json",
    ".read",
    ".body",
    ".data",
    "get_contents",
    "curl_exec",
    "pipe(",
    "Net::HTTP.get(",
    "Net::HTTP.get ",
    "getstore",
];

/// Whether the command is an interpreter one-liner that fetches a page from a public host and prints it.
pub fn inline_http(command: &str) -> bool {
    pipelines(command).iter().filter(|pipeline| !is_bounded(pipeline)).flatten().any(|stage| {
        let program = stage.program().trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let interpreter = matches!(
            program,
            "python" | "py" | "node" | "deno" | "bun" | "ruby" | "perl" | "php" | "pypy" | "tsx"
        );
        let inline = stage.arguments().iter().position(|argument| {
            matches!(
                argument.as_str(),
                "-c" | "-e" | "-r" | "-p" | "-pe" | "-ne" | "-le" | "eval" | "--eval" | "--print"
            )
        });
        interpreter
            && inline.and_then(|at| stage.arguments().get(at + 1)).is_some_and(|code| prints_page(code))
    })
}

fn prints_page(code: &str) -> bool {
    let has = |words: &[&str]| words.iter().any(|word| code.contains(word));
    let mut addresses = addresses(code).peekable();
    has(&["print", "console.log", "puts", "echo", "stdout", "say", "p "])
        && has(&REQUESTS)
        && has(&RESPONSES)
        && !has(&NON_GETS)
        // A computed URL may be this project's server.
        && addresses.peek().is_some()
        && addresses.all(is_public_page)
}

/// The literal URLs in code.
fn addresses(code: &str) -> impl Iterator<Item = &str> {
    code.match_indices("http").filter_map(|(at, _)| {
        let rest = &code[at..];
        (rest.starts_with("http://") || rest.starts_with("https://"))
            .then(|| rest.split(['"', '\'', ' ', ')', '`', ',', ';', '>']).next().unwrap_or(rest))
    })
}
