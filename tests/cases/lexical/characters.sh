# Comments and strings are UTF-8 without characters that steer a terminal or turn the direction of text.
cp ../cli/small.psl "$TMP" && cd "$TMP" || exit
short() { psl check "$1" --error-format short; }
printf 'let a = "fine: \303\251 \344\275\240 \360\237\231\202"; // \303\251\r\n/* two\r\nlines */ let b = 1;\r\n// end\r' > fine.psl
short fine.psl
printf '// red \033[31m\nlet a = "bell \007 and \033";\n/* del \177 */\n/// c1 \302\233\nlet b = 1;\n' > controls.psl
psl check controls.psl
printf '// let a = 1;\rlet b = 2;\nlet c = "x\ry"; let d = "\342\200\250";\n' > returns.psl
short returns.psl
printf '/* \342\200\256 } \342\201\246 if admin \342\201\251 \342\201\246 begin */\nlet a = "user\342\200\256 \342\201\246// check\342\201\251"; // \342\200\217\nlet b = \342\200\256 1;\n' > trojan.psl
psl check trojan.psl
# overlong forms, surrogates, beyond U+10FFFF, cut off, stray, in strings, comments and elsewhere
for bytes in '\300\257' '\340\200\257' '\360\200\200\257' '\355\240\200' '\364\220\200\200' '\365\200\200\200' \
  '\303' '\344\275' '\200' '\377'; do
  printf "let a = \"x${bytes}y\";\n// x${bytes}\nlet b = 1 ${bytes} 2;\n" > bytes.psl
  short bytes.psl
done
psl run small.psl --set 'work="‮"'
psl -e "\"$(printf '\033')\""
printf 'n,ti\033me [s]\n1,2\n' > table.csv && psl fit table.csv --terms 1
printf 'n,time [\302\265s]\n1,2\n2,\265\n' > table.csv && psl fit table.csv --terms 1
printf 'PARAMETER n\nPOINTS 1 2 3\nREGION r\342\200\256m\nMETRIC time\nDATA 1\nDATA 2\nDATA 3\n' > table.txt
psl fit table.txt --terms 1
