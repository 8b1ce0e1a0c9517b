# Graphviz and libxml2 are loaded by the commands that need them: others do without.
for library in libgvc.so.6 libgvc.so.7 libxml2.so.2 libxml2.so.16; do : >"$TMP/$library"; done
export LD_LIBRARY_PATH="$TMP"
cut() { sed 's|/[^ ]*/\(lib[a-z]*[0-9]*\.so\)[.0-9]*:|\1:|'; }
farm=../../../examples/farm/farm.psl
psl run $farm | head -n 1
psl graph $farm --format svg -o "$TMP/farm.svg" 2>&1 | cut
psl check "$(ls ../uml/*.uml | head -n 1)" 2>&1 | cut
