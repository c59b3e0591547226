/*
 * A fuzzer of the C interface. A program is a random model and a list of operations on it; each
 * operation makes a few calls, right and wrong ones, and has a seed of its own, so that it can be
 * run again with others left out. Beside the library there is a model of the graph in plain C
 * (plain.h), which is compared after each operation.
 */
#ifndef GROOT_FUZZ_H
#define GROOT_FUZZ_H

#include <groot_ffi.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "plain.h"

typedef struct fuzz fuzz;

/** An exception that a callback left: whose it is, whether it waits, whether it was given back. */
typedef struct exception {
  fuzz *owner;
  int is_left, is_taken;
} exception;
enum { MOST_EXCEPTIONS = 512 };

/** How callbacks failed in a call; the library tells of the first. */
typedef struct failure {
  int count;
  groot_status status; /**< 0 when its result was not JSON */
  void *exception;
} failure;

/** What a program runs on. */
struct fuzz {
  uint64_t random;     /**< state of the generator; each operation sets it to its seed */
  schema schema;       /**< the model in plain C */
  const char *dialect; /**< "groot", "hyper" or "kvc" */
  int is_stored;       /**< whether the context is kept in a file */
  char path[256];      /**< of the store; its name with more after it serves for other files */

  json_t *document; /**< the model document */
  json_t *rules;    /**< of the mapping; NULL for none */
  uint32_t flags;   /**< of the mapping */
  char *roots;      /**< of the mapping, JSON text; NULL for none */
  groot_model *model;
  groot_registry *registry;
  groot_mapping *mapping;
  groot_context *context;
  groot_context *other; /**< another one in memory, of the same mapping */
  graph now;            /**< what the context should hold */
  graph saved;          /**< what it should go back to */

  groot_error *error; /**< where calls leave an error */
  int has_error;      /**< whether the next call was given a place for it */
  int is_wrong;       /**< whether the next call has an argument that it must refuse */
  groot_status wanted; /**< how it must refuse it; 0 for in any way */
  int disturbances;   /**< what callbacks of this operation may still do on the side */
  int destroyed;      /**< userdata given back */
  int registered;     /**< userdata handed over */
  groot_stream *stream; /**< the import that callbacks may give up */

  exception exceptions[MOST_EXCEPTIONS]; /**< left by callbacks of this operation */
  int exception_count;
  failure failure;    /**< of callbacks of the present call */
  int is_lenient;     /**< whether the call goes on after a wrong record */
  int is_given_up;    /**< whether a callback ended the import in pieces */
  int has_record_transformer; /**< whether a function of the registry makes records */
  int is_doubtful;    /**< whether something random may be wrong as well, and told of first */
  int is_request_doubtful; /**< the same of a request */
  int is_exporting;   /**< whether callbacks are for objects, not for JSON */
  void *call_userdata; /**< what callbacks are handed by the present call */
  json_t *feed;       /**< what is imported; NULL when its values may not be those of callbacks */

  int is_full;        /**< whether the plain graph has no room for more objects */
  uint64_t calls;     /**< calls made by operations; those that only compare are not counted */
  uint64_t *statuses; /**< how often each status came; NULL when nobody wants to know */
  const char *call;   /**< the call made last, as it is in the source */
};

/** An operation: one line of the table in operations.c. */
typedef struct operation {
  const char *name;
  int weight; /**< how often it comes, relative to the others */
  void (*run)(fuzz *f);
} operation;
extern const operation operations[];
extern const int operation_count;

/** An operation in a program. */
typedef struct step {
  int operation;
  uint64_t seed;
} step;

/* ---- chance ---- */

uint64_t next_random(uint64_t *state);
/** A number below `limit`, which is not 0. */
uint32_t roll(fuzz *f, uint32_t limit);
/** Whether something happens that happens so many times in a hundred. */
int chance(fuzz *f, uint32_t percent);

/* ---- calls ---- */

/** Makes a call that gives a status, and checks what holds for all of them. */
#define CALL(expression) ended(f, (begun(f, #expression), (expression)))
/** Makes a call that gives something else. */
#define CALLED(expression) (begun(f, #expression), (expression))
void begun(fuzz *f, const char *call);
groot_status ended(fuzz *f, groot_status status);
/** Where the next call leaves its error: often nowhere. */
groot_error **error_place(fuzz *f);
/** Ends the program with a failure. */
void fail(fuzz *f, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));
#define REQUIRE(condition) \
  ((condition) ? (void)0 : fail(f, "%s:%d: %s", __FILE__, __LINE__, #condition))

/* ---- arguments, mostly right; a wrong one is noted ---- */

/** Notes that the next call must fail; with this status if nothing else is wrong, 0 for any. */
void wrong(fuzz *f, groot_status wanted);

groot_context *context_argument(fuzz *f);
const groot_mapping *mapping_argument(fuzz *f);
const groot_model *model_argument(fuzz *f);
groot_registry *registry_argument(fuzz *f);
/** A handle of another kind than the one that is wanted, or NULL. */
void *wrong_handle(fuzz *f, const void *wanted);
/** A name; sometimes none, or not UTF-8. */
const char *text_argument(fuzz *f, const char *right);
/** The same for a name that must be known, else the call fails in this way. */
const char *name_argument(fuzz *f, const char *right, groot_status unknown);
/** The length of data: that, or GROOT_NTS when it ends at its first NUL, or one that cannot be. */
size_t length_argument(fuzz *f, const char *data, size_t size);
/** A living object, sometimes a deleted one, one of another context or a number that is none. */
groot_object_id object_argument(fuzz *f, int *object);
/** An object for a relationship: mostly one of its destination. */
groot_object_id member_argument(fuzz *f, const property *property, int *object);
/** A property of an object, sometimes one of another entity or none. */
groot_property property_argument(fuzz *f, int object, int kind, int *slot);
/** The property in a slot of an object. */
const property *property_of(const fuzz *f, int object, int slot);
/** A size that no text and no array has. */
size_t impossible_size(fuzz *f);

/* ---- values and JSON ---- */

/** A value that fits an attribute, as the library takes it and as it is to come back. */
void fitting_value(fuzz *f, int kind, groot_value *value, plain_value *expected);
plain_value plain_of(const groot_value *value);
/** JSON for an attribute, mostly of its type. */
json_t *attribute_json(fuzz *f, int kind);
/** A record of an entity, with members down to a depth. */
json_t *record_json(fuzz *f, int entity, int depth);
/** An array of records, or what looks like one, or something else. */
json_t *feed_json(fuzz *f, int entity);
/** JSON of any form: deep, wide, shared, with NaN, with text that is not UTF-8. */
json_t *odd_json(fuzz *f);
/** The text of JSON, to be freed; NULL when it has none: NaN, text that is not UTF-8. */
char *text_of(const json_t *json, size_t flags);
/** JSON as text, sometimes with bytes changed; `*size` bytes and a NUL, to be freed. */
char *feed_text(fuzz *f, int entity, size_t *size);
/** A request for a fetch, right or wrong. */
json_t *request_json(fuzz *f, int entity);
/** Lets callbacks know what is imported, unless they may see other values than those in it. */
void feed_callbacks(fuzz *f, const json_t *feed);

/* ---- options and requests ---- */

/** What arguments point to until the call is over. */
typedef struct held {
  char *texts[8];
  int count;
  const void *given;   /**< the options as the call gets them, which may be of another size */
  void *other_size;
  groot_buffer report;
  size_t written;
} held;
/** The text of JSON, which is taken; NULL for none; now and then text that is not JSON. */
const char *json_argument(fuzz *f, held *held, json_t *json);
/** Options, right or wrong, as the call understands them; the call gets what `held` has. */
groot_import_options *import_options(fuzz *f, groot_import_options *options, held *held);
/** The same for a fill, which does not have all of them. */
groot_import_options *fill_options(fuzz *f, groot_import_options *options, held *held);
groot_sync_options *sync_options(fuzz *f, groot_sync_options *options, held *held, int entity);
groot_export_options *export_options(fuzz *f, groot_export_options *options, held *held,
                                     int entity);
/** Options of the dialect of the program, with its rules. */
groot_mapping_options *mapping_options(fuzz *f, groot_mapping_options *options, held *held);
/** A struct of options of another size, as programs with other headers have it, now and then. */
void resize(fuzz *f, void *options, size_t size, held *held);
/** Flags that belong to the call, and now and then others. */
uint32_t flags_argument(fuzz *f, uint32_t right, uint32_t allowed);
void release(held *held);
/** JSON text that the library made; the text is freed. */
json_t *json_of(fuzz *f, groot_buffer *text);

/* ---- callbacks ---- */

groot_status transform(void *userdata, const char *value, size_t size, groot_call *call);
groot_status map_entity(void *userdata, const char *value, size_t size, groot_call *call);
groot_status transform_record(void *userdata, const char *value, size_t size, groot_call *call);
groot_status transform_json(void *userdata, json_t *value, json_t **result, groot_call *call);
groot_status map_entity_json(void *userdata, json_t *value, json_t **result, groot_call *call);
groot_status transform_record_json(void *userdata, json_t *value, json_t **result,
                                   groot_call *call);
/** What each callback may do on the side. */
void disturb(fuzz *f);
/** Requires that a callback is told what it is called for. */
void check_call(fuzz *f, groot_call *call, json_t *value, int is_for_record);
/** Ends a callback: the status it returns, and what it leaves for the error. */
groot_status end_call(fuzz *f, groot_call *call);
/** What takes back an exception that a callback left. */
void take_exception(void *pointer);
/** Notes that a callback failed. */
void note_failure(fuzz *f, groot_status status, void *exception);
/** Requires that an error tells how a callback failed. */
void check_failure(fuzz *f, groot_status status);
/** Requires that what callbacks left was given back, and forgets it. */
void check_exceptions(fuzz *f);
groot_status report_progress(void *userdata, const groot_progress *progress);
groot_status take_text(void *userdata, const char *data, size_t size);
void destroy(void *userdata);
/** A call of some kind on a context that is busy: each is refused. */
void intrude(fuzz *f, groot_context *busy);

/* ---- the world ---- */

/** Makes a random model document and its plain form. */
void make_schema(fuzz *f);
/** Makes what a program runs on, and frees it. */
void open_world(fuzz *f, uint64_t seed, const char *folder);
void close_world(fuzz *f);
void register_functions(fuzz *f);
/** Compares the context with the plain graph: objects, values, links in both directions. */
void compare(fuzz *f, groot_context *context, const graph *wanted);
/** Reads the context into the plain graph; what was there keeps its place. */
void adopt(fuzz *f);
/** An entity, a concrete one when `is_concrete`. */
int any_entity(fuzz *f, int is_concrete);

/* ---- programs ---- */

/** Runs a program; ends the process when it fails. */
void run_program(fuzz *f, uint64_t seed, const step *steps, int count, const char *folder,
                 int is_told);
/** Makes the steps of the program with this seed. */
int make_steps(uint64_t seed, step *steps, int most);
enum { MOST_STEPS = 120 };

#endif
