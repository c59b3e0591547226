/* JSON of each shape: path elements, forms, policies, error modes. A new one is a line below. */
#include "growth.h"

#include <stdlib.h>
#include <string.h>

/* ---- what models are made of ----------------------------------------------------------------- */

#define AT(path) "'userInfo': {'JSONKeyPath': '" path "'}"
#define OF(type, name, path) "'" name "': {'type': '" type "', 'optional': true, " AT(path) "}"
#define NUMBER(name, path) OF("integer64", name, path)
#define TEXT(name, path) OF("string", name, path)
#define ANY(name, path) OF("transformable", name, path)
#define ID NUMBER("id", "id")
#define ONE(name, entity, path) \
  "'" name "': {'destination': '" entity "', 'optional': true, " AT(path) "}"
#define MANY_LIKE(name, entity, path, more) \
  "'" name "': {'destination': '" entity "', 'optional': true, 'toMany': true," \
  " 'userInfo': {'JSONKeyPath': '" path "'" more "}}"
#define MANY(name, entity, path) MANY_LIKE(name, entity, path, "")
#define ENTITY_LIKE(name, identity, attributes, relationships) \
  "'" name "': {'userInfo': {'identityAttributes': '" identity "}, 'attributes': {" attributes \
  "}, 'relationships': {" relationships "}}"
#define ENTITY(name, identity, attributes, relationships) \
  ENTITY_LIKE(name, identity "'", attributes, relationships)
#define MODEL(entities) "{'entities': {" entities "}}"
#define ALONE(attributes) MODEL(ENTITY("A", "id", ID "," attributes, ""))
#define LIKE(more, attributes) MODEL(ENTITY_LIKE("A", "id', " more, ID "," attributes, ""))

/* A with members B at `c`, and what else the two have. */
#define OWNER_LIKE(attributes, relationships, more) \
  MODEL(ENTITY("A", "id", ID, MANY_LIKE("list", "B", "c", more)) "," \
        ENTITY("B", "id", ID "," attributes, relationships))
#define OWNER(attributes, relationships) OWNER_LIKE(attributes, relationships, "")

static const char plain[] = ALONE(NUMBER("v", "v") "," TEXT("t", "t"));
static const char owner[] = OWNER(NUMBER("v", "v"), "");
static const char rows[] =
    MODEL(ENTITY("A", "id", NUMBER("id", "[0]") "," TEXT("v", "[1].v[0]"), ""));
static const char lists[] =
    MODEL(ENTITY("A", "id", ID "," ANY("all", "a[].b"), MANY("list", "B", "c[].d")) ","
          ENTITY("B", "id", ID, ""));
static const char by_position[] =
    MODEL(ENTITY("A", "id", ID,
                 "'list': {'destination': 'B', 'optional': true, 'toMany': true, 'inverse': 'a',"
                 " 'deleteRule': 'cascade', 'userInfo': {'JSONKeyPath': 'c',"
                 " 'groot.assignment': 'deleteMissing'}}") ","
          ENTITY("B", "a, at", NUMBER("at", "@index") "," NUMBER("v", "v"),
                 "'a': {'destination': 'A', 'optional': true, 'inverse': 'list'}"));
static const char keyed[] =
    MODEL(ENTITY("A", "id", ID, MANY_LIKE("list", "B", "c", ", 'groot.form': 'keyed'")) ","
          ENTITY("B", "k", TEXT("k", "@key") "," NUMBER("v", "@value") "," NUMBER("w", "w"), ""));
static const char grouped[] =
    MODEL(ENTITY("A", "id", ID, MANY_LIKE("list", "B", "c", ", 'groot.form': 'grouped'")) ","
          ENTITY("B", "id", ID "," TEXT("k", "@key"), ""));
static const char values[] =
    MODEL(ENTITY("A", "id", ID, MANY("list", "B", "c")) ","
          ENTITY("B", "v", NUMBER("v", "@value") "," NUMBER("w", "w"), ""));
static const char top_keyed[] =
    MODEL(ENTITY("A", "k", TEXT("k", "@key") "," NUMBER("v", "v"), ""));
static const char top_grouped[] =
    MODEL(ENTITY("A", "id", ID "," TEXT("k", "@key"), ""));
static const char rest[] = ALONE(ANY("rest", "@rest"));
static const char parent_text[] = OWNER(TEXT("big", "@parent.big"), "");
static const char parent_any[] = OWNER(ANY("big", "@parent.big"), "");
static const char root_text[] = OWNER(TEXT("big", "@root.big"), "");
static const char root_links[] = OWNER(NUMBER("v", "v"), ONE("one", "B", "@root.x"));
static const char root_list[] =
    MODEL(ENTITY("A", "id", ID, MANY("list", "O", "o")) ","
          ENTITY("O", "id", ID, MANY("list", "B", "@root.list")) "," ENTITY("B", "id", ID, ""));
static const char parent_links[] = OWNER(NUMBER("v", "v"), ONE("one", "B", "@parent.x"));
static const char kinds[] =
    MODEL("'A': {'abstract': true, 'userInfo': {'identityAttributes': 'id',"
          " 'groot.discriminator': 'kind', 'groot.unknownDiscriminator': 'skip'},"
          " 'attributes': {" ID "}},"
          "'B': {'parent': 'A', 'attributes': {" NUMBER("b", "b") "}},"
          "'C': {'parent': 'A', 'userInfo': {'groot.discriminatorValue': 'c'}}");
static const char versions[] =
    LIKE("'groot.version': 'v', 'groot.tombstone': 'gone=true'",
         NUMBER("v", "v") "," TEXT("t", "t"));
static const char marks[] =
    LIKE("'groot.deletionMark': 'gone'", "'gone': {'type': 'boolean', 'default': false}");
static const char unknown_keys[] = LIKE("'groot.unknownKeys': 'report'", NUMBER("v", "v"));
static const char unions[] = OWNER_LIKE(NUMBER("v", "v"), "", ", 'groot.assignment': 'union'");
static const char deleting[] =
    OWNER_LIKE(NUMBER("v", "v"), "", ", 'groot.assignment': 'deleteMissing'");
static const char boxed[] = OWNER_LIKE(NUMBER("v", "v"), "", ", 'groot.shape': 'box'");
static const char defaults[] =
    ALONE("'v': {'type': 'string', 'default': 'a text', " AT("v") "}");
static const char linked[] =
    MODEL(ENTITY("A", "id", ID "," NUMBER("v", "v"),
                 "'list': {'destination': 'A', 'optional': true, 'toMany': true, 'inverse': 'one',"
                 " " AT("c") "}, 'one': {'destination': 'A', 'optional': true, 'inverse': 'list',"
                 " " AT("one") "}"));
static const char documents[] =
    MODEL(ENTITY("A", "id", ID, ONE("one", "B", "one")) "," ENTITY("B", "id", ID, "") ","
          ENTITY("K", "k", TEXT("k", "@key") "," NUMBER("v", "v"), "") ","
          ENTITY("G", "id", ID "," TEXT("k", "@key"), ""));
static const char roots[] =
    "{'/a': 'A', '/in/b': 'B', '/k': {'entity': 'K', 'form': 'keyed'},"
    " '/g': {'entity': 'G', 'form': 'grouped'}}";
static const char document_feed[] =
    "{'a': [({'id': #, 'one': {'id': #}})], 'in': {'b': [({'id': ^})]}, 'k': {('k#': {'v': #})},"
    " 'g': {'0': [({'id': #})]}}";

/* ---- feeds ----------------------------------------------------------------------------------- */

/** Writes one character of a feed, or what it stands for. */
static void add_part(builder *text, char part, size_t n, size_t index) {
  if (part == '#') {
    add(text, "%lu", (unsigned long)index);
  } else if (part == '^') {
    add(text, "%lu", (unsigned long)(n + 1 - index));
  } else if (part == '~') {
    for (size_t count = 0; count < n; count++) add(text, "sixteen letters.");
  } else {
    add(text, "%c", part == '\'' ? '"' : part);
  }
}

static void set_feed(scene *scene, const char *feed) {
  builder text = {0};
  for (const char *part = feed; *part; part++) {
    if (*part != '(') {
      add_part(&text, *part, scene->n, 0);
      continue;
    }
    const char *inside = part + 1;
    for (size_t index = 1; index <= scene->n; index++) {
      if (index > 1) add(&text, ",");
      for (part = inside; *part != ')'; part++) add_part(&text, *part, scene->n, index);
    }
  }
  set_text(scene, text);
}

static char *quoted(const char *text) {
  if (!text) return NULL;
  builder copy = {0};
  add(&copy, "%s", text);
  quote(copy.data);
  return copy.data;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static void run_import(scene *scene) {
  const shape *shape = scene->shape;
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  groot_buffer report = {NULL, 0};
  options.flags = shape->flags;
  options.form = shape->form;
  options.errors = shape->errors;
  options.max_issues = GROOT_UNLIMITED;
  options.policies = scene->other;
  options.report = &report;
  groot_status status = groot_import_text(scene->context, shape->entity, scene->text,
                                          scene->length, &options, NULL, &error);
  if (shape->fails) {
    must_fail(status);
  } else {
    must(status);
  }
  groot_buffer_free(&report);
}

static void run_sync(scene *scene) {
  const shape *shape = scene->shape;
  groot_sync_options options = GROOT_SYNC_OPTIONS_INIT;
  groot_buffer report = {NULL, 0};
  options.flags = shape->flags;
  options.form = shape->form;
  options.max_issues = GROOT_UNLIMITED;
  options.max_deletion_share = 1;
  options.report = &report;
  must(groot_sync_text(scene->context, shape->entity, scene->text, scene->length, &options, NULL,
                       &error));
  groot_buffer_free(&report);
}

static void run_export(scene *scene) {
  const shape *shape = scene->shape;
  groot_export_options options = GROOT_EXPORT_OPTIONS_INIT;
  groot_objects *all = NULL;
  groot_buffer text = {NULL, 0};
  options.form = shape->form;
  if (shape->entity) {
    must(groot_context_fetch(scene->context, shape->entity, NULL, &all, &error));
    must(groot_export_objects_text(scene->context, groot_objects_data(all), groot_objects_count(all),
                           &options, &text, &error));
  } else {
    must(groot_export_document_text(scene->context, &options, &text, &error));
  }
  groot_buffer_free(&text);
  groot_objects_free(all);
}

/** Fills the first object. */
static void run_fill(scene *scene) {
  groot_objects *all = NULL;
  must(groot_context_fetch(scene->context, scene->shape->entity, "{\"limit\": 1}", &all, &error));
  must(groot_object_fill_text(scene->context, groot_objects_at(all, 0), scene->text,
                              scene->length, NULL, &error));
  groot_objects_free(all);
}

void prepare_shape(scene *scene) {
  const shape *shape = scene->shape;
  groot_mapping_options options = GROOT_MAPPING_OPTIONS_INIT;
  char *model = quoted(shape->model), *places = quoted(shape->roots);
  options.roots = places;
  options.roots_length = places ? GROOT_NTS : 0;
  must(groot_model_create(model, strlen(model), &scene->model, &error));
  must(groot_registry_create(&scene->registry, &error));
  must(groot_mapping_create(scene->model, scene->registry, &options, &scene->mapping, &error));
  must(groot_context_create(scene->mapping, &scene->context, &error));
  free(model);
  free(places);
  if (shape->before) {
    groot_import_options import = GROOT_IMPORT_OPTIONS_INIT;
    import.form = shape->form;
    set_feed(scene, shape->before);
    must(groot_import_text(scene->context, shape->entity, scene->text, scene->length, &import,
                           NULL, &error));
    must(groot_context_save(scene->context, &error));
  }
  if (shape->feed) set_feed(scene, shape->feed);
  scene->other = quoted(shape->policies);
}

/* ---- the table ------------------------------------------------------------------------------ */

#define IMPORT(name, model, feed) name, run_import, model, "A", NULL, feed
#define AGAIN(name, model, before, feed) name, run_import, model, "A", before, feed
#define SYNC(name, model, before, feed) name, run_sync, model, "A", before, feed
#define EXPORT(name, model, before) name, run_export, model, "A", before, NULL
#define END NULL, NULL, 0, 0, 0, 0
#define PLAIN(...) {__VA_ARGS__, END}
#define WITH(policy, ...) {__VA_ARGS__, policy, NULL, 0, 0, 0, 0}
#define FORM(form, ...) {__VA_ARGS__, NULL, NULL, 0, form, 0, 0}
#define ERRORS(errors, fails, ...) {__VA_ARGS__, NULL, NULL, 0, 0, errors, fails}
#define FLAGS(flags, ...) {__VA_ARGS__, NULL, NULL, flags, 0, 0, 0}
#define FAILING(policy, ...) {__VA_ARGS__, policy, NULL, 0, 0, GROOT_ERRORS_COLLECT, 1}

#define KEYED GROOT_FORM_KEYED
#define GROUPED GROOT_FORM_GROUPED
#define ABORT GROOT_ERRORS_ABORT
#define COLLECT GROOT_ERRORS_COLLECT
#define SKIP GROOT_ERRORS_SKIP

static const char good[] = "[({'id': #, 'v': #})]";
static const char wrong[] = "[({'id': #, 'v': 'x'})]";
static const char one_list[] = "[{'id': 1, 'c': [({'id': #, 'v': #})]}]";
static const char many_lists[] = "[({'id': #, 'c': [{'id': #, 'v': 1}, {'id': ^}]})]";
static const char fewer[] = "[({'id': #, 'c': [{'id': ^}]})]";
static const char identifiers[] = "[{'id': 1, 'c': [(#)]}]";
static const char own_rest[] = "[({'id': #, 'k#': #, 'in': {'l#': [#]}})]";
static const char big_parent[] = "[{'id': 1, 'big': '~', 'c': [({'id': #})]}]";
static const char big_root[] = "{'id': 1, 'big': '~', 'c': [({'id': #})]}";

const shape shapes[] = {
    /* Path elements */
    PLAIN(IMPORT("rows", rows, "[([#, {'v': ['a', 'b']}])]")),
    PLAIN(EXPORT("rows-export", rows, "[([#, {'v': ['a', 'b']}])]")),
    PLAIN(IMPORT("lists-one", lists, "[{'id': 1, 'a': [({'b': #})], 'c': [({'d': {'id': #}})]}]")),
    PLAIN(IMPORT("lists-many", lists, "[({'id': #, 'a': [{'b': #}], 'c': [{'d': {'id': #}}]})]")),
    PLAIN(EXPORT("lists-export", lists,
                 "[{'id': 1, 'a': [({'b': #})], 'c': [({'d': {'id': #}})]}]")),
    PLAIN(IMPORT("index", by_position, "[{'id': 1, 'c': [({'v': #})]}]")),
    PLAIN(AGAIN("index-again", by_position, "[{'id': 1, 'c': [({'v': #})]}]",
                "[{'id': 1, 'c': [({'v': ^})]}]")),
    PLAIN(EXPORT("index-export", by_position, "[{'id': 1, 'c': [({'v': #})]}]")),
    PLAIN(IMPORT("keyed", keyed, "[{'id': 1, 'c': {('k#': {'w': #})}}]")),
    PLAIN(IMPORT("keyed-values", keyed, "[{'id': 1, 'c': {('k#': #)}}]")),
    PLAIN(EXPORT("keyed-export", keyed, "[{'id': 1, 'c': {('k#': {'w': #})}}]")),
    PLAIN(IMPORT("grouped", grouped, "[{'id': 1, 'c': {('k#': [{'id': #}])}}]")),
    PLAIN(IMPORT("grouped-one", grouped, "[{'id': 1, 'c': {'k': [({'id': #})]}}]")),
    PLAIN(IMPORT("grouped-long-key", grouped, "[{'id': 1, 'c': {'~': [({'id': #})]}}]")),
    PLAIN(EXPORT("grouped-export", grouped, "[{'id': 1, 'c': {('k#': [{'id': #}])}}]")),
    PLAIN(EXPORT("grouped-export-long-key", grouped, "[{'id': 1, 'c': {'~': [({'id': #})]}}]")),
    PLAIN(IMPORT("values", values, "[{'id': 1, 'c': [(#)]}]")),
    PLAIN(EXPORT("values-export", values, "[{'id': 1, 'c': [(#)]}]")),
    PLAIN(IMPORT("rest-many", rest, own_rest)),
    PLAIN(EXPORT("rest-export", rest, own_rest)),
    PLAIN(IMPORT("rest-repeated", rest, "[({'id': 1, 'k#': #})]")),
    PLAIN(IMPORT("rest-wide", rest, "[{'id': 1, ('k#': #)}, ({'id': 1, 'k#': ^})]")),
    PLAIN(AGAIN("rest-wide-again", rest, "[{'id': 1, ('k#': #)}]", "[({'id': 1, 'k#': ^})]")),
    PLAIN(IMPORT("parent-text", parent_text, big_parent)),
    PLAIN(EXPORT("parent-text-export", parent_text, big_parent)),
    PLAIN(IMPORT("parent-any", parent_any, big_parent)),
    PLAIN(EXPORT("parent-any-export", parent_any, big_parent)),
    PLAIN(IMPORT("parent-any-list", parent_any, "[{'id': 1, 'big': [(#)], 'c': [({'id': #})]}]")),
    PLAIN(IMPORT("root-text", root_text, big_root)),
    PLAIN(IMPORT("root-any", OWNER(ANY("big", "@root.big"), ""), big_root)),
    PLAIN(IMPORT("root-any-list", OWNER(ANY("big", "@root.big"), ""),
                 "{'id': 1, 'big': [(#)], 'c': [({'id': #})]}")),
    PLAIN(IMPORT("root-elements", OWNER(ANY("n", "@root.c[].n"), ""),
                 "{'id': 1, 'c': [({'id': #, 'n': #})]}")),
    PLAIN(IMPORT("root-link", root_links, "{'id': 1, 'x': {'id': 0}, 'c': [({'id': #})]}")),
    PLAIN(IMPORT("root-list", root_list,
                 "{'id': 1, 'o': [{'id': 1}, {'id': 2}, {'id': 3}], 'list': [({'id': #})]}")),
    PLAIN(IMPORT("parent-link", parent_links,
                 "[{'id': 1, 'x': {'id': 0}, 'c': [({'id': #})]}]")),
    /* Forms and documents */
    FORM(KEYED, IMPORT("top-keyed", top_keyed, "{('k#': {'v': #})}")),
    FORM(KEYED, EXPORT("top-keyed-export", top_keyed, "{('k#': {'v': #})}")),
    FORM(KEYED, SYNC("top-keyed-sync", top_keyed, "{('k#': {'v': #})}", "{('k#': {'v': ^})}")),
    FORM(GROUPED, IMPORT("top-grouped", top_grouped, "{('k#': [{'id': #}])}")),
    FORM(GROUPED, IMPORT("top-grouped-long-key", top_grouped, "{'~': [({'id': #})]}")),
    FORM(GROUPED, EXPORT("top-grouped-export", top_grouped, "{('k#': [{'id': #}])}")),
    {"document", run_import, documents, NULL, NULL, document_feed, NULL, roots, 0, 0, 0, 0},
    {"document-export", run_export, documents, NULL, document_feed, NULL, NULL, roots, 0, 0, 0, 0},
    /* Annotations of entities */
    PLAIN(IMPORT("kinds", kinds,
                 "[({'id': #, 'kind': 'B', 'b': #}), ({'id': #, 'kind': 'D'}),"
                 " ({'id': -#, 'kind': 'c'})]")),
    PLAIN(AGAIN("versions-stale", versions, "[({'id': #, 'v': 2})]", "[({'id': #, 'v': 1})]")),
    PLAIN(IMPORT("versions-repeated", versions, "[({'id': 1, 'v': #, 't': 'text'})]")),
    FLAGS(GROOT_CHANGES, AGAIN("tombstones", versions, "[({'id': #, 'v': 2})]",
                               "[({'id': #, 'v': 3, 'gone': true})]")),
    FLAGS(GROOT_SYNC_MARK, SYNC("marks", marks, "[({'id': #})]", "[{'id': 1}]")),
    FLAGS(GROOT_SYNC_MAX_DELETION_SHARE, SYNC("limit", marks, "[({'id': #})]", "[{'id': 1}]")),
    FLAGS(GROOT_SYNC_MAX_DELETION_SHARE | GROOT_SYNC_MARK,
          SYNC("limit-marks", marks, "[({'id': #})]", "[{'id': 1}]")),
    PLAIN(IMPORT("unknown-keys", unknown_keys, "[({'id': #, 'k': #})]")),
    PLAIN(IMPORT("unknown-keys-own", unknown_keys, "[({'id': #, 'k#': #})]")),
    PLAIN(IMPORT("unknown-keys-wide", unknown_keys, "[{'id': 1, ('k#': #)}]")),
    /* Policies */
    FLAGS(GROOT_CHANGES, AGAIN("union-one", unions, one_list, "[{'id': 1, 'c': [({'id': -#})]}]")),
    PLAIN(IMPORT("union-repeated", unions, "[({'id': 1, 'c': [{'id': #}]})]")),
    PLAIN(AGAIN("union-many", unions, many_lists, fewer)),
    FLAGS(GROOT_CHANGES, AGAIN("delete-missing-one", deleting, one_list, "[{'id': 1, 'c': []}]")),
    PLAIN(AGAIN("delete-missing-other", deleting, one_list, "[{'id': 1, 'c': [({'id': -#})]}]")),
    PLAIN(AGAIN("delete-missing-many", deleting, many_lists, fewer)),
    PLAIN(IMPORT("delete-missing-repeated", deleting, "[({'id': 1, 'c': [{'id': #}]})]")),
    WITH("{'assignment': 'deleteMissingObjects'}",
         AGAIN("delete-missing-objects", owner, many_lists, fewer)),
    WITH("{'unknownIdentifier': 'placeholder'}",
         IMPORT("unknown-placeholder", owner, identifiers)),
    WITH("{'unknownIdentifier': 'skip'}", IMPORT("unknown-skip", owner, identifiers)),
    WITH("{'unknownIdentifier': 'keep'}", IMPORT("unknown-keep", owner, identifiers)),
    FAILING("{'unknownIdentifier': 'error'}", IMPORT("unknown-error", owner, identifiers)),
    FAILING("{'unknownIdentifier': 'error'}",
            IMPORT("unknown-error-many", owner, "[({'id': #, 'c': [#]})]")),
    WITH("{'invalid': 'keep'}", IMPORT("invalid-keep", plain, wrong)),
    WITH("{'invalid': 'clear'}", IMPORT("invalid-clear", plain, wrong)),
    WITH("{'invalid': 'ignore'}", IMPORT("invalid-ignore", plain, wrong)),
    WITH("{'invalid': 'keep'}",
         IMPORT("invalid-keep-members", owner, "[{'id': 1, 'c': [({'id': #, 'v': 'x'})]}]")),
    WITH("{'emptyText': 'null'}", IMPORT("empty-text", plain, "[({'id': #, 't': ''})]")),
    WITH("{'null': 'default'}", IMPORT("null-default", defaults, "[({'id': #, 'v': null})]")),
    PLAIN(IMPORT("box", boxed, "[({'id': #, 'c': {'id': #}})]")),
    WITH("{'shape': 'ignore'}", IMPORT("shape-ignore", owner, "[({'id': #, 'c': {'id': #}})]")),
    WITH("{'conversion': 'coercing'}", IMPORT("coercing", plain, "[({'id': '#', 't': #})]")),
    WITH("{'missing': 'clear'}", AGAIN("missing-clear", owner, one_list, "[({'id': #})]")),
    /* Error modes */
    ERRORS(ABORT, 0, IMPORT("abort-good", plain, good)),
    ERRORS(ABORT, 1, IMPORT("abort-last", plain, "[({'id': #, 'v': #}), {'id': 'x'}]")),
    ERRORS(COLLECT, 0, IMPORT("collect-good", plain, good)),
    ERRORS(COLLECT, 1, IMPORT("collect-wrong", plain, wrong)),
    ERRORS(SKIP, 0, IMPORT("skip-good", plain, good)),
    ERRORS(SKIP, 0, IMPORT("skip-wrong", plain, wrong)),
    ERRORS(SKIP, 0, IMPORT("skip-both", plain, "[({'id': #, 'v': 'x'}), ({'id': #, 'v': #})]")),
    ERRORS(SKIP, 0, IMPORT("skip-repeated", plain, "[({'id': 1, 'v': 'x'})]")),
    ERRORS(SKIP, 0, IMPORT("skip-list-before", linked,
                           "[{'id': 0, 'c': [({'id': #})]}, ({'id': -#, 'v': 'x'})]")),
    ERRORS(SKIP, 0, IMPORT("skip-list-after", linked,
                           "[({'id': -#, 'v': 'x'}), {'id': 0, 'c': [({'id': #})]}]")),
    ERRORS(SKIP, 0, IMPORT("skip-list-linking", linked,
                           "[{'id': 0, 'c': [({'id': #})]}, ({'id': -#, 'one': 0, 'v': 'x'})]")),
    ERRORS(SKIP, 0, IMPORT("skip-list-linking-after", linked,
                           "[({'id': -#, 'one': 0, 'v': 'x'}), {'id': 0, 'c': [({'id': #})]}]")),
    ERRORS(SKIP, 0, IMPORT("skip-list-linking-object", linked,
                           "[{'id': 0, 'c': [({'id': #})]},"
                           " ({'id': -#, 'one': {'id': 0, 'v': 'x'}})]")),
    ERRORS(SKIP, 0, IMPORT("skip-list-owner-again", linked,
                           "[{'id': 0, 'c': [({'id': #})]}, ({'id': 0, 'v': 'x'})]")),
    ERRORS(SKIP, 0, IMPORT("skip-list-owner-before", linked,
                           "[({'id': 0, 'v': 'x'}), {'id': 0, 'c': [({'id': #})]}]")),
    ERRORS(SKIP, 0, IMPORT("skip-list-owner-list", linked,
                           "[{'id': 0, 'c': [({'id': #})]}, ({'id': 0, 'c': [#], 'v': 'x'})]")),
    ERRORS(SKIP, 0, IMPORT("skip-list-owner-null", linked,
                           "[{'id': 0, 'c': [({'id': #})]}, ({'id': 0, 'c': null, 'v': 'x'})]")),
    ERRORS(SKIP, 0, IMPORT("skip-list-owner-nested", linked,
                           "[{'id': 0, 'c': [({'id': #})]},"
                           " ({'id': -#, 'one': {'id': 0, 'c': []}, 'v': 'x'})]")),
    ERRORS(SKIP, 0, IMPORT("skip-list-members", linked,
                           "[{'id': 0, 'c': [({'id': #})]}, ({'id': #, 'v': 'x'})]")),
    ERRORS(SKIP, 0, IMPORT("skip-list-members-leave", linked,
                           "[{'id': 0, 'c': [({'id': #})]}, ({'id': #, 'one': -1, 'v': 'x'})]")),
    ERRORS(SKIP, 0, IMPORT("skip-list-good-links", linked,
                           "[{'id': 0, 'c': [({'id': #})]}, ({'id': -#, 'one': 0}),"
                           " ({'id': -#, 'v': 'x'})]")),
    ERRORS(SKIP, 0, AGAIN("skip-list-there", linked, "[{'id': 0, 'c': [({'id': #})]}]",
                          "[({'id': -#, 'one': 0, 'v': 'x'})]")),
    ERRORS(SKIP, 0, AGAIN("skip-list-there-leave", linked, "[{'id': 0, 'c': [({'id': #})]}]",
                          "[({'id': #, 'one': null, 'v': 'x'})]")),
    ERRORS(SKIP, 0, IMPORT("skip-root", root_links,
                           "[{'id': 1, 'c': [({'id': 'x'})]}, ({'id': #, 'c': 5})]")),
    ERRORS(SKIP, 0, IMPORT("skip-rest", rest, "[{'id': 1, ('k#': #)}, ({'id': 'x', 'k#': 1})]")),
    ERRORS(SKIP, 0, IMPORT("skip-rest-one", rest,
                           "[{'id': 1, ('k#': #)}, ({'id': 1, 'k#': ^}), {'id': 'x'}]")),
    ERRORS(SKIP, 0, IMPORT("skip-versions", versions,
                           "[({'id': #, 'v': 1}), ({'id': #, 'v': 'x'}), ({'id': #, 'v': 2})]")),
    /* Synchronizations, and filling one object */
    PLAIN(SYNC("sync-identifiers", plain, good, "[(#)]")),
    PLAIN(SYNC("sync-unidentified", plain, good, "[({'v': #})]")),
    FLAGS(GROOT_CHANGES, SYNC("sync-changes", owner, many_lists, fewer)),
    FLAGS(GROOT_CHANGES, AGAIN("moves-changes", linked, "[{'id': 0, 'c': [({'id': #})]}]",
                               "[({'id': #, 'one': -1})]")),
    PLAIN("fill-wide", run_fill, rest, "A", "[{'id': 1}]", "{('k#': #)}"),
    // Long enough to be seen beside the noise of the allocator.
    PLAIN("fill-long", run_fill, plain, "A", "[{'id': 1}]",
          "{'t': '~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~'}"),
    {NULL, NULL, NULL, NULL, NULL, NULL, END},
};
