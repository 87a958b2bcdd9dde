let hits = FILE_CONTENT.lines().filter(|line| line.contains("ERROR")).count();
let name = std::path::Path::new(&*FILE_CONTENT_PATH).file_name().ok_or("no name")?;
assert_eq!(file_content.len(), FILE_CONTENT.len());
println!("{hits} in {}", name.to_string_lossy());
