lines <- strsplit(FILE_CONTENT, "\n")[[1]]
cat(sum(grepl("ERROR", lines)), "in", basename(FILE_CONTENT_PATH), "\n")
