/* Transformers and mappers in both forms: most do what they should, others fail or are odd. */
#include "fuzz.h"

/* ---- for text ---- */

/* The value that a callback is given. */
static json_t *value_of(fuzz *f, const char *value, size_t size) {
  json_error_t error;
  REQUIRE(value != NULL && value[size] == 0);
  json_t *json = json_loadb(value, size, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
  enum json_error_code code = json_error_code(&error);
  /* Decimals of any size and nesting of any depth are JSON nevertheless. */
  if (!json && code != json_error_numeric_overflow && code != json_error_stack_overflow) {
    fail(f, "a callback was given no JSON: %s: %.200s", error.text, value);
  }
  return json;
}

static void set_deep(fuzz *f, groot_call *call) {
  size_t depth = chance(f, 30) ? 2100 : 40;
  char *text = malloc(2 * depth);
  if (!text) abort();
  memset(text, '[', depth);
  memset(text + depth, ']', depth);
  REQUIRE(groot_call_set_result(call, text, 2 * depth) == GROOT_OK);
  free(text);
}

static void set_large(fuzz *f, groot_call *call) {
  size_t size = chance(f, 5) ? 300000 : 300;
  char *text = malloc(size);
  if (!text) abort();
  memset(text, chance(f, 70) ? 'z' : '9', size);
  if (text[0] == 'z') text[0] = text[size - 1] = '"';
  REQUIRE(groot_call_set_result(call, text, size) == GROOT_OK);
  free(text);
}

static void set_json(groot_call *call, json_t *json) {
  char *text = text_of(json, 0);
  if (text) groot_call_set_result(call, text, GROOT_NTS);
  json_decref(json);
  free(text);
}

/* A result that is refused at once, and leaves what was given before. */
static void set_impossible(fuzz *f, groot_call *call) {
  const char *text = chance(f, 50) ? "true" : NULL;
  size_t size = text ? impossible_size(f) : 3;
  REQUIRE(groot_call_set_result(call, text, size) == GROOT_INVALID_ARGUMENT);
}

/* Sets a result that is odd; 1 when it is not JSON at all. */
static int set_odd(fuzz *f, groot_call *call) {
  static const char *const no_json[] = {"{",          "nope", "[1,]", "\xFF",
                                        "\"\xC3\"", "1 2",  "\"a",  "NaN"};
  switch (roll(f, 6)) {
    case 0: set_deep(f, call); return 0;
    case 1: set_large(f, call); return 0;
    case 2: groot_call_set_result(call, "", 0); return 0;
    case 3:
      REQUIRE(groot_call_set_result(call, no_json[roll(f, 8)], GROOT_NTS) == GROOT_OK);
      return 1;
    case 4: groot_call_set_result(call, "null", 4); return 0;
    default: set_json(call, odd_json(f)); return 0;
  }
}

/* Ends a callback in text form, whose result may be not JSON. */
static groot_status end_with(fuzz *f, groot_call *call, int is_odd) {
  groot_status status = end_call(f, call);
  if (status == GROOT_OK && is_odd) note_failure(f, GROOT_OK, NULL);
  return status;
}

groot_status transform(void *userdata, const char *value, size_t size, groot_call *call) {
  fuzz *f = userdata;
  int is_odd = 0;
  json_t *json = value_of(f, value, size);
  REQUIRE(!json_is_null(json));
  check_call(f, call, json, 0);
  json_decref(json);
  disturb(f);
  if (chance(f, 8)) is_odd = set_odd(f, call);
  if (chance(f, 4)) set_impossible(f, call);
  if (chance(f, 90)) {
    REQUIRE(groot_call_set_result(call, value, chance(f, 50) ? size : GROOT_NTS) == GROOT_OK);
    is_odd = 0;
  } else if (chance(f, 50)) {
    is_odd = set_odd(f, call);
  }
  return end_with(f, call, is_odd);
}

groot_status map_entity(void *userdata, const char *value, size_t size, groot_call *call) {
  fuzz *f = userdata;
  int is_odd = 0;
  json_t *json = value_of(f, value, size);
  REQUIRE(*value == '{');
  check_call(f, call, json, 1);
  json_decref(json);
  disturb(f);
  if (chance(f, 8)) is_odd = set_odd(f, call);
  else if (chance(f, 30)) set_json(call, json_string(f->schema.entities[any_entity(f, 0)].name));
  return end_with(f, call, is_odd);
}

groot_status transform_record(void *userdata, const char *value, size_t size, groot_call *call) {
  fuzz *f = userdata;
  int is_odd = 0;
  json_t *json = value_of(f, value, size);
  REQUIRE(*value == '{');
  check_call(f, call, json, 1);
  json_decref(json);
  disturb(f);
  if (chance(f, 8)) is_odd = set_odd(f, call);
  else if (chance(f, 10)) set_json(call, record_json(f, any_entity(f, 1), 1));
  else if (chance(f, 50)) REQUIRE(groot_call_set_result(call, value, size) == GROOT_OK);
  return end_with(f, call, is_odd);
}

/* ---- for jansson ---- */

groot_status transform_json(void *userdata, json_t *value, json_t **result, groot_call *call) {
  fuzz *f = userdata;
  REQUIRE(value != NULL && !json_is_null(value) && *result == NULL);
  check_call(f, call, value, 0);
  disturb(f);
  if (chance(f, 3)) *result = json_null();
  else if (chance(f, 6)) *result = odd_json(f);
  else if (chance(f, 97)) *result = json_incref(value);
  return end_call(f, call);
}

groot_status map_entity_json(void *userdata, json_t *value, json_t **result, groot_call *call) {
  fuzz *f = userdata;
  REQUIRE(json_is_object(value) && *result == NULL);
  check_call(f, call, value, 1);
  disturb(f);
  if (chance(f, 30)) *result = json_string(f->schema.entities[any_entity(f, 0)].name);
  else if (chance(f, 4)) *result = odd_json(f);
  return end_call(f, call);
}

groot_status transform_record_json(void *userdata, json_t *value, json_t **result,
                                   groot_call *call) {
  fuzz *f = userdata;
  REQUIRE(json_is_object(value) && *result == NULL);
  check_call(f, call, value, 1);
  disturb(f);
  if (chance(f, 4)) *result = odd_json(f);
  else if (chance(f, 10)) *result = record_json(f, any_entity(f, 1), 1);
  else if (chance(f, 50)) *result = json_deep_copy(value);
  return end_call(f, call);
}
