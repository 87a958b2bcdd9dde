hits = file_content |> String.split("\n") |> Enum.count(&String.contains?(&1, "ERROR"))
IO.puts("#{hits} in #{Path.basename(file_content_path)}")
