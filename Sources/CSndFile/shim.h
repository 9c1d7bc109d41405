#include <sndfile.h>

// The loops of SF_INSTRUMENT have no named type, which Swift cannot import.
static inline sf_count_t barline_instrument_loop_start(const SF_INSTRUMENT *instrument) {
    return instrument->loops[0].start;
}

static inline sf_count_t barline_instrument_loop_end(const SF_INSTRUMENT *instrument) {
    return instrument->loops[0].end;
}
