#ifndef BARLINE_LEVEL_KERNELS_H
#define BARLINE_LEVEL_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include "kernel_instructions.h"

// The largest magnitude of `count` samples, 1 or more, and their mean square.
typedef struct dsp_level {
    float peak;
    float mean_square;
} dsp_level;

BARLINE_KERNEL dsp_level dsp_measure(const float *samples, ptrdiff_t count);

// Copies samples and returns the largest magnitude. Samples that are not finite become 0.
BARLINE_KERNEL float dsp_copy_finite(const float *source, float *target, ptrdiff_t count);

// The number of samples over full scale among `count`.
BARLINE_KERNEL ptrdiff_t dsp_count_over(const float *samples, ptrdiff_t count);

// Whether any of `count` samples is above `level`.
BARLINE_KERNEL bool dsp_any_above(const float *samples, float level, ptrdiff_t count);

// Raises `peaks` to the magnitudes of `count` samples and of three interpolated values after each, whose weights are
// three rows of `taps` over the samples starting `before` earlier. Whole vectors of eight are read and written.
BARLINE_KERNEL void dsp_raise_peaks(
    float *peaks, const float *samples, const float *weights, ptrdiff_t taps, ptrdiff_t before, ptrdiff_t count);

// The largest magnitude of `phases` interpolated values after each of `count` samples: weighted sums over the sample
// and the `taps` - 1 before it, one row of weights per phase, the newest sample's weight last.
BARLINE_KERNEL float dsp_peak_between(
    const float *samples, const float *weights, ptrdiff_t phases, ptrdiff_t taps, ptrdiff_t count);

#endif
