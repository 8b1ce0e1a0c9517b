" The name psl is taken in Vim by a language for properties of hardware, whose files end alike.
autocmd BufRead,BufNewFile *.psl set filetype=poems
