#include "hand_scan.h"

#include <stdlib.h>
#include <string.h>

/* The length of the UTF-8 sequence of a character beyond ASCII; 0 when it is none. */
static int sequence(const unsigned char *at) {
  unsigned first = at[0], second = at[1];
  if ((second & 0xC0) != 0x80) return 0;
  if (first >= 0xC2 && first <= 0xDF) return 2;
  if ((at[2] & 0xC0) != 0x80) return 0;
  if (first == 0xE0) return second >= 0xA0 ? 3 : 0;
  if (first == 0xED) return second < 0xA0 ? 3 : 0;
  if (first > 0xE0 && first <= 0xEF) return 3;
  if ((at[3] & 0xC0) != 0x80) return 0;
  if (first == 0xF0) return second >= 0x90 ? 4 : 0;
  if (first == 0xF4) return second < 0x90 ? 4 : 0;
  return first > 0xF0 && first < 0xF4 ? 4 : 0;
}

static int digits(const char *at, unsigned *code) {
  *code = 0;
  for (int i = 0; i < 4; i++) {
    unsigned character = (unsigned char)at[i], value;
    if (character - '0' < 10) value = character - '0';
    else if ((character | 32) - 'a' < 6) value = (character | 32) - 'a' + 10;
    else return 0;
    *code = *code * 16 + value;
  }
  return 1;
}

/* An escape, behind its backslash; moves `out` behind what it stands for. */
static int escape(hand_scan *scan, char **out) {
  static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
  const char *found = *scan->at ? strchr(names, *scan->at) : NULL;
  unsigned code, low;
  if (found) {
    *(*out)++ = values[found - names];
    scan->at++;
    return 1;
  }
  if (*scan->at != 'u' || scan->end - scan->at < 5 || !digits(scan->at + 1, &code)) return 0;
  scan->at += 5;
  if (code == 0 || (code >= 0xDC00 && code < 0xE000)) return 0;
  if (code >= 0xD800 && code < 0xDC00) {
    if (scan->end - scan->at < 6 || scan->at[0] != '\\' || scan->at[1] != 'u') return 0;
    if (!digits(scan->at + 2, &low) || low < 0xDC00 || low > 0xDFFF) return 0;
    scan->at += 6;
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  }
  char *to = *out;
  if (code < 0x80) {
    *to++ = (char)code;
  } else {
    if (code < 0x800) {
      *to++ = (char)(0xC0 | code >> 6);
    } else {
      if (code < 0x10000) {
        *to++ = (char)(0xE0 | code >> 12);
      } else {
        *to++ = (char)(0xF0 | code >> 18);
        *to++ = (char)(0x80 | (code >> 12 & 63));
      }
      *to++ = (char)(0x80 | (code >> 6 & 63));
    }
    *to++ = (char)(0x80 | (code & 63));
  }
  *out = to;
  return 1;
}

/* Moves over bytes that stand for themselves, eight at a time; stops at anything else. */
static inline const char *plain(const char *at, const char *end) {
  const uint64_t ones = 0x0101010101010101u, tops = 0x8080808080808080u;
  while (end - at >= 8) {
    uint64_t word, quote, slash;
    memcpy(&word, at, 8);
    quote = word ^ ones * '"';
    slash = word ^ ones * '\\';
    uint64_t special =
        ((quote - ones) & ~quote) | ((slash - ones) & ~slash) | (word - ones * 32) | word;
    special &= tops;
    if (special) return at + __builtin_ctzll(special) / 8;
    at += 8;
  }
  while (at < end && (unsigned char)*at >= 32 && (unsigned char)*at < 128 && *at != '"' &&
         *at != '\\') {
    at++;
  }
  return at;
}

int hand_read_text(hand_scan *scan, hand_text *text) {
  if (!hand_take(scan, '"')) return 0;
  const char *start = scan->at;
  char *copy = NULL, *out = NULL;
  for (;;) {
    const char *from = scan->at;
    for (;;) {
      scan->at = plain(scan->at, scan->end);
      if ((unsigned char)*scan->at < 128) break;
      do {
        int length = sequence((const unsigned char *)scan->at);
        if (length == 0) return 0;
        scan->at += length;
      } while ((unsigned char)*scan->at >= 128);
    }
    if (*scan->at != '"' && *scan->at != '\\') return 0;
    if (*scan->at == '\\' && !copy) {
      copy = out = scan->used;
      from = start;
    }
    if (copy) {
      memcpy(out, from, (size_t)(scan->at - from));
      out += scan->at - from;
    }
    if (*scan->at++ == '"') break;
    if (!escape(scan, &out)) return 0;
  }
  text->data = copy ? copy : start;
  text->size = (uint32_t)(copy ? out - copy : scan->at - 1 - start);
  if (copy) scan->used = out;
  return 1;
}

int hand_read_number(hand_scan *scan, double *number) {
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  hand_skip(scan);
  const char *start = scan->at, *at = start;
  int count = 0, decimals = 0;
  uint64_t mantissa = 0;
  if (*at == '-') at++;
  if (*at == '0' && (unsigned)(at[1] - '0') < 10) return 0;
  for (; (unsigned)(*at - '0') < 10; at++, count++) mantissa = mantissa * 10 + (uint64_t)(*at - '0');
  if (count == 0) return 0;
  if (*at == '.') {
    for (at++; (unsigned)(*at - '0') < 10; at++, count++, decimals++) {
      mantissa = mantissa * 10 + (uint64_t)(*at - '0');
    }
    if (decimals == 0) return 0;
  }
  int is_plain = count <= 15 && *at != 'e' && *at != 'E';
  if (!is_plain && (*at == 'e' || *at == 'E')) {
    at++;
    if (*at == '+' || *at == '-') at++;
    if ((unsigned)(*at - '0') >= 10) return 0;
    while ((unsigned)(*at - '0') < 10) at++;
  }
  scan->at = at;
  *number = is_plain ? (double)mantissa / powers[decimals] : strtod(start, NULL);
  if (is_plain && *start == '-') *number = -*number;
  return 1;
}

int hand_read_integer(hand_scan *scan, int64_t low, int64_t high, int64_t *integer) {
  double number;
  if (!hand_read_number(scan, &number)) return 0;
  if (!(number >= (double)low && number <= (double)high)) return 0;
  *integer = (int64_t)number;
  return (double)*integer == number;
}

static int word(hand_scan *scan, const char *expected, size_t size) {
  if ((size_t)(scan->end - scan->at) < size || memcmp(scan->at, expected, size) != 0) return 0;
  scan->at += size;
  return 1;
}

int hand_read_boolean(hand_scan *scan, int8_t *boolean) {
  hand_skip(scan);
  *boolean = *scan->at == 't';
  return word(scan, "true", 4) || word(scan, "false", 5);
}

int hand_skip_value(hand_scan *scan, int depth) {
  hand_text text;
  double number;
  int8_t boolean;
  hand_skip(scan);
  char first = *scan->at;
  if (first == '"') return hand_read_text(scan, &text);
  if (first == 't' || first == 'f') return hand_read_boolean(scan, &boolean);
  if (first == 'n') return word(scan, "null", 4);
  if (first != '{' && first != '[') return hand_read_number(scan, &number);
  char last = first == '{' ? '}' : ']';
  scan->at++;
  if (depth == 0) return 0;
  if (hand_take(scan, last)) return 1;
  do {
    if (first == '{' && !(hand_read_text(scan, &text) && hand_take(scan, ':'))) return 0;
    if (!hand_skip_value(scan, depth - 1)) return 0;
  } while (hand_take(scan, ','));
  return hand_take(scan, last);
}
