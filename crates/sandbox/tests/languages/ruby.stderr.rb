warn "careful"
puts "done"
