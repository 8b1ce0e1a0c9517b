# What those write who come from SimPy: resources, stores, events, and what processes do with them.
input() {
  echo "--- $1"
  psl check - 2>&1
}
input 'import' <<'END'
import simpy
env = simpy.Environment()
END
input 'a generator' <<'END'
def car(env):
    while True:
        yield env.timeout(5)
END
input 'resources' <<'END'
use processes;
component counter like Resource { param capacity = 2; }
component pump like PriorityResource { param capacity = 2; }
component pump2 like PreemptiveResource { param capacity = 2; }
component tank like Container { param capacity = 100; param init = 50; }
component parts like Store { param capacity = 10; }
component fparts like FilterStore { param capacity = 10; }
component pparts like PriorityStore { param capacity = 10; }
component env like Environment { }
component ev like Event { }
END
input 'yield' <<'END'
transaction go();
component car {
  accepts: profile = { domain = application, node type = car }; transaction = go(); protocol = dataflow;
  body:
    yield env.timeout(5);
}
END
input 'with' <<'END'
transaction go();
component car {
  accepts: profile = { domain = application, node type = car }; transaction = go(); protocol = dataflow;
  body:
    with counter.request() as req { hold 5 s; }
}
END
input 'events as values' <<'END'
transaction go();
component car {
  accepts: profile = { domain = application, node type = car }; transaction = go(); protocol = dataflow;
  body:
    let t = timeout(5 s);
    let n = env.now;
    let x = any_of(t, n);
    let y = random.expovariate(1.0/5);
    let z = interrupted;
}
END
input 'params' <<'END'
use processes;
component tank like container { param capacity = 100; param init = 50; param level = 3; }
component pump like facility { param capacity = 2; param preempt = true; }
component parts like store { param size = 10; }
component desk like facility { param slots = 10; param priority = 3; }
END
input 'put, get, request, release' <<'END'
use processes;
component tank like container { param capacity = 100; profile node type = tank; }
transaction go();
component car {
  accepts: profile = { domain = application, node type = car }; transaction = go(); protocol = dataflow;
  body:
    call fill(5);
  requests:
    fill(n): selector = { node type = tank }; transaction = put(n); protocol = call-return;
    take(n): selector = { node type = tank }; transaction = get(n); protocol = call-return;
    req(): selector = { node type = tank }; transaction = request(); protocol = call-return;
    rel(): selector = { node type = tank }; transaction = release(); protocol = call-return;
}
END
input 'events' <<'END'
use processes;
component ev like event { profile node type = ev; }
transaction go();
component car {
  accepts: profile = { domain = application, node type = car }; transaction = go(); protocol = dataflow;
  body:
    call w();
  requests:
    w(): selector = { node type = ev }; transaction = wait(); protocol = call-return;
    t(): selector = { node type = ev }; transaction = trigger(); protocol = call-return;
    s(): selector = { node type = ev }; transaction = succeed(); protocol = call-return;
    se(): selector = { node type = ev }; transaction = send("a"); protocol = call-return;
}
END
