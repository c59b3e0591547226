/* Values of attributes: as the library takes them, as they come back, as JSON. */
#include <math.h>
#include <stdio.h>

#include "fuzz.h"

static const char *const decimals[] = {"0", "1", "-12.5", "123456789012345678.25",
                                       "0.001"};
static const char *const uuids[] = {"7d444840-9dc0-11d1-b245-5ffdce74fad2",
                                    "00000000-0000-0000-0000-000000000000"};
static const char *const trees[] = {"[1,2]", "true", "\"x\"", "12", "[[],{}]"};
static const char *const records[] = {"{\"a\":1}", "{}", "{\"b\":[1,2],\"c\":null}"};

/* Short, of just one slot and one more, and long text, with some that is not ASCII. */
static groot_string any_text(fuzz *f) {
  static char buffer[4096];
  static const size_t sizes[] = {0, 1, 3, 5, 11, 12, 13, 40, 200};
  size_t size = chance(f, 2) ? 1 + roll(f, sizeof buffer - 1) : sizes[roll(f, 9)];
  char letter = (char)('a' + roll(f, 6));
  memset(buffer, letter, size);
  if (size > 2 && chance(f, 10)) memcpy(buffer, "\xC3\xA4", 2);
  if (size > 1 && chance(f, 4)) buffer[size - 1] = 0;
  return (groot_string){buffer, size};
}

static int64_t any_integer(fuzz *f, int64_t least, int64_t most) {
  switch (roll(f, 12)) {
    case 0: return least;
    case 1: return most;
    case 2: return -1;
    default: return roll(f, 6);
  }
}

static groot_string chosen(fuzz *f, const char *const *texts, size_t count) {
  const char *text = texts[roll(f, (uint32_t)count)];
  return (groot_string){text, strlen(text)};
}
#define CHOSEN(texts) chosen(f, texts, sizeof texts / sizeof texts[0])

static double any_real(fuzz *f) {
  static const double reals[] = {0.0, -0.0, 1.5, -2.25, 1e30, 5e-324, 0.1, 1e308};
  return reals[roll(f, 8)];
}

static const int32_t kinds[] = {
    GROOT_VALUE_INTEGER, GROOT_VALUE_INTEGER, GROOT_VALUE_INTEGER, GROOT_VALUE_DECIMAL,
    GROOT_VALUE_REAL,    GROOT_VALUE_REAL,    GROOT_VALUE_STRING,  GROOT_VALUE_BOOLEAN,
    GROOT_VALUE_DATE,    GROOT_VALUE_BINARY,  GROOT_VALUE_UUID,    GROOT_VALUE_URI,
    GROOT_VALUE_JSON,    GROOT_VALUE_JSON,    GROOT_VALUE_DAY};

/* The years 1 to 9999 in microseconds since 1970. */
#define FIRST_DATE (-62135596800000000)
#define LAST_DATE 253402300799999999

/* Those of all dates there are. */
#define FIRST_DAY (-106751992)
#define LAST_DAY 106751991

void fitting_value(fuzz *f, int kind, groot_value *value, plain_value *expected) {
  memset(value, 0, sizeof *value);
  value->kind = kinds[kind];
  switch (kind) {
    case INTEGER16: value->as.integer = any_integer(f, INT16_MIN, INT16_MAX); break;
    case INTEGER32: value->as.integer = any_integer(f, INT32_MIN, INT32_MAX); break;
    case INTEGER64: value->as.integer = any_integer(f, INT64_MIN, INT64_MAX); break;
    case DECIMAL: value->as.text = CHOSEN(decimals); break;
    case DOUBLE: value->as.real = any_real(f); break;
    case FLOAT: value->as.real = (float)roll(f, 100) / 8; break;
    case BOOLEAN: value->as.integer = roll(f, 2); break;
    case DATE: value->as.integer = any_integer(f, FIRST_DATE, LAST_DATE); break;
    case DAY: value->as.integer = any_integer(f, FIRST_DAY, LAST_DAY); break;
    case UUID: value->as.text = CHOSEN(uuids); break;
    case TRANSFORMABLE: value->as.text = CHOSEN(trees); break;
    case COMPOSITE: value->as.text = CHOSEN(records); break;
    default: value->as.text = any_text(f); break;
  }
  *expected = plain_of(value);
}

plain_value plain_of(const groot_value *value) {
  plain_value plain = {value->kind, 0, 0};
  switch (value->kind) {
    case GROOT_VALUE_NULL: break;
    case GROOT_VALUE_INTEGER:
    case GROOT_VALUE_DATE:
    case GROOT_VALUE_DAY:
    case GROOT_VALUE_BOOLEAN: plain.bits = (uint64_t)value->as.integer; break;
    case GROOT_VALUE_REAL: memcpy(&plain.bits, &value->as.real, sizeof plain.bits); break;
    case GROOT_VALUE_OBJECT: plain.bits = value->as.object; break;
    default:
      plain.bits = hash_of(value->as.text.data, value->as.text.size);
      plain.size = value->as.text.size;
  }
  return plain;
}

static json_t *text_json(groot_string text) { return json_stringn(text.data, text.size); }

json_t *attribute_json(fuzz *f, int kind) {
  static const char *const dates[] = {"2024-02-29T12:00:00Z", "1999-12-31", "0001-01-01T00:00:00Z"};
  static const char *const days[] = {"2024-02-29", "-290308-12-21", "10000101"};
  static const char *const bytes[] = {"AAEC", "", "/+8="};
  if (chance(f, 5)) return json_null();
  if (chance(f, 3)) return odd_json(f);
  if (chance(f, 3)) kind = (int)roll(f, TO_ONE);
  switch (kind) {
    case INTEGER16:
    case INTEGER32:
    case INTEGER64: return json_integer(chance(f, 2) ? INT64_MIN : (json_int_t)roll(f, 6));
    case DECIMAL: return chance(f, 50) ? json_integer(roll(f, 9)) : text_json(CHOSEN(decimals));
    case DOUBLE: return json_real(any_real(f));
    case FLOAT: return json_real(roll(f, 100) / 8.0);
    case BOOLEAN: return json_boolean(chance(f, 50));
    case DATE: return text_json(CHOSEN(dates));
    case DAY: return text_json(CHOSEN(days));
    case BINARY: return text_json(CHOSEN(bytes));
    case UUID: return text_json(CHOSEN(uuids));
    case TRANSFORMABLE: return json_loads(trees[roll(f, 5)], JSON_DECODE_ANY, NULL);
    case COMPOSITE: return json_loads(records[roll(f, 3)], JSON_DECODE_ANY, NULL);
    default: return text_json(any_text(f));
  }
}
