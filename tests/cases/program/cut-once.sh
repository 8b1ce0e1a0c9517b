# What is wrong with a file is said once, whatever asks for something in it.
cd "$TMP" && printf 'num_ranks 2\nrank 0 {\nl1: send 10b to 1 tag 0\n}\nrank 1 {\nl1: recv 10b fr' > cut.goal
psl replay cut.goal --error-format short 2>&1 | sed 's/.*error/error/'
