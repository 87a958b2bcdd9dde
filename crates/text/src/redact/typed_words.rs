//! The words of a sentence in which somebody types a password, in the languages that people type to agents. Owns them, not the
//! grammar, which is `typed`'s.

/// The nouns.
pub(super) const NOUNS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pw",
    "pwd",
    "passwort",
    "kennwort",
    "contraseña",
    "senha",
    "wachtwoord",
];
/// The one of three words.
pub(super) const FRENCH: [&str; 3] = ["mot", "de", "passe"];
/// The nouns that are only short for one.
pub(super) const SHORT: &[&str] = &["pw", "pwd"];
/// Those that are hardly mentioned but to tell one.
pub(super) const PHRASES: &[&str] = &["passphrase", "passcode"];
/// What is typed to get in and has digits only.
pub(super) const CODES: &[&str] = &["pin", "puk"];
/// What is between a noun and its value.
pub(super) const TELLING: &[&str] = &["is", "ist", "lautet", "heißt", "est", "c'est", "es", "é"];
/// Whose it is.
pub(super) const OWNERS: &[&str] =
    &["my", "our", "mein", "meine", "meinem", "unser", "unserem", "mon", "notre", "mi", "nuestra", "minha"];
/// What begins where it opens.
pub(super) const WHERE: &[&str] = &[
    "for", "of", "to", "on", "für", "von", "vom", "zum", "zur", "du", "de", "des", "pour", "del", "da", "do",
];
/// Verbs before a noun with its value behind.
pub(super) const USING: &[&str] = &[
    "use", "with", "enter", "type", "try", "using", "mit", "nimm", "benutze", "verwende", "avec", "utilise",
];
/// Words of getting in.
pub(super) const GETTING_IN: &[&str] = &[
    "login",
    "log",
    "logon",
    "sign",
    "ssh",
    "sudo",
    "connect",
    "credentials",
    "creds",
    "zugangsdaten",
    "anmelden",
    "einloggen",
    "melde",
    "connecte",
    "identifiants",
];
/// Words before a name and a password.
pub(super) const LOGINS: &[&str] =
    &["login", "credentials", "creds", "zugangsdaten", "identifiants", "zugang"];
/// Usual names of accounts.
pub(super) const ACCOUNTS: &[&str] = &[
    "admin", "root", "test", "tester", "user", "demo", "guest", "postgres", "sa", "dev", "staging", "ubuntu",
];
/// What may follow a value in its sentence.
pub(super) const CONNECTING: &[&str] = &[
    "and", "but", "so", "for", "on", "at", "please", "und", "aber", "bitte", "für", "auf", "et", "mais", "y",
    "pero", "e", "-", "–", "—", "(",
];
/// How a password is, or what is made of its noun, besides what `prose` has.
pub(super) const STATES: &str = "right fine good okay same different unknown known public private shared safe unsafe secure insecure plain null \
    blank none default here there gone back done also still already always never only just optional mandatory numeric case \
    sensitive yours mine theirs below above outdated stale broken correct back leer gleich anders sicher unsicher öffentlich geheim \
    bekannt unbekannt hier dort noch schon nötig richtig kurz korrekt lang alt neu vide faux correct public secret connu inconnu \
    ici manager managers reset resets input hash hashes policy prompt store file files rule rules length check checks form page \
    mail vault rotation protection auth hint box toggle attempt attempts again twice first hidden lost kept sent seen shown found given \
    random weird nowhere everywhere somewhere elsewhere shorter longer better worse stronger weaker simple simpler nonsense irrelevant \
    fake dummy constant base64 ascii unicode utf-8 bcrypt scrypt argon2 argon2id pbkdf2 sha sha1 sha256 sha512 md5 german english text \
    bytes chars digits letters symbols works work fails grant flow command output plus egal fest kürzer länger nirgends nirgendwo \
    überall woanders drin kaputt korrupt simpel doppelt dasselbe zentral pflicht unsinn klappt scheitert arbeiten court fort faible \
    nula nulo corta larga correcta débil forte fraca";
/// Where a password is kept, as a part of a name in code: `process.env.DB_PASS`.
pub(super) const KEEPERS: &[&str] =
    &["env", "environ", "config", "settings", "pass", "passwd", "pw", "creds", "credentials"];
/// How files end that are named behind a folder, as a password is behind an account.
pub(super) const FILES: &[&str] = &[
    "html", "json", "ts", "tsx", "js", "md", "txt", "yml", "yaml", "toml", "py", "php", "vue", "sql", "xml",
];
/// What a clause begins with that tells no password: it says what would be.
pub(super) const CONDITIONS: &[&str] = &[
    "if", "when", "whenever", "whether", "unless", "until", "once", "wenn", "falls", "ob", "sobald",
    "solange", "si", "quand", "lorsque", "cuando", "quando",
];
/// What is listed beside an account, besides other accounts.
pub(super) const KINDS_OF_ACCOUNT: &[&str] = &[
    "prod",
    "production",
    "live",
    "sandbox",
    "local",
    "editor",
    "viewer",
    "owner",
    "member",
    "customer",
    "role",
    "pass",
    "spec",
    "fixtures",
];
/// How adjectives and participles end.
pub(super) const ENDINGS: &[&str] =
    &["ed", "able", "ible", "ing", "ly", "ful", "less", "ive", "ous", "bar", "lich", "ig", "iert", "é", "ée"];
/// How German participles begin, which end with `en` or `t`.
pub(super) const PARTICIPLES: &[&str] =
    &["ge", "abge", "ange", "ausge", "einge", "zurückge", "ver", "hinter"];
