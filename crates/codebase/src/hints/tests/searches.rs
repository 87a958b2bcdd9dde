//! Which places a hint after a search names.

use super::*;

#[test]
fn a_place_is_the_definition_that_was_looked_for_and_not_what_its_file_begins_with() {
    let world = World::new();
    world.write(
        "src/bill.ts",
        "export class Bill {\n  lines = [];\n}\n\nexport function invoiceDiscount(price: number) {\n  return price / 10;\n}\n",
    );
    world.write(
        "src/pay.ts",
        "import { invoiceDiscount } from './bill';\n\nexport const pay = () => invoiceDiscount(3);\n",
    );
    world.index();
    let told = world.grep("discount_of_invoice", "No matches found").unwrap();
    assert!(told.contains("\nsrc/bill.ts:5 function invoiceDiscount"), "{told}");
    // It has but the `of`.
    assert!(!told.contains("src/path.ts"), "{told}");
}

#[test]
fn a_search_that_failed_found_nothing_out() {
    let world = World::new();
    let output = Output {
        text: String::new(),
        raw: json!({"error": "regex parse error: unclosed group"}),
        failed: false,
        exit: None,
        full_in: None,
    };
    let input = json!({"pattern": "total_of_cart("});
    let call = ToolCall { name: "Grep".into(), kind: ToolKind::Grep, input, output: Some(output), id: None };
    assert_eq!(world.tell("s", EventKind::PostTool, Some(call)).map(|told| told.text), None);
}
