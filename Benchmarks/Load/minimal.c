// The least that a JACK client can be: it plays a sine on two ports and counts xruns, which it prints at its end.

#include <jack/jack.h>
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static jack_port_t *ports[2];
static double phase, step;
static atomic_long xruns;
static volatile sig_atomic_t over;

static int process(jack_nframes_t frames, void *unused) {
    (void)unused;
    float *left = jack_port_get_buffer(ports[0], frames);
    for (jack_nframes_t frame = 0; frame < frames; frame++) {
        left[frame] = 0.1f * (float)sin(phase);
        phase = fmod(phase + step, 2 * M_PI);
    }
    memcpy(jack_port_get_buffer(ports[1], frames), left, frames * sizeof *left);
    return 0;
}

static int xrun(void *unused) {
    (void)unused;
    atomic_fetch_add(&xruns, 1);
    return 0;
}

static void finish(int signal) {
    (void)signal;
    over = 1;
}

int main(void) {
    jack_client_t *client = jack_client_open("minimal", JackNoStartServer, NULL);
    if (!client) {
        return 1;
    }
    step = 2 * M_PI * 480 / jack_get_sample_rate(client);
    for (int port = 0; port < 2; port++) {
        ports[port] = jack_port_register(client, port ? "right" : "left", JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput, 0);
    }
    jack_set_process_callback(client, process, NULL);
    jack_set_xrun_callback(client, xrun, NULL);
    signal(SIGTERM, finish);
    if (jack_activate(client) != 0) {
        return 1;
    }
    while (!over) {
        usleep(10000);
    }
    printf("%ld\n", atomic_load(&xruns));
    jack_client_close(client);
    return 0;
}
