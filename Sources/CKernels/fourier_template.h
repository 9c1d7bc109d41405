// The butterflies of the transform, built for each instruction set; see dispatch.h.

TARGET static void NAME(stage)(
    float *real, float *imaginary, const float *cosines, const float *sines, ptrdiff_t half, ptrdiff_t count) {
    for (ptrdiff_t group = 0; group < count; group += 2 * half) {
        float *upper_real = real + group;
        float *upper_imaginary = imaginary + group;
        float *lower_real = upper_real + half;
        float *lower_imaginary = upper_imaginary + half;
        ptrdiff_t index = 0;
        for (; index + 8 <= half; index += 8) {
            const float8 turned_real = VECTOR(lower_real + index) * VECTOR(cosines + index)
                - VECTOR(lower_imaginary + index) * VECTOR(sines + index);
            const float8 turned_imaginary = VECTOR(lower_real + index) * VECTOR(sines + index)
                + VECTOR(lower_imaginary + index) * VECTOR(cosines + index);
            STORE(lower_real + index) = VECTOR(upper_real + index) - turned_real;
            STORE(lower_imaginary + index) = VECTOR(upper_imaginary + index) - turned_imaginary;
            STORE(upper_real + index) = VECTOR(upper_real + index) + turned_real;
            STORE(upper_imaginary + index) = VECTOR(upper_imaginary + index) + turned_imaginary;
        }
        for (; index < half; index += 1) {
            const float turned_real = lower_real[index] * cosines[index] - lower_imaginary[index] * sines[index];
            const float turned_imaginary = lower_real[index] * sines[index] + lower_imaginary[index] * cosines[index];
            lower_real[index] = upper_real[index] - turned_real;
            lower_imaginary[index] = upper_imaginary[index] - turned_imaginary;
            upper_real[index] = upper_real[index] + turned_real;
            upper_imaginary[index] = upper_imaginary[index] + turned_imaginary;
        }
    }
}
