/* What a step gave, compared with what its case expects. */
#include "cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const mode_names[mode_count] = {"text", "json_t"};

void complain(run *run, const char *format, const char *detail) {
  run->failed = 1;
  fprintf(stderr, "%s (%s), step %zu: ", run->path, mode_names[run->mode], run->step);
  fprintf(stderr, format, detail);
  fputc('\n', stderr);
}

void complain_json(run *run, const char *what, json_t *actual, json_t *expected) {
  char *is = json_dumps(actual, JSON_ENCODE_ANY | JSON_COMPACT | JSON_SORT_KEYS);
  char *wanted = json_dumps(expected, JSON_ENCODE_ANY | JSON_COMPACT | JSON_SORT_KEYS);
  complain(run, "%s: not as expected", what);
  fprintf(stderr, "  is       %s\n  expected %s\n", is ? is : "nothing",
          wanted ? wanted : "nothing");
  free(is);
  free(wanted);
}

void complain_error(run *run, const char *what, groot_error *error) {
  complain(run, "%s", what);
  groot_string text = groot_error_text(error);
  fprintf(stderr, "  %s: %.*s\n", groot_status_name(groot_error_status(error)), (int)text.size,
          text.data ? text.data : "");
}

const char *string_at(json_t *object, const char *key) {
  return json_string_value(json_object_get(object, key));
}

/* How far two values must agree. */
enum strictness { whole, whole_but_decimals, in_part, in_part_without_place };

static int compare(json_t *a, json_t *b, enum strictness how);

static int compare_arrays(json_t *a, json_t *b, enum strictness how) {
  if (json_array_size(a) != json_array_size(b)) return 0;
  for (size_t i = 0; i < json_array_size(a); i++)
    if (!compare(json_array_get(a, i), json_array_get(b, i), how)) return 0;
  return 1;
}

static int compare_member(json_t *a, const char *key, json_t *wanted, enum strictness how) {
  if (how >= in_part && strcmp(key, "contains") == 0) {
    const char *message = string_at(a, "message");
    return message && strstr(message, json_string_value(wanted)) != NULL;
  }
  if (how == in_part_without_place && (strcmp(key, "line") == 0 || strcmp(key, "column") == 0))
    return 1;
  json_t *found = json_object_get(a, key);
  if (!found) return 0;
  if (how >= in_part && strcmp(key, "properties") == 0 &&
      json_object_size(found) != json_object_size(wanted))
    return 0;
  return compare(found, wanted, how);
}

/* The digits of a number's text, without those that say nothing; `digits` has room for all. */
static void digits_of(const char *text, char *digits) {
  char *end = digits;
  for (; *text && *text != 'e' && *text != 'E'; text++) {
    if (*text >= '0' && *text <= '9' && (*text != '0' || end > digits)) *end++ = *text;
  }
  while (end > digits && end[-1] == '0') end--;
  *end = '\0';
}

/* Whether text is that of a decimal for which a double has other digits. */
static int is_rounded(const char *text, double number) {
  char *end, actual[512], shortest[512];
  if (strlen(text) >= sizeof actual || strtod(text, &end) != number || *end) return 0;
  json_t *real = json_real(number);
  char *dumped = dump(real);
  digits_of(text, actual);
  digits_of(dumped, shortest);
  free(dumped);
  json_decref(real);
  return strcmp(actual, shortest) != 0;
}

static int compare(json_t *a, json_t *b, enum strictness how) {
  if (how == whole_but_decimals && json_is_string(a) && json_is_real(b))
    return is_rounded(json_string_value(a), json_real_value(b));
  if (how >= in_part && json_is_string(b) && strcmp(json_string_value(b), "*") == 0) return 1;
  if (json_is_number(a) && json_is_number(b)) {
    if (json_is_integer(a) && json_is_integer(b))
      return json_integer_value(a) == json_integer_value(b);
    return json_number_value(a) == json_number_value(b);
  }
  if (!a || !b || json_typeof(a) != json_typeof(b)) return 0;
  if (json_is_array(a)) return compare_arrays(a, b, how);
  if (!json_is_object(a)) return json_equal(a, b);
  if (how < in_part && json_object_size(a) != json_object_size(b)) return 0;
  const char *key;
  json_t *wanted;
  json_object_foreach(b, key, wanted) {
    if (!compare_member(a, key, wanted, how)) return 0;
  }
  return 1;
}

int equal(json_t *a, json_t *b) { return compare(a, b, whole); }

int agrees(json_t *tree, json_t *text) { return compare(tree, text, whole_but_decimals); }

int matches(json_t *actual, json_t *expected, int has_place) {
  return compare(actual, expected, has_place ? in_part : in_part_without_place);
}

/* ---- errors ---------------------------------------------------------------------------------- */

static json_t *text_as_json(groot_string text) {
  return json_stringn(text.data ? text.data : "", text.size);
}

json_t *issues_as_json(groot_error *error) {
  json_t *issues = json_array();
  groot_issue issue = GROOT_ISSUE_INIT;
  for (size_t i = 0; groot_error_issue(error, i, &issue) == GROOT_OK; i++)
    json_array_append_new(
        issues, json_pack("{s:i, s:i, s:o, s:o, s:o, s:o, s:I, s:I}", "status", (int)issue.status,
                          "severity", (int)issue.severity, "message", text_as_json(issue.message),
                          "path", text_as_json(issue.path), "entity", text_as_json(issue.entity),
                          "property", text_as_json(issue.property), "line", (json_int_t)issue.line,
                          "column", (json_int_t)issue.column));
  return issues;
}

int compare_failure(run *run, json_t *expect, groot_status status, groot_error *error,
                    int has_place) {
  json_t *first = json_object_get(expect, "error"), *all = json_object_get(expect, "errors");
  if (!first && !all) {
    if (status != GROOT_OK) complain_error(run, "this failed", error);
    return 0;
  }
  if (status == GROOT_OK) {
    complain(run, "%s", "this did not fail");
    return 1;
  }
  json_t *issues = issues_as_json(error);
  size_t index = 0;
  while (first &&
         json_integer_value(json_object_get(json_array_get(issues, index), "severity")) == 1)
    index++;
  json_t *actual = first ? json_array_get(issues, index) : issues;
  if (!matches(actual, first ? first : all, has_place))
    complain_json(run, "the error", actual, first ? first : all);
  if (status != groot_error_status(error)) complain_error(run, "the status", error);
  json_decref(issues);
  return 1;
}
