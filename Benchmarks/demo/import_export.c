/*
 * Imports a file of characters (../generate.py) into a new graph, exports it again, and says how
 * many objects there are and how long it took, beside json_loadb of the same text in the same run.
 *
 * usage: import_export MODEL.json CHARACTERS.json
 *
 * Each time is the best of three, so that the first touch of fresh memory and the like do not
 * decide. The export is compared with the source: it must hold the same JSON.
 */
#include <groot.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { rounds = 3 };

static groot_error *error;

static void must(groot_status status) {
  if (status == GROOT_OK) return;
  fprintf(stderr, "%s: %s\n", groot_status_name(status), groot_error_text(error).data);
  exit(1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void keep_least(double *best, double seconds) {
  if (*best == 0 || seconds < *best) *best = seconds;
}

static char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) {
    perror(path);
    exit(1);
  }
  *size = (size_t)ftell(file);
  rewind(file);
  char *data = malloc(*size + 1);
  if (!data || fread(data, 1, *size, file) != *size) {
    perror(path);
    exit(1);
  }
  fclose(file);
  return data;
}

static groot_mapping *compile(const char *model_path) {
  size_t size = 0;
  char *document = read_file(model_path, &size);
  groot_model *model = NULL;
  groot_registry *registry = NULL;
  groot_mapping *mapping = NULL;
  must(groot_model_create(document, size, &model, &error));
  must(groot_registry_create(&registry, &error));
  must(groot_registry_set_builtin(registry, "StringToInteger", "integer-text", &error));
  must(groot_mapping_create(model, registry, NULL, &mapping, &error));
  groot_registry_free(registry);
  groot_model_free(model);
  free(document);
  return mapping;
}

static size_t count_of(groot_context *context, const char *entity) {
  size_t count = 0;
  must(groot_context_count(context, entity, NULL, &count, &error));
  return count;
}

static void report(const char *what, double seconds, double bytes, double reference) {
  printf("   %-12s %7.3f s %7.0f MB/s %7.2f x json_loadb\n", what, seconds, bytes / seconds / 1e6,
         seconds / reference);
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s MODEL.json CHARACTERS.json\n", argv[0]);
    return 2;
  }
  size_t size = 0;
  char *text = read_file(argv[2], &size);
  groot_mapping *mapping = compile(argv[1]);
  double load_time = 0, import_time = 0, export_time = 0;
  groot_buffer exported = {NULL, 0};

  for (int round = 0; round < rounds; round++) {
    double start = now();
    json_t *tree = json_loadb(text, size, 0, NULL);
    keep_least(&load_time, now() - start);
    if (!tree) return 1;
    json_decref(tree);

    groot_context *context = NULL;
    groot_objects *characters = NULL;
    groot_buffer_free(&exported);
    start = now();
    must(groot_context_create(mapping, &context, &error));
    must(groot_import_text(context, "Character", text, size, NULL, &characters, &error));
    keep_least(&import_time, now() - start);

    start = now();
    must(groot_export_objects_text(context, groot_objects_data(characters),
                           groot_objects_count(characters), NULL, &exported, &error));
    keep_least(&export_time, now() - start);
    if (round == 0) {
      printf("   %zu characters, %zu powers, %zu publishers from %.1f MB of JSON\n",
             count_of(context, "Character"), count_of(context, "Power"),
             count_of(context, "Publisher"), (double)size / 1e6);
    }
    groot_objects_free(characters);
    groot_context_free(context);
  }

  report("import", import_time, (double)size, load_time);
  report("export", export_time, (double)exported.size, load_time);
  report("json_loadb", load_time, (double)size, load_time);

  json_t *source = json_loadb(text, size, 0, NULL);
  json_t *result = json_loadb(exported.data, exported.size, 0, NULL);
  int same = source && result && json_equal(source, result);
  puts(same ? "   the export has the same JSON as the source"
            : "   the export differs from the source");
  json_decref(source);
  json_decref(result);
  groot_buffer_free(&exported);
  groot_mapping_free(mapping);
  free(text);
  return !same;
}
