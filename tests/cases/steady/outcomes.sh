# What a simulation cannot know is left out; a load-dependent station is used of the most that it can do; what is to
# be taken by `like` is no part of a network.
cd "$TMP" || exit
cat > short.psl <<'END'
use queueing;
component desk like fcfs-station { param service = constant(0 s); profile number = 0; }
component people like closed-customers { param class = people; param think = exponential(1 s); param visits = [1]; }
system s { requests: selector = { node type = customer, class = people }; transaction = cycle(); visits = 2; protocol = dataflow; }
END
psl run short.psl --set 'solver=simulation[queueing]' --set 'longest=1 ms'
cat > rates.psl <<'END'
use queueing;
component desk {
  accepts:
    profile     = { domain = hardware[server], node type = station, evaluation mode = solver, number = 0 };
    transaction = visit(priority);
    protocol    = call-return;
    servers     = 1;
    discipline  = processor-sharing([1, 1.5, 1.8]);
  body:
    hold exponential(1 s);
}
component people like closed-customers { param class = people; param think = exponential(2 s); param visits = [1]; }
system s { requests: every selector = { node type = customer }; transaction = cycle(); visits = 4; protocol = dataflow; }
END
psl compare rates.psl --vary 'solver=analysis[MVA],simulation[queueing]' | sed -n '/by class/,/^$/p; /by station/,/^$/p'
cat > desks.psl <<'END'
use queueing;
component desk like fcfs-station { param service = exponential(2 s); param servers = 2; profile number = 0; }
component people like arrivals { param class = person; param between = exponential(1.25 s); }
component person like visitors { param class = person; param visits = [1]; }
system s { requests: every selector = { node type = arrivals }; transaction = arrive(); protocol = dataflow; }
END
psl compare desks.psl --vary 'solver=analysis[open],simulation[queueing]' | sed -n '/by class/,/^$/p'
psl run desks.psl --set 'solver=analysis[bounds]' 2>&1 | grep error
