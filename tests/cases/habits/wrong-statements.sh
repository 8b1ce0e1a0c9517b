# Lines of bodies as other languages have them: each is told what is written here. A line stands where `LINE` is.
try() {
  for line; do
    echo "== $line"
    awk -v line="$line" '{ sub(/LINE/, ""); print } /body:/ && !done { print line; done = 1 }' wrong-statements.model |
      psl check - 2>&1 | awk '/error|warning|help|note/'
  done
}
try 'n == 1;' 'let a = 1, b = 2;' 'this-actor::execute(1);' 'scheduleAt(clock + 5, n);' \
  'hold .5 s;' 'hold 5. s;' "hold 1'000 ms;" 'hold if n > 0 then 1 s;' 'if n is 0 { hold 1 s; }' \
  'if n ne 0 { hold 1 s; }' 'assert(n == 0, "why");' 'one of { 0.3: { hold 1 s; } 0.7: { hold 2 s; } }' \
  'first of { call work(1 s); hold 2 s; }' 'first of { hold 1 s, hold 2 s }' '-- comment' '% comment' "' comment" \
  'hold exponential 5 ms;' 'let a = [i ^ 2 for i in 1 .. 3];'
try 'hold 5 ms + 3 MB;' 'hold 5 MB;' 'hold max(1 s, 2);' 'hold uniform(1 s, 2);' 'hold 1 s mod 2 s;' \
  'if n { hold 1 s; }' 'if demand { hold 1 s; }' 'hold demand.p95;' 'let a = [1 s, 2 s]; hold a;' 'hold ms(5);' \
  'n = exponential(2);' 'n = uniform(1, 6);' 'let a = 3 ms .. 5;'
