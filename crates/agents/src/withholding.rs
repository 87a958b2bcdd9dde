//! Which agents keep credentials from the servers that they start. Asks every agent; each one's folder knows the answer
//! ([`Agent::passes_credentials`]).

use std::path::Path;

use home::Env;

use crate::{Agent, EntryContext, Parts, Scope};

/// The names of the agents whose servers get credentials only if the entry passes them on.
pub fn withholding_agents(env: &Env) -> Vec<&'static str> {
    let withholds = |agent: &dyn Agent| {
        let installation = agent.assumed_installation(env);
        let (launcher, parts) = (Path::new(""), Parts::default());
        let context = EntryContext { launcher, scope: &Scope::User, installation: &installation, parts, env };
        agent.passes_credentials(&context).is_some()
    };
    crate::all().iter().filter(|agent| withholds(**agent)).map(|agent| agent.name()).collect()
}
