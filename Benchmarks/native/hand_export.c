#include "hand_output.h"

static void put_named(hand_output *out, const hand_named *named) {
  HAND_PUT(out, "{\"id\":\"");
  hand_put_integer(out, named->identifier);
  HAND_PUT(out, "\",\"name\":");
  hand_put_text(out, named->name);
  HAND_PUT(out, "}");
}

static void put_character(hand_output *out, const hand_character *character) {
  HAND_PUT(out, "{\"id\":\"");
  hand_put_integer(out, character->identifier);
  HAND_PUT(out, "\",\"name\":");
  hand_put_text(out, character->name);
  HAND_PUT(out, ",\"real_name\":");
  hand_put_text(out, character->real_name);
  HAND_PUT(out, ",\"created_at\":");
  hand_put_time(out, character->created_at);
  HAND_PUT(out, ",\"rating\":");
  hand_put_number(out, character->rating);
  if (character->active) HAND_PUT(out, ",\"active\":true");
  else HAND_PUT(out, ",\"active\":false");
  HAND_PUT(out, ",\"stats\":{\"strength\":");
  hand_put_integer(out, character->strength);
  HAND_PUT(out, ",\"speed\":");
  hand_put_integer(out, character->speed);
  HAND_PUT(out, "},\"powers\":[");
  for (uint32_t i = 0; i < character->power_count; i++) {
    if (i) HAND_PUT(out, ",");
    put_named(out, character->powers[i]);
  }
  HAND_PUT(out, "],\"publisher\":");
  if (character->publisher) put_named(out, character->publisher);
  else HAND_PUT(out, "null");
  HAND_PUT(out, "}");
}

char *hand_export(const hand_graph *graph, size_t *size) {
  hand_output all = {NULL, NULL, NULL}, *out = &all;
  hand_grow(out, 65536);
  HAND_PUT(out, "[");
  for (size_t i = 0; i < graph->count; i++) {
    if (i) HAND_PUT(out, ",");
    put_character(out, graph->order[i]);
  }
  HAND_PUT(out, "]");
  *size = (size_t)(all.at - all.start);
  return all.start;
}
