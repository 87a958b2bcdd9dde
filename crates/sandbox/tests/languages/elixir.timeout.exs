IO.puts("before")
Process.sleep(600_000)
IO.puts("after")
