/* Objects and their properties: get, set, links, delete, numbers that name nothing. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static groot_error *error;

static groot_status set(fixture *f, groot_object_id object, const char *name, groot_value value) {
  return groot_object_set(f->context, object, property_of(f, object, name), &value, &error);
}

static groot_value integer(int64_t number) {
  groot_value value = {GROOT_VALUE_INTEGER, 0, {0}};
  value.as.integer = number;
  return value;
}

static groot_value real(double number) {
  groot_value value = {GROOT_VALUE_REAL, 0, {0}};
  value.as.real = number;
  return value;
}

static groot_value textual(int32_t kind, const char *string, size_t size) {
  groot_value value = {kind, 0, {0}};
  value.as.text.data = string;
  value.as.text.size = size;
  return value;
}

static groot_value string(const char *string) {
  return textual(GROOT_VALUE_STRING, string, strlen(string));
}

static groot_value object_value(groot_object_id object) {
  groot_value value = {GROOT_VALUE_OBJECT, 0, {0}};
  value.as.object = object;
  return value;
}

static groot_value kind_only(int32_t kind, int64_t number) {
  groot_value value = integer(number);
  value.kind = kind;
  return value;
}

static void test_every_type(fixture *f) {
  groot_object_id thing = insert(f, "Thing");
  static const char bytes[] = {0, 1, (char)0xff, 'x'};
  CHECK_OK(set(f, thing, "small", integer(-32768)));
  CHECK_EQUAL(integer_of(f, thing, "small"), -32768);
  CHECK_OK(set(f, thing, "medium", integer(2147483647)));
  CHECK_EQUAL(integer_of(f, thing, "medium"), 2147483647);
  CHECK_OK(set(f, thing, "large", integer(INT64_MIN)));
  CHECK_EQUAL(integer_of(f, thing, "large"), INT64_MIN);
  CHECK_OK(set(f, thing, "ratio", real(0.1)));
  CHECK(value_of(f, thing, "ratio").as.real == 0.1);
  CHECK_OK(set(f, thing, "ratio", integer(3)));
  CHECK(value_of(f, thing, "ratio").as.real == 3.0);
  CHECK_OK(set(f, thing, "weight", real(0.5)));
  CHECK(value_of(f, thing, "weight").as.real == 0.5);
  CHECK_OK(set(f, thing, "active", kind_only(GROOT_VALUE_BOOLEAN, 1)));
  CHECK_EQUAL(value_of(f, thing, "active").kind, GROOT_VALUE_BOOLEAN);
  CHECK_EQUAL(integer_of(f, thing, "active"), 1);
  CHECK_OK(set(f, thing, "name", string("\xc3\x89owyn\xf0\x9f\x90\xb4")));
  CHECK_TEXT(text_of(f, thing, "name"), "\xc3\x89owyn\xf0\x9f\x90\xb4");
  CHECK_OK(set(f, thing, "name", string("")));
  CHECK_EQUAL(value_of(f, thing, "name").kind, GROOT_VALUE_STRING);
  CHECK_EQUAL(text_of(f, thing, "name").size, 0);
  CHECK_OK(set(f, thing, "name", textual(GROOT_VALUE_STRING, "a\0b", 3)));
  CHECK_EQUAL(text_of(f, thing, "name").size, 3);
  CHECK_OK(set(f, thing, "price", textual(GROOT_VALUE_DECIMAL, "-12.50", 6)));
  CHECK_EQUAL(value_of(f, thing, "price").kind, GROOT_VALUE_DECIMAL);
  groot_string price = text_of(f, thing, "price");
  CHECK(price.size >= 5 && memcmp(price.data, "-12.5", 5) == 0);
  CHECK_OK(set(f, thing, "price", integer(7)));
  CHECK_TEXT(text_of(f, thing, "price"), "7");
  CHECK_OK(set(f, thing, "made", kind_only(GROOT_VALUE_DATE, 1717761600000001)));
  CHECK_EQUAL(value_of(f, thing, "made").kind, GROOT_VALUE_DATE);
  CHECK_EQUAL(integer_of(f, thing, "made"), 1717761600000001);
  CHECK_OK(set(f, thing, "born", kind_only(GROOT_VALUE_DAY, -671)));
  CHECK_EQUAL(value_of(f, thing, "born").kind, GROOT_VALUE_DAY);
  CHECK_EQUAL(integer_of(f, thing, "born"), -671);
  CHECK_OK(set(f, thing, "born", kind_only(GROOT_VALUE_DAY, 106751991)));
  CHECK_OK(set(f, thing, "born", kind_only(GROOT_VALUE_DAY, -106751992)));
  CHECK_OK(set(f, thing, "data", textual(GROOT_VALUE_BINARY, bytes, sizeof bytes)));
  groot_string data = text_of(f, thing, "data");
  CHECK(data.size == sizeof bytes && memcmp(data.data, bytes, sizeof bytes) == 0);
  CHECK_OK(set(f, thing, "uuid",
               textual(GROOT_VALUE_UUID, "7D444840-9DC0-11D1-B245-5FFDCE74FAD2", 36)));
  groot_string uuid = text_of(f, thing, "uuid");
  CHECK_EQUAL(uuid.size, 36);
  CHECK_OK(set(f, thing, "link", textual(GROOT_VALUE_URI, "https://example.com/?q=1", 24)));
  CHECK_TEXT(text_of(f, thing, "link"), "https://example.com/?q=1");
  const char *extra = text("{'a': [1, null, 'x']}");
  CHECK_OK(set(f, thing, "extra", textual(GROOT_VALUE_JSON, extra, strlen(extra))));
  groot_string stored = text_of(f, thing, "extra");
  CHECK_JSON(json_loadb(stored.data, stored.size, JSON_DECODE_ANY, NULL), "{'a': [1, null, 'x']}");
  CHECK_OK(set(f, thing, "id", integer(1)));

  const char *const names[] = {"small", "price", "ratio", "weight", "name", "active",
                               "made",  "born",  "data",  "uuid",   "link", "extra"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    CHECK_OK(set(f, thing, names[i], kind_only(GROOT_VALUE_NULL, 0)));
    CHECK_EQUAL(value_of(f, thing, names[i]).kind, GROOT_VALUE_NULL);
  }
  check_graph(f);
}

/** Sets `extra` to arrays in one another, a number in the innermost. */
static groot_status set_levels(fixture *f, groot_object_id thing, size_t levels) {
  char json[2 * 4096 + 1];
  size_t arrays = levels - 1;
  memset(json, '[', arrays);
  json[arrays] = '1';
  memset(json + arrays + 1, ']', arrays);
  return set(f, thing, "extra", textual(GROOT_VALUE_JSON, json, 2 * arrays + 1));
}

static void test_levels(fixture *f) {
  groot_object_id thing = insert(f, "Thing");
  CHECK_OK(set_levels(f, thing, 2046));
  CHECK_FAILS(set_levels(f, thing, 2047), GROOT_LIMIT_EXCEEDED);
  CHECK(strcmp(issue.entity, "Thing") == 0 && strcmp(issue.property, "extra") == 0);
  CHECK_FAILS(set_levels(f, thing, 2048), GROOT_LIMIT_EXCEEDED);
  CHECK_EQUAL(text_of(f, thing, "extra").size, 2 * 2045 + 1);
}

static void test_refused_values(fixture *f) {
  groot_object_id thing = insert(f, "Thing");
  CHECK_OK(set(f, thing, "small", integer(5)));
  CHECK_FAILS(set(f, thing, "small", integer(32768)), GROOT_OUT_OF_RANGE);
  CHECK_FAILS(set(f, thing, "small", real(5)), GROOT_WRONG_TYPE);
  CHECK_FAILS(set(f, thing, "small", string("5")), GROOT_WRONG_TYPE);
  CHECK_EQUAL(integer_of(f, thing, "small"), 5);
  CHECK_FAILS(set(f, thing, "medium", integer(INT64_MAX)), GROOT_OUT_OF_RANGE);
  CHECK_FAILS(set(f, thing, "name", integer(5)), GROOT_WRONG_TYPE);
  CHECK(strcmp(issue.entity, "Thing") == 0 && strcmp(issue.property, "name") == 0);
  CHECK_FAILS(set(f, thing, "name", textual(GROOT_VALUE_STRING, "a\xff", 2)), GROOT_INVALID_UTF8);
  CHECK_FAILS(set(f, thing, "active", kind_only(GROOT_VALUE_INTEGER, 1)), GROOT_WRONG_TYPE);
  CHECK_FAILS(set(f, thing, "born", kind_only(GROOT_VALUE_DATE, 0)), GROOT_WRONG_TYPE);
  CHECK_FAILS(set(f, thing, "made", kind_only(GROOT_VALUE_DAY, 0)), GROOT_WRONG_TYPE);
  CHECK_FAILS(set(f, thing, "born", kind_only(GROOT_VALUE_DAY, 106751992)), GROOT_OUT_OF_RANGE);
  CHECK_FAILS(set(f, thing, "born", kind_only(GROOT_VALUE_DAY, INT64_MIN)), GROOT_OUT_OF_RANGE);
  CHECK(set(f, thing, "ratio", real((double)NAN)) != GROOT_OK);
  groot_error_free(error), error = NULL;
  CHECK(set(f, thing, "ratio", real((double)INFINITY)) != GROOT_OK);
  groot_error_free(error), error = NULL;
  CHECK(set(f, thing, "weight", real(1e300)) != GROOT_OK);
  groot_error_free(error), error = NULL;
  CHECK(set(f, thing, "price", textual(GROOT_VALUE_DECIMAL, "12,50", 5)) != GROOT_OK);
  groot_error_free(error), error = NULL;
  CHECK(set(f, thing, "uuid", textual(GROOT_VALUE_UUID, "short", 5)) != GROOT_OK);
  groot_error_free(error), error = NULL;
  CHECK(set(f, thing, "extra", textual(GROOT_VALUE_JSON, "{]", 2)) != GROOT_OK);
  groot_error_free(error), error = NULL;
  CHECK_FAILS(set(f, thing, "owner", integer(5)), GROOT_WRONG_TYPE);
  CHECK_FAILS(set(f, thing, "owner", object_value(UINT64_MAX)), GROOT_UNKNOWN_OBJECT);
  CHECK_FAILS(set(f, thing, "parts", object_value(thing)), GROOT_WRONG_TYPE);
  groot_value value;
  CHECK_FAILS(groot_object_get(f->context, thing, property_of(f, thing, "parts"), &value, &error),
              GROOT_WRONG_TYPE);
  groot_objects *members = NULL;
  CHECK_FAILS(
      groot_object_members(f->context, thing, property_of(f, thing, "name"), &members, &error),
      GROOT_WRONG_TYPE);
  CHECK_FAILS(
      groot_object_members(f->context, thing, property_of(f, thing, "owner"), &members, &error),
      GROOT_WRONG_TYPE);
  CHECK_OK(groot_object_delete(f->context, thing, &error));
  check_graph(f);
}

static void test_properties(fixture *f) {
  groot_property property = 0;
  groot_value value;
  groot_object_id thing = insert(f, "Thing");
  CHECK_FAILS(groot_context_property(f->context, "Thing", "nothing", &property, &error),
              GROOT_UNKNOWN_PROPERTY);
  CHECK_FAILS(groot_context_property(f->context, "Nobody", "name", &property, &error),
              GROOT_UNKNOWN_ENTITY);
  CHECK_FAILS(groot_object_property(f->context, thing, "nothing", &property, &error),
              GROOT_UNKNOWN_PROPERTY);
  CHECK_FAILS(groot_object_property(f->context, thing, "", &property, &error),
              GROOT_UNKNOWN_PROPERTY);
  CHECK_OK(
      groot_context_property(f->context, "Thing\0 and more", "name\0 or so", &property, &error));
  CHECK_EQUAL(property, property_of(f, thing, "name"));
  const groot_property odd[] = {-1, 1000, INT32_MAX, INT32_MIN};
  for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
    CHECK_FAILS(groot_object_get(f->context, thing, odd[i], &value, &error),
                GROOT_UNKNOWN_PROPERTY);
    value = integer(1);
    CHECK_FAILS(groot_object_set(f->context, thing, odd[i], &value, &error),
                GROOT_UNKNOWN_PROPERTY);
    CHECK_FAILS(groot_object_add(f->context, thing, odd[i], thing, &error),
                GROOT_UNKNOWN_PROPERTY);
  }
  CHECK_OK(groot_object_delete(f->context, thing, &error));
}

static void test_inherited_properties(void) {
  fixture f = open_fixture("messages");
  groot_property identifier = 0, text_property = 0;
  CHECK_OK(groot_context_property(f.context, "Message", "identifier", &identifier, &error));
  CHECK_OK(groot_context_property(f.context, "TextMessage", "text", &text_property, &error));
  groot_object_id picture = insert(&f, "PictureMessage");
  groot_value value = integer(5);
  CHECK_OK(groot_object_set(f.context, picture, identifier, &value, &error));
  CHECK_EQUAL(integer_of(&f, picture, "identifier"), 5);
  CHECK_FAILS(groot_object_get(f.context, picture, text_property, &value, &error),
              GROOT_UNKNOWN_PROPERTY);
  close_fixture(&f);
}

static void test_links(fixture *f) {
  groot_object_id whole = insert(f, "Thing"), a = insert(f, "Thing"), b = insert(f, "Thing"),
                  c = insert(f, "Thing");
  groot_property parts = property_of(f, whole, "parts");
  int32_t contains = 5;
  CHECK_OK(set(f, a, "owner", object_value(whole)));
  CHECK_EQUAL(members_of(f, whole, "parts"), 1);
  CHECK_OK(groot_object_add(f->context, whole, parts, b, &error));
  CHECK_OK(groot_object_add(f->context, whole, parts, b, &error));
  CHECK_EQUAL(members_of(f, whole, "parts"), 2);
  CHECK(object_of(f, b, "owner") == whole);
  CHECK_OK(groot_object_contains(f->context, whole, parts, a, &contains, &error));
  CHECK_EQUAL(contains, 1);
  CHECK_OK(groot_object_contains(f->context, whole, parts, c, &contains, &error));
  CHECK_EQUAL(contains, 0);

  const groot_object_id order[] = {c, a, c, b, a};
  groot_objects *members = NULL;
  CHECK_OK(groot_object_set_members(f->context, whole, parts, order, 5, &error));
  CHECK_OK(groot_object_members(f->context, whole, parts, &members, &error));
  CHECK_EQUAL(groot_objects_count(members), 3);
  CHECK(groot_objects_at(members, 0) == c);
  CHECK(groot_objects_at(members, 1) == a);
  CHECK(groot_objects_at(members, 2) == b);
  CHECK_EQUAL(groot_objects_at(members, 3), 0);
  CHECK_EQUAL(groot_objects_at(members, SIZE_MAX), 0);

  CHECK_OK(groot_object_remove(f->context, whole, parts, a, &error));
  CHECK_OK(groot_object_remove(f->context, whole, parts, a, &error));
  CHECK_EQUAL(object_of(f, a, "owner"), 0);
  CHECK_EQUAL(members_of(f, whole, "parts"), 2);
  CHECK_EQUAL(groot_objects_count(members), 3); /* a snapshot stays as it was */
  groot_objects_free(members);

  /* One bad member, and nothing changes. */
  const groot_object_id with_none[] = {a, 0};
  CHECK_FAILS(groot_object_set_members(f->context, whole, parts, with_none, 2, &error),
              GROOT_UNKNOWN_OBJECT);
  CHECK_EQUAL(members_of(f, whole, "parts"), 2);
  CHECK_EQUAL(object_of(f, a, "owner"), 0);

  /* No value and no object both clear. */
  CHECK_OK(set(f, b, "owner", kind_only(GROOT_VALUE_NULL, 0)));
  CHECK_EQUAL(object_of(f, b, "owner"), 0);
  CHECK_OK(set(f, b, "owner", object_value(whole)));
  CHECK_OK(set(f, b, "owner", object_value(0)));
  CHECK_EQUAL(object_of(f, b, "owner"), 0);
  CHECK_OK(set(f, b, "owner", object_value(whole)));

  /* A thing may own itself. */
  CHECK_OK(set(f, a, "owner", object_value(a)));
  CHECK_EQUAL(members_of(f, a, "parts"), 1);
  check_graph(f);
  CHECK_OK(groot_object_delete(f->context, a, &error));
  CHECK_OK(groot_object_delete(f->context, whole, &error));
  CHECK_EQUAL(object_of(f, b, "owner"), 0);
  check_graph(f);
}

static void test_wrong_destination(void) {
  fixture f = open_fixture("comics");
  groot_object_id batman = insert(&f, "Character"), agility = insert(&f, "Power");
  CHECK_FAILS(set(&f, batman, "publisher", object_value(agility)), GROOT_WRONG_TYPE);
  CHECK_FAILS(groot_object_add(f.context, batman, property_of(&f, batman, "powers"), batman,
                               &error),
              GROOT_WRONG_TYPE);
  CHECK_EQUAL(object_of(&f, batman, "publisher"), 0);
  CHECK_EQUAL(members_of(&f, batman, "powers"), 0);
  check_graph(&f);
  close_fixture(&f);
}

static void test_deleted_and_unknown(fixture *f) {
  groot_object_id dead = insert(f, "Thing"), alive = insert(f, "Thing");
  groot_property name = property_of(f, alive, "name"), owner = property_of(f, alive, "owner"),
                 parts = property_of(f, alive, "parts");
  groot_value value = string("x");
  groot_objects *members = NULL;
  groot_buffer buffer = {NULL, 0};
  groot_string entity;
  groot_property property;
  size_t count;
  int32_t contains;
  json_t *exported = NULL;
  CHECK_EQUAL(groot_object_status(f->context, dead), GROOT_OK);
  CHECK_OK(groot_object_delete(f->context, dead, &error));
  for (int round = 0; round < 2; round++) {
    CHECK_EQUAL(groot_object_status(f->context, dead), GROOT_OBJECT_DELETED);
    CHECK_FAILS(groot_object_delete(f->context, dead, &error), GROOT_OBJECT_DELETED);
    CHECK_FAILS(groot_object_entity(f->context, dead, &entity, &error), GROOT_OBJECT_DELETED);
    CHECK_FAILS(groot_object_property(f->context, dead, "name", &property, &error),
                GROOT_OBJECT_DELETED);
    CHECK_FAILS(groot_object_get(f->context, dead, name, &value, &error), GROOT_OBJECT_DELETED);
    value = string("x");
    CHECK_FAILS(groot_object_set(f->context, dead, name, &value, &error), GROOT_OBJECT_DELETED);
    value = object_value(dead);
    CHECK_FAILS(groot_object_set(f->context, alive, owner, &value, &error), GROOT_OBJECT_DELETED);
    CHECK_FAILS(groot_object_members(f->context, dead, parts, &members, &error),
                GROOT_OBJECT_DELETED);
    CHECK_FAILS(groot_object_member_count(f->context, dead, parts, &count, &error),
                GROOT_OBJECT_DELETED);
    CHECK_FAILS(groot_object_contains(f->context, dead, parts, alive, &contains, &error),
                GROOT_OBJECT_DELETED);
    CHECK_FAILS(groot_object_add(f->context, dead, parts, alive, &error), GROOT_OBJECT_DELETED);
    CHECK_FAILS(groot_object_add(f->context, alive, parts, dead, &error), GROOT_OBJECT_DELETED);
    CHECK_FAILS(groot_object_set_members(f->context, alive, parts, &dead, 1, &error),
                GROOT_OBJECT_DELETED);
    CHECK_FAILS(groot_export_object_text(f->context, dead, NULL, &buffer, &error),
                GROOT_OBJECT_DELETED);
    CHECK_FAILS(groot_export_object_json(f->context, dead, NULL, &exported, &error),
                GROOT_OBJECT_DELETED);
    CHECK_FAILS(groot_export_objects_text(f->context, &dead, 1, NULL, &buffer, &error),
                GROOT_OBJECT_DELETED);
    CHECK_FAILS(groot_export_objects_json(f->context, &dead, 1, NULL, &exported, &error),
                GROOT_OBJECT_DELETED);
    /* The row may be used again; the old number still names the deleted object. */
    for (int i = 0; i < 100; i++) CHECK(insert(f, "Thing") != dead);
  }

  const groot_object_id unknown[] = {0, UINT64_MAX, UINT64_MAX - 1, INT64_MAX, 1ull << 63,
                                     0x00ffffff00000000ull, 0xffffffffull, ~alive};
  for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
    groot_status status = groot_object_status(f->context, unknown[i]);
    CHECK(status == GROOT_UNKNOWN_OBJECT || status == GROOT_OBJECT_DELETED);
    CHECK_EQUAL(groot_object_get(f->context, unknown[i], name, &value, NULL), status);
    CHECK_EQUAL(groot_object_delete(f->context, unknown[i], NULL), status);
    CHECK_EQUAL(groot_object_entity(f->context, unknown[i], &entity, NULL), status);
    CHECK_EQUAL(groot_export_object_text(f->context, unknown[i], NULL, &buffer, NULL), status);
    value = object_value(unknown[i]);
    if (unknown[i]) CHECK_EQUAL(groot_object_set(f->context, alive, owner, &value, NULL), status);
  }
  CHECK_EQUAL(groot_object_status(f->context, 0), GROOT_UNKNOWN_OBJECT);
  CHECK_EQUAL(groot_object_status(f->context, UINT64_MAX), GROOT_UNKNOWN_OBJECT);
  CHECK_FAILS(groot_object_delete(f->context, 0, &error), GROOT_UNKNOWN_OBJECT);
  CHECK_EQUAL(object_of(f, alive, "owner"), 0);

  /* Numbers close to a real one, one bit changed: never a crash, never another living object. */
  groot_object_id made = insert(f, "Thing");
  for (int bit = 0; bit < 64; bit++) {
    groot_object_id near = made ^ (1ull << bit);
    groot_status status = groot_object_status(f->context, near);
    CHECK(status == GROOT_OK || status == GROOT_UNKNOWN_OBJECT || status == GROOT_OBJECT_DELETED);
    CHECK_EQUAL(groot_object_entity(f->context, near, &entity, NULL), status);
  }
  check_graph(f);
}

/* What a failed call leaves in `value` is null, whatever was there. */
static void test_failed_reads(fixture *f) {
  groot_object_id thing = insert(f, "Thing");
  groot_property parts = property_of(f, thing, "parts");
  groot_value value = string("x");
  value.reserved = 7;
  CHECK_FAILS(groot_object_get(f->context, thing, parts, &value, &error), GROOT_WRONG_TYPE);
  CHECK_EQUAL(value.kind, GROOT_VALUE_NULL);
  CHECK_EQUAL(value.reserved, 0);
  value = string("x");
  CHECK_FAILS(groot_object_get(f->context, UINT64_MAX, 0, &value, &error), GROOT_UNKNOWN_OBJECT);
  CHECK_EQUAL(value.kind, GROOT_VALUE_NULL);
  value = string("x");
  CHECK_FAILS(groot_object_get(NULL, thing, 0, &value, &error), GROOT_INVALID_ARGUMENT);
  CHECK_EQUAL(value.kind, GROOT_VALUE_NULL);
  CHECK_OK(groot_object_delete(f->context, thing, &error));
}

int main(void) {
  fixture f = open_fixture("types");
  test_every_type(&f);
  test_refused_values(&f);
  test_levels(&f);
  test_properties(&f);
  test_inherited_properties();
  test_links(&f);
  test_wrong_destination();
  test_deleted_and_unknown(&f);
  test_failed_reads(&f);
  close_fixture(&f);
  return finish("objects");
}
