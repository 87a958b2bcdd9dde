//! What the functions and types of libraries are that a project's values go through: the hooks of React, the reactive values of Vue, and
//! the words of the compilers of Svelte and Vue. Their declarations aren't in the project. Nothing is known of anything else from
//! outside.

use std::rc::Rc;

use tree_sitter::Node;

use super::super::lookup::Source;
use super::names::Name;
use super::ty::Ty;
use super::{Script, children};
use crate::imports::{DEFAULT, WHOLE};

/// Packages that have the hooks of React.
const REACT: &[&str] = &["react", "preact/hooks", "preact/compat"];
/// Packages that have the reactive values of Vue.
const VUE: &[&str] = &["vue", "@vue/reactivity", "@vue/runtime-core", "vue-demi"];
/// Where the words of a compiler come from.
const COMPILER: &str = "";
/// The functions that are known.
const FUNCTIONS: &[&str] = &[
    "useState",
    "useReducer",
    "useRef",
    "createContext",
    "useContext",
    "useMemo",
    "useCallback",
    "memo",
    "forwardRef",
    "ref",
    "shallowRef",
    "computed",
    "reactive",
    "shallowReactive",
    "readonly",
    "$state",
    "$state.raw",
    "$derived",
    "$derived.by",
    "defineProps",
    "withDefaults",
];

impl Script<'_> {
    /// What a call of such a function gives.
    pub(super) fn library_call(&self, s: &Source, call: Node<'_>, function: Node<'_>) -> Option<Ty> {
        let (package, name) = self.library_name(s, function, false)?;
        if !FUNCTIONS.contains(&name) {
            return None;
        }
        let (react, vue) = (REACT.contains(&package), VUE.contains(&package));
        let given = call.child_by_field_name("arguments").map(children).unwrap_or_default();
        let written = self.arguments_of(s, call).into_iter().next();
        // What begins as an empty object gets its members later.
        let is_empty = |one: &Node<'_>| one.kind() == "object" && children(*one).is_empty();
        let first = given.first().filter(|one| !is_empty(one));
        let value = || first.map_or(Ty::Unknown, |one| self.value(s, *one));
        let made = || match value() {
            Ty::Function(place, bound) => self.result_of(place, &bound),
            other => other,
        };
        // `ref.current`, `ref.value`
        let held = |of: Ty| Ty::Record(Rc::new(of));
        // A value, and what sets it.
        let with_setter = |of: Ty, set: Ty| Ty::Tuple([of, Ty::Callback([set].into())].into());
        Some(match name {
            "useState" if react => {
                let of = written.unwrap_or_else(made);
                with_setter(of.clone(), of)
            }
            "useReducer" if react => match value() {
                Ty::Function(place, bound) => {
                    let nth = |at: usize| self.filled(&self.nth_parameter(place, at), &bound);
                    with_setter(nth(0), nth(1))
                }
                _ => return None,
            },
            "useRef" | "createContext" if react => held(written.unwrap_or_else(value)),
            "useContext" if react => match value() {
                Ty::Record(of) => (*of).clone(),
                _ => return None,
            },
            "useMemo" if react => written.unwrap_or_else(made),
            "useCallback" | "memo" if react => value(),
            "forwardRef" if react => match self.arguments_of(s, call).into_iter().nth(1) {
                Some(props) => Ty::Callback([props].into()),
                None => value(),
            },
            "ref" | "shallowRef" if vue => held(written.unwrap_or_else(value)),
            "computed" if vue => held(written.unwrap_or_else(made)),
            "reactive" | "shallowReactive" | "readonly" if vue => written.unwrap_or_else(value),
            "$state" | "$state.raw" | "$derived" if package == COMPILER => written.unwrap_or_else(value),
            "$derived.by" if package == COMPILER => written.unwrap_or_else(made),
            "defineProps" if package == COMPILER => written?,
            "withDefaults" if package == COMPILER => value(),
            _ => return None,
        })
    }

    /// What such a function expects of its argument: `forwardRef<HTMLElement, Props>((props, ref) => …)`.
    pub(super) fn library_argument(
        &self,
        s: &Source,
        call: Node<'_>,
        function: Node<'_>,
        place: usize,
    ) -> Option<Ty> {
        if place > 0 || !s.text_of(function).ends_with("forwardRef") {
            return None;
        }
        let (package, name) = self.library_name(s, function, false)?;
        let props = self.arguments_of(s, call).into_iter().nth(1)?;
        let is_known = name == "forwardRef" && REACT.contains(&package);
        is_known.then(|| Ty::Callback([props, Ty::Foreign].into()))
    }

    /// What such a type is, with its arguments: `FC<Props>`, `React.RefObject<Cart>`.
    pub(super) fn library_type(&self, s: &Source, name: Node<'_>, arguments: &[Ty]) -> Option<Ty> {
        let (package, name) = self.library_name(s, name, true)?;
        let (react, vue) = (REACT.contains(&package), VUE.contains(&package));
        let first = arguments.first()?.clone();
        match name {
            "FC" | "FunctionComponent" | "ComponentType" | "Dispatch" if react => {
                Some(Ty::Callback([first].into()))
            }
            "RefObject" | "MutableRefObject" | "Context" if react => Some(Ty::Record(Rc::new(first))),
            "PropsWithChildren" | "SetStateAction" if react => Some(first),
            "Ref" | "ShallowRef" | "ComputedRef" if vue => Some(Ty::Record(Rc::new(first))),
            _ => None,
        }
    }

    /// What `props` and `state` of a component are that is a class: `class View extends Component<Props, State>`.
    pub(super) fn of_component(&self, of: &Ty, name: &str) -> Option<Ty> {
        let at = match name {
            "props" => 0,
            "state" => 1,
            _ => return None,
        };
        let Ty::Instance(places, _) = of else { return None };
        self.with_node(*places.first()?, None, |s, node| {
            let heritage = children(node).into_iter().find(|part| part.kind() == "class_heritage")?;
            let clause = children(heritage).into_iter().find(|part| part.kind() == "extends_clause")?;
            let (package, base) = self.library_name(s, clause.child_by_field_name("value")?, false)?;
            let is_component = REACT.contains(&package) && matches!(base, "Component" | "PureComponent");
            if is_component { self.arguments_of(s, clause).into_iter().nth(at) } else { None }
        })
    }

    /// The package that a function or a type is imported from and its name there.
    fn library_name<'s>(&self, s: &'s Source, node: Node<'_>, types: bool) -> Option<(&'s str, &'s str)> {
        let field = |name: &str| node.child_by_field_name(name);
        let around = field("object").or_else(|| field("module"));
        let own = field("property").or_else(|| field("name"));
        let named = around.unwrap_or(node);
        if !matches!(named.kind(), "identifier" | "type_identifier") {
            return None;
        }
        let here = s.text_of(named);
        match self.meaning(s, named, here, types && around.is_none()) {
            Name::Undeclared => Some((COMPILER, s.text.get(node.byte_range())?)),
            Name::Outside => {
                let mut bound = s.outline.imports.iter().flat_map(|import| {
                    import
                        .bound
                        .iter()
                        .map(move |(here, there)| (import.target.as_str(), here, there.as_str()))
                });
                let (package, _, there) = bound.find(|(_, name, _)| name.as_str() == here)?;
                match own {
                    Some(own) if there == WHOLE || there == DEFAULT => {
                        Some((package, s.text.get(own.byte_range())?))
                    }
                    Some(_) => None,
                    None => Some((package, there)),
                }
            }
            _ => None,
        }
    }
}
