/* The graph of the model beside its text. Graphviz draws it; what it has drawn is taken over element by element, so
 * that nothing of a model becomes anything but a picture. Zoom and place stay when a new picture comes, and the last
 * good one stays while the text is broken. */

const SVG = "http://www.w3.org/2000/svg";
const kept = {
  svg: ["viewBox"],
  g: ["class", "transform"],
  path: ["d", "fill", "stroke", "stroke-width", "stroke-dasharray"],
  polygon: ["points", "fill", "stroke", "stroke-width"],
  polyline: ["points", "fill", "stroke", "stroke-width", "stroke-dasharray"],
  ellipse: ["cx", "cy", "rx", "ry", "fill", "stroke", "stroke-width"],
  text: ["x", "y", "text-anchor", "font-family", "font-size", "font-weight", "font-style", "fill"],
};

function copy(node) {
  const to = document.createElementNS(SVG, node.localName);
  for (const name of kept[node.localName])
    if (node.hasAttribute(name)) to.setAttribute(name, node.getAttribute(name));
  if (node.localName === "text") to.textContent = node.textContent;
  else
    for (const child of node.children)
      if (kept[child.localName]) to.append(copy(child));
  const title = node.querySelector(":scope > title");
  if (title && node.localName === "g") to.dataset.title = title.textContent;
  return to;
}

function made(name, attributes, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/* A column of them, at the left edge. */
function looseBoxes(names, left) {
  const width = 24 + 9 * Math.max(8, ...names.map((name) => name.length));
  const boxes = names.map((name, i) => {
    const group = made(
        "g", {class: "node loose"}, made("rect", {
          x: left + 8,
          y: 60 * i + 10,
          width,
          height: 40,
          rx: 6,
          fill: "#ffffff",
          stroke: "#5f5f5f",
          "stroke-dasharray": "5,3"
        }),
        made(
            "text", {
              x: left + 8 + width / 2,
              y: 60 * i + 35,
              "text-anchor": "middle",
              "font-family": "Helvetica,sans-Serif",
              "font-size": 14
            },
            name));
    group.dataset.title = name;
    return group;
  });
  return {boxes, width: names.length ? width + 16 : 0, height: 60 * names.length};
}

const firstText = (group) => {
  const text = group.querySelector("text");
  return text ? text.textContent : "";
};

export class Picture {
  constructor(parent, message, calls) {
    this.parent = parent;
    this.message = message;
    this.calls = calls; /* picked({component, request}) */
    this.view = null;   /* what of the picture is seen: x, y, width */
    this.picked = "";
    parent.addEventListener("wheel", (event) => this.wheel(event), {passive: false});
    parent.addEventListener("pointerdown", (event) => this.drag(event));
    parent.addEventListener("keydown", (event) => this.press(event));
    parent.addEventListener("click", (event) => this.click(event));
    new ResizeObserver(() => this.place()).observe(parent);
  }
  say(text, bad) {
    this.message.hidden = !text;
    this.message.textContent = text;
    this.message.className = bad ? "bad" : "soft";
  }
  /* Another model's picture begins anew. */
  clear() {
    this.parent.replaceChildren();
    this.svg = this.view = null;
    this.say("");
  }
  broken(why) {
    this.say((this.svg ? "The picture is that of the text before: " : "There is no picture: ") + why, true);
    this.parent.classList.toggle("old", !!this.svg);
  }
  show(text, unasked) {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    if (parsed.localName !== "svg") return this.broken("it cannot be read");
    this.say("");
    return this.take(copy(parsed), unasked);
  }
  /* Of a text without a system there are boxes alone, in which nothing is asked of anybody yet. */
  loose(names, why) {
    this.take(made("svg", {viewBox: "0 0 0 0"}), names);
    this.say(why);
  }
  /* Components that nobody asks are beside those that the system reaches. */
  take(svg, unasked) {
    this.svg = svg;
    this.parent.classList.remove("old");
    const box = (this.svg.getAttribute("viewBox") || "0 0 100 100").split(/[ ,]+/).map(Number);
    const beside = looseBoxes(unasked.filter((name) => !this.has(name)), box[0] + box[2]);
    this.svg.append(...beside.boxes);
    this.size = {width: box[2] + beside.width, height: Math.max(box[3], beside.height)};
    this.name();
    this.parent.replaceChildren(this.svg);
    this.place();
    this.pick(this.picked);
    return this.filter(this.wanted || "");
  }
  has(name) {
    return [...this.svg.querySelectorAll("g.node")].some((node) => firstText(node).replace(/\s*\[.*$/, "") === name);
  }
  /* Which component a box is, and which request an edge: by what Graphviz was told to write there. */
  name() {
    const names = new Map();
    for (const node of this.svg.querySelectorAll("g.node")) {
      const cluster = /^i\d/.test(node.dataset.title) ? null : firstText(node);
      const name = (cluster === null ? firstText(node) : cluster).replace(/\s*\[.*$/, "");
      names.set(node.dataset.title, name);
      node.dataset.component = name;
      this.focusable(node, "component " + name + (node.classList.contains("loose") ? ", which nobody asks" : ""));
    }
    for (const edge of this.svg.querySelectorAll("g.edge")) {
      const [from, to] = edge.dataset.title.split("->").map((end) => names.get(end.replace(/:.*$/, "")));
      const label = firstText(edge);
      edge.dataset.component = from || "";
      edge.dataset.to = to || "";
      edge.dataset.request = label.replace(/^every\s+/, "").split(":")[0].trim();
      this.focusable(edge, `request ${label} of ${from}, goes to ${to}`);
    }
  }
  focusable(group, label) {
    group.setAttribute("tabindex", "0");
    group.setAttribute("role", "button");
    group.setAttribute("aria-label", label);
  }
  /* ---- what is seen ---- */
  place() {
    if (!this.svg) return;
    const {clientWidth: wide, clientHeight: high} = this.parent;
    if (!wide || !high) return;
    if (!this.view) this.fit();
    const height = this.view.width * high / wide;
    this.svg.setAttribute("viewBox", `${this.view.x} ${this.view.y} ${this.view.width} ${height}`);
  }
  fit() {
    const {clientWidth: wide, clientHeight: high} = this.parent;
    const width = Math.max(this.size.width, this.size.height * wide / Math.max(1, high), wide * 0.6);
    this.view = {x: (this.size.width - width) / 2, y: (this.size.height - width * high / wide) / 2, width};
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
    this.view = {
      x: this.view.x + (this.view.width - width) * atX,
      y: this.view.y + (this.view.width - width) * ratio * atY,
      width
    };
    this.place();
  }
  move(x, y) {
    if (!this.view) return;
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
  drag(event) {
    if (event.button !== 0) return;
    let {clientX: x, clientY: y} = event, far = 0;
    const moved = (e) => {
      far += Math.abs(e.clientX - x) + Math.abs(e.clientY - y);
      if (far > 4) this.move((x - e.clientX) / this.parent.clientWidth, (y - e.clientY) / this.parent.clientWidth);
      [x, y] = [e.clientX, e.clientY];
    };
    const up = () => {
      removeEventListener("pointermove", moved);
      removeEventListener("pointerup", up);
      this.dragged = far > 4;
    };
    addEventListener("pointermove", moved);
    addEventListener("pointerup", up);
  }
  press(event) {
    const steps = {ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1]};
    if (steps[event.key]) this.move(...steps[event.key]);
    else if (event.key === "+" || event.key === "=") this.zoom(0.8);
    else if (event.key === "-") this.zoom(1.25);
    else if (event.key === "0") this.refit();
    else if (event.key === "Enter" || event.key === " ") this.choose(event.target);
    else return;
    event.preventDefault();
  }
  /* ---- what is chosen ---- */
  click(event) {
    if (!this.dragged) this.choose(event.target);
    this.dragged = false;
  }
  choose(target) {
    const group = target.closest(".node, .edge");
    if (!group) return;
    this.pick(group.dataset.component);
    this.calls.picked({component: group.dataset.component, request: group.dataset.request, to: group.dataset.to});
  }
  pick(name) {
    this.picked = name || "";
    if (this.svg)
      for (const node of this.svg.querySelectorAll("g.node"))
        node.classList.toggle("picked", !!name && node.dataset.component === name);
  }
  /* Those whose name has the words stand out, with what they request and who requests them. */
  filter(wanted) {
    this.wanted = wanted;
    if (!this.svg) return;
    const found = new Set(), near = new Set();
    const holds = (name) => name && name.toLowerCase().includes(wanted.toLowerCase());
    for (const node of this.svg.querySelectorAll("g.node"))
      if (holds(node.dataset.component)) found.add(node.dataset.component);
    for (const edge of this.svg.querySelectorAll("g.edge")) {
      const touches = found.has(edge.dataset.component) || found.has(edge.dataset.to);
      if (touches) near.add(edge.dataset.component).add(edge.dataset.to);
      edge.classList.toggle("dim", !!wanted && !touches);
    }
    for (const node of this.svg.querySelectorAll("g.node"))
      node.classList.toggle("dim", !!wanted && !found.has(node.dataset.component) && !near.has(node.dataset.component));
  }
}
