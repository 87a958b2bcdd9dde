//! `plimsoll conformance --port N`, in test builds only: serves the handler of `mcp` over HTTP on loopback, the only
//! transport that the protocol's conformance suite drives.
//!
//! Owns the listener and the fixtures that the suite calls by name. Doesn't know what the suite expects.

mod fixtures;

use std::io::Write;
use std::net::Ipv4Addr;
use std::process::ExitCode;
use std::sync::Arc;

use home::{Clock, Env};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use service::Service;
use tokio::net::TcpListener;

use super::server::Server;
use fixtures::WithFixtures;

/// Serves until the parent is gone. With port 0 the system chooses one; the first line printed is the address.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    crate::logging::start();
    let port = match arguments {
        [flag, port] if flag == "--port" => port.parse::<u16>().ok(),
        _ => None,
    };
    let Some(port) = port else {
        eprintln!("plimsoll conformance: say --port and a port number; 0 lets the system choose");
        return ExitCode::from(2);
    };
    match listen(port) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("plimsoll conformance: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn listen(port: u16) -> Result<(), Box<dyn std::error::Error>> {
    let service = Arc::new(Service::new(Env::capture()?, Clock::system())?);
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        writeln!(std::io::stdout(), "http://{}/mcp", listener.local_addr()?)?;
        // The library checks Host on its own, and Origin once it knows the allowed ones.
        let config = StreamableHttpServerConfig::default()
            .with_allowed_origins(["http://localhost:*", "http://127.0.0.1:*"]);
        // Each session has its own handler, like each process of `mcp`.
        let handler = move || Ok(WithFixtures::new(Server::new(Arc::clone(&service), None)));
        let protocol = StreamableHttpService::new(handler, Arc::new(LocalSessionManager::default()), config);
        let router = axum::Router::new().nest_service("/mcp", protocol);
        tokio::select! {
            ended = axum::serve(listener, router) => ended?,
            () = service::parent_gone() => {}
        }
        Ok(())
    })
}
