#ifndef BARLINE_STRETCH_KERNELS_H
#define BARLINE_STRETCH_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include "kernel_instructions.h"

// Complex values, real and imaginary parts apart.
typedef struct dsp_complex {
    float *real;
    float *imaginary;
} dsp_complex;

// A Fourier transform of `size` complex values, a power of two from 256 on.
typedef struct dsp_transform {
    ptrdiff_t size;
    // As dsp_make_factors makes them.
    const float *factors;
} dsp_transform;

// How many floats the factors of a transform of `size` values are.
ptrdiff_t dsp_factor_count(ptrdiff_t size);

// Tabulates the factors of a transform of `size` values.
void dsp_make_factors(float *factors, ptrdiff_t size);

// Transforms `input`, which stays as it is, into `output`; `work` is of the same size, and none of them overlap. The
// inverse, times the size, is the transform with real and imaginary parts exchanged in input, output and work.
BARLINE_KERNEL void dsp_run_transform(
    const dsp_transform *transform, dsp_complex input, dsp_complex output, dsp_complex work);

// Both channels under a window, left as the real part. What is no finite number becomes 0.
BARLINE_KERNEL void dsp_take_window(
    const float *left, const float *right, const float *window, dsp_complex output, ptrdiff_t size);

// The energy of both channels, times 2, in the bins 0 … `size` / 2 of the transform of left + i · right. Two values before
// the first and after the last are written as well: the spectrum is even.
BARLINE_KERNEL void dsp_bin_energies(dsp_complex spectrum, float *energies, ptrdiff_t size);

// By what each of the bins 0 … `size` / 2 is turned, so that each peak of `energies` goes on from `former`, the spectrum that
// was put out last, as `earlier` does in the source: all bins round a peak, up to the lowest between two, as it does.
//
// Where `risen` is given, peaks that are above it are not turned. `pull`, 0 … 1, is the part of the way to no turn at all.
BARLINE_KERNEL void dsp_find_turns(
    const float *energies, const float *risen, dsp_complex former, dsp_complex earlier, float pull, dsp_complex turns,
    ptrdiff_t size);

// Turns the bins of both channels. `input` and `output` are not the same.
BARLINE_KERNEL void dsp_turn(dsp_complex input, dsp_complex turns, dsp_complex output, ptrdiff_t size);

// Adds `count` frames of a grain to sums and to the sums of weights: grain · window · gain · scale, and window² · gain.
BARLINE_KERNEL void dsp_add_grain(
    dsp_complex grain, const float *window, const float *gains, float scale, float *left, float *right, float *weights,
    ptrdiff_t count);

// values[i] ← values[i] · table[place + i], with the table's ends going on for ever.
BARLINE_KERNEL void dsp_multiply_table(
    float *values, const float *table, ptrdiff_t table_count, ptrdiff_t place, ptrdiff_t count);

// Adds samples with weights of their own to weighted sums. `gains` change the samples but not the weights.
BARLINE_KERNEL void dsp_add_weighted(
    const float *left, const float *right, const float *sample_weights, const float *gains, float *sum_left,
    float *sum_right, float *weights, ptrdiff_t count);

// Divides weighted sums by their weights; without any, they are silent.
BARLINE_KERNEL void dsp_divide_weights(float *left, float *right, const float *weights, ptrdiff_t count);

#endif
