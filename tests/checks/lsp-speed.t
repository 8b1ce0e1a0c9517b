#!/usr/bin/perl
# How long the language server takes to answer, for a model of 10,000 lines that uses the library: the least of what a
# request takes, in seven tries, that comes right behind a change of the text.  50 ms are what is meant; the bound is
# generous, for a computer that has other things to do, and for sanitizers.
# Plain build alone: it looks at speed.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use LanguageServer 'file_uri';
use Run;
use Time::HiRes 'time';

my $bound = $sanitized ? 6 : 2;
my $lines = "use mpi;\nuse networks;\nuse message-cost;\nparam n : int = 4 in 1 .. 100;\n";
for my $i (0 .. 832) {
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
$lines .= "system main {\n  requests:\n" . join('', map { "    selector = { machine = box_$_ }; transaction = work_$_(3); protocol = call-return;\n" } 0 .. 9) . "}\n";
my $count = () = $lines =~ /\n/g;

my $server = LanguageServer->start([$psl, 'lsp']);
my $uri = file_uri(scratch() . '/model.psl');

$server->request('initialize', {capabilities => {}});
$server->notify('textDocument/didOpen', {textDocument => {uri => $uri, languageId => 'psl', version => 1, text => $lines}});
my @document = (textDocument => {uri => $uri});
my $place = {line => 5000, character => 12};
my %requests = (
  'textDocument/hover' => {@document, position => $place},
  'textDocument/definition' => {@document, position => $place},
  'textDocument/completion' => {@document, position => $place},
  'textDocument/documentSymbol' => {@document},
);
$server->request('textDocument/documentSymbol', {@document});
my $version = 1;
for my $method (sort keys %requests) {
  my @times;
  for my $try (1 .. 7) {
    my $at = {line => 3, character => 30};
    $server->notify('textDocument/didChange', {textDocument => {uri => $uri, version => ++$version}, contentChanges => [{range => {start => $at, end => $at}, text => ' '}]});
    my $begin = time;
    my $message = $server->request($method, $requests{$method});
    push @times, $server->{came} - $begin;
    die "$method: $message->{error}{message}\n" if $message->{error};
  }
  my $least = (sort { $a <=> $b } @times)[0];
  ok($least < $bound, sprintf('%s of %d lines', $method, $count), sprintf('%.0f ms', 1000 * $least));
  printf "# %s: %.0f ms\n", $method, 1000 * $least;
}
$server->request('shutdown');
$server->notify('exit');
$server->end;
finish();
