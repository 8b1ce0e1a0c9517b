/* The language server's loop: reads what has come, answers it, and says what is wrong with the texts while nothing else
 * is to be done.  Requests that are cancelled while they wait are not answered but by that they are. */
#include "interp/lsp/server.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- failures ---- */

json_t *fail(struct failure *failure, int code, const char *format, ...) {
  va_list arguments;
  failure->code = code;
  va_start(arguments, format);
  vsnprintf(failure->message, sizeof failure->message, format, arguments);
  va_end(arguments);
  return NULL;
}

static void reply(json_t *id, json_t *result) {
  transport_send(json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id", id, "result", result ? result : json_null()));
}

static void reply_failure(json_t *id, const struct failure *failure) {
  transport_send(json_pack("{s:s, s:O, s:{s:i, s:s}}", "jsonrpc", "2.0", "id", id ? id : json_null(), "error", "code",
                           failure->code, "message", failure->message));
}

/* ---- params ---- */

struct document *params_document(struct server *server, json_t *params, struct failure *failure) {
  json_t *uri = json_object_get(json_object_get(params, "textDocument"), "uri");
  struct document *document = json_is_string(uri) ? document_find(server, json_string_value(uri)) : NULL;
  if (!json_is_string(uri))
    fail(failure, INVALID_PARAMS, "the params name no textDocument");
  else if (!document)
    fail(failure, INVALID_PARAMS, "the document is not open: %s", json_string_value(uri));
  return document;
}

struct document *params_place(struct server *server, json_t *params, unsigned *line, unsigned *column,
                              struct failure *failure) {
  struct document *document = params_document(server, params, failure);
  json_t *position = json_object_get(params, "position");
  json_t *at = json_object_get(position, "line"), *character = json_object_get(position, "character");
  if (!document) return NULL;
  if (!json_is_integer(at) || !json_is_integer(character) || json_integer_value(at) < 0 ||
      json_integer_value(character) < 0) {
    fail(failure, INVALID_PARAMS, "the params have no position");
    return NULL;
  }
  size_t offset = text_offset(&document->text, server->encoding, (size_t)json_integer_value(at),
                              (size_t)json_integer_value(character));
  text_place(&document->text, offset, line, column);
  return document;
}

json_t *location_of(struct server *server, const struct psl_place *place) {
  struct text own = {0};
  const struct text *text = text_of_path(server, place->file, &own);
  if (!text) return NULL;
  char *uri = file_uri(server, place->file);
  json_t *location = json_pack("{s:s, s:o}", "uri", uri, "range", range_of(text, server->encoding, place));
  free(uri);
  text_drop(&own);
  return location;
}

/* ---- the life of the server ---- */

static void add_root(struct server *server, json_t *uri) {
  if (!json_is_string(uri)) return;
  server->roots = memory_more(server->roots, (server->root_count + 1) * sizeof *server->roots);
  server->roots[server->root_count++] = uri_path(json_string_value(uri));
}

static void choose_encoding(struct server *server, json_t *capabilities) {
  static const char *const names[] = {
      [ENCODING_UTF16] = "utf-16", [ENCODING_UTF8] = "utf-8", [ENCODING_UTF32] = "utf-32"};
  json_t *list = json_object_get(json_object_get(capabilities, "general"), "positionEncodings"), *item;
  size_t i;
  json_array_foreach(list, i, item) for (enum encoding e = ENCODING_UTF16; e <= ENCODING_UTF32; e++) {
    if (!json_is_string(item) || strcmp(json_string_value(item), names[e])) continue;
    server->encoding = e;
    return;
  }
}

static json_t *capabilities_of(const struct server *server) {
  static const char *const names[] = {
      [ENCODING_UTF16] = "utf-16", [ENCODING_UTF8] = "utf-8", [ENCODING_UTF32] = "utf-32"};
  json_t *c = json_object();
  json_object_set_new(c, "positionEncoding", json_string(names[server->encoding]));
  json_object_set_new(c, "textDocumentSync",
                      json_pack("{s:b, s:i, s:{s:b}}", "openClose", 1, "change", 2, "save", "includeText", 0));
  json_object_set_new(c, "hoverProvider", json_true());
  json_object_set_new(c, "definitionProvider", json_true());
  json_object_set_new(c, "documentSymbolProvider", json_true());
  json_object_set_new(c, "workspaceSymbolProvider", json_true());
  json_object_set_new(c, "documentFormattingProvider", json_true());
  json_object_set_new(c, "completionProvider",
                      json_pack("{s:[s,s,s], s:b}", "triggerCharacters", ".", "=", ":", "resolveProvider", 1));
  json_object_set_new(c, "referencesProvider", json_true());
  json_object_set_new(c, "documentHighlightProvider", json_true());
  json_object_set_new(c, "renameProvider", json_pack("{s:b}", "prepareProvider", 1));
  json_object_set_new(c, "signatureHelpProvider", json_pack("{s:[s, s]}", "triggerCharacters", "(", ","));
  json_object_set_new(c, "semanticTokensProvider", json_pack("{s:o, s:b}", "legend", token_legend(), "full", 1));
  json_object_set_new(c, "inlayHintProvider", json_true());
  json_object_set_new(c, "foldingRangeProvider", json_true());
  json_object_set_new(c, "codeActionProvider", json_pack("{s:[s]}", "codeActionKinds", "quickfix"));
  json_object_set_new(c, "codeLensProvider", json_object());
  json_object_set_new(c, "executeCommandProvider", json_pack("{s:o}", "commands", run_commands()));
  json_object_set_new(c, "workspace",
                      json_pack("{s:{s:b, s:b}}", "workspaceFolders", "supported", 1, "changeNotifications", 1));
  return c;
}

static json_t *answer_initialize(struct server *server, json_t *params, struct failure *failure) {
  json_t *folders = json_object_get(params, "workspaceFolders"), *folder;
  size_t i;
  if (server->initialized) return fail(failure, INVALID_REQUEST, "the server is initialized already");
  server->initialized = true;
  choose_encoding(server, json_object_get(params, "capabilities"));
  if (json_array_size(folders))
    json_array_foreach(folders, i, folder) add_root(server, json_object_get(folder, "uri"));
  else
    add_root(server, json_object_get(params, "rootUri"));
  return json_pack("{s:o, s:{s:s, s:s}}", "capabilities", capabilities_of(server), "serverInfo", "name", "psl lsp",
                   "version", psl_version());
}

static json_t *answer_shutdown(struct server *server, json_t *params, struct failure *failure) {
  (void)params;
  (void)failure;
  server->shut_down = true;
  return json_null();
}

/* ---- notifications ---- */

static void did_open(struct server *server, json_t *params) {
  json_t *document = json_object_get(params, "textDocument"), *uri = json_object_get(document, "uri");
  json_t *text = json_object_get(document, "text");
  if (!json_is_string(uri) || !json_is_string(text)) return;
  document_open(server, json_string_value(uri), json_integer_value(json_object_get(document, "version")),
                memory_copy(json_string_value(text), json_string_length(text)), json_string_length(text));
}

static struct document *document_named(struct server *server, json_t *params) {
  struct failure failure = {0};
  return params_document(server, params, &failure);
}

static void did_change(struct server *server, json_t *params) {
  struct document *document = document_named(server, params);
  json_t *version = json_object_get(json_object_get(params, "textDocument"), "version");
  if (!document) return;
  if (json_is_integer(version)) document->version = json_integer_value(version);
  document_change(document, json_object_get(params, "contentChanges"));
}

static void did_close(struct server *server, json_t *params) {
  struct document *document = document_named(server, params);
  if (document) document_close(document);
}

static void did_change_folders(struct server *server, json_t *params) {
  json_t *event = json_object_get(params, "event"), *folder;
  size_t i;
  json_array_foreach(json_object_get(event, "added"), i, folder) add_root(server, json_object_get(folder, "uri"));
  json_array_foreach(json_object_get(event, "removed"), i, folder) {
    json_t *uri = json_object_get(folder, "uri");
    char *path = json_is_string(uri) ? uri_path(json_string_value(uri)) : memory_copy("", 0);
    size_t kept = 0;
    for (size_t r = 0; r < server->root_count; r++) {
      if (strcmp(server->roots[r], path))
        server->roots[kept++] = server->roots[r];
      else
        free(server->roots[r]);
    }
    server->root_count = kept;
    free(path);
  }
}

/* A program that runs for a request; of others it is too late. */
static void did_cancel(struct server *server, json_t *params) {
  struct failure failure = {REQUEST_CANCELLED, "cancelled"};
  json_t *id = json_object_get(params, "id");
  if (id && run_cancel(server, id)) reply_failure(id, &failure);
}

/* Files have changed on the disk. */
static void did_save(struct server *server, json_t *params) {
  (void)params;
  documents_touch(server);
}

static void did_exit(struct server *server, json_t *params) {
  (void)params;
  server->exited = true;
}

/* ---- dispatch ---- */

/* Stands in the table: the request is answered later. */
static json_t *answer_run(struct server *server, json_t *params, struct failure *failure) {
  (void)server;
  (void)params;
  (void)failure;
  return NULL;
}

static const struct method {
  const char *name;
  request_answer *answer;                              /* of a request, */
  void (*take)(struct server *server, json_t *params); /* of a notification, */
  request_written *write;                              /* of a request whose answer may be long */
} methods[] = {
    {"initialize", answer_initialize, NULL},
    {"shutdown", answer_shutdown, NULL},
    {"textDocument/hover", answer_hover, NULL},
    {"textDocument/definition", answer_definition, NULL},
    {"textDocument/completion", answer_completion, NULL},
    {"completionItem/resolve", answer_resolve, NULL},
    {"textDocument/documentSymbol", .write = write_symbols},
    {"workspace/symbol", answer_workspace_symbols, NULL},
    {"textDocument/formatting", answer_formatting, NULL},
    {"textDocument/references", answer_references, NULL},
    {"textDocument/documentHighlight", answer_highlight, NULL},
    {"textDocument/prepareRename", answer_prepare_rename, NULL},
    {"textDocument/rename", answer_rename, NULL},
    {"textDocument/signatureHelp", answer_signature, NULL},
    {"textDocument/semanticTokens/full", .write = write_tokens},
    {"textDocument/inlayHint", .write = write_hints},
    {"textDocument/foldingRange", .write = write_folds},
    {"textDocument/codeAction", answer_actions, NULL},
    {"textDocument/codeLens", .write = write_lenses},
    {"psl/draw", answer_draw, NULL},
    {"psl/fields", answer_fields, NULL},
    {"psl/palette", answer_palette, NULL},
    {"psl/modes", answer_modes, NULL},
    {"workspace/executeCommand", answer_run, NULL},
    {"textDocument/didOpen", NULL, did_open},
    {"textDocument/didChange", NULL, did_change},
    {"textDocument/didSave", NULL, did_save},
    {"textDocument/didClose", NULL, did_close},
    {"workspace/didChangeWatchedFiles", NULL, did_save},
    {"workspace/didChangeWorkspaceFolders", NULL, did_change_folders},
    {"$/cancelRequest", NULL, did_cancel},
    {"exit", NULL, did_exit},
    {0},
};

static const struct method *method_named(const char *name) {
  const struct method *method = methods;
  while (method->name && strcmp(method->name, name))
    method++;
  return method->name ? method : NULL;
}

/* Why the request is not answered at all. */
static bool refuses(const struct server *server, const struct method *method, const char *name,
                    struct failure *failure) {
  if (!server->initialized && (!method || method->answer != answer_initialize))
    fail(failure, NOT_INITIALIZED, "the server is not initialized");
  else if (server->shut_down)
    fail(failure, INVALID_REQUEST, "the server is shut down");
  else if (!method || method->take)
    fail(failure, METHOD_NOT_FOUND, "no request is called '%s'", name);
  return failure->code;
}

/* What went wrong is the answer, whatever has been written before. */
static void answer_written(struct server *server, request_written *write, json_t *id, json_t *params) {
  struct written out = {0};
  struct failure failure = {0};
  write(server, params, &out, &failure);
  if (failure.code)
    reply_failure(id, &failure);
  else
    transport_answer(id, &out.text);
  chars_drop(&out.text);
}

static void answer_request(struct server *server, const char *name, json_t *id, json_t *params) {
  const struct method *method = method_named(name);
  struct failure failure = {0};
  json_t *result = NULL;
  if (!refuses(server, method, name, &failure)) {
    if (method->write) {
      answer_written(server, method->write, id, params);
      return;
    }
    if (method->answer == answer_run) {
      run_request(server, id, params, &failure);
      if (!failure.code) return;
    } else {
      result = method->answer(server, params, &failure);
    }
  }
  if (failure.code)
    reply_failure(id, &failure);
  else
    reply(id, result);
}

static bool is_cancelled(json_t *message, json_t *id) {
  json_t *method = json_object_get(message, "method");
  if (!json_is_string(method) || strcmp(json_string_value(method), "$/cancelRequest")) return false;
  return json_equal(json_object_get(json_object_get(message, "params"), "id"), id);
}

/* Has the client thought better of it? */
static bool cancelled(const struct server *server, json_t *id) {
  for (const struct message *m = server->transport.first; m; m = m->next)
    if (is_cancelled(m->json, id)) return true;
  return false;
}

static void treat(struct server *server, json_t *message) {
  json_t *id = json_object_get(message, "id"), *method = json_object_get(message, "method");
  json_t *params = json_object_get(message, "params");
  struct failure failure = {0};
  if (!method && id && (json_object_get(message, "result") || json_object_get(message, "error"))) return;
  bool sound = !id || json_is_string(id) || json_is_integer(id);
  if (!json_is_string(method) || !sound) {
    fail(&failure, INVALID_REQUEST, "the message is no request: it has no method, or no id that can be answered");
    reply_failure(sound ? id : NULL, &failure);
  } else if (id && cancelled(server, id)) {
    fail(&failure, REQUEST_CANCELLED, "cancelled");
    reply_failure(id, &failure);
  } else if (id) {
    answer_request(server, json_string_value(method), id, params);
  } else {
    const struct method *known = method_named(json_string_value(method));
    if (known && known->take && (server->initialized || known->take == did_exit)) known->take(server, params);
  }
}

static void close_server(struct server *server) {
  while (server->documents)
    document_close(server->documents);
  for (size_t i = 0; i < server->root_count; i++)
    free(server->roots[i]);
  free(server->roots);
  runs_end(server);
  transport_close(&server->transport);
}

int lsp_serve(const struct psl_options *options) {
  struct server server = {.options = *options};
  json_t *message;
  transport_open(&server.transport);
  while (!server.exited) {
    while (!server.exited && (message = transport_next(&server.transport))) {
      treat(&server, message);
      json_decref(message);
      transport_wait(&server.transport, 0);
    }
    if (server.exited || (server.transport.ended && !server.transport.first)) break;
    documents_publish(&server);
    if (!server.transport.first) runs_wait(&server);
  }
  server.exited = true;
  close_server(&server);
  return server.shut_down ? 0 : 1;
}
