//! The window's commands on a project's code. Each runs with the user's read rules, within seconds, and with a capped reply. Code is
//! sent as text and line numbers, never as markup.

mod browse;
mod structure;
mod structure_types;
mod symbol;
mod types;
mod window;

use contract::Error;
use contract::desktop::Nothing;
use system::{CallContext, ReplyFuture, TerminalEquivalent};

use structure_types::{CodeCycles, CodeFiles, CodeFilesQuery, CodeMap, CodeMapQuery, CodePart, CodeWays};
use types::{
    CodeCard, CodeIn, CodeName, CodePage, CodePreview, CodeProjects, CodeQuery, CodeReferences, CodeReindex,
    CodeReindexed, CodeSpot, CodeStatusView, CodeText,
};
use window::Window;

/// Runs a request with the user's read rules.
fn asking<A: Send + 'static, R: Send + 'static>(
    at: CallContext,
    args: A,
    work: fn(&Window, A) -> Result<R, Error>,
) -> ReplyFuture<R> {
    Box::pin(async move {
        let readable = std::sync::Arc::clone(&at.host).readable(at.call.clone()).await?;
        system::blocking(move || work(&Window { host: at.host, call: at.call, readable }, args)).await
    })
}

const fn verb(line: &'static str) -> TerminalEquivalent {
    TerminalEquivalent::CommandLine(line)
}

system::commands! {
    asking;
    Projects "code_projects" (Nothing) -> CodeProjects, browse::projects, verb("plimsoll projects");
    Status "code_status" (CodeIn) -> CodeStatusView, browse::status, verb("plimsoll code status");
    Search "code_search" (CodeQuery) -> CodePage, browse::search, verb("plimsoll code search {query}");
    Preview "code_preview" (CodeSpot) -> CodePreview, browse::preview,
        TerminalEquivalent::None("shows a file of the project, as any editor does");
    References "code_references" (CodeName) -> CodeReferences, symbol::references, verb("plimsoll code refs {symbol}");
    Card "code_card" (CodeName) -> CodeCard, symbol::card, verb("plimsoll code card {symbol}");
    Context "code_context" (CodeName) -> CodeText, symbol::context,
        verb("plimsoll code search {symbol} --mode full");
    Map "code_map" (CodeMapQuery) -> CodeMap, structure::map, verb("plimsoll code map");
    Files "code_files" (CodeFilesQuery) -> CodeFiles, structure::files, verb("plimsoll code map {folder}");
    Patterns "code_patterns" (CodeIn) -> CodeWays, structure::patterns, verb("plimsoll code patterns");
    Cycles "code_cycles" (CodePart) -> CodeCycles, structure::cycles, verb("plimsoll code cycles");
    Review "code_review" (CodeIn) -> CodeText, symbol::review, verb("plimsoll code review");
    Reindex "code_reindex" (CodeReindex) -> CodeReindexed, browse::reindex, verb("plimsoll code reindex");
}
