//! The window's commands and the functions that run them: within a project, across all projects or outside any,
//! always as the user. Owns their names; knows nothing about memories.

mod change;
mod graph;
mod graph_shapes;
mod look;
mod place;
mod prompt_shapes;
mod prompts;
mod shapes;
mod sources;
mod team;
mod team_shapes;
mod title;

use contract::Error;
use contract::desktop::Nothing;
use system::{At, Twin, Work};

use graph_shapes::{EntityRef, EntityView, GraphQuery, GraphText, GraphView, MergeEntities, Merged};
use place::Place;
use prompt_shapes::{
    MemoryPrompt, MemoryPrompts, PromptDraft, PromptPreview, PromptRef, RestorePrompt, SavePrompt,
};
use shapes::{
    InProject, MemoriesPage, MemoriesQuery, MemoryCaptured, MemoryChange, MemoryProjects, MemoryRef,
    MemoryShare, MemorySharing, MemoryStanding, MemoryState, MemoryText, MemoryVerdict, MemoryView,
};
use team_shapes::{MemoryOrg, MemoryOrgAddress, MemorySourceRef, MemorySources, MemoryTaken, MemoryTeam};

/// Runs a request on a thread that may wait for the disk.
fn blocking<A: Send + 'static, R: Send + 'static>(
    at: At,
    args: A,
    work: fn(&Place, A) -> Result<R, Error>,
) -> Work<R> {
    system::blocking(move || work(&Place::new(at.host), args))
}

const fn verb(line: &'static str) -> Twin {
    Twin::Verb(line)
}

system::commands! {
    blocking;
    Projects "memory_projects" (Nothing) -> MemoryProjects, look::projects, verb("plimsoll projects");
    Standing "memory_standing" (InProject) -> MemoryStanding, look::standing, verb("plimsoll memory status");
    Memories "memories" (MemoriesQuery) -> MemoriesPage, look::memories, verb("plimsoll memory recall {query}");
    Memory "memory" (MemoryRef) -> MemoryView, look::memory, verb("plimsoll memory get {id}");
    Capture "memory_capture" (MemoryText) -> MemoryCaptured, change::capture,
        verb("plimsoll memory capture {content} --namespace {namespace}");
    Update "memory_update" (MemoryChange) -> MemoryCaptured, change::update,
        verb("plimsoll memory update {id} --content {content}");
    Forget "memory_forget" (MemoryRef) -> Nothing, change::forget, verb("plimsoll memory delete {id}");
    Restore "memory_restore" (MemoryState) -> Nothing, change::restore, verb("plimsoll memory restore {id}");
    Review "memory_review" (MemoryVerdict) -> Nothing, change::review, verb("plimsoll memory keep {id}");
    Share "memory_share" (MemoryShare) -> MemorySharing, change::share, verb("plimsoll memory share {id}");
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
    Sources "memory_sources" (Nothing) -> MemorySources, sources::list, verb("plimsoll memory sources");
    TakeIn "memory_take_in" (MemorySourceRef) -> MemoryTaken, sources::take, verb("plimsoll memory import {path} --pending");
    Team "memory_team" (InProject) -> MemoryTeam, team::look, verb("plimsoll memory status");
    CheckOrg "memory_org_check" (Nothing) -> MemoryOrg, team::check, verb("plimsoll memory org status");
    SetOrg "memory_org_set" (MemoryOrgAddress) -> MemoryOrg, team::set,
        verb("plimsoll memory org set postgres://NAME:PASSWORD@HOST/DATABASE");
    SyncOrg "memory_org_sync" (Nothing) -> MemoryOrg, team::exchange, verb("plimsoll memory org sync");
}
