#!/usr/bin/perl
# Completion in shells: the words that psl offers for the beginning of a line, and what bash makes of them, whose function
# is given lines as bash cuts them; in zsh and fish, where they are, that their functions load and answer.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

my $folder = scratch() . '/work';
mkdir $folder;
mkdir "$folder/models";
spew("$folder/shop.psl", <<'END');
use message-cost;
param workers : int = 4;    /// that serve
param load : real = 50 %;
transaction go();
component a { accepts: profile = { domain = d, node type = a }; transaction = go(); protocol = dataflow; body: hold workers * 1 s; }
system open { requests: selector = { node type = a }; transaction = go(); protocol = dataflow; }
system shut { requests: selector = { node type = a }; transaction = go(); protocol = dataflow; }
study many of open { vary workers in 1 .. 4; report makespan; }
END
spew("$folder/wrong.psl", "param load : real = 50 %;\nlet x = nobody;\n");
spew("$folder/broken.psl", "use message-cost;\nparam workers : int = 4;\nsystem open { requests: ");
spew("$folder/$_", '') for 'a b.psl', 'notes.txt', 'old.db', 'models/m.psl', 'net.cfg', 'trace.json';

# The words before the cursor, the last one being typed; a line each, without what it is.
sub words {
  my ($what, $wanted, @line) = @_;
  my $result = command($folder, $psl, 'completion', 'words', @line);
  my $got = join ' ', map { s/\t.*//r } split /\n/, $result->{out};
  ok($result->{exit} eq '0' && $result->{err} eq '' && ($got eq $wanted || (ref $wanted && $got =~ $wanted)), $what,
     "wanted $wanted\ngot $got\n$result->{err}");
}
words('commands', 'compile compare completion', 'comp');
words('all commands', qr/^run replay .* help$/, '');
words('options of a session', '--load', '--lo');
words('a model to load', ':files psl', '-c', '');
words('options of a command', '--max-firings --max-time --max-memory', 'run', 'shop.psl', '--max');
words('none of another command', '', 'run', '--vary');
words('models', ':files psl', 'run', '');
words('models, several', ':files psl', 'fmt', 'shop.psl', '');
words('options before the model', ':files psl', 'run', '--seed', '4', '--timing', '');
words('systems', 'open shut', 'run', 'shop.psl', '');
words('systems and studies', 'open shut many', 'study', 'shop.psl', '');
words('a system of an option', 'shut', 'explain', 'shop.psl', '--system', 'sh');
words('params', 'workers=', 'run', 'shop.psl', '--set', 'wo');
words('params of an option in one word', '--set=workers=', 'run', 'shop.psl', '--set=wo');
words('params of a letter', 'workers=', 'run', 'shop.psl', '-s', 'w');
words('values', 'machine=SP2', 'run', 'shop.psl', '--set', 'machine=SP');
words('a second value', 'machine=cluster,SP2', 'compare', 'shop.psl', '--vary', 'machine=cluster,SP');
words('no values of a number', '', 'run', 'shop.psl', '--set', 'workers=');
words('params of what diff sets against', 'load=', 'diff', 'shop.psl', '--against', 'lo');
words('params of the model of a trace', 'workers=', 'replay', 'x.trace', '--model', 'shop.psl', '--set', 'wo');
words('none where there is no model', '', 'run', '--set', 'wo');
words('none of what is no file', '', 'run', 'nothing.psl', '--set', 'wo');
words('params of a model that is half written', '', 'run', 'broken.psl', '--set', 'lo');
words('params of a model that is wrong', 'load=', 'run', 'wrong.psl', '--set', 'lo');
words('formats', 'json jsonl', 'run', 'shop.psl', '-f', 'js');
words('formats in one word', '--format=dot', 'graph', 'shop.psl', '--format=d');
words('choices', 'auto always', 'run', '--color', 'a');
words('choices of ranks', 'inside', 'mpirun', '--ranks', 'i');
words('files by ending', ':files json', 'run', 'shop.psl', '--trace', '');
words('configurations', ':files cfg', 'replay', 'x.trace', '--dimemas', '');
words('any file', ':files', 'run', 'shop.psl', '--output', '');
words('folders', ':folders', 'run', 'shop.psl', '-I', '');
words('actions', 'info :files', 'trace', 'in');
words('what is measured', 'messages memory :files', 'measure', 'me');
words('behind a program its own', ':files', 'mpirun', '-n', '4', './a.out', '--s');
words('behind a compiler its own', ':files', 'mpicc', '-');
words('shells', 'bash', 'completion', 'b');
words('commands to be explained', 'study studio', 'help', 'st');
words('nothing behind what is no command', '', 'nonsense', '');

# What bash calls it with: the line to the cursor, and its words, which '=' and ':' are of their own.
my $script = scratch() . '/psl.bash';
spew($script, command($folder, $psl, 'completion', 'bash')->{out});
sub bash {
  my ($wanted, $line, @more) = @_;
  my @words = map { /^\s+$/ ? () : $_ } split /(\s+|=)/, $line;
  @words = grep { $_ ne '' } @words;
  push @words, '' if $line =~ /\s$/;
  my $shown = join ' ', map { "'$_'" } @words;
  my $given = $line =~ s/'/'\\''/gr;
  spew(scratch() . '/ask', <<"END");
source '$script'
COMP_LINE='$given'; COMP_POINT=\${#COMP_LINE}; COMP_WORDS=($shown); COMP_CWORD=\$((\${#COMP_WORDS[@]} - 1))
COMP_WORDBREAKS=\$' \\t\\n"\\'><=;|&(:'
_psl
printf '%s\\n' "\${COMPREPLY[@]}"
END
  my $result = command($folder, 'bash', scratch() . '/ask');
  my $got = join '|', sort split /\n/, $result->{out};
  ok($result->{exit} eq '0' && $result->{err} eq '' && $got eq $wanted, "bash: $line", "wanted $wanted\ngot $got\n$result->{err}");
}
my $is = command($folder, 'bash', '-c', 'echo $BASH_VERSION');
if ($is->{exit} ne '0') {
  skip('bash', 'bash is not installed');
} else {
  bash('compare|compile|completion', 'psl comp');
  bash('--max-firings|--max-memory|--max-time', 'psl run shop.psl --max');
  bash('a b.psl|broken.psl|models|shop.psl|wrong.psl', 'psl run ');
  bash('models', 'psl run mod');
  bash('models/m.psl', 'psl run models/');
  bash('models', 'psl run shop.psl -I ');
  bash('net.cfg', 'psl replay x.trace --dimemas n');
  bash('old.db', 'psl replay x.trace --output old');
  bash('trace.json', 'psl run shop.psl --trace=t');
  bash('workers=', 'psl run shop.psl --set wo');
  bash('SP2', 'psl run shop.psl --set machine=SP');
  bash('workers=', 'psl run shop.psl --set=wo');
  bash('json|jsonl', 'psl run shop.psl --format=js');
  bash('many|open|shut', 'psl study shop.psl ');
}

# A word that a shell would read otherwise is escaped.
spew("$folder/queue.psl", "use queueing;\nsystem s { }\n");
bash('simulation\[queueing\]', 'psl run queue.psl --set solver=sim') if $is->{exit} eq '0';

for my $shell (['zsh', '-f', '-c', 'autoload -Uz compinit && compinit -u -d $1/dump && source $1/psl.zsh && whence -w _psl'],
               ['fish', '--no-config', '-c', 'source $argv[1]/psl.fish; complete -C "psl comp"; complete -C "psl run "']) {
  my ($name, @rest) = @$shell;
  if (command($folder, $name, '-c', 'true')->{exit} ne '0') {
    skip($name, "$name is not installed");
    next;
  }
  my $made = command($folder, $psl, 'completion', $name);
  spew("$folder/psl.$name", $made->{out});
  my $result = command($folder, $name, @rest, ($name eq 'zsh' ? 'zsh' : ()), $folder);
  my $wanted = $name eq 'zsh' ? qr/^_psl: function$/m : qr/\A(?!.*notes[.]txt)compare\t.*\ncompletion\t.*^shop[.]psl/ms;
  ok($result->{exit} eq '0' && $result->{out} =~ $wanted, "$name completes", $result->{out} . $result->{err});
}

my $result = command($folder, $psl, 'completion', 'tcsh');
ok($result->{exit} eq '2' && $result->{err} eq "psl: error: no shell is named 'tcsh'\nhelp: it knows bash, zsh and fish\n",
   'another shell is refused', $result->{err});
$result = command($folder, $psl, 'completion');
ok($result->{exit} eq '2' && $result->{err} eq "psl: error: 'completion' needs the name of a shell\nhelp: usage: psl completion [OPTION...] bash | zsh | fish\n",
   'one is wanted', $result->{err});
finish();
