# A transaction that is there in one evaluation mode alone, asked for in another; and a name that nothing declares, which is
# the first word of one. Neither wants a coercion.
cat >"$TMP/mode.psl" <<'END'
use mpi;
transaction go();
component rank [r] : 0 <= r < 2 {
  accepts:
    profile     = { domain = application[test], node type = rank, rank = r, size = 2 };
    transaction = go();
    protocol    = dataflow;
  body:
    call exchange();
  requests:
    exchange():
      selector    = { domain = runtime, node type = mpi, evaluation mode = analysis[LogGP] };
      transaction = MPI-alltoall(8 byte);
      protocol    = call-return;
}
system test { requests: every selector = { domain = application, node type = rank }; transaction = go(); protocol = dataflow; }
END
cat >"$TMP/half.psl" <<'END'
use processes;
transaction go();
component shelf like store { profile node type = shelf; }
component maker {
  accepts:
    profile     = { domain = application[test], node type = maker };
    transaction = go();
    protocol    = dataflow;
  body:
    call give();
  requests:
    give():
      selector    = { domain = processes, node type = shelf };
      transaction = put();
      protocol    = call-return;
}
system test { requests: selector = { domain = application, node type = maker }; transaction = go(); protocol = dataflow; }
END
cd "$TMP" || exit
psl check mode.psl 2>&1 | grep -e error -e help
psl check half.psl 2>&1 | grep -e error -e help
