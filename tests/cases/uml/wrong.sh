# What is wrong with an activity is said at its tag. Files as the OMG's UML 2.5.1 and XMI 2.5.1 have them.
activity() { # of the nodes and edges that are given, a line each: type id name [body]; edge id from to [guard]
  {
    echo '<?xml version="1.0" encoding="UTF-8"?>'
    echo '<xmi:XMI xmlns:xmi="http://www.omg.org/spec/XMI/20131001" xmlns:uml="http://www.omg.org/spec/UML/20161101" xmlns:P="http://example.org/Prophet">'
    echo '<uml:Model xmi:id="m" name="m"><packagedElement xmi:type="uml:Activity" xmi:id="a" name="program">'
    while read -r type id name rest; do
      case $type in
        edge)
          set -- $rest
          echo "  <edge xmi:type=\"uml:ControlFlow\" xmi:id=\"$id\" source=\"$name\" target=\"$1\"><guard xmi:type=\"uml:LiteralString\" value=\"$2\"/></edge>" ;;
        '<'*) late="$late$type $id $name $rest
" ;;
        *) echo "  <node xmi:type=\"uml:$type\" xmi:id=\"$id\" name=\"$name\"><body>$rest</body></node>" ;;
      esac
    done
    echo '</packagedElement></uml:Model>'
    printf '%s' "$late"
    echo '</xmi:XMI>'
  } > model.uml
  late=
  psl params model.uml 2>&1 | sed 's|^[^ ]*/\(stdlib/\)|\1|'
  echo
}
cd $TMP
echo '# a flow that leads nowhere, one without a source'
activity <<'M'
InitialNode i start
OpaqueAction x x 1 s
edge e1 i x
edge e2 x nowhere
edge e3
M
echo '# no initial node; two'
activity <<'M'
OpaqueAction x x 1 s
M
activity <<'M'
InitialNode i start
InitialNode j again
OpaqueAction x x 1 s
edge e1 i x
edge e2 j x
M
echo '# an action that is never reached'
activity <<'M'
InitialNode i start
OpaqueAction x x 1 s
OpaqueAction y y 1 s
OpaqueAction z z 1 s
edge e1 i x
edge e2 y z
M
echo '# an unknown cost function, a wrong type, no expression, no cost'
activity <<'M'
InitialNode i start
OpaqueAction x solve solving(3)
edge e1 i x
M
activity <<'M'
InitialNode i start
OpaqueAction x solve 3 + 4
edge e1 i x
M
activity <<'M'
InitialNode i start
OpaqueAction x solve 3 s); hold (4 s
edge e1 i x
M
activity <<'M'
InitialNode i start
OpaqueAction x solve
edge e1 i x
M
echo '# a fork whose flows do not meet, one whose join waits for more, a join without a fork'
activity <<'M'
InitialNode i start
ForkNode f split
OpaqueAction x x 1 s
OpaqueAction y y 1 s
edge e1 i f
edge e2 f x
edge e3 f y
M
activity <<'M'
InitialNode i start
ForkNode f split
DecisionNode d which
OpaqueAction x x 1 s
JoinNode j join
edge e1 i f
edge e2 f x
edge e3 f d
edge e4 x j
edge e5 d j true
edge e6 d j else
edge e7 j f2
ActivityFinalNode f2 end
M
activity <<'M'
InitialNode i start
DecisionNode d which
JoinNode j join
ActivityFinalNode f end
edge e1 i d
edge e2 d j true
edge e3 d j else
edge e4 j f
M
echo '# a cycle without a loop element; loops that cannot be written'
activity <<'M'
InitialNode i start
MergeNode m again
OpaqueAction x x 1 s
DecisionNode d more?
edge e1 i m
edge e2 m x
edge e3 x d
edge e4 d m true
edge e5 d f else
ActivityFinalNode f end
M
activity <<'M'
InitialNode i start
MergeNode m again
OpaqueAction x x 1 s
OpaqueAction y y 1 s
DecisionNode d more?
edge e1 i m
edge e2 m x
edge e3 x d
edge e4 d y
edge e5 d f else
edge e6 y m
ActivityFinalNode f end
<P:Loop base_MergeNode="m" iterations="3"/>
M
activity <<'M'
InitialNode i start
MergeNode m again
OpaqueAction x x 1 s
edge e1 i m
edge e2 m x
edge e3 x m
<P:Loop base_MergeNode="m"/>
M
echo '# implicit forks and joins; guards'
activity <<'M'
InitialNode i start
OpaqueAction x x 1 s
OpaqueAction y y 1 s
edge e1 i x
edge e2 x y
edge e3 x y
M
activity <<'M'
InitialNode i start
DecisionNode d which
OpaqueAction x x 1 s
OpaqueAction y y 1 s
edge e1 i d
edge e2 d x
edge e3 d y
M
activity <<'M'
InitialNode i start
DecisionNode d which
OpaqueAction x x 1 s
OpaqueAction y y 1 s
edge e1 i d
edge e2 d x pid
edge e3 d y
M
echo '# calls of nothing, of itself; ids'
activity <<'M'
InitialNode i start
CallBehaviorAction c call
edge e1 i c
M
cat > self.uml <<'M'
<uml:Model xmlns:uml="http://www.omg.org/spec/UML/20161101" xmlns:xmi="http://www.omg.org/spec/XMI/20131001">
<packagedElement xmi:type="uml:Activity" xmi:id="b" name="entry"><node xmi:type="uml:InitialNode" xmi:id="x"/>
<node xmi:type="uml:CallBehaviorAction" xmi:id="y" name="call" behavior="a"/><edge xmi:type="uml:ControlFlow" xmi:id="z" source="x" target="y"/>
</packagedElement>
<packagedElement xmi:type="uml:Activity" xmi:id="a" name="program">
<node xmi:type="uml:InitialNode" xmi:id="i"/>
<node xmi:type="uml:CallBehaviorAction" xmi:id="c" name="call" behavior="a"/>
<edge xmi:type="uml:ControlFlow" xmi:id="e" source="i" target="c"/>
</packagedElement>
</uml:Model>
M
psl params self.uml 2>&1
activity <<'M'
InitialNode i start
OpaqueAction i x 1 s
edge e1 i x
M
