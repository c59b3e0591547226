/*
 * As much of groot.h as the tour needs, for Node: a few functions of numbers and strings, of which
 * groot.js makes classes. Callbacks run on the thread of JavaScript, inside the call that leads to
 * them; what they throw is carried through the library and thrown again there.
 */
#define NAPI_VERSION 8
#include <groot.h>
#include <node_api.h>
#include <stdlib.h>
#include <string.h>

/* ---- Values in and out ----------------------------------------------------------------------- */

static napi_value text_value(napi_env env, const char *data, size_t size) {
  napi_value value = NULL;
  napi_create_string_utf8(env, size > 0 ? data : "", size, &value);
  return value;
}

static napi_value number_value(napi_env env, double number) {
  napi_value value = NULL;
  napi_create_double(env, number, &value);
  return value;
}

/* The text of a string, followed by a NUL, to be freed; NULL when it is none. */
static char *text_of(napi_env env, napi_value value, size_t *size) {
  char *text = NULL;
  if (napi_get_value_string_utf8(env, value, NULL, 0, size) == napi_ok) text = malloc(*size + 1);
  if (text) napi_get_value_string_utf8(env, value, text, *size + 1, size);
  return text;
}

static groot_object_id object_of(napi_env env, napi_value value) {
  double number = 0;
  napi_get_value_double(env, value, &number);
  return (groot_object_id)number;
}

static void *pointer_of(napi_env env, napi_value value) {
  void *pointer = NULL;
  napi_get_value_external(env, value, &pointer);
  return pointer;
}

static void set(napi_env env, napi_value object, const char *name, napi_value value) {
  napi_set_named_property(env, object, name, value);
}

/* ---- Failures -------------------------------------------------------------------------------- */

/* A value of JavaScript that the library keeps: a function, or what one threw. */
typedef struct kept {
  napi_env env;
  napi_ref values[2];
} kept;

static void release(void *pointer) {
  kept *kept = pointer;
  for (int i = 0; i < 2; i++)
    if (kept->values[i]) napi_delete_reference(kept->env, kept->values[i]);
  free(kept);
}

static napi_value issue_value(napi_env env, const groot_issue *issue) {
  napi_value value = NULL;
  napi_create_object(env, &value);
  set(env, value, "status", number_value(env, issue->status));
  set(env, value, "message", text_value(env, issue->message.data, issue->message.size));
  set(env, value, "path", text_value(env, issue->path.data, issue->path.size));
  set(env, value, "entity", text_value(env, issue->entity.data, issue->entity.size));
  set(env, value, "property", text_value(env, issue->property.data, issue->property.size));
  return value;
}

/* Throws `error`, which has a status and its issues, or what the callback threw. Frees it. */
static napi_value fail(napi_env env, groot_error *error) {
  napi_value thrown = NULL, issues = NULL;
  kept *carried = groot_error_exception(error, release);
  if (carried) {
    napi_get_reference_value(env, carried->values[0], &thrown);
  } else {
    groot_string text = groot_error_text(error);
    napi_create_error(env, NULL, text_value(env, text.data, text.size), &thrown);
    set(env, thrown, "status", number_value(env, groot_error_status(error)));
    napi_create_array(env, &issues);
    groot_issue issue = GROOT_ISSUE_INIT;
    for (uint32_t i = 0; groot_error_issue(error, i, &issue) == GROOT_OK; i++)
      napi_set_element(env, issues, i, issue_value(env, &issue));
    set(env, thrown, "issues", issues);
  }
  groot_error_free(error);
  napi_throw(env, thrown);
  return NULL;
}

/* ---- Callbacks ------------------------------------------------------------------------------- */

/* Leaves what was thrown to the error of the call that led here. */
static groot_status carry(napi_env env, groot_call *call) {
  napi_value thrown = NULL, message = NULL;
  size_t size = 0;
  kept *carried = calloc(1, sizeof *carried);
  napi_get_and_clear_last_exception(env, &thrown);
  napi_coerce_to_string(env, thrown, &message);
  char *text = text_of(env, message, &size);
  if (text) groot_call_set_message(call, text, size);
  free(text);
  if (carried) {
    carried->env = env;
    napi_create_reference(env, thrown, 1, &carried->values[0]);
    if (!carried->values[0]) { /* no object; its text is all that remains */
      free(carried);
    } else {
      groot_call_set_exception(call, carried, release);
    }
  }
  return GROOT_TRANSFORM_FAILED;
}

static groot_status run(const kept *functions, int which, const char *json, size_t size,
                        groot_call *call) {
  napi_env env = functions->env;
  napi_handle_scope scope = NULL;
  napi_value function = NULL, global = NULL, result = NULL;
  napi_open_handle_scope(env, &scope);
  napi_get_reference_value(env, functions->values[which], &function);
  napi_get_global(env, &global);
  napi_value argument = text_value(env, json, size);
  groot_status status = GROOT_OK;
  if (napi_call_function(env, global, function, 1, &argument, &result) != napi_ok) {
    status = carry(env, call);
  } else {
    char *text = text_of(env, result, &size); /* undefined is nothing */
    if (text) status = groot_call_set_result(call, text, size);
    free(text);
  }
  napi_close_handle_scope(env, scope);
  return status;
}

static groot_status forward(void *functions, const char *json, size_t size, groot_call *call) {
  return run(functions, 0, json, size, call);
}

static groot_status reverse(void *functions, const char *json, size_t size, groot_call *call) {
  return run(functions, 1, json, size, call);
}

/* ---- Functions ------------------------------------------------------------------------------- */

#define ARGUMENTS(expected)                              \
  napi_value argument[expected] = {NULL};                \
  size_t count = (expected);                             \
  napi_get_cb_info(env, info, &count, argument, NULL, NULL)

/* A handle that close, or the garbage collector, frees. */
static void finalize_registry(napi_env env, void *data, void *hint) {
  (void)env, (void)hint;
  groot_registry_free(data);
}

static void finalize_context(napi_env env, void *data, void *hint) {
  (void)env, (void)hint;
  groot_context **context = data;
  groot_context_free(*context);
  free(context);
}

static napi_value registry_create(napi_env env, napi_callback_info info) {
  (void)info;
  groot_registry *registry = NULL;
  groot_error *error = NULL;
  napi_value value = NULL;
  if (groot_registry_create(&registry, &error) != GROOT_OK) return fail(env, error);
  napi_create_external(env, registry, finalize_registry, NULL, &value);
  return value;
}

/* register(registry, kind, name, function, reverse) */
static napi_value registry_register(napi_env env, napi_callback_info info) {
  ARGUMENTS(5);
  groot_registry *registry = pointer_of(env, argument[0]);
  groot_error *error = NULL;
  size_t size = 0;
  char *kind = text_of(env, argument[1], &size), *name = text_of(env, argument[2], &size);
  kept *functions = calloc(1, sizeof *functions);
  if (!kind || !name || !functions) abort();
  functions->env = env;
  napi_create_reference(env, argument[3], 1, &functions->values[0]);
  napi_create_reference(env, argument[4], 1, &functions->values[1]);
  if (strcmp(kind, "transformer") == 0)
    groot_registry_set_transformer(registry, name, forward,
                                   functions->values[1] ? reverse : NULL, functions, release,
                                   &error);
  else if (strcmp(kind, "entityMapper") == 0)
    groot_registry_set_entity_mapper(registry, name, forward, functions, release, &error);
  else
    groot_registry_set_dictionary_transformer(registry, name, forward, functions, release, &error);
  free(kind);
  free(name);
  return error ? fail(env, error) : NULL;
}

/* createContext(document, registry) */
static napi_value context_create(napi_env env, napi_callback_info info) {
  ARGUMENTS(2);
  size_t size = 0;
  char *document = text_of(env, argument[0], &size);
  groot_model *model = NULL;
  groot_mapping *mapping = NULL;
  groot_context **context = calloc(1, sizeof *context);
  groot_error *error = NULL;
  napi_value value = NULL;
  if (context && groot_model_create(document, size, &model, &error) == GROOT_OK &&
      groot_mapping_create(model, pointer_of(env, argument[1]), NULL, &mapping, &error) == GROOT_OK)
    groot_context_create(mapping, context, &error);
  groot_mapping_free(mapping);
  groot_model_free(model);
  free(document);
  napi_create_external(env, context, finalize_context, NULL, &value);
  return error ? fail(env, error) : value;
}

static groot_context *context_of(napi_env env, napi_value value) {
  groot_context **context = pointer_of(env, value);
  return context ? *context : NULL;
}

static napi_value context_close(napi_env env, napi_callback_info info) {
  ARGUMENTS(1);
  groot_context **context = pointer_of(env, argument[0]);
  groot_context_free(*context);
  *context = NULL; /* every other function then throws */
  return NULL;
}

static napi_value ids(napi_env env, groot_objects *objects) {
  napi_value list = NULL;
  napi_create_array(env, &list);
  for (uint32_t i = 0; i < groot_objects_count(objects); i++)
    napi_set_element(env, list, i, number_value(env, (double)groot_objects_at(objects, i)));
  groot_objects_free(objects);
  return list;
}

/* load(context, entity, json) */
static napi_value context_import(napi_env env, napi_callback_info info) {
  ARGUMENTS(3);
  size_t size = 0, length = 0;
  char *entity = text_of(env, argument[1], &size), *json = text_of(env, argument[2], &length);
  groot_objects *objects = NULL;
  groot_error *error = NULL;
  groot_import_text(context_of(env, argument[0]), entity, json, length, NULL, &objects, &error);
  free(entity);
  free(json);
  return error ? fail(env, error) : ids(env, objects);
}

/* count(context, entity) */
static napi_value context_count(napi_env env, napi_callback_info info) {
  ARGUMENTS(2);
  size_t size = 0, objects = 0;
  char *entity = text_of(env, argument[1], &size);
  groot_error *error = NULL;
  groot_context_count(context_of(env, argument[0]), entity, NULL, &objects, &error);
  free(entity);
  return error ? fail(env, error) : number_value(env, (double)objects);
}

/* entity(context, object) */
static napi_value object_entity(napi_env env, napi_callback_info info) {
  ARGUMENTS(2);
  groot_string entity = {NULL, 0};
  groot_error *error = NULL;
  groot_object_entity(context_of(env, argument[0]), object_of(env, argument[1]), &entity, &error);
  return error ? fail(env, error) : text_value(env, entity.data, entity.size);
}

/* get(context, object, property): a to-one relationship is {id}, a to-many a list of numbers. */
static napi_value object_get(napi_env env, napi_callback_info info) {
  ARGUMENTS(3);
  groot_context *context = context_of(env, argument[0]);
  groot_object_id object = object_of(env, argument[1]);
  groot_error *error = NULL;
  groot_property property = -1;
  groot_value read = {0, 0, {0}};
  groot_objects *members = NULL;
  size_t size = 0;
  napi_value value = NULL;
  char *name = text_of(env, argument[2], &size);
  groot_object_property(context, object, name, &property, &error);
  free(name);
  if (error) return fail(env, error);
  if (groot_object_get(context, object, property, &read, &error) == GROOT_WRONG_TYPE) {
    groot_error_free(error);
    groot_object_members(context, object, property, &members, &error);
    return error ? fail(env, error) : ids(env, members);
  }
  if (error) return fail(env, error);
  switch (read.kind) {
    case GROOT_VALUE_NULL: napi_get_null(env, &value); return value;
    case GROOT_VALUE_REAL: return number_value(env, read.as.real);
    case GROOT_VALUE_INTEGER:
    case GROOT_VALUE_DATE:
    case GROOT_VALUE_DAY: return number_value(env, (double)read.as.integer);
    case GROOT_VALUE_BOOLEAN: napi_get_boolean(env, read.as.integer != 0, &value); return value;
    case GROOT_VALUE_OBJECT:
      napi_create_object(env, &value);
      set(env, value, "id", number_value(env, (double)read.as.object));
      return value;
    default: return text_value(env, read.as.text.data, read.as.text.size);
  }
}

/* export(context, object) */
static napi_value object_export(napi_env env, napi_callback_info info) {
  ARGUMENTS(2);
  groot_buffer json = {NULL, 0};
  groot_error *error = NULL;
  groot_export_object_text(context_of(env, argument[0]), object_of(env, argument[1]), NULL, &json,
                           &error);
  if (error) return fail(env, error);
  napi_value value = text_value(env, json.data, json.size);
  groot_buffer_free(&json);
  return value;
}

NAPI_MODULE_INIT() {
  static const struct {
    const char *name;
    napi_callback function;
  } functions[] = {
      {"createRegistry", registry_create}, {"register", registry_register},
      {"createContext", context_create},   {"close", context_close},
      {"load", context_import},            {"count", context_count},
      {"entity", object_entity},           {"get", object_get},
      {"export", object_export},
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    napi_value function = NULL;
    napi_create_function(env, functions[i].name, NAPI_AUTO_LENGTH, functions[i].function, NULL,
                         &function);
    set(env, exports, functions[i].name, function);
  }
  return exports;
}
