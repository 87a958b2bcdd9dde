$| = 1;
print "before\n";
sleep 600;
print "after\n";
