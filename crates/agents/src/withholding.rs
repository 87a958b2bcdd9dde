//! Which agents keep credentials from the servers that they start. Asks every agent; each one's folder knows the answer
//! ([`withholds_credentials`](crate::Agent::withholds_credentials)).

/// The names of the agents whose servers get credentials only if the entry passes them on.
pub fn withholding_agents() -> Vec<&'static str> {
    let withholding = crate::all().iter().filter(|agent| agent.withholds_credentials());
    withholding.map(|agent| agent.name()).collect()
}
