fmt.Println("before")
time.Sleep(600 * time.Second)
fmt.Println("after")
