#!/usr/bin/perl
# An installed copy: complete, in working order away from the sources, usable from C by pkg-config, and
# gone after uninstall.
use strict;
use warnings;
use File::Basename;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

chdir $root;
# The variables given to make go on to the installing one; its job server does not.
$ENV{MAKEFLAGS} = ($ENV{MAKEFLAGS} // '') =~ s/(^|\s)(--jobserver\S*|-j\S*)//gr;
my $stage = scratch() . '/stage';
my $prefix = "$stage/opt/psl";
my @make = ('make', '-s', '-o', 'all', "BUILD=$build", "DESTDIR=$stage", 'PREFIX=/opt/psl');

# A PREFIX that is no whole path is refused before anything is made.
for my $wrong ('', 'psl', './psl', '/opt/my psl') {
  my @words = map { /^PREFIX=/ ? "PREFIX=$wrong" : $_ } @make;
  my $refused = command($root, @words, 'install');
  my $said = $refused->{out} . $refused->{err};
  my $whole = "PREFIX is '$wrong': it has to be the whole path of a folder, without blanks, as in PREFIX=/usr/local";
  ok($refused->{exit} ne '0' && index($said, $whole) >= 0 && !-e $stage, "PREFIX='$wrong' is refused", $said);
}

# Some of the folders are there before, and stay.
system('mkdir', '-p', "$prefix/share/man");
spew("$prefix/share/other", "of somebody else\n");
my $before = `find $prefix`;
my $result = command($root, @make, 'install');
ok($result->{exit} eq '0', 'make install', $result->{out} . $result->{err});
for my $file (qw(bin/psl include/psl.h include/psl-evaluator.h lib/libpsl.a lib/libpsl.so lib/pkgconfig/psl.pc
                 share/psl/stdlib/units.psl share/man/man1/psl.1 share/man/man1/psl-study.1
                 share/psl/examples/farm/farm.psl share/bash-completion/completions/psl share/zsh/site-functions/_psl
                 share/fish/vendor_completions.d/psl.fish)) {
  ok(-e "$prefix/$file", "$file is installed");
}

for my $module (map { s{.*/}{}r } glob "$build/psl-mpi-*.so") {
  ok(-e "$prefix/lib/psl/$module", "$module is installed");
}

# Away from the sources: the standard library is found beside the executable.
my $away = scratch() . '/away';
mkdir $away;
delete $ENV{PSL_PATH};
spew("$away/$_", slurp("$root/examples/embed/$_")) for qw(embed.c farm.psl);
$result = command($away, "$prefix/bin/psl", 'check', 'farm.psl');
ok($result->{exit} eq '0' && $result->{err} eq '', 'the installed psl finds its library', $result->{err});

# What a shell loads is what psl prints.
for my $shell (['bash', 'bash-completion/completions/psl'], ['zsh', 'zsh/site-functions/_psl'], ['fish', 'fish/vendor_completions.d/psl.fish']) {
  $result = command($away, "$prefix/bin/psl", 'completion', $shell->[0]);
  ok($result->{out} eq (slurp("$prefix/share/$shell->[1]") // ''), "what completes in $shell->[0] is that of the program");
}

# And so are the manuals.
$result = command($away, "$prefix/bin/psl", 'help', 'empirical', 'distribution');
ok($result->{exit} eq '0' && $result->{out} =~ /^psl\(5\), EXPRESSIONS, Built-in functions$/m, 'the installed psl finds its manuals',
   $result->{out} . $result->{err});
for my $page (glob "$prefix/share/man/man5/*.5") { system('gzip', '-n', $page) }
my $compressed = command($away, "$prefix/bin/psl", 'help', 'empirical', 'distribution');
ok($compressed->{out} eq $result->{out} && $compressed->{err} eq '', 'it reads manuals that are compressed',
   $compressed->{out} . $compressed->{err});
system('gunzip', glob "$prefix/share/man/man5/*.5.gz");

# The example in C, against the shared and the static library.
$ENV{PKG_CONFIG_PATH} = "$prefix/lib/pkgconfig";
$ENV{PKG_CONFIG_SYSROOT_DIR} = $stage;
$ENV{LD_LIBRARY_PATH} = "$prefix/lib";
my $san = $sanitized ? '-fsanitize=address,undefined' : '';
my $wanted = slurp("$root/examples/embed/embed.expected") // '';
my %how = (shared => '$(pkg-config --cflags --libs psl)',
           static => "\$(pkg-config --cflags psl) $prefix/lib/libpsl.a \$(pkg-config --libs --static psl | sed 's/-lpsl//')");
for my $kind (sort keys %how) {
  $result = command($away, "gcc -std=c11 -Wall -Wextra -Werror $san embed.c -o embed-$kind $how{$kind}");
  ok($result->{exit} eq '0', "embed.c compiles, $kind", $result->{err});
  $result = command($away, "PSL_PATH=$prefix/share/psl ./embed-$kind farm.psl");
  my $got = $result->{out} . "[exit $result->{exit}]\n";
  ok($got eq $wanted, "embed runs, $kind", difference($wanted, $got) . $result->{err});
}

# Only what is meant to be public is.
$result = command($root, "nm -D --defined-only $prefix/lib/libpsl.so | awk '\$2 ~ /[TDBR]/ { print \$3 }' | grep -v -e '^psl_' -e '^_'");
ok($result->{out} eq '', 'libpsl.so shows psl_ names alone', $result->{out});

$result = command($root, @make, 'uninstall');
my $left = `find $prefix`;
ok($result->{exit} eq '0' && $left eq $before, 'make uninstall leaves what was there before',
   difference($before, $left) . $result->{err});

# In a folder of a system's own for libraries; and each file is in one of Debian's packages, whose lists name no other.
my @system = ((grep { !/^PREFIX=/ } @make), 'PREFIX=/usr', 'LIBDIR=/usr/lib/x86_64-linux-gnu');
$result = command($root, @system, 'install');
my %packaged;
my @named = sort split /\n/, `cd $stage && find usr ! -type d`;
for my $list (glob "$root/interp/debian/*.install") {
  for my $pattern (split /\n/, slurp($list)) {
    my $path = join '.*', map { quotemeta } split /\*/, $pattern, -1;
    my @files = grep { m{^$path(?:/|$)} } @named;
    $packaged{$_} .= (fileparse($list))[0] . ' ' for @files;
    # Some modules are made only where there is what they are for; the extension of an editor is made by `make vsix`.
    ok(@files || $pattern =~ m{/(?:psl|emacs|vim)(?:/|$)}, "$pattern is installed");
  }
}
my @astray = grep { !$packaged{$_} || $packaged{$_} =~ / ./ } grep { $_ ne 'usr/share/psl/folders' } @named;
ok($result->{exit} eq '0' && !@astray, 'each file is in one package of Debian', join "\n", map { "$_: " . ($packaged{$_} // 'none') } @astray);
$result = command($root, @system, 'uninstall');
ok($result->{exit} eq '0' && !-e "$stage/usr/lib", 'and is gone from there', `find $stage/usr`);
$result = command($root, (grep { !/^LIBDIR=/ } @system), 'LIBDIR=/lib', 'install');
ok($result->{exit} ne '0' && $result->{err} =~ m{LIBDIR is '/lib': it has to be the path of a folder in PREFIX, as in LIBDIR=/usr/lib},
   'LIBDIR outside of PREFIX is refused', $result->{err});

# The folders of installation are known to one object, so that another PREFIX compiles that alone.
my @knowing = grep { (slurp($_) // '') =~ /installed-paths\.inc/ } split /\n/, `find $build -name '*.d' ! -path '*/fuzz/*' ! -path '*/deb/*'`;
ok("@knowing" eq "$build/interp/library/installed.d" && slurp("$build/flags") !~ /share\/psl/,
   'one object knows where psl is installed', "@knowing");
finish();
