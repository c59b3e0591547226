// The id of the process without a system call each time: a store asks for it at each statement.
#ifndef GROOT_CATOMICS_PROCESS_H
#define GROOT_CATOMICS_PROCESS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* Gives a word of zeros that is zero again in a forked child; NULL where the system has none. */
static inline int32_t *groot_fork_mark(void) {
#if defined(__linux__) && defined(MAP_ANONYMOUS)
  const size_t size = 4096;
  const int wipe_on_fork = 18;
  void *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return NULL;
  /* An emulator that ignores all advice takes invalid advice, too. */
  if (madvise(page, size, -1) != 0 && madvise(page, size, wipe_on_fork) == 0) return (int32_t *)page;
  munmap(page, size);
#endif
  return NULL;
}

/* Gives the id of the process, which the mark holds until a fork. */
static inline int32_t groot_process_id(int32_t *mark) {
  if (!mark) return (int32_t)getpid();
  int32_t id = __atomic_load_n(mark, __ATOMIC_RELAXED);
  if (id == 0) {
    id = (int32_t)getpid();
    __atomic_store_n(mark, id, __ATOMIC_RELAXED);
  }
  return id;
}

#endif
