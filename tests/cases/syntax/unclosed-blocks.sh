# Blocks whose } is missing: where the one stands that was left open, and nothing else is said of what follows.
cd "$TMP" || exit
check() {
  echo "== $1"
  cat >model.psl
  psl check model.psl 2>&1
}
model() {
  cat >body
  sed -e '/BODY/r body' -e '/BODY/d' <<'END'
param clients : int = 4;
transaction begin();
transaction serve(amount : time);
component client [c] : 0 <= c < clients {
  var x : int = 0;
  accepts:
    profile     = { domain = application, node type = client };
    transaction = begin();
    protocol    = dataflow;
  body:
BODY
  requests:
    work(amount):
      selector    = { domain = hardware, node type = station };
      transaction = serve(amount);
      protocol    = call-return;
}
component station {
  accepts:
    profile     = { domain = hardware, node type = station };
    transaction = serve(amount);
    protocol    = call-return;
  body:
    hold amount;
}
system office {
  requests:
    every selector = { domain = application, node type = client };
    transaction    = begin();
    protocol       = dataflow;
}
END
}
model <<'END' | check 'an if before requests:'
    if uniform(0, 1) < 30 % {
      call work(1 ms);
END
model <<'END' | check 'an else before requests:'
    if uniform(0, 1) < 30 % {
      call work(1 ms);
    } else {
      call work(2 ms);
END
model <<'END' | check 'an if before else'
    if uniform(0, 1) < 30 % {
      call work(1 ms);
    else {
      call work(2 ms);
    }
END
model <<'END' | check 'an inner one, as the lines are indented'
    while x < 3 {
      x = x + 1;
      if x == 2 {
        call work(1 ms);
    }
    hold 1 s;
END
model <<'END' | check 'several'
    while x < 3 {
      for i in 1 .. 3 {
        one of {
          30 % {
            call work(1 ms);
END
model <<'END' | sed '/^}/d' | check 'components and the system'
    hold 1 s;
END
model <<'END' | sed '$d' | check 'the system, at the end'
    hold 1 s;
END
model <<'END' | sed '/hold amount/s/.*/    if amount > 1 s { hold amount;/; 1,/^}/s/^}/  }/' | check 'a block in the next'
    hold 1 s;
END
model <<'END' | check 'no brace behind a percentage'
    if uniform(0, 1) < 30 % call work(1 ms);
END
model <<'END' | check 'no brace behind a chance'
    one of { 30 % call work(1 ms); 70 % hold 1 s; }
END
