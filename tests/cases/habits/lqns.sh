# What those write who come from LQNS: tasks, entries, phases, activities, multiplicities, calls.
input() {
  echo "--- $1"
  psl check - 2>&1
}
input 'a processor and a task' <<'END'
processor p1 { multiplicity = 2; scheduling = fcfs; }
task client { entry e1 { activity a1 { demand = 1 s; } } multiplicity = 10; }
END
input 'phases of an entry' <<'END'
task server {
  entry serve { phase 1 { hold 1 s; } phase 2 { hold 0.5 s; } }
}
END
input 'multiplicity and rendezvous' <<'END'
transaction serve();
component server {
  accepts:
    profile     = { domain = hardware[server], node type = server };
    transaction = serve();
    protocol    = call-return;
    multiplicity = 3;
    scheduling = fcfs;
  body:
    hold exponential(1 s);
}
system s { requests: selector = { node type = server }; transaction = serve(); protocol = rendezvous; }
END
input 'a reply' <<'END'
transaction serve();
component server {
  accepts:
    profile     = { domain = hardware[server], node type = server };
    transaction = serve();
    protocol    = call-return;
    servers = 1;
  body:
    hold exponential(1 s);
    reply;
    hold exponential(0.5 s);
}
system s { requests: selector = { node type = server }; transaction = serve(); protocol = call-return; }
END
input 'phases in a body' <<'END'
transaction serve();
component server {
  accepts:
    profile     = { domain = hardware[server], node type = server };
    transaction = serve();
    protocol    = call-return;
    servers = infinite;
  body:
    phase 1: hold exponential(1 s);
    phase 2: hold exponential(0.5 s);
}
system s { requests: selector = { node type = server }; transaction = serve(); protocol = asynchronous; }
END
input 'entries and activities' <<'END'
transaction serve();
component server {
  accepts:
    profile     = { domain = hardware[server], node type = server };
    transaction = serve();
    protocol    = call-return;
  entries:
    e1: hold 1 s;
  activities:
    a1: hold 1 s;
}
END
input 'calls and forwarding' <<'END'
transaction serve();
component server { accepts: profile = { domain = hardware[server], node type = server }; transaction = serve(); protocol = call-return; servers = 1; body: hold exponential(1 s); }
component client { accepts: profile = {domain = application, node type = client}; transaction = serve(); protocol = dataflow;
  body: hold 1 s; call ask(); forward ask(); send ask();
  requests: ask(): selector = { node type = server }; transaction = serve(); mean-calls = 2; protocol = call-return; 
}
END
