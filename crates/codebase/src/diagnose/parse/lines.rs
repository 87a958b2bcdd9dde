//! Reads checkers that print a line for each thing they find: tsc, mypy, go vet.

use super::{At, Diagnostic, Severity};

/// `src/a.ts(3,5): error TS2322: Type 'string' …`, and without a place what is wrong with the settings: `error TS2688: Cannot find …`.
pub(super) fn tsc(at: &At<'_>, config: &str, printed: &str) -> Vec<Diagnostic> {
    let of_config = |line: &str| {
        let (code, message) = line.strip_prefix("error ")?.split_once(": ")?;
        let is_code = code.strip_prefix("TS").is_some_and(|figures| figures.parse::<u32>().is_ok());
        is_code.then(|| at.diagnostic(config, (0, 0), Severity::Error, code, message)).flatten()
    };
    let one = |line: &str| {
        if let Some(found) = of_config(line) {
            return Some(found);
        }
        let (place, rest) = line.split_once("): ")?;
        let (file, place) = place.rsplit_once('(')?;
        let (row, column) = place.split_once(',')?;
        let (severity, rest) = rest.split_once(' ')?;
        let severity = match severity {
            "error" => Severity::Error,
            "warning" => Severity::Warning,
            _ => return None,
        };
        let (code, message) = rest.split_once(": ")?;
        at.diagnostic(file, (row.parse().ok()?, column.parse().ok()?), severity, code, message)
    };
    printed.lines().filter(|line| !line.starts_with([' ', '\t'])).filter_map(one).collect()
}

/// `src/a.py:3:5: error: Incompatible types in assignment  [assignment]`; settings may add where it ends.
pub(super) fn mypy(at: &At<'_>, printed: &str) -> Vec<Diagnostic> {
    let one = |line: &str| {
        let (severity, (place, rest)) = match line.split_once(": error: ") {
            Some(parts) => (Severity::Error, parts),
            None => (Severity::Warning, line.split_once(": warning: ")?),
        };
        let (mut file, mut numbers) = (place, Vec::<u64>::new());
        while let Some((before, number)) = file.rsplit_once(':')
            && let Ok(number) = number.parse::<u64>()
        {
            file = before;
            numbers.insert(0, number);
        }
        let coded = rest.strip_suffix(']').and_then(|rest| rest.rsplit_once("  ["));
        let (message, code) = coded.unwrap_or((rest, ""));
        let place = (*numbers.first()?, numbers.get(1).copied().unwrap_or(0));
        at.diagnostic(file, place, severity, code, message)
    };
    printed.lines().filter_map(one).collect()
}

/// `./a.go:3:5: undefined: total`, of the compiler or behind `vet: `, and what vet found, which newer ones put below `# [package]`.
pub(super) fn go(at: &At<'_>, printed: &str) -> Vec<Diagnostic> {
    // A module that isn't on this computer isn't the code's fault, and then nothing was looked at.
    if printed.contains("disabled by GOPROXY=off") {
        return Vec::new();
    }
    let mut is_finding = false;
    let one = |line: &str| {
        if let Some(heading) = line.strip_prefix("# ") {
            is_finding = heading.starts_with('[');
            return None;
        }
        let by_compiler = line.strip_prefix("vet: ");
        let (severity, code) = match by_compiler {
            None if is_finding => (Severity::Warning, "vet"),
            _ => (Severity::Error, ""),
        };
        let (file, rest) = by_compiler.unwrap_or(line).split_once(".go:")?;
        let (row, rest) = rest.split_once(':')?;
        let column =
            rest.split_once(": ").and_then(|(column, rest)| Some((column.parse::<u64>().ok()?, rest)));
        let (column, message) = column.unwrap_or((0, rest));
        at.diagnostic(&format!("{file}.go"), (row.parse().ok()?, column), severity, code, message)
    };
    printed.lines().filter(|line| !line.starts_with([' ', '\t'])).filter_map(one).collect()
}
