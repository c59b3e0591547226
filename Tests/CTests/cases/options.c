/* The options of a step as structs of the library. */
#include "cases.h"

#include <string.h>

/* Whether a member is there and false, as options say that something is not to be done. */
static int is_off(json_t *object, const char *key) {
  return json_is_false(json_object_get(object, key));
}

static int is_on(json_t *object, const char *key) {
  return json_is_true(json_object_get(object, key));
}

int32_t choice_of(run *run, json_t *object, const char *key, const char *const *names) {
  const char *chosen = string_at(object, key);
  if (!chosen) return 0;
  for (int32_t i = 0; names[i]; i++)
    if (strcmp(chosen, names[i]) == 0) return i + 1;
  complain(run, "no such choice: %s", chosen);
  return 0;
}

int32_t nulls_of(run *run, json_t *object) {
  static const char *const styles[] = {"write", "omit", NULL};
  return choice_of(run, object, "nulls", styles);
}

/* How several objects are arranged, GROOT_FORM_... */
static int32_t form_of(run *run, json_t *step) {
  static const char *const forms[] = {"keyed", "grouped", NULL};
  return choice_of(run, step, "form", forms);
}

/* The further mapping that the step names; NULL when it names none. */
static const groot_mapping *mapping_of(run *run, json_t *step) {
  const char *name = string_at(step, "mapping");
  if (!name) return NULL;
  for (size_t i = 0; i < run->mapping_count; i++)
    if (strcmp(run->mappings[i].name, name) == 0) return run->mappings[i].mapping;
  complain(run, "no such mapping: %s", name);
  return NULL;
}

/* The flag of a text of lines. */
static uint32_t format_of(json_t *step) {
  const char *format = string_at(step, "format");
  return format && strcmp(format, "jsonLines") == 0 ? GROOT_LINES : 0;
}

groot_import_options import_options_of(run *run, json_t *step, groot_buffer *report) {
  static const char *const modes[] = {"collect", "skip", NULL};
  groot_import_options options = GROOT_IMPORT_OPTIONS_INIT;
  if (is_on(step, "dryRun")) options.flags |= GROOT_DRY_RUN;
  if (is_on(step, "changes")) options.flags |= GROOT_CHANGES;
  if (is_off(step, "create")) options.flags |= GROOT_IMPORT_NO_CREATE;
  if (is_on(step, "access")) options.flags |= GROOT_IMPORT_ACCESS;
  options.errors = choice_of(run, step, "errors", modes);
  options.max_issues = (size_t)json_integer_value(json_object_get(step, "maxIssues"));
  options.policies = kept_text(run, json_object_get(step, "policies"));
  options.mapping = mapping_of(run, step);
  options.root_path = string_at(step, "rootPath");
  options.flags |= format_of(step);
  options.form = form_of(run, step);
  options.report = report;
  options.counts = &run->counts;
  return options;
}

groot_sync_options sync_options_of(run *run, json_t *step, groot_buffer *report) {
  groot_sync_options options = GROOT_SYNC_OPTIONS_INIT;
  json_t *members = json_object_get(step, "members");
  if (is_off(step, "insert")) options.flags |= GROOT_SYNC_NO_INSERT;
  if (is_off(step, "update")) options.flags |= GROOT_SYNC_NO_UPDATE;
  if (is_off(step, "delete")) options.flags |= GROOT_SYNC_NO_DELETE;
  if (string_at(step, "delete")) options.flags |= GROOT_SYNC_MARK;
  if (is_off(step, "withhold")) options.flags |= GROOT_SYNC_NO_WITHHOLD;
  json_t *limit = json_object_get(step, "maxDeletions");
  if (json_is_integer(limit)) options.flags |= GROOT_SYNC_MAX_DELETIONS;
  if (json_is_real(limit)) options.flags |= GROOT_SYNC_MAX_DELETION_SHARE;
  options.max_deletions = (uint64_t)json_integer_value(limit);
  options.max_deletion_share = json_real_value(limit);
  if (members) {
    /* A case may speak of some only; the others are as those of the entries. */
    json_t *all = json_pack("{s:b, s:b, s:b}", "insert", !is_off(step, "insert"), "update",
                            !is_off(step, "update"), "delete", !is_off(step, "delete"));
    json_object_update(all, members);
    options.flags |= GROOT_SYNC_MEMBERS;
    if (is_off(all, "insert")) options.flags |= GROOT_SYNC_MEMBERS_NO_INSERT;
    if (is_off(all, "update")) options.flags |= GROOT_SYNC_MEMBERS_NO_UPDATE;
    if (is_off(all, "delete")) options.flags |= GROOT_SYNC_MEMBERS_NO_DELETE;
    json_decref(all);
  }
  if (is_on(step, "dryRun")) options.flags |= GROOT_DRY_RUN;
  if (is_on(step, "changes")) options.flags |= GROOT_CHANGES;
  options.flags |= format_of(step);
  options.max_issues = (size_t)json_integer_value(json_object_get(step, "maxIssues"));
  options.where = kept_text(run, json_object_get(step, "where"));
  options.policies = kept_text(run, json_object_get(step, "policies"));
  options.root_path = string_at(step, "rootPath");
  options.form = form_of(run, step);
  if (string_at(step, "parent")) options.parent = kept_object(run, string_at(step, "parent"));
  options.mapping = mapping_of(run, step);
  options.report = report;
  options.counts = &run->counts;
  return options;
}

groot_export_options export_options_of(run *run, json_t *step) {
  static const char *const styles[] = {"none", "array", "nested", NULL};
  static const char *const inflections[] = {"snake", "camel", NULL};
  groot_export_options options = GROOT_EXPORT_OPTIONS_INIT;
  json_t *depth = json_object_get(step, "depth");
  if (depth) options.flags |= GROOT_EXPORT_DEPTH;
  options.depth = (int32_t)json_integer_value(depth);
  options.properties = kept_text(run, json_object_get(step, "properties"));
  options.relationships = choice_of(run, step, "relationships", styles);
  options.inflection = choice_of(run, step, "inflection", inflections);
  options.exclude = kept_text(run, json_object_get(step, "exclude"));
  options.dates = string_at(step, "dates");
  options.form = form_of(run, step);
  options.nulls = nulls_of(run, step);
  if (is_on(step, "toMany")) options.flags |= GROOT_EXPORT_TO_MANY;
  if (is_on(step, "subobjects")) options.flags |= GROOT_EXPORT_SUBOBJECTS;
  options.mapping = mapping_of(run, step);
  return options;
}
