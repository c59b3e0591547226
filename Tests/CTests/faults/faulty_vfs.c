/* A file system for SQLite that fails when it is asked to; faulty_vfs.h says how. */
#include "faulty_vfs.h"

#include <sqlite3.h>
#include <string.h>

#include "disk.h"

static sqlite3_vfs *real;
static sqlite3_vfs faulty;
static sqlite3_io_methods methods;

static struct {
  fault_kind kind;
  uint64_t at, calls, seed;
  int has_failed;
} plan;

typedef struct faulty_file {
  sqlite3_file base;
  disk_file *disk; /* NULL for temporary files */
  sqlite3_file *real;
} faulty_file;

/* Counts a call; whether it fails. */
static int fails(void) {
  if (++plan.calls == plan.at && plan.kind != FAULT_NONE) plan.has_failed = 1;
  if (!plan.has_failed) return 0;
  return plan.kind != FAULT_ONCE || plan.calls == plan.at;
}

static sqlite3_file *real_of(sqlite3_file *file) { return ((faulty_file *)file)->real; }
static disk_file *disk_of(sqlite3_file *file) { return ((faulty_file *)file)->disk; }
#define CALL(file, method, ...) real_of(file)->pMethods->method(real_of(file), __VA_ARGS__)

/* ---- a file ---------------------------------------------------------------------------------- */

static int file_close(sqlite3_file *file) { return real_of(file)->pMethods->xClose(real_of(file)); }

static int file_read(sqlite3_file *file, void *bytes, int size, sqlite3_int64 offset) {
  if (fails()) return SQLITE_IOERR_READ;
  return CALL(file, xRead, bytes, size, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset) {
  if (fails()) {
    /* A disk that is full has taken a part of it. */
    if (plan.kind == FAULT_ONCE) CALL(file, xWrite, bytes, size / 2, offset);
    return plan.at % 2 ? SQLITE_FULL : SQLITE_IOERR_WRITE;
  }
  if (disk_of(file) && disk_note_write(disk_of(file), offset, bytes, (size_t)size) != 0) {
    return SQLITE_IOERR_NOMEM;
  }
  return CALL(file, xWrite, bytes, size, offset);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  if (fails()) return SQLITE_IOERR_TRUNCATE;
  if (disk_of(file) && disk_note_truncation(disk_of(file), size) != 0) return SQLITE_IOERR_NOMEM;
  return CALL(file, xTruncate, size);
}

/* The real file is not synced: this process does not lose its power, and it would take long. */
static int file_sync(sqlite3_file *file, int flags) {
  (void)flags;
  if (fails()) return SQLITE_IOERR_FSYNC;
  return disk_of(file) && disk_note_sync(disk_of(file)) != 0 ? SQLITE_IOERR_NOMEM : SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  if (fails()) return SQLITE_IOERR_FSTAT;
  return CALL(file, xFileSize, size);
}

static int file_lock(sqlite3_file *file, int level) {
  if (fails()) return SQLITE_IOERR_LOCK;
  return CALL(file, xLock, level);
}

static int file_unlock(sqlite3_file *file, int level) { return CALL(file, xUnlock, level); }

static int file_check_lock(sqlite3_file *file, int *result) {
  if (fails()) return SQLITE_IOERR_CHECKRESERVEDLOCK;
  return CALL(file, xCheckReservedLock, result);
}

static int file_control(sqlite3_file *file, int what, void *argument) {
  return CALL(file, xFileControl, what, argument);
}

static int file_sector_size(sqlite3_file *file) {
  return real_of(file)->pMethods->xSectorSize(real_of(file));
}

static int file_characteristics(sqlite3_file *file) {
  return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

static int file_map_shared(sqlite3_file *file, int page, int size, int extends,
                           void volatile **memory) {
  if (fails()) return SQLITE_IOERR_SHMMAP;
  return CALL(file, xShmMap, page, size, extends, memory);
}

static int file_lock_shared(sqlite3_file *file, int offset, int count, int flags) {
  if ((flags & SQLITE_SHM_LOCK) && fails()) return SQLITE_IOERR_SHMLOCK;
  return CALL(file, xShmLock, offset, count, flags);
}

static void file_barrier(sqlite3_file *file) {
  real_of(file)->pMethods->xShmBarrier(real_of(file));
}

static int file_unmap_shared(sqlite3_file *file, int removes) {
  return CALL(file, xShmUnmap, removes);
}

/* ---- the file system ------------------------------------------------------------------------- */

static int vfs_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *opened, int flags,
                    int *out_flags) {
  (void)vfs;
  faulty_file *file = (faulty_file *)opened;
  memset(file, 0, sizeof *file);
  if (fails()) return SQLITE_CANTOPEN;
  file->real = (sqlite3_file *)(file + 1);
  if (path && !(file->disk = disk_file_of(path))) return SQLITE_NOMEM;
  const int code = real->xOpen(real, path, file->real, flags, out_flags);
  if (code == SQLITE_OK) file->base.pMethods = &methods;
  return code;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *path, int syncs_folder) {
  (void)vfs;
  if (fails()) return SQLITE_IOERR_DELETE;
  disk_file *disk = disk_file_of(path);
  if (!disk || disk_note_removal(disk) != 0) return SQLITE_IOERR_NOMEM;
  if (syncs_folder && disk_note_sync(disk) != 0) return SQLITE_IOERR_NOMEM;
  return real->xDelete(real, path, 0);
}

static int vfs_access(sqlite3_vfs *vfs, const char *path, int flags, int *result) {
  (void)vfs;
  if (fails()) return SQLITE_IOERR_ACCESS;
  return real->xAccess(real, path, flags, result);
}

int faulty_vfs_install(void) {
  real = sqlite3_vfs_find(NULL);
  if (!real) return SQLITE_ERROR;
  faulty = *real;
  faulty.zName = "groot-faulty";
  faulty.szOsFile = (int)sizeof(faulty_file) + real->szOsFile;
  faulty.xOpen = vfs_open;
  faulty.xDelete = vfs_delete;
  faulty.xAccess = vfs_access;
  /* Version 2: shared memory, but no files mapped into memory, which would not be seen here. */
  methods = (sqlite3_io_methods){
      2,
      file_close,
      file_read,
      file_write,
      file_truncate,
      file_sync,
      file_size,
      file_lock,
      file_unlock,
      file_check_lock,
      file_control,
      file_sector_size,
      file_characteristics,
      file_map_shared,
      file_lock_shared,
      file_barrier,
      file_unmap_shared,
      NULL,
      NULL,
  };
  return sqlite3_vfs_register(&faulty, 1);
}

void faulty_vfs_plan(fault_kind kind, uint64_t at, uint64_t seed) {
  disk_forget();
  plan.kind = kind;
  plan.at = at;
  plan.calls = 0;
  plan.seed = seed;
  plan.has_failed = 0;
}

uint64_t faulty_vfs_calls(void) { return plan.calls; }

int faulty_vfs_has_failed(void) { return plan.has_failed; }

int faulty_vfs_restart(void) {
  const int loses = plan.kind == FAULT_POWER && plan.has_failed;
  uint64_t seed = plan.seed + plan.at;
  const int code = loses ? disk_lose_power(&seed) : 0;
  faulty_vfs_plan(FAULT_NONE, 0, 0);
  return code;
}
