//! The rules of risky lines, a table: in which languages a word is one, what has to be around it on its line, and what is risky about
//! it. Doesn't know which lines are new, nor where a word is code. Pure.

use super::Level;
use super::line_parts::{
    asks_server, has_option, has_variable, inserts_markup, is_cleaned, is_insecure, is_member, is_option_off,
    is_put_together, is_query, is_set, is_set_to_markup, of_variables, starts_shell, takes_value,
};
use crate::language::{JVM, SCRIPT};

const AS_CODE: &str = "a text is run as code";
const AS_COMMAND: &str = "a command line is put together and run";
const BY_SHELL: &str = "a command is run by a shell";
const UNCHECKED: &str = "a check of certificates is switched off";
const UNVERIFIED: &str = "a check is switched off";
const UNSAFE_DATA: &str = "data is read in a way that can run code";
const AS_QUERY: &str = "a query is put together from values";
const AS_MARKUP: &str = "a value becomes markup as it is";

/// A word that makes a line risky, given what is before and behind it on its line.
pub(super) struct Rule {
    pub(super) languages: &'static [&'static str],
    pub(super) word: &'static str,
    pub(super) applies: fn(&str, &str) -> bool,
    pub(super) level: Level,
    pub(super) what: &'static str,
}

const fn rule(
    languages: &'static [&'static str],
    word: &'static str,
    level: Level,
    what: &'static str,
    applies: fn(&str, &str) -> bool,
) -> Rule {
    Rule { languages, word, applies, level, what }
}

pub(super) const RULES: &[Rule] = &[
    rule(&["python"], "eval", Level::Medium, AS_CODE, |b, a| !is_member(b) && takes_value(a)),
    rule(&["python"], "exec", Level::Medium, AS_CODE, |b, a| !is_member(b) && takes_value(a)),
    rule(SCRIPT, "eval", Level::Medium, AS_CODE, |b, a| !is_member(b) && takes_value(a)),
    rule(SCRIPT, "Function", Level::Medium, AS_CODE, |b, a| b.ends_with("new ") && a.starts_with('(')),
    rule(&["php"], "eval", Level::Medium, AS_CODE, |b, a| {
        !is_member(b) && takes_value(a) || of_variables(b, a)
    }),
    rule(&["ruby"], "eval", Level::Medium, AS_CODE, |b, a| !is_member(b) && a.starts_with(['(', ' '])),
    // `eval "$(ssh-agent)"` is how programs set variables.
    rule(&["shell"], "eval", Level::Medium, AS_CODE, |_, a| {
        a.contains('$') && !a.trim_start().trim_start_matches('"').starts_with("$(")
    }),
    rule(&["python"], "shell", Level::Medium, BY_SHELL, |_, a| is_set(a, &["True"])),
    rule(&["python"], "system", Level::Medium, AS_COMMAND, |b, a| b.ends_with("os.") && takes_value(a)),
    // A regular expression has a method of the same name.
    rule(SCRIPT, "exec", Level::Medium, AS_COMMAND, |b, a| {
        let is_of_processes = ["child_process.", "childProcess.", "cp."].iter().any(|of| b.ends_with(of));
        (is_of_processes || !is_member(b)) && is_put_together(a)
    }),
    rule(SCRIPT, "execSync", Level::Medium, AS_COMMAND, |b, a| {
        !b.ends_with("function ") && is_put_together(a)
    }),
    rule(&["php"], "shell_exec", Level::Medium, AS_COMMAND, of_variables),
    rule(&["php"], "exec", Level::Medium, AS_COMMAND, of_variables),
    rule(&["php"], "system", Level::Medium, AS_COMMAND, of_variables),
    rule(&["php"], "passthru", Level::Medium, AS_COMMAND, of_variables),
    rule(&["ruby"], "system", Level::Medium, AS_COMMAND, |b, a| !is_member(b) && a.contains("#{")),
    rule(&["ruby"], "exec", Level::Medium, AS_COMMAND, |b, a| !is_member(b) && a.contains("#{")),
    rule(&["go"], "Command", Level::Medium, BY_SHELL, |b, a| b.ends_with("exec.") && starts_shell(a)),
    rule(&["go"], "CommandContext", Level::Medium, BY_SHELL, |b, a| b.ends_with("exec.") && starts_shell(a)),
    rule(JVM, "exec", Level::Medium, AS_COMMAND, |b, a| b.ends_with("getRuntime().") && a.contains('+')),
    rule(&["python"], "verify", Level::High, UNCHECKED, |b, a| asks_server(b) && is_set(a, &["False"])),
    // Of a certificate, of a signature: the line doesn't say.
    rule(&["python"], "verify", Level::High, UNVERIFIED, |b, a| !asks_server(b) && is_set(a, &["False"])),
    rule(&["python"], "check_hostname", Level::High, UNCHECKED, |_, a| is_set(a, &["False"])),
    rule(&["python"], "CERT_NONE", Level::High, UNCHECKED, |_, _| true),
    rule(&["python"], "_create_unverified_context", Level::High, UNCHECKED, |_, _| true),
    rule(SCRIPT, "rejectUnauthorized", Level::High, UNCHECKED, |_, a| is_set(a, &["false"])),
    rule(SCRIPT, "NODE_TLS_REJECT_UNAUTHORIZED", Level::High, UNCHECKED, |_, a| {
        is_set(a, &["0", "\"0\"", "'0'"])
    }),
    rule(&["shell"], "NODE_TLS_REJECT_UNAUTHORIZED", Level::High, UNCHECKED, |_, a| is_set(a, &["0"])),
    rule(&["shell"], "curl", Level::High, UNCHECKED, |_, a| is_insecure(a)),
    rule(&["shell"], "wget", Level::High, UNCHECKED, |_, a| has_option(a, &["--no-check-certificate"])),
    rule(&["go"], "InsecureSkipVerify", Level::High, UNCHECKED, |_, a| is_set(a, &["true"])),
    rule(&["rust"], "danger_accept_invalid_certs", Level::High, UNCHECKED, |_, a| a.starts_with("(true")),
    rule(&["rust"], "danger_accept_invalid_hostnames", Level::High, UNCHECKED, |_, a| a.starts_with("(true")),
    rule(&["ruby"], "VERIFY_NONE", Level::High, UNCHECKED, |_, _| true),
    rule(&["php", "c", "cpp"], "CURLOPT_SSL_VERIFYPEER", Level::High, UNCHECKED, |_, a| is_option_off(a)),
    rule(&["php", "c", "cpp"], "CURLOPT_SSL_VERIFYHOST", Level::High, UNCHECKED, |_, a| is_option_off(a)),
    rule(JVM, "NoopHostnameVerifier", Level::High, UNCHECKED, |b, _| !b.trim_start().starts_with("import ")),
    rule(&["csharp"], "DangerousAcceptAnyServerCertificateValidator", Level::High, UNCHECKED, |_, _| true),
    rule(&["python"], "loads", Level::Medium, UNSAFE_DATA, |b, a| b.ends_with("pickle.") && takes_value(a)),
    rule(&["python"], "load", Level::Medium, UNSAFE_DATA, |b, a| {
        b.ends_with("pickle.") || b.ends_with("yaml.") && !a.contains("Loader") && a.contains(')')
    }),
    rule(&["python"], "unsafe_load", Level::Medium, UNSAFE_DATA, |b, _| b.ends_with("yaml.")),
    rule(&["php"], "unserialize", Level::Medium, UNSAFE_DATA, |b, a| {
        of_variables(b, a) && !a.contains("allowed_classes")
    }),
    rule(&["ruby"], "load", Level::Medium, UNSAFE_DATA, |b, _| b.ends_with("Marshal.")),
    rule(JVM, "ObjectInputStream", Level::Medium, UNSAFE_DATA, |b, _| b.ends_with("new ")),
    rule(&["csharp"], "BinaryFormatter", Level::Medium, UNSAFE_DATA, |b, _| b.ends_with("new ")),
    rule(&["python"], "execute", Level::Medium, AS_QUERY, |b, a| {
        is_member(b) && is_put_together(a) && is_query(a)
    }),
    rule(SCRIPT, "query", Level::Medium, AS_QUERY, |b, a| is_member(b) && is_put_together(a) && is_query(a)),
    rule(&["php"], "query", Level::Medium, AS_QUERY, |b, a| is_member(b) && has_variable(a) && is_query(a)),
    rule(JVM, "executeQuery", Level::Medium, AS_QUERY, |_, a| is_put_together(a) && is_query(a)),
    rule(JVM, "executeUpdate", Level::Medium, AS_QUERY, |_, a| is_put_together(a) && is_query(a)),
    rule(JVM, "prepareStatement", Level::Medium, AS_QUERY, |_, a| is_put_together(a) && is_query(a)),
    rule(JVM, "createQuery", Level::Medium, AS_QUERY, |_, a| is_put_together(a) && is_query(a)),
    rule(&["go"], "Query", Level::Medium, AS_QUERY, |_, a| is_put_together_in_go(a)),
    rule(&["go"], "QueryRow", Level::Medium, AS_QUERY, |_, a| is_put_together_in_go(a)),
    rule(&["go"], "QueryContext", Level::Medium, AS_QUERY, |_, a| is_put_together_in_go(a)),
    rule(&["go"], "QueryRowContext", Level::Medium, AS_QUERY, |_, a| is_put_together_in_go(a)),
    rule(&["go"], "Exec", Level::Medium, AS_QUERY, |_, a| is_put_together_in_go(a)),
    rule(&["go"], "ExecContext", Level::Medium, AS_QUERY, |_, a| is_put_together_in_go(a)),
    rule(SCRIPT, "dangerouslySetInnerHTML", Level::Medium, AS_MARKUP, |_, a| !is_cleaned(a)),
    rule(SCRIPT, "innerHTML", Level::Medium, AS_MARKUP, is_set_to_markup),
    rule(SCRIPT, "outerHTML", Level::Medium, AS_MARKUP, is_set_to_markup),
    rule(SCRIPT, "insertAdjacentHTML", Level::Medium, AS_MARKUP, inserts_markup),
];

/// Whether a call of Go is given a query with values in it, as its first argument or behind a context.
fn is_put_together_in_go(behind: &str) -> bool {
    is_query(behind) && (behind.contains("fmt.Sprintf(") || is_put_together(behind))
}
