//! The sentences for the knowledge base's errors.

contract::sentences! { "knowledge";
    statement(path, reason) = "{path} could not be read: {reason}; `plimsoll doctor` checks the file";
    no_source(name) = "no source is called \"{name}\"; list the sources to see their names";
    nothing_to_purge(what) = "nothing is stored under {what}, so there is nothing to purge";
    bad_trash(path, reason) = "{path} is not a purge that can be restored: {reason}";
    bad_glob(pattern, reason) = "the pattern \"{pattern}\" is not a valid glob: {reason}";
}
