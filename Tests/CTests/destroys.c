/* What a callback's userdata is given back to: once, when nothing can call the function any more.
 */
#include "support.h"

static groot_error *error;

/* A model of one entity whose only attribute goes through the transformer T. */
static const char one_attribute[] =
    "{'entities': {'Thing': {'attributes': {'name': {'type': 'string', 'optional': true,"
    " 'userInfo': {'JSONKeyPath': 'name', 'JSONTransformerName': 'T'}}}}}}";

static void destroy(void *userdata) { ++*(int *)userdata; }

static groot_status same(void *userdata, const char *value, size_t size, groot_call *call) {
  (void)userdata;
  return groot_call_set_result(call, value, size);
}

static groot_status same_json(void *userdata, json_t *value, json_t **result, groot_call *call) {
  (void)userdata, (void)call;
  *result = json_incref(value);
  return GROOT_OK;
}

/* Registers a function, or NULL when `has_function` is 0, with userdata that counts. */
typedef groot_status setter(groot_registry *registry, const char *name, int has_function,
                            int *destroyed);

#define SETTER(kind, function, ...)                                                     \
  static groot_status set_##kind(groot_registry *r, const char *name, int has_function, \
                                 int *destroyed) {                                      \
    return groot_registry_set_##kind(r, name, has_function ? function : NULL,           \
                                     __VA_ARGS__ destroyed, destroy, &error);           \
  }
#define NO_REVERSE NULL,
SETTER(transformer, same, NO_REVERSE)
SETTER(transformer_json, same_json, NO_REVERSE)
SETTER(entity_mapper, same, )
SETTER(entity_mapper_json, same_json, )
SETTER(dictionary_transformer, same, )
SETTER(dictionary_transformer_json, same_json, )

/* The functions in text, and their twins. */
enum { TRANSFORMER, MAPPER, DICTIONARY, KINDS };
static setter *const setters[2][KINDS] = {
    {set_transformer, set_entity_mapper, set_dictionary_transformer},
    {set_transformer_json, set_entity_mapper_json, set_dictionary_transformer_json}};

static groot_registry *new_registry(void) {
  groot_registry *registry = NULL;
  CHECK_OK(groot_registry_create(&registry, &error));
  return registry;
}

static void test_freed_registry(setter *const *set) {
  for (int kind = 0; kind < KINDS; kind++) {
    int destroyed = 0;
    groot_registry *registry = new_registry();
    CHECK_OK(set[kind](registry, "T", 1, &destroyed));
    CHECK_EQUAL(destroyed, 0);
    groot_registry_free(registry);
    CHECK_EQUAL(destroyed, 1);
  }
}

static void test_replaced_and_removed(setter *const *set) {
  int first = 0, second = 0, third = 0;
  groot_registry *registry = new_registry();
  CHECK_OK(set[TRANSFORMER](registry, "T", 1, &first));
  CHECK_OK(set[MAPPER](registry, "T", 1, &second));
  CHECK_EQUAL(first, 1);
  CHECK_OK(set[DICTIONARY](registry, "T", 1, &third));
  CHECK_EQUAL(second, 1);
  CHECK_OK(groot_registry_remove(registry, "T", &error));
  CHECK_EQUAL(third, 1);
  CHECK_FAILS(groot_registry_remove(registry, "T", &error), GROOT_UNKNOWN_TRANSFORMER);

  CHECK_OK(set[TRANSFORMER](registry, "T", 1, &first));
  CHECK_OK(groot_registry_set_builtin(registry, "T", "integer-text", &error));
  CHECK_EQUAL(first, 2);
  groot_registry_free(registry);
  CHECK_EQUAL(first, 2);
  CHECK_EQUAL(second, 1);
  CHECK_EQUAL(third, 1);
}

static void test_waiting_for_the_mapping(setter *const *set) {
  int destroyed = 0;
  groot_registry *registry = new_registry();
  CHECK_OK(set[TRANSFORMER](registry, "T", 1, &destroyed));
  fixture f = open_document(one_attribute, registry);
  CHECK_OK(groot_registry_remove(registry, "T", &error));
  groot_registry_free(f.registry);
  f.registry = NULL;
  groot_model_free(f.model);
  f.model = NULL;
  CHECK_EQUAL(destroyed, 0);
  groot_mapping_free(f.mapping);
  f.mapping = NULL;
  CHECK_EQUAL(destroyed, 0);
  groot_object_id thing = import_one(&f, "Thing", "{'name': 'bat'}");
  CHECK_TEXT(text_of(&f, thing, "name"), "bat");
  close_fixture(&f);
  CHECK_EQUAL(destroyed, 1);
}

static void test_failed_registrations(setter *const *set) {
  for (int kind = 0; kind < KINDS; kind++) {
    int destroyed = 0;
    groot_registry *registry = new_registry();
    CHECK_FAILS(set[kind](registry, NULL, 1, &destroyed), GROOT_INVALID_ARGUMENT);
    CHECK_EQUAL(destroyed, 1);
    CHECK_FAILS(set[kind](NULL, "T", 1, &destroyed), GROOT_INVALID_ARGUMENT);
    CHECK_EQUAL(destroyed, 2);
    CHECK_FAILS(set[kind](registry, "T", 0, &destroyed), GROOT_INVALID_ARGUMENT);
    CHECK_EQUAL(destroyed, 3);
    CHECK_FAILS(set[kind](registry, "\xff", 1, &destroyed), GROOT_INVALID_UTF8);
    CHECK_EQUAL(destroyed, 4);
    groot_registry_free(registry);
    CHECK_EQUAL(destroyed, 4);
  }
}

int main(void) {
  for (int by_json = 0; by_json < 2; by_json++) {
    test_freed_registry(setters[by_json]);
    test_replaced_and_removed(setters[by_json]);
    test_waiting_for_the_mapping(setters[by_json]);
    test_failed_registrations(setters[by_json]);
  }
  return finish("destroys");
}
