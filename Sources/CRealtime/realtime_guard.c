#include "realtime_guard.h"

#if defined(__x86_64__) || defined(__i386__)
#include <xmmintrin.h>
#endif

// Weak: the same objects link with and without the sanitizer's runtime.
extern void __rtsan_ensure_initialized(void) __attribute__((weak));
extern void __rtsan_realtime_enter(void) __attribute__((weak));
extern void __rtsan_realtime_exit(void) __attribute__((weak));

// Denormal numbers slow arithmetic down a hundredfold, and the mode must not depend on the host thread:
// a live and an offline render would otherwise differ in their last bits.
static uint64_t flush_denormals(void) {
#if defined(__x86_64__) || defined(__i386__)
    unsigned int mode = _mm_getcsr();
    _mm_setcsr(mode | 0x8040u);
    return mode;
#elif defined(__aarch64__)
    uint64_t mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    __asm__ volatile("msr fpcr, %0" ::"r"(mode | (1ull << 24)));
    return mode;
#else
    return 0;
#endif
}

static void restore(uint64_t mode) {
#if defined(__x86_64__) || defined(__i386__)
    _mm_setcsr((unsigned int)mode);
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" ::"r"(mode));
#else
    (void)mode;
#endif
}

uint64_t rt_guard_enter(void) {
    if (__rtsan_realtime_enter) {
        __rtsan_realtime_enter();
    }
    return flush_denormals();
}

void rt_guard_exit(uint64_t floating_point_mode) {
    restore(floating_point_mode);
    if (__rtsan_realtime_exit) {
        __rtsan_realtime_exit();
    }
}

int rt_guard_is_active(void) { return __rtsan_realtime_enter != 0; }

__attribute__((constructor)) static void initialise(void) {
    if (__rtsan_ensure_initialized) {
        __rtsan_ensure_initialized();
    }
}
