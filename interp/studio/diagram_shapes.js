/* The shapes of UML's activity diagrams in SVG: actions with rounded corners, diamonds, bars, the black circle of the
 * beginning and the ringed one of the end, and the small icons of the toolbar. */
import {linesOf, placeActivity} from "./diagram_places.js";

const space = "http://www.w3.org/2000/svg";

export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(space, name);
  for (const [key, text] of Object.entries(attributes)) element.setAttribute(key, text);
  element.append(...children);
  return element;
}

/* ---- icons ---- */

const box = "M2 5h16v10h-16z";
const icons = {
  action: box,
  send: "M2 5h11l5 5-5 5h-11z",
  receive: "M2 5h16v10h-16l5-5z",
  group: "M4 4h4v4h-4zM12 4h4v4h-4zM8 12h4v4h-4zM6 8l3 4M14 8l-3 4",
  loop: "M15 6a6 6 0 1 0 1 6M16 2v5h-5",
  call: box + "M13 8v5M11 10.500h4",
  decision: "M10 2l8 8-8 8-8-8z",
  merge: "M10 2l8 8-8 8-8-8z",
  fork: "M2 9h16v2h-16zM10 2v7M5 11v7M15 11v7",
  join: "M2 9h16v2h-16zM10 11v7M5 2v7M15 2v7",
  initial: "M10 4a6 6 0 1 0 0.010 0z",
  final: "M10 2a8 8 0 1 0 0.010 0zM10 6a4 4 0 1 0 0.010 0z",
  threads: "M5 2v16M10 2v16M15 2v16",
  lock: "M4 9h12v9h-12zM7 9v-3a3 3 0 0 1 6 0v3"
};

export function icon(name) {
  return svg(
      "svg", {viewBox: "0 0 20 20", class: "tool-icon icon-" + name, "aria-hidden": "true"},
      svg("path", {d: icons[name] || icons.action}));
}

/* ---- shapes ---- */

const words = (node) => node.type.replace(/Node$|Action$/, "").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

function outline({node, x, y, w, h}) {
  const left = x - w / 2, middle = y + h / 2;
  switch (node.kind) {
  case "initial": return [svg("circle", {class: "solid", cx: x, cy: middle, r: 11})];
  case "final":
    return [svg("circle", {class: "ring", cx: x, cy: middle, r: 12}), svg("circle", {class: "solid", cx: x, cy: middle, r: 7})];
  case "branch": return [svg("path", {class: "shape", d: `M${x} ${y}L${x + w / 2} ${middle}L${x} ${y + h}L${left} ${middle}Z`})];
  case "bar": return [svg("rect", {class: "solid", x: left, y, width: w, height: h, rx: 2})];
  default: return [svg("rect", {class: "shape", x: left, y, width: w, height: h, rx: node.kind === "object" ? 0 : 12})];
  }
}

function labels({node, x, y, w, h, leftwards}) {
  if (node.kind === "structure")
    return [svg("text", {class: "label", x: x - w / 2 + 12, y: y + 18}, linesOf(node).join(" "))];
  if (["initial", "final", "branch", "bar"].includes(node.kind)) {
    const text = linesOf(node).join(" ");
    return text && !["initial", "final"].includes(node.kind) ?
        [svg("text", {class: "label" + (leftwards ? " end" : ""), x: leftwards ? x - w / 2 - 8 : x + w / 2 + 6, y: y + h / 2 + 4}, text)] :
        [];
  }
  return linesOf(node).map((line, i, all) => svg("text", {
                             class: "label middle" + (/^«/.test(line) ? " stereotype" : i === all.length - 1 && all.length > 1 && i > 0 ? " cost" : ""),
                             x,
                             y: y + h / 2 + 4 + 16 * (i - (all.length - 1) / 2)
                           }, line));
}

const spoken = {error: "has errors", warning: "has warnings"};

/* ---- flows ---- */

/* What stands on the line straight down. */
const crossed = (shapes, start, end, own) => [...shapes.values()].filter(
    (one) => !own.includes(one) && start[0] > one.x - one.before - 4 && start[0] < one.x + one.behind + 4 && one.y < end[1] && one.y + one.h > start[1]);

function wayOf(edge, {shapes, back, right}, lane) {
  const from = shapes.get(edge.source), to = shapes.get(edge.target);
  const start = [from.x, from.y + from.h], end = [to.x, to.y];
  if (from === to || back.has(edge)) {
    const out = right + 22 * (lane + 1), y1 = from.y + from.h / 2, y2 = to.y + to.h / 2;
    return {d: `M${from.x + from.w / 2} ${y1}H${out}V${y2}H${to.x + to.w / 2 + 8}`, tip: [to.x + to.w / 2, y2, -1, 0], at: [out - 6, (y1 + y2) / 2], end: true};
  }
  if (from.node.kind === "bar") start[0] = Math.max(from.x - from.w / 2 + 6, Math.min(from.x + from.w / 2 - 6, to.x));
  const straight = Math.abs(from.x - to.x) < 1;
  if (to.node.kind === "bar") end[0] = Math.max(to.x - to.w / 2 + 6, Math.min(to.x + to.w / 2 - 6, from.x));
  const bend = end[1] - 20, between = crossed(shapes, start, [end[0], straight ? end[1] : bend], [from, to]);
  if (between.length) { /* past what stands in its way */
    const side = Math.min(...between.map((shape) => shape.x - shape.before)) - 18;
    return {
      d: `M${start[0]} ${start[1]}V${start[1] + 14}H${side}V${bend}H${end[0]}V${end[1] - 8}`,
      tip: [end[0], end[1], 0, 1],
      at: [side - 5, (start[1] + bend) / 2],
      end: true
    };
  }
  return {
    d: Math.abs(start[0] - end[0]) < 1 ? `M${start[0]} ${start[1]}V${end[1] - 8}` : `M${start[0]} ${start[1]}V${bend}H${end[0]}V${end[1] - 8}`,
    tip: [end[0], end[1], 0, 1],
    at: straight ? [start[0] + 6, (start[1] + end[1]) / 2 + 4] : [start[0] + (end[0] < start[0] ? -8 : 8), bend - 6],
    end: end[0] < start[0] - 1
  };
}

const head = ([x, y, dx, dy]) =>
    `M${x} ${y}L${x - 9 * dx - 5 * dy} ${y - 9 * dy - 5 * dx}L${x - 9 * dx + 5 * dy} ${y - 9 * dy + 5 * dx}Z`;

function drawInside(placed, edges, marks, into) {
  let lane = 0;
  const known = edges.filter((edge) => placed.shapes.has(edge.source) && placed.shapes.has(edge.target));
  for (const edge of known) {
    const way = wayOf(edge, placed, placed.back.has(edge) ? lane++ : 0), mark = marks.get(edge.id);
    const chance = edge.tags.find((one) => one.name === "probability"), text = chance ? chance.value : edge.guard ? `[${edge.guard}]` : "";
    const name = (node) => node.name || words(node);
    const flow = svg(
        "g", {
          class: "flow" + (mark ? " " + mark : ""), "data-id": edge.id, tabindex: -1, role: "button",
          "aria-label": `flow from ${name(placed.shapes.get(edge.source).node)} to ${name(placed.shapes.get(edge.target).node)}${text ? ", " + text : ""}${mark ? ", " + spoken[mark] : ""}`
        },
        svg("path", {class: "wide", d: way.d}), svg("path", {class: "line", d: way.d}), svg("path", {class: "head", d: head(way.tip)}));
    if (text) flow.append(svg("text", {class: "label guard" + (way.end ? " end" : ""), x: way.at[0], y: way.at[1]}, text));
    into.append(flow);
  }
  for (const [id, shape] of placed.shapes) {
    const {node} = shape, mark = marks.get(id);
    const group = svg(
        "g", {
          class: `element ${node.kind}${mark ? " " + mark : ""}`, "data-id": id, tabindex: -1, role: "button",
          "aria-label": `${words(node)} ${node.name}${node.stereotypes.length ? ", " + node.stereotypes.join(", ") : ""}${mark ? ", " + spoken[mark] : ""}`
        },
        ...outline(shape), ...labels(shape));
    if (mark) {
      const at = {x: shape.x + shape.w / 2 - 2, y: shape.y};
      group.append(svg("circle", {class: "mark", cx: at.x, cy: at.y + 2, r: 8}), svg("text", {class: "mark-text", x: at.x, y: at.y + 6}, "!"));
    }
    into.append(group);
    if (!shape.inner) continue;
    const inside = svg("g", {transform: `translate(${shape.x - shape.w / 2 + 12} ${shape.y + 30})`});
    drawInside(shape.inner, node.edges, marks, inside);
    into.append(inside);
  }
}

/* Marks are "error" or "warning" by id. */
export function drawActivity(activity, marks) {
  const placed = placeActivity(activity);
  const picture = svg("svg", {viewBox: `0 0 ${Math.ceil(placed.w)} ${Math.ceil(placed.h)}`, width: Math.ceil(placed.w), height: Math.ceil(placed.h), role: "group", "aria-label": "Activity " + activity.name});
  drawInside(placed, activity.edges, marks, picture);
  return picture;
}
