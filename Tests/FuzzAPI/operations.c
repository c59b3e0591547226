/* The table of operations, and programs of them. */
#include "operations.h"

#include <stdio.h>

const operation operations[] = {
    {"insert", 80, insert_object},
    {"delete", 8, delete_object},
    {"set", 60, set_value},
    {"set wrongly", 20, set_wrong_value},
    {"read", 10, read_values},
    {"ask", 6, ask_about_object},
    {"set a to-one", 30, set_target},
    {"add", 30, add_member},
    {"remove", 10, remove_member},
    {"set members", 15, set_members},
    {"read members", 8, read_members},
    {"fetch", 10, fetch_objects},
    {"fetch by value", 8, fetch_by_value},
    {"compute", 8, compute},
    {"column", 6, read_column},
    {"arrow", 5, read_arrow},
    {"import json", 18, import_json},
    {"import text", 18, import_text},
    {"import file", 3, import_file},
    {"import stream", 10, import_stream},
    {"sync json", 5, sync_json},
    {"sync text", 5, sync_text},
    {"sync file", 2, sync_file},
    {"fill", 8, fill_object},
    {"export object", 10, export_object},
    {"export", 10, export_objects},
    {"export in pieces", 5, export_in_pieces},
    {"export fetched", 5, export_fetched},
    {"export document", 5, export_document},
    {"save", 12, save},
    {"roll back", 4, roll_back},
    {"refresh", 2, refresh},
    {"cancel", 1, cancel},
    {"limit memory", 2, limit_memory},
    {"changes", 6, ask_for_changes},
    {"other context", 3, use_other_context},
    {"free while calling", 1, free_while_calling},
    {"reopen", 6, reopen},
    {"open twice", 6, open_twice},
    {"open wrongly", 2, open_wrongly},
    {"migrate", 2, migrate},
    {"copy", 2, copy_store},
    {"models", 2, make_models},
    {"reflect", 3, reflect},
    {"watch", 2, watch},
    {"mappings", 2, make_mappings},
    {"registry", 2, use_registry},
    {"errors", 2, look_at_errors},
    {"sequences", 3, use_sequences},
    {"options", 1, initialize_options},
};
const int operation_count = sizeof operations / sizeof operations[0];

int make_steps(uint64_t seed, step *steps, int most) {
  uint64_t state = seed ^ 0x5eed;
  int total = 0, count = 20 + (int)(next_random(&state) % (uint64_t)(most - 20));
  for (int i = 0; i < operation_count; i++) total += operations[i].weight;
  for (int i = 0; i < count; i++) {
    int at = (int)(next_random(&state) % (uint64_t)total), operation = 0;
    while (at >= operations[operation].weight) at -= operations[operation++].weight;
    if (i < 6) operation = 0; /* something to begin with */
    steps[i] = (step){operation, next_random(&state)};
  }
  return count;
}

void run_program(fuzz *f, uint64_t seed, const step *steps, int count, const char *folder,
                 int is_told) {
  open_world(f, seed, folder);
  for (int i = 0; i < count && f->context && !f->is_full; i++) {
    if (is_told) fprintf(stderr, "  %d. %s\n", i + 1, operations[steps[i].operation].name);
    f->random = steps[i].seed;
    f->is_wrong = f->is_exporting = f->is_lenient = f->is_given_up = f->is_doubtful = 0;
    f->is_request_doubtful = 0;
    f->call_userdata = NULL;
    f->disturbances = 20;
    operations[steps[i].operation].run(f);
    f->is_wrong = 0;
    check_exceptions(f);
    json_decref(f->feed);
    f->feed = NULL;
    if (!f->is_full) compare(f, f->context, &f->now);
  }
  close_world(f);
}
