#!/usr/bin/perl
# Traces as archives in OTF2, and back: with all that they have, in a form that OTF2's own tool reads; archives as other
# tools write them; and what is no archive.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Programs;
use Run;

my $folder = scratch();
unless (-x "$build/psl-otf2") {
  skip('archives in OTF2', 'libotf2 is not installed');
  my $bare = "psl: error: psl was built without libotf2 (Debian: libotf2-trace-dev)\n";
  spew("$folder/w.tit", "0 compute 1\n");
  equal(command($folder, 'psl trace convert w.tit w.otf2')->{err}, $bare, 'what is missing is named');
  finish();
  exit;
}
sub converted { my ($from, $to) = @_; return command($folder, "psl trace convert $from $to") }
sub json { my ($trace) = @_; converted($trace, 'shown.json'); return slurp("$folder/shown.json") // '' }

spew("$folder/w.tit", join '', map { "$_\n" } '0 init', '1 init', '0 compute 1e9', '0 sleep 0.5', '0 isend 1 7 4000', '0 recv 1 7 4000', '0 wait 0 1 7',
     '1 isend 0 7 4000', '1 recv 0 7 4000', '1 wait 1 0 7', '0 allreduce 1000 0', '1 allreduce 1000 0', '0 finalize', '1 finalize');
command($folder, 'psl replay w.tit --record w.trace');
my $made = converted('w.trace', 'w.otf2');
my $back = converted('w.otf2', 'again.trace');
ok($made->{exit} eq '0' && $back->{exit} eq '0', 'an archive is written and read', $made->{err} . $back->{err});
my $wanted = json('w.trace');
ok(length $wanted > 1000, 'the trace has operations');
equal(json('again.trace'), $wanted, 'and has all that the trace had');
if (have('otf2-print')) {
  my %count;
  $count{$_}++ for command($folder, 'otf2-print w.otf2')->{out} =~ /^(MPI_\w+|ENTER|LEAVE) /gm;
  equal(join(' ', map { "$_ $count{$_}" } sort keys %count),
       'ENTER 14 LEAVE 14 MPI_COLLECTIVE_BEGIN 2 MPI_COLLECTIVE_END 2 MPI_ISEND 2 MPI_ISEND_COMPLETE 2 MPI_RECV 2', 'OTF2 knows its messages');
}

# Of another tool.
my $compiled = command($folder, 'cc', "$root/tests/lib/archive.c", '-o', 'archive', '-lotf2');
ok($compiled->{exit} eq '0' && command($folder, './archive . measured')->{exit} eq '0', 'an archive as tools write them', $compiled->{err});
converted('measured.otf2', 'measured.trace');
my @said = map { my $e = $_; my $a = $e->{args};
  join ' ', $e->{tid}, $e->{ph} eq 'E' ? 'leave' : $e->{name}, sprintf('%.3f', $e->{ts}), map { defined $a->{$_} ? "$_=$a->{$_}" : () } qw(destination source tag source_tag bytes root line) }
  grep { $_->{ph} =~ /[XBE]/ } @{report(json('measured.trace'))->{traceEvents} || []};
equal(join('', map { "$_\n" } sort @said), <<'END', 'is read by what stands in its calls');
0 bcast 18.000 bytes=64 root=1
0 compute 0.000
0 compute 12.000
0 compute 16.000
0 compute 20.000
0 finalize 21.000
0 leave 21.000
0 send 10.000 destination=1 tag=5 bytes=1000
0 solve 16.000 line=12
1 bcast 18.000 bytes=64 root=1
1 compute 1.000
1 compute 15.000
1 compute 16.000
1 compute 20.000
1 finalize 21.000
1 irecv 0.000 source=0 source_tag=5
1 leave 21.000
1 solve 16.000 line=12
1 wait 4.000
END
my $again = command($folder, 'psl replay measured.trace');
ok($again->{exit} eq '0' && $again->{out} =~ /^ended by +end of the model$/m, 'and replayed', $again->{err});

# Of the command line; a model starts no program.
my $replayed = command($folder, 'psl replay w.otf2 --record replayed.trace');
command($folder, 'psl replay w.trace --record wanted.trace');
ok($replayed->{exit} eq '0' && slurp("$folder/replayed.trace") eq slurp("$folder/wanted.trace"), 'an archive is replayed', $replayed->{err});
for my $words ('trace info --by rank', 'report -o-') {
  my ($of_archive, $of_trace) = map { command($folder, "psl $words $_")->{out} =~ s/w\.(otf2|trace)/NAME/gr =~ s/trace (?:in OTF2|of PSL)/KIND/r } 'w.otf2', 'w.trace';
  equal($of_archive, $of_trace, "psl $words of an archive");
}
my ($study, $wanted_study) = map { command($folder, "psl study $_ --vary speed=1,2")->{out} } 'w.otf2', 'w.trace';
equal($study, $wanted_study, 'and studied');
equal(command($folder, 'psl diff w.otf2 w.trace')->{exit}, '0', 'and compared');

# What cannot be.
sub refused {
  my ($words, $message) = @_;
  equal(command($folder, "psl $words")->{err}, "psl: error: $message\n", "refused: psl $words");
}
spew("$folder/other.psl", "use program;\n");
ok(command($folder, 'psl run other.psl --set program.trace=\'"w.otf2"\'')->{err} =~
     /error: Program: w\.otf2 is an archive in OTF2, which is read where the command line names it, or made another trace by psl trace convert\n/,
     'refused: a model that names an archive');
refused('trace convert w.trace w.otf2', 'the archive cannot be written: is there one of its name?');
spew("$folder/cut.otf2", substr(slurp("$folder/w.otf2"), 0, 20));
refused("trace info cut.otf2", 'cut.otf2: it is no archive that can be read');
refused("replay cut.otf2", 'cut.otf2: it is no archive that can be read');
spew("$folder/moved.otf2", slurp("$folder/w.otf2"));
refused('trace convert moved.otf2 x.trace', 'moved.otf2: it has no definitions that can be read');

# What archives of other tools may say, each by a change of the program that has written one.
my $program = slurp("$root/tests/lib/archive.c");
my @changes = (
  ['WriteClockProperties(d, 1000000000', 'WriteClockProperties(d, 0', 'its clock has no ticks'],
  ['WriteRegion(d, k,', 'WriteRegion(d, k == SOLVE ? 1u << 30 : k,', "a definition's number is out of range"],
  ['(uint64_t[]){0, 1}', '(uint64_t[]){0, 2}', 'a member of a communicator is no rank'],
  ['MpiSend(w, NULL, now + 10000, 1, 0,', 'MpiSend(w, NULL, now + 10000, 1, 9,', 'a communicator that is not defined'],
  ['MpiSend(w, NULL, now + 10000, 1,', 'MpiSend(w, NULL, now + 10000, 2,', 'a message to or from no rank of its communicator'],
);
for (@changes) {
  my ($from, $to, $message) = @$_;
  spew("$folder/changed.c", $program =~ s/\Q$from\E/$to/r);
  command($folder, 'rm -rf c c.def c.otf2; cc -w changed.c -o changed -lotf2 && ./changed . c');
  refused('trace info c.otf2', "c.otf2: $message");
}
my $random = command($root, "KEEP=$folder/random tests/fuzz/archives $psl 1 12");
ok($random->{exit} eq '0', 'random archives', $random->{out} . $random->{err});
finish();
