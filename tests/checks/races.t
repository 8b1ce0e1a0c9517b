#!/usr/bin/perl
# What partitions of a run share has no races: the unit test of it, whose threads stand for processes, under ThreadSanitizer.
# Plain build alone: it has a build of its own.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

chdir $root;
my $program = scratch() . '/exchange';
my @flags = qw(-std=c11 -D_GNU_SOURCE -I. -g -O1 -fsanitize=thread);
my $made = command($root, 'gcc', @flags, qw(tests/unit/exchange.c interp/execute/exchange.c -lcmocka -lpthread -o), $program);
# its shadow memory wants addresses that random layouts may take
my $result = $made->{exit} eq '0' ? command($root, 'setarch', '-R', $program) : undef;
if (!$result || $result->{err} =~ /FATAL: ThreadSanitizer|setarch: failed/) {
  skip('exchange', 'ThreadSanitizer is not there, or cannot run here');
} else {
  ok($result->{exit} eq '0' && $result->{err} !~ /WARNING: ThreadSanitizer/, 'exchange has no races', $result->{err});
}
finish();
