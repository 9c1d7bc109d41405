// Interleaving and deinterleaving, built for each instruction set; see dispatch.h.

// Whether all samples are finite.
TARGET static bool NAME(is_finite)(const float *samples, ptrdiff_t count) {
    bits8 finite = ~(bits8){0};
    ptrdiff_t index = 0;
    for (; index + 8 <= count; index += 8) {
        finite &= MAGNITUDE(VECTOR(samples + index)) <= ALL(FLT_MAX);
    }
    int32_t all = -1;
    for (int lane = 0; lane < 8; lane += 1) {
        all &= finite[lane];
    }
    for (; index < count; index += 1) {
        all &= samples[index] >= -FLT_MAX && samples[index] <= FLT_MAX ? -1 : 0;
    }
    return all != 0;
}

// Deinterleaves, and returns whether all samples are finite.
TARGET static bool NAME(split)(const float *interleaved, float *left, float *right, ptrdiff_t count) {
    bits8 finite = ~(bits8){0};
    ptrdiff_t index = 0;
    for (; index + 8 <= count; index += 8) {
        const float8 first = VECTOR(interleaved + 2 * index);
        const float8 second = VECTOR(interleaved + 2 * index + 8);
        finite &= (MAGNITUDE(first) <= ALL(FLT_MAX)) & (MAGNITUDE(second) <= ALL(FLT_MAX));
        STORE(left + index) = __builtin_shufflevector(first, second, 0, 2, 4, 6, 8, 10, 12, 14);
        STORE(right + index) = __builtin_shufflevector(first, second, 1, 3, 5, 7, 9, 11, 13, 15);
    }
    int32_t all = -1;
    for (int lane = 0; lane < 8; lane += 1) {
        all &= finite[lane];
    }
    for (; index < count; index += 1) {
        left[index] = interleaved[2 * index];
        right[index] = interleaved[2 * index + 1];
        all &= left[index] >= -FLT_MAX && left[index] <= FLT_MAX ? -1 : 0;
        all &= right[index] >= -FLT_MAX && right[index] <= FLT_MAX ? -1 : 0;
    }
    return all != 0;
}

// Eight 16-bit stereo frames are one vector of eight integers: the left sample in the low half of each, the right one
// in the high half.
TARGET static void NAME(split_shorts)(const int16_t *interleaved, float *left, float *right, ptrdiff_t count) {
    ptrdiff_t index = 0;
    for (; index + 8 <= count; index += 8) {
        const bits8 frames = *(const bits8_anywhere *)(interleaved + 2 * index);
        STORE(left + index) = __builtin_convertvector(IN_FRAME_FIRST(frames), float8) * ALL(0x1p-15f);
        STORE(right + index) = __builtin_convertvector(IN_FRAME_SECOND(frames), float8) * ALL(0x1p-15f);
    }
    for (; index < count; index += 1) {
        left[index] = (float)interleaved[2 * index] * 0x1p-15f;
        right[index] = (float)interleaved[2 * index + 1] * 0x1p-15f;
    }
}

TARGET static void NAME(interleave)(const float *left, const float *right, float *interleaved, ptrdiff_t count) {
    ptrdiff_t index = 0;
    for (; index + 8 <= count; index += 8) {
        const float8 lefts = VECTOR(left + index);
        const float8 rights = VECTOR(right + index);
        STORE(interleaved + 2 * index) = __builtin_shufflevector(lefts, rights, 0, 8, 1, 9, 2, 10, 3, 11);
        STORE(interleaved + 2 * index + 8) = __builtin_shufflevector(lefts, rights, 4, 12, 5, 13, 6, 14, 7, 15);
    }
    for (; index < count; index += 1) {
        interleaved[2 * index] = left[index];
        interleaved[2 * index + 1] = right[index];
    }
}
