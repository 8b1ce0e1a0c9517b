# What psl trace --memory cannot trace it refuses before the run, with what helps; a signature that is there stays. Nor does
# it write one of no instructions, or under a name that a model cannot have.
library=$(cd ../../../stdlib && pwd)
cd "$TMP"
try() { echo "\$ $1"; shift; psl trace --memory -o kept.psl "$@" 2>&1 | sed '/^qemu/d'; }
executable() { cat > "$1"; chmod +x "$1"; }
# The head of a program: bytes of class and order, processor.
head_of() { perl -e 'my ($class, $order, $number) = @ARGV; my $s = $order == 1 ? "<" : ">";
  print pack("a4 C3 x9 S$s S$s x44", "\x7fELF", $class, $order, 1, 2, $number)' $2 $3 $4 | executable $1; }
echo kept > kept.psl
head_of x32 1 1 62
head_of i386 1 1 3
head_of ppc 1 2 20
head_of rv32 1 1 243
head_of s390x 2 2 22
head_of other 2 1 77
for program in x32 i386 ppc rv32 s390x other; do try $program ./$program; done
head_of broken 2 1 62
try 'no instruction' ./broken
printf '#!/bin/sh -e\nexit 3\n' | executable script
printf '#! /usr/bin/env -S perl -w\n' | executable environment
echo echo | executable words
: | executable empty
for program in script environment words empty; do try $program ./$program; done
printf '#include <unistd.h>\nint main(int count, char **words) {\n  if (count > 2) execl("./none", "none", NULL);\n  else execl("/bin/echo", "echo", "other", NULL);\n  return 0;\n}\n' > becomes.c
gcc becomes.c -o becomes
try exec ./becomes
cat kept.psl
try 'exec that fails' ./becomes --name none
for name in true call component 'a b' 9x a--b a- é "$(printf %0100d 0 | tr 0 a)" ''; do try "--name $name" --name "$name" ./becomes; done
for name in true nothing; do cp becomes $name; try $name ./$name; done
# All names that stand for values in what a signature uses.
for name in $(sed -n 's/^\(param\|let\) \([a-z-]*\) .*/\2/p' "$library"/convolver.psl "$library"/message-cost.psl) nothing no; do
  psl trace --memory --name $name -o written.psl ./becomes a b > said 2>&1 && echo "$name is written"
done
sed -n '1s|, traced.*||p' kept.psl
