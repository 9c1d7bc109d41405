// Level measurement, built for each instruction set; see dispatch.h.

TARGET static dsp_level NAME(measure)(const float *samples, ptrdiff_t count) {
    float8 peaks = {0};
    float8 squares = {0};
    ptrdiff_t index = 0;
    for (; index + 8 <= count; index += 8) {
        const float8 values = VECTOR(samples + index);
        const float8 magnitudes = MAGNITUDE(values);
        squares += values * values;
        peaks = SELECT(magnitudes > peaks, magnitudes, peaks);
    }
    float peak = 0;
    float square = 0;
    for (int lane = 0; lane < 8; lane += 1) {
        peak = peak > peaks[lane] ? peak : peaks[lane];
        square += squares[lane];
    }
    for (; index < count; index += 1) {
        const float value = samples[index];
        const float magnitude = value < 0 ? -value : value;
        peak = peak > magnitude ? peak : magnitude;
        square += value * value;
    }
    return (dsp_level){.peak = peak, .mean_square = square / (float)count};
}

TARGET static float NAME(copy_finite)(const float *source, float *target, ptrdiff_t count) {
    float8 highs = {0};
    ptrdiff_t index = 0;
    for (; index + 8 <= count; index += 8) {
        const float8 values = VECTOR(source + index);
        const float8 magnitudes = MAGNITUDE(values);
        const bits8 finite = magnitudes <= ALL(FLT_MAX);
        highs = SELECT(finite & (magnitudes > highs), magnitudes, highs);
        STORE(target + index) = (float8)((bits8)values & finite);
    }
    float high = 0;
    for (int lane = 0; lane < 8; lane += 1) {
        high = highs[lane] > high ? highs[lane] : high;
    }
    for (; index < count; index += 1) {
        const float magnitude = source[index] < 0 ? -source[index] : source[index];
        const int is_finite = magnitude <= FLT_MAX;
        target[index] = is_finite ? source[index] : 0;
        high = is_finite && magnitude > high ? magnitude : high;
    }
    return high;
}

TARGET static ptrdiff_t NAME(count_over)(const float *samples, ptrdiff_t count) {
    bits8 overs = {0};
    ptrdiff_t index = 0;
    for (; index + 8 <= count; index += 8) {
        overs -= MAGNITUDE(VECTOR(samples + index)) > ALL(1);
    }
    ptrdiff_t total = 0;
    for (int lane = 0; lane < 8; lane += 1) {
        total += overs[lane];
    }
    for (; index < count; index += 1) {
        total += samples[index] > 1 || samples[index] < -1;
    }
    return total;
}

TARGET static bool NAME(any_above)(const float *samples, float level, ptrdiff_t count) {
    bits8 above = {0};
    ptrdiff_t index = 0;
    for (; index + 8 <= count; index += 8) {
        above |= VECTOR(samples + index) > ALL(level);
    }
    int32_t any = 0;
    for (int lane = 0; lane < 8; lane += 1) {
        any |= above[lane];
    }
    for (; index < count; index += 1) {
        any |= samples[index] > level;
    }
    return any != 0;
}

#define RAISE(peaks, values) peaks = SELECT(MAGNITUDE(values) > peaks, MAGNITUDE(values), peaks)

TARGET static void NAME(raise_peaks)(
    float *peaks, const float *samples, const float *weights, ptrdiff_t taps, ptrdiff_t before, ptrdiff_t count) {
    for (ptrdiff_t index = 0; index < count; index += 8) {
        const float *first = samples + index - before;
        float8 quarter = {0};
        float8 half = {0};
        float8 three_quarters = {0};
        for (ptrdiff_t tap = 0; tap < taps; tap += 1) {
            const float8 values = VECTOR(first + tap);
            quarter += values * ALL(weights[tap]);
            half += values * ALL(weights[taps + tap]);
            three_quarters += values * ALL(weights[2 * taps + tap]);
        }
        float8 peak = VECTOR(peaks + index);
        const float8 values = VECTOR(samples + index);
        RAISE(peak, values);
        RAISE(peak, quarter);
        RAISE(peak, half);
        RAISE(peak, three_quarters);
        STORE(peaks + index) = peak;
    }
}

TARGET static float NAME(peak_between)(
    const float *samples, const float *weights, ptrdiff_t phases, ptrdiff_t taps, ptrdiff_t count) {
    const float *first = samples - (taps - 1);
    float8 highs = {0};
    ptrdiff_t index = 0;
    for (; index + 16 <= count; index += 16) {
        for (ptrdiff_t phase = 0; phase < phases; phase += 1) {
            const float *row = weights + phase * taps;
            float8 near = {0};
            float8 far = {0};
            for (ptrdiff_t tap = 0; tap < taps; tap += 1) {
                const float8 weight = ALL(row[tap]);
                near += VECTOR(first + index + tap) * weight;
                far += VECTOR(first + index + 8 + tap) * weight;
            }
            RAISE(highs, near);
            RAISE(highs, far);
        }
    }
    float high = 0;
    for (int lane = 0; lane < 8; lane += 1) {
        high = highs[lane] > high ? highs[lane] : high;
    }
    for (; index < count; index += 1) {
        for (ptrdiff_t phase = 0; phase < phases; phase += 1) {
            float sum = 0;
            for (ptrdiff_t tap = 0; tap < taps; tap += 1) {
                sum += first[index + tap] * weights[phase * taps + tap];
            }
            const float magnitude = sum < 0 ? -sum : sum;
            high = magnitude > high ? magnitude : high;
        }
    }
    return high;
}

#undef RAISE
