//! Which values are worth hiding if their name sounds secret: leaves code such as `token = parser.next()` and page text such
//! as `password: "Enter your password"` alone. Doesn't look for names or values.

use super::base64::is_azure_key;
use super::harmless::{is_in_other_script, is_measure, is_path, is_pattern, names_no_secret};
use super::in_words;
use super::name_words::{PASSWORDS, WORDS};
use super::placeholder::is_placeholder;
use super::prose::{is_phrase, is_prose, mentions_password, names_something};
use super::random::{changes_case_at_random, has_random_letters, has_random_order, is_mixed, looks_random};
use super::value::{How, Value};

/// The kind of secret that `value` is if `name` has it.
pub(super) fn kind_of(name: &str, value: &str) -> Option<&'static str> {
    let lower = name.to_ascii_lowercase();
    if matches!(lower.as_str(), "cookie" | "set-cookie" | "authorization" | "proxy-authorization") {
        return (value.len() >= 8).then_some("secret");
    }
    // A cookie in a browser's or a test's record.
    let session = ["session", "sessionid", "session_id", "sid", "connect.sid", "jsessionid", "phpsessid"];
    if session.contains(&lower.trim_start_matches("__secure-").trim_start_matches("__host-")) {
        return (value.len() >= 20 && looks_random(value)).then_some("session");
    }
    let word = WORDS.iter().filter(|word| lower.ends_with(*word)).max_by_key(|word| word.len())?;
    let range = 0..value.len();
    let context =
        Context::new((*word).to_owned(), name, "", &Value { how: How::Sign('=', true), range, quoted: true });
    is_secret(value, &context, "").then(|| if context.is_password() { "password" } else { "secret" })
}

/// Settings that configurations keep beside a password.
const BESIDE: &[&str] = &[
    "user", "username", "login", "host", "hostname", "server", "email", "url", "port", "database", "db",
    "machine", "account", "uid", "dbname", "client",
];

/// Names whose "pass" is a password for certain, as Ansible writes it.
const WITH_PASS: [&str; 2] = ["become_pass", "ssh_pass"];

/// A value's context.
pub(super) struct Context<'a> {
    word: String,
    name: &'a str,
    before: &'a str,
    how: How,
    quoted: bool,
    /// Whether the name is a command's option.
    dashed: bool,
    /// Whether it is `name=value` without blanks, as in shells, URLs and `.env` files.
    tight: bool,
    /// Whether the name is in capitals, as environment variables are.
    env_name: bool,
}

impl<'a> Context<'a> {
    pub(super) fn new(word: String, name: &'a str, before: &'a str, value: &Value) -> Self {
        Self {
            word,
            name,
            before,
            how: value.how,
            quoted: value.quoted,
            // A word of another script may be joined before the dash.
            dashed: name.starts_with('-')
                && !before.ends_with(|c: char| !c.is_ascii() && c.is_alphanumeric()),
            tight: value.how == How::Sign('=', true),
            env_name: name.bytes().all(|b| !b.is_ascii_lowercase())
                && name.bytes().any(|b| b.is_ascii_uppercase()),
        }
    }

    pub(super) fn is_password(&self) -> bool {
        self.word.starts_with("pass") || PASSWORDS.contains(&self.word.as_str())
    }

    /// Whether the name begins its line, as in configurations.
    fn begins_line(&self) -> bool {
        let line = &self.before[self.before.rfind('\n').map_or(0, |at| at + 1)..];
        line.len() < 500 && line.trim().trim_start_matches(['-', '"', '\'']).trim().is_empty()
    }

    /// Whether the text before the name in its line makes it a parameter or a field in code.
    fn is_parameter(&self) -> bool {
        let line = &self.before[self.before.rfind('\n').map_or(0, |at| at + 1)..];
        line.trim_end().ends_with(['{', '(', ','])
    }

    /// Whether a login setting or a section's head is right before the name on the same line, as when a file's lines were
    /// joined.
    fn follows_setting(&self) -> bool {
        let line = &self.before[self.before.rfind('\n').map_or(0, |at| at + 1)..];
        let mut words = line.split_whitespace().rev();
        let (Some(value), Some(sign)) = (words.next(), words.next()) else { return false };
        if value.contains(['(', ')', '{', '}', ',', ';']) {
            return false;
        }
        if value.starts_with('[') && value.ends_with(']') {
            return true;
        }
        let name = match sign {
            "=" | ":" => words.next().unwrap_or_default(),
            _ => sign.strip_suffix(['=', ':']).unwrap_or_default(),
        };
        BESIDE.contains(&name.trim_matches('"').to_ascii_lowercase().as_str())
            || value
                .split_once('=')
                .is_some_and(|(name, _)| BESIDE.contains(&name.to_ascii_lowercase().as_str()))
    }

    /// Whether a neighbouring line belongs to a configuration with a login.
    fn among_settings(&self, after: &str) -> bool {
        let setting = |line: &str| {
            let line = line.trim();
            line.starts_with('[') && line.ends_with(']')
                || line.split_once(['=', ':']).is_some_and(|(name, value)| {
                    BESIDE.contains(&name.trim().trim_matches('"').to_ascii_lowercase().as_str())
                        && !value.trim_end().ends_with(['(', ')', '{', ';', ','])
                })
        };
        self.before.lines().rev().skip(usize::from(!self.before.ends_with('\n'))).take(2).any(setting)
            || after[..after.floor_char_boundary(512)].lines().skip(1).take(1).any(setting)
    }
}

pub(super) fn is_secret(value: &str, context: &Context<'_>, after: &str) -> bool {
    let value = value.trim_end_matches(['.', ':', '\\', '&']);
    if is_placeholder(value)
        || is_path(value, &context.word, context.is_password())
        || is_pattern(value)
        || is_in_other_script(value)
        || context.word.ends_with("pw") && is_measure(value)
    {
        return false;
    }
    if value.contains("://") && !context.is_password() {
        return false;
    }
    match context.word.as_str() {
        "primarykey" | "primary_key" | "primary-key" | "secondarykey" | "secondary_key" | "secondary-key"
            if is_azure_key(value) =>
        {
            return true;
        }
        "_key" | "_pat" | "primarykey" | "primary_key" | "primary-key" | "secondarykey" | "secondary_key"
        | "secondary-key" => {
            return context.env_name
                && value.len() >= 12
                && looks_random(value)
                && !names_no_secret(context.name, value);
        }
        "pw" => return of_short_name(value, context, after),
        "_pw" | "-pw" if !context.env_name && !context.dashed => {
            return of_short_name(value, context, after);
        }
        "pass" if WITH_PASS.iter().any(|name| context.name.to_ascii_lowercase().ends_with(name)) => {}
        "pass" | "auth" | "credential" | "credentials" | "creds" if !context.env_name => {
            return of_weak_name(value, context);
        }
        _ => {}
    }
    match context.how {
        How::Blank => return after_blank(value, context),
        How::Told => return in_words::in_a_sentence(value, context.is_password()),
        How::Argument if !context.dashed => return in_words::as_argument(value, context.is_password()),
        How::Argument => {
            return value.len() >= 3 && !value.starts_with('-') && !value.contains(' ');
        }
        How::Call | How::Compared => return !value.contains(' ') && value.len() >= 6 && is_mixed(value),
        How::Element => {
            let word = !value.contains(char::is_whitespace) || is_phrase(value);
            return word
                && if context.is_password() {
                    value.len() >= 3 && !is_prose(value)
                } else {
                    value.len() >= 8 && is_mixed(value)
                };
        }
        How::Sign(..) => {}
    }
    if context.quoted {
        return in_quotes(value, context);
    }
    if after.starts_with(['(', '[', '{', '<']) || value.contains("::") || value.contains("->") {
        return false;
    }
    if context.tight && (context.env_name || context.dashed) {
        return value.len() >= 3;
    }
    if is_code(value, context, after) {
        return false;
    }
    if context.is_password() {
        return as_bare_password(value, context, after);
    }
    value.len() >= 12 && looks_random(value)
        || value.len() >= 16 && changes_case_at_random(value)
        || (value.len() >= 8 && is_mixed(value) && !names_something(value))
}

/// `pw = "…"`: two letters that mean other things, too.
fn of_short_name(value: &str, context: &Context<'_>, after: &str) -> bool {
    // An address's query goes on with the next name.
    let value =
        value.split_once('&').filter(|(_, rest)| rest.contains('=')).map_or(value, |(first, _)| first);
    let bare = context.name.rsplit('.').next().unwrap_or_default();
    let bare = bare.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_named = context.word != "pw" || bare.eq_ignore_ascii_case("pw") || bare.ends_with("Pw");
    let is_made_up = is_mixed(value) && value.len() >= 6 || changes_case_at_random(value);
    // Where lines were joined it's behind other words.
    let is_assigned = context.begins_line()
        || matches!(context.how, How::Sign(':', _)) && after.starts_with([' ', '\n', '"', '\\']);
    let is_set = context.quoted
        || context.tight && context.env_name
        || context.follows_setting()
        || is_assigned && (changes_case_at_random(value) || !names_something(value));
    is_named && matches!(context.how, How::Sign(..)) && is_made_up && !value.contains(' ') && is_set
}

/// Whether a value without quotes is a type, a number or the beginning of a call in code.
fn is_code(value: &str, context: &Context<'_>, after: &str) -> bool {
    let is_name =
        |name: &str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let next = after.trim_start_matches([' ', '\t']);
    let has_colon = matches!(context.how, How::Sign(':', _));
    // `passwd: TYPE_802_11 = 4`, and types of C: `passwd: __u32,`
    let is_type = has_colon
        && is_name(value)
        && (next.starts_with("= ") || value.starts_with("__") && next.starts_with([',', ';']));
    // `|token: &Token| …`
    let is_parameter =
        has_colon && value.strip_prefix('&').and_then(|name| name.strip_suffix('|')).is_some_and(is_name);
    // `token = match_byte! { …`
    let is_macro = next.starts_with('{') && value.strip_suffix('!').is_some_and(is_name);
    // `TYPE_PASS = 0x030`
    let is_number = !context.tight
        && value
            .strip_prefix("0x")
            .is_some_and(|digits| digits.len() <= 8 && digits.bytes().all(|b| b.is_ascii_hexdigit()));
    // `$token = $stream->next()`
    let is_access = after.starts_with('>')
        && value.strip_suffix('-').is_some_and(|name| is_name(name.trim_start_matches('$')));
    // `self.ssh_pass = ssh_pass2`: what an object is given has quotes, unless it's a name.
    let is_of_object =
        ["self.", "this."].iter().any(|object| context.name.starts_with(object)) && names_something(value);
    is_type || is_parameter || is_macro || is_number || is_access || is_of_object
}

fn in_quotes(value: &str, context: &Context<'_>) -> bool {
    if value.contains('\n') && value.lines().all(|line| !line.trim().contains(char::is_whitespace)) {
        // A block whose lines are one word's.
        let word: String = value.split_whitespace().collect();
        return word.len() >= 16
            && looks_random(&word)
            && !is_path(&word, &context.word, context.is_password());
    }
    if value.contains(char::is_whitespace) {
        let shell = context.tight && context.env_name || context.dashed;
        let named = context.word == "passphrase" || context.word == "passcode";
        // A sentence has no word of letters and digits.
        let has_code = || {
            value.split_whitespace().any(|word| {
                looks_random(word)
                    || word.len() >= 8
                        && is_mixed(word)
                        && word.bytes().filter(u8::is_ascii_digit).count() >= 2
            })
        };
        return if context.is_password() || shell {
            shell && (!is_prose(value) || has_code()) || is_phrase(value) || named && !is_prose(value)
        } else {
            false
        };
    }
    if context.is_password() {
        return value.len() >= 3 && !is_prose(value);
    }
    value.len() >= 8
        && (is_mixed(value)
            || context.env_name
            || value.len() >= 16 && (has_random_letters(value) || changes_case_at_random(value)))
}

fn as_bare_password(value: &str, context: &Context<'_>, after: &str) -> bool {
    if changes_case_at_random(value) || has_random_order(value) {
        return true;
    }
    if is_mixed(value) {
        return context.tight || !value.contains('.') || !names_something(value);
    }
    // In code, types and names are here: `password: String`, `password = form.password`.
    let last = after.chars().next().is_none_or(|c| matches!(c, '\n' | '\r'));
    let word = value.len() >= 5
        && value.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        && !is_prose(value)
        && !["pass", "pw", "secret", "hash", "token"].iter().any(|part| value.contains(part));
    if context.tight {
        let ends =
            after.chars().next().is_none_or(|c| c.is_whitespace() || matches!(c, '"' | '\'' | ';' | '`'));
        return value.len() >= 4 && !names_something(value) || word && ends;
    }
    match context.how {
        How::Sign(':', _) => {
            word && !context.is_parameter()
                && (last && context.begins_line()
                    || value.len() >= 8 && ends_value(after) && !mentions_password(value))
        }
        _ => {
            word && (last && context.begins_line() && context.among_settings(after)
                || context.follows_setting() && ends_value(after))
        }
    }
}

/// Whether a word ends where `after` begins, and no code follows.
fn ends_value(after: &str) -> bool {
    let rest = after.trim_start_matches([' ', '\t']);
    rest.is_empty()
        || rest.starts_with(['\n', '\r', '.'])
        || rest.len() < after.len()
            && rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '[' | '#' | '-'))
}

fn of_weak_name(value: &str, context: &Context<'_>) -> bool {
    if context.dashed && matches!(context.how, How::Blank | How::Argument | How::Sign(..)) {
        return match context.is_password() {
            true => after_blank(value, context),
            false => value.contains(':') && !value.contains("://") && value.len() >= 6 || looks_random(value),
        };
    }
    if !context.is_password() {
        return false;
    }
    match context.how {
        How::Sign(..) if context.quoted => !value.contains(' ') && is_mixed(value) || is_phrase(value),
        How::Sign(_, true) => is_mixed(value),
        // A file's setting, with blanks around the sign.
        How::Sign('=', false) if context.begins_line() => {
            value.len() >= 16 && looks_random(value) && !names_something(value)
        }
        How::Element => is_mixed(value) && !value.contains(' '),
        How::Sign(':', _) => is_mixed(value) && context.begins_line() && !names_something(value),
        _ => false,
    }
}

/// `--password <value>`, `setenv TOKEN <value>`; elsewhere two adjacent words are prose.
fn after_blank(value: &str, context: &Context<'_>) -> bool {
    if context.dashed {
        return value.len() >= 3
            && !value.starts_with('-')
            && !is_prose(value)
            && (!value.contains(' ') || !is_prose(value));
    }
    let set = ["set -x ", "set -gx ", "set -Ux ", "set -lx ", "setx ", "setenv ", "ENV ", "ARG "];
    if context.env_name && set.iter().any(|set| context.before.ends_with(set)) {
        return value.len() >= 4;
    }
    // `WITH PASSWORD 'value'`
    if context.quoted && context.before.ends_with(':') && !value.contains(' ') && is_mixed(value) {
        // A keyword's: `:password "…"`.
        return value.len() >= 6 && (context.is_password() || looks_random(value));
    }
    context.quoted
        && context.is_password()
        && (context.name == "PASSWORD" || context.before.to_ascii_lowercase().ends_with("with "))
        && value.len() >= 3
        && !is_prose(value)
}
