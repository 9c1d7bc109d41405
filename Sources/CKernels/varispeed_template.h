// The varispeed reader's loops, built for each instruction set; see dispatch.h.

// How many phases of `filter` a fraction of a frame is, in units of 2^-64.
#define PHASE(filter, fraction) ((unsigned __int128)(fraction) * (uint64_t)(filter)->phases)

// The weighted sums over the taps at `left_place` and `right_place`, in eight lanes. Weights are interpolated by
// `between` from one row to the next.
#define SUM_LANES(filter, left_place, right_place, sum_left, sum_right)                                                \
    {                                                                                                                  \
        const ptrdiff_t taps = (filter)->taps;                                                                         \
        const unsigned __int128 phase = PHASE(filter, fraction);                                                       \
        const float *near = (filter)->weights + (ptrdiff_t)(phase >> 64) * taps;                                       \
        const float *far = near + taps;                                                                                \
        const float8 between = ALL((float)(int32_t)((uint64_t)phase >> 40) * 0x1p-24f);                                \
        sum_left = (float8){0};                                                                                        \
        sum_right = (float8){0};                                                                                       \
        for (ptrdiff_t tap = 0; tap < taps; tap += 8) {                                                                \
            const float8 weight = VECTOR(near + tap) + between * (VECTOR(far + tap) - VECTOR(near + tap));             \
            sum_left += weight * VECTOR((left_place) + tap);                                                           \
            sum_right += weight * VECTOR((right_place) + tap);                                                         \
        }                                                                                                              \
    }

// The total of the eight lanes of each channel.
#define TOTAL_STEREO(sum_left, sum_right, result_left, result_right)                                                   \
    {                                                                                                                  \
        const float4 fours_left = LOW(sum_left) + HIGH(sum_left);                                                      \
        const float4 fours_right = LOW(sum_right) + HIGH(sum_right);                                                   \
        const float4 twos = __builtin_shufflevector(fours_left, fours_right, 0, 1, 4, 5)                               \
            + __builtin_shufflevector(fours_left, fours_right, 2, 3, 6, 7);                                            \
        result_left = twos[0] + twos[1];                                                                               \
        result_right = twos[2] + twos[3];                                                                              \
    }

// The same for four frames at once, which takes fewer shuffles: PAIRS adds the upper four lanes of each channel to the
// lower ones.
#define PAIRS(sum_left, sum_right)                                                                                     \
    (__builtin_shufflevector(sum_left, sum_right, 0, 1, 2, 3, 8, 9, 10, 11)                                            \
        + __builtin_shufflevector(sum_left, sum_right, 4, 5, 6, 7, 12, 13, 14, 15))
#define STORE_TOTALS(pairs, left, right)                                                                               \
    {                                                                                                                  \
        const float8 early = __builtin_shufflevector(pairs[0], pairs[1], 0, 1, 8, 9, 4, 5, 12, 13)                     \
            + __builtin_shufflevector(pairs[0], pairs[1], 2, 3, 10, 11, 6, 7, 14, 15);                                 \
        const float8 late = __builtin_shufflevector(pairs[2], pairs[3], 0, 1, 8, 9, 4, 5, 12, 13)                      \
            + __builtin_shufflevector(pairs[2], pairs[3], 2, 3, 10, 11, 6, 7, 14, 15);                                 \
        const float8 totals = __builtin_shufflevector(early, late, 0, 2, 8, 10, 4, 6, 12, 14)                          \
            + __builtin_shufflevector(early, late, 1, 3, 9, 11, 5, 7, 13, 15);                                         \
        *(float4_anywhere *)(left) = LOW(totals);                                                                      \
        *(float4_anywhere *)(right) = HIGH(totals);                                                                    \
    }

// Whether four frames from `at` on are within the memory, as those between two positions are that are.
#define ARE_FOUR_WITHIN(task, at)                                                                                      \
    (IS_WITHIN(task, (ptrdiff_t)((at) >> 64)) && IS_WITHIN(task, (ptrdiff_t)(((at) + 3 * (task)->step) >> 64)))
#define IS_WITHIN(task, whole) ((whole) >= (task)->lowest && (whole) <= (task)->highest)

#define SUM_MONO(filter, place, sum)                                                                                   \
    {                                                                                                                  \
        const ptrdiff_t taps = (filter)->taps;                                                                         \
        const unsigned __int128 phase = PHASE(filter, fraction);                                                       \
        const float *near = (filter)->weights + (ptrdiff_t)(phase >> 64) * taps;                                       \
        const float *far = near + taps;                                                                                \
        const float8 between = ALL((float)(int32_t)((uint64_t)phase >> 40) * 0x1p-24f);                                \
        sum = (float8){0};                                                                                             \
        for (ptrdiff_t tap = 0; tap < taps; tap += 8) {                                                                \
            sum += (VECTOR(near + tap) + between * (VECTOR(far + tap) - VECTOR(near + tap))) * VECTOR((place) + tap);  \
        }                                                                                                              \
    }

#define TOTAL_MONO(sum, result)                                                                                        \
    {                                                                                                                  \
        const float4 fours = LOW(sum) + HIGH(sum);                                                                     \
        const float4 twos = fours + __builtin_shufflevector(fours, fours, 2, 3, 0, 1);                                 \
        result = twos[0] + twos[1];                                                                                    \
    }

// Of four frames of one channel; `early` are the pairs of the first two frames, `late` of the others.
#define STORE_TOTALS_MONO(early, late, left, right)                                                                    \
    {                                                                                                                  \
        const float8 first_pairs = early;                                                                              \
        const float8 last_pairs = late;                                                                                \
        const float8 twos = __builtin_shufflevector(first_pairs, last_pairs, 0, 1, 8, 9, 4, 5, 12, 13)                 \
            + __builtin_shufflevector(first_pairs, last_pairs, 2, 3, 10, 11, 6, 7, 14, 15);                            \
        const float4 totals = __builtin_shufflevector(twos, twos, 0, 4, 2, 6)                                          \
            + __builtin_shufflevector(twos, twos, 1, 5, 3, 7);                                                         \
        *(float4_anywhere *)(left) = totals;                                                                           \
        *(float4_anywhere *)(right) = totals;                                                                          \
    }

// Eight weights in double precision, and the total of eight lanes, in the order in which those of floats are totalled.
#define WEIGHTS(place) (*(const double8_anywhere *)(place))
#define TOTAL_OF_DOUBLES(sum)                                                                                          \
    (((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7])))

TARGET static ptrdiff_t NAME(read_stereo)(
    const reading *given, position at, float *left, float *right, ptrdiff_t count) {
    // A copy, which is known not to change with what is stored.
    const reading copy = *given;
    const reading *const task = &copy;
    const dsp_filter own = *task->lower;
    const dsp_filter *const lower = &own;
    const dsp_filter *upper = task->upper;
    const float blend = task->blend;
    ptrdiff_t index = 0;
    for (; blend == 0 && index + 4 <= count && ARE_FOUR_WITHIN(task, at); index += 4) {
        float8 pairs[4];
        _Pragma("clang loop unroll(full)") for (int frame = 0; frame < 4; frame += 1) {
            const uint64_t fraction = (uint64_t)at;
            const ptrdiff_t inner = (ptrdiff_t)(at >> 64) - task->origin + task->inset;
            float8 sum_left;
            float8 sum_right;
            SUM_LANES(lower, task->left + inner, task->right + inner, sum_left, sum_right);
            pairs[frame] = PAIRS(sum_left, sum_right);
            at += task->step;
        }
        STORE_TOTALS(pairs, left + index, right + index);
    }
    for (; index < count; index += 1) {
        const ptrdiff_t whole = (ptrdiff_t)(at >> 64);
        if (!IS_WITHIN(task, whole)) {
            break;
        }
        const uint64_t fraction = (uint64_t)at;
        const ptrdiff_t first = whole - task->origin;
        const ptrdiff_t inner = first + task->inset;
        float8 sum_left;
        float8 sum_right;
        SUM_LANES(lower, task->left + inner, task->right + inner, sum_left, sum_right);
        TOTAL_STEREO(sum_left, sum_right, left[index], right[index]);
        if (blend != 0) {
            float upper_left;
            float upper_right;
            SUM_LANES(upper, task->left + first, task->right + first, sum_left, sum_right);
            TOTAL_STEREO(sum_left, sum_right, upper_left, upper_right);
            left[index] = left[index] + blend * (upper_left - left[index]);
            right[index] = right[index] + blend * (upper_right - right[index]);
        }
        at += task->step;
    }
    return index;
}

TARGET static ptrdiff_t NAME(read_mono)(
    const reading *given, position at, float *left, float *right, ptrdiff_t count) {
    const reading copy = *given;
    const reading *const task = &copy;
    const dsp_filter own = *task->lower;
    const dsp_filter *const lower = &own;
    const dsp_filter *upper = task->upper;
    const float blend = task->blend;
    ptrdiff_t index = 0;
    for (; blend == 0 && index + 4 <= count && ARE_FOUR_WITHIN(task, at); index += 4) {
        float8 sums[4];
        _Pragma("clang loop unroll(full)") for (int frame = 0; frame < 4; frame += 1) {
            const uint64_t fraction = (uint64_t)at;
            const ptrdiff_t inner = (ptrdiff_t)(at >> 64) - task->origin + task->inset;
            SUM_MONO(lower, task->left + inner, sums[frame]);
            at += task->step;
        }
        STORE_TOTALS_MONO(PAIRS(sums[0], sums[1]), PAIRS(sums[2], sums[3]), left + index, right + index);
    }
    for (; index < count; index += 1) {
        const ptrdiff_t whole = (ptrdiff_t)(at >> 64);
        if (!IS_WITHIN(task, whole)) {
            break;
        }
        const uint64_t fraction = (uint64_t)at;
        const ptrdiff_t first = whole - task->origin;
        float8 sum;
        float sample;
        SUM_MONO(lower, task->left + first + task->inset, sum);
        TOTAL_MONO(sum, sample);
        if (blend != 0) {
            float upper_sample;
            SUM_MONO(upper, task->left + first, sum);
            TOTAL_MONO(sum, upper_sample);
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
#define FIND_NARROW_ROW(task, filter, at)                                                                              \
    const ptrdiff_t first = (ptrdiff_t)((at) >> 64) - (task)->origin;                                                  \
    const int is_later = (int)((uint64_t)(at) >> 63);                                                                  \
    const uint64_t fraction = (uint64_t)(at) << 1;                                                                     \
    const float *near =                                                                                                \
        (filter)->narrow_weights + (ptrdiff_t)(fraction >> (64 - DSP_NARROW_PHASE_BITS)) * DSP_NARROW_TAPS;       \
    const float *far = near + DSP_NARROW_TAPS;                                                                         \
    const float8 between = ALL((float)(int32_t)((fraction << DSP_NARROW_PHASE_BITS) >> 40) * 0x1p-24f);                \
    const float8 even_weights = VECTOR(near) + between * (VECTOR(far) - VECTOR(near));                                 \
    const float8 odd_weights = VECTOR(near + 8) + between * (VECTOR(far + 8) - VECTOR(near + 8))

TARGET static ptrdiff_t NAME(read_narrow_stereo)(
    const reading *given, position at, float *left, float *right, ptrdiff_t count) {
    const reading copy = *given;
    const reading *const task = &copy;
    const dsp_filter own = *task->lower;
    const dsp_filter *const filter = &own;
    ptrdiff_t index = 0;
    // Looked up instead of compared: which half of a frame a position lies in cannot be predicted.
    const float *const even_left[2] = {task->middle_left, task->left + 1};
    const float *const odd_left[2] = {task->left + 1, task->middle_left + 1};
    const float *const even_right[2] = {task->middle_right, task->right + 1};
    const float *const odd_right[2] = {task->right + 1, task->middle_right + 1};
    for (; index + 4 <= count && ARE_FOUR_WITHIN(task, at); index += 4) {
        float8 pairs[4];
        _Pragma("clang loop unroll(full)") for (int frame = 0; frame < 4; frame += 1) {
            FIND_NARROW_ROW(task, filter, at);
            const float8 sum_left = even_weights * VECTOR(even_left[is_later] + first)
                + odd_weights * VECTOR(odd_left[is_later] + first);
            const float8 sum_right = even_weights * VECTOR(even_right[is_later] + first)
                + odd_weights * VECTOR(odd_right[is_later] + first);
            pairs[frame] = PAIRS(sum_left, sum_right);
            at += task->step;
        }
        STORE_TOTALS(pairs, left + index, right + index);
    }
    for (; index < count; index += 1) {
        const ptrdiff_t whole = (ptrdiff_t)(at >> 64);
        if (!IS_WITHIN(task, whole)) {
            break;
        }
        FIND_NARROW_ROW(task, filter, at);
        const float8 sum_left =
            even_weights * VECTOR(even_left[is_later] + first) + odd_weights * VECTOR(odd_left[is_later] + first);
        const float8 sum_right =
            even_weights * VECTOR(even_right[is_later] + first) + odd_weights * VECTOR(odd_right[is_later] + first);
        TOTAL_STEREO(sum_left, sum_right, left[index], right[index]);
        at += task->step;
    }
    return index;
}

TARGET static ptrdiff_t NAME(read_narrow_mono)(
    const reading *given, position at, float *left, float *right, ptrdiff_t count) {
    const reading copy = *given;
    const reading *const task = &copy;
    const dsp_filter own = *task->lower;
    const dsp_filter *const filter = &own;
    const float *const even[2] = {task->middle_left, task->left + 1};
    const float *const odd[2] = {task->left + 1, task->middle_left + 1};
    ptrdiff_t index = 0;
    for (; index + 4 <= count && ARE_FOUR_WITHIN(task, at); index += 4) {
        float8 sums[4];
        _Pragma("clang loop unroll(full)") for (int frame = 0; frame < 4; frame += 1) {
            FIND_NARROW_ROW(task, filter, at);
            sums[frame] =
                even_weights * VECTOR(even[is_later] + first) + odd_weights * VECTOR(odd[is_later] + first);
            at += task->step;
        }
        STORE_TOTALS_MONO(PAIRS(sums[0], sums[1]), PAIRS(sums[2], sums[3]), left + index, right + index);
    }
    for (; index < count; index += 1) {
        const ptrdiff_t whole = (ptrdiff_t)(at >> 64);
        if (!IS_WITHIN(task, whole)) {
            break;
        }
        FIND_NARROW_ROW(task, filter, at);
        const float8 sum = even_weights * VECTOR(even[is_later] + first) + odd_weights * VECTOR(odd[is_later] + first);
        TOTAL_MONO(sum, left[index]);
        right[index] = left[index];
        at += task->step;
    }
    return index;
}

// The sums over the taps at `left_place` and `right_place` in double precision. Weights are interpolated by the cubic
// through four rows (Lagrange), which begin with that of the phase before.
TARGET static void NAME(sum_exactly)(
    const dsp_filter *filter, uint64_t fraction, const float *left_place, const float *right_place, double *left,
    double *right) {
    const ptrdiff_t taps = filter->taps;
    const unsigned __int128 phase = PHASE(filter, fraction);
    const double *rows = filter->exact_weights + (ptrdiff_t)(phase >> 64) * taps;
    const double within = (double)(int64_t)((uint64_t)phase >> 11) * 0x1p-53;
    const double before = within * (within - 1) * (2 - within) / 6;
    const double near = (within + 1) * (within - 1) * (within - 2) / 2;
    const double far = (within + 1) * within * (2 - within) / 2;
    const double after = (within + 1) * within * (within - 1) / 6;
    double8 sum_left = {0};
    double8 sum_right = {0};
    for (ptrdiff_t tap = 0; tap < taps; tap += 8) {
        const double8 weight = (before * WEIGHTS(rows + tap) + near * WEIGHTS(rows + taps + tap))
            + (far * WEIGHTS(rows + 2 * taps + tap) + after * WEIGHTS(rows + 3 * taps + tap));
        sum_left += weight * DOUBLES(left_place + tap);
        sum_right += weight * DOUBLES(right_place + tap);
    }
    *left = TOTAL_OF_DOUBLES(sum_left);
    *right = TOTAL_OF_DOUBLES(sum_right);
}

TARGET static ptrdiff_t NAME(read_exact)(
    const reading *task, position at, float *left, float *right, ptrdiff_t count) {
    ptrdiff_t index = 0;
    for (; index < count && IS_WITHIN(task, (ptrdiff_t)(at >> 64)); index += 1) {
        const uint64_t fraction = (uint64_t)at;
        const ptrdiff_t first = (ptrdiff_t)(at >> 64) - task->origin;
        const ptrdiff_t inner = first + task->inset;
        double lefts;
        double rights;
        NAME(sum_exactly)(task->lower, fraction, task->left + inner, task->right + inner, &lefts, &rights);
        if (task->blend != 0) {
            double upper_left;
            double upper_right;
            NAME(sum_exactly)(task->upper, fraction, task->left + first, task->right + first, &upper_left, &upper_right);
            lefts += (double)task->blend * (upper_left - lefts);
            rights += (double)task->blend * (upper_right - rights);
        }
        left[index] = (float)lefts;
        right[index] = (float)rights;
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

#undef SUM_LANES
#undef TOTAL_STEREO
#undef PAIRS
#undef STORE_TOTALS
#undef ARE_FOUR_WITHIN
#undef IS_WITHIN
#undef SUM_MONO
#undef TOTAL_MONO
#undef STORE_TOTALS_MONO
#undef FIND_NARROW_ROW
#undef WEIGHTS
#undef TOTAL_OF_DOUBLES
