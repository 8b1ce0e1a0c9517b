/* Where the shapes of an activity stand: a row for each step of its flow from the top down, what is inside of a structure
 * laid out inside of it. Flows that lead back are left out of the order. */

const gapX = 34, gapY = 42;

const wide = (text) => [...text].length * 7.2;
const short = (text) => ([...text].length > 34 ? [...text].slice(0, 33).join("") + "…" : text);

/* The lines of a shape: its stereotypes, its name, what it costs. */
export function linesOf(node) {
  const tag = (name) => (node.tags.find((one) => one.name.replace(/[-_ ]/g, "").toLowerCase() === name) || {}).value;
  const known = node.stereotypes.length ? "«" + node.stereotypes.join(", ").replace(/Plus\b/g, "+") + "»" : "";
  const costs = tag("costs") || tag("cost") || node.body, count = tag("iterations"), message = tag("message");
  const cost = [count ? count + " ×" : "", costs || "", message || ""].filter(Boolean).join(" ");
  return [known, node.name || (node.kind === "action" ? node.id : ""), short(cost)].filter(Boolean);
}

function sizeOf(node) {
  switch (node.kind) {
  case "initial":
  case "final": return {w: 26, h: 26};
  case "branch": return {w: 34, h: 34, beside: wide(linesOf(node).join(" ")) + 10};
  case "bar": return {w: 120, h: 8};
  default: {
    const lines = linesOf(node), most = Math.max(60, ...lines.map(wide));
    return {w: most + 26, h: 18 + 16 * Math.max(1, lines.length)};
  }
  }
}

/* The row of each node by its id, and the flows that lead back: depth first, without recursion, to what is open. */
export function rowsOf(nodes, edges) {
  const out = new Map(nodes.map((node) => [node.id, []])), state = new Map(), order = [], back = new Set();
  for (const edge of edges)
    if (out.has(edge.source) && out.has(edge.target)) out.get(edge.source).push(edge);
  const led = new Set(edges.map((edge) => edge.target));
  const first = [...nodes].sort((a, b) => (b.kind === "initial") - (a.kind === "initial") || led.has(a.id) - led.has(b.id));
  for (const node of first) {
    const stack = [];
    if (state.has(node.id)) continue;
    state.set(node.id, 1);
    stack.push([node.id, 0]);
    while (stack.length) {
      const top = stack[stack.length - 1], edge = out.get(top[0])[top[1]++];
      if (!edge) {
        state.set(top[0], 2);
        order.unshift(top[0]);
        stack.pop();
      } else if (state.get(edge.target) === 1) {
        back.add(edge);
      } else if (!state.has(edge.target)) {
        state.set(edge.target, 1);
        stack.push([edge.target, 0]);
      }
    }
  }
  const row = new Map(order.map((id) => [id, 0]));
  for (const id of order)
    for (const edge of out.get(id))
      if (!back.has(edge)) row.set(edge.target, Math.max(row.get(edge.target), row.get(id) + 1));
  return {row, back};
}

/* {shapes: by id {x, y, w, h, node, inner}, back, w, h}; x and y are the middle of the top. */
export function placeActivity({nodes, edges}) {
  const {row, back} = rowsOf(nodes, edges), rows = [], shapes = new Map();
  for (const node of nodes) {
    const inner = node.nodes ? placeActivity(node) : null;
    const size = inner ? {w: Math.max(inner.w + 24, wide(linesOf(node).join(" ")) + 24), h: inner.h + 46} : sizeOf(node);
    (rows[row.get(node.id)] ||= []).push(node.id);
    shapes.set(node.id, {...size, node, inner, x: 0, y: 0});
  }
  /* Those that the same row leads to stand in the order of what leads to them. */
  const place = new Map();
  const centre = (id) => {
    const from = edges.filter((edge) => edge.target === id && !back.has(edge) && place.has(edge.source));
    return from.length ? from.reduce((sum, edge) => sum + place.get(edge.source), 0) / from.length : 0;
  };
  /* Flows that lead back leave and come at the right: what a diamond says stands at its left then, as that of a loop does. */
  const beside = new Set([...back].flatMap((edge) => [edge.source, edge.target]));
  for (const shape of shapes.values()) {
    shape.leftwards = shape.node.stereotypes.length > 0 || beside.has(shape.node.id);
    shape.before = shape.w / 2 + (shape.leftwards && shape.beside || 0);
    shape.behind = shape.w / 2 + (!shape.leftwards && shape.beside || 0);
  }
  let y = 20;
  for (const ids of rows.filter(Boolean)) {
    const wanted = new Map(ids.map((id) => [id, centre(id)]));
    const sorted = ids.map((id, i) => [id, i]).sort((a, b) => wanted.get(a[0]) - wanted.get(b[0]) || a[1] - b[1]);
    const total = sorted.reduce((sum, [id]) => sum + shapes.get(id).w + gapX, -gapX);
    const middle = sorted.reduce((sum, [id]) => sum + wanted.get(id), 0) / sorted.length;
    let x = middle - total / 2;
    for (const [id] of sorted) {
      const shape = shapes.get(id);
      shape.x = x + shape.w / 2;
      shape.y = y;
      place.set(id, shape.x);
      x += shape.w + gapX;
    }
    y += Math.max(...ids.map((id) => shapes.get(id).h)) + gapY;
  }
  const all = [...shapes.values()], left = Math.min(0, ...all.map((s) => s.x - s.before - 24)) - 20;
  const lanes = edges.filter((edge) => back.has(edge)).length;
  for (const shape of all) shape.x -= left;
  const right = Math.max(80, ...all.map((s) => s.x + s.behind));
  return {shapes, back, right, w: right + 20 + 22 * lanes, h: Math.max(60, y)};
}
