#include "hand_parts.h"

#include <stdlib.h>

void hand_parts_open(hand_parts *parts) {
  parts->capacity = 4096;
  parts->table = calloc(parts->capacity, sizeof *parts->table);
  bench_require(parts->table != NULL, "out of memory");
}

void hand_parts_close(hand_parts *parts) {
  free(parts->table);
  free(parts->found);
}

/* ---- the table ---- */

static uint32_t hash_of(const void *owner, hand_text key, int32_t place) {
  const uint64_t factor = 0x9E3779B97F4A7C15u;
  uint64_t hash = ((uint64_t)(uintptr_t)owner + (uint32_t)place * 0xD6E8FEB86659FD93u) * factor;
  while (key.size > 0) {
    uint64_t word = key.size;
    const uint32_t step = key.size < 8 ? key.size : 8;
    memcpy(&word, key.data, step);
    hash = ((hash ^ hash >> 32) + word) * factor;
    key.data += step;
    key.size -= step;
  }
  return (uint32_t)(hash >> 32);
}

static void grow(hand_parts *parts) {
  hand_part **old = parts->table;
  const size_t count = parts->capacity;
  parts->capacity *= 2;
  parts->table = calloc(parts->capacity, sizeof *old);
  bench_require(parts->table != NULL, "out of memory");
  for (size_t i = 0; i < count; i++) {
    if (!old[i]) continue;
    size_t at = old[i]->hash & (parts->capacity - 1);
    while (parts->table[at]) at = (at + 1) & (parts->capacity - 1);
    parts->table[at] = old[i];
  }
  free(old);
}

/* The place of the member with the identity of `wanted`; NULL is in it when there is none yet. */
static hand_part **find(hand_parts *parts, const hand_part *wanted) {
  if (2 * parts->count >= parts->capacity) grow(parts);
  size_t at = wanted->hash & (parts->capacity - 1);
  for (;; at = (at + 1) & (parts->capacity - 1)) {
    const hand_part *part = parts->table[at];
    if (!part) return &parts->table[at];
    if (part->hash == wanted->hash && part->owner == wanted->owner &&
        part->place == wanted->place && part->key.size == wanted->key.size &&
        (part->key.size == 0 || memcmp(part->key.data, wanted->key.data, part->key.size) == 0)) {
      return &parts->table[at];
    }
  }
}

/* ---- reading ---- */

static hand_part *next_found(hand_parts *parts) {
  if (parts->found_count == parts->found_capacity) {
    parts->found_capacity = parts->found_capacity ? 2 * parts->found_capacity : 64;
    parts->found = realloc(parts->found, parts->found_capacity * parts->size);
    bench_require(parts->found != NULL, "out of memory");
  }
  void *part = parts->found + parts->size * parts->found_count++;
  memset(part, 0, parts->size);
  return part;
}

int hand_part_read(hand_records *records, hand_parts *parts, hand_text key, int32_t place) {
  hand_part *part = next_found(parts);
  const size_t letters = records->letters;
  part->key = key;
  part->place = place;
  if (!(parts->read ? parts->read(records, part)
                    : hand_read_fields(records, parts->fields, part))) {
    return 0;
  }
  part->letters = (uint32_t)(records->letters - letters) + key.size;
  records->letters = letters;
  return 1;
}

int hand_parts_read(hand_records *records, hand_parts *parts, hand_text key) {
  if (hand_read_null(&records->scan)) return 1;
  int next = hand_take(&records->scan, '[') ? 1 : -1;
  for (int32_t place = 0; next == 1; place++) {
    next = hand_read_next(&records->scan, place == 0);
    if (next == 1 && !hand_part_read(records, parts, key, place)) return 0;
  }
  return next == 0;
}

/* ---- links ---- */

/* The member of this identity, with the values that were read. */
static hand_part *take_over(hand_records *records, hand_parts *parts, hand_part *from) {
  hand_part **place = find(parts, from), *part = *place;
  char *texts = hand_allocate(&records->memory, from->letters);
  if (part) {
    char *end = hand_keep_texts(parts->fields, from, part, texts);
    if (end == texts) records->memory.free = texts;
    from->key = part->key;
    from->mark = part->mark;
  } else {
    char *end = hand_keep_texts(parts->fields, from, NULL, texts);
    if (from->key.size) memcpy(end, from->key.data, from->key.size);
    from->key.data = end;
    *place = part = hand_allocate(&records->memory, parts->size);
    parts->count++;
  }
  memcpy(part, from, parts->size);
  return part;
}

void hand_parts_link(hand_records *records, hand_parts *parts, void *owner, hand_part_list *list) {
  const hand_part_list old = *list;
  parts->mark++;
  list->count = 0;
  list->items = hand_allocate(&records->memory, parts->found_count * sizeof *list->items);
  for (uint32_t i = 0; i < parts->found_count; i++) {
    hand_part *from = (void *)(parts->found + parts->size * i);
    from->owner = owner;
    from->hash = hash_of(owner, from->key, from->place);
    hand_part *part = take_over(records, parts, from);
    if (part->mark != parts->mark) list->items[list->count++] = part;
    part->mark = parts->mark;
  }
  for (uint32_t i = 0; i < old.count; i++) {
    if (old.items[i]->mark != parts->mark) old.items[i]->owner = NULL;
  }
  parts->found_count = 0;
}
