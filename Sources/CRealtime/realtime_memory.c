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
