//! `plimsoll memory identity …`: the names of a project whose remote or folder changed, on the command line only and not
//! for agents.

use contract::Error;
use system::{CallContext, ReplyFuture, VerbArguments};

use super::reply_text::ReplyFormat;
use super::run_action;
use crate::actions::{identity, join, separate};

/// A request about the project's names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum IdentityRequest {
    List,
    Join(String),
    Separate(String),
}

/// The request; `None` for another action.
pub(super) fn parse(typed: &VerbArguments) -> Result<Option<IdentityRequest>, Error> {
    let words: Vec<&str> = typed.texts("ACTION").collect();
    let (Some(&"identity"), rest) = (words.first(), words.get(1..).unwrap_or_default()) else {
        return Ok(None);
    };
    Ok(Some(match rest {
        [] => IdentityRequest::List,
        ["join", key] => IdentityRequest::Join((*key).to_owned()),
        ["separate", key] => IdentityRequest::Separate((*key).to_owned()),
        _ => {
            return Err(Error::invalid(
                "write plimsoll memory identity, identity join NAME or identity separate NAME",
            ));
        }
    }))
}

/// Runs the request.
pub(super) fn run(at: CallContext, asked: IdentityRequest) -> ReplyFuture {
    run_action::run(at, ReplyFormat::Json, move |context| match &asked {
        IdentityRequest::List => identity(context),
        IdentityRequest::Join(key) => join(context, key),
        IdentityRequest::Separate(key) => separate(context, key),
    })
}
