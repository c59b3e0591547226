/*
 * Each function that takes or gives JSON as text does the same as its twin for jansson, and each
 * export gives the same in every way. The calls are generated; here is what they need.
 */
#include "twins.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static groot_error *error;
static const size_t nts = GROOT_NTS;

/* ---- outcomes -------------------------------------------------------------------------------- */

outcome ended(groot_status status, groot_error **ended_error, json_t *result) {
  outcome made = {status, NULL, result, NULL, NULL, 0};
  groot_string said = groot_error_text(*ended_error);
  made.said = calloc(1, said.size + 1);
  if (said.size) memcpy(made.said, said.data, said.size);
  CHECK_EQUAL(groot_error_status(*ended_error), status);
  CHECK(status == GROOT_OK || result == NULL);
  groot_error_free(*ended_error);
  *ended_error = NULL;
  return made;
}

static json_t *string_of(groot_string string) {
  return string.data ? json_stringn_nocheck(string.data, string.size) : json_null();
}

outcome ended_without_places(groot_status status, groot_error **ended_error, json_t *result) {
  json_t *said = json_array();
  groot_issue found = GROOT_ISSUE_INIT;
  for (size_t i = 0; i < groot_error_issue_count(*ended_error); i++) {
    CHECK_EQUAL(groot_error_issue(*ended_error, i, &found), GROOT_OK);
    json_array_append_new(said, json_integer(found.status));
    json_array_append_new(said, json_integer(found.severity));
    json_array_append_new(said, string_of(found.message));
    json_array_append_new(said, string_of(found.path));
    json_array_append_new(said, string_of(found.entity));
    json_array_append_new(said, string_of(found.property));
  }
  outcome made = ended(status, ended_error, result);
  free(made.said);
  made.said = json_dumps(said, JSON_COMPACT);
  json_decref(said);
  return made;
}

/* Two texts are the same, when there are two. */
static int same(const char *first, const char *second) {
  return !first || !second || strcmp(first, second) == 0;
}

void compare(const outcome *first, const outcome *second, const char *call, const char *input) {
  int holds = CHECK_EQUAL(first->status, second->status) & CHECK(same(first->said, second->said));
  holds &= CHECK((first->result == NULL) == (second->result == NULL));
  if (first->result && second->result) holds &= CHECK(json_equal(first->result, second->result));
  if (first->bytes && second->bytes) holds &= CHECK(same(first->bytes, second->bytes));
  if (first->graph && second->graph) holds &= CHECK(same(first->graph, second->graph));
  holds &= CHECK_EQUAL(first->count, second->count);
  if (holds) return;
  fprintf(stderr, "  for %s of %.200s:\n", call, input ? input : "NULL");
  const outcome *both[] = {first, second};
  for (int i = 0; i < 2; i++) {
    fprintf(stderr, "  '%s' ", both[i]->said);
    if (both[i]->result) json_dumpf(both[i]->result, stderr, JSON_COMPACT | JSON_ENCODE_ANY);
    fputc('\n', stderr);
  }
}

void drop(outcome *outcome) {
  free(outcome->said);
  free(outcome->bytes);
  free(outcome->graph);
  json_decref(outcome->result);
}

/* ---- results --------------------------------------------------------------------------------- */

json_t *ids(groot_objects *objects) {
  json_t *list = json_array();
  for (size_t i = 0; i < groot_objects_count(objects); i++)
    json_array_append_new(list, json_integer((json_int_t)groot_objects_at(objects, i)));
  groot_objects_free(objects);
  return list;
}

json_t *described(groot_model *model) {
  groot_buffer buffer = {NULL, 0};
  json_t *document = NULL;
  CHECK_OK(groot_model_document(model, &buffer, &error));
  CHECK_OK(groot_model_document_json(model, &document, &error));
  json_t *other = taken(&buffer);
  CHECK(json_equal(document, other));
  json_decref(other);
  groot_model_free(model);
  return document;
}

json_t *tree_of(const char *text) {
  if (!text) return NULL;
  json_t *tree = json_loads(text, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
  CHECK(tree != NULL);
  return tree;
}

/* ---- calls that change a graph --------------------------------------------------------------- */

const uint32_t reading_flags[] = {GROOT_CHANGES, GROOT_DRY_RUN};

things open_things(void) {
  things made = {open_fixture("types"), {0, 0, 0}};
  groot_objects_free(import(&made.fixture, "Thing", "[{'id': 1}, {'id': 9, 'name': 'old'}]"));
  made.objects[0] = import_one(&made.fixture, "Thing", "[1]");
  made.objects[1] = insert(&made.fixture, "Thing");
  CHECK_OK(groot_object_delete(made.fixture.context, made.objects[1], &error));
  return made;
}

/* Only text has lines and columns. */
static void forget_places(json_t *report) {
  size_t index;
  json_t *issue;
  json_array_foreach(json_object_get(report, "issues"), index, issue) {
    json_object_del(issue, "line");
    json_object_del(issue, "column");
    json_object_del(issue, "offset");
  }
}

void close_things(things *things, outcome *outcome, groot_buffer *report,
                  const groot_counts *counts) {
  groot_context *context = things->fixture.context;
  groot_buffer buffer = {NULL, 0};
  json_t *reported = taken(report), *changes = NULL;
  CHECK((reported != NULL) == (outcome->status == GROOT_OK));
  if (reported) {
    forget_places(reported);
    json_array_append_new(outcome->result, reported);
    json_array_append_new(
        outcome->result,
        json_pack("[IIIIIII]", (json_int_t)counts->inserted, (json_int_t)counts->updated,
                  (json_int_t)counts->unchanged, (json_int_t)counts->deleted,
                  (json_int_t)counts->skipped, (json_int_t)counts->stale,
                  (json_int_t)counts->issues));
  }
  outcome->graph = snapshot(&things->fixture);
  check_graph(&things->fixture);
  CHECK_OK(groot_context_changes(context, &buffer, &error));
  CHECK_OK(groot_context_changes_json(context, &changes, &error));
  json_t *other = taken(&buffer);
  CHECK(json_equal(changes, other));
  json_decref(changes);
  json_decref(other);
  close_fixture(&things->fixture);
}

/* ---- exports --------------------------------------------------------------------------------- */

groot_status collect(void *userdata, const char *data, size_t size) {
  struct sink *sink = userdata;
  sink->pieces = realloc(sink->pieces, sink->size + size + 1);
  memcpy(sink->pieces + sink->size, data, size);
  sink->size += size;
  sink->pieces[sink->size] = '\0';
  return GROOT_OK;
}

static char *file_text(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  char *data = calloc(1, 1 << 16);
  CHECK(fread(data, 1, (1 << 16) - 1, file) < (1 << 16) - 1);
  fclose(file);
  CHECK_EQUAL(unlink(path), 0);
  return data;
}

outcome sunk(groot_status status, groot_error **sink_error, struct sink *sink, const char *path) {
  char *bytes = sink->text.data ? strdup(sink->text.data) : file_text(path);
  json_t *result = sink->tree;
  groot_buffer_free(&sink->text);
  /* Pieces may have come before a failure. */
  if (sink->pieces && status == GROOT_OK) bytes = sink->pieces;
  else free(sink->pieces);
  if (bytes) result = json_loads(bytes, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
  CHECK((result != NULL) == (status == GROOT_OK));
  outcome made = ended(status, sink_error, result);
  made.bytes = bytes;
  made.count = sink->count;
  return made;
}

/* ---- the scene ------------------------------------------------------------------------------- */

static char folder[] = "/tmp/groot-twins-XXXXXX", store_path[64];

static fixture open_odd(void) {
  fixture odd = open_document(
      "{'entities': {'A': {'userInfo': {'identityAtributes': 'a'}, 'attributes': {'a': {'type':"
      " 'string', 'optional': true, 'userInfo': {'JSONKeyPth': 'a'}}}}}}",
      NULL);
  groot_buffer buffer = {NULL, 0};
  CHECK_OK(groot_mapping_warnings(odd.mapping, &buffer, &error));
  json_t *warnings = taken(&buffer);
  CHECK(json_array_size(warnings) > 0);
  json_decref(warnings);
  return odd;
}

/* Two contexts of one store, of which the first resolved a conflict. */
static void open_stores(fixture *f, groot_context *stores[2]) {
  groot_store_options options = GROOT_STORE_OPTIONS_INIT;
  options.conflicts = GROOT_CONFLICTS_MINE;
  groot_context_free(f->context);
  CHECK_OK(groot_context_open(f->mapping, store_path, &options, &f->context, &error));
  import_one(f, "Power", "{'id': '1', 'name': 'Flight'}");
  CHECK_OK(groot_context_save(f->context, &error));
  fixture other = *f;
  CHECK_OK(groot_context_open(f->mapping, store_path, &options, &other.context, &error));
  import_one(&other, "Power", "{'id': '1', 'name': 'theirs'}");
  import_one(f, "Power", "{'id': '1', 'name': 'mine'}");
  CHECK_OK(groot_context_save(other.context, &error));
  CHECK_OK(groot_context_save(f->context, &error));
  json_t *conflicts = NULL;
  CHECK_OK(groot_context_conflicts_json(f->context, &conflicts, &error));
  CHECK_EQUAL(json_array_size(conflicts), 1);
  groot_json_free(conflicts);
  import_one(f, "Power", "{'id': '1', 'name': 'changed'}");
  stores[0] = f->context;
  stores[1] = other.context;
}

static fixture open_rooted(void) {
  fixture rooted = open_fixture("types");
  groot_mapping_options options = GROOT_MAPPING_OPTIONS_INIT;
  options.roots = "{\"/things\": \"Thing\"}";
  options.roots_length = nts;
  groot_context_free(rooted.context);
  groot_mapping_free(rooted.mapping);
  CHECK_OK(groot_mapping_create(rooted.model, rooted.registry, &options, &rooted.mapping, &error));
  CHECK_OK(groot_context_create(rooted.mapping, &rooted.context, &error));
  return rooted;
}

static void set_options(groot_export_options *options, size_t count) {
  for (size_t i = 0; i < count; i++) groot_export_options_init(&options[i], sizeof options[i]);
  static const char some[] = "[\"id\", \"parts\", \"price\"]";
  options[1].flags = options[2].flags = GROOT_EXPORT_DEPTH;
  options[2].properties = options[3].properties = some;
  options[4].properties = "[\"nothing\"]";
  options[5].relationships = GROOT_RELATIONSHIPS_NESTED;
  options[6].nulls = GROOT_NULLS_OMIT;
  options[7].form = GROOT_FORM_KEYED;
  options[8].relationships = GROOT_RELATIONSHIPS_NONE;
  options[8].exclude = "[\"name\"]";
  options[9].relationships = 1000;
}

/* A decimal that a double rounds is not the same in the sinks: these things have none. */
static const char exact[] =
    "[{'id': 1, 'name': 'a', 'price': 12.5, 'parts': [{'id': 2, 'price': 0.1}, {'id': 3}]}]";

/* Broken text has no twin, and its error has the place of the fault. */
static void test_no_json(fixture *f) {
  groot_objects *objects = NULL;
  groot_buffer buffer = {NULL, 0};
  size_t count = 0;
  static const char broken[] = "{\"where\":\n {\"id\": }}";
  CHECK_FAILS(groot_context_fetch(f->context, "Thing", broken, &objects, &error),
              GROOT_INVALID_JSON);
  CHECK_EQUAL(issue.line, 2);
  CHECK(strstr(issue.message, "request") != NULL);
  CHECK_FAILS(groot_context_count(f->context, "Thing", broken, &count, &error), GROOT_INVALID_JSON);
  CHECK_FAILS(groot_context_distinct(f->context, "Thing", "id", "", &buffer, &error),
              GROOT_INVALID_JSON);
  CHECK_FAILS(groot_context_aggregate(f->context, "Thing", "{'", &buffer, &error),
              GROOT_INVALID_JSON);
  CHECK(groot_context_fetch(f->context, "Thing", "{\"\xff\": 1}", &objects, NULL) != GROOT_OK);
  CHECK(objects == NULL && buffer.data == NULL && count == 0);
}

/* The numbers of objects that exports of one object, of three and of a fetch write. */
static void test_counts(scene *s) {
  groot_context *context = s->exported.fixture.context;
  groot_export_options options = GROOT_EXPORT_OPTIONS_INIT;
  size_t count = 99;
  json_t *tree = NULL;
  options.count = &count;
  CHECK_OK(groot_export_object_json(context, s->exported.objects[0], &options, &tree, &error));
  CHECK_EQUAL(count, 1);
  json_decref(tree);
  CHECK_OK(groot_export_objects_json(context, s->lists[0].data, 3, &options, &tree, &error));
  CHECK_EQUAL(count, 3);
  json_decref(tree);
  CHECK_OK(groot_export_fetch_json(context, "Thing", "{\"limit\": 2}", &options, &tree, &error));
  CHECK_EQUAL(count, 2);
  json_decref(tree);
}

int main(void) {
  if (!CHECK(mkdtemp(folder) != NULL)) return finish("twins");
  snprintf(store_path, sizeof store_path, "%s/store.sqlite", folder);
  fixture comics = open_fixture("comics"), odd = open_odd(), rooted = open_rooted();
  fixture empty = open_fixture("types");
  scene s;
  memset(&s, 0, sizeof s);
  s.things = (things){open_fixture("types"), {0, 0, 0}};
  groot_objects_free(import(&s.things.fixture, "Thing", things_text));
  s.exported = open_things();
  groot_objects_free(import(&s.exported.fixture, "Thing", exact));
  groot_objects_free(import(&rooted, "Thing", exact));
  open_stores(&comics, s.stores);
  s.models[0] = comics.model, s.models[1] = odd.model;
  s.mappings[0] = comics.mapping, s.mappings[1] = odd.mapping;
  s.contexts[0] = s.things.fixture.context, s.contexts[1] = comics.context;
  s.contexts[2] = empty.context;
  s.documents[0] = rooted.context, s.documents[1] = empty.context;
  groot_objects *three = NULL;
  CHECK_OK(groot_context_fetch(s.exported.fixture.context, "Thing",
                               text("{'where': {'id': {'<': 4}}}"), &three, &error));
  CHECK_EQUAL(groot_objects_count(three), 3);
  s.lists[0].data = groot_objects_data(three), s.lists[0].size = 3;
  const groot_object_id *objects = s.exported.objects;
  s.lists[1].data = objects, s.lists[1].size = 1;
  s.lists[2].data = objects, s.lists[2].size = 2; /* the second was deleted */
  s.lists[3].data = objects + 2, s.lists[3].size = 1;
  set_options(s.options, COUNT(s.options));
  snprintf(s.path, sizeof s.path, "%s/out.json", folder);
  compare_all(&s);
  test_no_json(&s.things.fixture);
  test_counts(&s);
  groot_objects_free(three);
  groot_context_free(s.stores[1]);
  close_fixture(&s.things.fixture);
  close_fixture(&s.exported.fixture);
  close_fixture(&comics);
  close_fixture(&odd);
  close_fixture(&rooted);
  close_fixture(&empty);
  unlink(store_path);
  CHECK_EQUAL(rmdir(folder), 0);
  return finish("twins");
}
