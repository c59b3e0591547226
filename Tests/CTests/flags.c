/* Flags: each has a bit of its own, and is taken by the calls that it is for and by no other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support.h"

static groot_error *error;
static const size_t nts = GROOT_NTS;
static char folder[] = "/tmp/groot-flags-XXXXXX";
static char store[64], file[64];

static const char document[] =
    "{'entities': {'Hero': {'userInfo': {'identityAttributes': 'id', 'groot.deletionMark': 'gone'},"
    "'attributes': {"
    "'id': {'type': 'integer64', 'userInfo': {'JSONKeyPath': 'id'}},"
    "'gone': {'type': 'boolean', 'optional': true},"
    "'name': {'type': 'string', 'optional': true, 'userInfo': {'JSONKeyPath': 'name'}}}}}}";

/* ---- every call that has flags --------------------------------------------------------------- */

typedef struct scene {
  fixture fixture;
  groot_object_id hero;
  groot_mapping *rules;
  json_t *empty, *hollow;
} scene;

/* A call with flags, and with what some of them need; the error goes to `error`. */
typedef groot_status call(scene *s, uint32_t flags);

#define IMPORT(name, function)                                \
  static groot_status name(scene *s, uint32_t flags) {        \
    groot_import_options options = GROOT_IMPORT_OPTIONS_INIT; \
    groot_context *context = s->fixture.context;              \
    options.flags = flags;                                    \
    return function;                                          \
  }
#define SYNC(name, function)                              \
  static groot_status name(scene *s, uint32_t flags) {    \
    groot_sync_options options = GROOT_SYNC_OPTIONS_INIT; \
    options.flags = flags;                                \
    options.where = "{\"id\": 0}";                        \
    return function;                                      \
  }
#define EXPORT(name, function)                                \
  static groot_status name(scene *s, uint32_t flags) {        \
    groot_export_options options = GROOT_EXPORT_OPTIONS_INIT; \
    groot_context *context = s->fixture.context;              \
    groot_buffer text = {NULL, 0};                            \
    json_t *json = NULL;                                      \
    options.flags = flags;                                    \
    options.mapping = s->rules;                               \
    groot_status status = function;                           \
    groot_buffer_free(&text);                                 \
    json_decref(json);                                        \
    return status;                                            \
  }

static groot_status swallow(void *userdata, const char *data, size_t size) {
  (void)userdata, (void)data, (void)size;
  return GROOT_OK;
}

IMPORT(import_text, groot_import_text(context, "Hero", "", 0, &options, NULL, &error))
IMPORT(import_json, groot_import_json(context, "Hero", s->empty, &options, NULL, &error))
IMPORT(import_file, groot_import_file(context, "Hero", file, &options, NULL, &error))
IMPORT(fill_text, groot_object_fill_text(context, s->hero, "{}", nts, &options, &error))
IMPORT(fill_json, groot_object_fill_json(context, s->hero, s->hollow, &options, &error))
SYNC(sync_text, groot_sync_text(s->fixture.context, "Hero", "[]", nts, &options, NULL, &error))
SYNC(sync_json, groot_sync_json(s->fixture.context, "Hero", s->empty, &options, NULL, &error))
SYNC(sync_file, groot_sync_file(s->fixture.context, "Hero", file, &options, NULL, &error))
EXPORT(export_text, groot_export_objects_text(context, &s->hero, 1, &options, &text, &error))
EXPORT(export_json, groot_export_objects_json(context, &s->hero, 1, &options, &json, &error))
EXPORT(export_one, groot_export_object_text(context, s->hero, &options, &text, &error))
EXPORT(export_one_json, groot_export_object_json(context, s->hero, &options, &json, &error))
EXPORT(export_write, groot_export_objects_write(context, &s->hero, 1, &options, swallow, NULL, &error))
EXPORT(export_file, groot_export_objects_file(context, &s->hero, 1, &options, file, &error))
EXPORT(document_text, groot_export_document_text(context, &options, &text, &error))
EXPORT(document_json, groot_export_document_json(context, &options, &json, &error))
EXPORT(document_write, groot_export_document_write(context, &options, swallow, NULL, &error))
EXPORT(document_file, groot_export_document_file(context, &options, file, &error))
EXPORT(fetch_write,
       groot_export_fetch_write(context, "Hero", NULL, &options, swallow, NULL, &error))
EXPORT(fetch_file, groot_export_fetch_file(context, "Hero", NULL, &options, file, &error))

static groot_status begin(scene *s, uint32_t flags) {
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  groot_stream *stream = NULL;
  options.flags = flags;
  groot_status status = groot_stream_begin(s->fixture.context, "Hero", &options, &stream, &error);
  CHECK((stream == NULL) == (status != GROOT_OK));
  groot_stream_cancel(stream);
  return status;
}

static groot_status create_mapping(scene *s, uint32_t flags) {
  groot_mapping_options options = GROOT_MAPPING_OPTIONS_INIT;
  groot_mapping *mapping = NULL;
  options.flags = flags;
  groot_status status = groot_mapping_create(s->fixture.model, NULL, &options, &mapping, &error);
  groot_mapping_free(mapping);
  return status;
}

static groot_status open_store(scene *s, uint32_t flags) {
  groot_store_options options = GROOT_STORE_OPTIONS_INIT;
  groot_context *context = NULL;
  options.flags = flags;
  groot_status status = groot_context_open(s->fixture.mapping, store, &options, &context, &error);
  groot_context_free(context);
  return status;
}

static groot_status describe(scene *s, uint32_t flags) {
  groot_buffer text = {NULL, 0};
  groot_context *context = NULL;
  groot_status status = groot_context_open(s->fixture.mapping, store, NULL, &context, &error);
  groot_context_free(context);
  if (status == GROOT_OK) status = groot_store_describe(store, flags, &text, &error);
  groot_buffer_free(&text);
  return status;
}

/* ---- the table ------------------------------------------------------------------------------- */

/* Which calls a flag is for. */
enum { of_import = 1, of_sync = 2, of_fill = 4, of_mapping = 16, of_store = 32, of_description = 128 };
enum { of_list = 8, of_document = 64, of_export = of_list | of_document };
enum { of_reading = of_import | of_sync | of_fill };

#define FLAG(name, calls) {name, #name, calls, 0}

static const struct {
  uint32_t flag;
  const char *name;
  int calls;
  uint32_t with; /* a flag that it needs */
} flags[] = {
    FLAG(GROOT_DRY_RUN, of_reading),
    FLAG(GROOT_CHANGES, of_reading),
    FLAG(GROOT_LINES, of_import | of_sync | of_list),
    FLAG(GROOT_IMPORT_NO_CREATE, of_import),
    FLAG(GROOT_IMPORT_ACCESS, of_import),
    FLAG(GROOT_SYNC_NO_INSERT, of_sync),
    FLAG(GROOT_SYNC_NO_UPDATE, of_sync),
    FLAG(GROOT_SYNC_NO_DELETE, of_sync),
    FLAG(GROOT_SYNC_MARK, of_sync),
    FLAG(GROOT_SYNC_NO_WITHHOLD, of_sync),
    FLAG(GROOT_SYNC_MAX_DELETIONS, of_sync),
    FLAG(GROOT_SYNC_MAX_DELETION_SHARE, of_sync),
    FLAG(GROOT_SYNC_MEMBERS, of_sync),
    {GROOT_SYNC_MEMBERS_NO_INSERT, "MEMBERS_NO_INSERT", of_sync, GROOT_SYNC_MEMBERS},
    {GROOT_SYNC_MEMBERS_NO_UPDATE, "MEMBERS_NO_UPDATE", of_sync, GROOT_SYNC_MEMBERS},
    {GROOT_SYNC_MEMBERS_NO_DELETE, "MEMBERS_NO_DELETE", of_sync, GROOT_SYNC_MEMBERS},
    FLAG(GROOT_EXPORT_DEPTH, of_export),
    FLAG(GROOT_EXPORT_TO_MANY, of_export),
    FLAG(GROOT_EXPORT_SUBOBJECTS, of_export),
    FLAG(GROOT_MAPPING_IMPLICIT, of_mapping),
    FLAG(GROOT_STORE_NO_CREATE, of_store),
    FLAG(GROOT_STORE_NO_MIGRATE, of_store),
    FLAG(GROOT_STORE_DESTRUCTIVE, of_store),
    FLAG(GROOT_STORE_TRIGGERS, of_store),
    FLAG(GROOT_STORE_VIEWS, of_store),
    FLAG(GROOT_STORE_VERSIONS, of_store),
    FLAG(GROOT_STORE_NO_WRITE, of_store),
    FLAG(GROOT_STORE_IMMUTABLE, of_store),
    FLAG(GROOT_DESCRIBE_COUNTS, of_description),
};
#define FLAGS (sizeof flags / sizeof flags[0])

static const struct {
  const char *name;
  int kind;
  call *call;
} calls[] = {
    {"groot_import_text", of_import, import_text},
    {"groot_import_json", of_import, import_json},
    {"groot_import_file", of_import, import_file},
    {"groot_stream_begin", of_import, begin},
    {"groot_sync_text", of_sync, sync_text},
    {"groot_sync_json", of_sync, sync_json},
    {"groot_sync_file", of_sync, sync_file},
    {"groot_object_fill_text", of_fill, fill_text},
    {"groot_object_fill_json", of_fill, fill_json},
    {"groot_export_objects_text", of_list, export_text},
    {"groot_export_objects_json", of_list, export_json},
    {"groot_export_object_text", of_list, export_one},
    {"groot_export_object_json", of_list, export_one_json},
    {"groot_export_objects_write", of_list, export_write},
    {"groot_export_objects_file", of_list, export_file},
    {"groot_export_fetch_write", of_list, fetch_write},
    {"groot_export_fetch_file", of_list, fetch_file},
    {"groot_export_document_text", of_document, document_text},
    {"groot_export_document_json", of_document, document_json},
    {"groot_export_document_write", of_document, document_write},
    {"groot_export_document_file", of_document, document_file},
    {"groot_mapping_create", of_mapping, create_mapping},
    {"groot_context_open", of_store, open_store},
    {"groot_store_describe", of_description, describe},
};
#define CALLS (sizeof calls / sizeof calls[0])

static void test_bits(void) {
  uint32_t all = 0;
  for (size_t i = 0; i < FLAGS; i++) {
    CHECK(flags[i].flag != 0 && (flags[i].flag & (flags[i].flag - 1)) == 0);
    if (!CHECK((all & flags[i].flag) == 0)) fprintf(stderr, "  %s\n", flags[i].name);
    all |= flags[i].flag;
  }
}

/* What is written there is read by the next call. */
static void restore_file(const char *text) {
  FILE *written = fopen(file, "w");
  if (!CHECK(written != NULL)) return;
  fputs(text, written);
  fclose(written);
}

static groot_status try(scene *s, size_t of, uint32_t bits) {
  restore_file(bits & GROOT_LINES ? "" : "[]");
  return calls[of].call(s, bits);
}

static void test_every_flag_with_every_call(scene *s) {
  for (size_t of = 0; of < CALLS; of++) {
    for (size_t i = 0; i < FLAGS; i++) {
      const uint32_t bits = flags[i].flag | flags[i].with;
      int holds = 1;
      if (flags[i].calls & calls[of].kind) {
        /* An empty text is not JSON, but no records at all as lines. */
        const int is_no_json = calls[of].call == import_text && !(bits & GROOT_LINES);
        holds = is_no_json ? CHECK_FAILS(try(s, of, bits), GROOT_INVALID_JSON)
                           : CHECK_OK(try(s, of, bits));
      } else {
        holds = CHECK_FAILS(try(s, of, bits), GROOT_INVALID_ARGUMENT) &&
                CHECK(strstr(issue.message, flags[i].name) != NULL);
      }
      if (!holds) fprintf(stderr, "  %s in %s\n", flags[i].name, calls[of].name);
    }
  }
}

static void test_unknown_bits(scene *s) {
  uint32_t known = 0;
  for (size_t i = 0; i < FLAGS; i++) known |= flags[i].flag;
  for (size_t of = 0; of < CALLS; of++) {
    for (int bit = 0; bit < 32; bit++) {
      if (known & 1u << bit) continue;
      if (!CHECK_FAILS(try(s, of, 1u << bit), GROOT_UNSUPPORTED) ||
          !CHECK_FAILS(try(s, of, 1u << bit | known), GROOT_UNSUPPORTED))
        fprintf(stderr, "  bit %d in %s\n", bit, calls[of].name);
    }
  }
}

/* ---- what shared flags do -------------------------------------------------------------------- */

/* One constant, and nothing is deleted, inserted or changed, whatever reads it. */
static void test_dry_runs(void) {
  fixture f = open_document(document, NULL);
  groot_objects_free(import(&f, "Hero", "[{'id': 1, 'name': 'A'}, {'id': 2, 'name': 'B'}]"));
  groot_object_id first = import_one(&f, "Hero", "{'id': 1}");
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  groot_sync_options sync = GROOT_SYNC_OPTIONS_INIT;
  groot_buffer report = {NULL, 0};
  const char *changed = text("[{'id': 1, 'name': 'X'}, {'id': 3, 'name': 'C'}]");
  options.flags = sync.flags = GROOT_DRY_RUN;
  options.report = sync.report = &report;
  char *before = snapshot(&f);
  CHECK_OK(groot_sync_text(f.context, "Hero", changed, nts, &sync, NULL, &error));
  CHECK(strstr(report.data, "\"deleted\":1") && strstr(report.data, "\"inserted\":1"));
  groot_buffer_free(&report);
  CHECK_OK(groot_sync_text(f.context, "Hero", "[]", nts, &sync, NULL, &error));
  CHECK(strstr(report.data, "\"deleted\":2") != NULL);
  groot_buffer_free(&report);
  CHECK_OK(groot_import_text(f.context, "Hero", changed, nts, &options, NULL, &error));
  CHECK(strstr(report.data, "\"updated\":1") && strstr(report.data, "\"inserted\":1"));
  groot_buffer_free(&report);
  CHECK_OK(groot_object_fill_text(f.context, first, text("{'name': 'X'}"), nts, &options, &error));
  CHECK(strstr(report.data, "\"updated\":1") != NULL);
  groot_buffer_free(&report);
  char *after = snapshot(&f);
  CHECK(strcmp(before, after) == 0);
  free(before);
  free(after);
  check_graph(&f);
  close_fixture(&f);
}

int main(void) {
  scene s = {open_document(document, NULL), 0, NULL, json_array(), json_object()};
  groot_mapping_options rules = GROOT_MAPPING_OPTIONS_INIT;
  if (!CHECK(mkdtemp(folder) != NULL)) return finish("flags");
  snprintf(store, sizeof store, "%s/store.sqlite", folder);
  snprintf(file, sizeof file, "%s/file.json", folder);
  s.hero = import_one(&s.fixture, "Hero", "{'id': 1, 'name': 'A'}");
  rules.dialect = "kvc";
  rules.rules = "{\"heroes\": {\"Hero.id\": {\"id\": \"id\"}}}";
  rules.rules_length = nts;
  CHECK_OK(groot_mapping_create(s.fixture.model, NULL, &rules, &s.rules, &error));
  CHECK_OK(open_store(&s, 0));
  char *before = snapshot(&s.fixture);
  test_bits();
  test_every_flag_with_every_call(&s);
  test_unknown_bits(&s);
  char *after = snapshot(&s.fixture);
  CHECK(strcmp(before, after) == 0);
  free(before);
  free(after);
  test_dry_runs();
  unlink(store);
  unlink(file);
  CHECK_EQUAL(rmdir(folder), 0); /* what is refused makes no file */
  groot_mapping_free(s.rules);
  json_decref(s.empty);
  json_decref(s.hollow);
  close_fixture(&s.fixture);
  return finish("flags");
}
