// A second thread of a call, and a queue of numbered places between the two.
#ifndef GROOT_CATOMICS_THREADS_H
#define GROOT_CATOMICS_THREADS_H

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { groot_queue_line = 128, groot_queue_spins = 2000, groot_queue_step = 16 };

/*
 * One thread fills places in order, the other empties them. All counters only grow.
 *
 * A thread tells the other one of several places at once, since each line of memory that both use costs
 * as much as a few values of a text.
 */
typedef struct {
  uint64_t capacity; /* the greatest number of full places, a multiple of the step */
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  pthread_t thread;
  uint8_t is_ended;  /* the filling thread has stopped, and waits for a start */
  uint8_t is_closed; /* the filling thread is to end */
  uint8_t filler_sleeps, emptier_sleeps;
  /* The numbers of places so far, as told, as they are, and as last heard of. */
  uint8_t before_filled[groot_queue_line];
  uint64_t filled, now_filled, heard_emptied;
  uint8_t before_emptied[groot_queue_line];
  uint64_t emptied, now_emptied, heard_filled;
  uint8_t after_emptied[groot_queue_line];
} groot_queue;

static inline void groot_queue_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/* The function of a thread is found while the program runs: older systems have it in a library of its
 * own, which nothing else needs. */
static inline void *groot_thread_function(const char *name) {
  void *program = dlopen(NULL, RTLD_LAZY);
  return program ? dlsym(program, name) : NULL;
}

/* Starts a thread that gets no signals; false where the system has none to give. */
static inline bool groot_queue_open(
  groot_queue *queue, uint64_t capacity, void *(*function)(void *), void *argument) {
  int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  int (*mask)(int, const sigset_t *, sigset_t *);
  void *found_create = groot_thread_function("pthread_create");
  void *found_mask = groot_thread_function("pthread_sigmask");
  if (!found_create || !found_mask || !groot_thread_function("pthread_join")) return false;
  __builtin_memcpy(&create, &found_create, sizeof create);
  __builtin_memcpy(&mask, &found_mask, sizeof mask);
  __builtin_memset(queue, 0, sizeof *queue);
  queue->capacity = capacity;
  queue->is_ended = 1;
  if (pthread_mutex_init(&queue->mutex, NULL) != 0) return false;
  if (pthread_cond_init(&queue->changed, NULL) != 0) {
    pthread_mutex_destroy(&queue->mutex);
    return false;
  }
  /* The new thread begins with the mask of this one. */
  sigset_t all, before;
  sigfillset(&all);
  mask(SIG_SETMASK, &all, &before);
  bool is_made = create(&queue->thread, NULL, function, argument) == 0;
  mask(SIG_SETMASK, &before, NULL);
  if (!is_made) {
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->mutex);
  }
  return is_made;
}

static inline void groot_queue_wake(groot_queue *queue) {
  pthread_mutex_lock(&queue->mutex);
  pthread_cond_broadcast(&queue->changed);
  pthread_mutex_unlock(&queue->mutex);
}

/* Ends the filling thread, which may be asleep. */
static inline void groot_queue_close(groot_queue *queue) {
  int (*join)(pthread_t, void **);
  void *found = groot_thread_function("pthread_join");
  __builtin_memcpy(&join, &found, sizeof join);
  __atomic_store_n(&queue->is_closed, 1, __ATOMIC_SEQ_CST);
  groot_queue_wake(queue);
  join(queue->thread, NULL);
  pthread_cond_destroy(&queue->changed);
  pthread_mutex_destroy(&queue->mutex);
}

/* Lets the filling thread start, which has stopped; all places are empty. */
static inline void groot_queue_start(groot_queue *queue) {
  __atomic_store_n(&queue->emptied, queue->now_emptied, __ATOMIC_SEQ_CST);
  __atomic_store_n(&queue->is_ended, 0, __ATOMIC_SEQ_CST);
  groot_queue_wake(queue);
}

/* For the filling thread: waits for a start; false if it is to end. */
static inline bool groot_queue_await_start(groot_queue *queue) {
  pthread_mutex_lock(&queue->mutex);
  while (__atomic_load_n(&queue->is_ended, __ATOMIC_SEQ_CST) &&
         !__atomic_load_n(&queue->is_closed, __ATOMIC_SEQ_CST)) {
    pthread_cond_wait(&queue->changed, &queue->mutex);
  }
  pthread_mutex_unlock(&queue->mutex);
  return !__atomic_load_n(&queue->is_closed, __ATOMIC_SEQ_CST);
}

static inline bool groot_queue_is_full(groot_queue *queue) {
  queue->heard_emptied = __atomic_load_n(&queue->emptied, __ATOMIC_SEQ_CST);
  return queue->now_filled - queue->heard_emptied >= queue->capacity;
}

/* For the filling thread: waits for an empty place; false if it is to end. */
static inline bool groot_queue_await_place(groot_queue *queue) {
  if (queue->now_filled - queue->heard_emptied >= queue->capacity && groot_queue_is_full(queue)) {
    for (int spin = 0; spin < groot_queue_spins && groot_queue_is_full(queue); spin++) {
      groot_queue_pause();
    }
    if (groot_queue_is_full(queue)) {
      pthread_mutex_lock(&queue->mutex);
      __atomic_store_n(&queue->filler_sleeps, 1, __ATOMIC_SEQ_CST);
      while (groot_queue_is_full(queue) && !__atomic_load_n(&queue->is_closed, __ATOMIC_SEQ_CST)) {
        pthread_cond_wait(&queue->changed, &queue->mutex);
      }
      __atomic_store_n(&queue->filler_sleeps, 0, __ATOMIC_SEQ_CST);
      pthread_mutex_unlock(&queue->mutex);
    }
  }
  return !__atomic_load_n(&queue->is_closed, __ATOMIC_RELAXED);
}

static inline void groot_queue_tell_filled(groot_queue *queue) {
  __atomic_store_n(&queue->filled, queue->now_filled, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&queue->emptier_sleeps, __ATOMIC_SEQ_CST)) groot_queue_wake(queue);
}

/* For the filling thread: the next place is full. */
static inline void groot_queue_fill(groot_queue *queue) {
  queue->now_filled += 1;
  if (queue->now_filled % groot_queue_step == 0) groot_queue_tell_filled(queue);
}

/* For the filling thread: no other place will be full until a start. */
static inline void groot_queue_stop(groot_queue *queue) {
  groot_queue_tell_filled(queue);
  __atomic_store_n(&queue->is_ended, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&queue->emptier_sleeps, __ATOMIC_SEQ_CST)) groot_queue_wake(queue);
}

static inline bool groot_queue_has_full(groot_queue *queue) {
  queue->heard_filled = __atomic_load_n(&queue->filled, __ATOMIC_SEQ_CST);
  return queue->heard_filled != queue->now_emptied;
}

static inline bool groot_queue_has_news(groot_queue *queue) {
  return groot_queue_has_full(queue) || __atomic_load_n(&queue->is_ended, __ATOMIC_SEQ_CST);
}

/* For the emptying thread: waits for a full place; false if the filling thread has stopped. */
static inline bool groot_queue_await_full(groot_queue *queue) {
  if (queue->heard_filled != queue->now_emptied || groot_queue_has_full(queue)) return true;
  for (int spin = 0; spin < groot_queue_spins && !groot_queue_has_news(queue); spin++) {
    groot_queue_pause();
  }
  if (!groot_queue_has_news(queue)) {
    pthread_mutex_lock(&queue->mutex);
    __atomic_store_n(&queue->emptier_sleeps, 1, __ATOMIC_SEQ_CST);
    while (!groot_queue_has_news(queue)) pthread_cond_wait(&queue->changed, &queue->mutex);
    __atomic_store_n(&queue->emptier_sleeps, 0, __ATOMIC_SEQ_CST);
    pthread_mutex_unlock(&queue->mutex);
  }
  return groot_queue_has_full(queue);
}

/* For the emptying thread: the oldest full place is empty. A sleeping thread is woken for many places. */
static inline void groot_queue_empty(groot_queue *queue) {
  queue->now_emptied += 1;
  if (queue->now_emptied % groot_queue_step != 0) return;
  __atomic_store_n(&queue->emptied, queue->now_emptied, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&queue->filler_sleeps, __ATOMIC_SEQ_CST) &&
      __atomic_load_n(&queue->filled, __ATOMIC_RELAXED) - queue->now_emptied <= queue->capacity / 4) {
    groot_queue_wake(queue);
  }
}

/* Asks for lines of memory that the other thread has written. */
static inline void groot_prefetch(const void *start, size_t size) {
  for (size_t at = 0; at < size; at += 64) __builtin_prefetch((const char *)start + at);
}

#endif
