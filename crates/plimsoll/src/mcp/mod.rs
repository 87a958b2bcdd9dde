//! The `mcp` entry point: serves the tools over standard input and output.
//!
//! Owns the protocol (through `rmcp`, which no other module knows), the tool list that the model sees, and the life
//! of the process: it ends within 200 ms of its input closing, its parent dying or a signal, and its children with
//! it. Doesn't know how anything is done: every call becomes one request to `service`.

mod calls;
mod client;
#[cfg(feature = "conformance")]
pub(crate) mod conformance;
mod handler;
mod in_flight;
mod json_text;
mod line_reader;
mod message;
mod params;
mod prompts;
mod roots;
mod sampling;
pub(crate) mod server;
mod tools;
mod transport;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use home::{Clock, Env};
use rmcp::ServiceExt;
use service::Service;

use server::Server;
use transport::{CloseSignal, Stdio};

// An agent that is closed may wait for its servers, so these limits together stay below 200 ms.
/// How long running calls may continue after the input has closed.
const FINISH_CALLS: Duration = Duration::from_millis(60);
/// How long running programs then have to end; the rest are killed with this process.
const STOP_PROGRAMS: Duration = Duration::from_millis(25);
/// How long stopping background tasks and closing databases may take. A database that isn't closed loses nothing; it
/// is checked when it is next opened.
const CLOSE_SERVICE: Duration = Duration::from_millis(60);
/// How long writing the last answers may take.
const WRITE_ANSWERS: Duration = Duration::from_millis(10);
/// When a new server may do the daily retention.
const RETENTION_AFTER: Duration = Duration::from_secs(30);

/// Serves until the agent is gone. `arguments` are those after `mcp`: `--agent <id>`.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    service::prepare_memory();
    crate::logging::start();
    let agent = match agent_of(arguments) {
        Ok(agent) => agent,
        Err(error) => {
            eprintln!("plimsoll mcp: {error}");
            return ExitCode::from(2);
        }
    };
    let started = Env::capture().map_err(|error| error.to_string()).and_then(|env| {
        let service = Service::new(env, Clock::system()).map_err(|error| error.to_string())?;
        let service = service.with_time_zone(crate::time_zone::offset_min);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| error.to_string())?;
        Ok((service, runtime))
    });
    match started {
        Ok((service, runtime)) => {
            runtime.block_on(serve(Arc::new(service), agent));
            // A blocked read of standard input must not keep the process alive.
            runtime.shutdown_background();
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("plimsoll mcp: {error}");
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
            // A newer version's config may contain more arguments; a server that refused to start for them would
            // simply be missing in the agent.
            _ => {
                log::warn!("unknown argument {argument:?} is ignored");
                continue;
            }
        };
        agent = agents::by_id(id);
        if agent.is_none() {
            log::warn!("agent {id:?} isn't known; using the name that the client gives");
        }
    }
    Ok(agent)
}

async fn serve(service: Arc<Service>, agent: Option<&'static dyn agents::Agent>) {
    let (closed, input_closed) = CloseSignal::pair();
    let server = Server::new(Arc::clone(&service), agent);
    let stop = server.stopper();
    let session = async {
        match server.serve(Stdio::new(closed)).await {
            Ok(running) => {
                if let Err(error) = running.waiting().await {
                    log::error!("the service loop ended badly: {error}");
                }
            }
            Err(error) => log::warn!("no session was opened: {error}"),
        }
    };
    service.sweep_runs();
    service.start_background_work();
    tokio::spawn({
        let service = Arc::clone(&service);
        async move { service.free_when_idle().await }
    });
    // Not at the start, which an agent waits for, nor at the end, which must be quick.
    tokio::spawn({
        let service = Arc::clone(&service);
        async move {
            tokio::time::sleep(RETENTION_AFTER).await;
            service.run_daily_retention().await;
        }
    });
    // Its own task, so that it continues to answer during the waits below.
    let mut session = tokio::spawn(session);
    let let_finish = tokio::select! {
        // If the input has closed too, a running call deserves a moment.
        _ = &mut session => false,
        () = input_closed.wait() => true,
        () = service::parent_gone() => false,
        () = termination_signal() => false,
    };
    if let_finish {
        // Requests may have been piped in and the pipe closed: answer what is nearly done.
        let _ = tokio::time::timeout(FINISH_CALLS, stop.wait_until_idle()).await;
    }
    stop.stop();
    let _ = tokio::time::timeout(STOP_PROGRAMS, stop.wait_until_idle()).await;
    let _ = tokio::time::timeout(CLOSE_SERVICE, service.end_session()).await;
    if let_finish {
        let _ = tokio::time::timeout(WRITE_ANSWERS, &mut session).await;
    }
}

/// SIGTERM, SIGINT and SIGHUP; Ctrl-C on Windows.
async fn termination_signal() {
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
