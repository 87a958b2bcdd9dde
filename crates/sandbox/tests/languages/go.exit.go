os.Exit(3)
