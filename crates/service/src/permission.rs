//! Asks the user's own permission rules before anything is run or read. (Hosts are checked where pages are fetched,
//! because of redirects.) Reads the rules again for each call, because the user may tighten them during a session.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use contract::{Error, ErrorCode};
use rules::{Decision, RuleSet};
use sandbox::Language;

use crate::{Call, Service, failure};

/// Time limit for reading the rules.
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
    /// The calling agent's rules; none for a user, who needs no permission.
    pub(crate) async fn rules(&self, call: &Call) -> Result<RuleSet, Error> {
        let Some(agent) = call.agent else { return Ok(RuleSet::default()) };
        let (env, start, root) = (self.shared_env(), self.start_dir(), self.project().root);
        let meta = Arc::clone(&call.meta);
        let reading = tokio::task::spawn_blocking(move || {
            let mut rules = agents::rules_from(agent, &env, &start);
            agent.apply_call(&meta, &env, &start, &mut rules);
            // A call's `cwd` moves no rule: patterns are relative to the project and to where the agent was started.
            rules.anchors.extend([root, start]);
            rules
        });
        // A hanging file system must not block the call forever.
        match tokio::time::timeout(DEADLINE, reading).await {
            Ok(read) => read.map_err(|error| failure::from_thread(&error)),
            Err(_) => Err(Error::new(
                ErrorCode::Denied,
                format!(
                    "the permission rules of {} weren't read within {} s, so what they forbid is unknown; check that \
                     the folders of its settings can be read",
                    agent.name(),
                    DEADLINE.as_secs()
                ),
            )),
        }
    }

    /// Refuses if the agent was started with rules that Plimsoll can't see; its own tools know them.
    pub(crate) async fn refuse_hidden_rules(&self, call: &Call) -> Result<(), Error> {
        let Some(agent) = call.agent else { return Ok(()) };
        let env = self.shared_env();
        let unseen = tokio::task::spawn_blocking(move || agent.has_hidden_rules(&env))
            .await
            .map_err(|error| failure::from_thread(&error))?;
        if !unseen {
            return Ok(());
        }
        Err(Error::new(
            ErrorCode::Ask,
            format!(
                "{} was started with rules that Plimsoll can't see, and one of them may forbid this; use your own tool \
                 for it, which knows them",
                agent.name()
            ),
        ))
    }

    /// Refuses what the user's rules forbid or want to be asked about.
    pub(crate) async fn permit(&self, call: &Call, actions: Vec<Action>) -> Result<(), Error> {
        self.refuse_hidden_rules(call).await?;
        check_form(call, &actions)?;
        let mut rules = self.rules(call).await?;
        // If the system enforces the rules about programs and files, the text doesn't have to be understood.
        rules.enforced = cfg!(target_os = "linux")
            && crate::confine::ConfinePolicy::of(self.settings()).enabled
            && matches!(sandbox::confine::support(), sandbox::confine::Support::Yes(_));
        if rules.rules.is_empty() && rules.broken.is_empty() {
            return Ok(());
        }
        let (home, root) = (self.env().home_dir().to_owned(), self.project().root);
        tokio::task::spawn_blocking(move || {
            actions.iter().try_for_each(|action| check(&rules, action, &root, &home))
        })
        .await
        .map_err(|error| failure::from_thread(&error))?
    }

    /// Whether the rules explicitly allow a command line; `false` if they don't mention it. A user needs no rule.
    pub(crate) async fn allows(&self, call: &Call, command: String, cwd: PathBuf) -> Result<bool, Error> {
        let action =
            Action::Run { language: Language::Shell, code: command.clone(), cwd: cwd.clone(), file: None };
        self.permit(call, vec![action]).await?;
        if call.is_from_user() {
            return Ok(true);
        }
        let (rules, home) = (self.rules(call).await?, self.env().home_dir().to_owned());
        Ok(matches!(rules.command(&command, &cwd, &home), Decision::Allow(_)))
    }
}

/// Refuses a command written in a form that the agent's own tool never runs.
fn check_form(call: &Call, actions: &[Action]) -> Result<(), Error> {
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
                "{what} isn't run here: {hit}; write it more plainly, or use your own tool, which applies its own rules"
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
