# Does the head of a script or a case say that it is left out under sanitizers? `# Plain build alone: WHY`, or with `//` in
# models: it reads texts, say, compares speeds, or runs for long what others run for a moment.
package PlainAlone;
use strict;
use warnings;
use Exporter 'import';
our @EXPORT = qw(plain_alone);

sub plain_alone {
  my ($path) = @_;
  open my $file, '<', $path or die "$path: $!\n";
  while (my $line = <$file>) {
    return 1 if $line =~ m{^(#|//) Plain build alone: };
    return 0 if $line !~ m{^(#|//)};
  }
  return 0;
}
1;
