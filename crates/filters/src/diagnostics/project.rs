//! The project that MSBuild writes behind each message: `message [/srv/shop/Shop.Core/Shop.Core.csproj]`. Owns
//! separating it from the message, and when a finding's file already implies it: the file is below the project's
//! folder, that folder has the project's name, and no other project has that folder. Otherwise the project is part of
//! the finding. Also owns the number of a project in front of its lines, and the totals below all.

use std::collections::HashMap;

use super::finding::Finding;

/// The projects of a list of findings.
pub(super) struct Projects<'t> {
    /// By folder; `None` for a folder with several.
    by_folder: HashMap<&'t str, Option<&'t str>>,
}

impl<'t> Projects<'t> {
    pub(super) fn new(findings: &'t [Finding<'t>]) -> Self {
        let mut by_folder: HashMap<&str, Option<&str>> = HashMap::new();
        for (_, project) in findings.iter().filter_map(|finding| project(finding.message)) {
            if let Some(folder) = folder(project) {
                let of_folder = by_folder.entry(folder).or_insert(Some(project));
                *of_folder = of_folder.filter(|known| *known == project);
            }
        }
        Self { by_folder }
    }

    /// `message` without its project, if the name of the `file` identifies it.
    pub(super) fn without<'m>(&self, file: &str, message: &'m str) -> &'m str {
        // The file doesn't identify one of several frameworks.
        let Some((words, named)) = project(message).filter(|(_, named)| !named.contains("::")) else {
            return message;
        };
        let mut inner = folder(file);
        while let Some(name) = inner {
            if let Some(of_folder) = self.by_folder.get(name) {
                let is_told = *of_folder == Some(named) && has_name_of(name, named);
                return if is_told { words } else { message };
            }
            inner = folder(name);
        }
        message
    }
}

/// `line` without the number that MSBuild has in front of a project's lines where it builds several at once:
/// `     2>Cart.cs(3,9): …`. Otherwise, and if no project after the message says the same, the line is unchanged.
pub(crate) fn unnumbered(line: &str) -> &str {
    if project(line).is_none() {
        return line;
    }
    let bare = without_project_number(line);
    if bare.len() < line.trim().len() { bare } else { line }
}

/// `line` without such a number, whatever follows it.
pub(super) fn without_project_number(line: &str) -> &str {
    let line = line.trim();
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':').strip_prefix('>');
    rest.filter(|_| line.starts_with(|c: char| c.is_ascii_digit())).map_or(line, str::trim_start)
}

/// Whether MSBuild prints `line` beside its findings, without it being part of one.
pub(super) fn is_beside_findings(line: &str) -> bool {
    is_total(line) || names_built(line)
}

/// `    60 Error(s)`.
fn is_total(line: &str) -> bool {
    let words = line.trim().split_once(' ');
    words.is_some_and(|(count, of)| {
        count.bytes().all(|byte| byte.is_ascii_digit())
            && matches!(of, "Warning(s)" | "Error(s)" | "Warnung(en)" | "Fehler")
    })
}

/// A project's build result, a file or the published folder: `  Cart -> /srv/shop/Cart/bin/Debug/net9.0/Cart.dll`.
fn names_built(line: &str) -> bool {
    const ENDINGS: [&str; 7] = [".dll", ".exe", ".lib", ".nupkg", ".winmd", "/", "\\"];
    let file =
        line.trim().split_once(" -> ").filter(|(project, _)| !project.contains(' ')).map(|(_, file)| file);
    file.is_some_and(|file| file.contains(['/', '\\']) && ENDINGS.iter().any(|ending| file.ends_with(ending)))
}

/// The message and the project after it.
fn project(text: &str) -> Option<(&str, &str)> {
    let (message, named) = text.trim_end().strip_suffix(']')?.rsplit_once(" [")?;
    (is_project(named) && !message.trim().is_empty()).then(|| (message.trim_end(), named))
}

/// `Shop.csproj`, `Shop.csproj::TargetFramework=net8.0`.
fn is_project(named: &str) -> bool {
    let path = named.split_once("::").map_or(named, |(path, _)| path);
    let Some((stem, extension)) = path.rsplit_once('.') else { return false };
    let Some(kind) = extension.strip_suffix("proj") else { return false };
    let is_kind = (1..=6).contains(&kind.len()) && kind.bytes().all(|byte| byte.is_ascii_lowercase());
    is_kind && !stem.is_empty() && !stem.contains(['[', ']'])
}

/// The folder that a file or a folder is in.
fn folder(path: &str) -> Option<&str> {
    path.rfind(['/', '\\']).map(|end| &path[..end])
}

/// Whether the folder has the project's name, or the end of its name: `Core` of `Core/Shop.Core.csproj`.
fn has_name_of(folder: &str, project: &str) -> bool {
    let (folder, file) = (last(folder), last(project));
    let name = file.rsplit_once('.').map_or(file, |(name, _)| name);
    let end = name.len().checked_sub(folder.len()).and_then(|at| name.split_at_checked(at));
    end.is_some_and(|(front, end)| {
        end.eq_ignore_ascii_case(folder) && (front.is_empty() || front.ends_with('.'))
    })
}

/// The last name of a path.
fn last(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::super::by_file_and_rule;
    use super::super::finding::Piece;
    use super::super::parse::pieces;
    use super::{Projects, is_total, names_built, project, unnumbered};
    use crate::laws::{Form, laws};
    use crate::{FilterSet, shorten_within};

    #[test]
    fn a_projects_number_is_distinguished_from_other_figures() {
        let numbered = "C:\\shop\\A.cs(3,9): error CS1: no 'x' [C:\\shop\\A.csproj]";
        for front in ["2>", "     2>", "  12:3>"] {
            assert_eq!(unnumbered(&format!("{front}{numbered}")), numbered, "{front}");
        }
        for line in [
            "  3:9 no 'x' [/srv/A.csproj]",
            "> no 'x' [/srv/A.csproj]",
            "2 > 1 [/srv/A.csproj]",
            "     2>Cart.cs(3,9): error CS1: no 'x'",
            "",
        ] {
            assert_eq!(unnumbered(line), line);
        }
        assert!(["    0 Warning(s)", "    60 Error(s)", "    2 Fehler"].into_iter().all(is_total));
        assert!(!["    Error(s)", "    2 errors", "    2 Error(s) of 3"].into_iter().any(is_total));
    }

    #[test]
    fn a_project_that_was_built_isnt_a_part_of_what_is_found_in_another() {
        let finding = |n: usize| {
            format!(
                "/srv/shop/Web/Page{n}.cs({n},9): error CS0103: The name 'tax{n}' does not exist [/srv/shop/Web/Web.csproj]\n"
            )
        };
        let text: String = (10..40)
            .map(|n| match n {
                25 => finding(n) + "  Cart -> /srv/shop/Cart/bin/Debug/net9.0/Cart.dll\n",
                _ => finding(n),
            })
            .collect();
        let parts = pieces(&text);
        let found = parts.iter().filter_map(|part| match part {
            Piece::Findings(findings, _) => Some(findings),
            Piece::Text(_) => None,
        });
        let found: Vec<_> = found.flatten().collect();
        assert!(found.len() == 30 && found.iter().all(|one| one.more.is_empty()), "{parts:?}");
        for line in ["  see a -> b", "  a -> b.dll", "  a b -> /srv/c.dll", "  a -> /srv/c.rs"] {
            assert!(!names_built(line), "{line}");
        }
        for line in [
            "  Web -> C:\\shop\\Web\\bin\\Web.exe",
            "  Till.vcxproj -> C:\\shop\\x64\\Debug\\Till.lib",
            "  Web -> /srv/shop/Web/bin/Release/net9.0/publish/",
        ] {
            assert!(names_built(line), "{line}");
        }
    }

    /// As MSBuild prints it where it builds several projects at once: with their numbers, and once more without.
    #[test]
    fn findings_after_project_numbers_are_listed_once_without_totals() {
        let finding = |n: usize| {
            let name = ["Core", "Web", "Till"][n % 3];
            format!(
                "C:\\shop\\{name}\\Cart.cs({n},9): error CS0103: The name 'tax{n}' does not exist in the current context [C:\\shop\\{name}\\{name}.csproj]\n"
            )
        };
        let first: String = (100..160).map(|n| format!("     {}>{}", n % 3 + 2, finding(n))).collect();
        let again: String = (100..160).map(|n| format!("         {}", finding(n))).collect();
        let text = format!(
            "Build started 11/29/2026 3:12:11 PM.\n     1>Project \"C:\\shop\\shop.sln\" on node 1 (Build target(s)).\n     2>CoreCompile:\n{first}\nBuild FAILED.\n\n       \"C:\\shop\\shop.sln\" (Build target) (1) ->\n{again}\n    0 Warning(s)\n    60 Error(s)\n\nTime Elapsed 00:00:04.12\n"
        );
        let done = shorten_within(&FilterSet::builtin(), "msbuild /m", Some(1), &text, 24_000).unwrap();
        assert!(done.text.len() * 4 < text.len(), "{}", done.text);
        for n in 100..160 {
            assert_eq!(done.text.matches(&format!("{n}:9")).count(), 1, "{n}: {}", done.text);
        }
        assert!(done.text.lines().any(|line| line == "    60 Error(s)"), "{}", done.text);
        let wrong = laws(Form::Report, &text, Some(&done));
        assert!(wrong.is_empty(), "{wrong:?}\n{}", done.text);
    }

    #[test]
    fn a_project_is_distinguished_from_other_brackets() {
        for (text, words, named) in [
            ("no 'x' [/srv/shop/Shop.Core.csproj]", "no 'x'", "/srv/shop/Shop.Core.csproj"),
            ("no 'x' [C:\\my shop\\Till.vcxproj]", "no 'x'", "C:\\my shop\\Till.vcxproj"),
            (
                "no [x] [/srv/A.fsproj::TargetFramework=net8.0]",
                "no [x]",
                "/srv/A.fsproj::TargetFramework=net8.0",
            ),
        ] {
            assert_eq!(project(text), Some((words, named)), "{text}");
        }
        for text in
            ["no 'x' [CS0103]", "see [a.proj]", "[/srv/A.csproj]", "no [/srv/A.csproj", "see [.csproj]"]
        {
            assert_eq!(project(text), None, "{text}");
        }
    }

    #[test]
    fn a_project_is_dropped_only_where_the_file_identifies_it() {
        let line = |file: &str, project: &str| format!("{file}(3,9): error CS1: no 'x' [{project}]\n");
        let text = [
            line("/srv/shop/core/Cart.cs", "/srv/shop/core/Core.csproj"),
            // Another folder's file.
            line("/srv/shop/shared/Tax.cs", "/srv/shop/core/Core.csproj"),
            // A project within another one's folder.
            line("/srv/shop/core/till/Till.cs", "/srv/shop/core/till/Till.csproj"),
            line("/srv/shop/core/till/Till.cs", "/srv/shop/core/Core.csproj"),
            // Two projects in one folder, or one for two frameworks.
            line("/srv/shop/web/Page.cs", "/srv/shop/web/Web.csproj"),
            line("/srv/shop/web/Page.cs", "/srv/shop/web/Tests.csproj"),
            line("/srv/shop/jar/Jar.cs", "/srv/shop/jar/Jar.csproj::TargetFramework=net8.0"),
            line("/srv/shop/jar/Jar.cs", "/srv/shop/jar/Jar.csproj::TargetFramework=net9.0"),
            line("/srv/shop/tin/Tin.cs", "/srv/shop/tin/Tin.csproj::TargetFramework=net8.0"),
            // A folder with another name, and with the end of the name.
            line("/srv/shop/box/Box.cs", "/srv/shop/box/Tests.csproj"),
            line("/srv/shop/can/Can.cs", "/srv/shop/can/Shop.Can.csproj"),
            line("/srv/shop/pan/Pan.cs", "/srv/shop/pan/ShopPan.csproj"),
            // A place within the project, as MSBuild alone prints it.
            line("src/Cart.cs", "/srv/shop/core/Core.csproj"),
        ]
        .concat();
        let parts = pieces(&text);
        let [Piece::Findings(findings, _)] = &parts[..] else { panic!("{parts:?}") };
        let projects = Projects::new(findings);
        let gone: Vec<bool> =
            findings.iter().map(|one| projects.without(one.file, one.message) == "no 'x'").collect();
        let told = [0_usize, 2, 10];
        assert!((0..13).all(|at| gone.get(at) == Some(&told.contains(&at))), "{gone:?}");
    }

    #[test]
    fn a_rule_is_one_rule_in_all_projects() {
        let finding = |n: usize| {
            let name = ["Core", "Ledger", "Web", "Till"][n % 4];
            format!(
                "/srv/shop/src/Shop.{name}/Cart.cs({n},9): warning CS0219: The variable 'tax{n}' is assigned but its value is never used [/srv/shop/src/Shop.{name}/Shop.{name}.csproj]\n"
            )
        };
        let text: String = (100..180).map(finding).collect();
        let short = by_file_and_rule(&text, 24_000).unwrap();
        assert!(!short.contains("csproj") && !short.contains("CS0219#2"), "{short}");
        assert_eq!(short.matches("is assigned but its value is never used").count(), 1, "{short}");
        assert!((100..180).all(|n| short.contains(&format!("{n}:9 'tax{n}'"))), "{short}");
    }

    /// MSBuild alone names files within their project, and builds one for several frameworks.
    #[test]
    fn a_finding_keeps_its_project_where_no_file_identifies_it() {
        let projects = [
            "Core.csproj",
            "Web.csproj",
            "Till.csproj::TargetFramework=net8.0",
            "Till.csproj::TargetFramework=net9.0",
        ];
        let finding = |n: usize| {
            let project = projects[n % 4];
            format!(
                "Cart.cs({n},9): warning CS0219: The variable 'tax{n}' is assigned but its value is never used [C:\\shop\\src\\{project}]\n"
            )
        };
        let text: String = (100..260).map(finding).collect();
        let short = by_file_and_rule(&text, 24_000).unwrap();
        for project in projects {
            assert_eq!(
                short.matches(&format!("[C:\\shop\\src\\{project}]")).count(),
                1,
                "{project}: {short}"
            );
        }
        assert!((100..260).all(|n| short.contains(&format!("{n}:9 'tax{n}'"))), "{short}");
    }
}
