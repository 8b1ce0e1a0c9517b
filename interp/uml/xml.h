/* XML by libxml2: what the readers of diagrams and of rules share. */
#ifndef PSL_UML_XML_H
#define PSL_UML_XML_H
#include "grammar/arena.h"
#include "grammar/diagnostic.h"
#include "grammar/source.h"

typedef struct _xmlNode xmlNode; /* of libxml2 */

/* The root of the text. Nothing outside of it is read, a document type is refused, and each element's _private is where
 * its start tag ends. NULL after a diagnostic that says that it cannot be read as what it `is`. */
const xmlNode *xml_read(struct arena *arena, struct diagnostics *d, const struct source *source, const char *is);
void xml_drop(const xmlNode *root); /* nothing of it is wanted any more; else the arena drops it */
bool xml_is_named(const xmlNode *node, const char *name);
/* The attribute of that name, in whatever name space, in the arena; NULL: it has none. */
const char *xml_attribute(struct arena *arena, const xmlNode *node, const char *name);
struct span xml_span(const struct source *source, const xmlNode *node); /* its start tag */
#endif
