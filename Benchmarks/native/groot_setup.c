#include "groot_setup.h"

#include <stdio.h>
#include <stdlib.h>

void must(groot_status status, groot_error *error) {
  if (status == GROOT_OK) return;
  fprintf(stderr, "%s: %s\n", groot_status_name(status), groot_error_text(error).data);
  exit(1);
}

groot_mapping *open_mapping(const bench_input *input, groot_transform_function transformer,
                            void *userdata) {
  size_t size;
  char *document = bench_read(input->model, &size);
  groot_error *error = NULL;
  groot_model *model = NULL;
  groot_registry *registry = NULL;
  groot_mapping *mapping = NULL;
  must(groot_model_create(document, size, &model, &error), error);
  must(groot_registry_create(&registry, &error), error);
  if (transformer) {
    must(groot_registry_set_transformer(registry, "StringToInteger", transformer, NULL, userdata,
                                        NULL, &error),
         error);
  } else {
    must(groot_registry_set_builtin(registry, "StringToInteger", "integer-text", &error), error);
  }
  must(groot_mapping_create(model, registry, NULL, &mapping, &error), error);
  groot_registry_free(registry);
  groot_model_free(model);
  free(document);
  return mapping;
}

groot_context *open_context(groot_mapping *mapping) {
  groot_error *error = NULL;
  groot_context *context = NULL;
  must(groot_context_create(mapping, &context, &error), error);
  return context;
}

groot_context *open_graph(const bench_input *input, groot_mapping *mapping,
                          groot_objects **characters) {
  groot_error *error = NULL;
  groot_context *context = open_context(mapping);
  must(groot_import_file(context, "Character", input->path, NULL, characters, &error), error);
  require_count(input, context);
  return context;
}

void require_count(const bench_input *input, groot_context *context) {
  size_t count = 0;
  groot_error *error = NULL;
  must(groot_context_count(context, "Character", NULL, &count, &error), error);
  bench_require(count == input->count, "not as many characters as expected");
}
