/* Structs that the library fills grow with its versions: as much is filled as the caller has. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "support.h"

static groot_error *error;
static const size_t nts = GROOT_NTS;

enum { ROOM = 256 };

/* A struct of a header that is older or newer, with what lies behind it. */
typedef union room {
  size_t struct_size;
  groot_issue issue;
  groot_column column;
  unsigned char bytes[ROOM];
} room;

static void fill(room *room, size_t size) {
  memset(room->bytes, 0x25, ROOM);
  room->struct_size = size;
}

/* From so far on the bytes are as fill left them. */
static int is_untouched(const room *room, size_t from) {
  for (size_t i = from; i < ROOM; i++)
    if (room->bytes[i] != 0x25) return 0;
  return 1;
}

/* Sizes that no struct has: not whole words, and more than any will have. */
static const size_t wrong[] = {0, 1, 4, 7, 9, 12, 20, 103, 105, (size_t)1 << 20, SIZE_MAX};
#define WRONG (sizeof wrong / sizeof wrong[0])

static void test_issue(fixture *f) {
  groot_error *failure = NULL;
  groot_issue whole = GROOT_ISSUE_INIT;
  room room;
  CHECK_EQUAL(
      groot_import_text(f->context, "Thing", text("[{'number': 'x'}]"), nts, NULL, NULL, &failure),
      GROOT_WRONG_TYPE);
  CHECK_EQUAL(groot_error_issue(failure, 0, &whole), GROOT_OK);
  CHECK_EQUAL(whole.struct_size, sizeof whole);
  CHECK_TEXT(whole.path, "$[0].number");
  for (size_t size = 8; size <= ROOM / 2; size += 8) {
    const size_t filled = size < sizeof whole ? size : sizeof whole;
    fill(&room, size);
    CHECK_EQUAL(groot_error_issue(failure, 0, &room.issue), GROOT_OK);
    CHECK_EQUAL(room.struct_size, size);
    CHECK(memcmp(room.bytes + 8, (char *)&whole + 8, filled - 8) == 0);
    CHECK(is_untouched(&room, filled));
    fill(&room, size);
    CHECK_EQUAL(groot_error_issue(failure, 1, &room.issue), GROOT_INVALID_ARGUMENT);
    CHECK(is_untouched(&room, 8));
  }
  for (size_t i = 0; i < WRONG; i++) {
    fill(&room, wrong[i]);
    CHECK_EQUAL(groot_error_issue(failure, 0, &room.issue), GROOT_INVALID_ARGUMENT);
    CHECK_EQUAL(room.struct_size, wrong[i]);
    CHECK(is_untouched(&room, 8));
  }
  groot_error_free(failure);
}

static groot_status read_column(fixture *f, const groot_objects *things, const char *property,
                                groot_column *column) {
  return groot_context_column(f->context, "Thing", property, groot_objects_data(things),
                              groot_objects_count(things), column, &error);
}

static int is_empty(const groot_column *column) {
  return column->kind == 0 && column->count == 0 && column->null_count == 0 &&
         column->values == NULL && column->size == 0 && column->offsets == NULL &&
         column->validity == NULL && column->owner == NULL;
}

/* A column without room for its owner could not be freed: it is refused, and is empty. */
static void test_column(fixture *f, const groot_objects *things) {
  room room;
  for (size_t size = 8; size <= ROOM / 2; size += 8) {
    fill(&room, size);
    if (size < sizeof(groot_column)) {
      CHECK_FAILS(read_column(f, things, "number", &room.column), GROOT_INVALID_ARGUMENT);
      for (size_t i = 8; i < size; i++) CHECK(room.bytes[i] == 0);
    } else {
      CHECK_OK(read_column(f, things, "number", &room.column));
      CHECK_EQUAL(room.column.count, 2);
      CHECK_EQUAL(((const int64_t *)room.column.values)[1], 7);
    }
    const size_t filled = size < sizeof(groot_column) ? size : sizeof(groot_column);
    CHECK_EQUAL(room.struct_size, size);
    CHECK(is_untouched(&room, filled));
    /* The bytes behind it are not an owner. */
    groot_column_free(&room.column);
    CHECK_EQUAL(room.struct_size, size);
    CHECK(is_untouched(&room, filled));
    if (size >= sizeof(groot_column)) CHECK(is_empty(&room.column));
    groot_column_free(&room.column);
  }
  for (size_t i = 0; i < WRONG; i++) {
    fill(&room, wrong[i]);
    CHECK_FAILS(read_column(f, things, "number", &room.column), GROOT_INVALID_ARGUMENT);
    CHECK(strstr(issue.message, "struct_size") != NULL);
    CHECK_EQUAL(room.struct_size, wrong[i]);
    CHECK(is_untouched(&room, 8));
    groot_column_free(&room.column);
    CHECK(is_untouched(&room, 8));
  }
  /* What fails for another reason leaves an empty column, too. */
  fill(&room, sizeof(groot_column));
  CHECK_FAILS(read_column(f, things, "nothing", &room.column), GROOT_UNKNOWN_PROPERTY);
  CHECK(is_empty(&room.column) && is_untouched(&room, sizeof(groot_column)));
}

typedef struct watched {
  size_t calls, records;
} watched;

static groot_status watch(void *userdata, const groot_progress *progress) {
  watched *watched = userdata;
  CHECK_EQUAL(progress->struct_size, sizeof *progress);
  watched->calls++;
  watched->records = progress->records;
  return GROOT_OK;
}

/* What a later version says in the word that is 0 must not be overlooked. */
static void test_value(fixture *f, groot_object_id thing) {
  static const int32_t kinds[] = {GROOT_VALUE_INTEGER, GROOT_VALUE_NULL, GROOT_VALUE_OBJECT};
  groot_property number = property_of(f, thing, "number");
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    groot_value value = {kinds[i], 1, {0}};
    CHECK_FAILS(groot_object_set(f->context, thing, number, &value, &error), GROOT_UNSUPPORTED);
    value.reserved = INT32_MIN;
    CHECK_FAILS(groot_object_set(f->context, thing, number, &value, &error), GROOT_UNSUPPORTED);
  }
  groot_value value;
  memset(&value, 0x25, sizeof value);
  CHECK_OK(groot_object_get(f->context, thing, number, &value, &error));
  CHECK_EQUAL(value.reserved, 0);
  CHECK_EQUAL(value.as.integer, 5);
}

/* The library fills this one itself, and says how much of it. */
static void test_progress(fixture *f) {
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  groot_sync_options sync = GROOT_SYNC_OPTIONS_INIT;
  watched seen = {0, 0};
  char many[8192] = "[{}";
  for (int i = 0; i < 2000; i++) strcat(many, ",{}");
  strcat(many, "]");
  options.progress = sync.progress = watch;
  options.progress_userdata = sync.progress_userdata = &seen;
  CHECK_OK(groot_import_text(f->context, "Thing", many, nts, &options, NULL, &error));
  CHECK(seen.calls > 0 && seen.records > 0);
  seen = (watched){0, 0};
  CHECK_OK(groot_sync_text(f->context, "Named", "[]", nts, &sync, NULL, &error));
  CHECK(seen.calls > 0);
}

int main(void) {
  fixture f = open_document(
      "{'entities': {'Thing': {'attributes': {'number': {'type': 'integer32', 'optional': true,"
      " 'userInfo': {'JSONKeyPath': 'number'}}}},"
      "'Named': {'userInfo': {'identityAttributes': 'id'}, 'attributes': {"
      "'id': {'type': 'integer64', 'userInfo': {'JSONKeyPath': 'id'}}}}}}",
      NULL);
  groot_objects *things = import(&f, "Thing", "[{'number': 5}, {'number': 7}]");
  test_issue(&f);
  test_column(&f, things);
  test_value(&f, groot_objects_at(things, 0));
  test_progress(&f);
  groot_objects_free(things);
  close_fixture(&f);
  return finish("growth");
}
