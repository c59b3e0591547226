/*
 * What a disk holds of one file for certain, and the writes that it may or may not hold. A write
 * is certain when a sync came after it.
 */
#ifndef GROOT_DISK_H
#define GROOT_DISK_H

#include <stddef.h>
#include <stdint.h>

typedef struct disk_file disk_file;

/** The file of a path; one for as long as the process lives. NULL without memory. */
disk_file *disk_file_of(const char *path);

/** Notes what happens to the real file. 0, or -1 without memory. */
int disk_note_write(disk_file *file, int64_t offset, const void *bytes, size_t size);
int disk_note_truncation(disk_file *file, int64_t size);
int disk_note_removal(disk_file *file);
int disk_note_sync(disk_file *file);

/** Puts into all real files what a disk may hold after a loss of power. */
int disk_lose_power(uint64_t *seed);

/** All files are on disk as they are. */
void disk_forget(void);

/** A pseudo-random number below `bound`. */
uint64_t disk_random(uint64_t *seed, uint64_t bound);

#endif
