/*
 * NULL, and other things that no function takes: a status each time, never a crash.
 * Every function of the header has its line here, those for jansson in null_json.c;
 * Tests/ABI/exports.sh sees to that.
 */
#include "support.h"

#include <groot_ffi.h>

#include <math.h>
#include <string.h>

static groot_error *error;

#define REFUSES(call) CHECK_FAILS(call, GROOT_INVALID_ARGUMENT)

static const size_t nts = GROOT_NTS;

static groot_status identity(void *userdata, const char *value, size_t size, groot_call *call) {
  (void)userdata;
  return groot_call_set_result(call, value, size);
}

static groot_status swallow(void *userdata, const char *data, size_t size) {
  (void)userdata, (void)data, (void)size;
  return GROOT_OK;
}

static void test_versions_and_errors(void) {
  groot_issue filled = GROOT_ISSUE_INIT;
  CHECK(groot_version() != NULL);
  CHECK(groot_version_number() > 0);
  CHECK(groot_abi_version() > 0);
  CHECK(groot_status_name(GROOT_OK) != NULL);
  CHECK_EQUAL(groot_error_status(NULL), GROOT_OK);
  CHECK_EQUAL(groot_error_text(NULL).size, 0);
  CHECK_EQUAL(groot_error_issue_count(NULL), 0);
  CHECK_EQUAL(groot_error_issue(NULL, 0, &filled), GROOT_INVALID_ARGUMENT);
  CHECK_EQUAL(groot_error_issue(NULL, 0, NULL), GROOT_INVALID_ARGUMENT);
  CHECK_EQUAL(groot_error_callback_status(NULL), GROOT_OK);
  CHECK(groot_error_exception(NULL, NULL) == NULL);
  groot_error_free(NULL);
  groot_buffer_free(NULL);
  groot_buffer empty = {NULL, 0};
  groot_buffer_free(&empty);

  groot_model *model = NULL;
  CHECK_EQUAL(groot_model_create("[", nts, &model, &error), GROOT_INVALID_JSON);
  CHECK_EQUAL(groot_error_issue(error, 0, NULL), GROOT_INVALID_ARGUMENT);
  CHECK_EQUAL(groot_error_issue(error, 1000, &filled), GROOT_INVALID_ARGUMENT);
  groot_error_free(error);
  error = NULL;
}

static void test_options(void) {
  groot_import_options_init(NULL, sizeof(groot_import_options));
  groot_sync_options_init(NULL, sizeof(groot_sync_options));
  groot_export_options_init(NULL, sizeof(groot_export_options));
  groot_mapping_options_init(NULL, sizeof(groot_mapping_options));
  groot_store_options_init(NULL, sizeof(groot_store_options));
}

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

static void test_models(fixture *f) {
  groot_model *model = NULL;
  groot_buffer document = {NULL, 0};
  REFUSES(groot_model_create(NULL, nts, &model, &error));
  REFUSES(groot_model_create(NULL, 5, &model, &error));
  REFUSES(groot_model_create("{}", nts, NULL, &error));
  CHECK_EQUAL(groot_model_create(NULL, nts, NULL, NULL), GROOT_INVALID_ARGUMENT);
  REFUSES(groot_model_create_file(NULL, &model, &error));
  REFUSES(groot_model_create_file("x", NULL, &error));
  REFUSES(groot_model_document(NULL, &document, &error));
  REFUSES(groot_model_document(f->model, NULL, &error));
  CHECK(model == NULL && document.data == NULL);
  groot_entity_info entity = GROOT_ENTITY_INFO_INIT;
  groot_property_info property = GROOT_PROPERTY_INFO_INIT;
  size_t number = 0;
  CHECK_EQUAL(groot_model_entity_count(NULL), 0);
  REFUSES(groot_model_entity_number(NULL, "Thing", &number, &error));
  REFUSES(groot_model_entity_number(f->model, NULL, &number, &error));
  REFUSES(groot_model_entity_number(f->model, "Thing", NULL, &error));
  REFUSES(groot_model_entity(NULL, 0, &entity, &error));
  REFUSES(groot_model_entity(f->model, 0, NULL, &error));
  REFUSES(groot_model_property(NULL, 0, 0, &property, &error));
  REFUSES(groot_model_property(f->model, 0, 0, NULL, &error));
  REFUSES(groot_context_set_progress(NULL, NULL, NULL, &error));
  groot_model_free(NULL);
}

static void test_registries(void) {
  groot_registry *registry = NULL;
  REFUSES(groot_registry_create(NULL, &error));
  CHECK_EQUAL(groot_registry_create(NULL, NULL), GROOT_INVALID_ARGUMENT);
  CHECK_OK(groot_registry_create(&registry, &error));
  REFUSES(groot_registry_set_transformer(NULL, "A", identity, NULL, NULL, NULL, &error));
  REFUSES(groot_registry_set_transformer(registry, NULL, identity, NULL, NULL, NULL, &error));
  REFUSES(groot_registry_set_transformer(registry, "A", NULL, NULL, NULL, NULL, &error));
  REFUSES(groot_registry_set_transformer(registry, "A", NULL, identity, NULL, NULL, &error));
  REFUSES(groot_registry_set_entity_mapper(NULL, "A", identity, NULL, NULL, &error));
  REFUSES(groot_registry_set_entity_mapper(registry, NULL, identity, NULL, NULL, &error));
  REFUSES(groot_registry_set_entity_mapper(registry, "A", NULL, NULL, NULL, &error));
  REFUSES(groot_registry_set_dictionary_transformer(NULL, "A", identity, NULL, NULL, &error));
  REFUSES(groot_registry_set_dictionary_transformer(registry, NULL, identity, NULL, NULL, &error));
  REFUSES(groot_registry_set_dictionary_transformer(registry, "A", NULL, NULL, NULL, &error));
  REFUSES(groot_registry_set_builtin(NULL, "A", "integer-text", &error));
  REFUSES(groot_registry_set_builtin(registry, NULL, "integer-text", &error));
  REFUSES(groot_registry_set_builtin(registry, "A", NULL, &error));
  REFUSES(groot_registry_remove(NULL, "A", &error));
  REFUSES(groot_registry_remove(registry, NULL, &error));
  CHECK_FAILS(groot_registry_remove(registry, "A", &error), GROOT_UNKNOWN_TRANSFORMER);
  REFUSES(groot_registry_builtins(NULL, &error));
  groot_buffer builtins = {NULL, 0};
  CHECK_OK(groot_registry_builtins(&builtins, NULL));
  CHECK(builtins.data && strstr(builtins.data, "\"integer-text\":\"") != NULL);
  groot_buffer_free(&builtins);
  groot_registry_free(registry);
  groot_registry_free(NULL);
}

static int destroyed;

static void destroy(void *exception) {
  (void)exception;
  destroyed++;
}

/* What is left in no call is given back at once. */
static void test_calls(void) {
  groot_call_set_message(NULL, "why", nts);
  groot_call_set_message(NULL, NULL, 3);
  CHECK_EQUAL(groot_call_set_result(NULL, "5", 1), GROOT_INVALID_ARGUMENT);
  CHECK_EQUAL(groot_call_set_result(NULL, NULL, 0), GROOT_INVALID_ARGUMENT);
  groot_call_set_exception(NULL, NULL, NULL);
  groot_call_set_exception(NULL, &destroyed, destroy);
  CHECK_EQUAL(destroyed, 1);
  CHECK(groot_call_userdata(NULL) == NULL);
  CHECK(groot_call_entity(NULL).data == NULL && groot_call_entity(NULL).size == 0);
  CHECK(groot_call_property(NULL).data == NULL && groot_call_property(NULL).size == 0);
  CHECK(groot_call_path(NULL).data == NULL && groot_call_path(NULL).size == 0);
}

static void test_mappings_and_contexts(fixture *f) {
  groot_mapping *mapping = NULL;
  groot_context *context = NULL;
  groot_buffer changes = {NULL, 0};
  REFUSES(groot_mapping_create(NULL, NULL, NULL, &mapping, &error));
  REFUSES(groot_mapping_create(f->model, f->registry, NULL, NULL, &error));
  REFUSES(groot_mapping_warnings(NULL, &changes, &error));
  REFUSES(groot_mapping_warnings(f->mapping, NULL, &error));
  groot_mapping_free(NULL);
  REFUSES(groot_context_open(NULL, "/tmp", NULL, &context, &error));
  REFUSES(groot_context_open(f->mapping, NULL, NULL, &context, &error));
  REFUSES(groot_context_open(f->mapping, "/tmp", NULL, NULL, &error));
  REFUSES(groot_context_create(NULL, &context, &error));
  REFUSES(groot_context_create(f->mapping, NULL, &error));
  groot_context_free(NULL);
  REFUSES(groot_context_save(NULL, &error));
  REFUSES(groot_context_refresh(NULL, &error));
  groot_context_cancel(NULL);
  REFUSES(groot_context_conflicts(NULL, &changes, &error));
  REFUSES(groot_context_conflicts(f->context, NULL, &error));
  REFUSES(groot_context_rollback(NULL, &error));
  REFUSES(groot_context_set_memory_limit(NULL, 1, &error));
  REFUSES(groot_context_memory(f->context, NULL, &error));
  REFUSES(groot_context_changes(NULL, &changes, &error));
  REFUSES(groot_context_changes(f->context, NULL, &error));
  REFUSES(groot_context_check(NULL, &error));
  CHECK(mapping == NULL && context == NULL && changes.data == NULL);
}

static void test_objects(fixture *f, groot_object_id batman) {
  groot_context *c = f->context;
  groot_object_id object = 5;
  groot_string name = {"x", 1};
  groot_property property = 5;
  groot_property id = property_of(f, batman, "identifier");
  groot_property powers = property_of(f, batman, "powers");
  groot_value value = {GROOT_VALUE_NULL, 0, {0}};
  groot_buffer buffer = {NULL, 0};
  groot_objects *objects = NULL;
  size_t count = 5;
  int32_t contains = 5;

  REFUSES(groot_object_insert(NULL, "Character", &object, &error));
  CHECK_EQUAL(object, 0);
  REFUSES(groot_object_insert(c, NULL, &object, &error));
  REFUSES(groot_object_insert(c, "Character", NULL, &error));
  REFUSES(groot_object_delete(NULL, batman, &error));
  CHECK_EQUAL(groot_object_status(NULL, batman), GROOT_INVALID_ARGUMENT);
  REFUSES(groot_object_entity(NULL, batman, &name, &error));
  CHECK(name.data == NULL && name.size == 0);
  REFUSES(groot_object_entity(c, batman, NULL, &error));
  REFUSES(groot_context_property(NULL, "Character", "name", &property, &error));
  REFUSES(groot_context_property(c, NULL, "name", &property, &error));
  REFUSES(groot_context_property(c, "Character", NULL, &property, &error));
  REFUSES(groot_context_property(c, "Character", "name", NULL, &error));
  REFUSES(groot_object_property(NULL, batman, "name", &property, &error));
  REFUSES(groot_object_property(c, batman, NULL, &property, &error));
  REFUSES(groot_object_property(c, batman, "name", NULL, &error));
  REFUSES(groot_object_get(NULL, batman, id, &value, &error));
  REFUSES(groot_object_get(c, batman, id, NULL, &error));
  CHECK(groot_object_integer(NULL, (uint32_t)batman, (uint32_t)(batman >> 32), id) == INT64_MIN);
  CHECK(isnan(groot_object_real(NULL, (uint32_t)batman, (uint32_t)(batman >> 32), id)));
  CHECK(groot_object_text(NULL, (uint32_t)batman, (uint32_t)(batman >> 32), id) == NULL);
  CHECK_EQUAL(groot_object_kind(NULL, (uint32_t)batman, (uint32_t)(batman >> 32), id), -1);
  REFUSES(groot_object_set(NULL, batman, id, &value, &error));
  REFUSES(groot_object_set(c, batman, id, NULL, &error));
  value.kind = GROOT_VALUE_STRING;
  value.as.text.data = NULL;
  value.as.text.size = 3;
  REFUSES(groot_object_set(c, batman, property_of(f, batman, "name"), &value, &error));
  value.kind = 1000;
  REFUSES(groot_object_set(c, batman, property_of(f, batman, "name"), &value, &error));
  value.kind = -1;
  REFUSES(groot_object_set(c, batman, property_of(f, batman, "name"), &value, &error));

  CHECK_EQUAL(groot_objects_count(NULL), 0);
  CHECK(groot_objects_data(NULL) == NULL);
  CHECK_EQUAL(groot_objects_at(NULL, 0), 0);
  groot_objects_free(NULL);
  REFUSES(groot_object_members(NULL, batman, powers, &objects, &error));
  REFUSES(groot_object_members(c, batman, powers, NULL, &error));
  REFUSES(groot_object_member_count(NULL, batman, powers, &count, &error));
  REFUSES(groot_object_member_count(c, batman, powers, NULL, &error));
  REFUSES(groot_object_contains(NULL, batman, powers, batman, &contains, &error));
  REFUSES(groot_object_contains(c, batman, powers, batman, NULL, &error));
  REFUSES(groot_object_add(NULL, batman, powers, batman, &error));
  REFUSES(groot_object_remove(NULL, batman, powers, batman, &error));
  REFUSES(groot_object_set_members(NULL, batman, powers, NULL, 0, &error));
  REFUSES(groot_object_set_members(c, batman, powers, NULL, 3, &error));
  CHECK_OK(groot_object_set_members(c, batman, powers, NULL, 0, &error));
  CHECK_EQUAL(members_of(f, batman, "powers"), 0);

  REFUSES(groot_context_fetch(NULL, "Character", NULL, &objects, &error));
  REFUSES(groot_context_fetch(c, NULL, NULL, &objects, &error));
  REFUSES(groot_context_fetch(c, "Character", NULL, NULL, &error));
  REFUSES(groot_context_count(NULL, "Character", NULL, &count, &error));
  REFUSES(groot_context_count(c, NULL, NULL, &count, &error));
  REFUSES(groot_context_count(c, "Character", NULL, NULL, &error));
  REFUSES(groot_context_distinct(NULL, "Character", "name", NULL, &buffer, &error));
  REFUSES(groot_context_distinct(c, NULL, "name", NULL, &buffer, &error));
  REFUSES(groot_context_distinct(c, "Character", NULL, NULL, &buffer, &error));
  REFUSES(groot_context_distinct(c, "Character", "name", NULL, NULL, &error));
  REFUSES(groot_context_aggregate(NULL, "Character", "{}", &buffer, &error));
  REFUSES(groot_context_aggregate(c, NULL, "{}", &buffer, &error));
  REFUSES(groot_context_aggregate(c, "Character", "{}", NULL, &error));
  CHECK(objects == NULL && count == 0 && buffer.data == NULL);

  groot_column column = GROOT_COLUMN_INIT;
  struct ArrowArrayStream stream;
  REFUSES(groot_context_column(NULL, "Power", "name", NULL, 0, &column, &error));
  REFUSES(groot_context_column(c, NULL, "name", NULL, 0, &column, &error));
  REFUSES(groot_context_column(c, "Power", NULL, NULL, 0, &column, &error));
  REFUSES(groot_context_column(c, "Power", "name", NULL, 2, &column, &error));
  REFUSES(groot_context_column(c, "Power", "name", NULL, 0, NULL, &error));
  CHECK(column.values == NULL && column.owner == NULL);
  groot_column_free(NULL);
  groot_column_free(&column);
  REFUSES(groot_context_arrow_stream(NULL, "Power", NULL, NULL, 0, &stream, &error));
  REFUSES(groot_context_arrow_stream(c, NULL, NULL, NULL, 0, &stream, &error));
  REFUSES(groot_context_arrow_stream(c, "Power", NULL, NULL, 2, &stream, &error));
  REFUSES(groot_context_arrow_stream(c, "Power", NULL, NULL, 0, NULL, &error));
  CHECK(stream.release == NULL);
}

static void test_import_in_pieces(fixture *f) {
  groot_context *c = f->context;
  groot_stream *stream = NULL;
  groot_objects *objects = NULL;
  REFUSES(groot_stream_begin(NULL, "Power", NULL, &stream, &error));
  REFUSES(groot_stream_begin(c, NULL, NULL, &stream, &error));
  REFUSES(groot_stream_begin(c, "Power", NULL, NULL, &error));
  REFUSES(groot_stream_write(NULL, "[", 1, &error));
  REFUSES(groot_stream_finish(NULL, &objects, &error));
  groot_stream_cancel(NULL);
  CHECK_OK(groot_stream_begin(c, "Power", NULL, &stream, &error));
  REFUSES(groot_stream_write(stream, NULL, 3, &error));
  CHECK_OK(groot_stream_write(stream, NULL, 0, &error));
  CHECK_OK(groot_stream_write(stream, "[]", 2, &error));
  CHECK_OK(groot_stream_finish(stream, NULL, &error));
  CHECK(objects == NULL);
}

static void test_imports(fixture *f) {
  groot_context *c = f->context;
  groot_objects *objects = NULL;

  REFUSES(groot_import_text(NULL, "Character", "[]", nts, NULL, &objects, &error));
  REFUSES(groot_import_text(c, NULL, "[]", nts, NULL, &objects, &error));
  REFUSES(groot_import_text(c, "Character", NULL, nts, NULL, &objects, &error));
  REFUSES(groot_import_text(c, "Character", NULL, 2, NULL, &objects, &error));
  CHECK_OK(groot_import_text(c, "Character", "[]", nts, NULL, NULL, &error));
  CHECK_EQUAL(groot_import_text(c, NULL, NULL, nts, NULL, NULL, NULL), GROOT_INVALID_ARGUMENT);
  REFUSES(groot_import_file(NULL, "Character", "x", NULL, &objects, &error));
  REFUSES(groot_import_file(c, NULL, "Tests/ABI/layout.json", NULL, &objects, &error));
  REFUSES(groot_import_file(c, "Character", NULL, NULL, &objects, &error));
  CHECK(objects == NULL);
}

static void test_syncs_and_fills(fixture *f, groot_object_id batman) {
  groot_context *c = f->context;
  groot_objects *objects = NULL;

  REFUSES(groot_sync_text(NULL, "Character", "[]", nts, NULL, &objects, &error));
  REFUSES(groot_sync_text(c, NULL, "[]", nts, NULL, &objects, &error));
  REFUSES(groot_sync_text(c, NULL, "[]", nts, NULL, &objects, &error));
  REFUSES(groot_sync_text(c, "Character", NULL, nts, NULL, &objects, &error));
  REFUSES(groot_sync_text(c, "Character", NULL, 2, NULL, &objects, &error));
  CHECK_EQUAL(groot_sync_text(c, NULL, NULL, nts, NULL, NULL, NULL), GROOT_INVALID_ARGUMENT);
  REFUSES(groot_sync_file(NULL, "Character", "x", NULL, &objects, &error));
  REFUSES(groot_sync_file(c, NULL, "x", NULL, &objects, &error));
  REFUSES(groot_sync_file(c, "Character", NULL, NULL, &objects, &error));

  REFUSES(groot_object_fill_text(NULL, batman, "{}", nts, NULL, &error));
  REFUSES(groot_object_fill_text(c, batman, NULL, nts, NULL, &error));
  REFUSES(groot_object_fill_text(c, batman, NULL, 2, NULL, &error));
  CHECK_FAILS(groot_object_fill_text(c, 0, "{}", nts, NULL, &error), GROOT_UNKNOWN_OBJECT);
  CHECK_OK(groot_object_fill_text(c, batman, "{}", nts, NULL, &error));
  CHECK(objects == NULL);
}

static void test_exports(fixture *f, groot_object_id batman) {
  groot_context *c = f->context;
  groot_buffer buffer = {NULL, 7};

  REFUSES(groot_export_object_text(NULL, batman, NULL, &buffer, &error));
  CHECK(buffer.data == NULL && buffer.size == 0);
  REFUSES(groot_export_object_text(c, batman, NULL, NULL, &error));
  REFUSES(groot_export_object_write(NULL, batman, NULL, swallow, NULL, &error));
  REFUSES(groot_export_object_write(c, batman, NULL, NULL, NULL, &error));
  REFUSES(groot_export_object_file(NULL, batman, NULL, "x", &error));
  REFUSES(groot_export_object_file(c, batman, NULL, NULL, &error));
  REFUSES(groot_export_fetch_text(NULL, "Character", NULL, NULL, &buffer, &error));
  REFUSES(groot_export_fetch_text(c, NULL, NULL, NULL, &buffer, &error));
  REFUSES(groot_export_fetch_text(c, "Character", NULL, NULL, NULL, &error));
  REFUSES(groot_export_objects_text(NULL, &batman, 1, NULL, &buffer, &error));
  REFUSES(groot_export_objects_text(c, NULL, 1, NULL, &buffer, &error));
  REFUSES(groot_export_objects_text(c, &batman, 1, NULL, NULL, &error));
  REFUSES(groot_export_objects_write(NULL, &batman, 1, NULL, swallow, NULL, &error));
  REFUSES(groot_export_objects_write(c, NULL, 1, NULL, swallow, NULL, &error));
  REFUSES(groot_export_objects_write(c, &batman, 1, NULL, NULL, NULL, &error));
  REFUSES(groot_export_objects_file(NULL, &batman, 1, NULL, "x", &error));
  REFUSES(groot_export_objects_file(c, NULL, 1, NULL, "x", &error));
  REFUSES(groot_export_objects_file(c, &batman, 1, NULL, NULL, &error));
  REFUSES(groot_export_fetch_write(NULL, "Character", NULL, NULL, swallow, NULL, &error));
  REFUSES(groot_export_fetch_write(c, NULL, NULL, NULL, swallow, NULL, &error));
  REFUSES(groot_export_fetch_write(c, "Character", NULL, NULL, NULL, NULL, &error));
  REFUSES(groot_export_fetch_file(NULL, "Character", NULL, NULL, "x", &error));
  REFUSES(groot_export_fetch_file(c, NULL, NULL, NULL, "x", &error));
  REFUSES(groot_export_fetch_file(c, "Character", NULL, NULL, NULL, &error));
  REFUSES(groot_export_document_text(NULL, NULL, &buffer, &error));
  REFUSES(groot_export_document_text(c, NULL, NULL, &error));
  REFUSES(groot_export_document_text(c, NULL, &buffer, &error)); /* the mapping has no roots */
  REFUSES(groot_export_document_write(NULL, NULL, swallow, NULL, &error));
  REFUSES(groot_export_document_write(c, NULL, NULL, NULL, &error));
  REFUSES(groot_export_document_file(NULL, NULL, "x", &error));
  REFUSES(groot_export_document_file(c, NULL, NULL, &error));
  CHECK(buffer.data == NULL);

  /* Nothing at NULL is an empty list. */
  CHECK_OK(groot_export_objects_text(c, NULL, 0, NULL, &buffer, &error));
  groot_string exported_text = {buffer.data, buffer.size};
  CHECK_TEXT(exported_text, "[]");
  groot_buffer_free(&buffer);
  CHECK(buffer.data == NULL && buffer.size == 0);
}

/* Out-pointers are cleared on failure, whatever was in them. */
static void test_results_are_cleared(fixture *f) {
  groot_objects *objects = (groot_objects *)&objects;
  groot_model *model = (groot_model *)&model;
  groot_mapping *mapping = (groot_mapping *)&mapping;
  groot_property property = 99;
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
}

int main(void) {
  fixture f = open_fixture("comics");
  groot_object_id batman = import_one(
      &f, "Character", "{'id': '1699', 'name': 'Batman', 'powers': [{'id': '4', 'name': 'x'}]}");
  test_versions_and_errors();
  test_options();
  test_reports();
  test_models(&f);
  test_registries();
  test_calls();
  test_mappings_and_contexts(&f);
  test_import_in_pieces(&f);
  test_imports(&f);
  test_syncs_and_fills(&f, batman);
  test_exports(&f, batman);
  test_objects(&f, batman);
  test_results_are_cleared(&f);
  check_graph(&f);
  close_fixture(&f);
  return finish("null");
}
