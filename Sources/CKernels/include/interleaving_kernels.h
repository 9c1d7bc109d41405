#ifndef BARLINE_INTERLEAVING_KERNELS_H
#define BARLINE_INTERLEAVING_KERNELS_H

#include <stddef.h>
#include <stdint.h>
#include "kernel_instructions.h"

// Conversion between files, which interleave the channels of a frame, and the engine, which keeps them separate.

// Deinterleaves stereo frames, and returns the index of the first frame with a sample that is not finite; `count` if
// there is none.
BARLINE_KERNEL ptrdiff_t dsp_split(const float *interleaved, float *left, float *right, ptrdiff_t count);

// Deinterleaves 16-bit stereo frames; full scale is -32768.
BARLINE_KERNEL void dsp_split_shorts(const int16_t *interleaved, float *left, float *right, ptrdiff_t count);

// Interleaves stereo frames.
BARLINE_KERNEL void dsp_interleave(const float *left, const float *right, float *interleaved, ptrdiff_t count);

// The index of the first of `count` samples that is not finite; `count` if there is none.
BARLINE_KERNEL ptrdiff_t dsp_find_not_finite(const float *samples, ptrdiff_t count);

#endif
