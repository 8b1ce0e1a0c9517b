// What the extension takes of VS Code, as far as a test needs it: values that keep what they are made of, and an editor
// with one text whose providers the test can ask.
'use strict';

class Value {
  constructor(...parts) {
    this.constructor.fields.forEach((name, i) => {
      if (parts[i] !== undefined) this[name] = parts[i];
    });
  }
}
const value = (...fields) => {
  const made = class extends Value {};
  made.fields = fields;
  return made;
};

const listeners = {};
const providers = {};
const commands = {};
const diagnostics = new Map();
const shown = [];
const on = (name) => (listener) => {
  listeners[name] = listener;
  return { dispose() {} };
};
const register = (name) => (selector, provider) => {
  providers[name] = provider || selector;
  return { dispose() {} };
};

class WorkspaceEdit {
  constructor() {
    this.edits = [];
  }
  set(uri, edits) {
    this.edits.push({ uri: uri.toString(), edits });
  }
}

const names = [
  'Hover', 'Definition', 'Reference', 'DocumentHighlight', 'Rename', 'CompletionItem', 'SignatureHelp', 'DocumentSymbol',
  'WorkspaceSymbol', 'DocumentFormattingEdit', 'FoldingRange', 'InlayHints', 'DocumentSemanticTokens', 'CodeActions',
  'CodeLens',
];
const languages = {
  createDiagnosticCollection: () => ({
    set(uri, list) {
      diagnostics.set(uri.toString(), list);
      if (listeners.said) listeners.said();
    },
    clear() {},
  }),
};
for (const name of names) languages[`register${name}Provider`] = register(name);

module.exports = {
  Position: value('line', 'character'),
  Range: value('start', 'end'),
  Location: value('uri', 'range'),
  TextEdit: value('range', 'newText'),
  MarkdownString: value('value'),
  Hover: value('contents', 'range'),
  Diagnostic: value('range', 'message', 'severity'),
  DiagnosticRelatedInformation: value('location', 'message'),
  DocumentSymbol: value('name', 'detail', 'kind', 'range', 'selectionRange'),
  SymbolInformation: value('name', 'kind', 'containerName', 'location'),
  DocumentHighlight: value('range', 'kind'),
  CompletionItem: value('label', 'kind'),
  SignatureHelp: value(),
  SignatureInformation: value('label', 'documentation'),
  ParameterInformation: value('label'),
  CodeAction: value('title', 'kind'),
  CodeLens: value('range', 'command'),
  FoldingRange: value('start', 'end', 'kind'),
  InlayHint: value('position', 'label', 'kind'),
  SemanticTokens: value('data'),
  SemanticTokensLegend: value('tokenTypes', 'tokenModifiers'),
  CodeActionKind: { QuickFix: 'quickfix' },
  FoldingRangeKind: { Comment: 'comment' },
  WorkspaceEdit,
  Uri: { parse: (text) => ({ toString: () => text, toJSON: () => text.replace(/.*\//, '') }) },
  languages,
  commands: {
    registerCommand(name, run) {
      commands[name] = run;
      return { dispose() {} };
    },
  },
  window: {
    createOutputChannel: () => ({ clear() {}, show() {}, append: (text) => shown.push(text), dispose() {} }),
    showErrorMessage: (text) => shown.push(text),
  },
  workspace: {
    getConfiguration: () => ({ get: () => ['psl', 'lsp'] }),
    workspaceFolders: undefined,
    textDocuments: [],
    onDidOpenTextDocument: on('open'),
    onDidChangeTextDocument: on('change'),
    onDidSaveTextDocument: on('save'),
    onDidCloseTextDocument: on('close'),
  },
  test: { listeners, providers, commands, diagnostics, shown },
};
