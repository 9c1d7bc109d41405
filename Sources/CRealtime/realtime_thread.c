#define _GNU_SOURCE
#include "realtime_thread.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

// What a new thread is told.
struct beginning {
    char name[16];
    bool is_background;
    void (*body)(void *context);
    void *context;
};

static void *begin(void *told) {
    struct beginning beginning = *(struct beginning *)told;
    free(told);
    rt_thread_set_name(beginning.name);
#if defined(__APPLE__)
    if (beginning.is_background) {
        pthread_set_qos_class_self_np(QOS_CLASS_BACKGROUND, 0);
    }
#endif
    beginning.body(beginning.context);
    return NULL;
}

bool rt_thread_start(
    const char *name, size_t stack_bytes, bool is_background, void (*body)(void *context), void *context) {
    struct beginning *beginning = calloc(1, sizeof *beginning);
    pthread_attr_t attributes;
    if (beginning == NULL || pthread_attr_init(&attributes) != 0) {
        free(beginning);
        return false;
    }
    strncpy(beginning->name, name, sizeof beginning->name - 1);
    beginning->is_background = is_background;
    beginning->body = body;
    beginning->context = context;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (stack_bytes > 0) {
        pthread_attr_setstacksize(&attributes, stack_bytes);
    }
    pthread_t thread;
    int problem = pthread_create(&thread, &attributes, begin, beginning);
    pthread_attr_destroy(&attributes);
    if (problem != 0) {
        free(beginning);
    }
    return problem == 0;
}

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

int rt_thread_request_batch(void) {
#if defined(__linux__)
    struct sched_param parameters = {.sched_priority = 0};
    return pthread_setschedparam(pthread_self(), SCHED_BATCH, &parameters);
#else
    return 0;
#endif
}

void rt_thread_set_name(const char *name) {
    // The kernel refuses a name that is longer.
    char text[16];
    strncpy(text, name, sizeof text - 1);
    text[sizeof text - 1] = 0;
#if defined(__linux__)
    pthread_setname_np(pthread_self(), text);
#elif defined(__APPLE__)
    pthread_setname_np(text);
#endif
}

int64_t rt_monotonic_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t rt_clock_read(int64_t (*clock)(void)) { return clock(); }

// Weak: the same object links with and without RealtimeSanitizer's runtime, which takes every render for a callback's.
extern void __rtsan_disable(void) __attribute__((weak));
extern void __rtsan_enable(void) __attribute__((weak));

void rt_wait_offline(void) {
    struct timespec span = {.tv_sec = 0, .tv_nsec = 100000};
    if (__rtsan_disable) {
        __rtsan_disable();
    }
    nanosleep(&span, 0);
    if (__rtsan_enable) {
        __rtsan_enable();
    }
}

void rt_sleep_until(int64_t deadline) {
    // The kernel sets a timer for a time that has passed too, and waits for its interrupt.
    if (rt_monotonic_nanoseconds() >= deadline) {
        return;
    }
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
