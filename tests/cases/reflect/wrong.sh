# What is refused, and programs that end otherwise than they should.
cc -I ../../../evaluators/programs/reflector -o "$TMP/uses" uses.c "$PSL_BUILD/libpsl-reflector.a" -pthread -lm
short="psl reflect --error-format short --costs none"
cp answers.psl "$TMP"
cd "$TMP"
said() { "$@" 2>&1 | sed 's/^.*reflector\.psl:[0-9]*/reflector.psl:*/' | grep -e error: -e help -e psl-reflector; }
said psl reflect
said psl reflect --listen here ./uses
said psl reflect ./nothing
said $short true
said $short ./uses exit
said $short ./uses abort
said psl reflect --costs some ./uses
echo 'param n : int = 1;' > other.psl
said psl reflect --model other.psl ./uses
cat answers.psl > two.psl
sed -n '/^component multiplier/,/^}/p' answers.psl | sed 's/multiplier/again/' >> two.psl
said $short --model two.psl ./uses
said psl run --error-format short answers.psl
said psl run --error-format short answers.psl --set 'program="answers.psl"'
said $short --listen "$(printf '%0120d' 1)"
said $short --listen /nowhere/socket
PSL_REFLECT=model:nowhere said ./uses
said $short ./uses named
# Not the library's: its first line, and one that says nothing.
cat > speak.pl <<'END'
open my $psl, '+<&=', $1 if $ENV{PSL_REFLECT} =~ /model:(\d+)/;
syswrite $psl, "$ARGV[0]\n";
sysread $psl, my $answer, 100;
syswrite $psl, "$ARGV[1]\n";
sleep 5;
END
said $short perl speak.pl hello
for line in 'use' 'use -1 a b 1 0' 'use nan a b 1 0' 'use 0 a b 1 9 1 2 3 4 5 6 7 8 9' 'use 0 a b 1 2 1' 'sensor 0 a inf' 'use 0 a b 1 0 1' \
            'used 1 a b 1 1 2 3' "use 0 $(printf '%070d' 1) b 1 0" "$(printf '%01100d' 1)"; do
  said $short perl speak.pl 'reflector 1 1' "$line"
done
