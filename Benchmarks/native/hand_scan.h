/* JSON's lexical level, for the import written by hand. Everything answers 0 for what is wrong. */
#ifndef HAND_SCAN_H
#define HAND_SCAN_H

#include "hand.h"

typedef struct hand_scan {
  const char *at, *end; /**< a NUL is at the end */
  char *scratch;        /**< room for texts with escapes, as large as the text */
  char *used;
} hand_scan;

static inline int hand_skip(hand_scan *scan) {
  while (*scan->at == ' ' || *scan->at == '\n' || *scan->at == '\r' || *scan->at == '\t') {
    scan->at++;
  }
  return 1;
}

/** Whether this character is next; moves past it. */
static inline int hand_take(hand_scan *scan, char character) {
  if (*scan->at != character) {
    hand_skip(scan);
    if (*scan->at != character) return 0;
  }
  scan->at++;
  return 1;
}

int hand_read_text(hand_scan *scan, hand_text *text);
int hand_read_number(hand_scan *scan, double *number);
int hand_read_integer(hand_scan *scan, int64_t low, int64_t high, int64_t *integer);
int hand_read_boolean(hand_scan *scan, int8_t *boolean);
int hand_skip_value(hand_scan *scan, int depth);

#endif
