//! The words of a question in a script without spaces between them. As one run it would be a phrase, and only a memory
//! with the whole question in it would answer.
//!
//! No dictionary is needed: katakana spells whole words, hiragana between other signs is grammar, and Chinese characters are
//! searched in pairs, as the index has them. In Korean, which has spaces, a word is also searched without its particle.

use ranking::Part;
use ranking::words::{is_cjk, pairs};

/// Characters of grammar and of questions. Pairs with them are part of no subject.
const GRAMMAR: &[char] =
    &['的', '了', '吗', '嗎', '呢', '吧', '么', '麼', '什', '哪', '怎', '是', '请', '請', '何', '谁', '誰'];
/// Pairs that say nothing of a question's subject.
const FILLERS: &[&str] = &[
    "多少", "时候", "時候", "如何", "为何", "可以", "我们", "我們", "你们", "你們", "他们", "他們", "这个",
    "這個", "那个", "那個", "一下", "因为", "因為", "所以", "还有", "還有", "多久",
];
/// Korean particles, the longer ones first.
const PARTICLES: &[&str] = &[
    "에서는",
    "으로는",
    "에서",
    "으로",
    "부터",
    "까지",
    "에게",
    "처럼",
    "하고",
    "을",
    "를",
    "이",
    "가",
    "은",
    "는",
    "에",
    "의",
    "도",
    "와",
    "과",
    "로",
    "만",
];
/// Minimum number of syllables that remain without a particle.
const MIN_SYLLABLES: usize = 2;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Han,
    Katakana,
    Hiragana,
    Other,
}

fn script(c: char) -> Script {
    match u32::from(c) {
        0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3134F => Script::Han,
        0x30A0..=0x30FF | 0xFF66..=0xFF9D => Script::Katakana,
        0x3040..=0x309F => Script::Hiragana,
        _ => Script::Other,
    }
}

/// The words of a part that is a run without spaces; the part itself if it has no others.
pub(super) fn words(part: &Part) -> Vec<Part> {
    taken_apart(part, texts)
}

/// The same for whoever gives nothing when unsure: only of a run with hiragana, between which Chinese characters are a word,
/// however many there are. In pairs a single word would count as several.
pub(crate) fn whole_words(part: &Part) -> Vec<Part> {
    let is_japanese = part.text.chars().any(|c| script(c) == Script::Hiragana);
    if is_japanese { taken_apart(part, whole_texts) } else { vec![part.clone()] }
}

fn taken_apart(part: &Part, texts: fn(&str) -> Vec<&str>) -> Vec<Part> {
    let texts = if part.quoted || !part.text.chars().all(is_cjk) { Vec::new() } else { texts(&part.text) };
    if texts.is_empty() {
        return vec![part.clone()];
    }
    let one = |text: &str| Part { text: text.to_owned(), quoted: false, words: vec![text.to_owned()] };
    texts.into_iter().map(one).collect()
}

/// The stretches of a run in one script. A single character is in too many words.
fn stretches(run: &str) -> Vec<(Script, &str)> {
    let mut found = Vec::new();
    let mut rest = run;
    while let Some(first) = rest.chars().next() {
        let script_of_run = script(first);
        let end = rest.find(|c: char| script(c) != script_of_run).unwrap_or(rest.len());
        let (text, after) = rest.split_at(end);
        rest = after;
        if text.chars().nth(1).is_some() {
            found.push((script_of_run, text));
        }
    }
    found
}

fn whole_texts(run: &str) -> Vec<&str> {
    let is_word = |(script, text): &(Script, &str)| *script != Script::Hiragana && !says_nothing(text);
    stretches(run).into_iter().filter(is_word).map(|(_, text)| text).collect()
}

fn texts(run: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (script, text) in stretches(run) {
        match script {
            Script::Han => found.extend(pairs(text).filter(|pair| !says_nothing(pair))),
            Script::Katakana | Script::Other => found.push(text),
            Script::Hiragana => {}
        }
    }
    found
}

fn says_nothing(pair: &str) -> bool {
    FILLERS.contains(&pair) || pair.contains(GRAMMAR)
}

/// A Korean word without its particle, as the index has it: in pairs of syllables.
pub(super) fn without_particle(word: &str) -> Option<String> {
    if !word.chars().all(|c| matches!(u32::from(c), 0xAC00..=0xD7AF)) {
        return None;
    }
    let fits = |stem: &&str| stem.chars().count() >= MIN_SYLLABLES;
    let stem = PARTICLES.iter().find_map(|particle| word.strip_suffix(particle).filter(fits))?;
    Some(pairs(stem).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_becomes_its_words_or_stays_if_there_are_none() {
        for (question, expected) in [
            ("決済のタイムアウトは何秒ですか", vec!["決済", "タイムアウト"]),
            ("データベースの移行はいつ", vec!["データベース", "移行"]),
            ("支付超时是多少", vec!["支付", "付超", "超时"]),
            ("数据库", vec!["数据", "据库"]),
            ("ありがとう", vec!["ありがとう"]),
            ("字", vec!["字"]),
            ("什么时候", vec!["什么时候"]),
            ("토큰을", vec!["토큰을"]),
            ("สำรองฐานข้อมูล", vec!["สำรองฐานข้อมูล"]),
            ("\"データベースの移行\"", vec!["データベースの移行"]),
            ("retry", vec!["retry"]),
        ] {
            let parts = ranking::Query::parse(question).parts;
            let found: Vec<String> = parts.iter().flat_map(words).map(|part| part.text).collect();
            assert_eq!(found, expected, "{question}");
        }
    }

    #[test]
    fn words_that_are_surely_words_stay_whole() {
        for (question, expected) in [
            ("勤務表の印刷サイズ", vec!["勤務表", "印刷", "サイズ"]),
            ("東京の担当は誰", vec!["東京", "担当"]),
            ("夜勤は月に何回まで", vec!["夜勤"]),
            ("ありがとう", vec!["ありがとう"]),
            // Chinese has nothing between its words.
            ("支付超时是多少", vec!["支付超时是多少"]),
            ("勤務表", vec!["勤務表"]),
            ("토큰을", vec!["토큰을"]),
            ("\"勤務表の印刷\"", vec!["勤務表の印刷"]),
            ("retry", vec!["retry"]),
        ] {
            let parts = ranking::Query::parse(question).parts;
            let found: Vec<String> = parts.iter().flat_map(whole_words).map(|part| part.text).collect();
            assert_eq!(found, expected, "{question}");
        }
    }

    #[test]
    fn a_korean_word_is_also_searched_without_its_particle() {
        for (word, expected) in [
            ("토큰을", Some("토큰")),
            ("데이터베이스에서", Some("데이 이터 터베 베이 이스")),
            ("토큰", None),
            ("나는", None),
            ("数据库", None),
            ("retry", None),
        ] {
            assert_eq!(without_particle(word).as_deref(), expected, "{word}");
        }
    }
}
