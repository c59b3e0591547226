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
  char path[64]; /**< of a store; empty when there is none */
} scene;

/** An operation: only `run` is counted. */
typedef struct operation {
  const char *name;
  void (*prepare)(scene *);
  void (*run)(scene *);
} operation;

/** All operations; the last has no name. */
extern const operation operations[];

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
/** Imports the scene's text. */
void import(scene *scene);

/** The error that the last call left. */
extern groot_error *error;

#endif
