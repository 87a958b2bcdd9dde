//! The project that MSBuild writes behind each message: `message [/srv/shop/Shop.Core/Shop.Core.csproj]`. Owns telling it from the
//! message, and when a finding's file says as much: where it's below the project's folder and no other project has that folder.

use std::collections::HashMap;

use super::finding::Finding;

/// The projects of a list of findings.
pub(super) struct Projects<'t> {
    /// By folder; nothing for a folder of several.
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

    /// `message` without its project, where the name of the `file` tells which one it is.
    pub(super) fn without<'m>(&self, file: &str, message: &'m str) -> &'m str {
        // One of several frameworks isn't told by the file.
        let Some((words, named)) = project(message).filter(|(_, named)| !named.contains("::")) else {
            return message;
        };
        let mut inner = folder(file);
        while let Some(name) = inner {
            if let Some(of_folder) = self.by_folder.get(name) {
                return if *of_folder == Some(named) { words } else { message };
            }
            inner = folder(name);
        }
        message
    }
}

/// The message and the project behind it.
fn project(text: &str) -> Option<(&str, &str)> {
    let (message, named) = text.trim_end().strip_suffix(']')?.rsplit_once(" [")?;
    (is_project(named) && !message.trim().is_empty()).then(|| (message.trim_end(), named))
}

/// The length of the project in brackets that ends the line which `text` begins with, if there is nothing else.
pub(super) fn length(text: &str) -> Option<usize> {
    let line = text.split('\n').next().unwrap_or(text);
    line.strip_prefix('[')?.strip_suffix(']').filter(|named| is_project(named)).map(|_| line.len())
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

#[cfg(test)]
mod tests {
    use super::super::by_file_and_rule;
    use super::super::finding::Piece;
    use super::super::parse::pieces;
    use super::{Projects, project};

    #[test]
    fn a_project_is_told_from_other_brackets() {
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
    fn a_project_goes_only_where_the_file_tells_which_it_is() {
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
            // A place within the project, as MSBuild alone prints it.
            line("src/Cart.cs", "/srv/shop/core/Core.csproj"),
        ]
        .concat();
        let parts = pieces(&text);
        let [Piece::Findings(findings, _)] = &parts[..] else { panic!("{parts:?}") };
        let projects = Projects::new(findings);
        let gone: Vec<bool> =
            findings.iter().map(|one| projects.without(one.file, one.message) == "no 'x'").collect();
        assert_eq!(gone, [true, false, true, false, false, false, false, false, false, false]);
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
}
