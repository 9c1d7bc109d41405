#ifndef BARLINE_KERNEL_INSTRUCTIONS_H
#define BARLINE_KERNEL_INSTRUCTIONS_H

// The kernels neither lock nor allocate: functions marked @_noLocks may call them.
#define BARLINE_KERNEL __attribute__((swift_attr("@_noLocks")))

// The instruction sets that kernels are built for. The choice affects the speed, and not a single bit of the result.
typedef enum dsp_instructions {
    // The baseline of the architecture: SSE2, NEON.
    DSP_BASELINE = 0,
    // 256-bit vectors (x86-64 only).
    DSP_AVX2 = 1,
} dsp_instructions;

// The instruction set in use.
dsp_instructions dsp_instructions_in_use(void);

// Uses no instructions beyond `highest`, for tests and benchmarks; by default, everything that the machine has is used.
void dsp_limit_instructions(dsp_instructions highest);

#endif
