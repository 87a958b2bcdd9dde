hits := strings.Count(FILE_CONTENT, "ERROR")
fmt.Println(hits, "in", filepath.Base(FILE_CONTENT_PATH))
