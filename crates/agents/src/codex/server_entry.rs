//! Plimsoll's server in Codex's `config.toml`: the variables that Codex passes on to it, and what stays of an entry that is
//! there. Doesn't write: `edits` does.

use std::path::Path;

use edits::Edit;
use serde_json::{Value, json};

use super::ID;
use crate::config::{self, Syntax};
use crate::{CREDENTIALS, SERVER_KEY, entries};

/// Variables that the server needs and Codex would withhold: folders, proxies, agents. Secrets are in [`CREDENTIALS`] and
/// forwarded only with the user's consent.
const FORWARDED_VARIABLES: [&str; 17] = [
    "PLIMSOLL_HOME",
    "CODEX_HOME",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSH_AUTH_SOCK",
    "KUBECONFIG",
    "DOCKER_HOST",
    "AWS_PROFILE",
];

/// The keys of a server that is at an address. Codex refuses its whole configuration if one is beside a command.
const ADDRESS_KEYS: [&str; 6] =
    ["url", "bearer_token", "bearer_token_env_var", "http_headers", "env_http_headers", "oauth_resource"];

/// Where the list of passed variables is.
const PASSED: [&str; 3] = ["mcp_servers", SERVER_KEY, "env_vars"];

/// Whether the entry in `file` passes credentials on.
pub(super) fn passes_credentials(file: &Path) -> bool {
    let config = config::read_or_nothing(file, Syntax::Toml);
    config::strings(&config, &PASSED).iter().any(|name| CREDENTIALS.contains(name))
}

/// The edit that writes the entry into `file`. What the user or Codex set beside it stays, such as approvals of tools, and so do
/// variables that the user lets through. But a leftover field of another transport would stop every session, and then the entry
/// is replaced as a whole.
pub(super) fn edit(launcher: &Path, file: &Path, with_credentials: bool) -> Edit {
    let config = config::read_or_nothing(file, Syntax::Toml);
    let listed =
        config::at(&config, &PASSED).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    // Codex takes a table for a variable, too, which says where it comes from.
    let is_table_of =
        |name: &str| listed.iter().any(|one| one.get("name").is_some_and(|table| table == name));
    let is_known = |name: &str| FORWARDED_VARIABLES.contains(&name) || CREDENTIALS.contains(&name);
    let credentials: &[&str] = if with_credentials { &CREDENTIALS } else { &[] };
    let ours = FORWARDED_VARIABLES.iter().chain(credentials).filter(|name| !is_table_of(name));
    let of_user = listed.iter().filter(|one| !one.as_str().is_some_and(is_known)).cloned();
    let passed: Vec<Value> = ours.map(|name| json!(name)).chain(of_user).collect();
    let after = [
        ("env_vars", json!(passed)),
        ("startup_timeout_sec", json!(20)),
        ("tool_timeout_sec", json!(entries::TOOL_TIMEOUT_S)),
    ];
    let value = entries::server(launcher, ID, &[], &after);
    let entry = config::at(&config, &["mcp_servers", SERVER_KEY]);
    let is_mixed = entry.is_some_and(|entry| ADDRESS_KEYS.iter().any(|key| entry.get(*key).is_some()));
    entries::set_server(&["mcp_servers"], value, !is_mixed)
}
