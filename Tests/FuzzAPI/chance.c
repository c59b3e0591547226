/* The generator of random numbers, and what holds for each call. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "fuzz.h"

uint64_t next_random(uint64_t *state) {
  /* SplitMix64. */
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

uint32_t roll(fuzz *f, uint32_t limit) { return (uint32_t)(next_random(&f->random) >> 32) % limit; }

int chance(fuzz *f, uint32_t percent) { return roll(f, 100) < percent; }

void fail(fuzz *f, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "  failed: ");
  vfprintf(stderr, format, arguments);
  fprintf(stderr, "\n  in the %s context, dialect %s; the last call: %s\n",
          f->is_stored ? "stored" : "plain", f->dialect, f->call ? f->call : "none");
  va_end(arguments);
  fflush(stderr);
  _exit(3);
}

groot_error **error_place(fuzz *f) {
  f->has_error = chance(f, 70);
  return f->has_error ? &f->error : NULL;
}

void begun(fuzz *f, const char *call) {
  f->call = call;
  f->calls++;
  if (!f->stream) memset(&f->failure, 0, sizeof f->failure); /* it is told of at its end */
}

/* What every error has: a status, words, issues that can be read. */
static void check_error(fuzz *f, groot_status status) {
  groot_issue issue = GROOT_ISSUE_INIT;
  size_t count = groot_error_issue_count(f->error);
  groot_string text = groot_error_text(f->error);
  REQUIRE(groot_error_status(f->error) == status);
  REQUIRE(count > 0 && text.size > 0 && text.data[text.size] == 0);
  REQUIRE(groot_error_issue(f->error, 0, &issue) == GROOT_OK);
  REQUIRE(issue.message.size > 0 && issue.severity == 2);
  REQUIRE(groot_error_issue(f->error, count, &issue) == GROOT_INVALID_ARGUMENT);
}

groot_status ended(fuzz *f, groot_status status) {
  int is_wrong = f->is_wrong, has_error = f->has_error;
  groot_status wanted = is_wrong ? f->wanted : 0;
  f->is_wrong = f->has_error = 0;
  if (f->statuses && status >= 0 && status < 200) f->statuses[status]++;
  if (status == GROOT_OK && is_wrong) fail(f, "a wrong argument was taken");
  if (f->is_doubtful || f->is_request_doubtful) wanted = 0;
  if (wanted && status != wanted) {
    fail(f, "a wrong argument was refused with %d, not %d", (int)status, (int)wanted);
  }
  if (status != GROOT_OK && strcmp(groot_status_name(status), "unknown status") == 0) {
    fail(f, "status %d has no name", (int)status);
  }
  if (!has_error) return status;
  if ((status == GROOT_OK) != (f->error == NULL)) {
    fail(f, "status %d %s an error", (int)status, f->error ? "with" : "without");
  }
  if (status != GROOT_OK) check_error(f, status);
  if (status != GROOT_OK) check_failure(f, is_wrong ? GROOT_OK : status);
  if (getenv("GROOT_FUZZ_TELL") && f->error) {
    groot_string text = groot_error_text(f->error);
    fprintf(stderr, "    %.*s\n", (int)text.size, text.data);
  }
  groot_error_free(f->error);
  f->error = NULL;
  return status;
}
