# A param that is not of the used file, but of one that this uses.
cat >$TMP/web.psl <<'END'
use queueing;
END
cat >$TMP/model.psl <<'END'
use web { param solver = analysis[Schweitzer]; }
END
cd $TMP
psl check model.psl
echo "[exit $?]"
