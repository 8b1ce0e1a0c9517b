#!/usr/bin/perl
# Some of the random sessions of tests/fuzz/lsp: whatever is typed, the server answers, what came by edits is what comes at
# once, and its layout is that of psl fmt.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

my $run = command($root, "$root/tests/fuzz/lsp", $psl, 1, 20);
ok($run->{exit} eq '0', '20 random sessions of an editor', "$run->{out}$run->{err}");
finish();
