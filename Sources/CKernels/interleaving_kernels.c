#include "interleaving_kernels.h"

#include <float.h>
#include <stdbool.h>
#include "dispatch.h"
#include "vectors.h"

// The two 16-bit samples of a frame, in address order, sign-extended.
#define LOW_HALF(frames) ((bits8)((unsigned_bits8)(frames) << 16) >> 16)
#define HIGH_HALF(frames) ((frames) >> 16)
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define IN_FRAME_FIRST(frames) LOW_HALF(frames)
#define IN_FRAME_SECOND(frames) HIGH_HALF(frames)
#else
#define IN_FRAME_FIRST(frames) HIGH_HALF(frames)
#define IN_FRAME_SECOND(frames) LOW_HALF(frames)
#endif

#define TEMPLATE "interleaving_template.h"
#include "instantiate.h"

ptrdiff_t dsp_find_not_finite(const float *samples, ptrdiff_t count) {
    if (DISPATCH(is_finite, samples, count)) {
        return count;
    }
    ptrdiff_t index = 0;
    while (index < count && samples[index] >= -FLT_MAX && samples[index] <= FLT_MAX) {
        index += 1;
    }
    return index;
}

ptrdiff_t dsp_split(const float *interleaved, float *left, float *right, ptrdiff_t count) {
    if (DISPATCH(split, interleaved, left, right, count)) {
        return count;
    }
    return dsp_find_not_finite(interleaved, 2 * count) / 2;
}

void dsp_split_shorts(const int16_t *interleaved, float *left, float *right, ptrdiff_t count) {
    DISPATCH(split_shorts, interleaved, left, right, count);
}

void dsp_interleave(const float *left, const float *right, float *interleaved, ptrdiff_t count) {
    DISPATCH(interleave, left, right, interleaved, count);
}
