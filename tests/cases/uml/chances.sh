# Decisions whose flows have a probability take one by chance: 10,000 times 1 s or 3 s, at 1 to 3, come to 25,000 s on
# average, and the standard deviation of that is sqrt(10,000 * 0.25 * 0.75) * 2 s = 86.6 s.
cd $TMP
model() { # the edges from the decision, and what is tagged
  cat >chances.uml <<M
<?xml version='1.0' encoding='UTF-8'?>
<xmi:XMI xmlns:xmi='http://www.omg.org/spec/XMI/20131001' xmlns:uml='http://www.omg.org/spec/UML/20161101' xmlns:P='http://example.org/Prophet'>
<uml:Model xmi:id='m' name='m'><packagedElement xmi:type='uml:Activity' xmi:id='a' name='program'>
<node xmi:type='uml:InitialNode' xmi:id='i' name='start'/>
<node xmi:type='uml:CallBehaviorAction' xmi:id='c' name='again' behavior='b'/>
<node xmi:type='uml:ActivityFinalNode' xmi:id='o' name='over'/>
<edge xmi:type='uml:ControlFlow' xmi:id='e1' source='i' target='c'/>
<edge xmi:type='uml:ControlFlow' xmi:id='e2' source='c' target='o'/>
</packagedElement>
<packagedElement xmi:type='uml:Activity' xmi:id='b' name='choice'>
<node xmi:type='uml:InitialNode' xmi:id='j' name='begin'/>
<node xmi:type='uml:DecisionNode' xmi:id='d' name='which'/>
<node xmi:type='uml:OpaqueAction' xmi:id='x' name='short'><body>1 s</body></node>
<node xmi:type='uml:OpaqueAction' xmi:id='y' name='long'><body>3 s</body></node>
<node xmi:type='uml:MergeNode' xmi:id='m1' name='meet'/>
<node xmi:type='uml:ActivityFinalNode' xmi:id='f' name='end'/>
<edge xmi:type='uml:ControlFlow' xmi:id='e3' source='j' target='d'/>
<edge xmi:type='uml:ControlFlow' xmi:id='e4' name='to short' source='d' target='x'/>
<edge xmi:type='uml:ControlFlow' xmi:id='e5' name='to long' source='d' target='y'>$1</edge>
<edge xmi:type='uml:ControlFlow' xmi:id='e6' source='x' target='m1'/>
<edge xmi:type='uml:ControlFlow' xmi:id='e7' source='y' target='m1'/>
<edge xmi:type='uml:ControlFlow' xmi:id='e8' source='m1' target='f'/>
</packagedElement>
<packagedElement xmi:type='uml:Node' xmi:id='h' name='host'/></uml:Model>
<P:Node base_Node='h' nodes='1' processors='1'/>
<P:Loop base_CallBehaviorAction='c' iterations='10000'/>
$2
</xmi:XMI>
M
}
model '' "<P:Flow base_ControlFlow='e4' probability='0.25'/><P:Flow base_ControlFlow='e5'><probability>3 / 4</probability></P:Flow>"
psl graph --activity --format psl chances.uml | sed '1,/body:/d'
psl graph --activity chances.uml | grep '0\.25\|3 / 4'
psl run --format json chances.uml >run.json
perl -ne 'print $1 > 24653 && $1 < 25347 ? "within" : "beyond", " four standard deviations\n" if /"makespan":[^}]*?"value": ?([0-9.e+]+)/' run.json
echo '# a flow without one, and one with a guard'
model '' "<P:Flow base_ControlFlow='e4' probability='0.25'/>"
psl params chances.uml 2>&1
model "<guard xmi:type='uml:LiteralString' value='else'/>" "<P:Flow base_ControlFlow='e4' probability='0.25'/><P:Flow base_ControlFlow='e5' probability='0.75'/>"
psl params chances.uml 2>&1
echo '# chances that do not come to 1'
model '' "<P:Flow base_ControlFlow='e4' probability='0.25'/><P:Flow base_ControlFlow='e5' probability='0.5'/>"
psl params chances.uml 2>&1
