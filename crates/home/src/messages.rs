//! The messages about the folder, its settings and its databases.

contract::sentences! { "home";
    no_home() = "no home folder is known: set HOME (or USERPROFILE on Windows), or PLIMSOLL_HOME to the folder to use";
    relative_home(path) = "the home folder {path} isn't an absolute path; set HOME (or USERPROFILE on Windows) to one. Nothing was changed";
    foreign_home(path) = "PLIMSOLL_HOME is {path}, a folder with other things in it; name a new or empty one. Nothing was changed";
    unusable(path, reason) = "{path} can't be used: {reason}; make it a folder that's yours and can be opened, or set PLIMSOLL_HOME to another one. Nothing was changed";
    not_a_folder() = "it isn't a folder";
    link_to_nowhere() = "it's a link to a folder that doesn't exist";
    no_cwd(reason) = "the working folder can't be read ({reason}); change to a folder that exists";
    unwritten(path, reason) = "{path} can't be used: {reason}; check that the folder exists, is yours and has space left";
    lock_held(name, waited_ms) = "another Plimsoll process has locked {name} for over {waited_ms} ms; try again, or end that process";
    not_a_project(path, reason) = "{path} isn't a project folder: {reason}";
    no_such_folder() = "there is no such folder";
    not_there(path) = "there is no {path}; check its name and its folder";
    no_access(path) = "can't open {path}: permission denied; change its permissions or its folder's, then try again";

    bad_settings(path, reason) = "{path}: {reason}; correct the line or remove it, the default is used then";
    dangling_settings(path) = "{path} is a link to a file that doesn't exist; create that file or remove the link. Nothing was changed";

    // What happened to a database, then the way out: the window shows the two apart.
    newer_schema(path, found, known) = "{path} was written by a newer Plimsoll (schema {found}, this one knows {known})";
    update_plimsoll() = "update Plimsoll; nothing was changed";
    damaged(path, reason) = "{path} is damaged ({reason})";
    reopen_damaged() = "close the agents that use it and try again, and what can be read is saved; if this stays, move the file away to start over, or restore a backup";
    reopen_damaged_record() = "close the agents that use it and try again, and what can be read is saved; if this stays, `plimsoll doctor --start-fresh` keeps the file and starts a new record";
    disk_full(path) = "the disk is full while writing {path}";
    free_space() = "nothing was changed; free some space and try again";
    busy(path) = "{path} stayed busy; another process is writing to it";
    try_again() = "try again";
    statement(path, reason) = "{path} couldn't be read: {reason}; `plimsoll doctor` checks the file";
}
