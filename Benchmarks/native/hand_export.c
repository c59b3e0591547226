#include "bench.h"
#include "hand.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct output {
  char *start, *at, *end;
} output;

static void grow(output *out, size_t size) {
  size_t used = (size_t)(out->at - out->start), room = 2 * (size_t)(out->end - out->start) + size;
  out->start = realloc(out->start, room);
  bench_require(out->start != NULL, "out of memory");
  out->at = out->start + used;
  out->end = out->start + room;
}

static inline void need(output *out, size_t size) {
  if ((size_t)(out->end - out->at) < size) grow(out, size);
}

static inline void put(output *out, const char *bytes, size_t size) {
  need(out, size);
  memcpy(out->at, bytes, size);
  out->at += size;
}

#define PUT(text) put(out, text, sizeof text - 1)

static void put_integer(output *out, int64_t integer) {
  char digits[24], *at = digits + sizeof digits;
  uint64_t rest = integer < 0 ? 0 - (uint64_t)integer : (uint64_t)integer;
  do {
    *--at = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest);
  if (integer < 0) *--at = '-';
  put(out, at, (size_t)(digits + sizeof digits - at));
}

static void put_text(output *out, hand_text text) {
  need(out, 6 * (size_t)text.size + 2);
  char *at = out->at;
  *at++ = '"';
  for (uint32_t i = 0; i < text.size; i++) {
    unsigned char character = (unsigned char)text.data[i];
    if (character == '"' || character == '\\') {
      *at++ = '\\';
      *at++ = (char)character;
    } else if (character < 32) {
      at += snprintf(at, 7, "\\u%04x", character);
    } else {
      *at++ = (char)character;
    }
  }
  *at++ = '"';
  out->at = at;
}

/* The fewest digits that read as the same number. */
static void put_number(output *out, double number) {
  char text[32];
  double thousandths = number * 1000;
  int64_t whole = (int64_t)thousandths;
  if (number < 0 || thousandths > 1e12) whole = -1;
  if (whole >= 0 && (double)whole / 1000 != number) whole++;
  if (whole >= 0 && (double)whole / 1000 == number) {
    put_integer(out, whole / 1000);
    int rest = (int)(whole % 1000), size = 4;
    text[0] = '.';
    text[1] = (char)('0' + rest / 100);
    text[2] = (char)('0' + rest / 10 % 10);
    text[3] = (char)('0' + rest % 10);
    while (size > 2 && text[size - 1] == '0') size--;
    put(out, text, (size_t)size);
    return;
  }
  for (int precision = 15; precision <= 17; precision++) {
    int size = snprintf(text, sizeof text, "%.*g", precision, number);
    if (precision < 17 && strtod(text, NULL) != number) continue;
    put(out, text, (size_t)size);
    return;
  }
}

static void two(char *at, int value) {
  at[0] = (char)('0' + value / 10);
  at[1] = (char)('0' + value % 10);
}

static void put_time(output *out, int64_t seconds) {
  int64_t day = seconds / 86400, rest = seconds % 86400;
  if (rest < 0) rest += 86400, day--;
  int64_t shifted = day + 719468;
  int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  int64_t in_era = shifted - era * 146097;
  int64_t year = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
  int64_t in_year = in_era - (365 * year + year / 4 - year / 100);
  int month = (int)((5 * in_year + 2) / 153);
  int day_of_month = (int)(in_year - (153 * month + 2) / 5 + 1);
  month += month < 10 ? 3 : -9;
  int full_year = (int)(year + era * 400 + (month <= 2));
  char text[] = "\"0000-00-00T00:00:00Z\"";
  two(text + 1, full_year / 100);
  two(text + 3, full_year % 100);
  two(text + 6, month);
  two(text + 9, day_of_month);
  two(text + 12, (int)(rest / 3600));
  two(text + 15, (int)(rest / 60 % 60));
  two(text + 18, (int)(rest % 60));
  put(out, text, sizeof text - 1);
}

static void put_named(output *out, const hand_named *named) {
  PUT("{\"id\":\"");
  put_integer(out, named->identifier);
  PUT("\",\"name\":");
  put_text(out, named->name);
  PUT("}");
}

static void put_character(output *out, const hand_character *character) {
  PUT("{\"id\":\"");
  put_integer(out, character->identifier);
  PUT("\",\"name\":");
  put_text(out, character->name);
  PUT(",\"real_name\":");
  put_text(out, character->real_name);
  PUT(",\"created_at\":");
  put_time(out, character->created_at);
  PUT(",\"rating\":");
  put_number(out, character->rating);
  if (character->active) PUT(",\"active\":true");
  else PUT(",\"active\":false");
  PUT(",\"stats\":{\"strength\":");
  put_integer(out, character->strength);
  PUT(",\"speed\":");
  put_integer(out, character->speed);
  PUT("},\"powers\":[");
  for (uint32_t i = 0; i < character->power_count; i++) {
    if (i) PUT(",");
    put_named(out, character->powers[i]);
  }
  PUT("],\"publisher\":");
  if (character->publisher) put_named(out, character->publisher);
  else PUT("null");
  PUT("}");
}

char *hand_export(const hand_graph *graph, size_t *size) {
  output all = {NULL, NULL, NULL}, *out = &all;
  grow(out, 65536);
  PUT("[");
  for (size_t i = 0; i < graph->count; i++) {
    if (i) PUT(",");
    put_character(out, graph->order[i]);
  }
  PUT("]");
  *size = (size_t)(all.at - all.start);
  return all.start;
}
