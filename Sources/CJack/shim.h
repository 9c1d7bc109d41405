#include <jack/jack.h>
#include <jack/midiport.h>
#include <jack/statistics.h>

// What process callbacks call of the library, which promises that it neither locks nor allocates there. The attribute tells the
// Swift compiler, so that callbacks can be marked @_noLocks.
#define BARLINE_JACK_REALTIME __attribute__((swift_attr("@_noLocks")))

BARLINE_JACK_REALTIME void *jack_port_get_buffer(jack_port_t *port, jack_nframes_t frames);
BARLINE_JACK_REALTIME jack_nframes_t jack_last_frame_time(const jack_client_t *client);
BARLINE_JACK_REALTIME uint32_t jack_midi_get_event_count(void *buffer);
BARLINE_JACK_REALTIME int jack_midi_event_get(jack_midi_event_t *event, void *buffer, uint32_t index);
BARLINE_JACK_REALTIME void jack_midi_clear_buffer(void *buffer);
BARLINE_JACK_REALTIME jack_midi_data_t *jack_midi_event_reserve(void *buffer, jack_nframes_t time, size_t size);

// jack_client_open is variadic, which Swift cannot call.
static inline jack_client_t *barline_jack_client_open(const char *name, jack_options_t options,
                                                      jack_status_t *status, const char *server) {
    if (server) {
        return jack_client_open(name, options | JackServerName, status, server);
    }
    return jack_client_open(name, options, status);
}
