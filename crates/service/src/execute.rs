//! `execute`: checks permission, runs the code, and replies with the least text that omits nothing important.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use contract::{Amount, Error, Execute, Reply, count};
use knowledge::{NewSource, SearchRequest, SourceKind};
use sandbox::{Language, Outcome, Run, Status};
use serde_json::json;

use crate::output::{self, BUDGET, HEAD_PERCENT, NOTES_BYTES, SMALL};
use crate::output_parts::{self, Parts, Rest};
use crate::permission::Action;
use crate::printed_text;
use crate::{Call, Service, failure, search};

/// The share of the budget for saying where the whole is stored, below passages about an intent.
const STORED_NOTE_BYTES: usize = 300;

/// The most of an output that couldn't be stored that is returned whole, in bytes: the most that any reply has.
pub(crate) const UNSTORED: usize = 32_000;

/// The last line of a reply without the whole of an output that couldn't be stored.
pub(crate) const NOT_KEPT: &str = "What is left out above wasn't kept; print into a file to have it.\n";

/// Whether a reply with the whole of what couldn't be stored is short enough, for a reply and for this agent.
pub(crate) fn comes_whole(call: &Call, reply: &str) -> bool {
    reply.len() <= UNSTORED && call.shows_all(reply)
}

/// Everything that a run needs, owned, so that it can outlive the request.
#[derive(Debug, Clone)]
pub(crate) struct Prepared {
    pub(crate) language: Language,
    pub(crate) code: String,
    pub(crate) cwd: PathBuf,
    pub(crate) file: Option<PathBuf>,
    pub(crate) timeout: Duration,
}

/// Where an output was stored.
#[derive(Debug, Clone)]
pub(crate) struct Stored {
    pub(crate) label: String,
    pub(crate) source_id: i64,
}

impl Service {
    /// Runs code.
    ///
    /// # Errors
    /// If it may not or can't run. A program that exits with an error is a reply with `failed` set.
    pub async fn execute(&self, call: &Call, request: Execute) -> Result<Reply, Error> {
        let started = Instant::now();
        let prepared = self.prepare(
            &request.language,
            request.code,
            request.path.as_deref(),
            request.cwd.as_deref(),
            request.timeout_ms,
        )?;
        let action = Action::Run {
            language: prepared.language,
            code: prepared.code.clone(),
            cwd: prepared.cwd.clone(),
            file: prepared.file.clone(),
        };
        self.permit(call, vec![action]).await?;
        let result = if request.background {
            self.start_task(call, prepared, request.timeout_ms.is_some()).await
        } else {
            let ended = self.run(call, &prepared).await?;
            self.shape(call, &prepared, ended, request.intent.as_deref()).await
        };
        self.book(call, "execute", started, result).await
    }

    /// Resolves where and how long the code runs.
    pub(crate) fn prepare(
        &self,
        language: &str,
        code: String,
        file: Option<&std::path::Path>,
        cwd: Option<&std::path::Path>,
        timeout_ms: Option<u64>,
    ) -> Result<Prepared, Error> {
        let language: Language = language.parse().map_err(|error| failure::from_sandbox(&error))?;
        if code.trim().is_empty() {
            return Err(Error::invalid("execute: code is empty"));
        }
        if cwd.is_none() && self.folder_gone() {
            return Err(Error::invalid(
                "the working folder was deleted, and nothing has been run; give an existing one as cwd",
            ));
        }
        let cwd = cwd.map_or_else(|| self.work_dir(), |cwd| self.resolve_path(cwd));
        // Before the user's rules are asked.
        sandbox::working_folder(&cwd).map_err(|error| failure::from_sandbox(&error))?;
        Ok(Prepared {
            language,
            code,
            cwd,
            file: file.map(|file| self.resolve_path(file)),
            timeout: Duration::from_millis(timeout_ms.unwrap_or(self.settings().sandbox.timeout_ms)),
        })
    }

    /// Runs to the end and reports progress to callers that want it.
    pub(crate) async fn run(&self, call: &Call, prepared: &Prepared) -> Result<Outcome, Error> {
        let confine = self.confinement(call).await?;
        let (runtimes, env) = (self.runtimes(), self.child_env());
        let spill = self.spill_dir();
        let temp_root = sandbox::run_folder::root(&std::env::temp_dir());
        let run = Run {
            language: prepared.language,
            code: &prepared.code,
            cwd: &prepared.cwd,
            file: prepared.file.as_deref(),
            timeout: prepared.timeout,
            env: &env,
            spill: &spill,
            redact: output::REDACT,
            temp_root: &temp_root,
            max_output: self.settings().output_room(),
            confine: confine.as_ref(),
        };
        let running =
            sandbox::run(&run, &runtimes, sandbox::Cancel::when(call.cancelled.clone().requested()));
        if !call.progress.is_wanted() {
            return running.await.map_err(|error| failure::from_sandbox(&error));
        }
        tokio::pin!(running);
        let mut seconds = tokio::time::interval(Duration::from_secs(1));
        seconds.tick().await;
        let mut passed: u32 = 0;
        loop {
            tokio::select! {
                ended = &mut running => return ended.map_err(|error| failure::from_sandbox(&error)),
                _ = seconds.tick() => {
                    passed += 1;
                    let limit = prepared.timeout.as_secs_f64();
                    call.progress.report(Some(f64::from(passed)), Some(limit), &format!("running for {passed} s"));
                }
            }
        }
    }

    /// Builds the reply for a run.
    pub(crate) async fn shape(
        &self,
        call: &Call,
        prepared: &Prepared,
        outcome: Outcome,
        intent: Option<&str>,
    ) -> Result<Reply, Error> {
        let settings = self.settings();
        let head = output::failure_note(&outcome, prepared.timeout.as_millis(), settings.output_room());
        let remarks = output::remarks(&outcome);
        let raw = outcome.combined.bytes;
        let data = json!({
            "exit_code": outcome.exit_code,
            "bytes": raw,
            "lines": outcome.combined.lines,
            "elapsed_ms": u64::try_from(outcome.elapsed.as_millis()).unwrap_or(u64::MAX),
        });
        let failed = head.is_some();
        let mut text = head.map(|head| head + "\n").unwrap_or_default();
        let whole = output::whole(&outcome);
        if !outcome.combined.is_cut() && whole.len() <= SMALL && intent.is_none() {
            let _ = writeln!(text, "{whole}");
        } else if outcome.status == Status::Cancelled {
            // Nobody reads the reply to a cancelled request.
            text.push_str(&text::cut_middle(&whole, SMALL, HEAD_PERCENT));
        } else {
            let reduced = self.reduce(call, &outcome, intent).await?;
            // An extract must be shorter than the output; a short output says more in full.
            if !outcome.combined.is_cut() && whole.len() <= SMALL.max(reduced.len()) {
                let _ = writeln!(text, "{whole}");
            } else {
                text.push_str(&reduced);
            }
        }
        if let Some(end) = output::success_note(&outcome) {
            let _ = writeln!(text, "{end}");
        }
        text.push_str(&remarks);
        if !self.has_project() {
            text.push_str("no project is known here: it ran in the home folder; give cwd to run elsewhere\n");
        }
        let shown = call.shows(raw, outcome.exit_code != 0);
        let mut reply = Reply::plain(text.trim_end()).with_data(data).measured(shown);
        reply.failed = failed;
        Ok(reply)
    }

    /// Stores a large output and returns its failures, what matches the intent, and its address.
    async fn reduce(&self, call: &Call, outcome: &Outcome, intent: Option<&str>) -> Result<String, Error> {
        let combined = outcome.combined.clone();
        let extent = output::Extent::of(outcome);
        let mut digest = tokio::task::spawn_blocking(move || output::digest(&combined, extent))
            .await
            .map_err(|error| failure::from_thread(&error))?;
        if digest.is_blank() {
            output::discard(outcome);
            let lines = outcome.combined.lines;
            return Ok(format!(
                "(white space only: {}, {})\n",
                count(lines, "line"),
                Amount::bytes(outcome.combined.bytes)
            ));
        }
        // Binary text would turn up in every search that has no better result.
        if let Some(description) = printed_text::binary_description(&outcome.combined.text) {
            output::discard(outcome);
            let size = Amount::bytes(outcome.combined.bytes);
            return Ok(format!("{description}{size} in all, not stored; print into a file to keep it\n"));
        }
        let (parts, rest) = (std::mem::take(&mut digest.parts), digest.rest.take());
        let truncated = digest.truncated;
        let extract = digest.extract(output::failure_budget(intent.is_some()));
        let (lines, bytes) = (outcome.combined.lines, outcome.combined.bytes);
        let growth = output::growth(&parts, rest.as_ref(), truncated.then_some(outcome));
        let stored = self.store_output(call, parts, rest, &outcome.runtime).await;
        self.record_stored(growth);
        let mut reply = String::new();
        if extract.failures == 0 && intent.is_none() {
            // Without failures or an intent: start and end, in the sandbox's proportion.
            let clean = printed_text::plain(&outcome.combined.text);
            reply.push_str(text::cut_middle(clean.trim_end(), BUDGET - NOTES_BYTES, HEAD_PERCENT).trim_end());
            reply.push('\n');
        } else {
            reply.push_str(extract.text.trim_end());
            reply.push('\n');
        }
        if let (Some(intent), Ok(stored)) = (intent, &stored) {
            let room = BUDGET.saturating_sub(reply.len() + STORED_NOTE_BYTES);
            reply.push_str(&self.matching(stored, intent, room).await?);
        }
        match stored {
            Ok(stored) => {
                let all = if truncated { "Of" } else { "All" };
                let are = if truncated { "the beginning is" } else { "are" };
                let _ = writeln!(
                    reply,
                    "{all} {lines} lines ({}) {are} stored: search with source {:?}, or read plimsoll://source/{}.",
                    Amount::bytes(bytes),
                    stored.label,
                    stored.source_id
                );
                if let Some(printed) = output::beyond(outcome, truncated) {
                    let _ = writeln!(reply, "{printed}");
                }
            }
            // A full disk must not cost the caller the result of the run, and what can't be stored isn't shortened, unless
            // the agent would cut it anywhere: then the failures are worth more than both ends.
            Err(error) => {
                let size = Amount::bytes(bytes);
                let told = format!("The whole output ({size}) couldn't be stored: {}\n", error.message);
                let whole = format!("{}\n{told}", output::whole(outcome));
                let is_whole = !outcome.combined.is_cut() && comes_whole(call, &whole);
                if is_whole {
                    reply = whole;
                } else {
                    reply.push_str(&told);
                }
                if let Some(path) = &outcome.combined.spilled {
                    let _ = writeln!(reply, "It is in {}.", path.display());
                } else if !is_whole {
                    reply.push_str(NOT_KEPT);
                }
            }
        }
        Ok(reply)
    }

    /// The chunks of a stored output that match the intent.
    async fn matching(&self, stored: &Stored, intent: &str, room: usize) -> Result<String, Error> {
        let request = SearchRequest {
            queries: vec![intent.to_owned()],
            source: Some(stored.label.clone()),
            limit: 4,
            budget_bytes: room,
            ..SearchRequest::default()
        };
        let found = self.with_knowledge(move |store| store.search(&request)).await?;
        let mut text = String::new();
        for reply in &found.per_query {
            let _ = writeln!(text, "\nMatching the intent:");
            search::write_answer(&mut text, reply);
        }
        text.push('\n');
        Ok(text)
    }

    /// Stores an output in parts under one label.
    pub(crate) async fn store_output(
        &self,
        call: &Call,
        parts: Vec<String>,
        rest: Option<Rest>,
        origin: &str,
    ) -> Result<Stored, Error> {
        let now_ms = self.now_ms();
        let label = format!("output:{}", short_id(now_ms));
        let (session, agent, origin) = (call.session.clone(), call.agent_id(), origin.to_owned());
        let (cancelled, progress) = (call.cancelled.clone(), call.progress.clone());
        let many = parts.len() > 1;
        self.with_knowledge(move |store| {
            let mut first = None;
            for (index, part) in all_of(parts, rest)?.enumerate() {
                if cancelled.is_set() && first.is_some() {
                    break;
                }
                let (name, part) = (output_parts::label(&label, index), part?);
                let indexed = store.index_text(NewSource {
                    label: &name,
                    kind: SourceKind::Output,
                    origin: Some(&origin),
                    session: Some(&session),
                    agent,
                    content: &part,
                    format: Some(text::Format::Plain),
                    now_ms,
                })?;
                first.get_or_insert(indexed.source_id);
                if many {
                    progress.report(None, None, &format!("stored part {}", index + 1));
                }
            }
            Ok(Stored { label, source_id: first.unwrap_or_default() })
        })
        .await
    }

    /// The folder for full outputs that don't fit in memory.
    pub(crate) fn spill_dir(&self) -> PathBuf {
        self.home().cache_dir().join("outputs")
    }
}

/// The parts in memory, then those still in the file.
pub(crate) fn all_of(
    parts: Vec<String>,
    rest: Option<Rest>,
) -> knowledge::Result<impl Iterator<Item = knowledge::Result<String>>> {
    let rest = rest.map(|rest| Parts::of(&rest.path, rest.from)).transpose()?;
    Ok(parts.into_iter().map(Ok).chain(rest.into_iter().flatten()))
}

/// A unique short name: the time and a counter in base 36.
pub(crate) fn short_id(now_ms: i64) -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let mut number = now_ms.unsigned_abs().wrapping_mul(1_000)
        + (u64::from(std::process::id()) * 31 + COUNT.fetch_add(1, Ordering::Relaxed)) % 1_000;
    let mut digits = Vec::new();
    while number > 0 {
        digits.push(char::from_digit((number % 36) as u32, 36).unwrap_or('0'));
        number /= 36;
    }
    digits.iter().rev().collect()
}
