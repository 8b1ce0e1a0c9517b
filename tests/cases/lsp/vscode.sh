# The extension of VS Code against an editor that the test plays (tests/lib/node/vscode.js): each of its providers is asked.
# That it is packed whole, and that its files are what they say, is seen, too.
extension=$(dirname "$(command -v psl)")/editors/vscode
pack=$PWD/../../../interp/editors/pack
export NODE_PATH=$PWD/../../lib/node
cd "$TMP"
cat > test.js <<'END'
const vscode = require('vscode');
const fs = require('fs');
const extension = require(process.argv[2] + '/extension.js');
const { listeners, providers, commands, diagnostics, shown } = vscode.test;
const uri = 'file://' + process.cwd() + '/model.psl';
let text = 'param workers : int = 3;\nlet each = wrokers * 1 s;\nfunction twice(x : real) = 2 * x;\n' +
  'component worker {\n  accepts:\n    profile = { kind = box };\n    transaction = work();\n    protocol = call-return;\n' +
  '  body:\n    hold twice(2) * each;\n}\nsystem main {\n  requests:\n    selector = { kind = box };\n' +
  '    transaction = work();\n    protocol = call-return;\n}\n';
const d = { uri: vscode.Uri.parse(uri), languageId: 'psl', version: 1, getText: () => text };
const said = () => new Promise((resolve) => (listeners.said = resolve));
const say = (what, value) => console.log(what, JSON.stringify(value));
const p = (line, character) => ({ line, character });
const token = { onCancellationRequested() {} };
(async () => {
  fs.writeFileSync('model.psl', text);
  await extension.activate({ subscriptions: [] });
  listeners.open(d);
  await said();
  say('diagnostics', diagnostics.get(uri));
  const everything = { start: p(0, 0), end: p(99, 0) };
  say('actions', await providers.CodeActions.provideCodeActions(d, everything, {}, token));
  text = text.replace('wrokers', 'workers');
  d.version = 2;
  listeners.change({ document: d, contentChanges: [{ range: { start: p(1, 11), end: p(1, 18) }, text: 'workers' }] });
  await said();
  say('diagnostics', diagnostics.get(uri));
  say('hover', await providers.Hover.provideHover(d, p(1, 13), token));
  say('definition', await providers.Definition.provideDefinition(d, p(1, 13), token));
  say('references', await providers.Reference.provideReferences(d, p(1, 13), { includeDeclaration: true }, token));
  say('highlights', await providers.DocumentHighlight.provideDocumentHighlights(d, p(1, 13), token));
  say('rename', await providers.Rename.prepareRename(d, p(1, 13), token));
  say('rename', await providers.Rename.provideRenameEdits(d, p(1, 13), 'clerks', token));
  await providers.Rename.provideRenameEdits(d, p(1, 13), '3', token).catch((e) => say('rename', e.message));
  const items = await providers.CompletionItem.provideCompletionItems(d, p(1, 16), token, {});
  say('completion', items.map((i) => [i.label, i.kind, i.insertText]));
  say('resolve', (await providers.CompletionItem.resolveCompletionItem(items[0], token)).documentation);
  say('signature', await providers.SignatureHelp.provideSignatureHelp(d, p(9, 15), token, {}));
  say('symbols', (await providers.DocumentSymbol.provideDocumentSymbols(d, token)).map((s) => [s.name, s.kind, s.children.length]));
  say('workspace', await providers.WorkspaceSymbol.provideWorkspaceSymbols('wrkr', token));
  say('layout', await providers.DocumentFormattingEdit.provideDocumentFormattingEdits(d, {}, token));
  say('folds', await providers.FoldingRange.provideFoldingRanges(d, {}, token));
  say('hints', await providers.InlayHints.provideInlayHints(d, everything, token));
  say('tokens', Array.from((await providers.DocumentSemanticTokens.provideDocumentSemanticTokens(d, token)).data).slice(0, 10));
  say('lenses', await providers.CodeLens.provideCodeLenses(d, token));
  fs.writeFileSync('model.psl', text);
  listeners.save(d);
  await commands['psl.check'](uri, 'main');
  say('shown', shown);
  listeners.close(d);
  await extension.deactivate();
})();
END
node test.js "$extension" | sed "s|file://$TMP/||g"
for file in package.json language-configuration.json snippets/psl.json syntaxes/psl.tmLanguage.json; do
  node -e 'JSON.parse(require("fs").readFileSync(process.argv[1]))' "$extension/$file" || echo "$file is no JSON"
done
"$pack" 0.1.0 "$extension" one.vsix && "$pack" 0.1.0 "$extension" two.vsix && cmp one.vsix two.vsix
perl -MIO::Uncompress::Unzip=:all -e '$u = IO::Uncompress::Unzip->new($ARGV[0]); do { print $u->getHeaderInfo->{Name}, "\n" } while $u->nextStream == 1' one.vsix
