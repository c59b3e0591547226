/* Values in PostgreSQL's binary formats: for COPY, and for arrays as parameters. */
#ifndef BINARY_H
#define BINARY_H

#include "hand.h"

/** Bytes that grow. */
typedef struct binary {
  char *data;
  size_t size, capacity;
} binary;

/** The types of values that there are, by PostgreSQL's numbers for them. */
enum {
  binary_bool = 16,
  binary_int8 = 20,
  binary_int2 = 21,
  binary_text = 25,
  binary_float8 = 701,
  binary_timestamptz = 1184
};

void binary_free(binary *bytes);

/** Appends an integer of 2, 4 or 8 bytes, the most significant one first. */
void binary_put(binary *bytes, int64_t value, int size);
void binary_put_bytes(binary *bytes, const void *data, size_t size);

/** Appends a value with its length before it, as an element of an array or a field of COPY. */
void binary_integer(binary *bytes, int64_t value, int size);
void binary_double(binary *bytes, double value);
void binary_string(binary *bytes, hand_text text);
void binary_time(binary *bytes, int64_t seconds);
void binary_null(binary *bytes);

/** Makes it an array without elements; they are appended next. */
void binary_begin_array(binary *bytes, int32_t type);

/** Says how many there are. */
void binary_end_array(binary *bytes, uint32_t count);

#endif
