// Atomic operations on plain memory, which Swift's own library offers on few of Apple's systems.
#ifndef GROOT_CATOMICS_SHIM_H
#define GROOT_CATOMICS_SHIM_H

#include <stdint.h>

/* Puts a pointer in a slot and gives the one that stood there. */
static inline void *groot_atomic_exchange(void **slot, void *pointer) {
  return __atomic_exchange_n(slot, pointer, __ATOMIC_ACQ_REL);
}

/* Sets a flag, and tells whether it was clear. */
static inline uint8_t groot_atomic_claim(uint8_t *flag) {
  return __atomic_exchange_n(flag, 1, __ATOMIC_ACQUIRE) == 0;
}

static inline uint8_t groot_atomic_load(const uint8_t *state) {
  return __atomic_load_n(state, __ATOMIC_RELAXED);
}

static inline void groot_atomic_store(uint8_t *state, uint8_t value) {
  __atomic_store_n(state, value, __ATOMIC_RELEASE);
}

/* Puts `value` where `expected` stands; leaves anything else as it is. */
static inline void groot_atomic_replace(uint8_t *state, uint8_t expected, uint8_t value) {
  __atomic_compare_exchange_n(state, &expected, value, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

#endif
