/* The graph as plain C has it: making and changing it. */
#include "plain.h"

#include <string.h>

const char *const type_names[] = {"integer16", "integer32",     "integer64", "decimal", "double",
                                  "float",     "string",        "boolean",   "date",    "binary",
                                  "uuid",      "uri",           "transformable", "composite", "day"};

uint64_t hash_of(const void *data, size_t size) {
  const unsigned char *bytes = data;
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 0x100000001b3u;
  return hash;
}

int is_kind_of(const schema *schema, int entity, int ancestor) {
  for (; entity >= 0; entity = schema->entities[entity].parent) {
    if (entity == ancestor) return 1;
  }
  return 0;
}

int slot_of(const schema *schema, int entity, int property) {
  for (int slot = 0; slot < schema->entities[entity].slot_count; slot++) {
    if (schema->entities[entity].slots[slot] == property) return slot;
  }
  return -1;
}

int place_of(const graph *graph, groot_object_id id) {
  for (int i = 0; i < graph->count; i++) {
    if (graph->objects[i].id == id) return i;
  }
  return -1;
}

int plain_insert(const schema *schema, graph *graph, int entity, groot_object_id id) {
  if (graph->count == MOST_OBJECTS) return -1;
  plain_object *object = &graph->objects[graph->count];
  memset(object, 0, sizeof *object);
  object->id = id;
  object->entity = entity;
  object->is_alive = 1;
  for (int slot = 0; slot < schema->entities[entity].slot_count; slot++) {
    object->values[slot] = schema->properties[schema->entities[entity].slots[slot]].initial;
  }
  return graph->count++;
}

int plain_is_member(const graph *graph, int object, int slot, int member) {
  const plain_object *owner = &graph->objects[object];
  for (int i = 0; i < owner->member_count[slot]; i++) {
    if (owner->members[slot][i] == member) return 1;
  }
  return 0;
}

static void drop(graph *graph, int object, int slot, int member) {
  plain_object *owner = &graph->objects[object];
  int left = 0;
  for (int i = 0; i < owner->member_count[slot]; i++) {
    if (owner->members[slot][i] != member) owner->members[slot][left++] = owner->members[slot][i];
  }
  owner->member_count[slot] = left;
}

static const property *property_at(const schema *schema, const graph *graph, int object, int slot) {
  return &schema->properties[schema->entities[graph->objects[object].entity].slots[slot]];
}

/* The place of the other direction in a member; -1 when it is hidden. */
static int inverse_slot(const schema *schema, const graph *graph, const property *property,
                        int member) {
  if (property->inverse < 0) return -1;
  return slot_of(schema, graph->objects[member].entity, property->inverse);
}

void plain_unlink(const schema *schema, graph *graph, int object, int slot, int member) {
  int back = inverse_slot(schema, graph, property_at(schema, graph, object, slot), member);
  drop(graph, object, slot, member);
  if (back >= 0) drop(graph, member, back, object);
}

void plain_clear(const schema *schema, graph *graph, int object, int slot) {
  while (graph->objects[object].member_count[slot] > 0) {
    plain_unlink(schema, graph, object, slot, graph->objects[object].members[slot][0]);
  }
}

void plain_link(const schema *schema, graph *graph, int object, int slot, int member) {
  const property *property = property_at(schema, graph, object, slot);
  if (plain_is_member(graph, object, slot, member)) return;
  int back = inverse_slot(schema, graph, property, member);
  if (property->kind == TO_ONE) plain_clear(schema, graph, object, slot);
  if (back >= 0 && schema->properties[property->inverse].kind == TO_ONE) {
    plain_clear(schema, graph, member, back);
  }
  plain_object *owner = &graph->objects[object], *other = &graph->objects[member];
  owner->members[slot][owner->member_count[slot]++] = (uint8_t)member;
  if (back < 0 || (object == member && back == slot)) return;
  other->members[back][other->member_count[back]++] = (uint8_t)object;
}

int plain_delete(const schema *schema, graph *graph, int first) {
  int doomed[MOST_OBJECTS], count = 1, is_doomed[MOST_OBJECTS] = {0};
  doomed[0] = first;
  is_doomed[first] = 1;
  for (int next = 0; next < count; next++) {
    const plain_object *object = &graph->objects[doomed[next]];
    for (int slot = 0; slot < schema->entities[object->entity].slot_count; slot++) {
      if (property_at(schema, graph, doomed[next], slot)->rule != 1) continue;
      for (int i = 0; i < object->member_count[slot]; i++) {
        int member = object->members[slot][i];
        if (!is_doomed[member]) doomed[count++] = member;
        is_doomed[member] = 1;
      }
    }
  }
  for (int i = 0; i < count; i++) {
    const plain_object *object = &graph->objects[doomed[i]];
    for (int slot = 0; slot < schema->entities[object->entity].slot_count; slot++) {
      if (property_at(schema, graph, doomed[i], slot)->rule != 2) continue;
      for (int j = 0; j < object->member_count[slot]; j++) {
        if (!is_doomed[object->members[slot][j]]) return 0;
      }
    }
  }
  for (int i = 0; i < count; i++) {
    graph->objects[doomed[i]].is_alive = 0;
    memset(graph->objects[doomed[i]].member_count, 0, sizeof graph->objects[0].member_count);
    for (int other = 0; other < graph->count; other++) {
      for (int slot = 0; slot < MOST_SLOTS; slot++) drop(graph, other, slot, doomed[i]);
    }
  }
  return 1;
}

void plain_roll_back(graph *graph, const struct graph *saved) {
  int count = graph->count;
  memcpy(graph->objects, saved->objects, sizeof graph->objects[0] * (size_t)saved->count);
  for (int i = saved->count; i < count; i++) {
    graph->objects[i].is_alive = 0;
    memset(graph->objects[i].member_count, 0, sizeof graph->objects[i].member_count);
  }
}

int plain_is_invalid(const schema *schema, const graph *graph) {
  for (int i = 0; i < graph->count; i++) {
    const plain_object *object = &graph->objects[i];
    if (!object->is_alive) continue;
    for (int slot = 0; slot < schema->entities[object->entity].slot_count; slot++) {
      const property *property = property_at(schema, graph, i, slot);
      if (property->is_optional) continue;
      if (property->kind >= TO_ONE ? object->member_count[slot] == 0
                                   : object->values[slot].kind == GROOT_VALUE_NULL) {
        return 1;
      }
    }
  }
  return 0;
}

int is_same_value(plain_value a, plain_value b) {
  return a.kind == b.kind && a.bits == b.bits && a.size == b.size;
}
