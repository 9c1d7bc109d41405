#include "level_kernels.h"

#include <float.h>
#include "dispatch.h"
#include "vectors.h"

#define TEMPLATE "level_template.h"
#include "instantiate.h"

dsp_level dsp_measure(const float *samples, ptrdiff_t count) { return DISPATCH(measure, samples, count); }

float dsp_copy_finite(const float *source, float *target, ptrdiff_t count) {
    return DISPATCH(copy_finite, source, target, count);
}

ptrdiff_t dsp_count_over(const float *samples, ptrdiff_t count) { return DISPATCH(count_over, samples, count); }

bool dsp_any_above(const float *samples, float level, ptrdiff_t count) {
    return DISPATCH(any_above, samples, level, count);
}

float dsp_peak_between(
    const float *samples, const float *weights, ptrdiff_t phases, ptrdiff_t taps, ptrdiff_t count) {
    return DISPATCH(peak_between, samples, weights, phases, taps, count);
}

void dsp_raise_peaks(
    float *peaks, const float *samples, const float *weights, ptrdiff_t taps, ptrdiff_t before, ptrdiff_t count) {
    DISPATCH(raise_peaks, peaks, samples, weights, taps, before, count);
}
