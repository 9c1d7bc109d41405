#ifndef BARLINE_REALTIME_SIGNAL_H
#define BARLINE_REALTIME_SIGNAL_H

#include <stdbool.h>

#include "realtime_math.h"

// A signal to a thread that sleeps, from one that must not wait: a device's callback, or the handler of a process signal.
// To give it neither locks nor allocates; where somebody sleeps, the system is told to wake it.
typedef struct rt_signal rt_signal;

// Makes a signal that is not given; null where memory runs out.
rt_signal *rt_signal_create(void);
void rt_signal_destroy(rt_signal *signal);

// Gives the signal: ends a wait, or the next one. Giving it twice is giving it once.
BARLINE_REALTIME void rt_signal_give(rt_signal *signal);

// Waits until the signal is given, for `seconds` at most, and takes it back; false where it was not given.
bool rt_signal_wait(rt_signal *signal, double seconds);

#endif
