/* The text of a model in CodeMirror, with what the language server says of it: colours of names by what they mean,
 * types between the words, buttons above systems and studies, parts that can be folded, what a call takes. Each text is
 * a state of the editor, with its own history. */
import {
  autocompletion,
  bracketMatching,
  classHighlighter,
  closeCompletion,
  codeFolding,
  completionKeymap,
  completionStatus,
  Decoration,
  defaultKeymap,
  EditorState,
  EditorView,
  foldGutter,
  foldKeymap,
  foldService,
  gutter,
  GutterMarker,
  history,
  historyKeymap,
  indentMore,
  indentUnit,
  invertedEffects,
  isolateHistory,
  keymap,
  lineNumbers,
  openSearchPanel,
  Prec,
  RangeSet,
  redo,
  search,
  searchKeymap,
  showTooltip,
  StateEffect,
  StateField,
  StreamLanguage,
  syntaxHighlighting,
  Text,
  undo,
  WidgetType
} from "./codemirror.js";
import {severityName} from "./editor.js";

/* ---- places ---- */

function offsetIn(doc, place) {
  if (place.line >= doc.lines) return doc.length;
  const line = doc.line(place.line + 1);
  return Math.min(line.from + place.character, line.to);
}

function placeIn(doc, offset) {
  const line = doc.lineAt(offset);
  return {line: line.number - 1, character: offset - line.from};
}

const rangeIn = (doc, range) => ({from: offsetIn(doc, range.start), to: offsetIn(doc, range.end)});

/* The edits of the language server, all of the same text. */
const changesOf = (doc, edits) =>
    edits.map((edit) => ({...rangeIn(doc, edit.range), insert: Text.of(edit.newText.split(/\r\n?|\n/))}));

/* ---- words ---- */

function languageOf(words) {
  const known = new Set(words.filter((word) => /^[a-z]+$/.test(word)));
  return StreamLanguage.define({
    name: "psl",
    startState: () => ({comment: false}),
    languageData: {commentTokens: {line: "//", block: {open: "/*", close: "*/"}}},
    token(stream, state) {
      if (state.comment || stream.match("/*")) {
        state.comment = !stream.skipTo("*/");
        if (state.comment) stream.skipToEnd();
        else stream.match("*/");
        return "comment";
      }
      if (stream.match("//")) {
        stream.skipToEnd();
        return "comment";
      }
      if (stream.match(/^"(\\.|[^"\\])*"?/)) return "string";
      if (stream.match(/^\d+(\.\d+)?([eE][-+]?\d+)?/)) return "number";
      const word = stream.match(/^[A-Za-z_][\w]*(-[A-Za-z_]\w*)*/);
      if (word) return known.has(word[0]) ? "keyword" : null;
      stream.next();
      return null;
    }
  });
}

/* ---- what a text has beside its letters ---- */

/* A box of the graph that is put elsewhere is a step to undo among those of the text: {key, from, to}. */
const movedBox = StateEffect.define();
const isStep = (change) => change.docChanged || change.effects.some((effect) => effect.is(movedBox));
const undoneMove = invertedEffects.of(
    (change) => change.effects.filter((effect) => effect.is(movedBox))
                    .map(({value: {key, from, to}}) => movedBox.of({key, from: to, to: from})));

/* A number for each state of a text, which it has again when it is undone. */
const setGeneration = StateEffect.define();
let generations = 0;
const generationOf = StateField.define({
  create: () => ++generations,
  update(value, change) {
    if (!isStep(change)) return value;
    const old = change.effects.filter((effect) => effect.is(setGeneration));
    return old.length ? old[old.length - 1].value : ++generations;
  }
});
const undoneGeneration = invertedEffects.of(
    (change) => (isStep(change) ? [setGeneration.of(change.startState.field(generationOf))] : []));

/* Marks that are set as a whole and move with the text. */
function movingMarks(none, provide) {
  const set = StateEffect.define();
  const field = StateField.define({
    create: () => none,
    update(value, change) {
      let next = change.docChanged ? value.map(change.changes) : value;
      for (const effect of change.effects)
        if (effect.is(set)) next = effect.value;
      return next;
    },
    provide
  });
  return {set, field};
}
const decorated = () => movingMarks(Decoration.none, (own) => EditorView.decorations.from(own));
const wrong = decorated(), names = decorated(), hints = decorated(), lenses = decorated();

class Dot extends GutterMarker {
  constructor(kind, message) {
    super();
    Object.assign(this, {kind, message});
  }
  eq(other) { return other.kind === this.kind && other.message === this.message; }
  toDOM() {
    const dot = document.createElement("div");
    dot.className = "said-line " + this.kind;
    dot.title = this.message;
    return dot;
  }
}
const dots = movingMarks(RangeSet.empty);
const dotGutter = gutter({class: "said", markers: (view) => view.state.field(dots.field)});

class Hint extends WidgetType {
  constructor(text) {
    super();
    this.text = text;
  }
  eq(other) { return other.text === this.text; }
  toDOM() {
    const span = document.createElement("span");
    span.className = "hint";
    span.textContent = this.text;
    return span;
  }
}

/* Buttons, or where a request goes, above a line. */
class Lens extends WidgetType {
  constructor(items, indent, press) {
    super();
    Object.assign(this, {items, indent, press});
  }
  eq(other) { return JSON.stringify([other.items, other.indent]) === JSON.stringify([this.items, this.indent]); }
  toDOM() {
    const row = document.createElement("div");
    row.className = "lens";
    row.append(" ".repeat(this.indent));
    for (const item of this.items) {
      const part = document.createElement(item.command ? "button" : "span");
      part.textContent = item.title;
      if (item.command) {
        part.type = "button";
        part.title = `${item.title} ${item.arguments[1]}`;
        part.addEventListener("click", () => this.press(item));
      }
      row.append(part);
    }
    return row;
  }
  ignoreEvent() { return true; }
}

const setFolds = StateEffect.define();
const folds = StateField.define({
  create: () => [],
  update(value, change) {
    let next = value;
    if (change.docChanged)
      next = value.map(({from, to}) => ({from: change.changes.mapPos(from, 1), to: change.changes.mapPos(to, -1)}))
                 .filter(({from, to}) => from < to);
    for (const effect of change.effects)
      if (effect.is(setFolds)) next = effect.value;
    return next;
  }
});
const foldable = foldService.of(
    (state, begin, end) => state.field(folds).find(({from}) => begin <= from && from <= end) || null);

const setSignature = StateEffect.define();
const signature = StateField.define({
  create: () => null,
  update(value, change) {
    let next = value && change.docChanged ? {...value, pos: change.changes.mapPos(value.pos)} : value;
    for (const effect of change.effects)
      if (effect.is(setSignature)) next = effect.value;
    return next;
  },
  provide: (own) => showTooltip.from(own)
});

function signatureTip(pos, help) {
  const one = help.signatures[help.activeSignature || 0], part = (one.parameters || [])[help.activeParameter || 0];
  return {
    pos,
    above: true,
    create() {
      const dom = document.createElement("div"), strong = document.createElement("strong");
      dom.className = "signature";
      const [begin, end] = part && Array.isArray(part.label) ? part.label : [0, 0];
      strong.textContent = one.label.slice(begin, end);
      dom.append(one.label.slice(0, begin), strong, one.label.slice(end));
      return {dom};
    }
  };
}

/* ---- the editor ---- */

class MirrorEditor {
  constructor(parent, words, calls) {
    this.calls = calls;
    const nonce = document.querySelector("link[nonce]").nonce;
    const label = EditorView.contentAttributes.of(
        {"aria-label": "Text of the model", tabindex: "0", spellcheck: "false"});
    this.extensions = [
      EditorView.cspNonce.of(nonce),
      lineNumbers(),
      dotGutter,
      codeFolding({placeholderText: "\u2026"}),
      foldGutter({foldingChanged: (update) => update.startState.field(folds) !== update.state.field(folds)}),
      history(),
      generationOf,
      undoneGeneration,
      undoneMove,
      wrong.field,
      names.field,
      hints.field,
      lenses.field,
      dots.field,
      folds,
      foldable,
      signature,
      languageOf(words),
      syntaxHighlighting(classHighlighter),
      indentUnit.of("  "),
      EditorState.tabSize.of(2),
      bracketMatching(),
      search({top: true}),
      autocompletion({override: [(context) => this.complete(context)], icons: false, defaultKeymap: false}),
      Prec.highest(keymap.of(this.keys())),
      keymap.of([...completionKeymap, ...searchKeymap, ...foldKeymap, ...historyKeymap, ...defaultKeymap]),
      label,
      EditorView.updateListener.of((update) => this.updated(update)),
      EditorView.domEventHandlers({
        mousemove: (event) => this.hover(event),
        mouseleave: () => {
          calls.pointed(null);
        }
      })
    ];
    this.view = new EditorView(
        {
          parent,
          state: EditorState.create({extensions: [EditorView.editable.of(false), label, EditorView.cspNonce.of(nonce)]})
        });
  }
  /* As CodeMirror names them; Escape leaves the text by the keyboard, and Tab goes on from there. */
  keys() {
    const own = Object.entries(this.calls.keys).map(([name, call]) => ({
                                                      key: lowered(name),
                                                      preventDefault: true,
                                                      run: () => {
                                                        call();
                                                        return true;
                                                      }
                                                    }));
    return [
      ...own,
      {
        key: "Shift-Ctrl-Space",
        run: () => {
          this.askSignature();
          return true;
        }
      },
      {key: "Tab", run: indentInside},
      {key: "Escape", run: (view) => this.leave(view)},
    ];
  }
  leave(view) {
    const help = view.state.field(signature), offered = completionStatus(view.state) === "active";
    if (completionStatus(view.state)) closeCompletion(view);
    if (help) view.dispatch({effects: setSignature.of(null)});
    if (help || offered) return true;
    if (view.dom.querySelector(".cm-search")) return false;
    document.getElementById("problems").focus();
    return true;
  }
  updated(update) {
    if (this.doc) this.doc.state = update.state;
    if (update.docChanged && !this.silent) this.calls.changed();
    for (const change of update.transactions)
      for (const effect of change.isUserEvent("undo") || change.isUserEvent("redo") ? change.effects : [])
        if (effect.is(movedBox)) this.calls.placed(effect.value.key, effect.value.to);
    if (update.selectionSet || update.docChanged) this.calls.moved(this.cursor());
    const typed = update.transactions.some((one) => one.isUserEvent("input.type"));
    if (typed && /[(,]$/.test(update.state.sliceDoc(0, this.view.state.selection.main.head)) ||
        (update.docChanged || update.selectionSet) && update.state.field(signature))
      this.askSignature();
  }
  /* What a call takes, at the cursor; what comes for a place that was left is let go. */
  async askSignature() {
    const state = this.view.state, at = state.selection.main.head;
    const help = await this.calls.signature(placeIn(state.doc, at));
    if (this.view.state.doc !== state.doc || this.view.state.selection.main.head !== at) return;
    const tip = help && help.signatures.length ? signatureTip(at, help) : null;
    if (tip || this.view.state.field(signature)) this.view.dispatch({effects: setSignature.of(tip)});
  }
  hover(event) {
    const at = this.view.posAtCoords({x: event.clientX, y: event.clientY});
    const box = at === null ? null : this.view.coordsAtPos(at);
    if (!box || Math.abs(event.clientX - box.left) > 20 || event.target.closest(".lens, .cm-tooltip"))
      return void this.calls.pointed(null);
    return void this.calls.pointed(placeIn(this.view.state.doc, at), {left: event.clientX, bottom: box.bottom});
  }
  async complete(context) {
    const {state, pos} = context, before = state.sliceDoc(Math.max(0, pos - 1), pos);
    if (!context.explicit && !/[A-Za-z.=]/.test(before)) return null;
    const items = await this.calls.complete(placeIn(state.doc, pos));
    if (!items.length || context.aborted) return null;
    const from = items[0].textEdit ? offsetIn(state.doc, items[0].textEdit.range.start) : pos;
    return {
      from,
      options: items.map((item) => ({
                           label: item.label,
                           detail: item.detail,
                           apply: item.textEdit ? item.textEdit.newText : item.label,
                           info: () => this.calls.known(item)
                         })),
      validFor: /^[\w-]*$/
    };
  }
  /* Ends of lines stay as they are: those of other systems where all are such. */
  document(text) {
    const separator = text.includes("\r\n") && !/\r(?!\n)|(?:^|[^\r])\n/.test(text) ? "\r\n" : "\n";
    const pasted = EditorView.clipboardInputFilter.of((given) => given.replace(/\r\n?|\n/g, separator));
    return {
      state: EditorState.create(
          {doc: text, extensions: [this.extensions, EditorState.lineSeparator.of(separator), pasted]})
    };
  }
  show(doc) {
    this.doc = null;
    this.view.setState(doc.state);
    this.doc = doc;
  }
  textOf(doc) { return doc.state.sliceDoc(); }
  text() { return this.view.state.sliceDoc(); }
  cursor() { return placeIn(this.view.state.doc, this.view.state.selection.main.head); }
  box() {
    const box = this.view.coordsAtPos(this.view.state.selection.main.head) || this.view.dom.getBoundingClientRect();
    return {left: box.left, bottom: box.bottom};
  }
  select(range, focus) {
    const {from, to} = rangeIn(this.view.state.doc, range);
    this.view.dispatch({
      selection: {anchor: from, head: to},
      effects: EditorView.scrollIntoView(from, {y: "nearest", yMargin: 80}),
    });
    if (focus) this.view.focus();
  }
  /* One step to undo. */
  apply(edits) { this.view.dispatch(this.step(this.view.state, edits)); }
  applyHidden(doc, edits) { doc.state = doc.state.update(this.step(doc.state, edits)).state; }
  step(state, edits) {
    return {changes: changesOf(state.doc, edits), annotations: isolateHistory.of("full"), userEvent: "edit"};
  }
  /* Has been done already. */
  moveBox(key, from, to) {
    this.view.dispatch({effects: movedBox.of({key, from, to}), annotations: isolateHistory.of("full")});
  }
  /* The state of a text in its history. */
  generation(doc) { return doc.state.field(generationOf); }
  undo(doc) { this.walk(doc, undo); }
  redo(doc) { this.walk(doc, redo); }
  walk(doc, way) {
    if (doc === this.doc) return void way(this.view);
    return void way({
      state: doc.state,
      dispatch: (change) => {
        doc.state = change.state;
      }
    });
  }
  mark(diagnostics) {
    if (!this.doc) return;
    const {doc} = this.view.state, ranges = [], lines = new Map();
    for (const said of diagnostics) {
      const kind = severityName(said.severity);
      let {from, to} = rangeIn(doc, said.range);
      if (from === to && to < doc.lineAt(to).to) to++;
      else if (from === to && from > doc.lineAt(from).from) from--;
      if (from < to) ranges.push(Decoration.mark({class: "said-" + kind}).range(from, to));
      const line = doc.lineAt(from).from;
      if (!lines.has(line) || kind === "error") lines.set(line, new Dot(kind, said.message));
    }
    const marked = [...lines].map(([line, dot]) => dot.range(line));
    this.view.dispatch(
        {effects: [wrong.set.of(Decoration.set(ranges, true)), dots.set.of(RangeSet.of(marked, true))]});
  }
  /* What the language server says of the text as it stands: {tokens, legend, hints, lenses, folds}. */
  dress(said) {
    if (!this.doc) return;
    const {doc} = this.view.state, effects = [];
    if (said.tokens) effects.push(names.set.of(tokenMarks(doc, said.tokens, said.legend)));
    if (said.hints)
      effects.push(hints.set.of(Decoration.set(
          said.hints.map((hint) => Decoration.widget({widget: new Hint(hint.label), side: 1})
                                       .range(offsetIn(doc, hint.position))),
          true)));
    if (said.lenses) effects.push(lenses.set.of(this.lensRows(doc, said.lenses)));
    if (said.folds)
      effects.push(setFolds.of(said.folds.filter((fold) => fold.startLine < fold.endLine && fold.endLine < doc.lines)
                                   .map((fold) => foldOf(doc, fold))));
    this.view.dispatch({effects});
  }
  lensRows(doc, list) {
    const lines = new Map();
    for (const lens of list) {
      const line = doc.line(Math.min(lens.range.start.line + 1, doc.lines));
      lines.set(line.from, [...(lines.get(line.from) || []), lens.command]);
    }
    const rows = [...lines].map(([from, items]) => {
      const indent = /^ */.exec(doc.lineAt(from).text)[0].length;
      return Decoration.widget({widget: new Lens(items, indent, this.calls.lens), block: true, side: -1}).range(from);
    });
    return Decoration.set(rows, true);
  }
  find() { openSearchPanel(this.view); }
  refresh() { this.view.requestMeasure(); }
  focus() { this.view.focus(); }
}

/* Blanks up to the next even column; lines that are chosen move as a whole. */
function indentInside(view) {
  const {main} = view.state.selection;
  if (!main.empty) return indentMore(view);
  const column = main.head - view.state.doc.lineAt(main.head).from;
  view.dispatch(view.state.replaceSelection(" ".repeat(2 - column % 2)), {userEvent: "input"});
  return true;
}

/* From the end of the first line; a last line that is a closing bracket stands behind what is folded. */
function foldOf(doc, fold) {
  const first = doc.line(fold.startLine + 1), last = doc.line(fold.endLine + 1), closing = /^\s*[}\])]/.exec(last.text);
  return {from: first.to, to: closing ? last.from + closing[0].length - 1 : last.to};
}

/* Five numbers each: lines and columns from the one before, length, type and modifiers. */
function tokenMarks(doc, data, legend) {
  const marks = legend.tokenTypes.map((type) => Decoration.mark({class: "name-" + type})), ranges = [];
  let line = 0, column = 0;
  for (let i = 0; i + 4 < data.length; i += 5) {
    column = data[i] ? data[i + 1] : column + data[i + 1];
    line += data[i];
    const from = offsetIn(doc, {line, character: column}), to = Math.min(from + data[i + 2], doc.length);
    if (from < to) ranges.push(marks[data[i + 3]].range(from, to));
  }
  return Decoration.set(ranges, true);
}

export const openMirror = (parent, words, calls) => new MirrorEditor(parent, words, calls);

/* "Ctrl-S" is "Ctrl-s" for CodeMirror. */
function lowered(name) { return name.replace(/-([A-Z])$/, (all, letter) => "-" + letter.toLowerCase()); }
