# Diagrams are written as XMI, which is read as the same diagrams and written again as the same bytes; as XML, in which
# elements stand in the order of execution; and as JSON.
for file in papyrus.uml enterprise-architect.xmi; do
  psl graph --activity --format xmi $file > $TMP/once.uml
  psl graph --activity --format xmi $TMP/once.uml > $TMP/twice.uml
  cmp $TMP/once.uml $TMP/twice.uml && echo "$file: written again it is the same"
  psl graph --activity --format psl $file > $TMP/a.psl
  psl graph --activity --format psl $TMP/once.uml > $TMP/b.psl
  cmp $TMP/a.psl $TMP/b.psl && echo "$file: it is the same model"
done
sed 's/ xmlns.*//' $TMP/once.uml
psl graph --activity --format xml papyrus.uml
psl graph --activity --format json papyrus.uml | head -4
# what would be read otherwise than it stands
cat > $TMP/odd.uml <<'M'
<uml:Model xmlns:uml="u" xmlns:xmi="x" xmlns:P="p" xmi:id="m"><packagedElement xmi:type="uml:Activity" xmi:id="a" name="&lt;&quot;&amp;">
<node xmi:type="uml:InitialNode" name="a&#10;b"/><node xmi:type="uml:OpaqueAction" name="x"><body>1 s &lt; 2 s
  and &amp;</body></node></packagedElement></uml:Model>
M
psl graph --activity --format xmi $TMP/odd.uml | sed '1,2d; /profile/,$d' | tee $TMP/odd.txt
psl graph --activity --format xmi $TMP/odd.uml > $TMP/odd2.uml
psl graph --activity --format xmi $TMP/odd2.uml | cmp - $TMP/odd2.uml && echo same
# what a diagram declares itself
psl graph --activity --format psl ../../../examples/lapw0/lapw0.uml | sed -n '2,6p'
# names of stereotypes and tags that XML or UML would not have so
cat > $TMP/names.uml <<'M'
<xmi:XMI xmlns:xmi="x" xmlns:uml="u" xmlns:P="p"><uml:Model xmi:id="m"><packagedElement xmi:type="uml:Activity" xmi:id="a" name="a"/></uml:Model>
<P:_e-1 base_Activity="a" per-node="2" _x.y="3"/></xmi:XMI>
M
psl graph --activity --format xmi $TMP/names.uml > $TMP/names2.uml
grep '<Prophet:' $TMP/names2.uml
psl graph --activity --format xmi $TMP/names2.uml | cmp - $TMP/names2.uml && echo same
