/*
 * groot.h - an annotated object graph that reads and writes JSON.
 *
 * A MODEL (entities, attributes, relationships) has annotations. They map properties to JSON keys,
 * and name the identity of objects and the functions that transform values. A REGISTRY holds these
 * functions, and a MAPPING is a model compiled with a registry. A CONTEXT holds objects. An import
 * finds, updates or creates objects and links them; an export writes them as JSON.
 * docs/glossary.md defines the terms.
 *
 * Conventions, for every function unless its comment differs:
 *
 * Result      A function returns a groot_status; GROOT_OK is 0. On success it sets its
 *             out-pointers. On failure it sets them to NULL or 0; a struct that begins with its
 *             size is unchanged.
 * Errors      The last parameter, `error`, may be NULL. On failure it receives a new groot_error
 *             that the caller frees. On success it is set to NULL.
 * Text        All text is UTF-8. Names, paths and JSON arguments (requests, policies, lists of
 *             names) end at their first NUL. Data (text to import, models, values, messages) is a
 *             pointer and a length in bytes. If the length is GROOT_NTS, the data ends at its first
 *             NUL. A NUL follows returned text.
 * Sizes       A length of 2^47 bytes or more, or a count of elements that need this much memory,
 *             is GROOT_INVALID_ARGUMENT: no process has it. More than 4,294,967,295 bytes for a
 *             name, a value or a document are GROOT_LIMIT_EXCEEDED; text to import may be longer.
 * Options     The first member of an options struct is its size. The INIT macro and the
 *             groot_..._options_init function set every other member to 0, the default. NULL for
 *             the struct means all defaults. The call borrows the memory that the struct points to.
 * Flags       Each flag is one bit. A flag of another call is GROOT_INVALID_ARGUMENT.
 * Ownership   `create`, `import`, `fetch` and `export` functions return new handles or buffers. The
 *             caller frees them with the function that the comment names. Free functions accept
 *             NULL.
 * Handles     A handle keeps the handles that it was made from alive: a mapping still works after
 *             its model is freed.
 * Threads     Models, mappings and errors never change: any thread may use them at any time. A
 *             registry or a context, with everything fetched from it, belongs to one thread at a
 *             time. No function uses thread-local state.
 * Memory      If the system or the limit of a context refuses memory for data, the call fails with
 *             GROOT_OUT_OF_MEMORY or GROOT_LIMIT_EXCEEDED and changes nothing. If there is no
 *             memory for something small, such as an error, the process ends.
 * Misuse      A disallowed NULL, an unknown name or a deleted object gives a status, never a crash.
 *             The use of a freed handle is undefined, since the library cannot recognise it.
 * Unloading   Once loaded, the library stays in the process; dlclose does not remove it.
 *
 * JSON        Functions accept and return JSON as text. Their twins for programs that use jansson
 *             have names that end in _json. A json_t argument is borrowed, and a returned json_t is
 *             a new reference. If GROOT_NO_JANSSON is defined, this header leaves the twins out and
 *             includes only headers of the C standard library.
 */
#ifndef GROOT_H
#define GROOT_H

#include <stddef.h>
#include <stdint.h>

#ifndef GROOT_NO_JANSSON
#include <jansson.h>
#endif

#if defined(_WIN32)
#define GROOT_API __declspec(dllimport)
#elif defined(__GNUC__)
#define GROOT_API __attribute__((visibility("default")))
#else
#define GROOT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------
 * Version
 * ------------------------------------------------------------------------------------------- */

#define GROOT_VERSION_MAJOR 0
#define GROOT_VERSION_MINOR 1
#define GROOT_VERSION_PATCH 0
#define GROOT_VERSION "0.1.0"

/** The version as one number: major * 1000000 + minor * 1000 + patch. */
#define GROOT_VERSION_NUMBER 1000

/** The number of the binary interface in this header. Each addition increases it. */
#define GROOT_ABI_VERSION 1

/** A length that means: the text ends at its first NUL. */
#define GROOT_NTS ((size_t)-1)

/** Returns the version of the library in use, such as "0.1.0". Static text. Any thread. */
GROOT_API const char *groot_version(void);

/** Returns the GROOT_VERSION_NUMBER of the library in use. Any thread. */
GROOT_API int32_t groot_version_number(void);

/** Returns the GROOT_ABI_VERSION of the library in use; compare it first. Any thread. */
GROOT_API int32_t groot_abi_version(void);

/* ---------------------------------------------------------------------------------------------
 * Status and errors
 * ------------------------------------------------------------------------------------------- */

/** The outcome of a call. A number that this header does not list is a failure too. */
typedef int32_t groot_status;

#define GROOT_OK 0
/* Use of the interface */
#define GROOT_INVALID_ARGUMENT 1 /**< the function does not accept an argument, such as NULL */
#define GROOT_BUSY 2             /**< a callback or another thread is using the context */
#define GROOT_UNSUPPORTED 3      /**< the library does not support the request */
#define GROOT_CANCELLED 4        /**< a callback, or groot_context_cancel, ended the call */
#define GROOT_LIMIT_EXCEEDED 5   /**< a depth, a size or a count is above its limit */
#define GROOT_FILE_ERROR 6       /**< a file could not be read or written */
#define GROOT_OUT_OF_MEMORY 7    /**< there is not enough memory; nothing changed */
/* Text */
#define GROOT_INVALID_JSON 20 /**< the text is not JSON; the issue has line and column */
#define GROOT_INVALID_UTF8 21 /**< a text argument is not UTF-8 */
/* Models and mappings */
#define GROOT_INVALID_MODEL 40       /**< the model contradicts itself; one issue per error */
#define GROOT_INVALID_MAPPING 41     /**< the annotations do not compile; one issue per error */
#define GROOT_UNKNOWN_ENTITY 42      /**< no entity has this name */
#define GROOT_UNKNOWN_PROPERTY 43    /**< the entity has no such property */
#define GROOT_UNKNOWN_TRANSFORMER 44 /**< nothing is registered under this name */
#define GROOT_ABSTRACT_ENTITY 45     /**< the entity is abstract: only sub-entities have objects */
/* Values */
#define GROOT_WRONG_SHAPE 60        /**< an object, an array or a scalar in place of another */
#define GROOT_WRONG_TYPE 61         /**< the value's type does not fit the attribute */
#define GROOT_OUT_OF_RANGE 62       /**< the number does not fit the attribute's type */
#define GROOT_MISSING_VALUE 63      /**< a required property has no value */
#define GROOT_MAPPER_FAILED 64      /**< an entity mapper did not name a suitable entity */
#define GROOT_TRANSFORM_FAILED 65   /**< a transformer refused the value */
#define GROOT_UNKNOWN_IDENTIFIER 66 /**< no object has this identifier */
#define GROOT_UNKNOWN_KEY 67        /**< an unmapped key, where every key must be mapped */
#define GROOT_IDENTITY_CONFLICT 68  /**< a contradictory record, or two objects of one identity */
/* Validation */
#define GROOT_TOO_FEW 80          /**< fewer members than the model allows */
#define GROOT_TOO_MANY 81         /**< more members than the model allows */
#define GROOT_TOO_LARGE 82        /**< above the attribute's maximum */
#define GROOT_TOO_SMALL 83        /**< below the attribute's minimum */
#define GROOT_TOO_LONG 84         /**< longer than the model allows */
#define GROOT_TOO_SHORT 85        /**< shorter than the model allows */
#define GROOT_PATTERN_MISMATCH 86 /**< does not match the attribute's pattern */
#define GROOT_UNLISTED_VALUE 87   /**< not among the values that the attribute lists */
/* Objects */
#define GROOT_OBJECT_DELETED 100 /**< the object was deleted */
#define GROOT_UNKNOWN_OBJECT 101 /**< no object of this context has this number */
#define GROOT_DELETE_DENIED 102  /**< a delete rule forbids the deletion */
/** A synchronization would delete more objects than its limit allows. */
#define GROOT_TOO_MANY_DELETIONS 103
/* Callbacks */
#define GROOT_CALLBACK_FAILED 120 /**< a callback reported a failure */
/* Stores */
#define GROOT_STORE_INVALID 140   /**< the file is not a store, or is damaged */
#define GROOT_STORE_TOO_NEW 141   /**< the store was made by a newer version */
#define GROOT_STORE_MODEL 142     /**< the store was made for another model */
#define GROOT_STORE_READ_ONLY 143 /**< the store can only be read */
#define GROOT_STORE_FULL 144      /**< there is no room for the store to grow */
#define GROOT_STORE_LOCKED 145    /**< another process kept the store locked for too long */
#define GROOT_STORE_CONFLICT 146  /**< an object was changed or deleted by another writer */
#define GROOT_STORE_DUPLICATE 147 /**< two objects in the store would have one identity */
#define GROOT_STORE_FAILED 148    /**< the store failed in another way */
#define GROOT_STORE_DISCONNECTED 149 /**< the connection to the store was lost, or cannot be made */
#define GROOT_STORE_VALUE_INVALID 150 /**< another program wrote a value that is not of its type */

/** The failure of a call: a status and one or more issues. Never changes; any thread. */
typedef struct groot_error groot_error;

/** Text borrowed from the library: `size` bytes at `data`. If `data` is NULL, there is no text. */
typedef struct groot_string {
  const char *data;
  size_t size;
} groot_string;

/**
 * One issue of an error. Begin with GROOT_ISSUE_INIT. All text belongs to the groot_error; missing
 * text has size 0.
 */
typedef struct groot_issue {
  size_t struct_size;    /**< sizeof(groot_issue); the number of bytes to fill */
  groot_status status;   /**< the kind of failure */
  int32_t severity;      /**< 1 warning, 2 error */
  groot_string message;  /**< the value found and the expected one */
  groot_string path;     /**< the place in the JSON, such as $.powers[2].id */
  groot_string entity;   /**< the entity concerned */
  groot_string property; /**< the property concerned */
  int64_t line;          /**< line in the text, from 1; 0 when there is no text */
  int64_t column;        /**< column in characters, from 1; 0 when there is no text */
  int64_t offset;        /**< byte offset in the text; -1 when there is no text */
} groot_issue;

#define GROOT_ISSUE_INIT \
  {sizeof(groot_issue), 0, 0, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, 0, 0, 0}

/** Returns the name of a status, such as "invalid JSON". Static text, never NULL. Any thread. */
GROOT_API const char *groot_status_name(groot_status status);

/** Returns the status of `error`; GROOT_OK when it is NULL. */
GROOT_API groot_status groot_error_status(const groot_error *error);

/** Returns all issues of `error` as text, one per line. Borrowed until the error is freed. */
GROOT_API groot_string groot_error_text(const groot_error *error);

/** Returns the number of issues of `error`; 0 when it is NULL. */
GROOT_API size_t groot_error_issue_count(const groot_error *error);

/**
 * Reads issue `index` into the first `struct_size` bytes of `*issue`.
 * Errors: GROOT_INVALID_ARGUMENT when there is no such issue, or when the size is invalid.
 */
GROOT_API groot_status groot_error_issue(const groot_error *error, size_t index,
                                         groot_issue *issue);

/** Returns the status of the first failed callback; GROOT_OK when no callback failed. */
GROOT_API groot_status groot_error_callback_status(const groot_error *error);

/**
 * Returns the exception that the failed callback passed to groot_call_set_exception together with
 * the same `destroy`. Borrowed until the error is freed. NULL when the callback left no exception,
 * or left one with another `destroy`: that exception belongs to another binding in the process.
 */
GROOT_API void *groot_error_exception(const groot_error *error, void (*destroy)(void *exception));

/** Frees `error`, which may be NULL. */
GROOT_API void groot_error_free(groot_error *error);

/* ---------------------------------------------------------------------------------------------
 * Buffers
 * ------------------------------------------------------------------------------------------- */

/** Bytes that the library made and the caller owns. Free with groot_buffer_free. */
typedef struct groot_buffer {
  char *data;  /**< `size` bytes and a NUL; NULL when the buffer is empty */
  size_t size; /**< number of bytes without the NUL */
} groot_buffer;

/** Frees the bytes of `buffer`, which may be NULL or empty, and leaves it empty. */
GROOT_API void groot_buffer_free(groot_buffer *buffer);

#ifndef GROOT_NO_JANSSON
/** Releases a reference that a function of this header returned; `json` may be NULL. */
GROOT_API void groot_json_free(json_t *json);
#endif

/* ---------------------------------------------------------------------------------------------
 * Flags
 * ------------------------------------------------------------------------------------------- */

/* Several calls; the options of each call name the flags that it has */
#define GROOT_DRY_RUN 0x1u /**< report the changes, but do not make them */
#define GROOT_CHANGES 0x2u /**< list each change in the report, not only counts */
#define GROOT_LINES 0x4u   /**< one record on each line of the text, instead of an array */

/* Imports */
#define GROOT_IMPORT_NO_CREATE 0x10u /**< update existing objects only, and create none */
#define GROOT_IMPORT_ACCESS 0x20u    /**< list the objects found or made in the report */

/* Synchronizations */
/** Delete even when an entry could not be identified, although its object may then be deleted. */
#define GROOT_SYNC_NO_WITHHOLD 0x80u
#define GROOT_SYNC_NO_INSERT 0x100u /**< do not insert objects for new entries */
#define GROOT_SYNC_NO_UPDATE 0x200u /**< do not change the objects that entries name */
#define GROOT_SYNC_NO_DELETE 0x400u /**< do not delete the objects that no entry names */
/** Apply the next three flags to members, which are otherwise treated like entries. */
#define GROOT_SYNC_MEMBERS 0x800u
#define GROOT_SYNC_MEMBERS_NO_INSERT 0x1000u /**< do not insert missing members */
#define GROOT_SYNC_MEMBERS_NO_UPDATE 0x2000u /**< do not change existing members */
#define GROOT_SYNC_MEMBERS_NO_DELETE 0x4000u /**< unlink unlisted members, do not delete them */
#define GROOT_SYNC_MARK 0x8000u /**< set the deletion mark of objects instead of deleting them */
#define GROOT_SYNC_MAX_DELETIONS 0x400000u      /**< apply the option `max_deletions` */
#define GROOT_SYNC_MAX_DELETION_SHARE 0x800000u /**< apply the option `max_deletion_share` */

/* Exports */
#define GROOT_EXPORT_DEPTH 0x10000u      /**< apply the option `depth` */
#define GROOT_EXPORT_TO_MANY 0x20000u    /**< also write to-many foreign keys of rules */
#define GROOT_EXPORT_SUBOBJECTS 0x40000u /**< write relationships by nested objects of rules */

/* Mappings */
/** Properties without a JSONKeyPath have their own names as keys. */
#define GROOT_MAPPING_IMPLICIT 0x100000u

/* Stores */
#define GROOT_STORE_NO_CREATE 0x1000000u   /**< do not create a missing store */
#define GROOT_STORE_NO_MIGRATE 0x2000000u  /**< refuse a store of another model */
#define GROOT_STORE_DESTRUCTIVE 0x4000000u /**< migrate even if objects, values or links are lost */
#define GROOT_STORE_TRIGGERS 0x8000000u    /**< accept triggers in the file; saves run them */
#define GROOT_STORE_VIEWS 0x10000000u      /**< make a view of each entity for people */
#define GROOT_STORE_VERSIONS 0x80000u      /**< make triggers that raise versions for other programs */
#define GROOT_STORE_NO_WRITE 0x40000000u   /**< open the file for reading only */
#define GROOT_STORE_IMMUTABLE 0x80000000u  /**< the same; no program changes the file meanwhile */
#define GROOT_DESCRIBE_COUNTS 0x20000000u  /**< count the objects, which reads the whole store */

/* ---------------------------------------------------------------------------------------------
 * Model
 * ------------------------------------------------------------------------------------------- */

/** Entities, attributes and relationships with their annotations. Never changes; any thread. */
typedef struct groot_model groot_model;

/**
 * Makes a model from a model document, `length` bytes of JSON text.
 * docs/reference/model-document.md describes model documents and their limits.
 * Errors: GROOT_INVALID_JSON; GROOT_INVALID_MODEL with one issue for each error found;
 * GROOT_LIMIT_EXCEEDED when the model, or a pattern in it, is too large.
 * Free with groot_model_free.
 */
GROOT_API groot_status groot_model_create(const char *text, size_t length, groot_model **model,
                                          groot_error **error);

/**
 * Makes a model as groot_model_create does, from the file at `path`, whose name is in each message.
 * Errors: also GROOT_FILE_ERROR.
 */
GROOT_API groot_status groot_model_create_file(const char *path, groot_model **model,
                                               groot_error **error);

/**
 * Writes the model as a model document in which every default is explicit. Each entity also has
 * the list "allProperties", with the names of its own and its inherited properties. Free with
 * groot_buffer_free.
 */
GROOT_API groot_status groot_model_document(const groot_model *model, groot_buffer *document,
                                            groot_error **error);

#ifndef GROOT_NO_JANSSON
/** Makes a model as groot_model_create does, from a json_t object. */
GROOT_API groot_status groot_model_create_json(const json_t *document, groot_model **model,
                                               groot_error **error);

/** Makes the document of groot_model_document as a json_t; `*document` is a new reference. */
GROOT_API groot_status groot_model_document_json(const groot_model *model, json_t **document,
                                                 groot_error **error);
#endif

/** An entity of a model. Begin with GROOT_ENTITY_INFO_INIT. Text is borrowed from the model. */
typedef struct groot_entity_info {
  size_t struct_size;    /**< sizeof(groot_entity_info); the number of bytes to fill */
  groot_string name;     /**< followed by a NUL */
  int32_t parent;        /**< the number of the parent entity; -1: none */
  int32_t is_abstract;   /**< 1 for an abstract entity, else 0 */
  size_t property_count; /**< number of own and inherited properties */
} groot_entity_info;

#define GROOT_ENTITY_INFO_INIT {sizeof(groot_entity_info), {NULL, 0}, 0, 0, 0}

/** Returns the number of entities; 0 for NULL. Their numbers are from 0, in document order. */
GROOT_API size_t groot_model_entity_count(const groot_model *model);

/** Finds the number of the entity named `entity`. Errors: GROOT_UNKNOWN_ENTITY. */
GROOT_API groot_status groot_model_entity_number(const groot_model *model, const char *entity,
                                                 size_t *number, groot_error **error);

/**
 * Describes entity `number` in the first `struct_size` bytes of `*entity`.
 * Errors: GROOT_UNKNOWN_ENTITY.
 */
GROOT_API groot_status groot_model_entity(const groot_model *model, size_t number,
                                          groot_entity_info *entity, groot_error **error);

/* The kind and the options of a property, in `flags` of groot_property_info. */
#define GROOT_PROPERTY_OPTIONAL 0x1u  /**< the value may be missing */
#define GROOT_PROPERTY_TRANSIENT 0x2u /**< an attribute that a store does not keep */
#define GROOT_PROPERTY_TO_MANY 0x4u   /**< a relationship to any number of members */
#define GROOT_PROPERTY_ORDERED 0x8u   /**< an ordered to-many relationship */

/** A property. Begin with GROOT_PROPERTY_INFO_INIT. Text is borrowed from the model. */
typedef struct groot_property_info {
  size_t struct_size;  /**< sizeof(groot_property_info); the number of bytes to fill */
  groot_string name;   /**< followed by a NUL */
  groot_string type;   /**< a type of a model document, such as "integer64", or "relationship" */
  int32_t number;      /**< the groot_property for reading values */
  int32_t value;       /**< GROOT_VALUE_...: the kind of values; _OBJECT for a relationship */
  int32_t entity;      /**< the number of the entity that declares it */
  int32_t destination; /**< the number of a relationship's destination; -1 for an attribute */
  int32_t inverse;     /**< the groot_property of its inverse; -1: none */
  uint32_t flags;      /**< GROOT_PROPERTY_... */
  groot_string values; /**< the allowed values, a JSON list followed by a NUL; size 0: any */
} groot_property_info;

#define GROOT_PROPERTY_INFO_INIT \
  {sizeof(groot_property_info), {NULL, 0}, {NULL, 0}, 0, 0, 0, 0, 0, 0, {NULL, 0}}

/**
 * Describes a property of entity `entity` in the first `struct_size` bytes of `*property`. `index`
 * counts from 0: attributes come before relationships, and the properties of the root entity come
 * before others. Constant time.
 * Errors: GROOT_UNKNOWN_ENTITY, GROOT_UNKNOWN_PROPERTY.
 */
GROOT_API groot_status groot_model_property(const groot_model *model, size_t entity, size_t index,
                                            groot_property_info *property, groot_error **error);

/** Frees `model`, which may be NULL; mappings made from it stay usable. */
GROOT_API void groot_model_free(groot_model *model);

/* ---------------------------------------------------------------------------------------------
 * Registry
 * ------------------------------------------------------------------------------------------- */

/** Named transformers and mappers. Belongs to one thread at a time. */
typedef struct groot_registry groot_registry;

/**
 * One call of a callback. The callback asks it for the entity, the property and the path, and gives
 * it the result. Valid only during that call, on its thread.
 */
typedef struct groot_call groot_call;

/**
 * Sets the callback's result to JSON text, which is copied. A later call replaces the result. JSON
 * null, or no call, means no result. If the text is not JSON, the call that runs the callback fails
 * with GROOT_CALLBACK_FAILED. Errors: GROOT_INVALID_ARGUMENT.
 */
GROOT_API groot_status groot_call_set_result(groot_call *call, const char *text, size_t length);

/** Sets the reason why a callback fails. `message` is copied, and may be NULL. */
GROOT_API void groot_call_set_message(groot_call *call, const char *message, size_t length);

/**
 * Adds an exception of the callback's language to the error of the call that runs the callback.
 * groot_error_exception returns it for the same `destroy`. `destroy` may be NULL. Otherwise it runs
 * exactly once: when the error is freed, or earlier when no error needs the exception.
 */
GROOT_API void groot_call_set_exception(groot_call *call, void *exception,
                                        void (*destroy)(void *exception));

/** Returns `callback_userdata` of the import, synchronization or export options; else NULL. */
GROOT_API void *groot_call_userdata(const groot_call *call);

/** Returns the entity of the value; borrowed during the call. Size 0: not known. */
GROOT_API groot_string groot_call_entity(groot_call *call);

/** Returns the property of the value; borrowed during the call. Size 0: the value is an object. */
GROOT_API groot_string groot_call_property(groot_call *call);

/**
 * Returns the place of the value in the JSON, such as $[3].id; borrowed during the call. Size 0 in
 * an export. Linear in the record.
 */
GROOT_API groot_string groot_call_path(groot_call *call);

/**
 * A function from one JSON value to another.
 *
 * Forward and reverse value transformers, dictionary transformers (object to object) and entity
 * mappers (object to the entity's name, a JSON string) all have this type.
 *
 * `value`, `size` bytes of JSON text and a NUL, is borrowed. The function passes its result to
 * groot_call_set_result and returns GROOT_OK. Any other status fails the call that runs it with
 * GROOT_CALLBACK_FAILED. groot_error_callback_status returns that status, and
 * groot_call_set_message sets the reason. The function may run on any thread that uses a context of
 * the mapping. If it uses that context itself, it gets GROOT_BUSY. Neither a C++ exception nor a
 * longjmp may leave it.
 */
typedef groot_status (*groot_transform_function)(void *userdata, const char *value, size_t size,
                                                 groot_call *call);

#ifndef GROOT_NO_JANSSON
/**
 * The twin of groot_transform_function for jansson. `value` is borrowed and never NULL. It must not
 * be changed, because calls for nested objects receive parts of it, and may return them. `*result`
 * is NULL before the call. Set it to a new reference; NULL or a JSON null means no result.
 */
typedef groot_status (*groot_transform_json_function)(void *userdata, json_t *value,
                                                      json_t **result, groot_call *call);
#endif

/**
 * Destroys `userdata` when the library no longer needs it. It runs exactly once, on any thread. If
 * the registration fails, it runs immediately. Otherwise it runs when all mappings with the
 * function are freed, and the registry is freed or has no function of this `userdata`.
 */
typedef void (*groot_destroy_function)(void *userdata);

/** Makes an empty registry. Free with groot_registry_free. */
GROOT_API groot_status groot_registry_create(groot_registry **registry, groot_error **error);

/**
 * Registers a value transformer under `name`, and replaces an earlier one. `forward` turns JSON
 * into a value that the attribute accepts. `reverse` is for exports; NULL makes the transformer
 * one-way. Neither is called with JSON null. `destroy` may be NULL. Otherwise it runs exactly once,
 * even when this call fails.
 */
GROOT_API groot_status groot_registry_set_transformer(groot_registry *registry, const char *name,
                                                      groot_transform_function forward,
                                                      groot_transform_function reverse,
                                                      void *userdata,
                                                      groot_destroy_function destroy,
                                                      groot_error **error);

/**
 * Registers a value transformer that gets many values in one call, and replaces an earlier one.
 * `forward` receives a JSON array of values and returns a JSON array of as many results in the same
 * order; null in it means no result for that value. Any other result fails the call with
 * GROOT_CALLBACK_FAILED. No value is JSON null.
 *
 * An import reads ahead and calls `forward` once with the different values of several hundred
 * elements. These may include values that it turns out not to need, and equal values share a result.
 * The result must therefore depend on the value alone. In such a call groot_call_entity and
 * groot_call_property are the first ones in the mapping that name the function, and groot_call_path
 * is empty. If such a call fails, the import ignores the failure and calls `forward` again with one
 * value at a time, so that an error names its value. Input that it cannot read ahead, such as a pipe,
 * has calls with one value too.
 *
 * `reverse` is for exports, which look ahead in the same way at up to 512 objects of an entity, in the
 * order of the table. `reverse` may be NULL: the transformer is one-way. `destroy` is as in
 * groot_registry_set_transformer.
 */
GROOT_API groot_status groot_registry_set_batch_transformer(groot_registry *registry,
                                                            const char *name,
                                                            groot_transform_function forward,
                                                            groot_transform_function reverse,
                                                            void *userdata,
                                                            groot_destroy_function destroy,
                                                            groot_error **error);

/**
 * Registers an entity mapper under `name`. `mapper` receives a JSON object and returns the entity's
 * name for the new object, a JSON string. No result means the entity of the import.
 */
GROOT_API groot_status groot_registry_set_entity_mapper(groot_registry *registry, const char *name,
                                                        groot_transform_function mapper,
                                                        void *userdata,
                                                        groot_destroy_function destroy,
                                                        groot_error **error);

/**
 * Registers a dictionary transformer under `name`. `transformer` receives each JSON object before
 * the import reads it, and returns the object to read instead. No result leaves it unchanged.
 */
GROOT_API groot_status groot_registry_set_dictionary_transformer(
    groot_registry *registry, const char *name, groot_transform_function transformer,
    void *userdata, groot_destroy_function destroy, groot_error **error);

#ifndef GROOT_NO_JANSSON
/** Registers a value transformer as groot_registry_set_transformer does, for jansson. */
GROOT_API groot_status groot_registry_set_transformer_json(groot_registry *registry,
                                                           const char *name,
                                                           groot_transform_json_function forward,
                                                           groot_transform_json_function reverse,
                                                           void *userdata,
                                                           groot_destroy_function destroy,
                                                           groot_error **error);

/** Registers an entity mapper as groot_registry_set_entity_mapper does, for jansson. */
GROOT_API groot_status groot_registry_set_entity_mapper_json(groot_registry *registry,
                                                             const char *name,
                                                             groot_transform_json_function mapper,
                                                             void *userdata,
                                                             groot_destroy_function destroy,
                                                             groot_error **error);

/**
 * Registers a dictionary transformer as groot_registry_set_dictionary_transformer does, for
 * jansson.
 */
GROOT_API groot_status groot_registry_set_dictionary_transformer_json(
    groot_registry *registry, const char *name, groot_transform_json_function transformer,
    void *userdata, groot_destroy_function destroy, groot_error **error);
#endif

/**
 * Registers a built-in transformer under `name`.
 * `builtin` is a name from groot_registry_builtins, such as "integer-text".
 * Errors: GROOT_UNKNOWN_TRANSFORMER.
 */
GROOT_API groot_status groot_registry_set_builtin(groot_registry *registry, const char *name,
                                                  const char *builtin, groot_error **error);

/**
 * Writes the built-in transformers, the text of a JSON object from name to description. Free with
 * groot_buffer_free.
 */
GROOT_API groot_status groot_registry_builtins(groot_buffer *builtins, groot_error **error);

/** Removes the function registered under `name`. Errors: GROOT_UNKNOWN_TRANSFORMER. */
GROOT_API groot_status groot_registry_remove(groot_registry *registry, const char *name,
                                             groot_error **error);

/** Frees `registry`, which may be NULL; mappings made with it keep their functions. */
GROOT_API void groot_registry_free(groot_registry *registry);

/* ---------------------------------------------------------------------------------------------
 * Mapping
 * ------------------------------------------------------------------------------------------- */

/** A model compiled with a registry for import and export. Never changes; any thread. */
typedef struct groot_mapping groot_mapping;

/** The arrangement of several objects in JSON. */
#define GROOT_FORM_ARRAY 0   /**< an array of objects */
#define GROOT_FORM_KEYED 1   /**< a JSON object with one object under each key */
#define GROOT_FORM_GROUPED 2 /**< a JSON object with an array of objects under each key */

/** The output of properties without a value, unless an annotation decides. */
#define GROOT_NULLS_DEFAULT 0 /**< the choice of the mapping; for a mapping, null */
#define GROOT_NULLS_WRITE 1   /**< null */
#define GROOT_NULLS_OMIT 2    /**< nothing; an object that would be empty is left out, too */

/** Options of a mapping. Begin with GROOT_MAPPING_OPTIONS_INIT. All pointers are borrowed. */
typedef struct groot_mapping_options {
  size_t struct_size; /**< sizeof(groot_mapping_options) */
  /**
   * The description of the JSON; NULL is "groot":
   *   "groot"   annotations in the model (docs/reference/annotations.md)
   *   "hyper"   naming conventions, and annotations for exceptions (docs/reference/conventions.md)
   *   "kvc"     rules in a separate document (docs/reference/rules.md), which override annotations
   */
  const char *dialect;
  const char *rules;   /**< the rules, the text of a JSON object; required for "kvc" */
  size_t rules_length; /**< bytes of `rules`, or GROOT_NTS */
  uint32_t flags;      /**< GROOT_MAPPING_IMPLICIT, for "groot" and "kvc" */
  int32_t nulls;       /**< GROOT_NULLS_... */
  /**
   * The places of records in a document of several entities: the text of a JSON object, such as
   * {"/data": "Resource", "/events": {"entity": "Event", "form": "keyed"}}. Its keys are JSON
   * Pointers (RFC 6901). A "form" is "array", "keyed" or "grouped". Imports and exports without an
   * entity read and write these documents. NULL: the mapping has no roots.
   */
  const char *roots;
  size_t roots_length; /**< bytes of `roots`, or GROOT_NTS */
} groot_mapping_options;

#define GROOT_MAPPING_OPTIONS_INIT {sizeof(groot_mapping_options), NULL, NULL, 0, 0, 0, NULL, 0}

/** Sets `options`, which may be NULL, to the defaults; `size` is sizeof(*options). */
GROOT_API void groot_mapping_options_init(groot_mapping_options *options, size_t size);

/**
 * Compiles a mapping. `registry` may be NULL; later changes to it do not affect the mapping.
 * `options` may be NULL. Free with groot_mapping_free.
 * Errors: GROOT_UNSUPPORTED for an unknown dialect; GROOT_INVALID_ARGUMENT for an option that the
 * dialect does not have; GROOT_INVALID_JSON for the rules and the roots. GROOT_INVALID_MAPPING, or
 * GROOT_UNKNOWN_TRANSFORMER for missing names, has one issue for each error. GROOT_LIMIT_EXCEEDED
 * means more than docs/reference/model-document.md allows.
 */
GROOT_API groot_status groot_mapping_create(const groot_model *model,
                                            const groot_registry *registry,
                                            const groot_mapping_options *options,
                                            groot_mapping **mapping, groot_error **error);

/**
 * Writes warnings, such as misspelt annotations, an identity with an optional or transient
 * attribute, or unused names in the registry. `*warnings` is the text of a JSON list of objects
 * with the members of groot_issue. Without warnings the list is empty. Free with
 * groot_buffer_free.
 */
GROOT_API groot_status groot_mapping_warnings(const groot_mapping *mapping, groot_buffer *warnings,
                                              groot_error **error);

#ifndef GROOT_NO_JANSSON
/** Makes the warnings of groot_mapping_warnings as a json_t; `*warnings` is a new reference. */
GROOT_API groot_status groot_mapping_warnings_json(const groot_mapping *mapping,
                                                   json_t **warnings, groot_error **error);
#endif

/** Frees `mapping`, which may be NULL; contexts made with it stay usable. */
GROOT_API void groot_mapping_free(groot_mapping *mapping);

/* ---------------------------------------------------------------------------------------------
 * Context and objects
 * ------------------------------------------------------------------------------------------- */

/** A graph of objects. Belongs to one thread at a time. */
typedef struct groot_context groot_context;

/**
 * The number of an object: copy it freely; it is never freed. An object keeps its number while it
 * lives. Calls with the number of a deleted object always fail with GROOT_OBJECT_DELETED. 0 never
 * names an object. Numbers are below 2^53, which a double, such as a JavaScript number, holds
 * exactly.
 */
typedef uint64_t groot_object_id;

/** Makes an empty context in memory. Free with groot_context_free. */
GROOT_API groot_status groot_context_create(const groot_mapping *mapping, groot_context **context,
                                            groot_error **error);

/** The operations that report their progress. */
#define GROOT_OPERATION_IMPORT 1  /**< imports, synchronizations, filling an object */
#define GROOT_OPERATION_EXPORT 2  /**< exports */
#define GROOT_OPERATION_FETCH 3   /**< fetches, counts, distinct values, aggregates */
#define GROOT_OPERATION_SAVE 4    /**< saves */
#define GROOT_OPERATION_REFRESH 5 /**< refreshes */
#define GROOT_OPERATION_MIGRATE 6 /**< migrating a store to another model while opening it */
#define GROOT_OPERATION_COPY 7    /**< copying a store */

/** The progress of a call. */
typedef struct groot_progress {
  size_t struct_size; /**< the number of bytes that the library has filled */
  uint64_t bytes;     /**< bytes of text read or written; 0 when there is no text */
  uint64_t records;   /**< records imported, objects written or examined */
  uint64_t inserted;  /**< in an import: objects inserted */
  uint64_t updated;   /**< in an import: objects found and changed */
  uint64_t unchanged; /**< in an import: objects found with all values already set */
  int32_t operation;  /**< GROOT_OPERATION_... */
  int32_t reserved;   /**< 0 */
} groot_progress;

/**
 * Receives the progress of a call from time to time. If it returns anything but GROOT_OK, the call
 * fails with GROOT_CANCELLED.
 */
typedef groot_status (*groot_progress_function)(void *userdata, const groot_progress *progress);

/**
 * Sets the progress function for exports, fetches, counts, distinct values, aggregates, saves and
 * refreshes of the context, and for imports whose options have none. `progress` runs on the thread
 * of the call; NULL removes it. If it uses the context, it gets GROOT_BUSY. `userdata` is borrowed
 * until the context is freed or this function is called again.
 */
GROOT_API groot_status groot_context_set_progress(groot_context *context,
                                                  groot_progress_function progress,
                                                  void *userdata, groot_error **error);

/** The levels of a log; each includes the levels before it. */
#define GROOT_LOG_ERRORS 1     /**< failures of the store */
#define GROOT_LOG_WARNINGS 2   /**< probable mistakes */
#define GROOT_LOG_EVENTS 3     /**< stores opened, copied or migrated */
#define GROOT_LOG_STATEMENTS 4 /**< the SQL of each statement, without its values */

/**
 * Receives a log message, `size` bytes and a NUL. Runs on the thread of the call, while the context
 * is busy.
 */
typedef void (*groot_log_function)(void *userdata, int32_t level, const char *message,
                                   size_t size);

/** The guarantee of a save. */
#define GROOT_DURABILITY_FULL 0   /**< saves survive a loss of power */
#define GROOT_DURABILITY_NORMAL 1 /**< saves survive the end of the process */

/** The behaviour of a save when another process wrote to the same object after it was read. */
#define GROOT_CONFLICTS_ERROR 0  /**< the save fails */
#define GROOT_CONFLICTS_MINE 1   /**< the save writes the values changed here */
#define GROOT_CONFLICTS_THEIRS 2 /**< the save drops the changes made here */

/** Options of a store. Begin with GROOT_STORE_OPTIONS_INIT. Pointers are borrowed for the call. */
typedef struct groot_store_options {
  size_t struct_size;   /**< sizeof(groot_store_options) */
  uint32_t flags;       /**< GROOT_STORE_... */
  int32_t durability;   /**< GROOT_DURABILITY_... */
  int32_t conflicts;    /**< GROOT_CONFLICTS_... */
  int32_t busy_timeout; /**< milliseconds to wait for another process that is writing; 0 is 10000,
                             -1 does not wait */
  const char *backup;   /**< the path for a copy of the store, made before a migration */
  groot_progress_function progress; /**< called during a migration; may be NULL */
  void *progress_userdata;          /**< passed to `progress` */
  groot_log_function log;           /**< receives log messages; may be NULL */
  void *log_userdata;               /**< passed to `log`; borrowed while the context lives */
  int32_t log_level;                /**< GROOT_LOG_...; 0 is GROOT_LOG_EVENTS */
  int32_t reserved;                 /**< 0 */
} groot_store_options;

#define GROOT_STORE_OPTIONS_INIT \
  {sizeof(groot_store_options), 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, 0, 0}

/** Sets `options`, which may be NULL, to the defaults; `size` is sizeof(*options). */
GROOT_API void groot_store_options_init(groot_store_options *options, size_t size);

/**
 * Makes a context on the store in the file at `path`. The context reads objects on demand, and
 * groot_context_save writes all changes or none. The file is an SQLite database that other programs
 * can read (docs/reference/store.md). If the file is missing or empty, a new store is created. If
 * the store has another model, it is migrated, unless objects, values or links would be lost.
 * With GROOT_STORE_NO_WRITE the file is not changed: it must have a store of the same model, also in a
 * folder that cannot be written, and a save with changes is GROOT_STORE_READ_ONLY. With
 * GROOT_STORE_IMMUTABLE nothing is locked; if the file changes nevertheless, wrong values may be read.
 * `path` is a file path, even where SQLite gives it another meaning, unless it is the URL of a
 * database of PostgreSQL, "postgresql://..." (docs/guides/postgresql.md). `options` may be NULL.
 *
 * Errors: GROOT_INVALID_ARGUMENT for an empty path; GROOT_STORE_INVALID for a file that is not a
 * store; GROOT_STORE_TOO_NEW; GROOT_LIMIT_EXCEEDED for a model that is too large for the database;
 * GROOT_FILE_ERROR. With PostgreSQL also GROOT_STORE_DISCONNECTED, and GROOT_UNSUPPORTED without its
 * library libpq. GROOT_STORE_MODEL means that the store cannot be migrated without a loss, or
 * not at all, and has an issue for each reason. The file is then unchanged.
 *
 * A save on a store also fails with GROOT_STORE_CONFLICT, which has an issue for each object that
 * another process changed, GROOT_STORE_DUPLICATE, GROOT_STORE_FULL, GROOT_STORE_LOCKED,
 * GROOT_STORE_READ_ONLY or GROOT_STORE_DISCONNECTED. The store and the context are then unchanged, and the save may be
 * repeated.
 *
 * Free with groot_context_free.
 */
GROOT_API groot_status groot_context_open(const groot_mapping *mapping, const char *path,
                                          const groot_store_options *options,
                                          groot_context **context, groot_error **error);

/** Frees `context`, which may be NULL, and its objects. Sequences fetched from it stay readable. */
GROOT_API void groot_context_free(groot_context *context);

/**
 * Validates all inserted and changed objects, then saves the changes, which can no longer be rolled
 * back. On failure the changes are still pending. A context keeps replaced values until the next
 * save. Linear in the changes.
 * Errors, with at most 100 issues: GROOT_MISSING_VALUE; those of "Validation";
 * GROOT_IDENTITY_CONFLICT for an identity that several objects have.
 */
GROOT_API groot_status groot_context_save(groot_context *context, groot_error **error);

/**
 * Writes the conflicts that the last save resolved by `conflicts` of groot_store_options, the text
 * of a JSON array of issues as in reports. Without conflicts it is empty. Free with
 * groot_buffer_free.
 */
GROOT_API groot_status groot_context_conflicts(groot_context *context, groot_buffer *conflicts,
                                               groot_error **error);

/** Undoes all changes since the last save, and deletes the objects inserted since then. */
GROOT_API groot_status groot_context_rollback(groot_context *context, groot_error **error);

/**
 * Undoes all changes since the last save, and reads the changes that others wrote to the store.
 * Existing objects keep their numbers. For an object that others deleted, calls fail with
 * GROOT_OBJECT_DELETED. In a context without a store this is groot_context_rollback. Linear in the
 * store.
 * Errors: those of "Stores"; the objects are then in the state of the last save.
 */
GROOT_API groot_status groot_context_refresh(groot_context *context, groot_error **error);

/**
 * Cancels the running import, export, fetch, count, distinct values, aggregate, save or refresh of
 * the context. That call fails with GROOT_CANCELLED at its next check, and changes nothing. If
 * there is no such call, or `context` is NULL, this does nothing. Any thread, and any callback of
 * the call, may use this until the context is freed.
 */
GROOT_API void groot_context_cancel(groot_context *context);

/**
 * Limits the memory of the context for tables, links, texts, indexes and the undoing of changes;
 * `bytes` 0 means no limit. If a call would exceed the limit, it fails with GROOT_LIMIT_EXCEEDED
 * and changes nothing. A context may already hold more: only growth is refused.
 */
GROOT_API groot_status groot_context_set_memory_limit(groot_context *context, uint64_t bytes,
                                                      groot_error **error);

/**
 * Reads the number of bytes that the context holds for tables, links, texts, indexes and the
 * undoing of changes. During an import it includes the record being read. Constant time.
 */
GROOT_API groot_status groot_context_memory(groot_context *context, uint64_t *bytes,
                                            groot_error **error);

/**
 * Counts the differences from the last save, as the text of a JSON object {"inserted": n,
 * "updated": n, "deleted": n}. A changed link updates the objects at both ends. Linear in the
 * changes. Free with groot_buffer_free.
 */
GROOT_API groot_status groot_context_changes(groot_context *context, groot_buffer *changes,
                                             groot_error **error);

#ifndef GROOT_NO_JANSSON
/** Makes the array of groot_context_conflicts as a json_t; `*conflicts` is a new reference. */
GROOT_API groot_status groot_context_conflicts_json(groot_context *context, json_t **conflicts,
                                                    groot_error **error);

/** Makes the counts of groot_context_changes as a json_t; `*changes` is a new reference. */
GROOT_API groot_status groot_context_changes_json(groot_context *context, json_t **changes,
                                                  groot_error **error);
#endif

/**
 * Reads the note of a name with its unsaved change: a text that the store keeps for a program, such
 * as the cursor of a feed. Without one, `text->data` is NULL. `name` has 1 to 200 bytes. Free with
 * groot_buffer_free.
 */
GROOT_API groot_status groot_context_note(groot_context *context, const char *name,
                                          groot_buffer *text, groot_error **error);

/**
 * Sets a note, or removes it if `text` is NULL. The next save writes it in one transaction with the
 * objects, and groot_context_rollback discards the change. When two contexts save the same note, the
 * last save counts. `name` has 1 to 200 bytes.
 */
GROOT_API groot_status groot_context_set_note(groot_context *context, const char *name,
                                              const char *text, groot_error **error);

/**
 * Copies the store of `source` into the empty store of `target`, of whichever kind each is: all
 * objects, links, lists in their order and notes, with their keys and versions. It is one
 * transaction of the target, in bounded memory. The progress function and groot_context_cancel of
 * `target` count. Linear in the store.
 *
 * Errors: GROOT_INVALID_ARGUMENT for a context without a store, with unsaved changes or of another
 * model, and for a target with objects; GROOT_OUT_OF_RANGE for a value that the target's database
 * cannot hold; the statuses of stores. The target is then unchanged.
 */
GROOT_API groot_status groot_context_copy_store(groot_context *source, groot_context *target,
                                                groot_error **error);

/**
 * Describes the store at `path`, a file or a URL as for groot_context_open, as the text of a JSON
 * object. The store is not changed, and needs no mapping. The members are
 *
 *   format      the number of its format
 *   size        its size in bytes, or null where a database does not tell it
 *   views       whether it has views
 *   model       the model document
 *   notes       an object with the text of each note
 *   statements  the SQL of its tables and indexes
 *   counts      null, or with the flag GROOT_DESCRIBE_COUNTS an object with
 *               {"objects": n, "placeholders": n} for each entity
 *   faults      texts, such as that of a missing column
 *
 * Free with groot_buffer_free.
 * Errors: GROOT_FILE_ERROR without a store at `path`, and those of groot_context_open.
 */
GROOT_API groot_status groot_store_describe(const char *path, uint32_t flags,
                                            groot_buffer *description, groot_error **error);

/**
 * Checks every invariant of the graph: both directions of each relationship agree, and each identity
 * index matches the objects. The error lists the violations. Then reads the whole store and lists
 * its faults: GROOT_STORE_VALUE_INVALID for a value that is not of its property's type, and
 * GROOT_STORE_INVALID for a link to a missing object, up to 100. Linear.
 */
GROOT_API groot_status groot_context_check(groot_context *context, groot_error **error);

/** Inserts an object with its defaults. Errors: GROOT_UNKNOWN_ENTITY, GROOT_ABSTRACT_ENTITY. */
GROOT_API groot_status groot_object_insert(groot_context *context, const char *entity,
                                           groot_object_id *object, groot_error **error);

/**
 * Deletes an object by the delete rules of its relationships. On failure nothing is deleted.
 * Errors: GROOT_OBJECT_DELETED, GROOT_UNKNOWN_OBJECT, GROOT_DELETE_DENIED.
 */
GROOT_API groot_status groot_object_delete(groot_context *context, groot_object_id object,
                                           groot_error **error);

/** Returns GROOT_OK for a living object, else GROOT_OBJECT_DELETED or GROOT_UNKNOWN_OBJECT. */
GROOT_API groot_status groot_object_status(const groot_context *context, groot_object_id object);

/**
 * Reads the name of the object's entity. The text is borrowed while the context lives. One entity
 * always has the same pointer.
 */
GROOT_API groot_status groot_object_entity(const groot_context *context, groot_object_id object,
                                           groot_string *entity, groot_error **error);

/* ---------------------------------------------------------------------------------------------
 * Properties
 * ------------------------------------------------------------------------------------------- */

/**
 * The number of a property, for fast access. It is valid for the entity and all sub-entities, and
 * the same in all contexts of one model. -1 never names a property.
 */
typedef int32_t groot_property;

/** Finds property `name` of `entity`. Errors: GROOT_UNKNOWN_ENTITY, GROOT_UNKNOWN_PROPERTY. */
GROOT_API groot_status groot_context_property(const groot_context *context, const char *entity,
                                              const char *name, groot_property *property,
                                              groot_error **error);

/** Finds property `name` of the entity of `object`. */
GROOT_API groot_status groot_object_property(const groot_context *context, groot_object_id object,
                                             const char *name, groot_property *property,
                                             groot_error **error);

/** The kinds of a groot_value, each with the member of `as` that holds the value. */
#define GROOT_VALUE_NULL 0      /**< none */
#define GROOT_VALUE_INTEGER 1   /**< integer: integer16, integer32, integer64 attributes */
#define GROOT_VALUE_REAL 2      /**< real: double and float attributes */
#define GROOT_VALUE_BOOLEAN 3   /**< integer, 0 or 1 */
#define GROOT_VALUE_STRING 4    /**< text */
#define GROOT_VALUE_DECIMAL 5   /**< text, such as 12.50; any JSON number is accepted */
#define GROOT_VALUE_DATE 6      /**< integer, microseconds since 1970-01-01T00:00:00Z */
#define GROOT_VALUE_BINARY 7    /**< text, any bytes */
#define GROOT_VALUE_UUID 8      /**< text, such as 7d444840-9dc0-11d1-b245-5ffdce74fad2 */
#define GROOT_VALUE_URI 9       /**< text */
#define GROOT_VALUE_JSON 10     /**< text, a JSON value of at most 2,046 levels: transformable and
                                     composite attributes */
#define GROOT_VALUE_OBJECT 11   /**< object: a to-one relationship */
#define GROOT_VALUE_DAY 12      /**< integer, days since 1970-01-01 */

/** A property's value. Its text has no NUL at the end. */
typedef struct groot_value {
  int32_t kind;     /**< GROOT_VALUE_... */
  int32_t reserved; /**< 0 */
  union {
    int64_t integer;
    double real;
    groot_string text;
    groot_object_id object;
  } as;
} groot_value;

/**
 * Reads an attribute or a to-one relationship. Text is borrowed until the next call that uses the
 * context, except groot_object_... and groot_context_... functions that only read. The text of a
 * decimal or UUID is valid for at most 64 more calls of this function.
 * Errors: GROOT_OBJECT_DELETED, GROOT_UNKNOWN_OBJECT, GROOT_UNKNOWN_PROPERTY; GROOT_WRONG_TYPE for
 * a to-many relationship.
 */
GROOT_API groot_status groot_object_get(groot_context *context, groot_object_id object,
                                        groot_property property, groot_value *value,
                                        groot_error **error);

/**
 * Sets an attribute, or a to-one relationship together with its inverse. Only integers are
 * converted, to a real or decimal attribute. GROOT_VALUE_NULL, or object 0, clears a relationship.
 * Errors: those of groot_object_get; GROOT_WRONG_TYPE, GROOT_OUT_OF_RANGE, GROOT_INVALID_UTF8.
 */
GROOT_API groot_status groot_object_set(groot_context *context, groot_object_id object,
                                        groot_property property, const groot_value *value,
                                        groot_error **error);

/** A snapshot of objects in order. Any thread may read it. */
typedef struct groot_objects groot_objects;

/** Returns the number of objects; 0 for NULL. */
GROOT_API size_t groot_objects_count(const groot_objects *objects);

/** Returns the objects, borrowed until the sequence is freed; NULL when there are none. */
GROOT_API const groot_object_id *groot_objects_data(const groot_objects *objects);

/** Returns the object at `index`; 0 when there is none. */
GROOT_API groot_object_id groot_objects_at(const groot_objects *objects, size_t index);

/** Frees the sequence, which may be NULL, but not its objects. */
GROOT_API void groot_objects_free(groot_objects *objects);

/** Reads the members of a to-many relationship in order. Free with groot_objects_free. */
GROOT_API groot_status groot_object_members(groot_context *context, groot_object_id object,
                                            groot_property property, groot_objects **members,
                                            groot_error **error);

/** Counts the members of a to-many relationship. Constant time. */
GROOT_API groot_status groot_object_member_count(groot_context *context, groot_object_id object,
                                                 groot_property property, size_t *count,
                                                 groot_error **error);

/** Sets `*contains` to 1 if `member` is a member, else to 0. Constant time. */
GROOT_API groot_status groot_object_contains(groot_context *context, groot_object_id object,
                                             groot_property property, groot_object_id member,
                                             int32_t *contains, groot_error **error);

/** Adds `member` at the end; does nothing when it already is a member. Constant time. */
GROOT_API groot_status groot_object_add(groot_context *context, groot_object_id object,
                                        groot_property property, groot_object_id member,
                                        groot_error **error);

/** Removes `member`; does nothing when it is not a member. Constant time. */
GROOT_API groot_status groot_object_remove(groot_context *context, groot_object_id object,
                                           groot_property property, groot_object_id member,
                                           groot_error **error);

/** Replaces the members of a to-many relationship by `members`, in order, without duplicates. */
GROOT_API groot_status groot_object_set_members(groot_context *context, groot_object_id object,
                                                groot_property property,
                                                const groot_object_id *members, size_t count,
                                                groot_error **error);

/* ---------------------------------------------------------------------------------------------
 * Fetch
 * ------------------------------------------------------------------------------------------- */

/**
 * Fetches objects of `entity` and its sub-entities.
 *
 * `request` is the text of a JSON object; NULL means all objects:
 *   "where"   a predicate: {"publisher.name": {"beginsWith": "DC"}, "rating": {">": 5}}
 *   "sort"    a list of attribute names, with the prefix "-" for descending; missing values are
 *             less than all others
 *   "limit", "offset"   numbers
 *
 * A predicate is a JSON object of conditions that must all hold. A condition has a path to a
 * property, with a value or an object of operators. "and" and "or" have a list of predicates, and
 * "not" has one predicate. A path leads through to-one relationships. The operators are described
 * in docs/reference/fetching.md:
 *   of attributes              == != < <= > >= in between contains beginsWith endsWith like
 *                              ignoreCase
 *   of to-one relationships    == and != with null
 *   of to-many relationships   any all none, with a predicate, and count
 *
 * Without "sort", and among equal objects, the order is the order of insertion. Linear in the
 * objects of the entity. If "where" has values for all identity attributes, the time is constant.
 * An error has the path of the mistake in the request, such as $.where.rating. Free with
 * groot_objects_free.
 */
GROOT_API groot_status groot_context_fetch(groot_context *context, const char *entity,
                                           const char *request, groot_objects **objects,
                                           groot_error **error);

/** Counts the objects that groot_context_fetch would return. */
GROOT_API groot_status groot_context_count(groot_context *context, const char *entity,
                                           const char *request, size_t *count,
                                           groot_error **error);

/**
 * Writes the distinct values of an attribute, the text of a JSON array. The values have the form
 * of an export without transformers. `property` is an attribute or a path to one, with the prefix
 * "-" for descending order. A missing value is null, and less than all others. `request` is that of
 * groot_context_fetch, without "sort"; "limit" and "offset" count values. Free with
 * groot_buffer_free.
 */
GROOT_API groot_status groot_context_distinct(groot_context *context, const char *entity,
                                              const char *property, const char *request,
                                              groot_buffer *values, groot_error **error);

/**
 * Computes values over the objects of `entity` and its sub-entities.
 *
 * `request` is the text of a JSON object; NULL means an empty one:
 *   "values"  the computations by their names in the result: "count" for the number of objects, or
 *             an object such as {"sum": attribute} with "count", "sum", "min", "max" or "average"
 *   "by"      a list of attributes that group the objects
 *   "where"   a predicate of groot_context_fetch
 *
 * `*result` is the text of a JSON object with the values. With "by" it is a list with one object
 * for each group, which also has the group's values, and the groups are sorted by these. Without
 * values a sum is 0, and minimum, maximum and average are null. Sums of integers and decimals are
 * exact, and sums of reals are rounded once. Attributes may be paths. Free with groot_buffer_free.
 * Errors: also GROOT_OUT_OF_RANGE when a sum does not fit.
 */
GROOT_API groot_status groot_context_aggregate(groot_context *context, const char *entity,
                                               const char *request, groot_buffer *result,
                                               groot_error **error);

#ifndef GROOT_NO_JANSSON
/** Fetches objects as groot_context_fetch does, with a json_t request. */
GROOT_API groot_status groot_context_fetch_json(groot_context *context, const char *entity,
                                                const json_t *request, groot_objects **objects,
                                                groot_error **error);

/** Counts objects as groot_context_count does, with a json_t request. */
GROOT_API groot_status groot_context_count_json(groot_context *context, const char *entity,
                                                const json_t *request, size_t *count,
                                                groot_error **error);

/** Reads values as groot_context_distinct does, as a json_t; `*values` is a new reference. */
GROOT_API groot_status groot_context_distinct_json(groot_context *context, const char *entity,
                                                   const char *property, const json_t *request,
                                                   json_t **values, groot_error **error);

/** Computes values as groot_context_aggregate does, as a json_t; `*result` is a new reference. */
GROOT_API groot_status groot_context_aggregate_json(groot_context *context, const char *entity,
                                                    const json_t *request, json_t **result,
                                                    groot_error **error);
#endif

/* ---------------------------------------------------------------------------------------------
 * Columns
 * ------------------------------------------------------------------------------------------- */

/**
 * A snapshot of one property of many objects, as buffers. Begin with GROOT_COLUMN_INIT.
 *
 * The type of `values` depends on `kind`: int64_t for GROOT_VALUE_INTEGER and _DATE (microseconds),
 * int32_t for _DAY, double for _REAL, one byte for _BOOLEAN, groot_object_id for _OBJECT. For all
 * other kinds `values` are the bytes of all texts; text i is from offsets[i] to offsets[i + 1]. An
 * object without a value has 0, or an empty text.
 */
typedef struct groot_column {
  size_t struct_size;      /**< sizeof(groot_column); the number of bytes to fill */
  int32_t kind;            /**< GROOT_VALUE_...: the kind of the values */
  int32_t reserved;        /**< 0 */
  size_t count;            /**< number of objects */
  size_t null_count;       /**< number of objects without a value */
  const void *values;      /**< never NULL */
  size_t size;             /**< number of bytes at `values` */
  const int64_t *offsets;  /**< `count` + 1 offsets; NULL unless the values are texts */
  const uint8_t *validity; /**< a bit per object, lowest first: 1 for a value; NULL: all are 1 */
  void *owner;             /**< for the library only */
} groot_column;

#define GROOT_COLUMN_INIT {sizeof(groot_column), 0, 0, 0, 0, NULL, 0, NULL, NULL, NULL}

/**
 * Reads an attribute or a to-one relationship of `count` objects of `entity` or its sub-entities.
 * Free with groot_column_free. Linear.
 * Errors: GROOT_UNKNOWN_ENTITY, GROOT_UNKNOWN_PROPERTY, GROOT_OBJECT_DELETED, GROOT_UNKNOWN_OBJECT;
 * GROOT_WRONG_TYPE for a to-many relationship or an object of another entity.
 */
GROOT_API groot_status groot_context_column(groot_context *context, const char *entity,
                                            const char *property, const groot_object_id *objects,
                                            size_t count, groot_column *column,
                                            groot_error **error);

/** Frees the buffers of `column`, which may be NULL or empty, and leaves it empty. */
GROOT_API void groot_column_free(groot_column *column);

/**
 * Writes the key that each of `count` objects has in the store, the `_id` of its row. It is 0 for an
 * object that was not saved, and in a context without a store. `keys` has room for `count`. Linear;
 * nothing is read from the store.
 * Errors: GROOT_OBJECT_DELETED, GROOT_UNKNOWN_OBJECT; then all keys are 0.
 */
GROOT_API groot_status groot_context_row_keys(groot_context *context,
                                              const groot_object_id *objects, size_t count,
                                              int64_t *keys, groot_error **error);

/* The structs of Apache Arrow's C data interface and C stream interface. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char *format;
  const char *name;
  const char *metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema **children;
  struct ArrowSchema *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct ArrowArray **children;
  struct ArrowArray *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
  const char *(*get_last_error)(struct ArrowArrayStream *);
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};

#endif

/**
 * Reads columns of `count` objects of `entity` or its sub-entities, as an Arrow stream of one
 * record batch. `properties` is the text of a JSON list of attributes and to-one relationships;
 * NULL means all attributes. Any thread may use the stream, a snapshot that outlives the context.
 * Free with stream->release(stream).
 *
 * Integers are int64, reals double, booleans bool, dates timestamps of microseconds in UTC, days
 * date32, binary large_binary and to-one relationships uint64; all other types are large_utf8.
 * Errors: those of groot_context_column.
 */
GROOT_API groot_status groot_context_arrow_stream(groot_context *context, const char *entity,
                                                  const char *properties,
                                                  const groot_object_id *objects, size_t count,
                                                  struct ArrowArrayStream *stream,
                                                  groot_error **error);

/* ---------------------------------------------------------------------------------------------
 * Import
 * ------------------------------------------------------------------------------------------- */

/** The effect of a wrong record on an import. */
#define GROOT_ERRORS_ABORT 0   /**< the import fails with the first issue */
#define GROOT_ERRORS_COLLECT 1 /**< the import fails with all issues */
#define GROOT_ERRORS_SKIP 2    /**< the import leaves out and reports the whole record */

#define GROOT_UNLIMITED SIZE_MAX /**< a `max_issues` that allows any number of issues */

/** The transactions of an import in batches. */
#define GROOT_COMMITS_WHOLE 0      /**< one transaction: a failure leaves the store unchanged */
#define GROOT_COMMITS_EACH_BATCH 1 /**< one per batch: a failure keeps the batches before it */

/** The numbers of a report, without its text. Begin with GROOT_COUNTS_INIT. */
typedef struct groot_counts {
  size_t struct_size; /**< sizeof(groot_counts); the number of bytes to fill */
  size_t inserted;    /**< new objects */
  size_t updated;     /**< existing objects that differ now, in a value or a link of either side */
  size_t unchanged;   /**< existing objects that came with a record and did not change */
  size_t deleted;     /**< objects that no longer exist */
  size_t skipped;     /**< records left out because they were wrong */
  size_t stale;       /**< records left out because they are not newer than their objects */
  size_t issues;      /**< issues of the report */
} groot_counts;

#define GROOT_COUNTS_INIT {sizeof(groot_counts), 0, 0, 0, 0, 0, 0, 0}

/**
 * Options of an import. Begin with GROOT_IMPORT_OPTIONS_INIT.
 *
 * `policies` is the text of a JSON object of policies for all properties whose annotations have
 * none:
 *   "null"               "clear" | "keep" | "default" | "error"
 *   "missing"            "keep" | "clear" | "required"
 *   "assignment"         "replace" | "union" | "deleteMissing" | "deleteMissingObjects"
 *   "shape"              "error" | "box" | "ignore"
 *   "invalid"            "fail" | "keep" | "clear" | "ignore"
 *   "unknownIdentifier"  "placeholder" | "skip" | "keep" | "error"
 *   "validation"         "import" | "save"
 *   "conversion"         "exact" | "lenient" | "coercing" | "generous"
 *   "emptyText"          "value" | "null"
 *
 * `mapping` is another mapping of the context's model. NULL is the mapping that the context was
 * created with.
 *
 * If the call succeeds, `*report` receives the text of a JSON object. Free it with
 * groot_buffer_free. The report compares the graph before and after the import:
 *   "inserted", "updated", "unchanged", "deleted"   numbers of objects
 *   "skipped"       the number of wrong records
 *   "stale"         the number of records that are not newer than their objects
 *   "staleObjects"  the objects of these records, in the form of "changes"
 *   "withheld"      the objects that a synchronization keeps because of an unidentified entry
 *   "issues"        a list of objects with the members of groot_issue, including the issues of
 *                   values that the policy "invalid" left out
 *   "changes"       for each changed object "object", "entity", "change" ("inserted", "updated" or
 *                   "deleted") and "properties", which has "old" and "new" values by name; empty
 *                   without GROOT_CHANGES or GROOT_DRY_RUN
 *   "accessed", "unaccessed"   lists of object ids by entity: the objects that the import found or
 *                   made, and the other objects of these entities; empty without
 *                   GROOT_IMPORT_ACCESS
 * A changed link updates the objects at both ends. The value of a to-one relationship is an object
 * id, and the value of a to-many relationship is a list of them.
 *
 * `*counts` receives the numbers of the report, whether `report` is NULL or not. A failed call sets
 * them to 0.
 *
 * `root_path` is the path of the record or the array of records, a JSON Pointer (RFC 6901) such as
 * /data/items. The text around it is validated, but needs no memory. A path that leads to nothing
 * is GROOT_MISSING_VALUE, and a path to a single value is GROOT_WRONG_SHAPE.
 *
 * `form` is the arrangement of the records. Records under keys are one element, so their memory
 * grows with the text.
 *
 * With two `threads` the call starts a second thread, which scans the records of a text or a file ahead,
 * and ends it. Results and errors are the same, and functions of the program run in the thread of the
 * call. The second one takes the records of one array of up to 16 KiB each, and up to 40 MiB of memory
 * for very dense ones, usually 2. Any other number of threads is GROOT_INVALID_ARGUMENT.
 *
 * With a `batch_size` the import writes to the context's store in bounded memory. After each
 * `batch_size` records, a commit batch, it validates and writes their objects and drops them from
 * memory. After a success everything is already saved, and `*objects` is empty. `commits` chooses
 * the transactions. A record finds objects of earlier batches, but an identifier does not find
 * objects of later batches. GROOT_ERRORS_COLLECT collects the issues of one batch. Each batch
 * counts its objects, even those that earlier batches counted. A `batch_size` is
 * GROOT_INVALID_ARGUMENT in a context without a store or with unsaved changes, with GROOT_DRY_RUN,
 * GROOT_CHANGES or GROOT_IMPORT_ACCESS, and in groot_stream_begin.
 */
typedef struct groot_import_options {
  size_t struct_size; /**< sizeof(groot_import_options) */
  uint32_t flags;     /**< GROOT_DRY_RUN, _CHANGES, _LINES and GROOT_IMPORT_... */
  int32_t errors;     /**< GROOT_ERRORS_... */
  size_t max_issues;  /**< the greatest number of issues; one more ends the import; 0 is 100 */
  groot_progress_function progress; /**< may be NULL */
  void *progress_userdata;          /**< passed to `progress` */
  void *callback_userdata;          /**< returned by groot_call_userdata */
  const char *policies;             /**< may be NULL */
  const char *root_path;            /**< may be NULL */
  const groot_mapping *mapping;     /**< may be NULL */
  groot_buffer *report;             /**< may be NULL */
  size_t batch_size;                /**< number of records in a commit batch; 0: no batches */
  int32_t commits;                  /**< GROOT_COMMITS_... */
  int32_t form;                     /**< GROOT_FORM_... */
  groot_counts *counts;             /**< may be NULL */
  size_t threads;                   /**< 2: a second thread scans a text ahead; 0 is 1 */
} groot_import_options;

#define GROOT_IMPORT_OPTIONS_INIT \
  {sizeof(groot_import_options), 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, NULL, 0}

/** Sets `options`, which may be NULL, to the defaults; `size` is sizeof(*options). */
GROOT_API void groot_import_options_init(groot_import_options *options, size_t size);

/**
 * Imports JSON text into `entity`: one object, or an array of objects, of identifiers, or of both.
 *
 * If `entity` is NULL, the text is a document of several entities: records at the roots of the
 * mapping or, for a mapping with rules, an envelope. An envelope is an object with records, or
 * lists of records, under the external names that the rules give to entities.
 *
 * `options` may be NULL. `*objects` receives the object of each element in order; `objects` may be
 * NULL. A null element has no object, and one object may occur several times. A dry run leaves out
 * the objects that it inserted. If the import fails, the graph is unchanged. Free `*objects` with
 * groot_objects_free.
 * Errors: GROOT_INVALID_JSON, GROOT_UNKNOWN_ENTITY, those of "Values", "Validation" and
 * "Callbacks".
 */
GROOT_API groot_status groot_import_text(groot_context *context, const char *entity,
                                         const char *text, size_t length,
                                         const groot_import_options *options,
                                         groot_objects **objects, groot_error **error);

#ifndef GROOT_NO_JANSSON
/** Imports as groot_import_text does, from a json_t. */
GROOT_API groot_status groot_import_json(groot_context *context, const char *entity,
                                         const json_t *json, const groot_import_options *options,
                                         groot_objects **objects, groot_error **error);
#endif

/**
 * Imports as groot_import_text does, from the file at `path`, in memory that does not grow with the
 * file. Errors: also GROOT_FILE_ERROR.
 */
GROOT_API groot_status groot_import_file(groot_context *context, const char *entity,
                                         const char *path, const groot_import_options *options,
                                         groot_objects **objects, groot_error **error);

/**
 * An import whose text arrives in pieces of any size. Until it ends, every other call on the
 * context fails with GROOT_BUSY. The stream belongs to the thread of the context.
 */
typedef struct groot_stream groot_stream;

/**
 * Begins an import of JSON text into `entity`. `options` may be NULL; its `report`, `progress` and
 * `progress_userdata` must stay valid until the import ends. The stream keeps the context alive.
 * End the import with groot_stream_finish or groot_stream_cancel.
 */
GROOT_API groot_status groot_stream_begin(groot_context *context, const char *entity,
                                          const groot_import_options *options,
                                          groot_stream **stream, groot_error **error);

/**
 * Adds the next piece of the text, which is copied and may end inside a character. Even if this
 * fails, the import must still be ended. groot_stream_finish reports wrong records, because a
 * syntax error anywhere in the text takes precedence.
 * Errors: GROOT_INVALID_JSON and other errors of text, perhaps some pieces late: an incomplete
 * record is read again only when its text has doubled.
 */
GROOT_API groot_status groot_stream_write(groot_stream *stream, const char *data, size_t size,
                                          groot_error **error);

/**
 * Ends the text and the import, and always frees `stream`. Results and errors are those of
 * groot_import_text for the whole text; `objects` may be NULL. If a callback of the import calls
 * this, it gets GROOT_BUSY, and nothing is freed.
 */
GROOT_API groot_status groot_stream_finish(groot_stream *stream, groot_objects **objects,
                                           groot_error **error);

/**
 * Undoes the import and frees `stream`, which may be NULL. If a callback of the import calls this,
 * nothing is freed: the call that runs the callback fails with GROOT_CANCELLED, and then the
 * context is usable again. If that call is groot_stream_write, the import must still be ended.
 */
GROOT_API void groot_stream_cancel(groot_stream *stream);

/* ---------------------------------------------------------------------------------------------
 * Synchronization
 * ------------------------------------------------------------------------------------------- */

/**
 * Options of a synchronization. Begin with GROOT_SYNC_OPTIONS_INIT.
 *
 * The scope of deletions is the objects for which the predicate `where` of groot_context_fetch
 * holds. With a `parent`, the scope has only members of the parent, and inserted objects become
 * members of it. In the flags, members are objects nested in an entry under a to-many relationship.
 *
 * `*report` and `*counts` are those of an import. "unchanged" counts objects that an entry names and that did not
 * change. "issues" lists unusable entries with their path, such as $[3].
 *
 * If an entry, or a member in one, could not be identified, nothing is deleted or marked, because
 * its object could be among those. "withheld" lists the objects that are kept for this reason.
 * GROOT_SYNC_NO_WITHHOLD deletes them.
 *
 * GROOT_SYNC_MARK sets the attribute that the entity's annotation groot.deletionMark names, and
 * deletes nothing. Without this annotation it is GROOT_INVALID_MAPPING.
 *
 * A limit refuses a call that would delete or mark more objects with GROOT_TOO_MANY_DELETIONS, a
 * dry run too. With GROOT_SYNC_MAX_DELETIONS it is `max_deletions` objects of all entities, those
 * of cascades, tombstones and members included. With GROOT_SYNC_MAX_DELETION_SHARE it is that share
 * of the objects in the scope, and only these count. Objects that keep an earlier deletion mark
 * never do. Both flags together are GROOT_INVALID_ARGUMENT.
 */
typedef struct groot_sync_options {
  size_t struct_size; /**< sizeof(groot_sync_options) */
  uint32_t flags;     /**< GROOT_DRY_RUN, _CHANGES, _LINES and GROOT_SYNC_... */
  int32_t form;       /**< GROOT_FORM_...: the arrangement of the entries */
  size_t max_issues;  /**< as in an import */
  groot_progress_function progress; /**< may be NULL */
  void *progress_userdata;          /**< passed to `progress` */
  void *callback_userdata;          /**< returned by groot_call_userdata */
  const char *where;                /**< NULL: no condition */
  groot_object_id parent;           /**< 0: none */
  const groot_mapping *mapping;     /**< another mapping of the context's model; may be NULL */
  groot_buffer *report;             /**< may be NULL */
  const char *policies;             /**< as in an import */
  const char *root_path;            /**< as in an import */
  groot_counts *counts;             /**< as in an import */
  uint64_t max_deletions;           /**< needs GROOT_SYNC_MAX_DELETIONS; 0 allows none */
  double max_deletion_share;        /**< needs GROOT_SYNC_MAX_DELETION_SHARE; from 0.0 to 1.0 */
} groot_sync_options;

#define GROOT_SYNC_OPTIONS_INIT                                                               \
  {sizeof(groot_sync_options), 0, 0, 0, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, \
   0, 0}

/** Sets `options`, which may be NULL, to the defaults; `size` is sizeof(*options). */
GROOT_API void groot_sync_options_init(groot_sync_options *options, size_t size);

/**
 * Synchronizes the objects of `entity` in the scope with JSON text, an array of objects and
 * identifiers, or one object.
 *
 * If the identity of an entry names an object, the entry updates it; otherwise it inserts an
 * object. Objects in the scope that no entry names are deleted by the delete rules of the model. An
 * empty array deletes the whole scope. A cascade does not delete an object that an entry names. If
 * an entry of an array has no usable identity, it is reported and left out, and nothing is deleted.
 * For a single object this is GROOT_MISSING_VALUE.
 *
 * `options` and `objects` may be NULL. `*objects` receives the object of each used entry in order;
 * free it with groot_objects_free. On failure the graph is unchanged. Linear.
 * Errors: those of groot_import_text; those of groot_context_fetch for `where`;
 * GROOT_INVALID_MAPPING for an entity without identity; GROOT_OBJECT_DELETED and
 * GROOT_UNKNOWN_OBJECT for `parent`; GROOT_DELETE_DENIED; GROOT_TOO_MANY_DELETIONS.
 */
GROOT_API groot_status groot_sync_text(groot_context *context, const char *entity,
                                       const char *text, size_t length,
                                       const groot_sync_options *options, groot_objects **objects,
                                       groot_error **error);

#ifndef GROOT_NO_JANSSON
/** Synchronizes as groot_sync_text does, from a json_t. */
GROOT_API groot_status groot_sync_json(groot_context *context, const char *entity,
                                       const json_t *json, const groot_sync_options *options,
                                       groot_objects **objects, groot_error **error);
#endif

/**
 * Synchronizes as groot_sync_text does, from the file at `path`, read in pieces.
 * Errors: also GROOT_FILE_ERROR.
 */
GROOT_API groot_status groot_sync_file(groot_context *context, const char *entity,
                                       const char *path, const groot_sync_options *options,
                                       groot_objects **objects, groot_error **error);

/* ---------------------------------------------------------------------------------------------
 * Fill
 * ------------------------------------------------------------------------------------------- */

/**
 * Sets the attributes of `object` from JSON text, one object, even if its identity differs.
 *
 * Relationships do not change, and keys without an attribute are ignored. On failure nothing
 * changes. `options` may be NULL. GROOT_LINES, GROOT_IMPORT_NO_CREATE, GROOT_IMPORT_ACCESS,
 * `root_path`, `batch_size` and `form` are GROOT_INVALID_ARGUMENT.
 * Errors: GROOT_OBJECT_DELETED, GROOT_UNKNOWN_OBJECT; GROOT_WRONG_SHAPE when the text is not an
 * object; those of groot_import_text.
 */
GROOT_API groot_status groot_object_fill_text(groot_context *context, groot_object_id object,
                                              const char *text, size_t length,
                                              const groot_import_options *options,
                                              groot_error **error);

#ifndef GROOT_NO_JANSSON
/** Sets attributes as groot_object_fill_text does, from a json_t. */
GROOT_API groot_status groot_object_fill_json(groot_context *context, groot_object_id object,
                                              const json_t *json,
                                              const groot_import_options *options,
                                              groot_error **error);
#endif

/* ---------------------------------------------------------------------------------------------
 * Export
 * ------------------------------------------------------------------------------------------- */

/** The form of relationships in an export. */
#define GROOT_RELATIONSHIPS_DEFAULT 0 /**< the form of the mapping */
#define GROOT_RELATIONSHIPS_NONE 1    /**< left out */
#define GROOT_RELATIONSHIPS_ARRAY 2   /**< a to-many as an array, a to-one as an object */
#define GROOT_RELATIONSHIPS_NESTED 3  /**< under keys in "_attributes", a to-many as {"0": ...} */

/** The form of keys for properties without an annotated key. */
#define GROOT_INFLECTION_DEFAULT 0 /**< the form of the mapping */
#define GROOT_INFLECTION_SNAKE 1   /**< first_name */
#define GROOT_INFLECTION_CAMEL 2   /**< firstName */

/** Options of an export. Begin with GROOT_EXPORT_OPTIONS_INIT. All pointers are borrowed. */
typedef struct groot_export_options {
  size_t struct_size; /**< sizeof(groot_export_options) */
  uint32_t flags;     /**< GROOT_LINES and GROOT_EXPORT_... */
  /**
   * With GROOT_EXPORT_DEPTH, the number of steps along relationships up to which objects are
   * written in full. Objects after that are written as their identity, or left out if they have
   * none. Without the flag there is no limit, and `depth` must be 0.
   */
  int32_t depth;
  int32_t relationships; /**< GROOT_RELATIONSHIPS_... */
  int32_t inflection;    /**< GROOT_INFLECTION_... */
  /** The properties to write of the exported objects, a JSON list of names; NULL: all. */
  const char *properties;
  /** The JSON keys to leave out of the exported objects, a JSON list; "a.b" is b inside a. */
  const char *exclude;
  /**
   * The form of dates: "iso8601", "unixSeconds", "unixMillis", or a pattern in UTC such as
   * "yyyy-MM-dd'T'HH:mm:ss.SSSXXX". NULL: the form of the mapping.
   */
  const char *dates;
  const groot_mapping *mapping; /**< another mapping of the context's model; may be NULL */
  void *callback_userdata;      /**< returned by groot_call_userdata */
  size_t *count;                /**< receives the number of objects written; may be NULL */
  int32_t form;                 /**< GROOT_FORM_...: the arrangement of several objects */
  int32_t nulls;                /**< GROOT_NULLS_... */
} groot_export_options;

#define GROOT_EXPORT_OPTIONS_INIT \
  {sizeof(groot_export_options), 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0}

/** Sets `options`, which may be NULL, to the defaults; `size` is sizeof(*options). */
GROOT_API void groot_export_options_init(groot_export_options *options, size_t size);

/** Receives a piece of exported text. Any status but GROOT_OK fails the export with that status. */
typedef groot_status (*groot_write_function)(void *userdata, const char *data, size_t size);

/*
 * The name of an export has its target and its sink: groot_export_object_text. The targets are one
 * object, `count` objects, the objects of a fetch, and the document of all roots. The sinks are:
 *   text    `*text`, to free with groot_buffer_free
 *   write   a function that receives the text in pieces; memory does not grow with the text
 *   file    the file at `path`, which appears, or is replaced, only when it is complete
 *   json    a json_t, a new reference; a decimal that a double cannot hold exactly is a string
 * `options` may be NULL.
 */

/** Exports one object as JSON text. */
GROOT_API groot_status groot_export_object_text(groot_context *context, groot_object_id object,
                                                const groot_export_options *options,
                                                groot_buffer *text, groot_error **error);

/** Exports one object as JSON text in pieces to `write`. */
GROOT_API groot_status groot_export_object_write(groot_context *context, groot_object_id object,
                                                 const groot_export_options *options,
                                                 groot_write_function write, void *userdata,
                                                 groot_error **error);

/** Exports one object as JSON text to the file at `path`. */
GROOT_API groot_status groot_export_object_file(groot_context *context, groot_object_id object,
                                                const groot_export_options *options,
                                                const char *path, groot_error **error);

#ifndef GROOT_NO_JANSSON
/** Exports one object as a json_t object. */
GROOT_API groot_status groot_export_object_json(groot_context *context, groot_object_id object,
                                                const groot_export_options *options, json_t **json,
                                                groot_error **error);
#endif

/**
 * Exports `count` objects as JSON text, in the `form` of the options, which is an array by default.
 * Errors: GROOT_MISSING_VALUE for an object without a key; GROOT_INVALID_ARGUMENT for a duplicate
 * key in GROOT_FORM_KEYED.
 */
GROOT_API groot_status groot_export_objects_text(groot_context *context,
                                                 const groot_object_id *objects, size_t count,
                                                 const groot_export_options *options,
                                                 groot_buffer *text, groot_error **error);

/** Exports objects as groot_export_objects_text does, in pieces to `write`. */
GROOT_API groot_status groot_export_objects_write(groot_context *context,
                                                  const groot_object_id *objects, size_t count,
                                                  const groot_export_options *options,
                                                  groot_write_function write, void *userdata,
                                                  groot_error **error);

/** Exports objects as groot_export_objects_text does, to the file at `path`. */
GROOT_API groot_status groot_export_objects_file(groot_context *context,
                                                 const groot_object_id *objects, size_t count,
                                                 const groot_export_options *options,
                                                 const char *path, groot_error **error);

#ifndef GROOT_NO_JANSSON
/** Exports as groot_export_objects_text does, as a json_t. */
GROOT_API groot_status groot_export_objects_json(groot_context *context,
                                                 const groot_object_id *objects, size_t count,
                                                 const groot_export_options *options, json_t **json,
                                                 groot_error **error);
#endif

/**
 * Exports the objects that groot_context_fetch would return, as JSON text. On a store the objects
 * are read in portions, in memory that does not grow with their number.
 */
GROOT_API groot_status groot_export_fetch_text(groot_context *context, const char *entity,
                                               const char *request,
                                               const groot_export_options *options,
                                               groot_buffer *text, groot_error **error);

/** Exports as groot_export_fetch_text does, in pieces to `write`. */
GROOT_API groot_status groot_export_fetch_write(groot_context *context, const char *entity,
                                                const char *request,
                                                const groot_export_options *options,
                                                groot_write_function write, void *userdata,
                                                groot_error **error);

/** Exports as groot_export_fetch_text does, to the file at `path`. */
GROOT_API groot_status groot_export_fetch_file(groot_context *context, const char *entity,
                                               const char *request,
                                               const groot_export_options *options,
                                               const char *path, groot_error **error);

#ifndef GROOT_NO_JANSSON
/** Exports as groot_export_fetch_text does, as a json_t. */
GROOT_API groot_status groot_export_fetch_json(groot_context *context, const char *entity,
                                               const char *request,
                                               const groot_export_options *options, json_t **json,
                                               groot_error **error);
#endif

/**
 * Exports all objects of the mapping's roots as JSON text, one document. Each object is written
 * once, at the root with the nearest entity; relationships to it have only its identity. An object
 * without a root is written inside the relationships to it. A placeholder is written as its
 * identity. Each root has its own form.
 * Errors: GROOT_INVALID_ARGUMENT for a mapping without roots, for GROOT_LINES, for a `form`, and
 * for an object of a root that a relationship leads to but that has no identity.
 */
GROOT_API groot_status groot_export_document_text(groot_context *context,
                                                  const groot_export_options *options,
                                                  groot_buffer *text, groot_error **error);

/** Exports as groot_export_document_text does, in pieces to `write`. */
GROOT_API groot_status groot_export_document_write(groot_context *context,
                                                   const groot_export_options *options,
                                                   groot_write_function write, void *userdata,
                                                   groot_error **error);

/** Exports as groot_export_document_text does, to the file at `path`. */
GROOT_API groot_status groot_export_document_file(groot_context *context,
                                                  const groot_export_options *options,
                                                  const char *path, groot_error **error);

#ifndef GROOT_NO_JANSSON
/** Exports as groot_export_document_text does, as a json_t. */
GROOT_API groot_status groot_export_document_json(groot_context *context,
                                                  const groot_export_options *options,
                                                  json_t **json, groot_error **error);
#endif

#ifdef __cplusplus
}
#endif

#endif
