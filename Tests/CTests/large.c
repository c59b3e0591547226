/* Imports in batches straight into a store, and exports of what a fetch gives. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static groot_error *error;
static const size_t nts = GROOT_NTS;
static char folder[] = "/tmp/groot-large-XXXXXX";
static char path[64], exported[64];

enum { POWERS = 250, BATCH = 20 };

/* So many powers; with `wrong` at least 0 the one in that place has no name but a number. */
static char *powers(int wrong) {
  json_t *list = json_array();
  for (int i = 0; i < POWERS; i++) {
    char id[16], name[16];
    snprintf(id, sizeof id, "%d", i + 1);
    snprintf(name, sizeof name, "Power %d", i + 1);
    json_t *power = json_pack("{s:s, s:s}", "id", id, "name", name);
    if (i == wrong) json_object_set_new(power, "name", json_integer(i));
    json_array_append_new(list, power);
  }
  char *made = json_dumps(list, JSON_COMPACT);
  json_decref(list);
  return made;
}

static groot_context *open_store(fixture *f) {
  groot_context *context = NULL;
  CHECK_OK(groot_context_open(f->mapping, path, NULL, &context, &error));
  return context;
}

static size_t count(groot_context *context) {
  size_t found = 0;
  CHECK_OK(groot_context_count(context, "Power", NULL, &found, &error));
  return found;
}

static groot_status import_batches(groot_context *context, const char *json, int32_t commits,
                                   groot_buffer *report) {
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  options.batch_size = BATCH;
  options.commits = commits;
  options.report = report;
  groot_objects *objects = NULL;
  groot_status status = groot_import_text(context, "Power", json, nts, &options, &objects, &error);
  CHECK(status == GROOT_OK || objects == NULL);
  CHECK_EQUAL(groot_objects_count(objects), 0);
  groot_objects_free(objects);
  return status;
}

static long long number(const json_t *report, const char *key) {
  return json_integer_value(json_object_get(report, key));
}

static void test_batches(fixture *f) {
  char *good = powers(-1), *bad = powers(BATCH * 3 + 1);
  groot_context *context = open_store(f);
  groot_buffer buffer = {NULL, 7};
  CHECK_FAILS(import_batches(context, bad, GROOT_COMMITS_WHOLE, &buffer), GROOT_WRONG_TYPE);
  CHECK_PLACE("$[61].name", "Power", "name");
  CHECK(buffer.data == NULL && buffer.size == 0);
  CHECK_EQUAL(count(context), 0);
  CHECK_FAILS(import_batches(context, bad, GROOT_COMMITS_EACH_BATCH, NULL), GROOT_WRONG_TYPE);
  CHECK_EQUAL(count(context), BATCH * 3);
  CHECK_OK(import_batches(context, good, GROOT_COMMITS_WHOLE, &buffer));
  json_t *report = taken(&buffer);
  CHECK_EQUAL(number(report, "inserted"), POWERS - BATCH * 3);
  CHECK_EQUAL(number(report, "unchanged"), BATCH * 3);
  json_decref(report);
  groot_context_free(context); /* without a save */
  context = open_store(f);
  CHECK_EQUAL(count(context), POWERS);
  groot_context_free(context);
  free(good);
  free(bad);
}

typedef struct last_progress {
  uint64_t records, inserted, updated, unchanged;
  int calls;
} last_progress;

static groot_status note_progress(void *userdata, const groot_progress *progress) {
  last_progress *last = userdata;
  CHECK(progress->records >= last->records);
  last->records = progress->records;
  last->inserted = progress->inserted;
  last->updated = progress->updated;
  last->unchanged = progress->unchanged;
  last->calls++;
  return GROOT_OK;
}

static void test_progress(fixture *f) {
  groot_context *context = open_store(f);
  char *all = powers(-1);
  last_progress last = {0, 0, 0, 0, 0};
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  options.batch_size = BATCH;
  options.progress = note_progress;
  options.progress_userdata = &last;
  CHECK_OK(groot_import_text(context, "Power", all, nts, &options, NULL, &error));
  CHECK(last.calls > 0);
  CHECK_EQUAL(last.records, POWERS);
  CHECK_EQUAL(last.inserted, 0);
  CHECK_EQUAL(last.updated, 0);
  CHECK_EQUAL(last.unchanged, POWERS);
  free(all);
  groot_context_free(context);
}

static void test_refusals(fixture *f) {
  CHECK_FAILS(import_batches(f->context, "[]", GROOT_COMMITS_WHOLE, NULL), GROOT_INVALID_ARGUMENT);
  groot_context *context = open_store(f);
  CHECK_FAILS(import_batches(context, "[]", 2, NULL), GROOT_INVALID_ARGUMENT);
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  options.batch_size = (size_t)-1;
  CHECK_FAILS(groot_import_text(context, "Power", "[]", nts, &options, NULL, &error),
              GROOT_INVALID_ARGUMENT);
  options.batch_size = 1;
  static const uint32_t flags[] = {GROOT_DRY_RUN, GROOT_CHANGES, GROOT_IMPORT_ACCESS};
  for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
    options.flags = flags[i];
    CHECK_FAILS(groot_import_text(context, "Power", "[]", nts, &options, NULL, &error),
                GROOT_INVALID_ARGUMENT);
  }
  options.flags = 0;
  groot_stream *stream = NULL;
  CHECK_FAILS(groot_stream_begin(context, "Power", &options, &stream, &error),
              GROOT_INVALID_ARGUMENT);
  groot_object_id unsaved = 0;
  CHECK_OK(groot_object_insert(context, "Power", &unsaved, &error));
  CHECK_FAILS(import_batches(context, "[]", GROOT_COMMITS_WHOLE, NULL), GROOT_INVALID_ARGUMENT);
  groot_context_free(context);
}

static groot_status collect(void *userdata, const char *data, size_t size) {
  groot_buffer *all = userdata;
  char *grown = realloc(all->data, all->size + size + 1);
  if (!grown) return GROOT_LIMIT_EXCEEDED;
  memcpy(grown + all->size, data, size);
  all->data = grown;
  all->size += size;
  grown[all->size] = '\0';
  return GROOT_OK;
}

static groot_status stop_writing(void *userdata, const char *data, size_t size) {
  (void)userdata, (void)data, (void)size;
  return 4711;
}

/* The same from a store and from memory. */
static void test_exports(groot_context *context) {
  groot_buffer all = {NULL, 0};
  size_t written = 99;
  groot_export_options counted = GROOT_EXPORT_OPTIONS_INIT;
  counted.count = &written;
  CHECK_OK(groot_export_fetch_write(context, "Power", NULL, &counted, collect, &all, &error));
  CHECK_EQUAL(written, POWERS);
  char *expected = powers(-1);
  CHECK(all.data && strcmp(all.data, expected) == 0);
  free(expected);
  free(all.data);

  groot_export_options options = counted;
  const char *request =
      text("{'where': {'name': {'in': ['Power 3', 'Power 5']}}, 'sort': ['-name']}");
  options.flags = GROOT_LINES;
  options.properties = text("['name']");
  CHECK_OK(groot_export_fetch_file(context, "Power", request, &options, exported, &error));
  CHECK_EQUAL(written, 2);
  char lines[80] = "";
  FILE *file = fopen(exported, "rb");
  if (CHECK(file != NULL)) {
    lines[fread(lines, 1, sizeof lines - 1, file)] = '\0';
    fclose(file);
  }
  CHECK(strcmp(lines, "{\"name\":\"Power 5\"}\n{\"name\":\"Power 3\"}\n") == 0);

  CHECK_FAILS(
      groot_export_fetch_write(context, "Power", NULL, &counted, stop_writing, NULL, &error), 4711);
  CHECK_EQUAL(written, 0);
  CHECK_FAILS(groot_export_fetch_file(context, "Nobody", NULL, NULL, exported, &error),
              GROOT_UNKNOWN_ENTITY);
  CHECK_FAILS(groot_export_fetch_file(context, "Power", NULL, NULL, "", &error), GROOT_FILE_ERROR);
  CHECK_OK(groot_export_fetch_file(context, "Character", NULL, &counted, exported, &error));
  CHECK_EQUAL(written, 0);
  CHECK_OK(groot_context_check(context, &error));
}

int main(void) {
  fixture f = open_fixture("comics");
  if (!CHECK(mkdtemp(folder) != NULL)) return finish("large");
  snprintf(path, sizeof path, "%s/store.sqlite", folder);
  snprintf(exported, sizeof exported, "%s/exported.json", folder);
  test_batches(&f);
  test_progress(&f);
  test_refusals(&f);
  groot_context *context = open_store(&f);
  test_exports(context);
  groot_context_free(context);
  char *all = powers(-1);
  CHECK_OK(groot_import_text(f.context, "Power", all, nts, NULL, NULL, &error));
  free(all);
  test_exports(f.context);
  unlink(path);
  unlink(exported);
  rmdir(folder);
  close_fixture(&f);
  return finish("large");
}
