/* What calls tell while they go on, how that ends them, and what a store tells its log. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { heroes = 5000 };

static const char model[] =
    "{'entities': {'Hero': {'userInfo': {'identityAttributes': 'id'}, 'attributes': {"
    "'id': {'type': 'integer64', 'userInfo': {'JSONKeyPath': 'id'}},"
    "'name': {'type': 'string', 'optional': true, 'userInfo': {'JSONKeyPath': 'name'}}}}}}";
/* The same with one attribute more. */
static const char next_model[] =
    "{'entities': {'Hero': {'userInfo': {'identityAttributes': 'id'}, 'attributes': {"
    "'id': {'type': 'integer64', 'userInfo': {'JSONKeyPath': 'id'}},"
    "'name': {'type': 'string', 'optional': true, 'userInfo': {'JSONKeyPath': 'name'}},"
    "'age': {'type': 'integer64', 'optional': true, 'userInfo': {'JSONKeyPath': 'age'}}}}}}";

/* What a progress function was told, and after how many calls it ends the call. */
typedef struct watcher {
  groot_context *context;
  long calls, ends_at;
  uint64_t records, bytes;
  int operations; /* a bit for each */
  int busy;       /* how often the context was busy when it was used */
} watcher;

static groot_status watch(void *userdata, const groot_progress *progress) {
  watcher *self = userdata;
  size_t count = 0;
  self->calls++;
  CHECK(progress->struct_size == sizeof *progress);
  self->records = progress->records;
  if (progress->bytes > self->bytes) self->bytes = progress->bytes;
  self->operations |= 1 << progress->operation;
  if (self->context)
    self->busy += groot_context_count(self->context, "Hero", NULL, &count, NULL) == GROOT_BUSY;
  return self->ends_at && self->calls >= self->ends_at ? 99 : GROOT_OK;
}

static char *feed(void) {
  char *json = malloc(heroes * 48 + 3), *end = json;
  if (!json) exit(1);
  *end++ = '[';
  for (int i = 0; i < heroes; i++)
    end += sprintf(end, "%s{\"id\": %d, \"name\": \"hero number %d\"}", i ? "," : "", i, i);
  strcpy(end, "]");
  return json;
}

typedef groot_status (*operation)(groot_context *context);

static groot_status fetch(groot_context *context) {
  groot_objects *found = NULL;
  groot_status status =
      groot_context_fetch(context, "Hero", "{\"where\": {\"name\": {\"contains\": \"9\"}}}", &found,
                          NULL);
  groot_objects_free(found);
  return status;
}

static groot_status count(groot_context *context) {
  size_t found = 0;
  return groot_context_count(context, "Hero", "{\"where\": {\"name\": {\"endsWith\": \"9\"}}}",
                             &found, NULL);
}

static groot_status aggregate(groot_context *context) {
  groot_buffer result = {NULL, 0};
  groot_status status = groot_context_aggregate(
      context, "Hero", "{\"values\": {\"n\": {\"sum\": \"id\"}}, \"by\": [\"name\"]}", &result, NULL);
  groot_buffer_free(&result);
  return status;
}

static groot_status export_text(groot_context *context) {
  groot_buffer text = {NULL, 0};
  groot_objects *all = NULL;
  groot_status status = groot_context_fetch(context, "Hero", NULL, &all, NULL);
  if (status == GROOT_OK)
    status = groot_export_objects_text(context, groot_objects_data(all), groot_objects_count(all), NULL,
                               &text, NULL);
  groot_objects_free(all);
  groot_buffer_free(&text);
  return status;
}

static groot_status import_again(groot_context *context) {
  char *json = feed();
  groot_status status =
      groot_import_text(context, "Hero", json, GROOT_NTS, NULL, NULL, NULL);
  free(json);
  return status;
}

/* Each operation tells of itself, and ends when it is told to, with nothing changed. */
static void check_operation(fixture *f, const char *name, operation run, int expected) {
  watcher watcher = {f->context, 0, 0, 0, 0, 0, 0};
  groot_error *error = NULL;
  CHECK_OK(groot_context_set_progress(f->context, watch, &watcher, &error));
  check_equal(run(f->context), GROOT_OK, name, __FILE__, __LINE__);
  check(watcher.calls > 0, name, __FILE__, __LINE__);
  check(watcher.operations & 1 << expected, name, __FILE__, __LINE__);
  check_equal(watcher.busy, watcher.calls, name, __FILE__, __LINE__);

  watcher.calls = 0;
  watcher.ends_at = 1;
  check_equal(run(f->context), GROOT_CANCELLED, name, __FILE__, __LINE__);
  check_equal(watcher.calls, 1, name, __FILE__, __LINE__);
  CHECK_OK(groot_context_set_progress(f->context, NULL, NULL, &error));
  CHECK_EQUAL(count_of(f, "Hero"), heroes);
  check_graph(f);
}

static void check_in_memory(void) {
  fixture f = open_document(model, NULL);
  CHECK_EQUAL(import_again(f.context), GROOT_OK);
  check_operation(&f, "fetch", fetch, GROOT_OPERATION_FETCH);
  check_operation(&f, "count", count, GROOT_OPERATION_FETCH);
  check_operation(&f, "aggregate", aggregate, GROOT_OPERATION_FETCH);
  check_operation(&f, "export", export_text, GROOT_OPERATION_EXPORT);
  check_operation(&f, "import", import_again, GROOT_OPERATION_IMPORT);
  CHECK_EQUAL(groot_context_set_progress(NULL, watch, NULL, NULL), GROOT_INVALID_ARGUMENT);
  close_fixture(&f);
}

static groot_status cancel(void *userdata, const groot_progress *progress) {
  watcher *self = userdata;
  (void)progress;
  if (++self->calls == self->ends_at) groot_context_cancel(self->context);
  return GROOT_OK;
}

/* After the last call nothing else asks whether the call goes on. */
static void check_last_call(void) {
  fixture f = open_document(model, NULL);
  groot_error *error = NULL;
  watcher watcher = {f.context, 0, 1, 0, 0, 0, 0};
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  options.progress = cancel;
  options.progress_userdata = &watcher;
  const char *one = "[{\"id\": 1}]";
  CHECK_FAILS(groot_import_text(f.context, "Hero", one, GROOT_NTS, &options, NULL, &error),
              GROOT_CANCELLED);
  CHECK_EQUAL(watcher.calls, 1);
  CHECK_EQUAL(count_of(&f, "Hero"), 0);
  check_graph(&f);
  close_fixture(&f);
}

/* What a log was told, by level. */
typedef struct told {
  long messages[5];
  int has_insert, has_value;
} told;

static void take(void *userdata, int32_t level, const char *message, size_t size) {
  told *self = userdata;
  CHECK(level >= GROOT_LOG_ERRORS && level <= GROOT_LOG_STATEMENTS);
  CHECK_EQUAL(strlen(message), size);
  self->messages[level]++;
  if (strstr(message, "INSERT")) self->has_insert = 1;
  if (strstr(message, "hero number")) self->has_value = 1;
}

static groot_status save_changes(groot_context *context) {
  groot_status status = import_again(context);
  return status == GROOT_OK ? groot_context_save(context, NULL) : status;
}

static void check_store(void) {
  char directory[] = "/tmp/groot-progress-XXXXXX", path[64];
  if (!mkdtemp(directory)) exit(1);
  snprintf(path, sizeof path, "%s/heroes.db", directory);
  fixture f = open_document(model, NULL), next = open_document(next_model, NULL);
  groot_error *error = NULL;
  groot_context *context = NULL;
  told told;
  memset(&told, 0, sizeof told);
  groot_store_options options = GROOT_STORE_OPTIONS_INIT;
  options.log = take;
  options.log_userdata = &told;
  CHECK_OK(groot_context_open(f.mapping, path, &options, &context, &error));
  CHECK_EQUAL(told.messages[GROOT_LOG_EVENTS], 1);
  CHECK_EQUAL(told.messages[GROOT_LOG_STATEMENTS], 0);

  watcher watcher = {context, 0, 0, 0, 0, 0, 0};
  CHECK_OK(groot_context_set_progress(context, watch, &watcher, &error));
  CHECK_EQUAL(save_changes(context), GROOT_OK);
  CHECK(watcher.operations & 1 << GROOT_OPERATION_SAVE);
  CHECK_OK(groot_context_refresh(context, &error));
  CHECK_EQUAL(export_text(context), GROOT_OK);
  CHECK(watcher.operations & 1 << GROOT_OPERATION_EXPORT);
  CHECK_EQUAL(watcher.busy, watcher.calls);
  groot_context_free(context);

  /* A migration tells, too, and is given up whole. */
  memset(&watcher, 0, sizeof watcher);
  memset(&told, 0, sizeof told);
  watcher.ends_at = 1;
  options.progress = watch;
  options.progress_userdata = &watcher;
  options.log_level = GROOT_LOG_STATEMENTS;
  CHECK_FAILS(groot_context_open(next.mapping, path, &options, &context, &error), GROOT_CANCELLED);
  CHECK_EQUAL(watcher.operations, 1 << GROOT_OPERATION_MIGRATE);
  watcher.ends_at = 0;
  CHECK_OK(groot_context_open(next.mapping, path, &options, &context, &error));
  CHECK(watcher.calls > 1);
  CHECK(told.messages[GROOT_LOG_STATEMENTS] > 10 && told.has_insert && !told.has_value);
  size_t kept = 0;
  CHECK_OK(groot_context_count(context, "Hero", NULL, &kept, &error));
  CHECK_EQUAL(kept, heroes);
  groot_context_free(context);

  options.log_level = 5;
  CHECK_FAILS(groot_context_open(next.mapping, path, &options, &context, &error),
              GROOT_INVALID_ARGUMENT);
  unlink(path);
  rmdir(directory);
  close_fixture(&f);
  close_fixture(&next);
}

int main(void) {
  check_in_memory();
  check_last_call();
  check_store();
  return finish("progress");
}
