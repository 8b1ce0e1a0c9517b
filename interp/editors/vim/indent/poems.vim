" Indentation of PSL as psl fmt has it: two blanks in braces, parts of a component in it, what is in a part below that.
if exists('b:did_indent')
  finish
endif
let b:did_indent = 1
setlocal indentexpr=PslIndent(v:lnum)
setlocal indentkeys=0},0),!^F,o,O,:,<:>
setlocal expandtab shiftwidth=2 softtabstop=2
let b:undo_indent = 'setlocal indentexpr< indentkeys< expandtab< shiftwidth< softtabstop<'

if exists('*PslIndent')
  finish
endif

" The line whose brace is open at the head of a line; 0: none is.
function s:Open(line) abort
  let depth = 0
  for number in range(a:line - 1, 1, -1)
    let text = substitute(getline(number), '//.*', '', '')
    for place in range(strlen(text) - 1, 0, -1)
      if text[place] ==# '}'
        let depth += 1
      elseif text[place] ==# '{'
        if depth == 0
          return number
        endif
        let depth -= 1
      endif
    endfor
  endfor
  return 0
endfunction

" The last line before one that begins a part, behind the brace that is open there.
function s:Part(line, open) abort
  for number in range(a:line - 1, a:open + 1, -1)
    if getline(number) =~# '^\s*\%(accepts\|body\|requests\)\s*:' && s:Open(number) == a:open
      return number
    endif
  endfor
  return 0
endfunction

function PslIndent(line) abort
  let text = getline(a:line)
  let open = s:Open(a:line)
  if text =~# '^\s*}'
    return open ? indent(open) : 0
  endif
  let base = open ? indent(open) + shiftwidth() : 0
  if text =~# '^\s*\%(accepts\|body\|requests\)\s*:'
    return base
  endif
  let part = s:Part(a:line, open)
  if !part
    return base
  endif
  let inside = indent(part) + shiftwidth()
  if getline(part) !~# '^\s*requests\s*:' || text =~# '^\s*[a-zA-Z][a-zA-Z0-9_-]*\s*\%((.*)\)\=\s*:\s*$'
    return inside
  endif
  " Clauses of a request stand below its label.
  for number in range(a:line - 1, part + 1, -1)
    if getline(number) =~# '^\s*[a-zA-Z][a-zA-Z0-9_-]*\s*\%((.*)\)\=\s*:\s*$'
      return inside + shiftwidth()
    endif
  endfor
  return inside
endfunction
