#ifndef BARLINE_REALTIME_GUARD_H
#define BARLINE_REALTIME_GUARD_H

#include <stdint.h>
#include "realtime_math.h"

// Marks the calling thread as realtime until rt_guard_exit, when RealtimeSanitizer is linked in; otherwise
// only sets the floating-point mode. Returns the mode to hand back to rt_guard_exit.
BARLINE_REALTIME uint64_t rt_guard_enter(void);
BARLINE_REALTIME void rt_guard_exit(uint64_t floating_point_mode);

// Nonzero when RealtimeSanitizer is linked in.
int rt_guard_is_active(void);

#endif
