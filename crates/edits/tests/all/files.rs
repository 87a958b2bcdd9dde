//! The file as a file: links, permissions, folders, copies, leftovers, size.

use crate::common::{NOW, Scratch, edits, format, hook, path, server, server_is_ours};
use plimsoll_edits::{
    ApplyError, Change, Comment, Dialect, Edit, EntryState, OWNED_MARK, RollbackOutcome, apply,
    clean_leftovers, entry_state, entry_states, plan, plan_removal, rollback, snippet,
};
use serde_json::{Value, json};
use std::fs;

const STRICT: Dialect = Dialect::Json;
const TEXT: &[u8] = b"{\n  \"theme\": \"dark\"\n}\n";

#[test]
fn a_new_file_is_private_and_is_removed_again() {
    let scratch = Scratch::new();
    let file = scratch.path("hooks.json");
    let planned = plan(&file, format(STRICT), &edits(STRICT));
    assert_eq!(planned.change, Change::Create);
    assert!(planned.creates_folders.is_empty());
    let receipt = scratch.apply(&planned);
    assert!(receipt.created_file);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let removal = plan_removal(&file, format(STRICT), &edits(STRICT), Some(&receipt));
    assert_eq!(removal.change, Change::Delete);
    scratch.apply(&removal);
    assert!(!file.exists());
    assert_eq!(plan_removal(&file, format(STRICT), &edits(STRICT), Some(&receipt)).change, Change::Unchanged);
}

#[test]
fn a_created_file_stays_when_someone_else_wrote_into_it() {
    let scratch = Scratch::new();
    let file = scratch.path("hooks.json");
    let receipt = scratch.apply(&plan(&file, format(STRICT), &edits(STRICT)));
    let mut now: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    now["hooks"]["Stop"] = json!([{ "hooks": [] }]);
    fs::write(&file, now.to_string()).unwrap();
    scratch.apply(&plan_removal(&file, format(STRICT), &edits(STRICT), Some(&receipt)));
    // The schema version is still needed by the guest.
    let rest: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    assert_eq!(rest, json!({ "hooks": { "Stop": [{ "hooks": [] }] }, "version": 1 }));
}

#[test]
fn folders_are_made_only_when_allowed_and_go_when_empty() {
    let scratch = Scratch::new();
    let file = scratch.path("agent/deep/hooks.json");
    let mut planned = plan(&file, format(STRICT), &[server(true)]);
    assert_eq!(planned.creates_folders.len(), 2);
    assert!(matches!(apply(&planned, &scratch.store, NOW), Err(ApplyError::MissingFolder { .. })));
    assert!(!scratch.path("agent").exists());
    planned.allow_folders = true;
    let receipt = scratch.apply(&planned);
    fs::write(scratch.path("agent/other"), "x").unwrap();
    scratch.apply(&plan_removal(&file, format(STRICT), &[server(true)], Some(&receipt)));
    assert!(!scratch.path("agent/deep").exists());
    assert!(scratch.path("agent/other").exists());
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link() {
    use std::os::unix::fs::symlink;
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("dotfiles")).unwrap();
    let real = scratch.file("dotfiles/settings.json", TEXT);
    let link = scratch.path("settings.json");
    symlink("dotfiles/settings.json", &link).unwrap();
    let planned = plan(&link, format(STRICT), &edits(STRICT));
    assert_eq!(planned.target, fs::canonicalize(&real).unwrap());
    let receipt = scratch.apply(&planned);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&real).unwrap(), planned.after);
    scratch.apply(&plan_removal(&link, format(STRICT), &edits(STRICT), Some(&receipt)));
    assert_eq!(fs::read(&link).unwrap(), TEXT);

    fs::remove_file(&real).unwrap();
    assert_eq!(plan(&link, format(STRICT), &edits(STRICT)).refusal.unwrap().code(), "dangling_link");
    assert_eq!(plan_removal(&link, format(STRICT), &edits(STRICT), None).change, Change::Unchanged);
    symlink("round", scratch.path("round")).unwrap();
    assert_eq!(plan(&scratch.path("round"), format(STRICT), &edits(STRICT)).change, Change::Refused);
}

/// The file would be created under that name and couldn't be found under it again.
#[test]
fn a_name_that_ends_like_a_folders_is_refused() {
    let scratch = Scratch::new();
    for name in ["settings.json/", "settings.json/.", "settings/.."] {
        let planned = plan(&scratch.path(name), format(STRICT), &edits(STRICT));
        assert_eq!(planned.refusal.unwrap().code(), "not_a_file", "{name}");
    }
}

/// Attributes and the access control list stay, and a folder's list for new files doesn't get on a file that had none.
#[cfg(target_os = "linux")]
#[test]
fn attributes_and_the_access_control_list_stay() {
    use rustix::fs::{XattrFlags, getxattr, getxattr_query, setxattr};
    use std::os::unix::fs::PermissionsExt;
    const ACL: &str = "system.posix_acl_access";
    // Version 2; then tag, permissions and id of: owner, user 1234, group, mask, others.
    let mut acl = 2u32.to_le_bytes().to_vec();
    for (tag, allows, id) in
        [(1u16, 6u16, u32::MAX), (2, 4, 1234), (4, 0, u32::MAX), (16, 4, u32::MAX), (32, 0, u32::MAX)]
    {
        acl.extend([tag.to_le_bytes(), allows.to_le_bytes()].concat());
        acl.extend(id.to_le_bytes());
    }
    let scratch = Scratch::new();
    let file = scratch.file("settings.json", TEXT);
    let set = |name: &str, value: &[u8]| setxattr(&file, name, value, XattrFlags::empty()).is_ok();
    // Not every file system has both.
    let kept: Vec<(&str, &[u8])> = [("user.note", &b"mine"[..]), (ACL, &acl[..])]
        .into_iter()
        .filter(|(name, value)| set(name, value))
        .collect();
    let mode = fs::metadata(&file).unwrap().permissions().mode();
    let check = || {
        for (name, wanted) in &kept {
            let mut value = vec![0; getxattr_query(&file, *name).unwrap()];
            getxattr(&file, *name, &mut value[..]).unwrap();
            assert_eq!(value, *wanted, "{name}");
        }
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode(), mode);
    };
    check();
    let receipt = scratch.apply(&plan(&file, format(STRICT), &edits(STRICT)));
    check();
    scratch.apply(&plan_removal(&file, format(STRICT), &edits(STRICT), Some(&receipt)));
    check();

    let plain = scratch.file("plain.json", TEXT);
    fs::set_permissions(&plain, fs::Permissions::from_mode(0o640)).unwrap();
    let folder = plain.parent().unwrap();
    if setxattr(folder, "system.posix_acl_default", &acl, XattrFlags::empty()).is_ok() {
        scratch.apply(&plan(&plain, format(STRICT), &edits(STRICT)));
        assert!(getxattr_query(&plain, ACL).is_err(), "the folder's list widened the file's access");
        assert_eq!(fs::metadata(&plain).unwrap().permissions().mode() & 0o777, 0o640);
    }
}

#[test]
fn read_only_files_folders_and_pipes_are_refused() {
    let scratch = Scratch::new();
    let file = scratch.file("settings.json", TEXT);
    let mut permissions = fs::metadata(&file).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&file, permissions).unwrap();
    assert_eq!(plan(&file, format(STRICT), &edits(STRICT)).refusal.unwrap().code(), "read_only");
    assert_eq!(fs::read(&file).unwrap(), TEXT);
    let folder = scratch.path("agent");
    fs::create_dir(&folder).unwrap();
    assert_eq!(plan(&folder, format(STRICT), &edits(STRICT)).refusal.unwrap().code(), "not_a_file");
    let below = plan(&file.join("x.json"), format(STRICT), &edits(STRICT));
    assert_eq!(below.refusal.unwrap().code(), "not_a_file");
}

/// No file can be there, so a removal has nothing to look for.
#[cfg(unix)]
#[test]
fn a_link_to_itself_and_a_name_that_is_too_long_arent_files() {
    let scratch = Scratch::new();
    let circle = scratch.path("circle.json");
    std::os::unix::fs::symlink(&circle, &circle).unwrap();
    let folder = scratch.path("round");
    std::os::unix::fs::symlink(&folder, &folder).unwrap();
    for path in [circle, folder.join("settings.json"), scratch.path(&"x".repeat(300))] {
        let planned = plan(&path, format(STRICT), &edits(STRICT));
        assert_eq!(planned.refusal.unwrap().code(), "not_a_file", "{}", path.display());
    }
}

#[test]
fn a_change_after_the_plan_is_noticed() {
    let scratch = Scratch::new();
    let file = scratch.file("settings.json", TEXT);
    let planned = plan(&file, format(STRICT), &edits(STRICT));
    fs::write(&file, b"{\"theme\": \"light\"}").unwrap();
    assert!(matches!(apply(&planned, &scratch.store, NOW), Err(ApplyError::Changed { .. })));
    assert_eq!(fs::read(&file).unwrap(), b"{\"theme\": \"light\"}");
    let absent = scratch.path("new.json");
    let planned = plan(&absent, format(STRICT), &edits(STRICT));
    fs::write(&absent, b"{}").unwrap();
    assert!(matches!(apply(&planned, &scratch.store, NOW), Err(ApplyError::Changed { .. })));
}

#[test]
fn leftovers_of_a_crash_are_cleaned_and_copies_are_few() {
    let scratch = Scratch::new();
    let file = scratch.file("settings.json", TEXT);
    let leftover = scratch.file(".settings.json.plimsoll-aB3xYz.tmp", b"half");
    let foreign = scratch.file(".other.json.tmp", b"x");
    for version in 0..12 {
        let edit = Edit::Set {
            path: path(&["mcpServers", "plimsoll"]),
            value: json!({ "command": "/h/plimsoll", "args": [version] }),
            ours: server_is_ours(),
            keep_extra_keys: false,
        };
        scratch.apply(&plan(&file, format(STRICT), &[edit]));
    }
    assert!(!leftover.exists());
    assert!(foreign.exists());
    let folder = fs::read_dir(&scratch.store.backups).unwrap().next().unwrap().unwrap().path();
    let copies =
        fs::read_dir(&folder).unwrap().flatten().filter(|e| e.path().extension().unwrap() == "bak").count();
    assert!((2..=6).contains(&copies), "{copies}");

    // After twelve updates the first bytes can still be restored, although the caller lost the receipt.
    let receipt = scratch.store.receipt(&file).unwrap();
    scratch.apply(&plan_removal(&file, format(STRICT), &[server(false)], Some(&receipt)));
    assert_eq!(fs::read(&file).unwrap(), TEXT);
    assert_eq!(scratch.store.receipt(&file), None);
}

#[test]
fn what_a_killed_process_left_goes_without_a_change() {
    let scratch = Scratch::new();
    let file = scratch.file("settings.json", TEXT);
    let ours = ".settings.json.plimsoll-aB3xYz.tmp";
    let others = [
        ".settings.json.plimsoll-aB3xYz",
        ".settings.json.plimsoll-abc.tmp",
        ".settings.json.plimsoll-aB3-Yz.tmp",
        ".settings.json.plimsoll-aB3xYz1.tmp",
        "settings.json.plimsoll-aB3xYz.tmp",
        ".other.json.plimsoll-aB3xYz.tmp",
    ];
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(61);
    for name in others.iter().chain([&ours]) {
        let path = scratch.file(name, b"half");
        fs::File::options().write(true).open(path).unwrap().set_modified(old).unwrap();
    }
    let young = scratch.file(".settings.json.plimsoll-Young1.tmp", b"half");
    clean_leftovers(&file);
    assert!(!scratch.path(ours).exists() && young.exists());
    // The holder of the lock need not wait, and nothing has to change.
    scratch.apply(&plan(&file, format(STRICT), &[]));
    assert!(!young.exists());
    for name in others {
        assert!(scratch.path(name).exists(), "{name}");
    }
}

#[test]
fn eight_megabytes_come_back() {
    let scratch = Scratch::new();
    let member = |i: usize| {
        format!("    \"project-{i}\": {{ \"history\": [\"{}\", {i}], \"ok\": true }}", "x".repeat(150))
    };
    let members: Vec<String> = (0..40_000).map(member).collect();
    let text = format!("{{\n  \"projects\": {{\n{}\n  }}\n}}\n", members.join(",\n"));
    assert!(text.len() > 8_000_000);
    for text in [text.replace('\n', ""), text] {
        let file = scratch.file("big.json", text.as_bytes());
        let planned = plan(&file, format(STRICT), &[server(true)]);
        assert!(planned.diff.len() < 4000, "{}", planned.diff.len());
        let receipt = scratch.apply(&planned);
        scratch.apply(&plan_removal(&file, format(STRICT), &[server(true)], Some(&receipt)));
        assert!(fs::read(&file).unwrap() == text.as_bytes());
    }
}

/// Agents keep histories in their files, and each version of an agent asks for its own entries.
#[test]
fn many_entries_of_a_large_file_cost_one_read() {
    let scratch = Scratch::new();
    let filler: Vec<Value> =
        (0..40_000).map(|n| json!({ "display": format!("line {n}"), "pasted": {} })).collect();
    let file = scratch.file("big.json", json!({ "history": filler }).to_string().as_bytes());
    let (one, hooks) = (server(true), hook("PreToolUse"));
    let many: Vec<&Edit> = [&one, &hooks].into_iter().cycle().take(100).collect();
    let started = std::time::Instant::now();
    let expected = [entry_state(&file, format(STRICT), &one), entry_state(&file, format(STRICT), &hooks)];
    let two = started.elapsed();
    let started = std::time::Instant::now();
    let found = entry_states(&file, format(STRICT), &many);
    let all = started.elapsed();
    assert_eq!(found.len(), many.len());
    assert!(found.iter().zip(expected.iter().cycle()).all(|(found, expected)| found == expected));
    // One by one they'd take fifty times as long as two; on a busy computer they may take a few times as long.
    assert!(all < two * 20, "{all:?} for all, {two:?} for two");
    // A file that can't be read answers for each of them.
    let broken = scratch.file("broken.json", b"{");
    let found = entry_states(&broken, format(STRICT), &[&one, &hooks]);
    assert!(
        found.len() == 2 && found.iter().all(|found| matches!(found, EntryState::Unreadable(_))),
        "{found:?}"
    );
    assert_eq!(entry_states(&scratch.path("none.json"), format(STRICT), &[&one]), [EntryState::Absent]);
}

#[test]
fn files_that_only_plimsoll_writes() {
    let scratch = Scratch::new();
    let file = scratch.path("plugin.js");
    let marked = |body: &str| Edit::Whole { text: format!("// {OWNED_MARK}\n{body}\n") };
    let format = format(Dialect::Markdown);
    let first = scratch.apply(&plan(&file, format, &[marked("one")]));
    assert_eq!(entry_state(&file, format, &marked("one")), EntryState::Ours);
    assert_eq!(entry_state(&file, format, &marked("two")), EntryState::Differs);
    let second = scratch.apply(&plan(&file, format, &[marked("two")]));
    assert_eq!(fs::read_to_string(&file).unwrap(), format!("// {OWNED_MARK}\ntwo\n"));
    let removal = plan_removal(&file, format, &[marked("two")], Some(&second));
    assert_eq!(removal.change, Change::Delete);
    scratch.apply(&removal);
    assert!(first.created_file && !file.exists());

    fs::write(&file, "theirs\n").unwrap();
    assert_eq!(plan(&file, format, &[marked("one")]).refusal.unwrap().code(), "foreign");
    assert_eq!(plan_removal(&file, format, &[marked("one")], Some(&second)).change, Change::Unchanged);
}

#[test]
fn a_half_made_change_is_rolled_back() {
    let scratch = Scratch::new();
    let (a, b, c) = (scratch.file("a.json", TEXT), scratch.path("b.json"), scratch.file("c.json", TEXT));
    let receipts: Vec<_> =
        [&a, &b, &c].iter().map(|file| scratch.apply(&plan(file, format(STRICT), &edits(STRICT)))).collect();
    fs::write(&c, b"{}").unwrap();
    let outcomes = rollback(&receipts, &scratch.store);
    let words: Vec<_> = outcomes.iter().map(|rollback| rollback.outcome.clone()).collect();
    assert_eq!(words, [RollbackOutcome::ChangedSince, RollbackOutcome::Restored, RollbackOutcome::Restored]);
    assert_eq!(fs::read(&a).unwrap(), TEXT);
    assert!(!b.exists());
    // A removal can be taken back as well.
    let receipt = scratch.apply(&plan(&b, format(STRICT), &edits(STRICT)));
    let text = fs::read(&b).unwrap();
    let removal = scratch.apply(&plan_removal(&b, format(STRICT), &edits(STRICT), Some(&receipt)));
    assert_eq!(rollback(&[removal], &scratch.store)[0].outcome, RollbackOutcome::Restored);
    assert_eq!(fs::read(&b).unwrap(), text);
}

#[test]
fn a_transport_change_replaces_the_entry() {
    let scratch = Scratch::new();
    let text = r#"{"mcpServers":{"plimsoll":{"command":"/old/plimsoll","env":{"A":"1"},"cwd":"/x"}}}"#;
    let file = scratch.file("settings.json", text.as_bytes());
    let edit = Edit::Set {
        path: path(&["mcpServers", "plimsoll"]),
        value: json!({ "url": "http://127.0.0.1/mcp" }),
        ours: server_is_ours(),
        keep_extra_keys: false,
    };
    let after = plan(&file, format(STRICT), &[edit]).after;
    assert_eq!(
        String::from_utf8(after).unwrap(),
        r#"{"mcpServers":{"plimsoll":{"url":"http://127.0.0.1/mcp"}}}"#
    );
}

#[test]
fn snippets_and_presence() {
    let scratch = Scratch::new();
    let file = scratch.file("settings.json", b"{ oops");
    assert!(matches!(entry_state(&file, format(STRICT), &server(true)), EntryState::Unreadable(_)));
    let text = snippet(format(STRICT), &[server(true)]);
    assert!(text.contains("\"mcpServers\"") && text.ends_with("}\n"));
    let toml = snippet(format(Dialect::Toml), &edits(Dialect::Toml));
    assert!(toml.starts_with("[mcp_servers.plimsoll]\n"));
    let hash = Edit::Block { id: "x".into(), text: "a = 1".into(), comment: Comment::Hash };
    assert_eq!(snippet(format(Dialect::Toml), &[hash]), "", "a block that is read as settings is refused");
    fs::write(&file, "{\"hooks\":{\"PreToolUse\":[]}}").unwrap();
    assert_eq!(entry_state(&file, format(STRICT), &hook("PreToolUse")), EntryState::Absent);
}
