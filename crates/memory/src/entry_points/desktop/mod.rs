//! The window's commands and the functions that run them: within a project, across all projects or outside any,
//! always as the user. Owns their names; knows nothing about memories.

mod changes;
mod graph;
mod graph_types;
mod imports;
mod prompt_types;
mod prompts;
mod queries;
mod team;
mod team_types;
mod title;
mod types;
mod window_context;

use contract::Error;
use contract::desktop::Nothing;
use system::{CallContext, ReplyFuture, TerminalEquivalent};

use graph_types::{EntityRef, EntityView, GraphQuery, GraphText, GraphView, MergeEntities, Merged};
use prompt_types::{
    MemoryPrompt, MemoryPrompts, PromptDraft, PromptPreview, PromptRef, RestorePrompt, SavePrompt,
};
use team_types::{MemoryOrg, MemoryOrgAddress, MemorySourceRef, MemorySources, MemoryTaken, MemoryTeam};
use types::{
    InProject, MemoriesPage, MemoriesQuery, MemoryCaptured, MemoryChange, MemoryProjects, MemoryRef,
    MemoryShare, MemorySharing, MemoryState, MemoryStatusView, MemoryText, MemoryVerdict, MemoryView,
};
use window_context::WindowContext;

/// Runs a request on a thread that may wait for the disk.
fn blocking<A: Send + 'static, R: Send + 'static>(
    at: CallContext,
    args: A,
    work: fn(&WindowContext, A) -> Result<R, Error>,
) -> ReplyFuture<R> {
    system::blocking(move || work(&WindowContext::new(at.host), args))
}

const fn verb(line: &'static str) -> TerminalEquivalent {
    TerminalEquivalent::CommandLine(line)
}

system::commands! {
    blocking;
    Projects "memory_projects" (Nothing) -> MemoryProjects, queries::projects, verb("plimsoll projects");
    Status "memory_status" (InProject) -> MemoryStatusView, queries::overview, verb("plimsoll memory status");
    Memories "memories" (MemoriesQuery) -> MemoriesPage, queries::memories, verb("plimsoll memory recall {query}");
    Memory "memory" (MemoryRef) -> MemoryView, queries::memory, verb("plimsoll memory get {id}");
    Capture "memory_capture" (MemoryText) -> MemoryCaptured, changes::capture,
        verb("plimsoll memory capture {content} --namespace {namespace}");
    Update "memory_update" (MemoryChange) -> MemoryCaptured, changes::update,
        verb("plimsoll memory update {id} --content {content}");
    Forget "memory_forget" (MemoryRef) -> Nothing, changes::forget, verb("plimsoll memory delete {id}");
    Restore "memory_restore" (MemoryState) -> Nothing, changes::restore, verb("plimsoll memory restore {id}");
    Review "memory_review" (MemoryVerdict) -> Nothing, changes::review, verb("plimsoll memory keep {id}");
    Share "memory_share" (MemoryShare) -> MemorySharing, changes::share, verb("plimsoll memory share {id}");
    Graph "memory_graph" (GraphQuery) -> GraphView, graph::view, verb("plimsoll graph visualize");
    AsText "memory_graph_text" (GraphQuery) -> GraphText, graph::text,
        verb("plimsoll graph visualize --format mermaid");
    Entity "memory_entity" (EntityRef) -> EntityView, graph::entity, verb("plimsoll graph neighbors {entity}");
    Merge "memory_merge" (MergeEntities) -> Merged, graph::merge, verb("plimsoll graph merge {entity} {other}");
    Prompts "memory_prompts" (InProject) -> MemoryPrompts, prompts::list, verb("plimsoll prompt list");
    Save "memory_save_prompt" (SavePrompt) -> MemoryPrompt, prompts::save, verb("plimsoll prompt save {name} {content} --kind {kind}");
    Versions "memory_prompt_versions" (PromptRef) -> MemoryPrompts, prompts::versions, verb("plimsoll prompt get {name} --kind {kind}");
    Delete "memory_delete_prompt" (PromptRef) -> MemoryPrompts, prompts::delete,
        verb("plimsoll prompt delete {name} --kind {kind} --domain {scope}");
    BringBack "memory_restore_prompt" (RestorePrompt) -> Nothing, prompts::restore,
        verb("plimsoll prompt save {name} {content} --kind {kind}");
    Preview "memory_preview_prompt" (PromptDraft) -> PromptPreview, prompts::preview, verb("plimsoll prompt run {name}");
    Sources "memory_sources" (Nothing) -> MemorySources, imports::list, verb("plimsoll memory sources");
    TakeIn "memory_take_in" (MemorySourceRef) -> MemoryTaken, imports::take, verb("plimsoll memory import {path} --pending");
    Team "memory_team" (InProject) -> MemoryTeam, team::overview, verb("plimsoll memory status");
    CheckOrg "memory_org_check" (Nothing) -> MemoryOrg, team::check, verb("plimsoll memory org status");
    SetOrg "memory_org_set" (MemoryOrgAddress) -> MemoryOrg, team::set,
        verb("plimsoll memory org set postgres://NAME:PASSWORD@HOST/DATABASE");
    SyncOrg "memory_org_sync" (Nothing) -> MemoryOrg, team::exchange, verb("plimsoll memory org sync");
}
