//! Token formats with an issuer's mark: one row per format, with the letters that must be present before its pattern is tried. The
//! facts (prefixes, lengths, alphabets) are the issuers' own, or those that the published rules of gitleaks and detect-secrets
//! agree on. Shorter tokens count too if the prefix isn't a word: other tools cut outputs.

/// A format: its name in the replacement, the words of which one must occur as written, and the pattern, which begins at the
/// word. Group 1 is the secret, or without groups the whole match.
pub(super) struct Format {
    pub(super) kind: &'static str,
    pub(super) words: &'static [&'static str],
    pub(super) pattern: &'static str,
    /// How many letters and digits (or `_`, `-`, `~`, `.`, `+`, `/`) before the word belong to it.
    pub(super) lead: usize,
    /// No letter or digit may precede it: the word is part of others.
    pub(super) alone: bool,
    /// It must also look random.
    pub(super) random: bool,
}

const fn marked(kind: &'static str, words: &'static [&'static str], pattern: &'static str) -> Format {
    Format { kind, words, pattern, lead: 0, alone: false, random: false }
}

const fn alone(kind: &'static str, words: &'static [&'static str], pattern: &'static str) -> Format {
    Format { alone: true, ..marked(kind, words, pattern) }
}

const fn random(kind: &'static str, words: &'static [&'static str], pattern: &'static str) -> Format {
    Format { random: true, ..alone(kind, words, pattern) }
}

const fn led(
    lead: usize,
    kind: &'static str,
    words: &'static [&'static str],
    pattern: &'static str,
) -> Format {
    Format { lead, ..marked(kind, words, pattern) }
}

pub(super) const FORMATS: &[Format] = &[
    // Clouds.
    alone("aws-key", &["AKIA", "ASIA", "ABIA", "ACCA"], r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b"),
    alone("aws-secret", &["AKIA", "ASIA"], r#"A[KS]IA[A-Z0-9]{16}[\s,:;|"']{1,5}([A-Za-z0-9/+]{40})\b"#),
    alone("aws-key", &["ABSK"], r"ABSK[A-Za-z0-9+/]{40,}={0,2}"),
    marked("aws-key", &["bedrock-api-key-"], r"bedrock-api-key-[A-Za-z0-9+/=]{20,}"),
    marked("google-key", &["AIza"], r"AIza[0-9A-Za-z_-]{30,}"),
    marked("google-secret", &["GOCSPX-"], r"GOCSPX-[A-Za-z0-9_-]{16,}"),
    marked("google-token", &["ya29."], r"ya29\.[A-Za-z0-9_-]{20,}"),
    alone("google-token", &["1//0"], r"1//0[A-Za-z0-9_-]{30,}"),
    led(4, "azure-secret", &["Q~"], r"[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{24,40}"),
    led(
        80,
        "azure-key",
        &["+ASt", "+ACDb", "+AIoT", "+ASb", "+AEh", "+ARm", "+AMC"],
        r"[A-Za-z0-9/+]{20,76}\+A(?:St|CDb|IoT|Sb|Eh|Rm|MC)[A-Za-z0-9/+]{4,}={0,2}",
    ),
    led(
        52,
        "azure-key",
        &["AzSe", "AzFu", "AzCa", "JQQJ99"],
        r"[A-Za-z0-9_-]{32,52}(?:Az(?:Se|Fu|Ca)|JQQJ99)[A-Za-z0-9_-]{4,}={0,2}",
    ),
    marked("azure-key", &["AccountKey="], r"AccountKey=([A-Za-z0-9+/]{40,}={0,2})"),
    alone("azure-signature", &["sig="], r"sig=([A-Za-z0-9%+/_-]{20,}={0,2})"),
    alone("digitalocean-token", &["dop_v1_", "doo_v1_", "dor_v1_"], r"do[opr]_v1_[a-f0-9]{32,}"),
    alone("alibaba-key", &["LTAI"], r"LTAI[A-Za-z0-9]{16,24}\b"),
    random("tencent-key", &["AKID"], r"AKID[A-Za-z0-9]{32}\b"),
    random("yandex-key", &["AQVN"], r"AQVN[A-Za-z0-9_-]{35,38}"),
    marked("heroku-key", &["HRKU-"], r"HRKU-[0-9a-zA-Z_-]{30,}"),
    marked("fly-token", &["fm2_", "fm1r_", "fm1a_"], r"fm(?:2|1[ar])_[A-Za-z0-9+/]{20,}={0,3}"),
    alone("fly-token", &["fo1_"], r"fo1_[A-Za-z0-9_-]{20,}"),
    random("netlify-token", &["nfp_", "nfc_", "nfo_", "nfu_"], r"nf[pcou]_[A-Za-z0-9]{20,}"),
    random("vercel-token", &["vcp_", "vci_", "vca_", "vcr_", "vck_"], r"vc[piark]_[A-Za-z0-9]{20,}"),
    random("render-key", &["rnd_"], r"rnd_[A-Za-z0-9]{24,}"),
    random("cloudflare-token", &["cfut_", "cfat_", "cfk_"], r"cf(?:ut|at|k)_[A-Za-z0-9_-]{32,}"),
    marked("cloudflare-key", &["v1.0-"], r"v1\.0-[a-f0-9]{24}-[a-f0-9]{60,}"),
    marked("tailscale-key", &["tskey-"], r"tskey-[a-z]+-[A-Za-z0-9-]{16,}"),
    marked("pulumi-token", &["pul-"], r"pul-[a-f0-9]{40}"),
    led(14, "terraform-token", &[".atlasv1."], r"[A-Za-z0-9]{6,14}\.atlasv1\.[A-Za-z0-9_=-]{20,}"),
    random("scaleway-key", &["SCW"], r"SCW[A-Z0-9]{17}\b"),
    // Code and packages.
    marked("github-token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], r"gh[pousr]_[A-Za-z0-9_]{16,255}"),
    marked("github-token", &["github_pat_"], r"github_pat_[A-Za-z0-9_]{16,255}"),
    marked(
        "gitlab-token",
        &[
            "glpat-", "gldt-", "glrt-", "glrtr-", "glcbt-", "glptt-", "glft-", "glffct-", "glsoat-",
            "glimt-", "glagent-", "gloas-", "glwt-",
        ],
        r"gl(?:pat|dt|rtr?|cbt|ptt|ft|ffct|soat|imt|agent|oas|wt)-[A-Za-z0-9_.-]{16,}",
    ),
    marked("gitlab-token", &["GR1348941"], r"GR1348941[A-Za-z0-9_-]{16,}"),
    random("bitbucket-token", &["ATBB"], r"ATBB[A-Za-z0-9]{20,}"),
    marked("atlassian-token", &["ATATT3", "ATCTT3", "ATSTT3"], r"AT(?:ATT|CTT|STT)3[A-Za-z0-9_=.-]{20,}"),
    marked("npm-token", &["npm_"], r"npm_[A-Za-z0-9]{30,}"),
    marked("pypi-token", &["pypi-"], r"pypi-[A-Za-z0-9_-]{50,}"),
    random("nuget-key", &["oy2"], r"oy2[a-z0-9]{43}\b"),
    marked("rubygems-key", &["rubygems_"], r"rubygems_[a-f0-9]{40,}"),
    marked("clojars-token", &["CLOJARS_"], r"CLOJARS_[a-z0-9]{40,}"),
    random("crates-token", &["cio"], r"cio[A-Za-z0-9]{32}\b"),
    marked("docker-token", &["dckr_"], r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{16,}"),
    alone("artifactory-key", &["AKCp"], r"AKCp[A-Za-z0-9]{50,}"),
    alone("artifactory-key", &["cmVmd"], r"cmVmd[A-Za-z0-9]{50,}"),
    random("sonar-token", &["squ_", "sqp_", "sqa_"], r"sq[upa]_[a-f0-9]{32,}"),
    random("sourcegraph-token", &["sgp_"], r"sgp_(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{32,}"),
    marked("buildkite-token", &["bkua_", "bkct_", "bkaj_"], r"bk(?:ua|ct|aj)_[A-Za-z0-9]{20,}"),
    marked("circleci-token", &["CCIPAT_", "CCIPRJ_"], r"CCIP(?:AT|RJ)_[A-Za-z0-9_]{20,}"),
    marked("postman-key", &["PMAK-"], r"PMAK-[a-fA-F0-9]{20,}(?:-[a-fA-F0-9]{20,})?"),
    random("readme-key", &["rdme_"], r"rdme_[a-z0-9]{40,}"),
    random("octopus-key", &["API-"], r"API-[A-Z0-9]{26}\b"),
    random("infracost-key", &["ico-"], r"ico-[A-Za-z0-9]{32}\b"),
    random("prefect-key", &["pnu_"], r"pnu_[A-Za-z0-9]{32,}"),
    random("nuget-key", &["oy2"], r"oy2[a-z0-9]{43}\b"),
    random("github-token", &["v1."], r"v1\.[a-f0-9]{40}\b"),
    marked("scalingo-token", &["tk-us-"], r"tk-us-[A-Za-z0-9_-]{40,}"),
    marked("settlemint-token", &["sm_aat_", "sm_pat_", "sm_sat_"], r"sm_[aps]at_[A-Za-z0-9]{16,}"),
    marked("secret-token", &["secret-token:"], r"secret-token:[A-Za-z0-9_%.~-]{16,}"),
    // Models.
    marked("anthropic-key", &["sk-ant-"], r"sk-ant-[A-Za-z0-9_-]{16,}"),
    random("openai-key", &["sk-"], r"sk-(?:proj-|svcacct-|admin-|or-v1-|lf-)?[A-Za-z0-9_-]{20,}"),
    marked("huggingface-token", &["hf_", "api_org_"], r"(?:hf|api_org)_[A-Za-z0-9]{30,}"),
    marked("groq-key", &["gsk_"], r"gsk_[A-Za-z0-9]{32,}"),
    marked("xai-key", &["xai-"], r"xai-[A-Za-z0-9]{40,}"),
    marked("perplexity-key", &["pplx-"], r"pplx-[A-Za-z0-9]{32,}"),
    random("replicate-token", &["r8_"], r"r8_[A-Za-z0-9]{30,}"),
    marked("nvidia-key", &["nvapi-"], r"nvapi-[A-Za-z0-9_-]{32,}"),
    marked("langsmith-key", &["lsv2_"], r"lsv2_(?:pt|sk)_[a-f0-9]{32}(?:_[a-f0-9]+)?"),
    marked("tavily-key", &["tvly-"], r"tvly-[A-Za-z0-9-]{20,}"),
    random("cerebras-key", &["csk-"], r"csk-[a-z0-9]{32,}"),
    random("fireworks-key", &["fw_"], r"fw_[A-Za-z0-9]{22,}"),
    random("jina-key", &["jina_"], r"jina_[A-Za-z0-9_-]{32,}"),
    random("elevenlabs-key", &["sk_"], r"sk_[a-f0-9]{48}\b"),
    random("pinecone-key", &["pcsk_"], r"pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{40,}"),
    random("voyage-key", &["pa-"], r"pa-[A-Za-z0-9_-]{43}\b"),
    random("firecrawl-key", &["fc-"], r"fc-[a-f0-9]{32}\b"),
    random("e2b-key", &["e2b_"], r"e2b_[a-f0-9]{40}\b"),
    // Messages.
    marked(
        "slack-token",
        &["xoxb", "xoxa", "xoxp", "xoxr", "xoxs", "xoxe", "xoxc", "xoxd", "xoxo", "xapp-"],
        r"(?:xox[abceoprsd](?:\.xox[bp])?|xapp)-[A-Za-z0-9%/+=-]{10,}",
    ),
    marked(
        "slack-webhook",
        &["hooks.slack.com"],
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_+-]{16,})",
    ),
    marked(
        "discord-webhook",
        &["discord.com/api", "discordapp.com/api"],
        r"discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d{6,}/([A-Za-z0-9_-]{16,})",
    ),
    marked("teams-webhook", &["webhook.office.com"], r"webhook\.office\.com/webhookb2/([A-Za-z0-9@/-]{30,})"),
    led(16, "telegram-token", &[":A"], r"\d{5,16}:A[A-Za-z0-9_-]{32,36}\b"),
    marked("sendgrid-key", &["SG."], r"SG\.[A-Za-z0-9_-]{16,32}(?:\.[A-Za-z0-9_-]{8,64})?"),
    led(32, "mailchimp-key", &["-us"], r"[0-9a-f]{32}-us[0-9]{1,2}\b"),
    random("mailgun-key", &["key-"], r"key-[0-9a-f]{32}\b"),
    marked("brevo-key", &["xkeysib-", "xsmtpsib-"], r"x(?:key|smtp)sib-[a-f0-9]{32,}(?:-[A-Za-z0-9]+)?"),
    random("resend-key", &["re_"], r"re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{16,}"),
    alone("twilio-key", &["SK"], r"SK[0-9a-f]{32}\b"),
    random("twitch-token", &["oauth:"], r"oauth:([a-z0-9]{30})\b"),
    led(11, "firebase-key", &[":APA91b"], r"[A-Za-z0-9_-]{7,11}:APA91b[A-Za-z0-9_-]{60,}"),
    // Work.
    random("notion-token", &["ntn_"], r"ntn_[A-Za-z0-9]{20,}"),
    random("notion-token", &["secret_"], r"secret_[A-Za-z0-9]{40,}"),
    marked("linear-key", &["lin_api_", "lin_oauth_", "lin_wh_"], r"lin_(?:api|oauth|wh)_[A-Za-z0-9]{20,}"),
    alone("airtable-token", &["pat"], r"pat[A-Za-z0-9]{14}\.[a-f0-9]{32,64}"),
    marked(
        "figma-token",
        &["figd_", "figo_", "figu_", "figor_", "figur_"],
        r"fig(?:d|or?|ur?)_[A-Za-z0-9_-]{20,}",
    ),
    alone("harness-key", &["pat.", "sat."], r"[ps]at\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{16,}"),
    alone(
        "hubspot-token",
        &["pat-na", "pat-eu", "pat-ap"],
        r"pat-(?:na|eu|ap)\d-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    ),
    random("typeform-token", &["tfp_"], r"tfp_[A-Za-z0-9_.=-]{40,}"),
    marked("contentful-token", &["CFPAT-"], r"CFPAT-[A-Za-z0-9_-]{20,}"),
    random("frameio-token", &["fio-u-"], r"fio-u-[A-Za-z0-9_=-]{40,}"),
    random("posthog-key", &["phx_"], r"phx_[A-Za-z0-9]{36,}"),
    random("adafruit-key", &["aio_"], r"aio_[A-Za-z0-9]{28}\b"),
    alone(
        "launchdarkly-key",
        &["sdk-", "api-"],
        r"(?:sdk|api)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b",
    ),
    alone("onepassword-token", &["ops_eyJ"], r"ops_eyJ[A-Za-z0-9+/]{40,}={0,3}"),
    alone(
        "onepassword-key",
        &["A3-"],
        r"A3-[A-Z0-9]{6}-[A-Z0-9]{6}-?[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}\b",
    ),
    alone("adobe-secret", &["p8e-"], r"p8e-[A-Za-z0-9_-]{24,}"),
    // Watching.
    marked("grafana-token", &["glsa_"], r"glsa_[A-Za-z0-9]{20,}(?:_[A-Fa-f0-9]{4,8})?"),
    random("grafana-token", &["glc_"], r"glc_[A-Za-z0-9+/]{20,}={0,3}"),
    marked("grafana-token", &["eyJrIjoi"], r"eyJrIjoi[A-Za-z0-9+/]{40,}={0,3}"),
    marked(
        "sentry-token",
        &["sntrys_", "sntryu_", "sntrya_", "sntryi_"],
        r"sntry[suai]_[A-Za-z0-9+/=_-]{20,}",
    ),
    marked("newrelic-key", &["NRAK-", "NRII-", "NRJS-", "NRRA-"], r"NR(?:AK|II|JS|RA)-[A-Za-z0-9-]{16,}"),
    marked(
        "dynatrace-token",
        &["dt0c01.", "dt0s01.", "dt0s16."],
        r"dt0[cs]\d\d\.[A-Z0-9a-z]{20,24}(?:\.[A-Za-z0-9]{20,64})?",
    ),
    // Data.
    marked("databricks-token", &["dapi"], r"dapi[a-f0-9]{32}(?:-\d)?"),
    marked(
        "planetscale-token",
        &["pscale_tkn_", "pscale_oauth_", "pscale_pw_"],
        r"pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_=.-]{20,}",
    ),
    random("supabase-token", &["sbp_"], r"sbp_(?:v0_)?[a-f0-9]{32,}"),
    marked("supabase-key", &["sb_secret_"], r"sb_secret_[A-Za-z0-9_-]{16,}"),
    random("neon-key", &["napi_"], r"napi_[A-Za-z0-9]{32,}"),
    alone("clickhouse-key", &["4b1d"], r"4b1d[A-Za-z0-9]{38}\b"),
    led(6, "maxmind-key", &["_mmk"], r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk"),
    // Money and shops.
    marked(
        "stripe-key",
        &["sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_", "whsec_"],
        r"(?:[sr]k_(?:live|test|prod)|whsec)_[A-Za-z0-9+/=]{10,}",
    ),
    marked(
        "shopify-token",
        &["shpat_", "shpca_", "shppa_", "shpss_", "shptka_"],
        r"shp(?:at|ca|pa|ss|tka)_[a-fA-F0-9]{24,}",
    ),
    marked("square-token", &["sq0atp-", "sq0csp-"], r"sq0(?:atp|csp)-[A-Za-z0-9_-]{20,}"),
    random("access-token", &["EAAA", "EAAM", "EAAC", "EAAB", "EAAG"], r"EAA[AMCBG][A-Za-z0-9_-]{40,}"),
    marked("razorpay-key", &["rzp_live_", "rzp_test_"], r"rzp_(?:live|test)_[A-Za-z0-9]{14,}"),
    marked("flutterwave-key", &["FLWSECK"], r"FLWSECK(?:_TEST)?-[A-Za-z0-9-]{12,}"),
    marked(
        "plaid-token",
        &["access-sandbox-", "access-production-", "access-development-"],
        r"access-(?:sandbox|production|development)-[0-9a-f-]{36}",
    ),
    marked("easypost-key", &["EZAK", "EZTK"], r"EZ[AT]K[A-Za-z0-9]{54}"),
    marked("shippo-token", &["shippo_live_", "shippo_test_"], r"shippo_(?:live|test)_[a-fA-F0-9]{32,}"),
    marked("duffel-token", &["duffel_live_", "duffel_test_"], r"duffel_(?:live|test)_[A-Za-z0-9_=-]{32,}"),
    alone("dropbox-token", &["sl."], r"sl\.(?:u\.)?[A-Za-z0-9_-]{60,}"),
    // Sessions.
    marked(
        "session",
        &[
            "_gitlab_session=",
            "PHPSESSID=",
            "JSESSIONID=",
            "connect.sid=",
            "sessionid=",
            "SessionId=",
            "_session_id=",
        ],
        r"[A-Za-z_.]+=([A-Za-z0-9%._+/~-]{16,})",
    ),
    // Keepers of secrets.
    marked("vault-token", &["hvs.", "hvb.", "hvr."], r"hv[sbr]\.[A-Za-z0-9_-]{20,}"),
    alone(
        "doppler-token",
        &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."],
        r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{20,}",
    ),
    marked("openshift-token", &["sha256~"], r"sha256~[A-Za-z0-9_-]{30,}"),
    marked(
        "age-key",
        &["AGE-SECRET-KEY-", "AGE-PLUGIN-"],
        r"AGE-(?:SECRET-KEY-(?:PQ-)?1|PLUGIN-[A-Z0-9-]{1,40}-1)[A-Z0-9]{20,}",
    ),
    marked("jwt", &["eyJ"], r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]*){0,3}"),
    // JWE: the second part may be empty.
    marked("jwt", &["eyJ"], r"eyJ[A-Za-z0-9_-]{8,}\.\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){1,2}"),
    // A private key's file as base64: how "PRIVATE" is encoded depends on the letters before it.
    marked(
        "private-key",
        &["LS0tLS1CRUdJTi"],
        r"LS0tLS1CRUdJTi[A-Za-z0-9+/]{0,24}(?:UFJJVkFUR|QUklWQVRF|BSSVZBVE)[A-Za-z0-9+/]+(?:(?:\\[nr]|\s){1,12}[A-Za-z0-9+/]{24,})*(?:(?:\\[nr]|\s){1,12}[A-Za-z0-9+/]+)?={0,2}",
    ),
    alone("wallet-key", &["xprv", "tprv", "yprv", "zprv"], r"[txyz]prv[A-Za-z0-9]{80,}"),
    // Passwords as a system keeps them: they can be tried offline.
    marked("password-hash", &["$2a$", "$2b$", "$2x$", "$2y$"], r"\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}"),
    marked(
        "password-hash",
        &["$5$", "$6$", "$y$", "$7$", "$gy$"],
        r"\$(?:[567]|g?y)\$[^\s:$]+\$(?:[^\s:$]+\$)?[./A-Za-z0-9]{40,}",
    ),
    marked("password-hash", &["$apr1$"], r"\$apr1\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}"),
    marked(
        "password-hash",
        &["$argon2"],
        r"\$argon2(?:id|i|d)\$v=\d+\$[a-z0-9=,]+\$[A-Za-z0-9+/]{8,}\$[A-Za-z0-9+/]{16,}",
    ),
    // Files of browsers, servers and desktops.
    marked(
        "cookie",
        &["\tTRUE\t/", "\tFALSE\t/"],
        r"\t(?:TRUE|FALSE)\t/[^\t\n]*\t(?:TRUE|FALSE)\t\d+\t[^\t\n]+\t([^\t\r\n]{8,})",
    ),
    marked("cookie", &["MIT-MAGIC-COOKIE-1"], r"MIT-MAGIC-COOKIE-1\s+([0-9a-f]{32})\b"),
    marked("secret", &["{AQAA"], r"\{(AQAA[A-Za-z0-9+/]{20,}={0,2})\}"),
    marked(
        "secret",
        &["validationKey=", "decryptionKey="],
        r#"(?:validation|decryption)Key\s*=\s*["']([0-9A-Fa-f]{32,})"#,
    ),
    marked("password", &[": PSK "], r#": PSK\s+["']([^"'\n]{3,})["']"#),
    marked(
        "github-token",
        &["github-oauth", "gitlab-oauth", "gitlab-token"],
        r#"git(?:hub|lab)-(?:oauth|token)\\?"\s*:\s*\{\s*\\?"[^"\\]+\\?"\s*:\s*\\?"([^"\\]{8,})"#,
    ),
    marked("session", &["SAMLResponse=", "SAMLRequest="], r"SAMLRe(?:sponse|quest)=([A-Za-z0-9+/%=_-]{40,})"),
];
