#ifndef BARLINE_STRETCH_KERNELS_H
#define BARLINE_STRETCH_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include "kernel_instructions.h"

// Complex values, with separate real and imaginary parts.
typedef struct dsp_complex {
    float *real;
    float *imaginary;
} dsp_complex;

// A Fourier transform of `size` complex values, a power of two, at least 256.
typedef struct dsp_transform {
    ptrdiff_t size;
    // Tabulated by dsp_make_factors.
    const float *factors;
} dsp_transform;

// The number of floats in the factors of a transform of `size` values.
ptrdiff_t dsp_factor_count(ptrdiff_t size);

// Tabulates the factors of a transform of `size` values.
void dsp_make_factors(float *factors, ptrdiff_t size);

// Transforms `input`, which is not changed, into `output`; `work` has the same size, and none of them may overlap. The
// inverse, times the size, is the transform with real and imaginary parts exchanged in input, output and work.
BARLINE_KERNEL void dsp_run_transform(
    const dsp_transform *transform, dsp_complex input, dsp_complex output, dsp_complex work);

// Applies a window to both channels, left as the real part and right as the imaginary part. Samples that are not finite
// become 0.
BARLINE_KERNEL void dsp_take_window(
    const float *left, const float *right, const float *window, dsp_complex output, ptrdiff_t size);

// The energy of both channels, times 2, in the bins 0 … `size` / 2 of the transform of left + i · right. Two values
// before the first and after the last are written as well: the spectrum is even.
BARLINE_KERNEL void dsp_bin_energies(dsp_complex spectrum, float *energies, ptrdiff_t size);

// The rotation of each of the bins 0 … `size` / 2 that makes each peak of `energies` continue from `former`, the
// spectrum rendered last, as it continues from `earlier` in the source. All bins around a peak, up to the minimum
// between two peaks, are rotated like the peak.
//
// If `risen` is given, peaks that exceed it are not rotated. `pull`, 0 … 1, interpolates towards the rotation that gives
// `spectrum` the phases of `aim`, which may be the same.
BARLINE_KERNEL bool dsp_find_turns(
    const float *energies, const float *risen, dsp_complex former, dsp_complex earlier, float pull,
    dsp_complex spectrum, dsp_complex aim, dsp_complex turns, dsp_complex right_turns, ptrdiff_t size);

// Rotates the bins of both channels. `input` and `output` must differ.
BARLINE_KERNEL void dsp_turn(dsp_complex input, dsp_complex turns, dsp_complex output, ptrdiff_t size);

// Rotates the bins of each channel by its own turns. `input` and `output` must differ.
BARLINE_KERNEL void dsp_turn_apart(
    dsp_complex input, dsp_complex turns, dsp_complex right_turns, dsp_complex output, ptrdiff_t size);

// The real part of one spectrum times the conjugate of another, of both channels and times 2, in the same bins as their
// energies: where the two are alike, it is their energy.
BARLINE_KERNEL void dsp_bin_products(dsp_complex spectrum, dsp_complex other, float *products, ptrdiff_t size);

// Scales turns by what grains lose that overlap with phases of their own, as those of noise have: with the coherence c of
// two spectra around a bin, 0 … 1, the sum of grains keeps the energy overlaps[0] + overlaps[1] · c + overlaps[2] · c² +
// overlaps[3] · c³. `share`, 0 … 1, is how much of that is made up for.
BARLINE_KERNEL void dsp_hold_levels(
    dsp_complex turns, const float *products, const float *energies, const float *other_energies,
    const float *overlaps, float share, ptrdiff_t size);

// Adds `count` frames of a grain to the sums and its weights to the weight sums: grain · window · gain · scale, and
// window² · gain.
BARLINE_KERNEL void dsp_add_grain(
    dsp_complex grain, const float *window, const float *gains, float scale, float *left, float *right, float *weights,
    ptrdiff_t count);

// values[i] ← values[i] · table[place + i]; beyond its ends the table continues with its first and last value.
BARLINE_KERNEL void dsp_multiply_table(
    float *values, const float *table, ptrdiff_t table_count, ptrdiff_t place, ptrdiff_t count);

// Adds weighted samples to weighted sums. `gains` scale the samples but not the weights.
BARLINE_KERNEL void dsp_add_weighted(
    const float *left, const float *right, const float *sample_weights, const float *gains, float *sum_left,
    float *sum_right, float *weights, ptrdiff_t count);

// Divides weighted sums by their weights; without weights they become silent.
BARLINE_KERNEL void dsp_divide_weights(float *left, float *right, const float *weights, ptrdiff_t count);

#endif
