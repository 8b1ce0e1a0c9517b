/* XMI as editors export it, by libxml2: activities with nodes, edges, guards, stereotypes and tagged values.
 *
 * What is read of the XML is what all editors have in common: elements by their own names and xmi:type, ids,
 * references as attributes or as children with an xmi:idref.  A stereotype is any element with an attribute
 * base_…; its other attributes and children are tagged values.  Enterprise Architect's <tag> and
 * <properties stereotype> in its extension are taken likewise. */
#include "interp/uml/uml.h"
#include "interp/uml/xml.h"

#include <ctype.h>
#include <dlfcn.h>
#include <iconv.h>
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MOST_BYTES = 16 << 20, MOST_ELEMENTS = 1000000 };

/* ---- the text ---- */

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), part = strlen(end);
  return length > part && !strcasecmp(text + length - part, end);
}

bool uml_is_file(const char *path) { return ends_with(path, ".uml") || ends_with(path, ".xmi"); }

/* The encoding that the XML declaration names; "" where it names none. */
static void declared_encoding(const char *text, size_t size, char name[40]) {
  const char *end = size > 5 && !memcmp(text, "<?xml", 5) ? memchr(text, '>', size < 200 ? size : 200) : NULL;
  const char *at = end ? memmem(text, (size_t)(end - text), "encoding", 8) : NULL;
  size_t length = 0;
  if (at) {
    at += 8;
    at += strspn(at, " =\"'");
    while (at + length < end && length < 39 && (isalnum((unsigned char)at[length]) || strchr("-_.:", at[length])))
      length++;
    memcpy(name, at, length);
  }
  name[length] = 0;
}

const char *uml_decode(struct arena *arena, const char *text, size_t *size) {
  char name[40];
  bool wide = *size > 1 && (!memcmp(text, "\xff\xfe", 2) || !memcmp(text, "\xfe\xff", 2));
  if (wide)
    strcpy(name, "UTF-16");
  else
    declared_encoding(text, *size, name);
  if (!*name || !strcasecmp(name, "UTF-8") || !strcasecmp(name, "US-ASCII")) return text;
  size_t room = 3 * *size + 4, left = room;
  char *out = arena_alloc(arena, room + 1), *to = out, *from = arena_copy(arena, text, *size);
  size_t rest = *size;
  iconv_t how = iconv_open("UTF-8", name);
  if (how == (iconv_t)-1) return NULL;
  size_t done = iconv(how, &from, &rest, &to, &left);
  iconv_close(how);
  if (done == (size_t)-1 || rest) return NULL;
  *size = room - left;
  return out;
}

/* ---- libxml2 ---- */

/* It is loaded where there is XML to read: with all that it needs it takes a fourth of the time in which psl starts. */
#define XML_FUNCTIONS(X)   \
  X(xmlNewParserCtxt)      \
  X(xmlCtxtReadMemory)     \
  X(xmlCtxtGetLastError)   \
  X(xmlSAX2StartElementNs) \
  X(xmlByteConsumed)       \
  X(xmlStopParser)         \
  X(xmlDocGetRootElement)  \
  X(xmlFreeParserCtxt)     \
  X(xmlFreeDoc)

struct xml {
#define MEMBER(f) __typeof__(f) *f;
  XML_FUNCTIONS(MEMBER)
#undef MEMBER
};

/* It stays loaded. */
static bool xml_load(struct xml *xml, char error[200]) {
  void *library = dlopen(PSL_LIBXML, RTLD_NOW | RTLD_LOCAL);
  bool fine = library;
#define FIND(f) fine = fine && (xml->f = (__typeof__(f) *)dlsym(library, #f));
  XML_FUNCTIONS(FIND)
#undef FIND
  if (!fine) snprintf(error, 200, "libxml2 cannot be loaded, install the package of that name: %s", dlerror());
  return fine;
}

/* ---- parsing ---- */

struct parsing {
  const struct xml *xml;
  bool type;  /* it has a document type */
  bool large; /* it has too many elements */
  uint32_t count;
};

/* Notes the byte behind which the start tag ends: libxml2 knows lines only. */
static void start_element(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int spaces,
                          const xmlChar **space, int attributes, int defaulted, const xmlChar **attribute) {
  xmlParserCtxtPtr context = user;
  struct parsing *parsing = context->_private;
  long at = parsing->xml->xmlByteConsumed(context);
  if (++parsing->count > MOST_ELEMENTS) {
    parsing->large = true;
    parsing->xml->xmlStopParser(context);
    return;
  }
  parsing->xml->xmlSAX2StartElementNs(user, name, prefix, uri, spaces, space, attributes, defaulted, attribute);
  if (context->node) context->node->_private = (void *)(intptr_t)at;
}

/* No XMI has a document type, and entities could only do harm. */
static void refuse_type(void *user, const xmlChar *name, const xmlChar *external, const xmlChar *system) {
  xmlParserCtxtPtr context = user;
  struct parsing *parsing = context->_private;
  (void)name, (void)external, (void)system;
  parsing->type = true;
  parsing->xml->xmlStopParser(context);
}

struct document { /* freed with the arena, or before */
  struct arena_deferred deferred;
  struct xml xml;
  xmlDocPtr tree;
};

static void document_free(void *user) {
  struct document *document = user;
  if (document->tree) document->xml.xmlFreeDoc(document->tree);
  document->tree = NULL;
}

/* The document; NULL with what is wrong in error and line. */
static xmlDocPtr parse(const struct xml *xml, const struct source *source, char error[200], uint32_t *line) {
  struct parsing parsing = {.xml = xml};
  xmlParserCtxtPtr context = xml->xmlNewParserCtxt();
  *line = 1;
  if (!context) {
    strcpy(error, "there is no memory to read it");
    return NULL;
  }
  context->_private = &parsing;
  context->sax->startElementNs = start_element;
  context->sax->internalSubset = refuse_type;
  xmlDocPtr tree =
      xml->xmlCtxtReadMemory(context, source->text, (int)source->size, NULL, "UTF-8",
                             XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_BIG_LINES);
  const xmlError *last = xml->xmlCtxtGetLastError(context);
  *error = 0;
  if (parsing.type) {
    strcpy(error, "a document type (<!DOCTYPE>) is not read: XMI has none");
  } else if (parsing.large) {
    strcpy(error, "it has more than 1,000,000 elements");
  } else if (!tree || !context->wellFormed) {
    snprintf(error, 200, "it is no XML: %.*s", last && last->message ? (int)strcspn(last->message, "\r\n") : 10,
             last && last->message ? last->message : "wrong text");
  }
  char *advice = strstr(error, " use XML_PARSE"); /* for programmers */
  if (advice) *advice = 0;
  if (*error && last && last->line > 0) *line = (uint32_t)last->line;
  if (*error && tree) xml->xmlFreeDoc(tree);
  xml->xmlFreeParserCtxt(context);
  return *error ? NULL : tree;
}

/* ---- elements of the XML ---- */

static const char *trimmed(struct arena *arena, const char *text, size_t length) {
  while (length && isspace((unsigned char)*text))
    text++, length--;
  while (length && isspace((unsigned char)text[length - 1]))
    length--;
  return arena_copy(arena, text, length);
}

/* The text inside an element or attribute. */
static const char *text_in(struct arena *arena, const xmlNode *first) {
  struct text text = {.arena = arena};
  if (!first) return "";
  if (!first->next && first->content)
    return trimmed(arena, (const char *)first->content, strlen((char *)first->content));
  for (; first; first = first->next)
    if ((first->type == XML_TEXT_NODE || first->type == XML_CDATA_SECTION_NODE) && first->content)
      text_put(&text, (const char *)first->content);
  return text.data ? trimmed(arena, text.data, text.size) : "";
}

bool xml_is_named(const xmlNode *node, const char *name) {
  return node->type == XML_ELEMENT_NODE && !strcmp((const char *)node->name, name);
}

const char *xml_attribute(struct arena *arena, const xmlNode *node, const char *name) {
  for (const xmlAttr *a = node->properties; a; a = a->next)
    if (!strcmp((const char *)a->name, name)) return text_in(arena, a->children);
  return NULL;
}

static const char *attribute_or(struct arena *arena, const xmlNode *node, const char *name, const char *other) {
  const char *value = xml_attribute(arena, node, name);
  return value ? value : other;
}

static const xmlNode *child(const xmlNode *node, const char *name) {
  for (const xmlNode *c = node->children; c; c = c->next)
    if (xml_is_named(c, name)) return c;
  return NULL;
}

/* A reference: the attribute, or a child of that name with an idref. */
static const char *reference(struct arena *arena, const xmlNode *node, const char *name) {
  const char *value = xml_attribute(arena, node, name);
  const xmlNode *inside = value ? NULL : child(node, name);
  if (inside) value = xml_attribute(arena, inside, "idref");
  return value ? value : "";
}

/* An expression: body, value or symbol, as attribute or as child. */
static const char *expression(struct arena *arena, const xmlNode *node) {
  static const char *const names[] = {"body", "value", "symbol"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = xml_attribute(arena, node, names[i]);
    const xmlNode *inside = value ? NULL : child(node, names[i]);
    if (inside) value = text_in(arena, inside->children);
    if (value && *value) return value;
  }
  return "";
}

struct span xml_span(const struct source *source, const xmlNode *node) {
  size_t end = (size_t)(intptr_t)node->_private, begin = end < source->size ? end : source->size;
  while (begin && source->text[begin] != '<')
    begin--;
  return (struct span){source->base + (uint32_t)begin, source->base + (uint32_t)(end < source->size ? end + 1 : end)};
}

/* `uml:OpaqueAction` is OpaqueAction. */
static const char *type_of(struct arena *arena, const xmlNode *node) {
  const char *type = attribute_or(arena, node, "type", "");
  const char *colon = strrchr(type, ':');
  return colon ? colon + 1 : type;
}

/* ---- elements by id ---- */

struct uml_index {
  struct entry {
    struct uml_element *element;
    struct uml_activity *activity; /* NULL: it is none */
    struct uml_node *node;         /* NULL: it is none */
  } * entries;
  uint32_t slots, count;
};

static struct entry *entry_of(const struct uml_index *index, const char *id) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const char *s = id; *s; s++)
    hash = (hash ^ (unsigned char)*s) * 0x100000001b3u;
  for (uint32_t at = (uint32_t)(hash >> 32) & (index->slots - 1);; at = (at + 1) & (index->slots - 1)) {
    struct entry *entry = &index->entries[at];
    if (!entry->element || !strcmp(entry->element->id, id)) return entry;
  }
}

static void grow(struct arena *arena, struct uml_index *index) {
  struct uml_index larger = {.slots = index->slots ? 2 * index->slots : 256, .count = index->count};
  larger.entries = ARENA_ARRAY(arena, struct entry, larger.slots);
  for (uint32_t i = 0; i < index->slots; i++)
    if (index->entries[i].element) *entry_of(&larger, index->entries[i].element->id) = index->entries[i];
  *index = larger;
}

static void index_add(struct uml *uml, struct uml_element *element, struct uml_activity *activity,
                      struct uml_node *node) {
  if (!*element->id) return;
  if (2 * (uml->index->count + 1) > uml->index->slots) grow(uml->arena, uml->index);
  struct entry *entry = entry_of(uml->index, element->id);
  if (entry->element) {
    diagnostic_add(uml->diagnostics, SEVERITY_ERROR, element->span, "the id '%s' is given twice", element->id);
    diagnostic_note(uml->diagnostics, entry->element->span, "first given here");
    return;
  }
  *entry = (struct entry){element, activity, node};
  uml->index->count++;
}

struct uml_activity *uml_activity_of(const struct uml *uml, const char *id) {
  return uml->index->slots ? entry_of(uml->index, id)->activity : NULL;
}

struct uml_node *uml_node_of(const struct uml *uml, const char *id) {
  return uml->index->slots ? entry_of(uml->index, id)->node : NULL;
}

/* ---- activities ---- */

static void read_element(struct uml *uml, struct uml_element *element, const xmlNode *node) {
  element->id = attribute_or(uml->arena, node, "id", "");
  element->name = attribute_or(uml->arena, node, "name", "");
  element->type = type_of(uml->arena, node);
  element->span = xml_span(uml->source, node);
}

static enum uml_kind kind_of(const char *type) {
  static const struct {
    const char *type;
    enum uml_kind kind;
  } kinds[] = {
      {"InitialNode", UML_INITIAL}, {"ActivityFinalNode", UML_FINAL}, {"FlowFinalNode", UML_FINAL},
      {"DecisionNode", UML_BRANCH}, {"MergeNode", UML_BRANCH},        {"ForkNode", UML_BAR},
      {"JoinNode", UML_BAR},        {"CallBehaviorAction", UML_CALL}, {"StructuredActivityNode", UML_STRUCTURE},
      {"LoopNode", UML_STRUCTURE},  {"SequenceNode", UML_STRUCTURE}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (!strcmp(kinds[i].type, type)) return kinds[i].kind;
  return !strcmp(type, "Action") || ends_with(type, "Action") ? UML_ACTION : UML_OBJECT;
}

static void read_inside(struct uml *uml, struct uml_activity *activity, const xmlNode *node);

static void read_node(struct uml *uml, struct uml_activity *activity, const xmlNode *xml) {
  struct uml_node *node = ARENA_NEW(uml->arena, struct uml_node);
  read_element(uml, &node->element, xml);
  node->kind = kind_of(node->element.type);
  node->owner = activity;
  node->body = expression(uml->arena, xml);
  node->behavior = reference(uml->arena, xml, "behavior");
  index_add(uml, &node->element, NULL, node);
  ARENA_PUSH(uml->arena, activity->nodes, activity->node_count, activity->node_capacity, node);
  if (node->kind != UML_STRUCTURE) return;
  node->inside = ARENA_NEW(uml->arena, struct uml_activity);
  node->inside->structure = node;
  read_inside(uml, node->inside, xml);
}

static void read_edge(struct uml *uml, struct uml_activity *activity, const xmlNode *xml) {
  struct uml_edge *edge = ARENA_NEW(uml->arena, struct uml_edge);
  read_element(uml, &edge->element, xml);
  if (!strcmp(edge->element.type, "ObjectFlow")) return; /* data, not control */
  edge->source = reference(uml->arena, xml, "source");
  edge->target = reference(uml->arena, xml, "target");
  const xmlNode *guard = child(xml, "guard");
  edge->guard = guard ? expression(uml->arena, guard) : attribute_or(uml->arena, xml, "guard", "");
  index_add(uml, &edge->element, NULL, NULL);
  ARENA_PUSH(uml->arena, activity->edges, activity->edge_count, activity->edge_capacity, edge);
}

static bool is_flow(const xmlNode *xml) { return xml_is_named(xml, "edge") || xml_is_named(xml, "containedEdge"); }

/* Is it a word of the list? */
static bool is_listed(const char *list, const char *word) {
  size_t length = strlen(word);
  for (; length && *list; list += strcspn(list, " \t\n"), list += strspn(list, " \t\n"))
    if (!strncmp(list, word, length) && (!list[length] || isspace((unsigned char)list[length]))) return true;
  return false;
}

/* A value that is the test of a loop node, and that no flow leads to or from, says in another way what the loop's
 * iterations say. */
static bool is_loop_test(const struct uml *uml, const xmlNode *loop, const xmlNode *xml) {
  const char *id = attribute_or(uml->arena, xml, "id", "");
  bool is = !strcmp(type_of(uml->arena, xml), "ValueSpecificationAction") &&
            !strcmp(type_of(uml->arena, loop), "LoopNode") && is_listed(reference(uml->arena, loop, "test"), id);
  for (const xmlNode *c = loop->children; c && is; c = c->next)
    is = !is_flow(c) ||
         (strcmp(reference(uml->arena, c, "source"), id) && strcmp(reference(uml->arena, c, "target"), id));
  return is;
}

static void read_inside(struct uml *uml, struct uml_activity *activity, const xmlNode *xml) {
  for (const xmlNode *c = xml->children; c; c = c->next) {
    if (c->type != XML_ELEMENT_NODE || xml_attribute(uml->arena, c, "idref") || is_loop_test(uml, xml, c)) continue;
    bool node = xml_is_named(c, "node") || xml_is_named(c, "structuredNode") || xml_is_named(c, "ownedNode") ||
                xml_is_named(c, "containedNode") || xml_is_named(c, "executableNode");
    if (node)
      read_node(uml, activity, c);
    else if (is_flow(c))
      read_edge(uml, activity, c);
    else if (xml_is_named(c, "group"))
      read_inside(uml, activity, c);
  }
}

/* Activities, wherever in packages and classes; other elements with an id, for their stereotypes. */
static void read_tree(struct uml *uml, const xmlNode *xml) {
  for (const xmlNode *c = xml->children; c; c = c->next) {
    if (c->type != XML_ELEMENT_NODE || xml_is_named(c, "Extension")) continue;
    const char *type = type_of(uml->arena, c);
    if (!strcmp(type, "Activity")) {
      struct uml_activity *activity = ARENA_NEW(uml->arena, struct uml_activity);
      read_element(uml, &activity->element, c);
      index_add(uml, &activity->element, activity, NULL);
      ARENA_PUSH(uml->arena, uml->activities, uml->activity_count, uml->activity_capacity, activity);
      read_inside(uml, activity, c);
    } else if (xml_is_named(c, "packagedElement") && *type) {
      struct uml_element *element = ARENA_NEW(uml->arena, struct uml_element);
      read_element(uml, element, c);
      index_add(uml, element, NULL, NULL);
      ARENA_PUSH(uml->arena, uml->others, uml->other_count, uml->other_capacity, element);
    } else if (xml_is_named(c, "Model") && !uml->model) {
      uml->model = ARENA_NEW(uml->arena, struct uml_element);
      read_element(uml, uml->model, c);
      if (!*type) uml->model->type = "Model";
    }
    read_tree(uml, c);
  }
}

/* ---- stereotypes ---- */

static bool is_full(struct uml *uml, const struct uml_element *element, uint32_t count, const char *what) {
  if (count == UML_TAGS_MOST)
    diagnostic_add(uml->diagnostics, SEVERITY_ERROR, element->span, "%s has more than %d %s",
                   uml_what(uml->arena, element), UML_TAGS_MOST, what);
  return count >= UML_TAGS_MOST;
}

static void add_tag(struct uml *uml, struct uml_element *element, uint32_t stereotype, const char *name,
                    const char *value) {
  if (is_full(uml, element, element->tag_count++, "tagged values")) return;
  struct uml_tag *tag = ARENA_NEW(uml->arena, struct uml_tag);
  *tag = (struct uml_tag){name, value, stereotype, NULL};
  if (element->last_tag)
    element->last_tag->next = tag;
  else
    element->tags = tag;
  element->last_tag = tag;
}

static uint32_t add_stereotype(struct uml *uml, struct uml_element *element, const char *name, const char *base) {
  struct uml_stereotype stereotype = {name, base};
  if (is_full(uml, element, element->stereotype_count, "stereotypes")) return 0;
  ARENA_PUSH(uml->arena, element->stereotypes, element->stereotype_count, element->stereotype_capacity, stereotype);
  return element->stereotype_count - 1;
}

static struct uml_element *element_of(const struct uml *uml, const char *id) {
  return id && *id && uml->index->slots ? entry_of(uml->index, id)->element : NULL;
}

static const char *copy(struct uml *uml, const xmlChar *text) {
  return arena_copy(uml->arena, (const char *)text, strlen((const char *)text));
}

/* <Profile:Stereotype base_Metaclass="id" tag="value"><tag>value</tag></…>. False: it is none. */
static bool read_stereotype(struct uml *uml, const xmlNode *xml) {
  const char *id = NULL, *base = "";
  for (const xmlAttr *a = xml->properties; a && !id; a = a->next) {
    if (strncmp((const char *)a->name, "base_", 5)) continue;
    id = text_in(uml->arena, a->children);
    base = copy(uml, a->name + 5);
  }
  if (!id) return false;
  struct uml_element *element = element_of(uml, id);
  if (!element) return true; /* of something else */
  uint32_t which = add_stereotype(uml, element, copy(uml, xml->name), base);
  for (const xmlAttr *a = xml->properties; a; a = a->next)
    if (strncmp((const char *)a->name, "base_", 5) && !(a->ns && !strcmp((const char *)a->ns->prefix, "xmi")))
      add_tag(uml, element, which, copy(uml, a->name), text_in(uml->arena, a->children));
  for (const xmlNode *c = xml->children; c; c = c->next)
    if (c->type == XML_ELEMENT_NODE) add_tag(uml, element, which, copy(uml, c->name), text_in(uml->arena, c->children));
  return true;
}

/* Enterprise Architect: <element xmi:idref="id"><properties stereotype="…"/><tags><tag name="…" value="…"/>. */
static void read_extension(struct uml *uml, const xmlNode *xml, struct uml_element *element) {
  for (const xmlNode *c = xml->children; c; c = c->next) {
    if (c->type != XML_ELEMENT_NODE) continue;
    struct uml_element *of =
        xml_is_named(c, "element") ? element_of(uml, xml_attribute(uml->arena, c, "idref")) : element;
    const char *name = xml_is_named(c, "tag") ? xml_attribute(uml->arena, c, "name") : NULL;
    const char *value = name ? xml_attribute(uml->arena, c, "value") : NULL;
    struct uml_element *tagged = value ? element_of(uml, xml_attribute(uml->arena, c, "modelElement")) : NULL;
    if (!tagged) tagged = of;
    if (value && tagged) add_tag(uml, tagged, UINT32_MAX, name, value);
    const char *stereotype = xml_is_named(c, "properties") ? xml_attribute(uml->arena, c, "stereotype") : NULL;
    if (stereotype && *stereotype && of) add_stereotype(uml, of, stereotype, "");
    read_extension(uml, c, of);
  }
}

static void read_stereotypes(struct uml *uml, const xmlNode *xml) {
  for (const xmlNode *c = xml->children; c; c = c->next) {
    if (c->type != XML_ELEMENT_NODE) continue;
    if (xml_is_named(c, "Extension"))
      read_extension(uml, c, NULL);
    else if (!read_stereotype(uml, c))
      read_stereotypes(uml, c);
  }
}

static char next_letter(const char **s) {
  while (**s && strchr("-_ \t", **s))
    ++*s;
  return (char)tolower((unsigned char)*(*s)++);
}

/* Alike but for case, blanks, `-` and `_`; `+` is written plus. */
bool uml_alike(const char *word, const char *name) {
  for (;;) {
    char a = next_letter(&word), b = next_letter(&name);
    if (a == '+' && b == 'p') {
      if (strncasecmp(name, "lus", 3)) return false;
      name += 3;
    } else if (a != b) {
      return false;
    } else if (!a) {
      return true;
    }
  }
}

bool uml_is(const struct uml_element *element, const char *stereotype) {
  for (uint32_t i = 0; i < element->stereotype_count; i++)
    if (uml_alike(element->stereotypes[i].name, stereotype)) return true;
  return false;
}

const char *uml_tag(const struct uml_element *element, const char *name) {
  for (const struct uml_tag *tag = element->tags; tag; tag = tag->next)
    if (*tag->value && uml_alike(tag->name, name)) return tag->value;
  return NULL;
}

/* "InitialNode" is "initial node". */
const char *uml_what(struct arena *arena, const struct uml_element *element) {
  struct text text = {.arena = arena};
  for (const char *s = *element->type ? element->type : "Element"; *s; s++) {
    if (isupper((unsigned char)*s) && text.size) text_char(&text, ' ');
    text_char(&text, (char)tolower((unsigned char)*s));
  }
  if (*element->name)
    text_printf(&text, " '%s'", element->name);
  else if (*element->id)
    text_printf(&text, " with the id '%s'", element->id);
  return text.data;
}

/* ---- all of it ---- */

static bool refuse(struct diagnostics *d, const struct source *source, uint32_t line, const char *is,
                   const char *error) {
  uint32_t at = line && line <= source->line_count ? source->lines[line - 1] : 0;
  struct span span = {source->base + at, source->base + at + 1};
  diagnostic_add(d, SEVERITY_ERROR, span, "%s cannot be read as %s: %s", source->path, is, error);
  return false;
}

const xmlNode *xml_read(struct arena *arena, struct diagnostics *d, const struct source *source, const char *is) {
  char error[200];
  uint32_t line = 1;
  struct document *document = ARENA_NEW(arena, struct document);
  document->deferred = (struct arena_deferred){document_free, document, NULL};
  arena_defer(arena, &document->deferred);
  if (source->size > MOST_BYTES) {
    refuse(d, source, 1, is, "it has more than 16 MiB");
    return NULL;
  }
  if (xml_load(&document->xml, error)) document->tree = parse(&document->xml, source, error, &line);
  if (!document->tree) {
    refuse(d, source, line, is, error);
    return NULL;
  }
  document->tree->_private = document;
  return document->xml.xmlDocGetRootElement(document->tree);
}

void xml_drop(const xmlNode *root) { document_free(root->doc->_private); }

static bool read_document(struct uml *uml, const xmlNode *root) {
  unsigned errors = uml->diagnostics->errors;
  const xmlNode *above = (const xmlNode *)root->doc; /* the root may be the uml:Model itself */
  read_tree(uml, above);
  if (uml->model && !element_of(uml, uml->model->id)) index_add(uml, uml->model, NULL, NULL);
  read_stereotypes(uml, above);
  if (!uml->activity_count)
    return refuse(uml->diagnostics, uml->source, 1, "UML", "it has no activity (an element of xmi:type uml:Activity)");
  return uml->diagnostics->errors == errors;
}

struct uml *uml_read(struct arena *arena, struct diagnostics *d, const struct source *source) {
  struct uml *uml = ARENA_NEW(arena, struct uml);
  *uml = (struct uml){.arena = arena, .diagnostics = d, .source = source};
  uml->index = ARENA_NEW(arena, struct uml_index);
  const xmlNode *root = xml_read(arena, d, source, "UML");
  bool fine = root && read_document(uml, root);
  if (root) xml_drop(root);
  return fine ? uml : NULL;
}
