//! Passwords in command arguments: `curl -u user:password`, `mysql -ppassword`, `sshpass -p password`. Owns which program takes
//! one where; `piped` handles what is piped into a program, `assignment` names such as `--password`.

use std::ops::Range;

use super::arguments::{unquoted, words};
use super::random::is_mixed;
use super::{Secret, headers, piped};

/// How an argument contains its secret.
#[derive(Clone, Copy, PartialEq)]
enum How {
    /// `-p secret`, `-p=secret` or `-psecret`.
    Value,
    /// `-k secret`; `-keyout` is another option.
    Next,
    /// Only `-psecret`; alone, it asks for one.
    Attached,
    /// `-u user:secret`.
    Pair,
    /// `-U user%secret`.
    Percent,
    /// `-pass pass:secret`.
    Source,
    /// `-b name=secret; name=secret`.
    Cookies,
}

struct Program {
    name: &'static str,
    /// The name may continue: `mysqldump`.
    family: bool,
    /// A word that must be among the arguments.
    with: Option<&'static str>,
    options: &'static [(&'static str, How)],
}

const fn program(name: &'static str, options: &'static [(&'static str, How)]) -> Program {
    Program { name, family: false, with: None, options }
}

const fn family(name: &'static str, options: &'static [(&'static str, How)]) -> Program {
    Program { family: true, ..program(name, options) }
}

const fn login(name: &'static str) -> Program {
    Program { with: Some("login"), ..program(name, &[("-p", How::Value), ("--creds", How::Pair)]) }
}

const LIST: [Program; 50] = [
    program(
        "curl",
        &[
            ("-u", How::Pair),
            ("--user", How::Pair),
            ("-U", How::Pair),
            ("--proxy-user", How::Pair),
            ("--oauth2-bearer", How::Value),
            ("-b", How::Cookies),
            ("--cookie", How::Cookies),
        ],
    ),
    family("mysql", &[("-p", How::Attached)]),
    family("mariadb", &[("-p", How::Attached)]),
    program("sshpass", &[("-p", How::Value)]),
    program("redis-cli", &[("-a", How::Value), ("--pass", How::Value)]),
    family("mongo", &[("-p", How::Value)]),
    login("docker"),
    login("podman"),
    login("helm"),
    login("nerdctl"),
    login("buildah"),
    login("crane"),
    login("oc"),
    login("az"),
    program("skopeo", &[("--creds", How::Pair), ("--src-creds", How::Pair), ("--dest-creds", How::Pair)]),
    family("ldap", &[("-w", How::Value)]),
    program("smbclient", &[("-U", How::Percent), ("--user", How::Percent)]),
    program("rpcclient", &[("-U", How::Percent)]),
    program("cmdkey", &[("/pass:", How::Attached), ("-pass:", How::Attached), ("/p:", How::Attached)]),
    family("xfreerdp", &[("/p:", How::Attached)]),
    program(
        "openssl",
        &[("-passin", How::Source), ("-passout", How::Source), ("-pass", How::Source), ("-k", How::Next)],
    ),
    program("zip", &[("-P", How::Value)]),
    program("unzip", &[("-P", How::Value)]),
    family("7z", &[("-p", How::Attached)]),
    program("sqlcmd", &[("-P", How::Value)]),
    program("bcp", &[("-P", How::Value)]),
    family("mosquitto_", &[("-P", How::Value)]),
    program("ssh-keygen", &[("-N", How::Value), ("-P", How::Value)]),
    program("http -a", &[("-a", How::Pair)]),
    program("https -a", &[("-a", How::Pair)]),
    program("xh -a", &[("-a", How::Pair)]),
    program("lftp", &[("-u", How::Pair)]),
    program("wget", &[("--user", How::Pair)]),
    login("skopeo"),
    program("mysqladmin", &[("-p", How::Attached), ("password", How::Value)]),
    program("nmcli", &[("password", How::Value)]),
    family("cqlsh", &[("-p", How::Value)]),
    family("cypher-shell", &[("-p", How::Value)]),
    family("ipmi", &[("-P", How::Value)]),
    family("snmp", &[("-A", How::Value), ("-X", How::Value)]),
    program("isql", &[("-P", How::Value)]),
    program("rar", &[("-hp", How::Attached), ("-p", How::Attached)]),
    program("unrar", &[("-hp", How::Attached), ("-p", How::Attached)]),
    Program { with: Some("publish"), ..program("poetry", &[("-p", How::Value)]) },
    Program { with: Some("add-generic-password"), ..program("security", &[("-w", How::Value)]) },
    Program { with: Some("add-internet-password"), ..program("security", &[("-w", How::Value)]) },
    Program { with: Some("secretsmanager"), ..program("aws", &[("--secret-string", How::Value)]) },
    Program { with: Some("SecureString"), ..program("aws", &[("--value", How::Value)]) },
    Program { with: Some("secret"), ..program("gh", &[("--body", How::Value), ("-b", How::Value)]) },
    Program { with: Some("upload"), ..program("twine", &[("-p", How::Value), ("--password", How::Value)]) },
];

/// Commands with a secret as a plain argument: after which words, and how many arguments precede it.
const PLAIN: [(&str, usize); 28] = [
    ("vault login", 0),
    ("ngrok authtoken", 0),
    ("add-authtoken", 0),
    ("net user", 1),
    // A drive may be before the share; the password is behind it.
    ("net use", 1),
    ("net.exe user", 1),
    ("net.exe use", 1),
    ("convertto-securestring", 0),
    ("aws configure set", 1),
    ("rclone obscure", 0),
    ("setx", 1),
    ("npm config set", 1),
    ("yarn config set", 1),
    ("poetry config http-basic", 2),
    ("composer config http-basic", 2),
    ("composer config", 1),
    ("pulumi config set --secret", 1),
    ("user-secrets set", 1),
    ("rabbitmqctl add_user", 1),
    ("rabbitmqctl change_password", 1),
    ("mc alias set", 3),
    ("wpa_passphrase", 1),
    ("requirepass", 0),
    ("masterauth", 0),
    ("cargo login", 0),
    ("bw unlock", 0),
    ("redis-cli auth", 0),
    // With a file or without one; the last is the password.
    ("htpasswd", 1),
];

/// Commands that read a secret from a pipe.
const PIPED: [&str; 5] = ["sudo -S", "chpasswd", "--password-stdin", "--with-token", "--stdin"];

/// The words that trigger this finder.
pub(super) const PROGRAMS: &[&str] = &{
    let mut words = [""; LIST.len() + PLAIN.len() + PIPED.len()];
    let mut i = 0;
    while i < LIST.len() {
        words[i] = LIST[i].name;
        i += 1;
    }
    let mut j = 0;
    while j < PLAIN.len() {
        words[i + j] = PLAIN[j].0;
        j += 1;
    }
    let mut k = 0;
    while k < PIPED.len() {
        words[i + j + k] = PIPED[k];
        k += 1;
    }
    words
};

/// The command whose name is at `start..end`.
pub(super) fn find(text: &str, start: usize, end: usize, out: &mut Vec<Secret>) -> usize {
    let words = arguments(text, start, end, out);
    // The same program among its own arguments isn't a command.
    words.last().map_or(end, |word| word.end)
}

fn arguments(text: &str, start: usize, end: usize, out: &mut Vec<Secret>) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let name = text[start..end].to_ascii_lowercase().replacen("net.exe ", "net ", 1);
    let begins = start.checked_sub(1).is_none_or(|at| {
        !bytes[at].is_ascii_alphanumeric() && !matches!(bytes[at], b'_' | b'.')
            || matches!(bytes[at], b'n' | b't') && at > 0 && bytes[at - 1] == b'\\'
    });
    if PIPED.iter().any(|piped| piped.eq_ignore_ascii_case(&name)) {
        piped::piped_into(text, start, &name, out);
        if name == "chpasswd" {
            piped::here_string(text, end, out);
        }
        return Vec::new();
    }
    if !begins {
        return Vec::new();
    }
    if let Some((_, before)) = PLAIN.iter().find(|(plain, _)| *plain == name) {
        let words = words(text, start, end);
        if name == "htpasswd" {
            htpasswd(text, &words, out);
            return words;
        }
        if name == "net use" {
            if matches!(bytes.get(end), Some(b' ' | b'\t')) {
                net_use(text, &words, out);
            }
            return words;
        }
        let mut plain = words.iter().filter(|word| !text[(*word).clone()].starts_with('-'));
        let first = if *before > 0 { plain.next() } else { None };
        let mut plain = plain.skip(before.saturating_sub(1));
        let telling = match (name.as_str(), first) {
            (
                "aws configure set" | "setx" | "npm config set" | "yarn config set" | "composer config"
                | "user-secrets set",
                Some(key),
            ) => ["secret", "token", "key", "password", "pwd", "auth"]
                .iter()
                .any(|w| text[key.clone()].to_ascii_lowercase().contains(w)),
            ("net user", first) => first.is_some(),
            _ => true,
        };
        // These are spoken of as well.
        let spoken = matches!(
            name.as_str(),
            "requirepass" | "masterauth" | "cargo login" | "bw unlock" | "redis-cli auth" | "wpa_passphrase"
        );
        let fits = |value: &&Range<usize>| {
            value.len() >= 3
                && (!spoken || is_mixed(text[unquoted(text, (*value).clone())].trim_end_matches(['.', ','])))
        };
        if let Some(value) = plain.next().filter(|value| telling && fits(value)) {
            let variable = text[value.clone()].starts_with('/') && name == "net user";
            if !variable {
                out.push(Secret { range: value.clone(), kind: "password" });
            }
        }
        return words;
    }
    let called =
        |program: &&Program| program.name == name || program.family && name.starts_with(program.name);
    let Some(first) = LIST.iter().find(called) else { return Vec::new() };
    let (name_end, goes_on) = match first.name.split_once(' ').filter(|_| name == first.name) {
        Some((plain, _)) => (start + plain.len(), 0),
        None => {
            (end, bytes[end..].iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_')).count())
        }
    };
    if goes_on > 0 && !LIST.iter().filter(called).any(|program| program.family) {
        return Vec::new();
    }
    let mut after = name_end + goes_on;
    if text[after..].starts_with(".exe") {
        after += 4;
    }
    if !matches!(bytes.get(after), Some(b' ' | b'\t' | b'"' | b'\'' | b'\\')) {
        return Vec::new();
    }
    let words = words(text, start, after);
    for program in LIST.iter().filter(called) {
        let given = |needed: &str| words.iter().any(|word| text[word.clone()] == *needed);
        if program.with.is_none_or(given) {
            options(text, &words, program.options, out);
        }
    }
    words
}

/// The secrets among a program's arguments.
fn options(text: &str, words: &[Range<usize>], options: &[(&str, How)], out: &mut Vec<Secret>) {
    for (at, word) in words.iter().enumerate() {
        let shown = &text[word.clone()];
        for (option, how) in options {
            let next = || words.get(at + 1).cloned();
            // `-su user:password`: short options in one.
            let clustered = *how == How::Pair
                && option.len() == 2
                && shown.len() > 2
                && shown.starts_with('-')
                && !shown.starts_with("--")
                && shown[1..].bytes().all(|b| b.is_ascii_alphabetic())
                && shown.ends_with(&option[1..]);
            let value = if shown == *option || clustered {
                if *how == How::Attached { None } else { next() }
            } else if *how == How::Next {
                None
            } else {
                shown.strip_prefix(option).filter(|rest| !rest.is_empty()).and_then(|rest| {
                    let sign = usize::from(rest.starts_with('='));
                    // A long option's name may only have this prefix.
                    let long =
                        option.len() > 2 && sign == 0 && !option.ends_with(':') && *how != How::Attached;
                    (!long).then(|| word.start + option.len() + sign..word.end)
                })
            };
            if let Some(value) = value {
                take(text, unquoted(text, value), *how, out);
                break;
            }
        }
    }
}

fn take(text: &str, value: Range<usize>, how: How, out: &mut Vec<Secret>) {
    let shown = &text[value.clone()];
    let after = |sign: char| shown.find([sign, ',']).map(|at| value.start + at + 1..value.end);
    let secret = match how {
        How::Value | How::Next | How::Attached => Some(value.clone()),
        How::Pair => after(':'),
        How::Percent => after('%'),
        How::Source => shown.strip_prefix("pass:").map(|_| value.start + 5..value.end),
        How::Cookies => {
            headers::cookies(text, value.clone(), out);
            None
        }
    };
    if let Some(secret) = secret.filter(|secret| secret.len() >= 2 && !text[secret.clone()].starts_with('-'))
    {
        out.push(Secret { range: secret, kind: "password" });
    }
}

/// `net use Z: \\server\share secret /user:bob`, with the user before or behind it. Without one, a sentence may go on there.
fn net_use(text: &str, words: &[Range<usize>], out: &mut Vec<Secret>) {
    const USER: &str = "/user:";
    let shown = |word: &Range<usize>| &text[word.clone()];
    let has_user = words
        .iter()
        .any(|word| shown(word).get(..USER.len()).is_some_and(|option| option.eq_ignore_ascii_case(USER)));
    let plain = words.iter().filter(|word| !shown(word).starts_with(['/', '-']));
    let secret = plain.skip_while(|word| !shown(word).contains('\\')).nth(1).cloned();
    let secret = secret.map(|word| unquoted(text, word)).filter(|word| word.len() >= 3);
    if let Some(secret) = secret.filter(|word| has_user || is_mixed(shown(word))) {
        out.push(Secret { range: secret, kind: "password" });
    }
}

/// `htpasswd -b file user secret`: without `b` it asks.
fn htpasswd(text: &str, words: &[Range<usize>], out: &mut Vec<Secret>) {
    let is_option = |word: &&Range<usize>| text[(*word).clone()].starts_with('-');
    let given = |letter: char| {
        words.iter().filter(is_option).any(|word| {
            let shown = &text[word.clone()];
            !shown.starts_with("--") && shown.contains(letter)
        })
    };
    // With `n` there is no file.
    let place = if given('n') { 1 } else { 2 };
    let secret = words.iter().filter(|word| !is_option(word)).nth(place);
    if let Some(secret) = secret.filter(|secret| given('b') && secret.len() >= 3) {
        out.push(Secret { range: unquoted(text, secret.clone()), kind: "password" });
    }
}
