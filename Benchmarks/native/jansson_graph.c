#include "jansson_graph.h"

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_powers = 64 };

static int integer_of(json_t *text, int64_t *integer) {
  char *end;
  if (!json_is_string(text)) return 0;
  *integer = strtoll(json_string_value(text), &end, 10);
  return end != json_string_value(text) && *end == 0;
}

/* Days since 1970 by the calendar of today, of which a year begins in March. */
static int64_t days(int64_t year, int month, int day) {
  year -= month <= 2;
  const int64_t era = (year >= 0 ? year : year - 399) / 400, year_of_era = year - era * 400;
  const int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year -
         719468;
}

static int time_of(json_t *text, int64_t *seconds) {
  int year, month, day, hour, minute, second;
  if (!json_is_string(text) || sscanf(json_string_value(text), "%4d-%2d-%2dT%2d:%2d:%2dZ", &year,
                                      &month, &day, &hour, &minute, &second) != 6) {
    return 0;
  }
  *seconds = days(year, month, day) * 86400 + hour * 3600 + minute * 60 + second;
  return 1;
}

/* The tree keeps the bytes as long as the graph needs them. */
static hand_text text_of(json_t *text) {
  const hand_text found = {json_string_value(text), (uint32_t)json_string_length(text)};
  return found;
}

static hand_named *named(hand_graph *graph, hand_map *map, json_t *from) {
  int64_t identifier;
  if (!integer_of(json_object_get(from, "id"), &identifier)) return NULL;
  hand_named *found = hand_make_named(graph, map, identifier);
  found->name = text_of(json_object_get(from, "name"));
  return found;
}

static int link_powers(hand_graph *graph, hand_character *character, json_t *from) {
  hand_named *powers[most_powers];
  const size_t count = json_array_size(from);
  if (count > most_powers) return 0;
  for (size_t i = 0; i < count; i++) {
    powers[i] = named(graph, &graph->powers, json_array_get(from, i));
    if (!powers[i]) return 0;
  }
  hand_set_powers(graph, character, powers, (uint32_t)count);
  return 1;
}

static int take_over(hand_graph *graph, json_t *from) {
  int64_t identifier;
  if (!integer_of(json_object_get(from, "id"), &identifier)) return 0;
  hand_character *character = hand_make_character(graph, identifier);
  json_t *stats = json_object_get(from, "stats");
  character->name = text_of(json_object_get(from, "name"));
  character->real_name = text_of(json_object_get(from, "real_name"));
  character->rating = json_number_value(json_object_get(from, "rating"));
  character->active = json_is_true(json_object_get(from, "active"));
  character->strength = (int16_t)json_integer_value(json_object_get(stats, "strength"));
  character->speed = (int16_t)json_integer_value(json_object_get(stats, "speed"));
  hand_named *publisher = named(graph, &graph->publishers, json_object_get(from, "publisher"));
  if (!publisher || !time_of(json_object_get(from, "created_at"), &character->created_at)) return 0;
  if (character->publisher != publisher) hand_set_publisher(character, publisher);
  return link_powers(graph, character, json_object_get(from, "powers"));
}

int jansson_graph(hand_graph *graph, json_t *tree) {
  size_t i;
  json_t *record;
  json_array_foreach(tree, i, record) {
    if (!take_over(graph, record)) return 0;
  }
  return json_is_array(tree);
}
