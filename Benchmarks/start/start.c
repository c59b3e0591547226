/*
 * Loads the library as a program that finds it at run time does, makes the first model, and prints
 * what each took as a JSON object, in seconds of the clock. It counts once in a process: what is
 * loaded stays.
 *
 * usage: start LIBRARY MODEL.json
 */
#include <dlfcn.h>
#include <groot.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

typedef groot_status (*create_function)(const char *, size_t, groot_model **, groot_error **);

int main(int argc, char **argv) {
  static char document[1 << 16];
  FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
  if (!file) {
    fprintf(stderr, "usage: %s LIBRARY MODEL.json\n", argv[0]);
    return 2;
  }
  const size_t size = fread(document, 1, sizeof document, file);
  fclose(file);

  const double start = now();
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  void *address = library ? dlsym(library, "groot_model_create") : NULL;
  if (!address) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  const double loaded = now();
  create_function create;
  memcpy(&create, &address, sizeof create);
  groot_model *model = NULL;
  if (create(document, size, &model, NULL) != GROOT_OK) {
    fprintf(stderr, "%s is not a model\n", argv[2]);
    return 1;
  }
  const double made = now();
  printf("{\"load\": %.9f, \"model\": %.9f}\n", loaded - start, made - loaded);
  return 0;
}
