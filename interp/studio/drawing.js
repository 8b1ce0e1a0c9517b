/* What is drawn in the graph of a model: the forms that ask for it, the row of what can be done with what is chosen,
 * and the edits of the text that the language server makes of it, or says why it makes none. */
import {textIn} from "./editor.js";
import {askFor, askName, drawChoice} from "./forms.js";
import {guarded, say} from "./status.js";

const $ = (id) => document.getElementById(id);

/* `page`: current, editor, picture: the model that is shown, its text and its graph; edited(method, params, names): an
 * edit that the language server makes; asked(method, params): what it answers; refresh(): of what is made of the text;
 * textOf(model), itemOf(key), components(), systems(), isKind(item, word): of its outline; explain(component, request,
 * to); holdChoice(). */
let page;
export function openDrawing(given) { page = given; }

export const draw = guarded(async (operation, more) => {
  await page.edited("psl/draw", {operation, ...more});
  return true;
});

let drawn = null; /* what is chosen in the graph: {component, request, number} */

export function drawChosen(key, request, to, number) {
  const item = page.itemOf(key), component = item && item.name;
  drawn = item ? {key, component, request, to, number: number === undefined ? undefined : Number(number)} : null;
  page.holdChoice();
  $("drawing").hidden = !drawn;
  if (!drawn) return;
  const isSystem = page.systems().includes(item);
  $("drawn-name").textContent = component;
  $("draw-like").hidden = isSystem;
  $("draw-next").hidden = /^like /.test(item.detail || "");
  $("draw-release").hidden = !page.picture.isPlaced(key);
  $("drawn-request").hidden = !request;
  $("drawn-label").textContent = request;
  const names = [...new Set([...page.components(), ...page.picture.names()])].filter((name) => name !== key);
  drawChoice($("draw-target"), names);
  const goal = to && (names.find((name) => name === to) || names.find((name) => name.endsWith("." + to)));
  if (goal) $("draw-target").value = goal;
  $("draw-mode-label").hidden = true;
  if (request) offerModes(drawn);
}

/* The evaluation modes in which that is accepted which it requests, where there is more than one. */
const offerModes = guarded(async (chosenOne) => {
  const asks = page.picture.request(chosenOne.key, chosenOne.request, chosenOne.number);
  if (!asks) return;
  const clause = (name) =>
      (new RegExp(`(?:^|and )${name} = (.*?)(?= and |$)`).exec(asks.selector || "") || ["", ""])[1];
  const modes = await page.asked("psl/modes", {transaction: asks.transaction, domain: clause("domain")});
  const now = clause("evaluation-mode"), offered = modes.includes(now) ? modes : [now, ...modes];
  if (drawn !== chosenOne || modes.length < 2 && offered.length < 2) return;
  drawChoice($("draw-mode"), offered);
  $("draw-mode").value = now;
  $("draw-mode-label").hidden = false;
});

export const drawMode = guarded(async () => {
  const {key, component, request, number} = drawn, mode = $("draw-mode").value;
  if (!mode || !await draw("mode", {component: key, request, number, mode}) || !await page.refresh()) return;
  await page.explain(component, request, "");
});

/* A request that goes elsewhere, or why it cannot, said where it was to go. */
async function sendTo(from, to, accept) {
  const {key, component, request, number} = from;
  try {
    await page.edited("psl/draw", {operation: "target", component: key, request, number, to, accept});
  } catch (error) {
    drawChosen(key, request, from.to, number);
    page.picture.refuse(to, accept, error.message);
    throw error;
  }
  if (!await page.refresh()) return;
  drawChosen(key, request, to, number);
  await page.explain(component, request, to.replace(/^.*\./, ""));
}

export const drawTarget = guarded(() => sendTo(drawn, $("draw-target").value));

/* From the port of a request to that of an accept, or to a box. */
export const drawnTo = guarded(async (from, to) => {
  drawChosen(from.key, from.request, from.to, from.number);
  await sendTo({...from, number: Number(from.number)}, to.key, to.transaction);
});

/* What is filled in is drawn, and chosen then, unless the text has been changed meanwhile. */
async function drawForm(operation, values, chosenThen) {
  await page.edited("psl/draw", {operation, ...values});
  if (!await page.refresh() || !chosenThen) return;
  page.picture.pick(chosenThen);
  drawChosen(chosenThen, "");
}

export const drawLike = () => {
  const {key, component} = drawn;
  askFor(
      "A component like " + component,
      [
        {name: "as", label: "Name", required: true},
        {
          name: "attribute",
          label: "Told from it by the attribute",
          value: "node type",
          required: true,
          note: "which has the new name as its value, so that requests can ask for the one or the other"
        },
      ],
      ({as, attribute}) => drawForm("like", {name: key, as, attribute}, key.replace(/[^.]*$/, "") + as));
};

/* "write(amount : data)" of each transaction of the text. */
const transactions = () => (page.current.outline || [])
                               .filter((item) => page.isKind(item, "transaction"))
                               .map(
                                   (item) => textIn(page.textOf(page.current), item.range)
                                                 .replace(/^[^]*?transaction\s+/, "")
                                                 .replace(/;[^]*$/, "")
                                                 .replace(/\s+/g, " "));

/* What a component is asked about when it is drawn from nothing. */
const componentFields = () => [
  {name: "name", label: "Name", hint: "worker", required: true},
  {name: "count", label: "How many there are", hint: "one", note: "a number or a param; empty: one"},
  {
    name: "layer",
    label: "Layer",
    options: [
      {value: "application", text: "application: what is to be done"},
      {value: "runtime", text: "runtime: libraries and systems below it"},
      {value: "hardware", text: "hardware: processors, disks, networks"}
    ]
  },
  {
    name: "of",
    label: "Part of",
    value: page.current.path.replace(/^.*\//, "")
               .replace(/\.psl$/, "")
               .replace(/[^A-Za-z0-9]+/g, "-")
               .replace(/^[^A-Za-z]+|-$/g, "") ||
        "model",
    required: true,
    note: "a word of yours: requests ask for it"
  },
  {
    name: "transaction",
    label: "What it is asked to do",
    hint: "write(amount : data)",
    known: transactions(),
    required: true,
    note: "a name, and what is given with types: int, real, time, data, ..."
  },
  {
    name: "time",
    label: "Time that it takes",
    hint: "amount / (100 MB/s)",
    note: "from what is given and params, with units: 2 ms, 100 MB/s; empty: none"
  },
  {name: "servers", label: "How many at a time", hint: "any number", note: "others wait in line; empty: no limit"},
];

export const addComponent = guarded(async () => {
  if (!page.current) return say("Create a model first: a name under \"New model\".", true);
  return askFor(
      "A component", componentFields(),
      ({layer, of, ...rest}) => drawForm("component", {domain: `${layer}[${of}]`, ...rest}, rest.name));
});

/* A component that the chosen one asks next, from nothing. */
export const appendNext = guarded(async () => {
  if (!drawn) return;
  const {key, component} = drawn, isSystem = page.systems().some((item) => item.name === key);
  const fields = componentFields();
  if (!isSystem)
    fields.push({name: "request", label: `Name of the request of ${component}`, hint: "store", required: true});
  fields.push({name: "given", label: "What is given then", note: "values with units, parted by commas"});
  askFor(
      `What ${component} asks next`, fields,
      ({layer, of, ...rest}) =>
          drawForm("append", {domain: `${layer}[${of}]`, component: key, ...rest}, rest.name),
      ({transaction, given}) => {
        given.placeholder = (/\(([^)]*)\)/.exec(transaction.value) || ["", ""])[1];
      });
});

const types = {
  int: "8",
  real: "0.5",
  time: "40 s",
  data: "50 MB",
  "data/time": "100 MB/s",
  bool: "true",
  string: "\"a\""
};
/* From the library, or from another model of the folder: one like it, with the `use` that it needs. */
export const addTaken = guarded(async () => {
  if (!page.current) return;
  const offers = await page.asked("psl/palette");
  if (!offers.length) return say("There is no component to take.", true);
  const domain = ({profile}) => (/domain = (\w+(\[[^\]]*\])?)/.exec(profile) || ["", "no domain"])[1];
  const listed = offers.map((one, i) => ({
    value: String(i + 1), text: `${one.file}: ${one.component}, ${domain(one)}, accepts ${one.accepts}`
  }));
  let suggested = "";
  askFor(
      "A component from the library or the folder",
      [
        {name: "what", label: "Component", options: listed},
        {name: "as", label: "Name", required: true},
        {name: "attribute", label: "Told from it by the attribute", value: "node type", note: "empty: by nothing"}
      ],
      ({what, as, attribute}) => {
        const {file, component} = offers[Number(what) - 1];
        return drawForm("take", {file, name: component, as, attribute}, as);
      },
      ({what, as}) => {
        if (as.value === suggested) as.value = suggested = "my-" + offers[Number(what.value) - 1].component;
      });
});

export const addParam = guarded(async () => {
  if (!page.current) return;
  askFor(
      "A param",
      [
        {name: "name", label: "Name", hint: "workers", required: true},
        {name: "type", label: "Type", options: Object.keys(types)},
        {name: "value", label: "Value", required: true, note: "an expression; it can be set anew for each run"},
      ],
      (values) => drawForm("param", values), ({type, value}) => {
        value.placeholder = types[type.value];
      });
});

/* What a component of the text is given when it is asked: "amount". */
function wantedBy(key) {
  const item = page.itemOf(key);
  const found = item && /\btransaction\s*=\s*[^(;]*\(([^)]*)\)/.exec(textIn(page.textOf(page.current), item.range));
  return found ? found[1] : "";
}
const hasMany = (key) => (page.picture.known.get(key) || {indices: []}).indices.length > 0;

const newSystem = "a new system";
const askRequest = (wanted) => {
  if (!page.current) return say("Create a model first: a name under \"New model\".", true);
  const names = page.components(), froms = [...page.systems().map((item) => item.name), ...names, newSystem];
  if (!names.length) return say("Draw a component first: a request goes to one.", true);
  const isFrom = wanted || (drawn && froms.includes(drawn.key) ? drawn.key :
                                page.systems().length           ? froms[0] :
                                                                  newSystem);
  /* A system asks what nobody else asks. */
  const unasked = names.find((name) => name !== isFrom && !(page.picture.known.get(name) || {}).reached);
  const asked = isFrom === newSystem && names.find((name) => page.picture.known.get(name)?.requests.length);
  return askFor(
      wanted ? "A system, which is what is run" : "A request",
      [
        {name: "from", label: "From", options: froms, value: isFrom},
        {
          name: "to",
          label: "To",
          options: names,
          value: asked || unasked || names.find((name) => name !== isFrom) || names[0]
        },
        {name: "several", label: "Of its instances", options: ["one that is free", "all"]},
        {name: "request", label: "Name", hint: "store"},
        {name: "given", label: "What is given", note: "values with units, parted by commas: 50 MB, 2 s"},
      ],
      ({from, to, request, given, several}) =>
          (from === newSystem ?
               drawForm("system", {name: request, to, given}, request) :
               drawForm(
                   "request",
                   {component: from, to, request, given, all: hasMany(to) && several === "all", several: hasMany(to)},
                   from)),
      ({from, to, request, given, several}) => {
        const isSystem = page.systems().some((item) => item.name === from.value);
        const label = isSystem ? null : from.value === newSystem ? "Name of the system" : "Name of the request";
        from.parentElement.hidden = !!wanted;
        request.parentElement.hidden = !label;
        request.required = !!label;
        if (label) request.previousElementSibling.textContent = label;
        request.placeholder = from.value === newSystem ? "main" : "store";
        several.parentElement.hidden = isSystem || from.value === newSystem || !hasMany(to.value);
        given.placeholder = wantedBy(to.value);
        given.parentElement.hidden = !given.placeholder;
      });
};
export const addRequest = guarded(async () => askRequest());
export const addSystem = guarded(async () => askRequest(newSystem));

/* ---- values that stand in the text ---- */

const partName = (part) => part || "all of it";
const onLine = (text) => text.trim().replace(/\s+/g, " "); /* a field has one line */
const modesOf = async (field, all) => {
  const domain = all.find((one) => one.part === field.part && one.label === "domain");
  return page.asked("psl/modes", {transaction: field.requested, domain: domain ? domain.value : ""}).catch(() => []);
};

/* All that can be filled in of the chosen component: how many there are, attributes, times, what requests ask for. */
export const editValues = guarded(async () => {
  if (!drawn) return say("Choose a component first.", true);
  const {key, component} = drawn, fields = await page.asked("psl/fields", {component: key});
  if (!fields.length) return say(`${component} has no values: draw a request from it.`, true);
  const rows = await Promise.all(fields.map(async (field, number) => {
    const isMode = field.requested && /^evaluation[ -]mode$/.test(field.label);
    const modes = isMode ? await modesOf(field, fields) : [];
    return {
      name: "value" + number,
      group: partName(field.part),
      label: field.label,
      value: onLine(field.value),
      known: field.known || [],
      ...(modes.length ? {options: [...new Set([onLine(field.value), ...modes])]} : {}),
      note: field.kind === "set" ? "how many there are: 0 <= i < number" : ""
    };
  }));
  return askFor(`Values of ${component}`, rows, async (given) => {
    const values = fields.map((field, number) => ({field: number, was: field.value, value: given["value" + number]}))
                       .filter((one) => one.value !== onLine(one.was));
    await drawForm("fill", {component: key, values}, key);
  }, undefined, "Write into the text");
});

/* Where a box stands is kept where a person has put it there, and let go otherwise. */
export const keepPlace = guarded((key, place) => {
  const {places} = page.current;
  return place.pinned ? places.put(key, place) : places.drop(key);
});

export const release = guarded(async () => {
  const {key} = drawn, {before, place} = page.picture.release(key);
  drawChosen(key, "");
  page.editor.moveBox(key, before, place);
  await keepPlace(key, place);
});

/* One that is moved back, or again. */
export function placeAgain(key, place) {
  page.picture.putAt(key, place);
  if (drawn && drawn.key === key) drawChosen(key, "");
  keepPlace(key, place);
}

/* Requests that would go nowhere without it: those that only its accepts take. */
function requestsTo(key) {
  const {graph} = page.picture;
  if (!graph) return [];
  const keys = page.picture.keys, own = (at) => keys[at] === key || keys[at].startsWith(key + ".");
  const goes = new Map();
  for (const {from, request, to} of graph.edges) {
    const id = from + " " + request;
    if (!own(from)) goes.set(id, {from, request, own: (goes.get(id) || {own: true}).own && own(to)});
  }
  return [...goes.values()].filter((one) => one.own).map(({from, request}) => ({
    component: keys[from], request: graph.components[from].requests[request].name, number: request
  })).filter(({component}) => page.itemOf(component));
}

export const drawDelete = guarded(async () => {
  const {key} = drawn, requests = requestsTo(key);
  const remove = async (with_) => {
    await page.edited("psl/draw", {operation: "delete", name: key, requests: with_});
    drawn = null;
    $("drawing").hidden = $("why").hidden = true;
    await page.refresh();
  };
  if (!requests.length) return remove([]);
  const names = requests.map(({component, request}) => `${component}.${request}`).join(", ");
  return askFor(
      "Delete " + key,
      [{
        name: "what", label: `It alone takes ${names}`, options: [
          {value: "all", text: "delete these requests and their calls, too"},
          {value: "alone", text: "leave them: they go nowhere then"}
        ]
      }],
      ({what}) => remove(what === "all" ? requests : []), undefined, "Delete");
});

export const renameAt = (position, key, newName) =>
    page.edited("textDocument/rename", {position, newName},
                key ? [key, key.replace(/[^.]*$/, "") + newName] : undefined);

export const drawRename = () => {
  const {key, component, request} = drawn, item = page.itemOf(key);
  if (!item) return;
  askName(component, async (name) => {
    const now = key.replace(/[^.]*$/, "") + name;
    await renameAt(item.selectionRange.start, page.components().includes(key) ? key : "", name);
    if (!await page.refresh()) return;
    page.picture.pick(now);
    drawChosen(now, request);
  });
};
