#!/usr/bin/perl
# A model of more than 10,000 lines in an editor: each kind of request is answered, right behind a change of the text.
# How long that takes is a row of make bench.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use EditorSpeed qw(answer_times large_model);
use Run;

my $text = large_model(833);
my $count = () = $text =~ /\n/g;
ok($count > 10_000, 'the model is large', $count);
for my $answer (answer_times($psl, scratch() . '/model.psl', $text, 1)) {
  my ($method, undef, $wrong) = @$answer;
  ok(!defined $wrong, "$method of $count lines", $wrong);
}
finish();
