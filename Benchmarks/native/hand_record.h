/* A character as it is in the text, however that was parsed, and how the graph takes it over. */
#ifndef HAND_RECORD_H
#define HAND_RECORD_H

#include "hand.h"

enum { hand_most_powers = 64 };

typedef struct hand_reference {
  hand_text identifier, name;
} hand_reference;

typedef struct hand_record {
  hand_text identifier, name, real_name, created_at;
  double rating;
  int64_t strength, speed;
  hand_reference publisher, powers[hand_most_powers];
  uint32_t power_count;
  int8_t active;
} hand_record;

/** Converts the record and links it; 0 when an identifier or the date is wrong. */
int hand_take_over(hand_graph *graph, const hand_record *from);

/** Reads a time such as 2001-02-03T04:05:06Z as seconds since 1970. */
int hand_to_time(hand_text text, int64_t *seconds);

#endif
