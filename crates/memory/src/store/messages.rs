//! The messages of the store's errors.

contract::sentences! { "memory";
    statement(path, reason) = "{path} could not be read: {reason}; `plimsoll doctor` checks the file";
    not_found(id) = "no memory has the id {id}; recall without a query lists them";
    ambiguous(id, count) = "{count} memories have an id that begins with {id}; give more digits";
    elsewhere(id, asked) = "the memory {id} exists, but not in {asked}; use its id alone";
    forgotten(id) = "the memory {id} is deleted; restore it first";
    not_deleted(id) = "the memory {id} is not deleted, so there is nothing to restore";
    changed_meanwhile(id, expected, found) = "the memory {id} was changed meanwhile: you expected version {expected}, it has {found}; get it and change that";
    empty() = "content is empty; write what to remember";
    too_long(bytes, limit) = "content has {bytes} bytes; the limit is {limit}; store the essence here and the whole with `index`";
    bad_field(field, reason) = "{field} can't be used: {reason}";
    has_secret(field, kinds) = "{field} has what looks like a secret ({kinds}), so nothing was stored; take it out and try again";
    nothing_to_change() = "nothing to change: give content, tags, namespace, source or ttl";
    org_exchange() = "exchange with the organisation";
    org_memories() = "organisation's memories";
    org_met(server, waiting) = "{server} answers; {waiting} waiting to be sent";
    org_waits(problem, waiting) = "{problem}; {waiting} waiting to be sent, and kept here until then";
    model_of_vectors() = "embedding model of memory";
    model_of_language() = "language model of memory";
    model_ready(model) = "{model} is set up; it's asked when it's needed";
    model_with_keyring(model) = "{model} is set up; its key is in the system's keyring";
    model_with_file(model) = "{model} is set up; its key is in a file that only you can read (0600), and isn't encrypted";
    model_without_key(model) = "{model} needs a key that isn't there; `plimsoll memory key set` reads it from standard input";
    memories() = "memories";
    nothing_yet() = "nothing captured yet";
    remembered(count, pending) = "{count} in use, {pending} waiting for a review";
    shared_memories() = "memories of the repository";
    shared_unreadable(count, file, problem) = "{count} can't be read; {file}: {problem}";
    no_folder(project) = "no folder of {project} is known on this computer; open the project with a connected agent, then try again";
    no_entity(id) = "there is no entity {id} any longer; look at the graph again";
    not_waiting(id) = "the memory {id} no longer waits for a review; nothing was changed";
    periods(names) = "kinds with a period of at least a day, such as progress=90d, context=1y; the kinds are {names}";
    itself(id) = "a memory can't be linked to itself ({id})";
}
