//! The sentences about agents: obstacles, remedies, next steps after connecting. Each agent's own files know when one
//! applies.

contract::sentences! { "agents";
    // A file that can't be read, and the consequence.
    unreadable(file, reason, consequence) = "{file} can't be read ({reason}): {consequence}";
    repair_by_hand() = "Repair the file by hand; Plimsoll never writes a file that it can't read.";
    byte_order_mark() = "it starts with a byte order mark";
    too_large(bytes) = "it has {bytes} bytes";
    not_utf8() = "it isn't UTF-8";
    unknown_key(key, agent) = "the key {key} isn't known to {agent}";
    does_not_start(agent) = "{agent} doesn't start";
    starts_no_server(agent) = "{agent} starts none of its servers";
    runs_no_hook(agent) = "{agent} runs none of its hooks";
    silently_no_hook(agent) = "{agent} runs no hook of this file and says nothing";
    hooks_ignored(agent) = "{agent} ignores its hooks";
    unknown_policy() = "what your administrator requires isn't known";
    replaced_by_defaults(agent) = "{agent} will replace it with defaults at its next start, and every server in it is gone";

    // The user's switches.
    key_is_false(key, file) = "{key} is false in {file}: no hook runs";
    remove_key(key, file) = "Remove {key} from {file}; the tools work without hooks.";
    hooks_are_off(key, file) = "{key} is on in {file}: no hook runs, not even Plimsoll's";
    switched_off_by(agent, switch) = "{agent} was started with {switch}: Plimsoll's hooks or tools are left out";
    start_without(switch) = "Start it without {switch} to have them.";
    setting_stops_hooks(key, file) = "`{key}` is set in {file}: no hook runs";
    remove_setting() = "Remove the setting to let hooks run.";
    plimsoll_hooks_off(file) = "the hooks of plimsoll are switched off in {file}";
    enable_or_connect() = "Set `enabled` to true there, or connect again.";
    hook_listed_off(key, file, hook) = "{key} of {file} has {hook}: that hook doesn't run";
    switch_on_hooks(agent) = "Switch it on with /hooks inside {agent}.";
    server_entry_off(key, file) = "{key} is false in {file}";
    remove_line() = "Remove that line to have the tools again.";
    server_disabled(server, file) = "the server {server} is disabled in {file}";
    set_enabled() = "Set `enabled` to true there, or remove the key.";
    switch_on_antigravity() = "Switch it on in Antigravity under MCP servers.";
    switch_on_kiro() = "Switch it on in Kiro's list of MCP servers.";
    server_off(server, file) = "the server {server} is switched off in {file}";
    switch_on_with(command) = "Switch it on: {command}";
    server_off_for(server, project) = "the server {server} is switched off for {project}";
    switch_on_there(file) = "Switch it on with /mcp in a session there ({file}).";
    server_listed_off(file, server) = "{file} lists {server} among the disabled servers";
    switch_on_copilot() = "Switch it on with `/mcp enable plimsoll` in Copilot CLI.";
    setting_no_hook(key, value, file) = "`{key}` is {value} in {file}: no hook runs";
    setting_no_server(key, value, file) = "`{key}` is {value} in {file}: no server starts";
    setting_no_agent(key, value, file) = "`{key}` is {value} in {file}: there is no agent to connect";
    setting_no_chat(key, value, file) = "`{key}` is {value} in {file}: there is no chat to connect";
    setting_claude_hooks(key, value, file) = "`{key}` is {value} in {file}: hooks written for Claude Code run here too; Plimsoll's stay silent in them";
    change_setting(key) = "Change `{key}` if that isn't what you want.";
    pure_mode() = "OPENCODE_PURE is set: OpenCode loads no plugins";
    unset_pure_mode() = "Unset it to let the plugin run.";

    // Policies and permission rules.
    managed_hooks_only(key, file) = "{key} is on in {file}: only the administrator's hooks run";
    plugin_hooks_only(key, file) = "{key} in {file} lets only hooks of plugins and the administrator's run";
    use_the_plugin() = "Use Plimsoll's plugin in place of its hooks, or ask the administrator to add them; the tools work without them.";
    ask_for_hooks() = "Ask the administrator to add Plimsoll's hooks; the tools work without them.";
    servers_listed(file, server) = "{file} lists the servers that may run, and {server} isn't among them";
    ask_to_admit() = "Ask the administrator to admit it.";
    not_admitted(file, server) = "{file} doesn't admit the server {server}";
    admit_in_lists(server, file) = "Admit a server named {server} in deniedMcpServers / allowedMcpServers of {file}.";
    kept_out(file, server) = "mcp.allowed or mcp.excluded of {file} keeps the server {server} out";
    admit_there(server) = "Admit {server} there to have the tools.";
    denied_by_rule(file, rule) = "permissions.deny of {file} has {rule}: Claude Code refuses Plimsoll's tools";
    remove_rule(rule) = "Remove {rule} from permissions.deny if that isn't meant.";

    // Duplicates, mix-ups, and other products' entries.
    hook_not_alone(event, file) = "hooks.{event} in {file} has Plimsoll's hook in a group with others, or twice";
    own_group() = "Move the other hook into a group of its own, without Plimsoll's command, and connect again.";
    second_entry(file, server, project) = "{file} has a second entry {server} for {project}, which wins there";
    remove_with(command) = "Remove it: {command}";
    file_runs_too(file) = "{file} also runs Plimsoll's hook: each event is handled twice";
    remove_our_entries() = "Remove Plimsoll's entries from that file; plimsoll.json beside it is enough.";
    folder_registers_too(folder) = "{folder} registers hooks too: each event is handled twice";
    remove_folder() = "Remove that folder; the entry in hooks.json is enough.";
    second_plugin(folder) = "{folder} contains the plugin a second time: each event is handled twice";
    remove_copy() = "Remove that copy.";
    plugin_listed_twice(plugin, file, ours) = "`{plugin}` is in the `plugin` list of {file} and {ours} is there too: each event is handled twice";
    remove_from_list() = "Remove it from the list; OpenCode finds the file without it.";
    plugin_listed(plugin, file) = "`{plugin}` is in the `plugin` list of {file}, so Plimsoll doesn't write its plugin file";
    remove_and_connect() = "Remove it from the list and connect again to use the file that Plimsoll keeps up to date.";
    plugin_is_on(agent, place) = "{agent} has Plimsoll's plugin ({place}), which brings the same: nothing is written beside it";
    plugin_too(agent, place) = "{agent} has Plimsoll's plugin too ({place}); it steps aside as long as the agent is connected";
    one_way_is_enough(command) = "One of the two is enough. To remove the plugin: {command}";
    foreign_server(key, file) = "`{key}` in {file} isn't Plimsoll's";
    rename_server() = "Rename that server; Plimsoll doesn't replace what it didn't write.";
    foreign_file(file) = "{file} isn't Plimsoll's";
    move_away() = "Move that file away and connect again.";
    rival(name, place) = "{name} is registered in {place}: it and Plimsoll both act on the same calls";
    one_of_the_two(name) = "Keep one of the two: disconnect Plimsoll, or remove {name} as its own manual says.";

    // Files with less effect than intended.
    instructions_shadowed(file) = "{file} replaces AGENTS.md: instructions there aren't read";
    only_for_instructions() = "Nothing, unless you asked Plimsoll to write instructions.";
    useless_table(file, table) = "{file} has [{table}], which Codex doesn't read";
    right_table() = "Servers belong under [mcp_servers].";
    hooks_in_two_files(first, second) = "hooks are in both {first} and {second}: Codex warns at each start";
    move_hooks() = "Move the hooks of config.toml into hooks.json.";
    no_version(file) = "{file} has no whole number as `version`: Cursor ignores the whole file";
    add_version(line) = "Add `{line}`.";
    unknown_event(file, event) = "{file} names the event `{event}`: Cursor ignores the whole file";
    remove_event(event) = "Remove `{event}`, or see that your Cursor knows it.";

    // Versions and accounts.
    tools_only(agent, version, since) = "{agent} {version} is older than {since}: only the tools work";
    update_for_hooks(agent) = "Update {agent} and connect again to have hooks.";
    no_plugins_yet(since) = "this OpenCode is older than {since} and doesn't load Plimsoll's plugin";
    update_opencode() = "Update OpenCode (`opencode upgrade`) and connect again; the tools work without.";
    kiro_agent_files() = "this Kiro CLI runs hooks only from agent files unless its V3 engine is used";
    kiro_v3() = "The tools work; for hooks start it with the V3 engine or update to 3.x.";
    gemini_accounts() = "Gemini CLI serves API keys and Code Assist Standard and Enterprise; other accounts moved to Antigravity in June 2026";
    gemini_elsewhere() = "With such an account, connect Antigravity.";

    // Codex's reports about Plimsoll's hooks.
    hooks_wait() = "open Codex in a terminal, type /hooks and approve Plimsoll's hooks; until then Codex skips them silently";
    some_hooks_wait(events) = "open Codex in a terminal, type /hooks and approve Plimsoll's hooks for {events}; until then Codex skips these silently";
    hooks_off(events) = "switched off in /hooks: {events}";
    nobody_to_ask() = "no Codex program to ask; see /hooks inside Codex";
    not_asked(reason) = "{reason}; see /hooks inside Codex";
    no_answer_in_time() = "Codex gave no answer in time";
    no_answer_at_all() = "Codex ended without an answer";
    no_hook_listed(folder) = "Codex lists none of Plimsoll's hooks in {folder}; where it's connected in a project alone, open Codex there and see /hooks";
    no_hook_listed_because(reason) = "Codex lists none of Plimsoll's hooks: {reason}";

    // After connecting.
    next_claude_code() = "Start a new session of Claude Code; a running one keeps the servers it started with.";
    next_codex_hooks() = "Open Codex in a terminal, type /hooks and approve Plimsoll's hooks; until then Codex skips them silently.";
    next_codex() = "Start a new session of Codex.";
    next_cursor() = "In Cursor, open Settings → MCP once and see that `plimsoll` is switched on.";
    next_vscode() = "VS Code asks once whether you trust the server `plimsoll`; answer when the chat first uses it.";
    next_kiro() = "Kiro asks before it uses one of Plimsoll's tools until you trust that tool there.";
    next_opencode() = "Restart OpenCode: it reads its configuration and plugins only when it starts.";
    next_opencode_plugin() = "The first start may take a minute: for its first plugin OpenCode installs a package of its own from npm.";
    next_gemini_cli() = "Restart Gemini CLI; it runs no hooks in a folder that it doesn't trust.";
}
