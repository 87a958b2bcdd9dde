//! Packages that npm, pnpm or yarn call deprecated, a line each: the first stay with their reasons, the others by name.
//! Owns the forms of these lines.

use crate::Left;
use crate::counted::counted;
use crate::guard::must_stay;
use crate::normal;

/// What is before a package, and what such lines are.
const FORMS: [(&str, &str); 5] = [
    ("npm warn deprecated ", "deprecated packages"),
    ("npm WARN deprecated ", "deprecated packages"),
    (" WARN  deprecated ", "deprecated packages"),
    ("WARN  deprecated ", "deprecated packages"),
    ("warning ", "warnings about packages"),
];
/// How other lines begin that may be among them. Any other ends the list.
const AMONG: [&str; 4] = ["npm ", "WARN ", "warning ", "info "];
/// So many have their reasons.
const WHOLE: usize = 3;
/// A list of names stands for no fewer lines.
const LEAST: usize = 3;

/// The lines of one list that aren't written yet.
#[derive(Default)]
struct Rest<'t> {
    /// How many were written.
    whole: usize,
    /// Where the names of the others are written, and what they are.
    at: usize,
    what: &'static str,
    names: Vec<&'t str>,
    lines: Vec<&'t str>,
}

/// Whether a line is one of them.
pub(crate) fn begins(line: &str) -> bool {
    package(line).is_some()
}

/// The text with all but the first of each list in one line.
pub(crate) fn with_names_in_one_line(text: &str) -> Option<Left> {
    let mut out = String::with_capacity(text.len());
    let mut rest = Rest::default();
    let mut any = false;
    for line in normal::lines(text) {
        match package(line) {
            Some((name, what)) if rest.whole >= WHOLE && !must_stay(line) => {
                if rest.names.is_empty() {
                    (rest.at, rest.what) = (out.len(), what);
                }
                rest.names.push(name);
                rest.lines.push(line);
                any |= rest.names.len() >= LEAST;
                continue;
            }
            Some(_) => rest.whole += 1,
            None if ends(line) => std::mem::take(&mut rest).write(&mut out),
            None => {}
        }
        out.extend([line, "\n"]);
    }
    rest.write(&mut out);
    any.then(|| (out, Vec::new()))
}

impl Rest<'_> {
    fn write(self, out: &mut String) {
        if self.names.is_empty() {
            return;
        }
        let text = if self.names.len() < LEAST {
            self.lines.join("\n")
        } else {
            let what = counted(self.names.len(), &format!("more {}", self.what));
            format!("… {what}: {}", self.names.join(", "))
        };
        out.insert_str(self.at, &format!("{text}\n"));
    }
}

/// Whether a list ends above this line.
fn ends(line: &str) -> bool {
    let line = line.trim_start();
    !line.is_empty() && !AMONG.iter().any(|begin| line.starts_with(begin))
}

/// `glob@7.2.3` of `npm warn deprecated glob@7.2.3: Glob versions prior to v9 are no longer supported`, and what the line
/// is; yarn names those that need it before it: `warning eslint > glob@7.2.3: …`.
fn package(line: &str) -> Option<(&str, &'static str)> {
    let (rest, what) = FORMS.iter().find_map(|(before, what)| Some((line.strip_prefix(before)?, *what)))?;
    let (chain, _) = rest.split_once(": ")?;
    let name = chain.rsplit(" > ").next().unwrap_or(chain);
    let (package, version) = name.rsplit_once('@')?;
    let is_package = !package.is_empty()
        && !name.contains(char::is_whitespace)
        && version.starts_with(|c: char| c.is_ascii_digit());
    is_package.then_some((name, what))
}

#[cfg(test)]
mod tests {
    use super::with_names_in_one_line;

    #[test]
    fn each_package_is_named_and_the_first_have_their_reasons() {
        for (before, what) in [
            ("npm warn deprecated ", "deprecated packages"),
            (" WARN  deprecated ", "deprecated packages"),
            ("warning eslint > @scope/table > ", "warnings about packages"),
        ] {
            let line = |n: usize| format!("{before}@org/part{n}@1.{n}.0: part {n} has moved\n");
            let text: String = (0..3).map(line).collect();
            let end = "added 9 packages in 14s\n";
            assert!(with_names_in_one_line(&format!("{text}{end}")).is_none());
            let more: String = (3..6).map(line).collect();
            let (out, left_out) = with_names_in_one_line(&format!("{text}{more}{end}")).unwrap();
            assert_eq!(
                out,
                format!("{text}… 3 more {what}: @org/part3@1.3.0, @org/part4@1.4.0, @org/part5@1.5.0\n{end}")
            );
            assert!(left_out.is_empty());
        }
    }

    #[test]
    fn a_second_command_has_its_own_list_and_other_warnings_stay() {
        let line = |n: usize| format!("npm warn deprecated part{n}@1.{n}.0: moved\n");
        let list = |from: usize| {
            let lines: Vec<String> = (from..from + 6).map(line).collect();
            format!(
                "{}npm warn EBADENGINE Unsupported engine {{ package: 'a@1.0.0: b' }}\n{}added {from} packages in 2s\n",
                lines[..5].concat(),
                lines[5]
            )
        };
        let (out, _) = with_names_in_one_line(&(list(10) + &list(20))).unwrap();
        for from in [10, 20] {
            let part = format!(
                "… 3 more deprecated packages: part{}@1.{}.0, part{}@1.{}.0, part{}@1.{}.0\nnpm warn EBADENGINE Unsupported engine {{ package: 'a@1.0.0: b' }}\nadded {from} packages in 2s\n",
                from + 3,
                from + 3,
                from + 4,
                from + 4,
                from + 5,
                from + 5
            );
            assert!(out.contains(&part), "{part}: {out}");
        }
        // A reason that states a failure stays.
        let lines: String = (0..9).map(line).collect();
        let (out, _) =
            with_names_in_one_line(&lines.replace("part5@1.5.0: moved", "part5@1.5.0: its build failed"))
                .unwrap();
        assert!(out.contains("\nnpm warn deprecated part5@1.5.0: its build failed\n"), "{out}");
        assert!(out.contains("… 5 more deprecated packages: part3@1.3.0, part4@1.4.0, part6@1.6.0"), "{out}");
        // Two more lines stay as they are.
        let few = format!("{}added 5 packages in 1s\n{}", (0..5).map(line).collect::<String>(), list(10));
        let (out, _) = with_names_in_one_line(&few).unwrap();
        assert!(out.starts_with(&(0..5).map(line).collect::<String>()), "{out}");
    }

    #[test]
    fn other_warnings_of_yarn_are_not_about_a_version() {
        let text =
            "warning \" > react-dom@18.2.0\" has incorrect peer dependency \"react@^18.2.0\".\n".repeat(5);
        assert!(with_names_in_one_line(&text).is_none());
        assert!(with_names_in_one_line(&"warning package.json: No license field\n".repeat(5)).is_none());
    }
}
