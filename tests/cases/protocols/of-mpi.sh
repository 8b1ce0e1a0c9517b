# MPI's calls are calls, whose handshake MPI-Sim makes: who asks for one of a protocol of its own is told so.
cat > "$TMP/rank.psl" <<'END'
use mpi;
transaction go();
transaction ready();
protocol handshake { -> transaction; <- ready; }
component rank [r] : 0 <= r < 2 {
  accepts:
    profile     = { domain = application[talk], node type = rank, rank = r, size = 2 };
    transaction = go();
    protocol    = dataflow;
  body:
    if r == 0 {
      call send();
      call send.ready();
    } else {
      call receive();
    }
  requests:
    send():
      selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
      transaction = MPI-send(1, 64 kB);
      protocol    = handshake;
    receive():
      selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
      transaction = MPI-recv(0);
      protocol    = call-return;
}
system talk {
  requests:
    every selector = { domain = application[talk], node type = rank };
    transaction    = go();
    protocol       = dataflow;
}
END
cd "$TMP"
psl run rank.psl 2>&1 | grep -A1 'error\|wanted handshake'
psl explain rank.psl rank.send 2>&1 | grep -B1 -A1 handshake
