#include "CWeights.h"

// The compiler puts the files' bytes into the program, where they cost nothing before they are read.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char bars[] = {
#embed "Data/bars.weights"
};

struct barline_weights barline_weights_bars(void) {
    return (struct barline_weights){bars, sizeof bars};
}

static const unsigned char beat_counts[] = {
#embed "Data/beatCounts.weights"
};

struct barline_weights barline_weights_beat_counts(void) {
    return (struct barline_weights){beat_counts, sizeof beat_counts};
}

static const unsigned char beat_phases[] = {
#embed "Data/beatPhases.weights"
};

struct barline_weights barline_weights_beat_phases(void) {
    return (struct barline_weights){beat_phases, sizeof beat_phases};
}

static const unsigned char tempos[] = {
#embed "Data/tempos.weights"
};

struct barline_weights barline_weights_tempos(void) {
    return (struct barline_weights){tempos, sizeof tempos};
}

static const unsigned char networks[] = {
#embed "Data/networks.weights"
};

struct barline_weights barline_weights_networks(void) {
    return (struct barline_weights){networks, sizeof networks};
}
