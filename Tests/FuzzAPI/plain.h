/* The graph as plain C has it: small arrays, nothing shared with the library. */
#ifndef GROOT_PLAIN_H
#define GROOT_PLAIN_H

#include <groot_ffi.h>

enum {
  MOST_ENTITIES = 5,
  MOST_PROPERTIES = 40, /* of all entities */
  MOST_SLOTS = 18,      /* of one entity, inherited ones included */
  MOST_OBJECTS = 48     /* in one context, deleted ones included */
};

/** Types of attributes in the order of `type_names`, and what is none. */
enum {
  INTEGER16, INTEGER32, INTEGER64, DECIMAL, DOUBLE, FLOAT, STRING, BOOLEAN, DATE, BINARY, UUID, URI,
  TRANSFORMABLE, COMPOSITE, DAY, TO_ONE, TO_MANY
};
extern const char *const type_names[];

/** A value: text is kept as its size and a hash. */
typedef struct plain_value {
  int32_t kind;  /**< GROOT_VALUE_... */
  uint64_t bits; /**< of a number; of text, a hash */
  uint64_t size; /**< of text */
} plain_value;

typedef struct property {
  char name[12];
  char key[24]; /**< where it is in JSON */
  int kind;     /**< INTEGER16 ... TO_MANY */
  int is_optional, is_transient;
  int is_transformed; /**< whether a function of the registry makes its values */
  plain_value initial; /**< of an attribute with a default */
  int destination;     /**< of a relationship: an entity */
  int inverse;         /**< a property; -1 for none */
  int rule;            /**< 0 nullify, 1 cascade, 2 deny, 3 noAction */
  groot_property number;
} property;

typedef struct entity {
  char name[12];
  int parent; /**< -1 for none */
  int root;
  int is_abstract;
  int slot_count;
  int slots[MOST_SLOTS]; /**< properties, inherited ones first: as many places in an object */
} entity;

typedef struct schema {
  int entity_count, property_count;
  entity entities[MOST_ENTITIES];
  property properties[MOST_PROPERTIES];
} schema;

typedef struct plain_object {
  groot_object_id id;
  int entity;
  int is_alive;
  plain_value values[MOST_SLOTS];
  int member_count[MOST_SLOTS];
  uint8_t members[MOST_SLOTS][MOST_OBJECTS]; /**< places of objects */
} plain_object;

typedef struct graph {
  int count; /**< of places taken; those of deleted objects stay so */
  plain_object objects[MOST_OBJECTS];
} graph;

uint64_t hash_of(const void *data, size_t size);
int is_kind_of(const schema *schema, int entity, int ancestor);
/** The place of a property in an entity's objects; -1 for none. */
int slot_of(const schema *schema, int entity, int property);

/** The place of an object; -1 for none. */
int place_of(const graph *graph, groot_object_id id);
/** Adds an object with its defaults; -1 when there is no room. */
int plain_insert(const schema *schema, graph *graph, int entity, groot_object_id id);
int plain_is_member(const graph *graph, int object, int slot, int member);
/** Adds a member, or sets that of a to-one; the other direction follows. */
void plain_link(const schema *schema, graph *graph, int object, int slot, int member);
void plain_unlink(const schema *schema, graph *graph, int object, int slot, int member);
/** Ends all links of one relationship of an object. */
void plain_clear(const schema *schema, graph *graph, int object, int slot);
/** Deletes by the delete rules: 0, and nothing happens, when one denies it. */
int plain_delete(const schema *schema, graph *graph, int object);
/** Goes back to `saved`; what came after is dead. */
void plain_roll_back(graph *graph, const struct graph *saved);
/** Whether a save must refuse the graph, for a value or a member that is required. */
int plain_is_invalid(const schema *schema, const graph *graph);
int is_same_value(plain_value a, plain_value b);

#endif
