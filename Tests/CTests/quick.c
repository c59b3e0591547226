/* Reading in one step gives what groot_object_get gives, or says that it does not. */
#include "support.h"

#include <groot_ffi.h>

#include <math.h>
#include <string.h>

static groot_error *error;

/* Compares all ways to read a property; the kind of its value, -1 when it cannot be read. */
static int32_t compare(fixture *f, groot_object_id object, groot_property property) {
  groot_value value;
  groot_status status = groot_object_get(f->context, object, property, &value, NULL);
  uint32_t low = (uint32_t)object, high = (uint32_t)(object >> 32);
  int32_t kind = groot_object_kind(f->context, low, high, property);
  int64_t integer = groot_object_integer(f->context, low, high, property);
  double real = groot_object_real(f->context, low, high, property);
  const char *text = groot_object_text(f->context, low, high, property);
  CHECK_EQUAL(kind, status ? -1 : value.kind);
  int is_integer = kind == GROOT_VALUE_INTEGER || kind == GROOT_VALUE_BOOLEAN ||
                   kind == GROOT_VALUE_DATE || kind == GROOT_VALUE_DAY ||
                   kind == GROOT_VALUE_OBJECT;
  CHECK_EQUAL(integer, is_integer ? value.as.integer : INT64_MIN);
  CHECK(kind == GROOT_VALUE_REAL ? real == value.as.real : isnan(real));
  int is_text = (kind == GROOT_VALUE_STRING || kind == GROOT_VALUE_URI) &&
                value.as.text.size <= 255 && !memchr(value.as.text.data, 0, value.as.text.size);
  CHECK((text != NULL) == is_text);
  if (text && is_text)
    CHECK(strlen(text) == value.as.text.size &&
          memcmp(text, value.as.text.data, value.as.text.size) == 0);
  return kind;
}

static void compare_all(fixture *f, groot_object_id object) {
  for (groot_property property = -2; property < 64; property++) compare(f, object, property);
  compare(f, object, INT32_MAX);
  compare(f, object, INT32_MIN);
}

static void test_every_type(fixture *f) {
  groot_object_id full = import_one(f, "Thing",
                                    "{'id': 1, 'small': -5, 'medium': 7, 'large': -1,"
                                    " 'ratio': 0.25, 'weight': 0.5, 'active': true,"
                                    " 'name': 'Robin',"
                                    " 'price': '12.50', 'made': '2024-06-07T12:00:00Z',"
                                    " 'born': '2024-06-07',"
                                    " 'link': 'https://example.com'}");
  groot_object_id empty = import_one(f, "Thing", "{'id': 2}");
  groot_value owner = {GROOT_VALUE_OBJECT, 0, {0}};
  owner.as.object = full;
  CHECK_OK(groot_object_set(f->context, empty, property_of(f, empty, "owner"), &owner, &error));
  compare_all(f, full);
  compare_all(f, empty);
  static const char *const names[] = {"id",   "small",  "medium", "large", "ratio", "weight",
                                      "name", "active", "price",  "made",  "link",
                                      "born"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    CHECK(compare(f, full, property_of(f, full, names[i])) > 0);
  CHECK_EQUAL(compare(f, empty, property_of(f, empty, "small")), GROOT_VALUE_NULL);
  CHECK_EQUAL(compare(f, empty, property_of(f, empty, "owner")), GROOT_VALUE_OBJECT);
  CHECK_EQUAL(compare(f, empty, property_of(f, empty, "parts")), -1);
}

static void test_values_that_look_like_none(fixture *f) {
  groot_object_id thing = import_one(f, "Thing", "{'id': 3}");
  groot_property large = property_of(f, thing, "large"), name = property_of(f, thing, "name");
  groot_value value = {GROOT_VALUE_INTEGER, 0, {0}};
  value.as.integer = INT64_MIN;
  CHECK_OK(groot_object_set(f->context, thing, large, &value, &error));
  CHECK_EQUAL(compare(f, thing, large), GROOT_VALUE_INTEGER);
  static char letters[300];
  memset(letters, 'x', sizeof letters);
  for (size_t size = 0; size <= sizeof letters; size += size >= 250 && size < 260 ? 1 : 10) {
    value.kind = GROOT_VALUE_STRING;
    value.as.text.data = letters;
    value.as.text.size = size;
    CHECK_OK(groot_object_set(f->context, thing, name, &value, &error));
    CHECK_EQUAL(compare(f, thing, name), GROOT_VALUE_STRING);
  }
  value.as.text.data = "a\0b";
  value.as.text.size = 3;
  CHECK_OK(groot_object_set(f->context, thing, name, &value, &error));
  CHECK_EQUAL(compare(f, thing, name), GROOT_VALUE_STRING);
}

static void test_objects_that_are_none(fixture *f) {
  groot_object_id thing = import_one(f, "Thing", "{'id': 4, 'small': 5}");
  groot_property small = property_of(f, thing, "small");
  CHECK_EQUAL(compare(f, thing, small), GROOT_VALUE_INTEGER);
  CHECK_OK(groot_object_delete(f->context, thing, &error));
  CHECK_EQUAL(compare(f, thing, small), -1);
  compare_all(f, thing);
  const groot_object_id unknown[] = {0, UINT64_MAX, INT64_MAX, 1ull << 63, 0xffffffffull, ~thing};
  for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
    CHECK_EQUAL(compare(f, unknown[i], small), -1);
}

/* Numbers have no text of their own: reading them must not disturb what was lent before. */
static void test_borrowed_text(fixture *f) {
  groot_object_id thing = import_one(f, "Thing", "{'id': 5, 'price': '12.75'}");
  groot_string price = text_of(f, thing, "price");
  groot_object_id other = import_one(f, "Thing", "{'id': 6, 'price': '99.25'}");
  price = text_of(f, thing, "price");
  groot_object_kind(f->context, (uint32_t)other, (uint32_t)(other >> 32),
                    property_of(f, other, "price"));
  CHECK(price.size == 5 && memcmp(price.data, "12.75", 5) == 0);
}

int main(void) {
  fixture f = open_fixture("types");
  test_every_type(&f);
  test_values_that_look_like_none(&f);
  test_objects_that_are_none(&f);
  test_borrowed_text(&f);
  close_fixture(&f);
  return finish("quick");
}
