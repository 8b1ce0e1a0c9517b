/* The graph as boxes: what psl graph says of a model, with sizes, ports and places, and as SVG. All that a model says
 * becomes text or an attribute, and nothing else. */
import {arrange, frame, layerName, layerOf, route} from "./layers.js";
import {keysOf} from "./views.js";

const SVG = "http://www.w3.org/2000/svg";
const titleFont = "600 13px system-ui, sans-serif", portFont = "11px system-ui, sans-serif";
const most = 26, fewPorts = 6, line = 15, widestInline = 230;

export function made(name, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

const pen = document.createElement("canvas").getContext("2d"), widths = new Map();
function wide(text, font) {
  const key = font + text;
  if (!widths.has(key)) {
    pen.font = font;
    widths.set(key, pen.measureText(text).width);
  }
  return widths.get(key);
}

const cut = (text, length = most) => (text.length > length ? text.slice(0, length - 1) + "\u2026" : text);

/* ---- what there is ---- */

function boxOf(part, number, key) {
  const box = {number, part, name: part.name, key, layer: layerOf(part), inner: [], outer: null};
  const port = (kind) => (one, at) => ({box, kind, number: at, one, edges: []});
  box.accepts = part.accepts.map(port("accept"));
  box.requests = part.requests.map(port("request"));
  return box;
}

const requestText = ({quantifier, name, transaction}) =>
    (quantifier === "one" ? "" : quantifier + " ") + (name === transaction ? name : `${name}: ${transaction}`);

/* {boxes, edges}; a box knows those inside it. */
function read(graph) {
  const keys = keysOf(graph), boxes = graph.components.map((part, number) => boxOf(part, number, keys[number]));
  for (const box of boxes) {
    const {outer} = box.part;
    if (outer === null || outer === undefined) continue;
    box.outer = boxes[outer];
    box.outer.inner.push(box);
  }
  const edges = graph.edges.map((one) => {
    const edge = {one, from: boxes[one.from].requests[one.request], to: boxes[one.to].accepts[one.accept]};
    edge.from.edges.push(edge);
    edge.to.edges.push(edge);
    return edge;
  });
  return {boxes, edges};
}

/* ---- sizes ---- */

/* Names of ports stand beside each other, or, where that is too wide, as steps below each other. */
function comb(ports) {
  const sizes = ports.map((port) => wide(port.text, portFont) + 12), whole = sizes.reduce((sum, size) => sum + size, 0);
  if (!ports.length) return {w: 0, h: 0};
  if (ports.length === 1 || whole <= widestInline) {
    let x = -whole / 2;
    ports.forEach((port, i) => {
      Object.assign(port, {x: x + sizes[i] / 2, depth: 0, middle: true});
      x += sizes[i];
    });
    return {w: whole, h: line + 5};
  }
  const step = 17, w = Math.max(...sizes.map((size, i) => i * step + size));
  ports.forEach(
      (port, i) => Object.assign(port, {x: i * step - w / 2 + 6, depth: ports.length - 1 - i, middle: false}));
  return {w, h: ports.length * line + 5};
}

/* Those that nothing is connected to are folded away where there are many. */
function shownPorts(ports, open) {
  const used = ports.filter((port) => port.edges.length);
  for (const port of ports) {
    port.shown =
        open || ports.length <= fewPorts || port.edges.length > 0 || ports.indexOf(port) < fewPorts - used.length;
    port.text = cut(port.kind === "accept" ? port.one.transaction : requestText(port.one));
  }
  const shown = ports.filter((port) => port.shown), more = ports.length - shown.length;
  if (more) shown.push({box: ports[0].box, kind: "more", of: ports[0].kind, text: `${more} more`, edges: []});
  return shown;
}

function linesOf({part, inner}) {
  const lines = [];
  if (part.group) {
    const named = inner.slice(0, 3).map((box) => box.name), more = inner.length - named.length;
    return [`${inner.length} components`, ...named, ...(more ? [`and ${more} more`] : [])].map((text) => cut(text, 30));
  }
  if (part.domain) lines.push(part.domain);
  const profile = part.accepts.length ? part.accepts[0].profile : {};
  for (const [name, value] of Object.entries(profile))
    if (name !== "domain" && value !== "N/A" && lines.length < 3) lines.push(`${name.replace(/-/g, " ")} = ${value}`);
  if (part.indices.length) lines.push(`${part.instances} of them${part.set ? ": " + part.set : ""}`);
  return lines.map((text) => cut(text, 30));
}

function measure(box, state) {
  const open = state.unfolded.has(box.key);
  box.title = cut(box.name + (box.part.indices.length ? ` [${box.part.indices.join(", ")}]` : ""), 30);
  box.lines = linesOf(box);
  box.top = shownPorts(box.accepts, open);
  box.bottom = shownPorts(box.requests, open);
  box.above = comb(box.top);
  box.under = comb(box.bottom);
  box.open = box.inner.length > 0 && !isClosed(box, state);
  const inner = box.area;
  const head = Math.max(
      wide(box.title, titleFont) + (box.inner.length ? 56 : 0), ...box.lines.map((text) => wide(text, portFont)));
  if (box.part.group && box.open) box.lines = box.lines.slice(0, 1);
  box.middle = 8 + 17 + line * box.lines.length + 6;
  box.w = Math.ceil(Math.max(90, box.above.w, box.under.w, head, box.open ? inner.w + 50 : 0) / 2) * 2 + 20;
  box.h = box.above.h + box.middle + (box.open ? inner.h + 44 : 0) + box.under.h;
}

/* Groups are closed at first, components in components are open. */
export const isClosed = (box, state) => (box.part.group ? !state.opened.has(box.key) : state.closed.has(box.key));

/* The one that stands for it: it itself, or the outermost closed one that it is in. */
export function seen(box, state) {
  let found = box;
  for (let at = box.outer; at; at = at.outer)
    if (isClosed(at, state)) found = at;
  return found;
}

/* Those that lead between the same two boxes, from or to what is closed away in them, are one. */
function joined(edges) {
  const joint = new Map(), list = [];
  for (const edge of edges) {
    const {fromBox, toBox, from, to} = edge, key = fromBox.key + " > " + toBox.key, first = joint.get(key);
    const hidden = fromBox !== from.box || toBox !== to.box;
    edge.many = 1;
    if (hidden && first) {
      first.many++;
      continue;
    }
    if (hidden) joint.set(key, edge);
    list.push(edge);
  }
  return list;
}

/* Places in each box, from within outwards, and then on the whole picture. */
function place(boxes, edges, state) {
  const level = (outer) => {
    const here = boxes.filter((box) => box.outer === outer);
    for (const box of here) {
      if (box.inner.length && !isClosed(box, state)) {
        level(box);
        box.area = frame(box.inner);
      }
      measure(box, state);
    }
    const at = (box) => {
      let found = box;
      while (found && found.outer !== outer)
        found = found.outer;
      return found;
    };
    const links = edges.map(({from, to}) => [at(from.box), at(to.box)]).filter(([from, to]) => from && to);
    const flat = outer ? new Map(here.map((box) => [box, box.layer])) : null;
    if (flat)
      for (const box of here)
        box.layer = 0;
    arrange(here, links, state.places);
    if (flat)
      for (const box of here)
        box.layer = flat.get(box);
    for (const box of here)
      state.places.set(box.key, {x: box.x, y: box.y, h: box.h, pinned: box.pinned});
  };
  level(null);
  spread(boxes);
}

/* Places inside a box are its own: from the corner of what is in it to the whole picture. Outer boxes come first. */
function spread(boxes) {
  const down = (box) => {
    if (!box.open) return;
    const left = box.x - box.area.w / 2 - box.area.x, top = box.y + box.above.h + box.middle + 22 - box.area.y;
    for (const inner of box.inner) {
      Object.assign(inner, {dx: left, dy: top, x: inner.x + left, y: inner.y + top});
      down(inner);
    }
  };
  for (const box of boxes)
    if (!box.outer) {
      box.dx = box.dy = 0;
      down(box);
    }
}

/* `state` has `places`, as arrange keeps them, and the keys of boxes that are `closed` or `unfolded`, and of groups that
 * are `opened`. */
export function laidOut(graph, state) {
  const {boxes, edges} = read(graph);
  place(boxes, edges, state);
  const shown = boxes.filter((box) => seen(box, state) === box);
  return {
    boxes: shown,
    all: boxes,
    edges: joined(
        edges.map((edge) => ({...edge, fromBox: seen(edge.from.box, state), toBox: seen(edge.to.box, state)}))
            .filter(({fromBox, toBox, from, to}) => fromBox !== toBox || (fromBox === from.box && toBox === to.box)))
  };
}

/* ---- as SVG ---- */

const press = (name, label, ...more) =>
    made("g", {class: name, role: "button", tabindex: "-1", "aria-label": label}, ...more);
const words = (x, y, text, name, anchor) => made("text", {x, y, class: name, "text-anchor": anchor}, text);

function portLabel(port) {
  const {box, one} = port;
  if (port.kind === "more") return `${port.text} of what ${box.name} ${port.of}s`;
  if (port.kind === "accept") return `accept ${one.transaction} of ${box.name}`;
  const to = [...new Set(port.edges.map((edge) => edge.to.box.name))];
  return `request ${requestText(one)} of ${box.name}` +
         (to.length ? ", goes to " + to.join(" and ") : ", goes nowhere");
}

function drawPort(port, box) {
  const accept = port.kind === "accept" || port.of === "accept", edge = accept ? 0 : box.h;
  const away = accept ? 1 : -1, y = edge + away * (4 + line * port.depth + line / 2);
  const group = press("port " + port.kind, portLabel(port));
  if (!port.middle && port.depth)
    group.append(made("path", {class: "leader", d: `M${port.x} ${edge}V${y + (accept ? -4 : 4)}`}));
  const half = wide(port.text, portFont) / 2 + 5, left = port.middle ? port.x - half : port.x - 4;
  group.append(made("rect", {class: "ground", x: left, y: y - 7.5, width: 2 * half, height: line, rx: 3}));
  if (port.kind !== "more")
    group.append(
        accept ? made("path", {class: "dot", d: `M${port.x - 5} ${edge - 4}h10l-5 8z`}) :
                 made("circle", {class: "dot", cx: port.x, cy: edge, r: 4.5}));
  group.append(words(port.middle ? port.x : port.x + 5, y + 4, port.text, "name", port.middle ? "middle" : "start"));
  group.append(made("title", {}, portLabel(port)));
  Object.assign(
      group.dataset,
      {component: box.name, key: box.key, kind: port.kind, of: port.of || "", number: String(port.number)});
  if (port.kind === "request") {
    group.dataset.request = port.one.name;
    if (port.edges.length) group.dataset.to = port.edges[0].to.box.name;
  }
  if (port.kind === "accept") group.dataset.transaction = port.one.transaction;
  port.group = group;
  return group;
}

const left = (box) => -box.w / 2;

export function drawBox(box) {
  const {part} = box, group = made("g", {class: "node"}), many = part.indices.length > 0;
  group.classList.toggle("loose", !part.reached);
  group.classList.toggle("system", part.system);
  group.classList.toggle("holds", box.open);
  group.classList.toggle("group", !!part.group);
  for (const off of many ? [8, 4] : [])
    group.append(made("rect", {class: "sheet", x: left(box) + off, y: -off, width: box.w, height: box.h, rx: 7}));
  const label = part.group ? `domain ${box.name}, ${box.inner.length} components` :
                             `component ${box.name}` + (part.reached ? "" : ", which nobody asks");
  const main =
      press("box", label, made("rect", {x: left(box), y: 0, width: box.w, height: box.h, rx: part.system ? 18 : 7}));
  main.setAttribute("tabindex", "0");
  let y = box.above.h + 8 + 12;
  const far = words(0, box.open ? box.above.h + 20 : box.h / 2 + 8, box.title, "far-title", "middle");
  far.setAttribute("font-size", Math.min(34, Math.floor(13 * (box.w - 12) / wide(box.title, titleFont))));
  main.append(words(0, y, box.title, "title", "middle"), far);
  for (const text of box.lines)
    main.append(words(0, y += line, text, "soft", "middle"));
  main.append(made(
      "title", {},
      box.name + (part.domain ? ", " + part.domain : "") +
          (part.set ? `, ${part.instances} of them: ${part.set}` : "")));
  if (box.pinned) main.append(made("circle", {class: "pin", cx: left(box) + 9, cy: box.above.h + 11, r: 3}));
  group.append(main);
  if (box.inner.length) {
    const x = box.w / 2 - 14, middle = box.above.h + 13;
    const toggle = press(
        "toggle", `${box.open ? "close" : "open"} ${box.name}`,
        made("rect", {x: x - 9, y: middle - 11, width: 18, height: 18, rx: 4}),
        made("path", {d: box.open ? `M${x - 5} ${middle - 3}l5 6l5 -6` : `M${x - 3} ${middle - 5}l6 5l-6 5`}));
    toggle.setAttribute("tabindex", "0");
    toggle.setAttribute("aria-expanded", String(box.open));
    toggle.dataset.key = box.key;
    group.append(toggle);
  }
  group.append(...[...box.top, ...box.bottom].map((port) => drawPort(port, box)));
  group.setAttribute("transform", `translate(${box.x} ${box.y})`);
  Object.assign(group.dataset, {component: box.name, key: box.key});
  Object.assign(main.dataset, {component: box.name, key: box.key});
  box.group = group;
  return group;
}

/* What is converted on the way, by which chain of coercions, and which of the instances is asked. */
function edgeText({one}, whole) {
  const parts = one.coercions.map(
      ({of, text, cost, lossy}) =>
          `${of}: ${text}${whole && cost ? `, cost ${cost}` : ""}${lossy ? ", loses something" : ""}`);
  return [...parts, ...(one.mapping ? [one.mapping] : [])];
}

export function drawEdge(edge) {
  const {from, to, one, many} = edge, texts = edgeText(edge, true);
  const label = many > 1 ? `${many} requests of ${edge.fromBox.name}, go to ${edge.toBox.name}` :
                           `request ${requestText(from.one)} of ${from.box.name}, goes to ${to.box.name}` +
          (texts.length ? ": " + texts.join("; ") : "") + (one.late ? ", found while the model runs" : "");
  const group = press("edge " + from.one.protocol, label);
  group.classList.toggle("late", one.late);
  group.classList.toggle("coerced", many === 1 && one.coercions.length > 0);
  edge.line = made("path", {class: "line"});
  edge.wide = made("path", {class: "wide"});
  edge.head = made("path", {class: "head"});
  edge.texts = (many > 1 ? [`${many} requests`] : edgeText(edge, false))
                   .map((text) => words(0, 0, cut(text, 44), "on-edge", "middle"));
  group.append(edge.wide, edge.line, edge.head, ...edge.texts, made("title", {}, label));
  Object.assign(group.dataset, {
    component: from.box.name,
    to: to.box.name,
    request: from.one.name,
    key: edge.fromBox.key,
    toKey: edge.toBox.key,
    number: String(from.number),
    many: String(many)
  });
  edge.group = group;
  return group;
}

const end = (port, box, at) => (port.box === box && port.shown ? {x: box.x + port.x, y: at} : {x: box.x, y: at});

/* By where the boxes stand now. */
export function lead(edges, boxes) {
  const holds = (outer, box) => {
    for (let at = box; at; at = at.outer)
      if (at === outer) return true;
    return false;
  };
  const lanes = [], up = ({fromBox, toBox}) => fromBox.y + fromBox.h - toBox.y;
  for (const edge of [...edges].sort((a, b) => up(a) - up(b))) {
    const {from, to, fromBox, toBox} = edge;
    const inward = fromBox !== toBox && holds(fromBox, toBox);
    const a = end(from, fromBox, fromBox.y + fromBox.h + (inward ? -fromBox.under.h : 4));
    const b = end(to, toBox, toBox.y - 5);
    const others =
        boxes.filter((box) => box !== fromBox && box !== toBox && !holds(box, fromBox) && !holds(box, toBox));
    const {path, x, y} = route(a, b, others, [fromBox, toBox], inward && fromBox.x + fromBox.w / 2 - 14, lanes);
    edge.line.setAttribute("d", path);
    edge.wide.setAttribute("d", path);
    edge.head.setAttribute("d", `M${b.x - 4} ${b.y - 5}h8l-4 7z`);
    edge.texts.forEach((text, i) => {
      text.setAttribute("x", x);
      text.setAttribute("y", y + 4 + 13 * (i - (edge.texts.length - 1) / 2));
    });
  }
}

/* The names of the layers, at the left of what stands in them. */
export function drawLayers(boxes) {
  const tops = boxes.filter((box) => !box.outer), all = frame(tops), group = made("g", {class: "layers"});
  for (const layer of new Set(tops.map((box) => box.layer))) {
    if (!layerName(layer)) continue;
    const {y, h} = frame(tops.filter((box) => box.layer === layer));
    group.append(
        made("rect", {x: all.x - 40, y: y - 22, width: all.w + 70, height: h + 40, rx: 10}),
        made(
            "text", {transform: `translate(${all.x - 24} ${y + h / 2}) rotate(-90)`, "text-anchor": "middle"},
            layerName(layer)));
  }
  return group;
}
