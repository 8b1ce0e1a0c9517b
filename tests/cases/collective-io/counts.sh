# Messages and bytes of two-phase, beside closed forms. An all-gather of 16 bytes among n = 2^k ranks sends n k messages and
# n (n - 1) 16 bytes. Of a window of rows each rank has the nth part of a row, and sends it unless it is the aggregator's own: in
# each round A (n - 1) messages, in all 1 - 1/n of the file.
count() {
  psl run matrix.psl --format json --quiet --set io-ranks=$1 --set aggregators=$2 --set "collective-buffer=$3 MiB" --set writes=$4 |
    perl -e '
      my ($n, $A, $buffer) = @ARGV;
      $_ = join "", <STDIN>;
      my ($messages, $bytes) = /"messages": (\d+),.*?"bytes": (\d+)/s;
      my $file = $n * 1024 * 16384;
      my $rounds = $file / $A / 1048576 / $buffer;
      $rounds = int($rounds) + ($rounds > int $rounds);
      my ($m, $b) = ($n * log($n) / log(2) + $rounds * $A * ($n - 1), $file * (1 - 1 / $n) + $n * ($n - 1) * 16);
      printf "%d ranks, %d aggregators, buffers of %d MiB: %d messages, %d bytes; known: %.0f, %.0f\n", $n, $A, $buffer,
        $messages, $bytes, $m, $b' "$1" "$2" "$3"
}
count 2 1 16 true
count 4 4 16 true
count 8 2 16 true
count 8 2 16 false
count 8 8 4 false
count 16 4 64 true
