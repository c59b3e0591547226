/*
 * NULL, and other things that no function takes: a status each time, never a crash.
 * Every function of the header has its line here; Tests/exports.sh sees to that.
 */
#include "support.h"

#include <math.h>
#include <string.h>

static groot_error *error;

#define REFUSES(call) CHECK_FAILS(call, GROOT_INVALID_ARGUMENT)

static const size_t nts = GROOT_NTS;

static groot_status identity(void *userdata, json_t *value, json_t **result,
                             groot_failure *failure) {
  (void)userdata, (void)failure;
  *result = json_incref(value);
  return GROOT_OK;
}

static groot_status swallow(void *userdata, const char *data, size_t size) {
  (void)userdata, (void)data, (void)size;
  return GROOT_OK;
}

static void test_versions_and_errors(void) {
  groot_issue filled;
  CHECK(groot_version() != NULL);
  CHECK(groot_version_number() > 0);
  CHECK(groot_abi_version() > 0);
  CHECK(groot_status_name(GROOT_OK) != NULL);
  CHECK_EQUAL(groot_error_status(NULL), GROOT_OK);
  CHECK_EQUAL(groot_error_text(NULL).size, 0);
  CHECK_EQUAL(groot_error_issue_count(NULL), 0);
  CHECK_EQUAL(groot_error_issue(NULL, 0, &filled), GROOT_INVALID_ARGUMENT);
  CHECK_EQUAL(groot_error_issue(NULL, 0, NULL), GROOT_INVALID_ARGUMENT);
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

static void test_models(fixture *f) {
  groot_model *model = NULL;
  json_t *document = NULL;
  REFUSES(groot_model_create(NULL, nts, &model, &error));
  REFUSES(groot_model_create(NULL, 5, &model, &error));
  REFUSES(groot_model_create("{}", nts, NULL, &error));
  CHECK_EQUAL(groot_model_create(NULL, nts, NULL, NULL), GROOT_INVALID_ARGUMENT);
  REFUSES(groot_model_create_json(NULL, &model, &error));
  json_t *empty = json_object();
  REFUSES(groot_model_create_json(empty, NULL, &error));
  json_decref(empty);
  REFUSES(groot_model_document(NULL, &document, &error));
  REFUSES(groot_model_document(f->model, NULL, &error));
  CHECK(model == NULL && document == NULL);
  groot_model_free(NULL);
}

static void test_registries(void) {
  groot_registry *registry = NULL;
  REFUSES(groot_registry_create(NULL, &error));
  CHECK_EQUAL(groot_registry_create(NULL, NULL), GROOT_INVALID_ARGUMENT);
  CHECK_OK(groot_registry_create(&registry, &error));
  REFUSES(groot_registry_set_transformer(NULL, "A", nts, identity, NULL, NULL, NULL, &error));
  REFUSES(groot_registry_set_transformer(registry, NULL, nts, identity, NULL, NULL, NULL, &error));
  REFUSES(groot_registry_set_transformer(registry, "A", nts, NULL, NULL, NULL, NULL, &error));
  REFUSES(groot_registry_set_transformer(registry, "A", nts, NULL, identity, NULL, NULL, &error));
  REFUSES(groot_registry_set_entity_mapper(NULL, "A", nts, identity, NULL, NULL, &error));
  REFUSES(groot_registry_set_entity_mapper(registry, NULL, nts, identity, NULL, NULL, &error));
  REFUSES(groot_registry_set_entity_mapper(registry, "A", nts, NULL, NULL, NULL, &error));
  REFUSES(groot_registry_set_dictionary_transformer(NULL, "A", nts, identity, NULL, NULL, &error));
  REFUSES(
      groot_registry_set_dictionary_transformer(registry, NULL, nts, identity, NULL, NULL, &error));
  REFUSES(groot_registry_set_dictionary_transformer(registry, "A", nts, NULL, NULL, NULL, &error));
  REFUSES(groot_registry_set_builtin(NULL, "A", nts, "integer-text", nts, &error));
  REFUSES(groot_registry_set_builtin(registry, NULL, nts, "integer-text", nts, &error));
  REFUSES(groot_registry_set_builtin(registry, "A", nts, NULL, nts, &error));
  REFUSES(groot_registry_remove(NULL, "A", nts, &error));
  REFUSES(groot_registry_remove(registry, NULL, nts, &error));
  CHECK_FAILS(groot_registry_remove(registry, "A", nts, &error), GROOT_UNKNOWN_TRANSFORMER);
  json_t *builtins = groot_registry_builtins();
  CHECK(json_is_string(json_object_get(builtins, "integer-text")));
  json_decref(builtins);
  groot_failure_set(NULL, "why", nts);
  groot_failure_set(NULL, NULL, 3);
  groot_registry_free(registry);
  groot_registry_free(NULL);
}

static void test_mappings_and_contexts(fixture *f) {
  groot_mapping *mapping = NULL;
  groot_context *context = NULL;
  json_t *changes = NULL;
  REFUSES(groot_mapping_create(NULL, NULL, NULL, NULL, &mapping, &error));
  REFUSES(groot_mapping_create(f->model, f->registry, NULL, NULL, NULL, &error));
  REFUSES(groot_mapping_warnings(NULL, &changes, &error));
  REFUSES(groot_mapping_warnings(f->mapping, NULL, &error));
  groot_mapping_free(NULL);
  REFUSES(groot_store_open(NULL, "/tmp", NULL, &context, &error));
  REFUSES(groot_store_open(f->mapping, NULL, NULL, &context, &error));
  REFUSES(groot_store_open(f->mapping, "/tmp", NULL, NULL, &error));
  REFUSES(groot_context_create(NULL, &context, &error));
  REFUSES(groot_context_create(f->mapping, NULL, &error));
  groot_context_free(NULL);
  REFUSES(groot_context_save(NULL, &error));
  REFUSES(groot_context_refresh(NULL, &error));
  groot_context_cancel(NULL);
  REFUSES(groot_context_conflicts(NULL, &changes, &error));
  REFUSES(groot_context_conflicts(f->context, NULL, &error));
  REFUSES(groot_context_rollback(NULL, &error));
  REFUSES(groot_context_changes(NULL, &changes, &error));
  REFUSES(groot_context_changes(f->context, NULL, &error));
  REFUSES(groot_context_check(NULL, &error));
  CHECK(mapping == NULL && context == NULL && changes == NULL);
}

static void test_objects(fixture *f, groot_object_id batman) {
  groot_context *c = f->context;
  groot_object_id object = 5;
  groot_string name = {"x", 1};
  groot_property property = 5;
  groot_property id = property_of(f, batman, "identifier");
  groot_property powers = property_of(f, batman, "powers");
  groot_value value = {GROOT_VALUE_NULL, 0, {0}};
  json_t *json = NULL;
  groot_objects *objects = NULL;
  size_t count = 5;
  int32_t contains = 5;

  REFUSES(groot_object_insert(NULL, "Character", nts, &object, &error));
  CHECK_EQUAL(object, 0);
  REFUSES(groot_object_insert(c, NULL, nts, &object, &error));
  REFUSES(groot_object_insert(c, "Character", nts, NULL, &error));
  REFUSES(groot_object_delete(NULL, batman, &error));
  CHECK_EQUAL(groot_object_status(NULL, batman), GROOT_INVALID_ARGUMENT);
  REFUSES(groot_object_entity(NULL, batman, &name, &error));
  CHECK(name.data == NULL && name.size == 0);
  REFUSES(groot_object_entity(c, batman, NULL, &error));
  REFUSES(groot_context_property(NULL, "Character", nts, "name", nts, &property, &error));
  REFUSES(groot_context_property(c, NULL, nts, "name", nts, &property, &error));
  REFUSES(groot_context_property(c, "Character", nts, NULL, nts, &property, &error));
  REFUSES(groot_context_property(c, "Character", nts, "name", nts, NULL, &error));
  REFUSES(groot_object_property(NULL, batman, "name", nts, &property, &error));
  REFUSES(groot_object_property(c, batman, NULL, nts, &property, &error));
  REFUSES(groot_object_property(c, batman, "name", nts, NULL, &error));
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

  REFUSES(groot_context_fetch(NULL, "Character", nts, NULL, &objects, &error));
  REFUSES(groot_context_fetch(c, NULL, nts, NULL, &objects, &error));
  REFUSES(groot_context_fetch(c, "Character", nts, NULL, NULL, &error));
  REFUSES(groot_context_count(NULL, "Character", nts, NULL, &count, &error));
  REFUSES(groot_context_count(c, NULL, nts, NULL, &count, &error));
  REFUSES(groot_context_count(c, "Character", nts, NULL, NULL, &error));
  REFUSES(groot_context_distinct(NULL, "Character", nts, "name", nts, NULL, &json, &error));
  REFUSES(groot_context_distinct(c, NULL, nts, "name", nts, NULL, &json, &error));
  REFUSES(groot_context_distinct(c, "Character", nts, NULL, nts, NULL, &json, &error));
  REFUSES(groot_context_distinct(c, "Character", nts, "name", nts, NULL, NULL, &error));
  REFUSES(groot_context_aggregate(NULL, "Character", nts, NULL, &json, &error));
  REFUSES(groot_context_aggregate(c, NULL, nts, NULL, &json, &error));
  REFUSES(groot_context_aggregate(c, "Character", nts, NULL, NULL, &error));
  CHECK(objects == NULL && count == 0 && json == NULL);

  groot_column column;
  struct ArrowArrayStream stream;
  REFUSES(groot_context_column(NULL, "Power", nts, "name", nts, NULL, 0, &column, &error));
  REFUSES(groot_context_column(c, NULL, nts, "name", nts, NULL, 0, &column, &error));
  REFUSES(groot_context_column(c, "Power", nts, NULL, nts, NULL, 0, &column, &error));
  REFUSES(groot_context_column(c, "Power", nts, "name", nts, NULL, 2, &column, &error));
  REFUSES(groot_context_column(c, "Power", nts, "name", nts, NULL, 0, NULL, &error));
  CHECK(column.values == NULL && column.owner == NULL);
  groot_column_free(NULL);
  groot_column_free(&column);
  REFUSES(groot_context_arrow_stream(NULL, "Power", nts, NULL, NULL, 0, &stream, &error));
  REFUSES(groot_context_arrow_stream(c, NULL, nts, NULL, NULL, 0, &stream, &error));
  REFUSES(groot_context_arrow_stream(c, "Power", nts, NULL, NULL, 2, &stream, &error));
  REFUSES(groot_context_arrow_stream(c, "Power", nts, NULL, NULL, 0, NULL, &error));
  CHECK(stream.release == NULL);
}

static void test_import_in_pieces(fixture *f) {
  groot_context *c = f->context;
  groot_import *import = NULL;
  groot_objects *objects = NULL;
  REFUSES(groot_import_begin(NULL, "Power", nts, NULL, &import, &error));
  REFUSES(groot_import_begin(c, NULL, nts, NULL, &import, &error));
  REFUSES(groot_import_begin(c, "Power", nts, NULL, NULL, &error));
  REFUSES(groot_import_write(NULL, "[", 1, &error));
  REFUSES(groot_import_finish(NULL, &objects, &error));
  groot_import_cancel(NULL);
  CHECK_OK(groot_import_begin(c, "Power", nts, NULL, &import, &error));
  REFUSES(groot_import_write(import, NULL, 3, &error));
  CHECK_OK(groot_import_write(import, NULL, 0, &error));
  CHECK_OK(groot_import_write(import, "[]", 2, &error));
  CHECK_OK(groot_import_finish(import, NULL, &error));
  CHECK(objects == NULL);
}

static void test_imports(fixture *f) {
  groot_context *c = f->context;
  groot_objects *objects = NULL;
  json_t *array = json_array();

  REFUSES(groot_import_text(NULL, "Character", nts, "[]", nts, NULL, &objects, &error));
  REFUSES(groot_import_text(c, NULL, nts, "[]", nts, NULL, &objects, &error));
  REFUSES(groot_import_text(c, "Character", nts, NULL, nts, NULL, &objects, &error));
  REFUSES(groot_import_text(c, "Character", nts, NULL, 2, NULL, &objects, &error));
  CHECK_OK(groot_import_text(c, "Character", nts, "[]", nts, NULL, NULL, &error));
  CHECK_EQUAL(groot_import_text(c, NULL, nts, NULL, nts, NULL, NULL, NULL), GROOT_INVALID_ARGUMENT);
  REFUSES(groot_import_json(NULL, "Character", nts, array, NULL, &objects, &error));
  REFUSES(groot_import_json(c, NULL, nts, array, NULL, &objects, &error));
  REFUSES(groot_import_json(c, "Character", nts, NULL, NULL, &objects, &error));
  REFUSES(groot_import_file(NULL, "Character", nts, "x", NULL, &objects, &error));
  REFUSES(groot_import_file(c, NULL, nts, "x", NULL, &objects, &error));
  REFUSES(groot_import_file(c, "Character", nts, NULL, NULL, &objects, &error));
  CHECK(objects == NULL);
  json_decref(array);
}

static void test_syncs_and_fills(fixture *f, groot_object_id batman) {
  groot_context *c = f->context;
  groot_objects *objects = NULL;
  json_t *array = json_array(), *object = json_object();

  REFUSES(groot_sync_text(NULL, "Character", nts, "[]", nts, NULL, &objects, &error));
  REFUSES(groot_sync_text(c, NULL, nts, "[]", nts, NULL, &objects, &error));
  REFUSES(groot_sync_text(c, NULL, 0, "[]", nts, NULL, &objects, &error));
  REFUSES(groot_sync_text(c, "Character", nts, NULL, nts, NULL, &objects, &error));
  REFUSES(groot_sync_text(c, "Character", nts, NULL, 2, NULL, &objects, &error));
  CHECK_EQUAL(groot_sync_text(c, NULL, nts, NULL, nts, NULL, NULL, NULL), GROOT_INVALID_ARGUMENT);
  REFUSES(groot_sync_json(NULL, "Character", nts, array, NULL, &objects, &error));
  REFUSES(groot_sync_json(c, NULL, nts, array, NULL, &objects, &error));
  REFUSES(groot_sync_json(c, "Character", nts, NULL, NULL, &objects, &error));
  REFUSES(groot_sync_file(NULL, "Character", nts, "x", NULL, &objects, &error));
  REFUSES(groot_sync_file(c, NULL, nts, "x", NULL, &objects, &error));
  REFUSES(groot_sync_file(c, "Character", nts, NULL, NULL, &objects, &error));

  REFUSES(groot_object_fill_text(NULL, batman, "{}", nts, NULL, &error));
  REFUSES(groot_object_fill_text(c, batman, NULL, nts, NULL, &error));
  REFUSES(groot_object_fill_text(c, batman, NULL, 2, NULL, &error));
  CHECK_FAILS(groot_object_fill_text(c, 0, "{}", nts, NULL, &error), GROOT_UNKNOWN_OBJECT);
  CHECK_OK(groot_object_fill_text(c, batman, "{}", nts, NULL, &error));
  REFUSES(groot_object_fill_json(NULL, batman, object, NULL, &error));
  REFUSES(groot_object_fill_json(c, batman, NULL, NULL, &error));
  CHECK_FAILS(groot_object_fill_json(c, 0, object, NULL, &error), GROOT_UNKNOWN_OBJECT);
  CHECK(objects == NULL);
  json_decref(array);
  json_decref(object);
}

static void test_exports(fixture *f, groot_object_id batman) {
  groot_context *c = f->context;
  groot_buffer buffer = {NULL, 7};
  json_t *exported = NULL;

  REFUSES(groot_export_object_text(NULL, batman, NULL, &buffer, &error));
  CHECK(buffer.data == NULL && buffer.size == 0);
  REFUSES(groot_export_object_text(c, batman, NULL, NULL, &error));
  REFUSES(groot_export_object_json(NULL, batman, NULL, &exported, &error));
  REFUSES(groot_export_object_json(c, batman, NULL, NULL, &error));
  REFUSES(groot_export_text(NULL, &batman, 1, NULL, &buffer, &error));
  REFUSES(groot_export_text(c, NULL, 1, NULL, &buffer, &error));
  REFUSES(groot_export_text(c, &batman, 1, NULL, NULL, &error));
  REFUSES(groot_export_json(NULL, &batman, 1, NULL, &exported, &error));
  REFUSES(groot_export_json(c, NULL, 1, NULL, &exported, &error));
  REFUSES(groot_export_json(c, &batman, 1, NULL, NULL, &error));
  REFUSES(groot_export_write(NULL, &batman, 1, NULL, swallow, NULL, &error));
  REFUSES(groot_export_write(c, NULL, 1, NULL, swallow, NULL, &error));
  REFUSES(groot_export_write(c, &batman, 1, NULL, NULL, NULL, &error));
  REFUSES(groot_export_file(NULL, &batman, 1, NULL, "x", &error));
  REFUSES(groot_export_file(c, NULL, 1, NULL, "x", &error));
  REFUSES(groot_export_file(c, &batman, 1, NULL, NULL, &error));
  REFUSES(groot_export_fetch_write(NULL, "Character", nts, NULL, NULL, swallow, NULL, NULL, &error));
  REFUSES(groot_export_fetch_write(c, NULL, nts, NULL, NULL, swallow, NULL, NULL, &error));
  REFUSES(groot_export_fetch_write(c, "Character", nts, NULL, NULL, NULL, NULL, NULL, &error));
  REFUSES(groot_export_fetch_file(NULL, "Character", nts, NULL, NULL, "x", NULL, &error));
  REFUSES(groot_export_fetch_file(c, NULL, nts, NULL, NULL, "x", NULL, &error));
  REFUSES(groot_export_fetch_file(c, "Character", nts, NULL, NULL, NULL, NULL, &error));
  CHECK(exported == NULL);

  /* Nothing at NULL is an empty list. */
  CHECK_OK(groot_export_text(c, NULL, 0, NULL, &buffer, &error));
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
  json_t *exported = (json_t *)&exported;
  groot_property property = 99;
  CHECK_FAILS(groot_import_text(f->context, "Nobody", nts, "[]", nts, NULL, &objects, &error),
              GROOT_UNKNOWN_ENTITY);
  CHECK(objects == NULL);
  CHECK_FAILS(groot_model_create("{", nts, &model, &error), GROOT_INVALID_JSON);
  CHECK(model == NULL);
  CHECK_FAILS(groot_mapping_create(f->model, NULL, NULL, NULL, &mapping, &error),
              GROOT_UNKNOWN_TRANSFORMER);
  CHECK(mapping == NULL);
  CHECK_FAILS(groot_export_object_json(f->context, 0, NULL, &exported, &error), GROOT_UNKNOWN_OBJECT);
  CHECK(exported == NULL);
  CHECK_FAILS(groot_context_property(f->context, "Nobody", nts, "x", nts, &property, &error),
              GROOT_UNKNOWN_ENTITY);
  CHECK_EQUAL(property, -1); /* 0 is a property */
}

int main(void) {
  fixture f = open_fixture("comics");
  groot_object_id batman = import_one(
      &f, "Character", "{'id': '1699', 'name': 'Batman', 'powers': [{'id': '4', 'name': 'x'}]}");
  test_versions_and_errors();
  test_models(&f);
  test_registries();
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
