/* What a character's record in the text becomes: the object of its identifier, its values, its links. */
#include "hand_record.h"

#include <string.h>

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

int hand_to_time(hand_text text, int64_t *seconds) {
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

static hand_named *find_named(hand_graph *graph, hand_map *map, const hand_reference *from) {
  int64_t identifier;
  if (!to_integer(from->identifier, &identifier)) return NULL;
  hand_named *named = hand_make_named(graph, map, identifier);
  set_text(graph, &named->name, from->name, &named->is_changed);
  return named;
}

static int link_powers(hand_graph *graph, hand_character *character, const hand_record *from) {
  hand_named *powers[hand_most_powers];
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

int hand_take_over(hand_graph *graph, const hand_record *from) {
  int64_t identifier, created_at = 0;
  if (!to_integer(from->identifier, &identifier)) return 0;
  if (from->created_at.data && !hand_to_time(from->created_at, &created_at)) return 0;
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
