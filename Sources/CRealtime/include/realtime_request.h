#ifndef BARLINE_REALTIME_REQUEST_H
#define BARLINE_REALTIME_REQUEST_H

#include <stdint.h>

#include "realtime_math.h"

// What a lower layer asks of one above it, which it is given as a function: the Swift compiler lets no function marked
// @_noLocks call another one that it can't see. The one behind the pointer must carry the mark itself.
typedef struct rt_request_handler {
    intptr_t (*_Nonnull answer)(void *_Nonnull subject, const void *_Nonnull request);
} rt_request_handler;

BARLINE_REALTIME static inline intptr_t rt_ask(
    const rt_request_handler *_Nonnull handler, void *_Nonnull subject, const void *_Nonnull request) {
    return handler->answer(subject, request);
}

#endif
