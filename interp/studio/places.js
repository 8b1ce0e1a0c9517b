/* Where boxes of the graph have been put: in a file beside the model, NAME.psl.layout, a line a box: its name with
 * those that it is in, and its place on the grid. What else stands there stays. */
import {grid} from "./layers.js";
import {ask, oneByOne} from "./wire.js";

const farthest = 100000;

function parsed(text) {
  const places = new Map(), others = [];
  for (const line of text.split("\n").filter((one) => one.trim())) {
    const [, key, x, y] = /^(\S(?:.*\S)?)\s+(-?\d{1,6})\s+(-?\d{1,6})\s*$/.exec(line) || [];
    if (key === undefined || key.startsWith("#") || Math.abs(x) > farthest || Math.abs(y) > farthest)
      others.push(line);
    else
      places.set(key, {x: Number(x), y: Number(y)});
  }
  return {places, others};
}

function written({places, others}) {
  const keys = [...places.keys()].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return [...others, ...keys.map((key) => `${key} ${places.get(key).x} ${places.get(key).y}`)]
      .map((line) => line + "\n")
      .join("");
}

/* The places of one model, of which there is one: what is read of them has all that was done before. */
const all = new Map();
export function placesOf(path) {
  if (!all.has(path)) all.set(path, new Places(path));
  return all.get(path);
}

class Places {
  constructor(path) {
    this.path = path + ".layout";
    this.turn = oneByOne((work) => work());
  }
  known() { return this.turn(() => this.read()); }
  async read() {
    const {text, version} = await ask("read", {path: this.path});
    Object.assign(this, {text, version});
    return parsed(text).places;
  }
  /* As the picture has them: {x, y} in its units. */
  async load() {
    const places = await this.known();
    return new Map([...places].map(([key, {x, y}]) => [key, {x: x * grid, y: y * grid, pinned: true}]));
  }
  put(key, {x, y}) {
    return this.change((places) => places.set(key, {x: Math.round(x / grid), y: Math.round(y / grid)}));
  }
  drop(key) { return this.change((places) => places.delete(key)); }
  rename(old, now) {
    return this.change((places) => {
      for (const key of [...places.keys()]) {
        if (key !== old && !key.startsWith(old + ".")) continue;
        places.set(now + key.slice(old.length), places.get(key));
        places.delete(key);
      }
    });
  }
  /* One after another. Where another program has written the file, its places stay but for what is done here. */
  change(work) {
    return this.turn(async () => {
      for (let tries = 0;; tries++) {
        await this.read();
        const held = parsed(this.text);
        work(held.places);
        const text = written(held);
        if (text === written(parsed(this.text))) return;
        try {
          await ask("write", {path: this.path, text, version: this.version});
          return;
        } catch (error) {
          if (error.status !== 409 || tries > 3) throw error;
        }
      }
    });
  }
}
