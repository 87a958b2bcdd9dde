//! The service's messages to users. Whether one applies is up to the caller.

contract::sentences! { "service";
    // Rejected requests.
    defect_in_call() = "a defect in Plimsoll ended this call; nothing was stored by it";
    plan_replaced() = "this plan was replaced by a newer one; look at the changes again";
    not_in_plan(agent) = "{agent} isn't part of this plan; look at the changes again";
    no_agent_named() = "no agent was named; `plimsoll agents` lists them";
    no_such_agent(agent, known) = "there is no agent `{agent}`; the agents are {known}";
    no_agent_but(agent, near, known) = "there is no agent `{agent}`; did you mean {near}? The agents are {known}";
    several_agents(agent, which) = "`{agent}` can be any of {which}; name the one you mean";
    agent_not_found(agent, id) = "{agent} wasn't found on this computer; `plimsoll connect --print {id}` shows what to enter by hand";
    no_such_setting(key) = "there is no setting `{key}`; `plimsoll settings` lists them";
    setting_in_file(key, file) = "`{key}` is a list or a table, which is written in {file} itself; add it there. Nothing was changed";
    setting_has_command(key, command) = "`{key}` isn't set this way; `{command}` does it. Nothing was changed";
    setting_has_parts(key, parts) = "`{key}` is a table; name one of its settings: {parts}";
    no_settings_in(file, reason) = "{file} contains no Plimsoll settings: {reason}; `plimsoll settings export PATH` writes a file that does";
    value_wrong(key, expected, got) = "{key} must be {expected}; got {got}, nothing was changed";
    true_or_false() = "true or false";
    number_between(unit, least, most) = "a whole number of {unit} from {least} to {most}";
    one_of(choices) = "one of {choices}";
    text() = "text";
    not_opened() = "the knowledge base wasn't opened; `plimsoll doctor` says why";
    not_made() = "the knowledge base couldn't be made; `plimsoll doctor` says why";
    source_file_gone(file) = "{file} no longer exists; what was stored from it can still be read";
    handed_over(label) = "{label} was given as text, so there is no file or page to read again";
    type_to_purge(word) = "type `{word}` to remove what is stored for every project";
    not_in_trash(file, folder) = "{file} is no longer in the trash; the rest is in {folder}";
    origin_unknown(file) = "{file} doesn't say which project it came from; name it: `plimsoll restore FILE --project FOLDER`";
    no_such_project(key) = "no project is stored as {key}; the list of projects is out of date";
    project_folder_gone(key) = "the folder of {key} no longer exists; what is stored can still be read and purged";
    type_to_uninstall(word) = "type `{word}` to undo everything and remove Plimsoll's folder";
    no_such_session(session, agent) = "no session {session} of {agent} is recorded; `plimsoll sessions` lists them";
    half_connected(agent) = "some of {agent}'s entries are missing or out of date; repair it";
    unwritable(folder, reason) = "can't write to {folder} ({reason}); Plimsoll shows what is there but can't change anything";
    no_folder(path) = "{path} isn't a folder";
    too_much_below(path) = "{path} contains all of your files or a whole disk; name a folder in it. Nothing was indexed";
    record_fine() = "the record can be read; there is no need to start over";
    record_busy() = "the record is in use by another program; close your agents and try again";
    look_ended() = "looking through past sessions was stopped";
    no_such_filter(name) = "there is no filter `{name}`; `plimsoll filters list` shows them all";
    unread_filter(name, broken) = "there is no filter `{name}`, unless it's in a file that can't be used: {broken}";
    broken_filter(reason) = "{reason}; repair or remove that file, then trust the filters again. Nothing was changed";
    no_filters_in(folder) = "{folder} contains no filters; put them there as .toml files";
    filters_changed(folder) = "the filters in {folder} have changed since you trusted them, so they aren't used; `plimsoll filters trust` shows them and asks again";
    filters_untrusted(folder) = "the filters in {folder} aren't used until you trust them; `plimsoll filters trust` shows them first";
    no_readable_filters_in(folder) = "{folder} contains no filters that can be read; they must be .toml files in UTF-8";

    // Plans and their results.
    same_as_for(agent) = "the same file and entries as for {agent}";
    file_edited(file, agent) = "{file} was changed after Plimsoll wrote it and works as it is. `plimsoll connect {agent}` writes it again and keeps a copy; to switch it off, delete it.";
    stays_for(file, agent) = "{file} stays, because {agent} uses it too.";
    put_back() = "its other files were put back";
    not_put_back(file, reason) = "but not {file}: {reason}";
    changed_meanwhile() = "it changed in the meantime";

    // Verification.
    no_command() = "its server entry names no command";
    not_connected(agent) = "it isn't connected; `plimsoll connect {agent}` connects it";
    not_started(program, reason) = "{program} couldn't be started: {reason}";
    does_not_end() = "the server didn't end when its input was closed";
    went_away(reason) = "the server went away: {reason}";
    no_tools() = "the server lists no tools";
    search_failed(answer) = "a search failed: {answer}";
    no_answer(method, seconds) = "no answer to {method} within {seconds} s";
    not_the_protocol(line) = "the server printed something other than its protocol: {line}";
    answered_with_error(method, error) = "{method} was answered with an error: {error}";
    hook_unread(reason) = "the hook couldn't be read: {reason}";
    hook_ended(status) = "the hook ended with {status}";
    half_an_answer() = "the hook printed half an answer";
    hook_silent() = "the hook printed nothing at the start of a session";

    // Uninstalling.
    project_gone(folder) = "{folder} no longer exists; its entries went with it, or must be removed by hand where it was moved to";
    line_stays(file) = "{file} still names Plimsoll's launcher, which is gone, in a line that somebody else wrote; the line stays";
    copies_stay(folder) = "{folder} stays: it has copies of an agent's file from before Plimsoll changed it, and the log that says which can't be read; delete the folder when you don't need them";
    project_renamed(folder, now) = "{folder} is {now} now; its entries are removed there";
    agent_unknown(agent) = "{agent} was connected by another version of Plimsoll, and this one doesn't know it";
    would_stay(reason) = "would be left alone: {reason}";
    would_be_removed() = "would be removed: Plimsoll made it";
    entry_would_go() = "Plimsoll's entry would go (1 line)";
    entries_would_go(lines) = "Plimsoll's entries would go ({lines} lines)";
    data_stays(folder) = "databases, settings, filters and keys stay in {folder} (--keep-data)";
    stub_stays(path) = "{path} keeps open agents working and removes itself after a day; it is only a script that tells agents to go on";
    folder_named(folder) = "{folder} stays as it is, because a file still names it; correct that file and run this again";
    unknown_names_launcher(file) = "{file} still names Plimsoll's launcher for an agent that this version doesn't know; remove Plimsoll's entries from it, or run this with the version that connected it";
    forgotten_names_launcher(file) = "{file} still names Plimsoll's launcher, and the record of connected projects doesn't have it; run `plimsoll disconnect --all --scope project` in its project, then this again";
    not_removed(path, reason) = "{path} can't be removed: {reason}";
    folder_stays(folder, names) = "{folder} stays: {names} in it isn't Plimsoll's";
    removed_again() = "removed; it wasn't there before";
    removed() = "removed";
    byte_for_byte() = "byte for byte as it was before";
    entries_out() = "Plimsoll's entries are out; what others wrote since stays";
}
