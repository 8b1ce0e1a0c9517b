/* Distributions by the parameters of other tools: a coefficient of variation in place of a deviation, the scale before
 * the shape, mu and sigma of a logarithm.  function_call.c asks, where the call of a distribution does not fit. */
#include "interp/check/checker.h"

#include <string.h>

enum role {
  MEAN,
  SECOND,
  DEVIATION,
  VARIANCE,
  CV,
  SCV,
  SHAPE,
  SCALE,
  RATE,
  SECOND_RATE,
  LOW,
  MODE,
  HIGH,
  CHANCE,
  ROLES
};

/* What others call it; what is a parameter of the distribution itself is looked for first. */
static const struct role_words {
  enum role role;
  const char *words;
} all_words[] = {
    {MEAN, "|mean|average|avg|mu|m|loc|location|expectation|mean1|m1|first-mean|"},
    {SECOND, "|mean2|m2|second-mean|"},
    {DEVIATION, "|sd|sigma|std|stdev|stddev|deviation|standard-deviation|scale|"},
    {VARIANCE, "|variance|var|sigma2|"},
    {CV, "|cv|cov|c|variation|coefficient-of-variation|"},
    {SCV, "|scv|cv2|c2|squared-cv|"},
    {SHAPE, "|shape|k|alpha|a|phases|stages|n|r|order|"},
    {SCALE, "|scale|theta|"},
    {RATE, "|rate|lambda|lam|rate1|lambda1|"},
    {SECOND_RATE, "|rate2|lambda2|"},
    {LOW, "|low|min|minimum|least|left|a|xm|scale|"},
    {MODE, "|mode|peak|most-likely|c|"},
    {HIGH, "|high|max|maximum|greatest|right|b|"},
    {CHANCE, "|p|prob|chance|probability|p1|"},
};

/* What the parameters are, in their order. */
static const struct family {
  enum distribution_kind kind;
  uint32_t count;
  enum role roles[3];
} families[] = {
    {DISTRIBUTION_UNIFORM, 2, {LOW, HIGH}},          {DISTRIBUTION_NORMAL, 2, {MEAN, DEVIATION}},
    {DISTRIBUTION_LOGNORMAL, 2, {MEAN, DEVIATION}},  {DISTRIBUTION_GAMMA, 2, {SHAPE, SCALE}},
    {DISTRIBUTION_ERLANG, 2, {SHAPE, MEAN}},         {DISTRIBUTION_HYPEREXPONENTIAL, 3, {CHANCE, MEAN, SECOND}},
    {DISTRIBUTION_WEIBULL, 2, {SHAPE, SCALE}},       {DISTRIBUTION_PARETO, 2, {SHAPE, LOW}},
    {DISTRIBUTION_TRIANGULAR, 3, {LOW, MODE, HIGH}},
};

static const struct family *family_of(const struct builtin *builtin) {
  for (size_t i = 0; builtin->kind && i < sizeof families / sizeof *families; i++)
    if ((int)families[i].kind == builtin->kind) return &families[i];
  return NULL;
}

static bool has_role(const struct family *family, enum role role) {
  for (uint32_t i = 0; i < family->count; i++)
    if (family->roles[i] == role) return true;
  return false;
}

static bool is_listed(const char *words, const char *word) {
  size_t length = strlen(word);
  for (const char *at = words; at[1]; at += strcspn(at + 1, "|") + 1)
    if (strcspn(at + 1, "|") == length && !strncmp(at + 1, word, length)) return true;
  return false;
}

/* ROLES: nobody knows the word. */
static enum role role_of(const struct family *family, const char *word) {
  enum role other = ROLES;
  if (family->kind == DISTRIBUTION_WEIBULL && !strcmp(word, "alpha"))
    return ROLES; /* the scale in one, else the shape */
  for (size_t i = 0; i < sizeof all_words / sizeof *all_words; i++) {
    if (!is_listed(all_words[i].words, word)) continue;
    if (has_role(family, all_words[i].role)) return all_words[i].role;
    if (other == ROLES) other = all_words[i].role;
  }
  return other;
}

/* What is given, by what it is: texts that can be operands. */
struct given {
  const struct expr *of[ROLES];
};

/* False: a word is unknown, or something is given twice. */
static bool find_given(const struct family *family, const struct args *args, struct given *given) {
  bool spread = false;
  for (uint32_t i = 0; i < args->field_count; i++) {
    enum role role = role_of(family, args->fields[i].name.name->folded->text);
    if (role == ROLES || given->of[role]) return false;
    given->of[role] = args->fields[i].value;
    spread |= !has_role(family, role) && role >= DEVIATION && role <= SCV;
  }
  for (uint32_t i = 0; i < args->value_count && i < family->count; i++) {
    enum role role = spread && !i ? MEAN : family->roles[i]; /* gamma(150 ms, cv = 0.5) */
    if (given->of[role]) return false;
    given->of[role] = args->values[i];
  }
  return true;
}

static const char *operand(struct checker *c, const struct given *given, enum role role) {
  return given->of[role] ? operand_text(c, given->of[role]) : NULL;
}

/* The deviation, of what else says how far values are from their mean; NULL: nothing does. */
static const char *deviation_text(struct checker *c, const struct given *given) {
  const char *mean = operand(c, given, MEAN), *cv = operand(c, given, CV), *scv = operand(c, given, SCV);
  if (cv && mean) return arena_printf(c->arena, "%s * %s", cv, mean);
  if (scv && mean) return arena_printf(c->arena, "sqrt(%s) * %s", expr_text(c, given->of[SCV]), mean);
  if (given->of[VARIANCE]) return arena_printf(c->arena, "sqrt(%s)", expr_text(c, given->of[VARIANCE]));
  return NULL;
}

/* The squared coefficient of variation, as an operand. */
static const char *scv_text(struct checker *c, const struct given *given) {
  const char *mean = operand(c, given, MEAN), *cv = operand(c, given, CV), *scv = operand(c, given, SCV);
  const char *deviation = operand(c, given, DEVIATION), *variance = operand(c, given, VARIANCE);
  if (scv) return scv;
  if (cv) return arena_printf(c->arena, "%s ^ 2", cv);
  if (deviation && mean) return arena_printf(c->arena, "(%s / (%s)) ^ 2", deviation, mean);
  if (variance && mean) return arena_printf(c->arena, "(%s / (%s) ^ 2)", variance, mean);
  return NULL;
}

static const char *rate_mean(struct checker *c, const struct expr *rate) {
  return rate ? arena_printf(c->arena, "1 / (%s)", expr_text(c, rate)) : NULL;
}

/* The parameters of the family, of what is given of others; NULL: they cannot be had. */
static const char *other_text(struct checker *c, const struct family *family, const struct given *given) {
  const char *mean = operand(c, given, MEAN), *shape = operand(c, given, SHAPE), *scv = scv_text(c, given);
  const char *rate = given->of[RATE] ? expr_text(c, given->of[RATE]) : NULL;
  const char *second = given->of[SECOND_RATE] ? expr_text(c, given->of[SECOND_RATE]) : NULL;
  switch (family->kind) {
  case DISTRIBUTION_NORMAL:
  case DISTRIBUTION_LOGNORMAL: {
    const char *deviation = deviation_text(c, given);
    return mean && deviation ? arena_printf(c->arena, "%s, %s", expr_text(c, given->of[MEAN]), deviation) : NULL;
  }
  case DISTRIBUTION_GAMMA:
    if (mean && scv) return arena_printf(c->arena, "1 / %s, %s * %s", scv, mean, scv);
    if (mean && shape) return arena_printf(c->arena, "%s, %s / %s", shape, mean, shape);
    return rate && shape ? arena_printf(c->arena, "%s, 1 / (%s)", shape, rate) : NULL;
  case DISTRIBUTION_ERLANG: {
    const char *scale = operand(c, given, SCALE);
    if (mean && scv) return arena_printf(c->arena, "round(1 / %s), %s", scv, mean);
    if (scale && shape) return arena_printf(c->arena, "%s, %s * %s", shape, shape, scale);
    return rate && shape ? arena_printf(c->arena, "%s, %s / (%s)", shape, shape, rate) : NULL;
  }
  case DISTRIBUTION_HYPEREXPONENTIAL:
    if (given->of[CHANCE] && rate && second)
      return arena_printf(c->arena, "%s, %s, %s", expr_text(c, given->of[CHANCE]), rate_mean(c, given->of[RATE]),
                          rate_mean(c, given->of[SECOND_RATE]));
    return NULL;
  default: return NULL;
  }
}

/* Of the mean and the variation alone, in balance: as much of the time is spent in either phase. */
static const char *balanced_text(struct checker *c, const struct family *family, const struct given *given) {
  const char *mean = operand(c, given, MEAN), *scv = scv_text(c, given);
  if (family->kind != DISTRIBUTION_HYPEREXPONENTIAL || !mean || !scv || given->of[CHANCE]) return NULL;
  return arena_printf(c->arena,
                      "with let p = (1 + sqrt((%s - 1) / (%s + 1))) / 2; it is hyperexponential(p, %s / (2 * p), %s / "
                      "(2 * (1 - p)))",
                      scv, scv, mean, mean);
}

static const char of_logarithm[] =
    "mean and sd are those of the values themselves: of mu and sigma of their logarithm the mean is exp(mu + sigma ^ 2 "
    "/ 2), and sd the mean * sqrt(exp(sigma ^ 2) - 1)";

static bool is_number(const struct expr *expr) {
  return expr && (expr->kind == EXPR_INTEGER || expr->kind == EXPR_REAL);
}

/* Is the deviation of a logarithm meant? */
static bool of_sigma(const struct family *family, const struct expr *call) {
  bool found = false;
  for (uint32_t i = 0; i < call->call->args.field_count; i++)
    found |= is_listed("|sigma|scale|mu|", call->call->args.fields[i].name.name->folded->text);
  return found && family->kind == DISTRIBUTION_LOGNORMAL;
}

/* A number without a unit where a deviation has one: said as what it would be of a coefficient of variation. */
static bool variation_help(struct checker *c, const struct family *family, const struct builtin *builtin,
                           struct given given) {
  given.of[CV] = given.of[DEVIATION];
  check_help(c, (struct span){0, 0}, "sd is the standard deviation: of a coefficient of variation of %s it is %s(%s)",
             expr_text(c, given.of[CV]), builtin->name, other_text(c, family, &given));
  return true;
}

bool distribution_names_help(struct checker *c, const struct expr *call, const struct builtin *builtin) {
  const struct family *family = family_of(builtin);
  struct given given = {{0}};
  if (!family) return false;
  if (!find_given(family, &call->call->args, &given)) return true; /* what fits says the error */
  struct text inorder = {.arena = c->arena};
  uint32_t count = 0;
  for (uint32_t i = 0; i < family->count; i++) {
    const struct expr *value = given.of[family->roles[i]];
    if (!value) continue;
    text_printf(&inorder, "%s%s", count++ ? ", " : "", expr_text(c, value));
  }
  bool whole = count == family->count;
  if (whole && given.of[DEVIATION] && is_number(given.of[DEVIATION]) && !is_number(given.of[MEAN]) &&
      !of_sigma(family, call))
    return variation_help(c, family, builtin, given);
  if (whole && of_sigma(family, call) && is_number(given.of[DEVIATION])) {
    check_help(c, (struct span){0, 0}, "%s", of_logarithm);
    if (!is_number(given.of[MEAN]))
      check_help(c, call->span, "of a mean of %s it is lognormal(%s, %s * sqrt(exp(%s ^ 2) - 1))",
                 expr_text(c, given.of[MEAN]), expr_text(c, given.of[MEAN]), operand_text(c, given.of[MEAN]),
                 expr_text(c, given.of[DEVIATION]));
    return true;
  }
  const char *others = whole ? inorder.data : other_text(c, family, &given);
  const char *balanced = others ? NULL : balanced_text(c, family, &given);
  if (others) check_help(c, call->span, "write %s(%s)", builtin->name, others);
  if (balanced) check_help(c, call->span, "%s", balanced);
  return true;
}

static bool has_unit(const struct type *type) { return type_is_number(type) && !dimension_none(type_dimension(type)); }

bool distribution_places_help(struct checker *c, const struct expr *call, const struct builtin *builtin,
                              const struct type *const *types, uint32_t count) {
  const struct family *family = family_of(builtin);
  bool mixed = family && family->kind == DISTRIBUTION_HYPEREXPONENTIAL && count == 3;
  if (mixed && has_unit(types[0]) && has_unit(types[1]) && type_is_number(types[2]) && !has_unit(types[2])) {
    struct expr **values = call->call->args.values;
    check_help(c, (struct span){0, 0}, "the chance of the first mean stands first: %s(%s, %s, %s)", builtin->name,
               expr_text(c, values[2]), expr_text(c, values[0]), expr_text(c, values[1]));
    return true;
  }
  if (!family || family->count != 2 || count != 2 || !has_unit(types[0]) || !type_is_number(types[1])) return false;
  const char *first = expr_text(c, call->call->args.values[0]), *second = expr_text(c, call->call->args.values[1]);
  struct given given = {{[MEAN] = call->call->args.values[0]}};
  bool plain = !has_unit(types[1]);
  if (has_role(family, DEVIATION)) {
    if (!plain) return false;
    given.of[DEVIATION] = call->call->args.values[1];
    return variation_help(c, family, builtin, given);
  }
  if (!has_role(family, SHAPE)) return false;
  given.of[plain ? CV : DEVIATION] = call->call->args.values[1];
  const char *others = other_text(c, family, &given);
  const char *what = plain ? "coefficient of variation" : "standard deviation";
  if (plain)
    check_help(c, (struct span){0, 0}, "the %s stands first: %s(%s, %s)",
               family->kind == DISTRIBUTION_ERLANG ? "number of phases" : "shape", builtin->name, second, first);
  if (others && (!plain || family->kind == DISTRIBUTION_GAMMA))
    check_help(c, (struct span){0, 0}, "of a mean of %s and a %s of %s it is %s(%s)", first, what, second,
               builtin->name, others);
  return plain || others;
}
