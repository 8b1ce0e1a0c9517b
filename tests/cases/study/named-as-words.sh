# Components whose names are words of bodies have results; a column that the study has is left out by the system's name.
cd "$TMP" || exit
cat >centre.psl <<'EOF'
transaction go();
component caller [c] : 0 <= c < 3 {
  accepts:
    profile     = { domain = application, node type = caller };
    transaction = go();
    protocol    = dataflow;
  body:
    hold (c + 1) * 1 s;
    record stay = clock;
}
component target like caller { profile node type = target; }
component last like caller { profile node type = last; }
component clock like caller { profile node type = clock; }
component value like caller { profile node type = value; }
system centre {
  requests:
    every selector = { domain = application };
    transaction    = go();
    protocol       = dataflow;
}
EOF
columns='caller.stay, caller[2].stay, caller.compute, target.stay, last.stay, clock.stay, value.stay'
psl study centre.psl --report "$columns" 2>/dev/null
psl study centre.psl --report caller.sty
echo 'study s of centre { report stays = caller.stay; }' >>centre.psl
psl study centre.psl --report 'stays = target.stay'
psl study centre.psl centre --report 'stays = target.stay' 2>/dev/null
