/*
 * A tour of Groot from C: JSON to a linked graph of objects, and back.
 *
 * Compile it against an installed library, and run it beside the model:
 *
 *     cc tour.c -o tour $(pkg-config --cflags --libs groot)
 *     ./tour ../comics.json
 *
 * Straight from a build, without installing: PKG_CONFIG_PATH=build/lib, LD_LIBRARY_PATH=build/lib.
 * The same tour in Python and in Swift prints the same lines (../expected-tour.txt).
 */
#include <groot.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The names that the model mentions: functions from one JSON value to another ------------- */

/* "1699" becomes 1699: what is between the quotation marks. */
static groot_status string_to_integer(void *userdata, const char *value, size_t size,
                                      groot_call *call) {
  (void)userdata;
  if (*value != '"' || size < 3 || strspn(value + 1, "0123456789") != size - 2) {
    groot_call_set_message(call, "expected digits", GROOT_NTS);
    return GROOT_TRANSFORM_FAILED;
  }
  return groot_call_set_result(call, value + 1, size - 2);
}

/* And back, for export. */
static groot_status integer_to_string(void *userdata, const char *value, size_t size,
                                      groot_call *call) {
  (void)userdata, (void)size;
  char text[32];
  snprintf(text, sizeof text, "\"%s\"", value);
  return groot_call_set_result(call, text, GROOT_NTS);
}

/* For a look inside a value there are functions that get it from jansson: which entity a message
 * is; none for a type that is not known. */
static groot_status map_message(void *userdata, json_t *value, json_t **result, groot_call *call) {
  (void)userdata, (void)call;
  const char *type = json_string_value(json_object_get(value, "type"));
  if (type && strcmp(type, "text") == 0) *result = json_string("TextMessage");
  if (type && strcmp(type, "picture") == 0) *result = json_string("PictureMessage");
  return GROOT_OK;
}

/* Old JSON says legacy_id where new JSON says id. Nothing as result: the object as it is. */
static groot_status upgrade_character(void *userdata, json_t *value, json_t **result,
                                      groot_call *call) {
  (void)userdata, (void)call;
  json_t *legacy = json_object_get(value, "legacy_id");
  if (legacy) {
    *result = json_copy(value);
    json_object_set(*result, "id", legacy);
  }
  return GROOT_OK;
}

/* ---- Helpers: this program ends at the first error ------------------------------------------- */

static groot_error *error; /* the last argument of every call */

static void must(groot_status status) {
  if (status == GROOT_OK) return;
  fprintf(stderr, "%s: %s\n", groot_status_name(status), groot_error_text(error).data);
  exit(1);
}

static groot_context *comics;

/* Imports text; the first object it gives. */
static groot_object_id import(const char *entity, const char *text) {
  groot_objects *objects = NULL;
  must(groot_import_text(comics, entity, text, GROOT_NTS, NULL, &objects, &error));
  groot_object_id first = groot_objects_at(objects, 0);
  groot_objects_free(objects);
  return first;
}

static groot_property property_of(groot_object_id object, const char *name) {
  groot_property property = 0;
  must(groot_object_property(comics, object, name, &property, &error));
  return property;
}

static groot_value get(groot_object_id object, const char *name) {
  groot_value value;
  must(groot_object_get(comics, object, property_of(object, name), &value, &error));
  return value;
}

static void print_text(groot_object_id object, const char *name, const char *if_none) {
  groot_value value = get(object, name);
  if (value.kind == GROOT_VALUE_NULL) {
    printf("%s", if_none);
  } else {
    printf("%.*s", (int)value.as.text.size, value.as.text.data);
  }
}

/* The names of the members of a to-many relationship. */
static void print_names(groot_object_id object, const char *relationship) {
  groot_objects *members = NULL;
  must(groot_object_members(comics, object, property_of(object, relationship), &members, &error));
  for (size_t i = 0; i < groot_objects_count(members); i++) {
    if (i > 0) printf(", ");
    print_text(groot_objects_at(members, i), "name", "not known yet");
  }
  printf("\n");
  groot_objects_free(members);
}

static void describe(groot_object_id hero) {
  printf("   ");
  print_text(hero, "name", "");
  printf(" (");
  print_text(hero, "realName", "nobody knows");
  printf("), ");
  print_text(get(hero, "publisher").as.object, "name", "");
  printf(": ");
  print_names(hero, "powers");
}

static size_t count_of(const char *entity) {
  size_t count = 0;
  must(groot_context_count(comics, entity, NULL, &count, &error));
  return count;
}

static void describe_graph(void) {
  printf("   %zu characters, %zu powers, %zu publishers\n", count_of("Character"),
         count_of("Power"), count_of("Publisher"));
}

/* ---- The tour -------------------------------------------------------------------------------- */

/* A model says what there is and which JSON key feeds what; a mapping is a model compiled with the
 * functions it names; a context holds the objects. Each keeps alive what it was made from. */
static void open_comics(const char *model_path) {
  groot_model *model = NULL;
  must(groot_model_create_file(model_path, &model, &error));

  groot_registry *registry = NULL;
  must(groot_registry_create(&registry, &error));
  must(groot_registry_set_transformer(registry, "StringToInteger", string_to_integer,
                                      integer_to_string, NULL, NULL, &error));
  must(groot_registry_set_entity_mapper_json(registry, "MessageMapper", map_message, NULL, NULL,
                                             &error));
  must(groot_registry_set_dictionary_transformer_json(registry, "LegacyCharacter",
                                                      upgrade_character, NULL, NULL, &error));

  groot_mapping *mapping = NULL;
  must(groot_mapping_create(model, registry, NULL, &mapping, &error));
  must(groot_context_create(mapping, &comics, &error));
  groot_mapping_free(mapping);
  groot_registry_free(registry);
  groot_model_free(model);
}

static void import_messages(void) {
  static const char json[] =
      "[{\"id\": 1, \"type\": \"text\", \"text\": \"Hello there!\"},"
      " {\"id\": 2, \"type\": \"picture\", \"image_url\": \"https://example.com/signal.jpg\"}]";
  groot_objects *messages = NULL;
  must(groot_import_text(comics, "Message", json, GROOT_NTS, NULL, &messages, &error));
  for (size_t i = 0; i < groot_objects_count(messages); i++) {
    groot_object_id message = groot_objects_at(messages, i);
    groot_string entity;
    must(groot_object_entity(comics, message, &entity, &error));
    printf("   %s %lld: ", entity.data, (long long)get(message, "identifier").as.integer);
    print_text(message, strcmp(entity.data, "TextMessage") == 0 ? "text" : "imageURL", "");
    printf("\n");
  }
  groot_objects_free(messages);
}

static void import_a_mistake(void) {
  static const char json[] =
      "[{\"id\": \"1702\", \"name\": \"Joker\"}, {\"id\": \"1699\", \"powers\": \"none\"}]";
  groot_status status =
      groot_import_text(comics, "Character", json, GROOT_NTS, NULL, NULL, &error);
  groot_issue issue = GROOT_ISSUE_INIT;
  if (status != GROOT_OK && groot_error_issue(error, 0, &issue) == GROOT_OK)
    printf("   refused: %s.%s at %s\n", issue.entity.data, issue.property.data, issue.path.data);
  groot_error_free(error);
  error = NULL;
}

static void export(groot_object_id hero) {
  groot_buffer text = {NULL, 0};
  must(groot_export_object_text(comics, hero, NULL, &text, &error));
  printf("   %s\n", text.data);
  groot_buffer_free(&text);
}

int main(int argc, char **argv) {
  open_comics(argc > 1 ? argv[1] : "examples/comics.json");

  puts("1. Import a hero with everything that belongs to him");
  groot_object_id batman = import(
      "Character",
      "{\"id\": \"1699\", \"name\": \"Batman\","
      " \"powers\": [{\"id\": \"4\", \"name\": \"Agility\"},"
      " {\"id\": \"9\", \"name\": \"Insanely Rich\"}],"
      " \"publisher\": {\"id\": \"10\", \"name\": \"DC Comics\"}}");
  describe(batman);
  describe_graph();

  puts("2. Import the same id again: the same object is updated");
  groot_object_id again = import("Character", "{\"id\": \"1699\", \"real_name\": \"Bruce Wayne\"}");
  printf("   the same object: %s\n", again == batman ? "yes" : "no");
  describe(batman);
  describe_graph();

  puts("3. Import a sidekick whose powers and publisher are mere ids");
  groot_object_id robin =
      import("Character",
             "{\"id\": \"1700\", \"name\": \"Robin\", \"real_name\": \"Tim Drake\","
             " \"powers\": [\"4\", \"12\"], \"publisher\": \"10\"}");
  describe(robin);
  describe_graph();

  puts("4. Import the power that was missing: every link is in place");
  import("Power", "[{\"id\": \"12\", \"name\": \"Bo Staff\"}]");
  describe(robin);
  groot_object_id publisher = get(batman, "publisher").as.object;
  printf("   ");
  print_text(publisher, "name", "");
  printf(" publishes ");
  print_names(publisher, "characters");

  puts("5. Import old JSON, which a function brings up to date first");
  groot_object_id alfred = import("Character", "{\"legacy_id\": \"1701\", \"name\": \"Alfred\"}");
  printf("   ");
  print_text(alfred, "name", "");
  printf(" has the id %lld\n", (long long)get(alfred, "identifier").as.integer);

  puts("6. Import messages, whose entity a function finds");
  import_messages();

  puts("7. Import a mistake: nothing changes, and the error says where it is");
  import_a_mistake();
  describe_graph();

  puts("8. Export");
  export(batman);

  groot_context_free(comics);
  return 0;
}
