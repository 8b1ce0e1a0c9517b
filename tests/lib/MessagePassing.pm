# Random programs that pass messages, and what becomes of them: an event list of its own, which knows nothing of
# PSL but the steps that a message takes (LogGP, as psl-stdlib(7) has them) and MPI's rules of matching.
#
# Times are whole multiples of 2^-30 s, so that all sums are exact and what happens at once is known to.
package MessagePassing;
use strict;
use warnings;
use Exporter 'import';
our @EXPORT_OK = qw(random_program every_collective simulate model script expected whole pick chance);

use constant { ANY => -1, NOBODY => -2 };

sub whole { my ($low, $high) = @_; return $low + int rand($high - $low + 1) }
sub pick { return $_[int rand @_] }
sub chance { return rand() < $_[0] }

# ---- programs: { ranks, machine, ops => by rank [ [kind, …] ] }; an operation is a hash ----

my %rooted = map { $_ => 1 } qw(bcast reduce gather scatter gatherv scatterv);
my %listed = map { $_ => 1 } qw(reduce_scatter gatherv scatterv allgatherv alltoallv alltoallw); # by a table of sizes: from, to
my @collectives = qw(barrier bcast reduce gather scatter allreduce allgather alltoall scan exscan reduce_scatter_block);

# L, os, ol in units; G, Gl in units a byte; thresholds in bytes.
sub random_machine {
  my $step = pick(1, 1, 1000, 16384); # coarse ones make much happen at once
  my %machine = (overhead_threshold => 1024, handshake_threshold => 4096, gap_threshold => 4096);
  ($machine{L}, $machine{os}, $machine{ol}) = map { $step * whole(1, $step > 1000 ? 3 : int(30000 / $step) || 1) } 1 .. 3;
  ($machine{G}, $machine{Gl}) = chance(0.3) ? (0, 0) : map { whole(1, 80) } 1 .. 2;
  if (chance(0.3)) { $machine{$_} = pick(1, 500, 1024, 2048, 4096, 10000) for qw(overhead_threshold handshake_threshold gap_threshold) }
  $machine{nic} = chance(0.25);
  $machine{g} = $machine{nic} ? $step * whole(0, 3) : 0;
  if (chance(0.3)) { # nodes with several ranks
    my $rows = whole(1, 2);
    $machine{nodes} = { mapping => pick(qw(block cyclic tile)), rows => $rows, per => $rows * whole(1, 2), count => whole(1, 3), columns => whole(1, 3), L => $step * whole(0, 3), G => whole(0, 20) };
  }
  $machine{buffers} = pick(0, 1, 1000, 3000, 10000) if chance(0.25);
  return \%machine;
}

sub node_of {
  my ($nodes, $rank) = @_;
  return int($rank / $nodes->{per}) if $nodes->{mapping} eq 'block';
  return $rank % $nodes->{count} if $nodes->{mapping} eq 'cyclic';
  my ($row, $column) = (int($rank / $nodes->{columns}), $rank % $nodes->{columns});
  return int($row / $nodes->{rows}) * 1000 + int($column / ($nodes->{per} / $nodes->{rows}));
}

sub random_size {
  my ($used) = @_;
  for (1 .. 50) {
    my $size = pick(0, 1, whole(2, 50), whole(900, 1100), 1023, 1024, whole(1025, 3000), whole(4000, 4200), 4095, 4096, 4097,
      whole(5000, 30000));
    return $size if !$used->{$size}++ || chance(0.05);
  }
  return whole(30001, 90000);
}

# How a message is sent, and how it is received: two lists of operations of the two ranks, and what has to be waited
# for later.
sub message_ops {
  my ($id, $from, $to, $tag, $size, $wild) = @_;
  my $mode = pick('standard', 'standard', 'standard', 'standard', 'synchronous', 'buffered');
  my %out = (id => $id, to => $to, tag => $tag, size => $size, mode => $mode);
  my %in = (from => $wild->{source} ? ANY : $from, tag => $wild->{tag} ? ANY : $tag);
  my (@send, @receive, @later);
  if (chance(0.4)) { push @send, { %out, do => 'isend', request => "s$id" }; push @later, [$from, "s$id"] }
  else { push @send, { %out, do => 'send' } }
  if (chance(0.45)) { push @receive, { %in, do => 'irecv', request => "r$id" }; push @later, [$to, "r$id"] }
  else {
    push @receive, { %in, do => 'probe' } if chance(0.15);
    push @receive, { %in, do => $wild->{source} && !$wild->{tag} && chance(0.3) ? 'recv_any' : 'recv' };
  }
  return (\@send, \@receive, \@later);
}

sub random_wait {
  my ($program, $later, $odds) = @_;
  for my $rank (0 .. $program->{ranks} - 1) {
    my @mine = grep { $_->[0] == $rank && chance($odds) } @$later;
    next unless @mine;
    my %gone = map { $_ => 1 } @mine;
    @$later = grep { !$gone{$_} } @$later;
    @mine = sort { rand() <=> 0.5 } @mine;
    my @waits = @mine > 1 && chance(0.4) ? { do => 'waitall', requests => [map { $_->[1] } @mine] }
                                         : map { { do => 'wait', request => $_->[1] } } @mine;
    if (chance(0.2)) { unshift @waits, { do => 'test', request => $mine[0][1] } }
    push @{$program->{ops}[$rank]}, @waits;
  }
}

sub add_collective {
  my ($program, $id, $settled, $later) = @_;
  my $comm = $settled ? 0 : random_comm($program);
  my @members = members($program, $comm);
  my $n = @members;
  my %op = (id => $id, do => pick(@collectives, $settled ? () : sort keys %listed), size => pick(0, 1, 100, 1023, 1024, 2000, 4095, 4096, 10000));
  $op{root} = whole(0, $n - 1) if $rooted{$op{do}};
  $op{sizes} = [map { [map { pick(0, 0, 1, 1000, 5000, 30000) } 1 .. $n] } 1 .. $n] if $listed{$op{do}};
  @op{qw(comm members)} = ($comm, \@members);
  if (!$settled && chance(0.35)) {
    $op{beside} = "c$id";
    push @$later, map { [$_, "c$id"] } @members;
  }
  push @{$program->{ops}[$_]}, {%op} for @members;
}

# Every collective operation one after another, on either side of where its algorithm changes. The figures of the machine are prime.
sub every_collective {
  my ($n, $nic) = @_;
  my %sizes = (barrier => [0], bcast => [0, 12288, 12304, 524288, 640000], reduce => [16, 2048, 2064, 96000], gather => [16, 5008], scatter => [16, 5008],
    allreduce => [8, 16, 128, 4096, 96000], allgather => [16, 6016, 40960], alltoall => [16, 256, 272, 32768, 32784], scan => [16, 5008], exscan => [16],
    reduce_scatter_block => [16, 4096, 65536]);
  my %machine = (overhead_threshold => 1024, handshake_threshold => 4096, gap_threshold => 8192, L => 30011, os => 7013, ol => 11027, G => 31, Gl => 23, g => $nic ? 9007 : 0,
    nic => $nic);
  my ($id, @ops) = (0);
  for my $kind (@collectives) {
    for my $size (@{$sizes{$kind}}) {
      push @ops, { id => $id++, do => $kind, size => $size, comm => 0, members => [0 .. $n - 1], $rooted{$kind} ? (root => $id % $n) : () };
    }
  }
  # Before each a rank computes for a time of its own, so that nothing asks for an interface at one time with another. Where
  # something does all the same, the operation is left out. Each begins when the one before is over.
  my ($base, $left_out) = (0, 0);
  my @programs = map { [] } 1 .. $n;
  my @clocks = (0) x $n;
  for my $op (@ops) {
    my @starts = map { 1 + ($_ * 7919 + $op->{id} * 104729) % 655360 } 0 .. $n - 1;
    my $alone = simulate({ ranks => $n, machine => \%machine, ops => [map { [{ do => 'hold', time => $starts[$_] }, { %$op }] } 0 .. $n - 1] });
    if ($alone->{unclear}) { $left_out++; next }
    for my $rank (0 .. $n - 1) {
      push @{$programs[$rank]}, { do => 'hold', time => $base + $starts[$rank] - $clocks[$rank] }, { %$op };
      $clocks[$rank] = $base + $alone->{clocks}[$rank][1];
    }
    for my $clock (@clocks) { $base = $clock if $clock > $base }
  }
  return { ranks => $n, machine => \%machine, ops => \@programs, left_out => $left_out };
}

sub members { my ($program, $comm) = @_; return $comm ? @{$program->{comms}[$comm - 1]} : 0 .. $program->{ranks} - 1 }
# A communicator that has these ranks
sub random_comm {
  my ($program, @ranks) = @_;
  my @all = grep { my %is = map { $_ => 1 } members($program, $_); !grep { !$is{$_} } @ranks } 0 .. @{$program->{comms} // []};
  return chance(0.5) ? 0 : pick(@all);
}

# With nobody: no time passes, nothing comes. Of an exchange it may be either half.
sub add_nobody {
  my ($program, $id, $used) = @_;
  my ($n, $size) = ($program->{ranks}, random_size($used));
  my %to = (id => $id, to => NOBODY, tag => 0, size => $size, mode => 'standard');
  my $kind = pick(qw(send recv probe iprobe requests exchange));
  my $rank = whole(0, $n - 1);
  my $ops = $program->{ops}[$rank];
  if ($kind eq 'send') { push @$ops, { %to, do => 'send' } }
  elsif ($kind eq 'requests') {
    push @$ops, { %to, do => 'isend', request => "s$id" }, { do => 'irecv', from => NOBODY, tag => 0, request => "r$id" };
    push @$ops, { do => 'waitall', requests => ["r$id", "s$id"] };
  }
  elsif ($kind eq 'exchange') {
    my %exchange = (%to, do => 'sendrecv', tag => 2000 + $id, mode => 'standard');
    my $to = whole(0, $n - 1);
    return if $to == $rank;
    push @$ops, { %exchange, to => $to, from => NOBODY };
    push @{$program->{ops}[$to]}, { %exchange, from => $rank };
  }
  else { push @$ops, { do => $kind, from => NOBODY, tag => 0 } }
}

# Persistent requests are started a second time when all has been waited for.
sub start_again {
  my ($program) = @_;
  my %request;
  for my $pair (@{$program->{pairs} // []}) {
    my ($from, $send, $to, $receive) = @$pair;
    $_->{persistent} = 'made' for $send, $receive;
    push @{$program->{ops}[$to]}, { %$receive, persistent => 'again' };
    push @{$program->{ops}[$from]}, { %$send, persistent => 'again', id => "$send->{id}.2" };
    push @{$request{$to}}, $receive->{request};
    push @{$request{$from}}, $send->{request};
  }
  push @{$program->{ops}[$_]}, { do => 'waitall', requests => $request{$_} } for sort keys %request;
}

# Ranks make communicators together, before all else.
sub split_all {
  my ($program) = @_;
  my @offers = map { [whole(-1, 1), whole(0, 2)] } 1 .. $program->{ranks};
  my @members;
  for my $color (0, 1) {
    my @some = sort { $offers[$a][1] <=> $offers[$b][1] || $a <=> $b } grep { $offers[$_][0] == $color } 0 .. $#offers;
    push @members, \@some if @some;
  }
  $program->{comms} = \@members;
  $program->{together} = 1;
  for my $rank (0 .. $#offers) {
    my ($number) = grep { grep { $_ == $rank } @{$members[$_ - 1]} } 1 .. @members;
    push @{$program->{ops}[$rank]}, { id => 'split', do => 'split', comm => 0, offer => $offers[$rank], number => $number // -1 };
  }
}

sub add_exchange { # a ring of sendrecv
  my ($program, $id, $used, $wild) = @_;
  my $n = $program->{ranks};
  my ($step, $tag) = (whole(0, $n - 1), whole(0, 2));
  my $wildcard = $wild && chance(0.2);
  $tag = 1000 + $id unless $wild;
  for my $rank (0 .. $n - 1) {
    push @{$program->{ops}[$rank]}, { do => 'sendrecv', id => "$id.$rank", to => ($rank + $step) % $n, from => $wildcard ? ANY : ($rank + $n - $step) % $n,
      tag => $tag, size => random_size($used), mode => 'standard' };
  }
}

# What ranks of a run in partitions may do: nothing whose outcome depends on what comes first.
sub apart_program {
  my $nic = chance(0.6); # which has an order of what comes in each partition
  my $program = random_program({ wildness => $nic ? pick(0, 0.2, 0.5) : 0, ranks => whole(2, 9) });
  my $machine = $program->{machine};
  $program->{apart} = 1;
  delete $machine->{buffers};
  $machine->{nic} = $nic;
  $machine->{g} = 0 unless $machine->{nic};
  $machine->{g} = pick(0, $machine->{L}, whole(0, 3 * $machine->{L})) if $machine->{nic} && !$machine->{g};
  delete $machine->{nodes} unless $machine->{nic} && chance(0.3);
  @$_ = grep { ($nic || $_->{do} !~ /^(probe|iprobe|test)$/) && !$_->{comm} } @$_ for @{$program->{ops}};
  return $program;
}

# Anything may meet anything: what does is a matter of time.
sub random_program {
  my ($options) = @_;
  return settled_program() if $options->{settled};
  return apart_program() if $options->{apart};
  my $program = { ranks => $options->{ranks} // whole(2, 6), machine => random_machine() };
  my ($n, $used, $later) = ($program->{ranks}, {}, []);
  my $wildness = $options->{wildness} // pick(0, 0.2, 0.5);
  my $tags = pick(0, 1, 2);
  my $unit = pick(1, 1000, 16384);
  $program->{ops} = [map { [] } 1 .. $n];
  $program->{comms} = [map { my @some = grep { chance(0.7) } sort { rand() <=> 0.5 } 0 .. $n - 1; @some ? \@some : () } 1 .. whole(0, 2)];
  $program->{comms} = [] if defined $options->{wildness};
  split_all($program) if !defined $options->{wildness} && chance(0.2);
  for my $id (1 .. whole(2, 16)) {
    my $what = rand();
    if (chance(0.05)) { add_nobody($program, $id, $used) }
    elsif ($what < 0.2) { push @{$program->{ops}[whole(0, $n - 1)]}, { do => 'hold', time => $unit * whole(1, int(400000 / $unit)) } }
    elsif ($what < 0.28) { add_collective($program, $id, 0, $later) }
    elsif ($what < 0.33) { add_exchange($program, $id, $used, $wildness) }
    elsif ($what < 0.40) { push @{$program->{ops}[whole(0, $n - 1)]}, { do => 'iprobe', from => chance(0.5) ? ANY : whole(0, $n - 1), tag => chance(0.4) ? ANY : whole(0, $tags) } }
    else {
      my ($from, $to) = (whole(0, $n - 1), whole(0, $n - 1));
      my ($send, $receive, $due) = message_ops($id, $from, $to, whole(0, $tags), random_size($used), { source => chance($wildness), tag => chance($wildness * 0.6) });
      # to oneself: what has to be received is posted first
      if ($from == $to) { $_->{do} = $_->{do} eq 'send' ? 'isend' : $_->{do}, $_->{request} = "s$id" for @$send; push @$due, [$from, "s$id"] unless grep { $_->[1] eq "s$id" } @$due }
      my $comm = random_comm($program, $from, $to);
      $_->{comm} = $comm for $comm ? (@$send, @$receive) : ();
      push @{$program->{ops}[$from]}, @$send;
      push @{$program->{ops}[$to]}, @$receive;
      push @$later, @$due;
      my ($isend, $irecv) = map { my $list = $_; grep { ref && $_->{do} =~ /^i(send|recv)$/ } @$list } $send, $receive;
      push @{$program->{pairs}}, [$from, $isend, $to, $irecv] if $isend && $irecv && $from != $to && chance(0.3);
    }
    random_wait($program, $later, 0.25);
  }
  random_wait($program, $later, 1);
  start_again($program);
  if (chance(0.15)) { # two neighbours exchanged: it may deadlock
    my $ops = pick(grep { @$_ > 1 } @{$program->{ops}}) // [];
    my $k = @$ops > 1 ? whole(0, @$ops - 2) : 0;
    @$ops[$k, $k + 1] = @$ops[$k + 1, $k] if @$ops > 1 && 2 == grep { $_->{do} =~ /^(send|recv|recv_any|hold)$/ } @$ops[$k, $k + 1];
  }
  return $program;
}

# In phases, between which a barrier stands where there are wildcards: what meets what is no matter of time. In a phase all
# messages to a rank whose receives are for any source and tag come from one rank; those for any source have a tag
# that one rank alone uses.
sub settled_program {
  my $program = { ranks => whole(2, 6), machine => random_machine() };
  my ($n, $used, $id, $later) = ($program->{ranks}, {}, 0, []);
  $program->{ops} = [map { [] } 1 .. $n];
  for my $phase (1 .. whole(1, 4)) {
    my @only = map { whole(0, $n - 1) } 1 .. $n;
    my @style = map { pick('exact', 'tagged', 'single') } 1 .. $n;
    for (1 .. whole(1, 8)) {
      $id++;
      my ($from, $to) = (whole(0, $n - 1), whole(0, $n - 1));
      $from = $only[$to] if $style[$to] eq 'single';
      my $tag = $style[$to] eq 'tagged' ? 100 * $phase + $from * 10 + whole(0, 1) : whole(0, 2);
      my %wild = (source => $style[$to] eq 'exact' ? 0 : chance(0.6), tag => $style[$to] eq 'tagged' ? 0 : $style[$to] eq 'exact' ? chance(0.3) : chance(0.5));
      my ($send, $receive, $due) = message_ops($id, $from, $to, $tag, random_size($used), \%wild);
      if ($from == $to) { $_->{do} = $_->{do} eq 'send' ? 'isend' : $_->{do}, $_->{request} = "s$id" for @$send; push @$due, [$from, "s$id"] unless grep { $_->[1] eq "s$id" } @$due }
      push @{$program->{ops}[$from]}, @$send;
      push @{$program->{ops}[$to]}, @$receive;
      push @$later, @$due;
      random_wait($program, $later, 0.2);
    }
    add_collective($program, ++$id, 1) if chance(0.6); # wildcards may be pending
    random_wait($program, $later, 1);
    push @{$program->{ops}[$_]}, { id => ++$id, do => 'barrier', size => 0 } for 0 .. $n - 1;
    if (chance(0.3)) {
      add_exchange($program, ++$id, $used, 0);
      push @{$program->{ops}[$_]}, { id => ++$id, do => 'barrier', size => 0 } for 0 .. $n - 1;
    }
  }
  return $program;
}

# ---- collective operations, as the messages that they are made of ----

sub subtree { # how many places a binomial tree over 0 .. n - 1 has at a place, with it
  my ($place, $n) = @_;
  my $size = 1;
  $size *= 2 while $place == 0 ? $size < $n : $place % (2 * $size) == 0;
  return $size;
}

sub sum { my $sum = 0; $sum += $_ for @_; return $sum }
sub powers { my ($below) = @_; return grep { $_ < $below } map { 2 ** $_ } 0 .. 20 }

# By the thresholds of MPICH, that are psl-stdlib(7)'s; elements of 8 bytes.
sub collective_ops {
  my ($op, $rank, $n) = @_;
  my ($kind, $size, $root, $sizes) = ($op->{do}, $op->{size}, $op->{root} // 0, $op->{sizes});
  my %part = (collective => $op->{beside} // 'in ' . ($op->{comm} // 0), tag => 0, mode => 'standard');
  my $send = sub { return { %part, do => 'send', to => $_[0], size => $_[1] } };
  my $receive = sub { return { %part, do => 'recv', from => $_[0] } };
  my $exchange = sub { my ($to, $from, $size) = @_; return { %part, do => 'sendrecv', to => $to, from => $from, size => $size } };
  my $at_once = sub { # all receives, all sends, and then they are waited for
    my ($from, $to) = @_; # to: [rank, size]
    my @in = map { { %part, do => 'irecv', from => $_, request => "in$op->{id}.$_" } } @$from;
    my @out = map { { %part, do => 'isend', to => $_->[0], size => $_->[1], request => "out$op->{id}.$_->[0]" } } @$to;
    return (@in, @out, { do => 'waitall', requests => [map { $_->{request} } @in, @out] });
  };
  my $place = ($rank - $root) % $n;
  my $below = subtree($place, $n);
  my $at = sub { return ($_[0] + $root) % $n };
  my $parent = $at->($place - $below);
  my $parts = sub { my ($child, $many) = @_; return $child + $many > $n ? $n - $child : $many }; # how many of the places are there
  my @steps = grep { $place + $_ < $n } powers($below);
  if ($kind eq 'barrier') { return map { $exchange->(($rank + $_) % $n, ($rank - $_) % $n, 0) } powers($n) }
  if ($kind eq 'bcast' && $size > 12288 && $n >= 8) { # the tree has parts of whole bytes, empty ones are not sent; then all get all
    my $unit = int(($size + $n - 1) / $n);
    my $held = sub { my ($from, $many) = @_; my $left = $size - $from * $unit; return $left < 0 ? 0 : $left < $many * $unit ? $left : $many * $unit };
    my @tree = ($place && $held->($place, $below) ? $receive->($parent) : (), map { my $part = $held->($place + $_, $_); $part ? $send->($at->($place + $_), $part) : () } reverse @steps);
    return (@tree, map { $exchange->($at->($place ^ $_), $at->($place ^ $_), $held->($place & ~($_ - 1), $_)) } powers($n)) if $size <= 524288 && !($n & ($n - 1));
    return (@tree, map { $exchange->($at->($place + 1), $at->($place - 1), $held->(($place - $_) % $n, 1)) } 0 .. $n - 2);
  }
  if ($kind eq 'bcast') { return (($place ? $receive->($parent) : ()), map { $send->($at->($place + $_), $size) } reverse @steps) }
  if ($kind eq 'reduce' && $size <= 2048) { return ((map { $receive->($at->($place + $_)) } @steps), $place ? $send->($parent, $size) : ()) }
  if ($kind eq 'gather') { return ((map { $receive->($at->($place + $_)) } @steps), $place ? $send->($parent, $parts->($place, $below) * $size) : ()) }
  if ($kind eq 'scatter') { return (($place ? $receive->($parent) : ()), map { $send->($at->($place + $_), $parts->($place + $_, $_) * $size) } reverse @steps) }
  if ($kind eq 'alltoall' && $size <= 256 && $n >= 9) { # each round has the parts whose number has the bit
    return map { my $bit = $_; $exchange->(($rank + $bit) % $n, ($rank - $bit) % $n, $size * grep { $_ & $bit } 0 .. $n - 1) } powers($n);
  }
  if ($kind eq 'alltoall' && $size > 32768) { return map { $exchange->(($rank + $_) % $n, ($rank - $_) % $n, $size) } 1 .. $n - 1 }
  if ($kind eq 'alltoall') { return $at_once->([map { ($rank + $_) % $n } 1 .. $n - 1], [map { [($rank - $_) % $n, $size] } 1 .. $n - 1]) }
  if ($kind =~ /^alltoall[vw]/) {
    return $at_once->([grep { $sizes->[$_][$rank] } map { ($rank + $_) % $n } 1 .. $n - 1], [grep { $_->[1] } map { my $to = ($rank - $_) % $n; [$to, $sizes->[$rank][$to]] } 1 .. $n - 1]);
  }
  if ($kind eq 'gatherv') {
    return $at_once->([grep { $_ != $root && $sizes->[0][$_] } 0 .. $n - 1], []) if $rank == $root;
    return $sizes->[0][$rank] ? $send->($root, $sizes->[0][$rank]) : ();
  }
  if ($kind eq 'scatterv') {
    return $at_once->([], [map { [$_, $sizes->[0][$_]] } grep { $_ != $root && $sizes->[0][$_] } 0 .. $n - 1]) if $rank == $root;
    return $sizes->[0][$rank] ? $receive->($root) : ();
  }
  if ($kind =~ /^allgather/) {
    my @each = $kind eq 'allgather' ? ($size) x $n : @{$sizes->[0]};
    my $from_on = sub { my ($first, $many) = @_; return sum(map { $each[($first + $_) % $n] } 0 .. $many - 1) };
    return map { $exchange->($rank ^ $_, $rank ^ $_, $from_on->($rank & ~($_ - 1), $_)) } powers($n) if !($n & ($n - 1)) && sum(@each) < 524288;
    return map { $exchange->(($rank - $_) % $n, ($rank + $_) % $n, $from_on->($rank, $_ < $n - $_ ? $_ : $n - $_)) } powers($n) if sum(@each) < 81920;
    return map { $exchange->(($rank + 1) % $n, ($rank - 1) % $n, $each[($rank - $_) % $n]) } 0 .. $n - 2;
  }
  if ($kind =~ /scan$/) { return map { $exchange->($rank ^ $_, $rank ^ $_, $size) } grep { ($rank ^ $_) < $n } powers($n) }

  # Reductions among a power of two of ranks: with pairs that fold before them
  my $power = 1;
  $power *= 2 while 2 * $power <= $n;
  my $pairs = $n - $power;
  my $stays = $kind eq 'reduce' ? 0 : 1; # which of a pair
  my ($paired, $gone) = ($rank < 2 * $pairs, $rank < 2 * $pairs && $rank % 2 != $stays);
  my $mine = $paired ? $rank >> 1 : $rank - $pairs;
  my $player = sub { return $_[0] < $pairs ? 2 * $_[0] + $stays : $_[0] + $pairs };
  my ($mate, $whole, $result) = ($rank ^ 1, $size, $size);
  my @of = $kind eq 'reduce_scatter' ? @{$sizes->[0]} : $kind eq 'reduce_scatter_block' ? ($size) x $n : ();
  ($whole, $result) = (sum(@of), $of[$rank & ~1]) if @of;
  return map { my $to = ($rank + $_) % $n; $exchange->($to, ($rank - $_) % $n, $of[$to]) } 1 .. $n - 1 if @of && $whole >= 524288;
  my @before = $gone ? $send->($mate, $whole) : $paired ? $receive->($mate) : ();
  my @after = $gone ? $receive->($mate) : $paired ? $send->($mate, $result) : ();
  return (@before, @after) if $gone && $kind ne 'reduce';
  my $change = sub { my ($far, $amount) = @_; my $other = $player->($mine ^ $far); return $exchange->($other, $other, $amount) };
  if (@of) {
    my @groups = map { $_ < $pairs ? $of[2 * $_] + $of[2 * $_ + 1] : $of[$_ + $pairs] } 0 .. $power - 1;
    my $theirs = sub { my ($far) = @_; my $first = ($mine ^ $far) & ~($far - 1); return sum(@groups[$first .. $first + $far - 1]) };
    return (@before, (map { $change->($_, $theirs->($_)) } reverse powers($power)), @after);
  }
  return (@before, (map { $change->($_, $size) } powers($power)), @after) if $kind eq 'allreduce' && ($size <= 8 || $size < 8 * $power);
  my @halves = map { $change->($_, $size / (2 * $_)) } powers($power);
  return (@before, @halves, (map { $change->($_, $size / (2 * $_)) } reverse powers($power)), @after) if $kind eq 'allreduce';
  # What each holds goes the way back, to the one of the two that is on the root's side. A root that has folded is number 0 then.
  my $stand_in = $root < 2 * $pairs && $root % 2;
  my $goal = $stand_in ? 0 : $root < 2 * $pairs ? $root / 2 : $root - $pairs;
  my @result = $gone ? @before : (@before, @halves);
  return (@result, $send->($root, $size / $power)) if $stand_in && $rank == 0;
  return @result if $gone && $rank != $root;
  ($mine, @result) = (0, @result, $receive->(0)) if $stand_in && $rank == $root;
  for my $far (reverse powers($power)) {
    my $other = $mine ^ $far;
    my $there = $stand_in && $other == 0 ? $root : $player->($other);
    return (@result, $send->($there, $size / (2 * $far))) if ($mine ^ $goal) & $far;
    push @result, $receive->($there);
  }
  return @result;
}

# ---- the simulation ----

# Does the receive want the message?
sub accepts {
  my ($receive, $message) = @_;
  return ($receive->{collective} // '') eq ($message->{collective} // '') && ($receive->{comm} // 0) == ($message->{comm} // 0) && ($receive->{from} == ANY || $receive->{from} == $message->{from})
    && ($receive->{tag} == ANY || $receive->{tag} == $message->{tag});
}

# The message that MPI lets a pending receive (or probe) have now, of those that nobody has. Of one source it is the first
# that was sent; of any source the first that has come, and no earlier one of its sender may do as well. In either case
# no receive that was posted before would have it.
sub available {
  my ($place, $receive) = @_;
  my @mail = grep { accepts($receive, $_) } @{$place->{mail}};
  my @first = grep { my $m = $_; !grep { $_->{from} == $m->{from} && $_->{order} < $m->{order} } @mail } @mail;
  @first = grep { defined $_->{arrived} } @first if $receive->{from} == ANY || $receive->{do} =~ /probe/;
  for my $before (@{$place->{pending}}) {
    last if $before == $receive;
    @first = grep { !accepts($before, $_) } @first if $before->{do} ne 'probe';
  }
  my ($best) = sort { ($a->{arrived} // 0) <=> ($b->{arrived} // 0) || $a->{from} <=> $b->{from} } @first;
  return $best;
}

# Runs a program: { done, clocks => by rank the clock after each operation, got => by rank and operation what it gave,
# parts => by rank { for what it has waited => how long } };
# `unclear` where two messages ask to be sent by one network interface at once, whose order the models leave open.
# `noise` delays each message at random and makes standard sends wait or not at random: for what does not depend on time.
sub simulate {
  my ($program, $noise) = @_;
  my ($n, $machine) = @$program{qw(ranks machine)};
  my ($now, $order, @events, @late) = (0, 0);
  my @place = map { { mail => [], pending => [], requests => {} } } 1 .. $n;
  my (@clocks, @got);
  my @parts = map { { wait => 0, map { $_ => 0 } qw(late_sender late_receiver collective transfer contention) } } 1 .. $n;
  my @came = (0) x $n; # the last rank's coming to the collective operation that it is in, as far as it knows
  my @behind = (0) x $n; # by how much what a rank does is later than if nothing that it waits for had queued
  # A rank has waited since then, until now, for what has happened at a `time`, `late` by what it had queued: for its partner, while
  # things were on their way, and for contention, by which its operation is now more behind than before. Where it is less behind,
  # since it would have waited for this anyway, what was contention has been a transfer.
  my $waited = sub {
    my ($rank, $since, $message, $kind, $partner, $time, $late, $own) = @_; # own: of an operation beside the program
    return if $own;
    my $whole = $now - $since;
    my $first = $partner - $since;
    $first = $first < 0 ? 0 : $first > $whole ? $whole : $first;
    my $later = sub { return $_[0] > $_[1] ? $_[0] : $_[1] };
    my $behind = $later->($since, $time) - $later->($since - $behind[$rank], $time - $late);
    my $more = $behind - $behind[$rank];
    $behind[$rank] = $behind;
    my $part = $parts[$rank];
    $more = $whole - $first if $more > $whole - $first;
    $more = -$part->{contention} if $more < -$part->{contention};
    $part->{wait} += $whole;
    $part->{$message->{collective} ? 'collective' : $kind} += $first;
    $part->{transfer} += $whole - $first - $more;
    $part->{contention} += $more;
  };
  my $came_at = sub { my ($rank, $op) = @_; return $op->{own} ? \$op->{own}{came} : \$came[$rank] };
  my $learns = sub {
    my ($rank, $message, $time, $op) = @_;
    my $came = $came_at->($rank, $op);
    $$came = $time if $message->{collective} && $time > $$came;
  };
  # By how much an acknowledgement was late because something had to queue; a request that finds no receive has cost nobody that.
  my $answer_late = sub {
    my ($message) = @_;
    my ($request, $slack) = ($message->{late}{request} // 0, $message->{arrived} - $message->{posted_at});
    $request = $slack < 0 ? 0 : $slack if $request > $slack;
    return $request + ($message->{late}{answer} // 0);
  };
  my $at = sub { # behind all that is to happen then
    my ($time, $then) = @_;
    my $k = @events;
    $k-- while $k && $events[$k - 1][0] > $time;
    splice @events, $k, 0, [$time, $then];
  };
  my $busy = sub { my ($time, $then) = @_; $at->($now + $time, $then) };
  my $overhead = sub { return $_[0] >= $machine->{overhead_threshold} ? $machine->{ol} : $machine->{os} };
  my $nodes = $machine->{nodes};
  my $inside = sub { return $nodes && $nodes->{per} > 1 && node_of($nodes, $_[0]) eq node_of($nodes, $_[1]) };
  my $wire = sub { my ($size) = @_; return $machine->{L} + $size * ($size >= $machine->{gap_threshold} ? $machine->{Gl} : $machine->{G}) };
  my (%free, %asked, %left, %coming, $unclear); # when the two halves of each rank's interface are free
  my $occupy = sub { # one after another, in the order in which they come
    my ($port, $time, $late, $then) = @_;
    my $begin = ($free{$port} // 0) > $now ? $free{$port} : $now;
    $$late += $begin - $now;
    $free{$port} = $begin + $time;
    $at->($begin, $then);
  };
  my $cross = sub {
    my ($from, $to, $size, $late, $then) = @_; # late: what it queues is added to that
    return $busy->($wire->($size) + int rand(10 ** whole(1, 9)), $then) if $noise;
    if ($inside->($from, $to)) { # a gap that equals G means that of between nodes: of long messages Gl
      my $gap = $nodes->{G} == $machine->{G} && $size >= $machine->{gap_threshold} ? $machine->{Gl} : $nodes->{G};
      return $busy->($nodes->{L} + $size * $gap, $then);
    }
    return $busy->($wire->($size), $then) unless $machine->{nic};
    ($from, $to) = map { node_of($nodes, $_) } $from, $to if $nodes && $nodes->{per} > 1;
    my $bytes = $wire->($size) - $machine->{L};
    my $time = $machine->{g} > $bytes ? $machine->{g} : $bytes; # of the interfaces; the message itself is there when its bytes are
    # What comes to an interface at one time is taken by when it asked to be sent, then by the lower node, then as that has sent it.
    my ($asked, $number) = ($now, ++$left{$from});
    $unclear = 1 if $asked{"from $from $now"}++;
    $occupy->("from $from", $time, $late, sub {
      my $comes = "$to " . ($now + $machine->{L});
      push @{$coming{$comes}}, { asked => $asked, from => $from, number => $number, time => $time, bytes => $bytes, late => $late, then => $then };
      $busy->($machine->{L}, sub {
        my ($first, @rest) = sort { $a->{asked} <=> $b->{asked} || $a->{from} <=> $b->{from} || $a->{number} <=> $b->{number} } @{$coming{$comes}};
        $coming{$comes} = \@rest;
        $occupy->("to $to", $first->{time}, $first->{late}, sub { $busy->($first->{bytes}, $first->{then}) });
      });
    });
  };
  my $when = sub { # now or when it happens
    my ($thing, $what, $then) = @_;
    if (defined $thing->{$what}) { $then->() } else { push @{$thing->{"at $what"}}, $then }
  };
  my $happens = sub { my ($thing, $what) = @_; $thing->{$what} = $now; $_->() for splice @{$thing->{"at $what"} // []} };

  my $start = sub { # of a send: `free` when its caller goes on, `then` when it is done
    my ($rank, $op, $free, $then) = @_;
    my %message = (%$op, from => $rank, order => $order++, late => {}, sender_came => $op->{collective} ? ${$came_at->($rank, $op)} : $now);
    my $message = \%message;
    my $size = $op->{size};
    my $asks = $op->{mode} eq 'synchronous' || $op->{mode} eq 'standard' && ($noise ? chance(0.5) : $size >= $machine->{handshake_threshold});
    if ($op->{mode} eq 'standard' && !$asks && !$noise && defined $machine->{buffers}) {
      my $held = $place[$op->{to}]{held} //= [];
      $unclear = 1 if $asked{"buffers $op->{to} $now"}++; # which of the two is first
      @$held = grep { !defined $_->{arrived} || !defined $_->{posted_at} || $_->{arrived} >= $now || $_->{posted_at} >= $now } @$held;
      if (sum(0, $size, map { $_->{size} } @$held) > $machine->{buffers}) { $asks = 1 } else { push @$held, $message }
    }
    $message->{asks} = $asks;
    $busy->($asks ? $machine->{os} : $overhead->($size), sub {
      push @{$place[$op->{to}]{mail}}, $message;
      if ($asks) {
        my $since = $now;
        $when->($message, 'acknowledged', sub {
          if ($op->{do} eq 'send') { # the program itself has waited
            $waited->($rank, $since, $message, 'late_receiver', $message->{receiver_came}, $now, $answer_late->($message), $op->{own});
            $learns->($rank, $message, $message->{receiver_came}, $op);
          }
          $busy->($overhead->($size), sub { $cross->($rank, $op->{to}, $size, \$message->{late}{data}, sub { $happens->($message, 'data') }); $happens->($message, 'sent'); $then->() }) });
        $cross->($rank, $op->{to}, 0, \$message->{late}{request}, sub { $busy->($machine->{os}, sub { $happens->($message, 'arrived') }) });
        $free->();
      } else {
        $cross->($rank, $op->{to}, $size, \$message->{late}{request}, sub { $happens->($message, 'arrived'); $happens->($message, 'data') });
        $message->{sent} = $now;
        $free->();
        $then->();
      }
    });
    return $message;
  };
  my $acknowledge = sub { my ($message) = @_; $busy->($machine->{os}, sub { $cross->(@$message{qw(to from)}, 0, \$message->{late}{answer}, sub { $happens->($message, 'acknowledged') }) }) };
  my $finish = sub { # a receive that has its message
    my ($rank, $receive, $then) = @_;
    my ($message, $since) = ($receive->{message}, $now);
    $when->($message, 'data', sub {
      $waited->($rank, $since, $message, 'late_sender', $message->{sender_came}, $message->{data},
        $answer_late->($message) + ($message->{late}{data} // 0), $receive->{own}) if $message->{asks};
      $busy->($overhead->($message->{size}), $then) });
  };
  my $post = sub { my ($rank, $op) = @_; return (posted_at => $now, receiver_came => $op->{collective} ? ${$came_at->($rank, $op)} : $now) };
  my $met = sub { # a rank has waited since then for what its receive, or probe, gets
    my ($rank, $receive, $since) = @_;
    my $message = $receive->{message};
    $waited->($rank, $since, $message, 'late_sender', $message->{sender_came}, $message->{arrived}, $message->{late}{request} // 0, $receive->{own});
    $learns->($rank, $message, $message->{sender_came}, $receive);
  };
  my $receive = sub {
    my ($rank, $op, $then) = @_;
    my %receive = (%$op, $post->($rank, $op));
    my $since = $now;
    push @{$place[$rank]{pending}}, \%receive;
    $when->(\%receive, 'matched', sub {
      $met->($rank, \%receive, $since);
      return $finish->($rank, \%receive, sub { $then->(\%receive) }) unless $receive{message}{asks};
      $busy->($machine->{os}, sub { # the caller answers itself
        $cross->(@{$receive{message}}{qw(to from)}, 0, \$receive{message}{late}{answer}, sub { $happens->($receive{message}, 'acknowledged') });
        $finish->($rank, \%receive, sub { $then->(\%receive) }) });
    });
  };
  my $over = sub { # a rank has waited since then for its send to be done
    my ($rank, $message, $since) = @_;
    return $waited->($rank, $since, { collective => 1 }, 'collective', $message->{came}, $now, 0) if $message->{beside};
    return unless $message->{asks};
    $waited->($rank, $since, $message, 'late_receiver', $message->{receiver_came}, $message->{sent}, $answer_late->($message), $message->{own});
    $learns->($rank, $message, $message->{receiver_came}, $message);
  };
  my $wait;
  $wait = sub { # gives the receives that are done
    my ($rank, $requests, $done, $then) = @_;
    return $then->($done) unless @$requests;
    my ($first, @others) = @$requests;
    my $thing = $place[$rank]{requests}{$first};
    my $next = sub { $wait->($rank, \@others, $done, $then) };
    my $since = $now;
    if ($thing->{posted}) { $when->($thing, 'matched', sub { $met->($rank, $thing, $since); $finish->($rank, $thing, sub { push @$done, $thing; $next->() }) }) }
    else { $when->($thing, 'sent', sub { $over->($rank, $thing, $since); $next->() }) }
  };

  my $next;
  my $done = sub { my ($rank, $op, $got) = @_; push @{$clocks[$rank]}, $now; push @{$got[$rank]}, $got; $next->($rank) };
  my $perform;
  $perform = sub {
    my ($rank, $op, $then) = @_; # then with what it got
    my $do = $op->{do};
    my $place = $place[$rank];
    my $nobody = grep { defined && $_ == NOBODY } @$op{qw(to from)};
    if ($do eq 'hold') { $busy->($op->{time}, $then) }
    elsif ($nobody && $do eq 'sendrecv' && $op->{to} == NOBODY) { $receive->($rank, { %$op, do => 'recv' }, $then) }
    elsif ($nobody && $do eq 'sendrecv') {
      my $message;
      $message = $start->($rank, $op, sub { my $since = $now; $when->($message, 'sent', sub { $over->($rank, $message, $since); $then->() }) }, sub { });
    }
    elsif ($nobody) {
      $place->{requests}{$op->{request}} = { sent => $now } if $op->{request};
      $then->($do eq 'iprobe' ? 1 : undef);
    }
    elsif ($do eq 'send') { $start->($rank, $op, sub { }, sub { $then->() }) }
    elsif ($do eq 'isend') { my $m; $m = $start->($rank, $op, sub { $then->() }, sub { }); $place->{requests}{$op->{request}} = $m }
    elsif ($do eq 'irecv') {
      my $posted = { %$op, posted => 1, $post->($rank, $op) };
      $place->{requests}{$op->{request}} = $posted;
      push @{$place->{pending}}, $posted;
      $when->($posted, 'matched', sub { $acknowledge->($posted->{message}) if $posted->{message}{asks} });
      $then->();
    }
    elsif ($do =~ /^recv/) { $receive->($rank, $op, $then) }
    elsif ($do eq 'sendrecv') {
      my $message;
      $message = $start->($rank, $op, sub { $receive->($rank, { %$op, do => 'recv' }, sub { my ($got) = @_; my $since = $now; $when->($message, 'sent', sub { $over->($rank, $message, $since); $then->($got) }) }) }, sub { });
    }
    elsif ($do eq 'wait') { $wait->($rank, [$op->{request}], [], sub { $then->($_[0][0]) }) }
    elsif ($do eq 'waitall') { $wait->($rank, $op->{requests}, [], $then) }
    elsif ($do eq 'probe') { my %probe = %$op; push @{$place->{pending}}, \%probe; my $since = $now; $when->(\%probe, 'matched', sub { $met->($rank, \%probe, $since); $then->(\%probe) }) }
    elsif ($do eq 'iprobe') { push @late, sub { $then->(available($place, $op) ? 1 : 0) } }
    elsif ($do eq 'test') {
      push @late, sub {
        my $thing = $place->{requests}{$op->{request}};
        $then->(defined($thing->{posted} ? $thing->{message} && $thing->{message}{data} : $thing->{sent}) ? 1 : 0);
      };
    }
    else {
      my @members = members($program, $op->{comm});
      my ($at) = grep { $members[$_] == $rank } 0 .. $#members;
      my @whole = $do eq 'split' ? ({ %$op, do => 'allgather', size => 8 }, { %$op, do => 'allreduce', size => 260 }) : $op;
      my @steps = map { collective_ops($_, $at, scalar @members) } @whole;
      for my $step (@steps) { defined $step->{$_} and $step->{$_} = $members[$step->{$_}] for qw(from to) }
      my ($part, $end) = (undef, $then);
      if ($op->{beside}) {
        my $own = $place->{requests}{$op->{beside}} = { beside => 1, came => $now };
        $_->{own} = $own for @steps;
        $end = sub { $happens->($own, 'sent') };
      } else { $came[$rank] = $now }
      $part = sub { my $one = shift @steps; $one ? $perform->($rank, $one, $part) : $end->() };
      $part->();
      $then->() if $op->{beside};
    }
  };
  $next = sub {
    my ($rank) = @_;
    my $op = $program->{ops}[$rank][@{$clocks[$rank] // []}];
    $behind[$rank] = 0;
    $perform->($rank, $op, sub { $done->($rank, $op, $_[0]) }) if $op;
  };
  my $match = sub { # true where something met
    my ($place) = @_;
    for my $receive (@{$place->{pending}}) {
      my $message = available($place, $receive) or next;
      $receive->{message} = $message;
      @{$place->{pending}} = grep { $_ != $receive } @{$place->{pending}};
      if ($receive->{do} ne 'probe') {
        @{$place->{mail}} = grep { $_ != $message } @{$place->{mail}};
        @$message{qw(posted_at receiver_came)} = @$receive{qw(posted_at receiver_came)};
      }
      $when->($message, 'arrived', sub { $happens->($receive, 'matched') });
      return 1;
    }
    return 0;
  };

  $at->(0, sub { $next->($_) for 0 .. $n - 1 });
  while (1) {
    if (@events && $events[0][0] == $now) { (shift @events)->[1]->(); next }
    next if grep { $match->($_) } @place; # when all of this time has come
    if (@late) { (shift @late)->(); next }
    last unless @events;
    $now = $events[0][0];
  }
  my $whole = !grep { @{$clocks[$_] // []} < @{$program->{ops}[$_]} } 0 .. $n - 1;
  return { done => $whole, unclear => $unclear, clocks => \@clocks, got => \@got, parts => \@parts };
}

# ---- as a model of PSL, which asserts what is known of it ----

sub seconds { my ($units) = @_; return sprintf('%.40g s', $units / 2 ** 30) }

sub model_op {
  my ($rank, $k, $op, $clock, $got) = @_;
  my $do = $op->{do};
  my $tag = defined $op->{tag} ? $op->{tag} : '';
  my $size = ($op->{size} // 0) . ' byte';
  my $comm = $op->{comm} // 0;
  my ($call, $check) = ('', '');
  my $sized = sub { my ($name, $receive) = @_; return $receive ? " assert $name == $receive->{message}{size} byte;" : '' };
  if ($do eq 'hold') { $call = 'hold ' . seconds($op->{time}) }
  elsif ($do eq 'send') { $call = "call send($op->{to}, $size, $op->{mode}, $tag, $comm)" }
  elsif (($op->{persistent} // '') eq 'again') { $call = "call start($op->{request})" }
  elsif ($do eq 'isend' && $op->{persistent}) { $call = "let $op->{request} = call send-init($op->{to}, $size, $op->{mode}, $tag, $comm); call start($op->{request})" }
  elsif ($do eq 'irecv' && $op->{persistent}) { $call = "let $op->{request} = call recv-init($op->{from}, $tag, $comm); call start($op->{request})" }
  elsif ($do eq 'split') { $call = "let x$k = call split(" . join(', ', @{$op->{offer}}) . ')'; $check = " assert x$k == $op->{number};" }
  elsif ($do eq 'isend') { $call = "let $op->{request} = call isend($op->{to}, $size, $op->{mode}, $tag, $comm)" }
  elsif ($do eq 'irecv') { $call = "let $op->{request} = call irecv($op->{from}, $tag, $comm)" }
  elsif ($do eq 'recv_any') { $call = "let x$k = call recv-any($tag, $comm)"; $check = " assert x$k == $got->{message}{from};" if $got }
  elsif ($do eq 'recv' || $do eq 'probe') { $call = "let x$k = call $do($op->{from}, $tag, $comm)"; $check = $sized->("x$k", $got) }
  elsif ($do eq 'sendrecv') { $call = "let x$k = call sendrecv($op->{to}, $size, $op->{from}, $tag)"; $check = $sized->("x$k", $got) }
  elsif ($do eq 'wait') { $call = "let x$k = call wait($op->{request})"; $check = $sized->("x$k", $got) }
  elsif ($do eq 'waitall') { $call = "call waitall([" . join(', ', @{$op->{requests}}) . "])" }
  elsif ($do eq 'iprobe') { $call = "let x$k = call iprobe($op->{from}, $tag)"; $check = " assert x$k == " . ($got ? 'true' : 'false') . ';' if defined $clock }
  elsif ($do eq 'test') { $call = "let x$k = call test($op->{request})"; $check = " assert x$k == " . ($got ? 'true' : 'false') . ';' if defined $clock }
  elsif ($do eq 'barrier') { $call = "call barrier($comm)" }
  elsif ($listed{$do}) {
    my $list = sub { return '[' . join(', ', map { "$_ byte" } @_) . ']' };
    my $all = $op->{sizes};
    my ($at) = grep { $op->{members}[$_] == $rank } 0 .. $#{$op->{members}};
    my $one = "$all->[0][$at] byte";
    $call = "call " . ($do =~ tr/_/-/r) . '(' . join(', ', $do eq 'gatherv' ? ($one, $list->(@{$all->[0]})) : $do eq 'scatterv' ? ($list->(@{$all->[0]}), $one)
      : $do =~ /^alltoall/ ? ($list->(@{$all->[$at]}), $list->(map { $_->[$at] } @$all)) : $list->(@{$all->[0]}), defined $op->{root} ? $op->{root} : (), $comm) . ')';
  }
  else { $call = "call " . ($do =~ tr/_/-/r) . "($size" . (defined $op->{root} ? ", $op->{root}" : '') . ", $comm)" }
  $call =~ s/^call /let $op->{beside} = call i/ if $op->{beside};
  return "    $call;$check" . (defined $clock ? " assert clock == " . seconds($clock) . ';' : '');
}

my %requests = (
  send => 'send(to, size, mode, tag, c)', isend => 'isend(to, size, mode, tag, c)', recv => 'recv(from, tag, communicator = c)', irecv => 'irecv(from, tag, c)',
  'recv-any' => 'recv-any(tag, c)', wait => 'wait(request)', waitall => 'waitall(handles)', test => 'test(request)', probe => 'probe(from, tag, c)',
  iprobe => 'iprobe(from, tag)', sendrecv => 'sendrecv(to, size, from, tag)', create => 'comm-create(c, list)',
  'send-init' => 'send-init(to, size, mode, tag, c)', 'recv-init' => 'recv-init(from, tag, c)', start => 'start(request)', split => 'comm-split(0, color, key)',
);
for my $i ('', 'i') {
  $requests{"$i$_"} = "$i$_(size, root, c)" for qw(bcast reduce gather scatter);
  $requests{"$i$_"} = "$i$_(size, c)" for qw(allreduce allgather alltoall scan exscan reduce-scatter-block);
  $requests{"$i$_"} = "$i$_(list, c)" for qw(reduce-scatter allgatherv);
  $requests{"$i$_"} = "$i$_(list, list2, c)" for qw(alltoallv alltoallw);
  @requests{"${i}barrier", "${i}gatherv", "${i}scatterv"} = ("${i}barrier(c)", "${i}gatherv(size, list, root, c)", "${i}scatterv(list, size, root, c)");
}

sub model {
  my ($program, $result) = @_;
  my ($n, $text) = ($program->{ranks}, '');
  for my $rank (0 .. $n - 1) {
    my $ops = $program->{ops}[$rank];
    my @lines = map { model_op($rank, $_, $ops->[$_], $result->{clocks}[$rank][$_], $result->{got}[$rank][$_]) } 0 .. $#$ops;
    $text .= join "\n", "    if r == $rank {", (map { "  $_" } @lines), "    }\n";
  }
  for my $number ($program->{together} ? () : 1 .. @{$program->{comms} // []}) {
    my $members = join ', ', members($program, $number);
    $text = "    if r in [$members] { call create($number, [$members]); }\n$text";
  }
  my $requests = join '', map {
    my ($name, $call) = ($_, $requests{$_});
    my $own = $call =~ s/comm-create/create/r =~ s/comm-split\(0, /split(/r =~ s/communicator = //r;
    $text =~ /call \Q$name\E\(/ ? "    $own:\n      selector = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };\n      transaction = MPI-$call;\n      protocol = call-return;\n" : '';
  } sort keys %requests;
  my $machine = $program->{machine};
  my %named = $machine->{nic} ? (network => 'simulation[NIC]') : ();
  $named{$_} = seconds($machine->{$_}) for qw(L os ol g);
  $named{$_} = seconds($machine->{$_}) . '/byte' for qw(G Gl);
  if (my $nodes = $machine->{nodes}) {
    %named = (%named, 'ranks-per-node' => $nodes->{per}, mapping => $nodes->{mapping}, 'node-count' => $nodes->{count}, 'grid-columns' => $nodes->{columns},
      'tile-rows' => $nodes->{rows}, 'L-inside' => seconds($nodes->{L}), 'G-inside' => seconds($nodes->{G}) . '/byte');
  }
  $named{'eager-buffers'} = "$machine->{buffers} byte" if defined $machine->{buffers};
  $named{"$_-threshold"} = $machine->{"${_}_threshold"} . ' byte' for qw(overhead handshake gap);
  return <<END;
// psl: run @{[map { qq(--set "$_=$named{$_}") } sort keys %named]}
use mpi;
use nonblocking-collectives;
transaction start();
component rank [r] : 0 <= r < $n {
  accepts:
    profile = { domain = application[test], node type = rank, rank = r, size = $n };
    transaction = start();
    protocol = dataflow;
  body:
$text@{[$requests ? "  requests:\n$requests" : '']}}
system test {
  requests:
    every selector = { domain = application[test], node type = rank };
    transaction = start();
    protocol = dataflow;
}
END
}

# ---- for the player of programs under a real MPI (player.c): lines of numbers and words ----

sub number_of { my ($message) = @_; return ($message->{id} // 0) =~ s/\./00/r }

sub script {
  my ($program) = @_;
  my ($text, %number) = ("program $program->{ranks}\n");
  for my $rank (0 .. $program->{ranks} - 1) {
    for my $op (@{$program->{ops}[$rank]}) {
      my $request = sub { return $number{$rank}{$_[0]} //= keys %{$number{$rank}} };
      my $do = $op->{do};
      next if $do =~ /^(hold|iprobe|test)$/;
      my $id = number_of($op);
      $text .= join(' ', $rank, $do eq 'recv_any' ? 'recv' : $do,
        $do =~ /send/ ? ($op->{to}, $op->{size}, $op->{mode}, $id) : (), $do =~ /recv|probe/ ? $op->{from} : (), defined $op->{tag} ? $op->{tag} : (),
        $do =~ /^i/ ? $request->($op->{request}) : (), $do eq 'wait' ? $request->($op->{request}) : (),
        $do eq 'waitall' ? (scalar @{$op->{requests}}, map { $request->($_) } @{$op->{requests}}) : (),
        $rooted{$do} ? ($op->{size}, $op->{root}) : $do =~ /^all|scan|scatter/ ? $op->{size} : ()) . "\n";
    }
  }
  return "${text}end\n";
}

# What the player prints of the program of this number: by rank, in its order, the source, tag and size of what it
# received, and which message it was.
sub expected {
  my ($program, $result, $number) = @_;
  my $text = '';
  for my $rank (0 .. $program->{ranks} - 1) {
    my $ops = $program->{ops}[$rank];
    for my $k (0 .. $#$ops) {
      my $got = $result->{got}[$rank][$k];
      next unless ref $got;
      for my $receive (ref $got eq 'ARRAY' ? @$got : $got) {
        my $m = $receive->{message};
        my $id = number_of($m);
        $text .= "$number $rank: $m->{from} $m->{tag} $m->{size} " . ($ops->[$k]{do} eq 'probe' || $m->{size} < 4 ? '-' : $id) . "\n";
      }
    }
  }
  return $text;
}

1;
