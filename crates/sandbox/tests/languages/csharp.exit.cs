Environment.Exit(3);
