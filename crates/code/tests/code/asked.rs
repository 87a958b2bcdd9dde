//! What is asked of what a type is made from, of what another call gave, and of what a lambda is given; how what is expected is marked
//! says `receiver_types`.

use crate::receiver_types::check;

/// Types of Go that all embed each other.
#[test]
fn what_types_of_go_embed_is_looked_at_once() {
    let names: Vec<String> = (0..16).map(|n| format!("Part{n}")).collect();
    let mut go = String::from("package n\n\n");
    for name in &names {
        let others = names.iter().filter(|other| *other != name).map(|other| format!("\t*{other}\n"));
        go += &format!("type {name} struct {{\n{}}}\n\n", others.collect::<String>());
    }
    go += "type Own struct{}\n\nfunc (o Own) Close() {}\n\nfunc a(p Part0) {\n\tp.Close() //= -\n}\n\nfunc b(o Own) {\n\to.Close() //= Own\n}\n";
    check(&[("go.mod", "module x\n"), ("part.go", go.as_str())], "Close", "part.go");
}

#[test]
fn what_is_asked_deep_in_a_sum_is_of_the_type_that_its_head_says() {
    let rust = format!(
        "pub trait Part {{\n    fn sum(&self) -> i32;\n}}\npub fn f<T: Part>(c: &T) -> i32 {{\n    {} //= Part\n}}\n",
        ["c.sum()"; 500].join(" +\n    ")
    );
    check(&[("src/lib.rs", rust.as_str())], "sum", "lib.rs");
}
