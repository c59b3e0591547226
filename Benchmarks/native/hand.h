/*
 * The graph of the benchmark's model written by hand in C, without jansson and without Groot: what
 * an expert gets who knows the model and writes for nothing else. It reads and writes any JSON of
 * these records: keys in any order, unknown keys, escapes, and it refuses what is not UTF-8 or no
 * JSON. One object per identity, both directions of every relationship, as in Groot's graph.
 */
#ifndef HAND_H
#define HAND_H

#include <stddef.h>
#include <stdint.h>

typedef struct hand_text {
  const char *data;
  uint32_t size;
} hand_text;

typedef struct hand_character hand_character;

typedef struct hand_members {
  hand_character **items;
  uint32_t count, capacity;
} hand_members;

/** A power or a publisher. */
typedef struct hand_named {
  int64_t identifier;
  hand_text name;
  hand_members characters;
  int64_t key; /* in a store; 0 until it is there */
  int8_t is_changed;
} hand_named;

struct hand_character {
  int64_t identifier, created_at;
  double rating;
  hand_text name, real_name;
  hand_named *publisher;
  hand_named **powers;
  uint32_t power_count;
  int64_t key; /* in a store; 0 until it is there */
  int16_t strength, speed;
  int8_t active, is_changed, has_other_powers;
};

/** Open addressing: identifiers, and objects beside them. */
typedef struct hand_map {
  int64_t *keys;
  void **values;
  size_t count, capacity;
  int shift;
} hand_map;

typedef struct hand_block {
  struct hand_block *next;
} hand_block;

typedef struct hand_graph {
  hand_map characters, powers, publishers;
  hand_character **order;
  size_t count, capacity;
  hand_block *blocks;
  char *free, *end;
} hand_graph;

/** Makes an empty graph. */
void hand_open(hand_graph *graph);
void hand_close(hand_graph *graph);

/** Memory that lives as long as the graph, aligned for anything. */
void *hand_allocate(hand_graph *graph, size_t size);

/** A copy that lives as long as the graph. */
hand_text hand_copy(hand_graph *graph, hand_text text);

/** Makes an empty map; the capacity is a power of two. */
void hand_map_open(hand_map *map, size_t capacity);
void hand_map_close(hand_map *map);

/** The place of the object with this identifier; NULL is in it when there is none yet. */
void **hand_find(hand_map *map, int64_t identifier);

void hand_append(hand_members *members, hand_character *character);
void hand_remove(hand_members *members, hand_character *character);

/** The object with this identifier, which is made when there is none yet. */
hand_character *hand_make_character(hand_graph *graph, int64_t identifier);
hand_named *hand_make_named(hand_graph *graph, hand_map *map, int64_t identifier);

/** Sets what a character leads to; both directions. */
void hand_set_publisher(hand_character *character, hand_named *publisher);
void hand_set_powers(hand_graph *graph, hand_character *character, hand_named *const *powers,
                     uint32_t count);

/** Imports a text; 0 when it is not an array of characters. */
int hand_import(hand_graph *graph, const char *text, size_t size);

/** The characters in the order of their import; free() it. */
char *hand_export(const hand_graph *graph, size_t *size);

#endif
