//! What one file of C# uses for its whole project: edges, references, and what follows when it changes.

use plimsoll_code::graph::Graph;
use plimsoll_code::refs::{Confidence, references};
use plimsoll_code::{Options, update_only};

use crate::common::{Project, dump};

fn project() -> Project {
    Project::new(&[
        ("Shop/Shop.csproj", "<Project />\n"),
        ("Shop/GlobalUsings.cs", "global using System.Text;\nglobal using Shop.Pricing;\n"),
        ("Shop/Cart.cs", "namespace Shop;\nclass Cart { Price Total; }\n"),
        ("Shop/Pricing/Price.cs", "namespace Shop.Pricing;\npublic class Price {}\n"),
        ("Bank/Bank.csproj", "<Project />\n"),
        ("Bank/Account.cs", "namespace Bank;\nclass Account { Price Total; }\n"),
    ])
}

#[test]
fn a_global_using_is_seen_by_all_files_of_its_project() {
    let project = project();
    let (store, reader) = project.indexed();
    let graph = Graph::of(&reader, |_| true);
    let place = |path: &str| graph.paths.iter().position(|one| one == path).unwrap();
    let price = place("Shop/Pricing/Price.cs");
    assert_eq!(graph.imports[place("Shop/Cart.cs")], [price]);
    assert_eq!(graph.imports[place("Bank/Account.cs")], [0_usize; 0]);
    let found = references(&store, &reader, &project.root(), "Price").unwrap();
    let of = |path: &str| found.uses.iter().find(|one| one.path == path).unwrap().confidence;
    assert_eq!(of("Shop/Cart.cs"), Confidence::Resolved);
    assert_eq!(of("Bank/Account.cs"), Confidence::Textual);
}

#[test]
fn other_files_are_resolved_again_when_a_global_using_changes() {
    let project = project();
    let (mut store, _) = project.indexed();
    for text in ["global using System.Text;\n", "using Shop.Pricing;\n", "global using Shop.Pricing;\n"] {
        project.write("Shop/GlobalUsings.cs", text.as_bytes());
        let only = ["Shop/GlobalUsings.cs".to_owned()];
        update_only(&mut store, &project.root(), &only, &Options::default()).unwrap();
        let mut fresh = project.store(&format!("fresh of {}", text.len()));
        project.update(&mut fresh);
        assert_eq!(dump(store.path(), &[]), dump(fresh.path(), &[]), "{text}");
    }
}
