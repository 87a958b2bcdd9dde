//! The address at which the map of the project's code can be read as text, without a tool.

use contract::{Error, ErrorCode};
use system::{Addresses, CallContext};

use super::codebase_tool::on_index;
use crate::actions;

/// The one address, by its name in the specification.
pub(crate) const CONTEXT: Addresses = Addresses {
    prefix: "codebase://context",
    older_prefix: "",
    template: "",
    name: "code",
    title: "The project's code: its folders, where it begins, and what most files import",
    read,
};

fn read(at: &CallContext, address: &str) -> Result<String, Error> {
    if address.trim_end_matches('/') != CONTEXT.prefix {
        let message = format!("nothing is at {address}; the map of the code is at {}", CONTEXT.prefix);
        return Err(Error::new(ErrorCode::NotFound, message));
    }
    let map = on_index(at, |index| actions::map(index, None, None))?;
    // A file's name may have an end of line in it.
    let lines: Vec<_> = map.lines.iter().map(|line| text::one_line(line)).collect();
    Ok(lines.join("\n"))
}
