#ifndef BARLINE_DISPATCH_H
#define BARLINE_DISPATCH_H

#include <stdatomic.h>

// A kernel's file has its template included twice, by instantiate.h: once for what every machine of the architecture has,
// and once for AVX2.
// TARGET says for which instructions the compiler builds, and NAME what the functions are called.

extern _Atomic int dsp_uses_avx2;

#if defined(__x86_64__)
#define FOR_AVX2 __attribute__((target("avx2")))
// Calls `function` as it is built for this machine.
#define DISPATCH(function, ...)                                                                                        \
    (atomic_load_explicit(&dsp_uses_avx2, memory_order_relaxed) ? function##_avx2(__VA_ARGS__)                         \
                                                                : function##_baseline(__VA_ARGS__))
#else
#define DISPATCH(function, ...) function##_baseline(__VA_ARGS__)
#endif

#endif
