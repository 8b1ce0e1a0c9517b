/* Pictures that are drawn as SVG and wanted as PDF or PNG: librsvg draws them once more, on a page or a picture of
 * cairo.  Both are loaded for that alone, when the command line names such a file. */
#include "interp/cli/cli.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* ---- the library ---- */

/* Of librsvg, cairo and GLib, as all their versions of these names have it. No more of them is used, so that psl is
 * built where their headers are not installed. */
struct size {
  int width, height; /* pixels */
  double em, ex;
};
struct rectangle {
  double x, y, width, height;
};
typedef int stream_writer(void *user, const unsigned char *data, unsigned size); /* 0: it is written */
enum { IMAGE_ARGB32 = 0, DATE_OF_CREATION = 5, NO_SUCH_STREAM = 11 };

/* X(result, name, arguments) */
#define FUNCTIONS(X)                                                                                               \
  X(void *, rsvg_handle_new_from_data, (const unsigned char *data, size_t size, void **error))                     \
  X(void, rsvg_handle_get_dimensions, (void *handle, struct size *size))                                           \
  X(int, rsvg_handle_render_document, (void *handle, void *to, const struct rectangle *place, void **error))       \
  X(void, g_object_unref, (void *handle))                                                                          \
  X(void *, cairo_pdf_surface_create_for_stream, (stream_writer * write, void *user, double width, double height)) \
  X(void, cairo_pdf_surface_set_metadata, (void *surface, int what, const char *text))                             \
  X(void *, cairo_image_surface_create, (int format, int width, int height))                                       \
  X(int, cairo_surface_write_to_png_stream, (void *surface, stream_writer *write, void *user))                     \
  X(void, cairo_surface_finish, (void *surface))                                                                   \
  X(int, cairo_surface_status, (void *surface))                                                                    \
  X(void, cairo_surface_destroy, (void *surface))                                                                  \
  X(void *, cairo_create, (void *surface))                                                                         \
  X(void, cairo_scale, (void *to, double x, double y))                                                             \
  X(void, cairo_destroy, (void *to))

struct drawer {
#define MEMBER(result, name, arguments) result(*name) arguments;
  FUNCTIONS(MEMBER)
#undef MEMBER
};

/* What librsvg is linked with is found by it, too. */
static bool drawer_load(struct drawer *drawer) {
  void *library = dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_LOCAL);
  bool fine = library;
#define FIND(result, name, arguments) fine = fine && (drawer->name = (result(*) arguments)dlsym(library, #name));
  FUNCTIONS(FIND)
#undef FIND
  return fine;
}

const char *picture_format(const char *file) {
  const char *format = format_named(file);
  return format && word_listed("png pdf", format) ? format : NULL;
}

bool picture_wanted(const struct cli *cli, const char *option, const char *file) {
  struct drawer drawer;
  if (!picture_format(file) || drawer_load(&drawer)) return true;
  cli_error(cli, "install the package librsvg2-2; a file named .svg needs none",
            "--%s %s needs the library librsvg, which cannot be loaded", option, shown(cli, file));
  return false;
}

/* ---- drawing ---- */

static int write_file(void *user, const unsigned char *data, unsigned size) {
  return fwrite(data, 1, size, user) == size ? 0 : NO_SUCH_STREAM;
}

/* A page as large as the picture is at 96 pixels an inch. A PDF says when it was made, and the same picture is the same
 * bytes: that is the beginning of time. */
static void *surface_of_page(const struct drawer *drawer, const struct size *size, FILE *out) {
  void *page =
      drawer->cairo_pdf_surface_create_for_stream(write_file, out, size->width * 72. / 96, size->height * 72. / 96);
  drawer->cairo_pdf_surface_set_metadata(page, DATE_OF_CREATION, "1970-01-01T00:00:00Z");
  return page;
}

static bool draw(const struct drawer *drawer, void *handle, bool pdf, FILE *out) {
  struct size size = {0};
  drawer->rsvg_handle_get_dimensions(handle, &size);
  if (size.width <= 0 || size.height <= 0) return false;
  void *surface = pdf ? surface_of_page(drawer, &size, out)
                      : drawer->cairo_image_surface_create(IMAGE_ARGB32, size.width, size.height);
  void *to = drawer->cairo_create(surface);
  if (pdf) drawer->cairo_scale(to, 72. / 96, 72. / 96);
  struct rectangle all = {0, 0, size.width, size.height};
  bool good = drawer->rsvg_handle_render_document(handle, to, &all, NULL);
  drawer->cairo_destroy(to);
  good = good && (pdf || drawer->cairo_surface_write_to_png_stream(surface, write_file, out) == 0);
  drawer->cairo_surface_finish(surface);
  good = drawer->cairo_surface_status(surface) == 0 && good;
  drawer->cairo_surface_destroy(surface);
  return good;
}

static char *read_whole(FILE *file, size_t *size) {
  long end = fflush(file) || fseek(file, 0, SEEK_END) ? -1 : ftell(file);
  char *text = end > 0 ? malloc((size_t)end) : NULL;
  rewind(file);
  *size = text ? fread(text, 1, (size_t)end, file) : 0;
  if (text && *size == (size_t)end) return text;
  free(text);
  return NULL;
}

bool picture_convert(const struct cli *cli, FILE *svg, const char *format, FILE *out) {
  struct drawer drawer;
  size_t size;
  char *text = read_whole(svg, &size);
  void *handle = NULL;
  if (text && drawer_load(&drawer)) handle = drawer.rsvg_handle_new_from_data((const unsigned char *)text, size, NULL);
  bool done = handle && draw(&drawer, handle, !strcmp(format, "pdf"), out);
  if (handle) drawer.g_object_unref(handle);
  free(text);
  if (!done) cli_error(cli, "a file named .svg needs no other library", "librsvg has not made a %s", format);
  return done;
}
