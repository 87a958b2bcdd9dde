//! Several runs of one test runner in one output, as scripts print them that test one package after the other: each
//! is shortened separately in its share of the room, so that no failure is listed below another run's heading and
//! none is cut because an earlier run also failed. Owns the shares; each report decides where a run begins.

use crate::cap::ends_of;
use crate::fit::shared;
use crate::{Left, normal};

/// The maximum number of runs that get shares of the room, and the minimum share, in bytes.
const MOST: usize = 40;
const LEAST: usize = 400;

/// A step's result for a report in about so many bytes.
type Step = fn(&str, usize) -> Option<Left>;

/// The result of `step` for each run in `text`, in about `room` bytes for all of them. `begins` gives the lines where
/// runs begin; the lines above the first one belong to it.
pub(crate) fn by_run(text: &str, room: usize, begins: fn(&[&str]) -> Vec<usize>, step: Step) -> Option<Left> {
    let lines: Vec<&str> = normal::lines(text).collect();
    let begins = begins(&lines);
    if begins.len() < 2 {
        return step(text, room);
    }
    let mut texts: Vec<String> = Vec::with_capacity(begins.len());
    let mut from = 0;
    for end in begins[1..].iter().copied().chain([lines.len()]) {
        texts.push(lines[from..end].iter().map(|line| format!("{line}\n")).collect());
        from = end;
    }
    let mut runs: Vec<Run> = texts.iter().map(|text| Run::new(text, room, step)).collect();
    let wanted: Vec<usize> = runs.iter().map(|run| run.text.len()).collect();
    // A step only reads the first run: if there are too many, each is still shortened, and failures are cut last in
    // all of them.
    let has_shares = begins.len() <= MOST && room / begins.len() >= LEAST;
    for (at, granted) in shared(&wanted, room).into_iter().enumerate() {
        if has_shares && granted < wanted[at] {
            runs[at] = Run::new(&texts[at], granted, step);
            runs[at].text = ends_of(&runs[at].text, granted);
        }
    }
    if !runs.iter().any(|run| run.is_shortened) {
        return None;
    }
    let mut out = String::new();
    let mut left_out: Vec<(&'static str, usize)> = Vec::new();
    for run in &runs {
        out.push_str(&run.text);
        if !run.text.is_empty() && !run.text.ends_with('\n') {
            out.push('\n');
        }
        for (what, count) in &run.left_out {
            match left_out.iter_mut().find(|(known, _)| known == what) {
                Some((_, sum)) => *sum += count,
                None => left_out.push((*what, *count)),
            }
        }
    }
    let out = if has_shares { out } else { ends_of(&out, room) };
    Some((out, left_out))
}

/// What is left of one run.
struct Run {
    text: String,
    left_out: Vec<(&'static str, usize)>,
    is_shortened: bool,
}

impl Run {
    fn new(text: &str, room: usize, step: Step) -> Self {
        match step(text, room).filter(|(short, _)| short.len() < text.len()) {
            Some((text, left_out)) => Self { text, left_out, is_shortened: true },
            None => Self { text: text.to_owned(), left_out: Vec::new(), is_shortened: false },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::pytest_sessions::sessions;
    use super::super::{mocha, mocha_runs, phpunit, phpunit_runs, pytest, rspec, rspec_runs};
    use super::super::{tap, tap_runs, vitest, vitest_runs};
    use super::by_run;
    use crate::{FilterSet, Left, shorten_within};

    /// The values with which test `n` of a package failed.
    fn values(package: usize, n: usize) -> (usize, usize) {
        (1_000 + package * 100 + n, 5_000 + package * 100 + n)
    }

    /// The line at which it failed; a count of lines is less.
    fn place(package: usize, n: usize) -> usize {
        package * 10_000 + n * 3 + 1
    }

    fn of_pytest(package: usize, failed: usize) -> String {
        let mut text = format!("==> packages/p{package}\n{:=^80}\n", " test session starts ");
        text += &format!("{:=^80}\n", " FAILURES ");
        for n in 0..failed {
            let (expected, got) = values(package, n);
            text += &format!(
                "{:_^80}\n\n    def test_total_{n}():\n        cart = Cart()\n>       assert cart.total() == {expected}\nE       assert {got} == {expected}\nE        +  where {got} = total()\n\ntests/test_cart.py:{}: AssertionError\n",
                format!(" test_total_{n} "),
                place(package, n)
            );
            if n == 0 {
                text += &format!("{:-^80}\nloading the cart\n", " Captured stdout call ");
            }
        }
        text += &format!("{:=^80}\n", " short test summary info ");
        for n in 0..failed {
            let (expected, got) = values(package, n);
            text += &format!("FAILED tests/test_cart.py::test_total_{n} - assert {got} == {expected}\n");
        }
        text + &format!("{:=^80}\n", format!(" {failed} failed, 80 passed in 0.4{package}s "))
    }

    fn of_rspec(package: usize, failed: usize) -> String {
        let mut text = format!("==> packages/p{package}\n\nFailures:\n\n");
        for n in 0..failed {
            let (expected, got) = values(package, n);
            text += &format!(
                "  {}) Cart total {n} is right\n     Failure/Error: expect(cart.total).to eq({expected})\n\n       expected: {expected}\n            got: {got}\n\n       (compared using ==)\n     # ./spec/cart_spec.rb:{}:in `block (2 levels) in <top (required)>'\n\n",
                n + 1,
                place(package, n)
            );
        }
        text + &format!("Finished in 0.2 seconds\n80 examples, {failed} failures\n\n")
    }

    fn of_mocha(package: usize, failed: usize) -> String {
        let mut text = format!("> @shop/p{package}@1.0.0 test\n> mocha\n\n\n  Cart\n");
        for n in 0..failed {
            text += &format!("    {}) adds up the {n}th\n    ✔ rounds the {n}th\n", n + 1);
        }
        text += &format!("\n\n  {failed} passing (9ms)\n  {failed} failing\n\n");
        for n in 0..failed {
            let (expected, got) = values(package, n);
            text += &format!(
                "  {}) Cart\n       adds up the {n}th:\n\n      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n{got} !== {expected}\n\n      + expected - actual\n\n      -{got}\n      +{expected}\n      \n      at Context.<anonymous> (test/cart.test.js:{}:12)\n\n",
                n + 1,
                place(package, n)
            );
        }
        text + "npm error Lifecycle script `test` failed with error:\n"
    }

    fn of_phpunit(package: usize, failed: usize) -> String {
        let mut text = format!(
            "==> packages/p{package}\nPHPUnit 10.5.20 by Sebastian Bergmann and contributors.\n\nThere were {failed} failures:\n\n"
        );
        for n in 0..failed {
            let (expected, got) = values(package, n);
            text += &format!(
                "{}) Shop\\CartTest::testTotal{n}\nFailed asserting that {got} matches expected {expected}.\n\n/home/ana/shop/test/CartTest.php:{}\n\n",
                n + 1,
                place(package, n)
            );
        }
        text + &format!("FAILURES!\nTests: 80, Assertions: 90, Failures: {failed}.\n")
    }

    fn of_tap(package: usize, failed: usize) -> String {
        let mut text = format!("==> packages/p{package}\nTAP version 13\n");
        for n in 0..failed {
            let (expected, got) = values(package, n);
            text += &format!(
                "ok {} rounds\nnot ok {} adds up the {n}th\n  ---\n    operator: equal\n    expected: {expected}\n    actual:   {got}\n    at: Test.<anonymous> (/home/ana/shop/test/cart.js:{}:5)\n  ...\n",
                n * 2 + 1,
                n * 2 + 2,
                place(package, n)
            );
        }
        text + &format!("\n1..{0}\n# tests {0}\n# pass  {failed}\n# fail  {failed}\n\n", failed * 2)
    }

    fn of_vitest(package: usize, failed: usize) -> String {
        let mut text = format!("> vitest run\n\n RUN  v2.1.8 /home/ana/shop/packages/p{package}\n\n");
        text += &format!("Failed Tests {failed}\n\n");
        for n in 0..failed {
            let (expected, got) = values(package, n);
            text += &format!(
                " FAIL  test/cart.test.ts > cart > adds up the {n}th\nAssertionError: expected {got} to be {expected} // Object.is equality\n\n- Expected\n+ Received\n\n- {expected}\n+ {got}\n\n ❯ test/cart.test.ts:{}:12\n\n",
                place(package, n)
            );
        }
        text + &format!(" Test Files  1 failed (1)\n      Tests  {failed} failed (80)\n\n")
    }

    /// Each run's failures are listed between its first line and the first line of the next.
    #[test]
    fn a_failure_in_one_run_isnt_reported_in_another() {
        type Runs = fn(&[&str]) -> Vec<usize>;
        type Step = fn(&str, usize) -> Option<Left>;
        type Report = fn(usize, usize) -> String;
        let all: [(&str, Report, &str, Runs, Step); 6] = [
            ("pytest", of_pytest, "test session starts", sessions, pytest),
            ("rspec", of_rspec, "==> packages/p", rspec_runs, rspec),
            ("mocha", of_mocha, "> @shop/p", mocha_runs, mocha),
            ("phpunit", of_phpunit, "==> packages/p", phpunit_runs, phpunit),
            ("tap", of_tap, "==> packages/p", tap_runs, tap),
            ("vitest", of_vitest, "> vitest run", vitest_runs, vitest),
        ];
        for (runner, report, begins, runs, step) in all {
            let text: String = (1..=3).map(|package| report(package, 20)).collect();
            let room = 7_000.min(text.len() * 3 / 4);
            let (short, _) = by_run(&text, room, runs, step).unwrap_or_else(|| panic!("{runner}"));
            assert!(short.len() <= room, "{runner} {}: {short}", short.len());
            let parts: Vec<&str> = short.split(begins).collect();
            assert_eq!(parts.len(), 4, "{runner}: {short}");
            for (package, part) in parts.iter().enumerate().skip(1) {
                for n in 0..20 {
                    let line = place(package, n).to_string();
                    let has = |part: &str| part.split(|c: char| !c.is_ascii_digit()).any(|word| word == line);
                    assert!(has(part), "{runner} {package} {line}: {short}");
                    let told = parts.iter().filter(|part| has(part)).count();
                    assert_eq!(told, 1, "{runner} {line}: {short}");
                }
            }
        }
    }

    /// Where there are too many runs for shares, none counts as output printed after the first.
    #[test]
    fn each_of_many_runs_is_shortened() {
        let text: String = (1..=41).map(|package| of_rspec(package, 9)).collect();
        let room = text.len() / 10 * 9;
        let (short, _) = by_run(&text, room, rspec_runs, rspec).unwrap();
        assert!(short.len() <= room && short.len() < text.len(), "{}", short.len());
        let parts: Vec<&str> = short.split("==> packages/p").collect();
        assert_eq!(parts.len(), 42, "{short}");
        for (package, part) in parts.iter().enumerate().skip(1) {
            for n in 0..9 {
                let line = format!("cart_spec.rb:{}:", place(package, n));
                assert!(part.contains(&line), "{package} {line}: {part}");
            }
        }
    }

    /// The tree of tests above the failures names each of them, and is dropped if they have a list.
    #[test]
    fn lists_of_several_packages_are_grouped_by_package() {
        let mut text = String::from("Scope: 2 of 3 workspace projects\n");
        let tree: String = (0..60).map(|n| format!("   × cart > adds up the {n}th 9ms\n")).collect();
        for package in 1..=2 {
            text += &format!("packages/p{package} test$ vitest run\n");
        }
        for package in 1..=2 {
            let report = of_vitest(package, 60).replacen("Failed Tests", &format!("{tree}Failed Tests"), 1);
            for line in report.lines() {
                text += &format!("packages/p{package} test: {line}\n");
            }
            text += &format!("packages/p{package} test: Failed\n");
        }
        text += "/home/ana/shop/packages/p1:\n ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL  p1@1.0.0 test: `vitest run`\nExit status 1\n";
        let done = shorten_within(&FilterSet::builtin(), "pnpm -r test", Some(1), &text, 12_000).unwrap();
        for package in 1..=2 {
            let heading = format!("lines with \"packages/p{package} test: \" in front:\n");
            let (_, own) = done.text.split_once(&heading).unwrap_or_else(|| panic!("{}", done.text));
            let own = own.split("lines with ").next().unwrap_or_default();
            for n in 0..60 {
                assert!(own.contains(&format!(" {}:12 ", place(package, n))), "{package} {n}: {}", done.text);
            }
        }
    }

    #[test]
    fn a_phpunit_run_with_only_skips_does_not_end_the_next() {
        let text = String::from(
            "PHPUnit 9.6.3\n\nOK, but incomplete, skipped, or risky tests!\nTests: 3, Skipped: 1.\n\n",
        ) + &of_phpunit(1, 20);
        let (short, _) = phpunit(&text, 2_200).unwrap();
        assert!(short.len() <= 2_200 && short.contains("Failures: 20."), "{}: {short}", short.len());
        assert!((0..20).all(|n| short.contains(&place(1, n).to_string())), "{short}");
    }

    #[test]
    fn a_tap_report_has_one_plan() {
        for (text, begins) in [
            ("a\nTAP version 13\nok 1\n1..1\n# tests 1\n\nb\nTAP version 13\nok 1\n1..1\n", vec![0, 5]),
            ("TAP version 13\n1..1\nnot ok 1\n  ---\n  ...\nb\nTAP version 13\n1..1\nok 1\n", vec![0, 5]),
            ("TAP version 13\nok 1\nTAP version 13\nok 2\n1..2\n", vec![0]),
            ("ok\n", vec![]),
        ] {
            assert_eq!(tap_runs(&text.lines().collect::<Vec<_>>()), begins, "{text}");
        }
    }

    #[test]
    fn a_single_run_is_left_to_the_step() {
        let text = of_rspec(1, 20);
        assert_eq!(by_run(&text, 3_000, rspec_runs, rspec), rspec(&text, 3_000));
        // Runs in which the step has nothing to do stay unchanged.
        let text: String = (1..=3).map(|package| of_rspec(package, 1)).collect();
        assert_eq!(by_run(&text, 9_000, rspec_runs, rspec), None);
    }
}
