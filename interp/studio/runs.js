/* Params, runs and studies: what is set for them, how far they have come, and the pages that psl has made of them. A
 * page stands in a frame that is of no origin and can ask the studio nothing. */
import {ask, settled} from "./wire.js";

const $ = (id) => document.getElementById(id);

function element(name, properties = {}, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}

const scales = {
  s: [[1, "s"], [1e-3, "ms"], [1e-6, "us"], [1e-9, "ns"]],
  byte: [[1e12, "TB"], [1e9, "GB"], [1e6, "MB"], [1e3, "kB"], [1, "byte"]],
  "byte/s": [[1e12, "TB/s"], [1e9, "GB/s"], [1e6, "MB/s"], [1e3, "kB/s"], [1, "byte/s"]],
};

/* As PSL writes it, in the unit that needs the fewest digits. */
export function written(value, unit) {
  if (typeof value !== "number") return typeof value === "string" ? value : JSON.stringify(value);
  if (!unit) return String(value);
  let best = `${value} ${unit}`;
  for (const [factor, name] of scales[unit] || []) {
    const number = Number((value / factor).toPrecision(12)), text = `${number} ${name}`;
    if (number === 0 || Math.abs(number * factor - value) > 1e-11 * Math.abs(value) || /e/.test(text)) continue;
    if (text.replace(/\D/g, "").replace(/0+$/, "").length <= best.replace(/\D/g, "").replace(/0+$/, "").length &&
        text.length < best.length)
      best = text;
  }
  return best;
}

/* ---- params ---- */

/* The params that a study varies by itself, of its declaration's text: of "vary a in [1, 2], b = a;" a and b. Words of roles
 * stand in the place of vary. */
export function axesOf(declaration) {
  const code = declaration.replace(/"(?:\\.|[^"\\\n])*"|\/\/.*|\/\*[^]*?\*\//g, (text) => (text[0] === '"' ? '""' : " "));
  const names = [];
  for (const [, list] of code.matchAll(/[{;]\s*(?:vary|problem|choice|machine)\b([^;]*)(?=;)/g)) {
    let depth = 0, part = "";
    for (const c of list + ",") {
      if (c === "," && !depth) {
        const axis = /^\s*([\w-]+)\s*(?:=|in\b)/.exec(part);
        if (axis) names.push(axis[1]);
        part = "";
        continue;
      }
      depth += "([{".includes(c) - ")]}".includes(c);
      part += c;
    }
  }
  return names;
}

/* "4000000 byte" of a param whose base unit is the byte as "4 MB"; what is no plain number stays. */
export function inShort(text, unit) {
  const parts = /^([-+]?[\d.]+(?:e[-+]?\d+)?)(?: (\S+))?$/i.exec(text);
  return parts && (parts[2] || "") === (unit || "") ? written(Number(parts[1]), unit) : text;
}

/* Is a setting what the text has anyway? An expression follows other params, and is kept. */
export const isDeclared = (param, text) =>
    param.expression ? text === param.expression : text === written(param.value, param.unit);

/* "s, ms, us, ns"; "": none are known. */
const unitsLike = (unit) => (scales[unit] || []).map(([, name]) => name).join(", ");

/* A choice where the model says what may stand there; what stands there already is among it. */
function valueField(choices, own, value) {
  if (!choices || !choices.length)
    return element("input", {autocomplete: "off", spellcheck: false, placeholder: own, value});
  const same = (one) => (two) => two.toLowerCase() === one.toLowerCase();
  const others = [own, value].filter((one, at, all) => all.findIndex(same(one)) === at && !choices.some(same(one)));
  const all = others.concat(choices.map((one) => [own, value].find(same(one)) || one));
  return Object.assign(
      element("select", {}, ...all.map((text) => element("option", {value: text, textContent: text}))), {value});
}

export class Params {
  constructor(write, wrong) {
    this.set = new Map(); /* by model: name to text */
    this.write = write;   /* puts a value into the text */
    this.wrong = wrong;   /* asks what is wrong with settings: what psl says, "": nothing */
    this.checkSoon = settled(250, () => this.check());
    $("params-reset").addEventListener("click", () => this.reset());
    $("params").addEventListener("submit", (event) => event.preventDefault());
    $("params").addEventListener("input", (event) => this.typed(event.target));
  }
  settings(path) { return this.set.get(path) || {}; }
  /* The fields are drawn anew with these. */
  give(path, settings) {
    this.set.set(path, settings);
    this.shown = "";
  }
  /* All params of the model that is shown are what its text says. */
  reset() {
    this.set.set(this.path, {});
    for (const field of $("params").querySelectorAll("input, select")) {
      field.value = field.dataset.own;
      this.mark(field, {});
    }
    this.checkSoon();
    $("params-message").focus();
  }
  mark(field, settings) {
    field.classList.toggle("changed", field.name in settings);
    if (field.nextElementSibling.matches("button")) field.nextElementSibling.hidden = !(field.name in settings);
    $("params-reset").hidden = !Object.keys(settings).length;
  }
  /* What the text itself gives a param of the model that is shown; undefined: it has none. */
  own(name) {
    const field = $("params").elements[name];
    return field && field.dataset.own;
  }
  typed(field) {
    const settings = {...this.settings(this.path)};
    if (field.value.trim() && field.value.trim() !== field.dataset.own) settings[field.name] = field.value.trim();
    else delete settings[field.name];
    this.set.set(this.path, settings);
    this.mark(field, settings);
    this.checkSoon();
  }
  /* A value that cannot be one of the param is said to be none below its field. */
  async check() {
    const settings = this.settings(this.path);
    const said = Object.keys(settings).length ? await this.wrong(settings).catch(() => "") : "";
    if (settings !== this.settings(this.path) && JSON.stringify(settings) !== JSON.stringify(this.settings(this.path)))
      return;
    const wrong = new Map();
    for (const [, name, words, more] of said.matchAll(/^--set ([^:\n]+):\d+:\d+: error: (.*)((?:\n(?!--set ).*)*)/gm)) {
      const help = /^help: (.*)$/m.exec(more);
      if (!wrong.has(name)) wrong.set(name, words + (help ? ": " + help[1] : ""));
    }
    for (const field of $("params").querySelectorAll("input, select")) {
      const note = $("wrong-" + field.name), words = wrong.get(field.name) || "";
      if (note.textContent === words) continue;
      note.textContent = words;
      note.hidden = !words;
      if (words) field.setAttribute("aria-invalid", "true");
      else field.removeAttribute("aria-invalid");
    }
  }
  show(path, said) {
    const own = "./" + path.replace(/^.*\//, "");
    const list = said.map(({file, ...param}) => ({...param, own: file === own}));
    const shown = JSON.stringify([path, list]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.path = path;
    const focused = document.activeElement && document.activeElement.name;
    $("params").replaceChildren(...list.map((param) => this.row(param)));
    $("params-reset").hidden = !Object.keys(this.settings(path)).length;
    if (focused && $("params").elements[focused] instanceof HTMLElement) $("params").elements[focused].focus();
    this.checkSoon();
    $("params-message").textContent =
        list.length ? "A value given here holds for runs; the text stays as it is." : "The model has no params.";
  }
  row(param) {
    const own = param.expression || written(param.value, param.unit), settings = this.settings(this.path);
    const field = valueField(param.choices, own, settings[param.name] || own);
    Object.assign(field, {id: "param-" + param.name, name: param.name});
    field.dataset.own = own;
    field.classList.toggle("changed", param.name in settings);
    const notes = [
      param.type + (unitsLike(param.unit) ? `, as ${unitsLike(param.unit)}` : param.unit ? `, in ${param.unit}` : ""),
      param.range ? "in " + param.range : "", param.doc || "",
      param.effect === "none" ? "has no effect here" : ""
    ].filter(Boolean);
    const note = element("div", {className: "soft", id: "note-" + param.name, textContent: notes.join("; ")});
    field.setAttribute("aria-describedby", note.id);
    const parts = [
      element("label", {htmlFor: field.id, textContent: param.name}), field, note,
      Object.assign(element("p", {className: "bad", id: "wrong-" + param.name, hidden: true}), {role: "alert"})
    ];
    if (param.own) parts.splice(2, 0, this.writer(param, field));
    return element("div", {}, ...parts);
  }
  /* Of a param that the text declares. */
  writer(param, field) {
    const button = element(
        "button", {type: "button", textContent: "Write into the text", hidden: !field.classList.contains("changed")});
    button.addEventListener("click", async () => {
      if (!await this.write(param.name, field.value.trim())) return;
      const settings = {...this.settings(this.path)};
      delete settings[param.name];
      this.set.set(this.path, settings);
      $("params-reset").hidden = !Object.keys(settings).length;
    });
    return button;
  }
}

/* ---- runs ---- */

/* As the server knows what is compared. */
const sideOf = ({number, kept}) => (kept ? {path: kept.path, name: kept.name} : number);

export class Runs {
  constructor(calls) {
    this.calls = calls; /* ended(job); shown(job), where what is known of the chosen one has been drawn; kept(): lists
                           the studies of databases anew, of which `kept` is told */
    this.jobs = [];
    this.keptStudies = [];
  }
  running() { return this.jobs.some((job) => !job.ended); }
  /* `text` is what the model says now; `kept` the study of a database whose page is wanted. */
  async start(request, label, text, kept) {
    const {job: number} = await ask("run", request);
    const kind = request.study || kept ? "study" : request.runs ? "difference" : "run";
    const job = {
      number,
      kind,
      request,
      text,
      kept,
      path: kept ? kept.modelPath : request.path,
      model: kept && kept.model,
      label: `${kind} ${number}${label ? ": " + label : ""}`,
      news: 0,
      ended: false,
      said: "",
      progress: "",
      began: Date.now()
    };
    this.jobs.push(job);
    this.choose(job);
    this.follow(job);
    if (kind === "study") this.calls.kept();
  }
  async stop() {
    for (const job of this.jobs)
      if (!job.ended) await ask("stop", {job: job.number});
  }
  async follow(job) {
    const clock = setInterval(() => this.state(job), 500);
    try {
      while (!job.ended) {
        Object.assign(job, await ask("job", {job: job.number, news: job.news}));
        this.draw(job);
      }
    } catch (error) { Object.assign(job, {ended: true, status: -1, said: job.said + error.message}); }
    clearInterval(clock);
    this.draw(job);
    this.calls.ended(job);
  }
  choose(job) {
    this.chosen = job;
    $("job-page").replaceChildren();
    job.drawn = null;
    this.draw(job);
  }
  /* What databases of the folder have, from now on. */
  kept(studies) {
    this.keptStudies = studies;
    if (this.chosen) this.listOthers();
  }
  /* What the chosen run can be compared with, as {value, label, side, job}: runs of the same model and system, and not
   * without an end; with a study studies of the model, and those that databases have. */
  others() {
    const {chosen} = this, isGood = (job) => (job.kind === "study" ? job.page : job.kind === "run" && job.status === 0);
    const fine = (job) => job.ended && isGood(job);
    const same = (job) => job.kind === chosen.kind &&
        (job.kind === "study" ? job.kept || chosen.kept || job.request.path === chosen.request.path :
                                job.request.path === chosen.request.path && job.request.name === chosen.request.name);
    if (!chosen || !fine(chosen)) return [];
    const jobs = this.jobs.filter((job) => job !== chosen && fine(job) && same(job));
    const open = [chosen, ...jobs].filter((job) => job.kept).map((job) => job.kept.label);
    const others = chosen.kind === "study" ? this.keptStudies.filter(({label}) => !open.includes(label)) : [];
    return [
      ...jobs.map((job) => ({value: String(job.number), label: job.label, side: sideOf(job), job})),
      ...others.map(({path, name, label}) => ({value: label, label, side: {path, name}}))
    ];
  }
  listOthers() {
    const others = this.others(), before = $("compare-with").value;
    $("compare").hidden = !others.length;
    $("compare-what").textContent =
        this.chosen && this.chosen.kind === "study" ? "Set it beside" : "What makes it differ from";
    $("compare-with")
        .replaceChildren(...others.map(({value, label}) => element("option", {value, textContent: label})));
    if (others.some(({value}) => value === before)) $("compare-with").value = before;
  }
  /* Settings hold for both, unless the second has its own: what the first alone was given is there what the text
   * says. */
  compare(own) {
    const {label, side, job: first} = this.others().find(({value}) => value === $("compare-with").value);
    const second = this.chosen, both = {runs: [side, sideOf(second)]}, named = `${label} and ${second.label}`;
    if (second.kind === "study") return this.start({path: second.request.path, ...both}, named);
    const {path, name, set} = first.request, against = {...second.request.set};
    for (const key of Object.keys(set))
      if (!(key in against) && own(key) !== undefined) against[key] = own(key);
    return this.start({path, name, set, against, ...both}, named);
  }
  list() {
    $("jobs").replaceChildren(...this.jobs.map((job) => {
      const button = element("button", {textContent: job.label, title: job.label});
      button.setAttribute("aria-pressed", job === this.chosen);
      button.addEventListener("click", () => {
        this.choose(job);
        if (job.kind === "study") this.calls.kept();
      });
      return button;
    }));
    const chosen = $("jobs").querySelector("[aria-pressed=true]");
    if (chosen) $("jobs").scrollLeft = chosen.offsetLeft - $("jobs").offsetLeft;
  }
  state(job) {
    if (job !== this.chosen) return;
    const seconds = Math.round((Date.now() - job.began) / 1000);
    const text = !job.ended ? `${job.progress || "running"}; ${seconds} s so far` :
        job.stopped      ? "Stopped: the page has what there is." :
        job.status === 0 ? "" :
                           "It has not come to its end as it should.";
    $("job-state").textContent = text;
    $("job-state").className = job.ended && job.status !== 0 && !job.stopped ? "bad" : "soft";
  }
  draw(job) {
    this.list();
    this.listOthers();
    if (job !== this.chosen) return;
    this.state(job);
    this.calls.shown(job);
    $("job-said").hidden = !job.said;
    $("job-said").textContent = job.said;
    if (job.drawn === job.page) return;
    job.drawn = job.page;
    const nodes = [];
    if (job.page) {
      const frame = element("iframe", {title: "Report of " + job.label});
      frame.setAttribute("sandbox", "allow-scripts allow-downloads");
      frame.src = job.page;
      const alone = element("a", {href: job.page, target: "_blank", rel: "noopener", textContent: "Open the report alone"});
      alone.title = "In a tab of its own, which prints all of it";
      nodes.push(element("p", {className: "row"}, alone), frame);
    }
    $("job-page").replaceChildren(...nodes);
  }
}
