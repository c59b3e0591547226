/* What the operations of growth.c are made of. */
#ifndef GROOT_GROWTH_H
#define GROOT_GROWTH_H

#include <groot.h>

/** The size of an operation and what it works on. */
typedef struct scene {
  size_t n;
  char *text;           /**< JSON to read, or a model document */
  size_t length;
  char *other;          /**< a predicate, or rules, or nothing */
  const char *entity;   /**< that the text is about */
  groot_model *model;
  groot_registry *registry;
  groot_mapping *mapping;
  groot_context *context;
  char path[64];             /**< of a store; empty when there is none */
  const struct shape *shape; /**< NULL for an operation of another kind */
} scene;

/** An operation: only `run` is counted. */
typedef struct operation {
  const char *name;
  void (*prepare)(scene *);
  void (*run)(scene *);
} operation;

/** All operations; the last has no name. */
extern const operation operations[];

/**
 * An operation on JSON of one shape, by a model of its own. Texts are written with ' instead of ".
 *
 * In a feed each ~ is sixteen letters for each of n, and what is in ( ) is there n times, with
 * commas between: in it # is the number from 1 to n, and ^ the number from n to 1.
 */
typedef struct shape {
  const char *name;
  void (*run)(scene *);
  const char *model;
  const char *entity; /**< NULL: a document of several */
  const char *before; /**< a feed that was imported and saved before, or NULL */
  const char *feed;
  const char *policies, *roots;
  uint32_t flags;
  int32_t form, errors;
  int fails; /**< whether the call must fail */
} shape;

/** All shapes; the last has no name. */
extern const shape shapes[];

void prepare_shape(scene *scene);

/** Begins to count the memory that is taken. */
void begin_peak(void);

/** Ends it, and gives the most bytes that were taken at a time. */
size_t end_peak(void);

/** Ends the program unless the status is GROOT_OK. */
void must(groot_status status);

/** Ends the program unless the status is another than GROOT_OK. */
void must_fail(groot_status status);

/** Text that grows: text_add appends to it as printf does. */
typedef struct builder {
  char *data;
  size_t length, capacity;
} builder;

void add(builder *text, const char *format, ...);

/** Makes the text that of the scene. */
void set_text(scene *scene, builder text);

/* Models and mappings, made from the text and the rules of a scene. */
void make_model(scene *scene);
void prepare_attributes(scene *scene);
void prepare_entities(scene *scene);
void prepare_siblings(scene *scene);
void prepare_kinds(scene *scene);
void prepare_descendants(scene *scene);
void prepare_paths(scene *scene);
void prepare_rules(scene *scene);
void prepare_rule_groups(scene *scene);

/* Imports that call functions of the registry. */
void prepare_chain(scene *scene);
void prepare_values(scene *scene);
void prepare_long_value(scene *scene);
void prepare_asking_records(scene *scene);
void prepare_asking_once(scene *scene);

/** Makes the scene's mapping of a model document that is written with ' instead of ". */
void make_mapping(scene *scene, const char *document);
/** Writes " instead of '. */
void quote(char *text);
/** Imports the scene's text. */
void import(scene *scene);

/** The error that the last call left. */
extern groot_error *error;

#endif
