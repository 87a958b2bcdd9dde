//! Any output: the extract keeps its budget and its counts, finds a planted failure, and does not depend on how the
//! output was cut into parts.
#![no_main]

use libfuzzer_sys::fuzz_target;
use text::failures::{Failures, extract};

fuzz_target!(|data: (u16, u8, u8, &str)| {
    let (budget, context, step, output) = data;
    let budget = usize::from(budget);
    let context = usize::from(context % 5);
    let whole = extract(output, context, budget);
    assert!(whole.text.len() <= budget);
    assert!(whole.shown <= whole.failures);
    assert_eq!(whole.bytes, output.len());
    let mut parts = Failures::new(context);
    let mut rest = output;
    while !rest.is_empty() {
        let (part, more) = rest.split_at(rest.ceil_char_boundary(usize::from(step) + 1));
        parts.text(part);
        rest = more;
    }
    assert_eq!(parts.finish(budget), whole);
    let planted = format!("{output}\nERROR: needle 4711 broke\n");
    assert!(extract(&planted, context, 200_000 + planted.len() * 4).text.contains("needle 4711"));
    let clean = text::strip_ansi(output);
    assert_eq!(text::strip_ansi(&clean), clean);
});
