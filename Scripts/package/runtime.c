/*
 * Functions in place of those of the runtimes that the library never calls, and that are large or bring
 * large tables: the names of all Unicode characters are half a megabyte. The linker gives the calls to these
 * (--wrap), or finds them before those. libgroot.a has none of this: its programs choose their runtime.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The length of a character's name in Unicode: none has one. */
intptr_t __wrap__swift_stdlib_getScalarName(uint32_t scalar, uint8_t *buffer, intptr_t capacity);
intptr_t __wrap__swift_stdlib_getScalarName(uint32_t scalar, uint8_t *buffer, intptr_t capacity) {
  (void)scalar;
  (void)buffer;
  (void)capacity;
  return 0;
}

/* Properties of characters that only their own accessors and regular expressions read: none is known. */
uint8_t __wrap__swift_stdlib_getGeneralCategory(uint32_t scalar);
uint8_t __wrap__swift_stdlib_getGeneralCategory(uint32_t scalar) {
  (void)scalar;
  return 0;
}

uint16_t __wrap__swift_stdlib_getAge(uint32_t scalar);
uint16_t __wrap__swift_stdlib_getAge(uint32_t scalar) {
  (void)scalar;
  return UINT16_MAX;
}

uint8_t __wrap__swift_stdlib_getScript(uint32_t scalar);
uint8_t __wrap__swift_stdlib_getScript(uint32_t scalar) {
  (void)scalar;
  return UINT8_MAX;
}

const uint8_t *__wrap__swift_stdlib_getScriptExtensions(uint32_t scalar, uint8_t *count);
const uint8_t *__wrap__swift_stdlib_getScriptExtensions(uint32_t scalar, uint8_t *count) {
  (void)scalar;
  *count = 0;
  return NULL;
}

uint8_t __wrap__swift_stdlib_getWordBreakProperty(uint32_t scalar);
uint8_t __wrap__swift_stdlib_getWordBreakProperty(uint32_t scalar) {
  (void)scalar;
  return UINT8_MAX;
}

/* The name of a C++ symbol: the runtime shows that of an exception that nobody catches. */
char *__wrap___cxa_demangle(const char *name, char *buffer, size_t *size, int *status);
char *__wrap___cxa_demangle(const char *name, char *buffer, size_t *size, int *status) {
  (void)name;
  (void)buffer;
  (void)size;
  if (status) *status = -2;
  return NULL;
}

/*
 * The settings of backtraces when a program of Swift crashes, all off: a library does not set handlers
 * for the signals of its process. Their own file reads them from the environment when it is loaded.
 */
struct settings {
  uint64_t words[11];
};
extern struct settings _swift_backtraceSettings;
struct settings _swift_backtraceSettings = {{0}};

/* A backtrace hides such functions. */
bool _swift_backtrace_isThunkFunction(const char *name);
bool _swift_backtrace_isThunkFunction(const char *name) {
  (void)name;
  return false;
}
