/*
 * groot.h - an annotated object graph that reads and writes JSON.
 *
 * A MODEL (entities, attributes, relationships) has annotations that say which JSON key belongs to
 * which property, what identifies an object and which named function transforms a value. A MAPPING
 * is a model compiled with a REGISTRY of such functions. A CONTEXT holds the objects. An import
 * finds, updates or creates the right objects and links them; an export writes the JSON back. The
 * words are those of docs/glossary.md.
 *
 * Conventions, for every function unless it says otherwise:
 *
 * Result      A groot_status; GROOT_OK is 0. Results come through out-pointers, which are set only
 *             on success, and are set to NULL or 0 on failure.
 * Errors      The last parameter, `error`, may be NULL. On failure it receives a new groot_error
 *             that the caller frees; on success it is set to NULL.
 * Text        UTF-8. Names, paths, and JSON that says what is wanted (requests, policies, lists of
 *             names) end at their first NUL. Data (text to import, models, values, messages) is a
 *             pointer and a length in bytes; GROOT_NTS as length means that it ends at its first
 *             NUL. Returned text is followed by a NUL, unless stated otherwise.
 * Sizes       A length of 2^47 bytes or more, or a count of so much memory, is
 *             GROOT_INVALID_ARGUMENT: no process has it. More than 4,294,967,295 bytes for a name,
 *             a value or a document are GROOT_LIMIT_EXCEEDED; text to import may be longer.
 * Options     A struct whose first member is its size. Made by its INIT macro or by its
 *             groot_..._options_init function, all else in it is 0, which asks for the defaults, as
 *             NULL in place of the struct does. All that it points to is borrowed for the call.
 * Flags       Each flag has a bit of its own. One that does not belong to a call is
 *             GROOT_INVALID_ARGUMENT.
 * Ownership   `create`, `import`, `fetch` and `export` functions give something new that the caller
 *             frees with the function named in their description. A free function takes NULL.
 * Handles     A handle keeps what it was made from alive: freeing a model does not harm a mapping.
 * Threads     Models, mappings and errors never change: any thread may use them at any time. A
 *             registry or a context, and what was fetched from it, belongs to one thread at a time.
 *             No function uses thread-local state.
 * Memory      What grows with the data may be refused by the system, or by the limit of a context:
 *             GROOT_OUT_OF_MEMORY or GROOT_LIMIT_EXCEEDED, and nothing has changed. Without memory
 *             for something small, such as an error, the process ends.
 * Misuse      NULL where it is not allowed, an unknown name, a deleted object: a status, never a
 *             crash. A handle that was already freed cannot be recognised: that is undefined.
 * Unloading   The library stays in the process once loaded; dlclose does not remove it.
 *
 * JSON        Functions take and give JSON as text. Those whose names end in _json are their twins
 *             for programs that use jansson: a json_t argument is borrowed, a returned one is a new
 *             reference. With GROOT_NO_JANSSON defined this header leaves them out, and needs
 *             nothing but the C standard library's.
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

/** The number of the binary interface this header describes. It grows with each addition. */
#define GROOT_ABI_VERSION 1

/** The length of a text that ends at its first NUL. */
#define GROOT_NTS ((size_t)-1)

/** The version of the library in use, such as "0.1.0". Static text. Any thread. */
GROOT_API const char *groot_version(void);

/** The GROOT_VERSION_NUMBER of the library in use. Any thread. */
GROOT_API int32_t groot_version_number(void);

/** The GROOT_ABI_VERSION of the library in use; compare before anything else. Any thread. */
GROOT_API int32_t groot_abi_version(void);

/* ---------------------------------------------------------------------------------------------
 * Status and errors
 * ------------------------------------------------------------------------------------------- */

/** The outcome of a call. A number that this header does not list is a failure too. */
typedef int32_t groot_status;

#define GROOT_OK 0
/* Use of the interface */
#define GROOT_INVALID_ARGUMENT 1 /**< NULL or something else that the function does not take */
#define GROOT_BUSY 2             /**< a callback used the context that is calling it */
#define GROOT_UNSUPPORTED 3      /**< the library does not offer what was asked for */
#define GROOT_CANCELLED 4        /**< a callback, or groot_context_cancel, ended the call */
#define GROOT_LIMIT_EXCEEDED 5   /**< a limit on depth, size or count was passed */
#define GROOT_FILE_ERROR 6       /**< a file could not be read or written */
#define GROOT_OUT_OF_MEMORY 7    /**< there is no memory for what was asked for; nothing changed */
/* Text */
#define GROOT_INVALID_JSON 20 /**< the text is not JSON; the issue has line and column */
#define GROOT_INVALID_UTF8 21 /**< a text argument is not UTF-8 */
/* Models and mappings */
#define GROOT_INVALID_MODEL 40       /**< the model contradicts itself; one issue per error */
#define GROOT_INVALID_MAPPING 41     /**< annotations cannot be compiled; one issue per error */
#define GROOT_UNKNOWN_ENTITY 42      /**< no entity has this name */
#define GROOT_UNKNOWN_PROPERTY 43    /**< the entity has no such property */
#define GROOT_UNKNOWN_TRANSFORMER 44 /**< nothing is registered under this name */
#define GROOT_ABSTRACT_ENTITY 45     /**< the entity is abstract: it has no objects of its own */
/* Values */
#define GROOT_WRONG_SHAPE 60        /**< an object, array or scalar instead of another of these */
#define GROOT_WRONG_TYPE 61         /**< the value's type does not fit the attribute */
#define GROOT_OUT_OF_RANGE 62       /**< the number does not fit the attribute's type */
#define GROOT_MISSING_VALUE 63      /**< a required property has no value */
#define GROOT_MAPPER_FAILED 64      /**< an entity mapper named no fitting entity */
#define GROOT_TRANSFORM_FAILED 65   /**< a transformer refused the value */
#define GROOT_UNKNOWN_IDENTIFIER 66 /**< an identifier names no object */
#define GROOT_UNKNOWN_KEY 67        /**< a key is unmapped, where that is a mistake */
#define GROOT_IDENTITY_CONFLICT 68  /**< a record contradicts itself, or two objects have one identity */
/* Validation */
#define GROOT_TOO_FEW 80          /**< fewer members than the model allows */
#define GROOT_TOO_MANY 81         /**< more members than the model allows */
#define GROOT_TOO_LARGE 82        /**< above the attribute's maximum */
#define GROOT_TOO_SMALL 83        /**< below the attribute's minimum */
#define GROOT_TOO_LONG 84         /**< longer than the model allows */
#define GROOT_TOO_SHORT 85        /**< shorter than the model allows */
#define GROOT_PATTERN_MISMATCH 86 /**< does not match the attribute's pattern */
#define GROOT_UNLISTED_VALUE 87   /**< none of the values that the attribute lists */
/* Objects */
#define GROOT_OBJECT_DELETED 100 /**< the object was deleted */
#define GROOT_UNKNOWN_OBJECT 101 /**< the number names no object of this context */
#define GROOT_DELETE_DENIED 102  /**< a delete rule forbids the deletion */
/* Callbacks */
#define GROOT_CALLBACK_FAILED 120 /**< a callback reported a failure of its own */
/* Stores */
#define GROOT_STORE_INVALID 140   /**< the file is not a store, or is damaged */
#define GROOT_STORE_TOO_NEW 141   /**< the store was made by a newer version */
#define GROOT_STORE_MODEL 142     /**< the store was made for another model */
#define GROOT_STORE_READ_ONLY 143 /**< the store can only be read */
#define GROOT_STORE_FULL 144      /**< there is no room for the store to grow */
#define GROOT_STORE_LOCKED 145    /**< another process is writing to the store for too long */
#define GROOT_STORE_CONFLICT 146  /**< an object was changed or deleted by another writer */
#define GROOT_STORE_DUPLICATE 147 /**< two objects in the store would have one identity */
#define GROOT_STORE_FAILED 148    /**< the store failed in another way */

/** The failure of a call: a status and one or more issues. Never changes; any thread. */
typedef struct groot_error groot_error;

/** Text borrowed from the library: `size` bytes at `data`. NULL data: there is no text. */
typedef struct groot_string {
  const char *data;
  size_t size;
} groot_string;

/**
 * One issue. Begin with GROOT_ISSUE_INIT. All text belongs to the groot_error it came from; absent
 * text has size 0.
 */
typedef struct groot_issue {
  size_t struct_size;    /**< sizeof(groot_issue); so much is filled */
  groot_status status;   /**< the kind of failure */
  int32_t severity;      /**< 1 warning, 2 error */
  groot_string message;  /**< the value found and the expected one */
  groot_string path;     /**< where in the JSON, as $.powers[2].id */
  groot_string entity;   /**< the entity concerned */
  groot_string property; /**< the property concerned */
  int64_t line;          /**< line in the text, from 1; 0 when there is no text */
  int64_t column;        /**< column in that line in characters, from 1; 0 when there is no text */
  int64_t offset;        /**< byte offset in the text; -1 when there is no text */
} groot_issue;

#define GROOT_ISSUE_INIT \
  {sizeof(groot_issue), 0, 0, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, 0, 0, 0}

/** A status's name in words, such as "invalid JSON". Static text, never NULL. Any thread. */
GROOT_API const char *groot_status_name(groot_status status);

/** The status of `error`; GROOT_OK when it is NULL. */
GROOT_API groot_status groot_error_status(const groot_error *error);

/** All issues of `error` as text, one a line. Borrowed until the error is freed. */
GROOT_API groot_string groot_error_text(const groot_error *error);

/** The number of issues of `error`; 0 when it is NULL. */
GROOT_API size_t groot_error_issue_count(const groot_error *error);

/**
 * Reads issue `index` into `*issue`, as much as its `struct_size` says. GROOT_INVALID_ARGUMENT when
 * there is none, or when the size is invalid.
 */
GROOT_API groot_status groot_error_issue(const groot_error *error, size_t index,
                                         groot_issue *issue);

/** The status that the first failed callback returned; GROOT_OK when no callback failed. */
GROOT_API groot_status groot_error_callback_status(const groot_error *error);

/**
 * The object that this callback left with groot_call_set_exception and this `destroy`; borrowed
 * until the error is freed. NULL when it left nothing, or left it with another function: then it is
 * of another binding in the process.
 */
GROOT_API void *groot_error_exception(const groot_error *error, void (*destroy)(void *exception));

/** Frees `error`; NULL is taken. */
GROOT_API void groot_error_free(groot_error *error);

/* ---------------------------------------------------------------------------------------------
 * Buffers
 * ------------------------------------------------------------------------------------------- */

/** Bytes that the caller owns, made by the library; free with groot_buffer_free. */
typedef struct groot_buffer {
  char *data;  /**< `size` bytes and a NUL after them; NULL when there are none */
  size_t size; /**< number of bytes, the NUL not counted */
} groot_buffer;

/** Frees the bytes of `buffer` and sets it to none; NULL and an empty buffer are taken. */
GROOT_API void groot_buffer_free(groot_buffer *buffer);

#ifndef GROOT_NO_JANSSON
/** Gives up a reference to a value that a function of this header gave; NULL is taken. */
GROOT_API void groot_json_free(json_t *json);
#endif

/* ---------------------------------------------------------------------------------------------
 * Flags
 * ------------------------------------------------------------------------------------------- */

/* Of several calls, where their options name them */
#define GROOT_DRY_RUN 0x1u      /**< do nothing, but report what would be done */
#define GROOT_CHANGES 0x2u      /**< list each change in the report, not just counts */
#define GROOT_JANSSON_ONLY 0x4u /**< read all text by jansson: slower, locations less exact */
#define GROOT_LINES 0x8u        /**< a record on each line of the text, no array around them */

/* Of imports */
#define GROOT_IMPORT_NO_CREATE 0x10u /**< make no objects: leave out missing ones */
#define GROOT_IMPORT_ACCESS 0x20u    /**< list in the report the objects that were found or made */

/* Of synchronizations */
/** Delete also while an entry could not be identified: its object may be among the others. */
#define GROOT_SYNC_NO_WITHHOLD 0x80u
#define GROOT_SYNC_NO_INSERT 0x100u /**< entries that name no object make none */
#define GROOT_SYNC_NO_UPDATE 0x200u /**< objects that entries name stay as they are */
#define GROOT_SYNC_NO_DELETE 0x400u /**< objects that no entry names stay */
/** The next three flags are for members; without this one they are treated as the entries. */
#define GROOT_SYNC_MEMBERS 0x800u
#define GROOT_SYNC_MEMBERS_NO_INSERT 0x1000u /**< missing members are not made */
#define GROOT_SYNC_MEMBERS_NO_UPDATE 0x2000u /**< existing members stay as they are */
#define GROOT_SYNC_MEMBERS_NO_DELETE 0x4000u /**< members not listed are unlinked, not deleted */
#define GROOT_SYNC_MARK 0x8000u /**< set the deletion mark of objects instead of deleting them */

/* Of exports */
#define GROOT_EXPORT_DEPTH 0x10000u      /**< the member `depth` of the options counts */
#define GROOT_EXPORT_TO_MANY 0x20000u    /**< by foreign keys of rules: write to-many, too */
#define GROOT_EXPORT_SUBOBJECTS 0x40000u /**< write relationships by nested objects of rules */

/* Of mappings */
/** Properties without a JSONKeyPath have their own names as keys. */
#define GROOT_MAPPING_IMPLICIT 0x100000u

/* Of stores */
#define GROOT_STORE_NO_CREATE 0x1000000u   /**< where there is no store, make none */
#define GROOT_STORE_NO_MIGRATE 0x2000000u  /**< a store of another model is refused */
#define GROOT_STORE_DESTRUCTIVE 0x4000000u /**< migrate it even if objects, values or links go */
#define GROOT_STORE_TRIGGERS 0x8000000u    /**< the file may have triggers; saves run them */
#define GROOT_STORE_VIEWS 0x10000000u      /**< make a view of each entity, for people */

/* ---------------------------------------------------------------------------------------------
 * Model
 * ------------------------------------------------------------------------------------------- */

/** Entities, attributes and relationships with their annotations. Never changes; any thread. */
typedef struct groot_model groot_model;

/**
 * Makes a model from a model document in JSON text (docs/reference/model-document.md).
 * Errors: GROOT_INVALID_JSON; GROOT_INVALID_MODEL with one issue for each error found;
 * GROOT_LIMIT_EXCEEDED for a model, or a pattern in it, that is larger than that document allows.
 * Free with groot_model_free.
 */
GROOT_API groot_status groot_model_create(const char *text, size_t length, groot_model **model,
                                          groot_error **error);

/**
 * The model as a model document with every default spelled out and, per entity, the list
 * "allProperties" of own and inherited property names. Free with groot_buffer_free.
 */
GROOT_API groot_status groot_model_document(const groot_model *model, groot_buffer *document,
                                            groot_error **error);

#ifndef GROOT_NO_JANSSON
/** As groot_model_create, from a document that is a json_t object already. */
GROOT_API groot_status groot_model_create_json(const json_t *document, groot_model **model,
                                               groot_error **error);

/** As groot_model_document; `*document` is a new reference. */
GROOT_API groot_status groot_model_document_json(const groot_model *model, json_t **document,
                                                 groot_error **error);
#endif

/** An entity of a model. Begin with GROOT_ENTITY_INFO_INIT. Text is borrowed from the model. */
typedef struct groot_entity_info {
  size_t struct_size;    /**< sizeof(groot_entity_info); so much is filled */
  groot_string name;     /**< followed by a NUL */
  int32_t parent;        /**< the number of the entity it inherits from; -1: none */
  int32_t is_abstract;   /**< 1 when it has no objects of its own, else 0 */
  size_t property_count; /**< of its own properties and of those it inherits */
} groot_entity_info;

#define GROOT_ENTITY_INFO_INIT {sizeof(groot_entity_info), {NULL, 0}, 0, 0, 0}

/** The number of entities, which are numbered from 0 on as in the document; 0 for NULL. */
GROOT_API size_t groot_model_entity_count(const groot_model *model);

/** Finds the number of an entity. Errors: GROOT_UNKNOWN_ENTITY. */
GROOT_API groot_status groot_model_entity_number(const groot_model *model, const char *entity,
                                                 size_t *number, groot_error **error);

/** Tells of entity `number`, as much as the `struct_size` says. Errors: GROOT_UNKNOWN_ENTITY. */
GROOT_API groot_status groot_model_entity(const groot_model *model, size_t number,
                                          groot_entity_info *entity, groot_error **error);

/* The kind and the options of a property, in its `flags`. */
#define GROOT_PROPERTY_OPTIONAL 0x1u  /**< it may have no value */
#define GROOT_PROPERTY_TRANSIENT 0x2u /**< an attribute that a store does not keep */
#define GROOT_PROPERTY_TO_MANY 0x4u   /**< a relationship to any number of members */
#define GROOT_PROPERTY_ORDERED 0x8u   /**< a to-many whose order counts */

/** A property. Begin with GROOT_PROPERTY_INFO_INIT. Text is borrowed from the model. */
typedef struct groot_property_info {
  size_t struct_size;  /**< sizeof(groot_property_info); so much is filled */
  groot_string name;   /**< followed by a NUL */
  groot_string type;   /**< as in a model document: "integer64"; "relationship" */
  int32_t number;      /**< the groot_property by which values are read */
  int32_t value;       /**< GROOT_VALUE_...: the kind of values; _OBJECT for a relationship */
  int32_t entity;      /**< the number of the entity that declares it */
  int32_t destination; /**< the number of a relationship's entity; -1 for an attribute */
  int32_t inverse;     /**< the groot_property of its inverse there; -1: none */
  uint32_t flags;      /**< GROOT_PROPERTY_... */
  groot_string values; /**< JSON: the list of an attribute's values, and a NUL; size 0: any */
} groot_property_info;

#define GROOT_PROPERTY_INFO_INIT \
  {sizeof(groot_property_info), {NULL, 0}, {NULL, 0}, 0, 0, 0, 0, 0, 0, {NULL, 0}}

/**
 * Tells of a property of entity `entity`, as much as the `struct_size` says. `index` counts from 0:
 * attributes come before relationships, and those of the root entity before others. Constant time.
 * Errors: GROOT_UNKNOWN_ENTITY, GROOT_UNKNOWN_PROPERTY.
 */
GROOT_API groot_status groot_model_property(const groot_model *model, size_t entity, size_t index,
                                            groot_property_info *property, groot_error **error);

/** Frees the handle; mappings made from the model stay usable. NULL is taken. */
GROOT_API void groot_model_free(groot_model *model);

/* ---------------------------------------------------------------------------------------------
 * Registry
 * ------------------------------------------------------------------------------------------- */

/** Named transformers and mappers. Belongs to one thread at a time. */
typedef struct groot_registry groot_registry;

/**
 * One call of a callback: where it is told what it is called for, and where it leaves what it
 * makes. Valid during that call only, on the thread of the call.
 */
typedef struct groot_call groot_call;

/**
 * Gives the callback's result as JSON text, which is copied. The last call counts; no call, or a
 * JSON null, means no result. Errors: GROOT_INVALID_ARGUMENT. Invalid JSON fails the call that led
 * here with GROOT_CALLBACK_FAILED.
 */
GROOT_API groot_status groot_call_set_result(groot_call *call, const char *text, size_t length);

/** Gives the reason why a callback fails; the text is copied. NULL is taken. */
GROOT_API void groot_call_set_message(groot_call *call, const char *message, size_t length);

/**
 * Leaves an exception of the callback's language, for whoever gets the error of the call that led
 * here: groot_error_exception gives it back to who names the same `destroy`. That may be NULL; else
 * it runs exactly once: when the error is freed, or earlier when no error needs the exception.
 */
GROOT_API void groot_call_set_exception(groot_call *call, void *exception,
                                        void (*destroy)(void *exception));

/** The `userdata` of the options of the import, synchronization or export; NULL without any. */
GROOT_API void *groot_call_userdata(const groot_call *call);

/** The entity that the callback is called for; borrowed during the call. Size 0: not known. */
GROOT_API groot_string groot_call_entity(groot_call *call);

/** The property that it is called for; borrowed during the call. Size 0: it is for an object. */
GROOT_API groot_string groot_call_property(groot_call *call);

/**
 * Where in the JSON the value is, as $[3].id; borrowed during the call. Size 0 in an export. Takes
 * time in proportion to the record.
 */
GROOT_API groot_string groot_call_path(groot_call *call);

/**
 * A function from one JSON value to another.
 *
 * Forward and reverse value transformers, dictionary transformers (object to object) and entity
 * mappers (object to a JSON string, the entity's name) all have this shape.
 *
 * `value`, `size` bytes of JSON text and a NUL, is borrowed. The function gives its result to
 * groot_call_set_result. Return GROOT_OK, or any other status to fail the call that led here with
 * GROOT_CALLBACK_FAILED: groot_error_callback_status gives it back, and the reason goes to
 * groot_call_set_message. The function may run on any thread that uses a context of the mapping. It
 * must not use that context: GROOT_BUSY. Neither a C++ exception nor a longjmp may leave it.
 */
typedef groot_status (*groot_transform_function)(void *userdata, const char *value, size_t size,
                                                 groot_call *call);

#ifndef GROOT_NO_JANSSON
/**
 * The twin of groot_transform_function for jansson. `value` is borrowed, never NULL, and must not
 * be changed: the values inside it are passed to the calls for nested objects, too, and may be a
 * part of their results. `*result` is NULL before the call; leave it NULL, or set a JSON null, for
 * "nothing"; otherwise set a new reference.
 */
typedef groot_status (*groot_transform_json_function)(void *userdata, json_t *value,
                                                      json_t **result, groot_call *call);
#endif

/**
 * Runs exactly once, when the library no longer needs `userdata`: when its name is registered again
 * or removed and the registry and all mappings made with it are freed, or at once when registration
 * fails. May run on any thread.
 */
typedef void (*groot_destroy_function)(void *userdata);

/** Makes an empty registry. Free with groot_registry_free. */
GROOT_API groot_status groot_registry_create(groot_registry **registry, groot_error **error);

/**
 * Registers a value transformer under `name`, instead of an earlier one. `forward` turns JSON into
 * what the attribute takes. `reverse`, for export, may be NULL: one-way. Neither is called with
 * JSON null. `destroy` may be NULL; otherwise it runs exactly once, also when this call fails.
 */
GROOT_API groot_status groot_registry_set_transformer(groot_registry *registry, const char *name,
                                                      groot_transform_function forward,
                                                      groot_transform_function reverse,
                                                      void *userdata,
                                                      groot_destroy_function destroy,
                                                      groot_error **error);

/**
 * Registers an entity mapper: it is called with a JSON object and gives the name of the entity of a
 * new object, as a JSON string; nothing means the entity that was asked for.
 */
GROOT_API groot_status groot_registry_set_entity_mapper(groot_registry *registry, const char *name,
                                                        groot_transform_function mapper,
                                                        void *userdata,
                                                        groot_destroy_function destroy,
                                                        groot_error **error);

/**
 * Registers a dictionary transformer: it is called with a JSON object before anything else reads it
 * and gives the object to read instead; nothing means the object as it is.
 */
GROOT_API groot_status groot_registry_set_dictionary_transformer(
    groot_registry *registry, const char *name, groot_transform_function transformer,
    void *userdata, groot_destroy_function destroy, groot_error **error);

#ifndef GROOT_NO_JANSSON
/** As groot_registry_set_transformer, with functions that take and give a json_t. */
GROOT_API groot_status groot_registry_set_transformer_json(groot_registry *registry,
                                                           const char *name,
                                                           groot_transform_json_function forward,
                                                           groot_transform_json_function reverse,
                                                           void *userdata,
                                                           groot_destroy_function destroy,
                                                           groot_error **error);

/** As groot_registry_set_entity_mapper, with a function that takes and gives a json_t. */
GROOT_API groot_status groot_registry_set_entity_mapper_json(groot_registry *registry,
                                                             const char *name,
                                                             groot_transform_json_function mapper,
                                                             void *userdata,
                                                             groot_destroy_function destroy,
                                                             groot_error **error);

/** As groot_registry_set_dictionary_transformer, with a function that takes and gives a json_t. */
GROOT_API groot_status groot_registry_set_dictionary_transformer_json(
    groot_registry *registry, const char *name, groot_transform_json_function transformer,
    void *userdata, groot_destroy_function destroy, groot_error **error);
#endif

/**
 * Binds a transformer that is part of the library to `name`; no callback is involved.
 * `builtin` is one of groot_registry_builtins(), such as "integer-text".
 * Errors: GROOT_UNKNOWN_TRANSFORMER.
 */
GROOT_API groot_status groot_registry_set_builtin(groot_registry *registry, const char *name,
                                                  const char *builtin, groot_error **error);

/**
 * The built-in transformers, a JSON object: name to description, as text in `*builtins`. Free with
 * groot_buffer_free.
 */
GROOT_API groot_status groot_registry_builtins(groot_buffer *builtins, groot_error **error);

/** Removes whatever is registered under `name`; GROOT_UNKNOWN_TRANSFORMER when nothing is. */
GROOT_API groot_status groot_registry_remove(groot_registry *registry, const char *name,
                                             groot_error **error);

/** Frees the handle; mappings made with it keep what they use. NULL is taken. */
GROOT_API void groot_registry_free(groot_registry *registry);

/* ---------------------------------------------------------------------------------------------
 * Mapping
 * ------------------------------------------------------------------------------------------- */

/** A model compiled with a registry for import and export. Never changes; any thread. */
typedef struct groot_mapping groot_mapping;

/** How several objects are arranged in JSON. */
#define GROOT_FORM_ARRAY 0   /**< an array of them */
#define GROOT_FORM_KEYED 1   /**< an object that has each of them under a key */
#define GROOT_FORM_GROUPED 2 /**< an object that has an array of them under each key */

/** The output of properties without a value, where no annotation says it. */
#define GROOT_NULLS_DEFAULT 0 /**< as the mapping has it; of a mapping: null */
#define GROOT_NULLS_WRITE 1   /**< null */
#define GROOT_NULLS_OMIT 2    /**< nothing; an object in which nothing would be is left out, too */

/** Options of a mapping. Begin with GROOT_MAPPING_OPTIONS_INIT. All pointers are borrowed. */
typedef struct groot_mapping_options {
  size_t struct_size; /**< sizeof(groot_mapping_options) */
  /**
   * Where the form of the JSON is described; NULL is "groot":
   *   "groot"   annotations in the model (docs/reference/annotations.md)
   *   "hyper"   naming conventions, and annotations for exceptions (docs/reference/conventions.md)
   *   "kvc"     rules in a document of their own (docs/reference/rules.md), laid over annotations
   */
  const char *dialect;
  const char *rules;   /**< for "kvc", which needs them: the rules, a JSON object as text */
  size_t rules_length; /**< bytes of `rules`, or GROOT_NTS */
  uint32_t flags;      /**< GROOT_MAPPING_IMPLICIT, for "groot" and "kvc" */
  int32_t nulls;       /**< GROOT_NULLS_... */
  /**
   * Where the records of each entity are in a document of several: the text of a JSON object, such
   * as {"/data": "Resource", "/events": {"entity": "Event", "form": "keyed"}}. Its keys are JSON
   * Pointers (RFC 6901), a "form" is "array", "keyed" or "grouped". NULL: there are none. Imports
   * and exports without an entity read and write such documents.
   */
  const char *roots;
  size_t roots_length; /**< bytes of `roots`, or GROOT_NTS */
} groot_mapping_options;

#define GROOT_MAPPING_OPTIONS_INIT {sizeof(groot_mapping_options), NULL, NULL, 0, 0, 0, NULL, 0}

/** Sets `options` to the defaults; `size` is its size in the caller's header. NULL is taken. */
GROOT_API void groot_mapping_options_init(groot_mapping_options *options, size_t size);

/**
 * Compiles a mapping. `registry` may be NULL: no names. It is read now; later changes to it do not
 * reach the mapping. `options` may be NULL.
 * Errors: GROOT_UNSUPPORTED for an unknown dialect, GROOT_INVALID_ARGUMENT for an option that the
 * dialect does not have, GROOT_INVALID_JSON for the rules and the roots. GROOT_INVALID_MAPPING, or
 * GROOT_UNKNOWN_TRANSFORMER when names are missing, have one issue for each error.
 * GROOT_LIMIT_EXCEEDED is for more than docs/reference/model-document.md allows. Free with
 * groot_mapping_free.
 */
GROOT_API groot_status groot_mapping_create(const groot_model *model,
                                            const groot_registry *registry,
                                            const groot_mapping_options *options,
                                            groot_mapping **mapping, groot_error **error);

/**
 * Gives probable mistakes that do not keep the mapping from working: annotations that look
 * misspelt, an identity on an optional or transient attribute, names registered but not used.
 * `*warnings` is the text of a JSON list of objects with the members of groot_issue; empty when all
 * is well. Free with groot_buffer_free.
 */
GROOT_API groot_status groot_mapping_warnings(const groot_mapping *mapping, groot_buffer *warnings,
                                              groot_error **error);

#ifndef GROOT_NO_JANSSON
/** As groot_mapping_warnings; `*warnings` is a new reference. */
GROOT_API groot_status groot_mapping_warnings_json(const groot_mapping *mapping,
                                                   json_t **warnings, groot_error **error);
#endif

/** Frees the handle; contexts made with it stay usable. NULL is taken. */
GROOT_API void groot_mapping_free(groot_mapping *mapping);

/* ---------------------------------------------------------------------------------------------
 * Context and objects
 * ------------------------------------------------------------------------------------------- */

/** A graph of objects. Belongs to one thread at a time. */
typedef struct groot_context groot_context;

/**
 * An object: a value that any number of variables may hold and nothing frees. It stays the same as
 * long as the object lives; once deleted it answers GROOT_OBJECT_DELETED for ever. 0 never names an
 * object, and ids are below 2^53: a double, such as a number of JavaScript, holds each exactly.
 */
typedef uint64_t groot_object_id;

/** Makes an empty context in memory. Free with groot_context_free. */
GROOT_API groot_status groot_context_create(const groot_mapping *mapping, groot_context **context,
                                            groot_error **error);

/** The calls that report their progress. */
#define GROOT_OPERATION_IMPORT 1  /**< imports, synchronizations, filling an object */
#define GROOT_OPERATION_EXPORT 2  /**< exports */
#define GROOT_OPERATION_FETCH 3   /**< fetches, counts, distinct values, aggregates */
#define GROOT_OPERATION_SAVE 4    /**< saves */
#define GROOT_OPERATION_REFRESH 5 /**< refreshes */
#define GROOT_OPERATION_MIGRATE 6 /**< bringing a store to another model, when it is opened */

/** How far a call is. */
typedef struct groot_progress {
  size_t struct_size; /**< how much of the struct the library has filled */
  uint64_t bytes;     /**< bytes of text read or written; 0 when there is no text */
  uint64_t records;   /**< records imported, objects written or looked at */
  uint64_t inserted;  /**< of an import: objects inserted */
  uint64_t updated;   /**< of an import: objects found and changed */
  uint64_t unchanged; /**< of an import: objects found that had all values already */
  int32_t operation;  /**< GROOT_OPERATION_... */
  int32_t reserved;   /**< 0 */
} groot_progress;

/** Called now and then during a call; anything but GROOT_OK ends that with GROOT_CANCELLED. */
typedef groot_status (*groot_progress_function)(void *userdata, const groot_progress *progress);

/**
 * Has `progress` called now and then by exports, fetches, counts, distinct values, aggregates,
 * saves and refreshes of the context, and by imports whose options have no function of their own;
 * NULL: no more. It runs on the thread of the call, and must not use the context: GROOT_BUSY. `userdata`
 * is borrowed as long as the context lives, or until this is called again.
 */
GROOT_API groot_status groot_context_set_progress(groot_context *context,
                                                  groot_progress_function progress,
                                                  void *userdata, groot_error **error);

/** The levels of a log; each includes all before it. */
#define GROOT_LOG_ERRORS 1     /**< failures of the store */
#define GROOT_LOG_WARNINGS 2   /**< probable mistakes that work */
#define GROOT_LOG_EVENTS 3     /**< stores opened, copied, brought to another model */
#define GROOT_LOG_STATEMENTS 4 /**< the SQL of each statement, without its values */

/** Takes a message, `size` bytes and a NUL; on the thread of the call, whose context is busy. */
typedef void (*groot_log_function)(void *userdata, int32_t level, const char *message,
                                   size_t size);

/** The guarantee of a save. */
#define GROOT_DURABILITY_FULL 0   /**< saves survive a loss of power */
#define GROOT_DURABILITY_NORMAL 1 /**< saves survive the end of the process */

/**
 * The behaviour of a save where another process has written to the same object since it was read.
 */
#define GROOT_CONFLICTS_ERROR 0  /**< it fails */
#define GROOT_CONFLICTS_MINE 1   /**< the values changed here are written */
#define GROOT_CONFLICTS_THEIRS 2 /**< the changes made here go; see groot_context_conflicts */

/** Options of a store. Begin with GROOT_STORE_OPTIONS_INIT. Pointers are borrowed for the call. */
typedef struct groot_store_options {
  size_t struct_size;   /**< sizeof(groot_store_options) */
  uint32_t flags;       /**< GROOT_STORE_... */
  int32_t durability;   /**< GROOT_DURABILITY_... */
  int32_t conflicts;    /**< GROOT_CONFLICTS_... */
  int32_t busy_timeout; /**< milliseconds to wait for another process that is writing; 0 is 10000,
                             -1 does not wait */
  const char *backup;   /**< a path at which a copy of the store is made before it is migrated */
  groot_progress_function progress; /**< called while it is migrated; may be NULL */
  void *progress_userdata;          /**< passed to `progress` */
  groot_log_function log;           /**< told what happens; may be NULL */
  void *log_userdata;               /**< passed to `log`; borrowed as long as the context lives */
  int32_t log_level;                /**< GROOT_LOG_...; 0 is GROOT_LOG_EVENTS */
  int32_t reserved;                 /**< 0 */
} groot_store_options;

#define GROOT_STORE_OPTIONS_INIT \
  {sizeof(groot_store_options), 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, 0, 0}

/** Sets `options` to the defaults; `size` is its size in the caller's header. NULL is taken. */
GROOT_API void groot_store_options_init(groot_store_options *options, size_t size);

/**
 * Makes a context that is kept in the file at `path`: objects are read when they are needed, and
 * groot_context_save writes all changes or none. The file is an SQLite database that other programs
 * can read (docs/reference/store.md). A missing or empty file is made a store. A store of another
 * model is migrated to this one, unless objects, values or links would be lost. `options` may be
 * NULL.
 *
 * Errors: GROOT_STORE_INVALID for a file that is something else, GROOT_STORE_TOO_NEW,
 * GROOT_LIMIT_EXCEEDED for a model that is too large for SQLite, GROOT_FILE_ERROR.
 * GROOT_STORE_MODEL is for a store that cannot be migrated to the model, or not without a loss,
 * with an issue for each reason. The file is then as it was. `path` is always a path, also where it
 * has another meaning for SQLite; GROOT_INVALID_ARGUMENT when it is empty.
 *
 * A save also fails with GROOT_STORE_CONFLICT, with an issue for each object that another process
 * changed since it was read, GROOT_STORE_DUPLICATE, GROOT_STORE_FULL, GROOT_STORE_LOCKED or
 * GROOT_STORE_READ_ONLY. The store and the context are then as they were, and the save may be
 * repeated.
 *
 * Free with groot_context_free.
 */
GROOT_API groot_status groot_context_open(const groot_mapping *mapping, const char *path,
                                          const groot_store_options *options,
                                          groot_context **context, groot_error **error);

/** Frees the context and its objects; NULL is taken. Sequences fetched from it stay readable. */
GROOT_API void groot_context_free(groot_context *context);

/**
 * Accepts all changes since the last save: they are no longer pending and cannot be rolled back.
 * Before that, every object inserted or changed is checked against the model. GROOT_MISSING_VALUE,
 * the statuses of "Validation", and GROOT_IDENTITY_CONFLICT for an identity that several objects
 * have, come with at most 100 issues. The changes are then still pending.
 * Values that changes replace are kept until the next save. Linear in the changes.
 */
GROOT_API groot_status groot_context_save(groot_context *context, groot_error **error);

/**
 * The conflicts that the last save resolved by the policy of its store (`conflicts` in
 * groot_store_options): the text of a JSON array of issues, as in reports; empty when there were
 * none. Free with groot_buffer_free.
 */
GROOT_API groot_status groot_context_conflicts(groot_context *context, groot_buffer *conflicts,
                                               groot_error **error);

/** Undoes all changes since the last save, exactly. Objects inserted since then are deleted. */
GROOT_API groot_status groot_context_rollback(groot_context *context, groot_error **error);

/**
 * Undoes all changes since the last save, and reads what others wrote to the store since. Objects
 * that are still there stay the same; those that others deleted answer GROOT_OBJECT_DELETED. In
 * memory this is the same as groot_context_rollback. Errors: GROOT_STORE_INVALID and the like; the
 * objects are then as after the last save. Linear in the store.
 */
GROOT_API groot_status groot_context_refresh(groot_context *context, groot_error **error);

/**
 * Cancels the call that the context is carrying out: an import, an export, a fetch, a count,
 * distinct values, an aggregate, a save or a refresh. The call fails with GROOT_CANCELLED at its
 * next check, and has changed nothing. Does nothing when no such call is running, and for NULL. Any
 * thread may call this at any time until the context is freed, and so may a callback of the call.
 */
GROOT_API void groot_context_cancel(groot_context *context);

/**
 * Limits how many bytes the context may hold in tables, links, texts, indexes and what undoes
 * changes; 0 means no limit. A call that would pass it gives GROOT_LIMIT_EXCEEDED, and nothing has
 * changed. A context that already holds more is not an error: only growth is refused.
 */
GROOT_API groot_status groot_context_set_memory_limit(groot_context *context, uint64_t bytes,
                                                      groot_error **error);

/**
 * How many bytes the context holds: tables, links, texts, indexes and what undoes changes; during
 * an import also the record that is being read. Constant time.
 */
GROOT_API groot_status groot_context_memory(groot_context *context, uint64_t *bytes,
                                            groot_error **error);

/**
 * The differences from the last save, as the text of a JSON object of counts {"inserted": n,
 * "updated": n, "deleted": n}; a link counts for the objects at both of its ends. Linear in the
 * changes. Free with groot_buffer_free.
 */
GROOT_API groot_status groot_context_changes(groot_context *context, groot_buffer *changes,
                                             groot_error **error);

#ifndef GROOT_NO_JANSSON
/** As groot_context_conflicts; `*conflicts` is a new reference. */
GROOT_API groot_status groot_context_conflicts_json(groot_context *context, json_t **conflicts,
                                                    groot_error **error);

/** As groot_context_changes; `*changes` is a new reference. */
GROOT_API groot_status groot_context_changes_json(groot_context *context, json_t **changes,
                                                  groot_error **error);
#endif

/**
 * For tests, not for programs: checks every invariant of the graph. Both directions of each
 * relationship agree, each identity index matches the objects. GROOT_OK, or an error that lists
 * what is wrong. Linear.
 */
GROOT_API groot_status groot_context_check(groot_context *context, groot_error **error);

/** Inserts an object with its defaults. Errors: GROOT_UNKNOWN_ENTITY, GROOT_ABSTRACT_ENTITY. */
GROOT_API groot_status groot_object_insert(groot_context *context, const char *entity,
                                           groot_object_id *object, groot_error **error);

/**
 * Deletes an object by the delete rules of its relationships, everything or nothing.
 * Errors: GROOT_OBJECT_DELETED, GROOT_UNKNOWN_OBJECT, GROOT_DELETE_DENIED.
 */
GROOT_API groot_status groot_object_delete(groot_context *context, groot_object_id object,
                                           groot_error **error);

/** GROOT_OK for a living object, else GROOT_OBJECT_DELETED or GROOT_UNKNOWN_OBJECT. */
GROOT_API groot_status groot_object_status(const groot_context *context, groot_object_id object);

/** The name of the object's entity; borrowed while the context lives, always the same pointer. */
GROOT_API groot_status groot_object_entity(const groot_context *context, groot_object_id object,
                                           groot_string *entity, groot_error **error);

/* ---------------------------------------------------------------------------------------------
 * Properties
 * ------------------------------------------------------------------------------------------- */

/**
 * A property of an entity as a number, for quick access; it is also valid for all sub-entities, and
 * is the same in all contexts of one model. -1 never names a property.
 */
typedef int32_t groot_property;

/** Finds property `name` of `entity`. Errors: GROOT_UNKNOWN_ENTITY, GROOT_UNKNOWN_PROPERTY. */
GROOT_API groot_status groot_context_property(const groot_context *context, const char *entity,
                                              const char *name, groot_property *property,
                                              groot_error **error);

/** Finds property `name` of the entity that `object` has. */
GROOT_API groot_status groot_object_property(const groot_context *context, groot_object_id object,
                                             const char *name, groot_property *property,
                                             groot_error **error);

/** The kinds of a groot_value, and which member of `as` holds it. */
#define GROOT_VALUE_NULL 0      /**< none */
#define GROOT_VALUE_INTEGER 1   /**< integer: integer16, integer32, integer64 attributes */
#define GROOT_VALUE_REAL 2      /**< real: double and float attributes */
#define GROOT_VALUE_BOOLEAN 3   /**< integer, 0 or 1 */
#define GROOT_VALUE_STRING 4    /**< text */
#define GROOT_VALUE_DECIMAL 5   /**< text, such as 12.50; any JSON number is taken */
#define GROOT_VALUE_DATE 6      /**< integer, microseconds since 1970-01-01T00:00:00Z */
#define GROOT_VALUE_BINARY 7    /**< text, any bytes */
#define GROOT_VALUE_UUID 8      /**< text, such as 7d444840-9dc0-11d1-b245-5ffdce74fad2 */
#define GROOT_VALUE_URI 9       /**< text */
#define GROOT_VALUE_JSON 10     /**< text, a JSON value of at most 2,046 levels: transformable and
                                     composite attributes */
#define GROOT_VALUE_OBJECT 11   /**< object: a to-one relationship */
#define GROOT_VALUE_DAY 12      /**< integer, days since 1970-01-01 */

/** A property's value. Text in it is not followed by a NUL. */
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
 * context, other than groot_object_... and groot_context_... functions that only read. Text of
 * decimals and UUIDs is made by the call: it stays until 64 more calls of this function, too.
 * Errors: GROOT_OBJECT_DELETED, GROOT_UNKNOWN_OBJECT, GROOT_UNKNOWN_PROPERTY; GROOT_WRONG_TYPE for
 * a to-many relationship.
 */
GROOT_API groot_status groot_object_get(groot_context *context, groot_object_id object,
                                        groot_property property, groot_value *value,
                                        groot_error **error);

/*
 * Reading in one step: the result is the value itself. This is for other languages, whose calls of
 * C return a number faster than they fill a structure, and pass 32 bits faster than 64. So the
 * object comes in halves: `low` is (uint32_t)object, `high` is (uint32_t)(object >> 32).
 *
 * When there is no value, the property is of another kind, or groot_object_get would fail, the
 * result is the one named below. A value can be the same; groot_object_get can tell them apart.
 */

/** An integer, date, day, 0 or 1 of a boolean, object of a to-one relationship; INT64_MIN for none. */
GROOT_API int64_t groot_object_integer(groot_context *context, uint32_t low, uint32_t high,
                                       groot_property property);

/** A real; NaN for none. */
GROOT_API double groot_object_real(groot_context *context, uint32_t low, uint32_t high,
                                   groot_property property);

/**
 * A string or URI of at most 255 bytes, followed by a NUL and with none in it; NULL for none, and
 * for other text. A copy, borrowed until the next of these four functions is called.
 */
GROOT_API const char *groot_object_text(groot_context *context, uint32_t low, uint32_t high,
                                        groot_property property);

/** The kind of a property's value, GROOT_VALUE_NULL for none; -1 if groot_object_get would fail. */
GROOT_API int32_t groot_object_kind(groot_context *context, uint32_t low, uint32_t high,
                                    groot_property property);

/**
 * Sets an attribute or a to-one relationship; the other direction follows. An integer fits a real
 * or decimal attribute; nothing else is converted. GROOT_VALUE_NULL, or object 0, clears a to-one.
 * Errors: as groot_object_get; GROOT_WRONG_TYPE, GROOT_OUT_OF_RANGE, GROOT_INVALID_UTF8.
 */
GROOT_API groot_status groot_object_set(groot_context *context, groot_object_id object,
                                        groot_property property, const groot_value *value,
                                        groot_error **error);

/** A sequence of objects, a snapshot. It may be read from any thread. */
typedef struct groot_objects groot_objects;

/** The number of objects; 0 for NULL. */
GROOT_API size_t groot_objects_count(const groot_objects *objects);

/** The objects as an array; borrowed until the sequence is freed. NULL when there are none. */
GROOT_API const groot_object_id *groot_objects_data(const groot_objects *objects);

/** The object at `index`; 0 when there is none. */
GROOT_API groot_object_id groot_objects_at(const groot_objects *objects, size_t index);

/** Frees the sequence, not the objects; NULL is taken. */
GROOT_API void groot_objects_free(groot_objects *objects);

/** The members of a to-many relationship, in its order. Free with groot_objects_free. */
GROOT_API groot_status groot_object_members(groot_context *context, groot_object_id object,
                                            groot_property property, groot_objects **members,
                                            groot_error **error);

/** The number of members of a to-many relationship. Constant time. */
GROOT_API groot_status groot_object_member_count(groot_context *context, groot_object_id object,
                                                 groot_property property, size_t *count,
                                                 groot_error **error);

/** Whether `member` is a member: `*contains` is 1 or 0. Constant time. */
GROOT_API groot_status groot_object_contains(groot_context *context, groot_object_id object,
                                             groot_property property, groot_object_id member,
                                             int32_t *contains, groot_error **error);

/** Adds a member at the end; does nothing when it is one already. Constant time. */
GROOT_API groot_status groot_object_add(groot_context *context, groot_object_id object,
                                        groot_property property, groot_object_id member,
                                        groot_error **error);

/** Removes a member; does nothing when the object is not a member. Constant time. */
GROOT_API groot_status groot_object_remove(groot_context *context, groot_object_id object,
                                           groot_property property, groot_object_id member,
                                           groot_error **error);

/** Makes `members`, in this order and without repeats, the members of a to-many relationship. */
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
 * `request`, the text of a JSON object, may be NULL for all objects:
 *   "where"   a predicate: {"publisher.name": {"beginsWith": "DC"}, "rating": {">": 5}}
 *   "sort"    list of attribute names, "-" in front for descending; no value sorts first
 *   "limit", "offset"   numbers
 *
 * A predicate is an object of conditions that must all hold: a path to a property, with a value or
 * an object of operators; "and" and "or" with a list of predicates, "not" with one. A path leads
 * through to-one relationships. docs/reference/fetching.md has the rest. The operators are
 *   of attributes              == != < <= > >= in between contains beginsWith endsWith like
 *                              ignoreCase
 *   of to-one relationships    == and != with null
 *   of to-many relationships   any all none, with a predicate, and count
 *
 * Without "sort", and among equals, the order is that of insertion. Linear in the objects of the
 * entity; constant time for "where" with values for all identity attributes. An error has the path
 * of what is wrong in the request, as $.where.rating. Free with groot_objects_free.
 */
GROOT_API groot_status groot_context_fetch(groot_context *context, const char *entity,
                                           const char *request, groot_objects **objects,
                                           groot_error **error);

/** The number of objects that groot_context_fetch would give. */
GROOT_API groot_status groot_context_count(groot_context *context, const char *entity,
                                           const char *request, size_t *count,
                                           groot_error **error);

/**
 * The distinct values of `property`, an attribute or a path to one, as the text of a JSON array in
 * `*values`. They are in order, with "-" in front of the property in descending order; no value is
 * null and comes first. `request` as for groot_context_fetch, without "sort"; "limit" and "offset"
 * count values. Values are as an export without transformers writes them. Free with
 * groot_buffer_free.
 */
GROOT_API groot_status groot_context_distinct(groot_context *context, const char *entity,
                                              const char *property, const char *request,
                                              groot_buffer *values, groot_error **error);

/**
 * Computes values over the objects of `entity` and its sub-entities.
 *
 * `request` is the text of a JSON object:
 *   "values"  the computations by their names in the result: "count" for the number of objects,
 *             or {"count": attribute}, which counts values, "sum", "min", "max", "average"
 *   "by"      list of attributes by whose values the objects are grouped
 *   "where"   as for groot_context_fetch
 *
 * `*result` is the text of an object with the values; with "by" of a list of such objects, one for
 * each group, with the group's values too, in their order. A sum of nothing is 0; the other
 * aggregates of nothing are null. Sums of integers and decimals are exact, those of reals are
 * rounded once. Attributes may be paths. Errors: also GROOT_OUT_OF_RANGE when a sum does not fit.
 * Free with groot_buffer_free.
 */
GROOT_API groot_status groot_context_aggregate(groot_context *context, const char *entity,
                                               const char *request, groot_buffer *result,
                                               groot_error **error);

#ifndef GROOT_NO_JANSSON
/** As groot_context_fetch, with a request that is a json_t. */
GROOT_API groot_status groot_context_fetch_json(groot_context *context, const char *entity,
                                                const json_t *request, groot_objects **objects,
                                                groot_error **error);

/** As groot_context_count, with a request that is a json_t. */
GROOT_API groot_status groot_context_count_json(groot_context *context, const char *entity,
                                                const json_t *request, size_t *count,
                                                groot_error **error);

/** As groot_context_distinct, with a request that is a json_t; `*values` is a new reference. */
GROOT_API groot_status groot_context_distinct_json(groot_context *context, const char *entity,
                                                   const char *property, const json_t *request,
                                                   json_t **values, groot_error **error);

/** As groot_context_aggregate, with a request that is a json_t; `*result` is a new reference. */
GROOT_API groot_status groot_context_aggregate_json(groot_context *context, const char *entity,
                                                    const json_t *request, json_t **result,
                                                    groot_error **error);
#endif

/* ---------------------------------------------------------------------------------------------
 * Columns
 * ------------------------------------------------------------------------------------------- */

/**
 * One property of many objects as buffers: a snapshot, which later changes do not affect.
 * `values` are, by `kind`: int64_t for GROOT_VALUE_INTEGER and _DATE (microseconds), int32_t for
 * _DAY, double for _REAL, a byte for _BOOLEAN, groot_object_id for _OBJECT (a to-one relationship).
 * All other kinds have the bytes of all texts; text i lies between offsets[i] and offsets[i + 1].
 * An object without a value has 0, or an empty text. Begin with GROOT_COLUMN_INIT.
 */
typedef struct groot_column {
  size_t struct_size;      /**< sizeof(groot_column); so much is filled */
  int32_t kind;            /**< GROOT_VALUE_...: the kind of the values */
  int32_t reserved;        /**< 0 */
  size_t count;            /**< number of objects */
  size_t null_count;       /**< how many of them have no value */
  const void *values;      /**< never NULL */
  size_t size;             /**< number of bytes at `values` */
  const int64_t *offsets;  /**< `count` + 1 of them; NULL unless the values are texts */
  const uint8_t *validity; /**< a bit per object, lowest first: 1 for a value; NULL: all have one */
  void *owner;             /**< the library's */
} groot_column;

#define GROOT_COLUMN_INIT {sizeof(groot_column), 0, 0, 0, 0, NULL, 0, NULL, NULL, NULL}

/**
 * Reads an attribute or a to-one relationship of `count` objects, which are of `entity` or its
 * sub-entities. Free with groot_column_free. Linear.
 * Errors: GROOT_UNKNOWN_ENTITY, GROOT_UNKNOWN_PROPERTY, GROOT_OBJECT_DELETED, GROOT_UNKNOWN_OBJECT;
 * GROOT_WRONG_TYPE for a to-many relationship or an object of another entity.
 */
GROOT_API groot_status groot_context_column(groot_context *context, const char *entity,
                                            const char *property, const groot_object_id *objects,
                                            size_t count, groot_column *column,
                                            groot_error **error);

/** Frees the buffers of `column` and sets it to none; NULL and an empty column are taken. */
GROOT_API void groot_column_free(groot_column *column);

/* The structs of the Arrow C data interface and stream interface, as Apache Arrow has them. */
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
 * Columns of `count` objects, which are of `entity` or its sub-entities, as an Arrow stream of one
 * record batch: a snapshot. `properties`, the text of a JSON list of names of attributes and to-one
 * relationships, may be NULL for all attributes. Integers are int64, reals double, booleans bool,
 * dates timestamps of microseconds in UTC, days date32, binary large_binary, to-one relationships
 * uint64, all else large_utf8. End with stream->release(stream). The stream may be used on any
 * thread and outlives the context.
 * Errors: as groot_context_column.
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
#define GROOT_ERRORS_ABORT 0   /**< the first issue fails the import */
#define GROOT_ERRORS_COLLECT 1 /**< all issues are collected, then the import fails with them */
#define GROOT_ERRORS_SKIP 2    /**< wrong records are left out as a whole, and reported */

#define GROOT_UNLIMITED SIZE_MAX /**< a `max_issues` that allows any number of issues */

/** The transactions of an import in batches. */
#define GROOT_COMMITS_WHOLE 0      /**< one for all: on failure the store is as it was */
#define GROOT_COMMITS_EACH_BATCH 1 /**< one for each batch: those before a failure stay */

/**
 * Options of an import. Begin with GROOT_IMPORT_OPTIONS_INIT.
 *
 * `policies` is the text of a JSON object of policies for all properties that have no annotation of
 * their own:
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
 * `mapping` is another mapping of the context's model to import by, borrowed for the call; NULL is
 * the one that the context was created with.
 *
 * `*report` receives the text of a JSON object when the call succeeds, to be freed with
 * groot_buffer_free:
 *   "inserted", "updated", "unchanged", "deleted"   numbers of objects
 *   "skipped"       the number of wrong records
 *   "stale"         the number of records not newer than their objects
 *   "staleObjects"  the objects of those records, listed as "changes" are
 *   "withheld"      the objects that a synchronization keeps while an entry is not identified
 *   "issues"        a list of objects with the members of groot_issue, also those of values that
 *                   the policy "invalid" left out
 *   "changes"       for each object that differs "object", "entity", "change" ("inserted",
 *                   "updated" or "deleted") and "properties", by name "old" and "new" value; empty
 *                   without GROOT_CHANGES or GROOT_DRY_RUN
 *   "accessed", "unaccessed"   by entity the objects that the import found or made, and the other
 *                   objects of its entities, as lists of object ids; empty without
 *                   GROOT_IMPORT_ACCESS
 * All of it compares the beginning with the end of the import. A link counts for the objects at
 * both of its ends. Relationships are lists of object ids, or one.
 *
 * `root_path`, a JSON Pointer (RFC 6901) such as /data/items, says where in the JSON the object or
 * the array of records is. The text around it is only checked, and takes no memory. A path that
 * leads to nothing is GROOT_MISSING_VALUE, one to a single value GROOT_WRONG_SHAPE.
 *
 * `form` says how the records are arranged. Records under keys are read as one element, so that
 * memory grows with the text.
 *
 * With a `batch_size` the import goes straight into the context's store, in bounded memory: after
 * so many records, a commit batch, their objects are checked, written and dropped from memory. It
 * is then saved already, and `*objects` is empty. `commits` says whether that is one transaction.
 * It is GROOT_INVALID_ARGUMENT in a context without a store or with unsaved changes, with
 * GROOT_DRY_RUN, GROOT_CHANGES or GROOT_IMPORT_ACCESS, and in groot_stream_begin. A
 * record finds objects of earlier batches; an identifier that names an object of a later batch
 * names nothing yet. GROOT_ERRORS_COLLECT collects the issues of one batch. An object that several
 * batches contain counts in each of them.
 */
typedef struct groot_import_options {
  size_t struct_size; /**< sizeof(groot_import_options) */
  uint32_t flags;     /**< GROOT_DRY_RUN, _CHANGES, _JANSSON_ONLY, _LINES and GROOT_IMPORT_... */
  int32_t errors;     /**< GROOT_ERRORS_... */
  size_t max_issues;  /**< more issues than this end the import; 0 is 100, and GROOT_UNLIMITED
                           allows any number */
  groot_progress_function progress; /**< may be NULL */
  void *progress_userdata;          /**< passed to `progress` */
  void *callback_userdata;          /**< the result of groot_call_userdata */
  const char *policies;             /**< may be NULL */
  const char *root_path;            /**< may be NULL */
  const groot_mapping *mapping;     /**< may be NULL */
  groot_buffer *report;             /**< may be NULL */
  size_t batch_size;                /**< records written to the store at a time; 0: none are */
  int32_t commits;                  /**< GROOT_COMMITS_... */
  int32_t form;                     /**< GROOT_FORM_... */
} groot_import_options;

#define GROOT_IMPORT_OPTIONS_INIT \
  {sizeof(groot_import_options), 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0}

/** Sets `options` to the defaults; `size` is its size in the caller's header. NULL is taken. */
GROOT_API void groot_import_options_init(groot_import_options *options, size_t size);

/**
 * Imports JSON text into `entity`: one object, or an array of objects, of identifiers, or of both.
 *
 * `entity` NULL imports a document of several entities: the records at the roots of the mapping,
 * or, by a mapping with rules, an envelope. An envelope is an object with lists of records, or
 * single ones, under the external names that the rules give to entities.
 *
 * `*objects` has the object of each element in order; a null element has none, and one object may
 * occur several times. Objects that a dry run inserted are left out. The import happens as a whole
 * or not at all: on failure the graph is as it was. `options` may be NULL. `objects` may be NULL
 * when the result is not wanted.
 * Errors: GROOT_INVALID_JSON, GROOT_UNKNOWN_ENTITY, those of "Values", "Validation" and
 * "Callbacks".
 */
GROOT_API groot_status groot_import_text(groot_context *context, const char *entity,
                                         const char *text, size_t length,
                                         const groot_import_options *options,
                                         groot_objects **objects, groot_error **error);

#ifndef GROOT_NO_JANSSON
/** As groot_import_text, from a json_t. */
GROOT_API groot_status groot_import_json(groot_context *context, const char *entity,
                                         const json_t *json, const groot_import_options *options,
                                         groot_objects **objects, groot_error **error);
#endif

/**
 * As groot_import_text, from the file at `path`, read piece by piece: memory does
 * not grow with the file. Errors: also GROOT_FILE_ERROR.
 */
GROOT_API groot_status groot_import_file(groot_context *context, const char *entity,
                                         const char *path, const groot_import_options *options,
                                         groot_objects **objects, groot_error **error);

/**
 * An import whose text comes in pieces of any size. From its beginning to its end the context is
 * busy: every other call on it fails with GROOT_BUSY. It belongs to the thread of the context.
 */
typedef struct groot_stream groot_stream;

/**
 * Begins an import of JSON text into `entity`. `options` may be NULL; its `report`, its progress
 * function and `progress_userdata` must stay valid until the end. End the import with
 * groot_stream_finish or groot_stream_cancel. It keeps the context alive.
 */
GROOT_API groot_status groot_stream_begin(groot_context *context, const char *entity,
                                          const groot_import_options *options,
                                          groot_stream **stream, groot_error **error);

/**
 * Takes the next piece of the text, which is copied; it may end anywhere, also inside a character.
 * Errors: GROOT_INVALID_JSON and the like, perhaps some pieces later: an incomplete record is
 * looked at again when twice as much of it is there. The import must then still be ended. A wrong
 * record is reported by groot_stream_finish, since a syntax error anywhere in the text comes first.
 */
GROOT_API groot_status groot_stream_write(groot_stream *stream, const char *data, size_t size,
                                          groot_error **error);

/**
 * Ends the text and the import, and frees `stream`, whatever the outcome. Results and errors are
 * those that groot_import_text has for the whole text; `objects` may be NULL. A callback that calls
 * this on the import that is calling it gets GROOT_BUSY, and nothing is freed.
 */
GROOT_API groot_status groot_stream_finish(groot_stream *stream, groot_objects **objects,
                                           groot_error **error);

/**
 * Undoes the import and frees it. NULL is taken. In a callback of the import it frees nothing: the
 * call that is calling back fails with GROOT_CANCELLED, the context is then usable again, and after
 * groot_stream_write the import must still be ended.
 */
GROOT_API void groot_stream_cancel(groot_stream *stream);

/* ---------------------------------------------------------------------------------------------
 * Synchronization
 * ------------------------------------------------------------------------------------------- */

/**
 * Options of a synchronization. Begin with GROOT_SYNC_OPTIONS_INIT.
 *
 * The scope of deletions is the objects for which the predicate `where` holds, the text of a JSON
 * object as in groot_context_fetch. With a `parent`, it is the parent's members only; an inserted
 * object then becomes a member of the parent. Members, in the flags, are objects inside an entry
 * under a to-many relationship. All that is pointed to is borrowed for the call.
 *
 * `*report` is as that of an import. "unchanged" are objects that an entry names and that are as
 * before. Entries that cannot be used are listed under "issues" with their path, such as $[3].
 *
 * While an entry, or a member in one, could not be identified, nothing is deleted or marked: the
 * object that it means would be among those that no entry names. "withheld" lists the objects that
 * stay for that reason; GROOT_SYNC_NO_WITHHOLD deletes them.
 *
 * With GROOT_SYNC_MARK objects are not deleted: the attribute that the entity's annotation
 * groot.deletionMark names is set. Without the annotation that is GROOT_INVALID_MAPPING.
 */
typedef struct groot_sync_options {
  size_t struct_size; /**< sizeof(groot_sync_options) */
  uint32_t flags;     /**< GROOT_DRY_RUN, _CHANGES, _JANSSON_ONLY and GROOT_SYNC_... */
  int32_t form;       /**< GROOT_FORM_...: how the entries are arranged */
  size_t max_issues;  /**< as in an import */
  groot_progress_function progress; /**< may be NULL */
  void *progress_userdata;          /**< passed to `progress` */
  void *callback_userdata;          /**< the result of groot_call_userdata */
  const char *where;                /**< may be NULL: no condition */
  groot_object_id parent;           /**< 0: none */
  const groot_mapping *mapping;     /**< another mapping of the context's model; may be NULL */
  groot_buffer *report;             /**< may be NULL */
  const char *policies;             /**< as in an import */
  const char *root_path;            /**< as in an import: where the entries are */
} groot_sync_options;

#define GROOT_SYNC_OPTIONS_INIT \
  {sizeof(groot_sync_options), 0, 0, 0, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL}

/** Sets `options` to the defaults; `size` is its size in the caller's header. NULL is taken. */
GROOT_API void groot_sync_options_init(groot_sync_options *options, size_t size);

/**
 * Makes the objects of `entity` in the scope what JSON text lists: an array of objects and
 * identifiers, or one object.
 *
 * An entry whose identity names an object updates it; any other inserts one. Objects in the scope
 * that no entry names are deleted, by the delete rules of the model; an empty array deletes them
 * all. An object that it names stays, also where a cascade reaches it. An entry of an array without
 * a usable identity is left out and reported, and nothing is deleted; a single object without one
 * is GROOT_MISSING_VALUE. `*objects` has the object of each entry used, in order. Everything
 * happens or nothing: on failure the graph is as it was.
 * `options` and `objects` may be NULL. Free `*objects` with groot_objects_free. Linear.
 * Errors: as groot_import_text; GROOT_INVALID_MAPPING for an entity without identity;
 * as groot_context_fetch for `where`; GROOT_OBJECT_DELETED, GROOT_UNKNOWN_OBJECT for `parent`;
 * GROOT_DELETE_DENIED.
 */
GROOT_API groot_status groot_sync_text(groot_context *context, const char *entity,
                                       const char *text, size_t length,
                                       const groot_sync_options *options, groot_objects **objects,
                                       groot_error **error);

#ifndef GROOT_NO_JANSSON
/** As groot_sync_text, from a json_t. */
GROOT_API groot_status groot_sync_json(groot_context *context, const char *entity,
                                       const json_t *json, const groot_sync_options *options,
                                       groot_objects **objects, groot_error **error);
#endif

/**
 * As groot_sync_text, from the file at `path`, read piece by piece.
 * Errors: also GROOT_FILE_ERROR.
 */
GROOT_API groot_status groot_sync_file(groot_context *context, const char *entity,
                                       const char *path, const groot_sync_options *options,
                                       groot_objects **objects, groot_error **error);

/* ---------------------------------------------------------------------------------------------
 * Fill
 * ------------------------------------------------------------------------------------------- */

/**
 * Sets the attributes of `object` from JSON text, one object, whatever its identity says.
 *
 * Relationships are not changed, keys of no attribute are ignored. `options` may be NULL;
 * GROOT_LINES, GROOT_IMPORT_NO_CREATE, GROOT_IMPORT_ACCESS, `root_path`, `batch_size` and `form` are
 * for records, and GROOT_INVALID_ARGUMENT here.
 * Everything happens or nothing.
 * Errors: GROOT_OBJECT_DELETED, GROOT_UNKNOWN_OBJECT; GROOT_WRONG_SHAPE when the text is not an
 * object; those of groot_import_text.
 */
GROOT_API groot_status groot_object_fill_text(groot_context *context, groot_object_id object,
                                              const char *text, size_t length,
                                              const groot_import_options *options,
                                              groot_error **error);

#ifndef GROOT_NO_JANSSON
/** As groot_object_fill_text, from a json_t. */
GROOT_API groot_status groot_object_fill_json(groot_context *context, groot_object_id object,
                                              const json_t *json,
                                              const groot_import_options *options,
                                              groot_error **error);
#endif

/* ---------------------------------------------------------------------------------------------
 * Export
 * ------------------------------------------------------------------------------------------- */

/** How relationships are written. */
#define GROOT_RELATIONSHIPS_DEFAULT 0 /**< as the mapping has it */
#define GROOT_RELATIONSHIPS_NONE 1    /**< left out */
#define GROOT_RELATIONSHIPS_ARRAY 2   /**< a to-many as an array, a to-one as an object */
#define GROOT_RELATIONSHIPS_NESTED 3  /**< under keys in "_attributes", a to-many as {"0": ...} */

/** How the names of properties become keys where no annotation says so. */
#define GROOT_INFLECTION_DEFAULT 0 /**< as the mapping has it */
#define GROOT_INFLECTION_SNAKE 1   /**< first_name */
#define GROOT_INFLECTION_CAMEL 2   /**< firstName */

/** Options of an export. Begin with GROOT_EXPORT_OPTIONS_INIT. All pointers are borrowed. */
typedef struct groot_export_options {
  size_t struct_size; /**< sizeof(groot_export_options) */
  uint32_t flags;     /**< GROOT_LINES and GROOT_EXPORT_... */
  /**
   * With GROOT_EXPORT_DEPTH: how many steps along relationships objects are written in full; those
   * after them are written as their identity; a relationship to one without identity is left out.
   * Without the flag it is 0, and there is no limit.
   */
  int32_t depth;
  int32_t relationships; /**< GROOT_RELATIONSHIPS_... */
  int32_t inflection;    /**< GROOT_INFLECTION_... */
  /** The properties of the exported objects to write, a JSON list of names; NULL: all. */
  const char *properties;
  /** JSON keys of the exported objects to leave out, a JSON list; "a.b" is b inside a. */
  const char *exclude;
  /**
   * How dates are written: "iso8601", "unixSeconds", "unixMillis", or a pattern such as
   * "yyyy-MM-dd'T'HH:mm:ss.SSSXXX", in UTC. NULL: as the mapping has it.
   */
  const char *dates;
  const groot_mapping *mapping; /**< another of the model's mappings, to write by; may be NULL */
  void *callback_userdata;      /**< the result of groot_call_userdata */
  size_t *count;                /**< receives the number of objects written; may be NULL */
  int32_t form;                 /**< GROOT_FORM_...: how several objects are arranged */
  int32_t nulls;                /**< GROOT_NULLS_... */
} groot_export_options;

#define GROOT_EXPORT_OPTIONS_INIT \
  {sizeof(groot_export_options), 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0}

/** Sets `options` to the defaults; `size` is its size in the caller's header. NULL is taken. */
GROOT_API void groot_export_options_init(groot_export_options *options, size_t size);

/** Takes a piece of exported text; anything but GROOT_OK ends the export with that status. */
typedef groot_status (*groot_write_function)(void *userdata, const char *data, size_t size);

/** One object as JSON text in `*text`; `options` may be NULL. Free with groot_buffer_free. */
GROOT_API groot_status groot_export_object_text(groot_context *context, groot_object_id object,
                                                const groot_export_options *options,
                                                groot_buffer *text, groot_error **error);

/**
 * Objects as JSON text, an array, in `*text`; an object with them under their keys when the options'
 * `form` says so. Free with groot_buffer_free.
 * Errors: GROOT_MISSING_VALUE for an object without a key in such a form, GROOT_INVALID_ARGUMENT for
 * two of one key.
 */
GROOT_API groot_status groot_export_text(groot_context *context, const groot_object_id *objects,
                                         size_t count, const groot_export_options *options,
                                         groot_buffer *text, groot_error **error);

#ifndef GROOT_NO_JANSSON
/**
 * One object as a json_t object; new reference. A decimal that a double does not hold is written as
 * its text.
 */
GROOT_API groot_status groot_export_object_json(groot_context *context, groot_object_id object,
                                                const groot_export_options *options,
                                                json_t **json, groot_error **error);

/** As groot_export_text, as a json_t, new reference; otherwise as groot_export_object_json. */
GROOT_API groot_status groot_export_json(groot_context *context, const groot_object_id *objects,
                                         size_t count, const groot_export_options *options,
                                         json_t **json, groot_error **error);
#endif

/** Objects as JSON text, an array, in pieces to `write`: memory does not grow with the text. */
GROOT_API groot_status groot_export_write(groot_context *context, const groot_object_id *objects,
                                          size_t count, const groot_export_options *options,
                                          groot_write_function write, void *userdata,
                                          groot_error **error);

/**
 * Objects as JSON text, an array, into the file at `path`. The file appears, or is
 * replaced, only when it is complete.
 */
GROOT_API groot_status groot_export_file(groot_context *context, const groot_object_id *objects,
                                         size_t count, const groot_export_options *options,
                                         const char *path, groot_error **error);

/**
 * The objects that groot_context_fetch would give, as JSON text, an array, in pieces to `write`. On
 * a store they are read portion by portion: neither they nor the text take memory that grows with
 * their number.
 */
GROOT_API groot_status groot_export_fetch_write(groot_context *context, const char *entity,
                                                const char *request,
                                                const groot_export_options *options,
                                                groot_write_function write, void *userdata,
                                                groot_error **error);

/**
 * As groot_export_fetch_write, into the file at `path`. The file appears, or is replaced, only when
 * it is complete.
 */
GROOT_API groot_status groot_export_fetch_file(groot_context *context, const char *entity,
                                               const char *request,
                                               const groot_export_options *options,
                                               const char *path, groot_error **error);

/**
 * All objects at the roots of the mapping as JSON text, one document, in `*text`. Each is written
 * once, at the root whose entity is the nearest to its own; where relationships lead to it, its
 * identity stands for it. An object without a root is written where relationships lead to it; an
 * object that was only named, as its identity alone. The forms are those of the roots. Free with
 * groot_buffer_free.
 * Errors: GROOT_INVALID_ARGUMENT when the mapping has no roots, for GROOT_LINES and a `form`, and
 * for an object of a root that a relationship leads to and that nothing identifies.
 */
GROOT_API groot_status groot_export_document_text(groot_context *context,
                                                  const groot_export_options *options,
                                                  groot_buffer *text, groot_error **error);

#ifndef GROOT_NO_JANSSON
/** As groot_export_document_text, as a json_t, new reference. */
GROOT_API groot_status groot_export_document_json(groot_context *context,
                                                  const groot_export_options *options,
                                                  json_t **json, groot_error **error);
#endif

/** As groot_export_document_text, in pieces to `write`: memory does not grow with the text. */
GROOT_API groot_status groot_export_document_write(groot_context *context,
                                                   const groot_export_options *options,
                                                   groot_write_function write, void *userdata,
                                                   groot_error **error);

/**
 * As groot_export_document_text, into the file at `path`. The file appears, or is replaced, only
 * when it is complete.
 */
GROOT_API groot_status groot_export_document_file(groot_context *context,
                                                  const groot_export_options *options,
                                                  const char *path, groot_error **error);

#ifdef __cplusplus
}
#endif

#endif
