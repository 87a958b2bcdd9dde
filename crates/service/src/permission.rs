//! The person's own permission rules, asked before anything is run or read (hosts are asked about
//! where pages are fetched, because a redirect may lead to another). The rules are read anew
//! for each call, because a person may tighten them in the middle of a session.

use std::path::{Path, PathBuf};
use std::time::Duration;

use contract::{Error, ErrorCode};
use rules::{Decision, RuleSet};
use sandbox::Language;

use crate::{Call, Service, failure};

/// How long reading the rules may take.
const DEADLINE: Duration = Duration::from_secs(5);

/// What is about to be done.
#[derive(Debug, Clone)]
pub(crate) enum Action {
    /// Run code in this folder, with this file as its input.
    Run { language: Language, code: String, cwd: PathBuf, file: Option<PathBuf> },
    /// Read this file or folder.
    Read { path: PathBuf },
}

impl Service {
    /// The rules of the agent that asks; none for a person, who needs no permission of their own.
    pub(crate) async fn rules(&self, call: &Call) -> Result<RuleSet, Error> {
        let Some(agent) = call.agent else { return Ok(RuleSet::default()) };
        let (env, start, root) = (self.shared_env(), self.start_dir(), self.project().root);
        let reading = tokio::task::spawn_blocking(move || {
            let mut rules = agents::rules_from(agent, &env, &start);
            // A `cwd` in a call moves no rule: patterns count from the project and from where the agent was started.
            rules.anchors.extend([root, start]);
            rules
        });
        // A file system that does not answer must not hold the call for ever.
        match tokio::time::timeout(DEADLINE, reading).await {
            Ok(read) => read.map_err(|error| failure::of_thread(&error)),
            Err(_) => Err(Error::new(
                ErrorCode::Denied,
                format!(
                    "the permission rules of {} were not read within {} s, so what they forbid is unknown; see that the \
                     folders of its settings can be read",
                    agent.name(),
                    DEADLINE.as_secs()
                ),
            )),
        }
    }

    /// Refuses where the agent was started with rules that cannot be seen: its own tools know them.
    pub(crate) async fn rules_seen(&self, call: &Call) -> Result<(), Error> {
        let Some(agent) = call.agent else { return Ok(()) };
        let env = self.shared_env();
        let unseen = tokio::task::spawn_blocking(move || agent.has_hidden_rules(&env))
            .await
            .map_err(|error| failure::of_thread(&error))?;
        if !unseen {
            return Ok(());
        }
        Err(Error::new(
            ErrorCode::Ask,
            format!(
                "{} was started with rules that cannot be seen from here, and one of them may forbid this; use your own \
                 tool for it, which knows them",
                agent.name()
            ),
        ))
    }

    /// Refuses what the person forbids or wants to be asked about.
    pub(crate) async fn permit(&self, call: &Call, actions: Vec<Action>) -> Result<(), Error> {
        self.rules_seen(call).await?;
        as_written(call, &actions)?;
        let mut rules = self.rules(call).await?;
        // Where the system keeps the rules about programs and files, a text need not be understood.
        rules.enforced = cfg!(target_os = "linux")
            && crate::confine::Wishes::of(self.settings()).wanted
            && matches!(sandbox::confine::support(), sandbox::confine::Support::Yes(_));
        if rules.rules.is_empty() && rules.broken.is_empty() {
            return Ok(());
        }
        let (home, root) = (self.env().home_dir().to_owned(), self.project().root);
        tokio::task::spawn_blocking(move || {
            actions.iter().try_for_each(|action| check(&rules, action, &root, &home))
        })
        .await
        .map_err(|error| failure::of_thread(&error))?
    }
}

impl Service {
    /// Whether the rules allow a command line by name; `false` where they say nothing of it. A person needs no rule.
    pub(crate) async fn allows(&self, call: &Call, command: String, cwd: PathBuf) -> Result<bool, Error> {
        let action =
            Action::Run { language: Language::Shell, code: command.clone(), cwd: cwd.clone(), file: None };
        self.permit(call, vec![action]).await?;
        if call.is_of_person() {
            return Ok(true);
        }
        let (rules, home) = (self.rules(call).await?, self.env().home_dir().to_owned());
        Ok(matches!(rules.command(&command, &cwd, &home), Decision::Allow(_)))
    }
}

/// Refuses a command that the agent's own tool runs under no rules, for the way it is written.
fn as_written(call: &Call, actions: &[Action]) -> Result<(), Error> {
    let Some(agent) = call.agent else { return Ok(()) };
    let refused = actions.iter().find_map(|action| match action {
        Action::Run { language: Language::Shell, code, .. } => agent.refusal_reason(code),
        _ => None,
    });
    let Some(why) = refused else { return Ok(()) };
    let printed =
        format!("{} doesn't run a command like this one, so neither does this tool: {why}", agent.name());
    Err(Error::new(ErrorCode::InvalidArgument, printed))
}

fn check(rules: &RuleSet, action: &Action, root: &Path, home: &Path) -> Result<(), Error> {
    match action {
        Action::Run { language, code, cwd, file } => {
            if let Some(file) = file {
                judge(&rules.read(&cwd.join(file), cwd, home), "reading this file")?;
            }
            if *language == Language::Shell {
                judge(&rules.command(code, cwd, home), "this command")
            } else {
                judge(&rules.code(language.name(), code, cwd, home), "this code")
            }
        }
        Action::Read { path } => judge(&rules.read(path, root, home), "reading this path"),
    }
}

fn judge(decision: &Decision, what: &str) -> Result<(), Error> {
    match decision {
        Decision::NoRule | Decision::Allow(_) => Ok(()),
        Decision::Deny(hit) => Err(Error::new(ErrorCode::Denied, format!("{what} is denied: {hit}"))),
        Decision::Unknown(hit) => Err(Error::new(
            ErrorCode::Ask,
            format!(
                "{what} is not run here: {hit}; write it plainer, or use your own tool for it, which asks its own rules"
            ),
        )),
        Decision::Ask(hit) => Err(Error::new(
            ErrorCode::Ask,
            format!(
                "{what} needs the user's consent: {hit}; use your own tool for it, so that they are asked"
            ),
        )),
    }
}
