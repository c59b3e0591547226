/* Columns and Arrow streams: what the plain graph has. */
#include "operations.h"

/* All living objects of an entity, now and then one that is wrong. */
static size_t some_objects(fuzz *f, int entity, groot_object_id *ids) {
  size_t count = 0;
  for (int i = 0; i < f->now.count; i++) {
    const plain_object *object = &f->now.objects[i];
    int fits = object->is_alive && is_kind_of(&f->schema, object->entity, entity);
    if (fits && chance(f, 80)) ids[count++] = object->id;
    if (!fits && chance(f, 1)) ids[count++] = object->id, wrong(f, 0);
  }
  return count;
}

static size_t count_argument(fuzz *f, size_t right) {
  if (!chance(f, 3)) return right;
  wrong(f, 0);
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
  size_t sizes[] = {0, 4, 9, sizeof column - sizeof(size_t), (size_t)-1};
  memset(&column, 0x55, sizeof column);
  column.struct_size = sizeof column;
  const char *name = name_argument(f, entity->name, GROOT_UNKNOWN_ENTITY);
  const char *property = name_argument(f, one->name, GROOT_UNKNOWN_PROPERTY);
  size_t count = count_argument(f, some_objects(f, number, ids));
  if (one->kind == TO_MANY) wrong(f, 0);
  groot_context *context = context_argument(f);
  groot_column *place = chance(f, 98) ? &column : NULL;
  if (!place) {
    memset(&column, 0, sizeof column);
    wrong(f, 0);
  }
  if (chance(f, 3)) {
    memset(&column, 0, sizeof column);
    column.struct_size = sizes[roll(f, 5)]; /* too little for the owner, or no size */
    wrong(f, GROOT_INVALID_ARGUMENT);
  }
  int is_right = !f->is_wrong;
  groot_status status =
      CALL(groot_context_column(context, name, property, ids, count, place, error_place(f)));
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
    } else if (column.kind == GROOT_VALUE_DAY) {
      int64_t days = ((const int32_t *)column.values)[i];
      REQUIRE((uint64_t)days == (has_value ? want.bits : 0));
    }
  }
  CALLED(groot_column_free(&column));
  CALLED(groot_column_free(chance(f, 50) ? &column : NULL));
}

/* Without a store no object has a key; with one, no two objects of an entity have the same. */
static void read_keys(fuzz *f) {
  int number = any_entity(f, 0);
  groot_object_id ids[MOST_OBJECTS];
  int64_t keys[MOST_OBJECTS];
  size_t count = 0;
  for (int i = 0; i < f->now.count; i++) {
    const plain_object *object = &f->now.objects[i];
    int fits = is_kind_of(&f->schema, object->entity, number);
    if (fits && object->is_alive) ids[count++] = object->id;
    else if (!object->is_alive && chance(f, 1)) ids[count++] = object->id, wrong(f, 0);
  }
  size_t asked = count_argument(f, count);
  groot_context *context = context_argument(f);
  int64_t *place = chance(f, 98) ? keys : NULL;
  if (!place && asked) wrong(f, 0);
  groot_status status = CALL(groot_context_row_keys(context, ids, asked, place, error_place(f)));
  for (size_t i = 0; status == GROOT_OK && place && i < count; i++) {
    REQUIRE(keys[i] >= 0);
    for (size_t j = 0; j < i; j++) REQUIRE(keys[i] == 0 || keys[i] != keys[j]);
  }
}

static void copy_arrow(fuzz *f) {
  static const int64_t numbers[] = {1, 2, 3};
  groot_arrow_column columns[4] = {{"+s", "", 3, 0, roll(f, 4), 1, {NULL}, {0}}};
  for (int i = 1; i < 4; i++) {
    columns[i] = (groot_arrow_column){"l", "n", 3, 0, 0, 2, {NULL, numbers}, {0, sizeof numbers}};
  }
  size_t count = columns[0].children + 1;
  if (count > 1 && chance(f, 5)) count--, wrong(f, GROOT_INVALID_ARGUMENT);
  if (chance(f, 5)) columns[0].buffer_count = 4, wrong(f, GROOT_INVALID_ARGUMENT);
  struct ArrowArrayStream stream;
  memset(&stream, 0x55, sizeof stream);
  struct ArrowArrayStream *place = chance(f, 98) ? &stream : NULL;
  if (!place) wrong(f, 0);
  groot_status status = CALL(groot_arrow_table(columns, count, place, error_place(f)));
  REQUIRE(status == GROOT_OK || !place || stream.release == NULL);
  if (status == GROOT_OK) stream.release(&stream);
  REQUIRE(CALLED(groot_arrow_capsule_destructor()) == NULL);
}

/* Wider units have room for as much of a text, cut anywhere, as narrower ones. */
static void write_units(fuzz *f) {
  static const char text[] = "plain n\xC3\xA9 \xE2\x82\xAC and \xF0\x9F\x8C\xB3, and more text after it";
  static const uint32_t greatest[] = {0x7F, 0xFF, 0xFFFF, 0x10FFFF};
  size_t from = roll(f, sizeof text - 1), size = roll(f, sizeof text - from), before = 0, count = 0;
  for (int i = 0; i < 4; i++) {
    uint32_t units[sizeof text];
    size_t read = CALLED(groot_text_units(text + from, size, greatest[i], units, &count));
    REQUIRE(read >= before && read <= size && count <= read);
    before = read;
  }
}

void read_arrow(fuzz *f) {
  if (chance(f, 20)) {
    write_units(f);
    read_keys(f);
    copy_arrow(f);
    return;
  }
  int number = any_entity(f, 0);
  const entity *entity = &f->schema.entities[number];
  groot_object_id ids[MOST_OBJECTS];
  struct ArrowArrayStream stream;
  memset(&stream, 0x55, sizeof stream);
  json_t *names = NULL;
  if (chance(f, 30)) names = chance(f, 80) ? json_array() : odd_json(f);
  f->is_request_doubtful = names != NULL;
  if (json_is_array(names) && entity->slot_count && chance(f, 80)) {
    json_array_append_new(names, json_string(f->schema.properties[entity->slots[0]].name));
  }
  held held = {0};
  const char *asked = json_argument(f, &held, names);
  const char *name = name_argument(f, entity->name, GROOT_UNKNOWN_ENTITY);
  size_t count = count_argument(f, some_objects(f, number, ids));
  groot_context *context = context_argument(f);
  struct ArrowArrayStream *place = chance(f, 98) ? &stream : NULL;
  if (!place) wrong(f, 0);
  groot_status status = CALL(groot_context_arrow_stream(context, name, asked, ids, count, place,
                                                        error_place(f)));
  release(&held);
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
