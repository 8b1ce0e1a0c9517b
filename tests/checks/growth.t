#!/usr/bin/perl
# What an input can have many of costs in proportion, or little more: four times as many of a kind take the processor's
# time of less than eight times as long, which what is quadratic does not keep. A run on a busy machine takes longer than it
# needs, so the shortest of several counts. Sanitizers' own costs grow otherwise: with them it is only run.
#
#   PSL_GROWTH=KIND tests/checks/growth.t     the kinds whose name matches, with what each took
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

my $folder = scratch();
my $size = $ENV{PSL_GROWTH_SIZE} || 3000;
my $short = 0.1; # s that are no matter; what is quadratic takes more, or next to nothing a step
my $most_runs = 6; # before it counts as quadratic

# A list of things by number, joined.
sub each_of { my ($n, $glue, $make) = @_; return join $glue, map { $make->($_) } 1 .. $n }
sub lines { my ($n, $make) = @_; return each_of($n, "\n", $make) . "\n" }

my $profile = sub { "profile = { domain = d, node type = $_[0] };" };
my $accept = sub { my ($type, $transaction) = @_;
  return "accepts: " . $profile->($type) . " transaction = " . ($transaction // 'go()') . "; protocol = call-return;" };
my $request = sub { my ($label, $type, $transaction) = @_; $label .= ': ' if $label;
  return "${label}selector = { domain = d, node type = $type }; transaction = " . ($transaction // 'go()') .
    "; protocol = call-return;" };
my $system = 'system s { requests: ' . $request->('', 'a') . ' }';
my $head = "transaction go();\n";
my $farm = "param x : int = 1;\n${head}component a { " . $accept->('a') . " body: hold x * 1 s; }\n$system\n";

# A model of one component whose parts are given.
sub one { my ($before, $inside, $body, $rest) = @_;
  return "$head$before component a { $inside\n" . $accept->('a') . "\nbody: $body\n" . ($rest // '') . "}\n$system\n" }

# A component that calls each of n, which are told apart by what a request wants and an accept has.
sub providers { my ($n, $wanted, $offered, $index, $transaction) = @_;
  return one('', '', each_of($n, ' ', sub { "call r$_[0]();" }),
    'requests: ' . lines($n, sub { "r$_[0]: selector = { domain = d, @{[$wanted->($_[0])]} }; transaction = @{[$transaction ? $transaction->($_[0]) : 'go()']}; protocol = call-return;" })) .
    lines($n, sub { "component b$_[0] @{[$index // '']} { @{[$offered->($_[0])]} body: hold 1 s; }" }) }

# kind => what is run for n of it: a model and `psl ARGUMENTS` with the model's path for FILE, or a text on standard input
my %kind = (
  'tokens by sender' => sub { my $n = shift; ['run FILE', "${head}transaction all(every x : int);
    component a [i] : 0 <= i < 2 { accepts: profile = { domain = d, node type = a }; transaction = go(); protocol = dataflow;
      body: for k in 1 .. $n { hold i * 1 s; call give(k); }
      requests: give(k): selector = { domain = d, node type = sink }; transaction = all(k); protocol = dataflow; }
    component sink { accepts: profile = { domain = d, node type = sink }; transaction = all(x); protocol = dataflow; body: let y = x; }
    system s { requests: every selector = { domain = d, node type = a }; transaction = go(); protocol = dataflow; }\n"] },
  'tokens out of order' => sub { my $n = 2 * shift; ['run FILE', "${head}transaction one(x : int);
    component a { accepts: profile = { domain = d, node type = a }; transaction = go(); protocol = dataflow; body: for k in 1 .. $n { call give(k); }
      requests: give(k): selector = { domain = d, node type = sink }; transaction = one(k); delay = (k * 7919 mod $n) * 1 s; protocol = dataflow; }
    component sink { accepts: profile = { domain = d, node type = sink }; transaction = one(x); protocol = dataflow; body: hold 1 ms; }
    system s { requests: selector = { domain = d, node type = a }; transaction = go(); protocol = dataflow; }\n"] },
  'blank lines'      => sub { my $n = shift; ['check FILE', "\n" x $n . $farm] },
  'comments'         => sub { my $n = shift; ['check FILE', lines($n, sub { "// comment $_[0]" }) . $farm] },
  'docs'             => sub { my $n = shift; ['check FILE', lines($n, sub { "/// doc $_[0]" }) . $farm] },
  'docs of params'   => sub { my $n = shift; ['params FILE', lines($n, sub { "param p$_[0] : int = 1; /// doc $_[0]" }) . $farm] },
  'names on a line'  => sub { my $n = shift; ['check FILE', $farm . each_of($n, ' ', sub { "let l$_[0] = $_[0];" })] },
  'errors on a line' => sub { my $n = shift; ['check FILE', $farm . each_of($n, ' ', sub { "let l$_[0] = u$_[0];" })] },
  'syntax errors'    => sub { my $n = shift; ['check FILE', $farm . lines($n, sub { "let l$_[0] = ;" })] },
  'warnings'         => sub { my $n = shift; ['check FILE', $head . lines($n, sub { "component c$_[0] { " . $accept->("c$_[0]") . ' body: } ' }) . $farm =~ s/\Q$head//r] },
  'unknown names'    => sub { my $n = shift; ['check FILE', $farm . lines($n, sub { "let l$_[0] = u$_[0];" })] },
  'twice defined'    => sub { my $n = shift; ['check FILE', $farm . lines($n, sub { 'let l = 1;' })] },
  'sum'              => sub { my $n = shift; ['check FILE', $farm . 'let l = ' . each_of($n, ' + ', sub { 1 }) . ';'] },
  'brackets'         => sub { my $n = shift; ['check FILE', $farm . 'let l = ' . '(' x $n . '1' . ')' x $n . ';'] },
  'sets'             => sub { my $n = shift; ['run FILE ' . each_of($n / 20, ' ', sub { "--set p$_[0]=2" }), lines($n / 20, sub { "param p$_[0] : int = 1;" }) . $farm] },
  'params'           => sub { my $n = shift; ['run FILE', lines($n, sub { "param p$_[0] : int = 1;" }) . $farm] },
  'params listed'    => sub { my $n = shift; ['params FILE', lines($n, sub { "param p$_[0] : int = 1 in 0 .. 5;" }) . $farm] },
  'params formatted' => sub { my $n = shift; ['fmt FILE', lines($n, sub { "param p$_[0] : int = 1;" }) . $farm] },
  'params as tree'   => sub { my $n = shift; ['ast FILE', lines($n, sub { "param p$_[0] : int = 1;" }) . $farm] },
  'chain of params'  => sub { my $n = shift; ['run FILE', 'param p0 : int = 1; ' . lines($n, sub { "param p$_[0] : int = " . ($_[0] % 500 ? 'p' . ($_[0] - 1) : 0) . ' + 1;' }) . $farm] },
  'lets'             => sub { my $n = shift; ['run FILE', lines($n, sub { "let l$_[0] = x + $_[0];" }) . $farm] },
  'chain of lets'    => sub { my $n = shift; ['run FILE', 'let l0 = x; ' . lines($n, sub { "let l$_[0] = " . ($_[0] % 500 ? 'l' . ($_[0] - 1) : 0) . ' + 1;' }) . $farm] },
  'chain of functions' => sub { my $n = shift; ['run FILE', 'function f0(x : int) = x; ' . lines($n, sub { "function f$_[0](x : int) = " . ($_[0] % 500 ? 'f' . ($_[0] - 1) . '(x)': 0) . ' + 1;' }) . lines($n, sub { "let l$_[0] = f$_[0](1);" }) . $farm] },
  'functions'        => sub { my $n = shift; ['run FILE', lines($n, sub { "function f$_[0](x : int) = x + $_[0]; let l$_[0] = f$_[0](1);" }) . $farm] },
  'parameters of a function' => sub { my $n = shift; ['run FILE', 'function f(' . each_of($n, ', ', sub { "x$_[0] : int" }) . ') = x1; let l = f(' . each_of($n, ', ', sub { $_[0] }) . ");\n$farm"] },
  'named arguments'  => sub { my $n = shift; ['run FILE', 'function f(' . each_of($n, ', ', sub { "x$_[0] : int" }) . ') = x1; let l = f(' . each_of($n, ', ', sub { "x$_[0] = $_[0]" }) . ");\n$farm"] },
  'units'            => sub { my $n = shift; ['check FILE', lines($n, sub { "unit u$_[0] = $_[0] s; let l$_[0] = 3 u$_[0];" }) . $farm] },
  'chain of units'   => sub { my $n = shift; ['check FILE', 'unit u0 = 1 s; ' . lines($n, sub { "unit u$_[0] = " . ($_[0] % 500 ? '1 u' . ($_[0] - 1) : '1 s') . ';' }) . $farm] },
  'strings'          => sub { my $n = shift; ['check FILE', lines($n, sub { "let l$_[0] = \"text $_[0]\";" }) . $farm] },
  'parts of a string' => sub { my $n = shift; ['run FILE', one('', '', 'let text = "' . each_of($n, ' ', sub { "{clock}" }) . '"; assert length(text) > 0;')] },
  'list items'       => sub { my $n = shift; ['run FILE', 'let l = [' . each_of($n, ', ', sub { $_[0] }) . "]; let s = sum(l);\n$farm"] },
  'list of words'    => sub { my $n = shift; ['run FILE', 'let l = [' . each_of($n, ', ', sub { "\"w$_[0]\"" }) . "];\n$farm"] },
  'record fields'    => sub { my $n = shift; ['run FILE', 'let l = {' . each_of($n, ', ', sub { "f$_[0] = $_[0]" }) . "}; let s = l.f1;\n$farm"] },
  'fields read'      => sub { my $n = 0.8 * shift; ['run FILE', 'let l = {' . each_of($n, ', ', sub { "f$_[0] = $_[0]" }) . "};\n" . lines($n, sub { "let s$_[0] = l.f$_[0];" }) . $farm] },
  'asserts'          => sub { my $n = shift; ['run FILE', lines($n, sub { "assert x < $_[0] + 1;" }) . $farm] },
  'domains'          => sub { my $n = shift; ['run FILE', lines($n, sub { "domain d$_[0] { attribute at$_[0] : int; }" }) . $farm] },
  'attributes'       => sub { my $n = shift; ['run FILE', 'domain d { attribute node type : term; ' . lines($n, sub { "attribute at$_[0] : int = $_[0];" }) . "}\n$farm"] },
  'profile entries'  => sub { my $n = shift; ['run FILE', $head . 'component a { accepts: profile = { domain = d, node type = a, ' . each_of($n, ', ', sub { "at$_[0] = $_[0]" }) . "}; transaction = go(); protocol = call-return; body: }\n$system"] },
  'selector clauses' => sub { my $n = shift; ['run FILE', $head . 'component a { ' . $accept->('a') . ' body: } system s { requests: selector = { ' . each_of($n, ', ', sub { 'node type = a' }) . '}; transaction = go(); protocol = call-return; }'] },
  'transactions'     => sub { my $n = shift; ['run FILE', lines($n, sub { "transaction t$_[0](n : int = 1);" }) . $farm] },
  'coercions'        => sub { my $n = shift; ['run FILE', lines($n, sub { "unit u$_[0]; " if $_[0] < 4 }) . lines($n, sub { "coercion u@{[1 + $_[0] % 3]} -> time in d$_[0] = value * 1 s / 1 u@{[1 + $_[0] % 3]};" }) . $farm] },
  'components'       => sub { my $n = shift; ['run FILE', lines($n, sub { "component c$_[0] { " . $accept->("c$_[0]") . ' body: hold 1 s; }' }) . $farm] },

  'chain of components' => sub { my $n = shift; $n = 4 * int $n / 20; ['run FILE', one('', '', 'call r();', 'requests: ' . $request->('r', 'c1')) . lines($n, sub { "component c$_[0] { " . $accept->("c$_[0]") . ($_[0] < $n && $_[0] % 100 ? 'body: call r(); requests: ' . $request->('r', 'c' . ($_[0] + 1)) : 'body: hold 1 s;') . '}' })] },
  'likes'            => sub { my $n = shift; ['run FILE', $farm . lines($n, sub { "component c$_[0] like a { profile node type = c$_[0]; }" })] },
  'accepts'          => sub { my $n = shift; ['run FILE', $head . 'component a { ' . lines($n, sub { $accept->($_[0] == 1 ? 'a' : "c$_[0]") . ' body: hold 1 s;' }) . "}\n$system"] },
  'requests'         => sub { my $n = shift; ['run FILE', one('', '', 'call r1();', "requests:\n" . lines($n, sub { $request->("r$_[0]", 'b') })) . 'component b { ' . $accept->('b') . ' body: hold 1 s; }'] },
  'providers explained' => sub { ['explain FILE', providers($_[0], sub { "node type = t$_[0]" }, sub { $accept->("t$_[0]") })] },
  'requests explained' => sub { my $n = shift; ['explain FILE', one('', '', 'call r1();', "requests:\n" . lines($n, sub { $request->("r$_[0]", 'b') })) . 'component b { ' . $accept->('b') . ' body: hold 1 s; }'] },
  'requests drawn'   => sub { my $n = shift; ['graph FILE', one('', '', 'call r1();', "requests:\n" . lines($n, sub { $request->("r$_[0]", 'b') })) . 'component b { ' . $accept->('b') . ' body: hold 1 s; }'] },
  'requests of the system' => sub { my $n = shift; ['run FILE', $farm =~ s/system.*//sr . "system s { requests:\n" . lines($n, sub { $request->('', 'a') }) . '}'] },
  'providers by type' => sub { my $n = shift; $n /= 2; ['run FILE', providers($n, sub { "node type = b$_[0]" }, sub { $accept->("b$_[0]") })] },
  'providers by type listed' => sub { my $n = shift; $n /= 2; ['params FILE', 'param x : int = 1; ' . providers($n, sub { "node type = b$_[0]" }, sub { $accept->("b$_[0]") })] },
  'providers by number' => sub { my $n = shift; $n /= 2; ['run FILE', providers($n, sub { "number = $_[0]" }, sub { $accept->('b') =~ s/ }/, number = $_[0] }/r })] },
  'providers by index' => sub { my $n = shift; $n /= 2; ['run FILE', providers($n, sub { "node type = b$_[0], number = 2" }, sub { $accept->("b$_[0]") =~ s/ }/, number = 2 * i }/r }, '[i] : 0 <= i < 2')] },
  'providers by transaction' => sub { my $n = shift; $n /= 2; ['run FILE', each_of($n, '', sub { "transaction t$_[0]();\n" }) . providers($n, sub { 'node type = b' }, sub { $accept->('b', "t$_[0]()") }, '', sub { "t$_[0]()" })] },
  'unanswered requests' => sub { my $n = shift; ['run FILE', one('', '', 'call r1();', "requests:\n" . lines($n, sub { $request->("r$_[0]", "b$_[0]") }))] },
  'instances'        => sub { my $n = shift; ['run FILE', "component b [i] : 0 <= i < $n { " . $accept->('b') . ' body: hold 1 s; }' . $farm] },
  'instances by a drawn number' => sub { my $n = shift; ['run FILE', "component b [i] : 0 <= i < $n { accepts: profile = { node type = b, number = i }; transaction = go(); protocol = call-return; body: hold 1 s; }\n" .
    one('', '', "for k in 1 .. $n { call r(draw(uniform-int(0, $n - 1))); }", 'requests: r(x): selector = { node type = b, number = x }; transaction = go(); protocol = call-return;')] },
  'instances called' => sub { my $n = shift; ['run FILE', "component b [i] : 0 <= i < $n { " . $accept->('b') . " body: hold 1 s; }\n" . one('', '', 'call r();', 'requests: r: every selector = { node type = b }; transaction = go(); protocol = call-return;')] },
  'component params' => sub { my $n = shift; ['run FILE', one('', lines($n, sub { "param p$_[0] : int = $_[0];" }), 'hold p1 * 1 s;')] },
  'component lets'   => sub { my $n = shift; ['run FILE', one('', lines($n, sub { "let l$_[0] = $_[0];" }), 'hold l1 * 1 s;')] },
  'component vars'   => sub { my $n = shift; ['run FILE', one('', lines($n, sub { "var v$_[0] = $_[0];" }), each_of($n, ' ', sub { "v$_[0] = 2;" }))] },
  'body lets'        => sub { my $n = shift; ['run FILE', one('', '', lines($n, sub { "let l$_[0] = clock + $_[0] * 1 s;" }))] },
  'body lets with the reference engine' => sub { my $n = shift; ['run FILE --reference', one('', '', lines($n, sub { "let l$_[0] = clock + $_[0] * 1 s;" }))] },
  'holds'            => sub { my $n = shift; ['run FILE', one('', '', lines($n, sub { "hold $_[0] * 1 s;" }))] },
  'ifs'              => sub { my $n = shift; ['run FILE', one('', '', lines($n, sub { "if clock < $_[0] * 1 s { hold 1 s; }" }))] },
  'else ifs'         => sub { my $n = shift; $n /= 4; ['run FILE', one('', '', each_of($n, ' else ', sub { "if clock > $_[0] * 1 s { hold 1 s; }" }))] },
  'chances'          => sub { my $n = shift; ['run FILE', one('', '', 'one of { ' . each_of($n, ' ', sub { "1 / $n { hold 1 s; }" }) . ' }')] },
  'records'          => sub { my $n = shift; ['run FILE', one('', '', lines($n, sub { "record r$_[0] = $_[0];" }))] },
  'records as JSON'  => sub { my $n = shift; ['run FILE --format json', one('', '', lines($n, sub { "record r$_[0] = $_[0];" }))] },
  'columns'          => sub { my $n = shift; ['study FILE', $farm . 'study t of s { vary x in 1 .. 2; report ' . each_of($n, ', ', sub { "c$_[0] = makespan" }) . '; }'] },
  'columns as CSV'   => sub { my $n = shift; ['study FILE --format csv', $farm . 'study t of s { vary x in 1 .. 2; report ' . each_of($n, ', ', sub { "c$_[0] = makespan" }) . '; }'] },
  'columns as JSON'  => sub { my $n = shift; ['study FILE --format json', $farm . 'study t of s { vary x in 1 .. 2; report ' . each_of($n, ', ', sub { "c$_[0] = makespan" }) . '; }'] },
  'objectives'       => sub { my $n = shift; ['study FILE', $farm . 'study t of s { vary x in 1 .. 2;' . each_of($n, ' ', sub { "minimize c$_[0] = makespan;" }) . ' }'] },
  'study assertions' => sub { my $n = shift; ['study FILE', $farm . 'study t of s { vary x in 1 .. 2; report m = makespan;' . each_of($n, ' ', sub { "assert m > 0 s;" }) . ' }'] },
  'plots'            => sub { my $n = shift; ['study FILE', $farm . 'study t of s { vary x in 1 .. 2; report m = makespan;' . each_of($n, ' ', sub { "plot m against x;" }) . ' }'] },
  'axes'             => sub { my $n = shift; ['study FILE', lines($n, sub { "param p$_[0] : int = $_[0];" }) . $farm . 'study t of s { vary x in 1 .. 2, ' . each_of($n, ', ', sub { "p$_[0] in [1]" }) . '; report m = makespan; }'] },
  'tied axes'        => sub { my $n = shift; ['study FILE', lines($n, sub { "param p$_[0] : int = $_[0];" }) . $farm . 'study t of s { vary x in 1 .. 2, ' . each_of($n, ', ', sub { "p$_[0] = x" }) . '; report m = makespan; }'] },
  'points'           => sub { my $n = shift; ['study FILE', $farm . "study t of s { vary x in 1 .. $n; report m = makespan; }"] },
  'points in a list' => sub { my $n = shift; ['study FILE', $farm . 'study t of s { vary x in [' . each_of($n, ', ', sub { $_[0] }) . ']; report m = makespan; }'] },
  'points in a database' => sub { my $n = shift; ['study FILE --db DB', $farm . "study t of s { vary x in 1 .. $n; report m = makespan; }"] },
  'columns in a database' => sub { my $n = shift; ['study FILE --db DB', $farm . 'study t of s { vary x in 1 .. 2; report ' . each_of($n / 4, ', ', sub { "c$_[0] = makespan" }) . '; }'] },
  'arrivals of two sources' => sub { my $n = shift; ["run FILE --set 'solver=simulation[queueing]' --set queueing.half-width=0.1% --max-firings @{[$n * 4]}", two_sources()] },
  'studies'          => sub { my $n = shift; ['study FILE t1', $farm . lines($n / 4, sub { "study t$_[0] of s { vary x in 1 .. 2; report m = makespan; }" })] },
  'studies checked'  => sub { my $n = shift; ['check FILE', $farm . lines($n, sub { "study t$_[0] of s { vary x in 1 .. 2; report m = makespan; }" })] },
  'fits'             => sub { my $n = shift; ['check FILE', $farm . lines($n / 4, sub { "fit f$_[0](n : int) -> real { terms 1, n; at 1: 1; at 2: 2; at 3: 3.1; }" })] },
  'rows of a fit'    => sub { my $n = shift; ['check FILE', $farm . 'fit f(n : int) -> real { terms 1, n; ' . lines($n, sub { "at $_[0]: $_[0];" }) . '}'] },
  'files used'       => sub { my $n = shift; $n /= 20; spew("$folder/used$_.psl", "let used$_ = $_;\n") for 1 .. $n; ['check FILE', lines($n, sub { "use \"used$_[0].psl\";" }) . $farm] },
  'chain of files'   => sub { my $n = shift; $n /= 20; spew("$folder/link$_.psl", ($_ < $n ? 'use "link' . ($_ + 1) . '.psl";' : '') . "let link$_ = $_;\n") for 1 .. $n; ['check FILE', "use \"link1.psl\";\n$farm"] },
  'inputs'           => sub { my $n = shift; ['', '', each_of($n / 4, "\n", sub { "$_[0] + 1" })] },
  'lets of a session' => sub { my $n = shift; ['', '', each_of($n / 8, "\n", sub { "let l$_[0] = $_[0];" })] },
  'redefinitions'    => sub { my $n = shift; ['', '', each_of($n / 8, "\n", sub { "let l = $_[0];" })] },
  'lines of an input' => sub { my $n = shift; ['', '', "let l = [\n" . each_of($n / 4, ",\n", sub { $_[0] }) . "\n];\n"] },
  'CSV rows'         => sub { my $n = shift; ['fit TABLE --terms 1,n', "n,t [s]\n" . lines($n, sub { "$_[0],$_[0]" })] },
  'CSV columns'      => sub { my $n = shift; ['fit TABLE --terms 1,c1 --column c2 --params c1', each_of($n, ',', sub { "c$_[0]" }) . "\n" . join '', map { my $r = $_; each_of($n, ',', sub { $r }) . "\n" } 1 .. 4] },
  'CSV columns fitted' => sub { my $n = shift; $n /= 10; ['fit TABLE --terms 1,c1 --params c1', each_of($n, ',', sub { "c$_[0]" }) . "\n" . join '', map { my $r = $_; each_of($n, ',', sub { $r }) . "\n" } 1 .. 4] },
  'CSV columns of a model' => sub { my $n = shift; spew("$folder/wide.csv", each_of($n, ',', sub { "c$_[0]" }) . "\n" . join '', map { my $r = $_; each_of($n, ',', sub { $r }) . "\n" } 1 .. 4); ['check FILE', "fit f(c1 : int) -> real from \"wide.csv\" { terms 1, c1; column = \"c2\"; }\n$farm"] },
  'given up in line'  => sub { my $n = shift; ['run FILE', given_up($n, 'servers = 1;', 'hold 1e6 s;')] },
  'given up by priority' => sub { my $n = shift; ['run FILE', given_up($n, 'servers = 1; discipline = priority;', 'hold 1e6 s;')] },
  'given up sharing'  => sub { my $n = shift; ['run FILE', given_up($n, 'servers = 1; discipline = processor-sharing;', 'hold 1e6 s;')] },
  'given up at a rule' => sub { my $n = shift; ['run FILE', given_up($n, 'firing rule = false;', '')] },
  'given up at a store' => sub { my $n = shift; ['run FILE', "use processes;\n" . given_up($n, '', 'call it();', 'requests: it(): selector = { domain = processes, node type = store }; transaction = get-item(); protocol = call-return;')] },
  'any of a set'     => sub { my $n = shift; ['run FILE', any_of($n)] },
  'items by a field' => sub { my $n = shift; ['run FILE', items($n / 2, '0')] },
  'items by priority' => sub { my $n = shift; ['run FILE', items($n / 2, "i * 7919 mod $n")] },
  'UML actions'      => sub { my $n = 0.8 * shift; ['check UML', uml($n)] },
  'UML branches'     => sub { my $n = 0.8 * shift; ['check UML', uml_branches($n)] },
);

# Processes that wait in one place, with priorities, and give up one after another, who came last first.
sub given_up { my ($n, $servers, $body, $requests) = @_; $requests //= ''; return <<PSL }
transaction go(); transaction serve(priority : real);
component guest [i] : 0 <= i < $n {
  accepts: profile = { domain = d, node type = guest }; transaction = go(); protocol = dataflow;
  body: first of { hold ($n - i) * 1 s { } call desk((i * 7919 mod $n) * 1.0) { } }
  requests: desk(p): selector = { domain = d, node type = desk }; transaction = serve(p); protocol = call-return;
}
component desk {
  accepts: profile = { domain = d, node type = desk }; transaction = serve(priority); protocol = call-return; $servers
  body: $body
  $requests
}
system s { requests: every selector = { domain = d, node type = guest }; transaction = go(); protocol = dataflow; }
PSL
# The last of n mailboxes, and of n events, is the one that somebody who waits for any gets, each time.
sub any_of { my ($n) = @_; my $last = $n - 1; return <<PSL }
use processes;
transaction go();
component boxes like mailbox-set { param size = $n; profile node type = boxes; }
component bells like event-set { param size = $n; profile node type = bells; }
component guest {
  accepts: profile = { domain = d, node type = guest }; transaction = go(); protocol = dataflow;
  body: for k in 1 .. $n { call send(); let both = call receive(); call ring(); let bell = call hear(); assert both == { member = $last, message = 7 } and bell == $last; }
  requests: send(): selector = { domain = processes, node type = boxes }; transaction = send-to-member($last, 7); protocol = call-return;
    receive(): selector = { domain = processes, node type = boxes }; transaction = receive-from-any(); protocol = call-return;
    ring(): selector = { domain = processes, node type = bells }; transaction = set-member($last); protocol = call-return;
    hear(): selector = { domain = processes, node type = bells }; transaction = wait-for-any(); protocol = call-return;
}
system s { requests: selector = { domain = d, node type = guest }; transaction = go(); protocol = dataflow; }
PSL
# A store with n items, and n who wait there each for one of its own, in another order.
sub items { my ($n, $priority) = @_; return <<PSL }
use processes;
transaction go();
component shelf like store { let item = { number = 0, half = 0.0 }; profile node type = shelf; }
component early [i] : 0 <= i < $n {
  accepts: profile = { domain = d, node type = early }; transaction = go(); protocol = dataflow;
  body: let item = call get($n + i); assert item.number == $n + i; call put(i, $priority);
  requests: put(i, p): selector = { domain = processes, node type = shelf }; transaction = put-item({ number = i, half = i / 2 }, p); protocol = call-return;
    get(i): selector = { domain = processes, node type = shelf }; transaction = get-item(item.number == i); protocol = call-return;
}
component late [i] : 0 <= i < $n {
  accepts: profile = { domain = d, node type = late }; transaction = go(); protocol = dataflow;
  body: hold 1 s; call put(2 * $n - 1 - i, $priority); hold 1 s; let item = call get(($n - 1 - i) * 0.5); assert item.number == $n - 1 - i;
  requests: put(i, p): selector = { domain = processes, node type = shelf }; transaction = put-item({ number = i, half = i / 2 }, p); protocol = call-return;
    get(x): selector = { domain = processes, node type = shelf }; transaction = get-item(item.number >= 0 and item.half == x); protocol = call-return;
}
system s { requests: every selector = { domain = d }; transaction = go(); protocol = dataflow; }
PSL
# Tokens of two sources come to one accept in turn, each before the one that is awaited there.
sub two_sources { return <<'PSL' }
use queueing;
component source [s] : 0 <= s < 2 {
  accepts: profile = { node type = source, evaluation mode = solver }; transaction = arrive(); protocol = dataflow;
  body: if s == 0 { hold exponential(2 s); } else { hold 2 s; }
  requests:
    selector = { node type = visitor, class = all }; transaction = cycle(); protocol = dataflow;
    selector = { node type = source, s = s }; transaction = arrive(); protocol = dataflow;
}
component desk like fcfs-station { param service = exponential(0.5 s); profile number = 0; }
component guest like visitors { param class = all; param visits = [1]; }
system two { requests: every selector = { node type = source }; transaction = arrive(); protocol = dataflow; }
PSL
sub uml_file { my ($inside) = @_; return <<XML }
<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmi:version="20131001" xmlns:xmi="http://www.omg.org/spec/XMI/20131001" xmlns:uml="http://www.eclipse.org/uml2/5.0.0/UML">
<uml:Model xmi:id="m" name="m"><packagedElement xmi:type="uml:Activity" xmi:id="a" name="many">
$inside</packagedElement></uml:Model></xmi:XMI>
XML
sub uml { my ($n) = @_;
  return uml_file('<node xmi:type="uml:InitialNode" xmi:id="n0"/>' . lines($n, sub { "<node xmi:type=\"uml:OpaqueAction\" xmi:id=\"n$_[0]\" name=\"act $_[0]\"/>" }) .
    lines($n, sub { "<edge xmi:type=\"uml:ControlFlow\" xmi:id=\"e$_[0]\" source=\"n@{[$_[0] - 1]}\" target=\"n$_[0]\"/>" })) }
sub uml_branches { my ($n) = @_;
  return uml_file('<node xmi:type="uml:InitialNode" xmi:id="n0"/><node xmi:type="uml:DecisionNode" xmi:id="d"/><node xmi:type="uml:MergeNode" xmi:id="j"/><edge xmi:type="uml:ControlFlow" xmi:id="e" source="n0" target="d"/>' .
    lines($n, sub { "<node xmi:type=\"uml:OpaqueAction\" xmi:id=\"n$_[0]\" name=\"act $_[0]\"/><edge xmi:type=\"uml:ControlFlow\" xmi:id=\"f$_[0]\" source=\"n$_[0]\" target=\"j\"/>" }) .
    lines($n, sub { "<edge xmi:type=\"uml:ControlFlow\" xmi:id=\"e$_[0]\" source=\"d\" target=\"n$_[0]\"><guard xmi:type=\"uml:LiteralString\" value=\"pid == $_[0]\"/></edge>" })) }

# Seconds of the processor that the run of n of it takes, and what came of it.
sub seconds {
  my ($make, $n) = @_;
  my ($arguments, $text, $input) = @{ $make->($n) };
  my ($file, $table, $uml) = map { "$folder/many.$_" } qw(psl csv uml);
  spew($arguments =~ /TABLE/ ? $table : $arguments =~ /UML/ ? $uml : $file, $text);
  spew("$folder/input", $input // '');
  unlink glob "$folder/*.db*";
  $arguments =~ s/\bFILE\b/$file/; $arguments =~ s/\bTABLE\b/$table/; $arguments =~ s/\bUML\b/$uml/; $arguments =~ s{\bDB\b}{$folder/many.db};
  my @before = times;
  my $run = command($folder, "exec $psl $arguments <$folder/input >$folder/output");
  my @after = times;
  return ($after[2] + $after[3] - $before[2] - $before[3], $run);
}

sub least { my ($x, $y) = @_; return defined $x && $x < $y ? $x : $y }

my $wanted = $ENV{PSL_GROWTH};
for my $name (sort keys %kind) {
  next if $wanted && $name !~ /$wanted/;
  my ($few, $many, $run);
  if ($sanitized) { (undef, $run) = seconds($kind{$name}, $size) }
  else {
    for (1 .. $most_runs) {
      (my $took, $run) = seconds($kind{$name}, 4 * $size);
      $many = least($many, $took);
      last if !$wanted && $many < $short;
      $few = least($few, (seconds($kind{$name}, $size))[0]);
      last if $many < 8 * $few + $short;
    }
    printf "# %-30s %6.2f s %6.2f s  %4.1f  exit %s %s\n", $name, $few, $many, $many / ($few || 0.01), $run->{exit}, $run->{err} =~ /^(.{0,150})/ if $wanted;
  }
  ok($run->{exit} =~ /^[01]$/ && ($sanitized || $many < 8 * ($few // 0) + $short), "$name: four times as many",
    ($sanitized ? '' : ($few // 0) . " s, then $many s; ") . "exit $run->{exit}");
}
finish();
