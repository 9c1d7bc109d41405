// The varispeed reader's loops, built for each instruction set; see dispatch.h.

// The weighted sums over the taps at `left_place` and `right_place`, in eight lanes. Weights are interpolated by
// `between` from one row to the next.
#define SUM_STEREO(filter, left_place, right_place, result_left, result_right)                                         \
    {                                                                                                                  \
        const ptrdiff_t taps = (filter)->taps;                                                                           \
        const float *near = (filter)->weights + (ptrdiff_t)(fraction >> (64 - (filter)->phase_bits)) * taps;             \
        const float *far = near + taps;                                                                                \
        const float8 between = ALL((float)(int32_t)((fraction << (filter)->phase_bits) >> 40) * 0x1p-24f);             \
        float8 sum_left = {0};                                                                                         \
        float8 sum_right = {0};                                                                                        \
        for (ptrdiff_t tap = 0; tap < taps; tap += 8) {                                                                  \
            const float8 weight = VECTOR(near + tap) + between * (VECTOR(far + tap) - VECTOR(near + tap));             \
            sum_left += weight * VECTOR((left_place) + tap);                                                           \
            sum_right += weight * VECTOR((right_place) + tap);                                                         \
        }                                                                                                              \
        const float4 fours_left = LOW(sum_left) + HIGH(sum_left);                                                      \
        const float4 fours_right = LOW(sum_right) + HIGH(sum_right);                                                   \
        const float4 twos = __builtin_shufflevector(fours_left, fours_right, 0, 1, 4, 5)                               \
            + __builtin_shufflevector(fours_left, fours_right, 2, 3, 6, 7);                                            \
        result_left = twos[0] + twos[1];                                                                               \
        result_right = twos[2] + twos[3];                                                                              \
    }

#define SUM_MONO(filter, place, result)                                                                                \
    {                                                                                                                  \
        const ptrdiff_t taps = (filter)->taps;                                                                           \
        const float *near = (filter)->weights + (ptrdiff_t)(fraction >> (64 - (filter)->phase_bits)) * taps;             \
        const float *far = near + taps;                                                                                \
        const float8 between = ALL((float)(int32_t)((fraction << (filter)->phase_bits) >> 40) * 0x1p-24f);             \
        float8 sum = {0};                                                                                              \
        for (ptrdiff_t tap = 0; tap < taps; tap += 8) {                                                                  \
            sum += (VECTOR(near + tap) + between * (VECTOR(far + tap) - VECTOR(near + tap))) * VECTOR((place) + tap);  \
        }                                                                                                              \
        const float4 fours = LOW(sum) + HIGH(sum);                                                                     \
        const float4 twos = fours + __builtin_shufflevector(fours, fours, 2, 3, 0, 1);                                 \
        result = twos[0] + twos[1];                                                                                    \
    }

TARGET static ptrdiff_t NAME(read_stereo)(const reading *task, position at, float *left, float *right, ptrdiff_t count) {
    const dsp_filter *lower = task->lower;
    const dsp_filter *upper = task->upper;
    const float blend = task->blend;
    ptrdiff_t index = 0;
    for (; index < count; index += 1) {
        const ptrdiff_t whole = (ptrdiff_t)(at >> 64);
        if (whole < task->lowest || whole > task->highest) {
            break;
        }
        const uint64_t fraction = (uint64_t)at;
        const ptrdiff_t first = whole - task->origin;
        const ptrdiff_t inner = first + task->inset;
        SUM_STEREO(lower, task->left + inner, task->right + inner, left[index], right[index]);
        if (blend != 0) {
            float upper_left;
            float upper_right;
            SUM_STEREO(upper, task->left + first, task->right + first, upper_left, upper_right);
            left[index] = left[index] + blend * (upper_left - left[index]);
            right[index] = right[index] + blend * (upper_right - right[index]);
        }
        at += task->step;
    }
    return index;
}

TARGET static ptrdiff_t NAME(read_mono)(const reading *task, position at, float *left, float *right, ptrdiff_t count) {
    const dsp_filter *lower = task->lower;
    const dsp_filter *upper = task->upper;
    const float blend = task->blend;
    ptrdiff_t index = 0;
    for (; index < count; index += 1) {
        const ptrdiff_t whole = (ptrdiff_t)(at >> 64);
        if (whole < task->lowest || whole > task->highest) {
            break;
        }
        const uint64_t fraction = (uint64_t)at;
        const ptrdiff_t first = whole - task->origin;
        float sample;
        SUM_MONO(lower, task->left + first + task->inset, sample);
        if (blend != 0) {
            float upper_sample;
            SUM_MONO(upper, task->left + first, upper_sample);
            sample = sample + blend * (upper_sample - sample);
        }
        left[index] = sample;
        right[index] = sample;
        at += task->step;
    }
    return index;
}

// The narrow filter's weights at a position, and the frames and midpoints under its two rows of taps. Positions in the
// first half of a frame have a midpoint first, those in the second half a frame.
#define FIND_NARROW_ROW(task, at)                                                                                      \
    const ptrdiff_t first = (ptrdiff_t)((at) >> 64) - (task)->origin;                                                  \
    const bool is_later = (uint64_t)(at) >> 63;                                                                        \
    const uint64_t fraction = (uint64_t)(at) << 1;                                                                     \
    const float *near =                                                                                                \
        (task)->lower->narrow_weights + (ptrdiff_t)(fraction >> (64 - DSP_NARROW_PHASE_BITS)) * DSP_NARROW_TAPS;       \
    const float *far = near + DSP_NARROW_TAPS;                                                                         \
    const float8 between = ALL((float)(int32_t)((fraction << DSP_NARROW_PHASE_BITS) >> 40) * 0x1p-24f);                \
    const float8 even_weights = VECTOR(near) + between * (VECTOR(far) - VECTOR(near));                                 \
    const float8 odd_weights = VECTOR(near + 8) + between * (VECTOR(far + 8) - VECTOR(near + 8))
#define EVEN_TAPS(frames, midpoints) VECTOR(is_later ? (frames) + first + 1 : (midpoints) + first)
#define ODD_TAPS(frames, midpoints) VECTOR(is_later ? (midpoints) + first + 1 : (frames) + first + 1)

TARGET static ptrdiff_t NAME(read_narrow_stereo)(
    const reading *task, position at, float *left, float *right, ptrdiff_t count) {
    ptrdiff_t index = 0;
    for (; index < count; index += 1) {
        const ptrdiff_t whole = (ptrdiff_t)(at >> 64);
        if (whole < task->lowest || whole > task->highest) {
            break;
        }
        FIND_NARROW_ROW(task, at);
        const float8 sum_left = even_weights * EVEN_TAPS(task->left, task->middle_left)
            + odd_weights * ODD_TAPS(task->left, task->middle_left);
        const float8 sum_right = even_weights * EVEN_TAPS(task->right, task->middle_right)
            + odd_weights * ODD_TAPS(task->right, task->middle_right);
        const float4 fours_left = LOW(sum_left) + HIGH(sum_left);
        const float4 fours_right = LOW(sum_right) + HIGH(sum_right);
        const float4 twos = __builtin_shufflevector(fours_left, fours_right, 0, 1, 4, 5)
            + __builtin_shufflevector(fours_left, fours_right, 2, 3, 6, 7);
        left[index] = twos[0] + twos[1];
        right[index] = twos[2] + twos[3];
        at += task->step;
    }
    return index;
}

TARGET static ptrdiff_t NAME(read_narrow_mono)(
    const reading *task, position at, float *left, float *right, ptrdiff_t count) {
    ptrdiff_t index = 0;
    for (; index < count; index += 1) {
        const ptrdiff_t whole = (ptrdiff_t)(at >> 64);
        if (whole < task->lowest || whole > task->highest) {
            break;
        }
        FIND_NARROW_ROW(task, at);
        const float8 sum = even_weights * EVEN_TAPS(task->left, task->middle_left)
            + odd_weights * ODD_TAPS(task->left, task->middle_left);
        const float4 fours = LOW(sum) + HIGH(sum);
        const float4 twos = fours + __builtin_shufflevector(fours, fours, 2, 3, 0, 1);
        left[index] = twos[0] + twos[1];
        right[index] = left[index];
        at += task->step;
    }
    return index;
}

// In double precision, so that a midpoint is as accurate as a float can be: it is computed only once.
TARGET static void NAME(find_midpoints)(
    const float *samples, const double *weights, ptrdiff_t reach, float *midpoints, ptrdiff_t count) {
    ptrdiff_t index = 0;
    for (; index + 16 <= count; index += 16) {
        double8 near = {0};
        double8 far = {0};
        for (ptrdiff_t tap = 0; tap < reach; tap += 1) {
            const float *before = samples + index - tap;
            const float *after = samples + index + 1 + tap;
            near += weights[tap] * (DOUBLES(before) + DOUBLES(after));
            far += weights[tap] * (DOUBLES(before + 8) + DOUBLES(after + 8));
        }
        STORE(midpoints + index) = __builtin_convertvector(near, float8);
        STORE(midpoints + index + 8) = __builtin_convertvector(far, float8);
    }
    for (; index < count; index += 1) {
        double sum = 0;
        for (ptrdiff_t tap = 0; tap < reach; tap += 1) {
            sum += weights[tap] * ((double)samples[index - tap] + (double)samples[index + 1 + tap]);
        }
        midpoints[index] = (float)sum;
    }
}

#undef SUM_STEREO
#undef SUM_MONO
#undef FIND_NARROW_ROW
#undef EVEN_TAPS
#undef ODD_TAPS
