puts "before"
sleep 600
puts "after"
