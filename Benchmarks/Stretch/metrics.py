"""How far a stretched loop is from the one that was played at that tempo."""

import numpy as np


def spectra(sound, size):
    window = np.hanning(size + 1)[:-1]
    hop = size // 4
    mono = sound.T
    count = (mono.shape[1] - size) // hop
    rows = np.lib.stride_tricks.sliding_window_view(mono, size, axis=1)[:, :count * hop:hop]
    return np.abs(np.fft.rfft(rows * window, axis=2))


def convergence(reference, sound):
    """Spectral convergence in windows of 256 frames: attacks (Sturmel and Daudet, 2011)."""
    wanted, got = spectra(reference, 256), spectra(sound, 256)
    return np.linalg.norm(wanted - got) / np.linalg.norm(wanted)


def log_distance(reference, sound):
    """The distance of logarithmic spectra in windows of 2048 frames, in dB: tone (Gray and Markel, 1976)."""
    wanted, got = spectra(reference, 2048), spectra(sound, 2048)
    floor = 1e-4 * wanted.max()
    difference = 20 * np.log10(np.maximum(got, floor) / np.maximum(wanted, floor))
    return float(np.sqrt((difference ** 2).mean(axis=2)).mean())
