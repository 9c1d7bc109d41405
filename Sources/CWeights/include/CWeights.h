// The trained weights of BarlineAnalysis: 16-bit floats, little-endian, as Benchmarks/Tempo writes them.
#pragma once

#include <stddef.h>

#pragma clang assume_nonnull begin

/// A file of weights, which is part of the program.
struct barline_weights {
    const unsigned char *bytes;
    size_t count;
};

/// Scores a metre and its phase.
struct barline_weights barline_weights_bars(void);
/// Scores a number of beats of a loop.
struct barline_weights barline_weights_beat_counts(void);
/// Scores a phase of the beats.
struct barline_weights barline_weights_beat_phases(void);
/// Scores a tempo of a sound.
struct barline_weights barline_weights_tempos(void);
/// The networks that hear beats, downbeats and the tempo.
struct barline_weights barline_weights_networks(void);

#pragma clang assume_nonnull end
