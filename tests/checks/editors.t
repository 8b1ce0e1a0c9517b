#!/usr/bin/perl
# The modes of Vim and Emacs, where these are: the kind of file, how lines are indented, what is coloured, and in Emacs
# what eglot would start. The witness is the same text as psl fmt lays it out. Neovim, whose client of the language
# server is tested with it, has a case of its own: lsp/neovim.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

my $made = "$build/editors";
my $folder = scratch() . '/editors';
mkdir $folder;
my $model = <<'END';
transaction store(amount : data);
component worker {
  accepts:
    profile     = { domain = application, node type = box };
    transaction = store(amount);
    protocol    = call-return;
  body:
    hold 3 ms / 2;  // so
    if true {
      hold sqrt(4) * 1 s;
    }
}
let x : time = 2 s;
END
spew("$folder/laid.psl", $model);
ok(command($folder, $psl, 'fmt', 'laid.psl')->{out} eq $model, 'the witness is as psl fmt has it');
spew("$folder/flat.psl", $model =~ s/^ +//mgr);

# Line and column of what is looked at, and its kind in each editor.
my @places = (
  [2, 1, 'component', 'pslKeyword', 'font-lock-keyword-face'],
  [8, 12, 'ms', 'pslUnit', 'font-lock-constant-face'],
  [8, 24, 'so', 'pslComment', 'font-lock-comment-face'],
  [10, 12, 'sqrt', 'pslFunction', 'font-lock-builtin-face'],
  [13, 9, 'time', 'pslType', 'font-lock-type-face'],
);

sub compare_editor {
  my ($name, $said, $kind, @colours) = @_;
  my ($first, $text, $last) = split /^=+\n/m, $said->{out};
  ok(defined $last, "$name answers", $said->{out} . $said->{err}) or return;
  ok($first eq $kind, "$name knows the kind of file", $first);
  ok($text eq $model, "$name indents as psl fmt does", $text);
  for my $k (0 .. $#places) {
    my $found = (split /\n/, $last)[$k] // '';
    ok($found eq $colours[$k], "$name colours '$places[$k][2]'", $found);
  }
}

if (command($folder, 'vim', '--version')->{out} =~ /\+eval/) {
  my $colours = join '', map { "  call add(said, synIDattr(synID($_->[0], $_->[1], 1), 'name'))\n" } @places;
  spew("$folder/ask.vim", <<"END");
set nocompatible
let &runtimepath = '$made/vim,' . &runtimepath
filetype plugin indent on
syntax on
edit flat.psl
let said = [&filetype, '===']
silent normal! gg=G
call extend(said, getline(1, '\$'))
call add(said, '===')
$colours
call writefile(said, 'vim.txt')
qall!
END
  my $said = command($folder, 'vim', '-es', '-u', 'NONE', '-i', 'NONE', '-n', '-S', 'ask.vim');
  $said->{out} = -e "$folder/vim.txt" ? slurp("$folder/vim.txt") : '';
  compare_editor('Vim', $said, "poems\n", map { $_->[3] } @places);
} else {
  skip('Vim', 'Vim with +eval is not installed');
}

if (command($folder, 'emacs', '--version')->{exit} eq '0') {
  my $colours = join ' ', map { "(princ (format \"%s\\n\" (look $_->[0] $_->[1])))" } @places;
  spew("$folder/ask.el", <<"END");
(require 'psl-mode)
(defun look (line column)
  (goto-char (point-min))
  (forward-line (1- line))
  (move-to-column (1- column))
  (get-text-property (point) 'face))
(find-file "flat.psl")
(princ (format "%s, eglot starts %s\\n===\\n" major-mode
               (if (require 'eglot nil t) (cdr (assoc 'psl-mode eglot-server-programs)) "(psl lsp)")))
(let ((inhibit-message t)) (indent-region (point-min) (point-max)))
(princ (buffer-string))
(princ "===\\n")
(font-lock-ensure)
$colours
END
  my $said = command($folder, 'emacs', '-Q', '--batch', '-L', "$made/emacs", '-l', 'ask.el');
  compare_editor('Emacs', $said, "psl-mode, eglot starts (psl lsp)\n", map { $_->[4] } @places);
  my $compiled = command($folder, 'emacs', '-Q', '--batch', '--eval', '(setq byte-compile-error-on-warn t)', '--eval',
                         "(byte-compile-file \"$made/emacs/psl-mode.el\")");
  ok($compiled->{exit} eq '0', 'Emacs compiles the mode without a warning', $compiled->{err});
  unlink "$made/emacs/psl-mode.elc";
} else {
  skip('Emacs', 'Emacs is not installed');
}
finish();
