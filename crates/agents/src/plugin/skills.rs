//! The plugins' skills: one for long outputs, and one for each thing that Plimsoll can do about itself. Owns their text.

use super::PluginFile;

/// A skill: its name, when the model should use it, and its instructions. `{…}` is replaced by a tool's name.
const SKILLS: [(&str, &str, &str); 5] = [
    (
        "large-output",
        "Use for commands, files and pages with long output: test suites, builds, logs, data files, API responses, \
         documentation. Keeps the whole out of the conversation and searchable.",
        "Handle long output outside the conversation:\n\n\
         1. Run a command or script with `{execute}`, several with `{batch}`. Say in `intent` what you are looking for.\n\
         2. Store a page, file or folder that you want to look things up in with `{index}`.\n\
         3. Ask for what you need with `{search}`; everything that was cut is in there.\n\n\
         Read files that you are going to edit with the usual read tool.",
    ),
    (
        "stats",
        "Use when the user asks how much Plimsoll saved, what it cost, or for its statistics.",
        "Call `{manage}` with action `stats` and show the user its figures as they are. Don't add measured and estimated \
         figures up.",
    ),
    (
        "doctor",
        "Use when the user asks whether Plimsoll works, or when its tools or hooks seem not to.",
        "Call `{manage}` with action `doctor` and show the user the checks. For each that is not OK, say what the check says \
         to do. Change nothing without being asked.",
    ),
    (
        "upgrade",
        "Use when the user asks for a newer version of Plimsoll or to update it.",
        "Call `{manage}` with action `upgrade`. If it asks for confirmation, tell the user what it would do and call it again \
         with `confirm` true once they agree.",
    ),
    (
        "purge",
        "Use when the user asks to delete what Plimsoll has stored: for this project, one source, or this session.",
        "Call `{manage}` with action `purge` and the `scope` that the user means. Without `confirm` it only says what would go: \
         show that to the user, and call it again with `confirm` true only once they agree.",
    ),
];

/// A plugin's skill files; `prefix` for agents that list the skills of all plugins together.
pub(crate) fn files(folder: &str, prefix: &str, tool: &dyn Fn(&str) -> String) -> Vec<PluginFile> {
    SKILLS
        .iter()
        .map(|(name, when, what)| {
            let mut what = (*what).to_owned();
            for known in ["execute", "batch", "index", "search", "manage"] {
                what = what.replace(&format!("{{{known}}}"), &tool(known));
            }
            let name = format!("{prefix}{name}");
            PluginFile {
                path: format!("{folder}/skills/{name}/SKILL.md"),
                text: format!("---\nname: {name}\ndescription: \"{when}\"\n---\n\n{what}\n"),
            }
        })
        .collect()
}
