/* Records with ten lists of members by hand, linked in both directions. */
#include "hand_nodes.h"

#include <stdlib.h>

enum { lists = 10, most = 1024 };

typedef struct members {
  hand_node **items;
  uint32_t count;
} members;

typedef struct record {
  int64_t identifier;
  hand_text name;
  members lists[lists];
} record;

/* The members of each list, and the number of the list that was read last. One graph a process. */
static hand_map maps[lists];
static uint64_t mark;

static void open_maps(hand_records *records) {
  (void)records;
  for (int i = 0; i < lists; i++) hand_map_open(&maps[i], 256);
}

static void close_maps(hand_records *records) {
  (void)records;
  for (int i = 0; i < lists; i++) hand_map_close(&maps[i]);
}

/* Each member once, as in the graph. */
static int read_members(hand_records *records, hand_map *map, members *into) {
  hand_node *found[most];
  uint32_t count = 0;
  int next = hand_take(&records->scan, '[') ? 1 : -1;
  mark++;
  for (int is_first = 1; next == 1; is_first = 0) {
    next = hand_read_next(&records->scan, is_first);
    if (next != 1) break;
    hand_node *node = hand_node_read(records, map);
    if (!node || count == most) return 0;
    if (node->mark != mark) found[count++] = node;
    node->mark = mark;
  }
  into->count = count;
  into->items = hand_allocate(&records->memory, count * sizeof *found);
  if (count) memcpy(into->items, found, count * sizeof *found);
  return next == 0;
}

static void write_members(hand_output *out, const members *list, int is_identifier) {
  HAND_PUT(out, "[");
  for (uint32_t i = 0; i < list->count; i++) {
    if (i) HAND_PUT(out, ",");
    if (is_identifier) hand_put_integer(out, list->items[i]->identifier);
    else hand_node_write(out, list->items[i]);
  }
  HAND_PUT(out, "]");
}

static void write_identifiers(hand_output *out, const void *list) { write_members(out, list, 1); }

static void write_objects(hand_output *out, const void *list) { write_members(out, list, 0); }

#define LIST(name, place, write)                                   \
  static int read_##name(hand_records *records, void *list) {     \
    return read_members(records, &maps[place], list);              \
  }                                                                \
  static const hand_list name = {read_##name, write};

LIST(tags, 0, write_identifiers)
LIST(authors, 1, write_identifiers)
LIST(topics, 2, write_identifiers)
LIST(places, 3, write_identifiers)
LIST(languages, 4, write_identifiers)
LIST(series, 5, write_objects)
LIST(prizes, 6, write_objects)
LIST(events, 7, write_objects)
LIST(brands, 8, write_objects)
LIST(colours, 9, write_objects)

static const hand_field items[] = {
    HAND_FIELD(record, "id", HAND_INT64, identifier),
    HAND_FIELD(record, "name", HAND_TEXT, name),
    HAND_MEMBERS(record, "tags", tags, lists[0]),
    HAND_MEMBERS(record, "authors", authors, lists[1]),
    HAND_MEMBERS(record, "topics", topics, lists[2]),
    HAND_MEMBERS(record, "places", places, lists[3]),
    HAND_MEMBERS(record, "languages", languages, lists[4]),
    HAND_MEMBERS(record, "series", series, lists[5]),
    HAND_MEMBERS(record, "prizes", prizes, lists[6]),
    HAND_MEMBERS(record, "events", events, lists[7]),
    HAND_MEMBERS(record, "brands", brands, lists[8]),
    HAND_MEMBERS(record, "colours", colours, lists[9]),
};
static const hand_fields fields = HAND_FIELDS(items);

static int is_same(const members *first, const members *second) {
  return first->count == second->count &&
         (first->count == 0 ||
          memcmp(first->items, second->items, first->count * sizeof *first->items) == 0);
}

static void link_all(hand_records *records, void *object, const void *old) {
  record *one = object;
  const record *before = old;
  for (int i = 0; i < lists; i++) {
    if (before && is_same(&before->lists[i], &one->lists[i])) continue;
    for (uint32_t j = 0; before && j < before->lists[i].count; j++) {
      hand_node_remove(before->lists[i].items[j], one);
    }
    for (uint32_t j = 0; j < one->lists[i].count; j++) {
      hand_node_add(records, one->lists[i].items[j], one);
    }
  }
}

const hand_type hand_links_type = {&fields, sizeof(record), open_maps, close_maps, link_all, NULL};
