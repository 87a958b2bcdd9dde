eprintln!("careful");
println!("done");
