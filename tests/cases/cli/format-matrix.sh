# Which command writes which format: as --format takes it, as the name of a file says it, and as psl(1) has it in a table.
reports='text vertical json jsonl csv html markdown latex'
others='psl dot svg png pdf'
formats="$reports $others"
arguments() { [ $command = trace ] && echo info; echo none; }
matrix() { # FORMATS
  printf '%-12s' command
  printf '%s ' $1 | sed 's/ *$/\n/'
  for command in run replay mpirun reflect trace compare study recommend sensitivity diff params fit db graph report explain derive why compile calibrate attach ast; do
    taken=$(psl $command --format '' $(arguments) 2>&1 | sed -n "s/.*--format takes \(.*\), not ''/\1/p" | sed 's/ or /, /')
    [ "$taken" ] || taken=$(psl $command -o x.zip none 2>&1 | sed -n 's/help: it writes //p')
    printf '%-12s' $command
    for format in $1; do
      case ", $taken," in *", $format,"*) mark=x ;; *) mark=- ;; esac
      printf "%-$((${#format} + 1))s" $mark
    done | sed 's/ *$/\n/'
  done
}
# A name is taken where the format is, and else refused; vertical text has the name of text.
named() {
  for command in run trace compare study params fit graph report explain derive why ast; do
    row=$(grep "^$command " "$TMP/matrix" | cut -c13-)
    for format in $formats; do
      mark=${row%% *}
      row=$(echo "$row" | sed 's/^[^ ]* *//')
      case $format in text) ending=txt ;; markdown) ending=md ;; latex) ending=tex ;; vertical) continue ;; *) ending=$format ;; esac
      psl $command -o x.$ending $(arguments) 2>&1 | grep -q "writes no $format" && refused=- || refused=x
      [ $format = psl ] && [ $command != fit ] && [ $command != graph ] && continue # a model is never replaced
      [ $mark = $refused ] || echo "$command -o x.$ending: $refused, and --format $mark"
    done
  done
}
matrix "$formats" >"$TMP/matrix"
{
  matrix "$reports"
  echo
  matrix "$others" | grep 'command\| x'
} >"$TMP/printed"
cat "$TMP/printed"
named
for command in check fmt plot help; do psl $command none --format text; done 2>&1 | grep error
sed -n '/^command  *text/,/^\.Ed/p' ../../../man/psl.1 | sed '/^\.Ed/d' | diff - "$TMP/printed" && echo 'so says psl(1)'
