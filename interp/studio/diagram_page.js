/* The view of an activity diagram: a toolbar of elements as the configuration file has it, the picture, a form for what is
 * chosen, and what the checker says. Each change is told to the checker, whose marks stand on the elements. */
import {Diagram, emptyDiagram} from "./diagram.js";
import {drawActivity, icon} from "./diagram_shapes.js";
import {question} from "./question.js";
import {ask, settled} from "./wire.js";

const $ = (id) => document.getElementById(id);
const bare = (name) => name.replace(/[-_ ]/g, "").replace(/\+/g, "plus").toLowerCase();

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

export const isDiagram = (path) => /\.(uml|xmi)$/.test(path);
export const isTrace = (path) => /\.(prv|trace|tit)$/.test(path);

/* ---- the configuration file ---- */

function readToolbar(text) {
  const xml = new DOMParser().parseFromString(text, "text/xml");
  if (xml.querySelector("parsererror")) throw new Error("The toolbar's file is no XML.");
  const values = (one) => Object.fromEntries([...one.attributes].map((a) => [a.name, a.value]));
  const whole = (one) =>
      ({...values(one), properties: [...one.children].filter((c) => c.localName === "property").map(values)});
  const named = (parent, name) => [...parent.children].filter((one) => one.localName === name);
  return {
    groups: named(xml.documentElement, "group").map((one) => ({name: one.getAttribute("name") || "", tools: named(one, "tool").map(whole)})),
    elements: named(xml.documentElement, "element").map(whole)
  };
}

/* ---- the view ---- */

export class DiagramPage {
  /* calls: say(text, bad), changed(), guarded(work), create(path, text) */
  constructor(calls) {
    this.calls = calls;
    this.path = null;
    this.open = new Map(); /* by path: {diagram, saved, version} */
    this.checkSoon = settled(300, calls.guarded(() => this.check()));
    this.wired = false;
    this.size = 1;
  }
  get shown() { return this.path !== null; }
  get file() { return this.open.get(this.path); }
  unsaved(path = this.path) {
    const file = this.open.get(path);
    return !!file && file.diagram.text !== file.saved;
  }
  anyUnsaved() { return [...this.open.keys()].some((path) => this.unsaved(path)); }

  async show(path) {
    if (!this.wired) await this.wire();
    if (!this.open.has(path)) {
      const {text, version} = await ask("read", {path});
      this.open.set(path, {diagram: new Diagram(text || emptyDiagram(path.replace(/^.*\/|\.\w+$/g, ""))), saved: text, version});
    }
    this.path = path;
    document.body.dataset.kind = "diagram";
    document.querySelector("nav [data-show=text]").textContent = "Diagram";
    this.activity = null;
    this.chosen = null;
    this.problems = [];
    this.user = await this.findUser(path);
    await this.check();
  }
  /* The model of its folder that uses it, and so declares what it does not; null: none does. */
  async findUser(path) {
    const folder = path.replace(/[^/]*$/, ""), name = path.slice(folder.length);
    for (const other of (await ask("files")).files) {
      if (!other.endsWith(".psl") || other.replace(/[^/]*$/, "") !== folder) continue;
      const {text} = await ask("read", {path: other});
      if ([...text.matchAll(/\buse\s+"([^"]*)"/g)].some(([, used]) => used.replace(/^\.\//, "") === name)) return other;
    }
    return null;
  }
  /* What is run for it. */
  get runs() { return this.user || this.path; }
  hide() {
    this.path = null;
    document.body.dataset.kind = "model";
    document.querySelector("nav [data-show=text]").textContent = "Text";
  }
  async save(anyhow) {
    const file = this.file, text = file.diagram.text, path = this.path;
    try {
      file.version = (await ask("write", {path, text, version: file.version, anyhow})).version;
    } catch (error) {
      if (error.status !== 409) throw error;
      const answers = {"": "Leave it", replace: "Replace it by what stands here"};
      if (!await question("Replace " + path + "?", error.message + ".", answers)) throw error;
      return this.save(true);
    }
    file.saved = text;
    this.calls.changed();
    return undefined;
  }
  step(way) {
    if (!this.file.diagram.step(way)) return;
    this.changed();
  }
  /* Something has been done: what is drawn follows, and the checker after it. */
  edit(work) {
    const result = this.file.diagram.edit(() => work(this.file.diagram));
    this.changed();
    return result;
  }
  changed() {
    this.calls.changed();
    this.checkSoon();
  }
  /* What psl calls the text the page knows by its name. */
  async asked(path, more = {}) {
    const answer = await ask("diagram", {path, text: this.file.diagram.text, ...more});
    if (answer.wrong) answer.wrong = answer.wrong.replaceAll("standard-input.uml", path.replace(/^.*\//, ""));
    return answer;
  }
  async check() {
    const path = this.path, text = this.file.diagram.text;
    $("diagram-picture").setAttribute("aria-busy", "true");
    const {diagram, problems, wrong} = await this.asked(path);
    if (path !== this.path || text !== this.file.diagram.text) return;
    $("diagram-picture").setAttribute("aria-busy", "false");
    if (wrong) {
      this.list([{severity: "error", message: wrong}]);
      return;
    }
    this.read = diagram;
    this.index();
    this.problems = problems || [];
    if (this.user) { /* names that it declares are not known here */
      const known = this.problems.filter((one) => !/^unknown (name|function|type|term)/.test(one.message));
      if (known.length < this.problems.length) known.push({severity: "note", message: `names that it does not declare are those of ${this.user}, which Run runs`});
      this.problems = known;
    }
    if (!this.read.activities.some((one) => one.id === this.activity)) this.activity = this.read.activities[0].id;
    if (this.chosen && !this.parts.has(this.chosen)) this.chosen = null;
    this.draw();
  }
  /* All elements by id, with the activity that each is in, and by place. */
  index() {
    this.parts = new Map();
    this.places = new Map();
    const add = (one, what, owner, siblings) => {
      this.places.set(one.line + ":" + one.column, one.id);
      if (one.id) this.parts.set(one.id, {one, what, owner, siblings});
    };
    const inside = (one, owner) => {
      for (const node of one.nodes) {
        add(node, "node", owner, one);
        if (node.nodes) inside(node, owner);
      }
      for (const edge of one.edges) add(edge, "flow", owner, one);
    };
    for (const activity of this.read.activities) {
      add(activity, "activity", activity.id);
      inside(activity, activity.id);
    }
    for (const other of this.read.others) add(other, "other", null);
    if (this.read.model) add(this.read.model, "model", null);
  }

  /* ---- drawing ---- */

  draw() {
    const marks = new Map(), problems = this.problems.map((one) => ({...one, id: this.places.get(one.line + ":" + one.column)}));
    for (const one of problems)
      if (one.id && (one.severity === "error" || !marks.has(one.id))) marks.set(one.id, one.severity);
    const activity = this.read.activities.find((one) => one.id === this.activity);
    const focused = $("diagram-picture").contains(document.activeElement);
    $("diagram-picture").replaceChildren(drawActivity(activity, marks));
    this.zoom(this.size);
    this.drawTabs(marks);
    this.list(problems);
    this.pick(this.chosen, focused);
  }
  /* As large as drawn: 1. */
  zoom(size) {
    const picture = $("diagram-picture").querySelector("svg"), {width, height} = picture.viewBox.baseVal;
    this.size = Math.max(0.2, Math.min(4, size));
    picture.setAttribute("width", Math.ceil(width * this.size));
    picture.setAttribute("height", Math.ceil(height * this.size));
  }
  fit() {
    const {width, height} = $("diagram-picture").querySelector("svg").viewBox.baseVal, {clientWidth, clientHeight} = $("diagram-picture");
    this.zoom(Math.min(1, clientWidth / (width + 1), clientHeight / (height + 1)));
  }
  drawTabs(marks) {
    const tab = (id, name, pressed, work) => {
      const button = element("button", {textContent: name + (marks.has(id) ? " !" : "")});
      button.setAttribute("aria-pressed", String(pressed));
      button.dataset.id = id;
      button.addEventListener("click", work);
      return button;
    };
    const tabs = this.read.activities.map((one) => tab(one.id, one.name || one.id, one.id === this.activity, () => {
      this.activity = one.id;
      this.chosen = one.id;
      this.draw();
    }));
    const others = [...this.read.others, ...(this.read.model ? [this.read.model] : [])].map(
        (one) => tab(one.id, one === this.read.model ? "Declarations" : one.name || one.type, one.id === this.chosen, () => this.pick(one.id)));
    $("diagram-tabs").replaceChildren(...tabs, element("span", {className: "soft", textContent: "·"}), ...others);
  }
  list(problems) {
    const rows = problems.map((one) => {
      const button = element("button", {className: one.severity, textContent: `${one.severity}: ${one.message}`});
      button.addEventListener("click", () => one.id && this.reveal(one.id));
      return element("li", {}, button);
    });
    $("diagram-problems").hidden = !rows.length;
    $("diagram-problems").firstElementChild.replaceChildren(...rows);
  }
  reveal(id) {
    const part = this.parts.get(id);
    if (part && part.owner && part.owner !== this.activity) {
      this.activity = part.owner;
      this.chosen = id;
      this.draw();
    }
    this.pick(id, true);
  }

  /* ---- what is chosen ---- */

  shape(id) { return id && $("diagram-picture").querySelector(`[data-id="${CSS.escape(id)}"]`); }
  pick(id, focus) {
    this.chosen = id;
    for (const one of $("diagram-picture").querySelectorAll("[data-id]")) {
      one.classList.toggle("picked", one.dataset.id === id);
      one.setAttribute("tabindex", -1);
    }
    const shape = this.shape(id), first = shape || $("diagram-picture").querySelector(".element");
    if (first) first.setAttribute("tabindex", 0);
    if (shape && focus) shape.focus({preventScroll: false});
    if (shape) shape.scrollIntoView({block: "nearest", inline: "nearest"});
    for (const tab of $("diagram-tabs").querySelectorAll("button"))
      tab.setAttribute("aria-pressed", String(tab.dataset.id === this.activity || tab.dataset.id === id));
    this.form();
  }
  /* What has properties of its own by its stereotype, or its type, as the file says. */
  kinds(part) {
    const tools = this.toolbar.groups.flatMap((one) => one.tools), {one} = part;
    const byName = one.stereotypes.map((name) => [...tools, ...this.toolbar.elements].find((tool) => tool.stereotype && bare(tool.stereotype) === bare(name)));
    const byType = this.toolbar.elements.filter((tool) => tool.type === one.type);
    const plain = part.what === "node" && one.kind === "action" && !one.stereotypes.length ? tools.filter((tool) => tool.stereotype === "ActionPlus") : [];
    return [...new Set([...byName, ...byType, ...plain])].filter(Boolean);
  }
  form() {
    const part = this.parts.get(this.chosen), fields = [];
    $("diagram-form").hidden = !part;
    $("diagram-form").classList.toggle("wide", !!part && part.what === "model");
    if (!part) return;
    const {one, what} = part, typed = this.calls.guarded;
    const field = (label, value, take, more = {}) => {
      const id = "diagram-field-" + fields.length;
      const input = more.choices ?
          element("select", {id}, ...["", ...more.choices].map((text) => element("option", {value: text.id || text, textContent: text.name || text || "(none)"}))) :
          element(more.lines ? "textarea" : "input", {id, autocomplete: "off", spellcheck: false, placeholder: more.hint || ""});
      if (more.lines) input.rows = Math.min(14, 3 + value.split("\n").length);
      input.value = value;
      input.addEventListener("change", typed(() => this.edit((diagram) => take(diagram, input.value.trim()))));
      fields.push(element("div", more.lines ? {className: "whole"} : {}, element("label", {htmlFor: id, textContent: label}), input));
    };
    if (what !== "flow" && what !== "model") field("Name", one.name, (diagram, text) => diagram.rename(one.id, text));
    if (what === "flow") field("Guard", one.guard || "", (diagram, text) => diagram.setGuard(one.id, text), {hint: "pid == 0, or else"});
    if (one.kind === "call")
      field("Activity", one.behavior || "", (diagram, text) => diagram.setBehavior(one.id, text), {choices: this.read.activities.filter((a) => a.id !== part.owner)});
    for (const kind of this.kinds(part))
      for (const property of kind.properties) {
        const tag = one.tags.find((t) => bare(t.name) === bare(property.name));
        const value = tag ? tag.value : property.name === "cost" && one.body || "";
        field(`${property.label || property.name}${property.type && property.type !== "declarations" ? ", " + property.type : ""}`, value, (diagram, text) => diagram.setTag(one.id, kind, property.name, text), {
          choices: property.choices && property.choices.split(" "), lines: property.type === "declarations",
          hint: property.unit ? "in " + property.unit + " or another unit" : ""
        });
      }
    const node = what === "node", targets = node ? part.siblings.nodes.filter((other) => other.id !== one.id && other.id) : [];
    const connect = element("select", {id: "diagram-connect"}, element("option", {value: "", textContent: "…"}), ...targets.map((other) => element("option", {value: other.id, textContent: other.name || other.type})));
    connect.addEventListener("change", typed(() => connect.value && this.edit((diagram) => diagram.connect(one.id, connect.value))));
    if (targets.length) fields.push(element("div", {}, element("label", {htmlFor: "diagram-connect", textContent: "Flow to"}), connect));
    $("diagram-chosen").textContent = `${one.type.replace(/([a-z])([A-Z])/g, "$1 $2")} ${one.stereotypes.map((name) => "«" + name + "»").join(" ")}`;
    $("diagram-remove").hidden = what !== "node" && what !== "flow";
    $("diagram-fields").replaceChildren(...fields);
  }
  remove() {
    const part = this.parts.get(this.chosen);
    if (!part || !["node", "flow"].includes(part.what)) return;
    const before = (part.siblings && part.siblings.edges.find((edge) => edge.target === this.chosen)) || {};
    this.edit((diagram) => diagram.remove(part.one.id));
    this.chosen = before.source || null;
  }
  add(tool) {
    const part = this.parts.get(this.chosen), at = part && ["node", "flow"].includes(part.what) ? part.one.id : null;
    this.chosen = this.edit((diagram) => diagram.addNode(this.activity, at, tool));
  }

  /* ---- what it is made into ---- */

  async make(form) {
    const {text, wrong, runtime} = await this.asked(this.path, {form}), base = this.path.replace(/\.\w+$/, "");
    const program = base.replace(/^.*\//, ""), word = (part) => (/^[\w./+-]+$/.test(part) ? part : `'${part.replace(/'/g, "'\\''")}'`);
    $("made").showModal();
    $("made-title").textContent = wrong ? "It cannot be made" : form === "psl" ? "PSL" : "C++, program()";
    $("made-text").textContent = text || wrong;
    $("made-text").classList.toggle("bad", !!wrong);
    $("made-how").hidden = !!wrong || form === "psl";
    $("made-how").textContent = `It is built by: c++ -std=c++17 -I ${word(runtime || "RUNTIME")} ${word("./" + program + ".cpp")} ${word((runtime || "RUNTIME") + "/psl-prophet.cpp")} -o ${word(program)}` +
        (runtime ? "" : ", where RUNTIME is share/psl/runtime of where psl is installed");
    $("made-save").hidden = !!wrong;
    $("made-save").onclick = this.calls.guarded(async () => {
      await this.calls.create(base + (form === "psl" ? "-diagram.psl" : ".cpp"), text);
      $("made").close();
    });
    $("made-load").hidden = !!wrong;
    $("made-load").onclick = () => {
      const link = element("a", {href: URL.createObjectURL(new Blob([text], {type: "text/plain"})), download: program + (form === "psl" ? ".psl" : ".cpp")});
      link.click();
      URL.revokeObjectURL(link.href);
    };
  }

  /* ---- beginning ---- */

  async wire() {
    const guarded = this.calls.guarded;
    this.toolbar = readToolbar((await ask("toolbar")).text);
    $("diagram-tools").replaceChildren(...this.toolbar.groups.map((group) => {
      const box = element("span", {className: "group"}, element("span", {className: "soft", textContent: group.name}));
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", group.name);
      for (const tool of group.tools) {
        const button = element("button", {title: tool.stereotype ? `«${tool.stereotype}», behind what is chosen, or in the flow` : "Behind what is chosen, or in the flow"}, icon(tool.icon || "action"), tool.name);
        button.addEventListener("click", guarded(() => this.add(tool)));
        box.append(button);
      }
      return box;
    }));
    $("diagram-psl").addEventListener("click", guarded(() => this.make("psl")));
    $("diagram-cpp").addEventListener("click", guarded(() => this.make("c++")));
    $("diagram-larger").addEventListener("click", () => this.zoom(this.size * 1.25));
    $("diagram-smaller").addEventListener("click", () => this.zoom(this.size / 1.25));
    $("diagram-fit").addEventListener("click", () => this.fit());
    $("diagram-picture").addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoom(this.size * (event.deltaY < 0 ? 1.1 : 1 / 1.1));
    }, {passive: false});
    $("diagram-remove").addEventListener("click", guarded(() => this.remove()));
    $("diagram-activity").addEventListener("click", guarded(() => {
      this.activity = this.chosen = this.edit((diagram) => diagram.addActivity("activity"));
    }));
    $("made-close").addEventListener("click", () => $("made").close());
    $("diagram-picture").addEventListener("click", (event) => {
      const shape = event.target.closest("[data-id]");
      this.pick(shape ? shape.dataset.id : this.activity, !!shape);
    });
    $("diagram-picture").addEventListener("keydown", guarded((event) => this.key(event)));
    this.wired = true;
  }
  /* Along the flows by the arrows; Delete, F2, and C for a flow to somewhere. */
  key(event) {
    const shape = event.target.closest("[data-id]"), part = shape && this.parts.get(shape.dataset.id);
    if (!part) return;
    const {edges, nodes} = part.siblings, {id} = part.one;
    const to = (list) => list.length && this.shape(list[0]) && this.pick(list[0], true);
    const works = {
      ArrowDown: () => to(part.what === "flow" ? [part.one.target] : edges.filter((one) => one.source === id).map((one) => one.target)),
      ArrowUp: () => to(part.what === "flow" ? [part.one.source] : edges.filter((one) => one.target === id).map((one) => one.source)),
      ArrowRight: () => this.beside(nodes, edges, part, 1),
      ArrowLeft: () => this.beside(nodes, edges, part, -1),
      Enter: () => this.pick(id, true),
      Delete: () => this.remove(),
      F2: () => $("diagram-fields").querySelector("input") && $("diagram-fields").querySelector("input").focus(),
      c: () => $("diagram-connect") && $("diagram-connect").focus(),
      "+": () => this.zoom(this.size * 1.25),
      "-": () => this.zoom(this.size / 1.25),
      0: () => this.fit(),
      PageDown: () => to(edges.filter((one) => one.source === id).map((one) => one.id))
    };
    if (!works[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.chosen = id;
    works[event.key]();
  }
  /* Others that the same one leads to; a flow's are those that leave the same one. */
  beside(nodes, edges, part, way) {
    const from = part.what === "flow" ? part.one.source : (edges.find((one) => one.target === part.one.id) || {}).source;
    const all = edges.filter((one) => one.source === from).map((one) => (part.what === "flow" ? one.id : one.target));
    const at = all.indexOf(part.one.id) + way;
    if (all[at]) this.pick(all[at], true);
  }
}
