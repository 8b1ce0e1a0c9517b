#!/usr/bin/perl
# psl derive: the first random programs of tests/fuzz/derive, and LaTeX that is well formed for all examples that it takes,
# and a model with the time of a compiled nest.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Programs;
use Run;

chdir $root;
my $fuzz = command($root, 'tests/fuzz/derive', $psl, 1, $sanitized ? 4 : 12);
ok($fuzz->{exit} eq '0' && $fuzz->{out} =~ / 0 wrong$/m, 'random programs cost what is derived of them', $fuzz->{out});

# ---- a small grammar of LaTeX: groups are closed, environments and delimiters too, and commands are known ones ----

my %arguments = ('\frac' => 2, '\sqrt' => 1, '\text' => 1, '\mathit' => 1, '\mathrm' => 1, '\operatorname' => 1);
my %plain = map { $_ => 1 } '\,', '\\\\', '\le', '\ge', '\ne', '\bmod', '\sum', '\max', '\min', '\lfloor', '\rfloor',
  '\lceil', '\rceil', '\land', '\_';

sub wrong_in { # NULL of none
  my ($text) = @_;
  my (@open, @tokens) = ();
  $text =~ s/^%.*\n//mg;
  @tokens = $text =~ /\\[a-zA-Z]+|\\.|[{}]|[^\\{}\s]/g;
  for (my $k = 0; $k < @tokens; $k++) {
    my $t = $tokens[$k];
    if ($t eq '{') { push @open, '}' }
    elsif ($t eq '}') { return "'}' where nothing is open" if !@open || pop @open ne '}' }
    elsif ($t eq '\begin' || $t eq '\end') {
      my $name = '';
      $name .= $tokens[++$k] while $tokens[$k] ne '}';
      $name =~ s/[{}]//g;
      return "environment $name" unless $name =~ /^(?:align\*|cases)$/;
      if ($t eq '\begin') { push @open, "end $name" }
      else { return "end of $name" if !@open || pop @open ne "end $name" }
    } elsif ($t eq '\left') { push @open, 'right'; $k++ }
    elsif ($t eq '\right') { return '\right' if !@open || pop @open ne 'right'; $k++ }
    elsif ($arguments{$t}) { return "$t without an argument" unless ($tokens[$k + 1] // '') eq '{' }
    elsif ($t =~ /^\\/) { return "the command $t" unless $plain{$t} }
    elsif ($t eq '&') { return "'&' in $open[-1]" unless @open && $open[-1] =~ /^end/ }
    elsif ($t eq '#' || $t eq '$' || $t eq '%' || $t eq '~') { return "the character $t" }
  }
  return @open ? "$open[-1] is missing" : undef;
}

for my $model ('examples/programs/wavefront.psl', 'examples/sweep3d/sweep3d.psl', 'tests/cases/derive/ranks.psl',
  'examples/programs/jacobi.psl', 'tests/cases/derive/formulas.psl') {
  my $latex = command($root, $psl, 'derive', '-q', '-f', 'latex', $model);
  my $wrong = wrong_in($latex->{out});
  ok($latex->{exit} eq '0' && $latex->{out} =~ /\\begin\{align\*\}/ && !defined $wrong, "LaTeX of $model",
    ($wrong // '') . "\n$latex->{err}");
}
my $pdflatex = (grep { -x "$_/pdflatex" } split /:/, $ENV{PATH})[0];
if (!$pdflatex) {
  skip('pdflatex', 'not installed');
} else {
  my $folder = scratch();
  my $latex = command($root, $psl, 'derive', '-q', '-f', 'latex', 'tests/cases/derive/formulas.psl');
  open my $out, '>', "$folder/derived.tex" or die;
  print $out "\\documentclass{article}\\usepackage{amsmath}\\begin{document}\n$latex->{out}\\end{document}\n";
  close $out;
  my $made = command($folder, 'pdflatex', '-interaction=nonstopmode', '-halt-on-error', 'derived.tex');
  ok($made->{exit} eq '0', 'pdflatex takes it', $made->{out});
}

# ---- a nest of a program in Fortran, in the equations of its wavefront ----

if (!have('mpif90.mpich') || !have('gfortran') || !-f "$build/psl_facts.so") {
  skip('wavefront-compiled.sh', 'MPICH, gfortran or the headers of GCC for plugins are not installed');
} else {
  local $ENV{PSL} = $psl;
  my $shown = command("$root/examples/derive", 'sh', 'wavefront-compiled.sh');
  my @apart = $shown->{out} =~ /([-+][\d.]+) %$/mg;
  ok($shown->{exit} eq '0' && @apart == 5 && !grep({ $_ < 0 || $_ > 15 } @apart), 'what LogGP has of a compiled wavefront',
    $shown->{out} . $shown->{err});
}
finish();
