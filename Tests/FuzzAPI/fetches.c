/* Fetches, what is computed of them, columns. */
#include <stdio.h>

#include "operations.h"

void fetch_objects(fuzz *f) {
  int entity = any_entity(f, 0);
  name name = name_argument(f, f->schema.entities[entity].name);
  json_t *request = chance(f, 80) ? request_json(f, entity) : NULL;
  groot_context *context = context_argument(f);
  groot_objects *objects = NULL, **place = chance(f, 99) ? &objects : NULL;
  size_t count = 9;
  if (!place) f->is_wrong = 1;
  groot_status fetched = CALL(
      groot_context_fetch(context, name.data, name.size, request, place, error_place(f)));
  groot_status counted = CALL(groot_context_count(f->context, f->schema.entities[entity].name,
                                                  GROOT_NTS, request, &count, error_place(f)));
  if (fetched == GROOT_OK) {
    REQUIRE(counted == GROOT_OK && count == groot_objects_count(objects));
    for (size_t i = 0; i < count; i++) {
      int found = place_of(&f->now, groot_objects_at(objects, i));
      REQUIRE(found >= 0 && f->now.objects[found].is_alive);
      REQUIRE(is_kind_of(&f->schema, f->now.objects[found].entity, entity));
    }
  } else {
    REQUIRE(objects == NULL);
  }
  REQUIRE(counted == GROOT_OK || count == 0);
  CALLED(groot_objects_free(objects));
  json_decref(request);
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
  json_t *request = json_pack("{s:{s:{s:I}}}", "where", one->name, operators[which],
                              (json_int_t)wanted);
  groot_status status = CALL(groot_context_count(f->context, entity->name, GROOT_NTS, request,
                                                 &count, error_place(f)));
  json_decref(request);
  if (status != GROOT_OK || count != expected) {
    fail(f, "%zu objects of %s with %s %s %lld, not %zu; status %d", count, entity->name, one->name,
         operators[which], (long long)wanted, expected, (int)status);
  }
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
  name name = name_argument(f, entity->name);
  json_t *result = NULL, *values = NULL;
  CALL(groot_context_aggregate(context_argument(f), name.data, name.size,
                               chance(f, 95) ? request : NULL, &result, error_place(f)));
  json_decref(request);
  json_decref(result);

  char key[16];
  snprintf(key, sizeof key, "%s%s", chance(f, 30) ? "-" : "", one->name);
  struct name property = name_argument(f, key);
  name = name_argument(f, entity->name);
  request = chance(f, 50) ? request_json(f, number) : NULL;
  groot_context *context = context_argument(f);
  groot_status status =
      CALL(groot_context_distinct(context, name.data, name.size, property.data, property.size,
                                  request, &values, error_place(f)));
  REQUIRE(status == GROOT_OK ? json_is_array(values) : values == NULL);
  json_decref(values);
  json_decref(request);
}

/* All living objects of an entity, now and then one that is wrong. */
static size_t some_objects(fuzz *f, int entity, groot_object_id *ids) {
  size_t count = 0;
  for (int i = 0; i < f->now.count; i++) {
    const plain_object *object = &f->now.objects[i];
    int fits = object->is_alive && is_kind_of(&f->schema, object->entity, entity);
    if (fits && chance(f, 80)) ids[count++] = object->id;
    if (!fits && chance(f, 1)) ids[count++] = object->id, f->is_wrong = 1;
  }
  return count;
}

static size_t count_argument(fuzz *f, size_t right) {
  if (!chance(f, 3)) return right;
  f->is_wrong = 1;
  return impossible_size(f);
}

void read_column(fuzz *f) {
  int number = any_entity(f, 0);
  const entity *entity = &f->schema.entities[number];
  if (entity->slot_count == 0) return;
  int slot = (int)roll(f, (uint32_t)entity->slot_count);
  const property *one = &f->schema.properties[entity->slots[slot]];
  groot_object_id ids[MOST_OBJECTS];
  groot_column column;
  memset(&column, 0x55, sizeof column);
  name name = name_argument(f, entity->name), property = name_argument(f, one->name);
  size_t count = count_argument(f, some_objects(f, number, ids));
  if (one->kind == TO_MANY) f->is_wrong = 1;
  groot_context *context = context_argument(f);
  groot_column *place = chance(f, 98) ? &column : NULL;
  if (!place) {
    memset(&column, 0, sizeof column);
    f->is_wrong = 1;
  }
  int is_right = !f->is_wrong;
  groot_status status = CALL(groot_context_column(context, name.data, name.size, property.data,
                                                  property.size, ids, count, place,
                                                  error_place(f)));
  REQUIRE(!is_right || (status == GROOT_OK && column.count == count));
  REQUIRE(status == GROOT_OK || (column.owner == NULL && column.values == NULL));
  for (size_t i = 0; status == GROOT_OK && i < count; i++) {
    int place = place_of(&f->now, ids[i]);
    int here = slot_of(&f->schema, f->now.objects[place].entity, entity->slots[slot]);
    plain_value want = f->now.objects[place].values[here];
    int has_value = !column.validity || column.validity[i / 8] >> i % 8 & 1;
    if (one->kind == TO_ONE) REQUIRE(has_value == f->now.objects[place].member_count[here]);
    else REQUIRE(has_value == (want.kind != GROOT_VALUE_NULL));
    if (column.offsets) {
      size_t size = (size_t)(column.offsets[i + 1] - column.offsets[i]);
      const char *text = (const char *)column.values + column.offsets[i];
      REQUIRE(!has_value || (size == want.size && hash_of(text, size) == want.bits));
    } else if (column.kind == GROOT_VALUE_INTEGER) {
      REQUIRE(!has_value || ((const uint64_t *)column.values)[i] == want.bits);
    }
  }
  CALLED(groot_column_free(&column));
  CALLED(groot_column_free(chance(f, 50) ? &column : NULL));
}

void read_arrow(fuzz *f) {
  int number = any_entity(f, 0);
  const entity *entity = &f->schema.entities[number];
  groot_object_id ids[MOST_OBJECTS];
  struct ArrowArrayStream stream;
  memset(&stream, 0x55, sizeof stream);
  json_t *names = NULL;
  if (chance(f, 30)) names = chance(f, 80) ? json_array() : odd_json(f);
  if (json_is_array(names) && entity->slot_count && chance(f, 80)) {
    json_array_append_new(names, json_string(f->schema.properties[entity->slots[0]].name));
  }
  name name = name_argument(f, entity->name);
  size_t count = count_argument(f, some_objects(f, number, ids));
  groot_context *context = context_argument(f);
  struct ArrowArrayStream *place = chance(f, 98) ? &stream : NULL;
  if (!place) f->is_wrong = 1;
  groot_status status = CALL(groot_context_arrow_stream(context, name.data, name.size, names, ids,
                                                        count, place, error_place(f)));
  json_decref(names);
  if (status != GROOT_OK) {
    REQUIRE(!place || stream.release == NULL);
    return;
  }
  struct ArrowSchema schema;
  struct ArrowArray array;
  if (chance(f, 80)) {
    REQUIRE(stream.get_schema(&stream, &schema) == 0 && schema.release != NULL);
    if (chance(f, 80)) {
      REQUIRE(stream.get_next(&stream, &array) == 0);
      REQUIRE(array.release != NULL && array.length == (int64_t)count);
      REQUIRE(array.n_children == schema.n_children);
      array.release(&array);
      REQUIRE(stream.get_next(&stream, &array) == 0 && array.release == NULL);
    }
    schema.release(&schema);
  }
  stream.release(&stream);
}
