// The elements of Performance Prophet in C++, for programs that psl graph --activity --format c++ writes: processes and
// threads whose program() executes elements, nodes whose processors they share, and messages by LogGP's costs, simulated
// by events. Nothing here is of the interpreter: what both predict is found in two ways.
//
// Times are seconds, amounts of data bytes.
#ifndef PSL_PROPHET_HPP
#define PSL_PROPHET_HPP
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace prophet {

// ---- values ----

using text = std::string;
template <class T>
using list = std::vector<T>;

[[noreturn]] void fail(const text &what);  // says it and ends the program
inline void check(bool holds, const char *what) {
  if (!holds) fail(what);
}

// low, low + 1, ..., high; nothing where high is less.
class range {
 public:
  using value_type = long;
  struct iterator {
    long at;
    long operator*() const { return at; }
    iterator &operator++() {
      ++at;
      return *this;
    }
    bool operator!=(const iterator &other) const { return at != other.at; }
  };
  range(long low, long high) : low_(low), end_(std::max(low, high + 1)) {}
  iterator begin() const { return {low_}; }
  iterator end() const { return {end_}; }

 private:
  long low_, end_;
};

long whole(long a, long b);   // a div b, rounded down
long modulo(long a, long b);  // 0, or of b's sign
long power(long base, long exponent);
inline long ceiling(double x) { return static_cast<long>(std::ceil(x)); }
inline long floored(double x) { return static_cast<long>(std::floor(x)); }
inline long rounded(double x) { return static_cast<long>(std::round(x)); }

template <class T, class F>
auto each(const T &items, F of) {
  list<decltype(of(*items.begin()))> made;
  for (const auto item : items) made.push_back(of(item));
  return made;
}
template <class T>
T at(const list<T> &items, long place) {
  check(0 <= place && place < static_cast<long>(items.size()), "a list has no item of that place");
  return items[static_cast<size_t>(place)];
}
template <class T>
bool contains(const list<T> &items, T item) {
  return std::find(items.begin(), items.end(), item) != items.end();
}
template <class T>
T first(const list<T> &items) {
  return at(items, 0);
}
template <class T>
T last(const list<T> &items) {
  return at(items, static_cast<long>(items.size()) - 1);
}
template <class T>
long length(const T &items) {
  return static_cast<long>(items.size());
}
template <class T>
list<T> sorted(list<T> items) {
  std::sort(items.begin(), items.end());
  return items;
}
template <class T>
list<T> reversed(list<T> items) {
  std::reverse(items.begin(), items.end());
  return items;
}
template <class T>
T total(const list<T> &items) {
  return std::accumulate(items.begin(), items.end(), T());
}
template <class T>
T product_of(const list<T> &items) {
  return std::accumulate(items.begin(), items.end(), T(1), std::multiplies<T>());
}
template <class T>
T least(const list<T> &items) {
  check(!items.empty(), "the least of no numbers");
  return *std::min_element(items.begin(), items.end());
}
template <class T>
T greatest(const list<T> &items) {
  check(!items.empty(), "the greatest of no numbers");
  return *std::max_element(items.begin(), items.end());
}
template <class A, class B, class... Rest>
auto least(A a, B b, Rest... rest) {
  std::common_type_t<A, B> less = b < a ? b : a;
  if constexpr (sizeof...(rest) == 0)
    return less;
  else
    return least(less, rest...);
}
template <class A, class B, class... Rest>
auto greatest(A a, B b, Rest... rest) {
  std::common_type_t<A, B> more = a < b ? b : a;
  if constexpr (sizeof...(rest) == 0)
    return more;
  else
    return greatest(more, rest...);
}
inline long count_of(const list<bool> &items) { return std::count(items.begin(), items.end(), true); }
inline bool all_of(const list<bool> &items) { return count_of(items) == length(items); }
inline bool any_of(const list<bool> &items) { return count_of(items) > 0; }

// A param: what the command line says, or else `otherwise`. Text may have units of time and data: 5ms, 4KiB.
template <class T>
T setting(const char *name, T otherwise);
template <>
long setting<long>(const char *name, long otherwise);
template <>
double setting<double>(const char *name, double otherwise);
template <>
bool setting<bool>(const char *name, bool otherwise);
template <>
text setting<text>(const char *name, text otherwise);

// Which of the flows that have these chances, by a generator of the runtime's own.
int choose(std::initializer_list<double> chances);

// ---- the machine ----

struct Machine {  // LogGP's figures, and which algorithms its MPI takes
  double latency = 0, overhead_short = 0, overhead_long = 0, gap_short = 0, gap_long = 0;
  double overhead_threshold = 0, handshake_threshold = 0, gap_threshold = 0;
  double bcast_short = 0, bcast_long = 0, bcast_few = 0, reduce_short = 0, reduced_element = 8;
  double overhead(double bytes) const { return bytes < overhead_threshold ? overhead_short : overhead_long; }
  double wire(double bytes) const { return latency + bytes * (bytes < gap_threshold ? gap_short : gap_long); }
};
extern Machine machine;

// ---- processing units ----

class Unit;
class Process;
class Node;
double now();

// Waits in the order of coming.
class Gate {
 public:
  void wait();  // the unit that runs now
  bool open();  // for the first one; false: nobody waits
  void open_all();

 private:
  std::vector<Unit *> waiting_;
  size_t next_ = 0;
};

class Unit {  // a process or a thread
 public:
  Unit(const text &name, Process *process, long pid, long tid, long nid, long size);
  virtual ~Unit();
  Unit(const Unit &) = delete;
  Unit &operator=(const Unit &) = delete;
  virtual void program() = 0;
  long pid, tid, nid, size, iteration = 0;

  // What elements and the runtime need.
  text name;
  Process *process;
  struct Coroutine;
  std::unique_ptr<Coroutine> coroutine;
  size_t row = 0;                // in traces
  std::vector<size_t> elements;  // that it is in, by number
  text waits;                    // for what, where it does
};

struct Messages;
class Process : public Unit {
 public:
  Process(const text &name, long pid, long nid, long size, long threads);
  ~Process() override;
  long threads;                  // that execute a ParallelDo
  Gate locks[16];                // of critical sections
  bool held[16] = {};            // by a thread
  long arrived = 0;              // at the barrier of its threads
  Gate barrier;
  std::unique_ptr<Messages> messages;
};

class Thread : public Unit {  // of a parallel region
 public:
  Thread(const text &region, Process &process, long tid, long threads);
  long threads;
};

// ---- elements ----

// What all have in common: the unit that executes it, and a name, by which reports and traces show it.
class ModelElement {
 public:
  ModelElement(Unit &unit, text name, const char *type) : unit_(unit), name_(std::move(name)), type_(type) {}

 protected:
  void begin();
  void end();
  Unit &unit_;
  text name_;
  const char *type_;
  double since_ = 0;
};

#define PROPHET_ELEMENT(NAME, TYPE)                                             \
  class NAME : public ModelElement {                                            \
   public:                                                                      \
    NAME(Unit &unit, text name) : ModelElement(unit, std::move(name), TYPE) {}
PROPHET_ELEMENT(ActionPlus, "ActionPlus")
  void execute(double cost);
};
PROPHET_ELEMENT(Critical, "Critical")
  void execute(double cost, long lock);
};
PROPHET_ELEMENT(TeamBarrier, "Barrier")
  void execute();
};
PROPHET_ELEMENT(ParallelDo, "ParallelDo")
  void execute(const list<double> &costs, const text &schedule, long chunk);
};
PROPHET_ELEMENT(ParallelRegion, "ParallelRegion")
  void execute(const text &region, long iteration);
};
PROPHET_ELEMENT(Send, "Send")
  void execute(long destination, double message, long tag);
};
PROPHET_ELEMENT(NBSend, "NBSend")
  long execute(long destination, double message, long tag);  // the request, for Wait
};
PROPHET_ELEMENT(BRecv, "BRecv")
  double execute(long source, long tag, double message);  // the size of what came; source -1: any, tag -1: any
};
PROPHET_ELEMENT(Wait, "Wait")
  void execute(long request);
};
PROPHET_ELEMENT(Broadcast, "Broadcast")
  void execute(double message, long root);
};
PROPHET_ELEMENT(Reduce, "Reduce")
  void execute(double message, long root);
};
PROPHET_ELEMENT(Barrier, "Barrier")
  void execute();
};
#undef PROPHET_ELEMENT

// ---- the system ----

class System {
 public:
  template <class T>
  void processes(const text &name, long count, long first, long size, long per_node, long threads) {
    for (long pid = first; pid < first + count; pid++)
      add(std::make_unique<T>(name, pid, pid / std::max(per_node, 1L), size, threads));
  }
  template <class T>
  void threads(const text &region, long, long, long threads) {
    add(region, threads,
        [region, threads](Process &process, long tid) { return std::make_unique<T>(region, process, tid, threads); });
  }
  // A quantum of 0: first come first served.
  void nodes(const text &name, long count, long processors, double quantum = 0);

 private:
  using make_thread = std::function<std::unique_ptr<Unit>(Process &, long)>;
  void add(std::unique_ptr<Process> process);
  void add(const text &region, long threads, make_thread make);
};

// main(): settings NAME=VALUE, --trace FILE.prv for a trace of Paraver, which psl report and others show, --help.
int run(int count, char **words, void (*settings)(), void (*build)(System &));

}  // namespace prophet
#endif
