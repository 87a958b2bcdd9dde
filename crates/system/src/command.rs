//! A system's commands for the window: name, argument, reply, and the equivalent command line.

use contract::Error;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{CallContext, ReplyFuture};

/// The equivalent of a window command in a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TerminalEquivalent {
    /// This command line, with placeholders in braces.
    CommandLine(&'static str),
    /// None, and why.
    None(&'static str),
}

/// A command of the window.
#[derive(Debug, Clone, Copy)]
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// The equivalent in a terminal.
    pub in_terminal: TerminalEquivalent,
    run: fn(&'static str, CallContext, Value) -> ReplyFuture<Value>,
    /// Exports the types of its argument and reply, and returns their names.
    #[cfg(feature = "typescript")]
    pub types: fn(&ts_rs::Config) -> Result<[String; 2], ts_rs::ExportError>,
}

/// A type at the border to the window. With the feature `typescript` it must have a TypeScript type; the trait lets a
/// system's own code be the same with and without it.
#[cfg(feature = "typescript")]
pub trait Shape: ts_rs::TS + 'static {}
#[cfg(feature = "typescript")]
impl<T: ts_rs::TS + 'static> Shape for T {}
/// A type at the border to the window.
#[cfg(not(feature = "typescript"))]
pub trait Shape {}
#[cfg(not(feature = "typescript"))]
impl<T> Shape for T {}

/// A command's handler with its types.
pub trait CommandHandler {
    /// The argument's type.
    type Args: DeserializeOwned + Shape + Send;
    /// The reply's type.
    type Reply: Serialize + Shape;
    /// Runs the command.
    fn handle(at: CallContext, args: Self::Args) -> ReplyFuture<Self::Reply>;
}

impl Command {
    /// The command with the handler `A`.
    #[must_use]
    pub const fn new<A: CommandHandler + 'static>(
        name: &'static str,
        in_terminal: TerminalEquivalent,
    ) -> Self {
        Self {
            name,
            in_terminal,
            run: run::<A>,
            #[cfg(feature = "typescript")]
            types: |config| {
                <A::Args as ts_rs::TS>::export_all(config)?;
                <A::Reply as ts_rs::TS>::export_all(config)?;
                Ok([<A::Args as ts_rs::TS>::name(config), <A::Reply as ts_rs::TS>::name(config)])
            },
        }
    }

    /// Runs the command.
    #[must_use]
    pub fn run(&self, at: CallContext, args: Value) -> ReplyFuture<Value> {
        (self.run)(self.name, at, args)
    }
}

fn run<A: CommandHandler + 'static>(name: &'static str, at: CallContext, args: Value) -> ReplyFuture<Value> {
    Box::pin(async move {
        // Null means no arguments.
        let args = if args.is_null() { Value::Object(serde_json::Map::new()) } else { args };
        let args =
            serde_json::from_value(args).map_err(|error| Error::invalid(format!("{name}: {error}")))?;
        let reply = A::handle(at, args).await?;
        serde_json::to_value(reply)
            .map_err(|error| Error::new(contract::ErrorCode::Internal, error.to_string()))
    })
}
