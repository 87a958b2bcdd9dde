//! Findings of esbuild and of the builds that use it, Angular's among them: a level and a message first, and below a blank line the
//! place with its source. Owns that form alone.

use std::borrow::Cow;

use super::finding::Finding;
use super::messages::trailing_rule;

/// The maximum number of lines of a message, and of source.
const MESSAGE: usize = 12;
const SOURCE: usize = 24;

/// `✘ [ERROR] TS2339: message` with `    src/cart.ts:12:5:` below it, and how many of the lines behind were used.
pub(super) fn headed<'t>(line: &'t str, rest: &[&'t str]) -> Option<(Finding<'t>, usize)> {
    let head = line.strip_prefix("✘ [").or_else(|| line.strip_prefix("▲ ["))?;
    let (severity, words) =
        head.split_once("] ").filter(|(level, _)| matches!(*level, "ERROR" | "WARNING"))?;
    let goes_on =
        rest.iter().take(MESSAGE).take_while(|line| !is_blank(line) && spot(line).is_none()).count();
    let blank = rest.get(goes_on..)?.iter().take_while(|line| is_blank(line)).count();
    let (file, at) = spot(rest.get(goes_on + blank).copied()?)?;
    let behind = rest.get(goes_on + blank + 1..)?;
    let beside: Vec<&'t str> =
        behind.iter().copied().take(SOURCE).take_while(|line| is_source(line)).collect();
    // A compiler's code comes first, esbuild's own name for a message last.
    let (rule, message) = match words.split_once(": ").filter(|(code, _)| is_code(code)) {
        Some(found) => found,
        None => {
            let (message, rule) = trailing_rule(words);
            (rule, message)
        }
    };
    let more: Vec<&'t str> = rest.iter().take(goes_on).map(|line| line.trim_end()).collect();
    let used = goes_on + blank + 1 + beside.len();
    let at = Cow::Borrowed(at);
    Some((Finding { file, at, severity, rule, message, times: 1, more, beside }, used))
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

/// The file and the `line:column` of `    src/cart.ts:12:5:`.
fn spot(line: &str) -> Option<(&str, &str)> {
    let place = line.strip_prefix("  ")?.trim().strip_suffix(':')?;
    let (before, column) = place.rsplit_once(':')?;
    let (file, number) = before.rsplit_once(':')?;
    let is_figure = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_place = !file.is_empty() && is_figure(number) && is_figure(column);
    is_place.then(|| (file, &place[file.len() + 1..]))
}

/// `      12 │ code`, `         ╵ ~~~~`.
fn is_source(line: &str) -> bool {
    let gutter = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    line.starts_with("  ") && gutter.starts_with(['│', '╵', '╷'])
}

/// `  dist/out.js  1.2mb ⚠️`: what was built, which is printed below the findings.
pub(super) fn is_built(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let (Some(_), Some(size)) = (words.next(), words.next()) else { return false };
    let Some(figure) = size.strip_suffix('b') else { return false };
    let figure = figure.strip_suffix(['k', 'm', 'g']).unwrap_or(figure);
    let is_size = figure.starts_with(|c: char| c.is_ascii_digit())
        && figure.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    is_size && words.all(|mark| mark.starts_with('⚠')) && line.trim().contains("  ")
}

/// `TS2339`, `NG8001`.
fn is_code(word: &str) -> bool {
    let figures = word.trim_start_matches(|c: char| c.is_ascii_uppercase());
    (2..word.len()).contains(&figures.len()) && figures.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::headed;
    use crate::diagnostics::by_file_and_rule;
    use crate::diagnostics::finding::Piece;
    use crate::diagnostics::parse::pieces;

    #[test]
    fn a_finding_has_its_place_below_the_message() {
        let rest = [
            "1. If 'app-cart' is a component, import it.",
            "",
            "    src/app/cart.html:12:5:",
            "      12 │ <app-cart />",
            "         ╵ ~~~~~~~~~~",
            "",
            "  Error occurs in the template of component Cart.",
        ];
        let line = "✘ [ERROR] NG8001: 'app-cart' is not a known element:";
        let (found, used) = headed(line, &rest).unwrap();
        assert_eq!((found.file, &*found.at), ("src/app/cart.html", "12:5"));
        assert_eq!((found.severity, found.rule), ("ERROR", "NG8001"));
        assert_eq!(found.message, "'app-cart' is not a known element:");
        assert_eq!(found.more, ["1. If 'app-cart' is a component, import it."]);
        assert_eq!(used, 5);
        let line = "▲ [WARNING] Using direct eval with a bundler is not recommended [direct-eval]";
        let (found, used) = headed(line, &["", "    C:\\shop\\gift.js:5:0:", "      5 │ eval()"]).unwrap();
        assert_eq!((found.file, &*found.at, found.severity), ("C:\\shop\\gift.js", "5:0", "WARNING"));
        assert_eq!((found.rule.trim_matches(['[', ']']), used), ("direct-eval", 3));
        assert_eq!(found.message, "Using direct eval with a bundler is not recommended");
        for (line, rest) in [
            ("✘ [ERROR] Cannot write output", &["", "1 error"][..]),
            ("✘ [INFO] built", &["", "    a.js:1:2:"]),
            ("✘ 12 [chromium] › cart.spec.ts:3:5", &["", "    a.js:1:2:"]),
            ("✘ [ERROR] no place", &["", "    at a.js:1:2"]),
            ("✘ [ERROR] nothing below", &[]),
        ] {
            assert!(headed(line, rest).is_none(), "{line}");
        }
    }

    #[test]
    fn build_lines_are_not_part_of_the_last_finding() {
        let text = "▲ [WARNING] Using direct eval [direct-eval]\n\n    src/gift.js:5:0:\n      5 │ eval()\n        ╵ ~~~~\n\n  You can avoid it.\n\n  dist/out.js      1.2mb ⚠️\n  dist/out.js.map    2kb\n\n⚡ Done in 30ms\n";
        let parts = pieces(text);
        let [Piece::Findings(findings, _), Piece::Text(shown)] = &parts[..] else {
            panic!("{parts:?}");
        };
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert!(findings[0].more.contains(&"  You can avoid it."), "{findings:?}");
        for built in ["  dist/out.js      1.2mb ⚠️", "  dist/out.js.map    2kb", "⚡ Done in 30ms"] {
            assert!(shown.contains(&built), "{built}: {parts:?}");
        }
    }

    #[test]
    fn every_place_and_rule_stays_when_errors_do_not_fit() {
        let one = |n: usize| {
            let file = ["cart", "order", "stock"][n % 3];
            format!(
                "✘ [ERROR] TS2339: Property 'total' does not exist on type 'Order'. [plugin angular-compiler]\n\n    src/app/{file}.component.ts:{n}:12:\n      {n} │     this.total = order.total;\n         ╵          ~~~~~\n\n\n"
            )
        };
        let text: String = (100..160).map(one).collect();
        let short =
            by_file_and_rule(&format!("Application bundle generation failed.\n\n{text}"), 3_000).unwrap();
        assert!(short.len() <= 3_000 && short.contains("Application bundle generation failed."), "{short}");
        assert!(short.contains("TS2339") && short.contains("Property 'total' does not exist"), "{short}");
        for n in 100..160 {
            assert!(short.contains(&format!("{n}:12")), "{n}: {short}");
        }
        for file in ["cart", "order", "stock"] {
            assert!(short.contains(&format!("src/app/{file}.component.ts")), "{short}");
        }
    }
}
