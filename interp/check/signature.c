/* What a call takes, while its arguments are written: the text before the place says which call it is and which of its
 * arguments, what it takes the declaration of what is called. */
#include "interp/check/checker.h"
#include "interp/check/editing.h"
#include "interp/check/load.h"

#include <ctype.h>
#include <string.h>

struct call_site {
  size_t open;     /* where its parenthesis stands */
  size_t argument; /* where the argument in hand begins */
  uint32_t commas;
};

/* Reads the text before the place back to the parenthesis that is open there. */
static bool find_site(const char *text, size_t at, struct call_site *site) {
  enum { FAR = 20000 };
  int depth = 0;
  size_t last = at > FAR ? at - FAR : 0;
  *site = (struct call_site){.argument = at};
  bool argument = false;
  for (; at > last; at--) {
    char c = text[at - 1];
    if (c == ';' && !depth) return false;
    depth += (c == ')' || c == ']' || c == '}') - (c == '(' || c == '[' || c == '{');
    if (depth < 0 && c != '(') return false;
    if (depth < 0 || (!depth && c == ',')) {
      if (!argument) site->argument = at;
      argument = true;
      site->commas += depth == 0;
    }
    site->open = at - 1;
    if (depth < 0) return true;
  }
  return false;
}

static bool is_name_character(char c) { return isalnum((unsigned char)c) || c == '_' || c == '-'; }

/* ---- labels ---- */

/* A text of the model with its blanks made one each. */
static const char *written(struct model *m, struct arena *arena, struct span span) {
  const struct source *source = source_of(m->sources, span.begin);
  if (!source || span.end > source->base + source->size) return NULL;
  struct text out = {.arena = arena};
  bool blank = false;
  for (uint32_t i = span.begin; i < span.end; i++) {
    char c = source->text[i - source->base];
    bool space = isspace((unsigned char)c);
    if (!space && blank) text_char(&out, ' ');
    if (!space) text_char(&out, c);
    blank = space;
  }
  return out.data;
}

static const char *label_of_request(struct model *m, struct arena *arena, const struct source *source, size_t at,
                                    const struct name *name) {
  uint32_t offset = source->base + (uint32_t)at;
  for (uint32_t i = 0; i < m->request_count; i++) {
    const struct model_request *request = m->requests[i];
    const struct span *in = &request->component->decl->span;
    if (!request->label || request->label->name != name || in->begin > offset || in->end < offset) continue;
    struct text out = {.arena = arena};
    text_printf(&out, "%s(", name->text);
    for (uint32_t p = 0; p < request->param_count; p++)
      text_printf(&out, "%s%s", p ? ", " : "", request->params[p]->name->text);
    text_put(&out, ")");
    return out.data;
  }
  return NULL;
}

static const char *label_of_evaluator(struct model *m, struct arena *arena, const char *name, const char *point,
                                      const char **doc) {
  const struct psl_evaluator *evaluator =
      evaluator_named(&m->loading->options, arena_copy(arena, name, (size_t)(point - name)));
  for (const struct psl_evaluator_function *f = evaluator ? evaluator->functions : NULL; f && f->name; f++)
    if (!strcmp(f->name, point + 1)) {
      *doc = f->doc;
      return arena_printf(arena, "%s%s", name, f->signature);
    }
  return NULL;
}

static const struct signature *signature_of(const struct symbol *symbol) {
  if (!symbol || !symbol->decl) return NULL;
  if (symbol->kind == SYMBOL_FUNCTION) return &symbol->decl->function.signature;
  if (symbol->kind == SYMBOL_TRANSACTION) return &symbol->decl->transaction;
  for (uint32_t i = 0; symbol->kind == SYMBOL_FOREIGN && i < symbol->decl->foreign.count; i++)
    if (symbol->decl->foreign.functions[i].name.name == symbol->name) return &symbol->decl->foreign.functions[i];
  return NULL;
}

/* A function of the component that the place stands in, else of the whole model. */
static const struct symbol *function_at(struct model *m, const struct source *source, size_t at,
                                        const struct name *name) {
  uint32_t offset = source->base + (uint32_t)at;
  for (uint32_t i = 0; i < m->function_count; i++) {
    const struct model_function *f = m->functions[i];
    if (!f->component || f->symbol->name != name) continue;
    if (f->component->decl->span.begin <= offset && offset <= f->component->decl->span.end) return f->symbol;
  }
  return table_first(m->loading->checker, SPACE_VALUE, name);
}

static const char *find_label(struct model *m, struct arena *arena, const struct source *source, size_t at,
                              const char *callee, const char **doc) {
  const char *point = strchr(callee, '.');
  const char *label = point ? label_of_evaluator(m, arena, callee, point, doc) : NULL;
  const struct name *name = name_of(m->names, point ? point + 1 : callee);
  if (!label && !point) label = label_of_request(m, arena, source, at, name);
  if (label) return label;
  const struct symbol *symbol = function_at(m, source, at, name);
  if (!symbol) symbol = table_first(m->loading->checker, SPACE_TRANSACTION, name);
  const struct signature *signature = signature_of(symbol);
  if (signature) {
    *doc = symbol->decl->doc;
    return written(m, arena, signature->span);
  }
  const struct builtin *builtin = point ? NULL : builtin_find(callee);
  if (!builtin) return NULL;
  *doc = builtin->doc;
  return arena_printf(arena, "%s%s", builtin->name, builtin->parameters);
}

/* ---- parameters ---- */

static void add_part(struct arena *arena, struct signature_found *out, uint32_t *capacity, const char *label,
                     size_t begin, size_t end) {
  while (begin < end && label[begin] == ' ')
    begin++;
  if (begin == end) return;
  size_t name = begin, stop;
  if (!strncmp(label + begin, "every ", 6)) name += 6;
  for (stop = name; stop < end && is_name_character(label[stop]);)
    stop++;
  struct signature_part part = {begin, end, arena_copy(arena, label + name, stop - name)};
  ARENA_PUSH(arena, out->parts, out->count, *capacity, part);
}

static void split(struct arena *arena, struct signature_found *out) {
  const char *label = out->label, *open = strchr(label, '(');
  uint32_t capacity = 0;
  int depth = 0;
  if (!open) return;
  for (size_t at = (size_t)(open - label), begin = at + 1; label[at]; at++) {
    char c = label[at];
    depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
    if (depth == 0 || (depth == 1 && c == ',')) {
      add_part(arena, out, &capacity, label, begin, at);
      begin = at + 1;
    }
    if (depth == 0) return;
  }
}

/* By its name, where the argument is written NAME = VALUE; else by its place. */
static uint32_t active_part(const struct signature_found *found, const char *text, const struct call_site *site,
                            size_t at) {
  size_t begin = site->argument, end;
  while (begin < at && isspace((unsigned char)text[begin]))
    begin++;
  for (end = begin; end < at && is_name_character(text[end]);)
    end++;
  size_t equals = end;
  while (equals < at && text[equals] == ' ')
    equals++;
  bool named = end > begin && equals < at && text[equals] == '=' && (equals + 1 == at || text[equals + 1] != '=');
  for (uint32_t i = 0; named && i < found->count; i++)
    if (strlen(found->parts[i].name) == end - begin && !strncmp(found->parts[i].name, text + begin, end - begin))
      return i;
  if (named || !found->count) return found->count;
  bool repeats = !strcmp(found->label + found->parts[found->count - 1].begin, "…)"); /* max(x, …) */
  return site->commas < found->count ? site->commas : found->count - repeats;
}

bool model_signature(struct model *model, struct arena *arena, const struct source *source, uint32_t at,
                     struct signature_found *out) {
  struct call_site site;
  *out = (struct signature_found){0};
  if (!find_site(source->text, at, &site)) return false;
  size_t end = site.open, begin;
  while (end && source->text[end - 1] == ' ')
    end--;
  for (begin = end; begin && (is_name_character(source->text[begin - 1]) || source->text[begin - 1] == '.');)
    begin--;
  while (begin < end && !isalpha((unsigned char)source->text[begin]))
    begin++; /* -f(x) */
  if (begin == end) return false;
  out->label = find_label(model, arena, source, at, arena_copy(arena, source->text + begin, end - begin), &out->doc);
  if (!out->label) return false;
  split(arena, out);
  out->active = active_part(out, source->text, &site, at);
  return true;
}
