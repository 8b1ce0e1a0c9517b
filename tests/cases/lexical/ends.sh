# A text that ends where help would look further: nothing behind its end is read, which a sanitized build sees.
for text in f '/* 15 long */ f' 'transaction go();component c{body:' 'let a' 'param a' 'assert 1' 'assert 1 == 1 or' 'component c { body: x' 'let a = 1' 'param p :'; do
  printf '%s' "$text" > $TMP/end.psl
  psl check $TMP/end.psl 2>&1 | sed -n "s|$TMP/||; 1p"
done
