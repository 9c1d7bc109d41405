#include "mixing_kernels.h"

#include <string.h>
#include "dispatch.h"
#include "vectors.h"

#define TEMPLATE "mixing_template.h"
#include "instantiate.h"

void dsp_clear(float *samples, ptrdiff_t count) { memset(samples, 0, (size_t)count * sizeof(float)); }

void dsp_copy(const float *source, float *target, ptrdiff_t count) {
    memmove(target, source, (size_t)count * sizeof(float));
}

void dsp_scale(float *samples, float gain, ptrdiff_t count) { DISPATCH(scale, samples, gain, count); }

void dsp_add(const float *source, float *target, ptrdiff_t count) { DISPATCH(add, source, target, count); }

void dsp_add_scaled(const float *source, float gain, float *target, ptrdiff_t count) {
    DISPATCH(add_scaled, source, gain, target, count);
}

void dsp_prefetch(const float *samples, ptrdiff_t count) {
    const ptrdiff_t line = 16;
    const ptrdiff_t most = 16 * line;
    for (ptrdiff_t index = 0; index < count && index < most; index += line) {
        __builtin_prefetch(samples + index);
    }
}

void dsp_write_scaled(const float *source, float gain, float *target, ptrdiff_t count) {
    DISPATCH(write_scaled, source, gain, target, count);
}

dsp_level dsp_mix(float *samples, float gain, float *sum, ptrdiff_t count) {
    return DISPATCH(mix, samples, gain, sum, count);
}

// The number of gains computed at a time.
#define PIECE 64

static void write_line(float *values, dsp_line line, ptrdiff_t count) {
    const float origin = line.origin;
    const float target = line.target;
    const int64_t frames = line.frames;
    ptrdiff_t index = 0;
    for (; index < count && line.elapsed + index <= 0 && line.elapsed + index < frames; index += 1) {
        values[index] = origin;
    }
    const int64_t elapsed = line.elapsed + index;
    ptrdiff_t moving = frames - elapsed < count - index ? frames - elapsed : count - index;
    if (moving > 0 && frames <= INT32_MAX) {
        DISPATCH(slope, values + index, origin, target, (int32_t)elapsed, (int32_t)frames, moving);
        index += moving;
    }
    for (; index < count; index += 1) {
        const int64_t place = line.elapsed + index;
        values[index] = place < frames ? origin + (target - origin) * ((float)place / (float)frames) : target;
    }
}

// Multiplies by a line; what has reached its target is one factor.
static void multiply_line(float *values, dsp_line line, ptrdiff_t count) {
    if (line.elapsed >= line.frames) {
        DISPATCH(scale, values, line.target, count);
        return;
    }
    float factors[PIECE];
    write_line(factors, line, count);
    DISPATCH(multiply, values, factors, count);
}

static dsp_line advanced(dsp_line line, ptrdiff_t count) {
    line.elapsed += count;
    return line;
}

void dsp_scale_along(float *samples, dsp_line level, ptrdiff_t count) {
    float levels[PIECE];
    for (ptrdiff_t done = 0; done < count; done += PIECE) {
        const ptrdiff_t piece = count - done < PIECE ? count - done : PIECE;
        write_line(levels, advanced(level, done), piece);
        DISPATCH(multiply, samples + done, levels, piece);
    }
}

void dsp_add_along(
    const float *left, const float *right, dsp_line first, dsp_line second, dsp_line third, float *target_left,
    float *target_right, ptrdiff_t count) {
    float gains[PIECE];
    for (ptrdiff_t done = 0; done < count; done += PIECE) {
        const ptrdiff_t piece = count - done < PIECE ? count - done : PIECE;
        write_line(gains, advanced(first, done), piece);
        multiply_line(gains, advanced(second, done), piece);
        multiply_line(gains, advanced(third, done), piece);
        DISPATCH(add_multiplied, left + done, gains, target_left + done, piece);
        DISPATCH(add_multiplied, right + done, gains, target_right + done, piece);
    }
}

void dsp_add_faded(
    const float *left, const float *right, dsp_line fade, bool is_leaving, float *target_left, float *target_right,
    ptrdiff_t count) {
    float gains[PIECE];
    for (ptrdiff_t done = 0; done < count; done += PIECE) {
        const ptrdiff_t piece = count - done < PIECE ? count - done : PIECE;
        write_line(gains, advanced(fade, done), piece);
        if (is_leaving) {
            for (ptrdiff_t index = 0; index < piece; index += 1) {
                gains[index] = 1 - gains[index];
            }
        }
        DISPATCH(add_multiplied, left + done, gains, target_left + done, piece);
        DISPATCH(add_multiplied, right + done, gains, target_right + done, piece);
    }
}
