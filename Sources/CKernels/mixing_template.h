// The mixer's loops, built for each instruction set; see dispatch.h.

TARGET static void NAME(scale)(float *samples, float gain, ptrdiff_t count) {
    const float8 gains = ALL(gain);
    ptrdiff_t index = 0;
    for (; index + 8 <= count; index += 8) {
        STORE(samples + index) = VECTOR(samples + index) * gains;
    }
    for (; index < count; index += 1) {
        samples[index] = samples[index] * gain;
    }
}

TARGET static void NAME(multiply)(float *samples, const float *gains, ptrdiff_t count) {
    ptrdiff_t index = 0;
    for (; index + 8 <= count; index += 8) {
        STORE(samples + index) = VECTOR(samples + index) * VECTOR(gains + index);
    }
    for (; index < count; index += 1) {
        samples[index] = samples[index] * gains[index];
    }
}

TARGET static void NAME(add)(const float *source, float *target, ptrdiff_t count) {
    ptrdiff_t index = 0;
    for (; index + 8 <= count; index += 8) {
        STORE(target + index) = VECTOR(target + index) + VECTOR(source + index);
    }
    for (; index < count; index += 1) {
        target[index] = target[index] + source[index];
    }
}

TARGET static void NAME(add_scaled)(const float *source, float gain, float *target, ptrdiff_t count) {
    const float8 gains = ALL(gain);
    ptrdiff_t index = 0;
    for (; index + 8 <= count; index += 8) {
        STORE(target + index) = VECTOR(target + index) + VECTOR(source + index) * gains;
    }
    for (; index < count; index += 1) {
        target[index] = target[index] + source[index] * gain;
    }
}

TARGET static void NAME(add_multiplied)(const float *source, const float *gains, float *target, ptrdiff_t count) {
    ptrdiff_t index = 0;
    for (; index + 8 <= count; index += 8) {
        STORE(target + index) = VECTOR(target + index) + VECTOR(source + index) * VECTOR(gains + index);
    }
    for (; index < count; index += 1) {
        target[index] = target[index] + source[index] * gains[index];
    }
}

// The sloped part of a line.
TARGET static void NAME(slope)(
    float *values, float origin, float target, int32_t elapsed, int32_t frames, ptrdiff_t count) {
    const float distance = target - origin;
    const float length = (float)frames;
    bits8 places = (bits8){0, 1, 2, 3, 4, 5, 6, 7} + elapsed;
    ptrdiff_t index = 0;
    for (; index + 8 <= count; index += 8) {
        STORE(values + index) = ALL(origin) + ALL(distance) * (__builtin_convertvector(places, float8) / ALL(length));
        places += 8;
    }
    for (; index < count; index += 1) {
        values[index] = origin + distance * ((float)(elapsed + (int32_t)index) / length);
    }
}

TARGET static void NAME(write_scaled)(const float *source, float gain, float *target, ptrdiff_t count) {
    const float8 gains = ALL(gain);
    ptrdiff_t index = 0;
    for (; index + 8 <= count; index += 8) {
        STORE(target + index) = ALL(0) + VECTOR(source + index) * gains;
    }
    for (; index < count; index += 1) {
        target[index] = 0 + source[index] * gain;
    }
}

TARGET static dsp_level NAME(mix)(float *samples, float gain, float *sum, ptrdiff_t count) {
    const float8 gains = ALL(gain);
    float8 peaks = {0};
    float8 squares = {0};
    ptrdiff_t index = 0;
    for (; index + 8 <= count; index += 8) {
        const float8 values = VECTOR(samples + index) * gains;
        const float8 magnitudes = MAGNITUDE(values);
        squares += values * values;
        peaks = SELECT(magnitudes > peaks, magnitudes, peaks);
        STORE(samples + index) = values;
        STORE(sum + index) = VECTOR(sum + index) + values;
    }
    float peak = 0;
    float square = 0;
    for (int lane = 0; lane < 8; lane += 1) {
        peak = peak > peaks[lane] ? peak : peaks[lane];
        square += squares[lane];
    }
    for (; index < count; index += 1) {
        const float value = samples[index] * gain;
        const float magnitude = value < 0 ? -value : value;
        peak = peak > magnitude ? peak : magnitude;
        square += value * value;
        samples[index] = value;
        sum[index] = sum[index] + value;
    }
    return (dsp_level){.peak = peak, .mean_square = square / (float)count};
}
