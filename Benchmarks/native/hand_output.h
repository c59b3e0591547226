/* Text that grows, and how values are written into it by hand. */
#ifndef HAND_OUTPUT_H
#define HAND_OUTPUT_H

#include "hand.h"

#include <string.h>

typedef struct hand_output {
  char *start, *at, *end;
} hand_output;

/** Makes room for so many bytes more, at least twice as much as before. */
void hand_grow(hand_output *out, size_t size);

static inline void hand_need(hand_output *out, size_t size) {
  if ((size_t)(out->end - out->at) < size) hand_grow(out, size);
}

static inline void hand_put(hand_output *out, const char *bytes, size_t size) {
  hand_need(out, size);
  memcpy(out->at, bytes, size);
  out->at += size;
}

#define HAND_PUT(out, text) hand_put(out, text, sizeof text - 1)

void hand_put_integer(hand_output *out, int64_t integer);
void hand_put_text(hand_output *out, hand_text text);

/** The fewest digits that read as the same number. */
void hand_put_number(hand_output *out, double number);

/** Seconds since 1970 as a time such as 2001-02-03T04:05:06Z. */
void hand_put_time(hand_output *out, int64_t seconds);

#endif
