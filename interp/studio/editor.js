/* The text of a model: by CodeMirror (mirror.js) where psl was built with it, else in a plain field.  Both have the
 * same face: texts of several files, each with its own undo, marks of what is wrong, and places as the language server
 * counts them, in lines and units of UTF-16. */

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
  moveBox() {} /* the browser's history is of text alone */
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
  const editor =
      mirror ? (await import("./mirror.js")).openMirror(parent, words, calls) : new PlainEditor(parent, calls);
  parent.editor = editor; /* for tests of the page */
  return editor;
}
