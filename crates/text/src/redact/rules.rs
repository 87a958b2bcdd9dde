//! What secrets look like: one row per format, with the words that must be present before its pattern is tried.
//! Formats are those that the issuers document. Knows nothing of names and values, which are `assignment`'s.

use std::sync::OnceLock;

use regex::Regex;

use super::words::Words;
use super::{Secret, assignment};

/// A format: its name in the replacement, the words of which one must occur as written, and the pattern. Group 1,
/// where there is one, is the secret; else the whole match.
struct Rule {
    kind: &'static str,
    words: &'static [&'static str],
    pattern: &'static str,
    /// The match must also look random.
    random: bool,
    /// The words count whatever their case.
    any_case: bool,
}

const fn rule(kind: &'static str, words: &'static [&'static str], pattern: &'static str) -> Rule {
    Rule { kind, words, pattern, random: false, any_case: false }
}

const fn random(kind: &'static str, words: &'static [&'static str], pattern: &'static str) -> Rule {
    Rule { kind, words, pattern, random: true, any_case: false }
}

const RULES: &[Rule] = &[
    rule("aws-key", &["AKIA", "ASIA", "ABIA", "ACCA"], r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b"),
    rule("github-token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], r"\bgh[pousr]_[A-Za-z0-9]{30,255}"),
    rule("github-token", &["github_pat_"], r"\bgithub_pat_[A-Za-z0-9_]{22,255}"),
    rule("gitlab-token", &["glpat-", "gldt-", "glrt-"], r"\bgl(?:pat|dt|rt)-[A-Za-z0-9_.-]{20,}"),
    rule("anthropic-key", &["sk-ant-"], r"\bsk-ant-[A-Za-z0-9_-]{16,}"),
    random("openai-key", &["sk-"], r"\bsk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{20,}"),
    rule(
        "slack-token",
        &["xoxb", "xoxa", "xoxp", "xoxr", "xoxs", "xoxe", "xoxc", "xoxd", "xapp-"],
        r"\b(?:xox[abceprsd]|xapp)-[A-Za-z0-9%-]{10,}",
    ),
    rule(
        "slack-webhook",
        &["hooks.slack.com"],
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_-]{20,})",
    ),
    rule("google-key", &["AIza"], r"\bAIza[0-9A-Za-z_-]{35}"),
    rule("google-secret", &["GOCSPX-"], r"\bGOCSPX-[A-Za-z0-9_-]{20,}"),
    rule("google-token", &["ya29."], r"\bya29\.[A-Za-z0-9_-]{20,}"),
    rule("jwt", &["eyJ"], r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
    rule(
        "stripe-key",
        &["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"],
        r"\b(?:[sr]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,}",
    ),
    rule("npm-token", &["npm_"], r"\bnpm_[A-Za-z0-9]{36}\b"),
    rule("pypi-token", &["pypi-"], r"\bpypi-[A-Za-z0-9_-]{50,}"),
    random("huggingface-token", &["hf_"], r"\bhf_[A-Za-z0-9]{30,}\b"),
    rule("sendgrid-key", &["SG."], r"\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}"),
    rule("digitalocean-token", &["dop_v1_", "doo_v1_", "dor_v1_"], r"\bdo[opr]_v1_[a-f0-9]{64}"),
    rule("docker-token", &["dckr_"], r"\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}"),
    rule("vault-token", &["hvs.", "hvb."], r"\bhv[sb]\.[A-Za-z0-9_-]{24,}"),
    rule("shopify-token", &["shpat_", "shpca_", "shppa_", "shpss_"], r"\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    rule("databricks-token", &["dapi"], r"\bdapi[a-f0-9]{32}\b"),
    rule("telegram-token", &[":AA"], r"\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b"),
    rule("groq-key", &["gsk_"], r"\bgsk_[A-Za-z0-9]{40,}"),
    rule("xai-key", &["xai-"], r"\bxai-[A-Za-z0-9]{40,}"),
    rule("age-key", &["AGE-SECRET-KEY-1"], r"\bAGE-SECRET-KEY-1[A-Z0-9]{50,}"),
    rule("azure-key", &["AccountKey="], r"AccountKey=([A-Za-z0-9+/]{40,}={0,2})"),
    rule(
        "private-key",
        &["PRIVATE KEY"],
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-[^-])*?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----",
    ),
    // A key whose end was cut off: everything that still looks like its body.
    rule(
        "private-key",
        &["PRIVATE KEY"],
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:\\n|[\s])*([A-Za-z0-9+/=\s\\]{16,})",
    ),
    Rule {
        any_case: true,
        ..rule(
            "authorization",
            &["authorization", "bearer"],
            r#"(?i)\b(?:authorization["']?\s*[:=]\s*["']?(?:bearer|basic|token|digest)|bearer)\s+([A-Za-z0-9._~+/-]{16,}={0,2})"#,
        )
    },
    rule(
        "password",
        &["://"],
        r#"\b[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/:@'"<>{}$]{0,100}:([^\s/@'"<>{}$*]{3,200})@[^\s/]"#,
    ),
];

/// Words that can stand in the name of a secret; `assignment` looks closer.
const NAME_WORDS: &[&str] = &["pass", "pwd", "secret", "token", "key", "credential", "auth"];

/// How many words the formats have together.
const FORMAT_WORDS: usize = {
    let (mut count, mut i) = (0, 0);
    while i < RULES.len() {
        count += RULES[i].words.len();
        i += 1;
    }
    count
};

/// The words of all formats, then those of names.
static ALL_WORDS: [&str; FORMAT_WORDS + NAME_WORDS.len()] = {
    let mut all = [""; FORMAT_WORDS + NAME_WORDS.len()];
    let (mut at, mut i) = (0, 0);
    while i < RULES.len() {
        let mut j = 0;
        while j < RULES[i].words.len() {
            all[at] = RULES[i].words[j];
            at += 1;
            j += 1;
        }
        i += 1;
    }
    let mut j = 0;
    while j < NAME_WORDS.len() {
        all[at] = NAME_WORDS[j];
        at += 1;
        j += 1;
    }
    all
};

/// For each word of a format, which format that is.
static CALLS: [u8; FORMAT_WORDS] = {
    let mut calls = [0; FORMAT_WORDS];
    let (mut at, mut i) = (0, 0);
    while i < RULES.len() {
        let mut j = 0;
        while j < RULES[i].words.len() {
            calls[at] = i as u8;
            at += 1;
            j += 1;
        }
        i += 1;
    }
    calls
};

static WORDS: Words = Words::new(&ALL_WORDS);

/// The patterns that some text has called for so far: a hook looks at one command in its life, and compiling all of
/// them would be most of what it costs.
static PATTERNS: [OnceLock<Option<Regex>>; RULES.len()] = [const { OnceLock::new() }; RULES.len()];

fn pattern(rule: usize) -> Option<&'static Regex> {
    PATTERNS[rule].get_or_init(|| Regex::new(RULES[rule].pattern).ok()).as_ref()
}

/// All secrets of `text`, in no particular order, possibly overlapping.
pub(super) fn find(text: &str) -> Vec<Secret> {
    let mut called = [false; RULES.len()];
    let mut names = false;
    WORDS.each(text, |word, at| match CALLS.get(word) {
        Some(rule) => {
            let rule = usize::from(*rule);
            called[rule] |= RULES[rule].any_case || text[at] == *ALL_WORDS[word];
        }
        None => names = true,
    });
    // An address without a user has no password; addresses are too common to try the pattern on each.
    if !text.contains('@') {
        for (called, rule) in called.iter_mut().zip(RULES) {
            *called &= rule.kind != "password";
        }
    }
    let mut out = Vec::new();
    for (number, rule) in RULES.iter().enumerate() {
        let Some(pattern) = called[number].then(|| pattern(number)).flatten() else { continue };
        for found in pattern.captures_iter(text) {
            let Some(secret) = found.get(1).or_else(|| found.get(0)) else { continue };
            if rule.random && !looks_random(secret.as_str()) || assignment::is_placeholder(secret.as_str()) {
                continue;
            }
            out.push(Secret { range: secret.range(), kind: rule.kind });
        }
    }
    if names {
        assignment::find(text, &mut out);
    }
    out
}

/// Letters of both cases or digits in plenty, as keys have and words joined by dashes do not.
pub(super) fn looks_random(text: &str) -> bool {
    let body = text.rsplit(['-', '_']).max_by_key(|part| part.len()).unwrap_or(text);
    let digits = body.bytes().filter(u8::is_ascii_digit).count();
    let upper = body.bytes().any(|b| b.is_ascii_uppercase());
    let lower = body.bytes().any(|b| b.is_ascii_lowercase());
    body.len() >= 12 && (digits >= 2 && (upper || lower) || upper && lower && digits >= 1)
}

#[cfg(test)]
mod tests {
    use super::{ALL_WORDS, CALLS, RULES, pattern};

    #[test]
    fn every_pattern_compiles() {
        assert!((0..RULES.len()).all(|rule| pattern(rule).is_some()));
    }

    #[test]
    fn every_word_calls_for_its_own_rule() {
        for (word, rule) in ALL_WORDS.iter().zip(CALLS) {
            assert!(RULES[usize::from(rule)].words.contains(word), "{word}");
        }
        // Only a pattern that looks past case may be called past case.
        assert!(RULES.iter().all(|rule| rule.any_case == rule.pattern.starts_with("(?i)")));
    }
}
