#ifndef BARLINE_VARISPEED_KERNELS_H
#define BARLINE_VARISPEED_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "kernel_instructions.h"

// The most source frames that one output frame depends on.
#define DSP_LARGEST_SPAN 512

// The weights of one cutoff: rows of `taps` weights, a multiple of eight and at most DSP_LARGEST_SPAN, for each of
// 2^phase_bits + 1 phases.
typedef struct dsp_filter {
    const float *weights;
    ptrdiff_t taps;
    ptrdiff_t phase_bits;
    // The rate for which the cutoff is made.
    double ratio;
} dsp_filter;

// What frames are read from; frame 0 is at `left` and `right`, which are the same where the source is mono.
typedef struct dsp_region {
    const float *left;
    const float *right;
    // At least 1.
    ptrdiff_t length;
    // Frames that may be read before the region and after it.
    ptrdiff_t frames_before;
    ptrdiff_t frames_after;
    // Whether frame `length` is frame 0 again; the last `seam_length` frames are those of the seam then.
    bool loops;
    const float *seam_left;
    const float *seam_right;
    ptrdiff_t seam_length;
    // The frames from `wrap_before` before the end of a loop to DSP_LARGEST_SPAN after it, seam included; or null.
    const float *wrap_left;
    const float *wrap_right;
    ptrdiff_t wrap_before;
} dsp_region;

// The place of the lower one of the two of `count` filters, in order of their ratios, that are around `rate`, above 1.
BARLINE_KERNEL ptrdiff_t dsp_find_filter(const dsp_filter *filters, ptrdiff_t count, double rate);

// Reads `count` frames from `whole` + `fraction` · 2^-64 on, each a step further than the one before: what `lower` makes
// of them, and `blend` of the way to what `upper` does.
//
// Every sample is summed in the same order, whatever the block and the machine: in eight lanes over the taps, then
// ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)).
BARLINE_KERNEL void dsp_read(
    const dsp_region *region, const dsp_filter *lower, const dsp_filter *upper, float blend, int64_t whole,
    uint64_t fraction, int64_t step_whole, uint64_t step_fraction, ptrdiff_t count, float *left, float *right);

// Copies `count` frames from frame `first` on.
BARLINE_KERNEL void dsp_copy_frames(
    const dsp_region *region, ptrdiff_t first, ptrdiff_t count, float *left, float *right);

#endif
