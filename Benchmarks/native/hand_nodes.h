/* Objects with an identifier and a name that many records lead to, by hand in C. */
#ifndef HAND_NODES_H
#define HAND_NODES_H

#include "hand_records.h"

typedef struct hand_node {
  int64_t identifier;
  hand_text name;
  void **owners; /**< the objects that lead to it */
  uint32_t count, capacity;
  uint64_t mark; /**< of the list that named it last */
} hand_node;

/** The object with this identifier, which is made when there is none yet. */
hand_node *hand_node_find(hand_records *records, hand_map *map, int64_t identifier);

/** Reads an object with `id` and `name`, or an identifier; NULL when it is neither. */
hand_node *hand_node_read(hand_records *records, hand_map *map);

/** Writes the object with `id` and `name`. */
void hand_node_write(hand_output *out, const hand_node *node);

void hand_node_add(hand_records *records, hand_node *node, void *owner);
void hand_node_remove(hand_node *node, const void *owner);

#endif
