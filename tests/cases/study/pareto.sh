# The Pareto front of several objectives. Witness: in perl, of the table of points, those that no other one dominates.
FARM=$(realpath ../../../examples/farm/farm.psl)
cd "$TMP" || exit
farm() { psl study "$FARM" farm --vary workers=2..20+3 --vary result=10MB,50MB "$@"; }
objectives="--minimize makespan --minimize cost=workers*makespan --maximize rate=result/makespan"
farm $objectives --pareto
farm $objectives --pareto --format csv | tee front.csv
farm $objectives --pareto --format jsonl | head -2
farm $objectives --pareto --format json | sed -n '/"pareto"/,/^  \]/p' | head -3
farm $objectives --format csv >all.csv
perl -e '
sub rows { open my $file, "<", shift; my @rows = map { [split /,/] } <$file>; shift @rows; @rows }
my @all = rows("all.csv"); my %front = map { ("$_->[0],$_->[1]" => 1) } rows("front.csv"); my $wrong = 0;
for my $p (@all) { my $dominated = 0;
  for my $q (@all) { my @by = ($p->[2] - $q->[2], $p->[3] - $q->[3], $q->[4] - $p->[4]); # above 0: q is better
    $dominated ||= !grep({ $_ < 0 } @by) && grep { $_ > 0 } @by }
  $wrong += $dominated == exists $front{"$p->[0],$p->[1]"} }
print $wrong ? "$wrong points are wrong\n" : "the front of " . scalar(@all) . " points has " . keys(%front) . "\n"'
echo "conditions and failures"
farm --minimize 'cost = workers * makespan where result < 20 MB' --minimize 'makespan where workers > 5' --pareto --best
psl study "$FARM" farm --vary workers=0,4,8,8 --minimize makespan --maximize 'n = workers' --pareto --format csv
psl study "$FARM" farm --vary workers=4,8 --minimize 'makespan where workers > 8' --maximize 'n = workers' --pareto --format csv
echo "refused"
farm --pareto
farm --minimize makespan --pareto
farm --minimize 'makespan by result' --minimize 'cost = workers * makespan' --pareto
farm $objectives --search always --pareto
farm $objectives --best --pareto --format csv
