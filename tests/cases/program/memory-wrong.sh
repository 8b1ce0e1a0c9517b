# Caches that are none, options of --memory without it, programs that are none or end badly.
try() { psl trace "$@" > "$TMP/out" 2>&1; echo "[$?]"; sed "s|$TMP|TMP|g" "$TMP/out"; }
caches() { try --memory -o "$TMP/signature.psl" --caches "$@" true; }
caches 32KiB
caches here=
caches here=x
caches here=0
caches here=32KiB/8/48
caches here=32KiB/7
caches here=32KiB/8/64/plru
caches here=32KiB/
caches here=2TiB
caches here=65537KiB/1048576
caches he_re=32KiB
caches here=tlb:64
caches here=32KiB,tlb:64/5
caches here=32KiB,tlb:17000000
caches here=8B/1/8,8B,8B,8B,8B,8B,8B,8B
caches here=32KiB --caches here=16KiB
caches here=1MiB,32KiB
caches here=32KiB,32KiB
caches here=32KiB/8/64/lru/fifo
caches here=32KiB,tlb:64,tlb:32
caches here=2048GiB
caches here=17179869185GiB
caches here-1=32KiB
caches true=32KiB
caches program=32KiB
try --memory --distances=0 true
try --memory --distances=x true
try --distances true
try --caches here=32KiB true
try --memory
try --memory -o "$TMP/signature.psl" no-such-program
try --memory --name ends -o "$TMP/signature.psl" false
try --bursts true
try --memory --bursts -o "$TMP/signature.psl" true
# The head of a file that is compiled for AArch64.
perl -e 'print pack("a16 v v V Q3 V v6", "\x7fELF\2\1\1", 2, 183, 1, 0, 64, 0, 0, 64, 56, 0, 64, 0, 0)' > "$TMP/arm"
chmod +x "$TMP/arm"
try --memory --bursts -o "$TMP/signature.psl" env -i "$TMP/arm" "$TMP/out"
