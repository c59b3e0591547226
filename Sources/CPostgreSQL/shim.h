// libpq, found while the program runs, so that nothing has to be linked or installed without a need.
#ifndef GROOT_CPOSTGRESQL_SHIM_H
#define GROOT_CPOSTGRESQL_SHIM_H

#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// The types of libpq-fe.h as far as they are used here; they are a part of libpq's binary interface.
typedef struct groot_pq_connection groot_pq_connection;
typedef struct groot_pq_result groot_pq_result;
typedef struct groot_pq_cancel groot_pq_cancel;
typedef struct {
  char *keyword, *variable, *compiled, *value, *label, *character;
  int size;
} groot_pq_option;

enum { groot_pq_bad = 1 };
enum {
  groot_pq_empty = 0, groot_pq_done = 1, groot_pq_rows = 2, groot_pq_copy_out = 3, groot_pq_copy_in = 4
};

// The functions of libpq that the store calls.
typedef struct {
  groot_pq_connection *(*connect)(const char *const *, const char *const *, int);
  void (*finish)(groot_pq_connection *);
  groot_pq_option *(*parse)(const char *, char **);
  void (*free_options)(groot_pq_option *);
  void (*free_memory)(void *);
  int (*status)(const groot_pq_connection *);
  char *(*message)(const groot_pq_connection *);
  int (*socket)(const groot_pq_connection *);
  const char *(*parameter)(const groot_pq_connection *, const char *);
  int (*set_nonblocking)(groot_pq_connection *, int);
  int (*send)(groot_pq_connection *, const char *);
  int (*send_parameters)(
    groot_pq_connection *, const char *, int, const unsigned *, const char *const *, const int *,
    const int *, int);
  int (*flush)(groot_pq_connection *);
  int (*consume)(groot_pq_connection *);
  int (*is_busy)(groot_pq_connection *);
  groot_pq_result *(*result)(groot_pq_connection *);
  int (*result_status)(const groot_pq_result *);
  char *(*field)(const groot_pq_result *, int);
  void (*clear)(groot_pq_result *);
  int (*row_count)(const groot_pq_result *);
  char *(*value)(const groot_pq_result *, int, int);
  int (*length)(const groot_pq_result *, int, int);
  int (*is_null)(const groot_pq_result *, int, int);
  char *(*affected)(groot_pq_result *);
  int (*put)(groot_pq_connection *, const char *, int);
  int (*end_copy)(groot_pq_connection *, const char *);
  groot_pq_cancel *(*make_cancel)(groot_pq_connection *);
  int (*cancel)(groot_pq_cancel *, char *, int);
  void (*free_cancel)(groot_pq_cancel *);
  void (*set_notices)(groot_pq_connection *, void (*)(void *, const groot_pq_result *), void *);
} groot_pq;

// Fills the table from a library that is open; returns the name of a missing function, or NULL.
static inline const char *groot_pq_fill(groot_pq *table, void *library) {
  const struct {
    void *place;
    const char *name;
  } functions[] = {
    {&table->connect, "PQconnectdbParams"},
    {&table->finish, "PQfinish"},
    {&table->parse, "PQconninfoParse"},
    {&table->free_options, "PQconninfoFree"},
    {&table->free_memory, "PQfreemem"},
    {&table->status, "PQstatus"},
    {&table->message, "PQerrorMessage"},
    {&table->socket, "PQsocket"},
    {&table->parameter, "PQparameterStatus"},
    {&table->set_nonblocking, "PQsetnonblocking"},
    {&table->send, "PQsendQuery"},
    {&table->send_parameters, "PQsendQueryParams"},
    {&table->flush, "PQflush"},
    {&table->consume, "PQconsumeInput"},
    {&table->is_busy, "PQisBusy"},
    {&table->result, "PQgetResult"},
    {&table->result_status, "PQresultStatus"},
    {&table->field, "PQresultErrorField"},
    {&table->clear, "PQclear"},
    {&table->row_count, "PQntuples"},
    {&table->value, "PQgetvalue"},
    {&table->length, "PQgetlength"},
    {&table->is_null, "PQgetisnull"},
    {&table->affected, "PQcmdTuples"},
    {&table->put, "PQputCopyData"},
    {&table->end_copy, "PQputCopyEnd"},
    {&table->make_cancel, "PQgetCancel"},
    {&table->cancel, "PQcancel"},
    {&table->free_cancel, "PQfreeCancel"},
    {&table->set_notices, "PQsetNoticeReceiver"},
  };
  for (size_t index = 0; index < sizeof functions / sizeof *functions; index++) {
    void *found = dlsym(library, functions[index].name);
    if (!found) return functions[index].name;
    __builtin_memcpy(functions[index].place, &found, sizeof found);
  }
  return NULL;
}

// Opens libpq: that of the program if it is linked, else the one of the system.
//
// Returns 0, or -1 with the name of the missing library or function.
static inline int groot_pq_load(groot_pq *table, const char **missing) {
  void *program = dlopen(NULL, RTLD_LAZY);
  if (program && dlsym(program, "PQconnectdbParams")) {
    *missing = groot_pq_fill(table, program);
    return *missing ? -1 : 0;
  }
#ifdef __APPLE__
  const char *names[] = {"libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib"};
#else
  const char *names[] = {"libpq.so.5"};
#endif
  for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
    void *library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    if (!library) continue;
    *missing = groot_pq_fill(table, library);
    return *missing ? -1 : 0;
  }
  *missing = names[0];
  return -1;
}

// Waits until a socket can be read, or also written; negative on failure, 0 after the time.
static inline int groot_pq_wait(int socket, int for_writing, int milliseconds) {
  struct pollfd entry = {socket, (short)(POLLIN | (for_writing ? POLLOUT : 0)), 0};
  return poll(&entry, 1, milliseconds);
}

static inline int groot_pq_has_nul(const uint8_t *text, size_t size) {
  return __builtin_memchr(text, 0, size) != NULL;
}

static inline void groot_pq_pause(int milliseconds) { (void)poll(NULL, 0, milliseconds); }

typedef struct {
  groot_pq table;
  groot_pq_cancel *request;
} groot_pq_cancelling;

static inline void *groot_pq_run_cancel(void *argument) {
  groot_pq_cancelling *work = argument;
  char message[256];
  (void)work->table.cancel(work->request, message, (int)sizeof message);
  work->table.free_cancel(work->request);
  free(work);
  return NULL;
}

// Asks the server to end a statement, and takes the request.
//
// libpq waits for the server meanwhile, possibly for hours. So this is done by a thread of its own,
// where the system has threads: the library needs them for nothing else, and does not link them.
static inline void groot_pq_cancel_aside(const groot_pq *table, groot_pq_cancel *request) {
  int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  int (*detach)(pthread_t);
  void *program = dlopen(NULL, RTLD_LAZY);
  void *found_create = program ? dlsym(program, "pthread_create") : NULL;
  void *found_detach = program ? dlsym(program, "pthread_detach") : NULL;
  groot_pq_cancelling *work = malloc(sizeof *work);
  if (!work) {
    table->free_cancel(request);
    return;
  }
  work->table = *table;
  work->request = request;
  if (found_create && found_detach) {
    pthread_t thread;
    __builtin_memcpy(&create, &found_create, sizeof create);
    __builtin_memcpy(&detach, &found_detach, sizeof detach);
    if (create(&thread, NULL, groot_pq_run_cancel, work) == 0) {
      detach(thread);
      return;
    }
  }
  groot_pq_run_cancel(work);
}

// A notice is for a person at a terminal; libpq would print it.
static inline void groot_pq_ignore(void *context, const groot_pq_result *notice) {
  (void)context;
  (void)notice;
}

static inline void groot_pq_silence(const groot_pq *table, groot_pq_connection *connection) {
  table->set_notices(connection, groot_pq_ignore, NULL);
}

#endif
