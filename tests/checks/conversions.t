#!/usr/bin/perl
# Wherever a value meets a type: what converts has the figure that it converts to, and what is of another dimension or
# kind is an error at its place. A place is a model with `<>` where the value stands; it runs for 3 s with what fits.
# What the rules of coercions convert fits in requests and replies alone, and is of another dimension elsewhere.
#
#   tests/checks/conversions.t [PLACES]      # a pattern; the models of what fails are shown where SHOW is set
# Plain build alone: many runs of what cases run.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

my $only = shift @ARGV;

# By type: what fits, and the time that it comes to; what is wrong; what a rule makes fit.
my %types = (
  'time' => { fits => ['3000 ms', '3 s', '1.5 s + 1500 ms'], seconds => 'x', first => '1 s',
              wrong => ['3 byte', '3', '"3 s"', 'true', '{ a = 3 s }', '[3 byte]'], coerced => ['1.5 point', '[1 s, 2 s]'] },
  'data' => { fits => ['3 byte', '0.003 kB'], seconds => 'x / (1 byte) * (1 s)', first => '1 byte', wrong => ['3 s', '3', '"3"'] },
  'int' => { fits => ['3', '5 - 2'], seconds => 'x * (1 s)', first => '1',
             wrong => ['3 s', '3.5', '3.0', '"3"', '[3]', 'true', '{ a = 3 }'], coerced => ['1.5 point'] },
  'real' => { fits => ['3', '3.0', '300 %'], seconds => 'x * (1 s)', first => '1.5',
              wrong => ['3 s', '"3"', '[3]', 'true', '{ a = 3 }'], coerced => ['1.5 point'] },
  'bool' => { fits => ['true', '(1 < 2)'], seconds => '(if x then 3 s else 0 s)', first => 'false',
              wrong => ['1', '3 s', '"true"', '[true]'], coerced => ['1.5 point'] },
  'string' => { fits => ['"abc"'], seconds => 'length(x) * (1 s)', first => '"a"',
                wrong => ['3', '3 s', 'true', '["abc"]'], coerced => ['1.5 point'] },
  'term' => { fits => ['word[x]', 'WORD[X]'], seconds => '(if x == word[x] then 3 s else 0 s)', first => 'other',
              wrong => ['3', '3 s', 'true', '"word"', '[word]'], coerced => ['1.5 point'] },
  '[time]' => { fits => ['[1 s, 2000 ms]', '[i in 0 .. 2 : 1 s]'], seconds => 'sum(x)', first => '[1 s]',
                wrong => ['[1 byte, 2 byte]', '[1, 2]', '3 s', '"abc"', '[[1 s], [2 s]]', '["a"]', '{ a = 1 s }'] },
  '[int]' => { fits => ['[1, 2]'], seconds => 'sum(x) * (1 s)', first => '[1]',
               wrong => ['[1 s, 2 s]', '[1.5, 1.5]', '3', '"abc"', '[true]', '["a"]'] },
  'distribution*time' => { fits => ['constant(3 s)', 'uniform(2 s, 4000 ms)', 'exponential(3 s)'], seconds => 'mean(x)',
                           first => 'constant(1 s)',
                           wrong => ['constant(3)', 'constant(3 byte)', '"abc"', '[constant(3 s)]', 'true'] },
  'data/time' => { fits => ['3 byte/s', '0.003 byte/ms', '(6 byte) / (2 s)'], seconds => 'x / (1 byte) * (1 s) * (1 s)',
                   first => '1 byte/s', wrong => ['3 byte', '3', '"a"'], coerced => ['(1 s) / (3 byte)'] },
);
my %rules = ((map { $_ => "unit point;\ncoercion point -> $_ = " } keys %types), time => "unit point;\ncoercion [time] -> time = sum(value);\ncoercion point -> time = ");
my %made = (time => 'value * (2 s / 1 point)', int => 'round(value * 2 / 1 point)', real => 'value * 2 / 1 point', bool => 'value > 0 point',
            string => '"abc"', term => 'word[x]');

sub time_of { my ($type, $name) = @_; return $types{$type}{seconds} =~ s/\bx\b(?!\])/$name/gr }

# The model: decl; a component with its locals, clauses, body and requests; the system; after it.
sub model {
  my (%p) = @_;
  return $p{whole} if defined $p{whole};
  my $part = sub { my ($name, $head) = @_; defined $p{$name} ? ($head // '') . "$p{$name}\n" : '' };
  return $part->('decl') . "transaction go();\ncomponent main {\n" . $part->('locals')
    . "  accepts:\n    profile = { domain = application, node type = main };\n    transaction = go();\n    protocol = dataflow;\n"
    . $part->('clauses') . $part->('body', "  body:\n") . $part->('requests', "  requests:\n") . "}\n"
    . "system all {\n" . $part->('system') . "  requests:\n    selector = { domain = application, node type = main };\n"
    . "    transaction = go();\n    protocol = dataflow;\n}\n" . $part->('after');
}

# Puts the value in the text; where it stands, if it does.
sub put {
  my ($text, $value, $file, $at) = @_;
  if ((my $begin = index $text, '<>') >= 0) {
    my $before = substr $text, 0, $begin;
    @$at = ($file, 1 + ($before =~ tr/\n//), 1 + length($before =~ s/.*\n//sr));
    $text =~ s/<>/$value/;
  }
  return $text;
}

# All that are of one file and need no options are loaded and run by one session, in which a word of its own stands before
# each.
my (@tried, $session);
$session = '';
sub tried {
  my ($p, $value, $holds) = @_;
  my $alone = $p->{files} || $p->{command};
  my ($folder, $file) = $alone ? (scratch() . '/' . @tried, 'one.psl') : (scratch(), 'm' . @tried . '.psl');
  my @at;
  mkdir $folder;
  my %files = ($file => model(%$p), %{ $p->{files} // {} });
  spew("$folder/$_", put($files{$_}, $value, $_, \@at)) for sort keys %files;
  my @words = map { s/<>/$value/r } @{ $p->{command} // ['run', 'one.psl'] };
  @at = @{ $p->{at} } if $p->{at};
  my $result = $alone ? command($folder, $psl, @words) : {};
  $session .= "\"@ $file\"\n:clear\n:load $file\n" . ($p->{session} // 'run') . "\n" unless $alone;
  $result->{at} = \@at;
  $result->{text} = $ENV{SHOW} ? join("\n", "@words", map { "--- $_\n" . slurp("$folder/$_") } sort keys %files) : '';
  push @tried, { p => $p, value => $value, holds => $holds, result => $result };
}

sub judge {
  spew(scratch() . '/session', $session);
  my $run = command(scratch(), 'sh', '-c', "exec '$psl' --no-rc --keep-going --allow-native <session");
  my (undef, %out) = split /^"\@ (m\d+\.psl)"\n/m, $run->{out}, -1;
  my %err;
  for my $said (split /^(?=m\d+\.psl:)/m, $run->{err}) { $err{$1} .= $said if $said =~ /^(m\d+\.psl):/ }
  for my $n (0 .. $#tried) {
    my ($result, $file) = ($tried[$n]{result}, "m$n.psl");
    if (!defined $result->{exit}) {
      $result->{out} = $out{$file} // "[no answer; the session has ended: $run->{exit}]\n" . substr $run->{err}, -1000;
      $result->{err} = $err{$file} // '';
      $result->{exit} = $result->{err} =~ /error: / ? 1 : 0;
    }
    $tried[$n]{holds}->($tried[$n]{p}, $tried[$n]{value}, $result);
  }
}

sub fits {
  my ($p, $value, $result) = @_;
  my $figure = $p->{figure} // qr/^predicted time +3\.000 s$/m;
  ok($result->{exit} eq ($p->{exit} // 0) && $result->{out} =~ $figure, "$p->{name}: $value fits",
     "exit $result->{exit}\n" . substr("$result->{err}$result->{out}", 0, 1500) . $result->{text});
}

# What the first error underlines is in the value, or holds it.
sub refused {
  my ($p, $value, $result) = @_;
  my ($file, $line, $column) = @{ $result->{at} };
  my ($where, $at, $marks) = "$result->{err}$result->{out}" =~ /^(\S.*?)(\d+): error: .*\n.*\n[ |]*(\^~*)/m;
  my $end = $column + length $value;
  my $there = defined $where && $where eq "$file:$line:" && ($at >= $column ? $at < $end : $at + length $marks >= $end);
  my $wanted = $p->{exit} // ($file =~ /^--/ ? 2 : 1); # an option is of the command line
  ok($result->{exit} eq $wanted && $there, "$p->{name}: $value is refused",
     "wanted at $file:$line:$column, exit $result->{exit}\n" . substr("$result->{err}$result->{out}", 0, 1500) . $result->{text});
}

# Of the values of a type each in its turn, so that all are met at some place of the type; of the wrong ones the first,
# of another dimension, always.
my $turn = 0;
sub one { return @_ ? $_[$turn++ % @_] : () }

# A place of a type. `coerces`: the rules of coercions hold there; fits, wrong: in place of those of the type; less:
# these are left out.
sub place {
  my ($name, $type, %p) = @_;
  return if defined $only && "$name: $type" !~ /$only/;
  my %values = %{ $types{$type} // {} };
  my %less = map { $_ => 1 } @{ $p{less} // [] };
  my @coerced = $p{wrong} ? () : @{ $values{coerced} // [] };
  my %place = (%p, name => "$name: $type");
  $place{decl} = ($made{$type} ? "$rules{$type}$made{$type};\n" : "unit point;\n") . ($place{decl} // '');
  $place{whole} = $place{decl} . $place{whole} if defined $place{whole};
  my @fits = grep { !$less{$_} } @{ $p{fits} // $values{fits} };
  my @wrong = grep { !$less{$_} } @{ $p{wrong} // $values{wrong} };
  tried(\%place, $_, \&fits) for $p{fits} ? @fits : one(@fits), $p{coerces} ? @coerced : ();
  tried(\%place, $_, \&refused) for $p{wrong} ? @wrong : ($wrong[0], one(@wrong[1 .. $#wrong])), $p{coerces} ? () : @coerced;
}

my $server_profile = 'domain = hardware, node type = server';
sub server { # an accept and its body
  my ($transaction, $body, $profile, $protocol) = @_;
  $profile //= $server_profile;
  $protocol //= 'call-return';
  return "component server {\n  accepts:\n    profile = { $profile };\n    transaction = $transaction;\n    protocol = $protocol;\n  body:\n    $body\n}\n";
}
sub request {
  my ($label, $transaction, $protocol) = @_;
  return "    ${label}selector = { node type = server };\n    transaction = $transaction;\n    protocol = " . ($protocol // 'call-return') . ";\n";
}
# A server with an attribute that another component, which it calls, takes its time of.
sub attributed {
  my ($type, $head, $change) = @_;
  return "domain kinds { attribute node type : term; attribute figure : $type$head->{domain}; }\ntransaction work();\ntransaction ask();\n"
    . "component $head->{name} {\n  accepts:\n    profile = { domain = kinds, node type = $head->{name}$head->{profile} };\n    transaction = work();\n    protocol = call-return;\n"
    . "  body:\n    $change\n    call inner();\n  requests:\n    inner():\n    selector = { node type = asked };\n    transaction = ask();\n    protocol = call-return;\n}\n"
    . ($head->{name} ne 'server' ? "component server like $head->{name} {\n  profile node type = server;\n  profile figure = <>;\n}\n" : '')
    . "component asked {\n  accepts:\n    profile = { domain = application, node type = asked };\n    transaction = ask();\n    protocol = call-return;\n  body:\n    let a = caller.figure;\n    hold " . time_of($type, 'a') . ";\n}\n";
}

for my $type (grep { $_ ne 'data' } sort keys %types) {
  my ($hold, $first, $good) = ('hold ' . time_of($type, 'a') . ';', $types{$type}{first}, $types{$type}{fits}[0]);
  my $drawn = $type =~ /distribution/;
  my $list = $type =~ /^\[/;
  my %of_param = (decl => "param a : $type = $first;", body => $hold);

  # ---- declarations ----
  place('let', $type, decl => "let a : $type = <>;", body => $hold);
  place('param', $type, decl => "param a : $type = <>;", body => $hold);
  place('param in a branch', $type, decl => "param b : bool = true;\nparam a : $type = if b then <> else $first;", body => $hold);
  place('param of a component', $type, locals => "param a : $type = <>;", body => $hold);
  place('param of a system', $type, whole => "function time-of(a : $type) -> time = " . time_of($type, 'a') . ";\ntransaction work(t : time);\n" . server('work(t)', 'hold t;')
          . "system all {\n  param a : $type = <>;\n  requests:\n" . request('', 'work(time-of(a))') . "}\n");
  place('let of a component', $type, locals => "let a : $type = <>;", body => $hold);
  place('var', $type, locals => "var a : $type = <>;", body => $hold) unless $drawn;
  place('let of a body', $type, body => "let a : $type = <>;\n$hold") unless $drawn;
  place('argument of a function', $type, decl => "function f(a : $type) -> time = " . time_of($type, 'a') . ';', body => 'hold f(<>);');
  place('argument by name', $type, decl => "function f(b : int, a : $type) -> time = " . time_of($type, 'a') . ';', body => 'hold f(1, a = <>);');
  place('default of a function', $type, decl => "function f(a : $type = <>) -> time = " . time_of($type, 'a') . ';', body => 'hold f();');
  place('result of a function', $type, decl => "function f() -> $type = <>;", body => "let a = f();\n$hold") unless $drawn;
  place('result in a branch', $type, decl => "function f(n : int) -> $type = if n > 0 then <> else f(n + 1);", body => "let a = f(0 + 1);\n$hold") unless $drawn;
  place('function of a component', $type, locals => "function f(a : $type) -> $type = a;", body => "let a = f(<>);\n$hold") unless $drawn;

  # ---- from outside of the model's text ----
  place('--set', $type, %of_param, command => ['run', 'one.psl', '--set', 'a=<>'], at => ['--set a', 1, 1]);
  place('--set of one that has ranges', $type, decl => "param a : $type = $first in [$first, $good];", body => $hold,
        command => ['run', 'one.psl', '--set', 'a=<>'], at => ['--set a', 1, 1], $drawn ? () : (less => ['[i in 0 .. 2 : 1 s]'])) unless $drawn;
  place('use with params', $type, decl => "use part { param a = <>; }", body => $hold, files => { 'part.psl' => "param a : $type = $first;\n" });
  place('param of like', $type, decl => "transaction work();\ncomponent base {\n  param a : $type = $first;\n  accepts:\n    profile = { domain = hardware, node type = base };\n    transaction = work();\n    protocol = call-return;\n  body:\n    $hold\n}\n"
          . "component server like base {\n  param a = <>;\n  profile node type = server;\n}", body => 'call w();', requests => request('w(): ', 'work()'));
  for my $way ([':set', ':set a = <>', ':set a', 1], ['declared again', "param a : $type = <>", '-e', length("param a : $type = ") + 1]) {
    place("session: $way->[0]", $type, %of_param, command => ['-c', 'one.psl', '-e', $way->[1], '-e', 'run'], at => [$way->[2], 1, $way->[3]]);
  }
  unless ($drawn || $list) {
    place('compare --vary', $type, %of_param, command => ['compare', 'one.psl', '--vary', 'a=<>'], at => ['--vary a', 1, 1], figure => qr/ 3\.000 s\b/,
          less => ['(6 byte) / (2 s)']);
    my %study = (body => $hold, session => 'study s', figure => qr/ 3\.000 s\b/);
    place('vary', $type, %of_param, %study, after => "study s of all {\n  vary a in [<>];\n  report makespan;\n}");
    place('vary tied', $type, %study, decl => "param a : $type = $first;\nparam k : int = 1;", after => "study s of all {\n  vary k in 1 .. 1, a = <>;\n  report makespan;\n}");
  }

  # ---- statements ----
  unless ($drawn) {
    place('assignment', $type, locals => "var a : $type = $first;", body => "a = <>;\n$hold");
    place('item of a list', $type, locals => "var l = [$first];", body => "l[0] = <>;\nlet a = l[0];\n$hold") unless $type eq 'term';
    place('field of a record', $type, locals => "var r = { f = $first };", body => "r.f = <>;\nlet a = r.f;\n$hold") unless $type eq 'term';
  }

  # ---- requests and replies ----
  unless ($drawn) {
    my $work = "transaction work(a : $type);\n" . server('work(a)', $hold);
    my $token = "transaction work(a : $type);\n" . server('work(a)', $hold, undef, 'dataflow');
    my $reply = "transaction work() -> $type;\n";
    my %call = (body => 'call w();', requests => request('w(): ', 'work()'));
    my %ask = (body => "let a = call w();\n$hold", requests => request('w(): ', 'work()'));
    place('argument of a call', $type, coerces => 1, decl => $work, body => 'call w();', requests => request('w(): ', 'work(<>)'));
    place('argument of a label', $type, coerces => 1, decl => $work, body => 'call w(<>);', requests => request('w(b): ', 'work(b)'));
    place('default of a label', $type, coerces => 1, decl => $work, body => 'call w();', requests => request('w(b = <>): ', 'work(b)'));
    place('argument by name of a request', $type, coerces => 1, decl => $work, requests => request('', 'work(a = <>)'));
    place('field of a token', $type, coerces => 1, decl => $token, requests => request('', 'work(<>)', 'dataflow'));
    place('request of a system', $type, coerces => 1, whole => $work . "system all {\n  requests:\n" . request('', 'work(<>)') . "}\n");
    place('default of a parameter', $type, %call, decl => "transaction work(a : $type = <>);\n" . server('work(a)', $hold), body => 'call w();');
    place('reply', $type, %ask, decl => $reply . server('work()', 'return <>;'));
    place('block: return', $type, coerces => 1, %ask, decl => $reply . "transaction other();\ncoercion work -> other {\n  call other();\n  return <>;\n}\n" . server('other()', 'hold 0 s;'));
    place('block: argument', $type, coerces => 1, %call, decl => "transaction work();\ntransaction other(a : $type);\ncoercion work -> other {\n  call other(<>);\n}\n" . server('other(a)', $hold));
    place('block: let', $type, %call, decl => "transaction work();\ntransaction other(a : $type);\ncoercion work -> other {\n  let a : $type = <>;\n  call other(a);\n}\n" . server('other(a)', $hold));

    # ---- attributes ----
    my %attribute = (body => 'call w();', requests => request('w(): ', 'work()'));
    place('attribute', $type, %attribute, decl => attributed($type, { domain => '', name => 'server', profile => ', figure = <>' }, ''));
    place('default of an attribute', $type, %attribute, decl => attributed($type, { domain => ' = <>', name => 'server', profile => '' }, ''));
    place('attribute of like', $type, %attribute, decl => attributed($type, { domain => '', name => 'base', profile => ", figure = $first" }, ''));
    place('attribute that changes', $type, %attribute, decl => attributed($type, { domain => '', name => 'server', profile => ", figure = $first" }, 'profile figure = <>;'));
    place('selector', $type, body => 'call w();', fits => [$good], less => ['3.5', '3.0'], decl => "domain kinds { attribute node type : term; attribute figure : $type; }\ntransaction work();\n"
            . server('work()', 'hold 3 s;', "domain = kinds, node type = server, figure = $good"), requests => request('w(): ', 'work()') =~ s/node type = server/domain = kinds, figure = <>/r);
    place('selector: a list', $type, body => 'call w();', fits => [$good], less => ['3.5', '3.0'], decl => "domain kinds { attribute node type : term; attribute figure : $type; }\ntransaction work();\n"
            . server('work()', 'hold 3 s;', "domain = kinds, node type = server, figure = $good"), requests => request('w(): ', 'work()') =~ s/node type = server/domain = kinds, figure in [<>]/r) unless $list;

    # ---- allowed values ----
    next if $list;
    place('allowed values of a param', $type, less => ['3.0', '[3]', '{ a = 3 }'], decl => "param a : $type = $good in [<>];", body => $hold);
    place('allowed values of a parameter', $type, less => ['3.0'], decl => "transaction work(a : $type in [<>]);\n" . server('work(a)', $hold), body => 'call w();', requests => request('w(): ', "work($good)"));
    place('allowed values of an attribute', $type, less => ['3.0'], %attribute, decl => attributed($type, { domain => ' in [<>]', name => 'server', profile => ", figure = $good" }, ''));
  }
}

# ---- places of one type ----
my %time_wrong = (wrong => ['3 byte', '3', '"3 s"', '[3 s]', 'true', '{ a = 3 s }', '1.5 point', 'hardware']);
my %served = (body => 'call w();', requests => request('w(): ', 'work()'));
place('hold', 'time', body => 'hold <>;', fits => ['3 s', '3000 ms', 'constant(3 s)', '2 s .. 4 s'], figure => qr/^predicted time +3\.000 s/m);
place('delay', 'time', decl => "transaction work();\n" . server('work()', 'hold 0 s;'), fits => ['3 s', '3000 ms', 'constant(3 s)'], requests => request('', 'work()') =~ s/    protocol/    delay = <>;\n    protocol/r);
place('visits', 'real', decl => "transaction work();\n" . server('work()', 'hold 1 s;'), fits => ['3', '3.0', '300 %', 'constant(3)'], requests => request('', 'work()') =~ s/    protocol/    visits = <>;\n    protocol/r);
place('where of a request', 'bool', decl => "transaction work();\n" . server('work()', 'hold 3 s;'), requests => "    where <>;\n" . request('', 'work()'));
place('while', 'bool', locals => 'var n = 0;', fits => ['n < 3'], body => 'while <> { hold 1 s; n = n + 1; }');
place('if', 'bool', body => 'if <> { hold 3 s; }');
place('if in an expression', 'bool', body => 'hold if <> then 3 s else 0 s;');
place('assert', 'bool', body => "hold 3 s;\nassert <>;");
place('assert of a model', 'bool', decl => 'assert <>;', body => 'hold 3 s;');
place('not', 'bool', body => 'if not (<>) { hold 1 s; } else { hold 3 s; }');
place('a chance', 'real', fits => ['1', '1.0', '100 %'], wrong => ['1 s', '"1"', '[1]', 'true', '{ a = 1 }', 'uniform(0, 1)', 'hardware', '1.5 point'], body => 'one of { <> { hold 3 s; } 0 { } }');
place('for', 'int', body => 'for i in 1 .. <> { hold 1 s; }', wrong => ['3 s', '"3"', '[3]', 'true', '3.5', 'constant(3)']);
place('for by', 'int', fits => ['1', '3 - 2'], wrong => ['1 s', '"1"', '[1]', 'true', '1.5'], body => 'for i in 1 .. 3 by <> { hold 1 s; }');
place('for over a list', '[time]', body => 'for t in <> { hold t; }', wrong => ['3 s', '3', '"abc"', 'true', '[1, 2]', '{ a = 1 s }'], less => ['[1, 2]']);
place('record', 'real', body => "hold 3 s;\nrecord r = <>;", fits => ['3', '3 s', '1.5 point', 'constant(3)'], wrong => ['"3"', '[3]', 'true', '{ a = 3 }', 'hardware']);
place('an operand of +', 'time', body => 'hold 0 s + <>;', %time_wrong);
place('an index of a list', 'int', fits => ['1', '2 - 1'], wrong => ['1 s', '1.0', '"1"', '[1]', 'true'], decl => 'let l = [1 s, 3 s];', body => 'hold l[<>];');

# ---- facilities ----
my $facility = sub { my ($clause, $body) = @_; return "transaction work();\n" . server('work()', $body // 'hold 3 s;') =~ s/  body/    $clause\n  body/r };
place('servers', 'int', %served, fits => ['1', '4 - 1'], wrong => ['1 s', '1.5', '"1"', '[1]', 'true', 'hardware', 'constant(1)'], decl => $facility->('servers = <>;'));
place('quantum', 'time', %served, decl => $facility->("servers = 1;\n    discipline = round-robin(<>);"), %time_wrong);
place('rates', '[real]', %served, fits => ['[1]', '[1.0, 2]'], wrong => ['[1 s]', '1', '["a"]', '[true]', '"a"', '[[1]]'], decl => $facility->("servers = 1;\n    discipline = processor-sharing(<>);"));
place('firing rule', 'bool', %served, decl => $facility->('firing rule = <>;'));
place('index set', 'bool', whole => "transaction work();\n" . server('work()', 'hold 3 s;') =~ s/component server/component server [i] : 0 <= i < 1 and <>/r . "system all {\n  requests:\n" . request('', 'work()') . "}\n");
place('bound of an index', 'int', fits => ['1', '3 - 2'], wrong => ['1 s', '"1"', '[1]', 'true', '{ a = 1 }'],
      whole => "transaction work();\n" . server('work()', 'hold 3 s;') =~ s/component server/component server [i] : 0 <= i < <>/r . "system all {\n  requests:\n" . request('', 'work()') . "}\n");
place('priority', 'real', %served, fits => ['3', '3.5'], wrong => ['"3"', '[3]', 'true', '{ a = 3 }', 'hardware'], decl => "transaction work(priority : real = <>);\n" . server('work(priority)', 'hold 3 s;') =~ s/  body/    servers = 1;\n    discipline = priority;\n  body/r);

# ---- parameters that nobody declares: the error is where the value is given, or where it is computed with ----
for my $use (['hold', 'hold a;'], ['let', 'let b : time = a; hold b;'], ['argument', 'hold twice(a) / 2;'], ['branch', 'hold if clock < 1 s then a else 0 s;'],
             ['comparison', 'if a == 3 s { hold 3 s; }'], ['var', 'v = a; hold v;'], ['passed on', 'call on(a);'], ['delay', 'call late(a);'],
             ['evaluator', 'hold LogGP.wire(0 byte, a, 1 s/byte, 1 s/byte);'], ['attribute', 'profile speed = a; hold 3 s;']) {
  place("undeclared: $use->[0]", 'time', fits => ['3 s', '3000 ms'], wrong => ['3 byte', '3', '1.5 point'], body => 'call w();', requests => request('w(): ', 'work(<>)'),
    decl => "use LogGP;\nfunction twice(t : time) -> time = 2 * t;\ntransaction typed(t : time);\n"
      . server('work(a)', $use->[1], "$server_profile, speed = 1 s") =~ s/\{\n/{\n  var v = 0 s;\n/r =~ s/\}\n\z/  requests:\n    on(q): selector = { node type = last };\n    transaction = typed(q);\n    protocol = call-return;\n    late(q): selector = { node type = last };\n    transaction = typed(0 s);\n    delay = q;\n    protocol = call-return;\n}\n/r
      . server('typed(t)', 'hold t;', 'domain = hardware, node type = last') =~ s/component server/component target-of-it/r);
}

# ---- distributions, built-in functions ----
place('exponential', 'time', body => 'hold mean(exponential(<>));', %time_wrong);
place('uniform, first', 'time', body => 'hold mean(uniform(<>, 3 s));', %time_wrong);
place('uniform, second', 'time', body => 'hold mean(uniform(3 s, <>));', wrong => [grep { $_ ne '3' } @{ $time_wrong{wrong} }]);
place('erlang, phases', 'int', body => 'hold mean(erlang(<>, 3 s));', wrong => ['3 s', '"3"', '[3]', 'true', 'hardware', '1.5 point']);
place('normal, deviation', 'time', body => 'hold mean(normal(3 s, <>));', %time_wrong);
place('bernoulli', 'real', fits => ['1', '100 %'], wrong => ['1 s', '"1"', '[1]', 'true', 'hardware', '1.5 point'], body => 'hold 3 * mean(bernoulli(<>)) * (1 s);');
place('empirical', '[time]', fits => ['[3 s]', '[2 s, 4000 ms]'], body => 'hold mean(empirical(<>));', wrong => ['[3 byte]', '[3]', '3 s', '"abc"', '["a"]', '[true]']);
place('weights', '[real]' , fits => ['[1, 1]', '[0.5, 0.5]'], body => 'hold mean(empirical([2 s, 4 s], <>));', wrong => ['[1 s, 1 s]', '1', '"abc"', '["a", "b"]', '[true, true]']);
place('sqrt', 'real', fits => ['9', '9.0'], wrong => ['"9"', '[9]', 'true', '{ a = 9 }', 'hardware'], body => 'hold sqrt(<>) * (1 s);');
place('log2', 'real', fits => ['8', '800 %'], wrong => ['8 s', '"8"', '[8]', 'true', '1.5 point'], body => 'hold log2(<>) * (1 s);');
place('max', 'time', body => 'hold max(1 s, <>);', wrong => ['3 byte', '3', '"3 s"', '[3 s]', 'true', '1.5 point']);
place('sum', '[time]', body => 'hold sum(<>);', wrong => ['[1 byte]', '3 s', '"abc"', '["a"]', '[true]', 'true']);
place('length', 'string', fits => ['"abc"', '[1, 2, 3]'], wrong => ['3', '3 s', 'true', 'hardware'], body => 'hold length(<>) * (1 s);');
place('interpolate', 'real', fits => ['1', '1.0'], wrong => ['1 s', '"1"', '[1]', 'true'], body => 'hold interpolate([0, 2], [2 s, 4 s], <>);');
place('sum over a range', 'int', body => 'hold sum(i in 1 .. <> : 1 s);', wrong => ['3 s', '"3"', '[3]', 'true', '3.5']);

# ---- evaluators ----
place('evaluator: a message', 'data', decl => 'use LogGP;', fits => ['3000 byte', '3 kB'], wrong => ['3 s', '3', '"3"', '[3 byte]', 'true', 'hardware'],
      body => 'hold LogGP.wire(<>, 0 s, 1 ms/byte, 1 ms/byte);');
place('evaluator: a time', 'time', decl => 'use LogGP;', body => 'hold LogGP.wire(0 byte, <>, 1 s/byte, 1 s/byte);', %time_wrong);
place('evaluator: an int', 'int', decl => 'use LoPC;', fits => ['0', '1 - 1'], wrong => ['0 s', '0.5', '"0"', '[0]', 'true', 'hardware'],
      body => 'hold LoPC.cycle(<>, [3 s], [0], 0 s, 1 ns);');
place('evaluator: a list', '[time]', decl => 'use LoPC;', fits => ['[3 s]'], wrong => ['[3 byte]', '[3]', '3 s', '"a"', '["a"]'], body => 'hold LoPC.cycle(0, <>, [0], 0 s, 1 ns);');

# ---- processes ----
my $processes = "use processes;\ncomponent memory like storage {\n  param capacity = 5;\n  profile node type = memory;\n}";
my $take = sub { my ($transaction) = @_; "    take(): selector = { node type = memory };\n    transaction = $transaction;\n    protocol = call-return;\n" };
place('capacity', 'real', decl => $processes =~ s/5/<>/r, body => "call take();\nhold 3 s;", requests => $take->('allocate(1)'));
place('amount', 'real', decl => $processes, body => "call take();\nhold 3 s;", requests => $take->('allocate(<>)'), coerces => 1);
place('patience', 'time', decl => $processes, body => "let got = call take();\nassert not got;", requests => $take->('timed-wait(<>)') =~ s/memory/event/r, coerces => 1, wrong => ['3 byte', '3', '"3 s"', 'true', '{ a = 3 s }', 'hardware']);
place('mailbox', 'int', decl => $processes, body => "call take();\nlet m = call get();\nhold m * (1 s);",
      requests => $take->('send-message(<>)') =~ s/memory/mailbox/r . $take->('receive-message()') =~ s/memory/mailbox/r =~ s/take/get/r, coerces => 1);

# ---- functions of C ----
place('C: real', 'real', decl => "extern \"libm.so.6\" {\n  function hypot(x : real, y : real) -> real;\n}", body => 'hold hypot(<>, 0) * (1 s);');
place('C: time', 'time', decl => "extern \"libm.so.6\" {\n  function hypot(x : time, y : time) -> time;\n}", body => 'hold hypot(<>, 0 s);');
place('C: int32', 'int', decl => "extern \"libc.so.6\" {\n  function abs(x : int32) -> int32;\n}\nfunction f(x : int) -> int = abs(x);", body => 'hold f(<>) * (1 s);');
place('C: string', 'string', decl => "extern \"libc.so.6\" {\n  function strlen(x : string) -> uint64;\n}", body => 'hold strlen(<>) * (1 s);');
place('C: result', 'real', decl => "extern \"libm.so.6\" {\n  function fabs(x : real) -> real;\n}\nlet a : real = fabs(<>);", body => 'hold a * (1 s);');

# ---- studies ----
my %study = (session => 'study s', figure => qr/ 3\.000 s\b/, body => 'hold 3 s;', decl => 'param n : int = 1;');
my $study = sub { my (@items) = @_; "study s of all {\n  vary n in 1 .. 1;\n  report makespan;\n" . join('', map { "  $_\n" } @items) . '}' };
place('study: where', 'bool', %study, after => $study->('where <>;'));
place('study: assert', 'bool', %study, after => $study->('assert <>;'));
place('study: minimize', 'real', %study, fits => ['3', '3 s', 'makespan'], wrong => ['"3"', '[3]', 'true', '{ a = 3 }'], after => $study->('minimize best = <>;'));
place('study: repetitions', 'int', %study, after => $study->('repetitions = <>;'), figure => qr/3\.000 s/, less => ['[3]', '{ a = 3 }']);
place('study: seed', 'int', %study, after => $study->('seed = <>;'), less => ['[3]', '{ a = 3 }']);
place('study: a bound', 'int', %study, fits => ['3'], wrong => ['3 s', '"3"', '[3]', 'true'], after => "study s of all {\n  vary n in 3 .. <>;\n  report makespan;\n}");
place('study: a step', 'int', %study, fits => ['3'], wrong => ['3 s', '"3"', '[3]', 'true'], after => "study s of all {\n  vary n in 1 .. 1 by <>;\n  report makespan;\n}");
place('study: plot against', 'int', %study, fits => ['n', '3', '3 s'], wrong => ['absent', 'n + 1 s'], after => $study->('plot makespan against <>;'));
place('study: plot', 'int', %study, fits => ['makespan', '3'], wrong => ['"3"', '[3]', 'true', '{ a = 3 }'], after => $study->('plot <> against n;'));

# ---- fits, and their tables ----
my $fit = sub { my ($p, $y) = @_; "fit f(t : time) -> time {\n  terms t;\n  at 1 s: 2 s;\n  at $p: $y;\n}" };
place('fit: a point', 'time', decl => $fit->('<>', '6 s'), body => 'hold f(1.5 s);', %time_wrong);
place('fit: a measurement', 'time', decl => $fit->('1.5 s', '<>'), body => 'hold f(1.5 s);', %time_wrong);
place('fit: where', 'bool', decl => $fit->('3 s', '6 s') =~ s/terms/where <>;\n  terms/r, body => 'hold f(1.5 s);');
place('fit: a term', 'real', decl => $fit->('3 s', '6 s') =~ s/terms t/terms <>/r, body => 'hold 3 s;', fits => ['t', '1', 't^2'], wrong => ['"3"', '[3]', 'true', '{ a = 3 }', 'hardware']);
my $table = sub { my ($unit, @cells) = @_; return { 'costs.csv' => "t [s], y [$unit]\n1, $cells[0]\n2, $cells[1]\n" } };
my $read = "fit f(t : time) -> time from \"costs.csv\" {\n  terms t;\n  column = \"y\";\n}";
place('table: a cell', 'real', decl => $read, body => 'hold f(1 s);', files => $table->('s', 3, '<>'), fits => ['6', '6.0', '6e0'], wrong => ['six', '"six"', '6 s', '[6]', '1/0', 'nan', 'inf']);
place('table: a unit', 'real', decl => $read, body => 'hold f(1 s);', files => $table->('<>', 3000, 6000), fits => ['ms'], wrong => ['kB', 'nothing', '3', 'ms^2', '%']);
judge();
finish();
