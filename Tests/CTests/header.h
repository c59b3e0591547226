/* The layout of the header's structs, for the generated list of their members. */
#ifndef GROOT_HEADER_H
#define GROOT_HEADER_H

#include <groot_ffi.h>
#include <stddef.h>

#include "support.h"

/** The end of the last field noted, at which the next one begins. */
extern size_t field_end;

void note(const char *type, const char *name, size_t number);
void note_field(const char *type, const char *name, size_t offset, size_t size);

#define SIZE(type) note(#type, "sizeof", sizeof(type))
#define BEGIN(type) field_end = 0
#define FIELD(type, field) \
  note_field(#type, #field, offsetof(type, field), sizeof(((type *)0)->field))
#define END(type) \
  SIZE(type);     \
  CHECK_EQUAL(field_end, sizeof(type))

/* Generated from the header. */
void note_layout(void);
extern const groot_status statuses[];
extern const size_t status_count;

#endif
