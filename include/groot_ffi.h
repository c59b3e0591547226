/*
 * groot_ffi.h - functions for languages whose calls of C return a number faster than they fill a
 * struct, and pass 32 bits faster than 64. Programs in C need groot.h only.
 *
 * These functions return the value itself. An object has two halves: `low` is (uint32_t)object,
 * `high` is (uint32_t)(object >> 32).
 *
 * Each of these has a result that means "none": the value is missing or of another kind, or
 * groot_object_get would fail. A value may equal that result; groot_object_get distinguishes them.
 */
#ifndef GROOT_FFI_H
#define GROOT_FFI_H

#include "groot.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Returns an integer, a date, a day, a boolean (0 or 1), or the object of a to-one relationship;
 * INT64_MIN for none.
 */
GROOT_API int64_t groot_object_integer(groot_context *context, uint32_t low, uint32_t high,
                                       groot_property property);

/** Returns a real; NaN for none. */
GROOT_API double groot_object_real(groot_context *context, uint32_t low, uint32_t high,
                                   groot_property property);

/**
 * Returns a string or URI, followed by a NUL; NULL for none. Text is also NULL if it has more than
 * 255 bytes or contains a NUL. The copy is borrowed until the next call of these four functions.
 */
GROOT_API const char *groot_object_text(groot_context *context, uint32_t low, uint32_t high,
                                        groot_property property);

/** Returns GROOT_VALUE_..., the kind of the value; -1 if groot_object_get would fail. */
GROOT_API int32_t groot_object_kind(groot_context *context, uint32_t low, uint32_t high,
                                    groot_property property);

/**
 * Writes the characters of UTF-8 to `units`, and their number to `count`, up to the first above
 * `greatest`: 0x7F and 0xFF for units of 1 byte, 0xFFFF of 2, 0x10FFFF of 4. `units` is aligned for
 * them and has room for as many as there are bytes of text.
 * Returns the number of bytes read, less than `size` before a greater character and before bytes that
 * are not UTF-8; 0 for another `greatest`.
 * Linear. Any thread may call it.
 */
GROOT_API size_t groot_text_units(const void *text, size_t size, uint32_t greatest, void *units,
                                  size_t *count);

/** A column that groot_arrow_table copies. */
typedef struct groot_arrow_column {
  const char *format;     /**< as in an ArrowSchema; "+s" for a struct */
  const char *name;       /**< UTF-8 that ends with a NUL */
  int64_t length;         /**< number of values */
  int64_t null_count;     /**< number of them without a value */
  size_t children;        /**< number of columns of a struct; they follow it, each with its own */
  size_t buffer_count;    /**< as in an ArrowArray, at most 3 */
  const void *buffers[3]; /**< NULL for an absent validity */
  size_t sizes[3];        /**< their sizes in bytes */
} groot_arrow_column;

/**
 * Makes an Arrow stream of one record batch of copied buffers; the first of `count` columns is a
 * struct of all others, and no columns are an empty table. Linear. Any thread may use the stream.
 * Free with stream->release(stream). The buffers must have the sizes that their
 * format and length ask for, which is not checked.
 * Errors: GROOT_INVALID_ARGUMENT for columns that are not one struct of at most 32 levels;
 * GROOT_OUT_OF_MEMORY.
 */
GROOT_API groot_status groot_arrow_table(const groot_arrow_column *columns, size_t count,
                                         struct ArrowArrayStream *stream, groot_error **error);

/**
 * Returns a destructor for capsules of Python, `void (*)(PyObject *)`; NULL in a program without Python.
 * It releases the struct ArrowArrayStream of a capsule with the name "arrow_array_stream", and passes
 * the memory of the struct to PyMem_RawFree. It runs nothing of Python, so that an exception that is
 * being raised stays. Any thread may call this.
 */
GROOT_API void *groot_arrow_capsule_destructor(void);

#ifdef __cplusplus
}
#endif

#endif
