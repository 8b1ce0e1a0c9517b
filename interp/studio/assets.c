/* What the page is made of: texts that are part of the program, and CodeMirror, its editor, where the system has it.
 * Each is known by its address: no name that a request gives is one of a file. */
#include "interp/studio/studio_server.h"

#include <stdio.h>
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
static const char editor_js[] =
#include "editor.js.inc"
    ;
static const char picture_js[] =
#include "picture.js.inc"
    ;
static const char runs_js[] =
#include "runs.js.inc"
    ;
static const char forms_js[] =
#include "forms.js.inc"
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
    OWN("/editor.js", SCRIPT, editor_js),
    OWN("/picture.js", SCRIPT, picture_js),
    OWN("/runs.js", SCRIPT, runs_js),
    OWN("/forms.js", SCRIPT, forms_js),
    OWN("/studio.js", SCRIPT, studio_js),
};
enum { OWN_ASSETS = sizeof own / sizeof *own };

/* Where Debian's libjs-codemirror has its parts. */
static const char folder[] = "/usr/share/javascript/codemirror";
static struct part {
  const char *file;
  struct asset asset;
} parts[] = {
    {"lib/codemirror.js", {"/codemirror/codemirror.js", SCRIPT}},
    {"lib/codemirror.css", {"/codemirror/codemirror.css", STYLE}},
    {"addon/hint/show-hint.js", {"/codemirror/show-hint.js", SCRIPT}},
    {"addon/hint/show-hint.css", {"/codemirror/show-hint.css", STYLE}},
    {"addon/edit/matchbrackets.js", {"/codemirror/matchbrackets.js", SCRIPT}},
    {"addon/dialog/dialog.js", {"/codemirror/dialog.js", SCRIPT}},
    {"addon/dialog/dialog.css", {"/codemirror/dialog.css", STYLE}},
    {"addon/search/searchcursor.js", {"/codemirror/searchcursor.js", SCRIPT}},
    {"addon/search/search.js", {"/codemirror/search.js", SCRIPT}},
};
enum { PARTS = sizeof parts / sizeof *parts };

static bool load(struct part *part) {
  char path[200], piece[1 << 16];
  struct chars text = {0};
  size_t size;
  snprintf(path, sizeof path, "%s/%s", folder, part->file);
  FILE *file = fopen(path, "r");
  if (!file) return false;
  while ((size = fread(piece, 1, sizeof piece, file)))
    chars_add(&text, piece, size);
  fclose(file);
  part->asset.text = text.data;
  part->asset.size = text.size;
  return text.data;
}

/* All of it or none: PSL_NO_CODEMIRROR in the environment stands for a system without, in tests. */
void assets_load(void) {
  bool all = !getenv("PSL_NO_CODEMIRROR");
  for (size_t i = 0; all && i < PARTS; i++)
    all = load(&parts[i]);
  for (size_t i = 0; !all && i < PARTS; i++)
    parts[i].asset.text = NULL;
}

bool assets_have_editor(void) { return parts[0].asset.text; }

const struct asset *asset_find(const char *address) {
  for (size_t i = 0; i < OWN_ASSETS; i++)
    if (!strcmp(own[i].address, address)) return &own[i];
  for (size_t i = 0; i < PARTS; i++)
    if (parts[i].asset.text && !strcmp(parts[i].asset.address, address)) return &parts[i].asset;
  return NULL;
}
