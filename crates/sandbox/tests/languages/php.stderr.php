fwrite(STDERR, "careful\n");
echo "done\n";
