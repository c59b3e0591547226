/* Records like those of PokéAPI by hand: nested values, lists of objects that hold an object, and
 * members of three kinds. */
#ifndef HAND_DEEP_H
#define HAND_DEEP_H

#include "hand_nodes.h"

typedef struct deep_list {
  void *items; /**< slots, or pointers to media */
  uint32_t count;
} deep_list;

typedef struct deep_record {
  int64_t identifier, updated_at;
  double area[3], temperature[2];
  hand_text name, sprites[6], dream[2], home[2], artwork[2], red[4], gold[4], cries[2], species[2];
  hand_text genus[2], color, habitat, rate, range, groups[2];
  deep_list abilities, moves, media;
  int32_t sizes[4], base[6], effort[6], levels, rain, gender_rate, hatch[2];
  int8_t is_default;
} deep_record;

/** An ability or a move with the values that it has in one record. */
typedef struct deep_slot {
  hand_node *node;
  deep_record *record;
  int16_t number; /**< the slot of an ability, the level of a move */
  int8_t is_hidden;
} deep_slot;

typedef enum deep_kind { DEEP_IMAGE, DEEP_SOUND, DEEP_FILM, DEEP_KINDS } deep_kind;

/** A member of any kind. */
typedef struct deep_medium {
  int64_t identifier;
  hand_text address, codec;
  deep_record *record;
  double seconds;
  int32_t width, height, frames;
  deep_kind kind;
} deep_medium;

extern const hand_list deep_abilities, deep_moves, deep_media;
extern const hand_fields deep_fields;

#endif
