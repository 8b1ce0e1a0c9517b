# What a time-independent trace may not say, each with its line; the model can read nothing but what its user allows.
say() { sed -n "s|$TMP|TMP|g; s|.*/program.psl:[0-9:]* error: ||p" | uniq; }
try() {
  printf "$1" >"$TMP/wrong.tit"
  psl run "$TMP/model.psl" replay 2>&1 >/dev/null | say
}
printf 'use program { param trace = "wrong.tit"; }\n' >"$TMP/model.psl"
try '0 init\n0 jump 5\n'
try '0 compute\n'
try '0 compute -5\n'
try '0 compute 0x10\n'
try '0 compute 1e400\n'
try '0 send 1 0 100\n'
try '0 send 0 -3 100\n'
try '0 send 0 0 100 99\n'
try '0 send 0 0 100 1 1\n'
try '0 bcast 4 7\n'
try '0 alltoallv 4 1\n'
try '0 compute 5\nx compute 5\n'
try '0 compute 5\n5000000 compute 5\n'
try '0 init\n0 compute 5\n'
try ''
try 'a b c\n'
try 'missing.tit\n'
mkdir "$TMP/folder"
printf '0 init\n0 finalize\n' >"$TMP/secret.tit"
cp "$TMP/secret.tit" "$TMP/folder/0.tit"
printf '0.tit\n../secret.tit\n' >"$TMP/folder/list"
printf 'use program { param trace = "list"; }\n' >"$TMP/folder/model.psl"
psl run "$TMP/folder/model.psl" replay 2>&1 >/dev/null | say
for name in ../secret.tit /dev/null nowhere; do
  printf 'use program { param trace = "%s"; }\n' "$name" >"$TMP/folder/model.psl"
  psl run "$TMP/folder/model.psl" replay 2>&1 >/dev/null | say
done
psl trace "$TMP/secret.tit" 2>&1 | say
