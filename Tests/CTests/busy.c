/* A callback that uses the context that is calling it is told so; the call itself goes on. */
#include "support.h"

#include <groot_ffi.h>

#include <string.h>

static const size_t nts = GROOT_NTS;

typedef struct intruder {
  groot_context *own;   /* the context that is calling */
  groot_context *other; /* another one of the same mapping */
  groot_object_id object;
  groot_property property;
  int calls;
} intruder;

#define CHECK_BUSY(call) check_equal((call), GROOT_BUSY, #call, __FILE__, __LINE__)

static void try_everything(intruder *intruder) {
  groot_context *c = intruder->own;
  groot_object_id object = intruder->object, made = 0;
  groot_property property = intruder->property;
  groot_objects *objects = NULL;
  groot_buffer buffer = {NULL, 0};
  groot_value value = {GROOT_VALUE_NULL, 0, {0}};
  json_t *json = NULL;
  size_t count = 0;
  CHECK_BUSY(groot_import_text(c, "Thing", "[]", nts, NULL, &objects, NULL));
  CHECK_BUSY(groot_context_fetch(c, "Thing", NULL, &objects, NULL));
  CHECK_BUSY(groot_context_count(c, "Thing", NULL, &count, NULL));
  CHECK_BUSY(groot_context_fetch_json(c, "Thing", NULL, &objects, NULL));
  CHECK_BUSY(groot_context_count_json(c, "Thing", NULL, &count, NULL));
  CHECK_BUSY(groot_context_distinct(c, "Thing", "name", NULL, &buffer, NULL));
  CHECK_BUSY(groot_context_aggregate(c, "Thing", "{}", &buffer, NULL));
  CHECK_BUSY(groot_context_distinct_json(c, "Thing", "name", NULL, &json, NULL));
  CHECK_BUSY(groot_context_aggregate_json(c, "Thing", NULL, &json, NULL));
  CHECK_BUSY(groot_context_save(c, NULL));
  CHECK_BUSY(groot_context_rollback(c, NULL));
  CHECK_BUSY(groot_context_refresh(c, NULL));
  CHECK_BUSY(groot_context_changes(c, &buffer, NULL));
  CHECK_BUSY(groot_context_changes_json(c, &json, NULL));
  CHECK_BUSY(groot_context_check(c, NULL));
  uint64_t bytes = 1;
  CHECK_BUSY(groot_context_set_memory_limit(c, 1, NULL));
  CHECK_BUSY(groot_context_memory(c, &bytes, NULL));
  CHECK_EQUAL(bytes, 0);
  CHECK_BUSY(groot_object_insert(c, "Thing", &made, NULL));
  CHECK_BUSY(groot_object_delete(c, object, NULL));
  CHECK_BUSY(groot_object_get(c, object, property, &value, NULL));
  CHECK_EQUAL(groot_object_kind(c, (uint32_t)object, (uint32_t)(object >> 32), property), -1);
  CHECK_BUSY(groot_object_set(c, object, property, &value, NULL));
  CHECK_BUSY(groot_object_set(c, 12345, property, &value, NULL));
  CHECK_BUSY(groot_sync_text(c, "Thing", "[]", nts, NULL, &objects, NULL));
  groot_stream *stream = NULL;
  CHECK_BUSY(groot_stream_begin(c, "Thing", NULL, &stream, NULL));
  CHECK(stream == NULL);
  CHECK_BUSY(groot_export_object_text(c, object, NULL, &buffer, NULL));
  CHECK_BUSY(groot_export_object_json(c, object, NULL, &json, NULL));
  CHECK_BUSY(groot_export_objects_text(c, &object, 1, NULL, &buffer, NULL));
  CHECK_BUSY(groot_export_objects_json(c, &object, 1, NULL, &json, NULL));
  CHECK_BUSY(groot_export_fetch_file(c, "Thing", NULL, NULL, "x", NULL));
  CHECK_BUSY(groot_export_document_text(c, NULL, &buffer, NULL));
  CHECK_BUSY(groot_export_document_json(c, NULL, &json, NULL));
  groot_column column = GROOT_COLUMN_INIT;
  CHECK_BUSY(groot_context_column(c, "Thing", "value", &object, 1, &column, NULL));
  int64_t key = 0;
  CHECK_BUSY(groot_context_row_keys(c, &object, 1, &key, NULL));
  CHECK(objects == NULL && json == NULL && buffer.data == NULL && made == 0);

  if (intruder->other) {
    groot_error *error = NULL;
    CHECK_OK(
        groot_import_text(intruder->other, "Thing", "{\"name\": null}", nts, NULL, NULL, &error));
  }
}

static groot_status intrude(void *userdata, json_t *value, json_t **result, groot_call *call) {
  (void)call;
  intruder *self = userdata;
  self->calls++;
  try_everything(self);
  *result = json_incref(value);
  return GROOT_OK;
}

/* Hands on the status that it was refused with; for the caller it is one failure of a callback. */
static groot_status intrude_and_fail(void *userdata, json_t *value, json_t **result,
                                     groot_call *call) {
  (void)value, (void)result, (void)call;
  intruder *self = userdata;
  return groot_context_save(self->own, NULL);
}

static groot_status intrude_in_progress(void *userdata, const groot_progress *progress) {
  (void)progress;
  intruder *self = userdata;
  self->calls++;
  try_everything(self);
  return GROOT_OK;
}

static groot_status intrude_in_write(void *userdata, const char *data, size_t size) {
  (void)data, (void)size;
  intruder *self = userdata;
  self->calls++;
  try_everything(self);
  return GROOT_OK;
}

int main(void) {
  groot_error *error = NULL;
  groot_registry *registry = NULL;
  intruder intruder = {NULL, NULL, 0, 0, 0};
  CHECK_OK(groot_registry_create(&registry, &error));
  CHECK_OK(groot_registry_set_transformer_json(registry, "T", intrude, intrude, &intruder, NULL,
                                               &error));
  CHECK_OK(groot_registry_set_transformer_json(registry, "F", intrude_and_fail, NULL, &intruder,
                                               NULL, &error));
  CHECK_OK(groot_registry_set_dictionary_transformer_json(registry, "D", intrude, &intruder, NULL,
                                                          &error));
  fixture f = open_document(
      "{'entities': {"
      "'Thing': {'attributes': {'name': {'type': 'string', 'optional': true,"
      " 'userInfo': {'JSONKeyPath': 'name', 'JSONTransformerName': 'T'}}}},"
      "'Failing': {'attributes': {'name': {'type': 'string', 'optional': true,"
      " 'userInfo': {'JSONKeyPath': 'name', 'JSONTransformerName': 'F'}}}},"
      "'Named': {'userInfo': {'identityAttributes': 'id'}, 'attributes': {"
      "'id': {'type': 'integer64', 'userInfo': {'JSONKeyPath': 'id'}},"
      "'name': {'type': 'string', 'optional': true,"
      " 'userInfo': {'JSONKeyPath': 'name', 'JSONTransformerName': 'T'}}}},"
      "'Upgraded': {'userInfo': {'JSONDictionaryTransformerName': 'D'}}}}",
      registry);
  intruder.own = f.context;
  CHECK_OK(groot_context_create(f.mapping, &intruder.other, &error));

  intruder.object = import_one(&f, "Thing", "{}");
  intruder.property = property_of(&f, intruder.object, "name");
  CHECK_EQUAL(intruder.calls, 0);

  groot_object_id thing = import_one(&f, "Thing", "{'name': 'in'}");
  CHECK_EQUAL(intruder.calls, 1);
  CHECK_TEXT(text_of(&f, thing, "name"), "in");
  CHECK_JSON(export_of(&f, thing), "{'name': 'in'}");
  CHECK_EQUAL(intruder.calls, 2);
  import_one(&f, "Upgraded", "{}");
  CHECK_EQUAL(intruder.calls, 3);

  CHECK_FAILS(
      groot_import_text(f.context, "Failing", text("{'name': 'x'}"), nts, NULL, NULL, &error),
      GROOT_CALLBACK_FAILED);
  CHECK_EQUAL(count_of(&f, "Failing"), 0);

  /* What was refused has not touched the counts of the import either. */
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  groot_buffer text_of_report = {NULL, 0};
  options.report = &text_of_report;
  const char *named =
      text("[{'id': 1, 'name': 'a'}, {'id': 1, 'name': 'b'}, {'id': 2, 'name': 'c'}, {'id': 2}]");
  CHECK_OK(groot_import_text(f.context, "Named", named, nts, &options, NULL, &error));
  json_t *report = taken(&text_of_report);
  CHECK_EQUAL(json_integer_value(json_object_get(report, "inserted")), 2);
  CHECK_EQUAL(json_integer_value(json_object_get(report, "updated")), 0);
  CHECK_EQUAL(json_integer_value(json_object_get(report, "unchanged")), 0);
  json_decref(report);
  options.report = NULL;
  options.progress = intrude_in_progress;
  options.progress_userdata = &intruder;
  int calls = intruder.calls;
  CHECK_OK(groot_import_text(f.context, "Upgraded", "[]", nts, &options, NULL, &error));
  CHECK(intruder.calls >= calls);
  calls = intruder.calls;
  CHECK_OK(groot_export_objects_write(f.context, &thing, 1, NULL, intrude_in_write, &intruder, &error));
  CHECK(intruder.calls > calls);

  CHECK_EQUAL(count_of(&f, "Thing"), 2);
  check_graph(&f);
  groot_context_free(intruder.other);
  close_fixture(&f);
  return finish("busy");
}
