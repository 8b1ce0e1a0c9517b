// Simulates what psl-prophet.hpp declares: units are coroutines that a list of events resumes in the order of their
// times. Built with each program that includes that header.
#include "psl-prophet.hpp"

#include <ucontext.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <queue>

namespace prophet {

// ---- values ----

void fail(const text &what) {
  std::fflush(stdout);
  std::fprintf(stderr, "error: %s\n", what.c_str());
  std::_Exit(1);  // the coroutine that runs stands in what would be taken down
}

long whole(long a, long b) {
  check(b != 0, "division by 0");
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}

long modulo(long a, long b) { return a - whole(a, b) * b; }

long power(long base, long exponent) {
  long result = 1;
  for (; exponent > 0; exponent--) result *= base;
  return result;
}

Machine machine;

namespace {

struct Setting {
  text name, value;
  bool used = false;
};
std::vector<Setting> given;

const text *given_for(const char *name) {
  for (Setting &one : given) {
    if (one.name != name) continue;
    one.used = true;
    return &one.value;
  }
  return nullptr;
}

[[noreturn]] void refuse(const char *name, const text &value) {
  fail("the param " + text(name) + " cannot be '" + value + "'");
}

double number_of(const char *name, const text &value) {
  static const struct {
    const char *name;
    double factor;
  } units[] = {{"", 1},       {"s", 1},      {"ms", 1e-3},   {"us", 1e-6},  {"ns", 1e-9},       {"min", 60},
               {"h", 3600},   {"byte", 1},   {"kB", 1e3},    {"MB", 1e6},   {"GB", 1e9},        {"KiB", 1024},
               {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"%", 0.01}};
  char *end;
  const double number = std::strtod(value.c_str(), &end);
  if (end == value.c_str()) refuse(name, value);
  while (*end == ' ') end++;
  for (const auto &unit : units)
    if (!std::strcmp(unit.name, end)) return number * unit.factor;
  refuse(name, value);
}

}  // namespace

template <>
double setting<double>(const char *name, double otherwise) {
  const text *value = given_for(name);
  return value ? number_of(name, *value) : otherwise;
}

template <>
long setting<long>(const char *name, long otherwise) {
  const text *value = given_for(name);
  const double number = value ? number_of(name, *value) : 0;
  if (value && number != std::floor(number)) refuse(name, *value);
  return value ? static_cast<long>(number) : otherwise;
}

template <>
bool setting<bool>(const char *name, bool otherwise) {
  const text *value = given_for(name);
  if (value && *value != "true" && *value != "false") refuse(name, *value);
  return value ? *value == "true" : otherwise;
}

template <>
text setting<text>(const char *name, text otherwise) {
  const text *value = given_for(name);
  return value ? *value : otherwise;
}

int choose(std::initializer_list<double> chances) {
  static unsigned long long state = 0x9e3779b97f4a7c15u;  // a generator by Marsaglia: xorshift64*
  state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
  double at = static_cast<double>((state * 0x2545f4914f6cdd1du) >> 11) / 9007199254740992.0;
  int which = 0;
  for (double chance : chances) {
    if ((at -= chance) < 0) return which;
    which++;
  }
  return which - 1;
}

// ---- events ----

namespace {

struct Event {
  double time;
  int late;  // behind all others of that time
  unsigned long number;
  std::function<void()> happen;
};
struct Later {
  bool operator()(const Event &a, const Event &b) const {
    if (a.time != b.time) return a.time > b.time;
    if (a.late != b.late) return a.late > b.late;
    return a.number > b.number;
  }
};
std::priority_queue<Event, std::vector<Event>, Later> events;
double clock_now = 0;
unsigned long event_count = 0;

void in(double delay, std::function<void()> happen, int late = 0) {
  events.push({clock_now + delay, late, event_count++, std::move(happen)});
}

Unit *running = nullptr;
ucontext_t scheduler;
enum { STACK = 256 << 10 };

}  // namespace

double now() { return clock_now; }

struct Unit::Coroutine {
  ucontext_t context;
  std::unique_ptr<char[]> stack{new char[STACK]};
  std::function<void()> body;
  bool ended = false;
};

namespace {

void enter() {
  Unit *unit = running;
  unit->coroutine->body();
  unit->coroutine->ended = true;
  swapcontext(&unit->coroutine->context, &scheduler);
}

void resume(Unit *unit) {
  running = unit;
  swapcontext(&scheduler, &unit->coroutine->context);
  running = nullptr;
  if (unit->coroutine->ended) unit->coroutine.reset();
}

void start(Unit *unit, std::function<void()> body) {
  unit->coroutine = std::make_unique<Unit::Coroutine>();
  Unit::Coroutine &c = *unit->coroutine;
  c.body = std::move(body);
  getcontext(&c.context);
  c.context.uc_stack.ss_sp = c.stack.get();
  c.context.uc_stack.ss_size = STACK;
  c.context.uc_link = nullptr;
  makecontext(&c.context, enter, 0);
  in(0, [unit] { resume(unit); });
}

void suspend(const char *why) {
  Unit *unit = running;
  unit->waits = why;
  swapcontext(&unit->coroutine->context, &scheduler);
  unit->waits.clear();
}

void wake(Unit *unit) {
  in(0, [unit] { resume(unit); });
}

void hold(double time) {
  if (!(time >= 0)) fail("a time is negative, or no number");
  Unit *unit = running;
  in(time, [unit] { resume(unit); });
  suspend("time");
}

}  // namespace

void Gate::wait() {
  waiting_.push_back(running);
  suspend("its turn");
}

bool Gate::open() {
  if (next_ == waiting_.size()) return false;
  wake(waiting_[next_++]);
  if (next_ == waiting_.size()) waiting_.clear(), next_ = 0;
  return true;
}

void Gate::open_all() {
  while (open()) continue;
}

// ---- results ----

namespace {

struct Element {
  text name;
  const char *type;
  unsigned long executions;
  double time;
};
std::vector<Element> elements;
std::map<std::pair<text, text>, size_t> element_numbers;

size_t element_number(const text &name, const char *type) {
  const auto found = element_numbers.emplace(std::make_pair(name, text(type)), elements.size());
  if (found.second) elements.push_back({name, type, 0, 0});
  return found.first->second;
}

enum { RUNNING = 1, WAITING = 3, SENDING = 4, TOGETHER = 13 };  // states of Paraver
struct Record {
  double time;
  unsigned long number;
  text line;
};
struct Trace {
  bool wanted = false;
  std::vector<text> rows;
  std::vector<Record> records;
  void put(double time, const char *format, ...) __attribute__((format(printf, 3, 4)));
} trace;

void Trace::put(double time, const char *format, ...) {
  char line[300];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  records.push_back({time, records.size(), line});
}

long long ns(double time) { return std::llround(time * 1e9); }

void note_state(const Unit *unit, double since, int state) {
  if (trace.wanted && clock_now > since)
    trace.put(since, "1:%zu:1:%zu:1:%lld:%lld:%d", unit->row, unit->row, ns(since), ns(clock_now), state);
}

void note_element(const Unit *unit) {
  if (trace.wanted)
    trace.put(clock_now, "2:%zu:1:%zu:1:%lld:60000019:%zu", unit->row, unit->row, ns(clock_now),
              unit->elements.empty() ? 0 : unit->elements.back() + 1);
}

void write_trace(const text &path) {
  const size_t rows = trace.rows.size();
  const text base = path.substr(0, path.rfind('.'));
  FILE *prv = std::fopen(path.c_str(), "w"), *pcf = std::fopen((base + ".pcf").c_str(), "w"),
       *row = std::fopen((base + ".row").c_str(), "w");
  if (!prv || !pcf || !row) fail("the trace cannot be written: " + path);
  std::fprintf(prv, "#Paraver (01/01/70 at 00:00):%lld_ns:%zu(", ns(clock_now), rows);
  for (size_t r = 0; r < rows; r++) std::fputs(r ? ",1" : "1", prv);
  std::fprintf(prv, "):1:%zu(", rows);
  for (size_t r = 0; r < rows; r++) std::fprintf(prv, r ? ",1:%zu" : "1:%zu", r + 1);
  std::fputs(")\n", prv);
  std::stable_sort(trace.records.begin(), trace.records.end(), [](const Record &a, const Record &b) {
    return a.time != b.time ? a.time < b.time : a.line[0] != b.line[0] ? a.line[0] < b.line[0] : a.number < b.number;
  });
  for (const Record &record : trace.records) std::fprintf(prv, "%s\n", record.line.c_str());
  std::fputs("DEFAULT_OPTIONS\n\nLEVEL TASK\nUNITS NANOSEC\n\nSTATES\n0 Idle\n1 Running\n3 Waiting a message\n"
             "4 Blocking Send\n13 Group Communication\n\nEVENT_TYPE\n0 60000019 User function\nVALUES\n0 End\n",
             pcf);
  for (size_t e = 0; e < elements.size(); e++) std::fprintf(pcf, "%zu %s\n", e + 1, elements[e].name.c_str());
  std::fprintf(row, "LEVEL TASK SIZE %zu\n", rows);
  for (const text &name : trace.rows) std::fprintf(row, "%s\n", name.c_str());
  if (std::fclose(prv) | std::fclose(pcf) | std::fclose(row)) fail("the trace cannot be written: " + path);
}

}  // namespace

void ModelElement::begin() {
  unit_.elements.push_back(element_number(name_, type_));
  since_ = clock_now;
  note_element(&unit_);
}

void ModelElement::end() {
  Element &element = elements[unit_.elements.back()];
  element.executions++;
  element.time += clock_now - since_;
  unit_.elements.pop_back();
  note_element(&unit_);
}

// ---- nodes ----

class Node {
 public:
  Node(long processors, double quantum) : free_(processors), quantum_(quantum) {}
  void compute(double work) {
    if (!(work >= 0)) fail("a cost is negative, or no number");
    do {
      const double slice = quantum_ > 0 ? std::min(quantum_, work) : work;
      if (free_ > 0)
        free_--;
      else
        queue_.wait();
      const double since = clock_now;
      hold(slice);
      note_state(running, since, RUNNING);
      if (!queue_.open()) free_++;
      work -= slice;
    } while (work > 0);
  }

 private:
  long free_;
  double quantum_;
  Gate queue_;
};

namespace {

std::vector<std::unique_ptr<Node>> nodes_;
std::vector<std::unique_ptr<Process>> processes_;
std::map<long, Process *> by_rank;
struct Region {
  long threads;
  std::function<std::unique_ptr<Unit>(Process &, long)> make;
};
std::map<text, Region> regions;

void compute(const Unit &unit, double cost) {
  check(unit.nid >= 0 && unit.nid < static_cast<long>(nodes_.size()), "a process is on a node that is not there");
  nodes_[static_cast<size_t>(unit.nid)]->compute(cost);
}

// Runs units beside the one that runs now, to the end of all.
void fork(const std::vector<Unit *> &units, const std::function<void(Unit *)> &body) {
  size_t left = units.size();
  Unit *parent = running;
  for (Unit *unit : units)
    start(unit, [&left, &body, unit, parent] {
      body(unit);
      if (--left == 0) wake(parent);
    });
  if (left) suspend("its threads");
}

}  // namespace

Unit::Unit(const text &of, Process *owner, long pid_, long tid_, long nid_, long size_)
    : pid(pid_), tid(tid_), nid(nid_), size(size_), name(of), process(owner) {
  const text row_name = of + "[" + std::to_string(pid_) + (owner ? ", " + std::to_string(tid_) : "") + "]";
  const auto found = std::find(trace.rows.begin(), trace.rows.end(), row_name);
  row = static_cast<size_t>(found - trace.rows.begin()) + 1;
  if (found == trace.rows.end()) trace.rows.push_back(row_name);
}
Unit::~Unit() = default;
Thread::Thread(const text &region, Process &owner, long tid_, long threads_)
    : Unit(region, &owner, owner.pid, tid_, owner.nid, owner.size), threads(threads_) {}

// ---- computing ----

void ActionPlus::execute(double cost) {
  begin();
  compute(unit_, cost);
  end();
}

static Process &process_of(Unit &unit) {
  Process *own = dynamic_cast<Process *>(&unit);
  return own ? *own : *unit.process;
}

void Critical::execute(double cost, long lock) {
  begin();
  check(0 <= lock && lock < 16, "a critical section has a lock from 0 to 15");
  Process &process = process_of(unit_);
  if (process.held[lock]) process.locks[lock].wait();
  process.held[lock] = true;
  compute(unit_, cost);
  process.held[lock] = process.locks[lock].open();
  end();
}

void TeamBarrier::execute() {
  begin();
  Process &process = process_of(unit_);
  const long threads = static_cast<Thread &>(unit_).threads;
  if (++process.arrived % threads != 0)
    process.barrier.wait();
  else
    process.barrier.open_all();
  end();
}

void ParallelRegion::execute(const text &region, long iteration) {
  begin();
  const auto found = regions.find(region);
  if (found == regions.end()) fail("there is no parallel region " + region);
  Process &process = process_of(unit_);
  std::vector<std::unique_ptr<Unit>> team;
  std::vector<Unit *> units;
  process.arrived = 0;
  for (long tid = 0; tid < found->second.threads; tid++) {
    team.push_back(found->second.make(process, tid));
    team.back()->iteration = iteration;
    units.push_back(team.back().get());
  }
  fork(units, [](Unit *unit) { unit->program(); });
  end();
}

namespace {

class Worker : public Unit {  // of a ParallelDo
 public:
  Worker(Process &owner, long tid_) : Unit("worker", &owner, owner.pid, tid_, owner.nid, owner.size) {}
  void program() override {}
};

}  // namespace

void ParallelDo::execute(const list<double> &costs, const text &schedule, long chunk) {
  begin();
  Process &process = process_of(unit_);
  const long count = length(costs), threads = process.threads, piece = std::max(chunk, 1L);
  long next = 0;
  check(chunk >= 0, "a chunk is negative");
  std::vector<std::unique_ptr<Unit>> team;
  std::vector<Unit *> units;
  for (long tid = 0; tid < threads; tid++) {
    team.push_back(std::make_unique<Worker>(process, tid));
    units.push_back(team.back().get());
  }
  const auto part = [&](Unit *unit, long from, long to) {
    if (from < to)
      ActionPlus(*unit, name_).execute(std::accumulate(costs.begin() + from, costs.begin() + to, 0.0));
  };
  fork(units, [&](Unit *unit) {
    const long tid = unit->tid;
    if (schedule == "static" && chunk == 0) {
      const long more = count % threads, each = count / threads;
      part(unit, tid * each + std::min(tid, more), (tid + 1) * each + std::min(tid + 1, more));
    } else if (schedule == "static") {
      for (long from = tid * chunk; from < count; from += threads * chunk)
        part(unit, from, std::min(from + chunk, count));
    } else {
      while (next < count) {
        const long from = next;
        const long guided = (count - from + threads - 1) / threads;
        next = std::min(count, from + (schedule == "guided" ? std::max(piece, guided) : piece));
        part(unit, from, next);
      }
    }
  });
  end();
}

// ---- messages ----

namespace {

// A message is posted by its sender's call, and there when it has crossed the network: itself, or from the handshake
// threshold on a request that the receiver answers before the data go.
struct Message {
  long source, destination, tag;
  int context;  // of programs 0, of collective operations 1
  double size, sent_at;
  bool handshake = false, blocking = false; // how it is sent
  bool there = false, taken = false, complete = false, sent = false;
  double arrival = 0;
  Unit *receiver = nullptr, *sender = nullptr, *waiter = nullptr;
};

constexpr long any = -1;

}  // namespace

struct Messages {  // of the rank that they are for
  std::deque<std::shared_ptr<Message>> posted;
  Unit *receiver = nullptr;  // waits for one of these
  long source = any, tag = any;
  int context = 0;
  bool deciding = false;
  std::vector<std::shared_ptr<Message>> requests;  // of its own non-blocking sends, from 1
};

Process::Process(const text &of, long pid_, long nid_, long size_, long threads_)
    : Unit(of, nullptr, pid_, 0, nid_, size_), threads(threads_), messages(new Messages) {}
Process::~Process() = default;

namespace {

Messages &messages_of(long rank) {
  const auto found = by_rank.find(rank);
  if (found == by_rank.end()) fail("there is no process " + std::to_string(rank));
  return *found->second->messages;
}

bool fits(const Messages &m, const Message &message) {
  return !message.taken && message.context == m.context && (m.source == any || m.source == message.source) &&
         (m.tag == any || m.tag == message.tag);
}

// What the receive takes. From a known source that is the first one sent; from any the first one there, of several at
// one time that of the lowest rank, and of each source the first one sent.
std::shared_ptr<Message> match(const Messages &m) {
  std::shared_ptr<Message> best;
  std::vector<long> seen;
  for (const auto &message : m.posted) {
    if (!fits(m, *message)) continue;
    if (m.source != any) return message;
    if (std::find(seen.begin(), seen.end(), message->source) != seen.end()) continue;
    seen.push_back(message->source);
    if (!message->there) continue;
    if (!best || message->arrival < best->arrival ||
        (message->arrival == best->arrival && message->source < best->source))
      best = message;
  }
  return best;
}

// Something has come for the rank: the receiver looks again, when all of this time is there.
void look(long rank) {
  Messages &m = messages_of(rank);
  if (!m.receiver || m.deciding) return;
  m.deciding = true;
  in(
      0,
      [rank] {
        Messages &own = messages_of(rank);
        own.deciding = false;
        if (own.receiver && match(own)) {
          Unit *unit = own.receiver;
          own.receiver = nullptr;
          resume(unit);
        }
      },
      1);
}

std::shared_ptr<Message> post(long source, long destination, long tag, int context, double size) {
  check(size >= 0, "a message has a negative size");
  auto message = std::make_shared<Message>();
  message->source = source;
  message->destination = destination;
  message->tag = tag;
  message->context = context;
  message->size = size;
  message->sent_at = clock_now;
  message->handshake = size >= machine.handshake_threshold;
  messages_of(destination).posted.push_back(message);
  return message;
}

// Crosses the network; the request of a handshake then costs its receiver a short overhead, beside its program.
void cross(const std::shared_ptr<Message> &message) {
  const double time = message->handshake ? machine.latency + machine.overhead_short : machine.wire(message->size);
  in(time, [message] {
    message->there = true;
    message->arrival = clock_now;
    if (message->receiver)
      resume(message->receiver);
    else
      look(message->destination);
  });
}

void cross_data(const std::shared_ptr<Message> &message) {
  in(machine.wire(message->size), [message] {
    message->complete = true;
    if (message->waiter) resume(message->waiter);
  });
}

void send(long source, long destination, long tag, int context, double size) {
  const auto message = post(source, destination, tag, context, size);
  look(destination);
  if (!message->handshake) {
    hold(machine.overhead(size));
    cross(message);
    return;
  }
  message->blocking = true;
  hold(machine.overhead_short);
  message->sender = running;
  cross(message);
  suspend("its message to be received");
  hold(machine.overhead(size));
  cross_data(message);
}

// The sender goes on before its message is received; the message, where it has to be waited for.
std::shared_ptr<Message> start_send(long source, long destination, long tag, int context, double size) {
  const auto message = post(source, destination, tag, context, size);
  look(destination);
  message->sent = !message->handshake;
  hold(message->handshake ? machine.overhead_short : machine.overhead(size));
  cross(message);
  return message;
}

void await_sent(const std::shared_ptr<Message> &message) {
  if (message->sent) return;
  message->sender = running;
  suspend("its message to leave");
}

// The acknowledgement is there: a sender that waits goes on, or the data leave beside the program.
void acknowledged(const std::shared_ptr<Message> &message) {
  if (message->blocking) {
    resume(message->sender);
    return;
  }
  in(machine.overhead(message->size), [message] {
    cross_data(message);
    message->sent = true;
    if (message->sender) resume(message->sender);
  });
}

double receive(long rank, long source, long tag, int context) {
  Messages &m = messages_of(rank);
  m.source = source, m.tag = tag, m.context = context;
  std::shared_ptr<Message> message = source == any ? nullptr : match(m);
  if (!message) {
    m.receiver = running;
    if (source == any) look(rank);
    suspend("a message");
    message = match(m);
  }
  message->taken = true;
  m.posted.erase(std::find(m.posted.begin(), m.posted.end(), message));
  if (!message->there) {
    message->receiver = running;
    suspend("a message");
  }
  if (message->handshake) {
    hold(machine.overhead_short);
    in(machine.latency, [message] { acknowledged(message); });
    message->waiter = running;
    if (!message->complete) suspend("a message");
  }
  hold(machine.overhead(message->size));
  if (trace.wanted)
    trace.put(message->sent_at, "3:%zu:1:%zu:1:%lld:%lld:%zu:1:%zu:1:%lld:%lld:%lld:%ld", by_rank[message->source]->row,
              by_rank[message->source]->row, ns(message->sent_at), ns(message->sent_at), by_rank[rank]->row,
              by_rank[rank]->row, ns(clock_now), ns(clock_now), std::llround(message->size), message->tag);
  return message->size;
}

// ---- collective operations, by places from the root on ----

void exchange(const Process &p, long to, double size, long from) {
  const auto message = start_send(p.pid, to, 0, 1, size);
  receive(p.pid, from, 0, 1);
  await_sent(message);
}

// A binomial tree over places 0 to n - 1: a place has the places up to place + subtree - 1 below it.
long subtree(long place, long n) {
  long size = 1;
  while (place == 0 ? size < n : place % (2 * size) == 0) size *= 2;
  return size;
}

long power_within(long n) {
  long power = 1;
  while (2 * power <= n) power *= 2;
  return power;
}

long bit_partner(long place, long distance) {
  return place / distance % 2 == 0 ? place + distance : place - distance;
}

// Of a message that is cut into n parts of whole bytes, so many from one on.
double parts(double message, long n, long from, long many) {
  const double part = std::ceil(message / static_cast<double>(n));
  return std::max(0.0, std::min(message - static_cast<double>(from) * part, static_cast<double>(many) * part));
}

void barrier(const Process &p) {
  for (long step = 1; step < p.size; step *= 2)
    exchange(p, modulo(p.pid + step, p.size), 0, modulo(p.pid - step, p.size));
}

void broadcast(const Process &p, double message, long root) {
  const long n = p.size, place = modulo(p.pid - root, n), below = subtree(place, n);
  const bool entire = message <= machine.bcast_short || static_cast<double>(n) < machine.bcast_few;
  const auto rank = [n, root](long of) { return modulo(of + root, n); };
  if (place > 0 && (entire || parts(message, n, place, below) > 0)) receive(p.pid, rank(place - below), 0, 1);
  for (long cut = 2; cut <= below; cut *= 2) {
    const long child = place + below / cut;
    const double size = entire ? message : parts(message, n, child, below / cut);
    if (child < n && (entire || size > 0)) send(p.pid, rank(child), 0, 1, size);
  }
  if (entire) return;
  if (message <= machine.bcast_long && power_within(n) == n) {
    for (long step = 1; step < n; step *= 2) {
      const long other = rank(bit_partner(place, step));
      exchange(p, other, parts(message, n, place / step * step, step), other);
    }
    return;
  }
  for (long round = 0; round < n - 1; round++)
    exchange(p, rank(place + 1), parts(message, n, modulo(place - round, n), 1), rank(place + n - 1));
}

// Where n is more than a power of two the even one of the first pairs of ranks stands for both.
struct Fold {
  long beyond;
  bool stands(long own) const { return own >= 2 * beyond || own % 2 == 0; }
  long number(long own) const { return own < 2 * beyond ? own / 2 : own - beyond; }
  long rank(long at) const { return at < beyond ? 2 * at : at + beyond; }
};

void reduce(const Process &p, double message, long root) {
  const long n = p.size, power = power_within(n);
  if (message <= machine.reduce_short || message < static_cast<double>(power) * machine.reduced_element) {
    const long place = modulo(p.pid - root, n), below = subtree(place, n);
    for (long step = 1; step < below; step *= 2)
      if (place + step < n) receive(p.pid, modulo(place + step + root, n), 0, 1);
    if (place > 0) send(p.pid, modulo(place - below + root, n), 0, 1, message);
    return;
  }
  const Fold fold{n - power};
  const long own = p.pid;
  if (own < 2 * fold.beyond) {
    if (own % 2 == 0)
      receive(own, own + 1, 0, 1);
    else
      send(own, own - 1, 0, 1, message);
  }
  if (fold.stands(own))
    for (long step = 1; step < power; step *= 2) {
      const long other = fold.rank(bit_partner(fold.number(own), step));
      exchange(p, other, message / static_cast<double>(2 * step), other);
    }
  const long first = fold.stands(root) ? 0 : root;
  if (first > 0 && own == 0) send(own, root, 0, 1, message / static_cast<double>(power));
  if (first > 0 && own == root) receive(own, 0, 0, 1);
  if (own != first && (own == 0 || !fold.stands(own))) return;
  const long at = own == first ? 0 : fold.number(own), goal = root == first ? 0 : fold.number(root);
  for (long step = power / 2; step >= 1; step /= 2) {
    const long other = bit_partner(at, step), there = other == 0 ? first : fold.rank(other);
    if (at / (2 * step) != goal / (2 * step)) continue;
    if (at / step == goal / step)
      receive(own, there, 0, 1);
    else
      send(own, there, 0, 1, message / static_cast<double>(2 * step));
  }
}

}  // namespace

void Send::execute(long destination, double message, long tag) {
  begin();
  send(unit_.pid, destination, tag, 0, message);
  note_state(&unit_, since_, SENDING);
  end();
}

long NBSend::execute(long destination, double message, long tag) {
  begin();
  auto &requests = messages_of(unit_.pid).requests;
  requests.push_back(start_send(unit_.pid, destination, tag, 0, message));
  note_state(&unit_, since_, SENDING);
  end();
  return length(requests);
}

double BRecv::execute(long source, long tag, double) {
  begin();
  const double size = receive(unit_.pid, source, tag, 0);
  note_state(&unit_, since_, WAITING);
  end();
  return size;
}

void Wait::execute(long request) {
  begin();
  await_sent(at(messages_of(unit_.pid).requests, request - 1));
  note_state(&unit_, since_, WAITING);
  end();
}

void Broadcast::execute(double message, long root) {
  begin();
  broadcast(process_of(unit_), message, root);
  note_state(&unit_, since_, TOGETHER);
  end();
}

void Reduce::execute(double message, long root) {
  begin();
  reduce(process_of(unit_), message, root);
  note_state(&unit_, since_, TOGETHER);
  end();
}

void Barrier::execute() {
  begin();
  barrier(process_of(unit_));
  note_state(&unit_, since_, TOGETHER);
  end();
}

// ---- the system ----

void System::nodes(const text &, long count, long processors, double quantum) {
  for (long nid = 0; nid < count; nid++) nodes_.push_back(std::make_unique<Node>(processors, quantum));
}

void System::add(std::unique_ptr<Process> process) {
  if (!by_rank.emplace(process->pid, process.get()).second)
    fail("two processes have the number " + std::to_string(process->pid));
  processes_.push_back(std::move(process));
}

void System::add(const text &region, long threads, make_thread make) { regions[region] = {threads, std::move(make)}; }

static void read_words(int count, char **words, text &path) {
  for (int w = 1; w < count; w++) {
    const text word = words[w];
    const size_t equals = word.find('=');
    if (word == "--help") {
      std::printf("usage: %s [NAME=VALUE...] [--trace FILE.prv]\n", words[0]);
      std::exit(0);
    } else if (word == "--trace" && w + 1 < count) {
      path = words[++w];
      trace.wanted = true;
    } else if (equals != text::npos && equals > 0) {
      given.push_back({word.substr(0, equals), word.substr(equals + 1)});
    } else {
      fail("what is said is NAME=VALUE, or --trace FILE.prv, and not '" + word + "'");
    }
  }
}

static void report() {
  std::printf("predicted time  %.12g s\n\nelement\tkind\texecutions\ttime\n", clock_now);
  std::vector<const Element *> rows;
  for (const Element &element : elements) rows.push_back(&element);
  std::stable_sort(rows.begin(), rows.end(), [](const Element *a, const Element *b) { return a->time > b->time; });
  for (const Element *row : rows)
    std::printf("%s\t%s\t%lu\t%.12g s\n", row->name.c_str(), row->type, row->executions, row->time);
}

int run(int count, char **words, void (*settings)(), void (*build)(System &)) {
  System system;
  text path;
  read_words(count, words, path);
  settings();
  for (const Setting &one : given)
    if (!one.used) fail("there is no param '" + one.name + "'");
  build(system);
  for (const auto &process : processes_) start(process.get(), [&process] { process->program(); });
  while (!events.empty()) {
    Event event = events.top();
    events.pop();
    clock_now = event.time;
    event.happen();
  }
  text stuck;
  for (const auto &process : processes_)
    if (process->coroutine) stuck += (stuck.empty() ? "" : "; ") + process->name + "[" + std::to_string(process->pid) +
                                     "] waits for " + process->waits + ", which does not come";
  if (!stuck.empty()) fail(stuck);
  report();
  if (trace.wanted) write_trace(path);
  return 0;
}

}  // namespace prophet
