# Neovim with the plugin: it starts the server by itself, shows diagnostics, hover, completion, and lays a text out; what is
# coloured and how lines are indented.
made=$(dirname "$(command -v psl)")/editors/vim
cd "$TMP"
printf 'param workers:int=8;\nlet each : time = wrokers * 1 s;\n' > model.psl
cat > ask.lua <<'END'
vim.o.runtimepath = vim.env.MADE .. ',' .. vim.o.runtimepath
vim.cmd('filetype plugin indent on | syntax on | edit model.psl')
local function wait(what, condition)
  if not vim.wait(60000, condition, 20) then print('no answer: ' .. what) end
end
local function say(...) io.write(table.concat({ ... }, ' '), '\n') end
say('type', vim.bo.filetype)
wait('the server', function() return #vim.lsp.buf_get_clients(0) > 0 or next(vim.lsp.buf_get_clients(0)) end)
wait('diagnostics', function() return #vim.diagnostic.get(0) > 0 end)
say('keys', vim.bo.omnifunc, vim.bo.tagfunc, vim.fn.maparg('K', 'n'))
for _, d in ipairs(vim.diagnostic.get(0)) do say('diagnostic', d.lnum + 1 .. ':' .. d.col + 1, (d.message:gsub('\n', ' | '))) end
vim.api.nvim_buf_set_lines(0, 1, 2, false, { 'let each : time = workers * 1 s;' })
wait('no diagnostics', function() return #vim.diagnostic.get(0) == 0 end)
local function ask(method, line, character)
  local params = { textDocument = vim.lsp.util.make_text_document_params(), position = { line = line, character = character } }
  local answers = vim.lsp.buf_request_sync(0, method, params, 60000)
  for _, answer in pairs(answers) do return answer.result end
end
say('hover', (ask('textDocument/hover', 1, 5).contents.value:gsub('\n', ' ')))
for _, item in ipairs(ask('textDocument/completion', 1, 20).items) do say('completion', item.label) end
vim.lsp.buf.formatting_sync(nil, 60000)
say('layout', vim.fn.getline(1))
local function colour(line, column) return vim.fn.synIDattr(vim.fn.synID(line, column, 1), 'name') end
vim.api.nvim_buf_set_lines(0, 0, -1, false, {
  'component worker {', 'accepts:', 'profile = { node type = box };', 'protocol = call-return;', 'body:', 'hold 3 ms / 2; // so',
  'if true {', 'hold sqrt(4) * 1 s;', '}', 'requests:', 'store(amount):', 'selector = { };', '}', 'let x : time = 2 s;' })
vim.cmd('silent normal! gg=G')
for number = 1, vim.fn.line('$') do say('|' .. vim.fn.getline(number)) end
for _, at in ipairs({ { 1, 1 }, { 2, 3 }, { 4, 16 }, { 6, 10 }, { 6, 12 }, { 6, 21 }, { 7, 8 }, { 8, 12 }, { 14, 9 } }) do
  say('colour', at[1] .. ':' .. at[2], vim.fn.getline(at[1]):sub(at[2], at[2] + 3), colour(at[1], at[2]))
end
vim.cmd('qall!')
END
MADE=$made HOME=$TMP XDG_CONFIG_HOME=$TMP XDG_STATE_HOME=$TMP XDG_DATA_HOME=$TMP XDG_CACHE_HOME=$TMP \
  timeout 100 nvim --headless -u NONE -i NONE -n -S ask.lua 2>&1 | grep -v '^$'
