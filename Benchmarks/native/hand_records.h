/*
 * Records of a model that is known when the program is compiled, by hand in C: structs, and tables
 * with the place of each key in them. A key is expected where it came in the record before, so it
 * costs one comparison; any order and unknown keys are read too. A missing key is null, or zero.
 */
#ifndef HAND_RECORDS_H
#define HAND_RECORDS_H

#include "bench.h"
#include "hand_output.h"
#include "hand_scan.h"

typedef enum hand_kind {
  HAND_INT8, /**< a truth value */
  HAND_INT16,
  HAND_INT32,
  HAND_INT64,
  HAND_DOUBLE,
  HAND_TEXT,
  HAND_TIME,
  HAND_INNER, /**< a nested object, whose values are in the same struct */
  HAND_LIST
} hand_kind;

typedef struct hand_records hand_records;
typedef struct hand_fields hand_fields;

enum { hand_key_room = 24, hand_largest = 2048 };

/** How an array is read into a struct, and written. */
typedef struct hand_list {
  int (*read)(hand_records *records, void *list);
  void (*write)(hand_output *out, const void *list);
} hand_list;

typedef struct hand_field {
  char key[hand_key_room]; /**< with a comma before it, quotes and a colon; copied whole */
  uint16_t size, offset;
  hand_kind kind;
  const hand_fields *inner;
  const hand_list *list;
} hand_field;

struct hand_fields {
  const hand_field *items;
  int count;
  uint16_t rest; /**< the offset of a hand_text for unmapped keys; 0 when they are not kept */
};

#define HAND_KEY(key) ",\"" key "\":", sizeof(",\"" key "\":") - 1
#define HAND_FIELD(type, key, kind, member) \
  {HAND_KEY(key), offsetof(type, member), kind, NULL, NULL}
#define HAND_OBJECT(key, fields) {HAND_KEY(key), 0, HAND_INNER, &fields, NULL}
#define HAND_MEMBERS(type, key, list, member) \
  {HAND_KEY(key), offsetof(type, member), HAND_LIST, NULL, &list}
#define HAND_FIELDS(items) {items, (int)(sizeof items / sizeof *items), 0}
#define HAND_FIELDS_REST(items, type, member) \
  {items, (int)(sizeof items / sizeof *items), offsetof(type, member)}

/** Records of several kinds, each with fields of its own. */
typedef struct hand_kinds {
  const char *key; /**< of the text that names the kind */
  const char *const *names;
  const hand_fields *fields;
  int8_t count;
  uint16_t offset; /**< of the kind in the struct, an int8_t */
} hand_kinds;

/** A model: a struct, at most hand_largest bytes, that begins with its identifier. */
typedef struct hand_type {
  const hand_fields *fields;
  size_t size;
  void (*open)(hand_records *records); /**< or NULL, as the others */
  void (*close)(hand_records *records);
  /** Links an object in both directions; `old` has its values before, NULL when it is new. */
  void (*link)(hand_records *records, void *object, const void *old);
  const hand_kinds *kinds; /**< in place of the fields; an object keeps its kind */
} hand_type;

struct hand_records {
  const hand_type *type;
  hand_graph memory;
  hand_map objects;
  void **order;
  size_t count, capacity;
  hand_scan scan;
  size_t letters; /* in the texts of the record that is being read */
};

extern const hand_type hand_wide_type, hand_text_type, hand_links_type, hand_deep_type;
extern const hand_type hand_shape_keyed_type, hand_shape_grouped_type, hand_shape_positions_type,
    hand_shape_discriminator_type, hand_shape_rest_type;

void hand_records_open(hand_records *records, const hand_type *type);
void hand_records_close(hand_records *records);

/** Imports a text; 0 when it is not an array of such records. */
int hand_records_import(hand_records *records, const char *text, size_t size);

/** The records in the order of their import; free() it. */
char *hand_records_export(const hand_records *records, size_t *size);

/** Reads an object, whose texts lie in the text or the scratch; 0 when it is none. */
int hand_read_fields(hand_records *records, const hand_fields *fields, void *into);

/**
 * Copies the texts of a record to where they stay, `to`; those that `old` has already are kept.
 * Returns the end of the copies; `old` may be NULL.
 */
char *hand_keep_texts(const hand_fields *fields, void *record, const void *old, char *to);

/** The number of the kind with this name; the count when there is none. */
int8_t hand_kind_find(const hand_kinds *kinds, hand_text name);

/** Moves past null when it is next. */
int hand_read_null(hand_scan *scan);

/** The next of an array, after `[`: 1 when there is one, 0 at its end, -1 at anything else. */
int hand_read_next(hand_scan *scan, int is_first);

/** Writes an object, or its members alone, each with a comma before it. */
void hand_write_fields(hand_output *out, const hand_fields *fields, const void *from);
void hand_write_members(hand_output *out, const hand_fields *fields, const void *from);

#endif
