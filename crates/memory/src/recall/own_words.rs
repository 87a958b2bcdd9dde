//! Which words of a prompt are its own, and not those of every project's prompts.

use crate::store::Term;

/// For each term whether it's the prompt's own: no everyday word, neither word of an everyday pair like *pull request*, and no
/// amount.
pub(super) fn own(terms: &[Term], everyday: &[&str], amounts: &[bool]) -> Vec<bool> {
    let words: Vec<String> = terms.iter().map(|term| plain(&term.part.text)).collect();
    let mut own: Vec<bool> = words.iter().map(|word| !everyday.contains(&word.as_str())).collect();
    own.iter_mut().zip(amounts).for_each(|(own, amount)| *own &= !amount);
    for (at, pair) in words.windows(2).enumerate() {
        let other = pair[1].strip_suffix('s').unwrap_or(&pair[1]);
        let pair = format!("{} {other}", pair[0]);
        if everyday.contains(&pair.as_str()) {
            own[at..=at + 1].fill(false);
        }
    }
    own
}

/// For each term whether it's an everyday word that says nothing of how much of a prompt a memory has. The one that a prompt
/// begins with does: it's the work that it gives. None is where no memory has a name that the prompt has, because that's what
/// it's about. `with` has the number of memories with each term.
pub(super) fn beside(
    question: &str,
    terms: &[Term],
    everyday: &[&str],
    (is_name, with): (&[bool], &[u64]),
) -> Vec<bool> {
    let first = plain(question.split_whitespace().next().unwrap_or_default());
    let has_unknown_name = is_name.iter().zip(with).any(|(is_name, with)| *is_name && *with == 0);
    let is_beside = |term: &Term| {
        let word = plain(&term.part.text);
        !has_unknown_name && word != first && everyday.contains(&word.as_str())
    };
    terms.iter().map(is_beside).collect()
}

/// The terms that a question is about without those beside, unless nothing is left.
pub(super) fn without(covers: &[bool], beside: &[bool]) -> Vec<bool> {
    let left: Vec<bool> = covers.iter().zip(beside).map(|(covers, beside)| *covers && !*beside).collect();
    if left.contains(&true) { left } else { covers.to_vec() }
}

fn plain(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::amounts::amounts;
    use crate::recall::terms;

    const EVERYDAY: &[&str] = &["make", "run", "work", "pull request"];

    #[test]
    fn an_everyday_pair_is_everyday_only_together() {
        for (prompt, expected) in [
            ("open a pull request", vec![true, false, false]),
            ("close both pull requests", vec![true, false, false]),
            ("pull the image, request a review", vec![true, true, true, true]),
            ("make the tiles", vec![false, true]),
            ("resize 512 KB images", vec![true, false, false, true]),
            ("convert 12 m/s", vec![true, false, false]),
            ("keep 512KB of port 80", vec![true, false, true, true]),
        ] {
            let terms = terms::parse(prompt, true).terms;
            let own = own(&terms, EVERYDAY, &amounts(&terms, prompt));
            assert_eq!(own, expected, "{prompt}");
        }
    }

    #[test]
    fn the_work_that_is_given_counts_and_other_everyday_words_do_not() {
        for (prompt, with, expected) in [
            ("how do I make fake ports", vec![4_u64, 1, 2], vec![true, false, false]),
            ("make fake ports", vec![4, 1, 2], vec![false, false, false]),
            ("does reload work on Safari 15?", vec![2, 4, 1, 1], vec![false, true, false, false]),
            // Nothing has the name.
            ("does reload work on Safari k15?", vec![2, 4, 1, 0], vec![false, false, false, false]),
        ] {
            let all = terms::parse(prompt, true).terms;
            let is_name: Vec<bool> = all.iter().map(|term| term.part.text == "k15").collect();
            assert_eq!(beside(prompt, &all, EVERYDAY, (&is_name, &with)), expected, "{prompt}");
        }
        assert_eq!(without(&[true, true, false], &[true, false, false]), [false, true, false]);
        assert_eq!(without(&[true, false], &[true, false]), [true, false]);
    }
}
