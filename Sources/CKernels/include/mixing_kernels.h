#ifndef BARLINE_MIXING_KERNELS_H
#define BARLINE_MIXING_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "kernel_instructions.h"
#include "level_kernels.h"

// The loops of a mixer over `count` samples. Two buffers must not overlap, except for copying.

BARLINE_KERNEL void dsp_clear(float *samples, ptrdiff_t count);
BARLINE_KERNEL void dsp_copy(const float *source, float *target, ptrdiff_t count);
// Has the first of `count` samples, some hundreds, brought near: what follows is foreseen by the processor once they are
// read, but not where reading begins.
BARLINE_KERNEL void dsp_prefetch(const float *samples, ptrdiff_t count);

// samples ← samples · gain
BARLINE_KERNEL void dsp_scale(float *samples, float gain, ptrdiff_t count);
// target ← target + source
BARLINE_KERNEL void dsp_add(const float *source, float *target, ptrdiff_t count);
// target ← target + source · gain
BARLINE_KERNEL void dsp_add_scaled(const float *source, float gain, float *target, ptrdiff_t count);
// target ← 0 + source · gain
BARLINE_KERNEL void dsp_write_scaled(const float *source, float gain, float *target, ptrdiff_t count);
// Does what dsp_scale, dsp_measure and dsp_add do in succession: samples ← samples · gain, sum ← sum + samples, and
// returns the level of `count` samples, 1 or more. In one pass it takes a third of the time.
BARLINE_KERNEL dsp_level dsp_mix(float *samples, float gain, float *sum, ptrdiff_t count);

// A line from `origin` to `target` over `frames` frames, constant before and after it, of which `elapsed` have passed:
// origin + (target - origin) · (elapsed / frames).
typedef struct dsp_line {
    float origin;
    float target;
    int64_t elapsed;
    int64_t frames;
} dsp_line;

// samples[i] ← samples[i] · level[i]
BARLINE_KERNEL void dsp_scale_along(float *samples, dsp_line level, ptrdiff_t count);
// target[i] ← target[i] + source[i] · (first[i] · second[i] · third[i]), both channels
BARLINE_KERNEL void dsp_add_along(
    const float *left, const float *right, dsp_line first, dsp_line second, dsp_line third, float *target_left,
    float *target_right, ptrdiff_t count);
// target[i] ← target[i] + source[i] · fade[i], or, if `is_leaving`, · (1 - fade[i]); both channels
BARLINE_KERNEL void dsp_add_faded(
    const float *left, const float *right, dsp_line fade, bool is_leaving, float *target_left, float *target_right,
    ptrdiff_t count);

#endif
