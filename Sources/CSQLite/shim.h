// What Swift cannot import from sqlite3.h: a constant that is a pointer made of a number, and
// functions with variable arguments.
#ifndef GROOT_CSQLITE_SHIM_H
#define GROOT_CSQLITE_SHIM_H

#include <sqlite3.h>

enum {
  groot_sqlite_constraint_unique = SQLITE_CONSTRAINT_UNIQUE,
  groot_sqlite_constraint_primary_key = SQLITE_CONSTRAINT_PRIMARYKEY,
  groot_sqlite_constraint_foreign_key = SQLITE_CONSTRAINT_FOREIGNKEY
};

/* The text is copied. */
static inline int groot_sqlite_bind_copy(sqlite3_stmt *statement, int index, const char *text,
                                         sqlite3_uint64 size) {
  return sqlite3_bind_text64(statement, index, text ? text : "", size, SQLITE_TRANSIENT,
                             SQLITE_UTF8);
}

static inline int groot_sqlite_bind_blob_copy(sqlite3_stmt *statement, int index,
                                              const void *bytes, sqlite3_uint64 size) {
  return bytes ? sqlite3_bind_blob64(statement, index, bytes, size, SQLITE_TRANSIENT)
               : sqlite3_bind_zeroblob(statement, index, 0);
}

/* The text must stay where it is until the statement has run. */
static inline int groot_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text,
                                         sqlite3_uint64 size) {
  return sqlite3_bind_text64(statement, index, text ? text : "", size, SQLITE_STATIC, SQLITE_UTF8);
}
static inline int groot_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes,
                                         sqlite3_uint64 size) {
  return bytes ? sqlite3_bind_blob64(statement, index, bytes, size, SQLITE_STATIC)
               : sqlite3_bind_zeroblob(statement, index, 0);
}

/* What a virtual table gives; it must stay where it is until the row is used. */
static inline void groot_sqlite_result_text(sqlite3_context *context, const char *text,
                                            sqlite3_uint64 size) {
  sqlite3_result_text64(context, text ? text : "", size, SQLITE_STATIC, SQLITE_UTF8);
}
static inline void groot_sqlite_result_copy(sqlite3_context *context, const char *text,
                                            sqlite3_uint64 size) {
  sqlite3_result_text64(context, text, size, SQLITE_TRANSIENT, SQLITE_UTF8);
}
static inline void groot_sqlite_result_blob(sqlite3_context *context, const void *bytes,
                                            sqlite3_uint64 size) {
  if (bytes) {
    sqlite3_result_blob64(context, bytes, size, SQLITE_STATIC);
  } else {
    sqlite3_result_zeroblob64(context, 0);
  }
}

#endif
