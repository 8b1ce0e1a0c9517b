# What Dimemas and LogGOPSim call the figures of a machine, where files of the library are used.
input() {
  echo "--- $1"
  psl check - 2>&1
}
input 'a param of the model' <<'END'
use dimemas;
param cpu_ratio : real = 2;
system s { }
END
input 'of Dimemas' <<'END'
use dimemas { param number-of-buses = 4; param cpu-speed = 2; param eager-threshold = 64 KiB; param input_links = 1; param burst = 3; param bus-bandwidth = 1 GB/s; param latency-inside = 1 us; param nodes = 4; param startup = 1 us;}
system s { }
END
input 'of LogGOPSim' <<'END'
use loggops { param eager = 64 KiB; param latency = 2 us; param overhead = 1 us; param bandwidth = 1 GB/s; param gap = 1 us; }
system s { }
END
input 'of LogGP' <<'END'
use mpi { param L = 2 us; param o = 1 us; param g = 5 us; param G = 1 ns/byte; param S = 64 KiB; param O = 0 ns/byte; param P=4;}
system s { }
END
