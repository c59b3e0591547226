/* A store: what was saved is there when it is opened again, and what is no store is refused. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static groot_error *error;
static const size_t nts = GROOT_NTS;
static char folder[] = "/tmp/groot-store-XXXXXX";
static char path[64];

static void remove_store(void) {
  static const char *const ends[] = {"", "-wal", "-shm"};
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
    char name[80];
    snprintf(name, sizeof name, "%s%s", path, ends[i]);
    unlink(name);
  }
}

static groot_context *open_store(fixture *f, const char *options) {
  groot_context *context = NULL;
  json_t *made = options ? json(options) : NULL;
  CHECK_OK(groot_store_open(f->mapping, path, made, &context, &error));
  json_decref(made);
  return context;
}

static size_t count(groot_context *context, const char *entity) {
  size_t found = 0;
  CHECK_OK(groot_context_count(context, entity, nts, NULL, &found, &error));
  return found;
}

static void test_reopening(fixture *f) {
  groot_context *context = open_store(f, NULL);
  groot_objects *objects = NULL;
  CHECK_OK(groot_import_text(context, "Power", nts,
                             "[{\"id\": \"1\", \"name\": \"Flight\"}, {\"id\": \"2\", \"name\": \"Webs\"}]",
                             nts, NULL, &objects, &error));
  CHECK_OK(groot_context_save(context, &error));
  CHECK_OK(groot_object_delete(context, groot_objects_at(objects, 0), &error));
  groot_objects_free(objects);
  groot_context_free(context); /* without a save */
  context = open_store(f, "{'durability': 'normal', 'busyTimeout': 100, 'create': false}");
  CHECK_EQUAL(count(context, "Power"), 2);
  groot_context_free(context);
  remove_store();
}

static void import_power(groot_context *context, const char *name) {
  char text[80];
  snprintf(text, sizeof text, "[{\"id\": \"1\", \"name\": \"%s\"}]", name);
  CHECK_OK(groot_import_text(context, "Power", nts, text, nts, NULL, NULL, &error));
}

static size_t conflicts(groot_context *context) {
  json_t *found = NULL;
  CHECK_OK(groot_context_conflicts(context, &found, &error));
  const size_t count = json_array_size(found);
  json_decref(found);
  return count;
}

/* Two contexts change one object; the policy of the second says what becomes of that. */
static void test_policies(fixture *f) {
  static const char *const options[] = {"{'conflicts': 'error'}", "{'conflicts': 'mine'}",
                                        "{'conflicts': 'theirs'}"};
  static const char *const expected[] = {"first", "second", "first"};
  for (int i = 0; i < 3; i++) {
    groot_context *first = open_store(f, NULL);
    import_power(first, "Flight");
    CHECK_OK(groot_context_save(first, &error));
    groot_context *second = open_store(f, options[i]);
    import_power(second, "second");
    import_power(first, "first");
    CHECK_OK(groot_context_save(first, &error));
    if (i == 0) {
      CHECK_FAILS(groot_context_save(second, &error), GROOT_STORE_CONFLICT);
    } else {
      CHECK_OK(groot_context_save(second, &error));
    }
    CHECK_EQUAL(conflicts(second), i == 0 ? 0 : 1);
    groot_context_free(first);
    groot_context_free(second);
    first = open_store(f, NULL);
    json_t *request = json_pack("{s:{s:s}}", "where", "name", expected[i]);
    size_t found = 0;
    CHECK_OK(groot_context_count(first, "Power", nts, request, &found, &error));
    CHECK_EQUAL(found, 1);
    CHECK_EQUAL(conflicts(first), 0);
    json_decref(request);
    groot_context_free(first);
    remove_store();
  }
}

static void test_refusals(fixture *f) {
  groot_context *context = NULL;
  static const char *const wrong[] = {
      "[]",           "{'durability': 'none'}", "{'busyTimeout': -1}", "{'create': 1}",
      "{'migrate': 1}", "{'backup': 1}",          "{'unheardOf': 1}",
      "{'conflicts': 'ours'}", "{'migrate': 'all'}", "{'triggers': 1}", "{'backup': ''}",
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    json_t *options = json(wrong[i]);
    CHECK_FAILS(groot_store_open(f->mapping, path, options, &context, &error),
                GROOT_INVALID_ARGUMENT);
    json_decref(options);
  }
  json_t *options = json("{'create': false}");
  CHECK_FAILS(groot_store_open(f->mapping, path, options, &context, &error), GROOT_FILE_ERROR);
  json_decref(options);
  FILE *file = fopen(path, "wb");
  for (int i = 0; i < 100; i++) fputs("this is no database but some text\n", file);
  fclose(file);
  CHECK_FAILS(groot_store_open(f->mapping, path, NULL, &context, &error), GROOT_STORE_INVALID);
  CHECK(context == NULL);
  remove_store();
  CHECK_FAILS(groot_store_open(f->mapping, "", NULL, &context, &error), GROOT_INVALID_ARGUMENT);
}

int main(void) {
  fixture f = open_fixture("comics");
  if (!CHECK(mkdtemp(folder) != NULL)) return finish("store");
  snprintf(path, sizeof path, "%s/store.sqlite", folder);
  test_reopening(&f);
  test_policies(&f);
  test_refusals(&f);
  rmdir(folder);
  close_fixture(&f);
  return finish("store");
}
