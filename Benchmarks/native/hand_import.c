#include "hand_record.h"
#include "hand_scan.h"

#include <stdlib.h>
#include <string.h>

enum { depth_limit = 2000 };

static int is(hand_text key, const char *name, size_t size) {
  return key.size == size && memcmp(key.data, name, size) == 0;
}

#define IS(name) is(key, name, sizeof name - 1)

static int read_reference(hand_scan *scan, hand_reference *into) {
  hand_text key;
  memset(into, 0, sizeof *into);
  if (!hand_take(scan, '{')) return 0;
  if (hand_take(scan, '}')) return 0;
  do {
    if (!hand_read_text(scan, &key) || !hand_take(scan, ':')) return 0;
    if (!(IS("id")     ? hand_read_text(scan, &into->identifier)
          : IS("name") ? hand_read_text(scan, &into->name)
                       : hand_skip_value(scan, depth_limit))) {
      return 0;
    }
  } while (hand_take(scan, ','));
  return hand_take(scan, '}') && into->identifier.data && into->name.data;
}

static int read_powers(hand_scan *scan, hand_record *into) {
  into->power_count = 0;
  if (!hand_take(scan, '[')) return 0;
  if (hand_take(scan, ']')) return 1;
  do {
    if (into->power_count == hand_most_powers) return 0;
    if (!read_reference(scan, &into->powers[into->power_count++])) return 0;
  } while (hand_take(scan, ','));
  return hand_take(scan, ']');
}

static int read_stats(hand_scan *scan, hand_record *into) {
  hand_text key;
  if (!hand_take(scan, '{')) return 0;
  if (hand_take(scan, '}')) return 1;
  do {
    if (!hand_read_text(scan, &key) || !hand_take(scan, ':')) return 0;
    if (!(IS("strength") ? hand_read_integer(scan, INT16_MIN, INT16_MAX, &into->strength)
          : IS("speed")  ? hand_read_integer(scan, INT16_MIN, INT16_MAX, &into->speed)
                         : hand_skip_value(scan, depth_limit))) {
      return 0;
    }
  } while (hand_take(scan, ','));
  return hand_take(scan, '}');
}

static int read_member(hand_scan *scan, hand_record *into, hand_text key) {
  switch (key.size ? key.data[0] : 0) {
    case 'i': if (IS("id")) return hand_read_text(scan, &into->identifier); break;
    case 'n': if (IS("name")) return hand_read_text(scan, &into->name); break;
    case 'c': if (IS("created_at")) return hand_read_text(scan, &into->created_at); break;
    case 'a': if (IS("active")) return hand_read_boolean(scan, &into->active); break;
    case 's': if (IS("stats")) return read_stats(scan, into); break;
    case 'r':
      if (IS("rating")) return hand_read_number(scan, &into->rating);
      if (IS("real_name")) return hand_read_text(scan, &into->real_name);
      break;
    case 'p':
      if (IS("powers")) return read_powers(scan, into);
      if (IS("publisher")) return read_reference(scan, &into->publisher);
      break;
    default: break;
  }
  return hand_skip_value(scan, depth_limit);
}

static int read_record(hand_scan *scan, hand_record *into) {
  hand_text key;
  memset(into, 0, offsetof(hand_record, publisher) + sizeof into->publisher);
  into->power_count = 0;
  if (!hand_take(scan, '{')) return 0;
  if (hand_take(scan, '}')) return 0;
  do {
    if (!hand_read_text(scan, &key) || !hand_take(scan, ':')) return 0;
    if (!read_member(scan, into, key)) return 0;
  } while (hand_take(scan, ','));
  return hand_take(scan, '}') && into->identifier.data && into->name.data;
}

int hand_import(hand_graph *graph, const char *text, size_t size) {
  char *scratch = malloc(size + 1);
  hand_scan scan = {text, text + size, scratch, scratch};
  hand_record one;
  int is_good = scratch && hand_take(&scan, '[');
  if (is_good && !hand_take(&scan, ']')) {
    do {
      scan.used = scratch;
      is_good = read_record(&scan, &one) && hand_take_over(graph, &one);
    } while (is_good && hand_take(&scan, ','));
    is_good = is_good && hand_take(&scan, ']');
  }
  is_good = is_good && hand_skip(&scan) && scan.at == scan.end;
  free(scratch);
  return is_good;
}
