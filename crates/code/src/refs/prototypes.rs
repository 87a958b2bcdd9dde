//! Resolves a member that JavaScript names through the prototype of its class or its constructing function: `Cart.prototype.total`.
//! Doesn't know values.

use super::Confidence;
use super::resolution::{FileContext, Verdict};

impl FileContext<'_> {
    /// What a receiver means that ends in `.prototype`: members of what is in front of that, and of nothing else.
    pub(super) fn on_prototype(&self, receiver: &str) -> Option<Verdict> {
        let scripts = ["javascript", "typescript", "tsx", "svelte", "vue"];
        let of = receiver.strip_suffix(".prototype").filter(|_| scripts.contains(&self.language()))?;
        let of = of.rsplit('.').next().unwrap_or(of);
        let own = self.targets_where(|t| {
            let container = t.container.strip_suffix(".prototype").unwrap_or(&t.container);
            container.rsplit('.').next() == Some(of) && self.is_near(t)
        });
        if !own.is_empty() {
            return Some((Confidence::Resolved, own));
        }
        self.targets.iter().any(|t| t.owner == "prototype").then_some((Confidence::Textual, own))
    }
}
