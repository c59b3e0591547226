#include "binary.h"

#include "bench.h"

#include <stdlib.h>
#include <string.h>

enum { count_offset = 12 };

void binary_free(binary *bytes) {
  free(bytes->data);
  memset(bytes, 0, sizeof *bytes);
}

static char *room(binary *bytes, size_t size) {
  if (bytes->capacity - bytes->size < size) {
    while (bytes->capacity - bytes->size < size) {
      bytes->capacity = bytes->capacity ? 2 * bytes->capacity : 65536;
    }
    bytes->data = realloc(bytes->data, bytes->capacity);
    bench_require(bytes->data != NULL, "out of memory");
  }
  char *place = bytes->data + bytes->size;
  bytes->size += size;
  return place;
}

static void write_integer(char *to, uint64_t value, int size) {
  for (int i = 0; i < size; i++) to[i] = (char)(value >> 8 * (size - 1 - i));
}

void binary_put(binary *bytes, int64_t value, int size) {
  write_integer(room(bytes, (size_t)size), (uint64_t)value, size);
}

void binary_put_bytes(binary *bytes, const void *data, size_t size) {
  memcpy(room(bytes, size), data, size);
}

void binary_integer(binary *bytes, int64_t value, int size) {
  char *place = room(bytes, 4 + (size_t)size);
  write_integer(place, (uint64_t)size, 4);
  write_integer(place + 4, (uint64_t)value, size);
}

void binary_double(binary *bytes, double value) {
  int64_t bits;
  memcpy(&bits, &value, sizeof bits);
  binary_integer(bytes, bits, sizeof bits);
}

void binary_string(binary *bytes, hand_text text) {
  if (!text.data) {
    binary_null(bytes);
    return;
  }
  char *place = room(bytes, 4 + (size_t)text.size);
  write_integer(place, text.size, 4);
  memcpy(place + 4, text.data, text.size);
}

void binary_time(binary *bytes, int64_t seconds) {
  const int64_t from_1970_to_2000 = 946684800;
  binary_integer(bytes, (seconds - from_1970_to_2000) * 1000000, 8);
}

void binary_null(binary *bytes) { binary_put(bytes, -1, 4); }

void binary_begin_array(binary *bytes, int32_t type) {
  const int64_t head[] = {1, 1, type, 0, 1}; /* dimensions, nulls, type, elements, first index */
  bytes->size = 0;
  for (size_t i = 0; i < sizeof head / sizeof *head; i++) binary_put(bytes, head[i], 4);
}

void binary_end_array(binary *bytes, uint32_t count) {
  write_integer(bytes->data + count_offset, count, 4);
}
