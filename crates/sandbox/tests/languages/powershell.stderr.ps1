[Console]::Error.WriteLine("careful")
Write-Output "done"
