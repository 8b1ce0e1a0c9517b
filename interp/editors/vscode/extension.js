// A client of `psl lsp` for VS Code that needs no other package: it starts the server, tells it of the texts, and asks
// it whenever the editor asks. What the protocol and the editor call alike is passed on as it is.
'use strict';
const childProcess = require('child_process');
const vscode = require('vscode');

// ---- messages ----

class Connection {
  constructor(command, options, ended) {
    this.next = 1;
    this.waiting = new Map();
    this.input = Buffer.alloc(0);
    this.listeners = new Map();
    this.process = childProcess.spawn(command[0], command.slice(1), options);
    this.process.stdout.on('data', (data) => this.take(data));
    this.process.stdin.on('error', () => {});
    this.process.on('error', (error) => this.end(error, ended));
    this.process.on('exit', (code) => this.end(code ? new Error(`psl lsp has ended with ${code}`) : null, ended));
  }

  end(error, ended) {
    for (const { reject } of this.waiting.values()) reject(error || new Error('psl lsp has ended'));
    this.waiting.clear();
    ended(error);
  }

  take(data) {
    this.input = Buffer.concat([this.input, data]);
    for (;;) {
      const head = this.input.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/Content-Length: *(\d+)/i.exec(this.input.toString('latin1', 0, head))[1]);
      if (this.input.length < head + 4 + length) return;
      const body = this.input.toString('utf8', head + 4, head + 4 + length);
      this.input = this.input.subarray(head + 4 + length);
      this.hear(JSON.parse(body));
    }
  }

  hear(message) {
    if (message.method) {
      const listener = this.listeners.get(message.method);
      if (listener) listener(message.params);
      if (message.id !== undefined) this.send({ id: message.id, result: null });
      return;
    }
    const request = this.waiting.get(message.id);
    if (!request) return;
    this.waiting.delete(message.id);
    if (message.error) request.reject(new Error(message.error.message));
    else request.resolve(message.result);
  }

  send(message) {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }), 'utf8');
    this.process.stdin.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
  }

  notify(method, params) {
    this.send({ method, params });
  }

  request(method, params, token) {
    const id = this.next++;
    if (token) token.onCancellationRequested(() => this.notify('$/cancelRequest', { id }));
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.send({ id, method, params });
    });
  }
}

// ---- from the protocol to the editor ----

const position = (p) => new vscode.Position(p.line, p.character);
const range = (r) => new vscode.Range(position(r.start), position(r.end));
const location = (l) => new vscode.Location(vscode.Uri.parse(l.uri), range(l.range));
const textEdit = (e) => new vscode.TextEdit(range(e.range), e.newText);
const markdown = (text) => new vscode.MarkdownString(text);

function workspaceEdit(edit) {
  const out = new vscode.WorkspaceEdit();
  for (const [uri, edits] of Object.entries(edit.changes)) out.set(vscode.Uri.parse(uri), edits.map(textEdit));
  return out;
}

function diagnostic(d) {
  const out = new vscode.Diagnostic(range(d.range), d.message, d.severity - 1); // the editor counts from 0
  out.source = d.source;
  out.relatedInformation = (d.relatedInformation || []).map(
    (i) => new vscode.DiagnosticRelatedInformation(location(i.location), i.message),
  );
  return out;
}

function symbol(s) {
  const out = new vscode.DocumentSymbol(s.name, s.detail || '', s.kind - 1, range(s.range), range(s.selectionRange));
  out.children = (s.children || []).map(symbol);
  return out;
}

function completionItem(i) {
  const out = new vscode.CompletionItem(i.label, i.kind - 1);
  out.range = range(i.textEdit.range);
  out.insertText = i.textEdit.newText;
  out.asked = i;
  return out;
}

function signatureHelp(found) {
  const out = new vscode.SignatureHelp();
  out.signatures = found.signatures.map((s) => {
    const signature = new vscode.SignatureInformation(s.label, s.documentation);
    signature.parameters = s.parameters.map((p) => new vscode.ParameterInformation(p.label));
    return signature;
  });
  out.activeSignature = found.activeSignature;
  out.activeParameter = found.activeParameter;
  return out;
}

function codeAction(a) {
  const out = new vscode.CodeAction(a.title, vscode.CodeActionKind.QuickFix);
  out.edit = workspaceEdit(a.edit);
  out.diagnostics = a.diagnostics.map(diagnostic);
  out.isPreferred = a.isPreferred;
  return out;
}

function codeLens(l) {
  const { title, command } = l.command;
  return new vscode.CodeLens(range(l.range), { title, command, arguments: l.command.arguments });
}

// ---- the life of the client ----

let connection = null;

const document = (d) => ({ textDocument: { uri: d.uri.toString() } });
const place = (d, p) => ({ ...document(d), position: { line: p.line, character: p.character } });
const isModel = (d) => d.languageId === 'psl';

// Passes texts on, whole where the editor gives no ranges.
function followTexts(subscriptions) {
  const open = (d) => {
    if (!isModel(d)) return;
    const text = { uri: d.uri.toString(), languageId: 'psl', version: d.version, text: d.getText() };
    connection.notify('textDocument/didOpen', { textDocument: text });
  };
  vscode.workspace.textDocuments.forEach(open);
  subscriptions.push(
    vscode.workspace.onDidOpenTextDocument(open),
    vscode.workspace.onDidChangeTextDocument((e) => {
      if (!isModel(e.document) || !e.contentChanges.length) return;
      connection.notify('textDocument/didChange', {
        textDocument: { uri: e.document.uri.toString(), version: e.document.version },
        contentChanges: e.contentChanges.map((c) => ({ range: c.range, text: c.text })),
      });
    }),
    vscode.workspace.onDidSaveTextDocument((d) => {
      if (isModel(d)) connection.notify('textDocument/didSave', document(d));
    }),
    vscode.workspace.onDidCloseTextDocument((d) => {
      if (isModel(d)) connection.notify('textDocument/didClose', document(d));
    }),
  );
}

// Asks; where there is no answer, or the server refuses, the editor is told so.
async function ask(method, params, convert, token) {
  const answer = await connection.request(method, params, token);
  return answer === null ? null : convert(answer);
}

// Of what the editor gives a provider, that by which it cancels what it asks.
const tokenOf = (given) => given.find((value) => value && value.onCancellationRequested);
const all = (convert) => (list) => list.map(convert);

function registerProviders(subscriptions, legend) {
  const models = { language: 'psl' };
  const l = vscode.languages;
  const at = (method, convert) => (d, p, ...rest) =>
    ask(`textDocument/${method}`, place(d, p), convert, tokenOf(rest));
  const of = (method, convert) => (d, ...rest) =>
    ask(`textDocument/${method}`, document(d), convert, tokenOf(rest));
  const hover = (h) => new vscode.Hover(markdown(h.contents.value), range(h.range));
  subscriptions.push(
    l.registerHoverProvider(models, { provideHover: at('hover', hover) }),
    l.registerDefinitionProvider(models, { provideDefinition: at('definition', location) }),
    l.registerReferenceProvider(models, {
      provideReferences: (d, p, context, token) =>
        ask('textDocument/references', { ...place(d, p), context }, all(location), token),
    }),
    l.registerDocumentHighlightProvider(models, {
      provideDocumentHighlights: at(
        'documentHighlight',
        all((h) => new vscode.DocumentHighlight(range(h.range), h.kind - 1)),
      ),
    }),
    l.registerRenameProvider(models, {
      prepareRename: at('prepareRename', range),
      provideRenameEdits: (d, p, newName, token) =>
        ask('textDocument/rename', { ...place(d, p), newName }, workspaceEdit, token),
    }),
    l.registerCompletionItemProvider(
      models,
      {
        provideCompletionItems: at('completion', (list) => list.items.map(completionItem)),
        resolveCompletionItem: async (item, token) => {
          const known = await connection.request('completionItem/resolve', item.asked, token);
          if (known.documentation) item.documentation = known.documentation.value;
          return item;
        },
      },
      '.',
      '=',
      ':',
    ),
    l.registerSignatureHelpProvider(models, { provideSignatureHelp: at('signatureHelp', signatureHelp) }, '(', ','),
    l.registerDocumentSymbolProvider(models, { provideDocumentSymbols: of('documentSymbol', all(symbol)) }),
    l.registerWorkspaceSymbolProvider({
      provideWorkspaceSymbols: (query, token) =>
        ask(
          'workspace/symbol',
          { query },
          all((s) => new vscode.SymbolInformation(s.name, s.kind - 1, s.containerName || '', location(s.location))),
          token,
        ),
    }),
    l.registerDocumentFormattingEditProvider(models, {
      provideDocumentFormattingEdits: of('formatting', all(textEdit)),
    }),
    l.registerFoldingRangeProvider(models, {
      provideFoldingRanges: of(
        'foldingRange',
        all((f) => {
          const kind = f.kind ? vscode.FoldingRangeKind.Comment : undefined;
          return new vscode.FoldingRange(f.startLine, f.endLine, kind);
        }),
      ),
    }),
    l.registerInlayHintsProvider(models, {
      provideInlayHints: (d, r, token) =>
        ask(
          'textDocument/inlayHint',
          { ...document(d), range: r },
          all((h) => new vscode.InlayHint(position(h.position), h.label, h.kind)),
          token,
        ),
    }),
    l.registerDocumentSemanticTokensProvider(
      models,
      {
        provideDocumentSemanticTokens: of(
          'semanticTokens/full',
          (t) => new vscode.SemanticTokens(Uint32Array.from(t.data)),
        ),
      },
      new vscode.SemanticTokensLegend(legend.tokenTypes, legend.tokenModifiers),
    ),
    l.registerCodeActionsProvider(models, {
      provideCodeActions: (d, r, context, token) =>
        ask('textDocument/codeAction', { ...document(d), range: r, context: { diagnostics: [] } }, all(codeAction), token),
    }),
    l.registerCodeLensProvider(models, { provideCodeLenses: of('codeLens', all(codeLens)) }),
  );
}

// What the server's lenses run goes to a channel of its own.
function registerCommands(subscriptions, commands) {
  const channel = vscode.window.createOutputChannel('PSL');
  const run = (command) => async (uri, name) => {
    channel.clear();
    channel.show(true);
    const result = await connection.request('workspace/executeCommand', { command, arguments: [uri, name] });
    channel.append(result.output);
  };
  subscriptions.push(channel, ...commands.map((command) => vscode.commands.registerCommand(command, run(command))));
}

async function activate(context) {
  const command = vscode.workspace.getConfiguration('psl').get('command');
  const folders = (vscode.workspace.workspaceFolders || []).map((f) => ({ uri: f.uri.toString(), name: f.name }));
  const cwd = folders.length ? vscode.workspace.workspaceFolders[0].uri.fsPath : undefined;
  const diagnostics = vscode.languages.createDiagnosticCollection('psl');
  const { subscriptions } = context;
  let leaving = false;
  connection = new Connection(command, { cwd }, (error) => {
    diagnostics.clear();
    if (error && !leaving) vscode.window.showErrorMessage(`psl lsp cannot be used: ${error.message}`);
  });
  connection.listeners.set('textDocument/publishDiagnostics', (p) =>
    diagnostics.set(vscode.Uri.parse(p.uri), p.diagnostics.map(diagnostic)),
  );
  const { capabilities } = await connection.request('initialize', {
    processId: process.pid,
    workspaceFolders: folders,
    capabilities: {},
  });
  connection.notify('initialized', {});
  followTexts(subscriptions);
  registerProviders(subscriptions, capabilities.semanticTokensProvider.legend);
  registerCommands(subscriptions, capabilities.executeCommandProvider.commands);
  subscriptions.push(diagnostics, { dispose: () => (leaving = true) });
}

async function deactivate() {
  if (!connection) return;
  await connection.request('shutdown', null);
  connection.notify('exit', null);
}

module.exports = { activate, deactivate };
