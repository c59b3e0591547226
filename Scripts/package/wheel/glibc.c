/*
 * The symbols that SQLite needs beyond Scripts/package/glibc.c, under the oldest names too, for the wheel of
 * Python: the system's own SQLite runs on no older system than this one.
 */
#include "../glibc.c"
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>

#ifdef FIRST
/* New in 2.34, when libpthread and libdl became parts of libc. */
AS_FIRST(int, dlclose, (void *handle), (handle))
AS_FIRST(int, pthread_create,
    (pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*run)(void *),
        void *restrict argument),
    (thread, attributes, run, argument))
AS_FIRST(int, pthread_join, (pthread_t thread, void **result), (thread, result))
AS_FIRST(int, pthread_mutex_trylock, (pthread_mutex_t *mutex), (mutex))
AS_FIRST(int, pthread_mutexattr_init, (pthread_mutexattr_t *attributes), (attributes))
AS_FIRST(int, pthread_mutexattr_destroy, (pthread_mutexattr_t *attributes), (attributes))
AS_FIRST(int, pthread_mutexattr_settype, (pthread_mutexattr_t *attributes, int type),
    (attributes, type))

/* New in 2.33; on systems of 64 bits both structs are the same. */
extern int __lxstat(int version, const char *path, struct stat *status);
int stat64(const char *path, struct stat64 *status) {
  return __xstat(STAT_VERSION, path, (struct stat *)status);
}
int lstat64(const char *path, struct stat64 *status) {
  return __lxstat(STAT_VERSION, path, (struct stat *)status);
}
int fstat64(int descriptor, struct stat64 *status) {
  return __fxstat(STAT_VERSION, descriptor, (struct stat *)status);
}

/* New in 2.28; its third argument is an integer or a pointer, which are passed alike. */
extern int first_fcntl(int descriptor, int command, ...);
__asm__(".symver first_fcntl, fcntl@" FIRST);
int fcntl64(int descriptor, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  return first_fcntl(descriptor, command, argument);
}

/* New in 2.29; the older one differs in errno. */
AS_FIRST(double, pow, (double x, double y), (x, y))
#endif
