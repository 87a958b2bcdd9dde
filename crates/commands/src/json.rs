//! Converts JSON to a command's arguments, and its reply to JSON.

use contract::{Error, ErrorCode};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// Parses arguments; null means none.
pub(crate) fn decode<T: DeserializeOwned>(name: &str, args: Value) -> Result<T, Error> {
    let args = if args.is_null() { Value::Object(serde_json::Map::new()) } else { args };
    serde_json::from_value(args).map_err(|error| Error::invalid(format!("{name}: {error}")))
}

/// A reply as JSON.
pub(crate) fn encode<T: Serialize>(reply: Result<T, Error>) -> Result<Value, Error> {
    serde_json::to_value(reply?).map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))
}
