println!("hello");
