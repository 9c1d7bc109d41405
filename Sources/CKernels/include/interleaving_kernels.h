#ifndef BARLINE_INTERLEAVING_KERNELS_H
#define BARLINE_INTERLEAVING_KERNELS_H

#include <stddef.h>
#include <stdint.h>
#include "kernel_instructions.h"

// Between files, which have the channels of a frame beside each other, and the engine, which has each by itself.

// Parts stereo frames, and returns the first one with a sample that is no finite number; `count` where there is none.
BARLINE_KERNEL ptrdiff_t dsp_split(const float *interleaved, float *left, float *right, ptrdiff_t count);

// Parts stereo frames of 16 bits, of which -32768 is full scale.
BARLINE_KERNEL void dsp_split_shorts(const int16_t *interleaved, float *left, float *right, ptrdiff_t count);

// Puts stereo frames together.
BARLINE_KERNEL void dsp_interleave(const float *left, const float *right, float *interleaved, ptrdiff_t count);

// The first of `count` samples that is no finite number; `count` where there is none.
BARLINE_KERNEL ptrdiff_t dsp_find_not_finite(const float *samples, ptrdiff_t count);

#endif
