//! Raw downloads: `curl` and `wget` that print, and HTTP in interpreter one-liners.

use super::pipeline::{Stage, is_bounded, pipelines};

/// A download that would print its response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Download {
    /// The address, when it is a plain GET that `index` can do as well. A request with a body, a method or
    /// headers of its own can only be run in the sandbox.
    pub url: Option<String>,
}

/// The first download in `command` whose response would reach the conversation.
pub fn download(command: &str) -> Option<Download> {
    pipelines(command).iter().filter(|pipeline| !is_bounded(pipeline)).find_map(|pipeline| {
        pipeline.iter().find_map(|stage| match stage.program() {
            "curl" => curl(stage),
            "wget" => wget(stage),
            _ => None,
        })
    })
}

fn curl(stage: &Stage) -> Option<Download> {
    let mut url = None;
    let mut plain = true;
    let mut arguments = stage.arguments().iter().map(String::as_str);
    while let Some(argument) = arguments.next() {
        if let Some(long) = argument.strip_prefix("--") {
            let (name, value) =
                long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
            match name {
                "help" | "version" | "head" | "remote-name" | "remote-name-all" | "output" | "output-dir"
                | "upload-file" => {
                    let target = if name == "output" { value.or_else(|| arguments.next()) } else { None };
                    if target != Some("-") {
                        return None;
                    }
                }
                "request" | "data" | "data-raw" | "data-binary" | "data-urlencode" | "json" | "form"
                | "header" | "user" | "cookie" => {
                    plain = false;
                    let _ = value.or_else(|| arguments.next());
                }
                "url" => url = value.or_else(|| arguments.next()).map(str::to_owned),
                "max-time" | "connect-timeout" | "retry" | "proxy" | "cacert" | "cert" | "key"
                | "user-agent" | "referer" | "write-out" | "range" | "config" => {
                    let _ = value.or_else(|| arguments.next());
                }
                _ => {}
            }
        } else if let Some(short) = argument.strip_prefix('-').filter(|short| !short.is_empty()) {
            for (at, flag) in short.char_indices() {
                let rest = &short[at + flag.len_utf8()..];
                let mut value = || if rest.is_empty() { arguments.next() } else { Some(rest) };
                match flag {
                    'I' | 'O' | 'V' | 'h' | 'T' | 'K' => return None,
                    'o' => {
                        if value() != Some("-") {
                            return None;
                        }
                        break;
                    }
                    'X' | 'd' | 'F' | 'H' | 'u' | 'b' => {
                        plain = false;
                        value();
                        break;
                    }
                    'm' | 'x' | 'E' | 'A' | 'e' | 'w' | 'r' | 'c' | 'y' | 'Y' | 'z' | 'C' => {
                        value();
                        break;
                    }
                    _ => {}
                }
            }
        } else {
            url.get_or_insert_with(|| argument.to_owned());
        }
    }
    let url = url?;
    Some(Download { url: plain.then_some(url) })
}

fn wget(stage: &Stage) -> Option<Download> {
    // wget writes to a file unless told to print.
    let arguments = stage.arguments();
    let prints = arguments
        .windows(2)
        .any(|pair| matches!(pair[0].as_str(), "-O" | "--output-document") && pair[1] == "-")
        || arguments.iter().any(|argument| {
            argument == "--output-document=-"
                || (argument.starts_with('-') && !argument.starts_with("--") && argument.ends_with("O-"))
        });
    if !prints {
        return None;
    }
    let url = arguments.iter().find(|argument| argument.contains("://"))?;
    let plain = !arguments.iter().any(|argument| {
        ["--header", "--post", "--method", "--user", "--password", "--body"]
            .iter()
            .any(|name| argument.starts_with(name))
    });
    Some(Download { url: plain.then(|| url.clone()) })
}

/// Whether the command is an interpreter one-liner that makes an HTTP request and prints.
pub fn inline_http(command: &str) -> bool {
    pipelines(command).iter().filter(|pipeline| !is_bounded(pipeline)).flatten().any(|stage| {
        let program = stage.program().trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let interpreter =
            matches!(program, "python" | "node" | "deno" | "bun" | "ruby" | "perl" | "php" | "pypy" | "tsx");
        let inline = stage.arguments().iter().position(|argument| {
            matches!(
                argument.as_str(),
                "-c" | "-e" | "-r" | "-p" | "-pe" | "-ne" | "eval" | "--eval" | "--print"
            )
        });
        interpreter
            && inline.and_then(|at| stage.arguments().get(at + 1)).is_some_and(|code| {
                let prints = ["print", "console.log", "puts", "echo", "stdout", "say", "p "]
                    .iter()
                    .any(|word| code.contains(word));
                let requests = [
                    "fetch(",
                    "requests.get",
                    "requests.post",
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
                ]
                .iter()
                .any(|word| code.contains(word));
                prints && requests
            })
    })
}
