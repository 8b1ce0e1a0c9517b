#!/usr/bin/perl
# What a message suggests is accepted: of each case that is a model, the help lines of its diagnostics that say what to write
# there are followed, one at a time, and the same command must no longer say the same of that place, nor find a new error in
# what was written.
# Plain build alone: cases run the same models.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Basename 'basename';
use JSON::PP 'decode_json';
use Run;

# Help that is followed: its text, and what comes in the place of the text under the caret. `left` is what belongs to that
# text before the caret, `right` behind it; what goes `ahead` stands before all the file; `note` is the one that has the caret.
my @rules = (
  { help => qr/^did you mean '(.*)'\?$/, new => sub { my $meant = $1; $_[0] =~ /^"/ ? qq("$meant") : nearest($_[0], $meant) } },
  { help => qr/^write it without quotes$/, new => sub { $_[0] =~ s/^"(.*)"$/$1/r } },
  { help => qr/^write (\w+\([^A-Z]*\))$/, new => sub { $1 } },
  { help => qr/^write (use \S+;)$/, new => sub { $1 } },
  { help => qr/^write (\S+)$/, new => sub { $1 } },
  { help => qr/^write (\S.* by .*)$/, new => sub { $1 } },
  { help => qr/^write (NAME = .*)$/, new => sub { $1 } },
  { help => qr/^write (\S+\.\S+) for the hidden one/, new => sub { $1 } },
  { help => qr/^write all of it, such as (\S+)/, new => sub { $1 } },
  { help => qr/^write '(else if)'$/, new => sub { "$1 $_[0]" =~ s/elif\s*//r }, left => qr/elif\s*/ },
  { help => qr/: write (\w+_\d+)$/, new => sub { $1 }, left => qr/\w+/, right => qr/\d+/ },
  { help => qr/: write .* to subtract$/, new => sub { $_[0] =~ s/-/ - /gr } },
  { help => qr/^as a number it is (.*)$/, new => sub { $1 } },
  { help => qr/^a rate is written (.*)$/, new => sub { $1 }, left => qr{[\d.]+\s*(?:/|per)?\s*}, right => qr{/\w+} },
  { help => qr/^.* has no unit: write it with one, such as ([^;]*)/, new => sub { $1 }, note => qr/^this is (?:int|real)$/ },
  { help => qr/^(?:that of a run|its mean) is (\S+)$/, new => sub { $1 } },
  { help => qr/(?:is declared in the library|it is an evaluator|the library's coercions make one of the other): write (use \S+;)$/,
    ahead => sub { $1 } },
  { help => qr/^one of your own is declared in your file: (domain .*)$/, ahead => sub { $1 =~ s/\bTYPE\b/term/r } },
  { help => qr/^give it one: (low)\(/, new => sub { "low($_[0])" } },
  { help => qr/^draw it in a body, or take its mean: mean/, new => sub { "mean($_[0])" } },
  { help => qr/^say which, wherever this file uses it: (\S+) or /, new => sub { $1 } },
  { help => qr/^a whole number has no point: write (\S+)/, new => sub { $1 } },
  { help => qr/^'\.\.' is weaker than '.': (.*)$/, new => sub { $1 } },
  { help => qr/^an uncertain value is a range: (\d.*\.\. .*)$/, new => sub { $1 } },
  { help => qr/^an int has one value, .*: (.*)$/, new => sub { $1 } },
  { help => qr/^they have no '=' and no brackets: (terms .*);$/, new => sub { $1 }, right => qr/ = [^;]*/ },
  { help => qr/^whole numbers count its steps: i in (.*), each (.*)$/, new => sub { "0 .. 10" } },
  { help => qr/^a real becomes an int through ceil, floor or round$/, new => sub { "ceil($_[0])" } },
  { help => qr/^what has the unit \S+ is (?:a )?'(.*)'$/, new => sub { $1 } },
  { help => qr/^the type of such a list is (.*)$/, new => sub { $1 }, left => qr/\w+/, right => qr/\]/ },
);

# Not followed: what is suggested is right, but the rest of the case is not.
my %other = (
  "patience/wrong.psl:35: did you mean 'patience'?" => 'the request has a patience beside',
  "types/operators-more.psl:17: did you mean 'n'?" => 'N is no word of the case',
  'habits/plus-minus.psl:3: an uncertain value is a range: 9 us .. 11 us' => 'of what the caret is at only the sign is read',
  'habits/values.psl:16: a real becomes an int through ceil, floor or round' => 'of the function int, whose argument is meant',
  "types/operators-more.psl:17: did you mean 'a'?" => 'A is no word of the case',
);

sub distance {
  my ($a, $b) = map { [split //, lc] } @_;
  my @row = 0 .. @$b;
  for my $i (1 .. @$a) {
    my @next = ($i);
    for my $j (1 .. @$b) {
      my $least = $row[$j - 1] + ($a->[$i - 1] ne $b->[$j - 1]);
      for my $other ($row[$j] + 1, $next[$j - 1] + 1) { $least = $other if $other < $least }
      push @next, $least;
    }
    @row = @next;
  }
  return $row[-1];
}

# Where more stands under the caret, as a whole selector, the word in it that is most like what is meant is replaced.
sub nearest {
  my ($text, $meant) = @_;
  return $meant if $text !~ /[\s{=]/ || $meant =~ / / && $text =~ /^[\w-]+ [\w-]+$/;
  my ($best, $at, $length);
  while ($text =~ /([\w-]+(?:\[[^\]]*\])?)/g) {
    my $distance = distance($1, $meant);
    ($best, $at, $length) = ($distance, $-[0], length $1) if !defined $best || $distance < $best;
  }
  return substr($text, 0, $at) . $meant . substr($text, $at + $length);
}

# What a command says of a file.
sub diagnostics {
  my ($folder, $command, $file) = @_;
  my $result = command($folder, "$command --error-format json");
  return grep { defined $_->{file} && $_->{file} eq $file } map { decode_json($_) } grep { /^\{/ } split /\n/, $result->{err};
}

# The text with the help followed, and what was written there: its line, column and length.
sub change {
  my ($text, $rule, $help, $place) = @_;
  my @lines = split /^/, $text;
  my ($line, $from) = ($place->{line} - 1, $place->{column} - 1);
  if ($rule->{ahead}) {
    $help =~ $rule->{help};
    return ($rule->{ahead}->() . " $text", $place->{line}, $place->{column}, 1);
  }
  my $to = $place->{endLine} == $place->{line} ? $place->{endColumn} - 1 : length($lines[$line]) - 1;
  $from -= length $1 if $rule->{left} && substr($lines[$line], 0, $from) =~ /($rule->{left})\z/;
  $to += length $1 if $rule->{right} && substr($lines[$line], $to) =~ /\A($rule->{right})/;
  my $old = substr $lines[$line], $from, $to - $from;
  $help =~ $rule->{help};
  my $new = $rule->{new}->($old);
  substr($lines[$line], $from, $to - $from) = $new;
  return (join('', @lines), $place->{line}, $from + 1, length $new);
}

binmode STDOUT, ':utf8';
binmode STDERR, ':utf8';
my %followed;
my $copy = scratch() . '/project/tests';
mkdir scratch() . '/project';
mkdir $copy;
system 'cp', '-r', "$root/tests/cases", $copy;
symlink "$root/$_", scratch() . "/project/$_" for 'examples', 'stdlib';

sub follow {
  my ($case, $command, $text, $d, $note) = @_;
  my ($rule) = grep { $note->{message} =~ $_->{help} } @rules;
  my ($folder, $file) = $case =~ m{(.*)/(.*)};
  print STDERR "no rule: $note->{message}\n" if !$rule && $ENV{PSL_SHOW_HELP};
  my $name = "$case:$d->{line}: $note->{message}";
  return if !$rule || $followed{"$command $name"}++;
  return skip($name, $other{$name}) if $other{$name};
  my $place = $note->{line} ? $note : $d;
  $place = (grep { $_->{line} && $_->{message} =~ $rule->{note} } @{$d->{notes}})[0] // $d if $rule->{note};
  my ($changed, $line, $column, $length) = change($text, $rule, $note->{message}, $place);
  spew("$copy/cases/$case", $changed);
  my @after = diagnostics("$copy/cases/$folder", $command, $file);
  my @wrong = grep { $_->{line} == $line && $_->{column} >= $column && $_->{column} <= $column + $length
    && ($_->{severity} eq 'error' || $_->{message} eq $d->{message}) } @after;
  spew("$copy/cases/$case", $text);
  my $now = (split /^/, $changed)[$line - 1];
  ok(!@wrong, $name, join '', $now, map { "$_->{line}:$_->{column}: $_->{message}\n" } @wrong);
}

for my $expected (sort glob "$root/tests/cases/*/*.expected") {
  my ($case) = $expected =~ m{tests/cases/(.*)\.expected$};
  next unless -e "$root/tests/cases/$case.psl";
  my $said = slurp($expected);
  next unless $said =~ /^(?:\S+: )?help: /m;
  $case .= '.psl';
  my ($folder, $file) = $case =~ m{(.*)/(.*)};
  my $text = slurp("$root/tests/cases/$case");
  for my $command ($said =~ /^\$ (psl .*)/mg) {
    for my $d (diagnostics("$copy/cases/$folder", $command, $file)) {
      follow($case, $command, $text, $d, $_) for grep { $_->{severity} eq 'help' } @{$d->{notes}};
    }
  }
}
finish();
