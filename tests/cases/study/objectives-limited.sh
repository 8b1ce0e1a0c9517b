# Objectives of one figure under several conditions are several: each has a column, and the figure is that of the run.
FARM=$(realpath ../../../examples/farm/farm.psl)
cat "$FARM" - >"$TMP/farm.psl" <<'END'
study limited of farm {
  vary workers in [2, 4, 8, 16];
  minimize makespan where workers > 4;
  minimize makespan where workers < 8 and makespan < 15 s;
  maximize makespan where makespan < 10 s;
}
END
cd "$TMP" || exit
for format in text csv; do psl study farm.psl limited --format $format; done
psl study farm.psl limited --format json | sed -n '/"best"/,$p'
psl study farm.psl farm --vary workers=4,8 --minimize 'makespan where workers > 4' --maximize 'makespan where workers < 8' \
  --best --format csv
psl study farm.psl farm --vary workers=4,8 --minimize makespan --minimize 'makespan where workers < 8' --best
psl study farm.psl farm --vary workers=4,8 --minimize makespan --minimize makespan
