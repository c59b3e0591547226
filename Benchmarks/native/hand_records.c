/* The records by hand: an object for each identity, from an array and into one. */
#include "hand_records.h"

#include <stdlib.h>

enum { depth_limit = 2000 };

void hand_records_open(hand_records *records, const hand_type *type) {
  memset(records, 0, sizeof *records);
  records->type = type;
  hand_open(&records->memory);
  hand_map_open(&records->objects, 4096);
  if (type->open) type->open(records);
}

void hand_records_close(hand_records *records) {
  if (records->type->close) records->type->close(records);
  hand_map_close(&records->objects);
  hand_close(&records->memory);
  free(records->order);
}

static void append(hand_records *records, void *object) {
  if (records->count == records->capacity) {
    records->capacity = records->capacity ? 2 * records->capacity : 1024;
    records->order = realloc(records->order, records->capacity * sizeof *records->order);
    bench_require(records->order != NULL, "out of memory");
  }
  records->order[records->count++] = object;
}

static int8_t kind_of(const hand_kinds *kinds, const void *record) {
  return *(const int8_t *)((const char *)record + kinds->offset);
}

static const hand_fields *fields_of(const hand_type *type, const void *record) {
  return type->kinds ? &type->kinds->fields[kind_of(type->kinds, record)] : type->fields;
}

static int take_over(hand_records *records, void *record, int64_t identifier) {
  const hand_type *type = records->type;
  union {
    int64_t aligned;
    char bytes[hand_largest];
  } old;
  void **place = hand_find(&records->objects, identifier);
  const int is_new = *place == NULL;
  if (is_new) {
    *place = hand_allocate(&records->memory, type->size);
    append(records, *place);
  } else {
    memcpy(old.bytes, *place, type->size);
    if (type->kinds && kind_of(type->kinds, *place) != kind_of(type->kinds, record)) return 0;
  }
  void *object = *place;
  char *texts = hand_allocate(&records->memory, records->letters);
  char *end = hand_keep_texts(fields_of(type, record), record, is_new ? NULL : old.bytes, texts);
  if (end == texts) records->memory.free = texts;
  memcpy(object, record, type->size);
  if (type->link) type->link(records, object, is_new ? NULL : old.bytes);
  return 1;
}

int8_t hand_kind_find(const hand_kinds *kinds, hand_text name) {
  int8_t kind = 0;
  while (kind < kinds->count && (strlen(kinds->names[kind]) != name.size ||
                                 memcmp(kinds->names[kind], name.data, name.size) != 0)) {
    kind++;
  }
  return kind;
}

/* The kind of the record that is next, of which `scan` is a copy; the count when it has none. */
static int8_t peek_kind(hand_scan scan, const hand_kinds *kinds) {
  hand_text text;
  if (!hand_take(&scan, '{')) return kinds->count;
  do {
    if (!hand_read_text(&scan, &text) || !hand_take(&scan, ':')) break;
    if (text.size == strlen(kinds->key) && memcmp(text.data, kinds->key, text.size) == 0) {
      return hand_read_text(&scan, &text) ? hand_kind_find(kinds, text) : kinds->count;
    }
  } while (hand_skip_value(&scan, depth_limit) && hand_take(&scan, ','));
  return kinds->count;
}

static int import_one(hand_records *records) {
  union {
    int64_t identifier;
    char bytes[hand_largest];
  } record;
  const hand_type *type = records->type;
  int8_t kind = 0;
  memset(record.bytes, 0, type->size);
  record.identifier = INT64_MIN;
  records->letters = 0;
  if (type->kinds && (kind = peek_kind(records->scan, type->kinds)) == type->kinds->count) return 0;
  const hand_fields *fields = type->kinds ? &type->kinds->fields[kind] : type->fields;
  if (!hand_read_fields(records, fields, record.bytes)) return 0;
  if (record.identifier == INT64_MIN) return 0;
  if (type->kinds && kind_of(type->kinds, record.bytes) != kind) return 0;
  return take_over(records, record.bytes, record.identifier);
}

int hand_records_import(hand_records *records, const char *text, size_t size) {
  char *scratch = malloc(size + 1);
  records->scan = (hand_scan){text, text + size, scratch, scratch};
  int next = scratch && hand_take(&records->scan, '[') ? 1 : -1;
  for (int is_first = 1; next == 1; is_first = 0) {
    next = hand_read_next(&records->scan, is_first);
    records->scan.used = scratch;
    if (next == 1 && !import_one(records)) next = -1;
  }
  free(scratch);
  return next == 0 && hand_skip(&records->scan) && records->scan.at == records->scan.end;
}

char *hand_records_export(const hand_records *records, size_t *size) {
  hand_output out = {NULL, NULL, NULL};
  hand_grow(&out, 65536);
  HAND_PUT(&out, "[");
  for (size_t i = 0; i < records->count; i++) {
    if (i) HAND_PUT(&out, ",");
    hand_write_fields(&out, fields_of(records->type, records->order[i]), records->order[i]);
  }
  HAND_PUT(&out, "]");
  *size = (size_t)(out.at - out.start);
  return out.start;
}
