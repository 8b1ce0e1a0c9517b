/* The graph of the model beside its text: what of it is seen, what is chosen in it, what is dragged. Zoom and place
 * stay when a new picture comes, boxes stay where they stand, and the last good picture stays while the text is
 * broken. */
import {drawBox, drawEdge, drawLayers, isClosed, laidOut, lead, made, seen} from "./boxes.js";
import {instancesOf} from "./instances.js";
import {frame, grid} from "./layers.js";
import {grouped, isMany, keysOf, neighbours} from "./views.js";

const arrows = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1]
};
const farBelow = 0.5; /* at smaller scales there are names of boxes alone */

export class Picture {
  /* `calls`: pressed(key, name) for a key that is pressed at a box, true where it means something;
   * picked({component, request, to, number}), drawn(from, to) where a request is drawn from its port to an
   * accept or a box, placed(key, before, place) where a box has been put
   * somewhere, renamed(old, now) where
   * one is called otherwise than before; viewed() where groups, or neighbours alone, are shown otherwise than before;
   * declared(key) says whether the text has one still. */
  constructor(parent, message, calls) {
    this.parent = parent;
    this.message = message;
    this.calls = calls;
    this.clear();
    parent.addEventListener("wheel", (event) => this.wheel(event), {passive: false});
    parent.addEventListener("pointerdown", (event) => this.take(event));
    parent.addEventListener("keydown", (event) => this.press(event));
    parent.addEventListener("click", (event) => this.click(event));
    new ResizeObserver(() => this.resized()).observe(parent);
  }
  say(text, bad) {
    this.message.hidden = !text;
    this.message.textContent = text;
    this.message.className = bad ? "bad" : "soft";
  }
  /* Another model's picture begins anew. */
  clear() {
    this.parent.replaceChildren();
    this.svg = this.graph = this.view = this.from = this.refusal = null;
    this.state = {places: new Map(), closed: new Set(), unfolded: new Set(), opened: new Set()};
    this.groupPlaces = new Map(); /* where boxes stand while they are in groups, which no file keeps */
    this.boxes = this.all = [];
    this.known = new Map(); /* what psl graph says of each component, by its key */
    this.edges = [];
    this.picked = this.nearby = "";
    this.groups = undefined; /* as it is best */
    this.say("");
  }
  /* Of a text without components. */
  blank() {
    this.parent.replaceChildren();
    this.svg = this.graph = this.view = this.refusal = null;
    this.boxes = this.all = this.edges = [];
    this.known = new Map();
    this.say("");
  }
  broken(why) {
    this.say((this.svg ? "The picture is that of the text before: " : "There is no picture: ") + why, true);
    this.parent.classList.toggle("old", !!this.svg);
  }
  /* What psl graph says of a model that has a system. */
  show(graph) {
    this.say("");
    this.kind("components");
    this.graph = graph;
    this.draw();
  }
  /* Graphviz' picture of all instances. */
  showInstances(text) {
    const found = instancesOf(text);
    if (!found) return this.broken("it cannot be read");
    this.say("");
    this.kind("instances");
    this.boxes = [];
    this.edges = [];
    this.size = found.size;
    return this.put(found.svg);
  }
  /* Another kind of picture is seen as a whole. */
  kind(name) {
    if (this.shows !== name) this.view = null;
    this.shows = name;
  }
  names() { return [...this.known].filter(([, part]) => !part.system).map(([key]) => key); }
  /* What psl graph says of a request; undefined: nothing. */
  request(key, name, number) {
    const part = this.known.get(key), list = part ? part.requests : [];
    return number === undefined ? list.find((one) => one.name === name) : list[number];
  }
  accepts(key) { return (this.known.get(key) || {accepts: []}).accepts; }
  /* ---- drawing ---- */
  draw() {
    const graph = this.renamed(this.graph), keys = this.keys = keysOf(graph);
    this.known = new Map(graph.components.map((part, at) => [keys[at], part]));
    if (this.groups === undefined) this.groups = isMany(graph) && !this.state.places.size;
    const alone = this.near && this.picked ? neighbours(graph, this.picked) : null;
    const nearby = alone ? this.picked : "", places = alone ? new Map() : this.groups ? this.groupPlaces : undefined;
    const {boxes, edges, all} =
        laidOut(alone || (this.groups ? grouped(graph) : graph), {...this.state, ...(places ? {places} : {})});
    /* What has other boxes than before is seen as a whole, and so is what has outgrown what nobody has zoomed. */
    if (nearby !== this.nearby) this.view = null;
    this.nearby = nearby;
    this.all = all;
    this.boxes = boxes;
    this.edges = edges;
    const holding = boxes.filter((box) => box.open), single = boxes.filter((box) => !box.open);
    this.size = this.frameOf(boxes);
    if (this.fitted && this.view && !this.isSeen(frame(boxes))) this.view = null;
    this.edgeLayer = made("g", {class: "edges"}, ...edges.map(drawEdge));
    const svg = made(
        "svg", {viewBox: "0 0 0 0"}, drawLayers(boxes), made("g", {class: "nodes"}, ...holding.map(drawBox)),
        this.edgeLayer, made("g", {class: "nodes"}, ...single.map(drawBox)));
    lead(edges, single);
    this.put(svg);
    this.calls.viewed();
  }
  /* Is all of a frame in what is seen? */
  isSeen({x, y, w, h}) {
    const {clientWidth: wide, clientHeight: high} = this.parent, {view} = this;
    return !wide || x >= view.x && x + w <= view.x + view.width && y >= view.y &&
               y + h <= view.y + view.width * high / wide;
  }
  frameOf(boxes) {
    const {x, y, w, h} = frame(boxes);
    return {x: x - 48, y: y - 30, width: w + 100, height: h + 80};
  }
  /* One that is called otherwise than before stays where it stood: its key changes with its name. */
  renamed(graph) {
    const names = keysOf(graph), keys = new Map(graph.components.map((part, at) => [names[at], part]));
    const shown = this.known;
    const gone = [...shown.keys()].filter((key) => !keys.has(key)),
          come = [...keys.keys()].filter((key) => !shown.has(key));
    const outermost = (list) => list.filter((key) => !list.some((other) => key.startsWith(other + ".")));
    const around = (key) => key.replace(/[^.]*$/, "");
    if (outermost(gone).length !== 1 || outermost(come).length !== 1) return graph;
    const [old] = outermost(gone), [now] = outermost(come), a = shown.get(old), b = keys.get(now);
    if (this.calls.declared(old) || around(old) !== around(now) || a.domain !== b.domain ||
        a.accepts.length !== b.accepts.length || a.requests.length !== b.requests.length)
      return graph;
    this.rename(old, now);
    this.calls.renamed(old, now);
    return graph;
  }
  rename(old, now) {
    for (const kept of [this.state.places, this.state.closed, this.state.unfolded])
      for (const key of [...kept.keys()]) {
        if (key !== old && !key.startsWith(old + ".")) continue;
        if (kept instanceof Map)
          kept.set(now + key.slice(old.length), kept.get(key));
        else
          kept.add(now + key.slice(old.length));
        kept.delete(key);
      }
    if (this.picked === old) this.picked = now;
  }
  put(svg) {
    const focused = this.parent.contains(document.activeElement) ? document.activeElement : null;
    const what =
        ({classList,
          dataset}) => [classList[0], dataset.key, dataset.kind, dataset.of, dataset.number, dataset.toKey].join(" ");
    this.svg = svg;
    this.refusal = null;
    this.parent.classList.remove("old");
    this.parent.replaceChildren(svg);
    this.place();
    this.pick(this.picked);
    this.filter(this.wanted || "");
    if (focused && focused !== this.parent) {
      const all = [...svg.querySelectorAll("[role=button]")];
      const found = all.find((one) => what(one) === what(focused)) ||
                    all.find((one) => one.classList.contains("box") && one.dataset.key === focused.dataset.key);
      (found || this.parent).focus({preventScroll: true});
    }
  }
  /* ---- what is seen ---- */
  place() {
    if (!this.svg) return;
    const {clientWidth: wide, clientHeight: high} = this.parent;
    if (!wide || !high) return;
    if (!this.view) this.fit();
    const {x, y, width} = this.view;
    this.svg.setAttribute("viewBox", `${x} ${y} ${width} ${width * high / wide}`);
    this.svg.classList.toggle("far", wide / width < farBelow);
    if (this.refusal) this.refuse(...this.refusal);
  }
  /* Where nobody has zoomed or moved it, all of it is seen beside what is said of it, too. */
  resized() {
    if (this.fitted) this.view = null;
    this.place();
  }
  fit(size = this.size) {
    const {clientWidth: wide, clientHeight: high} = this.parent;
    const width = Math.max(size.width, size.height * wide / Math.max(1, high), wide * 0.8);
    this.fitted = true;
    this.view = {x: size.x + (size.width - width) / 2, y: size.y + (size.height - width * high / wide) / 2, width};
  }
  refit() {
    if (!this.svg) return;
    this.view = null;
    this.place();
  }
  zoom(factor, atX = 0.5, atY = 0.5) {
    if (!this.view) return;
    const ratio = this.parent.clientHeight / this.parent.clientWidth, width = this.view.width * factor;
    if (width < 20 || width > 200000) return;
    this.fitted = false;
    this.accept();
    this.view = {
      x: this.view.x + (this.view.width - width) * atX,
      y: this.view.y + (this.view.width - width) * ratio * atY,
      width
    };
    this.place();
  }
  move(x, y) {
    if (!this.view) return;
    this.fitted = false;
    this.accept();
    this.view.x += x * this.view.width;
    this.view.y += y * this.view.width;
    this.place();
  }
  wheel(event) {
    event.preventDefault();
    const box = this.parent.getBoundingClientRect();
    this.zoom(
        Math.exp(Math.sign(event.deltaY) * 0.15), (event.clientX - box.left) / box.width,
        (event.clientY - box.top) / box.height);
  }
  /* Where of the picture a place of the window is. */
  at({clientX, clientY}) {
    const box = this.parent.getBoundingClientRect(), scale = this.view.width / this.parent.clientWidth;
    return {x: this.view.x + (clientX - box.left) * scale, y: this.view.y + (clientY - box.top) * scale};
  }
  /* ---- what is dragged: a request from its port, a box, or what is seen ---- */
  take(event) {
    if (event.button !== 0 || !this.svg || !this.view) return;
    const port = event.target.closest(".port.request"), group = event.target.closest(".box");
    const box = group && this.boxes.find((one) => one.key === group.dataset.key);
    const drag = port ? this.dragRequest(port) : box ? this.dragBox(box, event) : this.dragView(event);
    const start = {x: event.clientX, y: event.clientY};
    let far = false;
    const moved = (e) => {
      far = far || Math.abs(e.clientX - start.x) + Math.abs(e.clientY - start.y) > 4;
      if (far) drag.move(e);
    };
    const up = (e) => {
      removeEventListener("pointermove", moved);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", up);
      this.dragged = far; /* the click that ends it chooses nothing */
      setTimeout(() => {
        this.dragged = false;
      }, 50);
      if (far) drag.end(e);
    };
    addEventListener("pointermove", moved);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", up);
  }
  dragView(event) {
    let {clientX: x, clientY: y} = event;
    return {
      move: (e) => {
        this.move((x - e.clientX) / this.parent.clientWidth, (y - e.clientY) / this.parent.clientWidth);
        [x, y] = [e.clientX, e.clientY];
      },
      end: () => {}
    };
  }
  dragBox(box, event) {
    const begin = this.at(event), {x, y} = box;
    return {
      move: (e) => {
        const now = this.at(e);
        this.shift(box, x + now.x - begin.x - box.x, y + now.y - begin.y - box.y);
      },
      end: () => this.putDown(box)
    };
  }
  /* A box, with what is in it. */
  shift(box, byX, byY) {
    const moved = (one) => {
      one.x += byX;
      one.y += byY;
      if (one.group) one.group.setAttribute("transform", `translate(${one.x} ${one.y})`);
      if (one.open) one.inner.forEach(moved);
    };
    moved(box);
    lead(this.edges, this.boxes.filter((one) => !one.open));
  }
  putDown(box) {
    const round = (value) => Math.round(value / grid) * grid;
    if (this.nearby) return; /* those are laid out anew for each */
    if (this.groups) {
      this.groupPlaces.set(box.key, {x: box.x - box.dx, y: box.y - box.dy, h: box.h});
      return this.draw();
    }
    const before = this.state.places.get(box.key);
    const place = {x: round(box.x - box.dx), y: round(box.y - box.dy), h: box.h, pinned: true};
    this.putAt(box.key, place);
    return this.calls.placed(box.key, before, place);
  }
  putAt(key, place) {
    this.state.places.set(key, place);
    if (this.graph) this.draw();
  }
  /* Where boxes have been put before, of a model that is shown from now on. */
  putAll(places) { this.state.places = places; }
  /* One that was put somewhere is placed as if it were new; all that were not, anew. */
  release(key) {
    const before = this.state.places.get(key);
    this.state.places.delete(key);
    this.draw();
    return {before, place: this.state.places.get(key)};
  }
  tidy() {
    for (const [key, place] of this.state.places)
      if (place.pinned)
        place.h = undefined;
      else
        this.state.places.delete(key);
    this.groupPlaces.clear();
    this.view = null;
    if (this.shows === "components") this.draw();
  }
  isPlaced(key) { return !!(this.state.places.get(key) || {}).pinned; }
  dragRequest(port) {
    const line = made("path", {class: "drawn-line"}), dot = port.querySelector(".dot").getBoundingClientRect();
    const from = this.at({clientX: dot.x + dot.width / 2, clientY: dot.y + dot.height / 2});
    const under = (e) => document.elementFromPoint(e.clientX, e.clientY)?.closest(".port.accept, .box");
    let target = null;
    this.svg.append(line);
    return {
      move: (e) => {
        const to = this.at(e), over = under(e);
        line.setAttribute("d", `M${from.x} ${from.y}L${to.x} ${to.y}`);
        if (target) target.classList.remove("aimed");
        target = over && this.parent.contains(over) ? over : null;
        if (target) target.classList.add("aimed");
      },
      end: () => {
        line.remove();
        if (target) target.classList.remove("aimed");
        if (target) this.calls.drawn({...port.dataset}, {...target.dataset});
      }
    };
  }
  /* What a request cannot be drawn to, with the reason beside it, until something else is done. */
  refuse(key, transaction, why) {
    this.accept();
    if (!this.svg) return;
    this.refusal = [key, transaction, why];
    const node = [...this.svg.querySelectorAll(".node")].find((one) => one.dataset.key === key);
    const port = node && transaction &&
        [...node.querySelectorAll(".port.accept")].find((one) => one.dataset.transaction === transaction);
    const target = port || node;
    if (!target) return;
    target.classList.add("refused");
    const note = document.createElement("p"), box = target.getBoundingClientRect();
    const around = this.parent.getBoundingClientRect();
    note.className = "refusal";
    note.textContent = why;
    this.parent.append(note);
    const left = box.left + box.width / 2 - around.left - note.offsetWidth / 2;
    const below = box.bottom - around.top + 6, fits = below + note.offsetHeight < around.height;
    note.style.left = Math.max(4, Math.min(left, around.width - note.offsetWidth - 4)) + "px";
    note.style.top = (fits ? below : Math.max(4, box.top - around.top - note.offsetHeight - 6)) + "px";
  }
  accept() {
    this.refusal = null;
    for (const note of this.parent.querySelectorAll(".refusal")) note.remove();
    for (const target of this.parent.querySelectorAll(".refused")) target.classList.remove("refused");
  }
  /* ---- keys ---- */
  press(event) {
    const step = arrows[event.key], box = this.focusedBox();
    if (step && event.shiftKey && box) {
      this.shift(box, step[0] * grid, step[1] * grid);
      this.putDown(box);
    } else if (step)
      this.move(step[0] * 0.1, step[1] * 0.1);
    else if (event.key === "+" || event.key === "=")
      this.zoom(0.8);
    else if (event.key === "-")
      this.zoom(1.25);
    else if (event.key === "0")
      this.refit();
    else if (event.key === "Escape" && this.from)
      this.letGo();
    else if (event.key === "Enter" || event.key === " ")
      this.choose(event.target);
    else if (!box || event.ctrlKey || event.metaKey || event.altKey || !this.calls.pressed(box.key, event.key))
      return;
    event.preventDefault();
  }
  focusedBox() {
    const group = document.activeElement && document.activeElement.closest("#picture .box");
    return group && this.boxes.find((box) => box.key === group.dataset.key);
  }
  /* ---- what is chosen ---- */
  click(event) {
    if (!this.dragged) this.choose(event.target);
    this.dragged = false;
  }
  choose(target) {
    this.accept();
    const group = target.closest(".port, .edge, .toggle, .box, .node");
    if (!group) return;
    const {component, key, request, to, number, kind} = group.dataset;
    const part = group.matches(".node, .box, .toggle") && this.boxes.find((box) => box.key === key);
    if (part && part.part.group) return this.turnGroup(part);
    if (group.classList.contains("toggle")) return this.turn(this.state.closed, key);
    if (kind === "more") return this.turn(this.state.unfolded, key);
    if (this.from && (kind === "accept" || group.classList.contains("box"))) {
      const {from} = this;
      this.letGo();
      return this.calls.drawn(from, {...group.dataset});
    }
    this.letGo();
    this.pick(key);
    this.calls.picked({component, request, to, number, key});
    if (kind === "request") this.aim(group);
    return undefined;
  }
  turn(set, key) {
    if (!set.delete(key)) set.add(key);
    this.draw();
  }
  /* What is in a group is seen when it is opened, and all when it is closed. */
  turnGroup({key}) {
    this.turn(this.state.opened, key);
    const box = this.boxes.find((one) => one.key === key);
    if (box && box.open) this.look(this.frameOf([box]));
    else this.refit();
  }
  showGroups(on) {
    this.groups = on;
    this.view = null;
    if (this.shows === "components") this.draw();
  }
  look(size) {
    if (!this.parent.clientWidth) return;
    this.fit(size);
    this.fitted = false;
    this.place();
  }
  /* A request whose port is chosen goes where one chooses next. */
  aim(group) {
    this.from = {...group.dataset};
    this.say(
        `${this.from.request} of ${this.from.component} goes to the accept that you choose now; Escape leaves it.`);
    group.classList.add("aimed");
    for (const port of this.svg.querySelectorAll(".port.accept"))
      port.setAttribute("tabindex", "0");
  }
  letGo() {
    if (!this.from) return;
    this.from = null;
    this.say("");
    for (const port of this.svg.querySelectorAll(".port.aimed"))
      port.classList.remove("aimed");
    this.pick(this.picked);
  }
  /* By its key; what is at the box chosen is reached by Tab. */
  pick(key) {
    this.picked = key || "";
    if (!this.svg) return;
    const box = this.all.find((one) => one.key === key), shown = box ? seen(box, this.state).key : key;
    for (const node of this.svg.querySelectorAll("g.node"))
      node.classList.toggle("picked", !!key && node.dataset.key === shown);
    for (const part of this.svg.querySelectorAll(".port, .edges > .edge")) {
      const here = !!key && (part.dataset.key === key || part.dataset.toKey === key);
      part.setAttribute("tabindex", here ? "0" : "-1");
      if (part.classList.contains("edge")) part.classList.toggle("picked", here);
    }
    this.focusOn(this.near);
  }
  /* Those whose name has the words stand out, and what they are closed away in, with what they request and who requests
   * them. */
  filter(wanted) {
    this.wanted = wanted;
    if (!this.svg) return;
    const found = new Set(this.shows === "components" ? this.matching().map((box) => seen(box, this.state).key) : []);
    const near = new Set(), holds = (name) => name && name.toLowerCase().includes(wanted.toLowerCase());
    for (const node of this.svg.querySelectorAll("g.node"))
      if (this.shows === "instances" && holds(node.dataset.component)) found.add(node.dataset.key);
    for (const edge of this.svg.querySelectorAll("g.edge")) {
      const touches = found.has(edge.dataset.key) || found.has(edge.dataset.toKey);
      if (touches) near.add(edge.dataset.key).add(edge.dataset.toKey);
      edge.classList.toggle("dim", !!wanted && !touches);
    }
    for (const node of this.svg.querySelectorAll("g.node")) {
      const {key} = node.dataset;
      node.classList.toggle("dim", !!wanted && !found.has(key) && !near.has(key));
      node.classList.toggle("found", !!wanted && found.has(key));
    }
  }
  matching() {
    const wanted = (this.wanted || "").toLowerCase();
    return wanted ? this.all.filter((box) => !box.part.group && box.name.toLowerCase().includes(wanted)) : [];
  }
  /* To the next one that is found, out of what it is closed away in. */
  seek() {
    const found = this.matching();
    if (!found.length) return;
    const {key} = found[(found.findIndex((one) => one.key === this.picked) + 1) % found.length];
    for (let at = this.all.find((one) => one.key === key).outer; at; at = at.outer)
      if (isClosed(at, this.state)) this.turn(at.part.group ? this.state.opened : this.state.closed, at.key);
    const box = this.boxes.find((one) => one.key === key);
    this.pick(key);
    this.calls.picked({component: box.name, key});
    this.goTo(box);
  }
  /* Close enough to be read. */
  goTo(box) {
    const {clientWidth: wide, clientHeight: high} = this.parent, width = Math.min(this.view.width, wide);
    this.fitted = false;
    this.view = {x: box.x - width / 2, y: box.y + box.h / 2 - width * high / wide / 2, width};
    this.place();
  }
  /* With those alone that the chosen one requests, and who request it, laid out anew. */
  focusOn(near) {
    this.near = near;
    const wanted = near && this.known.has(this.picked) ? this.picked : "";
    if (this.svg && this.shows === "components" && wanted !== this.nearby) this.draw();
  }
}
