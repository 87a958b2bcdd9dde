//! The variables that command-line tools sign in with. Some agents withhold them from their servers, so `gh` or `aws` fail
//! in what Plimsoll runs. With the user's consent they are forwarded by name; no value is ever written down. Each agent's
//! own file owns how the agent is configured to forward them.

use std::ffi::OsStr;

/// The variables, including the non-secret ones that their tools also need.
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

/// Whether a variable is set but meaningless: an agent that forwards variables by name passes on the name or an empty
/// value where the user has none. A tool would take either for a wrong credential.
pub fn is_placeholder(name: &OsStr, value: &OsStr) -> bool {
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
            assert_eq!(is_placeholder(OsStr::new(name), OsStr::new(value)), wanted, "{name}={value}");
        }
    }
}
