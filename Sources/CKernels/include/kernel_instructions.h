#ifndef BARLINE_KERNEL_INSTRUCTIONS_H
#define BARLINE_KERNEL_INSTRUCTIONS_H

// The kernels neither lock nor allocate: functions marked @_noLocks may call them.
#define BARLINE_KERNEL __attribute__((swift_attr("@_noLocks")))

// The instructions that kernels are built for. Which of them a machine has changes the time, and no bit of the result.
typedef enum dsp_instructions {
    // What every machine of the architecture has: SSE2, NEON.
    DSP_BASELINE = 0,
    // 256-bit vectors (x86-64 only).
    DSP_AVX2 = 1,
} dsp_instructions;

// The instructions that are used now.
dsp_instructions dsp_instructions_in_use(void);

// Uses none but those up to `highest`, for tests and benchmarks; from the start, all that the machine has are.
void dsp_limit_instructions(dsp_instructions highest);

#endif
