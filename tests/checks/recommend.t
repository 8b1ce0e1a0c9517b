#!/usr/bin/perl
# What psl recommend recommends: some of the cases of tests/fuzz/recommend, where rules are counted; and for problems of Sweep3D that
# nothing was learnt from, how far off the first choice is, beside a study of all choices, the best of which is looked for here.
use strict;
use warnings;
use FindBin;
use JSON::PP;
use lib "$FindBin::Bin/../lib";
use Run;

$ENV{KEEP} = scratch();
my $run = command($root, "$root/tests/fuzz/recommend", $psl, 1, $sanitized ? 2 : 6);
ok(!$run->{exit}, 'rules, as counts have them', "$run->{out}$run->{err}");

my @model = ('--quiet', "$root/examples/sweep3d/choices.psl", 'blocking-choice');
my @learnt = ('--runs', 200, '--format', 'json');

sub report_of {
  my $made = command($root, @_);
  return eval { decode_json($made->{out}) } // do { ok(0, "a report of @_", $made->{err}); finish(); exit };
}

my $unseen = report_of($psl, 'recommend', @learnt, '--unseen=8', @model);
ok($unseen->{first_15} == 1 && $unseen->{first_5} >= 0.75, 'choices for 8 problems are within 15 % of the best, for 6 within 5 %', encode_json($unseen));

# All choices for one of them; the choice is that of a query.
for my $problem (@{$unseen->{problems}}[0 .. ($sanitized ? 0 : 1)]) {
  my @set = map { ('--set', "$_=$problem->{$_}") } qw(I J K processors);
  my $all = command($root, $psl, 'study', '--format', 'csv', @set, @model);
  my ($head, @lines) = split /\n/, $all->{out};
  my %column;
  @column{map { s/ \[.*//r } split /,/, $head} = 0 .. 40;
  my @points = map { my @cells = split /,/; +{map { $_ => $cells[$column{$_}] } qw(px py mk mmi makespan)} } @lines;
  my ($best) = sort { $a <=> $b } map { $_->{makespan} } @points;
  my $first = report_of($psl, 'recommend', @learnt, @set, @model)->{choices}[0];
  my ($point) = grep { my $p = $_; !grep { $p->{$_} != $first->{$_} } qw(px py mk mmi) } @points;
  my $off = $point ? $point->{makespan} / $best - 1 : 'nothing';
  ok(@points == $problem->{candidates}, "@set: all choices are run", scalar(@points) . " of $problem->{candidates}");
  ok($point && abs($off - $problem->{off}) < 1e-9, "@set: how far off the first choice is", "$problem->{off}, wanted $off");
}
finish();
