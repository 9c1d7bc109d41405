#include "fourier_kernels.h"

#include "dispatch.h"
#include "vectors.h"

#define TEMPLATE "fourier_template.h"
#include "instantiate.h"

void dsp_fourier_stage(
    float *real, float *imaginary, const float *cosines, const float *sines, ptrdiff_t half, ptrdiff_t count) {
    DISPATCH(stage, real, imaginary, cosines, sines, half, count);
}

static void swap(float *first, float *second) {
    const float kept = *first;
    *first = *second;
    *second = kept;
}

void dsp_swap_reversed(float *real, float *imaginary, const int32_t *reversed, ptrdiff_t count) {
    for (ptrdiff_t index = 0; index < count; index += 1) {
        const ptrdiff_t other = reversed[index];
        if (other > index) {
            swap(real + index, real + other);
            swap(imaginary + index, imaginary + other);
        }
    }
}
