//! Raw downloads: commands that fetch a page and print it. Recognises only those that one of Plimsoll's tools can
//! replace: a GET from a public host whose full response would be printed. Everything else that speaks HTTP (a POST,
//! a health check of a local server, a HEAD, a file that is saved, a part of a file) is left alone. `inline_http`
//! does the same for interpreters.

use shell::{Stage, pipelines};

use super::bounded::is_bounded;
use super::hosts::{host_of, is_local};

/// A download that would print its response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Download {
    /// The URL, if it is a plain GET that `index` can do as well. A request with its own headers, login or proxy can
    /// only run in the sandbox.
    pub url: Option<String>,
}

/// The first download in `command` whose response would reach the conversation.
pub fn download(command: &str) -> Option<Download> {
    pipelines(command)
        .iter()
        .filter(|pipeline| !is_bounded(pipeline))
        .find_map(|pipeline| pipeline.iter().find_map(request).and_then(Request::download))
}

/// The request of a command, as far as it matters here.
#[derive(Debug, Default)]
struct Request {
    addresses: Vec<String>,
    /// Whether it has headers, a login or the like, which `index` doesn't send.
    has_extras: bool,
    /// Whether it isn't a GET, prints only a part or nothing, or is unclear.
    is_unsuitable: bool,
}

impl Request {
    fn download(self) -> Option<Download> {
        let first = self.addresses.first()?;
        if self.is_unsuitable || self.addresses.iter().any(|address| !is_public_page(address)) {
            return None;
        }
        let plain = !self.has_extras && self.addresses.len() == 1;
        Some(Download { url: plain.then(|| first.clone()) })
    }

    fn method(&mut self, method: &str) {
        self.is_unsuitable |= !method.eq_ignore_ascii_case("get");
    }
}

fn request(stage: &Stage) -> Option<Request> {
    let program = stage.program().to_ascii_lowercase();
    let arguments = stage.arguments();
    match program.as_str() {
        "curl" => Some(curl(arguments)),
        "wget" | "wget2" => Some(wget(arguments)),
        "http" | "https" | "xh" | "xhs" => Some(httpie(arguments)),
        "invoke-webrequest" | "iwr" | "invoke-restmethod" | "irm" => Some(powershell(arguments)),
        _ => None,
    }
}

/// Whether a URL is a page on a public host, except for a few known to be small.
pub(super) fn is_public_page(address: &str) -> bool {
    // A variable may be anything, including this project's server.
    if address.contains(['$', '`', '<', '{']) || address.is_empty() {
        return false;
    }
    let (scheme, rest) = address.split_once("://").unwrap_or(("http", address));
    let host = host_of(address);
    matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https")
        && !is_local(host)
        && !is_small(host, rest)
}

/// URLs whose responses are a line or two.
fn is_small(host: &str, rest: &str) -> bool {
    const HOSTS: [&str; 6] =
        ["ifconfig.me", "ifconfig.co", "icanhazip.com", "api.ipify.org", "checkip.amazonaws.com", "ident.me"];
    const NAMES: [&str; 14] = [
        "health",
        "healthz",
        "healthcheck",
        "ready",
        "readyz",
        "live",
        "livez",
        "ping",
        "status",
        "version",
        "robots.txt",
        "generate_204",
        "up",
        "ip",
    ];
    const ENDINGS: [&str; 8] = ["sha1", "sha256", "sha512", "sha256sum", "md5", "asc", "sig", "minisig"];
    let path = rest.split(['?', '#']).next().unwrap_or(rest).trim_end_matches('/').to_ascii_lowercase();
    let last = path.split_once('/').map_or("", |(_, path)| path.rsplit('/').next().unwrap_or(path));
    let ending = last.rsplit_once('.').map_or("", |(_, ending)| ending);
    HOSTS.contains(&host.to_ascii_lowercase().as_str()) || NAMES.contains(&last) || ENDINGS.contains(&ending)
}

/// The relevance of a curl option.
enum OptionKind {
    /// Takes a value and has no effect here.
    Value,
    /// Takes a value that `index` would not send.
    Extra,
    /// Takes a value and makes the request something else than a printed GET.
    Unsuitable,
}

fn curl(arguments: &[String]) -> Request {
    let mut request = Request::default();
    let (mut body, mut get) = (false, false);
    let mut arguments = arguments.iter().map(String::as_str);
    while let Some(argument) = arguments.next() {
        if let Some(long) = argument.strip_prefix("--") {
            let (name, value) =
                long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
            let mut value = || value.or_else(|| arguments.next());
            match name {
                "" => {}
                "output" => request.is_unsuitable |= value() != Some("-"),
                "request" => request.method(value().unwrap_or_default()),
                "get" => get = true,
                "url" => request.addresses.extend(value().map(str::to_owned)),
                "help" | "version" | "head" | "remote-name" | "remote-name-all" | "next" => {
                    request.is_unsuitable = true;
                }
                _ => match long_option(name) {
                    Some(OptionKind::Value) => {
                        value();
                    }
                    Some(OptionKind::Extra) => {
                        request.has_extras = true;
                        value();
                    }
                    Some(OptionKind::Unsuitable) => {
                        body |= name.starts_with("data");
                        request.is_unsuitable |= !name.starts_with("data");
                        value();
                    }
                    None => {}
                },
            }
        } else if let Some(short) = argument.strip_prefix('-').filter(|short| !short.is_empty()) {
            for (at, flag) in short.char_indices() {
                let rest = &short[at + flag.len_utf8()..];
                let mut value = || if rest.is_empty() { arguments.next() } else { Some(rest) };
                match flag {
                    'I' | 'O' | 'V' | 'h' | ':' => request.is_unsuitable = true,
                    'G' => get = true,
                    'o' => request.is_unsuitable |= value() != Some("-"),
                    'X' => request.method(value().unwrap_or_default()),
                    'd' => {
                        body = true;
                        value();
                    }
                    'F' | 'T' | 'K' | 'r' | 'C' | 'Q' => {
                        request.is_unsuitable = true;
                        value();
                    }
                    'H' | 'u' | 'U' | 'b' | 'x' | 'E' | 'n' => {
                        request.has_extras = true;
                        if flag != 'n' {
                            value();
                        }
                    }
                    'm' | 'A' | 'e' | 'w' | 'c' | 'y' | 'Y' | 'z' | 'D' | 'P' | 't' => {
                        value();
                    }
                    _ => continue,
                }
                if !matches!(flag, 'I' | 'O' | 'V' | 'h' | ':' | 'G' | 'n') {
                    break;
                }
            }
        } else {
            request.addresses.push(argument.to_owned());
        }
    }
    request.has_extras |= body && get;
    request.is_unsuitable |= body && !get;
    request
}

/// curl's long options with a value; others don't matter.
fn long_option(name: &str) -> Option<OptionKind> {
    Some(match name {
        "data"
        | "data-raw"
        | "data-ascii"
        | "data-binary"
        | "data-urlencode"
        | "json"
        | "form"
        | "form-string"
        | "upload-file"
        | "config"
        | "range"
        | "max-filesize"
        | "output-dir"
        | "unix-socket"
        | "continue-at"
        | "abstract-unix-socket"
        | "resolve"
        | "connect-to"
        | "interface"
        | "doh-url"
        | "quote"
        | "mail-from" => OptionKind::Unsuitable,
        "header" | "user" | "cookie" | "oauth2-bearer" | "cert" | "key" | "cacert" | "proxy"
        | "proxy-user" | "aws-sigv4" | "netrc-file" | "socks5" | "socks5-hostname" | "proxy-header"
        | "preproxy" => OptionKind::Extra,
        "max-time" | "connect-timeout" | "retry" | "retry-delay" | "retry-max-time" | "user-agent"
        | "referer" | "write-out" | "cookie-jar" | "dump-header" | "limit-rate" | "max-redirs"
        | "speed-limit" | "speed-time" | "stderr" | "trace" | "trace-ascii" | "capath" | "ciphers"
        | "tls-max" | "url-query" | "noproxy" => OptionKind::Value,
        _ => return None,
    })
}

fn wget(arguments: &[String]) -> Request {
    // wget writes to a file unless told to print.
    let prints = arguments.windows(2).any(|pair| {
        matches!(pair[0].as_str(), "-O" | "--output-document" | "-qO" | "-nvO") && pair[1] == "-"
    }) || arguments.iter().any(|argument| {
        argument == "--output-document=-"
            || (argument.starts_with('-') && !argument.starts_with("--") && argument.ends_with("O-"))
    });
    let any = |names: &[&str]| arguments.iter().any(|a| names.iter().any(|name| a.starts_with(name)));
    let mut request = Request {
        addresses: arguments.iter().filter(|argument| argument.contains("://")).cloned().collect(),
        has_extras: any(&[
            "--header",
            "--user",
            "--password",
            "--http-",
            "--load-cookies",
            "--certificate",
            "--private-key",
        ]),
        is_unsuitable: !prints || any(&["--post", "--body", "--spider", "--input-file", "-i", "--start-pos"]),
    };
    for (at, argument) in arguments.iter().enumerate() {
        if argument == "--method" {
            request.method(arguments.get(at + 1).map_or("", String::as_str));
        } else if let Some(method) = argument.strip_prefix("--method=") {
            request.method(method);
        }
        // `--user-agent` isn't a login.
        if argument.starts_with("--user-agent") {
            request.has_extras = any(&["--header", "--user=", "--password", "--http-", "--load-cookies"]);
        }
    }
    if request.addresses.is_empty() {
        request.addresses.extend(arguments.iter().rfind(|a| a.contains('.') && !a.starts_with('-')).cloned());
    }
    request
}

/// HTTPie and xh: `http [options] [METHOD] url [items]`; data items make it a POST.
fn httpie(arguments: &[String]) -> Request {
    let mut request = Request::default();
    let mut words = arguments.iter().map(String::as_str);
    while let Some(word) = words.next() {
        if word.starts_with('-') {
            match word {
                "-d" | "--download" | "-o" | "--output" | "-h" | "--headers" | "--offline" | "-m"
                | "--meta" | "--raw" | "-f" | "--form" | "--multipart" => request.is_unsuitable = true,
                "-a" | "--auth" | "--session" | "--proxy" | "--cert" | "-A" | "--auth-type" => {
                    request.has_extras = true;
                    words.next();
                }
                "--timeout" | "-s" | "--style" | "-p" | "--print" | "--pretty" | "--verify" => {
                    words.next();
                }
                _ => request.has_extras |= word.starts_with("--auth=") || word.starts_with("--session="),
            }
        } else if request.addresses.is_empty() {
            if word.len() > 2 && word.bytes().all(|b| b.is_ascii_uppercase()) {
                request.method(word);
            } else {
                request.addresses.push(word.to_owned());
            }
        } else if word.contains("==") {
            request.has_extras = true;
        } else if word.contains('=') || word.contains('@') {
            request.is_unsuitable = true;
        } else {
            request.has_extras = true;
        }
    }
    // `:3000/x` is this computer's port 3000.
    request.is_unsuitable |= request.addresses.iter().any(|address| address.starts_with(':'));
    request
}

/// `Invoke-WebRequest` and `Invoke-RestMethod`; parameters may be abbreviated.
fn powershell(arguments: &[String]) -> Request {
    let mut request = Request::default();
    let mut words = arguments.iter().map(|word| word.trim_matches(['(', ')']));
    while let Some(word) = words.next() {
        let Some(parameter) = word.strip_prefix('-') else {
            // `(iwr https://example.org).Content`
            let address = word.split(')').next().unwrap_or(word);
            if request.addresses.is_empty() {
                request.addresses.push(address.to_owned());
            }
            continue;
        };
        let parameter = parameter.to_ascii_lowercase();
        let is = |name: &str, least: usize| parameter.len() >= least && name.starts_with(&parameter);
        if is("uri", 1) {
            request.addresses.extend(words.next().map(str::to_owned));
        } else if is("method", 2) || is("custommethod", 2) {
            request.method(words.next().unwrap_or_default());
        } else if is("outfile", 1) || is("body", 1) || is("infile", 2) || is("form", 2) {
            request.is_unsuitable = true;
            words.next();
        } else if is("headers", 1)
            || is("credential", 3)
            || is("websession", 4)
            || is("proxy", 5)
            || is("token", 2)
        {
            request.has_extras = true;
            words.next();
        } else if is("timeoutsec", 2)
            || is("useragent", 5)
            || is("maximumredirection", 8)
            || is("contenttype", 3)
        {
            words.next();
        }
    }
    request
}
