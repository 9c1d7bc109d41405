"""What a recording has in it."""

import struct

import numpy

# Recordings have 24 bits and their dither.
SILENCE = 1e-6


def read_wave(data):
    """Samples (frames by channels, as floats) and sample rate of a WAV file."""
    assert data[:4] in (b"RIFF", b"RF64") and data[8:12] == b"WAVE"
    at, samples, rate = 12, None, None
    while at + 8 <= len(data):
        name, size = data[at:at + 4], struct.unpack("<I", data[at + 4:at + 8])[0]
        body = data[at + 8:at + 8 + size] if size != 0xFFFFFFFF else data[at + 8:]
        if name == b"fmt ":
            kind, channels, rate, _, _, bits = struct.unpack("<HHIIHH", body[:16])
            if kind == 0xFFFE:
                kind = struct.unpack("<H", body[24:26])[0]
        elif name == b"data":
            samples = decoded(body, kind, bits).reshape(-1, channels)
        at += 8 + size + size % 2
    return samples, rate


def decoded(body, kind, bits):
    if kind == 3:
        return numpy.frombuffer(body, "<f4").astype(numpy.float64)
    if bits == 16:
        return numpy.frombuffer(body, "<i2") / 2**15
    parts = numpy.frombuffer(body[:len(body) // 3 * 3], numpy.uint8).reshape(-1, 3).astype(numpy.int32)
    whole = parts[:, 0] | parts[:, 1] << 8 | parts[:, 2] << 16
    return numpy.where(whole >= 1 << 23, whole - (1 << 24), whole) / 2**23


def level(samples):
    """Root mean square, 0 for nothing."""
    return float(numpy.sqrt(numpy.mean(numpy.square(samples)))) if len(samples) else 0.0


def period_error(samples, frames):
    """How far a signal is from repeating itself after so many frames: 0 for exactly, about 1.4 for not at all."""
    first, second = samples[:-frames], samples[frames:]
    return level(first - second) / max(level(first), 1e-9)
