# The brace of a component that is like another is missing: one error, whatever is declared next.
cd "$TMP" || exit 1
for next in 'component d like fcfs-station { param service = 1 s; }' 'param n : int = 3;' 'transaction go();' \
            'use processes;' 'unit job;' 'coercion flop -> time = value / (1 flop / 1 s);' 'study s of m { vary n in [1]; }'
do
  printf 'use queueing;\ncomponent c like fcfs-station {\n  param service = 1 s;\n\n%s\n' "$next" > model.psl
  psl check model.psl
done
