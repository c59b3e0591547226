#include "bench.h"
#include "hand.h"

#include <stdlib.h>
#include <string.h>

enum { block_size = 1 << 20 };

static void *checked(void *memory) {
  bench_require(memory != NULL, "out of memory");
  return memory;
}

void hand_map_open(hand_map *map, size_t capacity) {
  map->capacity = capacity;
  map->count = 0;
  map->shift = 64;
  for (size_t i = capacity; i > 1; i /= 2) map->shift--;
  map->keys = checked(malloc(capacity * sizeof *map->keys));
  map->values = checked(calloc(capacity, sizeof *map->values));
}

void hand_map_close(hand_map *map) {
  free(map->keys);
  free(map->values);
}

static size_t probe(const hand_map *map, int64_t identifier) {
  size_t at = (size_t)(((uint64_t)identifier * 0x9E3779B97F4A7C15u) >> map->shift);
  while (map->values[at] && map->keys[at] != identifier) at = (at + 1) & (map->capacity - 1);
  return at;
}

static void grow(hand_map *map) {
  hand_map old = *map;
  hand_map_open(map, 2 * old.capacity);
  map->count = old.count;
  for (size_t i = 0; i < old.capacity; i++) {
    if (!old.values[i]) continue;
    size_t at = probe(map, old.keys[i]);
    map->keys[at] = old.keys[i];
    map->values[at] = old.values[i];
  }
  hand_map_close(&old);
}

void **hand_find(hand_map *map, int64_t identifier) {
  if (2 * map->count >= map->capacity) grow(map);
  size_t at = probe(map, identifier);
  if (!map->values[at]) {
    map->keys[at] = identifier;
    map->count++;
  }
  return &map->values[at];
}

void *hand_allocate(hand_graph *graph, size_t size) {
  size = (size + 7) & ~(size_t)7;
  if ((size_t)(graph->end - graph->free) < size) {
    size_t room = size > block_size ? size : block_size;
    hand_block *block = checked(malloc(sizeof(hand_block) + room));
    block->next = graph->blocks;
    graph->blocks = block;
    graph->free = (char *)(block + 1);
    graph->end = graph->free + room;
  }
  void *memory = graph->free;
  graph->free += size;
  return memory;
}

hand_text hand_copy(hand_graph *graph, hand_text text) {
  char *data = hand_allocate(graph, text.size);
  memcpy(data, text.data, text.size);
  hand_text copy = {data, text.size};
  return copy;
}

void hand_append(hand_members *members, hand_character *character) {
  if (members->count == members->capacity) {
    members->capacity = members->capacity ? 2 * members->capacity : 8;
    members->items =
        checked(realloc(members->items, members->capacity * sizeof *members->items));
  }
  members->items[members->count++] = character;
}

void hand_remove(hand_members *members, hand_character *character) {
  for (uint32_t i = 0; i < members->count; i++) {
    if (members->items[i] != character) continue;
    members->count--;
    memmove(members->items + i, members->items + i + 1,
            (members->count - i) * sizeof *members->items);
    return;
  }
}

hand_named *hand_make_named(hand_graph *graph, hand_map *map, int64_t identifier) {
  void **place = hand_find(map, identifier);
  if (!*place) {
    hand_named *made = hand_allocate(graph, sizeof *made);
    memset(made, 0, sizeof *made);
    made->identifier = identifier;
    *place = made;
  }
  return *place;
}

hand_character *hand_make_character(hand_graph *graph, int64_t identifier) {
  void **place = hand_find(&graph->characters, identifier);
  if (*place) return *place;
  hand_character *made = hand_allocate(graph, sizeof *made);
  memset(made, 0, sizeof *made);
  made->identifier = identifier;
  if (graph->count == graph->capacity) {
    graph->capacity = graph->capacity ? 2 * graph->capacity : 1024;
    graph->order = checked(realloc(graph->order, graph->capacity * sizeof *graph->order));
  }
  graph->order[graph->count++] = made;
  *place = made;
  return made;
}

void hand_set_publisher(hand_character *character, hand_named *publisher) {
  if (character->publisher) hand_remove(&character->publisher->characters, character);
  character->publisher = publisher;
  hand_append(&publisher->characters, character);
}

void hand_set_powers(hand_graph *graph, hand_character *character, hand_named *const *powers,
                     uint32_t count) {
  for (uint32_t i = 0; i < character->power_count; i++) {
    hand_remove(&character->powers[i]->characters, character);
  }
  if (character->power_count < count) {
    character->powers = hand_allocate(graph, count * sizeof *character->powers);
  }
  character->power_count = count;
  for (uint32_t i = 0; i < count; i++) {
    character->powers[i] = powers[i];
    hand_append(&powers[i]->characters, character);
  }
}

void hand_open(hand_graph *graph) {
  memset(graph, 0, sizeof *graph);
  hand_map_open(&graph->characters, 4096);
  hand_map_open(&graph->powers, 1024);
  hand_map_open(&graph->publishers, 256);
}

static void forget(hand_map *map, int has_members) {
  for (size_t i = 0; has_members && i < map->capacity; i++) {
    if (map->values[i]) free(((hand_named *)map->values[i])->characters.items);
  }
  hand_map_close(map);
}

void hand_close(hand_graph *graph) {
  forget(&graph->powers, 1);
  forget(&graph->publishers, 1);
  forget(&graph->characters, 0);
  free(graph->order);
  while (graph->blocks) {
    hand_block *next = graph->blocks->next;
    free(graph->blocks);
    graph->blocks = next;
  }
}
