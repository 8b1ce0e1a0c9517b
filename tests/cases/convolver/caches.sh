# Caches of a profile: those that were simulated, by stack distances others, in what they serve and in time; what is
# neither is refused, as are pages that nobody counted.
cat > "$TMP/search.psl" <<'END'
use convolver { param program = search;  param traced = large;  param combination = sum;  param placement = levels; }
param size    : data = 32 KiB;
param line    : data = 64 byte;
param page    : time = 0 s;
param known   : term = distances in [distances, caches];
component search-signature like signature {
  param places   = ["find search.c:12"];
  param blocks   = [[1000, 9000, 2000, 500, 0, 0, 1000, 0, 1500, 0, 0, 0, 0, 1000]];
  param machines = [large];
  param levels   = [[32 KiB, 1 MiB]];
  param lines    = [[64 byte, 64 byte]];
  param served   = [[[7, 875, 0, 0, 437, 0, 0, 125, 0, 1000, 63, 0, 0, 0, 0, 0, 0, 0, 0]]];
  param distance-ends = if known == caches then [] else [64 byte, 256 KiB];
  param distances     = if known == caches then [] else [[[875, 125, 0], [], [0, 1000, 0], [437, 63, 0], [], []]];
  profile program = search;
}
component large-memory like memory-profile {
  param levels     = [32 KiB, 1 MiB];
  param lines      = [line];
  param sets       = [16 KiB, 64 KiB, 1 MiB, 64 MiB];
  param sequential = [16 GB/s, 14 GB/s, 14 GB/s, 8 GB/s];
  param random     = [16 GB/s, 4 GB/s, 4 GB/s, 0.4 GB/s];
  param store-sequential = [8 GB/s, 7 GB/s, 7 GB/s, 4 GB/s];
  profile machine  = large;
}
component small-memory like large-memory {
  param levels          = [size];
  param measured-levels = [32 KiB];
  param lines           = [line];
  param TLB-miss        = page;
  profile machine       = small;
}
component large-too-memory like large-memory { profile machine = large-too; }
component small-processor like convolved { profile machine = small; }
component large-too-processor like convolved { profile machine = large-too; }
component large-processor like convolved { profile machine = large; }
END
try() {
  machine=$1; shift
  psl -c "$TMP/search.psl" -e ":set machine=$machine" "$@" -e there-served -e predicted-time 2>&1 | sed "s|$TMP|TMP|g; s|^.*/stdlib|STDLIB|; s|psl:[0-9]*:|psl:*:|; s|^ *[0-9]* |   * |"
  echo
}
try large
try large-too
try small
try small -e ':set size=256 KiB'
try small -e ':set line=128 byte'
refused() {
  psl check "$TMP/search.psl" --set machine=small "$@" 2>&1 | sed "s|$TMP|TMP|g; s|^.*/stdlib|STDLIB|; s|psl:[0-9]*:|psl:*:|; s|^ *[0-9]* |   * |"
}
refused --set known=caches
refused --set page='50 ns'
refused --set machine=large --set known=caches --set line='128 byte'
