#define _GNU_SOURCE
#include "realtime_memory.h"

#include <errno.h>
#include <stdatomic.h>

#include <stdint.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/mman.h>
#include <sys/resource.h>

static atomic_int is_locked;

int rt_memory_lock(void) {
    // What is locked as it is touched costs nothing for what is reserved only, such as the ends of stacks.
    if (mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) != 0) {
        return errno;
    }
    atomic_store(&is_locked, 1);
    return 0;
}

int rt_memory_move(void *from, void *to, size_t bytes) {
    // The addresses stay reserved: between a move that gives them back and a new mapping, another thread could be given
    // them.
    if (mremap(from, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP, to) == MAP_FAILED) {
        return 0;
    }
    if (atomic_load(&is_locked)) {
        // What is left behind is not locked any more.
        mlock2(from, bytes, MLOCK_ONFAULT);
    }
    return 1;
}
#else
int rt_memory_lock(void) { return ENOTSUP; }
int rt_memory_move(void *from, void *to, size_t bytes) {
    (void)from;
    (void)to;
    (void)bytes;
    return 0;
}
#endif

void rt_memory_populate(void *memory, size_t bytes) {
    if (bytes == 0) {
        return;
    }
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = (uintptr_t)memory;
    uintptr_t end = first + bytes;
#if defined(__linux__)
    // MADV_POPULATE_WRITE, from Linux 5.14 on.
    uintptr_t start = first / page * page;
    if (madvise((void *)start, end - start, 23) == 0) {
        return;
    }
#endif
    // Each page is written to, with what is there: as one operation, for others may be writing beside it.
    for (uintptr_t byte = first; byte < end; byte = byte / page * page + page) {
        atomic_fetch_or_explicit((_Atomic unsigned char *)byte, 0, memory_order_relaxed);
    }
}

#if defined(__GLIBC__)
#include <malloc.h>

void rt_memory_give_back(void) {
    // Left to itself, the allocator takes each large block that is freed for a reason to keep such blocks. Smaller ones
    // lie between others, and of locked memory it can't give back what is free within.
    enum { large = 128 << 10, end = 1 << 20, arenas = 2 };
    mallopt(M_MMAP_THRESHOLD, large);
    mallopt(M_TRIM_THRESHOLD, end);
    // The threads that allocate do little at a time: an arena for each of them is what each has freed, and no other uses.
    mallopt(M_ARENA_MAX, arenas);
}
#else
void rt_memory_give_back(void) {}
#endif
