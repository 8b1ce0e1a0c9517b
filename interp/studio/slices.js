/* Pictures of slices, as the server gives them: cells, each with the shares of its time, or the slices themselves. What
 * of a line of pixels they say is written into the buffer of a picture, as one number a pixel. */

export const classes = 3; /* compute, communicate, wait */
export const classOf = (activity) => Math.min(activity, classes - 1);
const steps = 31; /* a whole column, in a share of a cell */
const parted = 5; /* slices as wide as that have a pixel between them */

/* Of which window it is: {from, to, first, rows, group}. */
export function pictureOf(buffer, window) {
  const [kind, lines, count, overlaps] = new Uint32Array(buffer, 0, 4), picture = {...window, lines, overlaps};
  if (kind === 0) return Object.assign(picture, {columns: count, cells: new Uint16Array(buffer, 16, lines * count)});
  const begins = 16 + 4 * (lines + 1 + (lines % 2 === 0));
  return Object.assign(picture, {
    places: new Uint32Array(buffer, 16, lines + 1),
    begin: new Float64Array(buffer, begins, count),
    end: new Float64Array(buffer, begins + 8 * count, count),
    kind: new Uint32Array(buffer, begins + 16 * count, count)
  });
}

/* A colour for each cell that there can be: its shares of the colours mixed, the rest is the ground. Colours are red,
 * green and blue. */
export function mixed(colors, ground, ink) {
  const table = new Uint32Array(1 << 16);
  for (let cell = 0; cell < table.length; cell++) {
    const shares = [cell & 31, cell >> 5 & 31, cell >> 10 & 31], sum = shares[0] + shares[1] + shares[2];
    const whole = Math.max(steps, sum), parts = [0, 1, 2].map((k) => {
      const mix = shares.reduce((all, share, c) => all + share * colors[c][k], ground[k] * (whole - sum)) / whole;
      return Math.round(sum || cell < 1 << 15 ? mix : 0.8 * ground[k] + 0.2 * ink[k]);
    });
    table[cell] = (255 << 24 | parts[2] << 16 | parts[1] << 8 | parts[0]) >>> 0;
  }
  return table;
}

/* Writes lines of a window into rows of pixels, each of so many columns. */
export class Painter {
  constructor(columns, from, to) {
    Object.assign(this, {columns, from, to, scale: columns / (to - from)});
    this.shares = new Float32Array(columns * classes);
    this.maps = new Map();
  }
  /* The columns whose middle a picture has something of. */
  reach(picture) {
    const left = Math.ceil((picture.from - this.from) * this.scale - 0.5);
    const right = Math.ceil((picture.to - this.from) * this.scale - 0.5);
    return [Math.max(0, Math.min(this.columns, left)), Math.max(0, Math.min(this.columns, right))];
  }
  /* By column: which column of the picture's cells it shows. */
  map(picture) {
    let map = this.maps.get(picture);
    if (map) return map;
    map = new Int32Array(this.columns);
    const scale = picture.columns / (picture.to - picture.from);
    for (let x = 0; x < this.columns; x++) {
      const column = Math.floor((this.from + (x + 0.5) / this.scale - picture.from) * scale);
      map[x] = Math.max(0, Math.min(picture.columns - 1, column));
    }
    this.maps.set(picture, map);
    return map;
  }
  paint(picture, line, table, pixels, at, left, right) {
    if (picture.cells) {
      const map = this.map(picture), base = line * picture.columns, {cells} = picture;
      for (let x = left; x < right; x++) pixels[at + x] = table[cells[base + map[x]]];
    } else
      this.paintSlices(picture, line, table, pixels, at, left, right);
  }
  /* Slices that are shorter than a pixel have their part of it. */
  paintSlices(picture, line, table, pixels, at, left, right) {
    const {shares, scale} = this, {begin, end, kind, places} = picture;
    shares.fill(0, left * classes, right * classes);
    let low = places[line], high = places[line + 1];
    const last = high, start = this.from + left / scale;
    if (!picture.overlaps)
      while (low < high) {
        const middle = low + high >> 1;
        if (end[middle] <= start)
          low = middle + 1;
        else
          high = middle;
      }
    for (let i = low; i < last; i++) {
      const a = Math.max(left, (begin[i] - this.from) * scale), b = Math.min(right, (end[i] - this.from) * scale);
      if (a >= right) break;
      if (b <= a) continue;
      const c = classOf(kind[i] & 255), to = Math.floor(b);
      let x = Math.floor(a);
      if (x === to) {
        shares[x * classes + c] += b - a;
        continue;
      }
      shares[x * classes + c] += x + 1 - a;
      for (x++; x < to; x++) shares[x * classes + c] += 1;
      if (to < right) shares[to * classes + c] += b - to;
    }
    for (let x = left, s = left * classes; x < right; x++, s += classes) {
      const sum = shares[s] + shares[s + 1] + shares[s + 2];
      const unit = steps / Math.max(1, sum), part = (c) => shares[s + c] * unit + 0.5 | 0;
      pixels[at + x] = table[part(0) | part(1) << 5 | part(2) << 10 | (sum > 0 ? 1 << 15 : 0)];
    }
    for (let i = low; i < last; i++) {
      const a = (begin[i] - this.from) * scale;
      if (a >= right) break;
      if (a >= left && (end[i] - begin[i]) * scale >= parted) pixels[at + Math.floor(a)] = table[0];
    }
  }
}
