# Visitors whose accept says nothing of servers are let in one by one though their body only calls others: an analysis says
# what is missing, and a simulation says it in a note, in a network and in any other model, where a tenth or more waited. By
# Pollaczek and Khinchine visitors wait 2.9 s at the one server, 8 of 10 of them, beside 1 s + 0.5 x 0.6 s / 0.7 at the stations
# where none is in the way. No note where servers are said, where the body holds, where few come, where state is kept.
# Plain build alone: long simulations.
cd "$TMP" || exit
cat > visitors.psl <<'END'
use queueing;
param gap : time = 1 s;
component desk like fcfs-station { param service = exponential(0.5 s); profile number = 0; }
component back like fcfs-station { param service = exponential(0.6 s); profile number = 1; }
component door like arrivals { param class = people; param between = exponential(gap); }
component person {
  accepts:
    profile     = { domain = application[queueing], node type = visitor, evaluation mode = solver, class = people };
    transaction = cycle();
    protocol    = dataflow;
  body:
    call ask(0);
    one of { 0.5 { call ask(1); } 0.5 { } }
  requests:
    ask(k): selector    = { node type = station, number = k };
            transaction = visit();
            protocol    = call-return;
}
system house {
  requests:
    selector    = { node type = arrivals, class = people };
    transaction = arrive();
    protocol    = dataflow;
}
study times of house {
  report response = person.response;
  assert abs(response / (if solver == analysis[open] then 1 s + 0.5 * 0.6 s / 0.7 else 0.8 s + 2.9 s) - 1) < 5 %;
}
END
change() { sed "0,/= dataflow;/s//&\n    $1/" visitors.psl > "$2.psl"; }
change 'servers = unlimited;' free
change 'servers = 1;' one
sed 's/    call ask(0);/    hold 1 ms;\n&/' visitors.psl > holds.psl
echo '-- one by one'
psl run visitors.psl --set 'solver=analysis[open]' 2>&1 >out
psl study visitors.psl --set 'solver=simulation[queueing]' >out && grep assert out
echo '-- as many as come'
psl study free.psl --set 'solver=analysis[open]'
psl run free.psl --set 'solver=simulation[queueing]' --set half-width=0.2 >out
echo '-- one is meant, the body holds, few wait'
psl run one.psl --set 'solver=simulation[queueing]' --set half-width=0.2 >out
psl run holds.psl --set 'solver=simulation[queueing]' --set half-width=0.2 >out
psl run visitors.psl --set 'solver=simulation[queueing]' --set half-width=0.2 --set 'gap=20 s' >out
echo '-- no network'
sed -e '/use queueing/d; /like/d; /^study/,$d; s/, evaluation mode = solver//' visitors.psl > plain.psl
cat >> plain.psl <<'END'
transaction cycle(); transaction visit(); transaction arrive();
component desk [d] : 0 <= d <= 1 {
  accepts:
    profile     = { domain = hardware[desk], node type = station, number = d };
    transaction = visit();
    protocol    = call-return;
    servers     = 1;
  body:
    hold 2 s;
}
component door {
  accepts:
    profile     = { domain = application, node type = arrivals, class = people };
    transaction = arrive();
    protocol    = dataflow;
  body:
    for i in 1 .. 4 {
      hold 1 s;
      call send();
    }
  requests:
    send(): selector    = { node type = visitor, class = people };
            transaction = cycle();
            protocol    = dataflow;
}
END
sed -i 's/one of .*/call ask(1);/' plain.psl
psl run plain.psl 2>&1 | grep -v '^$' | head -6
sed 's/^component person {/&\n  var seen : int = 0;/' plain.psl > state.psl
psl run state.psl | head -1
