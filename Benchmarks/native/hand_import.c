#include "bench.h"
#include "hand_scan.h"

#include <stdlib.h>
#include <string.h>

enum { most_powers = 64, depth_limit = 2000 };

typedef struct reference {
  hand_text identifier, name;
} reference;

/* One character as it is in the text. */
typedef struct record {
  hand_text identifier, name, real_name, created_at;
  double rating;
  int64_t strength, speed;
  reference publisher, powers[most_powers];
  uint32_t power_count;
  int8_t active;
} record;

static int is(hand_text key, const char *name, size_t size) {
  return key.size == size && memcmp(key.data, name, size) == 0;
}

#define IS(name) is(key, name, sizeof name - 1)

static int read_reference(hand_scan *scan, reference *into) {
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

static int read_powers(hand_scan *scan, record *into) {
  into->power_count = 0;
  if (!hand_take(scan, '[')) return 0;
  if (hand_take(scan, ']')) return 1;
  do {
    if (into->power_count == most_powers) return 0;
    if (!read_reference(scan, &into->powers[into->power_count++])) return 0;
  } while (hand_take(scan, ','));
  return hand_take(scan, ']');
}

static int read_stats(hand_scan *scan, record *into) {
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

static int read_member(hand_scan *scan, record *into, hand_text key) {
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

static int read_record(hand_scan *scan, record *into) {
  hand_text key;
  memset(into, 0, offsetof(record, publisher) + sizeof into->publisher);
  into->power_count = 0;
  if (!hand_take(scan, '{')) return 0;
  if (hand_take(scan, '}')) return 0;
  do {
    if (!hand_read_text(scan, &key) || !hand_take(scan, ':')) return 0;
    if (!read_member(scan, into, key)) return 0;
  } while (hand_take(scan, ','));
  return hand_take(scan, '}') && into->identifier.data && into->name.data;
}

static int to_integer(hand_text text, int64_t *integer) {
  uint32_t i = text.size && text.data[0] == '-';
  int64_t value = 0;
  if (i == text.size) return 0;
  for (uint32_t j = i; j < text.size; j++) {
    unsigned digit = (unsigned)(text.data[j] - '0');
    if (digit > 9 || __builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, (int64_t)digit, &value)) {
      return 0;
    }
  }
  *integer = i ? -value : value;
  return 1;
}

static int number(const char *at, int count, int *value) {
  *value = 0;
  for (int i = 0; i < count; i++) {
    unsigned digit = (unsigned)(at[i] - '0');
    if (digit > 9) return 0;
    *value = *value * 10 + (int)digit;
  }
  return 1;
}

/* Seconds since 1970 of a time such as 2001-02-03T04:05:06Z. */
static int to_time(hand_text text, int64_t *seconds) {
  int year, month, day, hour, minute, second;
  const char *at = text.data;
  if (text.size != 20 || at[4] != '-' || at[7] != '-' || at[10] != 'T' || at[13] != ':' ||
      at[16] != ':' || at[19] != 'Z') {
    return 0;
  }
  if (!number(at, 4, &year) || !number(at + 5, 2, &month) || !number(at + 8, 2, &day) ||
      !number(at + 11, 2, &hour) || !number(at + 14, 2, &minute) || !number(at + 17, 2, &second)) {
    return 0;
  }
  int is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return 0;
  if (day > days[month - 1] + (month == 2 && is_leap)) return 0;
  int64_t past = year - (month <= 2);
  int64_t era = past / 400, in_era = past - era * 400;
  int64_t in_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  int64_t day_number = era * 146097 + in_era * 365 + in_era / 4 - in_era / 100 + in_year - 719468;
  *seconds = day_number * 86400 + hour * 3600 + minute * 60 + second;
  return 1;
}

static void set_text(hand_graph *graph, hand_text *into, hand_text text, int8_t *is_changed) {
  const int is_same = into->data && text.data && into->size == text.size &&
                      memcmp(into->data, text.data, text.size) == 0;
  if (is_same || into->data == text.data) return;
  *into = text.data ? hand_copy(graph, text) : text;
  *is_changed = 1;
}

static hand_named *find_named(hand_graph *graph, hand_map *map, const reference *from) {
  int64_t identifier;
  if (!to_integer(from->identifier, &identifier)) return NULL;
  hand_named *named = hand_make_named(graph, map, identifier);
  set_text(graph, &named->name, from->name, &named->is_changed);
  return named;
}

static int link_powers(hand_graph *graph, hand_character *character, const record *from) {
  hand_named *powers[most_powers];
  int is_same = character->power_count == from->power_count;
  for (uint32_t i = 0; i < from->power_count; i++) {
    powers[i] = find_named(graph, &graph->powers, &from->powers[i]);
    if (!powers[i]) return 0;
    if (is_same && character->powers[i] != powers[i]) is_same = 0;
  }
  if (is_same) return 1;
  hand_set_powers(graph, character, powers, from->power_count);
  character->has_other_powers = 1;
  return 1;
}

#define SET(name, value) \
  if (character->name != (value)) character->name = (value), character->is_changed = 1

static int take_over(hand_graph *graph, const record *from) {
  int64_t identifier, created_at = 0;
  if (!to_integer(from->identifier, &identifier)) return 0;
  if (from->created_at.data && !to_time(from->created_at, &created_at)) return 0;
  hand_character *character = hand_make_character(graph, identifier);
  set_text(graph, &character->name, from->name, &character->is_changed);
  set_text(graph, &character->real_name, from->real_name, &character->is_changed);
  SET(created_at, created_at);
  SET(rating, from->rating);
  SET(active, from->active);
  SET(strength, (int16_t)from->strength);
  SET(speed, (int16_t)from->speed);
  if (from->publisher.identifier.data) {
    hand_named *publisher = find_named(graph, &graph->publishers, &from->publisher);
    if (!publisher) return 0;
    if (character->publisher != publisher) {
      hand_set_publisher(character, publisher);
      character->is_changed = 1;
    }
  }
  return link_powers(graph, character, from);
}

int hand_import(hand_graph *graph, const char *text, size_t size) {
  char *scratch = malloc(size + 1);
  hand_scan scan = {text, text + size, scratch, scratch};
  record one;
  int is_good = scratch && hand_take(&scan, '[');
  if (is_good && !hand_take(&scan, ']')) {
    do {
      scan.used = scratch;
      is_good = read_record(&scan, &one) && take_over(graph, &one);
    } while (is_good && hand_take(&scan, ','));
    is_good = is_good && hand_take(&scan, ']');
  }
  is_good = is_good && hand_skip(&scan) && scan.at == scan.end;
  free(scratch);
  return is_good;
}
