# What cannot be run, is unknown, goes wrong, or is asked for in vain: each an error, whatever the program does.
make() { perl assemble.pl "$TMP/$1"; }
try() { (cd "$TMP" && psl simulate -q -o report "$@") 2>&1; }
make unknown <<'END'
  addiu $2, $0, 1
  unknown
END
make break <<'END'
  break
END
make call <<'END'
  addiu $2, $0, 399
  syscall
END
make away <<'END'
  lui $2, 0x6000
  lw $3, 0($2)
END
make odd <<'END'
  lui $2, 0x1000
  lw $3, 2($2)
END
make itself <<'END'
  lui $2, 0x40
  sw $2, 0($2)
END
make zero <<'END'
  div $2, $0
END
make overflow <<'END'
  lui $2, 0x7fff
  add $2, $2, $2
END
make end <<'END'
  nop
END
make jump <<'END'
  lui $2, 0x10
  jr $2
END
for p in unknown break call away odd itself zero overflow end jump; do
  try $p
done
head -c 100 "$TMP/end" >"$TMP/short"
head -c 163 "$TMP/end" >"$TMP/shorter"
: >"$TMP/empty"
try short
try shorter
try empty
try /dev/null
try missing
cp /bin/true "$TMP/true"
try true
for s in ruu:size "ruu:size 8" \
  ruu:sise=3 ruu:size=1 ruu:size=x bpred=gshare issue:inorder=1 'mem:lat=1' cache:dl1=dl1:0:32:1:l \
  cache:dl1=dl1:8:32:1:x cache:dl1=dl2 cache:dl1=none 'bpred:2lev=0 1 1 0' 'bpred:btb=0 1' \
  cache:dl1=dl1:16777216:32:2:l tlb:dtlb=dtlb:32:100:4:l tlb:itlb=itlb:32:4:4:l; do
  try --set "$s" end
done
