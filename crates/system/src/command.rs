//! What the window can ask for: a name, an argument, a reply, and the command line that does the same.

use contract::Error;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{At, Work};

/// How a person does the same in a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Twin {
    /// This command line; words in braces stand for values.
    Verb(&'static str),
    /// There is none, and why.
    None(&'static str),
}

/// A command of the window.
#[derive(Debug, Clone, Copy)]
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// How a person does the same in a terminal.
    pub twin: Twin,
    run: fn(&'static str, At, Value) -> Work<Value>,
    /// Writes the types of its argument and reply, and names both.
    #[cfg(feature = "typescript")]
    pub types: fn(&ts_rs::Config) -> Result<[String; 2], ts_rs::ExportError>,
}

/// A type at the border to the window: with the feature `typescript` it must have a TypeScript side, so that a system's own
/// code is the same with and without.
#[cfg(feature = "typescript")]
pub trait Shape: ts_rs::TS + 'static {}
#[cfg(feature = "typescript")]
impl<T: ts_rs::TS + 'static> Shape for T {}
/// A type at the border to the window.
#[cfg(not(feature = "typescript"))]
pub trait Shape {}
#[cfg(not(feature = "typescript"))]
impl<T> Shape for T {}

/// The way from JSON to a handler's types and back.
pub trait Answer {
    /// What the handler is given.
    type Args: DeserializeOwned + Shape + Send;
    /// What it answers.
    type Reply: Serialize + Shape;
    /// Carries it out.
    fn answer(at: At, args: Self::Args) -> Work<Self::Reply>;
}

impl Command {
    /// The command that `A` answers.
    #[must_use]
    pub const fn new<A: Answer + 'static>(name: &'static str, twin: Twin) -> Self {
        Self {
            name,
            twin,
            run: run::<A>,
            #[cfg(feature = "typescript")]
            types: |config| {
                <A::Args as ts_rs::TS>::export_all(config)?;
                <A::Reply as ts_rs::TS>::export_all(config)?;
                Ok([<A::Args as ts_rs::TS>::name(config), <A::Reply as ts_rs::TS>::name(config)])
            },
        }
    }

    /// Carries it out.
    #[must_use]
    pub fn carry_out(&self, at: At, args: Value) -> Work<Value> {
        (self.run)(self.name, at, args)
    }
}

fn run<A: Answer + 'static>(name: &'static str, at: At, args: Value) -> Work<Value> {
    Box::pin(async move {
        // Nothing counts as no arguments.
        let args = if args.is_null() { Value::Object(serde_json::Map::new()) } else { args };
        let args =
            serde_json::from_value(args).map_err(|error| Error::invalid(format!("{name}: {error}")))?;
        let reply = A::answer(at, args).await?;
        serde_json::to_value(reply)
            .map_err(|error| Error::new(contract::ErrorCode::Internal, error.to_string()))
    })
}
