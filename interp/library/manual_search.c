/* Which sections of the manuals speak of some words: each paragraph has a weight by the words that stand in it, the
 * rarer ones more, and a section that of its best paragraph.  Nothing is kept from one search to the next. */
#include "interp/library/manuals.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

enum {
  WORDS = 12,    /* that are searched for, at most */
  PLACES = 5,    /* that are shown */
  EXCERPT = 150, /* letters of the sentence that is shown */
  COLUMNS = 78
};

#define HEADED 0.6      /* what a word in a heading weighs, beside one in the text, */
#define SHOWN_AS 0.6    /* a paragraph that is an example, beside one of words, */
#define SIDE_BY_SIDE 1  /* and a word that stands behind the one that it is asked for behind */
#define FOR_AUTHORS 0.5 /* the page for who writes evaluators, beside those for who uses psl */
#define NEAR 0.3        /* a word that stands elsewhere in the section */
#define WORTH 0.55      /* of the best place: others of less are not shown */

struct asked_word {
  const char *stem;
  size_t length;
  uint32_t paragraphs; /* in which it stands */
  double weight;
};

struct search {
  const struct manuals *manuals;
  struct asked_word words[WORDS];
  unsigned count;
};

/* ---- words ---- */

static bool is_letter(char c) { return isalnum((unsigned char)c) || (c & 0x80); }

/* The next word of a text; its length, 0: there is none. */
static size_t word_at(const char **at) {
  size_t length = 0;
  while (**at && !is_letter(**at))
    ++*at;
  while (is_letter((*at)[length]) || (length && (*at)[length] == '\'' && is_letter((*at)[length + 1])))
    length++;
  return length;
}

static bool is_listed(const char *word, size_t length, const char *list) {
  for (const char *at = list; *at; at += strcspn(at, " "), at += *at == ' ')
    if (strcspn(at, " ") == length && strncasecmp(at, word, length) == 0) return true;
  return false;
}

/* What a word is without the ending that grammar gives it: queues, routing, dropped. */
static size_t stem_length(const char *word, size_t length) {
  static const char *const endings[] = {"ies", "ing", "ed", "s"};
  for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
    size_t less = strlen(endings[e]);
    if (length < less + 3 || strncasecmp(word + length - less, endings[e], less)) continue;
    if (*endings[e] == 's' && word[length - 2] == 's') return length;
    length -= less;
    bool doubled = (less == 3 || *endings[e] == 'e') && length > 3 && word[length - 1] == word[length - 2];
    return length - doubled;
  }
  return length;
}

/* Is it the word that is asked for, with an ending? */
static bool is_word(const struct asked_word *asked, const char *word, size_t length) {
  if (length < asked->length || strncasecmp(asked->stem, word, asked->length)) return false;
  const char *rest = word + asked->length;
  size_t left = length - asked->length;
  if (left > 1 && asked->length > 2 && tolower((unsigned char)*rest) == tolower((unsigned char)rest[-1]))
    rest++, left--; /* dropped */
  return !left || is_listed(rest, left, "s es 's") ||
         (asked->length > 3 && is_listed(rest, left, "e d ed r er rs ers ing ings ion ions ation y ies"));
}

static void ask(struct search *s, const char *words) {
  static const char plain[] =
      "a an and any are as at be by can do does for from how i in is it my no not nothing of on or some that "
      "the this to what when where which who why with";
  for (size_t length; s->count < WORDS && (length = word_at(&words)); words += length)
    if (!is_listed(words, length, plain))
      s->words[s->count++] = (struct asked_word){.stem = words, .length = stem_length(words, length)};
}

/* ---- weights ---- */

/* Which of the words stand in a text, as bits; *pairs: those that stand behind the one before them. */
static unsigned found_in(const struct search *s, const char *text, size_t size, unsigned *pairs) {
  unsigned found = 0;
  int last = -2;
  const char *end = text ? text + size : NULL;
  for (size_t length; text && (length = word_at(&text)) && text < end; text += length) {
    int here = -2;
    for (int w = 0; w < (int)s->count; w++) {
      if (!is_word(&s->words[w], text, length)) continue;
      found |= 1u << w;
      if (w == last + 1 && w && pairs) *pairs |= 1u << w;
      if (here < 0 || w == last + 1) here = w;
    }
    last = here;
  }
  return found;
}

static unsigned found_in_all(const struct search *s, const char *text, unsigned *pairs) {
  return found_in(s, text, text ? strlen(text) : 0, pairs);
}

static double weight_of(const struct search *s, unsigned found) {
  double weight = 0;
  for (unsigned w = 0; w < s->count; w++)
    if (found >> w & 1) weight += s->words[w].weight;
  return weight;
}

static unsigned found_in_headings(const struct search *s, const struct manual_paragraph *p) {
  return found_in_all(s, p->section, NULL) | found_in_all(s, p->subsection, NULL);
}

static unsigned found_about(const struct search *s, const struct manual_paragraph *p) {
  return found_in_all(s, p->text, NULL) | found_in_all(s, p->item, NULL) | found_in_headings(s, p);
}

/* A word of the text and a heading counts for both; `near`: what stands in the section. */
static double paragraph_weight(const struct search *s, const struct manual_paragraph *p, unsigned near) {
  unsigned pairs = 0, text = found_in_all(s, p->text, &pairs), item = found_in_all(s, p->item, &pairs);
  unsigned headings = found_in_headings(s, p);
  double weight = (p->display ? SHOWN_AS : 1) * weight_of(s, text) + weight_of(s, item) +
                  HEADED * weight_of(s, headings) + SIDE_BY_SIDE * weight_of(s, pairs) +
                  NEAR * weight_of(s, near & ~(text | item | headings));
  return p->page[strlen(p->page) - 2] == '3' ? FOR_AUTHORS * weight : weight;
}

/* A word that few paragraphs have tells more. */
static void weigh_words(struct search *s) {
  for (uint32_t i = 0; i < s->manuals->count; i++) {
    unsigned found = found_about(s, &s->manuals->items[i]);
    for (unsigned w = 0; w < s->count; w++)
      s->words[w].paragraphs += found >> w & 1;
  }
  for (unsigned w = 0; w < s->count; w++)
    s->words[w].weight = log(1 + s->manuals->count / (1.0 + s->words[w].paragraphs));
}

/* ---- places ---- */

struct place {
  const struct manual_paragraph *paragraph;
  double weight;
};

static bool same_section(const struct manual_paragraph *a, const struct manual_paragraph *b) {
  return a->page == b->page && a->section == b->section && a->subsection == b->subsection;
}

/* The best first, of equal ones the first; a section once. */
static void keep(struct place places[PLACES + 1], unsigned *count, struct place place) {
  unsigned at = 0;
  for (unsigned i = 0; i < *count; i++) {
    if (!same_section(places[i].paragraph, place.paragraph)) continue;
    if (places[i].weight >= place.weight) return;
    memmove(places + i, places + i + 1, (--*count - i) * sizeof *places);
  }
  while (at < *count && places[at].weight >= place.weight)
    at++;
  memmove(places + at + 1, places + at, (*count - at) * sizeof *places);
  places[at] = place;
  *count += *count < PLACES;
}

/* The end of the sentence, or of the line of an example, that begins there. */
static size_t sentence_size(const struct manual_paragraph *p, const char *from) {
  if (p->display) return strcspn(from, "\n");
  for (const char *at = from; *at; at++)
    if (strchr(".:;", *at) && (at[1] == ' ' || !at[1]) && at - from > 20) return (size_t)(at + 1 - from);
  return strlen(from);
}

static void put_excerpt(const struct search *s, const struct manual_paragraph *p, struct text *out) {
  const char *best = p->text, *shown = p->item && *p->item && !p->display ? p->item : NULL;
  double most = -1;
  for (const char *at = p->text; *at;) {
    size_t size = sentence_size(p, at);
    double weight = weight_of(s, found_in(s, at, size, NULL));
    if (weight > most) best = at, most = weight;
    at += size;
    at += strspn(at, " \n");
  }
  best += strspn(best, " ");
  size_t size = sentence_size(p, best), used = shown ? strlen(shown) + 2 : 0;
  const char *line = arena_copy(out->arena, best, size);
  if (used + size > EXCERPT) {
    size = used < EXCERPT / 2 ? EXCERPT - used : EXCERPT / 2;
    while (size && line[size] != ' ')
      size--;
    line = arena_printf(out->arena, "%.*s …", (int)size, line);
  }
  text_put(out, "  ");
  text_wrapped(out, shown ? arena_printf(out->arena, *line ? "%s: %s" : "%s", shown, line) : line, 2, COLUMNS, 2);
  text_char(out, '\n');
}

static void put_place(const struct search *s, const struct manual_paragraph *p, struct text *out) {
  text_printf(out, "%s, %s", p->page, p->section);
  if (p->subsection) text_printf(out, ", %s", p->subsection);
  text_char(out, '\n');
  put_excerpt(s, p, out);
}

bool manuals_search(const struct manuals *manuals, const char *words, bool *all, struct text *out) {
  struct search s = {.manuals = manuals};
  struct place places[PLACES + 1];
  unsigned count = 0;
  ask(&s, words);
  weigh_words(&s);
  for (uint32_t i = 0, end; i < manuals->count; i = end) {
    unsigned near = 0;
    for (end = i; end < manuals->count && same_section(&manuals->items[i], &manuals->items[end]); end++)
      near |= found_about(&s, &manuals->items[end]);
    for (uint32_t p = i; p < end && near; p++)
      keep(places, &count, (struct place){&manuals->items[p], paragraph_weight(&s, &manuals->items[p], near)});
  }
  *all = s.count > 0;
  for (unsigned w = 0; w < s.count; w++)
    *all &= s.words[w].paragraphs > 0;
  for (unsigned i = 0; i < count && places[i].weight >= WORTH * places[0].weight; i++)
    put_place(&s, places[i].paragraph, out);
  return count > 0;
}
