message("careful")
cat("done\n")
