/* The graph of all instances, which Graphviz draws: what it has drawn is taken over element by element, so that nothing
 * of a model becomes anything but a picture. */

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
  if (node.localName === "text")
    to.textContent = node.textContent;
  else
    for (const child of node.children)
      if (kept[child.localName]) to.append(copy(child));
  const title = node.querySelector(":scope > title");
  if (title && node.localName === "g") to.dataset.title = title.textContent;
  return to;
}

const firstText = (group) => {
  const text = group.querySelector("text");
  return text ? text.textContent : "";
};

/* {svg, size}, with boxes and edges that say what they are; null: it cannot be read. */
export function instancesOf(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement, names = new Map();
  if (parsed.localName !== "svg") return null;
  const svg = copy(parsed), box = (svg.getAttribute("viewBox") || "0 0 100 100").split(/[ ,]+/).map(Number);
  const named = (group, label) => {
    group.setAttribute("tabindex", "0");
    group.setAttribute("role", "button");
    group.setAttribute("aria-label", label);
  };
  svg.classList.add("graphviz");
  for (const node of svg.querySelectorAll("g.node")) {
    const name = firstText(node).replace(/\s*\[.*$/, "");
    names.set(node.dataset.title, name);
    node.dataset.component = node.dataset.key = name;
    named(node, "component " + name);
  }
  for (const edge of svg.querySelectorAll("g.edge")) {
    const [from, to] = edge.dataset.title.split("->").map((end) => names.get(end.replace(/:.*$/, ""))),
                 label = firstText(edge);
    Object.assign(edge.dataset, {component: from || "", key: from || "", to: to || "", toKey: to || ""});
    edge.dataset.request = label.replace(/^every\s+/, "").split(":")[0].trim();
    named(edge, `request ${label} of ${from}, goes to ${to}`);
  }
  return {svg, size: {x: box[0], y: box[1], width: box[2], height: box[3]}};
}
