# Random models whose results hang on their params in many ways: through lets, functions, lists, index sets, what is matched,
# how long queues are, what is analysed and how; some fail at some points. A study of one may leave nothing behind from one
# point to the next.
package Studies;
use strict;
use warnings;
use Exporter 'import';
our @EXPORT_OK = qw(model);

sub pick { $_[int rand @_] }
sub chance { rand() < $_[0] }
sub whole { my ($a, $b) = @_; $a + int rand($b - $a + 1) }

# The params that all models have, each with the values that points take.
my @params = (
  ['n', 'int', [1 .. 6]], ['m', 'int', [0 .. 5]], ['k', 'int', [2, 3, 5, 8]],
  ['x', 'real', ['0.5', '1.0', '1.5', '2.0']], ['t', 'time', ['1 ms', '2 ms', '5 ms', '1 us']],
  ['mode', 'term', ['simulation[one]', 'simulation[two]', 'analysis[three]']], ['on', 'bool', ['true', 'false']],
  ['s', 'string', ['"a"', '"bc"', '""']],
);
my %values = map { $_->[0] => $_->[2] } @params;

# ---------- expressions of whole numbers from 0 up, and of times, over the names at hand ----------
my (@ints, @lists, @sums, @distributions, $length, @times, @functions, $fresh);
sub number {
  my ($depth, @local) = @_;
  return pick(0 .. 7, @ints, @ints, @local, @local) if $depth <= 0 || chance(0.2);
  my $sub = sub { number($depth - 1, @local) };
  my @kinds = (
    sub { '(' . $sub->() . ' + ' . $sub->() . ')' },
    sub { '(' . $sub->() . ' * ' . $sub->() . ') mod ' . whole(5, 40) },
    sub { 'max(' . $sub->() . ', ' . $sub->() . ')' },
    sub { 'abs(' . $sub->() . ' - ' . $sub->() . ')' },
    sub { '(if ' . condition($depth - 1, @local) . ' then ' . $sub->() . ' else ' . $sub->() . ')' },
    sub { my $i = 'i' . ++$fresh; "sum($i in 0 .. (" . $sub->() . ') mod 6 : ' . number($depth - 1, @local, $i) . ')' },
    sub { my $i = 'i' . ++$fresh; "count($i in 0 .. (" . $sub->() . ') mod 6 : ' . condition($depth - 1, @local, $i) . ')' },
    sub { @lists ? do { my $l = pick(@lists); "$l\[(" . $sub->() . ") mod length($l)]" } : $sub->() },
    sub { @lists ? 'sum(' . pick(@lists) . ')' : $sub->() },
    sub { @lists ? 'length(' . pick(@lists) . ')' : $sub->() },
    sub { @functions ? do { my $f = pick(@functions); "$f((" . $sub->() . ') mod 20)' } : $sub->() },
    sub { 'length(s)' },
    sub { 'floor(x * (' . $sub->() . '))' },
  );
  return pick(@kinds)->();
}
sub condition {
  my ($depth, @local) = @_;
  return pick('on', 'not on', 'mode == simulation[one]', 's == "a"', 'x > 1', 't > 1.5 ms') if chance(0.3);
  return number($depth, @local) . pick(' < ', ' == ', ' >= ', ' != ') . number($depth, @local);
}
sub duration {
  my (@local) = @_;
  return pick('t', '2 * t', 'x * t', "((" . number(2, @local) . ") mod 50) * 1 ms", @times, "(1 + " . number(1, @local) . " mod 9) * t");
}

# ---------- what a model declares ----------
sub declarations {
  my $text = '';
  ($fresh, @lists, @sums, @distributions, @times, @functions) = (0);
  @ints = ('n', 'm', 'k');
  $length = whole(50, 250); # lists of one length take the memory of each other
  for my $d (1 .. whole(4, 12)) {
    my $name = pick('a', 'b', 'c', 'd') . ++$fresh;
    my $what = pick(0 .. 9, 4, 8);
    if ($what <= 2) { $text .= "let $name = " . number(3) . ";\n"; push @ints, $name }
    elsif ($what == 3) { $text .= "param $name : int = " . number(2) . ";\n"; push @ints, $name }
    elsif ($what <= 5) {
      my $e = number(2, 'j');
      $text .= pick("let $name", "let $name : [int]", "param $name : [int]") . " = [j in 0 .. " . pick('n', 'k', '(n + m) mod 5', whole(50, 250)) . " : $e];\n";
      push @lists, $name;
      if (chance(0.6)) { # read item by item, by a function whose results are kept
        $text .= "function of-$name(i : int) -> int = if " . pick('n > 500', 'm > 500', 'k > 500') . " then 7 else $name\[i];\n"
          . "let all-$name = sum(j in 0 .. length($name) - 1 : of-$name(j));\n";
        push @ints, "all-$name";
        push @sums, "all-$name";
      }
    } elsif ($what == 9 && chance(0.4)) { # one that is refused at some points
      $text .= "param $name : int = " . number(1) . " in " . pick('0 .. 7 * n', '[0, 1, 2, 3, 4, 5, k]', "0 .. max(m, 7)") . ";\n";
      push @ints, $name;
    } elsif ($what == 9 && chance(0.5)) {
      $text .= "let $name = " . pick("exponential(" . duration() . " + 1 us)", "uniform(0 s, " . duration() . ")", "empirical([t, " . duration() . "])", "erlang(k, t)") . ";\n";
      push @distributions, $name;
      push @times, "mean($name)";
    } elsif ($what == 6) { $text .= "let $name : time = " . duration() . ";\n"; push @times, $name }
    elsif ($what == 7) { # one that calls itself, whose results are kept
      $text .= "function $name(i : int) -> int = if i < 2 then " . number(2) . " else ($name(i - 1) + $name(i - 2) + " . number(1, 'i') . ") mod 1000;\n";
      push @functions, $name;
    } elsif ($what == 8) { # one that looks into what it does not always look into
      my $e = number(2, 'i');
      my $f = number(3, 'i');
      $text .= "function $name(i : int) -> int = if " . pick('n > 3', 'on', 'm == 0', 'i > 3', 'mode == simulation[two]') . " then $e else $f;\n";
      push @functions, $name;
    } else {
      $text .= "let $name = { first = " . number(2) . ", more = [" . number(2) . ', ' . number(1) . "] };\n";
      push @ints, "$name.first", "$name.more[1]";
      push @lists, "$name.more";
    }
  }
  return $text;
}

# A station whose servers, discipline, rule and coming to be hang on params.
sub station {
  my ($index) = @_;
  my $set = chance(0.4) ? "[i] : 0 <= i < " . pick('n', 'k', '1 + m') . (chance(0.3) ? " and (i == 0 or (i + m) mod 2 == 1)" : '') . " " : '';
  my @local = $set ? ('i') : ();
  my $discipline = pick('', '', 'processor-sharing', 'round-robin(1 ms)', 'priority', 'lcfs-preemptive', 'processor-sharing([1, x])');
  my $servers = chance(0.7) ? 'servers = ' . ($discipline =~ /\(\[/ ? 2 : pick('n', '1', '1 + m', 'unlimited')) . '; ' : '';
  $discipline = '' if !$servers || $servers =~ /unlimited/;
  my $rule = $discipline eq '' && chance(0.15) ? 'firing rule = seen >= 0; ' : '';
  my $inner = chance(0.3) ? 'let inside = ' . number(2, @local) . '; ' : '';
  return {
    set => $set, name => "station$index",
    text => "component station$index $set\{ var seen = " . number(1, @local) . "; var list = [" . number(1, @local) . ", 0]; $inner"
      . (chance(0.3) ? "function own(j : int) -> int = (j + " . number(2, @local, 'j') . ") mod 100; " : 'function own(j : int) -> int = j; ')
      . "accepts: profile = { domain = place, node type = station$index, speed = " . pick('x', 'n * 1.0', '2.0') . " }; transaction = serve(w, p); protocol = call-return; $servers"
      . ($discipline ? "discipline = $discipline; " : '') . "${rule}body: seen = seen + 1; list[1] = own(seen mod 50)" . ($inner ? ' + inside' : '') . "; "
      . "hold " . duration('w mod 10') . "; " . (chance(0.4) ? "hold exponential(" . pick('t', '2 ms') . "); " : '')
      . "return (list[0] + list[1] + w) mod 100; }\n",
  };
}

# A network of stations, solved or simulated.
sub network {
  my $text = "use queueing;\n";
  $text .= "param $_->[0] : $_->[1] = $_->[2][0];\n" for @params;
  $text .= declarations();
  my $count = whole(1, 4);
  for my $i (0 .. $count - 1) {
    my $station = pick('fcfs', 'shared', 'delay', 'fcfs');
    $text .= "component station$i like $station-station { param service = exponential(" . duration() . " + 1 ms);"
      . ($station eq 'delay' ? '' : ' param servers = ' . pick('1', 'n', '1 + m') . ';') . " profile number = $i; }\n";
  }
  my @classes = ('red', chance(0.4) ? 'blue' : ());
  for my $class (@classes) {
    $text .= "component $class-people like closed-customers { param class = $class; param think = exponential(" . duration() . " + 1 ms); param visits = ["
      . join(', ', map { pick('1', '0.5', 'x', 'k * 0.5', 'n * 1.0') } 1 .. $count) . "]; }\n";
  }
  $text .= "system test { requests: " . join(' ', map { "selector = { node type = customer, class = $_ }; transaction = cycle(); visits = " . pick('n', 'k', '1 + m', '3') . "; protocol = dataflow;" } @classes) . " }\n";
  my %with = (%values, solver => ['analysis[MVA]', 'analysis[Schweitzer]', 'analysis[bounds]', 'simulation[queueing]']); # which ends at the limit of firings
  return { text => $text, params => [(map { $_->[0] } @params), 'solver'], values => \%with };
}

# A model: its text, the params that points may set, and their values.
sub model {
  return network() if chance(0.2);
    my $text = "use processes;\nuse mpi;\n";
  $text .= "param $_->[0] : $_->[1] = $_->[2][0];\n" for @params;
  $text .= declarations();
  my @stations = map { station($_) } 0 .. whole(0, 2);
  $text .= $_->{text} for @stations;
  # two components that a mode chooses between, one that is analysed
  $text .= "component fast { accepts: profile = { domain = place, node type = chosen, evaluation mode = simulation[one] }; transaction = take(w); protocol = call-return; body: hold " . duration('w mod 4') . "; return w + 1; }\n"
    . "component slow { accepts: profile = { domain = place, node type = chosen, evaluation mode = simulation[two] }; transaction = take(w); protocol = call-return; body: hold 1 ms; hold uniform(0 ms, t); return w + 2; }\n"
    . "component mean { accepts: profile = { domain = place, node type = chosen, evaluation mode = analysis[three] }; transaction = take(w); protocol = call-return; body: hold exponential(t); return w + 3; }\n"
    . "component memory like storage { param capacity = n + 2; profile node type = memory; }\n"
    . "coercion block -> count = value * (" . pick('2 ', '4 ', '8 ') . "count / 1 block);\nunit block;\nunit count;\n"
    . "transaction serve(w : int, p : int) -> int;\ntransaction take(w : int" . (chance(0.3) ? ' in 0 .. ' . pick('30 * n', '10 + k', 'length(s) + 28', '29') : '') . ") -> int;\ntransaction eat(size : count);\ntransaction begin();\n"
    . "component eater { accepts: profile = { domain = place, node type = eater }; transaction = eat(size); protocol = call-return; body: hold size / (1 count) * t; }\n";
  my @body = ('if p < 0 { call feed(1); call choose(1); call allocate(1); call release(1); call send(0); call receive(0); ' . join(' ', map { "call to-$_->{name}(1, p);" } @stations) . ' }');
  for (1 .. whole(2, 7)) {
    my $r = 'r' . ++$fresh;
    my @names = ('p', 'round');
    my $which = whole(0, 11);
    my $s = pick(@stations);
    my $drawn = @distributions ? pick(@distributions) : 'exponential(t)';
    push @body, $which == 0 && chance(0.5) ? "hold $drawn; record drawn = $drawn;"
      : $which <= 2 ? "let $r = call to-$s->{name}(" . number(1, @names) . " mod 50, p); record got = $r;"
      : $which == 3 ? "let $r = call choose(" . number(1, @names) . " mod 30); record chosen = $r;"
      : $which == 4 ? "call feed(" . number(1, @names) . " mod 5);"
      : $which == 5 ? "let $r = " . number(3, @names) . "; record worked = $r;"
      : $which == 6 ? "hold " . duration(@names) . ";"
      : $which == 7 ? "call allocate(1 + (" . number(1, @names) . ") mod 2); hold " . duration(@names) . "; call release(1);" # some is never given back
      : $which == 8 ? "state = (state + " . number(2, @names) . ") mod 1000; record state = state;"
      : $which == 9 ? "if " . condition(1, @names) . " { hold " . duration(@names) . "; } else { record other = " . number(1, @names) . "; }"
      : $which == 10 ? "if size > 1 { call send((p + 1) mod size); call receive((p + size - 1) mod size); }"
      : pick("assert m != " . whole(0, 9) . ";", "record part = 12 div (m - " . whole(1, 9) . ");", "record item = [1, 2, 3][m];", "hold (3 - m) * 1 ms;", "record far = state * 1.0;");
  }
  my $workers = pick('n', 'k', '1 + m', '2');
  $text .= "component worker [p] : 0 <= p < size { let size = $workers; var state = " . number(1, 'p') . ";\n"
    . "accepts: profile = { domain = application, node type = worker, rank = p, size = size }; transaction = begin(); protocol = dataflow;\nbody: for round in 1 .. " . pick('n', '2', 'k') . " {\n  " . join("\n  ", @body) . "\n}\nrecord end = clock;\n" . join('', map { "record $_ = $_;\n" } @sums)
    . "requests:\n" . join('', map { my $quantity = $_->{set} ? pick('any ', '', '') : '';
        "to-$_->{name}(w, p): ${quantity}selector = { domain = place, node type = $_->{name}" . (chance(0.2) ? ', speed > 0.2' : '')
        . ($_->{set} && !$quantity ? ', i = 0' : '') . " }; transaction = serve(w, p); " . (chance(0.3) ? 'delay = ' . duration() . '; ' : '') . "protocol = call-return;\n" } @stations)
    . "choose(w): selector = { domain = place, node type = chosen, evaluation mode = mode }; transaction = take(w); protocol = call-return;\n"
    . "feed(w): selector = { domain = place, node type = eater }; transaction = eat(w * 1 block); " . (chance(0.5) ? 'visits = x; ' : '') . "protocol = call-return;\n"
    . "allocate(w): selector = { domain = processes, node type = memory }; transaction = allocate(w); protocol = call-return;\n"
    . "release(w): selector = { domain = processes, node type = memory }; transaction = deallocate(w); protocol = call-return;\n"
    . "send(to): selector = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] }; transaction = MPI-send(to, (1 + m) * 1 KiB); protocol = call-return;\n"
    . "receive(from): selector = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] }; transaction = MPI-recv(from); protocol = call-return;\n}\n";
  $text .= "system test { requests: every selector = { domain = application, node type = worker" . (chance(0.2) ? ', p <= n' : '') . " }; transaction = begin(); protocol = dataflow; }\n";
  return { text => $text, params => [map { $_->[0] } @params], values => \%values };
}
1;
