//! Methods of Ruby that a class registers to be called, by their symbols.

use plimsoll_code::refs::references;

use crate::common::Project;

#[test]
fn a_callback_that_a_ruby_class_registers_is_used() {
    let project = Project::new(&[
        ("base.rb", "class Base\n  def load_cart\n  end\nend\n"),
        (
            "carts.rb",
            "require_relative 'base'\n\nclass Carts < Base\n  before_action :load_cart, only: :total\n  after_save :total, if: :ready\n  puts :total\n  validates :size, if: :ready\n\n  def total\n  end\n\n  def ready\n  end\nend\n",
        ),
    ]);
    let (store, reader) = project.indexed();
    for (name, expected) in [
        ("load_cart", &["carts.rb:4:18 Reference Resolved"][..]),
        (
            "total",
            &["carts.rb:5:15 Reference Resolved", "carts.rb:4:36 Text Textual", "carts.rb:6:9 Text Textual"],
        ),
        ("ready", &["carts.rb:5:27 Reference Resolved", "carts.rb:7:25 Reference Resolved"]),
    ] {
        let found = references(&store, &reader, &project.root(), name).unwrap();
        let uses: Vec<String> = found
            .uses
            .iter()
            .map(|one| {
                format!("{}:{}:{} {:?} {:?}", one.path, one.line, one.column, one.role, one.confidence)
            })
            .collect();
        assert_eq!(uses, expected, "{name}");
    }
}
