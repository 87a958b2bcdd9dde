//! Short forms of everyday words and of developers' words: a question has the whole word where the memory has the short
//! form, or the other way round. It knows no names of products; `graph` does.

/// A short form and what it's short for, per line.
const SHORT: &str = "config configuration
repo repository
env environment
doc documentation
admin administrator
app application
auth authentication authorization authorisation
param parameter
dir directory
lib library
async asynchronous
perf performance
spec specification
info information
db database
msg message
cert certificate
img image
stats statistics
photo photograph
pic picture
exam examination
lab laboratory
fav favorite favourite
fave favorite favourite
prod production
dev development
dep dependency
pkg package
int integer
bool boolean
e2e end-to-end
i18n internationalization internationalisation
l10n localization localisation
a11y accessibility
o11y observability";

/// The short forms of a lower-cased word, or the words that it's short for; usually none. Endings are left to the index's
/// stemmer, but for the plural of the word itself.
pub(super) fn other_lengths(word: &str) -> Vec<String> {
    let singular = word.strip_suffix("ies").map(|stem| format!("{stem}y"));
    let singular = singular.as_deref().or_else(|| word.strip_suffix('s')).unwrap_or(word);
    let is_same = |one: &str| one == word || one == singular;
    let mut out: Vec<String> = Vec::new();
    for line in SHORT.lines() {
        let mut words = line.split(' ');
        let Some(short) = words.next() else { continue };
        if is_same(short) {
            out.extend(words.map(str::to_owned));
        } else if words.any(is_same) {
            out.push(short.to_owned());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_forms_and_whole_words_lead_to_each_other() {
        for (word, expected) in [
            ("config", vec!["configuration"]),
            ("configs", vec!["configuration"]),
            ("configuration", vec!["config"]),
            ("repositories", vec!["repo"]),
            ("auth", vec!["authentication", "authorization", "authorisation"]),
            // Two words with the same short form aren't the same.
            ("authentication", vec!["auth"]),
            ("favourite", vec!["fav", "fave"]),
            ("stats", vec!["statistics"]),
            ("deps", vec!["dependency"]),
            ("dependencies", vec!["dep"]),
            ("production", vec!["prod"]),
            ("e2e", vec!["end-to-end"]),
            ("end-to-end", vec!["e2e"]),
            ("walrus", vec![]),
            ("s", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(other_lengths(word), expected, "{word}");
        }
    }
}
