/* Notes beside the objects of a store, its copy and its description. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static groot_error *error;
static char folder[] = "/tmp/groot-notes-XXXXXX";
static char first[64], second[64];

static groot_context *open_store(fixture *f, const char *path) {
  groot_context *context = NULL;
  CHECK_OK(groot_context_open(f->mapping, path, NULL, &context, &error));
  return context;
}

static void expect_note(groot_context *context, const char *name, const char *expected) {
  groot_buffer text = {(char *)folder, 7};
  CHECK_OK(groot_context_note(context, name, &text, &error));
  if (expected) {
    CHECK(text.data && text.size == strlen(expected) && strcmp(text.data, expected) == 0);
  } else {
    CHECK(!text.data && text.size == 0);
  }
  groot_buffer_free(&text);
}

static void refused(groot_status status) {
  CHECK_EQUAL(status, GROOT_INVALID_ARGUMENT);
  groot_error_free(error);
  error = NULL;
}

static void test_notes(fixture *f) {
  groot_context *context = open_store(f, first);
  expect_note(context, "cursor", NULL);
  CHECK_OK(groot_context_set_note(context, "cursor", "a,", &error));
  CHECK_OK(groot_context_set_note(context, "empty", "", &error));
  expect_note(context, "cursor", "a,");
  CHECK_OK(groot_context_rollback(context, &error));
  expect_note(context, "cursor", NULL);
  CHECK_OK(groot_context_set_note(context, "cursor", "a,", &error));
  CHECK_OK(groot_context_set_note(context, "empty", "", &error));
  CHECK_OK(groot_import_text(context, "Power", "[{\"id\": \"1\", \"name\": \"Flight\"}]",
                             GROOT_NTS, NULL, NULL, &error));
  CHECK_OK(groot_context_save(context, &error));
  groot_context_free(context);
  context = open_store(f, first);
  expect_note(context, "cursor", "a,");
  expect_note(context, "empty", "");
  CHECK_OK(groot_context_set_note(context, "empty", NULL, &error));
  CHECK_OK(groot_context_save(context, &error));
  expect_note(context, "empty", NULL);
  refused(groot_context_set_note(context, "", "x", &error));
  refused(groot_context_set_note(context, NULL, "x", &error));
  refused(groot_context_note(context, "cursor", NULL, &error));
  groot_context_free(context);
}

static void test_copies(fixture *f) {
  groot_context *source = open_store(f, first), *target = open_store(f, second);
  size_t found = 0;
  refused(groot_context_copy_store(source, source, &error));
  refused(groot_context_copy_store(source, NULL, &error));
  refused(groot_context_copy_store(f->context, target, &error));
  CHECK_OK(groot_context_copy_store(source, target, &error));
  CHECK_OK(groot_context_count(target, "Power", NULL, &found, &error));
  CHECK_EQUAL(found, 1);
  expect_note(target, "cursor", "a,");
  refused(groot_context_copy_store(source, target, &error));
  groot_context_free(source);
  groot_context_free(target);
}

static json_t *described(const char *path, uint32_t flags) {
  groot_buffer text = {NULL, 0};
  CHECK_OK(groot_store_describe(path, flags, &text, &error));
  return taken(&text);
}

static void test_descriptions(void) {
  json_t *plain = described(second, 0), *counted = described(second, GROOT_DESCRIBE_COUNTS);
  json_int_t objects = 0, format = 0;
  const char *note = NULL;
  CHECK(json_is_null(json_object_get(plain, "counts")));
  CHECK(json_unpack(counted, "{s: I, s: {s: {s: I}}, s: {s: s}}", "format", &format, "counts",
                    "Power", "objects", &objects, "notes", "cursor", &note) == 0);
  CHECK_EQUAL(format, 2);
  CHECK_EQUAL(objects, 1);
  CHECK(note && strcmp(note, "a,") == 0);
  json_decref(plain);
  json_decref(counted);
  groot_buffer text = {NULL, 0};
  refused(groot_store_describe(second, GROOT_STORE_VIEWS, &text, &error));
  refused(groot_store_describe("", 0, &text, &error));
  CHECK_EQUAL(groot_store_describe("/nowhere/store", 0, &text, &error), GROOT_FILE_ERROR);
  groot_error_free(error);
  error = NULL;
}

int main(void) {
  fixture f = open_fixture("comics");
  if (!CHECK(mkdtemp(folder) != NULL)) return finish("notes");
  snprintf(first, sizeof first, "%s/first.sqlite", folder);
  snprintf(second, sizeof second, "%s/second.sqlite", folder);
  test_notes(&f);
  test_copies(&f);
  test_descriptions();
  unlink(first);
  unlink(second);
  CHECK(rmdir(folder) == 0);
  close_fixture(&f);
  return finish("notes");
}
