# Conditions as other programs have them, and what is said to write in their place.
FARM=$(realpath ../../../examples/farm/farm.psl)
study() { psl study "$FARM" farm --vary workers=4,8 "$@" >/dev/null; }
study --constraint 'makespan < 10 s'
study --slo
study --where 'makespan < 10 s'
study --where 'workers > 2 and makespan < 10 s' --minimize makespan
study --assert 'workers < 6 => makespan < 13 s'
study --assert 'workers < 6 implies makespan < 13 s'
study --assert 'work == 40 s and workers == workers implies makespan < 13 s'
study --assert 'workers < 6 -> makespan < 13 s'
study --where 'workers < 6 => work < 10 s'
study --assert 'workers => 6'
study --assert 'if workers < 6 then makespan < 13 s'
study --assert 'not (workers < 6) or makespan < 13 s' && echo "it holds"
study --assert 'if workers < 6 then makespan < 13 s else true' && echo "it holds"
cat "$FARM" - >"$TMP/farm.psl" <<'END'
study few of farm {
  vary workers in 4 .. 8;
  where makespan < 10 s;
}
END
cd "$TMP" && psl check farm.psl
