#!/usr/bin/perl
# Where the time goes: what the report of a run has of compute, communicate, wait, idle and ended early is the time of the
# run, and no process has more than that of any. Of the examples, and of all cases that fork.
# Plain build alone: it adds up reports of runs that cases make.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;
use JSON::PP;

my @parts = ('compute', 'communicate', 'wait', 'idle', 'ended early');

sub sum_of {
  my %mean = map { $_->{activity} => $_->{mean}{value} } @_;
  my $sum = 0;
  $sum += $mean{$_} // 0 for @parts;
  return $sum;
}

sub wrong {
  my ($run) = @_;
  my $time = $run->{makespan}{value} - ($run->{warm_up} ? $run->{warm_up}{value} : 0);
  my @shares = @{$run->{shares} // []};
  return unless @shares; # of a network, or as the model records it
  my $near = 1e-6 * $time, my $left_out = 2e-3 * $time; # reports leave out idle and ended early of less than 0.1 %
  my @wrong = map { "$_->{activity}: $_->{maximum}{value} of $time in $_->{in}" }
    grep { ($_->{maximum}{value} // 0) > $time + $near } @shares;
  my $sum = sum_of(@shares);
  push @wrong, "$sum of $time" if $sum > $time + $near || $sum < $time - $left_out;
  return @wrong;
}

for my $file (psl_files()) {
  my ($folder, $name) = "$root/$file" =~ m{^(.*)/(.*)$} or next;
  my $text = slurp("$root/$file");
  next unless $file =~ m{^examples/} || $text =~ /\bevery\b/;
  my @options = $text =~ m{^// psl: run\b(.*)$}mg;
  @options = ('') if !@options && $file =~ m{^examples/} && $text =~ /^system\b/m;
  for my $options (grep { !/--(format|trace|html|o\b)|-o\b|[>|]/ } @options) {
    my $run = command($folder, "psl run $name$options --format json");
    next if $run->{exit} ne '0';
    my $result = eval { decode_json($run->{out}) } or next;
    next unless $result->{complete} && $result->{process_count} && defined $result->{makespan}{value};
    my @wrong = wrong($result);
    ok(!@wrong, "$file$options", join "\n", @wrong);
  }
}
finish();
