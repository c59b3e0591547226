/* Import and export in every form: text, json_t, file, pieces; options, progress, cancelling. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static groot_error *error;
static const size_t nts = GROOT_NTS;

static char folder[] = "/tmp/groot-test-XXXXXX";

static const char *in_folder(const char *name) {
  static char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void write_file(const char *path, const char *data, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!CHECK(file != NULL)) return;
  CHECK_EQUAL(fwrite(data, 1, size, file), size);
  fclose(file);
}

static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  char *data = calloc(1, 1 << 20);
  size_t size = fread(data, 1, (1 << 20) - 1, file);
  data[size] = '\0';
  fclose(file);
  return data;
}

static const char batman_json[] =
    "{'id': '1699', 'name': 'Batman', 'real_name': 'Bruce Wayne',"
    " 'powers': [{'id': '4', 'name': 'Agility'}, {'id': '9', 'name': 'Insanely Rich'}],"
    " 'publisher': {'id': '10', 'name': 'DC Comics'}}";

/* An array of characters, each with a power and one of seven publishers; free() it. */
static char *many(int count) {
  char *json_text = malloc((size_t)count * 128 + 16);
  size_t size = (size_t)sprintf(json_text, "[");
  for (int i = 1; i <= count; i++) {
    size += (size_t)sprintf(json_text + size,
                            "%s{\"id\":\"%d\",\"name\":\"Hero %d\",\"powers\":[{\"id\":\"%d\","
                            "\"name\":\"Power\"}],\"publisher\":{\"id\":\"%d\",\"name\":\"P\"}}",
                            i > 1 ? "," : "", i, i, i % 50, i % 7);
  }
  sprintf(json_text + size, "]");
  return json_text;
}

/* All ways in give the same graph. */
static void test_ways_in(void) {
  char *expected = NULL;
  char *heroes = many(300);
  json_t *tree = json_loads(heroes, 0, NULL);
  const char *path = in_folder("in.json");
  write_file(path, heroes, strlen(heroes));
  for (int way = 0; way < 3; way++) {
    fixture f = open_fixture("comics");
    groot_objects *objects = NULL;
    groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
    if (way == 1) {
      CHECK_OK(groot_import_json(f.context, "Character", tree, &options, &objects, &error));
    } else if (way == 2) {
      CHECK_OK(groot_import_file(f.context, "Character", path, &options, &objects, &error));
    } else {
      CHECK_OK(groot_import_text(f.context, "Character", heroes, nts, &options, &objects, &error));
    }
    CHECK_EQUAL(groot_objects_count(objects), 300);
    CHECK_EQUAL(count_of(&f, "Power"), 50);
    CHECK_EQUAL(count_of(&f, "Publisher"), 7);
    check_graph(&f);
    char *graph = snapshot(&f);
    if (!expected) {
      expected = graph;
    } else {
      CHECK(strcmp(expected, graph) == 0);
      free(graph);
    }
    groot_objects_free(objects);
    close_fixture(&f);
  }
  json_decref(tree);
  free(expected);
  free(heroes);
}

static groot_status collect(void *userdata, const char *data, size_t size) {
  json_t *pieces = userdata;
  json_array_append_new(pieces, json_stringn_nocheck(data, size));
  return GROOT_OK;
}

static groot_status stop_writing(void *userdata, const char *data, size_t size) {
  (void)userdata, (void)data, (void)size;
  return 4711;
}

/* All ways out give the same JSON. */
static void test_ways_out(void) {
  fixture f = open_fixture("comics");
  char *heroes = many(300);
  groot_objects *objects = NULL;
  CHECK_OK(groot_import_text(f.context, "Character", heroes, nts, NULL, &objects, &error));
  const groot_object_id *data = groot_objects_data(objects);
  const size_t count = groot_objects_count(objects);

  groot_buffer buffer = {NULL, 0};
  CHECK_OK(groot_export_objects_text(f.context, data, count, NULL, &buffer, &error));
  CHECK_EQUAL(strlen(buffer.data), buffer.size);
  json_t *parsed = json_loadb(buffer.data, buffer.size, 0, NULL);
  json_t *tree = NULL;
  CHECK_OK(groot_export_objects_json(f.context, data, count, NULL, &tree, &error));
  CHECK_EQUAL(json_array_size(tree), 300);
  CHECK(json_equal(parsed, tree));
  json_t *source = json_loads(heroes, 0, NULL);
  CHECK_EQUAL(json_array_size(source), 300);
  size_t index;
  json_t *hero;
  /* The source has no real_name: none is written as null. */
  json_array_foreach(source, index, hero) json_object_set_new(hero, "real_name", json_null());
  CHECK(json_equal(source, tree));
  json_decref(source);

  json_t *pieces = json_array();
  CHECK_OK(groot_export_objects_write(f.context, data, count, NULL, collect, pieces, &error));
  size_t offset = 0;
  json_t *piece;
  json_array_foreach(pieces, index, piece) {
    size_t size = json_string_length(piece);
    CHECK(offset + size <= buffer.size &&
          memcmp(buffer.data + offset, json_string_value(piece), size) == 0);
    offset += size;
  }
  CHECK_EQUAL(offset, buffer.size);
  json_decref(pieces);

  const char *path = in_folder("out.json");
  CHECK_OK(groot_export_objects_file(f.context, data, count, NULL, path, &error));
  char *written = read_file(path);
  CHECK(written && strcmp(written, buffer.data) == 0);
  free(written);

  groot_buffer one = {NULL, 0};
  CHECK_OK(groot_export_object_text(f.context, data[0], NULL, &one, &error));
  CHECK_JSON(json_loadb(one.data, one.size, 0, NULL),
             "{'id': '1', 'name': 'Hero 1', 'real_name': null, 'powers': [{'id': '1', 'name':"
             " 'Power'}], 'publisher': {'id': '1', 'name': 'P'}}");
  groot_buffer_free(&one);

  CHECK_FAILS(groot_export_objects_write(f.context, data, count, NULL, stop_writing, NULL, &error), 4711);
  groot_objects *none = import(&f, "Character", "[]");
  CHECK_EQUAL(groot_objects_count(none), 0);
  CHECK(groot_objects_data(none) == NULL);
  groot_objects_free(none);

  /* A sequence outlives its context. */
  close_fixture(&f);
  CHECK_EQUAL(groot_objects_count(objects), 300);
  CHECK(groot_objects_at(objects, 299) != 0);
  groot_objects_free(objects);
  groot_buffer_free(&buffer);
  json_decref(parsed);
  json_decref(tree);
  free(heroes);
}

static void test_export_from_the_other_end(void) {
  fixture f = open_fixture("comics");
  groot_object_id batman = import_one(&f, "Character", batman_json);
  CHECK_JSON(export_of(&f, object_of(&f, batman, "publisher")),
             "{'id': '10', 'name': 'DC Comics'}");
  close_fixture(&f);
}

static void test_files(void) {
  fixture f = open_fixture("comics");
  CHECK_FAILS(groot_import_file(f.context, "Character", in_folder("none"), NULL, NULL, &error),
              GROOT_FILE_ERROR);
  CHECK_FAILS(groot_import_file(f.context, "Character", folder, NULL, NULL, &error),
              GROOT_FILE_ERROR);
  CHECK_FAILS(groot_import_file(f.context, "Character", "", NULL, NULL, &error), GROOT_FILE_ERROR);
  const char *empty = in_folder("empty.json");
  write_file(empty, "", 0);
  CHECK_FAILS(groot_import_file(f.context, "Character", empty, NULL, NULL, &error),
              GROOT_INVALID_JSON);
  const char *cut = in_folder("cut.json");
  const char *lines = text("[\n{'id': '1', 'name': 'A'},\n{'id': '2', 'name': 'B'}\n");
  write_file(cut, lines, strlen(lines));
  CHECK_FAILS(groot_import_file(f.context, "Character", cut, NULL, NULL, &error),
              GROOT_INVALID_JSON);
  CHECK(issue.line >= 3);
  CHECK_EQUAL(count_of(&f, "Character"), 0);

  groot_object_id batman = import_one(&f, "Character", batman_json);
  CHECK_FAILS(groot_export_objects_file(f.context, &batman, 1, NULL, in_folder("no/such/folder"), &error),
              GROOT_FILE_ERROR);
  CHECK_FAILS(groot_export_objects_file(f.context, &batman, 1, NULL, folder, &error), GROOT_FILE_ERROR);

  /* A failed export leaves the file that was there, and nothing beside it. */
  const char *path = in_folder("kept.json");
  write_file(path, "old", 3);
  const groot_object_id bad[] = {batman, 0};
  CHECK_FAILS(groot_export_objects_file(f.context, bad, 2, NULL, path, &error), GROOT_UNKNOWN_OBJECT);
  char *kept = read_file(path);
  CHECK(kept && strcmp(kept, "old") == 0);
  free(kept);
  CHECK_OK(groot_export_objects_file(f.context, &batman, 1, NULL, path, &error));
  kept = read_file(path);
  CHECK(kept && kept[0] == '[');
  free(kept);
  close_fixture(&f);
}

typedef struct watcher {
  uint64_t records, bytes;
  int calls, stop_at;
  int ordered;
} watcher;

static groot_status watch(void *userdata, const groot_progress *progress) {
  watcher *watcher = userdata;
  watcher->calls++;
  if (progress->records < watcher->records || progress->bytes < watcher->bytes)
    watcher->ordered = 0;
  watcher->records = progress->records;
  watcher->bytes = progress->bytes;
  return watcher->calls == watcher->stop_at ? GROOT_CANCELLED : GROOT_OK;
}

static void test_progress(void) {
  char *heroes = many(20000);
  fixture f = open_fixture("comics");
  watcher seen = {0, 0, 0, 0, 1};
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  options.progress = watch;
  options.progress_userdata = &seen;
  import_one(&f, "Character", "{'id': '1', 'name': 'First'}");
  char *before = snapshot(&f);
  groot_objects *objects = NULL;

  seen.stop_at = 2;
  CHECK_FAILS(groot_import_text(f.context, "Character", heroes, nts, &options, &objects, &error),
              GROOT_CANCELLED);
  CHECK_EQUAL(seen.calls, 2);
  CHECK(objects == NULL);
  char *after = snapshot(&f);
  CHECK(strcmp(before, after) == 0);
  check_graph(&f);

  seen = (watcher){0, 0, 0, 0, 1};
  CHECK_OK(groot_import_text(f.context, "Character", heroes, nts, &options, &objects, &error));
  CHECK(seen.calls >= 2);
  CHECK(seen.ordered);
  CHECK(seen.records > 0 && seen.records <= 20000);
  CHECK(seen.bytes > 0 && seen.bytes <= strlen(heroes));
  CHECK_EQUAL(count_of(&f, "Character"), 20000);
  CHECK_TEXT(text_of(&f, groot_objects_at(objects, 0), "name"), "Hero 1");
  check_graph(&f);
  groot_objects_free(objects);
  free(before);
  free(after);
  free(heroes);
  close_fixture(&f);
}

static void test_options(void) {
  fixture f = open_fixture("comics");
  struct {
    groot_import_options known;
    char later[32];
  } longer;
  memset(&longer, 0, sizeof longer);
  longer.known.struct_size = sizeof longer;
  CHECK_OK(groot_import_text(f.context, "Character", "[]", nts, &longer.known, NULL, &error));
  longer.later[5] = 1;
  CHECK_FAILS(groot_import_text(f.context, "Character", "[]", nts, &longer.known, NULL, &error),
              GROOT_UNSUPPORTED);
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  options.struct_size = 0;
  CHECK_FAILS(groot_import_text(f.context, "Character", "[]", nts, &options, NULL, &error),
              GROOT_INVALID_ARGUMENT);
  options.struct_size = sizeof options;
  options.flags = 0x200000u;
  CHECK_FAILS(groot_import_text(f.context, "Character", "[]", nts, &options, NULL, &error),
              GROOT_UNSUPPORTED);
  close_fixture(&f);
}

static void test_results(void) {
  fixture f = open_fixture("comics");
  /* A null has no object; one object may be there several times. */
  groot_objects *objects =
      import(&f, "Power", "[{'id': '4', 'name': 'A'}, null, '4', {'id': '4', 'name': 'B'}]");
  CHECK_EQUAL(groot_objects_count(objects), 3);
  CHECK(groot_objects_at(objects, 0) == groot_objects_at(objects, 1));
  CHECK(groot_objects_at(objects, 0) == groot_objects_at(objects, 2));
  CHECK_TEXT(text_of(&f, groot_objects_at(objects, 0), "name"), "B");
  groot_objects_free(objects);
  /* null clears, in the order of the text. */
  groot_object_id batman = import_one(&f, "Character", batman_json);
  CHECK(import_one(&f, "Character", "{'id': '1699', 'publisher': null, 'powers': null}") == batman);
  CHECK_EQUAL(object_of(&f, batman, "publisher"), 0);
  CHECK_EQUAL(members_of(&f, batman, "powers"), 0);
  check_graph(&f);
  close_fixture(&f);
}

/* Text of many pieces and every escape, in and out again. */
static void test_text_fidelity(void) {
  fixture f = open_fixture("comics");
  const char *const names[] = {
      "plain",
      "\\u0001\\u001f\\u007f\\b\\f\\n\\r\\t\\\"\\\\\\/",
      "\\u00e9\\u4e2d\\ud83d\\ude00",
      "\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80",
      "",
      "<>&'\xe2\x80\xa8\xe2\x80\xa9",
  };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    char document[256];
    snprintf(document, sizeof document, "{\"id\": \"1\", \"name\": \"%s\"}", names[i]);
    groot_objects *objects = NULL;
    CHECK_OK(groot_import_text(f.context, "Character", document, nts, NULL, &objects, &error));
    groot_buffer buffer = {NULL, 0};
    CHECK_OK(
        groot_export_object_text(f.context, groot_objects_at(objects, 0), NULL, &buffer, &error));
    json_t *given = json_loads(document, 0, NULL);
    json_t *back = json_loadb(buffer.data, buffer.size, 0, NULL);
    CHECK(back && json_equal(json_object_get(given, "name"), json_object_get(back, "name")));
    json_decref(given);
    json_decref(back);
    groot_buffer_free(&buffer);
    groot_objects_free(objects);
  }
  close_fixture(&f);
}

/* A document of the roots of a mapping goes out whole and in pieces, and says how many it has. */
static void test_documents(void) {
  fixture f = open_fixture("comics");
  groot_mapping_options described = GROOT_MAPPING_OPTIONS_INIT;
  groot_mapping *mapping = NULL;
  described.roots = text("{'/data/powers': {'entity': 'Power', 'form': 'keyed'}}");
  described.roots_length = nts;
  CHECK_OK(groot_mapping_create(f.model, f.registry, &described, &mapping, &error));
  groot_import_options import = GROOT_IMPORT_OPTIONS_INIT;
  import.mapping = mapping;
  const char *page = "{'data': {'powers': {'4': {'id': '4', 'name': 'a'}, '9': {'id': '9', 'name': 'b'}}}}";
  CHECK_OK(groot_import_text(f.context, NULL, text(page), nts, &import, NULL, &error));

  groot_export_options options = GROOT_EXPORT_OPTIONS_INIT;
  size_t count = 0;
  groot_buffer buffer = {NULL, 0};
  json_t *json = NULL;
  options.mapping = mapping;
  options.count = &count;
  options.nulls = GROOT_NULLS_OMIT;
  CHECK_OK(groot_export_document_text(f.context, &options, &buffer, &error));
  CHECK_EQUAL(count, 2);
  CHECK_JSON(taken(&buffer), page);
  count = 0;
  CHECK_OK(groot_export_document_json(f.context, &options, &json, &error));
  CHECK_EQUAL(count, 2);
  CHECK_JSON(json, page);
  count = 0;
  const char *path = in_folder("out.json");
  CHECK_OK(groot_export_document_file(f.context, &options, path, &error));
  CHECK_EQUAL(count, 2);
  CHECK_JSON(json_load_file(path, 0, NULL), page);
  json_t *pieces = json_array();
  count = 0;
  CHECK_OK(groot_export_document_write(f.context, &options, collect, pieces, &error));
  CHECK_EQUAL(count, 2);
  CHECK_EQUAL(json_array_size(pieces), 1); /* there is no more than a piece has room for */
  CHECK_JSON(json_loads(json_string_value(json_array_get(pieces, 0)), 0, NULL), page);
  CHECK_FAILS(groot_export_document_write(f.context, &options, stop_writing, NULL, &error), 4711);
  CHECK_EQUAL(count, 0);
  options.mapping = NULL;
  CHECK_FAILS(groot_export_document_text(f.context, &options, &buffer, &error),
              GROOT_INVALID_ARGUMENT);
  CHECK(strstr(issue.message, "roots") != NULL);
  json_decref(pieces);
  groot_mapping_free(mapping);
  close_fixture(&f);
}

int main(void) {
  if (!mkdtemp(folder)) return 1;
  test_ways_in();
  test_ways_out();
  test_export_from_the_other_end();
  test_files();
  test_progress();
  test_options();
  test_results();
  test_text_fidelity();
  test_documents();
  const char *const made[] = {"in.json", "out.json", "empty.json", "cut.json", "kept.json"};
  for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) unlink(in_folder(made[i]));
  CHECK_EQUAL(rmdir(folder), 0); /* nothing else was left there */
  return finish("transfer");
}
