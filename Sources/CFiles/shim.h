// What of C only Swift's overlay offers. To link that takes all of C's mathematics along, and asks
// for a glibc that is years younger than the one the library needs.
#ifndef GROOT_CFILES_SHIM_H
#define GROOT_CFILES_SHIM_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>

static inline int groot_last_error(void) { return errno; }

/* The permissions are those of a file that is made. */
static inline int groot_open(const char *path, int flags, mode_t permissions) {
  return open(path, flags, permissions);
}

static inline bool groot_is_regular_file(const struct stat *status) {
  return S_ISREG(status->st_mode);
}

#endif
