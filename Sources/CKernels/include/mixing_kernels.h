#ifndef BARLINE_MIXING_KERNELS_H
#define BARLINE_MIXING_KERNELS_H

#include <stddef.h>
#include <stdint.h>
#include "kernel_instructions.h"

// The loops of a mixer over `count` samples. Where two pieces of memory are given, they do not overlap, but for copying.

BARLINE_KERNEL void dsp_clear(float *samples, ptrdiff_t count);
BARLINE_KERNEL void dsp_copy(const float *source, float *target, ptrdiff_t count);

// samples ← samples · gain
BARLINE_KERNEL void dsp_scale(float *samples, float gain, ptrdiff_t count);
// samples[i] ← samples[i] · gains[i]
BARLINE_KERNEL void dsp_multiply(float *samples, const float *gains, ptrdiff_t count);

// target ← target + source
BARLINE_KERNEL void dsp_add(const float *source, float *target, ptrdiff_t count);
// target ← target + source · gain
BARLINE_KERNEL void dsp_add_scaled(const float *source, float gain, float *target, ptrdiff_t count);
// target[i] ← target[i] + source[i] · gains[i]
BARLINE_KERNEL void dsp_add_multiplied(const float *source, const float *gains, float *target, ptrdiff_t count);

// A line from `origin` to `target` over `frames` frames, level before and after it, of which `elapsed` have gone by:
// origin + (target - origin) · (elapsed / frames).
BARLINE_KERNEL void dsp_ramp(
    float *values, float origin, float target, int64_t elapsed, int64_t frames, ptrdiff_t count);

#endif
