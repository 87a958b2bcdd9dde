//! The sentences about files: why one is left alone, and what to know before it is written.

contract::sentences! { "edits";
    syntax(line, column, reason) = "line {line}, column {column}: {reason}; correct the file, or add the entry by hand";
    not_utf8(reason) = "the file isn't UTF-8 text ({reason}); save it as UTF-8 and try again";
    not_utf8_path() = "the path isn't UTF-8, so Plimsoll couldn't record how to undo the edit; rename the folder, or add the entry by hand";
    not_utf8_program() = "the path of Plimsoll's launcher isn't UTF-8, so an agent couldn't start it; set PLIMSOLL_HOME to another folder";
    wrong_type(at, found, expected) = "{at} is {found}, not {expected}; correct it by hand first";
    foreign(at) = "{at} contains an entry that isn't Plimsoll's; rename or remove it first";
    dangling_link(target) = "the path is a link to {target}, which doesn't exist; create that file or remove the link";
    not_a_file(found) = "the path is {found}, not a file";
    read_only() = "the file is read-only; make it writable, or add the entry by hand where it is generated";
    too_large(bytes, limit) = "the file has {bytes} bytes, more than the {limit} that are edited";
    broken_markers(line, id) = "line {line}: the markers of block `{id}` don't pair up; remove them by hand";
    edited() = "someone changed this file after Plimsoll wrote it, so it stays and still works; copy what you added elsewhere, delete the file and try again";
    not_proven(at, reason) = "the edit of {at} couldn't be proved harmless ({reason}); add the entry by hand";
    unreadable(reason) = "the file can't be read: {reason}";

    linked(target) = "a link; the file behind it is edited: {target}";
    hard_links(names) = "has {names} names (hard links); written in place so they stay one file";
    mark_dropped() = "starts with a byte order mark that its owner doesn't accept; it is dropped";
    no_longer_ours() = "the file is no longer Plimsoll's, so it stays";
    taken_along(what) = "what somebody else put into Plimsoll's entry goes with it: {what}; a copy is kept with the backups";
    changed_since() = "the file was changed since; a copy is kept with the backups";

    left(places) = "Plimsoll is still named at {places}, where it didn't write itself; remove that by hand and try again";
    changed(file) = "{file} changed since the plan was made; plan again";
    missing_folder(file, folder) = "{file} can't be created: its folder {folder} doesn't exist";
    locked(file) = "{file} is being edited by another Plimsoll process; try again";
    no_backup(file, reason) = "no backup of {file} could be kept ({reason}), so it wasn't touched; check space and permissions";
    not_written(file, reason) = "{file} couldn't be written: {reason}";
    torn(file, reason, copy) = "{file} was written only in part ({reason}), and its old text couldn't be put back; make room and copy {copy} over it";
}
