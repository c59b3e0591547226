// What Swift cannot import from pcre2.h: names that depend on a macro, and atomic operations on a
// plain pointer, by which threads share what a match needs.
#ifndef GROOT_CPCRE2_SHIM_H
#define GROOT_CPCRE2_SHIM_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* Puts a pointer in a slot and gives the one that stood there. */
static inline void *groot_pcre2_exchange(void **slot, void *pointer) {
  return __atomic_exchange_n(slot, pointer, __ATOMIC_ACQ_REL);
}

#endif
