//! Finds a name in the markup of a Svelte or Vue component, outside of its script, and whether it's code there. Pure.

use super::text_matches::whole_words;

/// Attributes whose values are code.
const DIRECTIVES: &[&str] =
    &["@", ":", "#", "v-", "on:", "bind:", "use:", "transition:", "in:", "out:", "animate:"];
/// Further back no attribute or brace is looked for.
const MAX_BACK: usize = 2_000;

/// The places of `name` in `whole` that are blank in `script`, each with whether it's code there.
pub(super) fn places<'t>(
    whole: &'t str,
    script: &'t str,
    name: &'t str,
) -> impl Iterator<Item = (usize, bool)> + 't {
    let outside = move |at: &usize| script.get(*at..*at + name.len()) != Some(name);
    whole_words(whole, name).filter(outside).map(move |at| (at, is_code(whole, at)))
}

/// A component's tag, an expression in braces, a directive's value.
fn is_code(whole: &str, at: usize) -> bool {
    let before = &whole[whole.floor_char_boundary(at.saturating_sub(MAX_BACK))..at];
    if before.ends_with('<') || before.ends_with("</") {
        return true;
    }
    let last = |c: char| before.rfind(c);
    if last('{').is_some_and(|open| last('}').is_none_or(|close| close < open)) {
        return true;
    }
    // `use:action`, `bind:value`
    let word = before.rsplit(|c: char| c.is_whitespace()).next().unwrap_or_default();
    if DIRECTIVES.contains(&word) && word.ends_with(':') && word.len() > 1 {
        return true;
    }
    let Some(tag) = last('<').filter(|open| !before[*open..].contains("<!--")) else { return false };
    for quote in ["=\"", "='"] {
        let Some(value) = before[tag..].rfind(quote) else { continue };
        let (head, value) = before[tag..].split_at(value);
        let closed = value[quote.len()..].contains(&quote[1..]);
        let attribute = head.rsplit(|c: char| c.is_whitespace()).next().unwrap_or_default();
        if !closed && DIRECTIVES.iter().any(|directive| attribute.starts_with(directive)) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_in_markup_are_code_and_its_text_is_not() {
        for (whole, expected) in [
            ("<b @click=\"go\">", true),
            ("<b v-if='x > go'>", true),
            ("<b :class=\"{ on: go }\">", true),
            ("<p>{{ go() }}</p>", true),
            ("<b on:click={go}>", true),
            ("<b use:go>", true),
            ("<go/>", true),
            ("</go>", true),
            ("<p>{ x } go</p>", false),
            ("<b title=\"go\">", false),
            ("<b @click=\"x\" title=\"go\">", false),
            ("<p>go</p>", false),
        ] {
            let script = " ".repeat(whole.len());
            let found: Vec<bool> = places(whole, &script, "go").map(|(_, code)| code).collect();
            assert_eq!(found, [expected], "{whole}");
        }
        assert_eq!(places("let go", "let go", "go").count(), 0, "the script is read as code");
    }
}
