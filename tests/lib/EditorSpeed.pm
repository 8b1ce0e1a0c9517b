# How much processor time `psl lsp` takes to answer each kind of request, for a model of more than 10,000 lines that
# uses the library, right behind a change of its text.
package EditorSpeed;
use strict;
use warnings;
use Exporter 'import';
use LanguageServer qw(file_uri place_of);
use POSIX ();
our @EXPORT_OK = qw(answer_times large_model);

# As much as there is in so many components.
sub large_model {
  my ($components) = @_;
  my $lines = "use mpi;\nuse networks;\nuse message-cost;\nparam n : int = 4 in 1 .. 100;\n";
  for my $i (0 .. $components - 1) {
    $lines .= <<"END";
/// What number $i takes.
let cost_$i : time = ($i + n) * 1 us;
transaction work_$i(size : int);
component worker_$i {
  var done : int = 0;
  accepts:
    profile     = { machine = box_$i };
    transaction = work_$i(size);
    protocol    = call-return;
  body:
    hold cost_$i * size;
    done = done + 1;
}
END
  }
  my $request = sub {
    return "    selector = { machine = box_$_[0] }; transaction = work_$_[0](3); protocol = call-return;\n";
  };
  return "${lines}system main {\n  requests:\n" . join('', map { $request->($_) } 0 .. 9) . "}\n";
}

# Of a place in the middle of the model, of a call, of a name that is used everywhere, and of all of it.
sub requests {
  my ($uri, $text) = @_;
  my %document = (textDocument => {uri => $uri});
  my ($middle) = $text =~ /(?:.*\n){5000}(?s:.*?)(hold cost_\d+)/;
  my $behind = sub { return (%document, position => place_of($text, index($text, $_[0]) + length $_[0])) };
  my %place = $behind->("$middle * si");
  my %everywhere = $behind->("param n");
  my %all = (%document, range => {start => {line => 0, character => 0}, end => {line => 20000, character => 0}});
  my @places = map { [$_, \%place] } qw(textDocument/hover textDocument/definition textDocument/completion
    textDocument/prepareRename);
  my @whole = map { ["textDocument/$_", \%document] } qw(documentSymbol semanticTokens/full foldingRange codeLens);
  return (@places, @whole,
    ['textDocument/signatureHelp', {$behind->('= work_9(')}],
    ['textDocument/documentHighlight', \%everywhere],
    ['textDocument/references', {%everywhere, context => {includeDeclaration => JSON::PP::true}}],
    ['textDocument/rename', {%everywhere, newName => 'number'}],
    ['textDocument/inlayHint', \%all],
    ['textDocument/codeAction', {%all, context => {diagnostics => []}}],
    ['textDocument/formatting', {%document, options => {tabSize => 2, insertSpaces => JSON::PP::true}}],
    ['workspace/symbol', {query => 'worker_384'}],
    ['psl/fields', {%document, component => 'worker_384'}],
    ['psl/palette', \%document]);
}

# Processor time of another process with all its threads, in seconds, by the clock that Linux has of each.
my $clock_gettime = {x86_64 => 228, aarch64 => 113}->{(POSIX::uname())[4]};
sub spent {
  my ($pid) = @_;
  my $time = "\0" x 16;
  my $clock = unpack 'q', pack 'q', (-$pid - 1) * 8 + 2;
  die "no clock of processes is known here\n" if !$clock_gettime || syscall($clock_gettime, $clock, $time) != 0;
  my ($seconds, $ns) = unpack 'q2', $time;
  return $seconds + 1e-9 * $ns;
}

# The least of so many tries, by kind: a list of [method, seconds, what went wrong]. The text is that of the model.
sub answer_times {
  my ($psl, $path, $text, $tries, @methods) = @_;
  my $server = LanguageServer->start([$psl, 'lsp']);
  my ($uri, $version, @found) = (file_uri($path), 1);
  my $blank = {start => {line => 3, character => 30}, end => {line => 3, character => 30}};
  $server->request('initialize', {capabilities => {}});
  $server->notify('textDocument/didOpen',
    {textDocument => {uri => $uri, languageId => 'psl', version => 1, text => $text}});
  $server->request('textDocument/documentSymbol', {textDocument => {uri => $uri}});
  for my $request (grep { my $r = $_; !@methods || grep { $r->[0] eq $_ } @methods } requests($uri, $text)) {
    my ($method, $params) = @$request;
    my ($least, $wrong);
    for (1 .. $tries) {
      $server->notify('textDocument/didChange', {textDocument => {uri => $uri, version => ++$version},
        contentChanges => [{range => $blank, text => ' '}]});
      my $begin = spent($server->{pid});
      my $answer = $server->request($method, $params);
      my $took = spent($server->{pid}) - $begin;
      $least = $took if !defined $least || $took < $least;
      $wrong = $answer->{error}{message};
      $wrong //= 'no answer' if !defined $answer->{result};
    }
    push @found, [$method, $least, $wrong];
  }
  $server->request('shutdown');
  $server->notify('exit');
  $server->end;
  return @found;
}

1;
