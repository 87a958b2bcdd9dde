// Made from crates/commands/src/table.rs by `cargo xtask types`. Not edited by hand.
export type SessionsQuery = { agent?: string; project?: string; offset: number; limit: number };
export type SessionRow = { session: string; agent: string; project: string; started_ms: number; last_ms: number; events: number; denied: number; sums: Sums };
export type SessionsPage = { rows: Array<SessionRow>; total: number };
export type SessionRef = { agent: string; session: string };
export type SessionQuery = { agent: string; session: string; offset: number; limit: number };
export type SessionView = { session: SessionRow; events: Array<EventRow>; events_total: number; calls: Array<LedgerCall>; resume_note: string | null };
export type EventRow = { id: number; at_ms: number; agent: string; session: string; project: string; kind: string; tool: string | null; summary: string; decision: string; rule: string | null; bytes_before: number | null; bytes_after: number | null; elapsed_us: number };
export type ActivityQuery = { agent?: string; project?: string; decision?: string; contains?: string; since_ms?: number; offset: number; limit: number };
export type Activity = { rows: Array<EventRow>; total: number };
export type CallsQuery = { agent?: string; tool?: string; project?: string; since_ms?: number; offset: number; limit: number };
export type LedgerCall = { id: number; at_ms: number; agent: string; session: string; project: string; tool: string; raw_bytes: number; returned_bytes: number; class: string; ok: boolean; overhead_bytes: number; saved_bytes: number; elapsed_us: number };
export type Calls = { rows: Array<LedgerCall>; total: number };
export type HostView = { kind: string; system: string; tray: boolean; autostart: boolean | null; locale: string; user_home: string; packaged: boolean; crash: string | null };
export type PickWhat = { what: "file" } | { what: "folder" } | { what: "save"; name: string };
export type Picked = { path: string | null };
export type Place = "logs" | "backups" | "home";
export type Target = { what: "folder"; place: Place } | { what: "address"; url: string };
export type Toggle = { on: boolean };
export type Autostart = { on: boolean | null };
export type Screen = { path: string | null; from_link: boolean };
export type ProjectView = { root: string | null; name: string; key: string; exists: boolean; sources: number; chunks: number; text_bytes: number; database_bytes: number; last_ms: number; problem: string | null };
export type ProjectRef = { project: string };
export type SourceKind = "file" | "folder" | "web" | "text" | "output";
export type SourceOrder = "newest" | "name" | "size";
export type SourcesQuery = { project: string; contains?: string; kind?: SourceKind; order: SourceOrder; offset: number; limit: number };
export type SourceRow = { id: number; label: string; kind: SourceKind; origin: string | null; agent: string | null; session: string | null; files: number; chunks: number; code_chunks: number; bytes: number; indexed_ms: number };
export type SourcesPage = { rows: Array<SourceRow>; total: number };
export type SearchQuery = { project: string; query: string; source?: string; kind?: Kind; newest: boolean; offset: number; limit: number };
export type SearchHit = { section: number; source_id: number; source: string; kind: SourceKind; title: string; snippet: string; marks: Array<[number, number]>; code: boolean; lines: [number, number]; indexed_ms: number };
export type SearchPage = { hits: Array<SearchHit>; total: number; of_chunks: number; corrected: string | null; relaxed: boolean; elapsed_us: number };
export type ReadSource = { project: string; source: number; offset: number; limit: number; around?: number };
export type Section = { id: number; title: string; text: string; code: boolean; lines: [number, number] };
export type SourceText = { source: SourceRow; markdown: boolean; sections: Array<Section>; offset: number; total: number; files: Array<SourceRow> };
export type AddPath = { project: string; path: string };
export type AddUrl = { project: string; url: string };
export type Added = { text: string; failed: boolean };
export type DeleteSource = { project: string; source: number };
export type PurgeWhat = { what: "project"; project: string } | { what: "session"; project: string; session: string } | { what: "everything" };
export type Purge = { scope: PurgeWhat; now: boolean; typed: string };
export type Removed = { sources: number; chunks: number; bytes: number; labels: Array<string>; trash: Array<Restore>; kept_days: number };
export type Restore = { project: string; trash: string };
export type Nothing = Record<string, never>;
export type Overview = { version: string; home: string; first_run: boolean; agents: AgentCounts; servers: Array<ServerReport>; hooks_off: boolean; paused_until_ms: number | null; paused_projects: Array<string>; project: string | null; sources: number; chunks: number; today: Sums; problems: Array<string> };
export type AgentCounts = { connected: number; found: number; needs_you: Array<string> };
export type Period = { since_ms: number; utc_offset_min: number };
export type TimeBucket = "hour" | "day";
export type StatsQuery = { period: Period; bucket: TimeBucket };
export type Sums = { calls: number; failed: number; raw_bytes: number; returned_bytes: number; measured_bytes: number; estimated_bytes: number; overhead_bytes: number; net_bytes: number; elapsed_us: number };
export type GroupRow = { name: string; sums: Sums };
export type TimeRow = { start_ms: number; sums: Sums };
export type StatsView = { sums: Sums; by_agent: Array<GroupRow>; by_tool: Array<GroupRow>; by_project: Array<GroupRow>; over_time: Array<TimeRow>; sessions: number; events: number; hook_us: number };
export type Pulse = { stamp: number };
export type AgentsQuery = { thorough: boolean };
export type PlanConnect = { agents: Array<string>; hooks: boolean; instructions: boolean; project?: string };
export type PlanDisconnect = { agents: Array<string>; project?: string };
export type PlanView = { plan: number; removal: boolean; report: PlanReport };
export type ApplyPlan = { plan: number; agent: string };
export type SaveDiff = { plan: number; path: string };
export type AgentRef = { agent: string };
export type FileChange = { path: string; backup: string | null; written_ms: number | null; changed_since: boolean; added: number; removed: number; diff: string; problem: string | null };
export type SettingKind = { kind: "switch" } | { kind: "number"; min: number; max: number; unit: string } | { kind: "choice"; of: Array<string> } | { kind: "text" };
export type SettingView = { key: string; value: boolean | number | string; default: boolean | number | string } & SettingKind;
export type SettingsView = { path: string; settings: Array<SettingView>; problem: string | null };
export type SetSetting = { key: string; value: boolean | number | string };
export type SettingsFile = { path: string };
export type PauseUntil = { until_ms: number };
export type PauseProject = { folder: string; paused: boolean };
export type Upgrade = { install: boolean };
export type Leave = { keep_data: boolean; typed: string };
export type AgentState = "not_installed" | "not_connected" | "partly" | "needs_you" | "connected" | "unreadable";
export type AgentReport = { id: string; name: string; state: AgentState; version: string | null; products: Array<string>; found: Array<FoundAt>; gains: [boolean, boolean, boolean]; files: Array<FileReport>; needs: Array<string>; warnings: Array<string> };
export type FoundAt = { how: string; path: string };
export type FileReport = { path: string; roles: Array<string>; state: string };
export type PlanReport = { agents: Array<AgentPlanReport>; backups: string };
export type AgentPlanReport = { id: string; name: string; files: Array<FilePlanReport>; notes: Array<string>; blocked: boolean };
export type FilePlanReport = { path: string; roles: Array<string>; change: string; added: number; removed: number; diff: string; notes: Array<string>; refusal: string | null; snippet: string | null };
export type AppliedReport = { id: string; name: string; written: Array<string>; unchanged: Array<string>; error: string | null; next_steps: Array<string> };
export type VerifyReport = { id: string; name: string; initialize_ms: number | null; tools: number; call_ms: number | null; hook_ms: number | null; error: string | null };
export type StatusReport = { version: string; home: string; launcher: string | null; agents: Array<AgentReport>; servers: Array<ServerReport>; hooks_off: boolean; paused_until_ms: number | null; paused_projects: Array<string>; week_net_bytes: number | null; problems: Array<string> };
export type ServerReport = { pid: number; agent: string; project: string; started_ms: number };
export type Health = "ok" | "warn" | "fail";
export type Check = { health: Health; name: string; detail: string };
export type UpgradeReport = { current: string; offered: string | null; outcome: string; text: string };
export type UninstallReport = { files: Array<ReturnedFile>; removed: Array<string>; kept: Array<string>; problems: Array<string> };
export type ReturnedFile = { agent: string; path: string; state: string };
export type ErrorCode = "invalid_argument" | "unknown_tool" | "denied" | "ask" | "not_found" | "confirmation_needed" | "failed" | "timeout" | "cancelled" | "runtime_missing" | "network" | "storage" | "not_available" | "internal";
export type Error = { code: ErrorCode; message: string };
export type Kind = "code" | "prose";

/** Argument and reply of every command. */
export interface Commands {
  overview: { args: Period; reply: Overview };
  pulse: { args: Nothing; reply: Pulse };
  stats: { args: StatsQuery; reply: StatsView };
  doctor: { args: Nothing; reply: Array<Check> };
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
  restore: { args: Restore; reply: Removed };
  sessions: { args: SessionsQuery; reply: SessionsPage };
  session: { args: SessionQuery; reply: SessionView };
  delete_session: { args: SessionRef; reply: Nothing };
  activity: { args: ActivityQuery; reply: Activity };
  calls: { args: CallsQuery; reply: Calls };
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
  quit: { args: Nothing; reply: Nothing };
}

/** The command line that does the same; null where there is none. */
export const twins: Record<keyof Commands, string | null> = {
  overview: "plimsoll status",
  pulse: null,
  stats: "plimsoll stats",
  doctor: "plimsoll doctor",
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
  restore: "plimsoll restore {trash} --project {project}",
  sessions: "plimsoll sessions",
  session: "plimsoll sessions {session}",
  delete_session: "plimsoll sessions {session} --delete",
  activity: "plimsoll activity",
  calls: "plimsoll stats --calls",
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
  quit: null,
};
