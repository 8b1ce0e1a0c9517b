# The name of a file says in which format a command writes it; a name that says what the command does not write, or
# another format than --format, is refused, and nothing is written.
cp small.psl "$TMP" && cd "$TMP" || exit 1
for name in r.txt r.json r.jsonl r.ndjson r.csv r.html r.htm r.out r; do
  psl run small.psl -o $name && head -c 20 $name | head -1 | cut -c1-15
done
psl study small.psl --vary tasks=2,3 -o s.jsonl && cat s.jsonl
psl study small.psl --vary tasks=2,3 -o s.json && cat s.json
psl study small.psl --vary tasks=2,3 -f jsonl | perl -MJSON::PP -ne 'print grep(ref, values %{decode_json($_)}) ? "nested\n" : "flat\n"'
psl run small.psl -f jsonl | perl -MJSON::PP -ne 'print join(" ", sort keys %{decode_json($_)}), "\n"' | sort -u
printf 'n,time [ms]\n1,2\n2,4\n3,6\n4,8\n' > m.csv
psl fit m.csv -t n -o f.psl && head -1 f.psl
psl fit m.csv -t n -f jsonl | head -2
for name in g.dot g.gv g.svg; do psl graph small.psl -o $name && head -c 9 $name && echo; done
ls > before
psl graph small.psl -o g.png
psl graph small.psl -o g.psl
psl run small.psl -o r.pdf
psl run small.psl -o r.gz -f json
psl run small.psl -o x.json -f csv
psl run small.psl --output x.svg
psl explain small.psl -o x.json
psl params small.psl -o x.tsv
psl report none.db -o x.pdf
psl run small.psl --timeline t.jpg
psl run small.psl --timeline t.webp
psl graph small.psl -o g.bmp
psl run small.psl --plot --plot-file p.tif
psl run small.psl --trace t.gz
psl run small.psl --trace t.json.gz -o /dev/null && gzip -dc t.json.gz | head -c 20 && echo && rm t.json.gz
psl run small.psl --trace t.html
ls | diff before - && echo nothing new
psl run small.psl --timeline t.svg --trace t -o /dev/null && head -c 4 t.svg && echo && head -c 1 t
# Endings are taken whatever their case; a format is no file, unless there is one.
psl run small.psl -o r.CSV && head -n 1 r.CSV
psl run small.psl -o r.Svg
psl run small.psl -o json
psl run small.psl -o vertical
psl run small.psl -o ./json && head -n 1 json && psl run small.psl -o json
