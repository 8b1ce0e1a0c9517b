# Tables of Markdown and LaTeX have the cells of the page of HTML, read back here by the rules of each language; names
# that would be markup are escaped, and estimates stand beside half their intervals.
cp small.psl "$TMP" && cd "$TMP" || exit 1
cat >odd.psl <<'END_OF_MODEL'
/// How many | bars, _emphasis_ & 50 % of <that> \ ~ ^ {x} # $5 "quoted" [or] -- `so`.
param many-bars : int = 2 in 1 .. 9;
/// * and [first], a list.
param work : time = uniform(1 ms, 3 ms);
component c_1 {
  accepts:
    profile     = { domain = application[odd], node type = task };
    transaction = begin();
    protocol    = dataflow;

  body:
    hold many-bars * work;
}
transaction begin();

system odd {
  requests:
    selector    = { domain = application[odd], node type = task };
    transaction = begin();
    protocol    = dataflow;
}
END_OF_MODEL
printf 'n_a,m,time [ms]\n1,2,3.1\n2,1,5\n3,4,7.2\n4,3,9\n' >m.csv
for format in markdown latex; do
  psl params odd.psl --format $format
  psl study odd.psl --vary many-bars=1,2 --repetitions 4 --report 'makespan, m_2 = many-bars * 2' --format $format
  psl fit m.csv --terms '1, n_a' --format $format
  psl compare small.psl small --vary tasks=1,2 --format $format
done
psl params odd.psl -o p.md && psl params odd.psl --format markdown | cmp - p.md && echo p.md
psl params odd.psl -o p.tex && psl params odd.psl --format latex | cmp - p.tex && echo p.tex
# The cells of each row, without those that are empty. Half an interval is a cell of its own in HTML, and what all rows
# have in common, the evidence, stands in its table.
cat >cells.pl <<'END_OF_PERL'
use utf8;
use open qw(:std :utf8);
undef $/;
my ($format, $text) = ($ARGV[0], scalar <STDIN>);
my %latex = ('textbackslash{}' => '\\', 'textasciitilde{}' => '~', 'textasciicircum{}' => '^', 'textless{}' => '<',
             'textgreater{}' => '>', 'textbar{}' => '|', 'textasciigrave{}' => '`');
sub markdown { $_[0] =~ s/\\(.)/$1/gr }
sub latex {
  my $names = join '|', map { quotemeta } keys %latex;
  $_[0] =~ s/\$-\$/-/gr =~ s/''/"/gr =~ s/\{([\[*])\}/$1/gr =~ s/-\{\}-/--/gr =~ s/\$\\pm\$/±/gr =~ s/\\($names|.)/$latex{$1} \/\/ $1/ger;
}
sub html { $_[0] =~ s/<[^>]*>//gr =~ s/&lt;/</gr =~ s/&gt;/>/gr =~ s/&quot;/"/gr =~ s/&amp;/&/gr }
my @rows;
if ($format eq 'markdown') {
  for (grep { /^\|/ && !/^\| -/ } split /\n/, $text) { push @rows, [map { markdown($_) } /\G\| ?((?:\\.|[^|\\])*?) ?(?=\|)/g] }
} elsif ($format eq 'latex') {
  for (grep { /\\\\$/ } split /\n/, $text) { push @rows, [map { latex($_) } split / & /, s/ \\\\$//r, -1] }
} else {
  for ($text =~ m{<tr>(.*?)</tr>}sg) { push @rows, [map { html($_) } m{<t[hd][^>]*>(.*?)</t[hd]>}sg] }
}
for my $row (@rows) {
  print join(' | ', grep { !/^-?$/ && !/^(evidence|simulated)$/ && $_ ne '±' } map { s/^ +| +$//gr } map { split / ± / } @$row), "\n";
}
END_OF_PERL
same() {
  for format in html markdown latex; do psl "$@" --format $format 2>/dev/null | perl cells.pl $format >$format.cells; done
  cmp html.cells markdown.cells && cmp html.cells latex.cells && echo "$1: $(wc -l <html.cells) rows are the same"
}
same run small.psl
same run odd.psl
same params odd.psl
same study odd.psl --vary many-bars=1..9
same study odd.psl --vary many-bars=1,2 --repetitions 4
same fit m.csv --terms '1, n_a'
same fit m.csv --terms '1, n_a' --terms '1, m' --at n_a=8,m=2
same compare small.psl small --vary tasks=1,2
same sensitivity small.psl
psl params odd.psl --format md
psl params odd.psl --format tex
psl params odd.psl --format rst
psl graph odd.psl --format md
psl report none.db -o x.tex
