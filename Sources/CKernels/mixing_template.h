// The mixer's loops as they are built for each set of instructions; see dispatch.h.

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

// The part of a ramp within which the value moves, for counts that fit into 31 bits.
TARGET static void NAME(slope)(
    float *values, float origin, float target, int64_t elapsed, int64_t frames, ptrdiff_t count) {
    const float distance = target - origin;
    const float length = (float)frames;
    ptrdiff_t index = 0;
    for (; index + 8 <= count; index += 8) {
        const int32_t first = (int32_t)(elapsed + index);
        const bits8 places =
            (bits8){first, first, first, first, first, first, first, first} + (bits8){0, 1, 2, 3, 4, 5, 6, 7};
        STORE(values + index) =
            ALL(origin) + ALL(distance) * (__builtin_convertvector(places, float8) / ALL(length));
    }
    for (; index < count; index += 1) {
        values[index] = origin + distance * ((float)(elapsed + index) / length);
    }
}
