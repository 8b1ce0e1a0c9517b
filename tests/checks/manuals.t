#!/usr/bin/perl
# Manuals are clean, and the examples in them, and in the .md files at the top, do what they say.
# tests/README.md has the marks.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Programs;
use Run;
use Terminal;

chdir $root;
$ENV{ROOT} = $root;

# A display of mdoc as plain text.
sub plain {
  my ($line) = @_;
  $line =~ s/^\.\\".*//s and return '';
  $line =~ s/\\&//g;
  $line =~ s/\\-/-/g;
  $line =~ s/\\\(dq/"/g;
  $line =~ s/\\\(aq/'/g;
  $line =~ s/\\\(ha/^/g;
  $line =~ s/\\\(ti/~/g;
  $line =~ s/\\\(mc|\\\[mc\]/µ/g;
  $line =~ s/\\e|\\\(rs/\\/g;
  return $line;
}

# [mark, line, text] of each marked display.
sub displays {
  my ($page) = @_;
  my $markdown = $page =~ /\.md$/;
  my (@found, $mark, $inside, $text);
  my $n = 0;
  for my $line (split /^/, slurp($page)) {
    $n++;
    if ($inside) {
      if ($markdown ? $line =~ /^```/ : $line =~ /^\.Ed\b/) {
        push @found, [@$mark, $text];
        ($mark, $inside) = (undef, 0);
      } else {
        $text .= $markdown ? $line : plain($line);
      }
    } elsif ($line =~ ($markdown ? qr/^<!-- test: (.*?) -->/ : qr/^\.\\" test: (.*?)\s*$/)) {
      push @found, [@$mark, undef] if $mark;
      $mark = [$1, $n];
    } elsif ($mark && ($markdown ? $line =~ /^```/ : $line =~ /^\.Bd\b/)) {
      ($inside, $text) = (1, '');
    }
  }
  push @found, [@$mark, undef] if $mark;
  return @found;
}

# Printed text against what the page shows, where a line "..." stands for any lines.
sub shown {
  my ($got, $wanted, $tolerance) = @_;
  my @parts = split /^\.\.\.\n/m, $wanted, -1;
  return same($got, $wanted, $tolerance) if @parts == 1;
  my @lines = split /^/, $got;
  my @counts = map { my @l = split /^/; scalar @l } @parts;
  my $at = 0;
  for my $k (0 .. $#parts) {
    next if $parts[$k] eq '' && $k < $#parts;
    my $last = $k == $#parts;
    my $from = $last ? @lines - $counts[$k] : $at;
    return 0 if $from < $at;
    my $found;
    for my $start ($from .. ($k == 0 ? 0 : @lines - $counts[$k])) {
      next unless same(join('', @lines[$start .. $start + $counts[$k] - 1]), $parts[$k], $tolerance);
      $found = $start;
      last;
    }
    return 0 unless defined $found;
    $at = $found + $counts[$k];
  }
  return 1;
}

# The headers as if they were installed.
sub headers {
  my ($folder) = @_;
  mkdir "$folder/include";
  symlink "$root/interp/include/psl.h", "$folder/include/psl.h";
  symlink "$root/interp/include/evaluator.h", "$folder/include/psl-evaluator.h";
  symlink "$root/evaluators/programs/reflector/psl-reflector.h", "$folder/include/psl-reflector.h";
}

# What a command prints at a terminal of so many columns.
sub at_terminal {
  my ($folder, $line, $columns) = @_;
  my $s = start({ TERM => 'dumb', NO_COLOR => 1, COLUMNS => $columns }, $folder, 'sh', '-c', $line);
  my $status = ended($s);
  my $exit = $status eq 'no end' || $status & 127 ? "ends with $status" : $status >> 8;
  return { exit => $exit, out => $s->{text} =~ s/\r//gr, err => '' };
}

# `columns`: of the terminal; undef: there is none.
sub run_display {
  my ($folder, $text, $tolerance, $columns) = @_;
  return '' if $columns && !terminals();
  my $wrong = '';
  my ($first, @rest) = split /^\$ /m, $text;
  $wrong .= "text before the first command\n" if $first ne '';
  for my $part (@rest) {
    my ($line, $wanted) = $part =~ /^((?:[^\n]*\\\n)*[^\n]*)\n(.*)\z/s;
    headers($folder) if $line =~ /-I include/;
    my $result = $columns ? at_terminal($folder, $line, $columns) : command($folder, $line);
    my $got = $result->{out} . $result->{err};
    $wrong .= "\$ $line: $result->{exit}\n$got" if crashed($result);
    $wrong .= "\$ $line\n" . difference($wanted, $got) unless shown($got, $wanted, $tolerance);
  }
  return $wrong;
}

# A session at a terminal: `$ psl …`, then what is typed behind its prompts, with what it answers.
sub session_display {
  my ($folder, $text, $tolerance) = @_;
  return '' unless terminals();
  my ($line, $wanted) = $text =~ /^\$ ([^\n]*)\n(.*)\z/s or return "no command\n";
  my $s = start({ TERM => 'dumb', NO_COLOR => 1 }, $folder, 'sh', '-c', "exec $line");
  for my $input ($wanted =~ /^(?:psl|\.\.\.)> ([^\n]*)$/mg) {
    wait_for($s, qr/(^|\n)(psl|\.\.\.)> $/) // return "no prompt for: $input\n$s->{text}";
    type($s, "$input\n");
  }
  my $status = ended($s);
  my $got = $s->{text} =~ s/\r//gr;
  return "the session ends with $status\n$got" if $status ne '0';
  return shown($got, $wanted, $tolerance) ? '' : difference($wanted, $got);
}

sub test_display {
  my ($folder, $mark, $text, $columns) = @_;
  return "no display follows\n" unless defined $text;
  my ($kind, $rest) = $mark =~ /^(\w+)\s*(.*)$/;
  return run_display($folder, $text, $rest) if $kind eq 'run';
  return run_display($folder, $text, $rest, $columns) if $kind eq 'terminal';
  return session_display($folder, $text, $rest) if $kind eq 'session';
  if ($kind eq 'file') {
    spew("$folder/$rest", $text);
    return '';
  }
  if ($kind eq 'check' || $kind eq 'wrong') {
    spew("$folder/display.psl", $text);
    my $result = command($folder, 'psl', 'check', 'display.psl');
    return '' if $kind eq 'check' && $result->{exit} eq '0' && $result->{err} eq '';
    return '' if $kind eq 'wrong' && $result->{exit} eq '1' && index($result->{err}, $rest) >= 0;
    return "psl check: $result->{exit}\n$result->{err}$text";
  }
  if ($kind eq 'c') {
    spew("$folder/display.c", $text);
    headers($folder);
    my $result = command($folder, qw(gcc -std=c11 -Wall -Wextra -Werror -fsyntax-only -Iinclude), "-I$root", 'display.c');
    return $result->{exit} eq '0' ? '' : $result->{err};
  }
  return "an unknown mark\n";
}

for my $page (sort glob 'man/*.[1-9]') {
  my $result = command($root, 'mandoc', '-Tlint', '-W', 'warning', $page);
  ok($result->{exit} eq '0' && $result->{out} eq '', "$page is clean", $result->{out} . $result->{err});
  my $quoted = command($root, 'mandoc', '-Tutf8', $page)->{out};
  my @nested = grep { /(?:\xe2\x80\x99){2}/ } split /\n/, $quoted;
  ok(!@nested, "$page quotes what it quotes once", join "\n", @nested);
}
# man(1) of most systems sets pages by groff, which is to have no error, and to come to the last line. Of a table's cell
# that is too wide it says that it can't break the line: that is no error.
for my $page (have('groff') ? sort glob 'man/*.[1-9]' : ()) {
  my $set = command($root, 'groff', '-mandoc', '-Tutf8', '-P-cbou', $page);
  my @wrong = grep { !/can't break line/ } split /\n/, $set->{err};
  my ($last) = $set->{out} =~ /([^\n]*)\n*\z/;
  ok($set->{exit} eq '0' && !@wrong && $last =~ / \d{1,2}, \d{4} /, "$page is set by groff", join "\n", @wrong, $last);
}
{
  my $readme = slurp('README.md');
  my @missing = grep { index($readme, "($_)") < 0 } sort glob 'man/*.[1-9]';
  ok(!@missing, 'README.md lists the manual', join "\n", @missing);
}
# Pages fit a terminal of 80 columns, of which man(1) leaves 2 empty; README.md's displays do, too.
for my $page (sort glob 'man/*.[1-9]') {
  my $shown = command($root, 'sh', '-c', 'mandoc -Tascii -O width=78 "$1" | col -bx', 'sh', $page)->{out};
  my @wide = grep { length > 80 } split /\n/, $shown;
  ok($shown ne '' && !@wide, "$page fits 80 columns", join "\n", @wide);
}
{
  my @blocks = slurp('README.md') =~ /^```.*?\n(.*?)^```$/gms;
  my @wide = grep { length > 80 } map { split /\n/ } @blocks;
  ok(@blocks && !@wide, "the displays of README.md fit 80 columns", join "\n", @wide);
}
for my $page (sort(glob 'man/*.[1-9]'), glob '*.md') {
  my $folder = scratch() . '/' . ($page =~ s{/}{-}gr);
  mkdir $folder;
  for my $display (displays($page)) {
    my ($mark, $line, $text) = @$display;
    my $wrong = test_display($folder, $mark, $text, $page =~ /\.md$/ ? 80 : 73);
    ok($wrong eq '', "$page:$line: $mark", $wrong);
  }
}
finish();
