//! The variables with which command-line tools sign in. Some agents keep them from the servers that they start, so that `gh`
//! or `aws` do not work in what our server runs. They are passed on where the person has agreed to it, by name: no value
//! of theirs is ever written down. How an agent is told is the agent's own file's business.

use std::ffi::OsStr;

/// The variables, with what their tools need beside the secret itself.
pub const CREDENTIALS: [&str; 24] = [
    // GitHub
    "GH_TOKEN",
    "GITHUB_TOKEN",
    "GH_ENTERPRISE_TOKEN",
    "GITHUB_ENTERPRISE_TOKEN",
    "GH_HOST",
    // AWS
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_REGION",
    "AWS_DEFAULT_REGION",
    "AWS_CONFIG_FILE",
    "AWS_SHARED_CREDENTIALS_FILE",
    "AWS_ROLE_ARN",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    // npm
    "NPM_TOKEN",
    "NODE_AUTH_TOKEN",
    "NPM_CONFIG_USERCONFIG",
    // Google Cloud
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GOOGLE_CLOUD_PROJECT",
    "GOOGLE_OAUTH_ACCESS_TOKEN",
    "CLOUDSDK_CONFIG",
    "CLOUDSDK_CORE_PROJECT",
    // Docker
    "DOCKER_CONFIG",
    "DOCKER_AUTH_CONFIG",
];

/// Whether a variable says nothing although it is set: an agent that passes on a variable by name leaves the name, or nothing,
/// where the person has none. A tool would take either for a credential that is wrong.
pub fn is_hollow(name: &OsStr, value: &OsStr) -> bool {
    let Some(name) = name.to_str().filter(|name| CREDENTIALS.contains(name)) else { return false };
    let value = value.to_string_lossy();
    let inner = value.strip_prefix('$').map(|rest| rest.trim_start_matches('{').trim_end_matches('}'));
    value.is_empty() || inner == Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_empty_credential_or_its_own_name_is_hollow() {
        for (name, value, wanted) in [
            ("GH_TOKEN", "", true),
            ("GH_TOKEN", "$GH_TOKEN", true),
            ("GH_TOKEN", "${GH_TOKEN}", true),
            ("GH_TOKEN", "$NPM_TOKEN", false),
            ("GH_TOKEN", "abc", false),
            ("RUSTFLAGS", "", false),
            ("HOME", "$HOME", false),
        ] {
            assert_eq!(is_hollow(OsStr::new(name), OsStr::new(value)), wanted, "{name}={value}");
        }
    }
}
