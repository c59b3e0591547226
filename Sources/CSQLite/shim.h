// What Swift cannot import from sqlite3.h: a constant that is a pointer made of a number, and
// functions with variable arguments.
#ifndef GROOT_CSQLITE_SHIM_H
#define GROOT_CSQLITE_SHIM_H

#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>

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

/* Has the connection distrust what a file says: nothing in it runs by itself, unless its triggers are
   allowed. These may need a virtual table of SQLite, such as one for a search of texts. */
static inline int groot_sqlite_harden(sqlite3 *database, int allows_triggers) {
  const int settings[][2] = {
      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, allows_triggers},
      {SQLITE_DBCONFIG_DEFENSIVE, 1},
      {SQLITE_DBCONFIG_ENABLE_TRIGGER, allows_triggers},
      {SQLITE_DBCONFIG_ENABLE_VIEW, allows_triggers},
      {SQLITE_DBCONFIG_DQS_DDL, 0},
      {SQLITE_DBCONFIG_DQS_DML, 0},
  };
  for (unsigned i = 0; i < sizeof settings / sizeof settings[0]; i++) {
    int code = sqlite3_db_config(database, settings[i][0], settings[i][1], (int *)0);
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}

/* Has a virtual table be there for statements only, not for what stands in the schema. */
static inline int groot_sqlite_direct_only(sqlite3 *database) {
  return sqlite3_vtab_config(database, SQLITE_VTAB_DIRECTONLY);
}

/* The number of changes that the header of the file counts; changes in a log do not count. */
static inline int groot_sqlite_change_counter(sqlite3 *database, unsigned *counter) {
  sqlite3_file *file = 0;
  unsigned char bytes[4];
  int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK || !file || !file->pMethods) return SQLITE_ERROR;
  code = file->pMethods->xRead(file, bytes, sizeof bytes, 24);
  if (code != SQLITE_OK) return code;
  *counter = (unsigned)bytes[0] << 24 | (unsigned)bytes[1] << 16 | (unsigned)bytes[2] << 8 | bytes[3];
  return SQLITE_OK;
}

/* The size of the write-ahead log in bytes; 0 without one. */
static inline long long groot_sqlite_log_size(sqlite3 *database) {
  sqlite3_file *file = 0;
  sqlite3_int64 size = 0;
  int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
  if (code != SQLITE_OK || !file || !file->pMethods) return 0;
  return file->pMethods->xFileSize(file, &size) == SQLITE_OK ? size : 0;
}

/* Whether the path of the file leads elsewhere, or nowhere, by now. */
static inline int groot_sqlite_has_moved(sqlite3 *database) {
  int moved = 0;
  int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return code == SQLITE_OK && moved;
}

/* The size of a plain file, -1 where there is nothing, -2 for what is not a plain file. */
static inline long long groot_sqlite_file_size(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0) return -1;
  return S_ISREG(status.st_mode) ? (long long)status.st_size : -2;
}

/* The number of names that a file has in its file system; 0 where there is nothing. */
static inline unsigned long groot_sqlite_name_count(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 ? (unsigned long)status.st_nlink : 0;
}

/* Whether a value has these bytes. */
static inline int groot_sqlite_holds(sqlite3_value *value, const void *bytes, int size) {
  const void *found = sqlite3_value_blob(value);
  return sqlite3_value_bytes(value) == size && (size == 0 || memcmp(found, bytes, (size_t)size) == 0);
}

/* How many columns a table may have. */
static inline int groot_sqlite_column_limit(void) {
  sqlite3 *database = 0;
  int limit = sqlite3_open(":memory:", &database) == SQLITE_OK
                  ? sqlite3_limit(database, SQLITE_LIMIT_COLUMN, -1)
                  : 0;
  sqlite3_close(database);
  return limit;
}

#endif
