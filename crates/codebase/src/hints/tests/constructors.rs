//! Edits of constructors.

use super::World;

#[test]
fn editing_a_constructor_names_the_types_creators() {
    let world = World::new();
    for (path, text) in [
        ("py/bill.py", "class Invoice:\n    def __init__(self, total):\n        self.total = total\n"),
        ("py/send.py", "from bill import Invoice\n\n\ndef send():\n    return Invoice(1)\n"),
        ("jv/Ticket.java", "public class Ticket {\n  public Ticket(int a) {\n    this.a = a;\n  }\n}\n"),
        ("jv/Desk.java", "public class Desk {\n  Ticket sell() {\n    return new Ticket(1);\n  }\n}\n"),
    ] {
        world.write(path, text);
    }
    world.index();
    let told = world.edit("py/bill.py", "(self, total)", "(self, total, tax)").unwrap();
    assert!(told.starts_with("`Invoice`, just edited in py/bill.py"), "{told}");
    assert!(told.contains("py/send.py:5"), "{told}");
    let told = world.edit("jv/Ticket.java", "Ticket(int a)", "Ticket(int a, int b)").unwrap();
    assert!(told.starts_with("`Ticket`") && told.contains("jv/Desk.java:2"), "{told}");
}
