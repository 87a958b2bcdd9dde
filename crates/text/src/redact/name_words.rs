//! The words of names that sound secret, passwords apart, because less is asked of their values. Owns the lists; `names` finds the words,
//! and `judgement` judges what follows them.

/// Names of passwords, besides those that begin with "pass".
pub(super) const PASSWORDS: [&str; 23] = [
    "pwd",
    "_pwd",
    "-pwd",
    "pw",
    "_pw",
    "-pw",
    "psk",
    "kennwort",
    "mot de passe",
    "wachtwoord",
    "contraseña",
    "contraseÑa",
    "senha",
    "hasło",
    "hasŁo",
    "пароль",
    "Пароль",
    "ПАРОЛЬ",
    "密码",
    "密碼",
    "口令",
    "パスワード",
    "비밀번호",
];

/// Names of other secrets, and those that begin with "pass".
const OTHERS: [&str; 65] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pass",
    "passwort",
    "secret",
    "token",
    "apikey",
    "api_key",
    "api-key",
    "accesskey",
    "access_key",
    "access-key",
    "access_key_id",
    "access-key-id",
    "accesskeyid",
    "secretkey",
    "secret_key",
    "secret-key",
    "privatekey",
    "private_key",
    "private-key",
    "authkey",
    "auth_key",
    "auth-key",
    "accountkey",
    "account_key",
    "account-key",
    "encryptionkey",
    "encryption_key",
    "encryption-key",
    "signingkey",
    "signing_key",
    "signing-key",
    "primarykey",
    "primary_key",
    "primary-key",
    "secondarykey",
    "secondary_key",
    "secondary-key",
    "masterkey",
    "master_key",
    "master-key",
    "appkey",
    "app_key",
    "app-key",
    "servicekey",
    "service_key",
    "service-key",
    "presharedkey",
    "preshared_key",
    "subscription-key",
    "subscription_key",
    "subscriptionkey",
    "sessionkey",
    "session_key",
    "credential",
    "credentials",
    "creds",
    "auth",
    "_pat",
    "_key",
    "x-amz-signature",
    "x-goog-signature",
];

const ALL: [&str; PASSWORDS.len() + OTHERS.len()] = all();

/// The last part of a name that sounds secret. `-` and `_` are ignored on both sides of the comparison for names that can be
/// written with either.
pub(super) const WORDS: &[&str] = &ALL;

/// Both lists in one, so that a password's name can't be missing where names are looked for.
const fn all() -> [&'static str; PASSWORDS.len() + OTHERS.len()] {
    let mut all = [""; PASSWORDS.len() + OTHERS.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = if at < PASSWORDS.len() { PASSWORDS[at] } else { OTHERS[at - PASSWORDS.len()] };
        at += 1;
    }
    all
}
