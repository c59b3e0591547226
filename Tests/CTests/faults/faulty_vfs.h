/*
 * A file system for SQLite that fails when it is told to, and that can lose its power: then files
 * become what a disk may hold which was not asked to sync, with writes missing, torn or in another
 * order. Only one process may use the files, from one thread at a time.
 */
#ifndef GROOT_FAULTY_VFS_H
#define GROOT_FAULTY_VFS_H

#include <stdint.h>

/** What happens at the call at which it happens. */
typedef enum fault_kind {
  FAULT_NONE,
  FAULT_ONCE,    /* this call fails, the next ones succeed */
  FAULT_FOREVER, /* this call and all later ones fail */
  FAULT_POWER    /* as FAULT_FOREVER, and faulty_vfs_restart loses what was not synced */
} fault_kind;

/** Makes it the file system of all databases that are opened from now on. 0, or a code of SQLite. */
int faulty_vfs_install(void);

/**
 * Begins to count calls anew; the `at`-th from now on, from 1, fails as `kind` says. No file is open,
 * and what files hold now counts as synced.
 */
void faulty_vfs_plan(fault_kind kind, uint64_t at, uint64_t seed);

/** The number of calls since the plan was made. */
uint64_t faulty_vfs_calls(void);

/** Whether the planned call has come. */
int faulty_vfs_has_failed(void);

/**
 * Ends the plan, when all files are closed. After FAULT_POWER what is in the files is what a disk
 * may hold then. Whatever was not synced is as good as synced afterwards. 0, or -1 when a file
 * cannot be written.
 */
int faulty_vfs_restart(void);

#endif
