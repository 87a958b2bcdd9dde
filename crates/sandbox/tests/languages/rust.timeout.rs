println!("before");
std::thread::sleep(std::time::Duration::from_secs(600));
println!("after");
