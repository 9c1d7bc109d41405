#ifndef BARLINE_FOURIER_KERNELS_H
#define BARLINE_FOURIER_KERNELS_H

#include <stddef.h>
#include <stdint.h>

// One stage of a Fourier transform of radix 2 over `count` complex values, in groups of `half` butterflies with the
// factors `cosines` and `sines`.
void dsp_fourier_stage(
    float *real, float *imaginary, const float *cosines, const float *sines, ptrdiff_t half, ptrdiff_t count);

// Swaps each value with the one at its bit-reversed index, given by `reversed`.
void dsp_swap_reversed(float *real, float *imaginary, const int32_t *reversed, ptrdiff_t count);

#endif
