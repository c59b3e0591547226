// What Swift cannot import from jansson.h: macros that look like functions, and inline functions
// that change a reference count.
#ifndef GROOT_CJANSSON_SHIM_H
#define GROOT_CJANSSON_SHIM_H

#include <jansson.h>

static inline json_t *groot_json_retain(json_t *json) { return json_incref(json); }
static inline void groot_json_release(json_t *json) { json_decref(json); }
static inline int groot_json_kind(const json_t *json) { return (int)json_typeof(json); }
static inline int groot_json_boolean_value(const json_t *json) { return json_is_true(json); }
static inline size_t groot_json_references(const json_t *json) { return json->refcount; }
static inline int groot_json_error_is_depth(const json_error_t *error) {
  return json_error_code(error) == json_error_stack_overflow;
}
// Whether jansson refused a text because its C types hold less than JSON can say.
static inline int groot_json_error_is_of_types(const json_error_t *error) {
  enum json_error_code code = json_error_code(error);
  return code == json_error_numeric_overflow || code == json_error_null_byte_in_key ||
         code == json_error_null_character;
}

#endif
