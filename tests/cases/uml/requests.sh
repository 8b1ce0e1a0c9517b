# Non-blocking sends of a diagram are waited for by the name of their request.
cd $TMP
model() { # tags of the send, tags of the wait
  cat > model.uml <<M
<xmi:XMI xmlns:xmi="http://www.omg.org/spec/XMI/20131001" xmlns:uml="http://www.omg.org/spec/UML/20161101" xmlns:P="prophet">
<uml:Model xmi:id="m" name="m"><packagedElement xmi:type="uml:Activity" xmi:id="a" name="program">
<node xmi:type="uml:InitialNode" xmi:id="i"/>
<node xmi:type="uml:OpaqueAction" xmi:id="s" name="to the right"/>
<node xmi:type="uml:OpaqueAction" xmi:id="r" name="from the left"/>
<node xmi:type="uml:OpaqueAction" xmi:id="w" name="sent"/>
<edge xmi:type="uml:ControlFlow" source="i" target="s"/><edge xmi:type="uml:ControlFlow" source="s" target="r"/>
<edge xmi:type="uml:ControlFlow" source="r" target="w"/>
</packagedElement><packagedElement xmi:type="uml:Node" xmi:id="n" name="host"/></uml:Model>
<P:Process base_Activity="a" processes="4" perNode="1"/><P:Node base_Node="n" nodes="4"/>
<P:NBSend base_Action="s" destination="(pid + 1) mod 4" message="80 kB" $1/>
<P:BRecv base_Action="r" source="(pid + 3) mod 4"/>
<P:Wait base_Action="w" $2/>
</xmi:XMI>
M
}
model 'request="first-one"' 'request="first-one"'
psl check model.uml
psl graph --activity --format psl model.uml | sed '1,/body:/d'
psl graph --activity --format xml model.uml
psl run model.uml | grep -A5 executions
echo '# a request that nothing has; none; a name that is none'
model '' 'request="sent"'
psl check --error-format short model.uml
model 'request="sent"' ''
psl check --error-format short model.uml
model 'request="a b"' 'request="1"'
psl check --error-format short model.uml
psl params --error-format short model.uml
