//! Any output of any command, known to a filter or not: it is never longer afterwards, the same twice, and what must stay
//! stays. The first byte chooses among the commands that are known; the last choice takes the first line as the command.
#![no_main]

use std::sync::LazyLock;

use filters::{FilterSet, check, shorten};
use libfuzzer_sys::fuzz_target;

static SET: LazyLock<FilterSet> = LazyLock::new(FilterSet::builtin);
static COMMANDS: LazyLock<Vec<String>> =
    LazyLock::new(|| SET.list().into_iter().flat_map(|listed| listed.commands).collect());

fuzz_target!(|data: &[u8]| {
    let [high, low, exit, bytes @ ..] = data else { return };
    let text = String::from_utf8_lossy(bytes);
    let choice = usize::from(u16::from_be_bytes([*high, *low])) % (COMMANDS.len() + 1);
    let (command, output) = match COMMANDS.get(choice) {
        Some(command) => (command.as_str(), &*text),
        None => text.split_once('\n').unwrap_or((&text, "")),
    };
    let exit = (*exit < 200).then_some(i32::from(*exit));
    let done = shorten(&SET, command, exit, output);
    assert_eq!(done, shorten(&SET, command, exit, output));
    let form = done.as_ref().and_then(|done| check::form(&done.filter));
    let wrong = check::laws(form, output, done.as_ref());
    assert!(wrong.is_empty(), "{command}: {wrong:?}");
});
