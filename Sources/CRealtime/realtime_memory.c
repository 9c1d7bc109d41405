#define _GNU_SOURCE
#include "realtime_memory.h"

#include <errno.h>

#if defined(__linux__)
#include <sys/mman.h>
#include <sys/resource.h>

int rt_memory_lock(void) {
    // What is locked as it is touched costs nothing for what is reserved only, such as the ends of stacks.
    return mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0 ? 0 : errno;
}
#else
int rt_memory_lock(void) { return ENOTSUP; }
#endif

#if defined(__GLIBC__)
#include <malloc.h>

void rt_memory_give_back(void) {
    // Left to itself, the allocator takes each large block that is freed for a reason to keep such blocks.
    enum { large = 1 << 20 };
    mallopt(M_MMAP_THRESHOLD, large);
    mallopt(M_TRIM_THRESHOLD, large);
}
#else
void rt_memory_give_back(void) {}
#endif
