# The checker of diagrams finds all that is wrong at once, each at its element; which rules there are is a file's matter.
cd $TMP
activity() { # nodes and edges, a line each: type id name [body]; edge id from to [guard]; what begins with < stands as it is
  {
    echo '<xmi:XMI xmlns:xmi="http://www.omg.org/spec/XMI/20131001" xmlns:uml="http://www.omg.org/spec/UML/20161101" xmlns:P="prophet">'
    echo '<uml:Model xmi:id="model" name="m"><packagedElement xmi:type="uml:Activity" xmi:id="a" name="program">'
    while read -r type id name rest; do
      case $type in
        edge) set -- $rest; to=$1; shift
          echo "  <edge xmi:type=\"uml:ControlFlow\" xmi:id=\"$id\" source=\"$name\" target=\"$to\"><guard value=\"$*\"/></edge>" ;;
        '<'*) late="$late$type $id $name $rest
" ;;
        *) echo "  <node xmi:type=\"uml:$type\" xmi:id=\"$id\" name=\"$name\"><body>$rest</body></node>" ;;
      esac
    done
    printf '</packagedElement></uml:Model>\n%s</xmi:XMI>\n' "$late"
  } > model.uml
  late=
}
short() { psl check --error-format short "$@" 2>&1; echo; }
echo '# flows'
activity <<'M'
InitialNode i start
InitialNode j again
OpaqueAction x x 1 s
OpaqueAction y y 1 s
OpaqueAction z z 1 s
ActivityFinalNode f end
edge e1 i x
edge e2 j x
edge e3 x y
edge e4 x nowhere
edge e5 f y
M
short model.uml
echo '# decisions, forks, cycles, calls, names'
activity <<'M'
InitialNode i start
DecisionNode d which
OpaqueAction x
OpaqueAction y y 1 s
MergeNode m meet
ForkNode k split
CallBehaviorAction c call
DecisionNode w more
edge e1 i d
edge e2 d x
edge e3 d y
edge e4 d m k ==
edge e5 x m
edge e6 y m
edge e7 m k
edge e8 k c
edge e9 k w
edge ea w m true
M
short model.uml
echo '# stereotypes, tagged values, expressions'
activity <<'M'
InitialNode i start
OpaqueAction x x
OpaqueAction y y
OpaqueAction z z
OpaqueAction v v 3 +
OpaqueAction w w 5
ActivityFinalNode f end
edge e1 i x
edge e2 x y
edge e3 y z
edge e4 z v
edge e5 v w
edge e6 w f
<P:Sned base_Action="x" destination="1" message="1 kB"/>
<P:Send base_Action="y" destination="1" mesage="1 kB"/>
<P:Loop base_Action="z" iterations="3" variable="a b"/>
<P:Reduce base_Action="z" message="8"/>
<P:Process base_InitialNode="i" processes="3"/>
M
short model.uml
echo '# rules of a file: fewer, and milder'
cat > rules.xml <<'M'
<rules>
  <check name="expressions" severity="off"/>
  <check name="stereotypes" severity="warning"/>
  <check name="final"/>
  <stereotype name="Send" on="action"/>
</rules>
M
short --rules rules.xml model.uml
echo '# loops: one without a way back, guards that are not its own, those that are, an initial node behind them'
activity <<'M'
OpaqueAction x x 1 s
OpaqueAction y y 1 s
DecisionNode d more
DecisionNode b stop
MergeNode l loop
MergeNode m again
MergeNode n own
MergeNode o outer
DecisionNode t test
InitialNode i start
ActivityFinalNode f end
edge e1 i l
edge e2 l m
edge e3 m x
edge e4 x d
edge e5 d m k &lt; 5
edge e6 d o k == 3
edge e7 o t
edge e8 t n step&lt;=rows
edge e9 t f else
edge ea n y
edge eb y b
edge ec b o else
edge ed b n k2 &lt; 3
<P:Loop base_MergeNode="l" iterations="2"/>
<P:Loop base_MergeNode="m" iterations="4"/>
<P:Loop base_MergeNode="o" iterations="rows" variable="step"/>
<P:Loop base_MergeNode="n" iterations="3"/>
M
short model.uml
psl params model.uml 2>&1 | grep error
echo '# a loop that ends by chance; a cycle of two merge nodes, which nothing leaves'
activity <<'M'
InitialNode i start
MergeNode m again
OpaqueAction x x 1 s
DecisionNode d more
ActivityFinalNode f end
edge e1 i m
edge e2 m x
edge e3 x d
edge e4 d m
edge e5 d f
<P:Loop base_MergeNode="m" iterations="4"/>
<P:Flow base_ControlFlow="e4" probability="0.3"/>
<P:Flow base_ControlFlow="e5" probability="0.7"/>
M
short model.uml
activity <<'M'
InitialNode i start
DecisionNode d which
OpaqueAction x x 1 s
ActivityFinalNode f end
MergeNode m again
MergeNode n meet
edge e1 i d
edge e2 d x true
edge e3 x f
edge e4 d m else
edge e5 m n
edge e6 n m
<P:Loop base_MergeNode="m" iterations="4"/>
M
short model.uml
echo '# declarations that are wrong come first, and stand at the model that has them'
activity <<'M'
InitialNode i start
OpaqueAction x x unit * 2
edge e1 i x
<P:Program base_Model="model" declarations="param unit : time = 2 ms;"/>
M
short model.uml
psl run model.uml
echo '# files that are none'
for rules in '<rules><check name="guard"/></rules>' '<rules><check name="guards" severity="eror"/></rules>' '<rule/>' \
  '<rules><stereotype name="X"><tag name="a" type="tiem"/></stereotype></rules>' '<!DOCTYPE rules><rules/>' 'no XML'; do
  echo "$rules" > rules.xml
  psl check --rules rules.xml model.uml 2>&1 | head -4
done
psl check --rules none.xml model.uml 2>&1
