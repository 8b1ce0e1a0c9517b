/* Where the boxes of the graph stand: in layers by domain, those that request above those that accept. A box is
 * {key, w, h, layer}, and gets x, its middle, and y, its top. One that stands somewhere stays there: what is new is put
 * beside it. */

export const grid = 10; /* what a place in the file of places counts */
const gap = 30, between = 50, apart = 36, longest = 12;

const layers = ["", "application", "others", "runtime", "hardware"];
export const layerName = (layer) => layers[layer];

/* Each domain that is none of PSL's three stands between the application and the runtime. */
export function layerOf({system, domain}) {
  const at = layers.indexOf(/^[A-Za-z]*/.exec(domain)[0], 1);
  return system ? 0 : at < 0 ? 2 : at;
}

const snapped = (value) => Math.round(value / grid) * grid;

/* All of them, callers first, where they do not call each other in a circle. */
function inOrder(boxes, next) {
  const seen = new Set(), order = [];
  for (const root of [...boxes].sort((a, b) => a.layer - b.layer)) {
    if (seen.has(root)) continue;
    const way = [{box: root, at: 0}];
    seen.add(root);
    while (way.length) {
      const top = way[way.length - 1], to = next.get(top.box)[top.at++];
      if (to === undefined) {
        order.push(top.box);
        way.pop();
      } else if (!seen.has(to)) {
        seen.add(to);
        way.push({box: to, at: 0});
      }
    }
  }
  return order.reverse();
}

function rowsOf(boxes, next, widest) {
  const order = inOrder(boxes, next), place = new Map(order.map((box, i) => [box, i])), rank = new Map();
  for (const box of order) {
    if (!rank.has(box)) rank.set(box, 0);
    for (const to of next.get(box))
      if (to.layer === box.layer && place.get(to) > place.get(box))
        rank.set(to, Math.max(rank.get(to) || 0, rank.get(box) + 1));
  }
  const rows = [];
  for (const layer of [...new Set(boxes.map((box) => box.layer))].sort((a, b) => a - b)) {
    const here = boxes.filter((box) => box.layer === layer), last = Math.max(...here.map((box) => rank.get(box)));
    for (let depth = 0; depth <= last; depth++) {
      let row = null, width = 0;
      for (const box of here.filter((one) => rank.get(one) === depth)) {
        if (!row || width + box.w > widest) {
          rows.push(row = {layer, column: Math.floor(depth / longest), boxes: []});
          width = 0;
        }
        row.boxes.push(box);
        width += box.w + gap;
      }
    }
  }
  return rows;
}

/* From the left to the right, each as near to where it wants to be as the others let it. */
function pack(row, wanted) {
  let right = -Infinity, off = 0;
  for (const box of row) {
    box.x = Math.max(wanted(box), right + gap + box.w / 2);
    right = box.x + box.w / 2;
    off += wanted(box) - box.x;
  }
  for (const box of row)
    box.x += off / row.length;
}

function order(rows, near) {
  for (const {boxes} of rows) {
    boxes.forEach((box) => Object.assign(box, {x: 0}));
    pack(boxes, () => 0);
  }
  for (let pass = 0; pass < 8; pass++)
    for (const {boxes} of pass % 2 ? [...rows].reverse() : rows) {
      const want = new Map(boxes.map((box) => {
        const others = near.get(box).filter((other) => !boxes.includes(other));
        return [box, others.length ? others.reduce((sum, other) => sum + other.x, 0) / others.length : box.x];
      }));
      boxes.sort((a, b) => want.get(a) - want.get(b));
      pack(boxes, (box) => want.get(box));
    }
}

/* The rows one below the other; a long chain goes on in another column. */
function stack(rows) {
  let y = 0, layer = rows.length ? rows[0].layer : 0;
  for (let at = 0; at < rows.length;) {
    let end = at, left = 0, deepest = y;
    if (rows[at].layer !== layer) y += apart;
    layer = rows[at].layer;
    while (end < rows.length && rows[end].layer === layer)
      end++;
    const columns = new Set(rows.slice(at, end).map((row) => row.column)).size;
    for (let column = 0; column < columns; column++) {
      const here = rows.slice(at, end).filter((row) => row.column === column), all = here.flatMap((row) => row.boxes);
      const begin = Math.min(...all.map((box) => box.x - box.w / 2));
      let down = y;
      for (const {boxes} of here) {
        for (const box of boxes) {
          if (columns > 1) box.x += left - begin;
          box.y = down;
        }
        down += Math.max(...boxes.map((box) => box.h)) + between;
      }
      left = Math.max(...all.map((box) => box.x + box.w / 2)) + 2 * gap;
      deepest = Math.max(deepest, down);
    }
    y = deepest;
    at = end;
  }
}

function fresh(boxes, next, near) {
  const area = boxes.reduce((sum, box) => sum + (box.w + gap) * (box.h + between), 0);
  const rows = rowsOf(boxes, next, Math.max(600, Math.sqrt(area) * 1.2));
  order(rows, near);
  stack(rows);
}

const overlap = (a, b) =>
    Math.abs(a.x - b.x) < (a.w + b.w) / 2 + gap / 2 && a.y < b.y + b.h + gap / 2 && b.y < a.y + a.h + gap / 2;

/* To the nearest place at its height where no other stands. */
function settle(box, others) {
  const stands = others.filter((other) => other !== box), x = box.x;
  for (let step = 0; stands.some((other) => overlap(box, other)); step++)
    box.x = x + (step % 2 ? -1 : 1) * Math.ceil((step + 1) / 2) * grid;
}

function below(boxes, y, by) {
  for (const box of boxes)
    if (!box.pinned && box.y >= y) box.y += by;
}

/* One that is new, among those that stand: in its layer, below those that request it. */
function add(box, placed, next) {
  const lower = (other) => other.layer > box.layer, same = placed.filter((other) => other.layer === box.layer);
  const callers = placed.filter((other) => next.get(other).includes(box));
  const called = next.get(box).filter((other) => placed.includes(other)), near = [...callers, ...called];
  const bottom = (list) => Math.max(...list.map((other) => other.y + other.h)) + between;
  const above = callers.filter((other) => other.layer === box.layer),
        higher = placed.filter((o) => o.layer < box.layer);
  const xs = near.map((other) => other.x);
  box.x = snapped(xs.length ? xs.reduce((a, b) => a + b, 0) / xs.length : 0);
  box.y = above.length  ? bottom(above) :
          same.length   ? Math.min(...same.map((other) => other.y)) :
          higher.length ? bottom(higher) :
          placed.length ? Math.min(...placed.map((other) => other.y)) :
                          0;
  box.y = snapped(box.y);
  const first = Math.min(...placed.filter(lower).map((other) => other.y)), need = box.y + box.h + between - first;
  if (need > 0 && first < Infinity) below(placed.filter(lower), first, snapped(need + grid / 2));
  settle(box, placed);
}

/* One that stays may have grown: what would be covered, and all below that, makes room. */
function grow(boxes, kept) {
  for (const box of [...boxes].sort((a, b) => a.y - b.y)) {
    const by = box.h - kept.get(box.key).h, bottom = box.y + box.h - by;
    const covered = boxes.some((other) => other !== box && other.y >= bottom && overlap(box, other));
    if (by > 0 && covered) below(boxes, bottom, snapped(by + grid / 2));
  }
}

/* `kept` has {x, y, h, pinned} of those that stand somewhere, by their keys: where they have been put by a person they
 * are pinned. `links` are [from, to]. */
export function arrange(boxes, links, kept) {
  const next = new Map(boxes.map((box) => [box, []])), near = new Map(boxes.map((box) => [box, []]));
  for (const [from, to] of links) {
    if (from === to || next.get(from).includes(to)) continue;
    next.get(from).push(to);
    near.get(from).push(to);
    near.get(to).push(from);
  }
  const stood = boxes.filter((box) => kept.has(box.key) && kept.get(box.key).h);
  if (!stood.length) fresh(boxes, next, near);
  for (const box of boxes) {
    const {x, y, pinned} = kept.get(box.key) || {};
    box.pinned = !!pinned;
    if (x !== undefined && (pinned || stood.length)) Object.assign(box, {x, y});
    if (!pinned) Object.assign(box, {x: snapped(box.x || 0), y: snapped(box.y || 0)});
  }
  const pinned = boxes.filter((box) => box.pinned), placed = stood.length ? [...new Set([...stood, ...pinned])] : boxes;
  if (stood.length)
    grow(stood, kept);
  else
    for (const box of boxes)
      if (!box.pinned && pinned.some((other) => overlap(box, other))) settle(box, boxes);
  for (const box of inOrder(boxes, next)) {
    if (placed.includes(box)) continue;
    add(box, placed, next);
    placed.push(box);
  }
}

/* The smallest frame around them: {x, y, w, h}, from its corner. */
export function frame(boxes) {
  if (!boxes.length) return {x: 0, y: 0, w: 0, h: 0};
  const x = Math.min(...boxes.map((box) => box.x - box.w / 2)), y = Math.min(...boxes.map((box) => box.y));
  return {
    x,
    y,
    w: Math.max(...boxes.map((box) => box.x + box.w / 2)) - x,
    h: Math.max(...boxes.map((box) => box.y + box.h)) - y
  };
}

/* ---- edges ---- */

/* Where nobody stands, nearest to x. */
function free(x, blocked) {
  let best = x;
  const holds = (at) => !blocked.some(([from, to]) => from < at && at < to);
  if (holds(x)) return x;
  best = Infinity;
  for (const [from, to] of blocked)
    for (const at of [from, to])
      if (holds(at) && Math.abs(at - x) < Math.abs(best - x)) best = at;
  return best === Infinity ? x : best;
}

/* The points by which an edge goes from a port at the bottom of one box to one at the top of another, past what stands
 * between them: each is passed downwards, but where the way goes back up at the side. */
function points(from, to, obstacles, sides, lanes) {
  if (to.y < from.y + 20) {
    const top = to.y - 30, bottom = from.y + 30;
    let x = Math.max(...sides.map((box) => box.x + box.w / 2)) + 22;
    const list = obstacles.filter((box) => box.y < bottom && box.y + box.h > top)
                     .sort((a, b) => a.x - a.w / 2 - b.x + b.w / 2);
    const pass = () => {
      for (const box of list)
        if (x > box.x - box.w / 2 - 10 && x < box.x + box.w / 2 + 10) x = box.x + box.w / 2 + 14;
    };
    pass();
    while (lanes.some((lane) => Math.abs(lane.x - x) < 8 && lane.top < bottom && lane.bottom > top)) {
      x += 10;
      pass();
    }
    lanes.push({x, top, bottom});
    return [from, {x, y: from.y + 30, turn: true}, {x, y: to.y - 30, turn: true}, to];
  }
  const rows = [], list = obstacles.filter((box) => box.y < to.y - 10 && box.y + box.h > from.y + 10);
  for (const box of list.sort((a, b) => a.y - b.y)) {
    const last = rows[rows.length - 1], end = box.y + box.h;
    if (last && box.y < last.end) {
      last.end = Math.max(last.end, end);
      last.boxes.push(box);
    } else {
      rows.push({begin: box.y, end, boxes: [box]});
    }
  }
  const way = [from];
  for (const {begin, end, boxes} of rows) {
    const before = way[way.length - 1], part = ((begin + end) / 2 - before.y) / Math.max(1, to.y - before.y);
    const straight = before.x + (to.x - before.x) * part;
    const x = free(straight, boxes.map((box) => [box.x - box.w / 2 - 12, box.x + box.w / 2 + 12]));
    if (begin - 8 > before.y && end + 8 < to.y) way.push({x, y: begin - 8}, {x, y: end + 8});
  }
  return [...way, to];
}

/* The path, and the middle of it. Those that go back up do so side by side: `lanes` has where, and is added to. What leads from a port at the bottom of a box to one that is inside it goes up at
 * `inward`. */
export function route(from, to, obstacles, sides, inward, lanes) {
  if (inward) {
    const path = `M${from.x} ${from.y}C${from.x} ${from.y - 24} ${inward} ${from.y} ${inward} ${from.y - 40}` +
                 `L${inward} ${to.y + 10}C${inward} ${to.y - 26} ${to.x} ${to.y - 26} ${to.x} ${to.y}`;
    return {path, x: inward, y: (from.y + to.y) / 2};
  }
  const way = points(from, to, obstacles, sides, lanes);
  let path = `M${from.x} ${from.y}`;
  if (way[1].turn) {
    const [, down, up] = way;
    path += `C${from.x} ${down.y + 25} ${down.x} ${down.y + 25} ${down.x} ${down.y - 20}` +
            `L${up.x} ${up.y + 20}C${up.x} ${up.y - 25} ${to.x} ${up.y - 25} ${to.x} ${to.y}`;
    return {path, x: up.x, y: (down.y + up.y) / 2};
  }
  for (let i = 1; i < way.length; i++) {
    const a = way[i - 1], b = way[i], half = Math.max(Math.min(24, (b.y - a.y)), (b.y - a.y) / 2);
    path += a.x === b.x ? `L${b.x} ${b.y}` : `C${a.x} ${a.y + half} ${b.x} ${b.y - half} ${b.x} ${b.y}`;
  }
  const k = Math.floor((way.length - 1) / 2), a = way[k], b = way[k + 1];
  return {path, x: (a.x + b.x) / 2, y: (a.y + b.y) / 2};
}
