/* The points of studies: those of one that runs, in a table and a plot as they come, and what can be done with a point,
 * here and in the page of a study, which stands in a frame of its own: its run is made, or its params are taken. Tables
 * and plots are those of reports: /tables.js and /explore.js. */
import {element} from "./figures.js";
import {inShort, isDeclared} from "./runs.js";
import {ask, pause} from "./wire.js";

const $ = (id) => document.getElementById(id);
const each = 500; /* ms between two looks at what has come */

/* Lines of CSV as fields; psl has written them, each line whole. */
export function fieldsOf(text) {
  const lines = [];
  let line = [], field = "", quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted && c === '"' && text[i + 1] === '"')
      field += text[i++];
    else if (c === '"')
      quoted = !quoted;
    else if (!quoted && (c === "," || c === "\n")) {
      line.push(field);
      field = "";
      if (c === "\n") {
        lines.push(line);
        line = [];
      }
    } else
      field += c;
  }
  return lines;
}

export class Points {
  /* `calls`: params(path): what is known of a model's params, by name; run(path, system, set, how, label), where `how` is
   * {seed, "max-time", ...}; take(path, set); say(text, bad). */
  constructor(parent, calls) {
    Object.assign(this, {parent, calls, job: null});
    addEventListener("message", (event) => this.heard(event));
  }

  /* ---- of the page of a study ---- */

  /* The page has no origin, and what it says is taken for no more than names and texts of params. */
  heard({source, data}) {
    const frame = $("job-page").querySelector("iframe");
    if (!frame || source !== frame.contentWindow || !data || !this.job || this.job.kind !== "study") return;
    if (data.psl === "page") frame.contentWindow.postMessage({psl: "studio"}, "*");
    if ((data.psl === "run" || data.psl === "set") && data.set && typeof data.set === "object")
      this.asked(data.psl, Object.entries(data.set), String(data.point), data.system, data.how)
          .catch((error) => this.calls.say(error.message, true));
  }
  async asked(what, pairs, number, system, how) {
    const {path} = this.job;
    if (!path) throw new Error(`The model of the study, ${this.job.model}, is not in the folder.`);
    const known = await this.calls.params(path), set = {...this.job.request.set};
    for (const [name, value] of pairs) {
      if (typeof value !== "string" || !(name in known)) continue;
      const text = known[name].type === "string" && !value.startsWith('"') ? JSON.stringify(value) :
                                                                             inShort(value, known[name].unit);
      if (isDeclared(known[name], text)) delete set[name];
      else set[name] = text;
    }
    if (what !== "run") return this.calls.take(path, set);
    const asked = howOf(how), seed = asked.seed === undefined ? "" : `, seed ${asked.seed}`;
    return this.calls.run(
        path, typeof system === "string" ? system : undefined, set, asked,
        `point ${number} of ${this.job.label}${seed}`);
  }
  /* Of a point that has just come: its first run, as the study's database has it. */
  async askedLive(what, pairs, number) {
    const {studies: [study] = [], wrong} = await ask("studies", {job: this.job.number});
    if (!study) throw new Error(wrong || "The study has kept no point yet.");
    const how = {seed: study.seed, "max-firings": study.max_firings, "max-time": study.max_time.value,
                 "warm-up": study.warm_up.value};
    await this.asked(what, pairs, number, study.system, how);
    if (what === "run" && study.repetitions > 1)
      this.calls.say(`The point is the mean of ${study.repetitions} runs: this is the first, with seed ${study.seed}.`);
  }

  /* ---- of a study that runs ---- */

  show(job) {
    const live = job.kind === "study" && !job.kept && !job.ended;
    const other = this.job !== job;
    this.job = job;
    if (live && (other || this.following !== job)) this.follow(job);
    if (other && !live || job.page) this.drop();
  }
  drop() {
    this.parent.hidden = true;
    this.parent.replaceChildren();
    this.table = this.following = this.heads = null;
  }
  async follow(job) {
    this.drop();
    this.following = job;
    let at = 0, known = null;
    try {
      while (this.following === job) {
        const {text, next} = await ask("points", {job: job.number, from: at});
        if (this.following !== job) return;
        at = next;
        if (text) {
          known = known || await this.calls.params(job.request.path);
          if (this.following === job) this.come(fieldsOf(text), known);
        }
        if (!text && job.ended) return;
        await pause(each);
      }
    } catch (error) {
      if (this.following === job) this.calls.say(error.message, true);
    }
  }
  /* The first line has the heads: "makespan [s]", and the ends of an interval behind what it is of. */
  come(lines, known) {
    if (!this.heads) {
      const heads =
          lines.shift().map((head) => /^(.*?)(?: \[(.*)\])?$/.exec(head)).map(([, name, unit]) => ({name, unit}));
      this.heads = heads; /* rows may come later */
      this.count = 0;
      this.columns = heads.map((head, c) => ({...head, c})).filter(({name}) => !/\.(low|high)$/.test(name));
    }
    if (!this.table && lines.length) this.open(lines[0], known);
    if (!this.table || !lines.length) return;
    this.table.add(lines.map((line) => this.row(line)));
    if (this.explorer)
      this.explorer.renew();
    else if (this.table.rows.length > 1)
      this.explore();
  }
  open(line, known) {
    const isFigure = ({name, c}) =>
        !["evidence", "stop", "warnings", "error"].includes(name) && (line[c] === "" || isFinite(line[c]));
    for (const column of this.columns)
      Object.assign(column, {figure: isFigure(column), param: column.name in known});
    const head = ({name, unit, figure, param}) => {
      const cell = element(
          "th", {scope: "col", className: figure ? "n" : ""}, element("button", {type: "button", textContent: name}));
      if (unit) cell.dataset.unit = unit;
      if (param) cell.dataset.param = "";
      return cell;
    };
    const table = element(
        "table", {id: "live-points"},
        element("thead", {}, element("tr", {}, head({name: "point", figure: true}), ...this.columns.map(head))),
        element("tbody"));
    table.dataset.live = "";
    const frame = element("div", {className: "rows", tabIndex: 0}, table),
          place = element("div", {className: "explorer"});
    frame.setAttribute("role", "region");
    frame.setAttribute("aria-label", "Points that have come");
    this.parent.replaceChildren(place, frame);
    this.parent.hidden = false;
    this.table = pslTables.of(table);
    this.explorer = null;
    this.place = place;
  }
  explore() {
    this.explorer = pslExplore.open(this.place, this.table.table);
    this.explorer.offer({"Show its run": "run", "Set the params to it": "set"}, (what, r, number) => {
      const set = this.explorer.params(r);
      this.askedLive(what, Object.entries(set), number).catch((error) => this.calls.say(error.message, true));
    });
  }
  row(line) {
    const cell = ({c, figure, name}) => {
      const text = line[c] ?? "", node = element("td", {textContent: figure && text !== "" ? shown(text) : text});
      if (!figure) return node;
      const low = this.heads.findIndex((head) => head.name === name + ".low");
      node.className = "n";
      node.dataset.v = text;
      if (low >= 0 && line[low]) node.dataset.h = String(Number(text) - Number(line[low]));
      return node;
    };
    const number = String(this.count++), first = element("td", {className: "n", textContent: number});
    first.dataset.v = number;
    return element("tr", {}, first, ...this.columns.map(cell));
  }
}

/* What is a number of how a run is made. */
function howOf(how) {
  const names = ["seed", "max-firings", "max-time", "warm-up"], given = how && typeof how === "object" ? how : {};
  return Object.fromEntries(
      names.map((name) => [name, given[name]]).filter(([, value]) => typeof value === "number" && value >= 0));
}

/* Six digits are enough to follow it by. */
const shown = (text) => String(Number(Number(text).toPrecision(6)));
