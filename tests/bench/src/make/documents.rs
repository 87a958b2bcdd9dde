//! Pages of documentation: headings, prose, code. Every section has one fact that no other has.

use std::fmt::Write as _;

use super::Numbers;

const NAMES: &[&str] = &[
    "useTide",
    "useBerth",
    "usePilot",
    "useLock",
    "useCrane",
    "useCustoms",
    "useSignal",
    "useLedger",
    "useAnchor",
    "useChart",
    "useBeacon",
    "useMooring",
];

/// A page with this many sections of about 550 bytes.
pub(super) fn page(title: &str, sections: usize) -> String {
    let mut numbers = Numbers::new(31 + title.len() as u64 + sections as u64);
    let mut out = format!("# {title}\n\nThis page lists what {title} offers and when to use it.\n");
    for at in 0..sections {
        let name = NAMES[at % NAMES.len()];
        let number = if at < NAMES.len() { String::new() } else { (at / NAMES.len() + 1).to_string() };
        let option = numbers.of(&["retain", "lazy", "strict", "replay", "cold"]);
        let wait = 50 + at * 25;
        let _ = write!(
            out,
            "\n## {name}{number}\n\nCall `{name}{number}` {} It takes `{option}` and waits {wait} ms by default before it gives up. {}\n\n```js\nconst state = {name}{number}({{ {option}: true, limit: {} }});\nstate.on('change', (value) => draw(value));\n```\n\nReturns an object with `value`, `done` and `cancel`. {}\n",
            numbers.of(&[
                "at the top of a component, never inside a condition.",
                "once for each harbour that the page shows.",
                "before the first ship is drawn.",
            ]),
            numbers.of(&[
                "A second call with the same options gives the same state back.",
                "When the component leaves the page the state goes with it.",
                "On the server it answers with the first value and never changes.",
            ]),
            7 + at * 3,
            numbers.of(&[
                "Cancel it when the berth is free again, or the signal stays red for everybody else in the roads.",
                "Nothing is drawn until the value is there, so give the person something to look at in between.",
                "The object may be passed on; whoever holds it last ends it, and nobody else has to care.",
            ]),
        );
    }
    out
}
