# Interrupted, compiled and walked.
timeout -s INT 1.5 psl run endless.psl 2>/dev/null | grep 'ended by' &
timeout -s INT 1.5 psl run endless.psl --reference 2>/dev/null | grep 'ended by'
wait
