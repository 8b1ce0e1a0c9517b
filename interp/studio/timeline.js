/* What each process of a run did when, on a canvas: a row a process, time from left to right. One zooms, moves, finds a
 * process by its name, selects a stretch, and chooses a slice. Of the whole run there is a coarse picture from the
 * beginning; a finer one of what is seen, and of something around it, is asked for while that one stands there. */
import {countText, element, placeText, rangeText, readTime, roundStep, timeText} from "./figures.js";
import {mixed, Painter, pictureOf} from "./slices.js";
import {ask, askBytes, settled} from "./wire.js";

const rulerHeight = 22, gap = 5 /* rows as high as that are parted by a line of pixels */;
const words = ["computes", "communicates", "waits"];
const hint = "Arrows move, + and - zoom, 0 shows all; Up and Down choose a process, comma and full stop its slices, " +
    "Return says why; s selects the stretch that is seen, Escape selects none; Shift-Up and Shift-Down make rows " +
    "higher and lower.";

const button = (text, label, work) => {
  const node = element("button", {type: "button", textContent: text});
  if (label) {
    node.setAttribute("aria-label", label);
    node.title = label;
  }
  node.addEventListener("click", work);
  return node;
};

export class Timeline {
  /* `calls`: picked(slice), where one is chosen, null: none; seen(window), where what is seen or selected is another;
   * why(slice), where somebody asks; failed(error). */
  constructor(parent, job, told, calls) {
    Object.assign(this, {parent, job, told, calls});
    this.rows = told.rows.length;
    this.end = told.end > 0 ? told.end : 1;
    this.row = 0;
    this.picked = this.selected = this.fine = this.coarse = this.drawn = null; /* drawn: the finer one, as it is seen */
    this.chain = [];
    this.frames = 0;
    this.build();
    this.colors();
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.recolor = () => {
      this.colors();
      this.invalidate();
    };
    this.scheme.addEventListener("change", this.recolor);
    this.tellSoon = settled(150, () => this.calls.seen(this.window()));
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.holder);
    this.coarsely();
  }
  drop() {
    this.gone = true;
    this.observer.disconnect();
    this.scheme.removeEventListener("change", this.recolor);
    this.tellSoon.cancel();
    this.parent.replaceChildren();
  }

  /* ---- what it is made of ---- */

  build() {
    this.canvas = element("canvas", {tabIndex: 0});
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-label", `Timeline of ${countText(this.rows)} processes`);
    const help = element("p", {id: "timeline-help", className: "soft", textContent: hint});
    this.canvas.setAttribute("aria-describedby", help.id);
    this.tip = element("div", {className: "timeline-tip", hidden: true});
    this.tip.setAttribute("aria-hidden", "true"); /* what is chosen is said below */
    this.holder = element("div", {className: "timeline-canvas"}, this.canvas, this.tip);
    this.holder.style.height = Math.max(120, Math.min(420, this.rows * 20 + rulerHeight + 2)) + "px";
    this.pen = this.canvas.getContext("2d", {alpha: false});
    this.status = element("p", {className: "timeline-status"});
    this.status.setAttribute("role", "status");
    this.parent.replaceChildren(
        this.toolbar(), this.legend(), this.holder, this.status,
        element("details", {}, element("summary", {textContent: "Keys"}), help));
    this.parent.timeline = this;
    this.listen();
  }
  toolbar() {
    this.find = element("input", {type: "search", placeholder: "Find a process", autocomplete: "off"});
    this.find.setAttribute("aria-label", "Find a process");
    this.find.title = "Return goes from one that is found to the next";
    this.find.addEventListener("input", () => this.search());
    this.find.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.search(event.shiftKey ? -1 : 1);
    });
    const field = (label) => {
      const input = element("input", {autocomplete: "off", spellcheck: false, size: 10});
      input.addEventListener("change", () => this.typed());
      return [input, element("label", {}, label + " ", input)];
    };
    const [from, fromLabel] = field("Stretch from"), [to, toLabel] = field("to");
    Object.assign(this, {fromField: from, toField: to});
    const bar = element(
        "div", {className: "row"}, button("+", "Zoom in", () => this.zoom(0.5)),
        button("\u2212", "Zoom out", () => this.zoom(2)), button("Fit", "", () => this.fit()),
        button("\u2195+", "Higher rows", () => this.taller(1.5)),
        button("\u2195\u2212", "Lower rows", () => this.taller(1 / 1.5)),
        button("\u2039", "Slice before", () => this.step(-1)), button("\u203a", "Slice behind", () => this.step(1)),
        this.find, fromLabel, toLabel, button("All", "No stretch is selected", () => this.select(null)));
    bar.setAttribute("role", "toolbar");
    bar.setAttribute("aria-label", "Timeline");
    return bar;
  }
  legend() {
    const item = (name) => element("li", {}, element("span", {className: "swatch " + name}), name);
    return element("ul", {className: "timeline-legend"}, item("compute"), item("communicate"), item("wait"));
  }
  /* As the page has them, in light and in dark. */
  colors() {
    const style = getComputedStyle(this.parent), probe = document.createElement("canvas").getContext("2d");
    const read = (name) => {
      probe.fillStyle = style.getPropertyValue(name).trim();
      probe.fillRect(0, 0, 1, 1);
      return [...probe.getImageData(0, 0, 1, 1).data.subarray(0, 3)];
    };
    this.css = (name) => style.getPropertyValue(name).trim();
    const ground = read("--card");
    this.table = mixed(["--compute", "--communicate", "--wait"].map(read), ground, read("--ink"));
    this.line = this.css("--line");
  }

  /* ---- the view: {from, to} in s, `top` the first row, `high` pixels a row, less than 1 where they are many ---- */

  resize() {
    const ratio = devicePixelRatio || 1, wide = this.holder.clientWidth, high = this.holder.clientHeight;
    if (!wide || !high) return;
    this.ratio = ratio;
    this.canvas.width = Math.round(wide * ratio);
    this.canvas.height = Math.round(high * ratio);
    this.labels = Math.round(Math.min(wide * 0.3, this.labelWidth()) * ratio);
    this.ruler = Math.round(rulerHeight * ratio);
    this.columns = Math.max(1, this.canvas.width - this.labels);
    this.lines = Math.max(1, this.canvas.height - this.ruler);
    this.image = this.pen.createImageData(this.columns, this.lines);
    this.pixels = new Uint32Array(this.image.data.buffer);
    if (!this.view)
      this.fit();
    else
      this.go({});
  }
  labelWidth() {
    this.pen.font = "11px system-ui, sans-serif";
    const longest = this.told.rows.reduce((best, name) => (name.length > best.length ? name : best), "");
    return Math.min(160, this.pen.measureText(longest).width + 12);
  }
  fit() {
    const most = 20 * (this.ratio || 1);
    this.go({from: 0, to: this.end, top: 0, high: Math.min(most, Math.max(1, this.lines / this.rows))});
    if (this.lines < this.rows) this.go({high: this.lines / this.rows});
  }
  /* As far as it goes: time from 0 to the end, rows from the first to the last. */
  go(change) {
    const view = {...this.view, ...change};
    const wide = Math.min(this.end, Math.max(view.to - view.from, this.end * 1e-12));
    view.from = Math.max(0, Math.min(view.from, this.end - wide));
    view.to = view.from + wide;
    view.high = Math.max(Math.min(1, this.lines / Math.max(1, this.rows)), Math.min(60 * this.ratio, view.high));
    view.group = view.high < 1 ? Math.ceil(1 / view.high - 1e-9) : 1;
    if (view.group > 1) view.high = 1 / view.group;
    view.top = Math.max(0, Math.min(view.top, this.rows - this.lines / view.high));
    if (view.group > 1) view.top = Math.round(view.top / view.group) * view.group;
    this.view = view;
    this.invalidate();
    if (this.tellSoon) this.tellSoon();
  }
  zoom(factor, at = 0.5) {
    const {from, to} = this.view, wide = to - from, next = Math.min(this.end, wide * factor);
    this.go({from: from + (wide - next) * at, to: from + (wide - next) * at + next});
  }
  taller(factor, at = 0.5) {
    const {top, high, group} = this.view, middle = top + at * this.lines / high;
    let next = high * factor;
    if (next < 1 && Math.ceil(1 / next - 1e-9) === group) next = 1 / (factor > 1 ? group - 1 : group + 1);
    this.go({high: next, top: middle - at * this.lines / next});
  }
  move(part) {
    const {from, to} = this.view, by = part * (to - from);
    this.go({from: Math.max(0, Math.min(this.end - to + from, from + by)), to: to + by});
  }
  /* What is seen or selected, and of which rows. */
  window() {
    const {from, to, top, high} = this.view, first = Math.floor(top);
    const rows = Math.min(this.rows, Math.ceil(top + this.lines / high)) - first;
    return {...(this.selected || {from, to}), first, rows, selected: !!this.selected};
  }
  timeAt(x) {
    return this.view.from + (x - this.labels) / this.columns * (this.view.to - this.view.from);
  }
  xOf(time) {
    return this.labels + (time - this.view.from) / (this.view.to - this.view.from) * this.columns;
  }
  rowAt(y) {
    return Math.floor(this.view.top + (y - this.ruler) / this.view.high);
  }
  yOf(row) {
    return this.ruler + (row - this.view.top) * this.view.high;
  }

  /* ---- pictures ---- */

  async coarsely() {
    const group = Math.max(1, Math.ceil(this.rows / 1024));
    this.coarse = await this.fetch({from: 0, to: this.end, first: 0, rows: this.rows, group}, 1024);
    this.invalidate();
  }
  async fetch(window, columns) {
    try {
      return pictureOf(await askBytes("picture", {job: this.job.number, ...window, columns}), window);
    } catch (error) {
      if (!this.gone) this.calls.failed(error);
      return null;
    }
  }
  /* Is what is seen all in the finer picture, as fine as it can be shown? */
  serves(picture) {
    const {from, to, group} = this.view, {first, rows} = this.windowOfRows(0);
    if (!picture || picture.from > from || picture.to < to || picture.first > first ||
        picture.first + picture.rows < first + rows)
      return false;
    if (!picture.cells) return group === 1;
    const fineness = picture.columns / (picture.to - picture.from) / (this.columns / (to - from));
    return picture.group === group && fineness > 0.95 &&
        (fineness < 1.5 || picture.from === 0 && picture.to === this.end);
  }
  windowOfRows(margin) {
    const {top, high, group} = this.view, seen = this.lines / high;
    const first = Math.max(0, Math.floor((top - margin * seen) / group) * group);
    return {first, rows: Math.min(this.rows, Math.ceil(top + seen * (1 + margin))) - first};
  }
  async refine() {
    if (this.asking || this.gone) return;
    this.asking = true;
    while (!this.gone && !this.serves(this.fine)) {
      const {from, to, group} = this.view, wide = to - from;
      const window =
          {from: Math.max(0, from - wide / 2), to: Math.min(this.end, to + wide / 2), ...this.windowOfRows(0.5), group};
      const columns = Math.min(8192, Math.max(1, Math.ceil(this.columns * (window.to - window.from) / wide)));
      const picture = await this.fetch(window, columns);
      if (!picture) break;
      this.fine = picture;
      this.invalidate();
    }
    this.asking = false;
  }

  /* ---- drawing ---- */

  invalidate() {
    if (this.asked || this.gone || !this.view) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      if (!this.gone) this.draw();
    });
  }
  draw() {
    this.drawSlices();
    this.pen.putImageData(this.image, this.labels, this.ruler);
    this.drawRuler();
    this.drawLabels();
    this.drawChosen();
    this.frames++;
    this.drawn = this.fine;
    if (!this.serves(this.fine)) this.refine();
  }
  drawSlices() {
    const {pixels, columns, lines, table, view} = this, painter = new Painter(columns, view.from, view.to);
    const ground = table[0], high = view.high, parted = high >= gap * this.ratio;
    for (let y = 0; y < lines;) {
      const row = Math.floor(view.top + y / high + 1e-9);
      if (row >= this.rows) {
        pixels.fill(ground, y * columns);
        break;
      }
      const next =
          view.group > 1 ? y + 1 : Math.max(y + 1, Math.min(lines, Math.ceil((row + 1 - view.top) * high - 1e-9)));
      const at = y * columns;
      this.drawLine(painter, row, at);
      const last = parted && next < lines ? next - 1 : next;
      for (let k = y + 1; k < last; k++) pixels.copyWithin(k * columns, at, at + columns);
      if (last < next && last > y) pixels.fill(ground, last * columns, next * columns);
      y = next;
    }
  }
  /* From the finer picture where it reaches, else from the coarse one. */
  drawLine(painter, row, at) {
    const {pixels, columns, table, fine, coarse} = this;
    let left = columns, right = columns;
    if (fine && row >= fine.first && row < fine.first + fine.rows) {
      [left, right] = painter.reach(fine);
      painter.paint(fine, Math.floor((row - fine.first) / fine.group), table, pixels, at, left, right);
    }
    if (left === 0 && right === columns) return;
    if (!coarse) {
      pixels.fill(table[0], at, at + left);
      pixels.fill(table[0], at + right, at + columns);
      return;
    }
    const line = Math.floor(row / coarse.group);
    painter.paint(coarse, line, table, pixels, at, 0, left);
    if (right > left) painter.paint(coarse, line, table, pixels, at, right, columns);
  }
  drawRuler() {
    const {pen, ratio, ruler, canvas, view} = this;
    pen.fillStyle = this.css("--ground");
    pen.fillRect(0, 0, canvas.width, ruler);
    pen.font = `${11 * ratio}px system-ui, sans-serif`;
    pen.fillStyle = this.css("--ink");
    pen.textBaseline = "middle";
    pen.textAlign = "center";
    const wide = view.to - view.from, step = roundStep(wide * 90 * ratio / this.columns);
    for (let k = Math.ceil(view.from / step - 1e-9); k * step <= view.to * (1 + 1e-12); k++) {
      const x = Math.round(this.xOf(k * step)), text = placeText(k * step, step, view.to),
            half = pen.measureText(text).width / 2;
      pen.fillRect(x, ruler - 5 * ratio, 1, 5 * ratio);
      pen.fillText(text, Math.min(canvas.width - half - 2, Math.max(this.labels + half, x)), ruler / 2 - ratio);
    }
  }
  /* Names as many as there is room for. */
  drawLabels() {
    const {pen, ratio, ruler, labels, canvas, view} = this;
    pen.fillStyle = this.css("--card");
    pen.fillRect(0, ruler, labels, canvas.height - ruler);
    pen.font = `${11 * ratio}px system-ui, sans-serif`;
    pen.textAlign = "right";
    const every = Math.max(1, Math.ceil(13 * ratio / view.high)),
          last = Math.min(this.rows, Math.ceil(view.top + this.lines / view.high));
    pen.save();
    pen.beginPath();
    pen.rect(0, ruler, labels, canvas.height - ruler);
    pen.clip();
    if (this.found)
      for (const row of this.found)
        if (row >= view.top && row < last) {
          pen.fillStyle = this.css("--pick");
          pen.fillRect(0, this.yOf(row), labels, Math.max(view.high, 2));
        }
    pen.fillStyle = this.css("--ink");
    const name = (row) => pen.fillText(
        this.told.rows[row], labels - 6 * ratio, Math.max(ruler + 7 * ratio, this.yOf(row) + view.high / 2),
        labels - 8 * ratio);
    for (let row = Math.ceil(view.top / every) * every; row < last; row += every) name(row);
    pen.restore();
  }
  drawChosen() {
    const {pen, ratio, labels, ruler, canvas, view} = this;
    pen.save();
    pen.beginPath();
    pen.rect(0, ruler, canvas.width, canvas.height - ruler);
    pen.clip();
    const high = Math.max(3 * ratio, view.high);
    pen.fillStyle = this.css("--accent");
    if (this.row >= view.top - 1) pen.fillRect(labels - 4 * ratio, this.yOf(this.row), 3 * ratio, high);
    this.drawChain();
    if (this.picked) {
      const left = Math.max(labels, this.xOf(this.picked.begin)),
            right = Math.min(canvas.width, this.xOf(this.picked.end));
      pen.strokeStyle = this.css("--ink");
      pen.lineWidth = 2 * ratio;
      if (right >= labels && left <= canvas.width)
        pen.strokeRect(left - ratio, this.yOf(this.picked.row), Math.max(3 * ratio, right - left), high);
    }
    pen.restore();
    if (!this.selected) return;
    const left = Math.max(labels, this.xOf(this.selected.from)),
          right = Math.min(canvas.width, this.xOf(this.selected.to));
    if (right < left) return;
    pen.fillStyle = this.css("--pick");
    pen.fillRect(left, 0, right - left, canvas.height);
    pen.fillStyle = this.css("--accent");
    pen.fillRect(left, 0, 2, canvas.height);
    pen.fillRect(right - 2, 0, 2, canvas.height);
  }

  /* Steps of a chain of causes, each by its row: a line below what was done, and one to who let it go on. */
  drawChain() {
    const {pen, ratio, view, canvas} = this, thick = Math.max(2, Math.min(3, view.high / 4)) * ratio;
    const height = (row) => this.yOf(row + 1) - thick / 2 - (view.high > gap * this.ratio ? ratio : 0);
    pen.save();
    pen.beginPath();
    pen.rect(this.labels, this.ruler, this.columns, this.lines);
    pen.clip();
    pen.beginPath();
    for (const {row, begin, end, from} of this.chain) {
      const left = this.xOf(begin), right = this.xOf(end), y = height(row);
      if (right < 0 || left > canvas.width) continue;
      pen.moveTo(right, y);
      pen.lineTo(left, y);
      if (from !== undefined) pen.lineTo(left, height(from));
    }
    for (const [wide, color] of [[thick + 2 * ratio, "--card"], [thick, "--ink"]]) {
      pen.lineWidth = wide;
      pen.strokeStyle = this.css(color);
      pen.stroke();
    }
    pen.restore();
  }
  /* What psl why says, its steps one behind the other. */
  trace(steps) {
    const rows = new Map(this.told.rows.map((name, row) => [name, row]));
    const shown = steps.map(({process, begin, end}) => ({row: rows.get(process), begin, end}));
    this.chain = shown.filter(({row}) => row !== undefined);
    this.chain.forEach((step, at) => {
      step.from = at + 1 < this.chain.length ? this.chain[at + 1].row : undefined;
    });
    this.invalidate();
  }

  /* ---- choosing ---- */

  say(text) {
    this.status.textContent = text;
  }
  async pick(row, how) {
    if (row < 0 || row >= this.rows) return;
    this.row = row;
    const asked = this.lastAsked = {};
    let slice;
    try {
      slice = await ask("slice", {job: this.job.number, row, ...how});
    } catch (error) {
      return this.calls.failed(error);
    }
    if (asked !== this.lastAsked || this.gone) return;
    const name = this.told.rows[row];
    this.picked = "begin" in slice ? {...slice, row, name} : null;
    this.describe(name);
    this.invalidate();
    this.calls.picked(this.picked);
  }
  doing({name, activity, component}) {
    const special = activity > 2 ? ` (${this.told.activities[activity]})` : "";
    return `${name} ${words[Math.min(2, activity)]}${special} in ${this.told.components[component]}`;
  }
  describe(name) {
    const {picked} = this;
    if (!picked) return this.say(`${name} does nothing there.`);
    const {begin, end} = picked;
    return this.say(`${this.doing(picked)} for ${timeText(end - begin)}, from ${rangeText(begin, end)}.`);
  }
  /* The next slice of the process, or the one before. */
  step(by) {
    const {picked} = this;
    if (!picked || picked.row !== this.row) return this.pick(this.row, {time: (this.view.from + this.view.to) / 2});
    if (picked.number + by < 0) return undefined;
    return this.pick(this.row, {number: picked.number + by}).then(() => this.picked && this.show(this.picked));
  }
  /* So that it is in view. */
  show({begin, end, row}) {
    const {from, to, top, high} = this.view, seen = this.lines / high, change = {};
    if (begin < from || end > to) {
      const wide = Math.min(this.end, Math.max(to - from, (end - begin) * 1.5)), middle = (begin + end) / 2;
      Object.assign(change, {from: middle - wide / 2, to: middle + wide / 2});
    }
    if (row < top || row + 1 > top + seen) change.top = row - seen / 2;
    this.go(change);
  }
  /* What a process did at the end of a stretch: `psl why` knows them by these. */
  async reveal(name, begin, end) {
    const row = this.told.rows.indexOf(name);
    if (row < 0) return;
    const wide = this.view.to - this.view.from, span = end - begin;
    if (span > 0 && span < wide / 50) this.go({from: (begin + end) / 2 - 5 * span, to: (begin + end) / 2 + 5 * span});
    this.show({begin, end, row});
    await this.pick(row, {time: end > begin ? begin + (end - begin) * (1 - 1e-9) : Math.max(0, end * (1 - 1e-12))});
  }
  chooseRow(row) {
    this.row = Math.max(0, Math.min(this.rows - 1, row));
    const {top, high} = this.view, seen = this.lines / high;
    if (this.row < top || this.row + 1 > top + seen) this.go({top: this.row - seen / 2});
    this.say(this.told.rows[this.row] || "");
    this.invalidate();
  }
  search(by = 0) {
    const text = this.find.value.trim().toLowerCase();
    this.found = [];
    if (text)
      this.told.rows.forEach((name, row) => {
        if (name.toLowerCase().includes(text)) this.found.push(row);
      });
    const {found} = this,
          next = by > 0          ? found.find((row) => row > this.row) ?? found[0] :
        by < 0                   ? found.findLast((row) => row < this.row) ?? found[found.length - 1] :
        found.includes(this.row) ? this.row :
                                   found[0];
    if (found.length) {
      this.chooseRow(next);
      this.say(`${this.told.rows[next]}: ${found.indexOf(next) + 1} of ${countText(found.length)} that are found`);
    } else
      this.say(text ? "No process has such a name." : "");
    this.invalidate();
  }
  select(stretch) {
    this.selected = stretch;
    const step = stretch ? roundStep((stretch.to - stretch.from) / 1000) : 1;
    this.fromField.value = stretch ? placeText(stretch.from, step, stretch.to) : "";
    this.toField.value = stretch ? placeText(stretch.to, step, stretch.to) : "";
    this.invalidate();
    this.tellSoon();
  }
  typed() {
    const given = [this.fromField, this.toField].map((field) => (field.value.trim() ? readTime(field.value) : null));
    [this.fromField, this.toField].forEach(
        (field, k) => field.setAttribute("aria-invalid", String(Number.isNaN(given[k]))));
    if (given.some(Number.isNaN)) return this.say("A stretch is from a time to a time, such as 1.5 ms.");
    if (given.every((time) => time === null)) return this.select(null);
    const from = given[0] ?? 0, to = given[1] ?? this.end;
    return from < to ? this.select({from, to}) : this.say("The stretch ends where it begins, or before.");
  }

  /* ---- keys and pointers ---- */

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const seen = Math.max(1, Math.floor(this.lines / this.view.high) - 1), middle = this.selected;
    const keys = {
      ArrowLeft: () => this.move(-0.125),
      ArrowRight: () => this.move(0.125),
      ArrowUp: () => (event.shiftKey ? this.taller(1.25) : this.chooseRow(this.row - 1)),
      ArrowDown: () => (event.shiftKey ? this.taller(0.8) : this.chooseRow(this.row + 1)),
      PageUp: () => this.chooseRow(this.row - seen),
      PageDown: () => this.chooseRow(this.row + seen),
      Home: () => this.go({from: 0, to: this.view.to - this.view.from}),
      End: () => this.go({from: this.end - this.view.to + this.view.from, to: this.end}),
      "+": () => this.zoom(0.5),
      "=": () => this.zoom(0.5),
      "-": () => this.zoom(2),
      0: () => this.fit(),
      ",": () => this.step(-1),
      ".": () => this.step(1),
      s: () => this.select({from: this.view.from, to: this.view.to}),
      Escape: () => middle && this.select(null),
      Enter: () => (this.picked ? this.calls.why(this.picked) : this.step(1))
    };
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  }
  point(event) {
    const box = this.canvas.getBoundingClientRect();
    return [(event.clientX - box.left) * this.ratio, (event.clientY - box.top) * this.ratio];
  }
  wheel(event) {
    event.preventDefault();
    const [x, y] = this.point(event), way = Math.sign(event.deltaY || event.deltaX);
    if (event.shiftKey)
      this.go({top: this.view.top + way * Math.max(1, this.lines / this.view.high / 8)});
    else if (event.ctrlKey || event.altKey)
      this.taller(Math.exp(-way * 0.2), (y - this.ruler) / this.lines);
    else if (Math.abs(event.deltaX) > Math.abs(event.deltaY))
      this.move(Math.sign(event.deltaX) * 0.06);
    else
      this.zoom(Math.exp(way * 0.2), Math.max(0, Math.min(1, (x - this.labels) / this.columns)));
  }
  /* A drag moves what is seen; on the ruler, or with Shift, it selects a stretch. */
  take(event) {
    if (event.button) return;
    const [x, y] = this.point(event);
    this.held = {x, y, view: this.view, moved: false, selects: event.shiftKey || y < this.ruler, from: this.timeAt(x)};
    this.canvas.setPointerCapture(event.pointerId);
  }
  drag(event) {
    const {held} = this;
    const [x, y] = this.point(event);
    this.hover(held && held.moved ? null : [x, y]);
    if (!held) return;
    if (Math.abs(x - held.x) + Math.abs(y - held.y) > 4 * this.ratio) held.moved = true;
    if (!held.moved) return;
    if (held.selects) {
      const times =
          [held.from, this.timeAt(x)].map((time) => Math.max(0, Math.min(this.end, time))).sort((a, b) => a - b);
      if (times[1] > times[0]) this.select({from: times[0], to: times[1]});
      return;
    }
    const {from, to, top, high} = held.view, by = (held.x - x) / this.columns * (to - from), wide = to - from;
    const begin = Math.max(0, Math.min(this.end - wide, from + by));
    this.go({from: begin, to: begin + wide, top: top + (held.y - y) / high});
  }
  leave(event) {
    const {held} = this;
    this.held = null;
    if (!held || held.moved || event.type !== "pointerup") return;
    if (held.y < this.ruler) return this.select(null);
    const row = this.rowAt(held.y);
    if (held.x < this.labels) return this.chooseRow(row);
    return this.pick(row, {time: this.timeAt(held.x)});
  }
  /* What is under the pointer: the process and the time, and the slice where slices are there. */
  hover(at) {
    const row = at && this.rowAt(at[1]), name = at && at[1] >= this.ruler && this.told.rows[row];
    this.tip.hidden = !name || at[0] < this.labels;
    if (this.tip.hidden) return;
    const time = this.timeAt(at[0]), {from, to} = this.view;
    const does = this.view.group === 1 ? this.under(row, time) : "";
    this.tip.textContent = `${name} at ${placeText(time, (to - from) / this.columns, to)}${does}`;
    const {offsetWidth: wide, offsetHeight: high} = this.tip, x = at[0] / this.ratio, y = at[1] / this.ratio;
    this.tip.style.left = Math.max(0, Math.min(this.holder.clientWidth - wide, x + 12)) + "px";
    this.tip.style.top = (y + 16 + high > this.holder.clientHeight ? y - high - 8 : y + 16) + "px";
  }
  under(row, time) {
    const {fine} = this, line = fine && row - fine.first;
    if (!fine || !fine.places || line < 0 || line >= fine.rows) return "";
    let low = fine.places[line], high = fine.places[line + 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (fine.begin[middle] <= time)
        low = middle + 1;
      else
        high = middle;
    }
    const i = low - 1;
    if (low === fine.places[line] || fine.end[i] < time) return "";
    const slice = {name: "", activity: fine.kind[i] & 255, component: fine.kind[i] >> 8};
    return `:${this.doing(slice)} for ${timeText(fine.end[i] - fine.begin[i])}`;
  }
  listen() {
    const {canvas} = this;
    canvas.addEventListener("keydown", (event) => this.press(event));
    canvas.addEventListener("wheel", (event) => this.wheel(event), {passive: false});
    canvas.addEventListener("pointerdown", (event) => this.take(event));
    canvas.addEventListener("pointermove", (event) => this.drag(event));
    canvas.addEventListener("pointerleave", () => this.hover(null));
    canvas.addEventListener("pointerup", (event) => this.leave(event));
    canvas.addEventListener("pointercancel", (event) => this.leave(event));
    canvas.addEventListener("dblclick", () => {
      const {picked} = this, wide = picked && picked.end - picked.begin;
      if (wide) this.go({from: picked.begin - wide / 2, to: picked.end + wide / 2});
    });
  }
}
