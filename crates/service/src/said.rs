//! What the service says to a person in words of its own. The sentences only; who says one knows when it is true.

contract::sentences! { "service";
    // A plan and what came of it.
    same_as_for(agent) = "the same file and entries as for {agent}";
    stays_for(file, agent) = "{file} stays, because {agent} uses it too.";
    put_back() = "its other files were put back";
    not_put_back(file, reason) = "but not {file}: {reason}";
    changed_meanwhile() = "it was changed meanwhile";

    // A trial of what was connected.
    no_command() = "its server entry names no command";
    not_connected(agent) = "it is not connected; `plimsoll connect {agent}` does that";
    not_started(program, reason) = "{program} could not be started: {reason}";
    does_not_end() = "the server did not end when its input was closed";
    went_away(reason) = "the server went away: {reason}";
    no_tools() = "the server lists no tools";
    search_failed(answer) = "a search failed: {answer}";
    no_answer(method, seconds) = "no answer to {method} within {seconds} s";
    not_the_protocol(line) = "the server printed something else than its protocol: {line}";
    answered_with_error(method, error) = "{method} was answered with an error: {error}";
    hook_unread(reason) = "the hook could not be read: {reason}";
    hook_ended(status) = "the hook ended with {status}";
    half_an_answer() = "the hook printed half an answer";
    hook_silent() = "the hook said nothing at the start of a session";

    // Leaving.
    project_gone(folder) = "{folder} is not there any more; entries inside it went with it";
    would_stay(reason) = "would be left alone: {reason}";
    would_be_removed() = "would be removed: Plimsoll made it";
    entry_would_go() = "Plimsoll's entry would go (1 line)";
    entries_would_go(lines) = "Plimsoll's entries would go ({lines} lines)";
    data_stays(folder) = "databases and settings stay in {folder} (--keep-data)";
    folder_named(folder) = "{folder} stays as it is, because a file still names it; correct that file and run this again";
    not_removed(path, reason) = "{path} cannot be removed: {reason}";
    folder_stays(folder, names) = "{folder} stays: {names} in it is not ours";
    removed_again() = "removed; it was not there before";
    removed() = "removed";
    byte_for_byte() = "byte for byte as it was before";
    entries_out() = "Plimsoll's entries are out; what others wrote since stays";
}
