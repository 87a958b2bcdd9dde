//! `batch`: runs many commands, stores every output and answers every question in one reply.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

use contract::{Amount, Batch, Error, Reply, count};
use knowledge::{NewSource, SearchRequest, SourceKind};
use sandbox::Outcome;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::execute::Prepared;
use crate::output::HEAD_PERCENT;
use crate::output_parts::{self, Rest};
use crate::permission::Action;
use crate::printed_text;
use crate::{Call, Service, execute, failure, output, search};

/// Size limit of the whole reply in bytes, regardless of the number of commands and questions.
const BUDGET: usize = 12_000;
/// Outputs up to this many bytes are shown in full.
const SMALL_BYTES: usize = 600;
/// The share of the budget reserved for answers when there are questions.
const ANSWERS_BYTES: usize = 7_000;
/// The share reserved for the lines around the outputs when there are no questions, and for those around the answers.
const NOTES_BYTES: usize = 1_500;
const ANSWER_NOTES_BYTES: usize = 500;
/// The least room for one output, however many commands there are, and that for the lines around it.
const MIN_ROOM: usize = 300;
const EXTRACT_NOTE_BYTES: usize = 80;
/// The number of hits for each question.
const HITS: usize = 3;
/// The number of commands that may run at once.
const MAX_CONCURRENCY: usize = 8;

/// A command that has finished.
struct Finished {
    outcome: Outcome,
    /// Exit code, sizes and failures, or the full output when it is small.
    shown: String,
    /// The same with the full output where `shown` has less, for when it can't be stored.
    full: Option<String>,
    /// Whether `shown` has less than the output.
    has_less: bool,
    parts: Vec<String>,
    rest: Option<Rest>,
    /// Whether the output has more than `parts` and `rest` contain.
    truncated: bool,
}

/// The stored part of one command's output.
struct Output {
    label: String,
    command: String,
    parts: Vec<String>,
    rest: Option<Rest>,
}

/// The results of all commands, in their order.
#[derive(Default)]
struct BatchResults {
    /// A heading and what is shown of each.
    text: String,
    /// The same for when nothing can be stored.
    full: String,
    /// Whether `text` and `full` leave out what is in no file.
    lost: Lost,
    /// The same for programs.
    data: Vec<Value>,
    /// What the agent would have got without Plimsoll, in bytes.
    raw: u64,
    /// How long the slowest ran.
    theirs_ms: u64,
    sources: Vec<Output>,
    /// Labels and outcomes of those whose output is in a file, and whether it's truncated.
    wholes: Vec<(String, Outcome, bool)>,
}

/// Whether something is left out that is in no file, so that it's lost if it can't be stored.
#[derive(Default)]
struct Lost {
    in_text: bool,
    in_full: bool,
}

impl BatchResults {
    /// `base` begins the labels of what is stored.
    fn of(
        call: &Call,
        request: &Batch,
        base: &str,
        results: BTreeMap<usize, Result<Finished, Error>>,
    ) -> Self {
        let mut all = Self::default();
        for (index, result) in results {
            let command = &request.commands[index];
            let label = text::one_line(&command.label);
            let done = match result {
                Ok(done) => done,
                Err(error) => {
                    let told = format!("## {label}\n{error}\n");
                    all.text.push_str(&told);
                    all.full.push_str(&told);
                    all.data.push(json!({"label": command.label, "error": error}));
                    continue;
                }
            };
            let combined = &done.outcome.combined;
            // Run alone, each command would have been its own call with its own cut.
            all.raw += call.shows(combined.bytes, done.outcome.exit_code != 0);
            let elapsed_ms = u64::try_from(done.outcome.elapsed.as_millis()).unwrap_or(u64::MAX);
            all.theirs_ms = all.theirs_ms.max(elapsed_ms);
            let heading = format!(
                "## {} (exit code {}, {}, {})",
                label,
                done.outcome.exit_code,
                count(combined.lines, "line"),
                Amount::bytes(combined.bytes),
            );
            let _ = writeln!(all.text, "{heading}\n{}", done.shown);
            let _ = writeln!(all.full, "{heading}\n{}", done.full.as_ref().unwrap_or(&done.shown));
            let is_lost = done.has_less && combined.spilled.is_none();
            all.lost.in_text |= is_lost;
            all.lost.in_full |= is_lost && done.full.is_none();
            all.data.push(
                json!({"label": command.label, "exit_code": done.outcome.exit_code, "bytes": combined.bytes}),
            );
            if !done.parts.is_empty() {
                let number = index + 1;
                all.sources.push(Output {
                    label: format!("{base}/{number} {}", command.label),
                    command: command.command.clone(),
                    parts: done.parts,
                    rest: done.rest,
                });
            }
            if done.outcome.combined.spilled.is_some() {
                all.wholes.push((label.into_owned(), done.outcome, done.truncated));
            }
        }
        all
    }
}

impl Service {
    /// Runs many commands.
    ///
    /// # Errors
    /// If any command may not run; then none runs.
    pub async fn batch(self: &Arc<Self>, call: &Call, request: Batch) -> Result<Reply, Error> {
        let started = Instant::now();
        let result = self.run_batch(call, request).await;
        self.book(call, "batch", started, result).await
    }

    async fn run_batch(self: &Arc<Self>, call: &Call, request: Batch) -> Result<Reply, Error> {
        let prepared = request
            .commands
            .iter()
            .map(|command| {
                self.prepare(
                    "shell",
                    command.command.clone(),
                    None,
                    request.cwd.as_deref(),
                    request.timeout_ms,
                )
            })
            .collect::<Result<Vec<Prepared>, Error>>()?;
        let actions = prepared.iter().map(|prepared| Action::Run {
            language: prepared.language,
            code: prepared.code.clone(),
            cwd: prepared.cwd.clone(),
            file: None,
        });
        self.permit(call, actions.collect()).await?;

        let commands = prepared.len();
        let reserved = if request.queries.is_empty() { NOTES_BYTES } else { ANSWERS_BYTES };
        let room = (BUDGET - reserved) / commands.max(1);
        let mut waiting = prepared.into_iter().enumerate();
        let mut running: JoinSet<(usize, Result<Finished, Error>)> = JoinSet::new();
        let mut results: BTreeMap<usize, Result<Finished, Error>> = BTreeMap::new();
        loop {
            while running.len() < request.concurrency.clamp(1, MAX_CONCURRENCY)
                && let Some((index, prepared)) = waiting.next()
            {
                let (service, call) = (Arc::clone(self), call.clone());
                running.spawn(async move { (index, service.run_one(&call, &prepared, room).await) });
            }
            let Some(finished) = running.join_next().await else { break };
            let (index, result) = finished.map_err(|error| failure::from_thread(&error))?;
            results.insert(index, result);
            if call.cancelled.is_set() {
                return Err(Error::new(contract::ErrorCode::Cancelled, "the request was cancelled"));
            }
            let label = &request.commands[index].label;
            call.progress.report(Some(results.len() as f64), Some(commands as f64), &format!("ran {label}"));
        }
        self.answer_batch(call, &request, results).await
    }

    async fn run_one(&self, call: &Call, prepared: &Prepared, room: usize) -> Result<Finished, Error> {
        let quiet = Call { progress: crate::Progress::none(), ..call.clone() };
        let outcome = self.run(&quiet, prepared).await?;
        let combined = outcome.combined.clone();
        let extent = output::Extent::of(&outcome);
        let digest = tokio::task::spawn_blocking(move || output::digest(&combined, extent))
            .await
            .map_err(|error| failure::from_thread(&error))?;
        let mut digest = digest;
        if digest.is_blank() {
            // Blank output can't be found by a search, so nothing is stored.
            digest.parts.clear();
            output::discard(&outcome);
        }
        // Binary output isn't stored either; it would turn up in every search that has no better result.
        let binary = printed_text::binary_description(&outcome.combined.text);
        if binary.is_some() {
            digest.parts.clear();
            digest.rest = None;
            output::discard(&outcome);
        }
        let (parts, rest) = (std::mem::take(&mut digest.parts), digest.rest.take());
        let truncated = digest.truncated && binary.is_none();
        let mut shown = String::new();
        if let Some(bad) =
            output::failure_note(&outcome, prepared.timeout.as_millis(), self.settings().output_room())
        {
            let _ = writeln!(shown, "{bad}");
        }
        let whole = output::whole(&outcome);
        let (begun, mut full, mut has_less) = (shown.len(), None, false);
        if let Some(description) = binary {
            shown.push_str(&text::cut_middle(&description, room.max(MIN_ROOM), HEAD_PERCENT));
            shown.push_str("(not stored; print into a file to keep it)");
        } else if !outcome.combined.is_cut() && whole.len() <= SMALL_BYTES.min(room) {
            shown.push_str(&whole);
        } else {
            let extract = digest.extract(room.saturating_sub(shown.len() + EXTRACT_NOTE_BYTES).max(MIN_ROOM));
            shown.push_str(extract.text.trim_end());
            has_less = true;
            full = Some(whole).filter(|whole| !outcome.combined.is_cut() && whole.len() <= execute::UNSTORED);
        }
        let remarks = output::remarks(&outcome);
        let remarks = if remarks.is_empty() { String::new() } else { format!("\n{}", remarks.trim_end()) };
        let full = full.map(|whole| format!("{}{whole}{remarks}", &shown[..begun]));
        shown.push_str(&remarks);
        Ok(Finished { outcome, shown, full, has_less, parts, rest, truncated })
    }

    async fn answer_batch(
        &self,
        call: &Call,
        request: &Batch,
        results: BTreeMap<usize, Result<Finished, Error>>,
    ) -> Result<Reply, Error> {
        let now_ms = self.now_ms();
        let base = format!("batch:{}", execute::short_id(now_ms));
        let BatchResults { mut text, full, lost, data, raw, theirs_ms, sources, wholes } =
            BatchResults::of(call, request, &base, results);
        if sources.is_empty() {
            if request.search_everything && !request.queries.is_empty() {
                text.push_str(&self.answers(request, &base).await?);
            } else if !request.queries.is_empty() {
                text.push_str("Nothing was stored, so no query is answered.\n");
            }
            return Ok(
                Reply::plain(text.trim_end()).with_data(json!({"commands": data, "elapsed_ms": theirs_ms}))
            );
        }
        let stored = |source: &Output| output::growth(&source.parts, source.rest.as_ref(), None);
        let growth = sources.iter().map(stored).sum::<u64>()
            + wholes
                .iter()
                .map(|(_, outcome, cut)| output::growth(&[], None, cut.then_some(outcome)))
                .sum::<u64>();
        let stored = self.store_batch(call, sources, now_ms).await;
        self.record_stored(growth);
        match stored {
            Ok(()) => {
                if !request.queries.is_empty() {
                    text.push_str(&self.answers(request, &base).await?);
                }
                let _ = writeln!(text, "The outputs are stored: search with source {base:?}.");
                for (label, outcome, truncated) in &wholes {
                    if let Some(printed) = output::beyond(outcome, *truncated) {
                        let _ = writeln!(text, "{label}: {printed}");
                    }
                }
            }
            // As for one output: it comes whole, or as its failures where the agent would cut it anywhere.
            Err(error) => {
                let told = format!(
                    "The outputs couldn't be stored, so the queries aren't answered: {}\n",
                    error.message
                );
                let full = full + &told;
                let is_whole = execute::comes_whole(call, &full);
                if is_whole {
                    text = full;
                } else {
                    text.push_str(&told);
                }
                for (label, outcome, _) in &wholes {
                    if let Some(path) = &outcome.combined.spilled {
                        let _ = writeln!(text, "{label}: The whole is in {}.", path.display());
                    }
                }
                let is_lost = if is_whole { lost.in_full } else { lost.in_text };
                if is_lost {
                    text.push_str(execute::NOT_KEPT);
                }
            }
        }
        let data = json!({"commands": data, "source": base, "elapsed_ms": theirs_ms});
        Ok(Reply::plain(text.trim_end()).with_data(data).measured(raw))
    }

    async fn store_batch(&self, call: &Call, sources: Vec<Output>, now_ms: i64) -> Result<(), Error> {
        let (session, agent) = (call.session.clone(), call.agent_id());
        self.with_knowledge(move |store| {
            for Output { label, command, parts, rest } in sources {
                let origin = text::redact(&command);
                for (index, part) in execute::all_of(parts, rest)?.enumerate() {
                    store.index_text(NewSource {
                        label: &output_parts::label(&label, index),
                        kind: SourceKind::Output,
                        origin: Some(&origin),
                        session: Some(&session),
                        agent,
                        content: &part?,
                        format: Some(text::Format::Plain),
                        now_ms,
                    })?;
                }
            }
            Ok(())
        })
        .await
    }

    async fn answers(&self, request: &Batch, base: &str) -> Result<String, Error> {
        let wanted = SearchRequest {
            queries: request.queries.clone(),
            source: (!request.search_everything).then(|| format!("{base}/")),
            limit: HITS,
            budget_bytes: ANSWERS_BYTES - ANSWER_NOTES_BYTES,
            ..SearchRequest::default()
        };
        let found = self.with_knowledge(move |store| store.search(&wanted)).await?;
        let mut text = String::new();
        for reply in &found.per_query {
            let _ = writeln!(text, "\n# {}", text::one_line(&reply.query));
            search::write_answer(&mut text, reply);
        }
        text.push('\n');
        Ok(text)
    }
}
