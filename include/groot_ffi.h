/*
 * groot_ffi.h - functions for languages whose calls of C return a number faster than they fill a
 * struct, and pass 32 bits faster than 64. Programs in C need groot.h only.
 *
 * These functions return the value itself. An object has two halves: `low` is (uint32_t)object,
 * `high` is (uint32_t)(object >> 32).
 *
 * Each function has a result that means "none": the value is missing or of another kind, or
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

#ifdef __cplusplus
}
#endif

#endif
