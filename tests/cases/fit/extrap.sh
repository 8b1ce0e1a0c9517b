# Extra-P's text format: what it is refused for, with its place.
head='PARAMETER p\nPOINTS 1 2 4\n'
try() {
  printf "$1" > "$TMP/data.txt"
  shift
  (cd "$TMP" && psl fit data.txt --terms '1,p' "$@")
}
try "${head}REGION a\nDATA 1\nDATA 2.1\nDATA 4\n" --format psl
try "${head}REGION a\nDATA 1\nDATA 2e0\nDATA 4\n"
try "${head}REGION a\nDATA 1\nDATA .5\nDATA 4\n"
try "${head}REGION a\nDATA 1\nDATA two\nDATA 4\n"
try "${head}REGION a\nDATA 1\nDATA 2\n"
try "${head}REGION a\nDATA 1\nDATA 2\nREGION b\nDATA 1\nDATA 2\nDATA 3\n"
try "${head}REGION a\nDATA 1\nDATA 2\nDATA 3\nDATA 4\n"
try "${head}DATA 1\nDATA\nDATA 3\n"
try "${head}REGION\nDATA 1\n"
try "${head}REGION a\nMETRIC \nDATA 1\n"
try "${head}REGION a\n"
try "${head}EXPERIMENT a\n"
try "${head}REGOIN a\n"
try 'PARAMETER \nPOINTS 1\n'
try 'PARAMETER p p\nPOINTS 1\n'
try 'PARAMETER p\nDATA 1\n'
try 'PARAMETER p\nPOINTS\nDATA 1\n'
try 'PARAMETER p\nPOINTS 1e5 2\nDATA 1\n'
try 'PARAMETER p\nPOINTS (1 2)\nDATA 1\n'
try 'PARAMETER p\nPOINTS (1\nDATA 1\n'
try 'PARAMETER p q\nPOINTS 1 2\nDATA 1\n'
try 'PARAMETER p q\nPOINTS (1 2) ((3) (4)) (5)\nDATA 1\n'
try 'PARAMETER p\nPOINTS 1 2\nPARAMETER q\nDATA 1\n'
try 'PARAMETER p\nPOINTS 1 2\nDATA 1\nPOINTS 3\nDATA 2\n'
try "${head}REGION a\nDATA 1\nDATA 2\nDATA 4\n" --region b
try "${head}REGION a\nDATA 1\nDATA 2\nDATA 4\n" --column time
true
