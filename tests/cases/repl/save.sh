# :save writes a model that gives the same again, settings included.
psl --keep-going -c farm.psl <<'END'
use message-cost;
/// of one worker
let part = work / workers;  // on average
/// never again
let gone = 3;  /// gone
component disk-drive {
  accepts:
    profile     = { domain = hardware[storage] };
    transaction = write(amount);
    protocol    = call-return;
    servers     = 1;
  body:
    hold 2 s;
}
let gone = 4;
:set workers = 16
:set machine = cluster
:save /nowhere/saved.psl
:save
run --format csv
END
{ cat <<'END'
use message-cost;
let gone = 3;  /// gone
let part = work / workers;
let gone = 4;
:set workers = 16
:set machine = cluster
END
echo ":save $TMP/saved.psl"; } | psl --keep-going -c farm.psl
cat "$TMP/saved.psl"
psl check "$TMP/saved.psl" | sed 's/.*: //'
psl -c "$TMP/saved.psl" -e part -e gone -e workers -e machine -e L -e ":save $TMP/again.psl"
cmp "$TMP/saved.psl" "$TMP/again.psl" && echo the same
# what was found beside a file is found from elsewhere
mkdir "$TMP/models"
echo 'let base = 3 s;' > "$TMP/models/base.psl"
echo 'use base; use "base.psl"; let twice = 2 * base;' > "$TMP/models/model.psl"
psl -c "$TMP/models/model.psl" -e ":save! $TMP/saved.psl"
psl -c "$TMP/saved.psl" -e twice
# what is there and is not of the session stays, but for :save!
echo 'a picture' > "$TMP/picture.png"
psl -e 'let a = 1;' -e ":save $TMP/picture.png"
cat "$TMP/picture.png"
psl -e 'let a = 1;' -e ":save! $TMP/picture.png" -e 'let a = 2;' -e ":save $TMP/picture.png"
cat "$TMP/picture.png"
psl -c "$TMP/picture.png" -e 'let a = 3;' -e ":save $TMP/picture.png" && cat "$TMP/picture.png"

# of what several inputs give to a param of a library the last holds, and stands alone
psl -e 'use queueing { param half-width = 2 %; }' -e 'use queueing { param confidence = 90 %; param half-width = 3 %; }' \
  -e 'use queueing { param half-width = 4 %; }' -e 'queueing.half-width' -e ":save $TMP/presets.psl"
cat "$TMP/presets.psl"
psl -c "$TMP/presets.psl" -e 'queueing.half-width' -e 'queueing.confidence'
# what a session gives to a param of a file that another one gives, too, holds wherever the model is run
echo 'param speed : int = 1;' > "$TMP/inner.psl"
echo 'use inner { param speed = 2; }' > "$TMP/outer.psl"
echo 'use outer; let shown = inner.speed;' > "$TMP/nested.psl"
psl -c "$TMP/nested.psl" -e shown -e ':set inner.speed = 3' -e shown -e ":save $TMP/saved-nested.psl"
sed "s,$TMP,TMP," "$TMP/saved-nested.psl"
psl check "$TMP/saved-nested.psl" | sed 's/.*: //'
psl -c "$TMP/saved-nested.psl" -e shown -e ':set inner.speed = 4' -e ":save $TMP/saved-nested.psl"
grep speed "$TMP/saved-nested.psl" | sed "s,$TMP,TMP,"
# what is set of what a text uses stands where it uses it, and for a file of the library that another one uses in a line
# of its own, by its name
printf '%s\n' 'use mpi;' 'use queueing; // networks' ':set half-width=10%' ':set confidence=90%' ':set L=3us' ':set os=1us' \
  ":save $TMP/given.psl" | psl
cat "$TMP/given.psl"
psl -c "$TMP/given.psl" -e 'half-width + confidence' -e 'message-cost.L + os'
