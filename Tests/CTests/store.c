/* A store: what was saved is there when it is opened again, and what is not a store is refused. */
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

static groot_context *open_store(fixture *f, const groot_store_options *options) {
  groot_context *context = NULL;
  CHECK_OK(groot_context_open(f->mapping, path, options, &context, &error));
  return context;
}

static size_t count(groot_context *context, const char *entity) {
  size_t found = 0;
  CHECK_OK(groot_context_count(context, entity, NULL, &found, &error));
  return found;
}

static void test_reopening(fixture *f) {
  groot_context *context = open_store(f, NULL);
  groot_objects *objects = NULL;
  CHECK_OK(groot_import_text(
      context, "Power",
      "[{\"id\": \"1\", \"name\": \"Flight\"}, {\"id\": \"2\", \"name\": \"Webs\"}]", nts, NULL,
      &objects, &error));
  const groot_object_id *powers = groot_objects_data(objects);
  int64_t keys[2] = {9, 9};
  CHECK_OK(groot_context_row_keys(context, powers, 2, keys, &error));
  CHECK(keys[0] == 0 && keys[1] == 0);
  CHECK_OK(groot_context_save(context, &error));
  CHECK_OK(groot_context_row_keys(context, powers, 2, keys, &error));
  CHECK(keys[0] > 0 && keys[1] == keys[0] + 1);
  CHECK_OK(groot_object_delete(context, powers[0], &error));
  CHECK_FAILS(groot_context_row_keys(context, powers, 2, keys, &error), GROOT_OBJECT_DELETED);
  CHECK(keys[0] == 0 && keys[1] == 0);
  groot_objects_free(objects);
  groot_context_free(context); /* without a save */
  groot_store_options options = GROOT_STORE_OPTIONS_INIT;
  options.flags = GROOT_STORE_NO_CREATE;
  options.durability = GROOT_DURABILITY_NORMAL;
  options.busy_timeout = 100;
  context = open_store(f, &options);
  CHECK_EQUAL(count(context, "Power"), 2);
  groot_context_free(context);
  remove_store();
}

static void import_power(groot_context *context, const char *name) {
  char text[80];
  snprintf(text, sizeof text, "[{\"id\": \"1\", \"name\": \"%s\"}]", name);
  CHECK_OK(groot_import_text(context, "Power", text, nts, NULL, NULL, &error));
}

static size_t conflicts(groot_context *context) {
  groot_buffer buffer = {NULL, 0};
  CHECK_OK(groot_context_conflicts(context, &buffer, &error));
  json_t *found = taken(&buffer);
  const size_t count = json_array_size(found);
  json_decref(found);
  return count;
}

/* Two contexts change one object; the policy of the second says what becomes of that. */
static void test_policies(fixture *f) {
  static const int32_t policies[] = {GROOT_CONFLICTS_ERROR, GROOT_CONFLICTS_MINE,
                                     GROOT_CONFLICTS_THEIRS};
  static const char *const expected[] = {"first", "second", "first"};
  for (int i = 0; i < 3; i++) {
    groot_context *first = open_store(f, NULL);
    import_power(first, "Flight");
    CHECK_OK(groot_context_save(first, &error));
    groot_store_options options = GROOT_STORE_OPTIONS_INIT;
    options.conflicts = policies[i];
    groot_context *second = open_store(f, &options);
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
    char request[64];
    snprintf(request, sizeof request, "{'where': {'name': '%s'}}", expected[i]);
    size_t found = 0;
    CHECK_OK(groot_context_count(first, "Power", text(request), &found, &error));
    CHECK_EQUAL(found, 1);
    CHECK_EQUAL(conflicts(first), 0);
    groot_context_free(first);
    remove_store();
  }
}

static void test_refusals(fixture *f) {
  groot_context *context = NULL;
  const groot_store_options usual = GROOT_STORE_OPTIONS_INIT;
  static const struct {
    uint32_t flags;
    int32_t durability, conflicts, busy_timeout;
    const char *backup;
    groot_status status;
  } wrong[] = {
      {0, 2, 0, 0, NULL, GROOT_INVALID_ARGUMENT},
      {0, -1, 0, 0, NULL, GROOT_INVALID_ARGUMENT},
      {0, 0, 3, 0, NULL, GROOT_INVALID_ARGUMENT},
      {0, 0, -1, 0, NULL, GROOT_INVALID_ARGUMENT},
      {0, 0, 0, -2, NULL, GROOT_INVALID_ARGUMENT},
      {0, 0, 0, INT32_MAX, NULL, GROOT_INVALID_ARGUMENT},
      {0, 0, 0, INT32_MIN, NULL, GROOT_INVALID_ARGUMENT},
      {0, 0, 0, 0, "", GROOT_INVALID_ARGUMENT},
      {0, 0, 0, 0, "\xff", GROOT_INVALID_UTF8},
      {GROOT_STORE_NO_MIGRATE | GROOT_STORE_DESTRUCTIVE, 0, 0, 0, NULL, GROOT_INVALID_ARGUMENT},
      {GROOT_DRY_RUN, 0, 0, 0, NULL, GROOT_INVALID_ARGUMENT},
      {0x200000u, 0, 0, 0, NULL, GROOT_UNSUPPORTED},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    groot_store_options options = usual;
    options.flags = wrong[i].flags;
    options.durability = wrong[i].durability;
    options.conflicts = wrong[i].conflicts;
    options.busy_timeout = wrong[i].busy_timeout;
    options.backup = wrong[i].backup;
    CHECK_FAILS(groot_context_open(f->mapping, path, &options, &context, &error), wrong[i].status);
    CHECK(access(path, F_OK) != 0); /* no file is made */
  }
  groot_store_options options = usual;
  options.struct_size = 4;
  CHECK_FAILS(groot_context_open(f->mapping, path, &options, &context, &error),
              GROOT_INVALID_ARGUMENT);
  options = usual;
  options.flags = GROOT_STORE_NO_CREATE;
  CHECK_FAILS(groot_context_open(f->mapping, path, &options, &context, &error), GROOT_FILE_ERROR);
  FILE *file = fopen(path, "wb");
  for (int i = 0; i < 100; i++) fputs("this is not a database but some text\n", file);
  fclose(file);
  CHECK_FAILS(groot_context_open(f->mapping, path, NULL, &context, &error), GROOT_STORE_INVALID);
  CHECK(context == NULL);
  remove_store();
  CHECK_FAILS(groot_context_open(f->mapping, "", NULL, &context, &error), GROOT_INVALID_ARGUMENT);
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
