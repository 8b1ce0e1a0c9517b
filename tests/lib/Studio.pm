# `psl studio` for tests: started on a folder, and asked over HTTP, byte by byte where that is wanted.
package Studio;
use strict;
use warnings;
use IO::Socket::INET;
use JSON::PP;
use Run;

my $json = JSON::PP->new->utf8->canonical->allow_nonref;

sub start {
  my ($class, $folder, @words) = @_;
  my $log = scratch() . '/studio.err';
  pipe my $from, my $out;
  my $pid = fork() // die "fork: $!\n";
  if (!$pid) {
    $SIG{HUP} = 'DEFAULT'; # also where the tests run without a terminal, as nohup has them
    chdir $folder or die "$folder: $!\n";
    open STDIN, '<', '/dev/null';
    open STDOUT, '>&', $out;
    open STDERR, '>', $log;
    exec $psl, 'studio', '--no-browser', @words or die "$psl: $!\n";
  }
  close $out;
  my $address = readline $from;
  my $self = bless {pid => $pid, from => $from, log => $log, address => $address // ''}, $class;
  @$self{qw(address port token)} = ($1, $2,
    $3) if $self->{address} =~ m{^(http://127\.0\.0\.1:(\d+)/#token=([0-9a-f]{32}))$};
  $self->{said} = readline $from if $self->{port};
  return $self;
}

# Started as above, for a test that is skipped, whole, where the server's library is not installed.
sub for_test {
  my ($class, $what, @started) = @_;
  my $self = $class->start(@started);
  return $self if $self->{port};
  skip($what, 'libmicrohttpd is not installed') if slurp($self->{log}) =~ /libmicrohttpd/;
  finish();
  exit;
}

sub connect { my ($self) = @_; return IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $self->{port},
  Timeout => 20) }

# What the server answers to these bytes, till it closes: { status, headers, body }.
sub raw { my ($self, $bytes) = @_; return answer_on($self->send($bytes)) }

sub send {
  my ($self, $bytes) = @_;
  my $socket = $self->connect or return undef;
  local $SIG{PIPE} = 'IGNORE';
  print $socket $bytes;
  $socket->flush;
  return $socket;
}

sub answer_on {
  my ($socket) = @_;
  my $answer = $socket ? do { local $/; readline $socket } // '' : '';
  my ($status, $headers, $body) = $answer =~ m{^HTTP/1\.[01] (\d+)[^\r\n]*\r\n(.*?)\r\n\r\n(.*)$}s;
  return {status => $status // 'none', headers => $headers // '', body => $body // '', whole => $answer};
}

# A request; headers in the place of those that the page sends, undef: without it.
sub request { my ($self, @request) = @_; return $self->raw($self->bytes(@request)) }

sub bytes {
  my ($self, $method, $address, $body, %headers) = @_;
  my %all = (Host => "127.0.0.1:$self->{port}", 'Content-Type' => 'application/json', 'X-PSL-Token' => $self->{token},
             Connection => 'close', %headers);
  $body //= '';
  $all{'Content-Length'} = length $body if $method eq 'POST' || length $body;
  return join '', "$method $address HTTP/1.1\r\n", (map { defined $all{$_} ? "$_: $all{$_}\r\n" : () } sort keys %all),
    "\r\n", $body;
}

# What the page is answered by; the HTTP status is in `status_code`.
sub ask { my ($self, @asked) = @_; return answer_of($self->begin(@asked)) }

# Asks, and does not wait for the answer: answer_of reads it from the socket that is returned.
sub begin { my ($self, $name, $params, %headers) = @_; return $self->send($self->bytes('POST', "/api/$name",
  $json->encode($params // {}), %headers)) }

sub answer_of {
  my ($socket) = @_;
  my $answer = answer_on($socket);
  my $value = eval { $json->decode($answer->{body}) };
  return {%{ref $value eq 'HASH' ? $value : {}}, status_code => $answer->{status}};
}

# A job to its end.
sub run {
  my ($self, %params) = @_;
  my $job = $self->ask('run', \%params);
  return $job if $job->{status_code} ne '200';
  my $state = {news => 0, ended => 0};
  $state = $self->ask('job', {job => $job->{job}, news => $state->{news}}) while !$state->{ended} &&
    ($state->{status_code} // 200) eq '200';
  return {%$state, job => $job->{job}};
}

# The processes that it has started.
sub children { my ($self) = @_; return split ' ', `ps -o pid= --ppid $self->{pid}` }

# Ends it as Ctrl-C does, or by another signal: the exit status.
sub end {
  my ($self, $signal) = @_;
  kill $signal // 'INT', $self->{pid};
  waitpid delete $self->{pid}, 0;
  return $? & 127 ? 'signal ' . ($? & 127) : $? >> 8;
}

# A test that dies leaves none behind.
sub DESTROY { my ($self) = @_; local $?; kill 'INT', $self->{pid} if $self->{pid} }

1;
