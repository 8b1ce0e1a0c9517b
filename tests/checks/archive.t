#!/usr/bin/perl
# Traces as archives in OTF2, and back: with all that they have, in a form that OTF2's own tool reads; archives as other
# tools write them; and what is no archive.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP;
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
  join ' ', $e->{tid} - 2, $e->{ph} eq 'E' ? 'leave' : $e->{name}, sprintf('%.3f', $e->{ts}), map { defined $a->{$_} ? "$_=$a->{$_}" : () } qw(destination source tag source_tag bytes root line) }
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
refused('trace info none.otf2', 'none.otf2: No such file or directory');

# Files of an archive that are missing, or damaged, are named.
sub damaged {
  my ($name, $file, $change, $message) = @_;
  command($folder, "rm -rf $name*; cp -r measured $name; cp measured.def $name.def; cp measured.otf2 $name.otf2");
  my $bytes = $change->(slurp("$folder/$file"));
  defined $bytes ? spew("$folder/$file", $bytes) : unlink "$folder/$file";
  refused("trace info $name.otf2", "$file$message");
}
damaged('cut', 'cut.otf2', sub { substr $_[0], 0, 20 }, ' is cut short, or damaged');
refused('replay cut.otf2', 'cut.otf2 is cut short, or damaged');
damaged('bare', 'bare.def', sub { undef }, ' cannot be opened: No such file or directory');
damaged('half', 'half.def', sub { substr $_[0], 0, 100 }, ' is cut short, or damaged');
damaged('hole', 'hole/11.evt', sub { undef }, ' (rank 1) cannot be opened: No such file or directory');
damaged('empty', 'empty/11.evt', sub { '' }, ' (rank 1) is cut short, or damaged');
damaged('short', 'short/11.evt', sub { substr $_[0], 0, 40 }, ' (rank 1) is cut short, or damaged, behind 2 events');
damaged('bent', 'bent/10.evt', sub { my $bytes = shift; substr($bytes, 30, 3) = "\xff" x 3; $bytes },
        ' (rank 0) is cut short, or damaged, behind 1 event');

# What archives of other tools may say, each by changes of the program that has written one.
my $program = slurp("$root/tests/lib/archive.c");
my $first = 'OTF2_GlobalDefWriter_WriteClockProperties(d';
my @changes = (
  ['c.def: the clock has no ticks', 'WriteClockProperties(d, 1000000000' => 'WriteClockProperties(d, 0'],
  ['c.def: region 1073741824 is beyond 16777215, the last one that is read',
   'WriteRegion(d, k,' => 'WriteRegion(d, k == SOLVE ? 1u << 30 : k,'],
  ['c.def: member 1 of group 1, of a communicator, is rank 2 of 2', '(uint64_t[]){0, 1}' => '(uint64_t[]){0, 2}'],
  ['c.def: there is no location that is a rank, a thread of a processor',
   'LOCATION_TYPE_CPU_THREAD' => 'LOCATION_TYPE_GPU', 'GROUP_TYPE_COMM_LOCATIONS' => 'GROUP_TYPE_LOCATIONS'],
  ['c/10.evt (rank 0), at 10 us: communicator 9 is not defined',
   'MpiSend(w, NULL, now + 10000, 1, 0,' => 'MpiSend(w, NULL, now + 10000, 1, 9,'],
  ['c/10.evt (rank 0), at 10 us: there is no rank 2 in communicator 0, which has 2',
   'MpiSend(w, NULL, now + 10000, 1,' => 'MpiSend(w, NULL, now + 10000, 2,'],
  ['c/11.evt (rank 1), at 20 us: communicator 3 is not defined', 'OP_BCAST, 0, 1,' => 'OP_BCAST, rank * 3, 1,'],
  ['c/10.evt (rank 0), at 20 us: there is no rank 7 in communicator 0, which has 2', 'OP_BCAST, 0, 1,' => 'OP_BCAST, 0, 7,'],
  ["c/10.evt (rank 0), at 10 us: operation 'solve' is not known",
   $first => "OTF2_GlobalDefWriter_WriteString(d, 9, \"PSL::operation\"); OTF2_GlobalDefWriter_WriteAttribute(d, 3, 9, 6, OTF2_TYPE_STRING); $first",
   'OTF2_EvtWriter_Enter(w, NULL, now + 10000' =>
   'OTF2_AttributeList *l = OTF2_AttributeList_New(); OTF2_AttributeList_AddStringRef(l, 3, 4); OTF2_EvtWriter_Enter(w, l, now + 10000'],
  ["c/10.evt (rank 0), at 10 us: PSL::members of comm_make is 'solve'",
   $first => "OTF2_GlobalDefWriter_WriteString(d, 9, \"PSL::operation\"); OTF2_GlobalDefWriter_WriteAttribute(d, 3, 9, 6, OTF2_TYPE_STRING); "
     . "OTF2_GlobalDefWriter_WriteString(d, 10, \"PSL::members\"); OTF2_GlobalDefWriter_WriteAttribute(d, 4, 10, 6, OTF2_TYPE_STRING); "
     . "OTF2_GlobalDefWriter_WriteString(d, 11, \"comm_make\"); $first",
   'OTF2_EvtWriter_Enter(w, NULL, now + 10000' =>
   'OTF2_AttributeList *l = OTF2_AttributeList_New(); OTF2_AttributeList_AddStringRef(l, 3, 11); OTF2_AttributeList_AddStringRef(l, 4, 4); '
     . 'OTF2_EvtWriter_Enter(w, l, now + 10000'],
  ['c/10.evt (rank 0), at 10 us: PSL::tag of send is 1.09951163e+12',
   $first => "OTF2_GlobalDefWriter_WriteString(d, 9, \"PSL::operation\"); OTF2_GlobalDefWriter_WriteAttribute(d, 3, 9, 6, OTF2_TYPE_STRING); "
     . "OTF2_GlobalDefWriter_WriteString(d, 10, \"PSL::tag\"); OTF2_GlobalDefWriter_WriteAttribute(d, 4, 10, 6, OTF2_TYPE_INT64); "
     . "OTF2_GlobalDefWriter_WriteString(d, 11, \"send\"); $first",
   'OTF2_EvtWriter_Enter(w, NULL, now + 10000' =>
   'OTF2_AttributeList *l = OTF2_AttributeList_New(); OTF2_AttributeList_AddStringRef(l, 3, 11); OTF2_AttributeList_AddInt64(l, 4, 1LL << 40); '
     . 'OTF2_EvtWriter_Enter(w, l, now + 10000'],
);
for (@changes) {
  my ($message, @pairs) = @$_;
  my $changed = $program;
  while (my ($from, $to) = splice @pairs, 0, 2) { $changed =~ s/\Q$from\E/$to/ }
  spew("$folder/changed.c", $changed);
  command($folder, 'rm -rf c c.def c.otf2; cc -w changed.c -o changed -lotf2 && ./changed . c');
  refused('trace info c.otf2', $message);
}

# Counters of the processor are metrics, whose values stand before what begins or ends then: 1000 in a burst, 50 in a call.
my $counting = $program;
for (['enum { SEND,' => 'static void metric(OTF2_EvtWriter *w, uint64_t now, uint64_t counted, double other) {
        OTF2_EvtWriter_Metric(w, NULL, now, 5, 3, (OTF2_Type[]){OTF2_TYPE_UINT64, OTF2_TYPE_INT64, OTF2_TYPE_DOUBLE},
          (OTF2_MetricValue[]){{.unsigned_int = counted}, {.signed_int = 7}, {.floating_point = other}}); }
      enum { SEND,'],
     ['OTF2_EvtWriter_Enter(w, NULL, now + 10000, SEND);' =>
      'metric(w, now, 100, 0); metric(w, now + 10000, 1100, 1); OTF2_EvtWriter_Enter(w, NULL, now + 10000, SEND);'],
     ['OTF2_EvtWriter_Leave(w, NULL, now + 12000, SEND);' =>
      'metric(w, now + 12000, 1150, 2); OTF2_EvtWriter_Leave(w, NULL, now + 12000, SEND);'],
     [$first => 'const char *names[] = {"PAPI_TOT_INS", "PAPI_L2_DCM", "ru_utime"};
        for (uint32_t k = 0; k < 3; k++) {
          OTF2_GlobalDefWriter_WriteString(d, 20 + k, names[k]);
          OTF2_GlobalDefWriter_WriteMetricMember(d, k, 20 + k, 6, k < 2 ? OTF2_METRIC_TYPE_PAPI : OTF2_METRIC_TYPE_RUSAGE,
            k == 1 ? OTF2_METRIC_ACCUMULATED_LAST : OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0, 6);
        }
        OTF2_GlobalDefWriter_WriteMetricClass(d, 5, 3, (OTF2_MetricMemberRef[]){0, 1, 2}, OTF2_METRIC_SYNCHRONOUS_STRICT,
          OTF2_RECORDER_KIND_CPU); ' . $first]) {
  my ($from, $to) = @$_;
  $counting =~ s/\Q$from\E/$to/;
}
spew("$folder/counting.c", $counting);
command($folder, 'cc -w counting.c -o counting -lotf2 && ./counting . k');
my $counters = (eval { decode_json(command($folder, 'psl trace info k.otf2 --format json')->{out}) } || {})->{counters} || [];
equal(join('; ', map { "$_->{name} $_->{bursts} $_->{count} $_->{rank} $_->{in_calls}" } @$counters),
      'PAPI_TOT_INS 1 1000 0 50; PAPI_L2_DCM 1 14 0 7', 'counters of the processor');

my $random = command($root, "KEEP=$folder/random tests/fuzz/archives $psl 1 12");
ok($random->{exit} eq '0', 'random archives', $random->{out} . $random->{err});
finish();
