//! `task`: lists, reads and stops what `execute` started in the background.

use std::fmt::Write as _;

use contract::desktop::OutputText;
use contract::{Amount, Error, ErrorCode, Reply, Task, TaskAction};
use knowledge::{NewSource, SourceKind};
use sandbox::ProcessMark;
use sandbox::task::{TaskInfo, TaskSpec, TaskState, Tasks};
use serde_json::json;

use crate::address::ADDRESS;
use crate::execute::Prepared;
use crate::output_parts::{self, Parts};
use crate::printed_text;
use crate::{Call, Service, failure, ledger, output};

/// Default number of output lines.
const DEFAULT_TAIL: usize = 40;
/// Size limit of the shortened text that the agent was shown, in bytes.
const SHOWN_BYTES: u64 = 256 * 1024;
/// Bytes of a kept output per piece, for people.
const PIECE_BYTES: u64 = 128 * 1024;
/// How many tasks a list shows.
const LISTED_TASKS: usize = 20;

impl Service {
    pub(crate) fn tasks(&self) -> Tasks {
        Tasks::new(self.home().tasks_dir())
    }

    /// Lists, reads or stops background tasks.
    ///
    /// # Errors
    /// If there is no such task.
    pub async fn task(&self, call: &Call, request: Task) -> Result<Reply, Error> {
        let started = std::time::Instant::now();
        let result = self.run_task_action(&request).await;
        self.book(call, "task", started, result).await
    }

    async fn run_task_action(&self, request: &Task) -> Result<Reply, Error> {
        let (tasks, now) = (self.tasks(), self.now_ms());
        tasks.reap_dead_sessions(now);
        let id = request.id.as_deref().unwrap_or_default().trim().trim_start_matches(ADDRESS);
        match request.action {
            TaskAction::List => {
                let all: Vec<TaskInfo> = tasks.list().into_iter().filter(|task| !task.kept).collect();
                let mut text = String::new();
                for task in all.iter().take(LISTED_TASKS) {
                    let _ = writeln!(text, "{}", line(task, now));
                }
                match all.len() {
                    0 => text.push_str("No tasks. Start one with execute and background true."),
                    many if many > LISTED_TASKS => {
                        let _ = writeln!(text, "({} older ones)", many - LISTED_TASKS);
                    }
                    _ => {}
                }
                Ok(Reply::plain(text.trim_end()).with_data(json!(all)))
            }
            TaskAction::Output => {
                let lines = request.tail.unwrap_or(DEFAULT_TAIL).max(1);
                let found = tasks.output(id, Some(lines)).map_err(|error| failure::from_sandbox(&error))?;
                let clean = printed_text::plain(&found.text);
                let mut shown = format!("{}\n", line(&found.task, now));
                let bounded = text::cut_middle(clean.trim_end(), output::BUDGET, 30);
                shown.push_str(if bounded.is_empty() { "(no output yet)" } else { &bounded });
                if found.is_cut || bounded.len() < clean.trim_end().len() {
                    let _ = write!(
                        shown,
                        "\n({} in all; tail shows more, plimsoll://task/{id} up to 100 KB, the whole is in {})",
                        Amount::bytes(found.task.output_bytes),
                        found.path.display()
                    );
                }
                // Repeated polling keeps nothing out each time, so no saving is counted.
                Ok(Reply::plain(shown).with_data(json!({"task": found.task, "text": clean})))
            }
            TaskAction::Stop => {
                let task = tasks.stop(id, now).await.map_err(|error| failure::from_sandbox(&error))?;
                Ok(Reply::plain(line(&task, now)).with_data(json!(task)))
            }
        }
    }

    /// Starts a task and replies with its ID.
    pub(crate) async fn start_task(
        &self,
        call: &Call,
        prepared: Prepared,
        limited: bool,
    ) -> Result<Reply, Error> {
        let tasks = self.tasks();
        tasks.reap_dead_sessions(self.now_ms());
        let us = ProcessMark::current();
        let running =
            tasks.list().iter().filter(|task| task.state == TaskState::Running && task.owner == us).count();
        let most = self.settings().sandbox.max_tasks;
        if running >= most {
            return Err(Error::new(
                ErrorCode::Failed,
                format!(
                    "{running} tasks are running, and sandbox.max_tasks allows {most}; stop one with task"
                ),
            ));
        }
        let confine = self.confinement(call).await?;
        self.home().ensure().map_err(|error| failure::from_storage(&error))?;
        let spec = TaskSpec {
            language: prepared.language,
            code: prepared.code,
            cwd: prepared.cwd,
            file: prepared.file,
            timeout: limited.then_some(prepared.timeout),
            env: self.child_env().as_ref().clone(),
            temp_root: sandbox::run_folder::root(&std::env::temp_dir()),
            max_output: self.settings().output_room(),
            session: Some(call.session.clone()),
            label: None,
            redact: output::REDACT,
            now_ms: self.now_ms(),
            confine,
        };
        // Its output is counted when somebody checks.
        self.record_stored(0);
        let task = tasks.start(spec, &self.runtimes()).map_err(|error| failure::from_sandbox(&error))?;
        let text = format!(
            "Started task {}. task output with this id reads what it printed, task stop ends it; it ends with this session.",
            task.id
        );
        Ok(Reply::plain(text).with_data(json!(task)))
    }

    /// Kills every task that this process started. Whatever survives is killed by the sandbox's guardian after this
    /// process has ended.
    pub(crate) fn stop_own_tasks(&self) {
        let us = ProcessMark::current();
        for task in self.tasks().list() {
            if task.state == TaskState::Running
                && task.owner == us
                && let Some(leader) = task.leader
            {
                sandbox::kill::group_of(leader, sandbox::kill::Force::Kill);
            }
        }
    }

    /// The output of a task, for reading its address. Of a long one only the end, which then says so.
    pub(crate) async fn task_text(&self, id: &str) -> Result<String, Error> {
        let (tasks, wanted) = (self.tasks(), id.to_owned());
        let found = tokio::task::spawn_blocking(move || tasks.output(&wanted, None))
            .await
            .map_err(|error| failure::from_thread(&error))?
            .map_err(|error| failure::from_sandbox(&error))?;
        let text = printed_text::plain(&found.text);
        if !found.is_cut {
            return Ok(text.into_owned());
        }
        Ok(format!(
            "(the last {} of {}; the whole is in {}, and search with source {ADDRESS}{id} finds what it has)\n{text}",
            Amount::bytes(found.text.len() as u64),
            Amount::bytes(found.task.output_bytes),
            found.path.display()
        ))
    }

    /// A piece of the output at `address` from byte `offset` on, for people.
    ///
    /// # Errors
    /// If it isn't kept, has expired, or can't be read.
    pub fn read_output(&self, address: &str, offset: u64) -> Result<OutputText, Error> {
        let id = address.trim().trim_start_matches(ADDRESS);
        let piece = self.tasks().output_page(id, offset, PIECE_BYTES).map_err(|error| match error {
            sandbox::SandboxError::NoTask { id } => Error::new(
                ErrorCode::NotFound,
                format!(
                    "no output {id} is kept; outputs are kept for {}",
                    contract::count(u64::from(self.settings().retention.output_days), "day")
                ),
            ),
            other => failure::from_sandbox(&other),
        })?;
        let text = printed_text::plain(&piece.text).into_owned();
        // Sent once, with the first piece.
        let shown =
            if offset == 0 { self.tasks().shown_text(id, SHOWN_BYTES).unwrap_or_default() } else { None };
        let shown = shown.map(|text| printed_text::plain(&text).into_owned());
        Ok(OutputText { label: piece.task.label, text, next: piece.next, total: piece.total, shown })
    }

    /// The file of a task's or kept output, if there is one.
    pub(crate) fn kept_output(&self, address: &str) -> Option<std::path::PathBuf> {
        let id = address.strip_prefix(ADDRESS)?;
        self.tasks().output(id, Some(0)).ok().map(|found| found.path)
    }

    /// Makes the output at an address searchable, in parts, under that address as its label.
    pub(crate) async fn index_kept_output(&self, call: &Call, address: &str) -> Result<(), Error> {
        let id = address.trim_start_matches(ADDRESS).to_owned();
        let tasks = self.tasks();
        let (label, session) = (address.to_owned(), call.session.clone());
        let (agent, now_ms) = (call.agent_id().map(str::to_owned), self.now_ms());
        let found = tasks.output(&id, Some(0)).map_err(|error| failure::from_sandbox(&error))?;
        let parts = Parts::of(&found.path, 0).map_err(|error| failure::from_knowledge(&error))?;
        self.with_knowledge(move |store| {
            for (index, part) in parts.enumerate() {
                store.index_text(NewSource {
                    label: &output_parts::label(&label, index),
                    kind: SourceKind::Output,
                    origin: None,
                    session: Some(&session),
                    agent: agent.as_deref(),
                    content: &part?,
                    format: None,
                    now_ms,
                })?;
            }
            Ok(())
        })
        .await
    }

    /// The tasks that have an address.
    pub(crate) fn listed_tasks(&self) -> Vec<TaskInfo> {
        self.tasks().list()
    }
}

/// One line about a task.
fn line(task: &TaskInfo, now_ms: i64) -> String {
    let state = match task.state {
        TaskState::Running => "running".to_owned(),
        TaskState::Exited(code) => format!("ended with exit code {code}"),
        TaskState::Stopped => "stopped".into(),
        TaskState::TimedOut => "ended by its time limit".into(),
        TaskState::TooMuchOutput => "ended because it printed too much".into(),
        TaskState::SessionEnded => "ended with its session".into(),
        TaskState::Failed => "failed to start".into(),
        TaskState::Ended => "ended, exit code unknown".into(),
    };
    format!(
        "{} {state}, started {}, {} printed: {}",
        task.id,
        ledger::ago(now_ms, task.started_ms),
        Amount::bytes(task.output_bytes),
        text::one_line(&task.label)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_exit_code_is_not_a_success() {
        let dir = tempfile::tempdir().unwrap();
        let tasks = Tasks::new(dir.path());
        for (exit, wording) in [(None, "ended, exit code unknown"), (Some(2), "ended with exit code 2")] {
            let kept = sandbox::task::KeptOutput {
                label: "make",
                cwd: dir.path(),
                session: None,
                exit,
                text: b"x",
                now_ms: 5,
            };
            let id = tasks.keep(&kept).unwrap();
            assert_eq!(
                line(&tasks.get(&id).unwrap(), 5),
                format!("{id} {wording}, started now, 1 B printed: make")
            );
        }
    }
}
