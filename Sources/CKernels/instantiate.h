// Includes TEMPLATE once for each set of instructions for which kernels are built; see dispatch.h. No guard: each kernel's
// file includes it for a template of its own.

#define TARGET
#define NAME(function) function##_baseline
#include TEMPLATE
#undef TARGET
#undef NAME
#ifdef FOR_AVX2
#define TARGET FOR_AVX2
#define NAME(function) function##_avx2
#include TEMPLATE
#undef TARGET
#undef NAME
#endif
#undef TEMPLATE
