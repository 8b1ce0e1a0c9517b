# A client of `psl lsp` for tests: messages there and back, places and edits in texts.
package LanguageServer;
use strict;
use warnings;
use Encode 'encode';
use Exporter 'import';
use IPC::Open2;
use JSON::PP;
our @EXPORT_OK = qw(apply_edits offset_of place_of file_uri);

my $json = JSON::PP->new->utf8->canonical->allow_nonref;

# Starts a server by these words; `note` is called with each message that is no answer.
sub start {
  my ($class, $words, $note) = @_;
  my $pid = open2(my $from, my $to, @$words);
  binmode $_, ':raw' for $from, $to;
  return bless {pid => $pid, from => $from, to => $to, next => 1, note => $note // sub { }}, $class;
}

# Bytes as they are; between `hold` and `flush` they are kept back, to come at once.
sub raw {
  my ($self, $bytes) = @_;
  if (defined $self->{held}) { $self->{held} .= $bytes; return }
  local $SIG{PIPE} = 'IGNORE';
  print {$self->{to}} $bytes;
  $self->{to}->flush;
}
sub hold { my ($self) = @_; $self->{held} = '' }
sub flush { my ($self) = @_; my $bytes = delete $self->{held}; $self->raw($bytes) }

sub send_json { my ($self, $body) = @_; $self->raw('Content-Length: ' . length($body) . "\r\n\r\n$body") }
sub send { my ($self, %message) = @_; $self->send_json($json->encode({jsonrpc => '2.0', %message})) }
sub notify { my ($self, $method, $params) = @_; $self->send(method => $method, params => $params) }

# The next message; undef: the server has gone. $self->{came} is when its last byte was there.
sub receive {
  my ($self) = @_;
  my $length;
  while (defined(my $line = readline $self->{from})) {
    $line =~ s/\r?\n\z//;
    $length = $1 if $line =~ /^Content-Length: (\d+)$/;
    next if $line ne '';
    read $self->{from}, my ($body), $length;
    $self->{came} = Time::HiRes::time() if defined &Time::HiRes::time;
    return $json->decode($body);
  }
  return undef;
}

# The answer, with what comes before it noted.
sub request {
  my ($self, $method, $params) = @_;
  my $id = $self->{next}++;
  $self->send(id => $id, method => $method, params => $params);
  $self->flush if defined $self->{held};
  while (my $message = $self->receive) {
    return $message if !$message->{method} && defined $message->{id} && $message->{id} eq $id;
    $self->{note}->($message);
  }
  die "the server has gone\n";
}

# Closes the input; the status that the server ends with.
sub end { my ($self) = @_; close $self->{to}; while (my $message = $self->receive) { $self->{note}->($message) } waitpid $self->{pid}, 0; return $? }

sub file_uri { my ($path) = @_; return 'file://' . join '/', map { s/([^\w.\-~])/sprintf '%%%02X', ord $1/ger } split m{/}, encode('UTF-8', $path), -1 }

# Where a line, and so many units of UTF-16 in it, are in a text of characters.
sub offset_of {
  my ($text, $line, $character) = @_;
  my $at = 0;
  for (1 .. $line) { my $end = index $text, "\n", $at; $at = $end < 0 ? length $text : $end + 1 }
  for (my $units = 0; $units < $character && $at < length $text; $at++) { $units += ord(substr $text, $at, 1) > 0xFFFF ? 2 : 1 }
  return $at;
}

sub place_of {
  my ($text, $offset) = @_;
  my $before = substr $text, 0, $offset;
  my $line = () = $before =~ /\n/g;
  my ($last) = $before =~ /([^\n]*)\z/;
  my $units = 0;
  $units += ord > 0xFFFF ? 2 : 1 for split //, $last;
  return {line => $line, character => $units};
}

sub apply_edits {
  my ($text, @edits) = @_;
  my @sorted = sort { $b->[0] <=> $a->[0] || $b->[1] <=> $a->[1] }
    map { [offset_of($text, @{$_->{range}{start}}{qw(line character)}), offset_of($text, @{$_->{range}{end}}{qw(line character)}), $_->{newText}] } @edits;
  substr($text, $_->[0], $_->[1] - $_->[0]) = $_->[2] for @sorted;
  return $text;
}
1;
