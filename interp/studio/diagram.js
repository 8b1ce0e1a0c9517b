/* An activity diagram as the XML that it is: each edit changes the elements that it is about and leaves all else, and
 * an earlier text is a step back. What is drawn is what psl reads of that text. */

const uml = "http://www.eclipse.org/uml2/5.0.0/UML", xmi = "http://www.omg.org/spec/XMI/20131001";
const prophet = "http:///schemas/Prophet/_PSL/1", profile = "prophet.profile.uml";

/* A model from nothing: one process of an action, on one node. */
export function emptyDiagram(name) {
  return `<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmi:version="20131001" xmlns:xmi="${xmi}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:Prophet="${
      prophet}" xmlns:ecore="http://www.eclipse.org/emf/2002/Ecore" xmlns:uml="${uml}" xsi:schemaLocation="${prophet} ${
      profile}#_PSL">
  <uml:Model xmi:id="_model" name="${name}">
    <packagedElement xmi:type="uml:Activity" xmi:id="_program" name="program">
      <edge xmi:type="uml:ControlFlow" xmi:id="_1" target="_work" source="_start"/>
      <edge xmi:type="uml:ControlFlow" xmi:id="_2" target="_end" source="_work"/>
      <node xmi:type="uml:InitialNode" xmi:id="_start" name="start"/>
      <node xmi:type="uml:OpaqueAction" xmi:id="_work" name="work"/>
      <node xmi:type="uml:ActivityFinalNode" xmi:id="_end" name="end"/>
    </packagedElement>
    <packagedElement xmi:type="uml:Node" xmi:id="_host" name="host"/>
    <profileApplication xmi:type="uml:ProfileApplication" xmi:id="_profile">
      <eAnnotations xmi:type="ecore:EAnnotation" xmi:id="_profile_definition" source="http://www.eclipse.org/uml2/2.0.0/UML">
        <references xmi:type="ecore:EPackage" href="${profile}#_PSL"/>
      </eAnnotations>
      <appliedProfile xmi:type="uml:Profile" href="${profile}#_Prophet"/>
    </profileApplication>
  </uml:Model>
  <Prophet:Process xmi:id="_program_Process" base_Activity="_program" processes="4" perNode="1"/>
  <Prophet:ActionPlus xmi:id="_work_ActionPlus" base_Action="_work" cost="1 ms"/>
  <Prophet:Node xmi:id="_host_Node" base_Node="_host" nodes="4" processors="1"/>
</xmi:XMI>
`;
}

const attribute = (element, name) => [...element.attributes].find((one) => one.localName === name);
const value = (element, name) => (attribute(element, name) || {value: ""}).value;
const idOf = (element) => value(element, "id");
const typeOf = (element) => value(element, "type").replace(/^.*:/, "");
const bare = (name) => name.replace(/[-_ ]/g, "").replace(/\+/g, "plus").toLowerCase();
const isNode = (element) => /^(node|structuredNode|ownedNode|containedNode|executableNode)$/.test(element.localName);
const isFlow = (element) => /^(edge|containedEdge)$/.test(element.localName);

export class Diagram {
  constructor(text) {
    this.past = [];
    this.future = [];
    this.take(text);
  }
  take(text) {
    this.declaration = (/^\s*<\?xml[^]*?\?>\s*/.exec(text) || [""])[0];
    /* No edit is of the root's own tag, whose attributes stand in another order when it is written anew. */
    this.root = (/^(?:\s|<\?[^]*?\?>|<!--[^]*?-->)*(<[^!?][^>]*>)/.exec(text) || ["", ""])[1];
    const xml = new DOMParser().parseFromString(text, "text/xml");
    const wrong = xml.querySelector("parsererror");
    if (wrong) throw new Error("This is no XML: " + wrong.textContent.replace(/\s+/g, " ").slice(0, 200));
    this.xml = xml;
    this.text = text;
  }
  /* One edit; what fails leaves all as it was. */
  edit(work) {
    const before = this.text;
    try {
      const result = work();
      const written = new XMLSerializer().serializeToString(this.xml).replace(/^<\?xml[^]*?\?>\s*/, "");
      const own = /^((?:\s|<\?[^]*?\?>|<!--[^]*?-->)*)<[^!?][^>]*>/;
      this.text = this.declaration + (this.root ? written.replace(own, (all, before) => before + this.root) : written) + "\n";
      if (this.text !== before) {
        this.past.push(before);
        this.future = [];
      }
      return result;
    } catch (error) {
      this.take(before);
      throw error;
    }
  }
  /* "undo" or "redo"; false where there is nothing. */
  step(way) {
    const [from, to] = way === "undo" ? [this.past, this.future] : [this.future, this.past];
    if (!from.length) return false;
    to.push(this.text);
    this.take(from.pop());
    return true;
  }
  all() { return [...this.xml.getElementsByTagName("*")]; }
  find(id) {
    const found = this.all().find((one) => idOf(one) === id && !this.isApplied(one));
    if (!found) throw new Error(`There is no element '${id}': it has no id of its own.`);
    return found;
  }
  isApplied(element) { return [...element.attributes].some((one) => one.localName.startsWith("base_")); }
  newId(base) {
    const ids = new Set(this.all().map(idOf));
    let number = 1;
    while (ids.has(`_${base}${number}`)) number++;
    return `_${base}${number}`;
  }

  /* ---- elements ---- */

  /* A new element behind its kin, on a line of its own. */
  place(parent, element, isKin) {
    const kin = [...parent.children].filter(isKin), last = kin[kin.length - 1];
    const before = last ? last.nextSibling : isFlow(element) ? parent.firstChild : parent.lastChild;
    const depth = (function deep(one) { return one.parentElement ? 1 + deep(one.parentElement) : 1; })(parent);
    if (!parent.childNodes.length) parent.append("\n" + "  ".repeat(depth - 1));
    const at = before && parent.contains(before) ? before : parent.lastChild;
    parent.insertBefore(this.xml.createTextNode("\n" + "  ".repeat(depth)), at);
    parent.insertBefore(element, at);
  }
  drop(element) {
    const before = element.previousSibling;
    if (before && before.nodeType === Node.TEXT_NODE && !before.textContent.trim()) before.remove();
    element.remove();
  }
  make(parent, tag, type, id, more = {}) {
    const element = this.xml.createElementNS(null, tag), space = this.xmi();
    element.setAttributeNS(space, "xmi:type", "uml:" + type);
    element.setAttributeNS(space, "xmi:id", id);
    for (const [name, text] of Object.entries(more)) element.setAttribute(name, text);
    return element;
  }
  xmi() { return this.xml.documentElement.lookupNamespaceURI("xmi") || xmi; }
  flows(id) {
    const all = this.all().filter(isFlow);
    return {
      out: all.filter((one) => value(one, "source") === id),
      in : all.filter((one) => value(one, "target") === id)
    };
  }
  addFlow(parent, source, target) {
    const id = this.newId("flow"), flow = this.make(parent, "edge", "ControlFlow", id, {target, source});
    this.place(parent, flow, isFlow);
    return id;
  }
  /* A tool's element, behind the one that is chosen: its flow goes through the new one. */
  addNode(owner, after, tool) {
    const chosen = after ? this.find(after) : null, parent = chosen ? chosen.parentElement : this.find(owner);
    const id = this.newId(bare(tool.name)), named = !/^(ForkNode|JoinNode|MergeNode)$/.test(tool.node);
    const node = this.make(
        parent, "node", tool.node, id,
        named ? {name: tool.name.toLowerCase().replace("+", "")} : tool.stereotype ? {name: "loop"} : {});
    this.place(parent, node, isNode);
    if (tool.stereotype) this.apply(id, tool);
    const type = chosen ? typeOf(chosen) : "", {out} = after ? this.flows(after) : {out: []};
    const splits = /^(DecisionNode|ForkNode)$/.test(type), ends = /FinalNode$/.test(tool.node);
    if (!chosen || /FinalNode$/.test(type) || tool.node === "InitialNode") return id;
    if (out.length && !splits && ends) return id;
    if (out.length === 1 && !splits) {
      out[0].setAttribute("source", id);
      this.addFlow(parent, after, id);
    } else {
      this.addFlow(parent, after, id);
    }
    return id;
  }
  connect(source, target) {
    const from = this.find(source), to = this.find(target);
    if (from.parentElement !== to.parentElement) throw new Error("A flow joins two elements of one activity.");
    if (this.flows(source).out.some((one) => value(one, "target") === target))
      throw new Error("There is such a flow already.");
    return this.addFlow(from.parentElement, source, target);
  }
  /* What led to it leads to what it led to, where that is one each. */
  remove(id) {
    const element = this.find(id), flows = this.flows(id);
    if (!isFlow(element) && flows.in.length === 1 && flows.out.length === 1 && flows.in[0] !== flows.out[0]) {
      flows.in[0].setAttribute("target", value(flows.out[0], "target"));
      this.drop(flows.out[0]);
    } else if (!isFlow(element)) {
      [...flows.in, ...flows.out].forEach((one) => this.drop(one));
    }
    for (const inner of [element, ...element.querySelectorAll("*")])
      if (idOf(inner)) this.applied(idOf(inner)).forEach((one) => this.drop(one));
    this.drop(element);
  }
  addActivity(name) {
    const model = this.all().find((one) => one.localName === "Model") || this.xml.documentElement;
    const id = this.newId("activity"), activity = this.make(model, "packagedElement", "Activity", id, {name});
    const parts = ["InitialNode", "ActivityFinalNode"];
    this.place(model, activity, (one) => typeOf(one) === "Activity");
    const ids = parts.map((type) => {
      const inner = this.newId("node"), node = this.make(activity, "node", type, inner);
      this.place(activity, node, isNode);
      return inner;
    });
    this.addFlow(activity, ids[0], ids[1]);
    return id;
  }
  rename(id, name) { this.find(id).setAttribute("name", name); }
  setBehavior(id, behavior) { this.find(id).setAttribute("behavior", behavior); }
  setGuard(id, text) {
    const flow = this.find(id);
    [...flow.children].filter((one) => one.localName === "guard").forEach((one) => this.drop(one));
    flow.removeAttribute("guard");
    if (!flow.children.length) flow.textContent = "";
    if (!text) return;
    const guard = this.make(flow, "guard", "OpaqueExpression", id + "_guard");
    this.place(flow, guard, () => false);
    for (const [tag, inside] of [["language", "PSL"], ["body", text]]) {
      const child = this.xml.createElementNS(null, tag);
      child.textContent = inside;
      this.place(guard, child, () => true);
    }
  }

  /* ---- stereotypes ---- */

  applied(id) {
    return this.all().filter(
        (one) => [...one.attributes].some((a) => a.localName.startsWith("base_") && a.value === id));
  }
  apply(id, {stereotype, base, properties}) {
    const root = this.xml.documentElement;
    if (root.localName !== "XMI")
      throw new Error("The file has no place for stereotypes: its root is no xmi:XMI. Write it anew by psl graph.");
    const element = this.xml.createElementNS(root.lookupNamespaceURI("Prophet") || prophet, "Prophet:" + stereotype);
    element.setAttributeNS(this.xmi(), "xmi:id", `${id}_${stereotype}`);
    element.setAttribute("base_" + base, id);
    for (const one of properties || [])
      if (one.value) element.setAttribute(one.name, one.value);
    this.place(root, element, () => true);
    return element;
  }
  setTag(id, kind, name, text) {
    const list = this.applied(id);
    const element = list.find((one) => bare(one.localName) === bare(kind.stereotype)) ||
        this.apply(id, {stereotype: kind.stereotype, base: kind.base});
    for (const one of list)
      for (const child of [...one.children])
        if (bare(child.localName) === bare(name)) this.drop(child);
    for (const one of [element, ...list])
      for (const a of [...one.attributes])
        if (!a.localName.startsWith("base_") && a.prefix !== "xmi" && bare(a.localName) === bare(name))
          one.removeAttributeNode(a);
    if (!element.children.length) element.textContent = "";
    if (!text) return;
    if (!text.includes("\n")) return void element.setAttribute(name, text);
    const child = this.xml.createElementNS(null, name);
    child.textContent = text;
    this.place(element, child, () => true);
  }
}
