# Random models of values: lists of lists, strings, records and distributions in params, lets, vars, locals, arguments, answers,
# tokens and results of functions. Each comes with an interpreter of its own: closures over perl's values that say what the
# model records, for any setting of its params, and share nothing with PSL's.
package Values;
use strict;
use warnings;
use Exporter 'import';
our @EXPORT_OK = qw(model);

sub pick { $_[int rand @_] }
sub chance { rand() < $_[0] }
sub whole { my ($a, $b) = @_; $a + int rand($b - $a + 1) }

# ---------- types ----------
# { k => int | real | str | dist | list (of, n items) | rec (names, of) }
my ($INT, $REAL, $STR, $DIST) = map { { k => $_ } } qw(int real str dist);
sub list_of { my ($of, $n) = @_; return { k => 'list', of => $of, n => $n } }
sub type_key { # the same for types whose values may stand for each other
  my ($t) = @_;
  return "[" . type_key($t->{of}) . ";$t->{n}]" if $t->{k} eq 'list';
  return "{" . join(',', map { "$t->{names}[$_]:" . type_key($t->{of}[$_]) } 0 .. $#{$t->{of}}) . "}" if $t->{k} eq 'rec';
  return $t->{k};
}
sub declared { # as PSL writes it; a record has no written type
  my ($t) = @_;
  return $t->{k} eq 'list' ? '[' . declared($t->{of}) . ']' : $t->{k} eq 'str' ? 'string' : $t->{k};
}
sub nameable { my ($t) = @_; return $t->{k} eq 'list' ? nameable($t->{of}) : $t->{k} !~ /^(rec|dist)$/ }
sub random_type { # nameable: one that can be declared
  my ($depth, $nameable) = @_;
  return list_of(random_type($depth - 1, $nameable), whole(1, 3)) if $depth > 0 && chance(0.7);
  if (!$nameable && $depth > 0 && chance(0.5)) {
    my @names = ('a', 'b', 'c')[0 .. whole(1, 2)];
    return { k => 'rec', names => \@names, of => [map { random_type($depth - 1, 0) } @names] };
  }
  return pick($INT, $INT, $REAL, $STR, $nameable ? $INT : $DIST);
}

# ---------- values ----------
sub copy { my ($v) = @_; return ref $v ? [map { copy($_) } @$v] : $v }
sub equal {
  my ($t, $a, $b) = @_;
  return $t->{k} eq 'str' ? $a eq $b : $a == $b unless ref $a;
  return 0 if @$a != @$b;
  for my $i (0 .. $#$a) { return 0 unless equal($t->{k} eq 'list' ? $t->{of} : $t->{of}[$i], $a->[$i], $b->[$i]) }
  return 1;
}
sub bound { my ($x) = @_; die "large\n" if abs($x) > 1e6; return $x }

# ---------- expressions: [text, closure of the frame] ----------
my ($fresh, @functions, %global);
sub new_name { return pick('x', 'y', 'row', 'item', 'part') . ++$fresh }

# The names at hand of the type: [name, type, closure].
sub names_of {
  my ($scope, $t) = @_;
  my $key = type_key($t);
  return grep { type_key($_->[1]) eq $key } @$scope;
}
sub literal {
  my ($t, $scope, $depth, $strict) = @_;
  if ($t->{k} eq 'int') { my $v = whole(-9, 99); return [$v < 0 ? "($v)" : "$v", sub { $v }] }
  if ($t->{k} eq 'real') { my $v = whole(-9, 9) / 2; return [sprintf($v < 0 ? '(%.1f)' : '%.1f', $v), sub { $v }] }
  if ($t->{k} eq 'str') { my $v = join '', map { pick('a' .. 'e') } 1 .. whole(0, 30); return ["\"$v\"", sub { $v }] }
  if ($t->{k} eq 'dist') {
    my ($low, $high) = map { whole(0, 9) / 2 } 1, 2;
    return [sprintf('constant(%.1f)', $low), sub { $low }] if chance(0.4);
    return [sprintf('uniform(%.1f, %.1f)', $low, $low + $high + 1), sub { $low + ($high + 1) / 2 }] if chance(0.5);
    return [sprintf('empirical([%.1f, %.1f])', $low, $high), sub { ($low + $high) / 2 }];
  }
  if ($t->{k} eq 'list') {
    my @items = map { expression($t->{of}, $scope, $depth - 1, $strict) } 1 .. $t->{n};
    return ['[' . join(', ', map { $_->[0] } @items) . ']', sub { my $e = shift; [map { copy($_->[1]->($e)) } @items] }];
  }
  my @fields = map { expression($_, $scope, $depth - 1, $strict) } @{$t->{of}};
  return ['{ ' . join(', ', map { "$t->{names}[$_] = $fields[$_][0]" } 0 .. $#fields) . ' }',
    sub { my $e = shift; [map { copy($_->[1]->($e)) } @fields] }];
}
# A binder over a list or a range, and what is made of each of its items.
sub over {
  my ($scope, $depth, $n) = @_;
  my $x = new_name();
  if (chance(0.3)) {
    my $low = whole(-2, 3);
    return [$x, $INT, "$x in $low .. " . ($low + $n - 1), sub { [$low .. $low + $n - 1] }];
  }
  my @lists = grep { $_->[1]{k} eq 'list' && $_->[1]{n} == $n } @$scope;
  my $given = @lists && chance(0.8) ? pick(@lists) : undef;
  my $of = $given ? $given->[1]{of} : random_type(1, 0);
  my $list = $given ? [$given->[0], $given->[2]] : expression(list_of($of, $n), $scope, $depth - 1);
  return [$x, $of, "$x in $list->[0]", $list->[1]];
}
sub inner { my ($scope, $x, $t) = @_; return [@$scope, [$x, $t, sub { $_[0]{$x} }]] }
# Parts of what is at hand: items, fields.
sub part {
  my ($t, $scope, $depth) = @_;
  my $key = type_key($t);
  my @from = grep {
    my $of = $_->[1];
    ($of->{k} eq 'list' && type_key($of->{of}) eq $key) || ($of->{k} eq 'rec' && grep { type_key($_) eq $key } @{$of->{of}})
  } @$scope;
  return unless @from;
  my ($name, $of, $get) = @{pick(@from)};
  if ($of->{k} eq 'list') {
    my $n = $of->{n};
    if (chance(0.5)) { my $i = whole(0, $n - 1); return ["$name\[$i]", sub { $get->($_[0])->[$i] }] }
    my $at = expression($INT, $scope, $depth - 1);
    return ["$name\[$at->[0] mod $n]", sub { $get->($_[0])->[$at->[1]->($_[0]) % $n] }];
  }
  my @fits = grep { type_key($of->{of}[$_]) eq $key } 0 .. $#{$of->{of}};
  my $i = pick(@fits);
  return ["$name.$of->{names}[$i]", sub { $get->($_[0])->[$i] }];
}
sub call_of {
  my ($t, $scope, $depth) = @_;
  my $key = type_key($t);
  my @fits = grep { type_key($_->{result}) eq $key } @functions;
  return unless @fits;
  my $f = pick(@fits);
  my @given = map { expression($_, $scope, $depth - 1) } @{$f->{params}};
  $given[0] = [$f->{recursive}[0] = whole(0, 4), do { my $n = $f->{recursive}[0]; sub { $n } }] if $f->{recursive};
  return ["$f->{name}(" . join(', ', map { $_->[0] } @given) . ")", sub { my $e = shift; $f->{call}->(map { copy($_->[1]->($e)) } @given) }];
}
sub expression {
  my ($t, $scope, $depth, $strict) = @_;
  my @named = names_of($scope, $t);
  if ($depth <= 0 || chance(0.15)) {
    if (@named && chance(0.8)) { my $n = pick(@named); return [$n->[0], $n->[2]] }
    return literal($t, $scope, $depth, $strict) if $t->{k} !~ /^(list|rec)$/ || $depth > -4;
  }
  if (chance(0.25)) { my $part = part($t, $scope, $depth); return $part if $part }
  if (chance(0.15)) { my $call = call_of($t, $scope, $depth); return $call if $call }
  if ($depth > 0 && chance(0.12)) {
    my ($c, $a, $b) = (condition($scope, $depth - 1), map { expression($t, $scope, $depth - 1, $strict) } 1, 2);
    return ["(if $c->[0] then $a->[0] else $b->[0])", sub { my $e = shift; ($c->[1]->($e) ? $a : $b)->[1]->($e) }];
  }
  return [$named[-1][0], $named[-1][2]] if @named && chance(0.2);
  return expression($INT, $scope, $depth) if $t->{k} eq 'real' && !$strict && chance(0.15);
  return number($t, $scope, $depth) if $t->{k} =~ /^(int|real)$/ && $depth > 0;
  return list($t, $scope, $depth, $strict) if $t->{k} eq 'list' && $depth > 0;
  return literal($t, $scope, $depth, $strict);
}
sub number {
  my ($t, $scope, $depth) = @_;
  my $int = $t->{k} eq 'int';
  my $k = whole(0, 7);
  if ($k <= 2) {
    my ($a, $b) = map { expression($t, $scope, $depth - 1) } 1, 2;
    my ($f, $g) = ($a->[1], $b->[1]);
    return ["(($a->[0] + $b->[0]) mod 1000)", sub { ($f->($_[0]) + $g->($_[0])) % 1000 }] if $int && $k;
    return ["(($a->[0] * $b->[0]) mod 1000)", sub { ($f->($_[0]) * $g->($_[0])) % 1000 }] if $int;
    return ["($a->[0] - $b->[0])", sub { bound($f->($_[0]) - $g->($_[0])) }];
  }
  if ($k <= 5) { # a fold
    my ($x, $of, $text, $values) = @{over($scope, $depth, whole(1, 3))};
    my $body = $int && $k == 5 ? undef : expression($t, inner($scope, $x, $of), $depth - 1);
    my $test = $body ? undef : condition(inner($scope, $x, $of), $depth - 1);
    return ["count($text : $test->[0])", sub { my $e = shift; scalar grep { $e->{$x} = $_; $test->[1]->($e) } @{$values->($e)} }] if $test;
    my $fold = pick('sum', 'sum', 'max', 'min');
    return ["$fold($text : $body->[0])", sub {
      my $e = shift;
      my @all = map { $e->{$x} = $_; $body->[1]->($e) } @{$values->($e)};
      my $best = $all[0];
      for my $v (@all[1 .. $#all]) { $best = $fold eq 'sum' ? $best + $v : ($fold eq 'max' ? $v > $best : $v < $best) ? $v : $best }
      return bound($best);
    }];
  }
  if ($int) {
    my $of = pick($STR, list_of(random_type(1, 0), whole(1, 3)));
    my $x = expression($of, $scope, $depth - 1);
    return ["length($x->[0])", sub { my $v = $x->[1]->($_[0]); ref $v ? scalar @$v : length $v }];
  }
  my $d = expression($DIST, $scope, $depth - 1);
  return ["mean($d->[0])", sub { $d->[1]->($_[0]) }];
}
sub list {
  my ($t, $scope, $depth, $strict) = @_;
  my $k = whole(0, 9);
  if ($k <= 4) {
    my ($x, $of, $text, $values) = @{over($scope, $depth, $t->{n})};
    my $body = expression($t->{of}, inner($scope, $x, $of), $depth - 1, $strict);
    return ["[$text : $body->[0]]", sub { my $e = shift; [map { $e->{$x} = $_; copy($body->[1]->($e)) } @{$values->($e)}] }];
  }
  if ($k == 5) {
    my $a = expression($t, $scope, $depth - 1, $strict);
    return ["reverse($a->[0])", sub { [reverse @{$a->[1]->($_[0])}] }];
  }
  if ($k == 6 && $t->{of}{k} =~ /^(int|str)$/) {
    my $list = expression($t, $scope, $depth - 1, $strict); # not $a: that is the item that sort compares
    my $text = $t->{of}{k} eq 'str';
    return ["sort($list->[0])", sub { [sort { $text ? $a cmp $b : $a <=> $b } @{$list->[1]->($_[0])}] }];
  }
  return literal($t, $scope, $depth, $strict);
}
sub condition {
  my ($scope, $depth) = @_;
  if (chance(0.5)) {
    my ($a, $b) = map { expression($INT, $scope, $depth - 1) } 1, 2;
    my $o = pick('<', '>=', '==');
    return ["($a->[0] $o $b->[0])", sub { my ($x, $y) = map { $_->[1]->($_[0]) } $a, $b; $o eq '<' ? $x < $y : $o eq '==' ? $x == $y : $x >= $y }];
  }
  my @comparable = grep { type_key($_->[1]) !~ /dist/ } @$scope;
  my $t = @comparable && chance(0.8) ? pick(@comparable)->[1] : random_type(1, 1);
  if (chance(0.3)) {
    my ($l, $x) = (expression(list_of($t, 2), $scope, $depth - 1), expression($t, $scope, $depth - 1));
    return ["contains($l->[0], $x->[0])", sub { my $e = shift; my $v = $x->[1]->($e); scalar grep { equal($t, $_, $v) } @{$l->[1]->($e)} }];
  }
  my ($a, $b) = map { expression($t, $scope, $depth - 1) } 1, 2;
  return ["($a->[0] == $b->[0])", sub { my $e = shift; my $x = $a->[1]->($e); equal($t, $x, $b->[1]->($e)) }];
}
# A number that a value comes to, for a record: all of its parts count.
sub digest {
  my ($t, $text, $get) = @_;
  return ["$text", $get] if $t->{k} =~ /^(int|real)$/;
  return ["length($text)", sub { length $get->($_[0]) }] if $t->{k} eq 'str';
  return ["mean($text)", $get] if $t->{k} eq 'dist';
  if ($t->{k} eq 'list') {
    my $x = new_name();
    my $one = digest($t->{of}, $x, sub { $_[0]{$x} });
    return ["sum($x in $text : 2 * ($one->[0]) + 1)",
      sub { my $e = shift; my $s = 0; for my $v (@{$get->($e)}) { $e->{$x} = $v; $s += 2 * $one->[1]->($e) + 1 } $s }];
  }
  my @fields = map { my $i = $_; digest($t->{of}[$i], "$text.$t->{names}[$i]", sub { $get->($_[0])->[$i] }) } 0 .. $#{$t->{of}};
  return ['(' . join(' + ', map { ($_ + 1) . " * ($fields[$_][0])" } 0 .. $#fields) . ')',
    sub { my $e = shift; my $s = 0; $s += ($_ + 1) * $fields[$_][1]->($e) for 0 .. $#fields; $s }];
}

# ---------- statements ----------
sub returned { my ($v) = @_; die ['return', $v] }
# A var or a part of one: [text, type, closure that stores].
sub place {
  my ($vars, $scope) = @_;
  my ($name, $t) = @{pick(@$vars)};
  my ($text, @path) = ($name);
  while (chance(0.65) && $t->{k} =~ /^(list|rec)$/) {
    if ($t->{k} eq 'list') {
      my $n = $t->{n};
      my $at = chance(0.5) ? literal($INT) : expression($INT, $scope, 1);
      $text .= "[$at->[0] mod $n]";
      push @path, sub { $at->[1]->($_[0]) % $n };
      $t = $t->{of};
    } else {
      my $i = whole(0, $#{$t->{of}});
      $text .= ".$t->{names}[$i]";
      push @path, sub { $i };
      $t = $t->{of}[$i];
    }
  }
  return [$text, $t, sub {
    my ($e, $v) = @_;
    my @at = map { $_->($e) } @path;
    my $slot = \$e->{state}{$name};
    $slot = \$$slot->[$_] for @at;
    $$slot = copy($v);
  }];
}
sub step { my ($e) = @_; die "long\n" if ++${$e->{steps}} > 20000 }
sub block {
  my ($scope, $vars, $depth, $count, $special) = @_;
  my @scope = @$scope;
  my (@text, @run);
  for (1 .. $count) {
    my $k = whole(0, 11);
    if ($special && $k <= 3) {
      my ($text, $run, $name, $t) = @{$special->(\@scope)};
      push @text, $text; push @run, $run;
      push @scope, [$name, $t, sub { $_[0]{$name} }] if $name;
    } elsif ($k <= 4 && @$vars) {
      my $p = place($vars, \@scope);
      my $v = expression($p->[1], \@scope, whole(1, 3));
      push @text, "$p->[0] = $v->[0];"; push @run, sub { my $e = shift; step($e); $p->[2]->($e, $v->[1]->($e)) };
    } elsif ($k <= 6) {
      my ($x, $t) = (new_name(), chance(0.5) && @scope ? pick(@scope)->[1] : random_type(2, 0));
      my $v = expression($t, \@scope, whole(1, 3), 1);
      my $written = nameable($t) && chance(0.7) ? " : " . declared($t) : '';
      push @text, "let $x$written = $v->[0];"; push @run, sub { my $e = shift; $e->{$x} = copy($v->[1]->($e)) };
      push @scope, [$x, $t, sub { $_[0]{$x} }];
    } elsif ($k <= 8) {
      my ($name, $t, $get) = @{pick(@scope)};
      my ($r, $d) = ("r" . ++$fresh, digest($t, $name, $get));
      push @text, "record $r = $d->[0];";
      push @run, sub { my $e = shift; $e->{records}{$r}[0]++; $e->{records}{$r}[1] += $d->[1]->($e); };
    } elsif ($k == 9 && $depth > 0) {
      my $c = condition(\@scope, 2);
      my ($a, $b) = map { block(\@scope, $vars, $depth - 1, whole(1, 2), $special) } 1, 2;
      push @text, "if $c->[0] { $a->[0] } else { $b->[0] }"; push @run, sub { my $e = shift; ($c->[1]->($e) ? $a : $b)->[1]->($e) };
    } elsif ($depth > 0) {
      my ($x, $t, $text, $values) = @{over(\@scope, 2, whole(1, 3))};
      my $b = block(inner(\@scope, $x, $t), $vars, $depth - 1, whole(1, 3), $special);
      push @text, "for $text { $b->[0] }";
      push @run, sub { my $e = shift; for my $v (@{copy($values->($e))}) { step($e); $e->{$x} = $v; $b->[1]->($e) } };
    }
  }
  return [join(' ', @text), sub { my $e = shift; $_->($e) for @run }];
}

# ---------- models ----------
sub make_function {
  my ($scope, $number) = @_;
  my $recursive = chance(0.35);
  my @types = map { random_type(2, 1) } 1 .. whole(1, 2);
  unshift @types, $INT if $recursive;
  my @names = map { new_name() } @types;
  my $result = random_type(2, 1);
  my @inside = (@$scope, map { my $n = $names[$_]; [$n, $types[$_], sub { $_[0]{$n} }] } 0 .. $#types);
  my $f = { name => "f$number", params => \@types, result => $result };
  my $base = expression($result, \@inside, 3);
  my $text = $base->[0];
  my $value = $base->[1];
  if ($recursive) { # it calls itself with one less, and what else it was given or has made of that
    my $less = new_name();
    my @again = map { expression($types[$_], \@inside, 2) } 1 .. $#types;
    my $self = sub { my $e = shift; $f->{call}->($e->{$names[0]} - 1, map { copy($_->[1]->($e)) } @again) };
    my $called = "f$number(" . join(', ', "$names[0] - 1", map { $_->[0] } @again) . ")";
    my $more = $result->{k} eq 'list'
      ? do { my $body = expression($result->{of}, inner(\@inside, $less, $result->{of}), 2);
             ["[$less in $called : $body->[0]]", sub { my $e = shift; my $all = $self->($e); [map { $e->{$less} = $_; copy($body->[1]->($e)) } @$all] }] }
      : [$called, $self];
    $text = "if $names[0] <= 0 then $base->[0] else $more->[0]";
    my $end = $base->[1];
    $value = sub { my $e = shift; $e->{$names[0]} <= 0 ? $end->($e) : $more->[1]->($e) };
    $f->{recursive} = [0];
  }
  $f->{call} = sub { my @given = @_; my $e = { map { $names[$_] => $given[$_] } 0 .. $#names }; die "long\n" if ++$global{calls} > 20000; return $value->($e) };
  $f->{text} = "function f$number(" . join(', ', map { "$names[$_] : " . declared($types[$_]) } 0 .. $#names) . ") -> " . declared($result) . " = $text;\n";
  return $f;
}

# A component with state: { text of its lets and vars, scope, vars, state for its index }.
sub stateful {
  my ($scope, $indexed) = @_;
  my @scope = @$scope;
  my ($text, @lets, @vars) = ('');
  push @scope, ['i', $INT, sub { $_[0]{i} }] if $indexed;
  for (1 .. whole(0, 2)) {
    my ($x, $t) = (new_name(), random_type(2, 0));
    my $v = expression($t, \@scope, 2, 1);
    $text .= "  let $x = $v->[0];\n";
    push @scope, [$x, $t, $v->[1]];
  }
  my @known = @scope; # vars do not see each other before the run
  for (1 .. whole(1, 4)) {
    my ($x, $t) = (new_name(), random_type(3, 0));
    my $v = expression($t, \@known, 2, 1);
    $text .= "  var $x" . (nameable($t) ? ' : ' . declared($t) : '') . " = $v->[0];\n";
    push @vars, [$x, $t, $v->[1]];
    push @scope, [$x, $t, sub { $_[0]{state}{$x} }];
  }
  my $state = sub {
    my ($i) = @_;
    my $e = { i => $i, state => {} };
    $e->{state}{$_->[0]} = copy($_->[2]->($e)) for @vars;
    return $e->{state};
  };
  return { text => $text, scope => \@scope, vars => \@vars, state => $state };
}
# Runs a body with a frame of its own; what it returns.
sub enter {
  my ($body, $e) = @_;
  my $value = eval { $body->($e); undef };
  return $value unless $@;
  die $@ unless ref $@;
  return $@->[1];
}
my $profile = 'accepts: profile = { domain = application, node type';

sub attempt {
  ($fresh, @functions) = (0);
  %global = ();
  my @scope;
  my $text = "param n : int = " . whole(0, 9) . " in -99 .. 99;\nparam m : int = " . whole(0, 9) . " in -99 .. 99;\n";
  my ($n0, $m0) = $text =~ /= (\d+) in/g;
  push @scope, ['n', $INT, sub { $global{n} }], ['m', $INT, sub { $global{m} }];
  my $declare = sub { # a param or let of any type, computed anew for each setting
    my ($word, $t) = @_;
    my $x = new_name();
    my $v = expression($t, \@scope, 3, 1);
    $text .= "$word $x" . (nameable($t) ? ' : ' . declared($t) : '') . " = $v->[0];\n";
    push @scope, [$x, $t, sub { $global{$x} //= copy($v->[1]->({})); }];
  };
  $declare->('param', list_of(random_type(1, 1), whole(1, 3)));
  for my $k (0 .. whole(3, 7)) {
    $declare->('let', random_type(3, 0));
    next unless chance(0.5);
    my $f = make_function(\@scope, $k);
    $text .= $f->{text};
    push @functions, $f;
  }
  my $count = whole(1, 3);
  my ($first, $second, $answer, $token) = (random_type(2, 1), random_type(2, 1), random_type(2, 1), random_type(2, 1));
  my $called = sub { my ($t, $x) = @_; [$x, $t, sub { $_[0]{$x} }] };
  # the table: state and answers
  my $table = stateful(\@scope, 1);
  my @inside = (@{$table->{scope}}, $called->($INT, 'k'), $called->($first, 'given'), $called->($second, 'more'));
  my $look = block(\@inside, $table->{vars}, 2, whole(2, 6));
  my ($leave, $last) = (condition(\@inside, 2), expression($answer, \@inside, 2));
  my ($early, $over) = (expression($answer, \@inside, 2), over(\@inside, 2, whole(1, 3)));
  my $look_run = sub {
    my $e = shift;
    $look->[1]->($e);
    for my $v (@{copy($over->[3]->($e))}) { $e->{$over->[0]} = $v; returned(copy($early->[1]->($e))) if $leave->[1]->($e) }
    returned(copy($last->[1]->($e)));
  };
  # the flow: tokens
  my $flow = stateful(\@scope, 0);
  my @arrived = (@{$flow->{scope}}, $called->($INT, 'k'), $called->($token, 'got'));
  my $come = block(\@arrived, $flow->{vars}, 2, whole(1, 4));
  # the gathering: a list of what three have sent
  my $sent = random_type(2, 1);
  my $each = expression($sent, [@scope, ['j', $INT, sub { $_[0]{j} }]], 2);
  my $all = digest(list_of($sent, 3), 'all', sub { $_[0]{all} });
  # who calls
  my @results = map { new_name() } 1 .. 8;
  my %frames;
  my $special = sub {
    my ($here) = @_;
    my $k = expression($INT, $here, 1);
    if (chance(0.3)) {
      my $v = expression($token, $here, 2);
      return ["call send($k->[0], $v->[0]); hold 1 s;", sub {
        my $e = shift; step($e);
        enter($come->[1], { %{$e->{machine}}, state => $e->{machine}{flow}, k => $k->[1]->($e), got => copy($v->[1]->($e)) });
      }];
    }
    my ($a, $b) = (expression($first, $here, 2), expression($second, $here, 2));
    my $x = new_name();
    my $ask = sub { my ($e, $i) = @_; enter($look_run, { %{$e->{machine}}, i => $i, state => $e->{machine}{tables}[$i], k => $k->[1]->($e), given => copy($a->[1]->($e)), more => copy($b->[1]->($e)) }) };
    return ["let $x = call all($k->[0], $a->[0], $b->[0]);", sub { my $e = shift; step($e); $e->{$x} = [map { $ask->($e, $_) } 0 .. $count - 1] }, $x, list_of($answer, $count)]
      if chance(0.25);
    my $i = whole(0, $count - 1);
    return ["let $x = call ask$i($k->[0], $a->[0], $b->[0]);", sub { my $e = shift; step($e); $e->{$x} = $ask->($e, $i) }, $x, $answer];
  };
  my $main = stateful(\@scope, 0);
  my $body = block($main->{scope}, $main->{vars}, 2, whole(4, 9), $special);
  my $turns = whole(1, 3);

  $text .= "transaction go();\ntransaction look(k : int, given : " . declared($first) . ", more : " . declared($second) . ") -> " . declared($answer) . ";\n"
    . "transaction tell(k : int, got : " . declared($token) . ");\ntransaction gather(every all : " . declared($sent) . ");\n"
    . "component table [i] : 0 <= i < $count {\n$table->{text}  $profile = table }; transaction = look(k, given, more); protocol = call-return;\n"
    . "  body: $look->[0]\n  for $over->[2] { if $leave->[0] { return $early->[0]; } }\n  return $last->[0];\n}\n"
    . "component flow {\n$flow->{text}  $profile = flow }; transaction = tell(k, got); protocol = dataflow;\n  body: $come->[0]\n}\n"
    . "component source [j] : 0 <= j < 3 {\n  $profile = source }; transaction = go(); protocol = dataflow;\n"
    . "  requests: selector = { domain = application, node type = sink }; transaction = gather($each->[0]); protocol = dataflow;\n}\n"
    . "component sink {\n  $profile = sink }; transaction = gather(all); protocol = dataflow;\n  body: record gathered = $all->[0];\n}\n"
    . "component main {\n$main->{text}  $profile = main }; transaction = go(); protocol = dataflow;\n"
    . "  body: for turn in 1 .. $turns { hold 1 s; $body->[0] }\n  requests:\n"
    . join('', map { "  ask$_(k, a, b): selector = { domain = application, node type = table, i = $_ }; transaction = look(k, a, b); protocol = call-return;\n" } 0 .. $count - 1)
    . "  all(k, a, b): every selector = { domain = application, node type = table }; transaction = look(k, a, b); protocol = call-return;\n"
    . "  send(k, a): selector = { domain = application, node type = flow }; transaction = tell(k, a); protocol = dataflow;\n}\n"
    . "system s { requests: selector = { domain = application, node type = main }; transaction = go(); protocol = dataflow;\n"
    . "  every selector = { domain = application, node type = source }; transaction = go(); protocol = dataflow; }\n";
  my $expect = sub { # record => [count, sum], for a setting of params
    my (%set) = @_;
    my ($steps, %records) = (0);
    %global = (n => $n0, m => $m0, %set, calls => 0);
    my %machine = (records => \%records, steps => \$steps);
    $machine{machine} = { %machine, tables => [map { $table->{state}->($_) } 0 .. $count - 1], flow => $flow->{state}->(0) };
    $records{gathered} = [1, $all->[1]->({ all => [map { $each->[1]->({ j => $_ }) } 0 .. 2] })];
    my $e = { %machine, state => $main->{state}->(0) };
    for (1 .. $turns) { $body->[1]->($e) }
    return \%records;
  };
  return { text => $text, expect => $expect, records => [keys %{$expect->()}] };
}
# A model whose default setting and those given need no more than some thousand steps.
sub model {
  my @settings = @_;
  for (1 .. 200) {
    my $model = eval { my $m = attempt(); $m->{expect}->(%$_) for @settings; $m };
    return $model if $model && length $model->{text} < 30000;
    die $@ if $@ && $@ !~ /^(long|large)\n/;
  }
  die "no model";
}
1;
