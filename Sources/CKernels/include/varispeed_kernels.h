#ifndef BARLINE_VARISPEED_KERNELS_H
#define BARLINE_VARISPEED_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "kernel_instructions.h"

// The most source frames that one output frame depends on.
#define DSP_LARGEST_SPAN 512

// The filter of one cutoff: rows of `taps` weights, a multiple of eight and at most DSP_LARGEST_SPAN, for each of
// `phases` + 1 phases of a frame.
typedef struct dsp_filter {
    const float *weights;
    ptrdiff_t taps;
    ptrdiff_t phases;
    // The rate for which the cutoff is designed.
    double ratio;
    // Rows of DSP_NARROW_TAPS weights for each of 2^DSP_NARROW_PHASE_BITS + 1 phases of half a frame, for regions that
    // have midpoints: those of taps 0, 2, 4, …, then those of taps 1, 3, 5, …; null above rate 1.
    const float *narrow_weights;
    // Rows of `taps` weights in double precision for the phases −1 to `phases` + 1, which are used in place of all
    // others; or null.
    const double *exact_weights;
} dsp_filter;

// A region with midpoints has twice the frames, and the upper half of their band is empty: a filter with all of that as
// its transition band needs a quarter of the taps.
#define DSP_NARROW_TAPS 16
#define DSP_NARROW_PHASE_BITS 9

// The number of frames on each side that a midpoint depends on.
#define DSP_MIDPOINT_REACH 48

// A region to read from; frame 0 is at `left` and `right`, which are equal if the source is mono.
typedef struct dsp_region {
    const float *left;
    const float *right;
    // At least 1.
    ptrdiff_t length;
    // Frames that may be read before the region and after it.
    ptrdiff_t frames_before;
    ptrdiff_t frames_after;
    // Whether frame `length` is frame 0 again; the last `seam_length` frames are then those of the seam.
    bool loops;
    const float *seam_left;
    const float *seam_right;
    ptrdiff_t seam_length;
    // The frames from `wrap_before` before the end of a loop to DSP_LARGEST_SPAN after it, seam included; or null.
    const float *wrap_left;
    const float *wrap_right;
    ptrdiff_t wrap_before;
    // The midpoints half a frame after each frame, from `midpoints_before` before frame 0 to `midpoints_after` after
    // the last one; or null.
    const float *middle_left;
    const float *middle_right;
    ptrdiff_t midpoints_before;
    ptrdiff_t midpoints_after;
    // The midpoints half a frame after each frame around the wrap; or null.
    const float *wrap_middle_left;
    const float *wrap_middle_right;
} dsp_region;

// The index of the lower one of the two filters around `rate`, above 1, among `count` filters in order of their ratios.
BARLINE_KERNEL ptrdiff_t dsp_find_filter(const dsp_filter *filters, ptrdiff_t count, double rate);

// Reads `count` frames from `whole` + `fraction` · 2^-64 on, each a step further than the one before: the result of
// `lower`, interpolated by `blend` towards that of `upper`.
//
// Up to rate 1 the narrow filter is used wherever the region has the midpoints that it needs, which depends on the
// position alone. Weights in double precision are interpolated by a cubic, and summed in double precision.
//
// Every sample is summed in the same order, whatever the block size and the machine: in eight lanes over the taps, then
// ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)).
BARLINE_KERNEL void dsp_read(
    const dsp_region *region, const dsp_filter *lower, const dsp_filter *upper, float blend, int64_t whole,
    uint64_t fraction, int64_t step_whole, uint64_t step_fraction, ptrdiff_t count, float *left, float *right);

// Computes the midpoints half a frame after each of `count` samples: weighted sums over the `reach` samples up to each
// and the `reach` samples after it, all of which must be readable; `weights` begin with the nearest two.
BARLINE_KERNEL void dsp_find_midpoints(
    const float *samples, const double *weights, ptrdiff_t reach, float *midpoints, ptrdiff_t count);

// Sets where `count` frames from frame `first` on are, if they lie in one piece; says whether they do.
BARLINE_KERNEL int dsp_find_frames(
    const dsp_region *region, ptrdiff_t first, ptrdiff_t count, const float **left, const float **right);

// Copies `count` frames from frame `first` on.
BARLINE_KERNEL void dsp_copy_frames(
    const dsp_region *region, ptrdiff_t first, ptrdiff_t count, float *left, float *right);

#endif
