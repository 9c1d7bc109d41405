// The inner loops of the time-stretch, built for each instruction set; see dispatch.h.

// One radix-4 butterfly over eight positions: the sums of the four quarters, multiplied by the factors of the first
// three.
#define BUTTERFLY(place, w1r, w1i, w2r, w2i, w3r, w3i)                                                                 \
    const float8 ar = VECTOR(in_real + (place));                                                                       \
    const float8 ai = VECTOR(in_imaginary + (place));                                                                  \
    const float8 br = VECTOR(in_real + (place) + quarter);                                                             \
    const float8 bi = VECTOR(in_imaginary + (place) + quarter);                                                        \
    const float8 cr = VECTOR(in_real + (place) + 2 * quarter);                                                         \
    const float8 ci = VECTOR(in_imaginary + (place) + 2 * quarter);                                                    \
    const float8 dr = VECTOR(in_real + (place) + 3 * quarter);                                                         \
    const float8 di = VECTOR(in_imaginary + (place) + 3 * quarter);                                                    \
    const float8 acr = ar + cr;                                                                                        \
    const float8 aci = ai + ci;                                                                                        \
    const float8 dar = ar - cr;                                                                                        \
    const float8 dai = ai - ci;                                                                                        \
    const float8 bdr = br + dr;                                                                                        \
    const float8 bdi = bi + di;                                                                                        \
    const float8 dbr = di - bi;                                                                                        \
    const float8 dbi = br - dr;                                                                                        \
    const float8 t1r = dar - dbr;                                                                                      \
    const float8 t1i = dai - dbi;                                                                                      \
    const float8 t2r = acr - bdr;                                                                                      \
    const float8 t2i = aci - bdi;                                                                                      \
    const float8 t3r = dar + dbr;                                                                                      \
    const float8 t3i = dai + dbi;                                                                                      \
    const float8 y0r = acr + bdr;                                                                                      \
    const float8 y0i = aci + bdi;                                                                                      \
    const float8 y1r = t1r * (w1r) - t1i * (w1i);                                                                      \
    const float8 y1i = t1r * (w1i) + t1i * (w1r);                                                                      \
    const float8 y2r = t2r * (w2r) - t2i * (w2i);                                                                      \
    const float8 y2i = t2r * (w2i) + t2i * (w2r);                                                                      \
    const float8 y3r = t3r * (w3r) - t3i * (w3i);                                                                      \
    const float8 y3i = t3r * (w3i) + t3i * (w3r);

// Stores four vectors interleaved.
#define STORE_INTERLEAVED(target, v0, v1, v2, v3)                                                                      \
    {                                                                                                                  \
        const float8 low01 = __builtin_shufflevector(v0, v1, 0, 8, 1, 9, 2, 10, 3, 11);                                \
        const float8 low23 = __builtin_shufflevector(v2, v3, 0, 8, 1, 9, 2, 10, 3, 11);                                \
        const float8 high01 = __builtin_shufflevector(v0, v1, 4, 12, 5, 13, 6, 14, 7, 15);                             \
        const float8 high23 = __builtin_shufflevector(v2, v3, 4, 12, 5, 13, 6, 14, 7, 15);                             \
        STORE(target) = __builtin_shufflevector(low01, low23, 0, 1, 8, 9, 2, 3, 10, 11);                               \
        STORE((target) + 8) = __builtin_shufflevector(low01, low23, 4, 5, 12, 13, 6, 7, 14, 15);                       \
        STORE((target) + 16) = __builtin_shufflevector(high01, high23, 0, 1, 8, 9, 2, 3, 10, 11);                      \
        STORE((target) + 24) = __builtin_shufflevector(high01, high23, 4, 5, 12, 13, 6, 7, 14, 15);                    \
    }

#define STORE_HALVES(target, v0, v1, v2, v3)                                                                           \
    {                                                                                                                  \
        STORE(target) = __builtin_shufflevector(v0, v1, 0, 1, 2, 3, 8, 9, 10, 11);                                     \
        STORE((target) + 8) = __builtin_shufflevector(v2, v3, 0, 1, 2, 3, 8, 9, 10, 11);                               \
        STORE((target) + 16) = __builtin_shufflevector(v0, v1, 4, 5, 6, 7, 12, 13, 14, 15);                            \
        STORE((target) + 24) = __builtin_shufflevector(v2, v3, 4, 5, 6, 7, 12, 13, 14, 15);                            \
    }

// One stage of Stockham's radix-4 transform over groups of `stride` values that share their factors.
TARGET static void NAME(radix4)(
    const float *in_real, const float *in_imaginary, float *out_real, float *out_imaginary, const float *factors,
    ptrdiff_t size, ptrdiff_t stride) {
    const ptrdiff_t quarter = size / 4;
    if (stride < 16) {
        // Eight positions have factors of their own, in six rows.
        for (ptrdiff_t place = 0; place < quarter; place += 8) {
            BUTTERFLY(
                place, VECTOR(factors + place), VECTOR(factors + quarter + place), VECTOR(factors + 2 * quarter + place),
                VECTOR(factors + 3 * quarter + place), VECTOR(factors + 4 * quarter + place),
                VECTOR(factors + 5 * quarter + place));
            if (stride == 1) {
                STORE_INTERLEAVED(out_real + 4 * place, y0r, y1r, y2r, y3r);
                STORE_INTERLEAVED(out_imaginary + 4 * place, y0i, y1i, y2i, y3i);
            } else {
                STORE_HALVES(out_real + 4 * place, y0r, y1r, y2r, y3r);
                STORE_HALVES(out_imaginary + 4 * place, y0i, y1i, y2i, y3i);
            }
        }
        return;
    }
    for (ptrdiff_t first = 0; first < quarter; first += stride) {
        const float8 w1r = ALL(factors[0]);
        const float8 w1i = ALL(factors[1]);
        const float8 w2r = ALL(factors[2]);
        const float8 w2i = ALL(factors[3]);
        const float8 w3r = ALL(factors[4]);
        const float8 w3i = ALL(factors[5]);
        factors += 6;
        for (ptrdiff_t within = 0; within < stride; within += 8) {
            BUTTERFLY(first + within, w1r, w1i, w2r, w2i, w3r, w3i);
            const ptrdiff_t target = 4 * first + within;
            STORE(out_real + target) = y0r;
            STORE(out_imaginary + target) = y0i;
            STORE(out_real + target + stride) = y1r;
            STORE(out_imaginary + target + stride) = y1i;
            STORE(out_real + target + 2 * stride) = y2r;
            STORE(out_imaginary + target + 2 * stride) = y2i;
            STORE(out_real + target + 3 * stride) = y3r;
            STORE(out_imaginary + target + 3 * stride) = y3i;
        }
    }
}

#undef BUTTERFLY
#undef STORE_INTERLEAVED
#undef STORE_HALVES

TARGET static void NAME(radix2)(
    const float *in_real, const float *in_imaginary, float *out_real, float *out_imaginary, ptrdiff_t size) {
    const ptrdiff_t half = size / 2;
    for (ptrdiff_t index = 0; index < half; index += 8) {
        STORE(out_real + index) = VECTOR(in_real + index) + VECTOR(in_real + index + half);
        STORE(out_imaginary + index) = VECTOR(in_imaginary + index) + VECTOR(in_imaginary + index + half);
        STORE(out_real + index + half) = VECTOR(in_real + index) - VECTOR(in_real + index + half);
        STORE(out_imaginary + index + half) = VECTOR(in_imaginary + index) - VECTOR(in_imaginary + index + half);
    }
}

#define FINITE(vector) SELECT(MAGNITUDE(vector) < ALL(__builtin_inff()), vector, ALL(0.0f))

TARGET static void NAME(take_window)(
    const float *left, const float *right, const float *window, float *real, float *imaginary, ptrdiff_t size) {
    for (ptrdiff_t index = 0; index < size; index += 8) {
        STORE(real + index) = FINITE(VECTOR(left + index)) * VECTOR(window + index);
        STORE(imaginary + index) = FINITE(VECTOR(right + index)) * VECTOR(window + index);
    }
}

#undef FINITE

#define REVERSED(vector) __builtin_shufflevector(vector, vector, 7, 6, 5, 4, 3, 2, 1, 0)

TARGET static void NAME(turn)(
    const float *real, const float *imaginary, const float *turn_real, const float *turn_imaginary, float *out_real,
    float *out_imaginary, ptrdiff_t size) {
    const ptrdiff_t half = size / 2;
    ptrdiff_t bin = 1;
    for (; bin + 8 <= half; bin += 8) {
        const ptrdiff_t other = size - bin - 7;
        const float8 lower_real = VECTOR(real + bin);
        const float8 lower_imaginary = VECTOR(imaginary + bin);
        const float8 upper_real = VECTOR(real + other);
        const float8 upper_imaginary = VECTOR(imaginary + other);
        const float8 cosines = VECTOR(turn_real + bin);
        const float8 sines = VECTOR(turn_imaginary + bin);
        const float8 upper_cosines = REVERSED(cosines);
        const float8 upper_sines = REVERSED(sines);
        STORE(out_real + bin) = lower_real * cosines - lower_imaginary * sines;
        STORE(out_imaginary + bin) = lower_real * sines + lower_imaginary * cosines;
        STORE(out_real + other) = upper_real * upper_cosines + upper_imaginary * upper_sines;
        STORE(out_imaginary + other) = upper_imaginary * upper_cosines - upper_real * upper_sines;
    }
    for (; bin < half; bin += 1) {
        const ptrdiff_t other = size - bin;
        out_real[bin] = real[bin] * turn_real[bin] - imaginary[bin] * turn_imaginary[bin];
        out_imaginary[bin] = real[bin] * turn_imaginary[bin] + imaginary[bin] * turn_real[bin];
        out_real[other] = real[other] * turn_real[bin] + imaginary[other] * turn_imaginary[bin];
        out_imaginary[other] = imaginary[other] * turn_real[bin] - real[other] * turn_imaginary[bin];
    }
}

// With l and r the turns of the channels, Z the spectrum of left + i · right at a bin and V the conjugate of its mirror
// image, Z becomes (l + r) / 2 · Z + (l − r) / 2 · V, and V the same of V and Z.
TARGET static void NAME(turn_apart)(
    const float *real, const float *imaginary, const float *left_real, const float *left_imaginary,
    const float *right_real, const float *right_imaginary, float *out_real, float *out_imaginary, ptrdiff_t size) {
    const ptrdiff_t half = size / 2;
    ptrdiff_t bin = 1;
    for (; bin + 8 <= half; bin += 8) {
        const ptrdiff_t other = size - bin - 7;
        const float8 zr = VECTOR(real + bin);
        const float8 zi = VECTOR(imaginary + bin);
        const float8 vr = REVERSED(VECTOR(real + other));
        const float8 vi = -REVERSED(VECTOR(imaginary + other));
        const float8 ar = (VECTOR(left_real + bin) + VECTOR(right_real + bin)) * ALL(0.5f);
        const float8 ai = (VECTOR(left_imaginary + bin) + VECTOR(right_imaginary + bin)) * ALL(0.5f);
        const float8 dr = (VECTOR(left_real + bin) - VECTOR(right_real + bin)) * ALL(0.5f);
        const float8 di = (VECTOR(left_imaginary + bin) - VECTOR(right_imaginary + bin)) * ALL(0.5f);
        STORE(out_real + bin) = (ar * zr - ai * zi) + (dr * vr - di * vi);
        STORE(out_imaginary + bin) = (ar * zi + ai * zr) + (dr * vi + di * vr);
        const float8 mirrored_real = (ar * vr - ai * vi) + (dr * zr - di * zi);
        const float8 mirrored_imaginary = (ar * vi + ai * vr) + (dr * zi + di * zr);
        STORE(out_real + other) = REVERSED(mirrored_real);
        STORE(out_imaginary + other) = -REVERSED(mirrored_imaginary);
    }
    for (; bin < half; bin += 1) {
        const ptrdiff_t other = size - bin;
        const float zr = real[bin];
        const float zi = imaginary[bin];
        const float vr = real[other];
        const float vi = -imaginary[other];
        const float ar = (left_real[bin] + right_real[bin]) * 0.5f;
        const float ai = (left_imaginary[bin] + right_imaginary[bin]) * 0.5f;
        const float dr = (left_real[bin] - right_real[bin]) * 0.5f;
        const float di = (left_imaginary[bin] - right_imaginary[bin]) * 0.5f;
        out_real[bin] = (ar * zr - ai * zi) + (dr * vr - di * vi);
        out_imaginary[bin] = (ar * zi + ai * zr) + (dr * vi + di * vr);
        out_real[other] = (ar * vr - ai * vi) + (dr * zr - di * zi);
        out_imaginary[other] = -((ar * vi + ai * vr) + (dr * zi + di * zr));
    }
}

TARGET static void NAME(products)(
    const float *real, const float *imaginary, const float *other_real, const float *other_imaginary, float *products,
    ptrdiff_t size) {
    // Bin 0 is its own mirror image.
    products[0] = 2 * (real[0] * other_real[0] + imaginary[0] * other_imaginary[0]);
    for (ptrdiff_t bin = 1; bin < size / 2 + 3; bin += 8) {
        const ptrdiff_t mirrored = size - bin - 7;
        STORE(products + bin)
            = (VECTOR(real + bin) * VECTOR(other_real + bin) + VECTOR(imaginary + bin) * VECTOR(other_imaginary + bin))
            + REVERSED(
                VECTOR(real + mirrored) * VECTOR(other_real + mirrored)
                + VECTOR(imaginary + mirrored) * VECTOR(other_imaginary + mirrored));
    }
    products[-1] = products[1];
    products[-2] = products[2];
}

#undef REVERSED

// The sum of what five neighbouring bins have, the main lobe of a partial.
#define AROUND(values)                                                                                                 \
    (((VECTOR((values) - 2) + VECTOR((values) + 2)) + (VECTOR((values) - 1) + VECTOR((values) + 1))) + VECTOR(values))

TARGET static void NAME(hold_levels)(
    float *real, float *imaginary, const float *products, const float *energies, const float *other_energies,
    const float *overlaps, float share, ptrdiff_t end) {
    for (ptrdiff_t bin = 0; bin < end; bin += 8) {
        const float8 square = AROUND(energies + bin) * AROUND(other_energies + bin);
        // False for NaN as well.
        const bits8 is_heard = (square > ALL(FLT_MIN)) & (square < ALL(FLT_MAX));
        const float8 found = AROUND(products + bin) / __builtin_elementwise_sqrt(SELECT(is_heard, square, ALL(1.0f)));
        const float8 positive = SELECT(found > ALL(0.0f), found, ALL(0.0f));
        const float8 coherence = SELECT(positive < ALL(1.0f), positive, ALL(1.0f));
        const float8 kept = ((ALL(overlaps[3]) * coherence + ALL(overlaps[2])) * coherence + ALL(overlaps[1])) * coherence
            + ALL(overlaps[0]);
        const float8 lost = ALL(1.0f) / __builtin_elementwise_sqrt(kept) - ALL(1.0f);
        const float8 gain = ALL(1.0f) + SELECT(is_heard, lost * ALL(share), ALL(0.0f));
        STORE(real + bin) = VECTOR(real + bin) * gain;
        STORE(imaginary + bin) = VECTOR(imaginary + bin) * gain;
    }
}

#undef AROUND

TARGET static void NAME(add_grain)(
    const float *real, const float *imaginary, const float *window, const float *gains, float scale, float *left,
    float *right, float *weights, ptrdiff_t count) {
    ptrdiff_t index = 0;
    for (; index + 8 <= count; index += 8) {
        const float8 level = VECTOR(window + index) * VECTOR(gains + index);
        const float8 scaled = level * ALL(scale);
        STORE(left + index) = VECTOR(left + index) + VECTOR(real + index) * scaled;
        STORE(right + index) = VECTOR(right + index) + VECTOR(imaginary + index) * scaled;
        STORE(weights + index) = VECTOR(weights + index) + level * VECTOR(window + index);
    }
    for (; index < count; index += 1) {
        const float level = window[index] * gains[index];
        const float scaled = level * scale;
        left[index] = left[index] + real[index] * scaled;
        right[index] = right[index] + imaginary[index] * scaled;
        weights[index] = weights[index] + level * window[index];
    }
}

TARGET static void NAME(add_weighted)(
    const float *left, const float *right, const float *sample_weights, const float *gains, float *sum_left,
    float *sum_right, float *weights, ptrdiff_t count) {
    ptrdiff_t index = 0;
    for (; index + 8 <= count; index += 8) {
        const float8 level = VECTOR(sample_weights + index) * VECTOR(gains + index);
        STORE(sum_left + index) = VECTOR(sum_left + index) + VECTOR(left + index) * level;
        STORE(sum_right + index) = VECTOR(sum_right + index) + VECTOR(right + index) * level;
        STORE(weights + index) = VECTOR(weights + index) + VECTOR(sample_weights + index);
    }
    for (; index < count; index += 1) {
        const float level = sample_weights[index] * gains[index];
        sum_left[index] = sum_left[index] + left[index] * level;
        sum_right[index] = sum_right[index] + right[index] * level;
        weights[index] = weights[index] + sample_weights[index];
    }
}

TARGET static void NAME(divide)(float *samples, const float *weights, float least, ptrdiff_t count) {
    ptrdiff_t index = 0;
    for (; index + 8 <= count; index += 8) {
        const float8 weight = VECTOR(weights + index);
        STORE(samples + index) = VECTOR(samples + index) / SELECT(weight > ALL(least), weight, ALL(least));
    }
    for (; index < count; index += 1) {
        samples[index] = samples[index] / (weights[index] > least ? weights[index] : least);
    }
}
