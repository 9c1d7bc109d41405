#ifndef BARLINE_DISPATCH_H
#define BARLINE_DISPATCH_H

#include <stdatomic.h>

// A kernel's file includes its template twice, through instantiate.h: once for the baseline of the architecture, and
// once for AVX2. TARGET selects the instructions that the compiler may use, and NAME names the functions.

extern _Atomic int dsp_uses_avx2;

#if defined(__x86_64__)
#define FOR_AVX2 __attribute__((target("avx2")))
// Calls the variant of `function` for this machine.
#define DISPATCH(function, ...)                                                                                        \
    (atomic_load_explicit(&dsp_uses_avx2, memory_order_relaxed) ? function##_avx2(__VA_ARGS__)                         \
                                                                : function##_baseline(__VA_ARGS__))
#else
#define DISPATCH(function, ...) function##_baseline(__VA_ARGS__)
#endif

#endif
