# TCP packet by packet, as tests of links hold stdlib/wide-area.psl against: a sender with slow start, congestion avoidance, fast
# retransmit and time-outs that double, a receiver that keeps what comes out of order and acknowledges every b-th packet, and a way
# that loses a packet by the chance p, and with it those that are sent in the same half round trip behind it. There are no rounds
# here and no formulas: packets and acknowledgements have numbers, and the sender knows what these say.
package Reno;
use strict;
use warnings;
use Exporter 'import';
our @EXPORT_OK = qw(reno generator);

sub generator { # numbers of 0 to 1: MINSTD
  my ($state) = @_;
  $state = ($state * 2654435761 + 12345) % 2147483647 || 1;
  return sub { $state = $state * 48271 % 2147483647; return $state / 2147483647 };
}

# Seconds until the last packet is acknowledged.
#   packets, p, trip (s), timeout (s), window (packets), b, first (window, packets), random
sub reno {
  my %o = @_;
  my ($now, $window, $threshold, $una, $next, $twice, $high, $deaf) = (0, $o{first}, $o{window}, 0, 0, 0, 0, -1);
  my (%there, @acks, $timer, $recover, %resent);
  my ($expected, $unsaid, $backoff) = (0, 0, 1);

  my $acknowledge = sub { push @acks, [$now + $o{trip}, $expected]; $unsaid = 0 };
  my $send = sub {
    my ($number) = @_;
    $timer //= $now + $backoff * $o{timeout};
    return if $now < $deaf;
    if ($o{random}->() < $o{p}) { $deaf = $now + $o{trip} / 2; return }
    if ($number == $expected) {
      $expected++;
      $expected++ while delete $there{$expected};
      $acknowledge->() if ++$unsaid >= $o{b} || %there;
    } else {
      $there{$number} = 1 if $number > $expected;
      $acknowledge->();
    }
  };
  # What may be sent: what is missing first while one recovers, then what is new.
  my $fill = sub {
    my $allowed = int($window < $o{window} ? $window : $o{window});
    if (defined $recover) {
      for my $number ($una .. $recover - 1) {
        next if $there{$number} || $resent{$number} || $number < $expected;
        last if keys(%resent) >= $allowed;
        $resent{$number} = 1;
        $send->($number);
      }
    } else {
      while ($next < $o{packets} && $next - $una < $allowed) { $send->($next++) }
    }
    $acknowledge->() if $unsaid && !(@acks && $acks[0][0] == $now); # nothing more comes at this time
  };

  $fill->();
  while ($una < $o{packets}) {
    my $time = @acks ? $acks[0][0] : undef;
    if (!defined $time || defined $timer && $timer < $time) { # time-out: all behind is sent anew
      die "nothing is on its way\n" unless defined $timer;
      $now = $timer;
      $threshold = $window / 2 > 2 ? $window / 2 : 2;
      ($window, $next, $twice, $timer, $recover, %resent) = (1, $una, 0, undef, undef);
      $backoff *= 2 if $backoff < 64;
      $fill->();
      next;
    }
    $now = $time;
    my $number = (shift @acks)->[1];
    if ($number > $una) {
      my $more = $number - $una;
      ($una, $twice, $backoff) = ($number, 0, 1);
      $next = $una if $next < $una;
      delete $resent{$_} for grep { $_ < $una } keys %resent;
      $timer = $next > $una ? $now + $o{timeout} : undef;
      if (defined $recover) {
        $recover = undef if $una >= $recover;
      } elsif ($window < $threshold) {
        $window++;
      } else {
        $window += 1 / $window;
      }
      $window = $o{window} if $window > $o{window};
    } elsif ($next > $una && !defined $recover && ++$twice == 3) {
      $threshold = $window / 2 > 2 ? $window / 2 : 2;
      ($window, $recover, %resent) = ($threshold, $next);
    }
    $fill->();
  }
  return $now;
}

1;
