# A machine is a processor and the profile of its memory, each made like another: both are taken apart. By hand: 1e6
# loads of 8 byte at 8 GB/s are 1 ms, with twice the rate half of it, and the overhead makes 9 us more.
cd "$TMP" || exit
cat >model.psl <<'END'
use convolver { param program = loads; param traced = old; }
use message-cost { param machine = old; }
component loads-signature like signature {
  param places   = ["main loads.c:1"];
  param blocks   = [[1e6, 1e6, 1e6, 0, 0, 0, 0, 0, 1e6, 0, 0, 0, 0, 0]];
  param distance-ends = [64 byte, 16 KiB];
  param distances     = [[[1e6, 0, 0], [], [], [], [], []]];
  profile program = loads;
}
component old-memory like memory-profile {
  param levels     = [32 KiB];
  param sets       = [16 KiB, 64 KiB, 256 KiB, 1024 KiB, 4096 KiB, 16384 KiB];
  param sequential = [8 GB/s, 8 GB/s, 8 GB/s, 8 GB/s, 8 GB/s, 8 GB/s];
  profile machine  = old;
}
component new-memory like old-memory {
  param sequential = [16 GB/s, 16 GB/s, 16 GB/s, 16 GB/s, 16 GB/s, 16 GB/s];
  profile machine  = new;
}
component old-processor like convolved {
  param L  = 1 us;
  param os = 1 us;
  param G  = 1 ns/byte;
  profile machine = old;
}
component new-processor like old-processor {
  param os = 10 us;
  profile machine = new;
}
transaction begin();
component task {
  accepts:
    profile     = { domain = application[loads], node type = task };
    transaction = begin();
    protocol    = dataflow;
  body:
    hold predicted-time + computer(machine = machine).os;
}
system loads {
  requests:
    selector    = { node type = task };
    transaction = begin();
    protocol    = dataflow;
}
END
psl diff model.psl --against machine=new
psl diff model.psl --against machine=new -f csv | grep "^changes.*,A,"
