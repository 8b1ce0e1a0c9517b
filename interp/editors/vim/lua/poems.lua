-- Starts `psl lsp` for Neovim from 0.7 on, one for each folder, and attaches buffers to it.
local M = {}
local clients = {}

-- What the server's code lenses run is shown in a window below.
local function show(_, result)
  if type(result) ~= 'table' or not result.output then return end
  vim.cmd('botright new')
  vim.bo.buftype, vim.bo.bufhidden, vim.bo.swapfile = 'nofile', 'wipe', false
  vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(result.output, '\n'))
end

-- What Neovim sets by itself from 0.8 and 0.10 on: CTRL-X CTRL-O completes, CTRL-] goes to a declaration, K says what a
-- name is.
local function set_keys(buffer)
  vim.bo[buffer].omnifunc = 'v:lua.vim.lsp.omnifunc'
  vim.bo[buffer].tagfunc = 'v:lua.vim.lsp.tagfunc'
  if vim.fn.maparg('K', 'n') == '' then
    vim.api.nvim_buf_set_keymap(buffer, 'n', 'K', '<Cmd>lua vim.lsp.buf.hover()<CR>', { noremap = true })
  end
end

function M.attach(buffer)
  buffer = buffer or vim.api.nvim_get_current_buf()
  local file = vim.api.nvim_buf_get_name(buffer)
  local folder = vim.fn.fnamemodify(file ~= '' and file or vim.fn.getcwd(), ':p:h')
  local command = vim.g.psl_command or { 'psl', 'lsp' }
  if vim.fn.executable(command[1]) == 0 then return end
  if not clients[folder] then
    clients[folder] = vim.lsp.start_client({
      name = 'psl',
      cmd = command,
      root_dir = folder,
      workspace_folders = { { uri = vim.uri_from_fname(folder), name = folder } },
      handlers = { ['workspace/executeCommand'] = show },
      on_exit = function() clients[folder] = nil end,
    })
  end
  if not clients[folder] then return end
  vim.lsp.buf_attach_client(buffer, clients[folder])
  set_keys(buffer)
end

return M
