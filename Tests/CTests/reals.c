/* Reals that are not numbers, which a json_t can hold and JSON cannot, are refused everywhere. */
#include "support.h"

#include <math.h>
#include <string.h>

static groot_error *error;
static const size_t nts = GROOT_NTS;

/* jansson makes no such real; its struct is that of its own private header. */
static json_t *unreal(double value) {
  struct {
    json_t json;
    double value;
  } *made;
  json_t *real = json_real(1.0);
  memcpy(&made, &real, sizeof made);
  made->value = value;
  return real;
}

static double given;

static groot_status give(void *userdata, json_t *value, json_t **result, groot_call *call) {
  (void)userdata, (void)value, (void)call;
  *result = unreal(given);
  return GROOT_OK;
}

static void test(double value) {
  groot_registry *registry = NULL;
  CHECK_OK(groot_registry_create(&registry, &error));
  CHECK_OK(groot_registry_set_transformer_json(registry, "T", give, NULL, NULL, NULL, &error));
  fixture f = open_document(
      "{'entities': {'Thing': {'attributes': {"
      "'d': {'type': 'double', 'optional': true, 'userInfo': {'JSONKeyPath': 'd'}},"
      "'j': {'type': 'transformable', 'optional': true, 'userInfo': {'JSONKeyPath': 'j'}},"
      "'t': {'type': 'double', 'optional': true,"
      " 'userInfo': {'JSONKeyPath': 't', 'JSONTransformerName': 'T'}}}}}}",
      registry);
  static const char *const keys[] = {"d", "j", "nobody"};
  groot_object_id thing = 0;
  CHECK_OK(groot_object_insert(f.context, "Thing", &thing, &error));
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
    json_t *record = json_pack("{s:o}", keys[i], unreal(value));
    CHECK_FAILS(groot_import_json(f.context, "Thing", record, NULL, NULL, &error),
                GROOT_OUT_OF_RANGE);
    CHECK_FAILS(groot_object_fill_json(f.context, thing, record, NULL, &error),
                GROOT_OUT_OF_RANGE);
    json_decref(record);
  }
  given = value;
  CHECK(groot_import_text(f.context, "Thing", "{\"t\": 1}", nts, NULL, NULL, NULL) != 0);
  CHECK_EQUAL(value_of(&f, thing, "d").kind, GROOT_VALUE_NULL);
  CHECK_EQUAL(count_of(&f, "Thing"), 1);
  check_graph(&f);
  close_fixture(&f);
}

int main(void) {
  test(INFINITY);
  test(-INFINITY);
  test(NAN);
  return finish("reals");
}
