#define _GNU_SOURCE
#include "realtime_signal.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#if defined(__APPLE__)
#include <dispatch/dispatch.h>
typedef dispatch_semaphore_t semaphore;
#else
#include <semaphore.h>
typedef sem_t semaphore;
#endif

struct rt_signal {
    atomic_bool is_given;
    semaphore semaphore;
};

rt_signal *rt_signal_create(void) {
    rt_signal *signal = malloc(sizeof *signal);
    if (!signal) {
        return 0;
    }
    atomic_init(&signal->is_given, false);
#if defined(__APPLE__)
    signal->semaphore = dispatch_semaphore_create(0);
#else
    sem_init(&signal->semaphore, 0, 0);
#endif
    return signal;
}

void rt_signal_destroy(rt_signal *signal) {
    if (!signal) {
        return;
    }
#if defined(__APPLE__)
    dispatch_release(signal->semaphore);
#else
    sem_destroy(&signal->semaphore);
#endif
    free(signal);
}

void rt_signal_give(rt_signal *signal) {
    if (!signal || atomic_exchange(&signal->is_given, true)) {
        return;
    }
#if defined(__APPLE__)
    dispatch_semaphore_signal(signal->semaphore);
#else
    sem_post(&signal->semaphore);
#endif
}

bool rt_signal_wait(rt_signal *signal, double seconds) {
    const int64_t nanoseconds = (int64_t)(seconds * 1e9);
#if defined(__APPLE__)
    const bool is_given =
        dispatch_semaphore_wait(signal->semaphore, dispatch_time(DISPATCH_TIME_NOW, nanoseconds)) == 0;
#else
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    const int64_t sum = until.tv_nsec + nanoseconds;
    until.tv_sec += sum / 1000000000;
    until.tv_nsec = sum % 1000000000;
    int status;
    do {
        status = sem_clockwait(&signal->semaphore, CLOCK_MONOTONIC, &until);
    } while (status != 0 && errno == EINTR);
    const bool is_given = status == 0;
#endif
    if (is_given) {
        atomic_store(&signal->is_given, false);
    }
    return is_given;
}
