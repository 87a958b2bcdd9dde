//! The matrix's inputs: an agent's files with their edits joined by path, a user's own content for each, and the ways in which
//! people and programs format such content.

use std::path::{Path, PathBuf};

use edits::{Dialect, Edit, Format};
use home::{Env, Os};
use plimsoll_agents::{Agent, ConfigFile, EntryContext, Installation, Parts, Scope};
use serde_json::{Map, Value, json};

/// One file and its edits.
pub(crate) struct TargetFile {
    pub(crate) path: PathBuf,
    pub(crate) format: Format,
    pub(crate) edits: Vec<Edit>,
}

/// The scratch home folder.
pub(crate) fn home(dir: &Path) -> PathBuf {
    dir.join("home")
}

fn with_wiring<T>(
    agent: &dyn Agent,
    dir: &Path,
    version: Option<&str>,
    use_it: impl Fn(&EntryContext<'_>) -> T,
) -> T {
    let home = home(dir);
    std::fs::create_dir_all(&home).unwrap();
    let env = Env::for_test(&home).with_os(Os::Linux);
    let mut found: Installation = agent.assumed_installation(&env);
    found.version = version.map(str::to_owned);
    let launcher = home.join(".plimsoll/bin/plimsoll");
    let parts = Parts { mcp: true, hooks: true, instructions: true, credentials: None };
    use_it(&EntryContext { launcher: &launcher, scope: &Scope::User, installation: &found, parts, env: &env })
}

fn joined(files: Vec<ConfigFile>) -> Vec<TargetFile> {
    let mut targets: Vec<TargetFile> = Vec::new();
    for file in files {
        match targets.iter_mut().find(|target| target.path == file.path) {
            Some(target) => {
                assert_eq!(target.format, file.format, "{}: two formats for one file", file.path.display());
                target.edits.extend(file.edits);
            }
            None => targets.push(TargetFile { path: file.path, format: file.format, edits: file.edits }),
        }
    }
    targets
}

/// The files that connect the agent in the scratch home.
pub(crate) fn of(agent: &dyn Agent, dir: &Path) -> Vec<TargetFile> {
    with_wiring(agent, dir, None, |context| joined(agent.files(context)))
}

/// The files that entries are only removed from.
pub(crate) fn former(agent: &dyn Agent, dir: &Path) -> Vec<TargetFile> {
    with_wiring(agent, dir, None, |context| joined(agent.former_files(context)))
}

/// Sets a value at a path, creating objects on the way.
pub(crate) fn set(root: &mut Value, path: &[String], value: Value) {
    let mut target = root;
    for key in path {
        target = &mut target[key.as_str()];
    }
    *target = value;
}

/// The value at a path.
pub(crate) fn at<'a>(root: &'a Value, path: &[String]) -> Option<&'a Value> {
    path.iter().try_fold(root, |value, key| value.get(key))
}

/// A user's own content: something beside each of Plimsoll's paths, and unknown keys.
pub(crate) fn users_value(file: &TargetFile) -> Value {
    theirs(file)
}

/// See [`users_value`].
pub(crate) fn theirs(file: &TargetFile) -> Value {
    let mut value = json!({ "theme": "dark", "zz_unknown": { "b": [1, 2.5, null, "x"], "a": {} } });
    if file.format.dialect == Dialect::Toml {
        value = json!({ "model": "x", "zz_unknown": { "b": [1, 2], "a": "#" } });
    }
    for edit in &file.edits {
        match edit {
            Edit::Set { path, .. } if path.len() > 1 => {
                let mut path = path.clone();
                path.pop();
                path.push("aa_mine".to_owned());
                set(
                    &mut value,
                    &path,
                    json!({ "command": "my-server", "args": ["--flag"], "env": { "A": "1" } }),
                );
            }
            Edit::Put { path, .. } => {
                let group =
                    json!({ "matcher": "Bash", "hooks": [{ "type": "command", "command": "my hook" }] });
                let other = json!({ "command": "my other hook", "timeout": 3 });
                set(&mut value, path, json!([group, other]));
            }
            _ => {}
        }
    }
    value
}

/// Whether an array's element is Plimsoll's at any of the file's paths.
pub(crate) fn is_ours(item: &Value, file: &TargetFile) -> bool {
    file.edits.iter().any(|edit| matches!(edit, Edit::Put { ours, .. } if ours.is(item)))
}

/// The parsed content of a file's bytes.
pub(crate) fn value(bytes: &[u8], format: Format) -> Option<Value> {
    let text = std::str::from_utf8(bytes).unwrap().trim_start_matches('\u{feff}');
    match format.dialect {
        Dialect::Markdown => None,
        Dialect::Toml => Some(toml_edit::de::from_str(text).unwrap()),
        _ if text.trim().is_empty() => Some(json!({})),
        _ => Some(jsonc_parser::parse_to_serde_value(text, &jsonc_parser::ParseOptions::default()).unwrap()),
    }
}

/// A file's formatting style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Pretty,
    NoFinalNewline,
    OneLine,
    Tabs,
    FourSpaces,
    WindowsLines,
    Comments,
    TrailingCommas,
}

impl Style {
    pub(crate) const ALL: [Style; 8] = [
        Style::Pretty,
        Style::NoFinalNewline,
        Style::OneLine,
        Style::Tabs,
        Style::FourSpaces,
        Style::WindowsLines,
        Style::Comments,
        Style::TrailingCommas,
    ];

    /// Whether the agent's own parser accepts this style.
    pub(crate) fn accepted_by(self, format: Format) -> bool {
        !matches!(
            (self, format.dialect),
            (Style::Comments, Dialect::Json) | (Style::TrailingCommas, Dialect::Json | Dialect::JsonComments)
        )
    }
}

/// The content in a dialect and style; `None` if the dialect has no such style.
pub(crate) fn render(value: &Value, dialect: Dialect, style: Style) -> Option<String> {
    let text = match dialect {
        Dialect::Markdown => {
            if matches!(style, Style::Tabs | Style::FourSpaces | Style::TrailingCommas | Style::OneLine) {
                return None;
            }
            let mut text = "# My notes\n\nUse *tabs*. äöü\n\n- one\n".to_owned();
            if style == Style::Comments {
                text.push_str("<!-- note to myself -->\n");
            }
            if let Some(padding) = value.get("padding").and_then(Value::as_str) {
                text.push_str(padding);
            }
            text
        }
        Dialect::Toml => {
            if matches!(style, Style::Tabs | Style::FourSpaces | Style::TrailingCommas | Style::OneLine) {
                return None;
            }
            let mut text = toml_edit::ser::to_string_pretty(value).ok()?;
            if style == Style::Comments {
                text = format!("# note to myself\n\n{text}\n# note to myself: the end\n");
            }
            text
        }
        _ => match style {
            Style::OneLine => value.to_string(),
            Style::Tabs => json_text(value, "\t", false),
            Style::FourSpaces => json_text(value, "    ", false),
            Style::TrailingCommas => json_text(value, "  ", true),
            Style::Comments => {
                let text = json_text(value, "  ", false);
                let inner = text.strip_prefix('{')?;
                format!("// note to myself: first\n{{ /* note to myself */{inner}// note to myself: last\n")
            }
            _ => json_text(value, "  ", false),
        },
    };
    Some(match style {
        Style::WindowsLines => text.replace('\n', "\r\n"),
        Style::NoFinalNewline => text.trim_end().to_owned(),
        _ => text,
    })
}

fn json_text(value: &Value, indent: &str, trailing: bool) -> String {
    let mut text = String::new();
    json_into(value, indent, 0, trailing, &mut text);
    text.push('\n');
    text
}

fn json_into(value: &Value, indent: &str, depth: usize, trailing: bool, text: &mut String) {
    let line = |text: &mut String, depth: usize| {
        text.push('\n');
        text.push_str(&indent.repeat(depth));
    };
    match value {
        Value::Object(object) if !object.is_empty() => {
            text.push('{');
            join(object, indent, depth, trailing, text, line);
            text.push('}');
        }
        Value::Array(items) if !items.is_empty() => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                line(text, depth + 1);
                json_into(item, indent, depth + 1, trailing, text);
                if trailing || index + 1 < items.len() {
                    text.push(',');
                }
            }
            line(text, depth);
            text.push(']');
        }
        other => text.push_str(&other.to_string()),
    }
}

fn join(
    object: &Map<String, Value>,
    indent: &str,
    depth: usize,
    trailing: bool,
    text: &mut String,
    line: impl Fn(&mut String, usize),
) {
    for (index, (key, value)) in object.iter().enumerate() {
        line(text, depth + 1);
        text.push_str(&format!("{}: ", json!(key)));
        json_into(value, indent, depth + 1, trailing, text);
        if trailing || index + 1 < object.len() {
            text.push(',');
        }
    }
    line(text, depth);
}
