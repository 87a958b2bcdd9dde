// Made from crates/commands/src/table.rs by `cargo xtask types`. Not edited by hand.
import type { Activity } from "./Activity";
import type { ActivityQuery } from "./ActivityQuery";
import type { AddPath } from "./AddPath";
import type { AddUrl } from "./AddUrl";
import type { Added } from "./Added";
import type { AgentCounts } from "./AgentCounts";
import type { AgentPlanReport } from "./AgentPlanReport";
import type { AgentRef } from "./AgentRef";
import type { AgentReport } from "./AgentReport";
import type { AgentState } from "./AgentState";
import type { AgentsQuery } from "./AgentsQuery";
import type { Amount } from "./Amount";
import type { AppliedReport } from "./AppliedReport";
import type { ApplyPlan } from "./ApplyPlan";
import type { Attention } from "./Attention";
import type { Autostart } from "./Autostart";
import type { Calls } from "./Calls";
import type { CallsQuery } from "./CallsQuery";
import type { Check } from "./Check";
import type { CodeBlock } from "./CodeBlock";
import type { CodeCard } from "./CodeCard";
import type { CodeCategory } from "./CodeCategory";
import type { CodeCycle } from "./CodeCycle";
import type { CodeCycles } from "./CodeCycles";
import type { CodeDefinition } from "./CodeDefinition";
import type { CodeFiles } from "./CodeFiles";
import type { CodeFilesQuery } from "./CodeFilesQuery";
import type { CodeFollowed } from "./CodeFollowed";
import type { CodeHit } from "./CodeHit";
import type { CodeIn } from "./CodeIn";
import type { CodeLanguage } from "./CodeLanguage";
import type { CodeMap } from "./CodeMap";
import type { CodeMapQuery } from "./CodeMapQuery";
import type { CodeName } from "./CodeName";
import type { CodeNaming } from "./CodeNaming";
import type { CodePage } from "./CodePage";
import type { CodePart } from "./CodePart";
import type { CodePreview } from "./CodePreview";
import type { CodeProject } from "./CodeProject";
import type { CodeProjects } from "./CodeProjects";
import type { CodeQuery } from "./CodeQuery";
import type { CodeReached } from "./CodeReached";
import type { CodeReferences } from "./CodeReferences";
import type { CodeReindex } from "./CodeReindex";
import type { CodeReindexed } from "./CodeReindexed";
import type { CodeRemembered } from "./CodeRemembered";
import type { CodeSpot } from "./CodeSpot";
import type { CodeStatusView } from "./CodeStatusView";
import type { CodeSymbol } from "./CodeSymbol";
import type { CodeText } from "./CodeText";
import type { CodeUse } from "./CodeUse";
import type { CodeWay } from "./CodeWay";
import type { CodeWays } from "./CodeWays";
import type { DeleteSource } from "./DeleteSource";
import type { DiscoverQuery } from "./DiscoverQuery";
import type { DiscoverRow } from "./DiscoverRow";
import type { DiscoverView } from "./DiscoverView";
import type { EntityNamed } from "./EntityNamed";
import type { EntityRef } from "./EntityRef";
import type { EntityView } from "./EntityView";
import type { EntriesReport } from "./EntriesReport";
import type { Error } from "./Error";
import type { ErrorCode } from "./ErrorCode";
import type { EventRow } from "./EventRow";
import type { Fault } from "./Fault";
import type { FileChange } from "./FileChange";
import type { FilePlanReport } from "./FilePlanReport";
import type { FileReport } from "./FileReport";
import type { FileState } from "./FileState";
import type { FilterLayer } from "./FilterLayer";
import type { FilterRow } from "./FilterRow";
import type { FiltersView } from "./FiltersView";
import type { Forgotten } from "./Forgotten";
import type { FoundAt } from "./FoundAt";
import type { GraphEdge } from "./GraphEdge";
import type { GraphNode } from "./GraphNode";
import type { GraphQuery } from "./GraphQuery";
import type { GraphText } from "./GraphText";
import type { GraphView } from "./GraphView";
import type { GroupRow } from "./GroupRow";
import type { Health } from "./Health";
import type { HostView } from "./HostView";
import type { InProject } from "./InProject";
import type { Kind } from "./Kind";
import type { Leave } from "./Leave";
import type { LedgerCall } from "./LedgerCall";
import type { MemoriesPage } from "./MemoriesPage";
import type { MemoriesQuery } from "./MemoriesQuery";
import type { MemoryCaptured } from "./MemoryCaptured";
import type { MemoryChange } from "./MemoryChange";
import type { MemoryCount } from "./MemoryCount";
import type { MemoryGiven } from "./MemoryGiven";
import type { MemoryLag } from "./MemoryLag";
import type { MemoryLinked } from "./MemoryLinked";
import type { MemoryNamespace } from "./MemoryNamespace";
import type { MemoryOrg } from "./MemoryOrg";
import type { MemoryOrgAddress } from "./MemoryOrgAddress";
import type { MemoryOrgAnswer } from "./MemoryOrgAnswer";
import type { MemoryProject } from "./MemoryProject";
import type { MemoryProjects } from "./MemoryProjects";
import type { MemoryPrompt } from "./MemoryPrompt";
import type { MemoryPrompts } from "./MemoryPrompts";
import type { MemoryRef } from "./MemoryRef";
import type { MemoryRole } from "./MemoryRole";
import type { MemoryRow } from "./MemoryRow";
import type { MemoryShare } from "./MemoryShare";
import type { MemorySharing } from "./MemorySharing";
import type { MemorySource } from "./MemorySource";
import type { MemorySourceRef } from "./MemorySourceRef";
import type { MemorySources } from "./MemorySources";
import type { MemoryState } from "./MemoryState";
import type { MemoryStatusView } from "./MemoryStatusView";
import type { MemoryStep } from "./MemoryStep";
import type { MemoryTaken } from "./MemoryTaken";
import type { MemoryTeam } from "./MemoryTeam";
import type { MemoryText } from "./MemoryText";
import type { MemoryToday } from "./MemoryToday";
import type { MemoryVerdict } from "./MemoryVerdict";
import type { MemoryView } from "./MemoryView";
import type { MergeEntities } from "./MergeEntities";
import type { Merged } from "./Merged";
import type { ModelTokens } from "./ModelTokens";
import type { Nothing } from "./Nothing";
import type { OutputText } from "./OutputText";
import type { Overview } from "./Overview";
import type { PageFault } from "./PageFault";
import type { Param } from "./Param";
import type { PauseProject } from "./PauseProject";
import type { PauseUntil } from "./PauseUntil";
import type { Period } from "./Period";
import type { PickWhat } from "./PickWhat";
import type { Picked } from "./Picked";
import type { Place } from "./Place";
import type { PlanConnect } from "./PlanConnect";
import type { PlanDisconnect } from "./PlanDisconnect";
import type { PlanReport } from "./PlanReport";
import type { PlanView } from "./PlanView";
import type { Problem } from "./Problem";
import type { ProjectView } from "./ProjectView";
import type { PromptDraft } from "./PromptDraft";
import type { PromptPreview } from "./PromptPreview";
import type { PromptRef } from "./PromptRef";
import type { PromptVariable } from "./PromptVariable";
import type { Pulse } from "./Pulse";
import type { Purge } from "./Purge";
import type { PurgeWhat } from "./PurgeWhat";
import type { ReadOutput } from "./ReadOutput";
import type { ReadSource } from "./ReadSource";
import type { Remedy } from "./Remedy";
import type { Removed } from "./Removed";
import type { Restore } from "./Restore";
import type { RestorePrompt } from "./RestorePrompt";
import type { ReturnedFile } from "./ReturnedFile";
import type { SaveDiff } from "./SaveDiff";
import type { SavePicture } from "./SavePicture";
import type { SavePrompt } from "./SavePrompt";
import type { Screen } from "./Screen";
import type { SearchHit } from "./SearchHit";
import type { SearchPage } from "./SearchPage";
import type { SearchQuery } from "./SearchQuery";
import type { Section } from "./Section";
import type { Sentence } from "./Sentence";
import type { ServerReport } from "./ServerReport";
import type { SessionFact } from "./SessionFact";
import type { SessionQuery } from "./SessionQuery";
import type { SessionRef } from "./SessionRef";
import type { SessionRow } from "./SessionRow";
import type { SessionView } from "./SessionView";
import type { SessionsPage } from "./SessionsPage";
import type { SessionsQuery } from "./SessionsQuery";
import type { SetSetting } from "./SetSetting";
import type { SettingView } from "./SettingView";
import type { SettingsFile } from "./SettingsFile";
import type { SettingsView } from "./SettingsView";
import type { SharedProblem } from "./SharedProblem";
import type { SourceKind } from "./SourceKind";
import type { SourceOrder } from "./SourceOrder";
import type { SourceRow } from "./SourceRow";
import type { SourceText } from "./SourceText";
import type { SourcesPage } from "./SourcesPage";
import type { SourcesQuery } from "./SourcesQuery";
import type { StartedFresh } from "./StartedFresh";
import type { StatsQuery } from "./StatsQuery";
import type { StatsView } from "./StatsView";
import type { Sums } from "./Sums";
import type { SwitchFilter } from "./SwitchFilter";
import type { Target } from "./Target";
import type { TimeBucket } from "./TimeBucket";
import type { TimeRow } from "./TimeRow";
import type { Toggle } from "./Toggle";
import type { TokensRow } from "./TokensRow";
import type { TrashRow } from "./TrashRow";
import type { UninstallReport } from "./UninstallReport";
import type { Unit } from "./Unit";
import type { Upgrade } from "./Upgrade";
import type { UpgradeReport } from "./UpgradeReport";
import type { VerifyReport } from "./VerifyReport";
import type { WorthRow } from "./WorthRow";
export type { Activity, ActivityQuery, AddPath, AddUrl, Added, AgentCounts, AgentPlanReport, AgentRef, AgentReport, AgentState, AgentsQuery, Amount, AppliedReport, ApplyPlan, Attention, Autostart, Calls, CallsQuery, Check, CodeBlock, CodeCard, CodeCategory, CodeCycle, CodeCycles, CodeDefinition, CodeFiles, CodeFilesQuery, CodeFollowed, CodeHit, CodeIn, CodeLanguage, CodeMap, CodeMapQuery, CodeName, CodeNaming, CodePage, CodePart, CodePreview, CodeProject, CodeProjects, CodeQuery, CodeReached, CodeReferences, CodeReindex, CodeReindexed, CodeRemembered, CodeSpot, CodeStatusView, CodeSymbol, CodeText, CodeUse, CodeWay, CodeWays, DeleteSource, DiscoverQuery, DiscoverRow, DiscoverView, EntityNamed, EntityRef, EntityView, EntriesReport, Error, ErrorCode, EventRow, Fault, FileChange, FilePlanReport, FileReport, FileState, FilterLayer, FilterRow, FiltersView, Forgotten, FoundAt, GraphEdge, GraphNode, GraphQuery, GraphText, GraphView, GroupRow, Health, HostView, InProject, Kind, Leave, LedgerCall, MemoriesPage, MemoriesQuery, MemoryCaptured, MemoryChange, MemoryCount, MemoryGiven, MemoryLag, MemoryLinked, MemoryNamespace, MemoryOrg, MemoryOrgAddress, MemoryOrgAnswer, MemoryProject, MemoryProjects, MemoryPrompt, MemoryPrompts, MemoryRef, MemoryRole, MemoryRow, MemoryShare, MemorySharing, MemorySource, MemorySourceRef, MemorySources, MemoryState, MemoryStatusView, MemoryStep, MemoryTaken, MemoryTeam, MemoryText, MemoryToday, MemoryVerdict, MemoryView, MergeEntities, Merged, ModelTokens, Nothing, OutputText, Overview, PageFault, Param, PauseProject, PauseUntil, Period, PickWhat, Picked, Place, PlanConnect, PlanDisconnect, PlanReport, PlanView, Problem, ProjectView, PromptDraft, PromptPreview, PromptRef, PromptVariable, Pulse, Purge, PurgeWhat, ReadOutput, ReadSource, Remedy, Removed, Restore, RestorePrompt, ReturnedFile, SaveDiff, SavePicture, SavePrompt, Screen, SearchHit, SearchPage, SearchQuery, Section, Sentence, ServerReport, SessionFact, SessionQuery, SessionRef, SessionRow, SessionView, SessionsPage, SessionsQuery, SetSetting, SettingView, SettingsFile, SettingsView, SharedProblem, SourceKind, SourceOrder, SourceRow, SourceText, SourcesPage, SourcesQuery, StartedFresh, StatsQuery, StatsView, Sums, SwitchFilter, Target, TimeBucket, TimeRow, Toggle, TokensRow, TrashRow, UninstallReport, Unit, Upgrade, UpgradeReport, VerifyReport, WorthRow };

/** Argument and reply of every command. */
export interface Commands {
  overview: { args: Period; reply: Overview };
  pulse: { args: Nothing; reply: Pulse };
  stats: { args: StatsQuery; reply: StatsView };
  doctor: { args: Nothing; reply: Array<Check> };
  start_fresh: { args: Nothing; reply: StartedFresh };
  agents: { args: AgentsQuery; reply: Array<AgentReport> };
  agent_changes: { args: AgentRef; reply: Array<FileChange> };
  plan_connect: { args: PlanConnect; reply: PlanView };
  plan_disconnect: { args: PlanDisconnect; reply: PlanView };
  apply_plan: { args: ApplyPlan; reply: AppliedReport };
  verify_agent: { args: AgentRef; reply: VerifyReport };
  save_diff: { args: SaveDiff; reply: Nothing };
  projects: { args: Nothing; reply: Array<ProjectView> };
  sources: { args: SourcesQuery; reply: SourcesPage };
  search: { args: SearchQuery; reply: SearchPage };
  read_source: { args: ReadSource; reply: SourceText };
  add_path: { args: AddPath; reply: Added };
  add_url: { args: AddUrl; reply: Added };
  refresh_source: { args: DeleteSource; reply: Added };
  delete_source: { args: DeleteSource; reply: Removed };
  purge_preview: { args: PurgeWhat; reply: Removed };
  purge: { args: Purge; reply: Removed };
  trash: { args: Nothing; reply: Array<TrashRow> };
  restore: { args: Restore; reply: Removed };
  sessions: { args: SessionsQuery; reply: SessionsPage };
  session: { args: SessionQuery; reply: SessionView };
  session_tokens: { args: SessionRef; reply: Array<ModelTokens> };
  delete_session: { args: SessionRef; reply: Nothing };
  activity: { args: ActivityQuery; reply: Activity };
  calls: { args: CallsQuery; reply: Calls };
  read_output: { args: ReadOutput; reply: OutputText };
  filters: { args: Nothing; reply: FiltersView };
  switch_filter: { args: SwitchFilter; reply: FiltersView };
  discover: { args: DiscoverQuery; reply: DiscoverView };
  stop_discover: { args: Nothing; reply: Nothing };
  settings: { args: Nothing; reply: SettingsView };
  set_setting: { args: SetSetting; reply: SettingsView };
  export_settings: { args: SettingsFile; reply: Nothing };
  import_settings: { args: SettingsFile; reply: SettingsView };
  pause: { args: PauseUntil; reply: Nothing };
  pause_project: { args: PauseProject; reply: Nothing };
  upgrade: { args: Upgrade; reply: UpgradeReport };
  plan_uninstall: { args: Nothing; reply: UninstallReport };
  uninstall: { args: Leave; reply: UninstallReport };
  host: { args: Nothing; reply: HostView };
  wanted_screen: { args: Nothing; reply: Screen };
  pick: { args: PickWhat; reply: Picked };
  open: { args: Target; reply: Nothing };
  autostart: { args: Toggle; reply: Autostart };
  save_picture: { args: SavePicture; reply: Nothing };
  page_fault: { args: PageFault; reply: Nothing };
  quit: { args: Nothing; reply: Nothing };
  memory_projects: { args: Nothing; reply: MemoryProjects };
  memory_status: { args: InProject; reply: MemoryStatusView };
  memories: { args: MemoriesQuery; reply: MemoriesPage };
  memory: { args: MemoryRef; reply: MemoryView };
  memory_capture: { args: MemoryText; reply: MemoryCaptured };
  memory_update: { args: MemoryChange; reply: MemoryCaptured };
  memory_forget: { args: MemoryRef; reply: Nothing };
  memory_restore: { args: MemoryState; reply: Nothing };
  memory_review: { args: MemoryVerdict; reply: Nothing };
  memory_share: { args: MemoryShare; reply: MemorySharing };
  memory_graph: { args: GraphQuery; reply: GraphView };
  memory_graph_text: { args: GraphQuery; reply: GraphText };
  memory_entity: { args: EntityRef; reply: EntityView };
  memory_merge: { args: MergeEntities; reply: Merged };
  memory_prompts: { args: InProject; reply: MemoryPrompts };
  memory_save_prompt: { args: SavePrompt; reply: MemoryPrompt };
  memory_prompt_versions: { args: PromptRef; reply: MemoryPrompts };
  memory_delete_prompt: { args: PromptRef; reply: MemoryPrompts };
  memory_restore_prompt: { args: RestorePrompt; reply: Nothing };
  memory_preview_prompt: { args: PromptDraft; reply: PromptPreview };
  memory_sources: { args: Nothing; reply: MemorySources };
  memory_take_in: { args: MemorySourceRef; reply: MemoryTaken };
  memory_team: { args: InProject; reply: MemoryTeam };
  memory_org_check: { args: Nothing; reply: MemoryOrg };
  memory_org_set: { args: MemoryOrgAddress; reply: MemoryOrg };
  memory_org_sync: { args: Nothing; reply: MemoryOrg };
  code_projects: { args: Nothing; reply: CodeProjects };
  code_status: { args: CodeIn; reply: CodeStatusView };
  code_search: { args: CodeQuery; reply: CodePage };
  code_preview: { args: CodeSpot; reply: CodePreview };
  code_references: { args: CodeName; reply: CodeReferences };
  code_card: { args: CodeName; reply: CodeCard };
  code_context: { args: CodeName; reply: CodeText };
  code_map: { args: CodeMapQuery; reply: CodeMap };
  code_files: { args: CodeFilesQuery; reply: CodeFiles };
  code_patterns: { args: CodeIn; reply: CodeWays };
  code_cycles: { args: CodePart; reply: CodeCycles };
  code_review: { args: CodeIn; reply: CodeText };
  code_reindex: { args: CodeReindex; reply: CodeReindexed };
}

/** The command line that does the same; null where there is none. */
export const terminalCommands: Record<keyof Commands, string | null> = {
  overview: "plimsoll status",
  pulse: null,
  stats: "plimsoll stats",
  doctor: "plimsoll doctor",
  start_fresh: "plimsoll doctor --start-fresh",
  agents: "plimsoll agents",
  agent_changes: "plimsoll changes {agent}",
  plan_connect: "plimsoll connect {agent} --dry-run",
  plan_disconnect: "plimsoll disconnect {agent} --dry-run",
  apply_plan: "plimsoll connect {agent}",
  verify_agent: "plimsoll verify {agent}",
  save_diff: "plimsoll connect --all --dry-run",
  projects: "plimsoll projects",
  sources: "plimsoll sources --project {project}",
  search: "plimsoll search {query} --project {project}",
  read_source: "plimsoll read {source} --project {project}",
  add_path: "plimsoll index {path} --project {project}",
  add_url: "plimsoll index {url} --project {project}",
  refresh_source: "plimsoll index {origin} --force --project {project}",
  delete_source: "plimsoll purge --source {source}",
  purge_preview: "plimsoll purge --project {project} --dry-run",
  purge: "plimsoll purge --project {project}",
  trash: "plimsoll restore",
  restore: "plimsoll restore {trash}",
  sessions: "plimsoll sessions",
  session: "plimsoll sessions {session}",
  session_tokens: "plimsoll sessions {session}",
  delete_session: "plimsoll sessions {session} --delete",
  activity: "plimsoll activity",
  calls: "plimsoll stats --calls",
  read_output: "plimsoll read {address}",
  filters: "plimsoll filters list",
  switch_filter: "plimsoll filters off {key}",
  discover: "plimsoll discover --days 30",
  stop_discover: null,
  settings: "plimsoll settings",
  set_setting: "plimsoll settings set {key} {value}",
  export_settings: "plimsoll settings export {path}",
  import_settings: "plimsoll settings import {path}",
  pause: "plimsoll pause --for 1h",
  pause_project: "plimsoll pause --project {project}",
  upgrade: "plimsoll upgrade",
  plan_uninstall: "plimsoll uninstall --all --dry-run",
  uninstall: "plimsoll uninstall --all",
  host: null,
  wanted_screen: null,
  pick: null,
  open: null,
  autostart: null,
  save_picture: null,
  page_fault: null,
  quit: null,
  memory_projects: "plimsoll projects",
  memory_status: "plimsoll memory status",
  memories: "plimsoll memory recall {query}",
  memory: "plimsoll memory get {id}",
  memory_capture: "plimsoll memory capture {content} --namespace {namespace}",
  memory_update: "plimsoll memory update {id} --content {content}",
  memory_forget: "plimsoll memory delete {id}",
  memory_restore: "plimsoll memory restore {id}",
  memory_review: "plimsoll memory keep {id}",
  memory_share: "plimsoll memory share {id}",
  memory_graph: "plimsoll graph visualize",
  memory_graph_text: "plimsoll graph visualize --format mermaid",
  memory_entity: "plimsoll graph neighbors {entity}",
  memory_merge: "plimsoll graph merge {entity} {other}",
  memory_prompts: "plimsoll prompt list",
  memory_save_prompt: "plimsoll prompt save {name} {content} --kind {kind}",
  memory_prompt_versions: "plimsoll prompt get {name} --kind {kind}",
  memory_delete_prompt: "plimsoll prompt delete {name} --kind {kind} --domain {scope}",
  memory_restore_prompt: "plimsoll prompt save {name} {content} --kind {kind}",
  memory_preview_prompt: "plimsoll prompt run {name}",
  memory_sources: "plimsoll memory sources",
  memory_take_in: "plimsoll memory import {path} --pending",
  memory_team: "plimsoll memory status",
  memory_org_check: "plimsoll memory org status",
  memory_org_set: "plimsoll memory org set postgres://NAME:PASSWORD@HOST/DATABASE",
  memory_org_sync: "plimsoll memory org sync",
  code_projects: "plimsoll projects",
  code_status: "plimsoll code status",
  code_search: "plimsoll code search {query}",
  code_preview: null,
  code_references: "plimsoll code refs {symbol}",
  code_card: "plimsoll code card {symbol}",
  code_context: "plimsoll code search {symbol} --mode full",
  code_map: "plimsoll code map",
  code_files: "plimsoll code map {folder}",
  code_patterns: "plimsoll code patterns",
  code_cycles: "plimsoll code cycles",
  code_review: "plimsoll code review",
  code_reindex: "plimsoll code reindex",
};

/** The screens of the systems, in the order of the navigation: each a folder below `features/`. */
export const screens = ["knowledge", "memory", "code", "sessions", "activity"] as const;

/** Those whose words are loaded with them (`i18n/*.later.json`) and not with the first screen. */
export const wordy: readonly string[] = ["memory", "code"];

/** The agents: what people call them, two letters that stand for each (no product's logo is used), and whether they withhold credentials from their servers. */
export const agents: readonly { id: string; name: string; mark: string; withholds: boolean }[] = [
  { id: "claude-code", name: "Claude Code", mark: "Cl", withholds: false },
  { id: "codex", name: "Codex", mark: "Cx", withholds: true },
  { id: "cursor", name: "Cursor", mark: "Cu", withholds: false },
  { id: "vscode-copilot", name: "VS Code (Copilot)", mark: "VS", withholds: false },
  { id: "copilot-cli", name: "Copilot CLI", mark: "Co", withholds: false },
  { id: "antigravity", name: "Antigravity", mark: "An", withholds: false },
  { id: "kiro", name: "Kiro", mark: "Ki", withholds: false },
  { id: "opencode", name: "OpenCode", mark: "Op", withholds: false },
  { id: "gemini-cli", name: "Gemini CLI", mark: "Ge", withholds: true },
];
