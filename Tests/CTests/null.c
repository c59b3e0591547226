/*
 * NULL, and other things that no function takes: a status each time, never a crash. The calls of
 * each function with NULL for each argument are generated; here are those that need more.
 */
#include "null.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static groot_error *error;

#define REFUSES(call) CHECK_FAILS(call, GROOT_INVALID_ARGUMENT)

static const size_t nts = GROOT_NTS;

/* ---- the scene ------------------------------------------------------------------------------- */

groot_object_id doomed(scene *s) { return insert(&s->fixture, "Character"); }

const char *registered(scene *s) {
  CHECK_OK(groot_registry_set_builtin(s->fixture.registry, "extra", "integer-text", &error));
  return "extra";
}

groot_stream *begun(scene *s, const char *text) {
  groot_stream *stream = NULL;
  CHECK_OK(groot_stream_begin(s->fixture.context, "Power", NULL, &stream, &error));
  CHECK_OK(groot_stream_write(stream, text, strlen(text), &error));
  return stream;
}

groot_status pass_on(void *userdata, const char *value, size_t size, groot_call *call) {
  (void)userdata;
  return groot_call_set_result(call, value, size);
}

groot_status pass_on_json(void *userdata, json_t *value, json_t **result, groot_call *call) {
  (void)userdata, (void)call;
  *result = json_incref(value);
  return GROOT_OK;
}

groot_status go_on(void *userdata, const groot_progress *progress) {
  (void)userdata, (void)progress;
  return GROOT_OK;
}

groot_status swallow(void *userdata, const char *data, size_t size) {
  (void)userdata, (void)data, (void)size;
  return GROOT_OK;
}

void forget(void *userdata) { (void)userdata; }

static char folder[] = "/tmp/groot-null-XXXXXX";

/* The graph is saved, so that neither a rollback nor a refresh takes objects away. */
static scene set_scene(void) {
  scene s = {open_fixture("comics"), open_fixture("types"), 0, 0, 0, 0, {0}, NULL, NULL, NULL,
             NULL, NULL, NULL, NULL, "", "", "", "", ""};
  groot_mapping_options options = GROOT_MAPPING_OPTIONS_INIT;
  options.roots = "{\"/things\": \"Thing\"}";
  options.roots_length = nts;
  groot_context_free(s.rooted.context);
  groot_mapping_free(s.rooted.mapping);
  CHECK_OK(groot_mapping_create(s.rooted.model, s.rooted.registry, &options, &s.rooted.mapping,
                                &error));
  CHECK_OK(groot_context_create(s.rooted.mapping, &s.rooted.context, &error));
  s.character = import_one(&s.fixture, "Character",
                           "{'id': '1', 'name': 'Batman', 'powers': [{'id': '4', 'name': 'x'}]}");
  s.power = import_one(&s.fixture, "Power", "['4']");
  CHECK_OK(groot_context_save(s.fixture.context, &error));
  s.name = property_of(&s.fixture, s.character, "name");
  s.powers = property_of(&s.fixture, s.character, "powers");
  s.value.kind = GROOT_VALUE_STRING;
  s.value.as.text = (groot_string){"Robin", 5};
  groot_model *none = NULL;
  CHECK_EQUAL(groot_model_create("[", nts, &none, &s.failure), GROOT_INVALID_JSON);
  s.document = load_model("comics");
  s.array = json_array();
  s.object = json_object();
  snprintf(s.imported, sizeof s.imported, "%s/in.json", folder);
  snprintf(s.exported, sizeof s.exported, "%s/out.json", folder);
  snprintf(s.store, sizeof s.store, "%s/store", folder);
  snprintf(s.first, sizeof s.first, "%s/first", folder);
  snprintf(s.second, sizeof s.second, "%s/second", folder);
  CHECK_OK(groot_context_open(s.fixture.mapping, s.first, NULL, &s.source, &error));
  CHECK_OK(groot_context_open(s.fixture.mapping, s.second, NULL, &s.target, &error));
  CHECK_EQUAL(json_dump_file(s.array, s.imported, 0), 0);
  return s;
}

static void clear_scene(scene *s) {
  check_graph(&s->fixture);
  close_fixture(&s->fixture);
  close_fixture(&s->rooted);
  groot_context_free(s->source);
  groot_context_free(s->target);
  groot_error_free(s->failure);
  json_decref(s->document);
  json_decref(s->array);
  json_decref(s->object);
  unlink(s->imported);
  unlink(s->exported);
  unlink(s->store);
  unlink(s->first);
  unlink(s->second);
  CHECK_EQUAL(rmdir(folder), 0);
}

/* ---- calls with NULL in a callback ----------------------------------------------------------- */

static int callbacks;

static groot_status call_with_null(void *userdata, const char *value, size_t size,
                                   groot_call *call) {
  scene *s = userdata;
  s->call = call;
  null_arguments_in_call(s);
  s->call = NULL;
  callbacks++;
  return groot_call_set_result(call, value, size);
}

static void test_in_callback(scene *s) {
  groot_registry *registry = NULL;
  CHECK_OK(groot_registry_create(&registry, &error));
  CHECK_OK(groot_registry_set_transformer(registry, "T", call_with_null, NULL, s, NULL, &error));
  fixture f = open_document(
      "{'entities': {'A': {'attributes': {'a': {'type': 'string', 'userInfo':"
      " {'JSONKeyPath': 'a', 'JSONTransformerName': 'T'}}}}}}",
      registry);
  groot_object_id object = import_one(&f, "A", "{'a': 'kept'}");
  CHECK_TEXT(text_of(&f, object, "a"), "kept");
  CHECK_EQUAL(callbacks, 1);
  close_fixture(&f);
}

static int destroyed;

static void destroy(void *exception) {
  (void)exception;
  destroyed++;
}

/* An exception that is left in no call is given back at once. */
static void test_no_call(void) {
  groot_call_set_message(NULL, "why", nts);
  groot_call_set_exception(NULL, &destroyed, destroy);
  CHECK_EQUAL(destroyed, 1);
}

/* ---- other things that no function takes ----------------------------------------------------- */

/* A report is none after each failure, also where there is no context. */
static void test_reports(void) {
  groot_buffer report = {(char *)&report, 7};
  groot_import_options import = GROOT_IMPORT_OPTIONS_INIT;
  groot_sync_options sync = GROOT_SYNC_OPTIONS_INIT;
  import.report = sync.report = &report;
  groot_stream *stream = NULL;
#define LEAVES_NONE(call)                                     \
  report = (groot_buffer){(char *)&report, 7};                \
  CHECK_EQUAL((call), GROOT_INVALID_ARGUMENT);                \
  CHECK(report.data == NULL && report.size == 0)
  LEAVES_NONE(groot_import_text(NULL, "Thing", "[]", nts, &import, NULL, NULL));
  LEAVES_NONE(groot_import_file(NULL, "Thing", "x", &import, NULL, NULL));
  LEAVES_NONE(groot_sync_text(NULL, "Thing", "[]", nts, &sync, NULL, NULL));
  LEAVES_NONE(groot_object_fill_text(NULL, 1, "{}", nts, &import, NULL));
  LEAVES_NONE(groot_stream_begin(NULL, "Thing", &import, &stream, NULL));
}

static void test_empty(scene *s) {
  groot_buffer buffer = {NULL, 0};
  groot_column column = GROOT_COLUMN_INIT;
  groot_issue filled = GROOT_ISSUE_INIT;
  groot_buffer_free(&buffer);
  CHECK(buffer.data == NULL && buffer.size == 0);
  groot_column_free(&column);
  CHECK(column.values == NULL && column.owner == NULL);
  CHECK_EQUAL(groot_error_issue(s->failure, 1000, &filled), GROOT_INVALID_ARGUMENT);
  CHECK_FAILS(groot_registry_remove(s->fixture.registry, "A", &error), GROOT_UNKNOWN_TRANSFORMER);
  CHECK_OK(groot_registry_builtins(&buffer, NULL));
  CHECK(buffer.data && strstr(buffer.data, "\"integer-text\":\"") != NULL);
  groot_buffer_free(&buffer);
  CHECK_FAILS(groot_object_fill_text(s->fixture.context, 0, "{}", nts, NULL, &error),
              GROOT_UNKNOWN_OBJECT);
  CHECK_FAILS(groot_object_fill_json(s->fixture.context, 0, s->object, NULL, &error),
              GROOT_UNKNOWN_OBJECT);
}

static void test_values(scene *s) {
  groot_context *c = s->fixture.context;
  groot_value value = {GROOT_VALUE_STRING, 0, {0}};
  value.as.text = (groot_string){NULL, 3};
  REFUSES(groot_object_set(c, s->character, s->name, &value, &error));
  value.kind = 1000;
  REFUSES(groot_object_set(c, s->character, s->name, &value, &error));
  value.kind = -1;
  REFUSES(groot_object_set(c, s->character, s->name, &value, &error));
  CHECK_OK(groot_object_set_members(c, s->character, s->powers, &s->power, 1, &error));
  CHECK_EQUAL(members_of(&s->fixture, s->character, "powers"), 1);
  CHECK_OK(groot_object_set_members(c, s->character, s->powers, NULL, 0, &error));
  CHECK_EQUAL(members_of(&s->fixture, s->character, "powers"), 0);
}

/* A refused piece does not end an import. */
static void test_pieces(scene *s) {
  groot_stream *stream = begun(s, "");
  REFUSES(groot_stream_write(stream, NULL, 3, &error));
  CHECK_OK(groot_stream_write(stream, NULL, 0, &error));
  CHECK_OK(groot_stream_write(stream, "[]", 2, &error));
  CHECK_OK(groot_stream_finish(stream, NULL, &error));
}

static void test_exports(scene *s) {
  groot_buffer buffer = {NULL, 7};
  /* The mapping has no roots. */
  REFUSES(groot_export_document_text(s->fixture.context, NULL, &buffer, &error));
  CHECK(buffer.data == NULL && buffer.size == 0);
  /* Nothing at NULL is an empty list. */
  CHECK_OK(groot_export_objects_text(s->fixture.context, NULL, 0, NULL, &buffer, &error));
  groot_string exported = {buffer.data, buffer.size};
  CHECK_TEXT(exported, "[]");
  groot_buffer_free(&buffer);
  CHECK(buffer.data == NULL && buffer.size == 0);
}

/* Out-pointers are cleared on failure, whatever was in them. */
static void test_results_are_cleared(fixture *f) {
  groot_objects *objects = (groot_objects *)&objects;
  groot_model *model = (groot_model *)&model;
  groot_mapping *mapping = (groot_mapping *)&mapping;
  groot_property property = 99;
  json_t *exported = (json_t *)&exported;
  CHECK_FAILS(groot_import_text(f->context, "Nobody", "[]", nts, NULL, &objects, &error),
              GROOT_UNKNOWN_ENTITY);
  CHECK(objects == NULL);
  CHECK_FAILS(groot_model_create("{", nts, &model, &error), GROOT_INVALID_JSON);
  CHECK(model == NULL);
  CHECK_FAILS(groot_mapping_create(f->model, NULL, NULL, &mapping, &error),
              GROOT_UNKNOWN_TRANSFORMER);
  CHECK(mapping == NULL);
  CHECK_FAILS(groot_context_property(f->context, "Nobody", "x", &property, &error),
              GROOT_UNKNOWN_ENTITY);
  CHECK_EQUAL(property, -1); /* 0 is a property */
  CHECK_FAILS(groot_export_object_json(f->context, 0, NULL, &exported, &error),
              GROOT_UNKNOWN_OBJECT);
  CHECK(exported == NULL);
}

int main(void) {
  if (!CHECK(mkdtemp(folder) != NULL)) return finish("null");
  scene s = set_scene();
  null_arguments(&s);
  test_in_callback(&s);
  test_no_call();
  test_reports();
  test_empty(&s);
  test_values(&s);
  test_pieces(&s);
  test_exports(&s);
  test_results_are_cleared(&s.fixture);
  clear_scene(&s);
  return finish("null");
}
