#ifndef BARLINE_REALTIME_THREAD_H
#define BARLINE_REALTIME_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "realtime_math.h"

// Runs body(context) on a new thread of that name, with a stack of stack_bytes, or the system's default where that is 0.
// Nobody waits for a background thread, which matters on systems that have more than niceness. Returns whether the system
// had a thread to give; without one, body is not called.
bool rt_thread_start(
    const char *name, size_t stack_bytes, bool is_background, void (*body)(void *context), void *context);

// Asks the kernel for round-robin realtime scheduling of the calling thread. Returns 0, or an errno value.
int rt_thread_request_priority(int priority);

// Lets the kernel prefer other threads to the calling one: 0 for as all, 19 for after all. Returns 0, or an errno value;
// where threads have no niceness of their own, nothing is done.
int rt_thread_set_niceness(int niceness);

// The niceness of the calling thread.
int rt_thread_niceness(void);

// Lets the kernel treat the calling thread as one that computes and never answers: it does not interrupt others when it
// wakes up. Returns 0, or an errno value; where there is no such policy, nothing is done.
int rt_thread_request_batch(void);

// Gives the calling thread the name that the kernel and debuggers show: what of it fits into 15 bytes.
void rt_thread_set_name(const char *name);

// The monotonic clock in nanoseconds: no system call where the kernel offers its clocks in memory.
BARLINE_REALTIME int64_t rt_monotonic_nanoseconds(void);

// What `clock` reads, which neither locks nor allocates: the compiler can't see that of a function that it doesn't know.
BARLINE_REALTIME int64_t rt_clock_read(int64_t (*clock)(void));

// Sleeps for a tenth of a millisecond, in an offline render that waits for audio. Not for a device's callback.
BARLINE_REALTIME void rt_wait_offline(void);

// Sleeps until the monotonic clock reads `deadline` nanoseconds; returns at once when it is past.
void rt_sleep_until(int64_t deadline);

#endif
