fmt.Println("hello")
