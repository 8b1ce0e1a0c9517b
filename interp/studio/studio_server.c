/* The studio's server: HTTP by libmicrohttpd, which is loaded for that alone, on an address that only this computer
 * reaches.  Other pages in the same browser reach it as well, and so each request is asked who sends it: by the name
 * that it calls the server (a foreign one is that of a page whose name has been turned to this address), by its origin,
 * and, for all that is not a part of the page, by the token that only who started the studio has been given. */
#include "interp/studio/studio_server.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- what the files of the studio share ---- */

json_t *decline(struct refusal *refusal, unsigned status, const char *format, ...) {
  va_list arguments;
  if (refusal->status) return NULL;
  refusal->status = status;
  va_start(arguments, format);
  vsnprintf(refusal->text, sizeof refusal->text, format, arguments);
  va_end(arguments);
  return NULL;
}

const char *param_text(json_t *params, const char *name, struct refusal *refusal) {
  json_t *text = json_object_get(params, name);
  if (!json_is_string(text)) decline(refusal, 400, "the request has no %s", name);
  return json_string_value(text);
}

void secret_make(char secret[SECRET + 1]) {
  unsigned char bytes[SECRET / 2];
  size_t got = 0;
  while (got < sizeof bytes) {
    ssize_t more = getrandom(bytes + got, sizeof bytes - got, 0);
    if (more > 0) got += (size_t)more;
  }
  for (size_t i = 0; i < sizeof bytes; i++)
    snprintf(secret + 2 * i, 3, "%02x", bytes[i]);
}

bool studio_wait(struct studio *studio, int milliseconds) {
  struct timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_sec += milliseconds / 1000;
  return pthread_cond_clockwait(&studio->changed, &studio->lock, CLOCK_MONOTONIC, &end) == 0;
}

#if __has_include(<microhttpd.h>)
#include <microhttpd.h>

#define FUNCTIONS(X)                 \
  X(MHD_start_daemon)                \
  X(MHD_stop_daemon)                 \
  X(MHD_queue_response)              \
  X(MHD_create_response_from_buffer) \
  X(MHD_add_response_header)         \
  X(MHD_destroy_response)            \
  X(MHD_lookup_connection_value)

static struct microhttpd {
#define MEMBER(f) __typeof__(f) *f;
  FUNCTIONS(MEMBER)
#undef MEMBER
} http;

static bool load_library(const struct psl_options *options) {
  void *library = dlopen(PSL_LIBMICROHTTPD, RTLD_NOW | RTLD_LOCAL);
  bool fine = library;
#define FIND(f) fine = fine && (http.f = (__typeof__(f) *)dlsym(library, #f));
  FUNCTIONS(FIND)
#undef FIND
  if (!fine)
    psl_say(options, PSL_ERROR, "the studio needs the library libmicrohttpd, which cannot be loaded",
            "install the package libmicrohttpd12");
  return fine;
}

/* ---- what is served ---- */

static json_t *answer_start(struct studio *studio, json_t *params, struct refusal *refusal) {
  struct psl_word word;
  json_t *words = json_array();
  (void)params, (void)refusal;
  for (size_t i = 0; psl_word(i, &word); i++)
    json_array_append_new(words, json_string(word.text));
  const char *stroke = strrchr(studio->folder_path, '/');
  return json_pack("{s:s, s:s, s:s, s:o, s:o, s:b, s:b}", "version", psl_version(), "folder", studio->folder_path,
                   "name", stroke && stroke[1] ? stroke + 1 : "/", "first",
                   studio->first ? json_string(studio->first) : json_null(), "words", words, "codemirror",
                   assets_have_editor(), "native", studio->options->psl->allow_native);
}

static const struct route {
  const char *address;
  api_answer *answer;
  api_bytes *bytes; /* where `answer` is NULL */
} routes[] = {
    {"/api/start", answer_start},     {"/api/files", answer_files},
    {"/api/read", answer_read},       {"/api/write", answer_write},
    {"/api/graph", answer_graph},     {"/api/params", answer_params},
    {"/api/run", answer_run},         {"/api/job", answer_job},
    {"/api/stop", answer_stop},       {"/api/points", answer_points},
    {"/api/editor", answer_editor},   {"/api/tell", answer_tell},
    {"/api/hear", answer_hear},       {"/api/leave", answer_leave},
    {"/api/explain", answer_explain}, {"/api/timeline", answer_timeline},
    {"/api/times", answer_times},     {"/api/slice", answer_slice},
    {"/api/why", answer_why},         {"/api/picture", .bytes = bytes_picture},
    {"/api/diagram", answer_diagram}, {"/api/toolbar", answer_toolbar},
    {"/api/studies", answer_studies},
};

static const struct route *route_find(const char *address) {
  for (size_t i = 0; i < sizeof routes / sizeof *routes; i++)
    if (!strcmp(routes[i].address, address)) return &routes[i];
  return NULL;
}

/* ---- answers ---- */

#define OWN_POLICY(styles)                                                                              \
  "default-src 'none'; script-src 'self'; style-src 'self'" styles                                      \
  "; img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; " \
  "frame-ancestors 'none'"
/* A report stands alone, in a frame of the page, as one of no origin. */
#define REPORT_POLICY                                                                                                  \
  "sandbox allow-scripts allow-downloads; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; " \
  "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

static enum MHD_Result send_text(struct MHD_Connection *connection, unsigned status, const char *type,
                                 const char *policy, const char *text, size_t size) {
  const char *const headers[][2] = {
      {"Content-Type", type},
      {"Content-Security-Policy", policy},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cache-Control", "no-store"},
  };
  struct MHD_Response *response =
      http.MHD_create_response_from_buffer(size, size ? (void *)text : "", MHD_RESPMEM_MUST_COPY);
  if (!response) return MHD_NO;
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
    http.MHD_add_response_header(response, headers[i][0], headers[i][1]);
  if (status == 405) http.MHD_add_response_header(response, "Allow", "GET, POST");
  enum MHD_Result sent = http.MHD_queue_response(connection, status, response);
  http.MHD_destroy_response(response);
  return sent;
}

static enum MHD_Result send_json(struct MHD_Connection *connection, unsigned status, json_t *json) {
  char *text = json_dumps(json, JSON_COMPACT | JSON_ENCODE_ANY);
  json_decref(json);
  enum MHD_Result sent = send_text(connection, text ? status : 500, "application/json", OWN_POLICY(""),
                                   text ? text : "", text ? strlen(text) : 0);
  free(text);
  return sent;
}

static enum MHD_Result send_refusal(struct MHD_Connection *connection, const struct refusal *refusal) {
  json_t *json = json_pack("{s:s}", "error", refusal->text);
  return send_json(connection, refusal->status, json ? json : json_pack("{s:s}", "error", "what is wrong is no UTF-8"));
}

/* ---- who asks ---- */

static const char *header(struct MHD_Connection *connection, const char *name) {
  return http.MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* Takes as long whatever is given. */
static bool is_token(const struct studio *studio, const char *given) {
  unsigned char differ = strlen(given) != SECRET;
  for (size_t i = 0; i < SECRET; i++)
    differ |= (unsigned char)(studio->token[i] ^ (differ ? 0 : given[i]));
  return !differ;
}

static bool is_host(const struct studio *studio, const char *given) {
  return !strcasecmp(given, studio->hosts[0]) || !strcasecmp(given, studio->hosts[1]);
}

/* By its name, and by where the page comes from, which browsers say of all that could be foreign. */
static void check_sender(const struct studio *studio, struct MHD_Connection *connection, struct refusal *refusal) {
  static const char scheme[] = "http://";
  const char *host = header(connection, "Host"), *origin = header(connection, "Origin");
  if (!host || !is_host(studio, host))
    decline(refusal, 421, "this server is called %s", studio->hosts[0]);
  else if (origin && (strncmp(origin, scheme, sizeof scheme - 1) || strcasecmp(origin + sizeof scheme - 1, host)))
    decline(refusal, 403, "the request comes from another page");
}

static void check_page(const struct studio *studio, struct MHD_Connection *connection, struct refusal *refusal) {
  const char *token = header(connection, "X-PSL-Token"), *site = header(connection, "Sec-Fetch-Site");
  const char *type = header(connection, "Content-Type");
  if (site && strcmp(site, "same-origin"))
    decline(refusal, 403, "the request comes from another page");
  else if (!token || !is_token(studio, token))
    decline(refusal, 401, "the request has not the token of this studio");
  else if (!type || strcmp(type, "application/json"))
    decline(refusal, 415, "requests are JSON");
}

/* ---- requests ---- */

struct request {
  const struct route *route; /* NULL: of a part of the page */
  struct chars body;
  struct refusal refusal;
};

static enum MHD_Result send_page(struct studio *studio, struct MHD_Connection *connection, const char *secret) {
  const char *type;
  size_t size;
  char *copy;
  struct refusal refusal = {0};
  const char *text = page_find(studio, secret, &type, &size, &copy);
  if (!text) {
    decline(&refusal, 404, "there is no such page");
    return send_refusal(connection, &refusal);
  }
  enum MHD_Result sent = send_text(connection, 200, type, REPORT_POLICY, text, size);
  free(copy);
  return sent;
}

/* The editor writes its styles into the page: they are let in by a word that is another one for each page. */
static enum MHD_Result send_start(struct MHD_Connection *connection, const struct asset *asset) {
  char nonce[SECRET + 1], policy[500];
  secret_make(nonce);
  snprintf(policy, sizeof policy, OWN_POLICY(" 'nonce-%s'"), nonce);
  char *page = asset_page(asset, nonce);
  enum MHD_Result sent = send_text(connection, 200, asset->type, policy, page, asset->size);
  free(page);
  return sent;
}

/* Of the parts of reports' pages that the studio shows points with. */
static const char *part_type(const char *address) {
  return strstr(address, ".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8";
}

static enum MHD_Result answer_part(struct studio *studio, struct MHD_Connection *connection, const char *address) {
  static const char page[] = "/page/";
  struct refusal refusal = {0};
  const struct asset *asset = asset_find(address);
  if (asset && !strcmp(address, "/")) return send_start(connection, asset);
  if (asset) return send_text(connection, 200, asset->type, OWN_POLICY(""), asset->text, asset->size);
  size_t size;
  const char *part = *address ? psl_page_part(address + 1, &size) : NULL;
  if (part) return send_text(connection, 200, part_type(address), OWN_POLICY(""), part, size);
  if (!strncmp(address, page, sizeof page - 1)) return send_page(studio, connection, address + sizeof page - 1);
  decline(&refusal, 404, "nothing has that address");
  return send_refusal(connection, &refusal);
}

static enum MHD_Result answer_api(struct studio *studio, struct MHD_Connection *connection, struct request *request) {
  json_t *params = json_loadb(request->body.data ? request->body.data : "", request->body.size, 0, NULL);
  const struct route *route = request->route;
  struct chars bytes = {0};
  json_t *answer = NULL;
  bool done = false;
  if (!json_is_object(params))
    decline(&request->refusal, 400, "the request is no object in JSON");
  else if (route->answer)
    answer = route->answer(studio, params, &request->refusal);
  else
    done = route->bytes(studio, params, &bytes, &request->refusal);
  json_decref(params);
  enum MHD_Result sent = MHD_NO;
  if (done) sent = send_text(connection, 200, "application/octet-stream", OWN_POLICY(""), bytes.data, bytes.size);
  chars_drop(&bytes);
  if (done) return sent;
  if (answer) return send_json(connection, 200, answer);
  if (!request->refusal.status) decline(&request->refusal, 500, "there is no answer");
  return send_refusal(connection, &request->refusal);
}

/* What is refused is refused before its body is read. */
static struct request *begin(struct studio *studio, struct MHD_Connection *connection, const char *address,
                             const char *method) {
  struct request *request = memory_more(NULL, sizeof *request);
  *request = (struct request){.route = route_find(address)};
  check_sender(studio, connection, &request->refusal);
  if (!request->refusal.status && request->route) check_page(studio, connection, &request->refusal);
  bool get = !strcmp(method, "GET") || !strcmp(method, "HEAD");
  if (request->route ? strcmp(method, "POST") != 0 : !get)
    decline(&request->refusal, 405, "a request of the page is a POST, of its parts a GET");
  return request;
}

static enum MHD_Result on_request(void *user, struct MHD_Connection *connection, const char *address,
                                  const char *method, const char *version, const char *data, size_t *size,
                                  void **state) {
  struct studio *studio = user;
  struct request *request = *state;
  (void)version;
  if (!request) {
    request = *state = begin(studio, connection, address, method);
    bool whole = request->refusal.status && strcmp(method, "GET") && strcmp(method, "HEAD");
    return whole ? send_refusal(connection, &request->refusal) : MHD_YES;
  }
  if (*size) {
    if (!request->route || request->refusal.status)
      ; /* nobody will read it */
    else if (request->body.size + *size <= LARGEST_BODY)
      chars_add(&request->body, data, *size);
    else
      decline(&request->refusal, 413, "the request is larger than 16 MiB");
    *size = 0;
    return MHD_YES;
  }
  if (request->refusal.status) return send_refusal(connection, &request->refusal);
  return request->route ? answer_api(studio, connection, request) : answer_part(studio, connection, address);
}

static void on_end(void *user, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode code) {
  struct request *request = *state;
  (void)user, (void)connection, (void)code;
  if (!request) return;
  chars_drop(&request->body);
  free(request);
  *state = NULL;
}

/* Addresses stand as they are written: none of the studio's has a '%', behind which a NUL could be. */
static size_t leave_escapes(void *user, struct MHD_Connection *connection, char *text) {
  (void)user, (void)connection;
  return strlen(text);
}

/* What is wrong with a connection is for nobody to read, least of all where a token could stand in it. */
static void say_nothing(void *user, const char *format, va_list arguments) {
  (void)user, (void)format, (void)arguments;
}

/* ---- the server ---- */

static struct MHD_Daemon *listen_here(struct studio *studio, int *port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  int listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listening < 0) return NULL;
  if (bind(listening, (struct sockaddr *)&address, size) || listen(listening, 128) ||
      getsockname(listening, (struct sockaddr *)&address, &size)) {
    close(listening);
    return NULL;
  }
  *port = ntohs(address.sin_port);
  snprintf(studio->hosts[0], sizeof studio->hosts[0], "127.0.0.1:%d", *port);
  snprintf(studio->hosts[1], sizeof studio->hosts[1], "localhost:%d", *port);
  struct MHD_Daemon *daemon = http.MHD_start_daemon(
      MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_USE_ERROR_LOG, 0, NULL, NULL,
      on_request, studio, MHD_OPTION_EXTERNAL_LOGGER, say_nothing, NULL, MHD_OPTION_LISTEN_SOCKET, listening,
      MHD_OPTION_NOTIFY_COMPLETED, on_end, studio, MHD_OPTION_UNESCAPE_CALLBACK, leave_escapes, NULL,
      MHD_OPTION_CONNECTION_LIMIT, 256U, MHD_OPTION_CONNECTION_TIMEOUT, 20U, MHD_OPTION_THREAD_STACK_SIZE,
      (size_t)1 << 20, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
  if (!daemon) close(listening);
  return daemon;
}

/* ---- the browser ---- */

static bool in_path(const char *program, char path[PATH_MAX]) {
  const char *folders = getenv("PATH");
  for (const char *at = folders ? folders : ""; *at; at += strcspn(at, ":"), at += *at == ':') {
    snprintf(path, PATH_MAX, "%.*s/%s", (int)strcspn(at, ":"), at, program);
    if (*path == '/' && access(path, X_OK) == 0) return true;
  }
  return false;
}

/* All users see what programs are started with, and so the address goes by a file that this user alone can read. */
static char *write_door(const char *address) {
  struct chars path = {0};
  const char *runtime = getenv("XDG_RUNTIME_DIR"), *home = runtime && *runtime == '/' ? runtime : "/tmp";
  chars_put(&path, "%s/psl-studio-XXXXXX.html", home);
  int file = mkostemps(path.data, 5, O_CLOEXEC);
  FILE *out = file < 0 ? NULL : fdopen(file, "w");
  if (!out) {
    chars_drop(&path);
    return NULL;
  }
  fprintf(out,
          "<!doctype html><meta name=\"referrer\" content=\"no-referrer\"><title>psl studio</title>"
          "<meta http-equiv=\"refresh\" content=\"0; url=%s\">\n",
          address);
  fclose(out);
  return path.data;
}

/* The path of the file that the browser opens, which is removed at the end; NULL: there is no browser. */
static char *open_browser(const char *address) {
  char program[PATH_MAX];
  const char *display = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
  if (!(display && *display) && !(wayland && *wayland) && !getenv("BROWSER")) return NULL;
  if (!in_path("xdg-open", program)) return NULL;
  char *door = write_door(address);
  pid_t process = door ? fork() : -1;
  if (process == 0) {
    int nothing = open("/dev/null", O_RDWR);
    setsid();
    for (int d = 0; d < 3; d++)
      dup2(nothing, d);
    if (fork() == 0) execl(program, "xdg-open", door, (char *)NULL);
    _exit(0);
  }
  if (process > 0) program_end(process);
  return door;
}

/* ---- its life ---- */

static bool open_folder(struct studio *studio) {
  const char *given = studio->options->path;
  struct stat status;
  char whole[PATH_MAX], message[PATH_MAX + 100];
  if (!given) given = ".";
  if (!realpath(given, whole) || stat(whole, &status)) {
    snprintf(message, sizeof message, "%s: %s", given, strerror(errno));
    psl_say(studio->options->psl, PSL_ERROR, message, NULL);
    return false;
  }
  if (!S_ISDIR(status.st_mode)) {
    struct refusal refusal = {0};
    char *stroke = strrchr(whole, '/');
    if (!name_sound(stroke + 1, &refusal)) {
      snprintf(message, sizeof message, "%s is no folder, and no model: its name does not end in .psl", given);
      psl_say(studio->options->psl, PSL_ERROR, message, NULL);
      return false;
    }
    studio->first = memory_copy(stroke + 1, strlen(stroke + 1));
    stroke[stroke == whole] = 0;
  }
  studio->folder_path = memory_copy(whole, strlen(whole));
  studio->folder = open(whole, O_PATH | O_DIRECTORY | O_CLOEXEC);
  return studio->folder >= 0;
}

/* A folder that is not there is named as it was, for psl to say so. */
static char **whole_paths(const char *const *paths, size_t count) {
  char **whole = memory_more(NULL, (count + 1) * sizeof *whole);
  for (size_t i = 0; i < count; i++) {
    whole[i] = realpath(paths[i], NULL);
    if (!whole[i]) whole[i] = memory_copy(paths[i], strlen(paths[i]));
  }
  whole[count] = NULL;
  return whole;
}

static void drop_paths(char **paths) {
  for (char **path = paths; *path; path++)
    free(*path);
  free(paths);
}

static void wait_for_end(struct studio *studio) {
  while (!*studio->options->interrupted)
    poll(NULL, 0, 100);
  *studio->options->interrupted = 2;
}

static void serve(struct studio *studio, struct MHD_Daemon *daemon, int port) {
  char address[100];
  snprintf(address, sizeof address, "http://127.0.0.1:%d/#token=%s", port, studio->token);
  char *door = studio->options->no_browser ? NULL : open_browser(address);
  printf("%s\n", address);
  printf("The studio shows %s%s%s. Ctrl-C ends it.\n", studio->folder_path, studio->first ? "/" : "",
         studio->first ? studio->first : "");
  if (!assets_have_editor())
    printf(
        "The text stands in a plain field: this psl was built without CodeMirror, which make bundles where there are "
        "node and npm (Debian: nodejs, npm) and the network.\n");
  fflush(stdout);
  wait_for_end(studio);
  if (door) unlink(door);
  free(door);
  pthread_mutex_lock(&studio->lock);
  studio->stopping = true;
  pthread_cond_broadcast(&studio->changed);
  pthread_mutex_unlock(&studio->lock);
  editors_stop(studio);
  http.MHD_stop_daemon(daemon);
  jobs_end(studio);
  editors_end(studio);
}

int studio_serve(const struct studio_options *options) {
  struct studio studio = {.options = options, .folder = -1, .mask = umask(0)};
  int port = 0;
  umask(studio.mask);
  pthread_mutex_init(&studio.lock, NULL);
  pthread_cond_init(&studio.changed, NULL);
  if (!load_library(options->psl) || !open_folder(&studio)) return 1;
  studio.include = whole_paths(options->psl->folders, options->psl->folder_count);
  studio.readable = whole_paths(options->psl->readable, options->psl->readable_count);
  signal(SIGPIPE, SIG_IGN);
  secret_make(studio.token);
  struct MHD_Daemon *daemon = listen_here(&studio, &port);
  if (daemon)
    serve(&studio, daemon, port);
  else
    psl_say(options->psl, PSL_ERROR, "no port of this computer can be listened on", NULL);
  close(studio.folder);
  drop_paths(studio.include), drop_paths(studio.readable);
  free(studio.folder_path), free(studio.first);
  return daemon ? 0 : 1;
}
#else
int studio_serve(const struct studio_options *options) {
  psl_say(options->psl, PSL_ERROR, "this psl was built without libmicrohttpd, which the studio needs",
          "install the package libmicrohttpd-dev, and build psl again");
  return 1;
}
#endif
