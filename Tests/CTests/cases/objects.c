/* Steps that make, change and read single objects, by the names that a case gives them. */
#include "cases.h"

#include <stdlib.h>
#include <string.h>

json_t *ids_as_json(const groot_objects *objects) {
  json_t *ids = json_array();
  for (size_t i = 0; i < groot_objects_count(objects); i++)
    json_array_append_new(ids, json_integer((json_int_t)groot_objects_at(objects, i)));
  return ids;
}

groot_object_id kept_object(run *run, const char *name) {
  json_t *ids = json_object_get(run->kept, name);
  if (json_array_size(ids) == 0) complain(run, "nothing is kept as %s", name);
  return (groot_object_id)json_integer_value(json_array_get(ids, 0));
}

static json_t *as_json(const groot_value *value) {
  const char *text = value->as.text.data;
  const size_t size = value->as.text.size;
  switch (value->kind) {
    case GROOT_VALUE_INTEGER:
    case GROOT_VALUE_DATE:
    case GROOT_VALUE_DAY: return json_integer(value->as.integer);
    case GROOT_VALUE_REAL: return json_real(value->as.real);
    case GROOT_VALUE_BOOLEAN: return json_boolean(value->as.integer);
    case GROOT_VALUE_DECIMAL: {
      json_t *number = json_loadb(text, size, JSON_DECODE_ANY, NULL);
      return number ? number : json_stringn(text, size); /* beyond the range of doubles */
    }
    case GROOT_VALUE_JSON: return json_loadb(text, size, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    case GROOT_VALUE_OBJECT: return json_integer((json_int_t)value->as.object);
    case GROOT_VALUE_NULL: return json_null();
    default: return json_stringn_nocheck(size ? text : "", size);
  }
}

json_t *value_as_json(groot_context *context, groot_object_id object, const char *property,
                      groot_error **error) {
  groot_value value;
  groot_property number = 0;
  groot_objects *members = NULL;
  if (groot_object_property(context, object, property, &number, error)) return NULL;
  if (groot_object_get(context, object, number, &value, NULL) == GROOT_OK) return as_json(&value);
  if (groot_object_members(context, object, number, &members, error)) return NULL;
  json_t *ids = ids_as_json(members);
  groot_objects_free(members);
  return ids;
}

/* The ids of what is kept under a name, or under each of a list of names; null stays. */
static json_t *kept_ids(run *run, json_t *names) {
  if (json_is_string(names))
    return json_integer((json_int_t)kept_object(run, json_string_value(names)));
  if (!json_is_array(names)) return json_incref(names);
  json_t *ids = json_array(), *name;
  size_t index;
  json_array_foreach(names, index, name)
      json_array_extend(ids, json_object_get(run->kept, json_string_value(name)));
  return ids;
}

static void compare_value(run *run, json_t *step, groot_object_id object, json_t *expected) {
  groot_error *error = NULL;
  const char *property = string_at(step, "property");
  json_t *actual = value_as_json(run->fixture.context, object, property, &error);
  if (!actual) {
    complain_error(run, "cannot read the property", error);
  } else if (!equal(actual, expected)) {
    complain_json(run, property, actual, expected);
  }
  json_decref(actual);
  groot_error_free(error);
}

void run_get(run *run, json_t *step) {
  compare_value(run, step, kept_object(run, string_at(step, "get")),
                json_object_get(step, "equals"));
}

void run_members(run *run, json_t *step) {
  json_t *expected = kept_ids(run, json_object_get(step, "equals"));
  compare_value(run, step, kept_object(run, string_at(step, "members")), expected);
  json_decref(expected);
}

static groot_value given_value(json_t *given) {
  groot_value value = {GROOT_VALUE_NULL, 0, {0}};
  if (json_is_integer(given)) {
    value.kind = GROOT_VALUE_INTEGER;
    value.as.integer = json_integer_value(given);
  } else if (json_is_real(given)) {
    value.kind = GROOT_VALUE_REAL;
    value.as.real = json_real_value(given);
  } else if (json_is_boolean(given)) {
    value.kind = GROOT_VALUE_BOOLEAN;
    value.as.integer = json_is_true(given);
  } else if (json_is_string(given)) {
    value.kind = GROOT_VALUE_STRING;
    value.as.text.data = json_string_value(given);
    value.as.text.size = json_string_length(given);
  }
  return value;
}

/* Sets an attribute, as JSON text where the attribute takes any JSON. */
static groot_status set_value(run *run, groot_object_id object, groot_property property,
                              json_t *given, groot_error **error) {
  groot_value value = given_value(given);
  groot_context *context = run->fixture.context;
  groot_status status;
  if (!json_is_object(given) && !json_is_array(given)) {
    status = groot_object_set(context, object, property, &value, error);
    if (status != GROOT_WRONG_TYPE) return status;
    groot_error_free(*error);
  }
  char *text = json_dumps(given, JSON_ENCODE_ANY | JSON_COMPACT);
  value.kind = GROOT_VALUE_JSON;
  value.as.text.data = text;
  value.as.text.size = strlen(text);
  status = groot_object_set(context, object, property, &value, error);
  free(text);
  return status;
}

static groot_status set_members(run *run, groot_object_id object, groot_property property,
                                json_t *names, groot_error **error) {
  groot_object_id members[64];
  json_t *ids = kept_ids(run, names);
  const size_t size = json_array_size(ids), count = size < 64 ? size : 64;
  for (size_t i = 0; i < count; i++)
    members[i] = (groot_object_id)json_integer_value(json_array_get(ids, i));
  json_decref(ids);
  return groot_object_set_members(run->fixture.context, object, property, members, count, error);
}

void run_set(run *run, json_t *step) {
  groot_object_id object = kept_object(run, string_at(step, "set"));
  json_t *members = json_object_get(step, "members");
  const char *target = string_at(step, "object");
  groot_value link = {GROOT_VALUE_OBJECT, 0, {0}};
  groot_property property = 0;
  groot_error *error = NULL;
  groot_context *context = run->fixture.context;
  groot_status status =
      groot_object_property(context, object, string_at(step, "property"), &property, &error);
  if (status == GROOT_OK && members) {
    status = set_members(run, object, property, members, &error);
  } else if (status == GROOT_OK && target) {
    link.as.object = kept_object(run, target);
    status = groot_object_set(context, object, property, &link, &error);
  } else if (status == GROOT_OK) {
    status = set_value(run, object, property, json_object_get(step, "value"), &error);
  }
  if (status != GROOT_OK) complain_error(run, "cannot set the property", error);
  groot_error_free(error);
}

void run_insert(run *run, json_t *step) {
  groot_object_id object = 0;
  groot_error *error = NULL;
  if (groot_object_insert(run->fixture.context, string_at(step, "insert"), &object, &error))
    complain_error(run, "cannot insert", error);
  json_object_set_new(run->kept, string_at(step, "as"), json_pack("[I]", (json_int_t)object));
  groot_error_free(error);
}

void run_delete(run *run, json_t *step) {
  groot_error *error = NULL;
  groot_object_id object = kept_object(run, string_at(step, "delete"));
  if (groot_object_delete(run->fixture.context, object, &error))
    complain_error(run, "cannot delete", error);
  groot_error_free(error);
}
