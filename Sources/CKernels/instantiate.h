// Includes TEMPLATE once for each instruction set that kernels are built for; see dispatch.h. No include guard: each
// kernel's file includes it for its own template.

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
