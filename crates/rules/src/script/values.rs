//! Strings and lists: concatenated, assigned to variables, passed to the enclosing call.

use super::tokens::Token;
use super::{Action, Item, MAX_TEXT, MAX_VALUE, Scan, functions};
use crate::domain::host_of;

impl Scan {
    pub(super) fn assign(&mut self, name: &str) {
        let short = name.trim_start_matches(['$', '@']).to_owned();
        self.vars.remove(&short);
        self.assigning = Some((short, self.stack.len()));
    }

    pub(super) fn text(&mut self, text: &str) {
        if text.len() > MAX_TEXT {
            return;
        }
        let callee = self.stack.last().map(|f| f.callee.clone()).unwrap_or_default();
        if (text.starts_with("http://") || text.starts_with("https://")) && !functions::shows(&callee) {
            self.found.extend(host_of(text).map(Action::Host));
        }
        if self.awk {
            match &self.last {
                Some(Token::Op('|')) => self.found.push(Action::Shell(text.to_owned())),
                Some(Token::Op('<')) => self.found.push(Action::Read(text.to_owned())),
                Some(Token::Op('>')) => self.found.push(Action::Write(text.to_owned())),
                _ => {}
            }
        }
        if matches!(self.last, Some(Token::Op('/')))
            && let Some(path) = self.path.take()
        {
            let path = format!("{}/{text}", path.trim_end_matches('/'));
            self.found.push(Action::Read(path.clone()));
            self.path = Some(path);
        }
        // `psi.FileName = "rm"`, `psi.Arguments = "-rf x"`.
        if let Some((name, _)) = &self.assigning {
            if name.ends_with("FileName") {
                self.found.push(Action::Argv(vec![text.to_owned()]));
                self.program = Some(text.to_owned());
            } else if name.ends_with("Arguments")
                && let Some(program) = &self.program
            {
                self.found.push(Action::Shell(format!("{program} {text}")));
            }
        }
        let joins = matches!(self.last, Some(Token::Str(_)))
            || (matches!(self.last, Some(Token::Op('+' | '>' | '&')))
                && matches!(self.before_last, Some(Token::Str(_))))
            || matches!((&self.last, &self.before_last), (Some(Token::Name(dot)), Some(Token::Str(_))) if dot == "." || dot == "..");
        if joins && self.join(text) {
            return;
        }
        self.bare_call();
        self.item(Item::Text(text.to_owned()));
    }

    /// Appends `text` to the previous string.
    fn join(&mut self, text: &str) -> bool {
        let depth = self.stack.len();
        if let Some((name, at)) = &self.assigning
            && *at == depth
            && let Some(value) = self.vars.get_mut(name).and_then(|v| v.last_mut())
        {
            if value.len() <= MAX_VALUE {
                value.push_str(text);
            }
            return true;
        }
        let Some(frame) = self.stack.last_mut() else { return false };
        while matches!(frame.items.last(), Some(Item::Other)) {
            frame.items.pop();
        }
        match frame.items.last_mut() {
            Some(Item::Text(before)) if before.len() < MAX_TEXT => {
                before.push_str(text);
                true
            }
            _ => false,
        }
    }

    pub(super) fn item(&mut self, item: Item) {
        if let Some((name, depth)) = &self.assigning
            && *depth == self.stack.len()
        {
            match &item {
                Item::Text(text) if text.len() > MAX_VALUE => {}
                Item::List(list) if list.iter().map(String::len).sum::<usize>() > MAX_VALUE => {}
                Item::Text(text) => {
                    self.vars.insert(name.clone(), vec![text.clone()]);
                }
                Item::List(list) => {
                    self.vars.insert(name.clone(), list.clone());
                }
                _ => {}
            }
        }
        if let Some(frame) = self.stack.last_mut() {
            frame.items.push(item);
        }
    }
}
