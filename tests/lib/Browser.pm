# Chromium without a window, for tests of pages: opened, asked in JavaScript, typed at, looked at. It is spoken with in
# the
# DevTools protocol over two pipes.
package Browser;
use strict;
use warnings;
use Encode 'decode';
use Fcntl;
use IO::Select;
use JSON::PP;
use MIME::Base64 'decode_base64';
use POSIX ();
use Run;
use Time::HiRes 'time';

my $json = JSON::PP->new->utf8->canonical->allow_nonref;

# The path of the browser; undef: it is not installed.
sub installed { my ($path) = grep { -x } map { "$_/chromium" } split /:/, $ENV{PATH}; return $path }

sub start {
  my ($class, $folder, @options) = @_;
  my $chromium = installed();
  pipe my $in, my $to;
  pipe my $from, my $out;
  my $pid = fork() // die "fork: $!\n";
  if (!$pid) {
    setpgrp(0, 0);
    my ($a, $b) = (POSIX::dup(fileno $in), POSIX::dup(fileno $out));
    # Out of the way of 3 and 4, where they go.
    my ($x, $y) = map { my $d = $_; my @held; while ($d < 10) { push @held, $d; $d = POSIX::dup($d) } $d } $a, $b;
    POSIX::dup2($x, 3);
    POSIX::dup2($y, 4);
    open STDIN, '<', '/dev/null';
    open STDOUT, '>', '/dev/null';
    open STDERR, '>', "$folder/browser.log";
    exec {$chromium} $chromium, qw(--headless --no-sandbox --disable-gpu --hide-scrollbars --no-first-run
      --remote-debugging-pipe),
      "--user-data-dir=$folder/browser", @options, 'about:blank' or POSIX::_exit(127);
  }
  close $_ for $in, $out;
  binmode $_, ':raw' for $to, $from;
  my $self = bless {pid => $pid, to => $to, from => $from, next => 1, buffer => '', events => []}, $class;
  my ($target) = grep { $_->{type} eq 'page' } @{$self->call('Target.getTargets')->{targetInfos}};
  $self->{session} = $self->call('Target.attachToTarget', {targetId => $target->{targetId},
    flatten => JSON::PP::true})->{sessionId};
  $self->call($_) for qw(Page.enable Runtime.enable Log.enable Network.enable);
  return $self;
}

sub receive {
  my ($self, $seconds) = @_;
  my $end = time + $seconds;
  my $size;
  while (($size = index $self->{buffer}, "\0") < 0) {
    my $left = $end - time;
    return undef if $left <= 0 || !IO::Select->new($self->{from})->can_read($left);
    sysread $self->{from}, $self->{buffer}, 1 << 20, length $self->{buffer} or die "the browser has gone\n";
  }
  my $message = substr $self->{buffer}, 0, $size + 1, '';
  chop $message;
  return $json->decode($message);
}

sub call {
  my ($self, $method, $params) = @_;
  my $id = $self->{next}++;
  my %message = (id => $id, method => $method, params => $params // {});
  $message{sessionId} = $self->{session} if $self->{session} && $method !~ /^(?:Target|Browser)\./;
  print {$self->{to}} $json->encode(\%message) . "\0";
  $self->{to}->flush;
  while (my $answer = $self->receive(60)) {
    if (($answer->{id} // 0) == $id) {
      die "$method: $answer->{error}{message}\n" if $answer->{error};
      return $answer->{result};
    }
    push @{$self->{events}}, $answer if $answer->{method};
    # A question of the page is answered as the test has said.
    $self->answer_question if ($answer->{method} // '') eq 'Page.javascriptDialogOpening';
  }
  die "$method: the browser does not answer\n";
}

# What prompt() and confirm() are answered by from now on.
sub answer_question {
  my ($self) = @_;
  print {$self->{to}} $json->encode({id => $self->{next}++, sessionId => $self->{session},
    method => 'Page.handleJavaScriptDialog',
    params => {accept => JSON::PP::true, promptText => $self->{answer} // ''}}) . "\0";
  $self->{to}->flush;
}

sub open { my ($self, $address) = @_; $self->{events} = []; $self->call('Page.navigate', {url => $address}) }

# The value of an expression, a promise's too.
sub value {
  my ($self, $expression) = @_;
  my $answer = $self->call('Runtime.evaluate', {expression => $expression, returnByValue => JSON::PP::true,
    awaitPromise => JSON::PP::true});
  return 'wrong: ' . ($answer->{exceptionDetails}{exception}{description} //
    $answer->{exceptionDetails}{text}) if $answer->{exceptionDetails};
  return $answer->{result}{value};
}

# Waits until an expression holds; its value, or what it was in the end.  The page may just be changing for another one.
sub until {
  my ($self, $expression, $seconds) = @_;
  my ($end, $value) = (time + ($seconds // 30));
  do {
    $value = eval { $self->value($expression) };
    die $@ if $@ && $@ !~ /navigated or closed|context/;
    return $value if $value && $value !~ /^wrong: /;
    select undef, undef, undef, 0.05;
  } while time < $end;
  return undef;
}

# A test that the expression comes to hold. Where something has not come, what stands on it will not either: that is not
# waited for so long. `log` is what the server says, which is shown then.
sub comes {
  my ($self, $expression, $name, $log) = @_;
  my $come = $self->until($expression, $self->{patience} //= 60);
  $self->{patience} = 5 if !$come;
  ok($come, $name, join("\n", 'it does not come: ' . ($self->value('document.body.innerText') // ''), $self->wrong,
    slurp($log)) =~ s/[^\n -~]/?/gr);
}

my %keys = (Enter => 13, Escape => 27, Tab => 9, Backspace => 8, Delete => 46, ArrowLeft => 37, ArrowUp => 38,
  ArrowRight => 39, ArrowDown => 40,
            End => 35, Home => 36, F1 => 112, F2 => 113, F12 => 123, Space => 32);

# A key, as Ctrl+S.
sub press {
  my ($self, $name) = @_;
  my ($modifiers, @parts) = (0, split /\+/, $name);
  my $key = pop @parts;
  $modifiers |= {Alt => 1, Ctrl => 2, Shift => 8}->{$_} for @parts;
  my $code = $keys{$key} // {q(.) => 190, q(]) => 221}->{$key} // ord uc $key;
  my %event = (modifiers => $modifiers, key => $key eq 'Space' ? ' ' : $key, windowsVirtualKeyCode => $code,
               code => $keys{$key} ? $key : {q(.) => q(Period), q(]) => q(BracketRight)}->{$key} // 'Key' . uc $key);
  $event{text} = "\r" if $key eq 'Enter' && !$modifiers;
  $self->call('Input.dispatchKeyEvent', {%event, type => $event{text} ? 'keyDown' : 'rawKeyDown'});
  delete $event{text};
  $self->call('Input.dispatchKeyEvent', {%event, type => 'keyUp'});
}
sub type { my ($self, $text) = @_; $self->call('Input.insertText', {text => $text}) }

sub click {
  my ($self, $x, $y) = @_;
  my %event = (x => $x, y => $y, button => 'left', clickCount => 1);
  $self->call('Input.dispatchMouseEvent', {%event, type => $_}) for qw(mouseMoved mousePressed mouseReleased);
}
sub point { my ($self, $x, $y) = @_; $self->call('Input.dispatchMouseEvent', {type => 'mouseMoved', x => $x, y => $y}) }

# By the middle of an element.
sub click_on {
  my ($self, $selector) = @_;
  my $place =
    $self->value("(() => { const b = document.querySelector(${\$json->encode($selector)}).getBoundingClientRect(); " .
    "return [b.x + b.width / 2, b.y + b.height / 2]; })()");
  $self->click(@$place);
}

sub window {
  my ($self, $width, $height, $scheme) = @_;
  $self->call('Emulation.setDeviceMetricsOverride', {width => 0 + $width, height => 0 + $height, deviceScaleFactor => 1,
    mobile => JSON::PP::false});
  $self->call('Emulation.setEmulatedMedia', {features => [{name => 'prefers-color-scheme',
    value => $scheme}]}) if $scheme;
}

sub screenshot {
  my ($self, $path) = @_;
  CORE::open my $file, '>:raw', $path or die "$path: $!\n";
  print $file decode_base64($self->call('Page.captureScreenshot', {format => 'png'})->{data});
  close $file;
}

# The source of axe-core, which `make` has fetched with the studio's editor; undef: it is not there.
sub axe {
  my ($build) = @_;
  CORE::open my $file, '<', "$build/node/node_modules/axe-core/axe.min.js" or return undef;
  local $/;
  return decode('UTF-8', <$file>);
}

# One experimental rule is left out: the pieces of text in a box of the graph have another order than its name.
# What axe-core finds against the rules of WCAG's levels A and AA in the page as it is shown: "rule: element: why" each.
sub violations {
  my ($self, $axe) = @_;
  $self->value("$axe; 1") if !$self->value("typeof axe === 'object'");
  my $found = $self->value("axe.run(document, {iframes: false, rules: {'label-content-name-mismatch': {enabled: false}}, " .
    "resultTypes: ['violations'], runOnly: {type: 'tag', " .
    "values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']}}).then((r) => " .
    "r.violations.flatMap((v) => v.nodes.map((n) => v.id + ': ' + n.target.join(' ') + ': ' + " .
    "n.failureSummary.replace(/\\s+/g, ' '))))");
  return ref $found ? @$found : $found;
}

# What has gone wrong in the page since it was opened.
sub wrong {
  my ($self) = @_;
  $self->value('1');
  return map { $_->{method} eq 'Runtime.exceptionThrown' ? $_->{params}{exceptionDetails}{exception}{description} //
    $_->{params}{exceptionDetails}{text}
             : $_->{method} eq 'Log.entryAdded' && $_->{params}{entry}{level} eq 'error' ?
               "$_->{params}{entry}{text} " . ($_->{params}{entry}{url} // '')
             : () } map { {%$_, params => $_->{params}} } @{$self->{events}};
}

sub end {
  my ($self) = @_;
  kill 'KILL', -$self->{pid};
  waitpid delete $self->{pid}, 0;
}

# A test that dies leaves none behind.
sub DESTROY { my ($self) = @_; local $?; kill 'KILL', -$self->{pid} if $self->{pid} }

1;
