/* What the language server knows of the text that is shown, beside what is wrong with it: how it looks, where a name is
 * used, what may be done at a place. */
import {severityName} from "./editor.js";

const $ = (id) => document.getElementById(id);

function element(name, properties = {}, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}

const before = (a, b) => a.line < b.line || a.line === b.line && a.character <= b.character;

/* A list below the text, of what can be pressed: {text, press, disabled}. */
function list(title, items) {
  $("found").querySelector("h2").textContent = title;
  $("found").querySelector("ul").replaceChildren(...items.map(({text, press, disabled}) => {
    const button = element("button", {textContent: text, disabled: !!disabled});
    button.addEventListener("click", press);
    return element("li", {}, button);
  }));
  $("found").hidden = false;
  const first = $("found").querySelector("li button:not(:disabled)");
  if (first) first.focus();
}

/* `asked` asks the language server about the model that is shown, `standing` gives what says whether the text is still
 * that one; `go` shows a place of a file, `edit` does an edit, `named` says how a file is called, `lineOf` what stands
 * in a line of one. */
export class Assist {
  constructor(calls) {
    this.calls = calls;
    $("found-close").addEventListener("click", () => this.close());
    $("found").addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
  }
  close() {
    $("found").hidden = true;
    this.calls.editor().focus();
  }
  /* Colours of names, types, lenses and folds of the text as it stands. */
  async dress() {
    if (!this.calls.editor().dress) return; /* a plain field */
    const {asked, standing, editor, legend} = this.calls, stands = standing();
    const all = {start: {line: 0, character: 0}, end: {line: 1 << 30, character: 0}};
    const [tokens, hints, folds] = await Promise.all([
      asked("textDocument/semanticTokens/full"), asked("textDocument/inlayHint", {range: all}),
      asked("textDocument/foldingRange")
    ].map((answer) => answer.catch(() => null)));
    /* Last: where requests go is given up for what is asked meanwhile. */
    const lenses = await asked("textDocument/codeLens").catch(() => null);
    if (!stands()) return;
    /* A check is what is marked in the text and listed below it all the time. */
    const shown = lenses && lenses.filter((lens) => lens.command && lens.command.command !== "psl.check");
    editor().dress({tokens: tokens && tokens.data, legend: legend(), hints, lenses: shown, folds});
  }
  signature(place) { return this.calls.asked("textDocument/signatureHelp", {position: place}).catch(() => null); }
  /* What is known of a name that completion offers. */
  async known(item) {
    const answer = await this.calls.asked("completionItem/resolve", item).catch(() => null);
    const text = answer && answer.documentation && (answer.documentation.value || answer.documentation);
    return text ? element("div", {className: "known", textContent: text}) : null;
  }
  async references() {
    const {asked, editor, go, named, lineOf} = this.calls;
    const places = await asked(
        "textDocument/references", {position: editor().cursor(), context: {includeDeclaration: true}});
    if (!places || !places.length) return list("Nothing is called so here", []);
    return list(`Where it is used: ${places.length}`, places.map(({uri, range}) => {
      const {name, path} = named(uri), line = path === null ? "" : lineOf(path, range.start.line).trim();
      return {
        text: `${name}, line ${range.start.line + 1}${line ? ": " + line : ""}`,
        press: () => go(path, range),
        disabled: path === null
      };
    }));
  }
  /* What may be done about what is wrong at the cursor, or else in its line. */
  async actions() {
    const {asked, editor, problems, edit} = this.calls, at = editor().cursor();
    const here = problems().filter(({range}) => before(range.start, at) && before(at, range.end));
    const near = here.length ? here : problems().filter(({range}) => range.start.line === at.line);
    const offers = [];
    for (const one of near) {
      const context = {diagnostics: [{...one, relatedInformation: undefined}]};
      for (const action of await asked("textDocument/codeAction", {range: one.range, context}) || [])
        if (action.edit) offers.push({text: `${action.title} (${severityName(one.severity)})`, press: () => {
                         this.close();
                         edit(action.edit);
                       }});
    }
    return list(offers.length ? "What can be done here" : "Nothing can be done here", offers);
  }
}
