var hits = FILE_CONTENT.Split('\n').Count(line => line.Contains("ERROR"));
Console.WriteLine(hits + " in " + Path.GetFileName(FILE_CONTENT_PATH));
