//! The error message the window gets when a command fails.

contract::sentences! { "commands";
    no_such_command(name) = "there is no command `{name}`; the window and the program have different versions";
    defect() = "a defect in Plimsoll ended this; the log says more";
    not_chosen(file) = "{file} wasn't chosen in a dialog, so it isn't written; choose where to save";
    not_utf8(path) = "{path} isn't UTF-8, so the window can't pass it on; rename it, or do the same in a terminal";
    no_sidecar() = "the sidecar `plimsoll` isn't beside this program; install Plimsoll again";
    nothing_written(folder) = "{folder} isn't there yet; nothing was written to it";
    no_picture() = "this isn't one of the window's pictures; nothing was written";
    no_web_address(url) = "{url} isn't a web address; only http and https are opened";
}
