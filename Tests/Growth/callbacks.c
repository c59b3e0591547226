/*
 * Imports that call functions of the registry.
 *
 * A function that takes text gets each value written out, so a dictionary transformer for records
 * within records takes the depth times the size: here that one takes a json_t, which is shared.
 */
#include "growth.h"

#include <string.h>

/* The value as it is, in both forms. */
static groot_status same(void *userdata, const char *value, size_t size, groot_call *call) {
  (void)userdata;
  return groot_call_set_result(call, value, size);
}

static groot_status same_json(void *userdata, json_t *value, json_t **result, groot_call *call) {
  (void)userdata, (void)call;
  *result = json_incref(value);
  return GROOT_OK;
}

/* Asks where a value is that says so. */
static groot_status asking(void *userdata, const char *value, size_t size, groot_call *call) {
  if (strcmp(value, "\"where\"") == 0 && groot_call_path(call).size == 0) {
    return GROOT_TRANSFORM_FAILED;
  }
  return same(userdata, value, size, call);
}

/* A record within a record within ...: each is handed to a function with all that is inside. */
void prepare_chain(scene *scene) {
  static const char document[] =
      "{'entities': {'Link': {'userInfo': {'JSONDictionaryTransformerName': 'same'},"
      " 'attributes': {'id': {'type': 'integer64', 'userInfo': {'JSONKeyPath': 'id'}}},"
      " 'relationships': {'next': {'destination': 'Link', 'optional': true,"
      "   'userInfo': {'JSONKeyPath': 'next'}}}}}}";
  builder text = {0};
  must(groot_registry_create(&scene->registry, &error));
  must(groot_registry_set_dictionary_transformer_json(scene->registry, "same", same_json, NULL,
                                                      NULL, &error));
  make_mapping(scene, document);
  must(groot_context_create(scene->mapping, &scene->context, &error));
  scene->entity = "Link";
  size_t depth = scene->n / 8; /* JSON nests 2,048 levels at most */
  for (size_t record = 0; record < 8; record++) {
    add(&text, record ? "," : "[");
    for (size_t index = 0; index < depth; index++) add(&text, "{\"id\": 1, \"next\": ");
    add(&text, "null");
    for (size_t index = 0; index < depth; index++) add(&text, "}");
  }
  add(&text, "]");
  set_text(scene, text);
}

/* A context of items with a text that a function makes. */
static void begin_items(scene *scene, groot_transform_function function) {
  static const char document[] =
      "{'entities': {'Item': {'attributes': {'text': {'type': 'string', 'optional': true,"
      "   'userInfo': {'JSONKeyPath': 'text', 'JSONTransformerName': 'function'}}},"
      " 'relationships': {'items': {'destination': 'Item', 'toMany': true, 'optional': true,"
      "   'userInfo': {'JSONKeyPath': 'items'}}}}}}";
  must(groot_registry_create(&scene->registry, &error));
  must(groot_registry_set_transformer(scene->registry, "function", function, NULL, NULL, NULL,
                                      &error));
  make_mapping(scene, document);
  must(groot_context_create(scene->mapping, &scene->context, &error));
  scene->entity = "Item";
}

/* Items, in a list or inside one record; the text of the last says something else. */
static void set_items(scene *scene, const char *value, const char *last, int is_one_record) {
  builder text = {0};
  add(&text, is_one_record ? "{\"items\": [" : "[");
  for (size_t index = 1; index <= scene->n; index++) {
    add(&text, "{\"text\": \"%s\"}%s", index < scene->n ? value : last,
        index < scene->n ? "," : "");
  }
  add(&text, is_one_record ? "]}" : "]");
  set_text(scene, text);
}

void prepare_values(scene *scene) {
  begin_items(scene, same);
  set_items(scene, "value", "last", 1);
}

void prepare_long_value(scene *scene) {
  builder text = {0};
  begin_items(scene, same);
  add(&text, "{\"text\": \"");
  for (size_t index = 0; index < scene->n * 4; index++) {
    add(&text, "a text of thirty-two characters ");
  }
  add(&text, "\"}");
  set_text(scene, text);
}

/* Each record is asked once where its value is. */
void prepare_asking_records(scene *scene) {
  begin_items(scene, asking);
  set_items(scene, "where", "where", 0);
}

/* One value of many in a record: the answer takes time in proportion to the record. */
void prepare_asking_once(scene *scene) {
  begin_items(scene, asking);
  set_items(scene, "value", "where", 1);
}
