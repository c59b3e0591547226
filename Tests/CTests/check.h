/*
 * Checks for the C tests. A check that fails prints its place and the program goes on; finish()
 * prints the totals and gives main its exit code. Not for use from two threads at once.
 */
#ifndef GROOT_CHECK_H
#define GROOT_CHECK_H

#include <groot.h>

/** The condition holds. */
#define CHECK(condition) check((condition) != 0, #condition, __FILE__, __LINE__)

/** Two whole numbers are equal. */
#define CHECK_EQUAL(actual, expected) \
  check_equal((long long)(actual), (long long)(expected), #actual, __FILE__, __LINE__)

/** A groot_string has the bytes of a C string. */
#define CHECK_TEXT(actual, expected) check_text((actual), (expected), #actual, __FILE__, __LINE__)

/** A json_t equals the JSON that is written with ' instead of "; consumes it. */
#define CHECK_JSON(actual, expected) check_json((actual), (expected), #actual, __FILE__, __LINE__)

/** A call succeeds and sets the variable `error`, which it is given, to NULL. */
#define CHECK_OK(call) check_ok((call), &error, #call, __FILE__, __LINE__)

/**
 * A call fails with a status and sets the variable `error`, which it is given, to an error of that
 * status with an issue that has a message. Frees it; `issue` below tells of the first issue.
 */
#define CHECK_FAILS(call, status) check_fails((call), (status), &error, #call, __FILE__, __LINE__)

/** Where the issue of the last CHECK_FAILS was. */
#define CHECK_PLACE(json_path, entity_name, property_name) \
  check_place((json_path), (entity_name), (property_name), __FILE__, __LINE__)

/** The first issue of the error that the last CHECK_FAILS met, copied. */
struct last_issue {
  char message[512], path[256], entity[64], property[64];
  int64_t line, column, offset;
  int32_t severity;
  size_t count; /* of issues */
};
extern struct last_issue issue;

int check(int holds, const char *what, const char *file, int line);
int check_equal(long long actual, long long expected, const char *what, const char *file, int line);
int check_text(groot_string actual, const char *expected, const char *what, const char *file,
               int line);
int check_json(json_t *actual, const char *expected, const char *what, const char *file, int line);
int check_ok(groot_status status, groot_error **error, const char *what, const char *file,
             int line);
int check_fails(groot_status status, groot_status expected, groot_error **error, const char *what,
                const char *file, int line);
int check_place(const char *path, const char *entity, const char *property, const char *file,
                int line);

/** How many checks have failed so far. */
int failed_checks(void);

/** Prints "name: N passed, N failed"; the exit code of the program. */
int finish(const char *name);

#endif
