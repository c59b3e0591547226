/* Reads dates, one a line, with the C library. */
#define _DEFAULT_SOURCE
#define _XOPEN_SOURCE 700
#include "bench.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* As in the other programs that read dates: a list is read so many times. */
enum { passes = 20 };

/* The dates, and at the end the line with the sum of their microseconds; each ends with a NUL. */
static char **lines(char *text, size_t count) {
  char **found = malloc((count + 1) * sizeof *found);
  bench_require(found != NULL, "no memory");
  for (size_t i = 0; i < count; i++) {
    char *end = strchr(text, '\n');
    bench_require(end != NULL, "not as many dates as expected");
    *end = 0;
    found[i] = text;
    text = end + 1;
  }
  found[count] = text;
  return found;
}

static void dates_strptime(const bench_input *input) {
  size_t size, unread = 0;
  char *text = bench_read(input->path, &size);
  char **dates = lines(text, input->count);
  const uint64_t expected = strtoull(dates[input->count], NULL, 10);
  uint64_t sum = 0;
  bench_begin();
  for (int pass = 0; pass < passes; pass++) {
    for (size_t i = 0; i < input->count; i++) {
      struct tm parts = {0};
      const char *end = strptime(dates[i], "%Y-%m-%dT%H:%M:%SZ", &parts);
      unread += !end || *end;
      sum += (uint64_t)timegm(&parts);
    }
  }
  bench_end(input->count * passes);
  bench_require(unread == 0, "a date is not read");
  bench_require(sum * 1000000 == expected * passes, "a date is read as another");
  free(dates);
  free(text);
}

const bench_entry bench_date_rows[] = {{"dates_strptime", dates_strptime}, {NULL, NULL}};
