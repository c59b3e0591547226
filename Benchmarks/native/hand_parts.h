/*
 * Members that have no identity of their own, by hand in C: their owner identifies them, together
 * with a key, a position or both. An owner that leaves one out of its list leads to it no longer.
 */
#ifndef HAND_PARTS_H
#define HAND_PARTS_H

#include "hand_records.h"

/** The begin of the struct of a member. */
typedef struct hand_part {
  void *owner; /**< NULL when no list has it */
  hand_text key;
  int32_t place;
  uint32_t letters; /**< in its texts and its key, while it is read */
  uint32_t hash;
  uint32_t mark; /**< of the list that named it last */
} hand_part;

/** The members of an owner, in the order of the text. */
typedef struct hand_part_list {
  hand_part **items;
  uint32_t count;
} hand_part_list;

/** All members of a relationship: a table by identity, and those that were read last. */
typedef struct hand_parts {
  const hand_fields *fields;
  size_t size; /**< of the struct of a member */
  int (*read)(hand_records *records, void *part); /**< NULL for an object with the fields */
  hand_part **table;
  size_t count, capacity;
  char *found;
  uint32_t found_count, found_capacity;
  uint32_t mark;
} hand_parts;

void hand_parts_open(hand_parts *parts);
void hand_parts_close(hand_parts *parts);

/** Reads a member with this key at this place; the list that it belongs to is linked later. */
int hand_part_read(hand_records *records, hand_parts *parts, hand_text key, int32_t place);

/** Reads an array of members, each at its place; null has none. */
int hand_parts_read(hand_records *records, hand_parts *parts, hand_text key);

/** Makes those that were read the list of their owner, in both directions, in place of `list`. */
void hand_parts_link(hand_records *records, hand_parts *parts, void *owner, hand_part_list *list);

#endif
