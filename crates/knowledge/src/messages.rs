//! The sentences for the knowledge base's errors.

contract::sentences! { "knowledge";
    no_source(name) = "no source is called \"{name}\"; `plimsoll sources` lists their names";
    nothing_to_purge(what) = "nothing is stored under {what}, so there is nothing to purge";
    bad_trash(path, reason) = "{path} isn't a file from the trash: {reason}; `plimsoll restore` lists those that can be restored";
    bad_glob(pattern, reason) = "the pattern \"{pattern}\" isn't a valid glob: {reason}";
}
