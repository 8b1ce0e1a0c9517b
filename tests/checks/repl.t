#!/usr/bin/perl
# A session as a person has it, through a pseudo-terminal: prompts, lines that go on, TAB, history, Ctrl-C, colours.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;
use Terminal;
$| = 1;

if (!terminals()) {
  skip('a session at a terminal', 'IO::Pty is missing (libio-pty-perl)');
  finish();
}

my $home = home();

sub session {
  my ($environment, @words) = @_;
  return start($environment, "$root/tests/cases/repl", $psl, @words);
}
my $prompt = qr/psl> $/;

sub expect {
  my ($s, $pattern, $name) = @_;
  my $seen = wait_for($s, $pattern);
  ok(defined $seen, $name, substr($s->{text}, $s->{from}) =~ s/\e/ESC/gr);
  return $seen // '';
}

# ---- prompts, answers, lines that go on, Ctrl-C at the prompt ----
my $s = session({ TERM => 'dumb' }, '--allow-native', '-c', 'farm.psl');
expect($s, $prompt, 'a prompt comes');
type($s, "3 us + 2 ms\n");
expect($s, qr/2\.003 ms\r?\npsl> $/, 'an expression prints its value');
type($s, "let part = work /\n");
expect($s, qr/\.\.\.> $/, 'a line that is not whole asks for more');
type($s, "workers\n");
expect($s, $prompt, 'and ends without a semicolon');
type($s, "part\n");
expect($s, qr/5 s\r?\n/, 'what was declared is known');
expect($s, $prompt, 'and the prompt comes again');
type($s, "component c {\n");
expect($s, qr/\.\.\.> $/, 'a component goes on');
type($s, "\n");
expect($s, qr/\.\.\.> $/, 'over an empty line, too');
type($s, "\x03");
expect($s, qr/\^C\r?\npsl> $/, 'Ctrl-C gives it up');
type($s, "1 + \x03");
expect($s, qr/\^C\r?\npsl> $/, 'Ctrl-C clears the line');
type($s, "1 +\n");
expect($s, qr/\.\.\.> $/, 'an expression goes on');
type($s, "\n");
expect($s, qr/session:7:4: error: expected an expression, found the end/, 'an empty line ends it');
expect($s, $prompt, 'and an error does not end the session');
type($s, "wrokers\n");
expect($s, qr/did you mean 'workers'\?\r?\npsl> $/, 'a name that is wrong is said');

# ---- completion ----
type($s, "wor\t\t\t");
expect($s, qr/work\s+worker\s+workers/, 'TAB lists names');
type($s, "ers\n");
expect($s, qr/8\r?\npsl> $/, 'which can be typed on');
type($s, ":par\t\n");
expect($s, qr/:params.*that share the job/s, 'TAB completes a command');
expect($s, $prompt, '...');
type($s, ":set worke\t\x20");
expect($s, qr/:set worker/, 'TAB completes a param');
type($s, "\x15:load far\t\n");
expect($s, qr/:load farm\.psl/, 'TAB completes a path');
expect($s, $prompt, '...');
type($s, "use message\t\n");
expect($s, qr/use message-cost\r?\npsl> $/, 'TAB completes a file of the library');
type($s, "message-cost.tot\t(4 KiB) -> u\t");
expect($s, qr/message-cost\.total\(4 KiB\) -> us/, 'TAB completes a member and a unit');
type($s, "\n");
expect($s, qr/354\.88 us\r?\npsl> $/, 'and the answer is in that unit');
type($s, "run --see\t\x15");
expect($s, qr/run --seed/, 'TAB completes an option');
type($s, "run\n");
expect($s, qr/predicted time  9\.000 s.*psl> $/s, 'the model runs');
for my $begin (":set topology=", "run --set topology=", "compare --vary topology=star,") {
  if ($begin =~ /^:/) { # what is typed before the prompt is the terminal's to edit, and a TAB there completes nothing
    type($s, "use topologies\n");
    wait_for($s, qr/use topologies\r?\npsl> $/);
  }
  type($s, $begin . "fat\t\x15");
  expect($s, qr/\Q$begin\Efat-tree/, "TAB completes a value behind $begin");
}
type($s, "use message-cost\n");
wait_for($s, qr/use message-cost\r?\npsl> $/);
type($s, ":set machine=\t\t");
expect($s, qr/SP2\s+cluster/, 'TAB lists the machines that a param may name');
type($s, "\x15");

type($s, "last.disk\t.firi\t\n");
expect($s, qr{last\.disk-drive\.firings.*\b8\r?\npsl> $}s, 'TAB completes fields of the last result');

# ---- Ctrl-C in a run, which says when it has come to the loop that has no end ----
type($s, "extern \"libc.so.6\" { function puts(text : string) -> int32; }\n");
wait_for($s, $prompt);
type($s, "component spin { accepts: profile = { domain = hardware[spinner] }; transaction = spin(); "
       . "protocol = call-return; body: record line = puts(\"it spins\"); while true { hold 1 ns; } }\n");
expect($s, $prompt, 'a component that runs for ever');
type($s, "transaction spin(); system forever { requests: selector = { domain = hardware[spinner] }; "
       . "transaction = spin(); protocol = call-return; }\n");
expect($s, $prompt, 'and its system');
type($s, "run forever\n");
expect($s, qr/forever.*this loop has no end.*it spins\r?\n/s, 'which runs');
type($s, "\x03");
expect($s, qr/ended by\s+interrupted.*psl> $/s, 'Ctrl-C stops the run, which reports as far as it came');
type($s, "last.makespan > 0 s\n");
expect($s, qr/true\r?\npsl> $/, 'and the session goes on');
type($s, "\x04");
ok(ended($s) eq '0', 'Ctrl-D ends it');

# ---- history over two sessions ----
$s = session({ TERM => 'dumb' });
wait_for($s, $prompt);
type($s, "\x10\x10\x10");
expect($s, qr/run forever/, 'the history of the session before is there');
type($s, "\x15function f(n : int) -> int =\n");
wait_for($s, qr/\.\.\.> $/);
type($s, "n + 1\n");
wait_for($s, $prompt);
type($s, ":quit\n");
ok(ended($s) eq '0', ':quit ends it');
ok(slurp("$home/.local/state/psl/history") =~ /\nfunction f\(n : int\) -> int =\nn \+ 1\n/, 'an input of two lines is one of the history');
$s = session({ TERM => 'dumb', XDG_STATE_HOME => "$home/state" });
wait_for($s, $prompt);
type($s, "42\n");
expect($s, qr/42\r?\n42\r?\npsl> $/, 'an empty history');
type($s, "\x04");
ok(ended($s) eq '0', 'and Ctrl-D');
ok(slurp("$home/state/psl/history") =~ /\n42\n/, 'XDG_STATE_HOME says where it stands');

# ---- what is long goes through the pager; what is lost is asked for ----
spew("$home/pager", "#!/bin/sh\necho \"<\$(wc -l)>\"\n");
chmod 0755, "$home/pager";
$s = session({ TERM => 'vt100', NO_COLOR => '1', PAGER => "$home/pager" }, '-c', 'farm.psl');
wait_for($s, $prompt);
type($s, "run\n");
expect($s, qr/predicted time.*psl> $/s, 'what fits on the screen is shown as it is');
type($s, "ast farm.psl\n");
expect($s, qr/<\d+>\r?\n.*psl> $/s, 'a long text goes through the pager');
type($s, "!echo said; exit 3\n");
expect($s, qr/said\r?\npsl: error: the command ended with status 3\r?\n.*psl> $/s, 'a command of the shell');
type($s, ":clear\n");
expect($s, qr/Forget all that was loaded, declared and set\? \[y\/N\] $/, ':clear asks');
type($s, "no\n");
wait_for($s, $prompt);
type($s, "workers\n");
expect($s, qr/workers\r?\n.*8\r?\n.*psl> $/s, 'and does nothing without a yes');
type($s, ":clear\n");
wait_for($s, qr/N\] $/);
type($s, "y\n");
wait_for($s, $prompt);
type($s, "workers\n");
expect($s, qr/unknown name 'workers'.*psl> $/s, 'with it all is forgotten');
type($s, ":clear!\n");
expect($s, qr/clear!\r?\n.*psl> $/s, ':clear! does not ask');
type($s, "\x04");
ended($s);

# ---- colours ----
$s = session({ TERM => 'xterm' });
expect($s, qr/\e\[1;32mpsl>\e\[0m /, 'the prompt is coloured');
type($s, "foo\n");
expect($s, qr/\e\[1;31merror:.*psl>\e\[0m $/s, 'and errors are');
type($s, "\x04");
ended($s);
for my $environment ({ TERM => 'xterm', NO_COLOR => '1' }, { TERM => 'dumb' }) {
  my $name = join ' ', map { "$_=$environment->{$_}" } sort keys %$environment;
  $s = session($environment);
  wait_for($s, $prompt);
  type($s, "foo\n");
  wait_for($s, qr/unknown name 'foo'.*psl> $/s);
  type($s, "\x04");
  ended($s);
  ok($s->{text} !~ /\e\[[0-9;]*m/, "$name: no colours", $s->{text} =~ s/\e/ESC/gr);
}

# ---- first inputs ----
mkdir "$home/.config";
mkdir "$home/.config/psl";
spew("$home/.config/psl/rc.psl", "let mine = 7 s;\nlet wrong = nothing;\nlet more = mine + 1 s;\n");
$s = session({ TERM => 'dumb' });
expect($s, qr{rc\.psl:2:13: error: unknown name 'nothing'.*psl> $}s, 'an error in rc.psl is shown');
type($s, "more\n");
expect($s, qr/8 s\r?\npsl> $/, 'and the rest of it holds');
type($s, "\x04");
ok(ended($s) eq '0', 'the session ends well');
$s = session({ TERM => 'dumb' }, '--no-rc');
wait_for($s, $prompt);
type($s, "mine\n");
expect($s, qr/unknown name 'mine'.*psl> $/s, '--no-rc leaves it out');
type($s, "\x04");
ended($s);
finish();
