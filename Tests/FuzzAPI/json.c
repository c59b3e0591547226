/* Random JSON: records that fit the model more or less, and JSON that fits nothing. */
#include <math.h>
#include <stdio.h>

#include "fuzz.h"

/* Sets a value under a key, or under the last of two keys with a dot between them. */
static void put(json_t *record, const char *key, json_t *value) {
  const char *dot = strchr(key, '.');
  if (!dot) {
    json_object_set_new(record, key, value);
    return;
  }
  char way[16];
  snprintf(way, sizeof way, "%.*s", (int)(dot - key), key);
  json_t *inner = json_object_get(record, way);
  if (!inner) json_object_set_new(record, way, inner = json_object());
  json_object_set_new(inner, dot + 1, value);
}

static json_t *identifier_json(fuzz *f) {
  return chance(f, 60) ? json_integer(roll(f, 6)) : json_string(chance(f, 50) ? "aaa" : "bbb");
}

static json_t *member_json(fuzz *f, int entity, int depth) {
  if (depth == 0 || chance(f, 30)) return identifier_json(f);
  if (chance(f, 5)) return json_null();
  for (int i = 0; i < 4; i++) { /* a sub-entity now and then */
    int other = any_entity(f, 1);
    if (is_kind_of(&f->schema, other, entity)) return record_json(f, other, depth - 1);
  }
  return record_json(f, entity, depth - 1);
}

json_t *record_json(fuzz *f, int number, int depth) {
  const entity *entity = &f->schema.entities[number];
  json_t *record = json_object();
  for (int slot = 0; slot < entity->slot_count; slot++) {
    const property *one = &f->schema.properties[entity->slots[slot]];
    if (one->kind < TO_ONE) {
      if (!chance(f, one->is_optional ? 70 : 95)) continue;
      put(record, one->key, attribute_json(f, one->kind));
    } else if (chance(f, 40)) {
      if (one->kind == TO_ONE || chance(f, 3)) {
        put(record, one->key, member_json(f, one->destination, depth));
        continue;
      }
      json_t *list = json_array();
      for (uint32_t count = roll(f, 3); count > 0; count--) {
        json_array_append_new(list, member_json(f, one->destination, depth));
      }
      put(record, one->key, list);
    }
  }
  if (chance(f, 5)) json_object_set_new(record, "nobody", odd_json(f));
  return record;
}

json_t *feed_json(fuzz *f, int entity) {
  if (chance(f, 3)) {
    f->is_doubtful = 1;
    return odd_json(f);
  }
  if (chance(f, 20)) return record_json(f, entity, 2);
  json_t *list = json_array();
  for (uint32_t count = roll(f, 4); count > 0; count--) {
    json_array_append_new(list, chance(f, 90) ? record_json(f, entity, 2) : identifier_json(f));
  }
  return list;
}

/* A real that jansson makes for nobody: its struct, as its own header has it privately. */
static json_t *not_a_number(double value) {
  struct {
    json_t json;
    double value;
  } *made;
  json_t *real = json_real(1.0);
  if (!real) return NULL;
  memcpy(&made, &real, sizeof made);
  made->value = value;
  return real;
}

static json_t *nested(int depth, int is_object) {
  json_t *json = json_integer(1);
  for (; depth > 0; depth--) {
    json_t *outer = is_object ? json_object() : json_array();
    if (is_object) json_object_set_new(outer, "a", json);
    else json_array_append_new(outer, json);
    json = outer;
  }
  return json;
}

static json_t *shared(int levels) {
  json_t *json = json_string("x");
  for (; levels > 0; levels--) {
    json_t *outer = json_array();
    json_array_append(outer, json);
    json_array_append_new(outer, json);
    json = outer;
  }
  return json;
}

static json_t *large_text(size_t size) {
  char *text = malloc(size);
  if (!text) return json_null();
  memset(text, 'z', size);
  json_t *json = json_stringn(text, size);
  free(text);
  return json;
}

json_t *odd_json(fuzz *f) {
  switch (roll(f, 16)) {
    case 0: return nested(chance(f, 30) ? 2100 : 40, 0);
    case 1: return nested(chance(f, 30) ? 2100 : 40, 1);
    case 2: return not_a_number(NAN);
    case 3: return not_a_number(chance(f, 50) ? INFINITY : -INFINITY);
    case 4: return json_string_nocheck("\xFF\xFE");
    case 5: return json_stringn_nocheck("\xC3", 1);
    case 6: return json_stringn_nocheck("a\0b", 3);
    case 7: return shared(chance(f, 10) ? 10 : 3);
    case 8: return large_text(chance(f, 5) ? 300000 : 300);
    case 9: {
      json_t *object = json_object();
      json_object_set_new_nocheck(object, "\xFF", json_true());
      json_object_set_new(object, "", json_null());
      return object;
    }
    case 10: return json_real(1e308);
    case 11: return json_integer(INT64_MIN);
    case 12: return json_array();
    case 13: return json_object();
    case 14: return json_boolean(chance(f, 50));
    default: return json_string("text");
  }
}

/* Changes a few bytes, so that text is not JSON, or other JSON. */
static void spoil(fuzz *f, char *text, size_t size) {
  static const char bytes[] = "{}[]\",:0-.eE\\u\0\xFF\x80 \n";
  for (uint32_t count = 1 + roll(f, 2); count > 0 && size > 0; count--) {
    text[roll(f, (uint32_t)size)] = bytes[roll(f, sizeof bytes)];
  }
}

char *text_of(const json_t *json, size_t flags) {
  json_error_t error;
  char *text = json_dumps(json, JSON_ENCODE_ANY | flags);
  /* Infinity and keys that are not UTF-8 are written as what is not JSON. */
  json_t *again = text ? json_loads(text, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error) : NULL;
  int is_json = again || (text && json_error_code(&error) == json_error_stack_overflow);
  json_decref(again);
  if (is_json) return text;
  free(text);
  return NULL;
}

char *feed_text(fuzz *f, int entity, size_t *size) {
  json_t *json = feed_json(f, entity);
  char *text = text_of(json, chance(f, 30) ? JSON_INDENT(1) : JSON_COMPACT);
  feed_callbacks(f, json);
  json_decref(json);
  if (!text) text = strdup("[]");
  if (!text) abort();
  *size = strlen(text);
  if (chance(f, 12)) {
    spoil(f, text, *size);
    feed_callbacks(f, NULL);
    f->is_doubtful = 1;
  }
  if (chance(f, 3) && *size > 0) *size = roll(f, (uint32_t)*size), f->is_doubtful = 1;
  text[*size] = 0;
  return text;
}

static json_t *condition_json(fuzz *f, const property *one) {
  static const char *const operators[] = {"==", "!=",       "<",         "<=",       ">",   ">=",
                                          "in", "contains", "beginsWith", "between", "like", "no"};
  if (one->kind == TO_ONE) return json_null();
  if (one->kind < TO_ONE && chance(f, 40)) return attribute_json(f, one->kind);
  json_t *condition = json_object();
  if (one->kind == TO_MANY) {
    static const char *const quantifiers[] = {"any", "all", "none", "count"};
    const char *quantifier = quantifiers[roll(f, 4)];
    json_object_set_new(condition, quantifier,
                        chance(f, 30) ? json_integer(roll(f, 3)) : json_object());
    return condition;
  }
  const char *word = operators[roll(f, 12)];
  json_t *operand = attribute_json(f, one->kind);
  if (strcmp(word, "in") == 0 || strcmp(word, "between") == 0) {
    json_t *list = json_array();
    json_array_append(list, operand);
    json_array_append_new(list, operand);
    operand = list;
  }
  json_object_set_new(condition, word, operand);
  return condition;
}

static json_t *where_json(fuzz *f, const entity *entity, int depth) {
  json_t *where = json_object();
  if (depth > 0 && chance(f, 30)) {
    static const char *const words[] = {"and", "or", "not"};
    const char *word = words[roll(f, 3)];
    json_t *inner = where_json(f, entity, depth - 1);
    if (strcmp(word, "not") != 0) {
      json_t *list = json_array();
      json_array_append_new(list, inner);
      inner = list;
    }
    json_object_set_new(where, word, inner);
    return where;
  }
  if (entity->slot_count == 0) return where;
  const property *one =
      &f->schema.properties[entity->slots[roll(f, (uint32_t)entity->slot_count)]];
  json_object_set_new(where, chance(f, 95) ? one->name : "nobody.there", condition_json(f, one));
  return where;
}

json_t *request_json(fuzz *f, int number) {
  const entity *entity = &f->schema.entities[number];
  f->is_request_doubtful = 1;
  if (chance(f, 4)) return odd_json(f);
  json_t *request = json_object();
  if (chance(f, 70)) json_object_set_new(request, "where", where_json(f, entity, 2));
  if (chance(f, 2)) json_object_set_new(request, "where", odd_json(f));
  if (chance(f, 30) && entity->slot_count > 0) {
    char key[16];
    const property *one =
        &f->schema.properties[entity->slots[roll(f, (uint32_t)entity->slot_count)]];
    snprintf(key, sizeof key, "%s%s", chance(f, 50) ? "-" : "", one->name);
    json_object_set_new(request, "sort", json_pack("[s]", key));
  }
  static const json_int_t limits[] = {0, 1, 2, 100, INT64_MAX, -1};
  if (chance(f, 20)) json_object_set_new(request, "limit", json_integer(limits[roll(f, 6)]));
  if (chance(f, 20)) json_object_set_new(request, "offset", json_integer(limits[roll(f, 6)]));
  if (chance(f, 2)) json_object_set_new(request, "nobody", json_true());
  return request;
}
