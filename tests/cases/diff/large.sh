# Of files that have little in common: changes that cannot be run apart are listed, not strung together.
cd "$TMP"
model() { # PREFIX TIME
  for i in 1 2 3 4 5 6 7 8 9; do echo "param $1-param$i : time = $i s;"; done
  cat <<M
transaction $1-transaction(t : time);
component $1-component { accepts: profile = { node type = $1 }; transaction = $1-transaction(t); protocol = call-return;
  body: hold t + ${2}1; }
system s { requests: selector = { node type = $1 };
  transaction = $1-transaction($1-param1 + $1-param2 + $1-param3 + $1-param4 + $1-param5 + $1-param6 + $1-param7);
  protocol = call-return; }
M
}
model first first-param >a.psl
model second second-param >b.psl
psl diff a.psl b.psl
psl diff a.psl --against first-param1=1q
psl diff a.psl --against first-param8=9s
psl diff a.psl --set first-param9=9s --against first-param9=10s --against first-param1=2s
