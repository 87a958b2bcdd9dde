//! The messages of doctor: the names of checks and their results.

contract::sentences! { "doctor";
    // Names.
    program() = "plimsoll";
    launcher() = "launcher";
    path() = "PATH";
    settings() = "settings";
    project() = "project";
    storage() = "storage";
    disk() = "disk";
    main_database() = "plimsoll.db";
    knowledge_of(project) = "knowledge of {project}";
    knowledge_outside() = "knowledge outside projects";
    full_text() = "full-text search";
    kept() = "kept outputs";
    servers() = "servers";
    enforcement() = "enforcement";
    agents() = "agents";

    // A bare name, version or path.
    plain(value) = "{value}";

    // Results.
    launcher_is(file, version) = "{file}, version {version}";
    launcher_points_elsewhere(file, other, ours) = "{file} points to {other}, but this program is {ours}; agents run {other}";
    launcher_missing(file) = "{file} is missing, so connected agents can't start Plimsoll; run `plimsoll setup`";
    launcher_not_startable(file) = "{file} isn't a program that can be started, so connected agents can't start Plimsoll; run `plimsoll setup`";
    no_launcher_yet() = "not there yet; connecting an agent puts it in place";
    on_path(folder) = "{folder} is on it";
    another_on_path(file) = "`plimsoll` starts {file}";
    not_on_path(folder) = "{folder} isn't on it; agents don't need that, but you do to type `plimsoll` anywhere";
    filters() = "filters";
    filter_unused(reason) = "{reason}; this filter isn't used until the file is repaired or removed";
    settings_broken(reason) = "{reason}; until then the defaults are used";
    hooks_off() = "hooks are switched off; `plimsoll settings set hooks.enabled true` switches them on";
    hooks_paused() = "hooks are paused; `plimsoll resume` ends that";
    settings_read() = "valid";
    no_settings() = "none; the defaults are used";
    folder_has(folder, size) = "{folder}, {size}";
    folder_not_writable(folder, reason) = "{folder} can't be written ({reason}); make it yours and writable, or set PLIMSOLL_HOME to another folder";
    no_folder_yet(folder) = "{folder} isn't there yet";
    sound(size, schema) = "sound, {size}, schema {schema}";
    damaged(file, damage) = "{file} is damaged ({damage}); what can be read is saved the next time it's opened while no agent uses it, and the damaged file is kept";
    little_free(size) = "only {size} free; Plimsoll stops storing when it is full";
    kept_within(used, budget, outputs, tasks, cache) = "{used} of {budget}: {outputs} in knowledge bases, {tasks} in tasks, {cache} in the cache";
    free(size) = "{size} free";
    runtime_is(version, program) = "{version} ({program})";
    version_unknown() = "version unknown";
    runtime_missing(how) = "not installed; {how}";
    enforced(means) = "the system stops denied programs and files while a program runs ({means}); rules about a shell's own commands, and about what other services do on request, are checked only by reading the command";
    enforced_in_part(means) = "the system stops denied programs and files while a program runs ({means}, not tried on a real Mac yet); rules about arguments are checked only by reading the command";
    enforced_not(why) = "rules are checked only by reading the command: {why}";
    enforced_not_but_wanted(why) = "nothing runs, because [sandbox] enforce or network asks for confinement, which doesn't work here: {why}";
    enforced_off() = "rules are checked only by reading the command: [sandbox] enforce is off";
    servers_running(count, names) = "{count} running: {names}";
    agent_is(agent, state) = "{agent}, {state}";
    newer_than_tested(version) = "newer than {version}, the last version that Plimsoll was tested with";
    connect_completes(agent) = "`plimsoll connect {agent}` completes it";
    no_agent() = "none was found on this computer";
    text_found() = "a sentence was indexed and found";
    text_not_found() = "what was indexed wasn't found; reinstall Plimsoll";
    text_not_tried(reason) = "{reason}; check the folder for temporary files";
}
