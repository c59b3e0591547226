/*
 * What libgroot.so asks of glibc, under the oldest names that glibc has for it, so that a library
 * built on a new system runs on an old one. The linker takes these functions instead of glibc's, and
 * Scripts/package/groot.map hides them. libgroot.a has none of this: its programs choose their glibc.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <sys/stat.h>

#if defined(__GLIBC__) && defined(__x86_64__)
#define FIRST "GLIBC_2.2.5"
#define STAT_VERSION 1
#elif defined(__GLIBC__) && defined(__aarch64__)
#define FIRST "GLIBC_2.17"
#define STAT_VERSION 0
#endif

#ifdef FIRST
/* Defines `name` as what it was in the first glibc of this processor. */
#define AS_FIRST(type, name, parameters, arguments)     \
  extern type first_##name parameters;                  \
  __asm__(".symver first_" #name ", " #name "@" FIRST); \
  type name parameters { return first_##name arguments; }

/* New in 2.34, when libdl became a part of libc. */
AS_FIRST(void *, dlopen, (const char *path, int mode), (path, mode))
AS_FIRST(void *, dlsym, (void *handle, const char *name), (handle, name))
AS_FIRST(int, dladdr, (const void *address, Dl_info *info), (address, info))
AS_FIRST(char *, dlerror, (void), ())

/* New in 2.33; until then they were inline, and called these with the version of the struct. */
extern int __xstat(int version, const char *path, struct stat *status);
extern int __fxstat(int version, int descriptor, struct stat *status);
int stat(const char *path, struct stat *status) { return __xstat(STAT_VERSION, path, status); }
int fstat(int descriptor, struct stat *status) {
  return __fxstat(STAT_VERSION, descriptor, status);
}

/* New in 2.29 and 2.27; the older ones differ in errno, which nobody here reads. */
AS_FIRST(double, exp, (double x), (x))
AS_FIRST(double, exp2, (double x), (x))
AS_FIRST(double, log, (double x), (x))
AS_FIRST(double, log2, (double x), (x))
AS_FIRST(float, expf, (float x), (x))
AS_FIRST(float, exp2f, (float x), (x))
AS_FIRST(float, logf, (float x), (x))
AS_FIRST(float, log2f, (float x), (x))

/* New in 2.32, where libstdc++ learns from it that locks can be spared: never, here. */
char __libc_single_threaded = 0;
#endif
