/*
 * The memory that an operation takes at its peak: all that the process gets and gives back.
 *
 * The functions here come before those of the C library, for the shared libraries, too.
 */
#include "growth.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static int is_counting;
static long current, peak;

void begin_peak(void) {
  is_counting = 1;
  current = peak = 0;
}

size_t end_peak(void) {
  is_counting = 0;
  return (size_t)peak;
}

static void *taken(void *block) {
  if (!is_counting || !block) return block;
  current += (long)malloc_usable_size(block);
  if (current > peak) peak = current;
  return block;
}

static void given(void *block) {
  if (is_counting && block) current -= (long)malloc_usable_size(block);
}

void *malloc(size_t size) { return taken(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return taken(__libc_calloc(count, size)); }

void *realloc(void *block, size_t size) {
  size_t before = is_counting && block ? malloc_usable_size(block) : 0;
  void *moved = __libc_realloc(block, size);
  if (moved || size == 0) current -= (long)before;
  return taken(moved);
}

void *memalign(size_t alignment, size_t size) { return taken(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  void *made = memalign(alignment, size);
  if (!made) return ENOMEM;
  *block = made;
  return 0;
}

void free(void *block) {
  given(block);
  __libc_free(block);
}
