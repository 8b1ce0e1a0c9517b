# What flows are written as. Files as the OMG's UML 2.5.1 and XMI 2.5.1 have them.
activity() { # of the nodes and edges that are given, a line each: type id name [body]; edge id from to [guard]
  {
    echo "<?xml version='1.0' encoding='UTF-8'?>"
    echo "<xmi:XMI xmlns:xmi='http://www.omg.org/spec/XMI/20131001' xmlns:uml='http://www.omg.org/spec/UML/20161101' xmlns:P='http://example.org/Prophet'>"
    echo "<uml:Model xmi:id='m' name='m'><packagedElement xmi:type='uml:Activity' xmi:id='a' name='program'>"
    while read -r type id name rest; do
      case $type in
        edge)
          set -- $rest
          to=$1 && shift
          echo "<edge xmi:type='uml:ControlFlow' xmi:id='$id' source='$name' target='$to'><guard xmi:type='uml:LiteralString' value='$*'/></edge>" ;;
        '<P:'*) late="$late$type $id $name $rest
" ;;
        '<'*) echo "$type $id $name $rest" ;;
        *) echo "<node xmi:type='uml:$type' xmi:id='$id' name='$name'><body>$rest</body></node>" ;;
      esac
    done
    echo "</packagedElement></uml:Model>"
    printf '%s' "$late"
    echo "</xmi:XMI>"
  } > model.uml
  late=
  psl graph --activity --format psl model.uml 2>&1 | sed '1,/body:/d'
  echo
}
cd $TMP
echo '# a loop that is tested at its end, in one that is tested at its beginning'
activity <<'M'
InitialNode i start
MergeNode outer steps
DecisionNode more more
MergeNode inner sweeps
OpaqueAction x sweep 1 s
DecisionNode enough enough
OpaqueAction y close 2 s
ActivityFinalNode f end
edge e1 i outer
edge e2 outer more
edge e3 more inner k &lt;= 3
edge e4 more f else
edge e5 inner x
edge e6 x enough
edge e7 enough inner k2 &lt; 2*k
edge e8 enough y else
edge e9 y outer
<P:Loop base_MergeNode="outer" iterations="3"/>
<P:Loop base_MergeNode="inner" iterations="2 * k"/>
M
echo '# three ways, of which one ends; decisions in decisions that meet in one merge'
activity <<'M'
InitialNode i start
DecisionNode d which
OpaqueAction x x 1 s
OpaqueAction y y 2 s
DecisionNode e again
OpaqueAction z z 3 s
FlowFinalNode f stop
MergeNode m meet
OpaqueAction w last 4 s
edge e1 i d
edge e2 d x pid == 0
edge e3 d e pid == 1
edge e4 d f pid == 2
edge e5 e y pid > 5
edge e6 e z else
edge e7 x m
edge e8 y m
edge e9 z m
edge ea m w
M
echo '# structures, loops of them and of single actions, names with quotes'
activity <<'M'
InitialNode i start
<structuredNode xmi:type="uml:LoopNode" xmi:id="l" name="rounds">
OpaqueAction x say_"no" 1 s
<structuredNode xmi:type="uml:StructuredActivityNode" xmi:id="s" name="part">
OpaqueAction y y 2 s
</structuredNode>
edge e1 x s
</structuredNode>
OpaqueAction z z 3 s // by hand
edge e2 i l
edge e3 l z
<P:ActionPlus base_StructuredActivityNode="l" iterations="10" variable="round"/>
<P:Loop base_OpaqueAction="z" iterations="4"/>
M
