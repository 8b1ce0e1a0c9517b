# The report as a page: well formed, names are no markup, and its tables hold what those of the text do.
cd "$TMP" && cat >page.psl <<'M'
param label : string = "<b>&";
transaction go();
component worker [w] : 0 <= w < 2 {
  accepts:
    profile     = { node type = worker };
    transaction = go();
    protocol    = dataflow;
  body:
    hold 1 s * (w + 1);
    record done = clock;
}
system farm {
  requests:
    every selector = { node type = worker };
    transaction    = go();
    protocol       = dataflow;
}
M
psl run page.psl --set 'label="</td><script>"' --by rank --format html >run.html
psl compare page.psl --vary 'label="a","<i>"' --format html >compare.html
psl study page.psl --vary 'label="a","<i>"' --format html >study.html
psl params page.psl --format html >params.html
for page in run compare study params; do
  sed '/<style>/,/<\/style>/d; /<script>$/,/<\/script>/d; s/<meta[^>]*>//; s/<!doctype html>//' $page.html >$page.xml
  xmllint --noout $page.xml && echo "$page is well formed"
done
sed -n '/<main>/,/<\/main>/s/<[^>]*>/ /gp' run.html | tr -s ' '
