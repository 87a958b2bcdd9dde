hits = FILE_CONTENT.lines.count { |line| line.include?('ERROR') }
puts "#{hits} in #{File.basename(FILE_CONTENT_PATH)}"
