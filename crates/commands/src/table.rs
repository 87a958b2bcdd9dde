//! The list of the desktop's commands: name, argument, reply, and the equivalent command line.
//!
//! A system's own commands are in its table ([`system::Command`]); here are the commands of no system and those of
//! the system context.
//!
//! The router, the TypeScript types and the test that every command has an equivalent in the terminal are all
//! generated from this list, so that they can't disagree. Doesn't know how a command is carried out.

use contract::desktop::{
    Activity, ActivityQuery, AddPath, AddUrl, Added, AgentRef, AgentsQuery, ApplyPlan, Autostart, Calls,
    CallsQuery, DeleteSource, DiscoverQuery, DiscoverView, FileChange, FiltersView, HostView, Leave,
    ModelTokens, Nothing, OutputText, Overview, PageFault, PauseProject, PauseUntil, Period, PickWhat,
    Picked, PlanConnect, PlanDisconnect, PlanView, ProjectView, Pulse, Purge, PurgeWhat, ReadOutput,
    ReadSource, Removed, Restore, SaveDiff, SavePicture, Screen, SearchPage, SearchQuery, SessionQuery,
    SessionRef, SessionView, SessionsPage, SessionsQuery, SetSetting, SettingsFile, SettingsView, SourceText,
    SourcesPage, SourcesQuery, StartedFresh, StatsQuery, StatsView, SwitchFilter, Target, Toggle, TrashRow,
    Upgrade,
};
use contract::{AgentReport, AppliedReport, Check, UninstallReport, UpgradeReport, VerifyReport};
pub use system::TerminalEquivalent;

/// A command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommandInfo {
    /// Its name.
    pub name: &'static str,
    /// The equivalent in a terminal.
    pub in_terminal: TerminalEquivalent,
}

macro_rules! table {
    ($($screen:ident { $($name:ident($args:ty) -> $reply:ty, $in_terminal:expr;)* })*) => {
        /// Every command.
        pub const COMMANDS: &[CommandInfo] = &[$($(CommandInfo { name: stringify!($name), in_terminal: $in_terminal }),*),*];

        /// Runs a command; `None` if there is no such command.
        pub(crate) async fn dispatch(
            router: &std::sync::Arc<crate::Router>,
            name: &str,
            args: serde_json::Value,
        ) -> Option<Result<serde_json::Value, contract::Error>> {
            Some(match name {
                $($(stringify!($name) => match crate::json::decode::<$args>(name, args) {
                    Ok(args) => crate::json::encode::<$reply>(crate::$screen::$name(router, args).await),
                    Err(error) => Err(error),
                },)*)*
                _ => return None,
            })
        }

        /// The argument and reply of every command in TypeScript, with all types they depend on.
        #[cfg(feature = "typescript")]
        pub(crate) fn in_typescript(config: &ts_rs::Config) -> Result<Vec<[String; 3]>, ts_rs::ExportError> {
            use ts_rs::TS as _;
            let mut lines = Vec::new();
            $($(
                <$args>::export_all(config)?;
                crate::exported_types::export::<$reply>(config)?;
                lines.push([stringify!($name).to_owned(), <$args>::name(config), <$reply>::name(config)]);
            )*)*
            Ok(lines)
        }
    };
}

const DIALOG: TerminalEquivalent =
    TerminalEquivalent::None("a dialog of the window's; a terminal names the path");
const WINDOW: TerminalEquivalent = TerminalEquivalent::None("about the window itself");

table! {
    overview {
        overview(Period) -> Overview, TerminalEquivalent::CommandLine("plimsoll status");
        pulse(Nothing) -> Pulse, WINDOW;
        stats(StatsQuery) -> StatsView, TerminalEquivalent::CommandLine("plimsoll stats");
        doctor(Nothing) -> Vec<Check>, TerminalEquivalent::CommandLine("plimsoll doctor");
        start_fresh(Nothing) -> StartedFresh, TerminalEquivalent::CommandLine("plimsoll doctor --start-fresh");
    }
    setup {
        agents(AgentsQuery) -> Vec<AgentReport>, TerminalEquivalent::CommandLine("plimsoll agents");
        agent_changes(AgentRef) -> Vec<FileChange>, TerminalEquivalent::CommandLine("plimsoll changes {agent}");
        plan_connect(PlanConnect) -> PlanView, TerminalEquivalent::CommandLine("plimsoll connect {agent} --dry-run");
        plan_disconnect(PlanDisconnect) -> PlanView, TerminalEquivalent::CommandLine("plimsoll disconnect {agent} --dry-run");
        apply_plan(ApplyPlan) -> AppliedReport, TerminalEquivalent::CommandLine("plimsoll connect {agent}");
        verify_agent(AgentRef) -> VerifyReport, TerminalEquivalent::CommandLine("plimsoll verify {agent}");
        save_diff(SaveDiff) -> Nothing, TerminalEquivalent::CommandLine("plimsoll connect --all --dry-run");
    }
    knowledge {
        projects(Nothing) -> Vec<ProjectView>, TerminalEquivalent::CommandLine("plimsoll projects");
        sources(SourcesQuery) -> SourcesPage, TerminalEquivalent::CommandLine("plimsoll sources --project {project}");
        search(SearchQuery) -> SearchPage, TerminalEquivalent::CommandLine("plimsoll search {query} --project {project}");
        read_source(ReadSource) -> SourceText, TerminalEquivalent::CommandLine("plimsoll read {source} --project {project}");
        add_path(AddPath) -> Added, TerminalEquivalent::CommandLine("plimsoll index {path} --project {project}");
        add_url(AddUrl) -> Added, TerminalEquivalent::CommandLine("plimsoll index {url} --project {project}");
        refresh_source(DeleteSource) -> Added, TerminalEquivalent::CommandLine("plimsoll index {origin} --force --project {project}");
        delete_source(DeleteSource) -> Removed, TerminalEquivalent::CommandLine("plimsoll purge --source {source}");
        purge_preview(PurgeWhat) -> Removed, TerminalEquivalent::CommandLine("plimsoll purge --project {project} --dry-run");
        purge(Purge) -> Removed, TerminalEquivalent::CommandLine("plimsoll purge --project {project}");
        trash(Nothing) -> Vec<TrashRow>, TerminalEquivalent::CommandLine("plimsoll restore");
        restore(Restore) -> Removed, TerminalEquivalent::CommandLine("plimsoll restore {trash}");
    }
    history {
        sessions(SessionsQuery) -> SessionsPage, TerminalEquivalent::CommandLine("plimsoll sessions");
        session(SessionQuery) -> SessionView, TerminalEquivalent::CommandLine("plimsoll sessions {session}");
        session_tokens(SessionRef) -> Vec<ModelTokens>, TerminalEquivalent::CommandLine("plimsoll sessions {session}");
        delete_session(SessionRef) -> Nothing, TerminalEquivalent::CommandLine("plimsoll sessions {session} --delete");
        activity(ActivityQuery) -> Activity, TerminalEquivalent::CommandLine("plimsoll activity");
        calls(CallsQuery) -> Calls, TerminalEquivalent::CommandLine("plimsoll stats --calls");
        read_output(ReadOutput) -> OutputText, TerminalEquivalent::CommandLine("plimsoll read {address}");
    }
    filters {
        filters(Nothing) -> FiltersView, TerminalEquivalent::CommandLine("plimsoll filters list");
        switch_filter(SwitchFilter) -> FiltersView, TerminalEquivalent::CommandLine("plimsoll filters off {key}");
        discover(DiscoverQuery) -> DiscoverView, TerminalEquivalent::CommandLine("plimsoll discover --days 30");
        stop_discover(Nothing) -> Nothing, TerminalEquivalent::None("ends what the window began; a terminal has Ctrl-C");
    }
    settings {
        settings(Nothing) -> SettingsView, TerminalEquivalent::CommandLine("plimsoll settings");
        set_setting(SetSetting) -> SettingsView, TerminalEquivalent::CommandLine("plimsoll settings set {key} {value}");
        export_settings(SettingsFile) -> Nothing, TerminalEquivalent::CommandLine("plimsoll settings export {path}");
        import_settings(SettingsFile) -> SettingsView, TerminalEquivalent::CommandLine("plimsoll settings import {path}");
        pause(PauseUntil) -> Nothing, TerminalEquivalent::CommandLine("plimsoll pause --for 1h");
        pause_project(PauseProject) -> Nothing, TerminalEquivalent::CommandLine("plimsoll pause --project {project}");
        upgrade(Upgrade) -> UpgradeReport, TerminalEquivalent::CommandLine("plimsoll upgrade");
        plan_uninstall(Nothing) -> UninstallReport, TerminalEquivalent::CommandLine("plimsoll uninstall --all --dry-run");
        uninstall(Leave) -> UninstallReport, TerminalEquivalent::CommandLine("plimsoll uninstall --all");
    }
    desktop_host {
        host(Nothing) -> HostView, WINDOW;
        wanted_screen(Nothing) -> Screen, WINDOW;
        pick(PickWhat) -> Picked, DIALOG;
        open(Target) -> Nothing, TerminalEquivalent::None("opens a folder or page beside the window; `plimsoll status` names the folders");
        autostart(Toggle) -> Autostart, TerminalEquivalent::None("about the tray, which a terminal does not have");
        save_picture(SavePicture) -> Nothing, TerminalEquivalent::None("a picture that the window draws; `plimsoll stats` says its figures");
        page_fault(PageFault) -> Nothing, WINDOW;
        quit(Nothing) -> Nothing, WINDOW;
    }
}
