# What half-widths are called in sessions and studies.
psl -c half-width.psl -e ':set precision = 20 %' -e run -e 'last.stay.half-width / last.stay.mean < 20 %' | tail -1
sed '$r /dev/stdin' half-width.psl <<'END' > $TMP/study.psl
study lengths of bank {
  vary precision in [10 %, 20 %];
  report stay, wide = stay.half-width / stay;
  assert wide <= precision;
}
END
psl study $TMP/study.psl
