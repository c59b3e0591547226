/* Columns: the buffers of one property, and tables of the Arrow C data interface. */
#include "support.h"

#include <groot_ffi.h>
#include <stdlib.h>
#include <string.h>

static groot_error *error;

static const char *const document =
    "{'entities': {'Thing': {'attributes': {"
    "'number': {'type': 'integer32', 'optional': true, 'userInfo': {'JSONKeyPath': 'number'}},"
    "'flag': {'type': 'boolean', 'optional': true, 'userInfo': {'JSONKeyPath': 'flag'}},"
    "'text': {'type': 'string', 'optional': true, 'userInfo': {'JSONKeyPath': 'text'}},"
    "'day': {'type': 'day', 'optional': true, 'userInfo': {'JSONKeyPath': 'day'}}},"
    "'relationships': {"
    "'next': {'destination': 'Thing', 'optional': true, 'userInfo': {'JSONKeyPath': 'next'}},"
    "'all': {'destination': 'Thing', 'toMany': true, 'optional': true}}},"
    "'Other': {'attributes': {}}}}";

static groot_status read_column(fixture *f, groot_objects *objects, const char *name,
                                groot_column *column) {
  return groot_context_column(f->context, "Thing", name, groot_objects_data(objects),
                              groot_objects_count(objects), column, &error);
}

static void test_buffers(fixture *f, groot_objects *things) {
  groot_column column = GROOT_COLUMN_INIT;
  CHECK_OK(read_column(f, things, "number", &column));
  CHECK_EQUAL(column.kind, GROOT_VALUE_INTEGER);
  CHECK_EQUAL(column.count, 3);
  CHECK_EQUAL(column.null_count, 1);
  CHECK_EQUAL(column.size, 24);
  CHECK_EQUAL(((const int64_t *)column.values)[0], -5);
  CHECK_EQUAL(((const int64_t *)column.values)[1], 0);
  CHECK_EQUAL(column.validity[0], 5);
  CHECK(column.offsets == NULL);
  groot_column_free(&column);
  CHECK(column.values == NULL && column.owner == NULL && column.count == 0);
  groot_column_free(&column);

  CHECK_OK(read_column(f, things, "flag", &column));
  CHECK_EQUAL(column.kind, GROOT_VALUE_BOOLEAN);
  CHECK(memcmp(column.values, "\1\0\1", 3) == 0);
  CHECK(column.validity == NULL && column.null_count == 0);
  groot_column_free(&column);

  CHECK_OK(read_column(f, things, "text", &column));
  CHECK_EQUAL(column.kind, GROOT_VALUE_STRING);
  CHECK_EQUAL(column.offsets[1], 2);
  CHECK_EQUAL(column.offsets[2], 2);
  CHECK_EQUAL(column.offsets[3], 45);
  CHECK(memcmp(column.values, "aba text that is much longer than its slot is", 45) == 0);
  groot_column_free(&column);

  CHECK_OK(read_column(f, things, "day", &column));
  CHECK_EQUAL(column.kind, GROOT_VALUE_DAY);
  CHECK_EQUAL(column.size, 12);
  CHECK_EQUAL(column.null_count, 1);
  CHECK_EQUAL(((const int32_t *)column.values)[0], -671);
  CHECK_EQUAL(((const int32_t *)column.values)[1], 0);
  CHECK_EQUAL(((const int32_t *)column.values)[2], 106751991);
  groot_column_free(&column);

  CHECK_OK(read_column(f, things, "next", &column));
  CHECK_EQUAL(column.kind, GROOT_VALUE_OBJECT);
  CHECK_EQUAL(((const groot_object_id *)column.values)[0],
              object_of(f, groot_objects_at(things, 0), "next"));
  CHECK_EQUAL(((const groot_object_id *)column.values)[1], 0);
  groot_column_free(&column);

  CHECK_OK(groot_context_column(f->context, "Thing", "text", NULL, 0, &column, &error));
  CHECK(column.count == 0 && column.offsets[0] == 0 && column.values != NULL);
  groot_column_free(&column);
}

/* Without a column nothing reads the objects, but what they are still counts. */
static void test_arrow_of_others(fixture *f, groot_object_id thing, groot_object_id other) {
  static const char *const lists[] = {"[]", "[\"number\"]", NULL};
  const groot_object_id mixed[] = {thing, other, thing}, none[] = {thing, 0};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    struct ArrowArrayStream stream;
    CHECK_FAILS(
        groot_context_arrow_stream(f->context, "Thing", lists[i], &other, 1, &stream, &error),
        GROOT_WRONG_TYPE);
    CHECK_FAILS(
        groot_context_arrow_stream(f->context, "Thing", lists[i], mixed, 3, &stream, &error),
        GROOT_WRONG_TYPE);
    CHECK_FAILS(groot_context_arrow_stream(f->context, "Thing", lists[i], none, 2, &stream, &error),
                GROOT_UNKNOWN_OBJECT);
    CHECK(stream.release == NULL);
  }
}

static void test_refused(fixture *f, groot_objects *things) {
  groot_column column = GROOT_COLUMN_INIT;
  CHECK_FAILS(read_column(f, things, "all", &column), GROOT_WRONG_TYPE);
  CHECK_PLACE("", "Thing", "all");
  CHECK_FAILS(read_column(f, things, "nothing", &column), GROOT_UNKNOWN_PROPERTY);
  CHECK(column.values == NULL && column.owner == NULL);
  groot_object_id other = 0;
  CHECK_OK(groot_object_insert(f->context, "Other", &other, &error));
  CHECK_FAILS(groot_context_column(f->context, "Thing", "text", &other, 1, &column, &error),
              GROOT_WRONG_TYPE);
  CHECK_FAILS(groot_context_column(f->context, "Nobody", "text", NULL, 0, &column, &error),
              GROOT_UNKNOWN_ENTITY);
  test_arrow_of_others(f, groot_objects_at(things, 0), other);
  int64_t keys[] = {5, 5};
  CHECK_OK(groot_context_row_keys(f->context, groot_objects_data(things), 2, keys, &error));
  CHECK(keys[0] == 0 && keys[1] == 0); /* no store */
  CHECK_OK(groot_context_row_keys(f->context, NULL, 0, NULL, &error));
  CHECK_FAILS(groot_context_row_keys(f->context, &other, 1, NULL, &error),
              GROOT_INVALID_ARGUMENT);
  CHECK_OK(groot_object_delete(f->context, other, &error));
  CHECK_FAILS(groot_context_column(f->context, "Other", "text", &other, 1, &column, &error),
              GROOT_UNKNOWN_PROPERTY);
  CHECK_FAILS(groot_context_column(f->context, "Thing", "text", &other, 1, &column, &error),
              GROOT_OBJECT_DELETED);
  CHECK_FAILS(groot_context_row_keys(f->context, &other, 1, keys, &error), GROOT_OBJECT_DELETED);
}

static struct ArrowArrayStream open_stream(fixture *f, groot_objects *things, const char *names) {
  struct ArrowArrayStream stream;
  CHECK_OK(groot_context_arrow_stream(f->context, "Thing", names ? text(names) : NULL,
                                      groot_objects_data(things), groot_objects_count(things),
                                      &stream, &error));
  return stream;
}

static void test_arrow(fixture *f, groot_objects *things) {
  struct ArrowArrayStream stream = open_stream(f, things, NULL);
  struct ArrowSchema schema;
  struct ArrowArray array, moved;
  CHECK_EQUAL(stream.get_schema(&stream, &schema), 0);
  CHECK_EQUAL(stream.get_next(&stream, &array), 0);
  CHECK(strcmp(schema.format, "+s") == 0 && schema.n_children == 4);
  static const char *const names[] = {"number", "flag", "text", "day"};
  static const char *const formats[] = {"l", "b", "U", "tdD"};
  for (int i = 0; i < 4; i++) {
    CHECK(strcmp(schema.children[i]->name, names[i]) == 0);
    CHECK(strcmp(schema.children[i]->format, formats[i]) == 0);
    CHECK_EQUAL(schema.children[i]->flags, ARROW_FLAG_NULLABLE);
    CHECK_EQUAL(array.children[i]->length, 3);
    CHECK_EQUAL(array.children[i]->n_buffers, i == 2 ? 3 : 2);
  }
  CHECK_EQUAL(array.length, 3);
  CHECK_EQUAL(array.n_buffers, 1);
  CHECK_EQUAL(array.children[0]->null_count, 1);
  CHECK_EQUAL(((const uint8_t *)array.children[1]->buffers[1])[0], 5);
  CHECK_EQUAL(((const int32_t *)array.children[3]->buffers[1])[0], -671);

  /* A child that was moved out lives on when all else is released. */
  moved = *array.children[2];
  array.children[2]->release = NULL;
  array.release(&array);
  CHECK(array.release == NULL);
  schema.release(&schema);
  CHECK(schema.release == NULL);
  CHECK_EQUAL(stream.get_next(&stream, &array), 0);
  CHECK(array.release == NULL && stream.get_last_error(&stream) == NULL);
  stream.release(&stream);
  CHECK(stream.release == NULL);
  CHECK_EQUAL(((const int64_t *)moved.buffers[1])[3], 45);
  CHECK(memcmp(moved.buffers[2], "aba text", 8) == 0);
  moved.release(&moved);
  CHECK(moved.release == NULL);
}

/* Checks the units of the first bytes of a text of up to 40, against those of `expected`. */
static void check_units(const char *text, size_t read, uint32_t greatest, size_t count,
                        const void *expected) {
  uint32_t units[40];
  size_t width = greatest > 0xFFFF ? 4 : greatest > 0xFF ? 2 : 1, found = 99;
  memset(units, 0x55, sizeof units);
  CHECK_EQUAL(groot_text_units(text, strlen(text), greatest, units, &found), read);
  CHECK_EQUAL(found, count);
  CHECK(memcmp(units, expected, count * width) == 0);
  CHECK_EQUAL(((const unsigned char *)units)[strlen(text) * width], 0x55);
}

static void test_text_units(void) {
  static const char text[] = "a\xC3\xBF\xC4\x80\xE2\x82\xAC\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF" "b";
  const uint8_t latin[] = {'a', 0xFF};
  const uint16_t basic[] = {'a', 0xFF, 0x100, 0x20AC, 0xFFFF};
  const uint32_t any[] = {'a', 0xFF, 0x100, 0x20AC, 0xFFFF, 0x10000, 0x10FFFF, 'b'};
  uint16_t mixed[36];
  uint32_t wide[36];
  for (int i = 0; i < 36; i++) mixed[i] = i == 17 ? 0x20AC : 'a' + i % 26, wide[i] = mixed[i];
  check_units("", 0, 0x7F, 0, "");
  check_units("plain", 5, 0x7F, 5, "plain");
  check_units("more than sixteen letters", 25, 0xFF, 25, "more than sixteen letters");
  check_units(text, 1, 0x7F, 1, "a");
  check_units(text, 3, 0xFF, 2, latin);
  check_units(text, 11, 0xFFFF, 5, basic);
  check_units(text, 20, 0x10FFFF, 8, any);
  static const char longer[] = "abcdefghijklmnopq\xE2\x82\xACstuvwxyzabcdefghij";
  check_units(longer, 17, 0xFF, 17, "abcdefghijklmnopq");
  check_units(longer, 38, 0xFFFF, 36, mixed);
  check_units(longer, 38, 0x10FFFF, 36, wide);

  static const char *const wrong[] = {"\xC3", "\xC3(", "\xC0\x80", "\xED\xA0\x80", "\xE2\x82",
                                      "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\x80", "\xFF"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    check_units(wrong[i], 0, 0x10FFFF, 0, "");
    check_units(wrong[i], 0, 0xFF, 0, "");
  }
  check_units("sixteen letters.\x80", 16, 0xFF, 16, "sixteen letters.");
  uint32_t units[4];
  size_t count = 99;
  CHECK_EQUAL(groot_text_units("a", 1, 0xFFFE, units, &count), 0);
  CHECK_EQUAL(count, 0);
  CHECK_EQUAL(groot_text_units(NULL, 1, 0x7F, units, &count), 0);
  CHECK_EQUAL(groot_text_units("a", 1, 0x7F, NULL, &count), 0);
  CHECK_EQUAL(groot_text_units("a", 1, 0x7F, units, NULL), 0);
}

static void test_arrow_of_copies(void) {
  int64_t numbers[2] = {5, 6};
  const uint8_t validity = 1;
  groot_arrow_column columns[] = {
      {"+s", "", 2, 0, 2, 1, {NULL}, {0}},
      {"+s", "part", 2, 1, 1, 1, {&validity}, {1}},
      {"l", "inner", 2, 0, 0, 2, {NULL, numbers}, {0, sizeof numbers}},
      {"l", "outer", 2, 0, 0, 2, {NULL, numbers}, {0, sizeof numbers}},
  };
  struct ArrowArrayStream stream;
  struct ArrowSchema schema;
  struct ArrowArray array, moved;
  CHECK_OK(groot_arrow_table(columns, 4, &stream, &error));
  numbers[0] = 7;
  CHECK_EQUAL(stream.get_schema(&stream, &schema), 0);
  CHECK_EQUAL(stream.get_next(&stream, &array), 0);
  stream.release(&stream);
  CHECK(strcmp(schema.children[0]->children[0]->name, "inner") == 0);
  schema.release(&schema);
  CHECK_EQUAL(array.children[0]->null_count, 1);
  CHECK_EQUAL(((const int64_t *)array.children[1]->buffers[1])[0], 5);
  moved = *array.children[0]->children[0];
  array.children[0]->children[0]->release = NULL;
  array.release(&array);
  CHECK_EQUAL(((const int64_t *)moved.buffers[1])[0], 5);
  moved.release(&moved);

  CHECK_FAILS(groot_arrow_table(columns, 3, &stream, &error), GROOT_INVALID_ARGUMENT);
  CHECK_FAILS(groot_arrow_table(columns, (size_t)-1, &stream, &error), GROOT_INVALID_ARGUMENT);
  CHECK_OK(groot_arrow_table(NULL, 0, &stream, &error));
  stream.release(&stream);
  CHECK_FAILS(groot_arrow_table(columns + 3, 1, &stream, &error), GROOT_INVALID_ARGUMENT);
  columns[2].buffer_count = 4;
  CHECK_FAILS(groot_arrow_table(columns, 4, &stream, &error), GROOT_INVALID_ARGUMENT);
  groot_arrow_column nested[40];
  for (int i = 0; i < 40; i++) nested[i] = (groot_arrow_column){"+s", "", 0, 0, i < 39, 1, {0}, {0}};
  CHECK_FAILS(groot_arrow_table(nested, 40, &stream, &error), GROOT_INVALID_ARGUMENT);
  /* This program has no Python. */
  CHECK(groot_arrow_capsule_destructor() == NULL);
}

static void test_arrow_of_some(fixture *f, groot_objects *things) {
  struct ArrowArrayStream stream = open_stream(f, things, "['next', 'number']");
  struct ArrowSchema schema;
  CHECK_EQUAL(stream.get_schema(&stream, &schema), 0);
  CHECK_EQUAL(schema.n_children, 2);
  CHECK(strcmp(schema.children[0]->format, "L") == 0);
  schema.release(&schema);
  stream.release(&stream); /* without having been read */

  stream = open_stream(f, NULL, "[]");
  struct ArrowArray array;
  CHECK_EQUAL(stream.get_next(&stream, &array), 0);
  CHECK(array.length == 0 && array.n_children == 0);
  array.release(&array);
  stream.release(&stream);

  static const char *const refused[] = {"{}", "[5]", "['number', 'nothing']", "['all']"};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    groot_status status =
        groot_context_arrow_stream(f->context, "Thing", text(refused[i]), NULL, 0, &stream, NULL);
    CHECK(status != GROOT_OK && stream.release == NULL);
  }
}

int main(void) {
  fixture f = open_document(document, NULL);
  groot_objects *things =
      import(&f, "Thing",
             "[{'number': -5, 'flag': true, 'text': 'ab', 'next': {'number': 9},"
             " 'day': '1968-03-01'}, {'flag': false},"
             " {'number': 7, 'flag': true, 'day': '+294247-01-10',"
             " 'text': 'a text that is much longer than its slot is'}]");
  test_buffers(&f, things);
  test_arrow(&f, things);
  test_arrow_of_some(&f, things);
  test_text_units();
  test_arrow_of_copies();
  test_refused(&f, things);
  groot_objects_free(things);
  close_fixture(&f);
  return finish("columns");
}
