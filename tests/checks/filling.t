#!/usr/bin/perl
# What forms show of all examples and of the library: each value of each component and system is a whole one, and stands
# where it is said to stand. Of some components of each all are filled in at once, each with a blank behind it, which no
# model is wrong by: no other letter changes, and none at all where nothing has been filled in.
use strict;
use warnings;
use Encode qw(decode encode);
use FindBin;
use lib "$FindBin::Bin/../lib";
use LanguageServer qw(apply_edits file_uri);
use Run;

if ($sanitized) {
  skip('forms over all examples', 'they are filled in with the plain build');
  finish();
  exit;
}
my $server = LanguageServer->start([$psl, 'lsp']);
$server->request('initialize', {capabilities => {general => {positionEncodings => ['utf-16']}}});
$server->notify('initialized', {});

# Parentheses and quotes are closed.
sub is_whole {
  my ($value) = @_;
  my $bare = $value =~ s/"(?:\\.|[^"\\])*"//gr;
  1 while $bare =~ s/\([^()\[\]{}]*\)|\[[^()\[\]{}]*\]|\{[^()\[\]{}]*\}//g;
  return $bare !~ /[()\[\]{}";]/;
}

my ($filled, $values) = (0, 0);
sub keys_of { my ($items, $within) = @_; return map { ("$within$_->{name}", keys_of($_->{children} // [], "$within$_->{name}.")) }
  @$items }

for my $path (grep { m{^(?:examples|stdlib)/} } psl_files()) {
  my $uri = file_uri("$root/$path");
  my $text = decode('UTF-8', slurp("$root/$path"));
  $server->notify('textDocument/didOpen', {textDocument => {uri => $uri, languageId => 'psl', version => 1,
    text => $text}});
  my @document = (textDocument => {uri => $uri});
  my (@problems, $tried);
  for my $key (keys_of($server->request('textDocument/documentSymbol', {@document})->{result} // [], '')) {
    my $fields = $server->request('psl/fields', {@document, component => $key})->{result};
    next if !@$fields;
    push @problems, map { "$key, $_->{label}: '$_->{value}' is not whole" } grep { !is_whole($_->{value}) ||
      ($_->{kind} ne 'given' && $_->{value} !~ /\S/) } @$fields;
    next if ++$tried > 3;
    my @may = grep { $fields->[$_]{value} !~ m{//|/\*} } 0 .. $#$fields;
    my %fill = (@document, operation => 'fill', component => $key);
    my $answer = $server->request('psl/draw', {%fill, values => [map { {field => $_, was => $fields->[$_]{value},
      value => "$fields->[$_]{value} "} } @may]});
    if (!$answer->{result}) {
      push @problems, "$key: $answer->{error}{message}";
      next;
    }
    my ($edits) = values %{$answer->{result}{changes}};
    my $after = apply_edits($text, @$edits);
    push @problems, "$key: " . length($after) . ' is not ' . (length($text) + @may) if length $after != length($text) + @may;
    push @problems, "$key: other letters" if $after =~ s/\s+//gr ne $text =~ s/\s+//gr;
    if ($tried == 1) {
      $answer = $server->request('psl/draw', {%fill, values => [map { {field => $_, was => $fields->[$_]{value},
        value => $fields->[$_]{value}} } @may]});
      push @problems, "$key: an edit where nothing is filled in" if ($answer->{error}{message} // '') ne
        'no value is another than before';
    }
    $filled++;
    $values += @may;
  }
  ok(!@problems, $path, join "\n", @problems);
  $server->notify('textDocument/didClose', {@document});
}
print "# $values values of $filled components and systems\n";
ok($filled > 100 && $values > 1000, 'there is much to fill in', "$filled, $values");
$server->request('shutdown', undef);
$server->notify('exit', undef);
finish();
