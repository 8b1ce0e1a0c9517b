/* The text of a model: by CodeMirror where the system has it, else in a plain field.  Both have the same face: texts
 * of several files, each with its own undo, marks of what is wrong, and places as the language server counts them, in
 * lines and units of UTF-16. */

function addScript(address) {
  return new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = done;
    script.onerror = failed;
    document.head.append(script);
  });
}

function addStyle(address) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = address;
  document.head.prepend(link);
}

/* Where a place is in a text, and the other way round. */
export function offsetOf(text, place) {
  let at = 0;
  for (let line = 0; line < place.line; line++) {
    const end = text.indexOf("\n", at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  const end = text.indexOf("\n", at);
  return Math.min(at + place.character, end < 0 ? text.length : end);
}

export function textIn(text, range) { return text.slice(offsetOf(text, range.start), offsetOf(text, range.end)); }

export function placeOf(text, offset) {
  const before = text.slice(0, offset);
  return {line: before.split("\n").length - 1, character: offset - (before.lastIndexOf("\n") + 1)};
}

export function severityName(severity) { return ["", "error", "warning", "note", "note"][severity || 1]; }

/* The edits as one: all between the first and the last change. */
function joined(text, edits) {
  const sorted = edits.map(
      (edit) => ({begin: offsetOf(text, edit.range.start), end: offsetOf(text, edit.range.end), text: edit.newText}));
  sorted.sort((a, b) => a.begin - b.begin);
  const begin = sorted.length ? sorted[0].begin : 0;
  let at = begin, typed = "";
  for (const edit of sorted) {
    typed += text.slice(at, edit.begin) + edit.text;
    at = edit.end;
  }
  return {begin, end: at, text: typed};
}

/* ---- CodeMirror ---- */

function defineMode(words) {
  const known = new Set(words.filter((word) => /^[a-z]+$/.test(word)));
  window.CodeMirror.defineMode("psl", () => ({
                                        startState: () => ({comment: false}),
                                        lineComment: "//",
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
                                        },
                                      }));
}

const toMirror = (place) => ({line: place.line, ch: place.character});
const fromMirror = (place) => ({line: place.line, character: place.ch});

class MirrorEditor {
  constructor(parent, calls) {
    this.calls = calls;
    this.marks = [];
    const keys = {"Ctrl-Space": "autocomplete", Tab: (cm) => cm.execCommand("insertSoftTab"), "Shift-Tab": false};
    for (const [name, call] of Object.entries(calls.keys)) keys[name] = call;
    this.mirror = window.CodeMirror(parent, {
      lineNumbers: true,
      mode: "psl",
      indentUnit: 2,
      tabSize: 2,
      matchBrackets: true,
      readOnly: "nocursor",
      gutters: ["said", "CodeMirror-linenumbers"],
      extraKeys: keys,
      inputStyle: "contenteditable",
      screenReaderLabel: "Text of the model",
      hintOptions: {hint: (cm) => this.hints(cm), completeSingle: false, closeCharacters: /[\s()[\]{};>,]/},
    });
    /* Escape leaves the text by the keyboard, and Tab goes on from there. */
    this.mirror.addKeyMap({Esc: () => document.getElementById("problems").focus()}, true);
    this.mirror.on("change", () => {
      if (!this.setting) calls.changed();
    });
    this.mirror.on("cursorActivity", () => calls.moved(this.cursor()));
    this.mirror.on("inputRead", (cm, change) => {
      if (!cm.state.completionActive && /^[A-Za-z.=]$/.test(change.text[0])) cm.showHint();
    });
    const node = this.mirror.getWrapperElement();
    node.addEventListener("mousemove", (event) => this.hover(event));
    node.addEventListener("mouseleave", () => calls.pointed(null));
  }
  hover(event) {
    const place = this.mirror.coordsChar({left: event.clientX, top: event.clientY}, "window");
    const box = this.mirror.charCoords(place, "window");
    if (place.outside || Math.abs(event.clientX - box.left) > 20) return this.calls.pointed(null);
    return this.calls.pointed(fromMirror(place), {left: event.clientX, bottom: box.bottom});
  }
  async hints(cm) {
    const at = cm.getCursor(), items = await this.calls.complete(fromMirror(at));
    if (!items.length) return null;
    const range = items[0].textEdit ? items[0].textEdit.range : {start: fromMirror(at), end: fromMirror(at)};
    const typed = cm.getRange(toMirror(range.start), cm.getCursor());
    const list = items.filter((item) => item.label.startsWith(typed) && item.label !== typed);
    return {
      from: toMirror(range.start),
      to: cm.getCursor(),
      list: list.map((item) => ({text: item.textEdit ? item.textEdit.newText : item.label, displayText: item.label}))
    };
  }
  document(text) { return window.CodeMirror.Doc(text, "psl"); }
  show(doc) {
    this.setting = true;
    this.mirror.swapDoc(doc);
    this.mirror.setOption("readOnly", false);
    this.setting = false;
  }
  textOf(doc) { return doc.getValue(); }
  text() { return this.mirror.getValue(); }
  cursor() { return fromMirror(this.mirror.getCursor()); }
  box() {
    const c = this.mirror.cursorCoords(true, "window");
    return {left: c.left, bottom: c.bottom};
  }
  select(range, focus) {
    this.mirror.setSelection(toMirror(range.start), toMirror(range.end));
    this.mirror.scrollIntoView({from: toMirror(range.start), to: toMirror(range.end)}, 80);
    if (focus) this.mirror.focus();
  }
  apply(edits) {
    const sorted = [...edits].sort(
        (a, b) => b.range.start.line - a.range.start.line || b.range.start.character - a.range.start.character);
    this.mirror.operation(() => {
      for (const edit of sorted)
        this.mirror.replaceRange(edit.newText, toMirror(edit.range.start), toMirror(edit.range.end));
    });
  }
  applyHidden(doc, edits) {
    const one = joined(doc.getValue(), edits);
    doc.replaceRange(one.text, doc.posFromIndex(one.begin), doc.posFromIndex(one.end));
  }
  /* The state of a text in its history; undefined: it has none. */
  generation(doc) { return doc.changeGeneration(true); }
  undo(doc) { doc.undo(); }
  redo(doc) { doc.redo(); }
  mark(diagnostics) {
    this.mirror.operation(() => {
      for (const mark of this.marks) mark.clear();
      this.mirror.clearGutter("said");
      this.marks = diagnostics.map((said) => this.markOne(said));
    });
  }
  markOne(said) {
    const kind = severityName(said.severity), start = toMirror(said.range.start);
    let end = toMirror(said.range.end);
    if (start.line === end.line && start.ch === end.ch) end = {line: end.line, ch: end.ch + 1};
    const dot = document.createElement("div");
    dot.className = "said-line " + kind;
    dot.title = said.message;
    this.mirror.setGutterMarker(start.line, "said", dot);
    return this.mirror.markText(start, end, {className: "said-" + kind});
  }
  refresh() { this.mirror.refresh(); }
  focus() { this.mirror.focus(); }
}

/* ---- a plain field ---- */

class PlainEditor {
  constructor(parent, calls) {
    this.calls = calls;
    this.field = document.createElement("textarea");
    this.field.className = "plain";
    this.field.spellcheck = false;
    this.field.disabled = true;
    this.field.setAttribute("aria-label", "Text of the model");
    this.field.addEventListener("input", () => {
      this.doc.text = this.field.value;
      calls.changed();
    });
    this.field.addEventListener("keyup", () => calls.moved(this.cursor()));
    this.field.addEventListener("click", () => calls.moved(this.cursor()));
    this.field.addEventListener("keydown", (event) => this.press(event));
    parent.append(this.field);
  }
  press(event) {
    const name = (event.ctrlKey || event.metaKey ? "Ctrl-" : "") + (event.shiftKey ? "Shift-" : "") +
        (event.altKey ? "Alt-" : "") + (event.key.length === 1 ? event.key.toUpperCase() : event.key);
    const call = this.calls.keys[name];
    if (!call) return;
    event.preventDefault();
    call();
  }
  document(text) { return {text}; }
  show(doc) {
    this.doc = doc;
    this.field.disabled = false;
    this.field.value = doc.text;
  }
  textOf(doc) { return doc.text; }
  text() { return this.field.value; }
  cursor() { return placeOf(this.field.value, this.field.selectionStart); }
  box() {
    const box = this.field.getBoundingClientRect();
    return {left: box.left + 20, bottom: box.top + 20};
  }
  select(range, focus) {
    const text = this.field.value, begin = offsetOf(text, range.start);
    this.field.setSelectionRange(begin, offsetOf(text, range.end));
    this.field.scrollTop = Math.max(0, range.start.line * 19.5 - this.field.clientHeight / 3);
    if (focus) this.field.focus();
  }
  /* What is typed can be undone by the browser, and so it is typed. */
  apply(edits) {
    const one = joined(this.field.value, edits);
    this.type(one.begin, one.end, one.text);
  }
  applyHidden(doc, edits) {
    const one = joined(doc.text, edits);
    doc.text = doc.text.slice(0, one.begin) + one.text + doc.text.slice(one.end);
  }
  type(begin, end, text) {
    this.field.focus();
    this.field.setSelectionRange(begin, end);
    document.execCommand(text ? "insertText" : "delete", false, text);
  }
  generation() { return undefined; }
  undo() {
    this.field.focus();
    document.execCommand("undo");
  }
  redo() {
    this.field.focus();
    document.execCommand("redo");
  }
  mark() {}
  refresh() {}
  focus() { this.field.focus(); }
}

export async function openEditor(parent, words, mirror, calls) {
  if (!mirror) return new PlainEditor(parent, calls);
  for (const name of ["dialog.css", "show-hint.css", "codemirror.css"]) addStyle("/codemirror/" + name);
  await addScript("/codemirror/codemirror.js");
  for (const name of ["show-hint.js", "matchbrackets.js", "dialog.js", "searchcursor.js", "search.js"])
    await addScript("/codemirror/" + name);
  defineMode(words);
  return new MirrorEditor(parent, calls);
}
