cat("before\n")
Sys.sleep(600)
cat("after\n")
