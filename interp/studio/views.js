/* Which part of a graph is shown: all of it, its components in groups by their domains, or one component with those that
 * it requests and who request it. Each is a graph as psl graph says it, and is laid out as such. */

/* The key of each component: its name behind those that it is in; a group is none of these. */
export function keysOf(graph) {
  const keys = [];
  const keyOf = (at) => {
    if (keys[at] !== undefined) return keys[at];
    const {name, outer, group} = graph.components[at];
    const within = outer === null || outer === undefined || graph.components[outer].group ? "" : keyOf(outer) + ".";
    return keys[at] = group ? "domain " + name : within + name;
  };
  graph.components.forEach((part, at) => keyOf(at));
  return keys;
}

/* Those that are kept, by their numbers, and of the edges between them those that `holds`. */
function only(graph, kept, holds) {
  const order = [...kept].sort((a, b) => a - b), now = new Map(order.map((old, at) => [old, at]));
  const components = order.map((old) => {
    const {outer} = graph.components[old];
    return {...graph.components[old], outer: now.has(outer) ? now.get(outer) : null};
  });
  const edges = graph.edges.filter((edge) => now.has(edge.from) && now.has(edge.to) && holds(edge))
                    .map((edge) => ({...edge, from: now.get(edge.from), to: now.get(edge.to)}));
  return {...graph, components, edges};
}

/* The component of the key with what stands in it, those that they request and who request them, each in what it is
 * in; null: there is no such component. */
export function neighbours(graph, key) {
  const keys = keysOf(graph), own = new Set(), kept = new Set();
  keys.forEach((one, at) => {
    if (one === key || one.startsWith(key + ".")) own.add(at);
  });
  if (!own.size) return null;
  const touches = ({from, to}) => own.has(from) || own.has(to);
  for (const at of [...own, ...graph.edges.filter(touches).flatMap(({from, to}) => [from, to])])
    for (let outer = at; outer !== null && outer !== undefined; outer = graph.components[outer].outer)
      kept.add(outer);
  return only(graph, kept, touches);
}

const outermost = (part) => part.outer === null || part.outer === undefined;
const grouping = (graph) => graph.components.filter((part) => outermost(part) && !part.system);

/* So many that their names can hardly be read on one screen. */
export const isMany = (graph) => grouping(graph).length > 60;

/* Components of one domain stand in a box of that name. */
export function grouped(graph) {
  const members = new Map();
  for (const part of grouping(graph)) {
    const name = part.domain || "no domain";
    members.set(name, [...(members.get(name) || []), part]);
  }
  const groups = [...members].filter(([, parts]) => parts.length > 1).map(([name, parts]) => ({
    name, group: true, system: false, reached: true, outer: null, set: null, indices: [], accepts: [], requests: [],
    instances: parts.length, domain: parts[0].domain
  }));
  const groupOf = new Map(groups.map((group, at) => [group.name, at]));
  const components = graph.components.map((part) => {
    if (!outermost(part)) return {...part, outer: part.outer + groups.length};
    const group = part.system ? undefined : groupOf.get(part.domain || "no domain");
    return {...part, outer: group === undefined ? null : group};
  });
  const edges = graph.edges.map(
      (edge) => ({...edge, from: edge.from + groups.length, to: edge.to + groups.length}));
  return {...graph, components: [...groups, ...components], edges};
}
