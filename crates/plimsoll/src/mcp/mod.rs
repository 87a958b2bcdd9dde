//! The MCP face: the six tools over standard input and output.
//!
//! Owns the protocol (through `rmcp`, which no other module of the house knows), the schemas the model sees,
//! the forgiving reading of arguments, and the life of the process: it ends within 200 ms of its input
//! closing, its parent dying or a signal, and its children with it. Does not know how anything is done: every
//! call becomes one request to `service`.

#[cfg(feature = "conformance")]
pub(crate) mod conformance;
mod host;
mod lines;
mod prompts;
mod sampling;
pub(crate) mod server;
mod tools;
mod transport;
mod values;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use home::{Clock, Env};
use rmcp::ServiceExt;
use service::Service;

use server::Server;
use transport::{Closed, Stdio};

// An agent that is closed may wait for its servers: all of these together, and ending itself, stay below 200 ms.
/// How long calls that are being answered may go on after the input has closed.
const FINISH: Duration = Duration::from_millis(60);
/// How long running programs may take to end after that; what is left of them is killed with us.
const STOP: Duration = Duration::from_millis(25);
/// How long background tasks may take to be stopped and databases to be closed. One that is not closed loses
/// nothing; it is checked when it is next opened.
const CLOSE: Duration = Duration::from_millis(60);
/// How long the last answers may take to be written.
const LAST: Duration = Duration::from_millis(10);
/// When a server has settled down and may do the house's daily work.
const SETTLED: Duration = Duration::from_secs(30);

/// Serves until the agent is gone. `arguments` are those after `mcp`: `--agent <id>`.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    service::sparing();
    crate::logging::start();
    let agent = match agent_of(arguments) {
        Ok(agent) => agent,
        Err(problem) => {
            eprintln!("plimsoll mcp: {problem}");
            return ExitCode::from(2);
        }
    };
    let started = Env::capture().map_err(|error| error.to_string()).and_then(|env| {
        let service = Service::new(env, Clock::system()).map_err(|error| error.to_string())?;
        let service = service.in_zone(crate::zone::offset_min);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| error.to_string())?;
        Ok((service, runtime))
    });
    match started {
        Ok((service, runtime)) => {
            runtime.block_on(serve(Arc::new(service), agent));
            // A blocked read of standard input must not hold the process.
            runtime.shutdown_background();
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("plimsoll mcp: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn agent_of(arguments: &[String]) -> Result<Option<&'static dyn agents::Agent>, String> {
    let mut agent = None;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let id = match argument.split_once('=') {
            Some(("--agent", id)) => id,
            None if argument == "--agent" => rest.next().ok_or("--agent needs an agent's id")?,
            // A config written by a newer version may carry more; a server that refuses to start for it
            // would simply be missing in the agent.
            _ => {
                log::warn!("argument {argument:?} is not known and is passed over");
                continue;
            }
        };
        agent = agents::by_id(id);
        if agent.is_none() {
            log::warn!("agent {id:?} is not known; going by what the client says of itself");
        }
    }
    Ok(agent)
}

async fn serve(service: Arc<Service>, agent: Option<&'static dyn agents::Agent>) {
    let (closed, input_closed) = Closed::pair();
    let server = Server::new(Arc::clone(&service), agent);
    let stop = server.stopper();
    let session = async {
        match server.serve(Stdio::new(closed)).await {
            Ok(running) => {
                if let Err(error) = running.waiting().await {
                    log::error!("the service loop ended badly: {error}");
                }
            }
            Err(error) => log::warn!("no session came about: {error}"),
        }
    };
    service.sweep_runs();
    service.attend();
    tokio::spawn({
        let service = Arc::clone(&service);
        async move { service.settle().await }
    });
    // Not at the start, which an agent waits for, and not at the end, which has to be quick.
    tokio::spawn({
        let service = Arc::clone(&service);
        async move {
            tokio::time::sleep(SETTLED).await;
            service.keep_house().await;
        }
    });
    // A task of its own, so that it goes on answering whatever is awaited here.
    let mut session = tokio::spawn(session);
    let patient = tokio::select! {
        // The input may have closed as well; what is still being computed is then worth a moment.
        _ = &mut session => false,
        () = input_closed.wait() => true,
        () = service::parent_gone() => false,
        () = told_to_end() => false,
    };
    if patient {
        // Somebody may have piped requests in and closed the pipe: let what is nearly done be answered.
        let _ = tokio::time::timeout(FINISH, stop.idle()).await;
    }
    stop.stop();
    let _ = tokio::time::timeout(STOP, stop.idle()).await;
    let _ = tokio::time::timeout(CLOSE, service.end_session()).await;
    if patient {
        let _ = tokio::time::timeout(LAST, &mut session).await;
    }
}

/// SIGTERM, SIGINT and SIGHUP; Ctrl-C and its kin on Windows.
async fn told_to_end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let all = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()].map(signal);
        let [Ok(mut terminate), Ok(mut interrupt), Ok(mut hangup)] = all else {
            return std::future::pending().await;
        };
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            _ = hangup.recv() => {}
        }
    }
    #[cfg(not(unix))]
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
