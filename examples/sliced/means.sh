# The integrated model: Jacobi's iteration, sliced, on 16 ranks, whose nest of loops at jacobi.c:28 is evaluated by
# three means, by one attribute. The messages are those of the program. Of what is measured it is shown that it answers.
cp integrated.psl points.c ../programs/jacobi.c "$TMP"
cd "$TMP"
psl mpicc -O2 -w jacobi.c -o jacobi -lm
psl compile --slice jacobi.c -o jacobi-slice
riscv64-linux-gnu-gcc -O2 -static points.c -o points -lm
row() {
  export name=$1 costs=$2
  shift 2
  psl mpirun -q -n 16 --costs "$costs" -f json -o report.json "$@" 500 20 >/dev/null 2>&1
  perl -MJSON::PP -0777 -ne '
    my $report = decode_json($_);
    my ($computed) = grep { $_->{activity} eq "compute" } @{$report->{shares}};
    sub told { $ENV{costs} eq "none" ? sprintf "%.2f ms", 1e3 * $_[0] : $_[0] > 0 ? "some" : "none" }
    my ($time, $computing) = map { told($_->{value}) } $report->{makespan}, $computed->{mean};
    printf "%-28s %10s %10s %6d %9.1f kB\n", $ENV{name}, $time, $computing, $report->{messages}, $report->{bytes} / 1e3
  ' report.json
}
row 'the program, measured' measured ./jacobi
row 'expression' none --model integrated.psl ./jacobi-slice
row 'simulation[out-of-order]' none --model integrated.psl --set 'step_28-by=simulation[out-of-order]' ./jacobi-slice
psl compile --slice --keep step_28 jacobi.c -o jacobi-slice
row 'measurement' measured --model integrated.psl --set step_28-by=measurement ./jacobi-slice
