#include "hand_output.h"

#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void hand_grow(hand_output *out, size_t size) {
  size_t used = (size_t)(out->at - out->start), room = 2 * (size_t)(out->end - out->start) + size;
  out->start = realloc(out->start, room);
  bench_require(out->start != NULL, "out of memory");
  out->at = out->start + used;
  out->end = out->start + room;
}

static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233"
                            "34353637383940414243444546474849505152535455565758596061626364656667"
                            "6869707172737475767778798081828384858687888990919293949596979899";

void hand_put_integer(hand_output *out, int64_t integer) {
  char digits[24], *at = digits + sizeof digits;
  uint64_t rest = integer < 0 ? 0 - (uint64_t)integer : (uint64_t)integer;
  for (; rest >= 100; rest /= 100) memcpy(at -= 2, pairs + rest % 100 * 2, 2);
  if (rest >= 10) memcpy(at -= 2, pairs + rest * 2, 2);
  else *--at = (char)('0' + rest);
  if (integer < 0) *--at = '-';
  hand_put(out, at, (size_t)(digits + sizeof digits - at));
}

/* Copies bytes as they are, eight at a time, up to one that needs an escape; there is room. */
static inline const char *copy(const char *from, const char *end, char **to) {
  const uint64_t ones = 0x0101010101010101u, tops = 0x8080808080808080u;
  char *out = *to;
  while (end - from >= 8) {
    uint64_t word;
    memcpy(&word, from, 8);
    memcpy(out, &word, 8);
    const uint64_t quote = word ^ ones * '"', slash = word ^ ones * '\\';
    const uint64_t special = (((quote - ones) & ~quote) | ((slash - ones) & ~slash) |
                              ((word - ones * 32) & ~word)) & tops;
    if (special) {
      const int count = __builtin_ctzll(special) / 8;
      *to = out + count;
      return from + count;
    }
    from += 8;
    out += 8;
  }
  while (from < end && (unsigned char)*from >= 32 && *from != '"' && *from != '\\') {
    *out++ = *from++;
  }
  *to = out;
  return from;
}

void hand_put_text(hand_output *out, hand_text text) {
  static const char names[] = "\"\\bfnrt", values[] = "\"\\\b\f\n\r\t";
  hand_need(out, 6 * (size_t)text.size + 10);
  const char *from = text.data, *end = from + text.size;
  char *at = out->at;
  *at++ = '"';
  while ((from = copy(from, end, &at)) < end) {
    const char *found = *from ? strchr(values, *from) : NULL;
    if (found) {
      *at++ = '\\';
      *at++ = names[found - values];
    } else {
      at += snprintf(at, 7, "\\u%04x", (unsigned)*from);
    }
    from++;
  }
  *at++ = '"';
  out->at = at;
}

void hand_put_number(hand_output *out, double number) {
  const double scale = 1e6;
  const double size = number < 0 ? -number : number;
  const int64_t whole = size < 1e9 ? (int64_t)(size * scale + 0.5) : -1;
  if (whole >= 0 && (double)whole / scale == size) {
    char digits[8] = ".000000";
    const uint32_t rest = (uint32_t)(whole % 1000000);
    int count = 7;
    memcpy(digits + 1, pairs + rest / 10000 * 2, 2);
    memcpy(digits + 3, pairs + rest / 100 % 100 * 2, 2);
    memcpy(digits + 5, pairs + rest % 100 * 2, 2);
    while (count > 2 && digits[count - 1] == '0') count--;
    if (signbit(number)) HAND_PUT(out, "-");
    hand_put_integer(out, whole / 1000000);
    hand_put(out, digits, (size_t)count);
    return;
  }
  for (int precision = 15; precision <= 17; precision++) {
    char text[32];
    const int length = snprintf(text, sizeof text, "%.*g", precision, number);
    if (precision < 17 && strtod(text, NULL) != number) continue;
    hand_put(out, text, (size_t)length);
    return;
  }
}

static void two(char *at, int value) { memcpy(at, pairs + 2 * value, 2); }

void hand_put_time(hand_output *out, int64_t seconds) {
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
  hand_put(out, text, sizeof text - 1);
}
