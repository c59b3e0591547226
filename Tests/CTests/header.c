/* The header itself: layout of its structs against the committed table, versions, status names. */
#include "header.h"

#include <stdio.h>
#include <string.h>

/* The layout, by struct. */
static json_t *layout;
size_t field_end;

/* Adds a field's offset, or the size under "sizeof", to the entry of a type. */
void note(const char *type, const char *name, size_t number) {
  json_t *entry = json_object_get(layout, type);
  if (!entry) {
    json_object_set_new(layout, type, json_object());
    entry = json_object_get(layout, type);
  }
  json_object_set_new(entry, name, json_integer((json_int_t)number));
}

/* Notes a field of a struct; what lies before it without a name would be padding. */
void note_field(const char *type, const char *name, size_t offset, size_t size) {
  note(type, name, offset);
  if (!CHECK_EQUAL(offset, field_end)) fprintf(stderr, "  padding before %s.%s\n", type, name);
  field_end = offset + size;
}

static void test_layout(void) {
  layout = json_object();
  note_layout();
  json_error_t error;
  json_t *expected = json_load_file("Tests/ABI/layout.json", 0, &error);
  if (!CHECK(json_equal(layout, expected))) {
    json_dumpf(layout, stderr, JSON_INDENT(2));
    fputc('\n', stderr);
  }
  json_decref(expected);
  json_decref(layout);
}

static void test_version(void) {
  char text[32];
  snprintf(text, sizeof text, "%d.%d.%d", GROOT_VERSION_MAJOR, GROOT_VERSION_MINOR,
           GROOT_VERSION_PATCH);
  CHECK(strcmp(text, GROOT_VERSION) == 0);
  CHECK(strcmp(text, groot_version()) == 0);
  CHECK_EQUAL(GROOT_VERSION_NUMBER,
              GROOT_VERSION_MAJOR * 1000000 + GROOT_VERSION_MINOR * 1000 + GROOT_VERSION_PATCH);
  CHECK_EQUAL(groot_version_number(), GROOT_VERSION_NUMBER);
  CHECK_EQUAL(groot_abi_version(), GROOT_ABI_VERSION);
}

static void test_status_names(void) {
  for (size_t i = 0; i < status_count; i++) {
    const char *name = groot_status_name(statuses[i]);
    CHECK(name != NULL && name[0] != '\0');
    for (size_t j = 0; j < i; j++) CHECK(strcmp(name, groot_status_name(statuses[j])) != 0);
  }
  const groot_status unknown[] = {-1, 8, 119, 1000, INT32_MAX, INT32_MIN};
  for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
    CHECK(groot_status_name(unknown[i]) != NULL);
    for (size_t j = 0; j < status_count; j++) CHECK(unknown[i] != statuses[j]);
  }
  CHECK(strcmp(groot_status_name(GROOT_INVALID_JSON), "invalid JSON") == 0);
}

int main(void) {
  test_layout();
  test_version();
  test_status_names();
  return finish("header");
}
