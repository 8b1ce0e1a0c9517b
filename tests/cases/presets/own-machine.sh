# A machine of one's own is chosen by its name, and all figures follow; L, os and G it must have.
cat > $TMP/mine.psl <<'END'
use mpi;
component mine like computer { param L = 2 us; param os = 0.5 us; param G = 0.1 ns/byte; profile machine = mine; }
component bare like computer { param L = 2 us; profile machine = bare; }
END
psl -c $TMP/mine.psl -e ':set machine=mine' -e 'total(512 byte) -> us' -e 'total(8 KiB) -> us' -e '[ol, g] -> us' -e Gl
psl -c $TMP/mine.psl -e 'use message-cost { param machine = mine; }' -e 'total(512 byte) -> us'
(
  psl params $TMP/mine.psl --set machine=bare | grep -A6 'machine  '
  psl check $TMP/mine.psl --set machine=bare
  psl check $TMP/mine.psl --set machine=clustr --set L=2us
  psl check $TMP/mine.psl --set machine=
  psl check $TMP/mine.psl --set topology=
  psl check $TMP/mine.psl --set machin=
) 2>&1 | sed "s|/.*/stdlib/||; s|$TMP/||"
psl compare ../../../examples/sweep3d/sweep3d-equations.psl --vary machine | head -7
