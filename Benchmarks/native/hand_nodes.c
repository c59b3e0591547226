#include "hand_nodes.h"

static const hand_field items[] = {HAND_FIELD(hand_node, "id", HAND_INT64, identifier),
                                   HAND_FIELD(hand_node, "name", HAND_TEXT, name)};
static const hand_fields fields = HAND_FIELDS(items);

hand_node *hand_node_find(hand_records *records, hand_map *map, int64_t identifier) {
  void **place = hand_find(map, identifier);
  if (!*place) {
    hand_node *made = hand_allocate(&records->memory, sizeof *made);
    memset(made, 0, sizeof *made);
    made->identifier = identifier;
    *place = made;
  }
  return *place;
}

hand_node *hand_node_read(hand_records *records, hand_map *map) {
  hand_scan *scan = &records->scan;
  hand_node read;
  read.identifier = INT64_MIN;
  read.name.data = NULL;
  hand_skip(scan);
  if (*scan->at != '{') {
    if (!hand_read_integer(scan, INT64_MIN + 1, INT64_MAX, &read.identifier)) return NULL;
    return hand_node_find(records, map, read.identifier);
  }
  const size_t letters = records->letters;
  if (!hand_read_fields(records, &fields, &read) || read.identifier == INT64_MIN) return NULL;
  records->letters = letters;
  hand_node *node = hand_node_find(records, map, read.identifier);
  if (read.name.data && (!node->name.data || node->name.size != read.name.size ||
                         memcmp(node->name.data, read.name.data, read.name.size) != 0)) {
    node->name = hand_copy(&records->memory, read.name);
  }
  return node;
}

void hand_node_write(hand_output *out, const hand_node *node) {
  hand_write_fields(out, &fields, node);
}

/* The room that an array leaves when it grows is lost: less than the array takes. */
void hand_node_add(hand_records *records, hand_node *node, void *owner) {
  if (node->count == node->capacity) {
    const uint32_t capacity = node->capacity ? 2 * node->capacity : 8;
    void **owners = hand_allocate(&records->memory, capacity * sizeof *owners);
    if (node->count) memcpy(owners, node->owners, node->count * sizeof *owners);
    node->owners = owners;
    node->capacity = capacity;
  }
  node->owners[node->count++] = owner;
}

void hand_node_remove(hand_node *node, const void *owner) {
  for (uint32_t i = 0; i < node->count; i++) {
    if (node->owners[i] != owner) continue;
    node->count--;
    memmove(node->owners + i, node->owners + i + 1, (node->count - i) * sizeof *node->owners);
    return;
  }
}
