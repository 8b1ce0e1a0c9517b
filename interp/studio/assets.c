/* What the page is made of: texts that are part of the program, and CodeMirror, its editor, where that could be had
 * when the program was built. Each is known by its address: no name that a request gives is one of a file. */
#include "interp/studio/studio_server.h"

#include <stdlib.h>
#include <string.h>

static const char page_html[] =
#include "studio.html.inc"
    ;
static const char page_css[] =
#include "studio.css.inc"
    ;
static const char icon_svg[] =
#include "icon.svg.inc"
    ;
static const char wire_js[] =
#include "wire.js.inc"
    ;
/* Empty where it was not to be had. */
static const char codemirror_js[] = ""
#include "codemirror.js.inc"
    ;
static const char mirror_js[] =
#include "mirror.js.inc"
    ;
static const char editor_js[] =
#include "editor.js.inc"
    ;
static const char layers_js[] =
#include "layers.js.inc"
    ;
static const char views_js[] =
#include "views.js.inc"
    ;
static const char boxes_js[] =
#include "boxes.js.inc"
    ;
static const char instances_js[] =
#include "instances.js.inc"
    ;
static const char places_js[] =
#include "places.js.inc"
    ;
static const char picture_js[] =
#include "picture.js.inc"
    ;
static const char points_js[] =
#include "points.js.inc"
    ;
static const char question_js[] =
#include "question.js.inc"
    ;
static const char status_js[] =
#include "status.js.inc"
    ;
static const char drawing_js[] =
#include "drawing.js.inc"
    ;
static const char databases_js[] =
#include "databases.js.inc"
    ;
static const char runs_js[] =
#include "runs.js.inc"
    ;
static const char assist_js[] =
#include "assist.js.inc"
    ;
static const char figures_js[] =
#include "figures.js.inc"
    ;
static const char slices_js[] =
#include "slices.js.inc"
    ;
static const char timeline_js[] =
#include "timeline.js.inc"
    ;
static const char times_js[] =
#include "times.js.inc"
    ;
static const char causes_js[] =
#include "causes.js.inc"
    ;
static const char splitter_js[] =
#include "splitter.js.inc"
    ;
static const char heat_js[] =
#include "heat.js.inc"
    ;
static const char live_js[] =
#include "live.js.inc"
    ;
static const char watch_js[] =
#include "watch.js.inc"
    ;
static const char forms_js[] =
#include "forms.js.inc"
    ;
static const char diagram_js[] =
#include "diagram.js.inc"
    ;
static const char diagram_places_js[] =
#include "diagram_places.js.inc"
    ;
static const char diagram_shapes_js[] =
#include "diagram_shapes.js.inc"
    ;
static const char diagram_page_js[] =
#include "diagram_page.js.inc"
    ;
static const char diagram_css[] =
#include "diagram.css.inc"
    ;
static const char toolbar_xml[] =
#include "prophet-toolbar.xml.inc"
    ;
static const char studio_js[] =
#include "studio.js.inc"
    ;

#define SCRIPT "text/javascript; charset=utf-8"
#define STYLE "text/css; charset=utf-8"
#define OWN(address, type, text) \
  { address, type, text, sizeof text - 1 }
static const struct asset own[] = {
    OWN("/", "text/html; charset=utf-8", page_html),
    OWN("/studio.css", STYLE, page_css),
    OWN("/icon.svg", "image/svg+xml", icon_svg),
    OWN("/wire.js", SCRIPT, wire_js),
    OWN("/codemirror.js", SCRIPT, codemirror_js),
    OWN("/mirror.js", SCRIPT, mirror_js),
    OWN("/assist.js", SCRIPT, assist_js),
    OWN("/editor.js", SCRIPT, editor_js),
    OWN("/layers.js", SCRIPT, layers_js),
    OWN("/views.js", SCRIPT, views_js),
    OWN("/boxes.js", SCRIPT, boxes_js),
    OWN("/instances.js", SCRIPT, instances_js),
    OWN("/places.js", SCRIPT, places_js),
    OWN("/picture.js", SCRIPT, picture_js),
    OWN("/points.js", SCRIPT, points_js),
    OWN("/runs.js", SCRIPT, runs_js),
    OWN("/databases.js", SCRIPT, databases_js),
    OWN("/drawing.js", SCRIPT, drawing_js),
    OWN("/question.js", SCRIPT, question_js),
    OWN("/status.js", SCRIPT, status_js),
    OWN("/figures.js", SCRIPT, figures_js),
    OWN("/slices.js", SCRIPT, slices_js),
    OWN("/timeline.js", SCRIPT, timeline_js),
    OWN("/times.js", SCRIPT, times_js),
    OWN("/causes.js", SCRIPT, causes_js),
    OWN("/splitter.js", SCRIPT, splitter_js),
    OWN("/heat.js", SCRIPT, heat_js),
    OWN("/live.js", SCRIPT, live_js),
    OWN("/watch.js", SCRIPT, watch_js),
    OWN("/forms.js", SCRIPT, forms_js),
    OWN("/diagram.js", SCRIPT, diagram_js),
    OWN("/diagram_places.js", SCRIPT, diagram_places_js),
    OWN("/diagram_shapes.js", SCRIPT, diagram_shapes_js),
    OWN("/diagram_page.js", SCRIPT, diagram_page_js),
    OWN("/diagram.css", STYLE, diagram_css),
    OWN("/toolbar.xml", "text/xml; charset=utf-8", toolbar_xml),
    OWN("/studio.js", SCRIPT, studio_js),
};
enum { OWN_ASSETS = sizeof own / sizeof *own };

/* PSL_NO_CODEMIRROR in the environment stands for a program that was built without, in tests. */
bool assets_have_editor(void) { return sizeof codemirror_js > 1 && !getenv("PSL_NO_CODEMIRROR"); }

const struct asset *asset_find(const char *address) {
  for (size_t i = 0; i < OWN_ASSETS; i++)
    if (!strcmp(own[i].address, address)) return own[i].size ? &own[i] : NULL;
  return NULL;
}

char *asset_page(const struct asset *asset, const char *nonce) {
  char *page = memory_copy(asset->text, asset->size), *place = strstr(page, NONCE_PLACE);
  if (place) memcpy(place, nonce, SECRET);
  return page;
}
