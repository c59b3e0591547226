/* The fields of records by hand: their values in the text, in structs and in the output. */
#include "hand_record.h"
#include "hand_records.h"

#include <math.h>

enum { depth_limit = 2000 };

#define AT(type, base, field) ((type *)(void *)((char *)(base) + (field)->offset))
#define OF(type, base, field) (*(const type *)(const void *)((const char *)(base) + (field)->offset))
#define REST(type, base, fields) ((type *)(void *)((char *)(base) + (fields)->rest))

/* ---- reading ---- */

int hand_read_null(hand_scan *scan) {
  hand_skip(scan);
  if (scan->end - scan->at < 4 || memcmp(scan->at, "null", 4) != 0) return 0;
  scan->at += 4;
  return 1;
}

int hand_read_next(hand_scan *scan, int is_first) {
  if (is_first) return hand_take(scan, ']') ? 0 : 1;
  if (hand_take(scan, ',')) return 1;
  return hand_take(scan, ']') ? 0 : -1;
}

static int read_integer(hand_scan *scan, int64_t low, int64_t high, int64_t *integer) {
  hand_skip(scan);
  const char *at = scan->at;
  const int is_negative = *at == '-';
  at += is_negative;
  const char *start = at;
  int64_t value = 0;
  while ((unsigned)(*at - '0') < 10 && at - start < 18) value = value * 10 + (*at++ - '0');
  const int is_plain = at > start && (*start != '0' || at == start + 1) && *at != '.' &&
                       (*at | 32) != 'e' && (unsigned)(*at - '0') >= 10;
  if (!is_plain) return hand_read_integer(scan, low, high, integer);
  scan->at = at;
  *integer = is_negative ? -value : value;
  return *integer >= low && *integer <= high;
}

static int read_time(hand_scan *scan, int64_t *seconds) {
  hand_text text;
  return hand_read_text(scan, &text) && hand_to_time(text, seconds);
}

static int read_value(hand_records *records, const hand_field *field, void *into) {
  hand_scan *scan = &records->scan;
  int64_t integer = 0;
  int is_good = 0;
  switch (field->kind) {
    case HAND_INT8: return hand_read_boolean(scan, AT(int8_t, into, field));
    case HAND_INT16:
      is_good = read_integer(scan, INT16_MIN, INT16_MAX, &integer);
      *AT(int16_t, into, field) = (int16_t)integer;
      return is_good;
    case HAND_INT32:
      is_good = read_integer(scan, INT32_MIN, INT32_MAX, &integer);
      *AT(int32_t, into, field) = (int32_t)integer;
      return is_good;
    case HAND_INT64: return read_integer(scan, INT64_MIN, INT64_MAX, AT(int64_t, into, field));
    case HAND_DOUBLE:
      is_good = hand_read_number(scan, AT(double, into, field));
      return is_good && isfinite(*AT(double, into, field));
    case HAND_TEXT:
      if (hand_read_null(scan)) return 1;
      if (!hand_read_text(scan, AT(hand_text, into, field))) return 0;
      records->letters += AT(hand_text, into, field)->size;
      return 1;
    case HAND_TIME: return read_time(scan, AT(int64_t, into, field));
    case HAND_INNER: return hand_read_null(scan) || hand_read_fields(records, field->inner, into);
    case HAND_LIST: return field->list->read(records, AT(char, into, field));
  }
  return 0;
}

/* A key that is not the expected one; `next` becomes its place, or the count when it is unknown. */
static int look_up(hand_scan *scan, const hand_fields *fields, int *next) {
  hand_text key;
  if (!hand_read_text(scan, &key) || !hand_take(scan, ':')) return 0;
  for (*next = 0; *next < fields->count; ++*next) {
    const hand_field *field = fields->items + *next;
    if (key.size == field->size - 4u && memcmp(key.data, field->key + 2, key.size) == 0) break;
  }
  return 1;
}

/* Takes an unmapped key with its value, up to here, and the comma or brace before it. */
static void take_rest(hand_records *records, hand_text *rest, const char *start) {
  const uint32_t size = (uint32_t)(records->scan.at - start);
  records->letters += size;
  if (!rest->data) {
    *rest = (hand_text){start, size};
    return;
  }
  if (rest->data + rest->size != start) {
    char *joined = hand_allocate(&records->memory, rest->size + size);
    memcpy(joined, rest->data, rest->size);
    memcpy(joined + rest->size, start, size);
    rest->data = joined;
  }
  rest->size += size;
}

int hand_read_fields(hand_records *records, const hand_fields *fields, void *into) {
  hand_scan *scan = &records->scan;
  int next = 0;
  if (!hand_take(scan, '{')) return 0;
  const char *start = scan->at - 1;
  if (hand_take(scan, '}')) return 1;
  do {
    const hand_field *field = fields->items + next;
    if (next < fields->count && scan->end - scan->at >= field->size &&
        memcmp(scan->at, field->key + 1, field->size - 1u) == 0) {
      scan->at += field->size - 1;
    } else if (!look_up(scan, fields, &next)) {
      return 0;
    }
    if (next == fields->count) {
      if (!hand_skip_value(scan, depth_limit)) return 0;
      if (fields->rest) take_rest(records, REST(hand_text, into, fields), start);
    } else if (!read_value(records, fields->items + next++, into)) {
      return 0;
    }
    start = scan->at;
  } while (hand_take(scan, ','));
  return hand_take(scan, '}');
}

/* ---- texts that stay ---- */

static int is_same(hand_text first, hand_text second) {
  return first.data && second.data && first.size == second.size &&
         memcmp(first.data, second.data, first.size) == 0;
}

static char *keep(hand_text *text, const hand_text *old, char *to) {
  if (!text->data) return to;
  if (old && is_same(*text, *old)) {
    *text = *old;
    return to;
  }
  memcpy(to, text->data, text->size);
  text->data = to;
  return to + text->size;
}

char *hand_keep_texts(const hand_fields *fields, void *record, const void *old, char *to) {
  for (int i = 0; i < fields->count; i++) {
    const hand_field *field = fields->items + i;
    if (field->kind == HAND_INNER) {
      to = hand_keep_texts(field->inner, record, old, to);
    } else if (field->kind == HAND_TEXT) {
      to = keep(AT(hand_text, record, field), old ? &OF(hand_text, old, field) : NULL, to);
    }
  }
  if (fields->rest) {
    char *start = to;
    to = keep(REST(hand_text, record, fields), old ? REST(const hand_text, old, fields) : NULL, to);
    if (to > start && *start == '{') *start = ',';
  }
  return to;
}

/* ---- writing ---- */

static void write_value(hand_output *out, const hand_field *field, const void *from) {
  switch (field->kind) {
    case HAND_INT8:
      if (OF(int8_t, from, field)) HAND_PUT(out, "true");
      else HAND_PUT(out, "false");
      break;
    case HAND_INT16: hand_put_integer(out, OF(int16_t, from, field)); break;
    case HAND_INT32: hand_put_integer(out, OF(int32_t, from, field)); break;
    case HAND_INT64: hand_put_integer(out, OF(int64_t, from, field)); break;
    case HAND_DOUBLE: hand_put_number(out, OF(double, from, field)); break;
    case HAND_TEXT:
      if (OF(hand_text, from, field).data) hand_put_text(out, OF(hand_text, from, field));
      else HAND_PUT(out, "null");
      break;
    case HAND_TIME: hand_put_time(out, OF(int64_t, from, field)); break;
    case HAND_INNER: hand_write_fields(out, field->inner, from); break;
    case HAND_LIST: field->list->write(out, &OF(char, from, field)); break;
  }
}

void hand_write_members(hand_output *out, const hand_fields *fields, const void *from) {
  for (int i = 0; i < fields->count; i++) {
    const hand_field *field = fields->items + i;
    hand_need(out, hand_key_room);
    memcpy(out->at, field->key, hand_key_room);
    out->at += field->size;
    write_value(out, field, from);
  }
  if (fields->rest) {
    const hand_text *rest = REST(const hand_text, from, fields);
    if (rest->data) hand_put(out, rest->data, rest->size);
  }
}

void hand_write_fields(hand_output *out, const hand_fields *fields, const void *from) {
  const hand_fields others = {fields->items + 1, fields->count - 1, fields->rest};
  HAND_PUT(out, "{");
  hand_put(out, fields->items->key + 1, fields->items->size - 1u);
  write_value(out, fields->items, from);
  hand_write_members(out, &others, from);
  HAND_PUT(out, "}");
}
