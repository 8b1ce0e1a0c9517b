/* An activity diagram as the XML that it is: each edit changes the elements that it is about and leaves all else, and
 * an earlier text is a step back. What is drawn is what psl reads of that text. */

import {rowsOf} from "./diagram_places.js";

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
  /* A tool's element in the flow that is chosen, or behind the element that is, whose flow then goes through the new one. */
  addNode(owner, chosen, tool) {
    const at = chosen ? this.find(chosen) : null, parent = at ? at.parentElement : this.find(owner);
    const ends = /FinalNode$/.test(tool.node), begins = tool.node === "InitialNode";
    const loops = /^(MergeNode|DecisionNode)$/.test(tool.node) && bare(tool.stereotype || "") === "loop";
    if (at && isFlow(at) && (ends || begins)) throw new Error("In a flow nothing begins or ends: choose an element, and it stands behind that.");
    const named = !/^(ForkNode|JoinNode|MergeNode)$/.test(tool.node);
    const name = named ? tool.name.toLowerCase().replace("+", "") : tool.stereotype ? "loop" : "";
    const id = this.addPart(parent, tool.node, bare(tool.name), name);
    if (tool.stereotype) this.apply(id, {...tool, properties: this.valuesOf(tool)});
    if (at && !begins) this.lead(at, id, ends);
    if (loops) this.closeLoop(parent, id);
    return id;
  }
  addPart(parent, type, base, name) {
    const id = this.newId(base);
    this.place(parent, this.make(parent, "node", type, id, name ? {name} : {}), isNode);
    if (/Action$|^(Structured|Loop|Sequence)/.test(type)) this.listPart(parent, (ids) => [...ids, id]);
    return id;
  }
  /* A loop node names the parts of its body. */
  listPart(parent, change) {
    if (!parent || typeOf(parent) !== "LoopNode" || !attribute(parent, "bodyPart")) return;
    parent.setAttribute("bodyPart", change(value(parent, "bodyPart").split(/\s+/).filter(Boolean)).join(" "));
  }
  /* To the new element from what is chosen, and from there on where that led to. */
  lead(at, id, ends) {
    const parent = at.parentElement, type = typeOf(at), from = idOf(at);
    if (isFlow(at)) {
      const target = value(at, "target");
      at.setAttribute("target", id);
      this.addFlow(parent, id, target);
      return;
    }
    const {out} = this.flows(from), splits = /^(DecisionNode|ForkNode)$/.test(type);
    if (/FinalNode$/.test(type) || out.length && !splits && ends) return;
    if (out.length === 1 && !splits) out[0].setAttribute("source", id);
    this.addFlow(parent, from, id);
  }
  /* A loop takes in what does something and stands behind it; then a decision leads back to it, or on. */
  closeLoop(parent, id) {
    const next = this.flows(id).out[0], target = next && value(next, "target");
    const body = target && [...parent.children].find((one) => isNode(one) && idOf(one) === target), flows = body && this.flows(target);
    const takes = body && !/^(Initial|\w*Final|Decision|Merge|Fork|Join)Node$/.test(typeOf(body)) && flows.in.length === 1 && flows.out.length < 2;
    const last = takes ? target : id, [onward] = this.flows(last).out;
    const test = this.addPart(parent, "DecisionNode", "decision", "again");
    if (onward) onward.setAttribute("source", test);
    else this.addFlow(parent, test, this.addPart(parent, "ActivityFinalNode", "end", "end"));
    this.addFlow(parent, last, test);
    this.addFlow(parent, test, id);
  }
  /* A request has a name that no other one has, and what waits is given the first that nothing waits for. */
  valuesOf({stereotype, properties}) {
    const requests = (kind) => this.all().filter((one) => this.isApplied(one) && bare(one.localName) === kind).map((one) => value(one, "request"));
    const sends = requests("nbsend"), waits = requests("wait");
    const free = (name) => {
      let number = 1, made = name;
      while (sends.includes(made)) made = name + ++number;
      return made;
    };
    const own = (one) => (bare(stereotype) === "nbsend" ? free(one.value) : sends.find((name) => name && !waits.includes(name)) || one.value);
    return (properties || []).map((one) => (one.name === "request" && one.value ? {...one, value: own(one)} : one));
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
    const test = this.testOf(id);
    if (test) this.drop(this.flows(test).out.find((one) => value(one, "target") === id));
    this.removeAlone(id);
    if (test) this.removeAlone(test);
  }
  /* The decision that leads back to a loop, and goes with it. */
  testOf(id) {
    const {in : into} = this.flows(id), parent = this.find(id).parentElement, children = parent ? [...parent.children] : [];
    if (into.length !== 2 || !this.applied(id).some((one) => bare(one.localName) === "loop")) return null;
    const nodes = children.filter(isNode).map((one) => ({id: idOf(one), kind: typeOf(one) === "InitialNode" ? "initial" : ""}));
    const edges = children.filter(isFlow).map((one) => ({source: value(one, "source"), target: value(one, "target")}));
    const back = [...rowsOf(nodes, edges).back].find((edge) => edge.target === id), test = back && back.source, flows = back && this.flows(test);
    return back && typeOf(this.find(test)) === "DecisionNode" && flows.in.length === 1 && flows.out.length === 2 ? test : null;
  }
  removeAlone(id) {
    const element = this.find(id), flows = this.flows(id);
    if (!isFlow(element) && flows.in.length === 1 && flows.out.length === 1 && flows.in[0] !== flows.out[0]) {
      flows.in[0].setAttribute("target", value(flows.out[0], "target"));
      this.drop(flows.out[0]);
    } else if (!isFlow(element)) {
      [...flows.in, ...flows.out].forEach((one) => this.drop(one));
    }
    this.listPart(element.parentElement, (ids) => ids.filter((one) => one !== id));
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
