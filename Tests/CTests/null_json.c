/* NULL to the functions that take or give a json_t; null.c has all others. */
#include "support.h"

static groot_error *error;

#define REFUSES(call) CHECK_FAILS(call, GROOT_INVALID_ARGUMENT)

static groot_status identity(void *userdata, json_t *value, json_t **result, groot_call *call) {
  (void)userdata, (void)call;
  *result = json_incref(value);
  return GROOT_OK;
}

static void test_models(fixture *f) {
  groot_model *model = NULL;
  json_t *document = NULL, *empty = json_object();
  REFUSES(groot_model_create_json(NULL, &model, &error));
  REFUSES(groot_model_create_json(empty, NULL, &error));
  REFUSES(groot_model_document_json(NULL, &document, &error));
  REFUSES(groot_model_document_json(f->model, NULL, &error));
  CHECK(model == NULL && document == NULL);
  json_decref(empty);
  groot_json_free(NULL);
}

static void test_registries(void) {
  groot_registry *r = NULL;
  CHECK_OK(groot_registry_create(&r, &error));
  REFUSES(groot_registry_set_transformer_json(NULL, "A", identity, NULL, NULL, NULL, &error));
  REFUSES(groot_registry_set_transformer_json(r, NULL, identity, NULL, NULL, NULL, &error));
  REFUSES(groot_registry_set_transformer_json(r, "A", NULL, NULL, NULL, NULL, &error));
  REFUSES(groot_registry_set_transformer_json(r, "A", NULL, identity, NULL, NULL, &error));
  REFUSES(groot_registry_set_entity_mapper_json(NULL, "A", identity, NULL, NULL, &error));
  REFUSES(groot_registry_set_entity_mapper_json(r, NULL, identity, NULL, NULL, &error));
  REFUSES(groot_registry_set_entity_mapper_json(r, "A", NULL, NULL, NULL, &error));
  REFUSES(groot_registry_set_dictionary_transformer_json(NULL, "A", identity, NULL, NULL, &error));
  REFUSES(groot_registry_set_dictionary_transformer_json(r, NULL, identity, NULL, NULL, &error));
  REFUSES(groot_registry_set_dictionary_transformer_json(r, "A", NULL, NULL, NULL, &error));
  CHECK_FAILS(groot_registry_remove(r, "A", &error), GROOT_UNKNOWN_TRANSFORMER);
  groot_registry_free(r);
}

static void test_mappings_and_contexts(fixture *f) {
  json_t *list = NULL;
  REFUSES(groot_mapping_warnings_json(NULL, &list, &error));
  REFUSES(groot_mapping_warnings_json(f->mapping, NULL, &error));
  REFUSES(groot_context_conflicts_json(NULL, &list, &error));
  REFUSES(groot_context_conflicts_json(f->context, NULL, &error));
  REFUSES(groot_context_changes_json(NULL, &list, &error));
  REFUSES(groot_context_changes_json(f->context, NULL, &error));
  CHECK(list == NULL);
}

static void test_fetches(groot_context *c) {
  json_t *json = NULL, *request = json_object();
  groot_objects *objects = NULL;
  size_t count = 5;
  REFUSES(groot_context_fetch_json(NULL, "Character", NULL, &objects, &error));
  REFUSES(groot_context_fetch_json(c, NULL, NULL, &objects, &error));
  REFUSES(groot_context_fetch_json(c, "Character", NULL, NULL, &error));
  REFUSES(groot_context_count_json(NULL, "Character", NULL, &count, &error));
  REFUSES(groot_context_count_json(c, NULL, NULL, &count, &error));
  REFUSES(groot_context_count_json(c, "Character", NULL, NULL, &error));
  REFUSES(groot_context_distinct_json(NULL, "Character", "name", NULL, &json, &error));
  REFUSES(groot_context_distinct_json(c, NULL, "name", NULL, &json, &error));
  REFUSES(groot_context_distinct_json(c, "Character", NULL, NULL, &json, &error));
  REFUSES(groot_context_distinct_json(c, "Character", "name", NULL, NULL, &error));
  REFUSES(groot_context_aggregate_json(NULL, "Character", request, &json, &error));
  REFUSES(groot_context_aggregate_json(c, NULL, request, &json, &error));
  REFUSES(groot_context_aggregate_json(c, "Character", request, NULL, &error));
  CHECK(objects == NULL && count == 0 && json == NULL);
  json_decref(request);
}

static void test_imports(groot_context *c, groot_object_id batman) {
  groot_objects *objects = NULL;
  json_t *array = json_array(), *object = json_object();
  REFUSES(groot_import_json(NULL, "Character", array, NULL, &objects, &error));
  REFUSES(groot_import_json(c, NULL, array, NULL, &objects, &error));
  REFUSES(groot_import_json(c, "Character", NULL, NULL, &objects, &error));
  REFUSES(groot_sync_json(NULL, "Character", array, NULL, &objects, &error));
  REFUSES(groot_sync_json(c, NULL, array, NULL, &objects, &error));
  REFUSES(groot_sync_json(c, "Character", NULL, NULL, &objects, &error));
  REFUSES(groot_object_fill_json(NULL, batman, object, NULL, &error));
  REFUSES(groot_object_fill_json(c, batman, NULL, NULL, &error));
  CHECK_FAILS(groot_object_fill_json(c, 0, object, NULL, &error), GROOT_UNKNOWN_OBJECT);
  CHECK(objects == NULL);
  json_decref(array);
  json_decref(object);
}

static void test_exports(groot_context *c, groot_object_id batman) {
  json_t *exported = NULL;
  REFUSES(groot_export_object_json(NULL, batman, NULL, &exported, &error));
  REFUSES(groot_export_object_json(c, batman, NULL, NULL, &error));
  REFUSES(groot_export_fetch_json(NULL, "Character", NULL, NULL, &exported, &error));
  REFUSES(groot_export_fetch_json(c, NULL, NULL, NULL, &exported, &error));
  REFUSES(groot_export_fetch_json(c, "Character", NULL, NULL, NULL, &error));
  REFUSES(groot_export_objects_json(NULL, &batman, 1, NULL, &exported, &error));
  REFUSES(groot_export_objects_json(c, NULL, 1, NULL, &exported, &error));
  REFUSES(groot_export_objects_json(c, &batman, 1, NULL, NULL, &error));
  REFUSES(groot_export_document_json(NULL, NULL, &exported, &error));
  REFUSES(groot_export_document_json(c, NULL, NULL, &error));
  CHECK(exported == NULL);

  /* The result is cleared on failure, whatever was in it. */
  exported = (json_t *)&exported;
  CHECK_FAILS(groot_export_object_json(c, 0, NULL, &exported, &error), GROOT_UNKNOWN_OBJECT);
  CHECK(exported == NULL);
}

int main(void) {
  fixture f = open_fixture("comics");
  groot_object_id batman = import_one(&f, "Character", "{'id': '1699', 'name': 'Batman'}");
  test_models(&f);
  test_registries();
  test_mappings_and_contexts(&f);
  test_fetches(f.context);
  test_imports(f.context, batman);
  test_exports(f.context, batman);
  check_graph(&f);
  close_fixture(&f);
  return finish("null_json");
}
