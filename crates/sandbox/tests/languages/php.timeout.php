echo "before\n";
sleep(600);
echo "after\n";
