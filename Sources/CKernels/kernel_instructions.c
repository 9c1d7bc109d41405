#include "kernel_instructions.h"
#include "dispatch.h"

_Atomic int dsp_uses_avx2;

static int machine_has_avx2(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") != 0;
#else
    return 0;
#endif
}

void dsp_limit_instructions(dsp_instructions highest) {
    atomic_store_explicit(&dsp_uses_avx2, highest >= DSP_AVX2 && machine_has_avx2(), memory_order_relaxed);
}

dsp_instructions dsp_instructions_in_use(void) {
    return atomic_load_explicit(&dsp_uses_avx2, memory_order_relaxed) ? DSP_AVX2 : DSP_BASELINE;
}

__attribute__((constructor)) static void initialise(void) { dsp_limit_instructions(DSP_AVX2); }
