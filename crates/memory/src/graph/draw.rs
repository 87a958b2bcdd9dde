//! Draws a graph as Mermaid, DOT or JSON. Names are escaped: they are data, never syntax.

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::json;

use super::entity::EntityKind;
use super::traversal::Graph;
use crate::domain::UnknownName;

/// The format of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// A Mermaid flowchart.
    #[default]
    Mermaid,
    /// Graphviz.
    Dot,
    /// Nodes and edges as JSON.
    Json,
}

impl Format {
    /// The format with this name.
    ///
    /// # Errors
    /// [`Unknown`], with the allowed names.
    pub fn parse(word: &str) -> Result<Self, UnknownName> {
        match word.trim().to_ascii_lowercase().as_str() {
            "mermaid" => Ok(Self::Mermaid),
            "dot" | "graphviz" => Ok(Self::Dot),
            "json" => Ok(Self::Json),
            _ => Err(UnknownName {
                what: "format",
                given: UnknownName::shortened(word),
                allowed: "mermaid, dot, json".into(),
            }),
        }
    }

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Mermaid => "mermaid",
            Self::Dot => "dot",
            Self::Json => "json",
        }
    }
}

/// Draws a graph.
pub fn draw(graph: &Graph, format: Format) -> String {
    let number: HashMap<&str, usize> =
        graph.entities.iter().enumerate().map(|(at, entity)| (entity.id.as_str(), at)).collect();
    let ends = |relation: &super::Relation| {
        Some((*number.get(relation.from.as_str())?, *number.get(relation.to.as_str())?))
    };
    match format {
        Format::Mermaid => {
            let mut out = String::from("graph LR\n");
            for (at, entity) in graph.entities.iter().enumerate() {
                let (open, close) = match entity.kind {
                    EntityKind::Person => ("([", "])"),
                    EntityKind::Organization => ("[[", "]]"),
                    EntityKind::Technology => ("(", ")"),
                    EntityKind::Concept => ("{{", "}}"),
                    EntityKind::File => ("[", "]"),
                };
                let _ = writeln!(out, "  n{at}{open}\"{}\"{close}", escaped(&entity.name));
            }
            for relation in &graph.relations {
                if let Some((from, to)) = ends(relation) {
                    let _ = writeln!(out, "  n{from} -->|{}| n{to}", relation.kind.as_str());
                }
            }
            out
        }
        Format::Dot => {
            let mut out = String::from("digraph memory {\n  rankdir=LR;\n");
            for (at, entity) in graph.entities.iter().enumerate() {
                let name = entity.name.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ");
                let _ = writeln!(out, "  n{at} [label=\"{name}\", class=\"{}\"];", entity.kind.as_str());
            }
            for relation in &graph.relations {
                if let Some((from, to)) = ends(relation) {
                    let _ = writeln!(out, "  n{from} -> n{to} [label=\"{}\"];", relation.kind.as_str());
                }
            }
            out.push_str("}\n");
            out
        }
        Format::Json => {
            let nodes: Vec<_> = graph
                .entities
                .iter()
                .map(|entity| json!({"id": entity.id, "name": entity.name, "type": entity.kind, "mentions": entity.mentions}))
                .collect();
            let edges: Vec<_> = graph
                .relations
                .iter()
                .map(|relation| json!({"from": relation.from, "to": relation.to, "type": relation.kind}))
                .collect();
            json!({"nodes": nodes, "edges": edges}).to_string()
        }
    }
}

/// A name inside Mermaid quotes, where HTML entities begin with `#`.
fn escaped(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '"' => out.push_str("#quot;"),
            '#' => out.push_str("#35;"),
            '<' => out.push_str("#lt;"),
            '>' => out.push_str("#gt;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
