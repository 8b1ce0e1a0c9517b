" Settings for PSL; under Neovim the language server is started, but where g:psl_no_server is set.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1
setlocal comments=:///,:// commentstring=//\ %s
setlocal formatoptions-=t formatoptions+=croql
setlocal iskeyword+=-
let b:undo_ftplugin = 'setlocal comments< commentstring< formatoptions< iskeyword<'
if has('nvim') && !get(g:, 'psl_no_server')
  lua require('poems').attach()
endif
