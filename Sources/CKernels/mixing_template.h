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

// The part of a line within which the value moves.
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
