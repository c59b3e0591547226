/* Inserting and deleting objects, setting and reading attributes. */
#include <math.h>

#include "operations.h"

void insert_object(fuzz *f) {
  int entity = any_entity(f, 0);
  const char *name = name_argument(f, f->schema.entities[entity].name, GROOT_UNKNOWN_ENTITY);
  groot_context *context = context_argument(f);
  groot_object_id id = 7, *place = chance(f, 99) ? &id : NULL;
  if (!place) wrong(f, 0);
  if (f->now.count == MOST_OBJECTS) {
    f->is_full = 1;
    return;
  }
  int is_right = !f->is_wrong;
  groot_status status = CALL(groot_object_insert(context, name, place, error_place(f)));
  if (status != GROOT_OK) {
    REQUIRE(!place || id == 0);
    int is_abstract = f->schema.entities[entity].is_abstract;
    REQUIRE(!is_right || (status == GROOT_ABSTRACT_ENTITY && is_abstract));
    return;
  }
  REQUIRE(id != 0 && id < (groot_object_id)1 << 53 && place_of(&f->now, id) < 0);
  plain_insert(&f->schema, &f->now, entity, id);
}

void delete_object(fuzz *f) {
  int object;
  groot_object_id id = object_argument(f, &object);
  groot_context *context = context_argument(f);
  int is_right = !f->is_wrong;
  groot_status status = CALL(groot_object_delete(context, id, error_place(f)));
  if (!is_right) return;
  int is_deleted = plain_delete(&f->schema, &f->now, object);
  if (status != (is_deleted ? GROOT_OK : GROOT_DELETE_DENIED)) {
    fail(f, "deleting object %d gave %d", object, (int)status);
  }
}

void set_value(fuzz *f) {
  int object, slot;
  groot_object_id id = object_argument(f, &object);
  groot_property property = property_argument(f, object, STRING, &slot);
  groot_context *context = context_argument(f);
  groot_value value = {GROOT_VALUE_NULL, 0, {0}}, *place = chance(f, 99) ? &value : NULL;
  plain_value expected = {GROOT_VALUE_NULL, 0, 0};
  int kind = STRING;
  if (object >= 0 && slot >= 0) {
    kind = property_of(f, object, slot)->kind;
  }
  if (chance(f, 92)) fitting_value(f, kind, &value, &expected);
  if (object >= 0 && slot < 0) value.kind = GROOT_VALUE_REAL; /* for no relationship */
  if (!place) wrong(f, 0);
  int is_right = !f->is_wrong;
  groot_status status = CALL(groot_object_set(context, id, property, place, error_place(f)));
  if (!is_right) return;
  if (status != GROOT_OK) fail(f, "a fitting %s was refused: %d", type_names[kind], (int)status);
  f->now.objects[object].values[slot] = expected;
}

/* Any kind of value for any attribute: when it is taken, it is of the attribute's kind after. */
void set_wrong_value(fuzz *f) {
  static const int64_t integers[] = {INT64_MIN, INT64_MAX, 40000, -1, 1};
  static const double reals[] = {NAN, INFINITY, -INFINITY, 1e300, 0.5};
  static const char *const texts[] = {"", "x", "12", "\xFF", "{", "null", "1e999999999", "[NaN]"};
  static const int32_t odd[] = {-1, 13, 1000, INT32_MAX};
  int object, slot;
  groot_object_id id = object_argument(f, &object);
  groot_property property = property_argument(f, object, STRING, &slot);
  groot_value value = {chance(f, 95) ? (int32_t)roll(f, 13) : odd[roll(f, 4)], 0, {0}};
  if (object >= 0 && slot < 0) value.kind = GROOT_VALUE_REAL; /* for no relationship */
  if (value.kind == GROOT_VALUE_REAL) {
    value.as.real = reals[roll(f, 5)];
  } else if (value.kind == GROOT_VALUE_OBJECT) {
    int other;
    value.as.object = object_argument(f, &other);
    f->is_wrong = 0;
    if (slot >= 0) wrong(f, 0);
  } else if (value.kind == GROOT_VALUE_INTEGER || value.kind == GROOT_VALUE_DATE ||
             value.kind == GROOT_VALUE_DAY || value.kind == GROOT_VALUE_BOOLEAN) {
    value.as.integer = integers[roll(f, 5)];
  } else {
    const char *text = texts[roll(f, 8)];
    value.as.text = (groot_string){text, chance(f, 90) ? strlen(text) : GROOT_NTS};
    if (chance(f, 5)) {
      value.as.text.size = impossible_size(f);
      if (value.kind != GROOT_VALUE_NULL) wrong(f, 0);
    }
    if (chance(f, 5)) value.as.text.data = NULL;
  }
  if (chance(f, 3)) value.reserved = 1, wrong(f, 0);
  groot_status status = CALL(groot_object_set(f->context, id, property, &value, error_place(f)));
  if (status != GROOT_OK || object < 0 || slot < 0) return;
  groot_value after;
  REQUIRE(groot_object_get(f->context, id, property, &after, NULL) == GROOT_OK);
  int kind = property_of(f, object, slot)->kind;
  groot_value fitting;
  plain_value like;
  fitting_value(f, kind, &fitting, &like);
  REQUIRE(after.kind == GROOT_VALUE_NULL || after.kind == like.kind);
  REQUIRE(after.kind != GROOT_VALUE_REAL || isfinite(after.as.real));
  f->now.objects[object].values[slot] = plain_of(&after);
}

/* The quick functions say what the slow one says, or that they cannot. */
static void read_quickly(fuzz *f, groot_object_id id, groot_property property) {
  uint32_t low = (uint32_t)id, high = (uint32_t)(id >> 32);
  groot_value value;
  int32_t kind = CALLED(groot_object_kind(f->context, low, high, property));
  int64_t integer = CALLED(groot_object_integer(f->context, low, high, property));
  double real = CALLED(groot_object_real(f->context, low, high, property));
  groot_status status = CALL(groot_object_get(f->context, id, property, &value, NULL));
  REQUIRE((kind == -1) == (status != GROOT_OK));
  if (status != GROOT_OK) {
    REQUIRE(integer == INT64_MIN && isnan(real));
    REQUIRE(CALLED(groot_object_text(f->context, low, high, property)) == NULL);
    return;
  }
  REQUIRE(kind == value.kind);
  int is_whole = kind == GROOT_VALUE_INTEGER || kind == GROOT_VALUE_DATE ||
                 kind == GROOT_VALUE_DAY || kind == GROOT_VALUE_BOOLEAN || kind == GROOT_VALUE_OBJECT;
  REQUIRE(integer == (is_whole ? value.as.integer : INT64_MIN));
  REQUIRE(kind == GROOT_VALUE_REAL ? real == value.as.real : isnan(real));
  const char *text = CALLED(groot_object_text(f->context, low, high, property));
  int is_text = kind == GROOT_VALUE_STRING || kind == GROOT_VALUE_URI;
  REQUIRE(!text || (is_text && strlen(text) < 256));
  if (text) {
    REQUIRE(CALL(groot_object_get(f->context, id, property, &value, NULL)) == GROOT_OK);
    REQUIRE(strlen(text) == value.as.text.size && !memcmp(text, value.as.text.data, strlen(text)));
  }
}

void read_values(fuzz *f) {
  int object, slot;
  groot_object_id id = object_argument(f, &object);
  groot_property property = property_argument(f, object, chance(f, 80) ? STRING : TO_ONE, &slot);
  if (object >= 0 && slot < 0) f->is_wrong = 0; /* one of the other kind may be read too */
  groot_context *context = context_argument(f);
  groot_value value, *place = chance(f, 98) ? &value : NULL;
  if (!place) wrong(f, 0);
  CALL(groot_object_get(context, id, property, place, error_place(f)));
  read_quickly(f, id, property);
  context = wrong_handle(f, f->context);
  f->is_wrong = 0;
  REQUIRE(CALLED(groot_object_kind(context, (uint32_t)id, (uint32_t)(id >> 32), property)) == -1);
}

void ask_about_object(fuzz *f) {
  int object, slot;
  groot_object_id id = object_argument(f, &object);
  groot_string text = {NULL, 0}, *place = chance(f, 98) ? &text : NULL;
  groot_context *context = context_argument(f);
  if (!place) wrong(f, 0);
  int is_right = !f->is_wrong;
  groot_status status = CALL(groot_object_entity(context, id, place, error_place(f)));
  REQUIRE(!is_right || status == GROOT_OK);
  if (is_right) {
    const char *expected = f->schema.entities[f->now.objects[object].entity].name;
    REQUIRE(text.size == strlen(expected) && !memcmp(text.data, expected, text.size));
  }
  if (object < 0) {
    REQUIRE(CALLED(groot_object_status(f->context, id)) != GROOT_OK);
    return;
  }
  REQUIRE(CALL(groot_object_status(f->context, id)) == GROOT_OK);
  groot_property wanted = property_argument(f, object, STRING, &slot), number = 5;
  f->is_wrong = 0;
  if (slot < 0) return;
  const char *name =
      name_argument(f, property_of(f, object, slot)->name, GROOT_UNKNOWN_PROPERTY);
  is_right = !f->is_wrong;
  status = CALL(groot_object_property(f->context, id, name, &number, error_place(f)));
  REQUIRE(is_right ? status == GROOT_OK && number == wanted : number == -1);
}
