# What tests of the studio's page share: what the page, or the report in its frame, says to an expression in JavaScript, now
# or when it comes, and pictures of it, for who looks at them, in the folder $PSL_SCREENSHOTS.
package PageTest;
use strict;
use warnings;
use Exporter 'import';
use JSON::PP;
use Run;

our @EXPORT = qw(test_page value comes is_value frame_value new_name shot);
my ($browser, $log, $name);

# Of the browser that shows the page of the studio; pictures are called by the name.
sub test_page { ($browser, $log, $name) = ($_[0], $_[1]->{log}, $_[2]) }

sub value { return $browser->value($_[0]) }
sub comes { my ($expression, $what) = @_; $browser->comes($expression, $what, $log) }

sub is_value {
  my ($expression, $wanted, $what) = @_;
  my $got = value($expression);
  ok(defined $got && $got eq $wanted, $what, defined $got ? "$got, not $wanted" : 'nothing');
}

# Typed into the field that asks for one, whose old name is selected.
sub new_name {
  my ($name) = @_;
  $browser->until("document.querySelector('#form').open && document.activeElement.id === 'field-name'");
  $browser->type($name);
  $browser->press('Enter');
}

# In the report, which is in a frame of no origin, of another process or of the same one; undef: it is not there, or just
# going.
sub frame_value {
  my ($expression) = @_;
  return scalar eval {
    my ($target) = grep { $_->{type} eq 'iframe' && $_->{url} =~ m{/page/} }
      @{$browser->call('Target.getTargets')->{targetInfos}};
    if ($target) {
      local $browser->{session} = $browser->call('Target.attachToTarget', {targetId => $target->{targetId},
        flatten => JSON::PP::true})->{sessionId};
      return $browser->value($expression);
    }
    my ($tree) = @{$browser->call('Page.getFrameTree')->{frameTree}{childFrames} // []};
    return undef if !$tree;
    my $context = $browser->call('Page.createIsolatedWorld', {frameId => $tree->{frame}{id},
      worldName => 'test'})->{executionContextId};
    return $browser->call('Runtime.evaluate', {expression => $expression, contextId => $context,
      returnByValue => JSON::PP::true})->{result}{value};
  };
}

sub shot { $browser->screenshot("$ENV{PSL_SCREENSHOTS}/$name-$_[0].png") if $ENV{PSL_SCREENSHOTS} }

1;
