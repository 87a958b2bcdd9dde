print STDERR "careful\n";
print "done\n";
