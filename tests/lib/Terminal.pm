# A program at a pseudo-terminal, as a person has it: typing, and waiting for what it writes.
package Terminal;
use strict;
use warnings;
use Exporter 'import';
use Run;
our @EXPORT = qw(terminals home start wait_for type ended);

my $limit = $sanitized ? 240 : 120; # s: only what hangs takes as long

# Are there pseudo-terminals?
sub terminals { return eval { require IO::Pty; require IO::Select; 1 } }

# The home folder of the sessions.
sub home {
  my $home = scratch() . '/home';
  mkdir $home;
  return $home;
}

# A program at a terminal of its own: { pty, pid, text: all that it has written }.
sub start {
  my ($environment, $folder, @words) = @_;
  my $home = home();
  my $pty = IO::Pty->new;
  my $pid = fork() // die "fork: $!\n";
  if (!$pid) {
    $pty->make_slave_controlling_terminal();
    my $slave = $pty->slave();
    $slave->set_winsize(40, 200);
    close $pty;
    open STDIN, '<&', $slave or die;
    open STDOUT, '>&', $slave or die;
    open STDERR, '>&', $slave or die;
    delete @ENV{qw(XDG_STATE_HOME XDG_CONFIG_HOME NO_COLOR INPUTRC)};
    $ENV{INPUTRC} = '/dev/null';
    $ENV{HOME} = $home;
    $ENV{TERM} = 'vt100';
    $ENV{$_} = $environment->{$_} for keys %$environment;
    chdir $folder;
    exec @words or exit 127;
  }
  $pty->close_slave();
  return { pty => $pty, pid => $pid, text => '', from => 0 };
}

# Reads until what came since the last wait matches; what matched, or undef after a while.
sub wait_for {
  my ($s, $pattern) = @_;
  my $end = time + $limit;
  while (1) {
    if (substr($s->{text}, $s->{from}) =~ $pattern) {
      my $seen = substr $s->{text}, $s->{from}, $+[0];
      $s->{from} += $+[0];
      return $seen;
    }
    return undef if time > $end;
    next unless IO::Select->new($s->{pty})->can_read(0.2);
    my $got = sysread $s->{pty}, my $buffer, 4096;
    return undef unless $got;
    $s->{text} .= $buffer;
  }
}

sub type { my ($s, $text) = @_; syswrite $s->{pty}, $text }

# Waits for the program's end: its exit status.
sub ended {
  my ($s) = @_;
  my $end = time + $limit;
  my $rest;
  while (time < $end) {
    if (IO::Select->new($s->{pty})->can_read(0.05)) {
      my $got = sysread $s->{pty}, my $buffer, 4096;
      $s->{text} .= $buffer if $got;
    }
    next if waitpid($s->{pid}, 1) != $s->{pid};
    my $status = $?;
    $s->{text} .= $rest while IO::Select->new($s->{pty})->can_read(0) && sysread $s->{pty}, $rest, 4096;
    return $status;
  }
  kill 'KILL', $s->{pid};
  waitpid $s->{pid}, 0;
  return 'no end';
}

1;
