IO.puts(:stderr, "careful")
IO.puts("done")
