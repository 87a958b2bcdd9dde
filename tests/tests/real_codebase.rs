//! That what the codebase knows reaches the model on the five real agents: a search, references and a card, through the tool
//! as each agent shows it, from an index that the first call makes; and that it is nowhere while it is off.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use plimsoll_tests::{Cli, Model, Scratch, Step, agents_dir};
use serde_json::json;

/// A small shop.
const FILES: &[(&str, &str)] = &[
    (
        "src/basket.py",
        "class Basket:\n    def total_price(self, items):\n        \"\"\"Sums what is in the basket.\"\"\"\n        return sum(items)\n",
    ),
    (
        "src/checkout.py",
        "from basket import Basket\n\n\ndef pay(items):\n    basket = Basket()\n    return basket.total_price(items)\n",
    ),
    (
        "tests/test_basket.py",
        "from basket import Basket\n\n\ndef test_total():\n    assert Basket().total_price([1]) == 1\n",
    ),
];

fn connected(cli: Cli) -> Option<(std::path::PathBuf, Scratch)> {
    let Some(agents) = agents_dir() else {
        skipped::without("agents", "no agents are installed; `cargo xtask test` installs them on Linux x64");
        return None;
    };
    let scratch = Scratch::new().unwrap();
    cli.install(&agents, &scratch).unwrap();
    for (path, text) in FILES {
        let path = scratch.project.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    scratch.plimsoll(&["connect", cli.id(), "--yes"]).unwrap();
    Some((agents, scratch))
}

#[test]
fn a_search_references_and_a_card_reach_the_model() {
    for cli in Cli::ALL {
        let Some((agents, scratch)) = connected(cli) else { return };
        scratch.plimsoll(&["settings", "set", "codebase.enabled", "true"]).unwrap();
        // Some agents are offered less by themselves.
        scratch.plimsoll(&["settings", "set", "mcp.tools", "all"]).unwrap();
        let steps = vec![
            Step::Ours("codebase", json!({"action": "search", "query": "sum of the basket"})),
            Step::Ours("codebase", json!({"action": "references", "symbol": "total_price"})),
            Step::Ours("codebase", json!({"action": "card", "symbol": "Basket.total_price"})),
        ];
        let model = Model::start(steps).unwrap();
        let ended = cli.ask(&agents, &scratch, &model, "Do what the script says.").unwrap();
        assert_eq!((ended.code, model.left()), (Some(0), 0), "{cli:?}: {ended:?}");
        let results = model.turns().last().unwrap().results();
        assert_eq!(results.len(), 3, "{cli:?}: {results:?}");
        assert!(results.iter().all(|result| !result.failed), "{cli:?}: {results:?}");
        assert!(results[0].text.contains("src/basket.py:"), "{cli:?}: {results:?}");
        assert!(results[1].text.contains("src/checkout.py"), "{cli:?}: {results:?}");
        assert!(results[1].text.contains("resolved"), "{cli:?}: {results:?}");
        assert!(results[2].text.contains("\"ready\""), "{cli:?}: {results:?}");
    }
}

#[test]
fn while_it_is_off_no_agent_sees_it() {
    for cli in Cli::ALL {
        let Some((agents, scratch)) = connected(cli) else { return };
        let model = Model::start(vec![Step::Say("Done.".into())]).unwrap();
        let ended = cli.ask(&agents, &scratch, &model, "Say that you are done.").unwrap();
        assert_eq!(ended.code, Some(0), "{cli:?}: {ended:?}");
        let offered = model.turns()[0].tools();
        assert!(!offered.iter().any(|name| name.ends_with("codebase")), "{cli:?}: {offered:?}");
        let projects = scratch.home.join(".plimsoll/projects");
        let made = std::fs::read_dir(projects).into_iter().flatten().flatten();
        assert!(!made.into_iter().any(|entry| entry.path().join("code.db").exists()), "{cli:?}");
    }
}
