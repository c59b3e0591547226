/* The lists of deep records by hand, and their links in both directions. */
#include "hand_deep.h"

enum { most = 1024 };

/* Abilities, moves and media by their identifiers. One graph a process. */
static hand_map ability_map, move_map, medium_map;

static void open_maps(hand_records *records) {
  (void)records;
  hand_map_open(&ability_map, 256);
  hand_map_open(&move_map, 256);
  hand_map_open(&medium_map, 4096);
}

static void close_maps(hand_records *records) {
  (void)records;
  hand_map_close(&ability_map);
  hand_map_close(&move_map);
  hand_map_close(&medium_map);
}

/* Reads an array of which `one` reads each item, of `size` bytes; the items stay. */
static int read_list(hand_records *records, deep_list *into, size_t size,
                     int (*one)(hand_records *records, void *item)) {
  union {
    void *aligned;
    char bytes[most * sizeof(deep_slot)];
  } items;
  uint32_t count = 0;
  int next = hand_take(&records->scan, '[') ? 1 : -1;
  for (int is_first = 1; next == 1; is_first = 0) {
    next = hand_read_next(&records->scan, is_first);
    if (next == 1 && (count == most || !one(records, items.bytes + size * count++))) return 0;
  }
  into->count = count;
  into->items = hand_allocate(&records->memory, count * size);
  if (count) memcpy(into->items, items.bytes, count * size);
  return next == 0;
}

/* ---- objects that hold an object ---- */

static int read_ability(hand_records *records, void *node) {
  hand_node **into = node;
  return (*into = hand_node_read(records, &ability_map)) != NULL;
}

static int read_move(hand_records *records, void *node) {
  hand_node **into = node;
  return (*into = hand_node_read(records, &move_map)) != NULL;
}

static void write_node(hand_output *out, const void *node) {
  hand_node_write(out, *(hand_node *const *)node);
}

static const hand_list ability = {read_ability, write_node}, move = {read_move, write_node};

static const hand_field ability_items[] = {
    HAND_FIELD(deep_slot, "is_hidden", HAND_INT8, is_hidden),
    HAND_FIELD(deep_slot, "slot", HAND_INT16, number),
    HAND_MEMBERS(deep_slot, "ability", ability, node),
};
static const hand_field move_items[] = {HAND_FIELD(deep_slot, "level", HAND_INT16, number),
                                        HAND_MEMBERS(deep_slot, "move", move, node)};
static const hand_fields ability_fields = HAND_FIELDS(ability_items),
                         move_fields = HAND_FIELDS(move_items);

static int read_ability_slot(hand_records *records, void *slot) {
  memset(slot, 0, sizeof(deep_slot));
  return hand_read_fields(records, &ability_fields, slot) && ((deep_slot *)slot)->node;
}

static int read_move_slot(hand_records *records, void *slot) {
  memset(slot, 0, sizeof(deep_slot));
  return hand_read_fields(records, &move_fields, slot) && ((deep_slot *)slot)->node;
}

static int read_abilities(hand_records *records, void *list) {
  return read_list(records, list, sizeof(deep_slot), read_ability_slot);
}

static int read_moves(hand_records *records, void *list) {
  return read_list(records, list, sizeof(deep_slot), read_move_slot);
}

static void write_slots(hand_output *out, const deep_list *list, const hand_fields *fields) {
  const deep_slot *slots = list->items;
  HAND_PUT(out, "[");
  for (uint32_t i = 0; i < list->count; i++) {
    if (i) HAND_PUT(out, ",");
    hand_write_fields(out, fields, slots + i);
  }
  HAND_PUT(out, "]");
}

static void write_abilities(hand_output *out, const void *list) {
  write_slots(out, list, &ability_fields);
}

static void write_moves(hand_output *out, const void *list) { write_slots(out, list, &move_fields); }

const hand_list deep_abilities = {read_abilities, write_abilities},
                deep_moves = {read_moves, write_moves};

/* ---- members of three kinds ---- */

typedef struct medium_record {
  deep_medium medium;
  hand_text kind;
} medium_record;

/* All keys that any kind has: the kind may come last. */
static const hand_field medium_items[] = {
    HAND_FIELD(medium_record, "kind", HAND_TEXT, kind),
    HAND_FIELD(medium_record, "id", HAND_INT64, medium.identifier),
    HAND_FIELD(medium_record, "url", HAND_TEXT, medium.address),
    HAND_FIELD(medium_record, "width", HAND_INT32, medium.width),
    HAND_FIELD(medium_record, "height", HAND_INT32, medium.height),
    HAND_FIELD(medium_record, "seconds", HAND_DOUBLE, medium.seconds),
    HAND_FIELD(medium_record, "frames", HAND_INT32, medium.frames),
    HAND_FIELD(medium_record, "codec", HAND_TEXT, medium.codec),
};
static const hand_field image_items[] = {
    HAND_FIELD(deep_medium, "id", HAND_INT64, identifier),
    HAND_FIELD(deep_medium, "url", HAND_TEXT, address),
    HAND_FIELD(deep_medium, "width", HAND_INT32, width),
    HAND_FIELD(deep_medium, "height", HAND_INT32, height),
};
static const hand_field sound_items[] = {
    HAND_FIELD(deep_medium, "id", HAND_INT64, identifier),
    HAND_FIELD(deep_medium, "url", HAND_TEXT, address),
    HAND_FIELD(deep_medium, "seconds", HAND_DOUBLE, seconds),
};
static const hand_field film_items[] = {
    HAND_FIELD(deep_medium, "id", HAND_INT64, identifier),
    HAND_FIELD(deep_medium, "url", HAND_TEXT, address),
    HAND_FIELD(deep_medium, "frames", HAND_INT32, frames),
    HAND_FIELD(deep_medium, "codec", HAND_TEXT, codec),
};
static const hand_fields medium_fields = HAND_FIELDS(medium_items);
static const hand_fields kind_fields[DEEP_KINDS] = {
    HAND_FIELDS(image_items), HAND_FIELDS(sound_items), HAND_FIELDS(film_items)};
static const char *const kind_names[DEEP_KINDS] = {"image", "sound", "film"};

static hand_text kept(hand_records *records, hand_text text) {
  return text.data ? hand_copy(&records->memory, text) : text;
}

/* An object keeps its kind. */
static int read_medium(hand_records *records, void *item) {
  medium_record read;
  deep_kind kind = DEEP_IMAGE;
  const size_t letters = records->letters;
  memset(&read, 0, sizeof read);
  read.medium.identifier = INT64_MIN;
  if (!hand_read_fields(records, &medium_fields, &read)) return 0;
  records->letters = letters;
  if (!read.kind.data || read.medium.identifier == INT64_MIN) return 0;
  while (kind < DEEP_KINDS && (strlen(kind_names[kind]) != read.kind.size ||
                               memcmp(kind_names[kind], read.kind.data, read.kind.size) != 0)) {
    kind++;
  }
  if (kind == DEEP_KINDS) return 0;
  void **place = hand_find(&medium_map, read.medium.identifier);
  deep_medium *medium = *place;
  if (medium && medium->kind != kind) return 0;
  if (!medium) *place = medium = hand_allocate(&records->memory, sizeof *medium);
  *medium = read.medium;
  medium->kind = kind;
  medium->address = kept(records, medium->address);
  medium->codec = kept(records, medium->codec);
  *(deep_medium **)item = medium;
  return 1;
}

static int read_media(hand_records *records, void *list) {
  return read_list(records, list, sizeof(deep_medium *), read_medium);
}

static void write_media(hand_output *out, const void *from) {
  const deep_list *list = from;
  deep_medium *const *media = list->items;
  HAND_PUT(out, "[");
  for (uint32_t i = 0; i < list->count; i++) {
    const char *name = kind_names[media[i]->kind];
    if (i) HAND_PUT(out, ",");
    HAND_PUT(out, "{\"kind\":\"");
    hand_put(out, name, strlen(name));
    HAND_PUT(out, "\"");
    hand_write_members(out, &kind_fields[media[i]->kind], media[i]);
    HAND_PUT(out, "}");
  }
  HAND_PUT(out, "]");
}

const hand_list deep_media = {read_media, write_media};

/* ---- links ---- */

static void link_slots(hand_records *records, deep_record *one, const deep_list *list,
                       const deep_list *old) {
  deep_slot *slots = list->items, *before = old ? old->items : NULL;
  for (uint32_t i = 0; old && i < old->count; i++) hand_node_remove(before[i].node, &before[i]);
  for (uint32_t i = 0; i < list->count; i++) {
    slots[i].record = one;
    hand_node_add(records, slots[i].node, &slots[i]);
  }
}

static void link_all(hand_records *records, void *object, const void *old) {
  deep_record *one = object;
  const deep_record *before = old;
  link_slots(records, one, &one->abilities, before ? &before->abilities : NULL);
  link_slots(records, one, &one->moves, before ? &before->moves : NULL);
  deep_medium **media = before ? before->media.items : NULL;
  for (uint32_t i = 0; before && i < before->media.count; i++) media[i]->record = NULL;
  media = one->media.items;
  for (uint32_t i = 0; i < one->media.count; i++) media[i]->record = one;
}

const hand_type hand_deep_type = {&deep_fields, sizeof(deep_record), open_maps, close_maps, link_all, NULL};
