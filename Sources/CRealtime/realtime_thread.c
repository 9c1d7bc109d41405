#define _GNU_SOURCE
#include "realtime_thread.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

int rt_thread_request_priority(int priority) {
    struct sched_param parameters = {.sched_priority = priority};
    return pthread_setschedparam(pthread_self(), SCHED_RR, &parameters);
}

int rt_thread_set_niceness(int niceness) {
#if defined(__linux__)
    // On Linux a thread's number names the thread alone.
    if (setpriority(PRIO_PROCESS, (id_t)gettid(), niceness) != 0) {
        return errno;
    }
#endif
    return 0;
}

int rt_thread_niceness(void) {
#if defined(__linux__)
    return getpriority(PRIO_PROCESS, (id_t)gettid());
#else
    return 0;
#endif
}

int64_t rt_monotonic_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void rt_sleep_until(int64_t deadline) {
#if defined(__linux__)
    struct timespec until = {.tv_sec = deadline / 1000000000, .tv_nsec = deadline % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, 0) == EINTR) {
    }
#else
    int64_t remaining = deadline - rt_monotonic_nanoseconds();
    if (remaining > 0) {
        struct timespec span = {.tv_sec = remaining / 1000000000, .tv_nsec = remaining % 1000000000};
        nanosleep(&span, 0);
    }
#endif
}
