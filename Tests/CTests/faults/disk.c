/* What a disk holds of one file; disk.h says what is certain. */
#include "disk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECTOR = 512 };

typedef struct change {
  enum { WRITTEN, TRUNCATED, REMOVED } kind;
  int64_t offset; /* or the size after a truncation */
  size_t size;
  unsigned char *bytes;
} change;

struct disk_file {
  char *path;
  int exists; /* on disk, for certain */
  unsigned char *bytes;
  size_t size;
  change *changes; /* since the last sync, in order */
  size_t count, capacity;
  disk_file *next;
};

static disk_file *files;

uint64_t disk_random(uint64_t *seed, uint64_t bound) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (*seed >> 33) % bound;
}

static int resize(disk_file *file, size_t size) {
  unsigned char *bytes = realloc(file->bytes, size ? size : 1);
  if (!bytes) return -1;
  if (size > file->size) memset(bytes + file->size, 0, size - file->size);
  file->bytes = bytes;
  file->size = size;
  return 0;
}

/* What is there before anything is written by way of this file system counts as synced. */
static int read_real(disk_file *file) {
  FILE *real = fopen(file->path, "rb");
  if (!real) return 0;
  int code = 0;
  unsigned char part[4096];
  for (size_t got; code == 0 && (got = fread(part, 1, sizeof part, real)) > 0;) {
    const size_t start = file->size;
    code = resize(file, start + got);
    if (code == 0) memcpy(file->bytes + start, part, got);
  }
  fclose(real);
  file->exists = 1;
  return code;
}

disk_file *disk_file_of(const char *path) {
  for (disk_file *file = files; file; file = file->next) {
    if (strcmp(file->path, path) == 0) return file;
  }
  disk_file *file = calloc(1, sizeof *file);
  if (!file) return NULL;
  file->path = strdup(path);
  if (!file->path || read_real(file) != 0) {
    free(file->path);
    free(file->bytes);
    free(file);
    return NULL;
  }
  file->next = files;
  files = file;
  return file;
}

static int note(disk_file *file, change noted) {
  if (file->count == file->capacity) {
    const size_t capacity = file->capacity ? 2 * file->capacity : 16;
    change *changes = realloc(file->changes, capacity * sizeof *changes);
    if (!changes) return -1;
    file->changes = changes;
    file->capacity = capacity;
  }
  file->changes[file->count++] = noted;
  return 0;
}

int disk_note_write(disk_file *file, int64_t offset, const void *bytes, size_t size) {
  change noted = {WRITTEN, offset, size, malloc(size ? size : 1)};
  if (!noted.bytes) return -1;
  memcpy(noted.bytes, bytes, size);
  if (note(file, noted) == 0) return 0;
  free(noted.bytes);
  return -1;
}

int disk_note_truncation(disk_file *file, int64_t size) {
  return note(file, (change){TRUNCATED, size, 0, NULL});
}

int disk_note_removal(disk_file *file) { return note(file, (change){REMOVED, 0, 0, NULL}); }

static int apply_bytes(disk_file *file, const change *noted, size_t from, size_t to) {
  const size_t end = (size_t)noted->offset + to;
  if (end > file->size && resize(file, end) != 0) return -1;
  memcpy(file->bytes + noted->offset + from, noted->bytes + from, to - from);
  return 0;
}

static int apply(disk_file *file, const change *noted) {
  file->exists = noted->kind != REMOVED;
  if (noted->kind == WRITTEN) return apply_bytes(file, noted, 0, noted->size);
  return resize(file, noted->kind == TRUNCATED ? (size_t)noted->offset : 0);
}

/* Of a write that was under way some sectors are there and some are not. */
static int apply_torn(disk_file *file, const change *noted, uint64_t *seed) {
  for (size_t from = 0; from < noted->size; from += SECTOR) {
    const size_t to = from + SECTOR < noted->size ? from + SECTOR : noted->size;
    if (disk_random(seed, 2) == 0 && apply_bytes(file, noted, from, to) != 0) return -1;
  }
  file->exists = 1;
  return 0;
}

/* The first changes of a file are certain. */
static int settle(disk_file *file, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (apply(file, &file->changes[i]) != 0) return -1;
    free(file->changes[i].bytes);
  }
  file->count -= count;
  memmove(file->changes, file->changes + count, file->count * sizeof(change));
  return 0;
}

/* The folder is synced: what was removed stays removed. */
static int settle_removals(void) {
  for (disk_file *file = files; file; file = file->next) {
    for (size_t i = file->count; i > 0; i--) {
      if (file->changes[i - 1].kind != REMOVED) continue;
      if (settle(file, i) != 0) return -1;
      break;
    }
  }
  return 0;
}

int disk_note_sync(disk_file *file) {
  const int is_new = !file->exists;
  if (file->count > 0 && settle(file, file->count) != 0) return -1;
  /* SQLite syncs the folder, too, when it syncs a file that it has made. */
  return is_new ? settle_removals() : 0;
}

static int write_real(disk_file *file) {
  if (!file->exists) {
    unlink(file->path);
    return 0;
  }
  FILE *real = fopen(file->path, "wb");
  if (!real) return -1;
  const int wrote = fwrite(file->bytes, 1, file->size, real) == file->size;
  return fclose(real) == 0 && wrote ? 0 : -1;
}

int disk_lose_power(uint64_t *seed) {
  int code = 0;
  for (disk_file *file = files; file; file = file->next) {
    /* Now and then everything or nothing got through: both ends are worth a look. */
    const uint64_t luck = disk_random(seed, 4);
    for (size_t i = 0; i < file->count; i++) {
      const uint64_t fate = luck == 0 ? 0 : luck == 1 ? 3 : disk_random(seed, 4);
      if (fate < 2) code |= apply(file, &file->changes[i]);
      if (fate == 2 && file->changes[i].kind == WRITTEN) {
        code |= apply_torn(file, &file->changes[i], seed);
      }
    }
    code |= write_real(file);
  }
  disk_forget();
  return code;
}

void disk_forget(void) {
  while (files) {
    disk_file *file = files;
    files = file->next;
    for (size_t i = 0; i < file->count; i++) free(file->changes[i].bytes);
    free(file->changes);
    free(file->bytes);
    free(file->path);
    free(file);
  }
}
