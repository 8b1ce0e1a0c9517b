# What expressions print: values with units that read well, or the unit that is asked for.
psl <<'END'
3 us + 2 ms
1 / 3
2 ^ 40
1 MiB
1 MiB -> byte
3 GB/s
120 MHz
0.35 -> %
90 min -> h
50 us/byte -> s/byte
[i in 1 .. 4 : i * 2 ms] -> us
3 us .. 5 us
3 us .. 5 us -> ns
[1, 2, 3]
{ size = 4 KiB, name = "x" }
exponential(5 ms)
mean(exponential(5 ms))
analysis[LogGP]
3 us == 3000 ns
"a string"
[x in [1 ms, 2 ms] : x > 1 ms]
use message-cost;
message-cost.total(4 KiB)
total(4 KiB) -> us; total(1 byte)
IBM-SP2.L
END
