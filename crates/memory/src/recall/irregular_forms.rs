//! Irregular forms of English words, because the index's stemmer only knows endings and a question and its answer
//! seldom use the same tense. What is another word, though of the same kin, is in `related_words`.

use crate::domain::line_with;

/// The forms of one word per line.
const FORMS: &str = "go goes going went gone
buy buys bought
take taken took
make makes made
see seen saw
give given gave
get got gotten
come came
know known knew
think thought
tell told
find found
leave left
feel felt
bring brought
begin begun began
keep kept
hold held
write written wrote
stand stood
hear heard
meet met
run ran
pay paid
sit sat
speak spoken spoke
lead led
grow grown grew
lose lost
fall fallen fell
send sent
build built
understand understood
draw drawn drew
break broken broke
spend spent
drive driven drove
wear worn wore
choose chosen chose
win won
teach taught
catch caught
fly flies flown flew
throw thrown threw
sell sold
eat eaten ate
drink drunk drank
sing sung sang
swim swum swam
ride ridden rode
rise risen rose
sleep slept
fight fought
forget forgotten forgot
freeze frozen froze
shake shaken shook
wake woken woke
tear torn tore
seek sought
stick stuck
strike struck
hide hidden hid
bind bound
become became
overwrite overwritten overwrote
deploy deploys deployed deploying deployment deployments
employ employs employed employing employment
override overridden overrode
rewrite rewritten rewrote
rebuild rebuilt
rerun reran
resend resent
undo undoes undone undid
redo redoes redone redid
withdraw withdrawn withdrew
forbid forbidden forbade
shrink shrunk shrank
steal stolen stole
deal dealt
show shown
prove proven
try tries tried
tie ties tied tying
cut cuts cutting
set sets setting
hang hung
split splits
read reading
say said
child children
man men
woman women
person people
index indices indexes
vertex vertices
schema schemata
datum data
analysis analyses
criterion criteria
matrix matrices
appendix appendices
alias aliases
status statuses
canvas canvases
life lives
mom mother mum
dad father
good better best
bad worse worst";

/// The other forms of a lower-cased word; usually none.
pub(super) fn other_forms(word: &str) -> Vec<String> {
    let line = line_with(FORMS, b' ', word);
    line.map_or_else(Vec::new, |line| {
        line.split(' ').filter(|form| *form != word).map(str::to_owned).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tenses_lead_to_each_other_and_no_word_is_in_two_lines() {
        assert_eq!(other_forms("went"), ["go", "goes", "going", "gone"]);
        assert!(other_forms("postgres").is_empty());
        let mut seen = std::collections::HashSet::new();
        for form in FORMS.split_whitespace() {
            assert!(seen.insert(form), "{form}");
        }
    }
}
