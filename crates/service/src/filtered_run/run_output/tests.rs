//! What a run shows: the agent's limits, one stream or two, and what is left alone.

use super::*;

#[test]
fn a_failing_output_is_cut_only_where_the_filter_for_any_command_is_on() {
    let argv = ["make".to_owned()];
    let text: String = (0..2_000).map(|n| format!("step {n} of something\n")).collect();
    let agent = agents::by_id("claude-code");
    let bounded = |off: &[String]| {
        let set = FilterSet::load(None, None, off);
        let run_output = RunOutput::new(&set, &argv, None, true, agent);
        Answer::of_command(&set, "make", Some(1), &text, run_output.shown_bytes(&text, 1), SAMPLE_ADDRESS)
    };
    let cut = bounded(&[]).unwrap().with_address(SAMPLE_ADDRESS);
    assert!(cut.len() <= 10_000, "{}", cut.len());
    assert_eq!(bounded(&[filters::GENERIC.to_owned()]), None);
}

#[test]
fn two_outputs_together_are_no_longer_than_the_agent_would_show() {
    let set = FilterSet::builtin();
    let argv = ["make".to_owned()];
    let stream = |bytes: usize| Shortened { text: "a line\n".repeat(bytes / 7), ..Shortened::default() };
    for id in ["claude-code", "copilot-cli", "codex"] {
        let run_output = RunOutput::new(&set, &argv, None, true, agents::by_id(id));
        for (out, err) in [(40_000, 0), (0, 40_000), (300, 40_000), (40_000, 300), (40_000, 40_000)] {
            let raw = "a line\n".repeat(40_000);
            let most = run_output.shown_bytes(&raw, 0);
            let (out, err) = run_output.fit_both(stream(out), stream(err), most).unwrap();
            let all = out.with_address(Some(SAMPLE_ADDRESS)).len() + err.text.len();
            assert!(all <= most, "{id}: {all} of {most}");
        }
    }
}

/// Turbo prints that a task failed to standard error, and everything else to standard output.
#[test]
fn packages_stay_apart_beside_their_runners_standard_error() {
    let set = FilterSet::builtin();
    let argv = ["turbo".to_owned(), "run".to_owned(), "test".to_owned()];
    let mut out = String::from("• Packages in scope: api, web\n");
    for name in ["api", "web"] {
        out.push_str(&format!("{name}:test: cache miss, executing 5e4c5b3e8f3a2d1c\n"));
    }
    for n in 0..400 {
        out.push_str(&format!("api:test: ok {n} - adds a row\nweb:test: read part {n}\n"));
    }
    out.push_str(
        "web:test: ERROR the disk is full\n\n Tasks:    1 successful, 2 total\nFailed:    web#test\n",
    );
    let err = "web#test:  ERROR  command (/home/ana/shop/web) npm run test exited (1)\n";
    for id in ["claude-code", "codex"] {
        let run_output = RunOutput::new(&set, &argv, None, true, agents::by_id(id));
        let limit = run_output.shown_bytes(&format!("{out}{err}"), 1);
        let parts = run_output.shortened_streams("turbo run test", &out, err, 1, limit).unwrap();
        let [(OutputStream::Err, other), (OutputStream::Out, shown)] = parts.as_slice() else {
            panic!("{} parts", parts.len());
        };
        assert_eq!(other.text, err, "{id}");
        let shown = shown.with_address(Some(SAMPLE_ADDRESS));
        assert!(shown.len() + err.len() <= limit, "{id}: {} of {limit}", shown.len());
        let (web, api) =
            (shown.find("lines with \"web:test: \" in front:"), shown.find("lines with \"api:test: \""));
        assert!(web.is_some() && web < api, "{id}: {shown}");
        assert!(shown.contains("\nERROR the disk is full\n"), "{id}: {shown}");
    }
}

#[test]
fn a_flood_is_passed_on_where_the_filter_for_any_command_is_off() {
    let argv = ["plimsoll-none".to_owned()];
    let set = FilterSet::load(None, None, &[filters::GENERIC.to_owned()]);
    let mut run_output = RunOutput::new(&set, &argv, None, true, None);
    run_output.mode = Mode::Buffering;
    run_output.buffered_bytes = BUFFER_BYTES;
    // Empty, so that the test prints nothing.
    run_output.buffered = vec![(OutputStream::Out, Vec::new())];
    run_output.start_streaming(false);
    assert!(matches!(run_output.mode, Mode::PassThrough));
}

/// At the end of a pipe the exit code is another program's: the host may show as much as for a failure or for a
/// success.
#[test]
fn at_the_end_of_a_pipe_the_smaller_limit_applies() {
    let set = FilterSet::builtin();
    let argv = ["make".to_owned()];
    let text = "step of something\n".repeat(1_500);
    let mut run_output = RunOutput::new(&set, &argv, None, true, agents::by_id("claude-code"));
    let alone = run_output.shown_bytes(&text, 0);
    run_output.exit_code_unknown = true;
    assert!(
        alone == text.len() && run_output.shown_bytes(&text, 0) == 10_000,
        "{alone} {}",
        run_output.shown_bytes(&text, 0)
    );
}

#[test]
fn a_scripts_output_is_buffered_until_a_tool_is_recognised() {
    let set = FilterSet::builtin();
    for (argv, printed, waits) in [
        (["./ci.sh", "all"], "building\n", true),
        (["./ci.sh", "all"], "building\n===== test session starts =====\ncollected 2 items\n", false),
        (["make", "test"], "building\n", true),
        (["make", "test"], "make: Entering directory '/src'\n", false),
        (["cargo", "test"], "building\n", false),
        (["plimsoll-none", "x"], "building\n", false),
    ] {
        let argv = argv.map(str::to_owned);
        let mut run_output = RunOutput::new(&set, &argv, None, true, None);
        run_output.buffered = vec![(OutputStream::Out, printed.into())];
        assert_eq!(run_output.needs_complete_output(), waits, "{argv:?} {printed:?}");
    }
}

/// A test that is named by its value has a NUL in its name, and everything else of the report is text.
#[test]
fn one_stray_byte_in_a_report_does_not_switch_its_filter_off() {
    let set = FilterSet::builtin();
    let argv = ["npx".to_owned(), "vitest".to_owned()];
    let lines = " \u{2713} adds a row 1ms\n".repeat(200).into_bytes();
    let mut run_output = RunOutput::new(&set, &argv, None, true, None);
    for (stray, is_text) in
        [(&b""[..], true), (&b"\0"[..], true), (&b"\xff"[..], true), (&b"\0\xff\0\xff\0\xff"[..], false)]
    {
        run_output.buffered =
            vec![(OutputStream::Out, [lines.as_slice(), stray].concat()), (OutputStream::Err, Vec::new())];
        assert_eq!(run_output.is_text(true), is_text, "{stray:?}");
        assert_eq!(run_output.is_text(false), stray.is_empty(), "{stray:?}");
    }
}
