/* Fetches, and what is computed of them. */
#include <stdio.h>

#include "operations.h"

/* A request as text and as json_t mean the same. */
void fetch_objects(fuzz *f) {
  int entity = any_entity(f, 0);
  const char *right = f->schema.entities[entity].name;
  const char *name = name_argument(f, right, GROOT_UNKNOWN_ENTITY);
  held held = {0};
  json_t *request = chance(f, 80) ? request_json(f, entity) : NULL;
  int is_json = chance(f, 50), was_wrong = f->is_wrong;
  const char *text = is_json ? NULL : json_argument(f, &held, json_incref(request));
  int is_same = f->is_wrong == was_wrong;
  groot_context *context = context_argument(f);
  groot_objects *objects = NULL, **place = chance(f, 99) ? &objects : NULL;
  size_t count = 9;
  if (!place) wrong(f, GROOT_INVALID_ARGUMENT);
  int is_right = !f->is_wrong;
  groot_status fetched =
      is_json ? CALL(groot_context_fetch_json(context, name, request, place, error_place(f)))
              : CALL(groot_context_fetch(context, name, text, place, error_place(f)));
  groot_status counted;
  if (is_json && chance(f, 50)) {
    text = json_argument(f, &held, json_incref(request));
    is_same = !f->is_wrong;
    counted = CALL(groot_context_count(f->context, right, text, &count, error_place(f)));
  } else {
    counted = CALL(groot_context_count_json(f->context, right, request, &count, error_place(f)));
  }
  if (is_right && is_same && fetched != counted) {
    fail(f, "a fetch gave %d, a count %d", (int)fetched, (int)counted);
  }
  if (fetched == GROOT_OK && counted == GROOT_OK) REQUIRE(count == groot_objects_count(objects));
  REQUIRE(counted == GROOT_OK || count == 0);
  REQUIRE(fetched == GROOT_OK || objects == NULL);
  for (size_t i = 0; i < groot_objects_count(objects); i++) {
    int found = place_of(&f->now, groot_objects_at(objects, i));
    REQUIRE(found >= 0 && f->now.objects[found].is_alive);
    REQUIRE(is_kind_of(&f->schema, f->now.objects[found].entity, entity));
  }
  CALLED(groot_objects_free(objects));
  json_decref(request);
  release(&held);
}

/* What the plain graph says of one attribute's values, the fetch must say. */
void fetch_by_value(fuzz *f) {
  int number = any_entity(f, 0), slot = 0;
  const entity *entity = &f->schema.entities[number];
  for (; slot < entity->slot_count; slot++) {
    if (f->schema.properties[entity->slots[slot]].kind <= INTEGER64) break;
  }
  if (slot == entity->slot_count) return;
  const property *one = &f->schema.properties[entity->slots[slot]];
  int64_t wanted = roll(f, 6);
  static const char *const operators[] = {"==", ">", "<="};
  uint32_t which = roll(f, 3);
  size_t expected = 0, count = 0;
  for (int i = 0; i < f->now.count; i++) {
    const plain_object *object = &f->now.objects[i];
    if (!object->is_alive || !is_kind_of(&f->schema, object->entity, number)) continue;
    int64_t value = (int64_t)object->values[slot].bits;
    if (object->values[slot].kind == GROOT_VALUE_NULL) continue;
    expected += which == 0 ? value == wanted : which == 1 ? value > wanted : value <= wanted;
  }
  json_t *where = json_pack("{s:{s:{s:I}}}", "where", one->name, operators[which],
                            (json_int_t)wanted);
  char *request = json_dumps(where, 0);
  groot_status status =
      CALL(groot_context_count(f->context, entity->name, request, &count, error_place(f)));
  json_decref(where);
  free(request);
  if (status != GROOT_OK || count != expected) {
    fail(f, "%zu objects of %s with %s %s %lld, not %zu; status %d", count, entity->name, one->name,
         operators[which], (long long)wanted, expected, (int)status);
  }
}

/* What both forms of a call that gave the same status made. */
static void compare_results(fuzz *f, groot_status status, groot_buffer *text, json_t *json) {
  if (status != GROOT_OK) {
    REQUIRE(text->data == NULL && text->size == 0 && json == NULL);
    return;
  }
  json_t *read = json_of(f, text);
  /* In the text decimals are numbers, of any size. */
  if (read) REQUIRE(json_typeof(read) == json_typeof(json));
  if (json_is_array(read)) REQUIRE(json_array_size(read) == json_array_size(json));
  if (json_is_object(read)) REQUIRE(json_object_size(read) == json_object_size(json));
  json_decref(read);
  CALLED(groot_json_free(json));
}

/* Both forms end alike, but that a json_t has no room for numbers that jansson cannot read. */
static void compare_statuses(fuzz *f, groot_status status, groot_status twin,
                             const groot_buffer *text, const char *asked) {
  if (status == twin) return;
  if (status == GROOT_OK && twin == GROOT_OUT_OF_RANGE) {
    json_t *read = json_loadb(text->data, text->size, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    int has_room = read != NULL;
    json_decref(read);
    if (!has_room) return;
  }
  fail(f, "text gave %d, a json_t %d: %.300s", (int)status, (int)twin, asked);
}

static void aggregate(fuzz *f, const char *right, json_t *request) {
  held held = {0};
  groot_buffer text = {(char *)f, 7};
  json_t *json = (json_t *)f;
  const char *name = name_argument(f, right, GROOT_UNKNOWN_ENTITY);
  f->is_request_doubtful = 1;
  const char *asked = json_argument(f, &held, chance(f, 95) ? json_incref(request) : NULL);
  groot_context *context = context_argument(f);
  int is_right = !f->is_wrong;
  groot_status status = CALL(groot_context_aggregate(context, name, asked, &text, error_place(f)));
  if (is_right) {
    groot_status twin =
        CALL(groot_context_aggregate_json(f->context, right, asked ? request : NULL, &json,
                                          error_place(f)));
    compare_statuses(f, status, twin, &text, asked);
    if (status == twin) compare_results(f, status, &text, json);
  }
  CALLED(groot_buffer_free(&text));
  json_decref(request);
  release(&held);
}

static void distinct(fuzz *f, int number, const char *key) {
  held held = {0};
  groot_buffer text = {(char *)f, 7};
  json_t *json = (json_t *)f, *request = chance(f, 50) ? request_json(f, number) : NULL;
  const char *right = f->schema.entities[number].name;
  const char *property = name_argument(f, key, GROOT_UNKNOWN_PROPERTY);
  const char *name = name_argument(f, right, GROOT_UNKNOWN_ENTITY);
  const char *asked = json_argument(f, &held, json_incref(request));
  groot_context *context = context_argument(f);
  int is_right = !f->is_wrong;
  groot_status status =
      CALL(groot_context_distinct(context, name, property, asked, &text, error_place(f)));
  if (is_right) {
    groot_status twin = CALL(
        groot_context_distinct_json(f->context, right, key, request, &json, error_place(f)));
    compare_statuses(f, status, twin, &text, asked);
    if (status == twin) compare_results(f, status, &text, json);
  }
  CALLED(groot_buffer_free(&text));
  json_decref(request);
  release(&held);
}

void compute(fuzz *f) {
  int number = any_entity(f, 0);
  const entity *entity = &f->schema.entities[number];
  if (entity->slot_count == 0) return;
  const property *one =
      &f->schema.properties[entity->slots[roll(f, (uint32_t)entity->slot_count)]];
  static const char *const functions[] = {"sum", "min", "max", "average", "count", "none"};
  json_t *request = json_pack("{s:{s:s, s:{s:s}}}", "values", "n", "count", "v",
                              functions[roll(f, 6)], one->name);
  if (chance(f, 30)) json_object_set_new(request, "by", json_pack("[s]", one->name));
  if (chance(f, 5)) json_object_set_new(request, "values", odd_json(f));
  aggregate(f, entity->name, request);
  char key[16];
  snprintf(key, sizeof key, "%s%s", chance(f, 30) ? "-" : "", one->name);
  distinct(f, number, key);
}
