# A component that is declared anew stays where it was: the first of equals is taken where there is a choice, so a run says
# the same. It stays there when it is declared anew again, and in what is saved.
cat >"$TMP/lines" <<'END'
transaction go(); transaction work();
component app { accepts: profile = { domain = application }; transaction = go(); protocol = dataflow; body: call ask(); requests: ask(): any selector = { domain = hardware }; transaction = work(); protocol = call-return; }
component one { accepts: profile = { domain = hardware }; transaction = work(); protocol = call-return; servers = 1; body: hold 10 s; }
component two { accepts: profile = { domain = hardware }; transaction = work(); protocol = call-return; servers = 1; body: hold 1 s; }
system s { requests: every selector = { domain = application }; transaction = go(); protocol = dataflow; }
run
component one { accepts: profile = { domain = hardware }; transaction = work(); protocol = call-return; servers = 1; body: hold 20 s; }
run
component one { accepts: profile = { domain = hardware }; transaction = work(); protocol = call-return; servers = 1; body: hold 30 s; }
let beside = 1;
run
:undo 2
run
:redo 2
run
END
(cat "$TMP/lines"; echo ":save $TMP/saved.psl") | psl --no-rc 2>&1 | grep -v '^transaction\|^component\|^system' | grep -E 'predicted|saved|error|warning|undone|:redo'
grep -E '^component|hold|^let' "$TMP/saved.psl"
psl run "$TMP/saved.psl" | head -1
# Of a file that was loaded, too.
psl -c "$TMP/saved.psl" --no-rc -e 'component one { accepts: profile = { domain = hardware }; transaction = work(); protocol = call-return; servers = 1; body: hold 5 s; }' -e run 2>&1 | grep -E 'predicted|^  (app|one|two)'
