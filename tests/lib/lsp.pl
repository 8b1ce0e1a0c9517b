#!/usr/bin/perl
# A client of the Language Server Protocol for tests: reads a script, starts `psl lsp`, and prints what comes back in a
# form that people read.
#
#   lsp.pl [OPTION of psl lsp ...] < SCRIPT
#
# A line of the script is one of
#   open FILE                 the document FILE of the current folder, with the text that it has
#   open FILE <<              the same with the lines that follow, to one that is a single point
#   edit FILE L:C-L:C "TEXT"  replaces what is between two places, lines and characters from 1; TEXT is JSON
#   text FILE <<              replaces the whole text
#   save FILE, close FILE
#   wait FILE ...             waits for the diagnostics of these documents as they are, prints the last ones of all that
#                             were published since the last wait
#   METHOD FILE [L:C] [JSON]  a request textDocument/METHOD, with what JSON adds to its params
#   request METHOD [JSON]     any request, FOLDER being the URI of the current folder; `notify METHOD [JSON]` any notification
#   send JSON                 a message as it is; `raw "BYTES"` bytes as they are, a string of JSON
#   hold, flush               what is sent between the two comes at once; a request, which waits for its answer, flushes, too
#   receive, end              prints the next message; closes the input
#   apply FILE                applies the edits that the last answer holds of FILE, tells the server, prints the text
#   # ...                     is printed as it is
# Without `bare` on the first line the server is initialized before, and shut down at the end.
use strict;
use warnings;
use utf8;
use Cwd 'getcwd';
use Encode qw(encode decode);
use FindBin;
use lib $FindBin::Bin;
use JSON::PP;
use LanguageServer qw(apply_edits offset_of file_uri);

binmode STDOUT, ':utf8';
$| = 1;
alarm 120; # a server that does not answer
my $json = JSON::PP->new->canonical->allow_nonref;
my $folder = getcwd();
$SIG{ALRM} = sub { print "no answer\n"; exit 1 };
my $server = LanguageServer->start(['psl', 'lsp', @ARGV], \&note);
my (%text, %version, %published, $answer);

sub uri { my ($file) = @_; return $file =~ /^\w+:/ ? $file : file_uri("$folder/$file") }
sub short { my ($text) = @_; $text =~ s{\Q@{[uri('')]}\E}{}g; $text =~ s{\Q$folder/\E}{}g; $text =~ s{file://\S*?/(stdlib|coercions)/}{LIBRARY/$1/}g; return $text }

sub place { my ($p) = @_; return ($p->{line} + 1) . ':' . ($p->{character} + 1) }
sub range { my ($r) = @_; return place($r->{start}) . '-' . place($r->{end}) }
sub is_range { my ($v) = @_; return ref $v eq 'HASH' && ref $v->{start} eq 'HASH' && ref $v->{end} eq 'HASH' && keys %$v == 2 }

# The protocol's numbers by its names for them.
my @symbols = ('', qw(file module namespace package class method property field constructor enum interface function variable
  constant string number boolean array object key null enum-member struct event operator type-parameter));
my @completions = ('', qw(text method function constructor field variable class interface module property unit value enum
  keyword snippet color file reference folder enum-member constant struct event operator type-parameter));
my $kinds = [];

# What is short stands on one line.
sub one_line {
  my ($value) = @_;
  return undef if ref $value ne 'HASH' || !%$value;
  my @parts;
  for my $key (sort keys %$value) {
    my $v = $value->{$key};
    $v = $kinds->[$v] if $key eq 'kind' && defined $v && $v =~ /^\d+$/ && $kinds->[$v];
    return undef if ref $v && !is_range($v) && !JSON::PP::is_bool($v);
    my $shown = is_range($v) ? range($v) : ref $v || !defined $v ? $json->encode($v) : short("$v");
    return undef if $shown =~ /\n/;
    push @parts, "$key: $shown";
  }
  my $text = join ', ', @parts;
  return length $text > 110 ? undef : " $text\n";
}

# Data as lines: ranges as 1:2-3:4, hashes and lists indented.
sub show {
  my ($value, $indent) = @_;
  my $line = one_line($value);
  return ' ' . range($value) . "\n" if is_range($value);
  return ' ' . place($value) . "\n" if ref $value eq 'HASH' && exists $value->{line} && exists $value->{character} && keys %$value == 2;
  if (ref $value eq 'HASH') {
    return " {}\n" unless %$value;
    return $line if defined $line;
    $value = {%$value, kind => $kinds->[$value->{kind}]} if defined $value->{kind} && $value->{kind} =~ /^\d+$/ && $kinds->[$value->{kind}];
    return "\n" . join '', map { $indent . short($_) . ':' . show($value->{$_}, "$indent  ") } sort keys %$value;
  }
  if (ref $value eq 'ARRAY') {
    return " []\n" unless @$value;
    return ' ' . short($json->encode($value)) . "\n" unless grep { ref } @$value;
    return "\n" . join '', map { my $t = show($_, "$indent  "); $t =~ s/^\n\s*//; "$indent- " . ($t =~ s/^ //r) } @$value;
  }
  my $text = ref $value || !defined $value ? $json->encode($value) : "$value";
  $text = short($text);
  return $text =~ /\n/ ? " |\n" . join('', map { "$indent$_\n" } split /\n/, $text) : " $text\n";
}

sub note {
  my ($message) = @_;
  if (($message->{method} // '') eq 'textDocument/publishDiagnostics') {
    $published{short($message->{params}{uri})} = $message->{params};
  } elsif ($message->{method}) {
    print "<- $message->{method}" . show($message->{params}, '  ');
    $server->send(id => $message->{id}, result => undef) if defined $message->{id};
  }
}

sub request {
  my ($method, $params) = @_;
  $kinds = $method =~ /ymbol$/ ? \@symbols : $method =~ /ompletion/ ? \@completions : [];
  return $server->request($method, $params);
}

# Of a completion its words by their kinds, and what they replace.
sub completion_shown {
  my ($items) = @_;
  my (%by_kind, %ranges);
  for my $item (@$items) {
    push @{$by_kind{$completions[$item->{kind}]}}, $item->{label};
    $ranges{range($item->{textEdit}{range})} = 1;
  }
  return "nothing\n" unless @$items;
  my $text = join(' ', sort keys %ranges) . "\n";
  for my $kind (sort keys %by_kind) {
    my @words = @{$by_kind{$kind}};
    my $many = @words > 30 ? ' ... and ' . (@words - 30) . ' more' : '';
    $text .= "  $kind: " . join(' ', @words[0 .. ($many ? 29 : $#words)]) . "$many\n";
  }
  return $text;
}

sub answer_shown {
  my ($message) = @_;
  return completion_shown($message->{result}{items}) if ref $message->{result} eq 'HASH' && $message->{result}{items};
  return "error $message->{error}{code}: " . short($message->{error}{message}) . "\n" if $message->{error};
  return (show($message->{result}, '  ') =~ s/^\n//r =~ s/^ (?! )//r);
}

# A line a token: its place, its letters, its type, its modifiers.
my $legend;
sub tokens_shown {
  my ($message, $text) = @_;
  my ($line, $character, $shown) = (0, 0, '');
  my @data = @{$message->{result}{data}};
  while (my ($lines, $characters, $length, $type, $modifiers) = splice @data, 0, 5) {
    $character = 0 if $lines;
    $line += $lines;
    $character += $characters;
    my ($begin, $end) = map { offset_of($text, $line, $_) } $character, $character + $length;
    my @names = map { $modifiers >> $_ & 1 ? $legend->{tokenModifiers}[$_] : () } 0 .. 9;
    $shown .= sprintf "  %s %s: %s\n", place({line => $line, character => $character}), substr($text, $begin, $end - $begin), join ' ', $legend->{tokenTypes}[$type], @names;
  }
  return $shown;
}

sub folds_shown { my ($message) = @_; return join '', map { sprintf "  lines %d to %d%s\n", $_->{startLine} + 1, $_->{endLine} + 1, $_->{kind} ? " $_->{kind}" : '' } @{$message->{result}} }

# Till the server has published what it says of these documents as they are.
sub settle {
  my (@files) = @_;
  while (grep { !$published{$_} || ($text{$_} // '') ne '' && ($published{$_}{version} // 0) != $version{$_} } @files) {
    my $message = $server->receive // die "the server has gone\n";
    note($message);
  }
}

sub show_diagnostics {
  for my $file (sort keys %published) {
    my $list = $published{$file}{diagnostics};
    print "$file:" . (@$list ? "\n" : " nothing\n");
    my @names = ('', 'error', 'warning', 'note', 'help');
    for my $d (@$list) {
      print '  ' . range($d->{range}) . " $names[$d->{severity}]: " . ($d->{message} =~ s/\n/\n    /gr) . "\n";
      print '    ' . short($_->{location}{uri}) . ' ' . range($_->{location}{range}) . ": $_->{message}\n" for @{$d->{relatedInformation} // []};
      print '    fix ' . range($_->{range}) . ": $_->{newText}\n" for @{($d->{data} // {})->{replacements} // []};
    }
  }
  %published = ();
}

sub lines_to_point { my $text = ''; while (defined(my $line = <STDIN>)) { last if $line eq ".\n"; $text .= $line } return decode('UTF-8', $text) }
sub file_text { my ($file) = @_; open my $f, '<:utf8', $file or die "$file: $!\n"; local $/; return scalar <$f> }

sub edits_of {
  my ($result, $uri) = @_;
  return @$result if ref $result eq 'ARRAY' && (!@$result || $result->[0]{newText} // defined $result->[0]{range});
  my $changes = ref $result eq 'ARRAY' ? $result->[0]{edit}{changes} : $result->{changes};
  return @{($changes // {})->{$uri} // []};
}

sub change {
  my ($file, @changes) = @_;
  $server->notify('textDocument/didChange', {textDocument => {uri => uri($file), version => ++$version{$file}}, contentChanges => \@changes});
}

sub position { my ($at) = @_; my ($l, $c) = $at =~ /^(\d+):(\d+)$/ or die "no place: $at\n"; return {line => $l - 1, character => $c - 1} }

my $bare = 0;
while (defined(my $line = <STDIN>)) {
  $line = decode('UTF-8', $line);
  chomp $line;
  my ($word, $rest) = $line =~ /^(\S*)\s*(.*)$/;
  if ($. == 1) {
    $bare = $word eq 'bare';
    if (!$bare) {
      my %wanted = $word eq 'initialize' ? %{$json->decode($rest)} : ();
      my $message = request('initialize', {processId => $$, rootUri => uri('') =~ s{/$}{}r, capabilities => {}, %wanted});
      $server->notify('initialized', {});
      $legend = $message->{result}{capabilities}{semanticTokensProvider}{legend};
      print answer_shown($message) if $word eq 'initialize';
    }
    next if $bare || $word eq 'initialize';
  }
  if ($line eq '' || $word eq '#') { print "$line\n"; next }
  print "> $line\n";
  if ($word eq 'open') {
    my ($file, $here) = split ' ', $rest;
    ($text{$file}, $version{$file}) = ($here ? lines_to_point() : file_text($file), 1);
    $server->notify('textDocument/didOpen', {textDocument => {uri => uri($file), languageId => 'psl', version => 1, text => $text{$file}}});
  } elsif ($word eq 'text') {
    my ($file) = split ' ', $rest;
    $text{$file} = lines_to_point();
    change($file, {text => $text{$file}});
  } elsif ($word eq 'edit') {
    my ($file, $from_place, $to_place, $new) = $rest =~ /^(\S+) (\S+)-(\S+) (.*)$/;
    my $edit = {range => {start => position($from_place), end => position($to_place)}, newText => $json->decode($new)};
    $text{$file} = apply_edits($text{$file}, $edit);
    change($file, {range => $edit->{range}, text => $edit->{newText}});
  } elsif ($word eq 'apply') {
    $text{$rest} = apply_edits($text{$rest}, edits_of($answer, uri($rest)));
    change($rest, {text => $text{$rest}});
    print $text{$rest};
  } elsif ($word eq 'close') {
    delete $text{$rest};
    $server->notify('textDocument/didClose', {textDocument => {uri => uri($rest)}});
  } elsif ($word eq 'save') {
    open my $f, '>:utf8', $rest;
    print $f $text{$rest};
    close $f;
    $server->notify('textDocument/didSave', {textDocument => {uri => uri($rest)}});
  } elsif ($word eq 'wait') {
    settle(split ' ', $rest);
    show_diagnostics();
  } elsif ($word eq 'request') {
    my ($method, $params) = split ' ', $rest, 2;
    $params =~ s/FOLDER/uri('')/ge if $params;
    my $message = request($method, $params ? $json->decode($params) : undef);
    $answer = $message->{result};
    print answer_shown($message);
  } elsif ($word eq 'notify') {
    my ($method, $params) = split ' ', $rest, 2;
    $server->notify($method, $params ? $json->decode($params) : undef);
  } elsif ($word eq 'send' || $word eq 'raw') {
    if ($word eq 'send') { $server->send_json(encode('UTF-8', $rest)) } else { $server->raw($json->decode($rest)) }
  } elsif ($word eq 'hold') {
    $server->hold;
  } elsif ($word eq 'flush') {
    $server->flush;
  } elsif ($word eq 'receive') {
    my $message = $server->receive;
    print $message ? (show($message, '  ') =~ s/^\n//r) : "the server has gone\n";
  } elsif ($word eq 'end') {
    close $server->{to};
  } else {
    my ($file, $at, $more) = $rest =~ /^(\S+)(?: (\d+:\d+))?(?: ([{].*))?$/ or die "not understood: $line\n";
    my %params = (textDocument => {uri => uri($file)}, $at ? (position => position($at)) : (), $more ? %{$json->decode($more)} : ());
    $params{options} //= {tabSize => 2, insertSpaces => JSON::PP::true} if $word eq 'formatting';
    $params{context} //= {includeDeclaration => JSON::PP::true} if $word eq 'references';
    my $message = request("textDocument/$word", \%params);
    $answer = $message->{result};
    print $word =~ /^semanticTokens/ ? tokens_shown($message, $text{$file}) : $word eq 'foldingRange' ? folds_shown($message) : answer_shown($message);
  }
}
if (!$bare) {
  request('shutdown', undef);
  $server->notify('exit');
}
my $status = $server->end;
print 'the server ends with ' . ($status & 127 ? 'signal ' . ($status & 127) : $status >> 8) . "\n" if $bare || $status;
