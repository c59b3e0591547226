/* Checks that are counted; check.h says what each is for. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

struct last_issue issue;
static int passed, failed;

int check(int holds, const char *what, const char *file, int line) {
  if (holds) {
    passed++;
  } else {
    failed++;
    fprintf(stderr, "%s:%d: %s\n", file, line, what);
  }
  return holds;
}

int check_equal(long long actual, long long expected, const char *what, const char *file,
                int line) {
  if (check(actual == expected, what, file, line)) return 1;
  fprintf(stderr, "  is %lld, expected %lld\n", actual, expected);
  return 0;
}

int check_text(groot_string actual, const char *expected, const char *what, const char *file,
               int line) {
  int equal = actual.size == strlen(expected) &&
              (actual.size == 0 || memcmp(actual.data, expected, actual.size) == 0);
  if (check(equal, what, file, line)) return 1;
  fprintf(stderr, "  is \"%.*s\", expected \"%s\"\n", (int)actual.size,
          actual.data ? actual.data : "", expected);
  return 0;
}

int check_json(json_t *actual, const char *expected, const char *what, const char *file, int line) {
  json_t *wanted = json(expected);
  int equal = check(json_equal(actual, wanted), what, file, line);
  if (!equal) {
    char *shown = json_dumps(actual, JSON_COMPACT | JSON_ENCODE_ANY);
    fprintf(stderr, "  is %s\n  expected %s\n", shown ? shown : "nothing", expected);
    free(shown);
  }
  json_decref(wanted);
  json_decref(actual);
  return equal;
}

int check_ok(groot_status status, groot_error **error, const char *what, const char *file,
             int line) {
  int holds = check(status == GROOT_OK && *error == NULL, what, file, line);
  if (!holds) {
    groot_string shown = groot_error_text(*error);
    fprintf(stderr, "  gave %d (%s): %.*s\n", (int)status, groot_status_name(status),
            (int)shown.size, shown.data ? shown.data : "");
  }
  groot_error_free(*error);
  *error = NULL;
  return holds;
}

static void copy(char *target, size_t size, groot_string source) {
  snprintf(target, size, "%.*s", (int)source.size, source.data ? source.data : "");
}

int check_fails(groot_status status, groot_status expected, groot_error **error, const char *what,
                const char *file, int line) {
  groot_issue first = GROOT_ISSUE_INIT;
  memset(&issue, 0, sizeof issue);
  int holds = check_equal(status, expected, what, file, line) &
              check_equal(groot_error_status(*error), status, "the error's status", file, line);
  issue.count = groot_error_issue_count(*error);
  if (check(groot_error_issue(*error, 0, &first) == GROOT_OK, "there is an issue", file, line)) {
    copy(issue.message, sizeof issue.message, first.message);
    copy(issue.path, sizeof issue.path, first.path);
    copy(issue.entity, sizeof issue.entity, first.entity);
    copy(issue.property, sizeof issue.property, first.property);
    issue.line = first.line;
    issue.column = first.column;
    issue.offset = first.offset;
    issue.severity = first.severity;
    holds &= check(first.message.size > 0, "the issue has a message", file, line);
  }
  if (!holds) fprintf(stderr, "  message: %s\n", issue.message);
  groot_error_free(*error);
  *error = NULL;
  return holds;
}

static int same(const char *actual, const char *expected, const char *what, const char *file,
                int line) {
  groot_string string = {actual, strlen(actual)};
  return check_text(string, expected, what, file, line);
}

int check_place(const char *path, const char *entity, const char *property, const char *file,
                int line) {
  return same(issue.path, path, "path of the issue", file, line) &
         same(issue.entity, entity, "entity of the issue", file, line) &
         same(issue.property, property, "property of the issue", file, line);
}

int failed_checks(void) { return failed; }

int finish(const char *name) {
  printf("%s: %d passed, %d failed\n", name, passed, failed);
  return failed != 0;
}
