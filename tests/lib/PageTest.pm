# What tests of the studio's page share: what the page says to an expression in JavaScript, now or when it comes, and
# pictures of it, for who looks at them, in the folder $PSL_SCREENSHOTS.
package PageTest;
use strict;
use warnings;
use Exporter 'import';
use Run;

our @EXPORT = qw(test_page value comes is_value shot);
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

sub shot { $browser->screenshot("$ENV{PSL_SCREENSHOTS}/$name-$_[0].png") if $ENV{PSL_SCREENSHOTS} }

1;
