#include "mixing_kernels.h"

#include <string.h>
#include "dispatch.h"
#include "vectors.h"

#define TARGET
#define NAME(function) function##_baseline
#include "mixing_template.h"
#undef TARGET
#undef NAME
#ifdef FOR_AVX2
#define TARGET FOR_AVX2
#define NAME(function) function##_avx2
#include "mixing_template.h"
#undef TARGET
#undef NAME
#endif

void dsp_clear(float *samples, ptrdiff_t count) { memset(samples, 0, (size_t)count * sizeof(float)); }

void dsp_copy(const float *source, float *target, ptrdiff_t count) {
    memmove(target, source, (size_t)count * sizeof(float));
}

void dsp_scale(float *samples, float gain, ptrdiff_t count) { DISPATCH(scale, samples, gain, count); }

void dsp_multiply(float *samples, const float *gains, ptrdiff_t count) { DISPATCH(multiply, samples, gains, count); }

void dsp_add(const float *source, float *target, ptrdiff_t count) { DISPATCH(add, source, target, count); }

void dsp_add_scaled(const float *source, float gain, float *target, ptrdiff_t count) {
    DISPATCH(add_scaled, source, gain, target, count);
}

void dsp_add_multiplied(const float *source, const float *gains, float *target, ptrdiff_t count) {
    DISPATCH(add_multiplied, source, gains, target, count);
}

void dsp_ramp(float *values, float origin, float target, int64_t elapsed, int64_t frames, ptrdiff_t count) {
    ptrdiff_t index = 0;
    for (; index < count && elapsed + index <= 0 && elapsed + index < frames; index += 1) {
        values[index] = origin;
    }
    ptrdiff_t moving = frames - (elapsed + index);
    moving = moving < count - index ? moving : count - index;
    if (moving > 0) {
        if (frames <= INT32_MAX) {
            DISPATCH(slope, values + index, origin, target, elapsed + index, frames, moving);
        } else {
            for (ptrdiff_t place = index; place < index + moving; place += 1) {
                values[place] = origin + (target - origin) * ((float)(elapsed + place) / (float)frames);
            }
        }
        index += moving;
    }
    for (; index < count; index += 1) {
        values[index] = target;
    }
}
