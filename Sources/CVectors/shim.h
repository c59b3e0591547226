// Sixteen bytes of text at a time, with the vector instructions that each processor of a kind has:
// SSE2 on x86-64, NEON on arm64, and plain C elsewhere.
#ifndef GROOT_CVECTORS_SHIM_H
#define GROOT_CVECTORS_SHIM_H

#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#endif

/* A mark for each of sixteen bytes, the first byte's lowest; the bits of a mark are equal. */
typedef uint64_t groot_marks;

#if defined(__SSE2__)

typedef __m128i groot_vector;
#define GROOT_MARK_SHIFT 0

static inline groot_vector groot_load(const uint8_t *bytes) {
  return _mm_loadu_si128((const __m128i *)(const void *)bytes);
}

static inline void groot_store(groot_vector vector, uint8_t *target) {
  _mm_storeu_si128((__m128i *)(void *)target, vector);
}

/* Quotes, backslashes and control characters, which text in a string cannot have. */
static inline groot_marks groot_ends(groot_vector v) {
  __m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1F)), v);
  __m128i quotes = _mm_cmpeq_epi8(v, _mm_set1_epi8('"'));
  __m128i backslashes = _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'));
  __m128i all = _mm_or_si128(controls, _mm_or_si128(quotes, backslashes));
  return (groot_marks)(uint32_t)_mm_movemask_epi8(all);
}

/* Bytes beyond ASCII. */
static inline groot_marks groot_beyond(groot_vector v) {
  return (groot_marks)(uint32_t)_mm_movemask_epi8(v);
}

static inline void groot_store_units2(groot_vector v, uint16_t *units) {
  const __m128i zero = _mm_setzero_si128();
  groot_store(_mm_unpacklo_epi8(v, zero), (uint8_t *)units);
  groot_store(_mm_unpackhi_epi8(v, zero), (uint8_t *)(units + 8));
}

#elif defined(__ARM_NEON) && defined(__aarch64__)

typedef uint8x16_t groot_vector;
#define GROOT_MARK_SHIFT 2

static inline groot_vector groot_load(const uint8_t *bytes) { return vld1q_u8(bytes); }

static inline void groot_store(groot_vector vector, uint8_t *target) { vst1q_u8(target, vector); }

static inline groot_marks groot_narrow(uint8x16_t v) {
  return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(v), 4)), 0);
}

static inline groot_marks groot_ends(groot_vector v) {
  uint8x16_t quotes = vceqq_u8(v, vdupq_n_u8('"')), backslashes = vceqq_u8(v, vdupq_n_u8('\\'));
  return groot_narrow(vorrq_u8(vcltq_u8(v, vdupq_n_u8(0x20)), vorrq_u8(quotes, backslashes)));
}

static inline groot_marks groot_beyond(groot_vector v) {
  return groot_narrow(vcgeq_u8(v, vdupq_n_u8(0x80)));
}

static inline void groot_store_units2(groot_vector v, uint16_t *units) {
  vst1q_u16(units, vmovl_u8(vget_low_u8(v)));
  vst1q_u16(units + 8, vmovl_u8(vget_high_u8(v)));
}

#else

typedef struct {
  uint8_t bytes[16];
} groot_vector;
#define GROOT_MARK_SHIFT 0

static inline groot_vector groot_load(const uint8_t *bytes) {
  groot_vector vector;
  memcpy(vector.bytes, bytes, sizeof vector.bytes);
  return vector;
}

static inline void groot_store(groot_vector vector, uint8_t *target) {
  memcpy(target, vector.bytes, sizeof vector.bytes);
}

static inline groot_marks groot_ends(groot_vector v) {
  groot_marks marks = 0;
  for (int i = 0; i < 16; i++) {
    uint8_t byte = v.bytes[i];
    marks |= (groot_marks)(byte < 0x20 || byte == '"' || byte == '\\') << i;
  }
  return marks;
}

static inline groot_marks groot_beyond(groot_vector v) {
  groot_marks marks = 0;
  for (int i = 0; i < 16; i++) marks |= (groot_marks)(v.bytes[i] >> 7) << i;
  return marks;
}

static inline void groot_store_units2(groot_vector v, uint16_t *units) {
  for (int i = 0; i < 16; i++) units[i] = v.bytes[i];
}

#endif

/* The number of bytes before the first mark, of which there must be one. */
static inline intptr_t groot_before(groot_marks marks) {
  return __builtin_ctzll(marks) >> GROOT_MARK_SHIFT;
}

/* The bytes before the first that ends plain text: a quote, backslash, control character or byte
   beyond ASCII; 16 without one. */
static inline intptr_t groot_plain_run(const uint8_t *bytes) {
  groot_vector vector = groot_load(bytes);
  groot_marks marks = groot_ends(vector) | groot_beyond(vector);
  return marks ? groot_before(marks) : 16;
}

/* The bytes before the first quote, backslash or control character; 16 without one. Sets a flag if
   one of these bytes is beyond ASCII. */
static inline intptr_t groot_string_run(const uint8_t *bytes, int *is_beyond) {
  groot_vector vector = groot_load(bytes);
  groot_marks ends = groot_ends(vector), beyond = groot_beyond(vector);
  *is_beyond |= (beyond & ((ends & (0 - ends)) - 1)) != 0;
  return ends ? groot_before(ends) : 16;
}

/* Copies sixteen bytes, and returns the number before the first that a string in JSON escapes; 16
   without one. */
static inline intptr_t groot_copy_run(const uint8_t *source, uint8_t *target) {
  groot_vector vector = groot_load(source);
  groot_store(vector, target);
  groot_marks ends = groot_ends(vector);
  return ends ? groot_before(ends) : 16;
}

#if defined(__SSE2__)

/* The end of a block of whole vectors from `start` on, in which a lane counts no further than 255. */
static inline intptr_t groot_block_end(intptr_t start, intptr_t count) {
  intptr_t vectors = (count - start) / 16;
  return start + (vectors < 255 ? vectors : 255) * 16;
}

static inline intptr_t groot_lane_sum(groot_vector lanes) {
  __m128i sums = _mm_sad_epu8(lanes, _mm_setzero_si128());
  return _mm_cvtsi128_si32(sums) + _mm_cvtsi128_si32(_mm_srli_si128(sums, 8));
}

#endif

/* The number of bytes of text that equal `byte`. */
static inline intptr_t groot_count(const uint8_t *bytes, intptr_t count, uint8_t byte) {
  intptr_t total = 0, i = 0;
#if defined(__SSE2__)
  const __m128i wanted = _mm_set1_epi8((char)byte);
  for (intptr_t end; (end = groot_block_end(i, count)) > i;) {
    __m128i lanes = _mm_setzero_si128();
    for (; i < end; i += 16) {
      lanes = _mm_sub_epi8(lanes, _mm_cmpeq_epi8(groot_load(bytes + i), wanted));
    }
    total += groot_lane_sum(lanes);
  }
#endif
  for (; i < count; i++) total += bytes[i] == byte;
  return total;
}

/* The number of bytes of UTF-8 text that continue a character. */
static inline intptr_t groot_count_continuations(const uint8_t *bytes, intptr_t count) {
  intptr_t total = 0, i = 0;
#if defined(__SSE2__)
  const __m128i first = _mm_set1_epi8(-64);
  for (intptr_t end; (end = groot_block_end(i, count)) > i;) {
    __m128i lanes = _mm_setzero_si128();
    for (; i < end; i += 16) {
      lanes = _mm_sub_epi8(lanes, _mm_cmplt_epi8(groot_load(bytes + i), first));
    }
    total += groot_lane_sum(lanes);
  }
#endif
  for (; i < count; i++) total += (bytes[i] & 0xC0) == 0x80;
  return total;
}

/* The bytes before the first beyond ASCII; 16 without one. */
static inline intptr_t groot_ascii_run(const uint8_t *bytes) {
  groot_marks beyond = groot_beyond(groot_load(bytes));
  return beyond ? groot_before(beyond) : 16;
}

/* The bytes before the first beyond ASCII in two vectors; 32 without one. */
static inline intptr_t groot_first_beyond(groot_vector one, groot_vector other) {
  groot_marks first = groot_beyond(one), second = groot_beyond(other);
  if (!(first | second)) return 32;
  return first ? groot_before(first) : 16 + groot_before(second);
}

/* As groot_ascii_run for 32 bytes; copies all of them, each as a unit of 1, 2 or 4 bytes. */
static inline intptr_t groot_ascii_units1(const uint8_t *bytes, uint8_t *units) {
  groot_vector one = groot_load(bytes), other = groot_load(bytes + 16);
  groot_store(one, units);
  groot_store(other, units + 16);
  return groot_first_beyond(one, other);
}

static inline intptr_t groot_ascii_units2(const uint8_t *bytes, uint16_t *units) {
  groot_vector one = groot_load(bytes), other = groot_load(bytes + 16);
  groot_store_units2(one, units);
  groot_store_units2(other, units + 16);
  return groot_first_beyond(one, other);
}

static inline intptr_t groot_ascii_units4(const uint8_t *bytes, uint32_t *units) {
  for (int i = 0; i < 32; i++) units[i] = bytes[i];
  return groot_first_beyond(groot_load(bytes), groot_load(bytes + 16));
}

#endif
