/* LogGP: what sending and receiving a message costs, as equations (1a) to (3b) of the POEMS paper
 * (Adve et al., IEEE TSE 26(11), 2000, figure 4.1) have it for MPI on the IBM SP/2.
 *
 * Pure functions of the message's size and of every figure that they need; stdlib/message-cost.psl gives
 * them its params. Sizes in bytes, times in seconds. The overhead `o` of a message is `os` below the
 * overhead threshold and `ol` from it on; `G` gives way to `Gl` at the gap threshold; from the handshake
 * threshold on a message is preceded by a request and its acknowledgement, short messages both. */
#include "interp/include/evaluator.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The order in which `send`, `receive` and `total` take their arguments; the signatures below say the same.
 */
struct figures {
  double message, L, os, ol, G, Gl, overhead_threshold, handshake_threshold, gap_threshold;
};

static const char *const figure_names[][2] = {{"the message", "byte"},
                                              {"L", "s"},
                                              {"os", "s"},
                                              {"ol", "s"},
                                              {"G", "s/byte"},
                                              {"Gl", "s/byte"},
                                              {"overhead-threshold", "byte"},
                                              {"handshake-threshold", "byte"},
                                              {"gap-threshold", "byte"}};

/* A size or a time that is negative or no number is a mistake in the model. */
static bool figure_check(double value, const char *name, const char *unit, char error[200]) {
  if (value >= 0) return true;
  snprintf(error, 200, "%s is %g %s, and must not be negative", name, value, unit);
  return false;
}

static bool figures_read(const union psl_argument *arguments, struct figures *f, char error[200]) {
  enum { FIGURES = sizeof figure_names / sizeof *figure_names };
  bool fine = true;
  *f = (struct figures){.message = arguments[0].real,
                        .L = arguments[1].real,
                        .os = arguments[2].real,
                        .ol = arguments[3].real,
                        .G = arguments[4].real,
                        .Gl = arguments[5].real,
                        .overhead_threshold = arguments[6].real,
                        .handshake_threshold = arguments[7].real,
                        .gap_threshold = arguments[8].real};
  for (int k = 0; k < FIGURES; k++)
    fine &= arguments[k].real >= 0;
  for (int k = 0; k < FIGURES && !fine; k++)
    if (!figure_check(arguments[k].real, figure_names[k][0], figure_names[k][1], error)) return false;
  return true;
}

static double overhead(const struct figures *f) { return f->message < f->overhead_threshold ? f->os : f->ol; }

static double transmission(const struct figures *f) {
  return f->message * (f->message < f->gap_threshold ? f->G : f->Gl);
}

static bool handshake(const struct figures *f) { return f->message >= f->handshake_threshold; }

static bool loggp_send(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  struct figures f;
  if (!figures_read(arguments, &f, error)) return false;
  result->real = handshake(&f) ? f.os + f.L + f.os + f.os + f.L + overhead(&f) /* (1b) */
                               : overhead(&f);                                 /* (1a) */
  return true;
}

static bool loggp_receive(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  struct figures f;
  if (!figures_read(arguments, &f, error)) return false;
  result->real = handshake(&f) ? f.os + f.L + overhead(&f) + transmission(&f) + f.L + overhead(&f) /* (2b) */
                               : overhead(&f);                                                     /* (2a) */
  return true;
}

static bool loggp_total(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  struct figures f;
  if (!figures_read(arguments, &f, error)) return false;
  double request = handshake(&f) ? f.os + f.L + f.os + f.os + f.L : 0; /* what (3b) has before (3a) */
  result->real = request + overhead(&f) + transmission(&f) + f.L + overhead(&f);
  return true;
}

static bool loggp_overhead(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  double message = arguments[0].real, os = arguments[1].real, ol = arguments[2].real, threshold = arguments[3].real;
  if (!figure_check(message, "the message", "byte", error) || !figure_check(os, "os", "s", error) ||
      !figure_check(ol, "ol", "s", error))
    return false;
  result->real = message < threshold ? os : ol;
  return true;
}

static bool loggp_wire(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  double message = arguments[0].real, L = arguments[1].real, G = arguments[2].real, Gl = arguments[3].real,
         threshold = arguments[4].real;
  if (!figure_check(message, "the message", "byte", error) || !figure_check(L, "L", "s", error) ||
      !figure_check(G, "G", "s/byte", error) || !figure_check(Gl, "Gl", "s/byte", error))
    return false;
  result->real = L + message * (message < threshold ? G : Gl);
  return true;
}

/* Those figures that no machine can do without, by what is given: an example of each that is not. */
static bool loggp_given(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  static const char *const names[] = {"L", "os", "G"};
  static const char *const examples[] = {"param L = 2 us;", "param os = 0.5 us;", "param G = 0.1 ns/byte;"};
  char missing[40] = "", wanted[80] = "";
  for (int k = 0; k < 3; k++) {
    if (arguments[k].real > 0) continue;
    snprintf(missing + strlen(missing), sizeof missing - strlen(missing), "%s%s", *missing ? ", " : "", names[k]);
    snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted), " %s", examples[k]);
  }
  result->real = 1;
  if (!*missing) return true;
  snprintf(error, 200, "the machine lacks %s: its component has to give what its messages need, as in%s", missing,
           wanted);
  return false;
}

#define OVERHEAD "(if message < overhead-threshold then os else ol)"
#define TRANSMISSION "message * (if message < gap-threshold then G else Gl)"
#define HANDSHAKE "(if message >= handshake-threshold then os + L + os + os + L else 0 * L)"

#define FIGURES                                                                     \
  "(message : data, L : time, os : time, ol : time, G : time/data, Gl : time/data," \
  " overhead-threshold : data = 1024 byte, handshake-threshold : data = 4096 byte," \
  " gap-threshold : data = 4096 byte) -> time"

static const struct psl_evaluator_function functions[] = {
    {.name = "send",
     .signature = FIGURES,
     .kind = PSL_PURE,
     .pure = loggp_send,
     .formula = HANDSHAKE " + " OVERHEAD,
     .doc = "Time that a send keeps its processor: o (1a); with the handshake os + L + os + os + L + o (1b). "
            "POEMS, figure 4.1."},
    {.name = "receive",
     .signature = FIGURES,
     .kind = PSL_PURE,
     .pure = loggp_receive,
     .formula =
         "(if message >= handshake-threshold then os + L + " OVERHEAD " + " TRANSMISSION " + L else 0 * L) + " OVERHEAD,
     .doc = "Time that a receive keeps its processor: o (2a); with the handshake os + L + o + message x G + "
            "L + o "
            "(2b). POEMS, figure 4.1."},
    {.name = "total",
     .signature = FIGURES,
     .kind = PSL_PURE,
     .pure = loggp_total,
     .formula = HANDSHAKE " + " OVERHEAD " + " TRANSMISSION " + L + " OVERHEAD,
     .doc = "Time from the call of the send to the end of the receive: o + message x G + L + o (3a); with the "
            "handshake os + L + os + os + L more (3b). POEMS, figure 4.1."},
    {.name = "overhead",
     .signature = "(message : data, os : time, ol : time, overhead-threshold : data = 1024 byte) -> time",
     .kind = PSL_PURE,
     .pure = loggp_overhead,
     .formula = "if message < overhead-threshold then os else ol",
     .doc = "The overhead o of a message at either end: os below the threshold, ol from it on. POEMS, "
            "section 4.2."},
    {.name = "wire",
     .signature = "(message : data, L : time, G : time/data, Gl : time/data, gap-threshold : data = 4096 byte)"
                  " -> time",
     .kind = PSL_PURE,
     .pure = loggp_wire,
     .formula = "L + " TRANSMISSION,
     .doc = "Time of one crossing of the network: L + message x G, with Gl in place of G from the threshold "
            "on. The "
            "part of (3a) and (3b) that is nobody's processor time."},
    {.name = "given",
     .signature = "(L : time, os : time, G : time/data) -> real",
     .kind = PSL_PURE,
     .pure = loggp_given,
     .doc = "1: a machine has the figures that its messages need. Error: it lacks one, which is said with an example."},
    {.name = NULL},
};

static const struct psl_assumption assumptions[] = {
    {"no contention in the network, and the latency L is the same between any two processors", "overhead", true},
    {"messages follow each other by more than the gap g", "overhead"},
    {NULL, NULL},
};

const struct psl_evaluator loggp_evaluator = {
    .version = PSL_EVALUATOR_VERSION,
    .name = "LogGP",
    .revision = "1",
    .doc = "LogGP costs of MPI's blocking send and receive: equations (1a) to (3b) of the POEMS paper.",
    .evidence = PSL_ANALYTIC,
    .functions = functions,
    .assumptions = assumptions,
};
