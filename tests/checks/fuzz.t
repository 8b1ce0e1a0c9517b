#!/usr/bin/perl
# make fuzz runs each target and each script of tests/fuzz, goes on behind what one finds, and sums up: targets and a psl that
# find something stand in for the real ones.
# Plain build alone: none of psl runs.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

chdir $root;
my $folder = scratch();
mkdir "$folder/fuzz";

# A target that leaves these files, and says how many inputs it was given to begin with.
sub target { my ($name, @finds) = @_;
  my $leave = join '', map { ": > \"\${prefix}$_\"\n" } @finds;
  spew("$folder/fuzz/$name", <<"SH");
#!/bin/sh
for word; do seeds=\$word; case \$word in -artifact_prefix=*) prefix=\${word#*=} ;; esac; done
${leave}echo "#1: cov: \$(ls "\$seeds" | wc -l)"
SH
  chmod 0755, "$folder/fuzz/$name";
}

sub fuzz { my $run = command($root, 'tests/fuzz/run', $folder, 1, @_); return ($run->{out}, $run->{exit}) }

# A target is FUZZERS' in the Makefile; a script is what may be executed, but the one that runs all.
my ($listed) = slurp('Makefile') =~ m{^\t\@tests/fuzz/run .*\(notdir \$\(FUZZERS\)\) (.*)$}m;
my @scripts = grep { $_ ne 'run' } map { m{([^/]+)$} } grep { -x && !-d } glob 'tests/fuzz/*';
($listed, my $there) = map { join ' ', sort @$_ } [split ' ', $listed // ''], \@scripts;
ok($listed eq $there, 'make fuzz runs each script of tests/fuzz', "listed: $listed\nthere: $there");

target('session', 'slow-unit-1', 'slow-unit-2');
my ($out, $exit) = fuzz('session');
ok($exit eq '0' && $out =~ /^2 units slow, 0 findings$/m, 'what is slow is no finding', $out);
my @typed = glob "$folder/fuzz/seeds/here-*";
my @cases = grep { slurp($_) =~ /<</ } glob 'tests/cases/repl/*.sh';
ok(@typed >= @cases, 'a session begins with what the cases type', scalar(@typed) . ' of ' . scalar(@cases));

target('parse', 'crash-1', 'slow-unit-3');
target('xmi', 'timeout-1');
spew("$folder/psl", "#!/bin/sh\nexit 1\n");
chmod 0755, "$folder/psl";
($out, $exit) = fuzz('parse', 'session', 'xmi', 'values');
ok($exit eq '1' && $out =~ /^3 units slow, 3 findings\n\z/m, 'findings are counted, and end it with 1', $out);
for my $what ('findings-parse/crash-1', 'findings-xmi/timeout-1', 'tests/fuzz/values') {
  ok($out =~ m{^finding: (?:.*/)?\Q$what\E$}m, "$what is named", $out);
}
finish();
