/* The page as a whole: which model is open, what the language server says of it, and what the parts do together. The
 * text is the one truth: the graph, the params and what is wrong are made of it anew after each change. */
import {Assist} from "./assist.js";
import {Databases} from "./databases.js";
import {DiagramPage, isDiagram, isTrace} from "./diagram_page.js";
import {openEditor, placeOf, severityName, textIn} from "./editor.js";
import * as drawing from "./drawing.js";
import {askName, drawChoice} from "./forms.js";
import {Picture} from "./picture.js";
import {placesOf} from "./places.js";
import {Points} from "./points.js";
import {question} from "./question.js";
import {axesOf, Params, Runs} from "./runs.js";
import {guarded, say} from "./status.js";
import {Watch} from "./watch.js";
import {openSplitter} from "./splitter.js";
import {ask, Language, oneByOne, settled} from "./wire.js";

const $ = (id) => document.getElementById(id);
/* Models by path: {path, doc, saved, version, number, outline, outlined: the text that this is of}. */
const open = new Map();
const said = new Map(); /* what is wrong, by the URI of the file */
let start, editor, language, current = null;

function element(name, properties = {}, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}

/* ---- views ---- */

function show(name) {
  document.body.dataset.view = name;
  if (["graph", "params", "results"].includes(name)) document.body.dataset.side = name;
  for (const button of document.querySelectorAll("nav button"))
    button.setAttribute(
        "aria-current",
        button.dataset.show === name ||
            button.dataset.show === document.body.dataset.side && !button.classList.contains("narrow") &&
                innerWidth > 900);
  if (name === "text" && editor) editor.refresh();
}

/* ---- files ---- */

const textOf = (model) => editor.textOf(model.doc);
const unsaved = (model) => textOf(model) !== model.saved;

/* Where it does not fit it goes on in the next line behind a folder. */
function brokenName(name) {
  return name.split(/(?<=\/)/).flatMap((part, at) => (at ? [element("wbr"), part] : [part]));
}

function drawState() {
  const drawnPath = diagrams.path, dirty = diagrams.shown ? diagrams.unsaved() : current && unsaved(current);
  $("file-name").textContent = current ? current.path : drawnPath || "no model";
  $("file-state").textContent = current && unsaved(current) ? "not saved" : "";
  $("save").disabled = !dirty;
  for (const id of ["undo", "redo", "format", "run"]) $(id).disabled = !current && !diagrams.shown;
  for (const button of $("files").querySelectorAll("button")) {
    const model = open.get(button.dataset.path);
    const {path} = button.dataset;
    button.replaceChildren(...brokenName(path + (model && unsaved(model) || diagrams.unsaved(path) ? " *" : "")));
    button.setAttribute("aria-current", path === drawnPath || !!current && path === current.path);
  }
}

async function listFiles() {
  const files = await modelPaths();
  $("files").replaceChildren(...files.map((path) => {
    const button = element("button", {textContent: path});
    button.dataset.path = path;
    button.addEventListener("click", guarded(() => openModel(path)));
    return element("li", {}, button);
  }));
  drawState();
  return files;
}

/* A model that is there from now on, whether it is shown or not. */
async function load(path) {
  if (open.has(path)) return open.get(path);
  const {text, version} = await ask("read", {path});
  const model = {path, saved: text, version, number: 1, outline: [], outlined: null, doc: editor.document(text)};
  open.set(path, model);
  didOpen(model);
  return model;
}

/* A diagram takes the place of the text; a trace is shown by its report, without a run. */
async function openOther(path) {
  if (isTrace(path)) {
    show("results");
    await runs.start({path, set: {}}, path);
    return;
  }
  await diagrams.show(path);
  outdate(); /* what is still asked of a text is let go */
  current = null;
  say("");
  $("drawing").hidden = $("why").hidden = true;
  $("system-label").hidden = $("study-label").hidden = $("study-run").hidden = true;
  if (document.body.dataset.side !== "results") document.body.dataset.side = "graph";
  show("text");
  drawState();
  document.title = path + " - psl studio";
}

async function openModel(path) {
  if (isDiagram(path) || isTrace(path)) {
    await openOther(path);
    return;
  }
  const model = await load(path);
  diagrams.hide();
  if (current !== model) {
    model.places = placesOf(path);
    /* Where they cannot be read, all stand where there is room. */
    const places = await model.places.load().catch(() => new Map());
    picture.clear();
    picture.putAll(places);
    $("drawing").hidden = $("why").hidden = true;
  }
  current = model;
  watch.colour();
  say("");
  editor.show(model.doc);
  drawProblems();
  drawState();
  show("text");
  document.title = path + " - psl studio";
  await refresh();
}

/* What has been done, in words. */
async function save(model, anyhow) {
  const text = textOf(model);
  try {
    model.version = (await ask("write", {path: model.path, text, version: model.version, anyhow})).version;
  } catch (error) {
    if (error.status !== 409) throw error;
    const answer = await question("Replace " + model.path + "?", error.message + ".", {
      "": "Leave it",
      replace: "Replace it by what stands here",
      read: "Take what it has now",
    });
    if (!answer) throw error;
    if (answer === "read") return readAgain(model);
    return save(model, true);
  }
  model.saved = text;
  language.notify("textDocument/didSave", {textDocument: {uri: language.uri(model.path)}});
  drawState();
  return "saved " + model.path;
}

/* What another program has written takes the place of the text, which Undo brings back. */
async function readAgain(model) {
  const {text, version} = await ask("read", {path: model.path});
  const all = {start: {line: 0, character: 0}, end: placeOf(textOf(model), textOf(model).length)};
  Object.assign(model, {saved: text, version, untold: true});
  if (model === current) editor.apply([{range: all, newText: text}]);
  else editor.applyHidden(model.doc, [{range: all, newText: text}]);
  if (current) changed();
  return `${model.path} is as it stands in the file; Undo brings back what stood here.`;
}

const saveAll = async () => {
  if (diagrams.shown && diagrams.unsaved()) await diagrams.save();
  for (const model of open.values())
    if (unsaved(model)) await save(model);
};

const saveCurrent = guarded(async () => {
  if (diagrams.shown) {
    await diagrams.save();
    say("saved " + diagrams.path);
  }
  if (!current) return;
  say(await save(current));
});

const createModel = guarded(async () => {
  let path = $("new-name").value.trim();
  if (!path) return;
  if (!path.endsWith(".psl") && !isDiagram(path)) path += ".psl";
  await ask("write", {path, text: "", version: ""});
  $("new-name").value = "";
  await listFiles();
  await openModel(path);
  if (current) editor.focus();
});

/* ---- the language server ---- */

function didOpen(model) {
  language.notify(
      "textDocument/didOpen",
      {textDocument: {uri: language.uri(model.path), languageId: "psl", version: model.number, text: textOf(model)}});
}

const about = (model) => ({textDocument: {uri: language.uri(model.path)}});

/* What has been typed is told before anything is asked about it. */
function tell() {
  for (const model of open.values()) {
    if (!model.untold) continue;
    model.untold = false;
    model.number++;
    language.notify("textDocument/didChange", {
      textDocument: {uri: language.uri(model.path), version: model.number},
      contentChanges: [{text: textOf(model)}]
    });
  }
}

function asked(method, params = {}) {
  tell();
  return language.request(method, {...about(current), ...params});
}

function noted(method, params) {
  if (method !== "textDocument/publishDiagnostics") return;
  said.set(params.uri, params.diagnostics);
  drawProblems();
}

let problemsDrawn = "";

/* Those of the model that is shown, and below them the errors of all other files that psl lsp speaks of. */
function drawProblems() {
  const uri = current ? language.uri(current.path) : "", own = said.get(uri) || [];
  editor.mark(own);
  /* Where nothing has changed its rows stay, with the focus and the button that somebody is about to press. */
  const of = JSON.stringify([uri, [...said], [...open.values()].map((model) => editor.generation(model.doc))]);
  if (of === problemsDrawn) return;
  problemsDrawn = of;
  const others =
      [...said]
          .filter(([other]) => other !== uri)
          .flatMap(([other, list]) => list.filter((one) => one.severity === 1).map((one) => otherProblem(other, one)));
  $("problems").hidden = !own.length && !others.length;
  $("problems").firstElementChild.replaceChildren(...own.map(ownProblem), ...others);
}

const problemText = (one) => `line ${one.range.start.line + 1}: ${severityName(one.severity)}: ${one.message}`;

function ownProblem(one) {
  const button = element("button", {className: severityName(one.severity), textContent: problemText(one)});
  button.addEventListener("click", () => {
    show("text");
    editor.select(one.range, true);
  });
  const item = element("li", {}, button), fix = element("button", {className: "fix", textContent: "Fix", hidden: true});
  item.append(fix);
  offerFix(one, fix);
  return item;
}

function otherProblem(uri, one) {
  const path = language.path(uri), name = path === null ? libraryName(uri) : path;
  const button =
      element("button", {className: "error", textContent: `${name}, ${problemText(one)}`, disabled: path === null});
  button.addEventListener("click", guarded(async () => {
                            await openModel(path);
                            editor.select(one.range, true);
                          }));
  return element("li", {}, button);
}

const libraryName = (uri) => uri.replace(/^.*\/((stdlib|coercions)\/)/, "$1");

/* An edit is of the text that it was asked for: what has been typed since is not mixed with it. */
function unchanged() {
  const texts = [...open.values()].map((model) => [model, textOf(model)]);
  return () => {
    if (texts.some(([model, text]) => textOf(model) !== text))
      throw new Error("The text has changed meanwhile: nothing is done.");
  };
}

async function edited(method, params, names) {
  const check = unchanged(), edit = await asked(method, params);
  check();
  if (edit) await applyEdit(edit, names);
  say("");
}

/* What "did you mean" says, done. */
async function offerFix(problem, button) {
  const check = unchanged();
  try {
    const told = {...problem, relatedInformation: undefined}; /* it may name files of the library */
    const actions = await asked("textDocument/codeAction", {range: problem.range, context: {diagnostics: [told]}});
    const action = (actions || []).find((one) => one.edit && one.edit.changes);
    if (!action) return;
    button.textContent = action.title;
    button.hidden = false;
    button.addEventListener("click", guarded(async () => {
                              check();
                              await applyEdit(action.edit);
                            }));
  } catch (error) { /* there is nothing to offer */
  }
}

/* An edit of the protocol: one step to undo, in whichever of the models that it changes. `names` are the old and the
 * new one of a component. */
async function applyEdit(edit, names) {
  const changes = {...edit.changes};
  for (const change of edit.documentChanges || []) changes[change.textDocument.uri] = change.edits;
  const paths = Object.keys(changes).map((uri) => language.path(uri));
  if (paths.includes(null)) throw new Error("the edit is of a file outside of the folder");
  for (const path of paths) await load(path);
  const parts = paths.map((path) => open.get(path)).map((model) => ({model, before: editor.generation(model.doc)}));
  for (const [uri, edits] of Object.entries(changes)) {
    const model = open.get(language.path(uri));
    if (model === current) editor.apply(edits);
    else editor.applyHidden(model.doc, edits);
    model.untold = true;
  }
  for (const part of parts)
    part.after = editor.generation(part.model.doc);
  if (parts.length > 1 || names) joint.push({parts, names});
  if (names) renameElsewhere(current, names);
  changed();
}

/* A component that is called otherwise has its place by the new name in the models that use this one, too. */
const renameElsewhere = guarded(oneByOne(async (own, names) => {
  const base = own.path.replace(/^.*\//, "").replace(/\.psl$/, "");
  const uses = (text) => [...text.matchAll(/\buse\b([^;{]*)/g)].some(
      ([, what]) => what.split(/[\s"/,]+/).some((word) => word === base || word === base + ".psl"));
  for (const path of (await modelPaths()).filter((one) => one.endsWith(".psl"))) {
    const places = placesOf(path);
    if (path === own.path || !(await places.known()).size) continue;
    const text = open.has(path) ? textOf(open.get(path)) : (await ask("read", {path})).text;
    if (uses(text)) await places.rename(...names);
  }
}));
const modelPaths = async () => (await ask("files")).files;

const joint = []; /* edits of several models: of each the state of its text before and after; names */

/* Undo and redo of what is shown, and of what has been changed with it in other models and not since. */
function step(way) {
  if (diagrams.shown) diagrams.step(way);
  if (!current) return;
  const side = way === "undo" ? "after" : "before";
  const stands = ({model, [side]: state}) => state !== undefined && state === editor.generation(model.doc);
  const {parts, names} =
      joint.find((edit) => edit.parts.some((part) => part.model === current && stands(part))) || {parts: []};
  const others = parts.filter((one) => one.model !== current && stands(one));
  for (const part of others) {
    editor[way](part.model.doc);
    part.model.untold = true;
  }
  if (names) renameElsewhere(current, way === "undo" ? [...names].reverse() : names);
  editor[way](current.doc);
  changed();
}

/* ---- what the language server knows ---- */

const linesOf = (path) => (open.has(path) ? textOf(open.get(path)).split("\n") : []);
const assist = new Assist({
  asked,
  standing,
  editor: () => editor,
  legend: () => language.capabilities.semanticTokensProvider.legend,
  problems: () => said.get(language.uri(current.path)) || [],
  named: (uri) => {
    const path = language.path(uri);
    return {path, name: path === null ? libraryName(uri) : path};
  },
  lineOf: (path, line) => linesOf(path)[line] || "",
  go: guarded(async (path, range) => {
    if (path !== current.path) await openModel(path);
    editor.select(range, true);
  }),
  edit: guarded(applyEdit),
});

const lens = guarded(async ({command, arguments: [, name]}) => {
  await saveAll();
  await begin({name, study: command === "psl.study", timeline: command === "psl.run" && $("timeline").checked});
});

async function complete(place) {
  try {
    const answer = await asked("textDocument/completion", {position: place});
    return answer ? answer.items || answer : [];
  } catch (error) { return []; }
}

/* ---- hover ---- */

let pointedAt = "", pointing;
function hideTip() { $("tip").hidden = true; }

async function tip(place, box) {
  const inside = (range) =>
      (range.start.line < place.line || range.start.line === place.line && range.start.character <= place.character) &&
      (range.end.line > place.line || range.end.line === place.line && range.end.character >= place.character);
  const wrong =
      (said.get(language.uri(current.path)) || []).filter((one) => inside(one.range)).map((one) => one.message);
  const answer = await asked("textDocument/hover", {position: place}).catch(() => null);
  const contents = answer && answer.contents, known = contents ? contents.value || contents : "";
  const text = [...wrong, known].filter(Boolean).join("\n\n");
  if (!text) return hideTip();
  $("tip").textContent = text;
  $("tip").hidden = false;
  $("tip").style.left = Math.max(4, Math.min(box.left, innerWidth - $("tip").offsetWidth - 8)) + "px";
  const below = box.bottom + 6;
  $("tip").style.top =
      (below + $("tip").offsetHeight > innerHeight ? Math.max(4, box.bottom - 30 - $("tip").offsetHeight) : below) +
      "px";
  return undefined;
}

function pointed(place, box) {
  const now = place ? place.line + ":" + place.character : "";
  if (now === pointedAt) return;
  pointedAt = now;
  clearTimeout(pointing);
  if (!place || !current) return hideTip();
  pointing = setTimeout(() => tip(place, box), 350);
}

/* ---- what is made of the text ---- */

const within = (range, line) => range.start.line <= line && line <= range.end.line;

async function readOutline() {
  const model = current, text = textOf(current);
  try {
    model.outline = await asked("textDocument/documentSymbol") || [];
    model.outlined = text;
  } catch (error) { return; }
  if (model === current) drawChoices();
}

/* What the outline has of one kind, by the word that its declaration begins with. */
const systems = () => (current ? current.outline : []).filter((item) => isKind(item, "system"));
const studies = () => (current ? current.outline : []).filter((item) => isKind(item, "study"));
function isKind(item, word) {
  const line = textOf(current).split("\n")[item.range.start.line] || "";
  return new RegExp("^\\s*" + word + "\\b").test(line.slice(item.range.start.character));
}

function drawChoices() {
  const names = studies().map((item) => item.name);
  drawChoice($("system"), systems().map((item) => item.name));
  $("system-label").hidden = !$("system").options.length;
  drawChoice($("study"), names);
  $("study-label").hidden = $("study-run").hidden = !names.length;
}

const system = () => ($("system").options.length > 1 ? $("system").value : undefined);

/* Answers may come late, and in another order: what is of another text than the one that stands there is let go. */
function standing() {
  const model = current, text = textOf(current);
  return () => model === current && text === textOf(current);
}

/* The keys of all components of the text: those inside others behind these. */
function components(list = current ? current.outline : [], within = "") {
  return list.filter((item) => isKind(item, "component")).flatMap((item) => {
    const key = within + item.name;
    return [key, ...components(item.children || [], key + ".")];
  });
}
const unsound = (model) => (said.get(language.uri(model.path)) || []).some((one) => one.severity === 1);

/* Of a text without a system there are boxes alone, in which nothing is asked of anybody yet. */
function looseGraph() {
  const items = current.outline.filter((item) => isKind(item, "component"));
  const ports = (item, word) => (item.children || []).filter((one) => (one.detail || "").startsWith(word));
  const parts = items.map((item) => ({
    name: item.name, system: false, reached: false, outer: null, instances: 0, set: null,
    indices: [], domain: (/\bdomain\s*=\s*(\w+(\[[^\]]*\])?)/.exec(textIn(textOf(current), item.range)) || ["", ""])[1],
    accepts: ports(item, "accepts").map((one) => ({transaction: one.name, profile: {}})),
    requests: ports(item, "requests").map((one) => ({
      name: one.name, transaction: one.detail.slice(9), quantifier: "one", protocol: "call-return"
    }))
  }));
  return parts.length ? {components: parts, edges: []} : null;
}

/* What comes next in a model that cannot be run yet. */
const guides = {
  component: [
    "This model has no component yet. A component does some work: a worker, a disk, a network. Draw the first one, " +
        "or take one of the library.",
    "add-component", "add-taken"
  ],
  system: [
    "Nothing is run yet. A system says what is asked first, and of which component: draw one when the components are " +
        "there.",
    "add-system", "add-component", "add-request"
  ]
};
function guide(what) {
  const [text, ...buttons] = guides[what] || [""];
  $("guide").hidden = !what;
  $("guide-text").textContent = text;
  for (const button of $("guide").querySelectorAll("button"))
    button.hidden = !buttons.includes(button.dataset.does);
}

const readGraph = async () => {
  const model = current, text = textOf(current), stands = standing(),
        loose = model.outlined === text ? looseGraph() : null;
  try {
    const {graph, picture: drawn, wrong} =
        await ask("graph", {path: model.path, text, system: system(), instances: $("instances").checked});
    if (!stands()) return;
    guide("");
    if (wrong && !systems().length && !unsound(model) && model.outlined === text) {
      if (loose) picture.show(loose);
      else picture.blank();
      guide(loose ? "system" : "component");
    } else if (wrong) picture.broken(wrong);
    else if (drawn) picture.showInstances(drawn);
    else picture.show(graph);
  } catch (error) {
    if (stands()) picture.broken(error.message);
  }
};

const readParams = async () => {
  const model = current, text = textOf(current), stands = standing();
  try {
    const {params: list} = await ask("params", {path: model.path, text, system: system()});
    if (stands() && list) params.show(model.path, list);
  } catch (error) { /* those of the last good text stay */
  }
};

/* From a change until a refresh of what it has left, the picture is of what was there before: it is busy. */
let newest = 0;
function outdate() {
  $("picture").setAttribute("aria-busy", "true");
  return ++newest;
}

/* Whether what is shown then is of the text that stands there. */
async function refresh() {
  if (!current) return false;
  refreshSoon.cancel();
  const mine = outdate();
  await readOutline();
  if (mine === newest) await Promise.all([readGraph(), readParams(), assist.dress()]);
  if (mine !== newest) return false;
  $("picture").setAttribute("aria-busy", "false");
  return true;
}

const refreshSoon = settled(500, guarded(refresh));
const tellSoon = settled(120, tell);

function changed() {
  current.untold = true;
  outdate();
  hideTip();
  drawState();
  tellSoon();
  refreshSoon();
}

/* ---- selection, both ways ---- */

const moved = settled(150, (place) => {
  if (!current || choosing) return;
  const keyAt = (list, outer) => {
    const item = list.find((one) => within(one.range, place.line));
    const deeper = item && keyAt((item.children || []).filter((one) => isKind(one, "component")), outer + item.name + ".");
    return item ? deeper || outer + item.name : "";
  };
  picture.pick(keyAt(current.outline, ""));
});

let choosing = false;

/* What has just been chosen stays so, though an edit has moved the cursor. */
let held;
function holdChoice() {
  choosing = true;
  clearTimeout(held);
  held = setTimeout(() => {
    choosing = false;
  }, 300);
}

/* What stands in the text of a box, by the names of those that it is in and its own. */
function itemOf(key) {
  let found = null, list = current.outline;
  for (const name of key.split(".")) {
    found = list.find((one) => one.name === name);
    if (!found) return null;
    list = found.children || [];
  }
  return found;
}
const requestsOf = (item) => (item.children || []).filter((one) => (one.detail || "").startsWith("requests"));

/* What is chosen in the picture is selected in the text. */
const chosen = guarded(async ({component, key, request, to, number}) => {
  const item = itemOf(key), list = item && request ? requestsOf(item) : [];
  const inner = (number === undefined ? null : list[Number(number)]) || list.find((one) => one.name === request);
  const there = inner && inner.name === request ? inner : null;
  drawing.drawChosen(key, there ? request : "", to, number);
  if (item) editor.select((there || item).selectionRange, false);
  if (request !== undefined) await explain(component, request, to);
  else $("why").hidden = true;
});

/* Why a request goes where it goes. */
async function explain(component, request, to) {
  const subject = request ? component + "." + request : component;
  $("why").hidden = false;
  $("why").querySelector("h2").textContent = `${subject}${to ? " goes to " + to : ""}`;
  $("why").querySelector("pre").textContent = "";
  const {text, wrong} = await ask("explain", {path: current.path, text: textOf(current), system: system(), subject});
  $("why").querySelector("pre").textContent = text || wrong;
}

/* ---- commands ---- */

const definition = guarded(async () => {
  if (!current) return;
  const answer = await asked("textDocument/definition", {position: editor.cursor()});
  const place = Array.isArray(answer) ? answer[0] : answer;
  if (!place) return;
  const path = language.path(place.uri);
  if (path === null) return say(`It is declared in ${libraryName(place.uri)}, of the library.`);
  if (path !== current.path) await openModel(path);
  editor.select(place.range, true);
});

const rename = guarded(async () => {
  if (!current) return;
  const position = editor.cursor(), known = await asked("textDocument/prepareRename", {position});
  if (!known) return say("There is no name to change here.");
  const old = known.placeholder || "", key = components().includes(old) ? old : "";
  askName(old, (name) => drawing.renameAt(position, key, name));
});

const format = guarded(async () => {
  if (!current) return;
  const check = unchanged(),
        edits = await asked("textDocument/formatting", {options: {tabSize: 2, insertSpaces: true}});
  check();
  if (edits && edits.length) editor.apply(edits);
});

const run = guarded(async () => {
  if (!current && !diagrams.shown) return;
  const path = diagrams.shown ? diagrams.runs : current.path;
  await saveAll();
  await begin({path, name: current ? system() : undefined, timeline: $("timeline").checked});
});

const runStudy = guarded(async () => {
  if (!current) return;
  await saveAll();
  await begin({name: $("study").value, study: true});
});

/* The params that a study of the model that is shown varies. */
function ownOf(name) {
  const study = studies().find((item) => item.name === name);
  if (!study) return [];
  const {start: from, end} = study.range;
  return axesOf(textOf(current).split("\n").slice(from.line, end.line + 1).join("\n"));
}

async function begin(request) {
  const path = request.path || current.path, set = {...params.settings(path)};
  const own = request.study ? ownOf(request.name).filter((name) => name in set) : [];
  for (const name of own) delete set[name];
  show("results");
  say(own.length ? `The study varies ${own.join(", ")} itself: what Params has of that holds for single runs.` : "");
  await runs.start(
      {path, set, ...request},
      Object.entries(set).map(([name, value]) => `${name} = ${value}`).join(", "), current ? textOf(current) : "");
  $("stop").hidden = false;
}

/* A place of a model as it was when that was run. */
async function goTo(path, line, column, text) {
  if (!current || path !== current.path) await openModel(path);
  show("text");
  const at = line - 1, length = (textOf(current).split("\n")[at] || "").length;
  editor.select({start: {line: at, character: Math.min(column - 1, length)}, end: {line: at, character: length}}, true);
  if (text !== undefined && text !== textOf(current))
    say("The text has changed since the run: the line may be another one.");
}

/* ---- beginning ---- */

const picture = new Picture($("picture"), $("graph-message"), {
  picked: chosen,
  drawn: drawing.drawnTo,
  pressed: (key, name) => {
    const works = {n: drawing.appendNext, e: drawing.editValues, F2: drawing.drawRename, Delete: drawing.drawDelete};
    const work = works[name];
    if (!work || !itemOf(key)) return false;
    picture.pick(key);
    drawing.drawChosen(key, "");
    work();
    return true;
  },
  placed: guarded(async (key, before, place) => {
    drawing.drawChosen(key, "");
    if (before) editor.moveBox(key, before, place);
    await drawing.keepPlace(key, place);
  }),
  declared: (key) => !!itemOf(key),
  viewed: () => $("groups").setAttribute("aria-pressed", String(!!picture.groups)),
  renamed: guarded((old, now) => current.places.rename(old, now)),
});
drawing.openDrawing({
  get current() { return current; },
  get editor() { return editor; },
  picture,
  edited,
  asked,
  refresh,
  textOf,
  itemOf,
  components,
  systems,
  isKind,
  explain,
  holdChoice
});
const diagrams = new DiagramPage({
  say,
  changed: drawState,
  guarded,
  create: async (path, text) => {
    try {
      await ask("write", {path, text, version: ""});
    } catch (error) {
      if (error.status !== 409) throw error;
      const answers = {"": "Leave it", replace: "Replace it"};
      if (!await question("Replace " + path + "?", path + " is there already.", answers))
        throw new Error(path + " is left as it is.");
      await ask("write", {path, text, version: "", anyhow: true});
    }
    if (!path.endsWith(".psl")) return void say("saved " + path);
    await listFiles();
    await openModel(path);
  }
});
const params = new Params((name, value) => drawing.draw("value", {name, value}), async (set) => {
  const {wrong} = await ask("params", {path: current.path, text: textOf(current), system: system(), set});
  return wrong || "";
});
const watch = new Watch({
  say,
  go: guarded(goTo),
  folder: () => start.folder,
  path: () => current && current.path,
  color: guarded(async () => {
    await saveAll();
    await begin({name: system(), timeline: true});
    show("graph");
  }),
  stop: guarded((job) => ask("stop", {job: job.number})),
  again: guarded(async ({request, text, label}) => {
    await runs.start({...request, timeline: true}, label.replace(/^[^:]*(: )?/, ""), text);
    $("stop").hidden = false;
  })
});
/* Of the points of studies. */
const points = new Points($("points-view"), {
  say,
  params: async (path) => {
    const model = await load(path), {params: list} = await ask("params", {path, text: textOf(model)});
    return Object.fromEntries((list || []).map((param) => [param.name, param]));
  },
  run: guarded(async (path, name, set, how, label) => {
    await saveAll();
    await runs.start({path, name, set, how, timeline: $("timeline").checked}, label, textOf(await load(path)));
    $("stop").hidden = false;
  }),
  take: guarded(async (path, set) => {
    if (!current || current.path !== path) await openModel(path);
    params.give(path, set);
    await readParams();
    show("params");
    say("The params are those of the point, for the runs that follow.");
  })
});
const databases = new Databases({
  folder: () => start.folder,
  listed: (studies) => runs.kept(studies),
  open: guarded(async (study) => {
    show("results");
    await runs.start({path: study.path, name: study.name}, study.label, "", study);
  })
});
const runs = new Runs({
  kept: guarded(() => databases.list()),
  shown: (job) => {
    watch.show(job);
    points.show(job);
  },
  ended: () => {
    $("stop").hidden = !runs.running();
  }
});

const keys = {
  "Ctrl-S": () => saveCurrent(),
  "Ctrl-Enter": () => run(),
  "Shift-Alt-F": () => format(),
  "F12": () => definition(),
  "Ctrl-Z": () => step("undo"),
  "Cmd-Z": () => step("undo"),
  "Ctrl-Y": () => step("redo"),
  "Shift-Ctrl-Z": () => step("redo"),
  "Shift-Cmd-Z": () => step("redo"),
  "F2": () => rename(),
  "Shift-F12": guarded(() => current && assist.references()),
  "Ctrl-.": guarded(() => current && assist.actions()),
  "F1": () => tip(editor.cursor(), editor.box()),
};

function wire() {
  openSplitter(
      $("splitter"), document.querySelector("main"), () => $(diagrams.shown ? "diagram-view" : "text-view"),
      () => $(document.body.dataset.side + "-view"));
  const clicks = {
    save: saveCurrent,
    undo: () => step("undo"),
    redo: () => step("redo"),
    format,
    run,
    "study-run": runStudy,
    "compare-run": guarded(() => runs.compare((name) => params.own(name))),
    stop: guarded(() => runs.stop()),
    "zoom-in": () => picture.zoom(0.8),
    "zoom-out": () => picture.zoom(1.25),
    "zoom-fit": () => picture.refit(),
    tidy: () => picture.tidy(),
    "why-close": () => {
      $("why").hidden = true;
    }
  };
  for (const [id, work] of Object.entries(clicks)) $(id).addEventListener("click", work);
  for (const button of document.querySelectorAll("nav button"))
    button.addEventListener("click", () => show(button.dataset.show));
  const drawings = {
    "add-component": drawing.addComponent,
    "add-taken": drawing.addTaken,
    "add-request": drawing.addRequest,
    "add-param": drawing.addParam,
    "draw-values": drawing.editValues,
    "draw-next": drawing.appendNext,
    "draw-rename": drawing.drawRename,
    "draw-like": drawing.drawLike,
    "draw-release": drawing.release,
    "draw-delete": drawing.drawDelete
  };
  for (const [id, work] of Object.entries(drawings)) $(id).addEventListener("click", work);
  $("draw-target").addEventListener("change", drawing.drawTarget);
  $("draw-mode").addEventListener("change", drawing.drawMode);
  $("instances").addEventListener("change", () => {
    if (current) {
      picture.view = null;
      readGraph();
    }
  });
  $("system").addEventListener("change", guarded(refresh));
  $("find").addEventListener("input", () => picture.filter($("find").value.trim()));
  $("find").addEventListener("keydown", (event) => {
    if (event.key === "Enter") picture.seek();
  });
  const guided = {...drawings, "add-system": drawing.addSystem};
  for (const button of $("guide").querySelectorAll("button"))
    button.addEventListener("click", guided[button.dataset.does]);
  $("more-tools").addEventListener("click", () => {
    const shown = $("graph-tools").classList.toggle("open");
    $("more-tools").setAttribute("aria-expanded", String(shown));
  });
  $("groups").addEventListener("click", () => picture.showGroups(!picture.groups));
  $("near").addEventListener("click", () => {
    const near = $("near").getAttribute("aria-pressed") !== "true";
    $("near").setAttribute("aria-pressed", String(near));
    picture.focusOn(near);
    if (near && !picture.nearby) say("Choose a component: its neighbours are shown.");
  });
  $("new-form").addEventListener("submit", (event) => {
    event.preventDefault();
    createModel();
  });
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
    if (event.key === "s") {
      event.preventDefault();
      saveCurrent();
    }
    if (event.key === "Enter") {
      event.preventDefault();
      run();
    }
    const way = {z: event.shiftKey ? "redo" : "undo", Z: "redo", y: "redo"}[event.key];
    if (!way || event.target.closest("input, textarea, select, dialog")) return;
    event.preventDefault();
    step(way);
  });
  addEventListener("resize", settled(100, () => show(document.body.dataset.view)));
  addEventListener("beforeunload", (event) => {
    if ([...open.values()].some(unsaved) || diagrams.anyUnsaved()) event.preventDefault();
  });
}

async function begun() {
  try {
    start = await ask("start");
  } catch (error) {
    const how = error.status === 401 ?
        "This page has not the token of its studio: open the whole address that psl studio has printed." :
        error.message;
    say(how, true);
    return;
  }
  $("place").textContent = start.name;
  language = new Language(start.folder, {
    opened: () => {
      for (const model of open.values()) didOpen(model);
    },
    noted,
    lost: (text) => say(text, true)
  });
  editor = await openEditor($("text"), start.words, start.codemirror, {
    changed,
    moved,
    pointed,
    complete,
    keys,
    placed: drawing.placeAgain,
    lens,
    signature: (place) => assist.signature(place),
    known: (item) => assist.known(item),
  });
  wire();
  show("graph");
  show("text");
  language.start();
  const files = await listFiles();
  guarded(() => databases.list())();
  const first = start.first || files[0];
  if (first) await openModel(first);
  else {
    show("files");
    $("new-name").focus();
    say("The folder has no models yet: create one.");
  }
  document.body.dataset.ready = "yes";
  performance.mark("ready");
}

guarded(begun)();
