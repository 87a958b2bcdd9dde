//! What a run shows: how much its agent has room for, one output or two, and what is left alone.

use super::*;

#[test]
fn a_failing_output_is_cut_only_where_the_filter_for_any_command_is_on() {
    let argv = ["make".to_owned()];
    let text: String = (0..2_000).map(|n| format!("step {n} of something\n")).collect();
    let agent = agents::by_id("claude-code");
    let bounded = |off: &[String]| {
        let set = FilterSet::load(None, None, off);
        let shown = Shown::new(&set, &argv, None, true, agent);
        Answer::of_command(&set, "make", Some(1), &text, shown.room(&text, 1), ADDRESS)
    };
    let cut = bounded(&[]).unwrap().with_address(ADDRESS);
    assert!(cut.len() <= 10_000, "{}", cut.len());
    assert_eq!(bounded(&[filters::GENERIC.to_owned()]), None);
}

#[test]
fn two_outputs_together_are_no_longer_than_the_agent_would_show() {
    let set = FilterSet::builtin();
    let argv = ["make".to_owned()];
    let part = |bytes: usize| Shortened { text: "a line\n".repeat(bytes / 7), ..Shortened::default() };
    for id in ["claude-code", "copilot-cli", "codex"] {
        let shown = Shown::new(&set, &argv, None, true, agents::by_id(id));
        for (out, err) in [(40_000, 0), (0, 40_000), (300, 40_000), (40_000, 300), (40_000, 40_000)] {
            let raw = "a line\n".repeat(40_000);
            let most = shown.room(&raw, 0);
            let (out, err) = shown.both_within(part(out), part(err), most).unwrap();
            let all = out.with_address(Some(ADDRESS)).len() + err.text.len();
            assert!(all <= most, "{id}: {all} of {most}");
        }
    }
}

#[test]
fn a_flood_is_passed_on_where_the_filter_for_any_command_is_off() {
    let argv = ["plimsoll-none".to_owned()];
    let set = FilterSet::load(None, None, &[filters::GENERIC.to_owned()]);
    let mut shown = Shown::new(&set, &argv, None, true, None);
    shown.mode = Mode::Holding;
    shown.held_bytes = HELD;
    // Empty, so that the test prints nothing.
    shown.held = vec![(Part::Out, Vec::new())];
    shown.let_go(false);
    assert!(matches!(shown.mode, Mode::Passing));
}

/// At the end of a pipe the code is another program's: the host may show as much as of a failure or as of a success.
#[test]
fn at_the_end_of_a_pipe_the_least_of_both_is_shown() {
    let set = FilterSet::builtin();
    let argv = ["make".to_owned()];
    let text = "step of something\n".repeat(1_500);
    let mut shown = Shown::new(&set, &argv, None, true, agents::by_id("claude-code"));
    let alone = shown.room(&text, 0);
    shown.ends_elsewhere = true;
    assert!(alone == text.len() && shown.room(&text, 0) == 10_000, "{alone} {}", shown.room(&text, 0));
}
