# :help knows each discipline and each word, from the tables that the check and the lexer read.
psl --keep-going 2>&1 <<'END'
:help discipline
:help round-robin
:help processor-sharing
:help priority-preemptive
:help fifo
:help then
:help terms
END
