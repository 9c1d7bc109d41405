#ifndef BARLINE_VECTORS_H
#define BARLINE_VECTORS_H

// Portable compiler vectors: fast also in a debug build, in which C is not optimised and calls of intrinsics go through
// memory. The baseline of the architecture processes them in two halves; AVX2 in one.

#include <stdint.h>

// Products and sums are rounded separately, here as in Swift: machines with fused multiply-add would render other
// samples.
#pragma STDC FP_CONTRACT OFF

typedef float float4 __attribute__((vector_size(16)));
typedef float float8 __attribute__((vector_size(32)));
typedef double double8 __attribute__((vector_size(64)));
typedef int32_t bits8 __attribute__((vector_size(32)));
typedef uint32_t unsigned_bits8 __attribute__((vector_size(32)));
typedef int32_t bits8_anywhere __attribute__((vector_size(32), aligned(2), may_alias));
typedef float float4_anywhere __attribute__((vector_size(16), aligned(4), may_alias));
typedef double double8_anywhere __attribute__((vector_size(64), aligned(8), may_alias));
typedef float float8_anywhere __attribute__((vector_size(32), aligned(4), may_alias));

// Eight floats anywhere in memory.
#define VECTOR(place) (*(const float8_anywhere *)(place))
#define STORE(place) (*(float8_anywhere *)(place))
#define ALL(value) ((float8){value, value, value, value, value, value, value, value})
// Eight floats anywhere in memory, in double precision.
#define DOUBLES(place) __builtin_convertvector(VECTOR(place), double8)
#define LOW(vector) __builtin_shufflevector(vector, vector, 0, 1, 2, 3)
#define HIGH(vector) __builtin_shufflevector(vector, vector, 4, 5, 6, 7)
// Selects values of `first` where `mask` is set, elsewhere of `second`.
#define SELECT(mask, first, second) ((float8)(((mask) & (bits8)(first)) | (~(mask) & (bits8)(second))))
#define MAGNITUDE(vector) ((float8)((bits8)(vector) & 0x7fffffff))

#endif
