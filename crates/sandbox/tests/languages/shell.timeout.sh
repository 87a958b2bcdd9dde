echo before
sleep 600
echo after
