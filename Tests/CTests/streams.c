/* Imports in pieces, below a root path and of lines; exports as lines. */
#include "support.h"

#include <string.h>

static groot_error *error;
static const size_t nts = GROOT_NTS;

static const char heroes[] =
    "[{\"id\":\"1\",\"name\":\"J\xC3\xB6rn\",\"powers\":[{\"id\":\"4\",\"name\":\"Flight\"}]},"
    " {\"id\":\"2\",\"name\":\"A \\\"B\\\"\"}, {\"id\":\"1\"}]";

/* Every size of pieces gives the same graph and the same objects. */
static void test_any_size(void) {
  for (size_t size = 1; size <= sizeof heroes; size += size < 20 ? 1 : 17) {
    fixture f = open_fixture("comics");
    groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
    groot_buffer buffer = {NULL, 0};
    groot_stream *stream = NULL;
    groot_objects *objects = NULL;
    options.report = &buffer;
    CHECK_OK(groot_stream_begin(f.context, "Character", &options, &stream, &error));
    for (size_t at = 0; at < sizeof heroes - 1; at += size) {
      size_t rest = sizeof heroes - 1 - at;
      CHECK_OK(groot_stream_write(stream, heroes + at, rest < size ? rest : size, &error));
    }
    CHECK(buffer.data == NULL);
    CHECK_OK(groot_stream_finish(stream, &objects, &error));
    CHECK_EQUAL(groot_objects_count(objects), 3);
    CHECK_EQUAL(groot_objects_at(objects, 0), groot_objects_at(objects, 2));
    CHECK_TEXT(text_of(&f, groot_objects_at(objects, 0), "name"), "J\xC3\xB6rn");
    json_t *report = taken(&buffer);
    CHECK_EQUAL(json_integer_value(json_object_get(report, "inserted")), 3);
    check_graph(&f);
    json_decref(report);
    groot_objects_free(objects);
    close_fixture(&f);
  }
}

static void test_busy_and_cancel(void) {
  fixture f = open_fixture("comics");
  groot_stream *stream = NULL, *other = NULL;
  size_t count = 0;
  CHECK_OK(groot_stream_begin(f.context, "Character", NULL, &stream, &error));
  CHECK_FAILS(groot_stream_begin(f.context, "Character", NULL, &other, &error), GROOT_BUSY);
  CHECK_OK(groot_stream_write(stream, heroes, 100, &error));
  CHECK_FAILS(groot_context_count(f.context, "Character", NULL, &count, &error), GROOT_BUSY);
  CHECK_FAILS(groot_context_save(f.context, &error), GROOT_BUSY);
  groot_stream_cancel(stream);
  CHECK_EQUAL(count_of(&f, "Character"), 0);

  CHECK_FAILS(groot_stream_begin(f.context, "Nobody", NULL, &stream, &error), GROOT_UNKNOWN_ENTITY);
  CHECK(stream == NULL);
  CHECK_EQUAL(count_of(&f, "Character"), 0);

  /* A context that was freed lives as long as its import. */
  CHECK_OK(groot_stream_begin(f.context, "Character", NULL, &stream, &error));
  close_fixture(&f);
  CHECK_OK(groot_stream_write(stream, heroes, sizeof heroes - 1, &error));
  CHECK_OK(groot_stream_finish(stream, NULL, &error));
}

static void test_errors(void) {
  fixture f = open_fixture("comics");
  groot_stream *stream = NULL;
  groot_objects *objects = NULL;
  const char *wrong = text("[{'id': '1', 'name': 5}, {'id': '2'}]");

  /* A record that is wrong is told at the end. */
  CHECK_OK(groot_stream_begin(f.context, "Character", NULL, &stream, &error));
  CHECK_OK(groot_stream_write(stream, wrong, strlen(wrong), &error));
  CHECK_FAILS(groot_stream_finish(stream, &objects, &error), GROOT_WRONG_TYPE);
  CHECK_PLACE("$[0].name", "Character", "name");
  CHECK_EQUAL(issue.column, 22);
  CHECK(objects == NULL);

  /* Invalid JSON is reported when it is seen, and again at the end. */
  CHECK_OK(groot_stream_begin(f.context, "Character", NULL, &stream, &error));
  CHECK_OK(groot_stream_write(stream, wrong, 20, &error));
  CHECK_FAILS(groot_stream_write(stream, "]]]                     ", 24, &error),
              GROOT_INVALID_JSON);
  CHECK_FAILS(groot_stream_write(stream, "x", 1, &error), GROOT_INVALID_JSON);
  CHECK_FAILS(groot_stream_finish(stream, &objects, &error), GROOT_INVALID_JSON);

  /* A text that is not whole is told at the end. */
  CHECK_OK(groot_stream_begin(f.context, "Character", NULL, &stream, &error));
  CHECK_OK(groot_stream_write(stream, heroes, 30, &error));
  CHECK_FAILS(groot_stream_finish(stream, &objects, &error), GROOT_INVALID_JSON);
  CHECK_EQUAL(count_of(&f, "Character"), 0);
  close_fixture(&f);
}

typedef struct watcher {
  groot_stream *stream;
  int calls;
} watcher;

static groot_status watch(void *userdata, const groot_progress *progress) {
  watcher *watcher = userdata;
  groot_objects *objects = NULL;
  (void)progress;
  watcher->calls++;
  CHECK_EQUAL(groot_stream_write(watcher->stream, "x", 1, NULL), GROOT_BUSY);
  CHECK_EQUAL(groot_stream_finish(watcher->stream, &objects, NULL), GROOT_BUSY);
  return GROOT_OK;
}

static void test_callback_of_its_own(void) {
  fixture f = open_fixture("comics");
  watcher watcher = {NULL, 0};
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  options.progress = watch;
  options.progress_userdata = &watcher;
  CHECK_OK(groot_stream_begin(f.context, "Power", &options, &watcher.stream, &error));
  CHECK_OK(groot_stream_write(watcher.stream, "[", 1, &error));
  for (int i = 0; i < 1500; i++) {
    CHECK_OK(groot_stream_write(watcher.stream, i ? ",{}" : "{}", i ? 3 : 2, &error));
  }
  CHECK_FAILS(groot_stream_finish(watcher.stream, NULL, &error), GROOT_INVALID_JSON);
  close_fixture(&f);
  CHECK(watcher.calls == 0); /* each record without a name is wrong, the first ended the import */

  f = open_fixture("comics");
  CHECK_OK(groot_stream_begin(f.context, "Power", &options, &watcher.stream, &error));
  CHECK_OK(groot_stream_write(watcher.stream, "[{\"id\": \"1\", \"name\": \"a\"}", 25, &error));
  for (int i = 0; i < 1500; i++) {
    CHECK_OK(groot_stream_write(watcher.stream, ",\"1\"", 4, &error));
  }
  CHECK_OK(groot_stream_write(watcher.stream, "]", 1, &error));
  CHECK_OK(groot_stream_finish(watcher.stream, NULL, &error));
  CHECK(watcher.calls > 0);
  close_fixture(&f);
}

typedef struct quitter {
  groot_stream *stream;
  groot_context *context;
  int at; /* the call that gives up */
  int calls;
} quitter;

static groot_status quit(void *userdata, json_t *value, json_t **result, groot_call *call) {
  quitter *quitter = userdata;
  (void)value, (void)result, (void)call;
  if (++quitter->calls == quitter->at) groot_stream_cancel(quitter->stream);
  CHECK_EQUAL(groot_context_save(quitter->context, NULL), GROOT_BUSY);
  return GROOT_OK;
}

/* An import that its own callback gives up ends with the call, and the context is free again. */
static void test_cancel_of_its_own(void) {
  static const char things[] = "[{\"a\": 1}, {\"a\": 2}, {\"a\": 3}]";
  for (int at = 1; at <= 3; at++) {
    for (int whole = 0; whole < 2; whole++) {
      quitter quitter = {NULL, NULL, at, 0};
      groot_registry *registry = NULL;
      CHECK_OK(groot_registry_create(&registry, &error));
      CHECK_OK(
          groot_registry_set_transformer_json(registry, "Q", quit, NULL, &quitter, NULL, &error));
      fixture f = open_document(
          "{'entities': {'Thing': {'attributes': {'a': {'type': 'string', 'optional': true,"
          " 'userInfo': {'JSONKeyPath': 'a', 'JSONTransformerName': 'Q'}}}}}}",
          registry);
      groot_objects *objects = NULL;
      quitter.context = f.context;
      CHECK_OK(groot_stream_begin(f.context, "Thing", NULL, &quitter.stream, &error));
      if (whole) {
        /* Read now or at the end. */
        groot_status status = groot_stream_write(quitter.stream, things, sizeof things - 1, &error);
        CHECK(status == GROOT_OK || status == GROOT_CANCELLED);
        groot_error_free(error);
      } else {
        groot_status status = GROOT_OK;
        for (size_t i = 0; i < 30 && !status; i++) {
          status = groot_stream_write(quitter.stream, i ? ",{\"a\": 1}" : "[{\"a\": 1}", 9, &error);
        }
        CHECK_FAILS(status, GROOT_CANCELLED);
        CHECK_OK(groot_context_save(f.context, &error));
        CHECK_FAILS(groot_stream_write(quitter.stream, "]", 1, &error), GROOT_CANCELLED);
      }
      CHECK_FAILS(groot_stream_finish(quitter.stream, &objects, &error), GROOT_CANCELLED);
      CHECK(objects == NULL);
      CHECK_EQUAL(count_of(&f, "Thing"), 0);
      CHECK_OK(groot_context_save(f.context, &error));
      check_graph(&f);
      close_fixture(&f);
    }
  }
}

static void test_lines_and_roots(void) {
  fixture f = open_fixture("comics");
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  groot_objects *objects = NULL;
  options.flags = GROOT_LINES;
  CHECK_OK(groot_import_text(f.context, "Power",
                             text("{'id': '1', 'name': 'a'}\n\n {'id': '2', 'name': 'b'}\n"), nts,
                             &options, &objects, &error));
  CHECK_EQUAL(groot_objects_count(objects), 2);

  groot_export_options lines = GROOT_EXPORT_OPTIONS_INIT;
  groot_buffer buffer = {NULL, 0};
  lines.flags = GROOT_LINES;
  CHECK_OK(groot_export_objects_text(f.context, groot_objects_data(objects), 2, &lines, &buffer, &error));
  CHECK(strcmp(buffer.data, text("{'id':'1','name':'a'}\n{'id':'2','name':'b'}\n")) == 0);
  groot_buffer_free(&buffer);
  CHECK_OK(groot_export_objects_text(f.context, NULL, 0, &lines, &buffer, &error));
  CHECK_EQUAL(buffer.size, 0);
  groot_buffer_free(&buffer);
  json_t *exported = NULL;
  CHECK_OK(groot_export_objects_json(f.context, groot_objects_data(objects), 2, &lines, &exported, &error));
  CHECK_JSON(exported, "[{'id': '1', 'name': 'a'}, {'id': '2', 'name': 'b'}]");
  groot_objects_free(objects);

  CHECK_FAILS(groot_import_text(f.context, "Power", text("{'id': '3'}\n{'id': }\n"), nts, &options,
                                NULL, &error),
              GROOT_INVALID_JSON);
  CHECK_EQUAL(issue.line, 2);
  options.root_path = "/a";
  CHECK_FAILS(groot_import_text(f.context, "Power", "", nts, &options, NULL, &error),
              GROOT_INVALID_ARGUMENT);

  options.flags = 0;
  options.root_path = "/data/1";
  const char *envelope = text("{'data': [0, [{'id': '5', 'name': 'c'}]], 'x': null}");
  CHECK_OK(groot_import_text(f.context, "Power", envelope, nts, &options, NULL, &error));
  json_t *tree = json("{'data': [0, [{'id': '6', 'name': 'd'}]]}");
  CHECK_OK(groot_import_json(f.context, "Power", tree, &options, NULL, &error));
  CHECK_EQUAL(count_of(&f, "Power"), 4);
  options.root_path = "/data/2";
  CHECK_FAILS(groot_import_json(f.context, "Power", tree, &options, NULL, &error),
              GROOT_MISSING_VALUE);
  CHECK_FAILS(groot_import_text(f.context, "Power", envelope, nts, &options, NULL, &error),
              GROOT_MISSING_VALUE);
  json_decref(tree);
  close_fixture(&f);
}

int main(void) {
  test_any_size();
  test_busy_and_cancel();
  test_errors();
  test_callback_of_its_own();
  test_cancel_of_its_own();
  test_lines_and_roots();
  return finish("streams");
}
