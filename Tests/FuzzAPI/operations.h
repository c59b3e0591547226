/* The operations, by concern. */
#ifndef GROOT_FUZZ_OPERATIONS_H
#define GROOT_FUZZ_OPERATIONS_H

#include "fuzz.h"

/* objects.c */
void insert_object(fuzz *f);
void delete_object(fuzz *f);
void set_value(fuzz *f);
void set_wrong_value(fuzz *f);
void read_values(fuzz *f);
void ask_about_object(fuzz *f);
/* links.c */
void set_target(fuzz *f);
void add_member(fuzz *f);
void remove_member(fuzz *f);
void set_members(fuzz *f);
void read_members(fuzz *f);
/* fetches.c */
void fetch_objects(fuzz *f);
void fetch_by_value(fuzz *f);
void compute(fuzz *f);
/* columns.c */
void read_column(fuzz *f);
void read_arrow(fuzz *f);
/* imports.c */
void import_json(fuzz *f);
void import_text(fuzz *f);
void import_file(fuzz *f);
void import_stream(fuzz *f);
void sync_json(fuzz *f);
void sync_text(fuzz *f);
void sync_file(fuzz *f);
void fill_object(fuzz *f);
/* exports.c */
void export_object(fuzz *f);
void export_objects(fuzz *f);
void export_in_pieces(fuzz *f);
void export_fetched(fuzz *f);
void export_document(fuzz *f);
/* saves.c */
void save(fuzz *f);
void roll_back(fuzz *f);
void refresh(fuzz *f);
void cancel(fuzz *f);
void limit_memory(fuzz *f);
void ask_for_changes(fuzz *f);
void use_other_context(fuzz *f);
void free_while_calling(fuzz *f);
/* stores.c */
void reopen(fuzz *f);
void open_twice(fuzz *f);
void open_wrongly(fuzz *f);
void migrate(fuzz *f);
void copy_store(fuzz *f);
/* models.c */
void make_models(fuzz *f);
void make_mappings(fuzz *f);
void look_at_errors(fuzz *f);
void use_sequences(fuzz *f);
/* registries.c */
void use_registry(fuzz *f);
/* reflect.c */
void reflect(fuzz *f);
void watch(fuzz *f);
/* options.c */
void initialize_options(fuzz *f);

#endif
