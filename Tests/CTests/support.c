/* What the C tests share: contexts and JSON made in one line. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program when a step fails that the test only builds on. */
static void must(groot_status status, groot_error *error, const char *what) {
  if (status == GROOT_OK) return;
  groot_string shown = groot_error_text(error);
  fprintf(stderr, "%s: %d (%s): %.*s\n", what, (int)status, groot_status_name(status),
          (int)shown.size, shown.data ? shown.data : "");
  check(0, what, __FILE__, __LINE__);
  exit(finish("ended early"));
}

const char *text(const char *quoted) {
  static char buffers[8][8192];
  static unsigned next;
  char *buffer = buffers[next++ % 8];
  size_t size = strlen(quoted);
  if (size >= sizeof buffers[0]) abort();
  for (size_t i = 0; i <= size; i++) buffer[i] = quoted[i] == '\'' ? '"' : quoted[i];
  return buffer;
}

json_t *json(const char *quoted) {
  json_error_t error;
  json_t *value = json_loads(text(quoted), JSON_DECODE_ANY, &error);
  if (!value) {
    fprintf(stderr, "not JSON: %s: %s\n", quoted, error.text);
    exit(1);
  }
  return value;
}

json_t *taken(groot_buffer *buffer) {
  json_t *value =
      buffer->data ? json_loadb(buffer->data, buffer->size, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL)
                   : NULL;
  groot_buffer_free(buffer);
  return value;
}

json_t *load_model(const char *name) {
  char path[256];
  json_error_t error;
  snprintf(path, sizeof path, "Tests/Cases/models/%s.json", name);
  json_t *document = json_load_file(path, 0, &error);
  if (!document) {
    fprintf(stderr, "%s: %s\n", path, error.text);
    exit(1);
  }
  return document;
}

groot_status map_message(void *userdata, json_t *value, json_t **result, groot_call *call) {
  (void)userdata, (void)call;
  const char *type = json_string_value(json_object_get(value, "type"));
  if (!type) return GROOT_OK;
  if (strcmp(type, "text") == 0) *result = json_string("TextMessage");
  if (strcmp(type, "picture") == 0) *result = json_string("PictureMessage");
  return GROOT_OK;
}

/* Consumes the document. */
static fixture open_json(json_t *document, groot_registry *registry,
                         const groot_mapping_options *options) {
  fixture made = {NULL, registry, NULL, NULL};
  groot_error *error = NULL;
  must(groot_model_create_json(document, &made.model, &error), error, "model");
  json_decref(document);
  must(groot_mapping_create(made.model, registry, options, &made.mapping, &error), error,
       "mapping");
  must(groot_context_create(made.mapping, &made.context, &error), error, "context");
  return made;
}

fixture open_fixture(const char *model) {
  groot_registry *registry = NULL;
  groot_error *error = NULL;
  must(groot_registry_create(&registry, &error), error, "registry");
  must(groot_registry_set_builtin(registry, "StringToInteger", "integer-text", &error), error,
       "StringToInteger");
  must(groot_registry_set_entity_mapper_json(registry, "MessageMapper", map_message, NULL, NULL,
                                             &error),
       error, "MessageMapper");
  return open_json(load_model(model), registry, NULL);
}

fixture open_document(const char *document, groot_registry *registry) {
  return open_json(json(document), registry, NULL);
}

fixture open_dialect(const char *document, const char *dialect, uint32_t flags) {
  groot_mapping_options options = GROOT_MAPPING_OPTIONS_INIT;
  options.dialect = dialect;
  options.flags = flags;
  return open_json(json(document), NULL, &options);
}

void close_fixture(fixture *fixture) {
  groot_context_free(fixture->context);
  groot_mapping_free(fixture->mapping);
  groot_registry_free(fixture->registry);
  groot_model_free(fixture->model);
}

groot_object_id insert(fixture *fixture, const char *entity) {
  groot_object_id object = 0;
  groot_error *error = NULL;
  CHECK_OK(groot_object_insert(fixture->context, entity, &object, &error));
  CHECK(object != 0);
  return object;
}

groot_objects *import(fixture *fixture, const char *entity, const char *quoted) {
  groot_objects *objects = NULL;
  groot_error *error = NULL;
  must(groot_import_text(fixture->context, entity, text(quoted), GROOT_NTS, NULL, &objects, &error),
       error, quoted);
  return objects;
}

groot_object_id import_one(fixture *fixture, const char *entity, const char *quoted) {
  groot_objects *objects = import(fixture, entity, quoted);
  groot_object_id first = groot_objects_at(objects, 0);
  groot_objects_free(objects);
  return first;
}

groot_status import_status(fixture *fixture, const char *entity, const char *quoted) {
  return groot_import_text(fixture->context, entity, text(quoted), GROOT_NTS, NULL, NULL, NULL);
}

char *snapshot(fixture *fixture) {
  json_t *document = NULL;
  groot_error *error = NULL;
  must(groot_model_document_json(fixture->model, &document, &error), error, "model document");
  json_t *all = json_object();
  const char *name;
  json_t *entity;
  json_object_foreach(json_object_get(document, "entities"), name, entity) {
    if (json_is_string(json_object_get(entity, "parent"))) continue;
    groot_objects *objects = NULL;
    json_t *exported = NULL;
    must(groot_context_fetch(fixture->context, name, NULL, &objects, &error), error, "fetch");
    must(groot_export_objects_json(fixture->context, groot_objects_data(objects),
                           groot_objects_count(objects), NULL, &exported, &error),
         error, "export");
    json_object_set_new(all, name, exported);
    groot_objects_free(objects);
  }
  char *shown = json_dumps(all, JSON_SORT_KEYS | JSON_COMPACT);
  json_decref(all);
  json_decref(document);
  return shown;
}

groot_property property_of(fixture *fixture, groot_object_id object, const char *name) {
  groot_property property = -1;
  groot_error *error = NULL;
  must(groot_object_property(fixture->context, object, name, &property, &error), error, name);
  return property;
}

groot_value value_of(fixture *fixture, groot_object_id object, const char *name) {
  groot_value value;
  groot_error *error = NULL;
  must(groot_object_get(fixture->context, object, property_of(fixture, object, name), &value,
                        &error),
       error, name);
  return value;
}

groot_string text_of(fixture *fixture, groot_object_id object, const char *name) {
  groot_value value = value_of(fixture, object, name);
  groot_string none = {NULL, 0};
  return value.kind == GROOT_VALUE_NULL ? none : value.as.text;
}

int64_t integer_of(fixture *fixture, groot_object_id object, const char *name) {
  return value_of(fixture, object, name).as.integer;
}

groot_object_id object_of(fixture *fixture, groot_object_id object, const char *name) {
  groot_value value = value_of(fixture, object, name);
  return value.kind == GROOT_VALUE_OBJECT ? value.as.object : 0;
}

size_t members_of(fixture *fixture, groot_object_id object, const char *name) {
  size_t count = 0;
  groot_error *error = NULL;
  must(groot_object_member_count(fixture->context, object, property_of(fixture, object, name),
                                 &count, &error),
       error, name);
  return count;
}

size_t count_of(fixture *fixture, const char *entity) {
  size_t count = 0;
  groot_error *error = NULL;
  must(groot_context_count(fixture->context, entity, NULL, &count, &error), error, entity);
  return count;
}

json_t *export_of(fixture *fixture, groot_object_id object) {
  json_t *exported = NULL;
  groot_error *error = NULL;
  must(groot_export_object_json(fixture->context, object, NULL, &exported, &error), error,
       "export");
  return exported;
}

void check_graph(fixture *fixture) {
  groot_error *error = NULL;
  CHECK_OK(groot_context_check(fixture->context, &error));
}
