//! What functions tell of the type of their argument: `x is Cart`, `asserts x is Cart`, and the conditions that `filter` and `find` are
//! given. Which of several types `Extract` and `Exclude` select.

use tree_sitter::Node;

use super::super::lookup::Source;
use super::members::Found;
use super::narrowing::{Known, MAX_INNER};
use super::ty::Ty;
use super::{Script, children, given_back, is_function, only_child, parameters};

/// Libraries' functions that assert that their first argument is true.
const ASSERTING_TRUE: &[&str] = &["assert", "assert.ok", "invariant"];

impl Script<'_> {
    /// What a function says of its argument that it tells the type of: `x is Cart`.
    pub(super) fn guarded(&self, s: &Source, call: Node<'_>, text: &str) -> Option<Ty> {
        let Ty::Function(place, _) = self.value(s, call.child_by_field_name("function")?) else {
            return None;
        };
        let given = children(call.child_by_field_name("arguments")?);
        let asked = given.iter().position(|one| s.text_of(*one) == text)?;
        self.with_node(place, None, |s, node| {
            let told = only_child(node.child_by_field_name("return_type")?)?;
            (place_of_argument(s, node, told)? == asked).then(|| self.predicate_type(s, told)).flatten()
        })
    }

    /// Leaves of what a value may be what it can be behind a statement that asserts something.
    pub(super) fn suppose_asserted(
        &self,
        s: &Source,
        call: Node<'_>,
        text: &str,
        known: &mut Known,
        depth: u32,
    ) {
        let given = call.child_by_field_name("arguments").map(children).unwrap_or_default();
        let Some(function) = call.child_by_field_name("function") else { return };
        let Ty::Function(place, _) = self.value(s, function) else {
            let condition = given.first().filter(|_| ASSERTING_TRUE.contains(&s.text_of(function)));
            if let Some(condition) = condition {
                self.suppose(s, *condition, text, true, known, depth);
            }
            return;
        };
        // The argument that is asserted, and the type that it then has.
        let asserted = self.with_node(place, None, |s, node| {
            let written = node.child_by_field_name("return_type").and_then(only_child)?;
            let told = only_child(written).filter(|_| written.kind() == "asserts")?;
            Some((place_of_argument(s, node, told)?, self.predicate_type(s, told)))
        });
        let Some((at, of)) = asserted else { return };
        match (given.get(at), of) {
            (Some(value), Some(of)) if s.text_of(*value) == text => known.ty = of,
            (Some(condition), None) => self.suppose(s, *condition, text, true, known, depth),
            _ => {}
        }
    }

    /// The type that a predicate gives a value. `x is T` gives none that it doesn't have anyway.
    fn predicate_type(&self, s: &Source, told: Node<'_>) -> Option<Ty> {
        let of = told.child_by_field_name("type").filter(|_| told.kind() == "type_predicate")?;
        Some(self.written(s, of)).filter(|of| !matches!(of, Ty::Unknown | Ty::Parameter(_)))
    }

    /// What is left of a list's elements by the function that `filter` or `find` is given.
    pub(super) fn passing(&self, s: &Source, function: Option<&Node<'_>>, element: Ty) -> Ty {
        let Some(function) = function else { return element };
        if let Ty::Function(place, bound) = self.value(s, *function) {
            let told = self.with_node(place, None, |s, node| {
                self.predicate_type(s, only_child(node.child_by_field_name("return_type")?)?)
            });
            if let Some(told) = told {
                return self.filled(&told, &bound);
            }
        }
        // `x => x.kind === 'cart'`: what it's true for, if it's false for nothing of that.
        let is_inline = matches!(element, Ty::Union(_)) && is_function(function.kind());
        let condition = given_back(*function).filter(|_| is_inline);
        let parameter = function.child_by_field_name("parameter").or_else(|| {
            let list = parameters(function.child_by_field_name("parameters")?);
            list.first().map(|one| one.child_by_field_name("pattern").unwrap_or(*one))
        });
        let (Some(condition), Some(parameter)) = (condition, parameter) else { return element };
        let supposed = |truth: bool| {
            let mut known = Known { ty: element.clone(), open: false };
            self.suppose(s, condition, s.text_of(parameter), truth, &mut known, MAX_INNER);
            known
        };
        let (passes, fails) = (supposed(true), supposed(false));
        let is_told = !passes.open
            && !fails.open
            && !passes.ty.parts().iter().any(|part| fails.ty.parts().contains(part));
        if is_told { passes.ty } else { element }
    }

    /// Those of several types that are another one, or have the values that its members list; or else all but those.
    pub(super) fn selected(&self, all: &Ty, by: &Ty, only: bool) -> Ty {
        let keep = |fits: &dyn Fn(&Ty) -> bool| {
            Ty::one_of(all.parts().iter().filter(|part| fits(part) == only).cloned())
        };
        let Ty::Union(parts) = all else {
            // What isn't bound yet may be several types.
            let is_open = matches!(all, Ty::Parameter(_) | Ty::Member(..) | Ty::Keyed(..));
            let is_all = matches!(by, Ty::Foreign | Ty::Nothing);
            return if is_open && !is_all { Ty::Unknown } else { all.clone() };
        };
        if parts.iter().any(|part| by.parts().contains(part)) || matches!(by, Ty::Foreign | Ty::Nothing) {
            return keep(&|part: &Ty| by.parts().contains(part));
        }
        let Ty::Shape(place, _) = by else { return Ty::Unknown };
        let names = self.with_node(*place, Vec::new(), |s, node| {
            let names = children(node).into_iter().map(|one| one.child_by_field_name("name"));
            names.map(|name| name.map(|name| s.text_of(name).to_owned())).collect::<Vec<Option<String>>>()
        });
        let [Some(name)] = names.as_slice() else { return Ty::Unknown };
        let Found::Members(listed) = self.members(by, name) else { return Ty::Unknown };
        let Some(values) = listed.first().and_then(|member| self.literals(member)) else {
            return Ty::Unknown;
        };
        // What may be one of the values and another one isn't told.
        let fits = |part: &Ty| values.iter().any(|value| self.may_be(part, name, value));
        if parts.iter().any(|part| fits(part) && !values.iter().any(|value| self.must_be(part, name, value)))
        {
            return Ty::Unknown;
        }
        keep(&fits)
    }
}

/// Which of a function's parameters a text about one of them names: `x is Cart`, or `x` alone.
fn place_of_argument(s: &Source, function: Node<'_>, told: Node<'_>) -> Option<usize> {
    let about = match told.kind() {
        "type_predicate" => told.child_by_field_name("name")?,
        "identifier" => told,
        _ => return None,
    };
    let list = parameters(function.child_by_field_name("parameters")?);
    list.iter().position(|one| {
        one.child_by_field_name("pattern").is_some_and(|pattern| s.text_of(pattern) == s.text_of(about))
    })
}
