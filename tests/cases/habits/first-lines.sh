# First lines of models, as those write them who come from Python, C, a shell or a spreadsheet.
input() {
  echo "--- $1"
  psl check - 2>&1
}
input 'comments of scripts' <<'END'
#!/usr/bin/env psl
# a comment
param x : int = 5; # five
#define N 5
END
input 'functions without a name' <<'END'
let f = x => x * 2;
END
input 'records and lists' <<'END'
let r = { a = 1, b = 2 };
let s = r["a"];
let l = list(1, 2);
END
input 'allowed values by a word' <<'END'
param c : time = 5 ms range 1 ms .. 10 ms;
END
input 'allowed values in braces' <<'END'
param d : term = a in {a, b};
END
input 'what is added and multiplied' <<'END'
param work : time = 3 s;
param n : int = 4;
transaction go();
component app {
  accepts: profile = { domain = application }; transaction = go(); protocol = dataflow;
  body:
    hold work * 2 s;
    hold 5 s + uniform(0, 1);
    n = 5;
}
END
input 'a loop' <<'END'
transaction go();
component app {
  accepts: profile = { domain = application }; transaction = go(); protocol = dataflow;
  body:
    for i in range(10): hold 1 s;
}
END
input 'calls of all' <<'END'
transaction go();
component app {
  accepts: profile = { domain = application }; transaction = go(); protocol = dataflow;
  body:
    call all desk(1 s);
}
END
input 'every call' <<'END'
transaction go();
component app {
  accepts: profile = { domain = application }; transaction = go(); protocol = dataflow;
  body:
    every call desk(1 s);
}
END
