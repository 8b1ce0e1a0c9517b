# NUL bytes, and what is too deep, from a pipe: an error, and the session goes on behind that input.
printf '1\nlet a = 1;\0 let b = 2;\n:set\0 x\n2\0 + 3\na\n' | psl --keep-going 2>&1
printf '1\n2 + \0\n3\n' | psl 2>&1
perl -e 'print "-" x 1200, "1\n3\n"; print "f(" x 30000, "\n1\n", ")\n" x 30000, "4\n"; print "let x = ", "-" x 1200, "1;\n5\n";
  print "(" x 1200, "6", ")" x 1200, "\n"' | psl --keep-going --error-format short 2>&1
