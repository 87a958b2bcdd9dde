//! Removes characters that no reader sees.

/// `text` without invisible characters that programs read: tags, fillers, invisible joiners, direction marks. Joiners between
/// letters that need them stay.
#[must_use]
pub fn without_invisible(text: &str) -> String {
    let is_invisible = |c: char| {
        matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180e}'
            | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
    };
    let is_joiner = |c: char| matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}');
    if !text.contains(|c| is_invisible(c) || is_joiner(c)) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut last = ' ';
    for c in text.chars() {
        if is_invisible(c)
            || is_joiner(c)
                && (last.is_ascii() && !matches!(last, '0'..='9' | '#' | '*')
                    || is_joiner(last) && c != '\u{200d}')
        {
            continue;
        }
        out.push(c);
        last = c;
    }
    out
}
