# The M/M/1 of mm1.psl by SimPy, of version 3 or later or the 2 that Debian's python3-simpy is: so many customers, seconds of
# processor time, mean response. Exit status 77 where there is no SimPy.
#
#   mm1.py CUSTOMERS
import random
import sys
import time

customers, between, service = int(sys.argv[1]), 1.25, 1.0
total = [0, 0.0]


def observe(response):
    total[0] += 1
    total[1] += response


def newer(simpy):
    env = simpy.Environment()
    server = simpy.Resource(env, 1)

    def customer():
        arrived = env.now
        with server.request() as turn:
            yield turn
            yield env.timeout(random.expovariate(1 / service))
        observe(env.now - arrived)

    def source():
        for _ in range(customers):
            yield env.timeout(random.expovariate(1 / between))
            env.process(customer())

    env.process(source())
    env.run()


def older(simulation):
    server = simulation.Resource(capacity=1)

    class Customer(simulation.Process):
        def go(self):
            arrived = simulation.now()
            yield simulation.request, self, server
            yield simulation.hold, self, random.expovariate(1 / service)
            yield simulation.release, self, server
            observe(simulation.now() - arrived)

    class Source(simulation.Process):
        def go(self):
            for _ in range(customers):
                yield simulation.hold, self, random.expovariate(1 / between)
                customer = Customer()
                simulation.activate(customer, customer.go())

    simulation.initialize()
    source = Source()
    simulation.activate(source, source.go())
    simulation.simulate(until=1e300)


try:
    import simpy
    run = lambda: newer(simpy)
except ImportError:
    try:
        import SimPy.Simulation
        run = lambda: older(SimPy.Simulation)
    except ImportError:
        sys.exit(77)
random.seed(1)
start = time.process_time()
run()
print(total[0], time.process_time() - start, total[1] / total[0])
