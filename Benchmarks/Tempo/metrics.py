"""How right answers are."""

import numpy as np

OCTAVES = (1, 2, 0.5, 3, 1 / 3)


def within(bpm, truth, share, octaves=(1,)):
    """Whether a tempo, or one of the octaves given, is as near as a share."""
    return bool(bpm) and any(abs(bpm * factor / truth - 1) <= share for factor in octaves)


def matched(beats, truth, window):
    """Pairs (found, true) of beats within the window, each used once."""
    pairs, j = [], 0
    truth = np.asarray(truth)
    for time in beats:
        while j < len(truth) and truth[j] < time - window:
            j += 1
        if j < len(truth) and abs(truth[j] - time) <= window:
            pairs.append((time, truth[j]))
            j += 1
    return pairs


def f_measure(beats, truth, window=0.07):
    """The harmonic mean of precision and recall."""
    if len(beats) == 0 or len(truth) == 0:
        return 0.0
    return 2 * len(matched(beats, truth, window)) / (len(beats) + len(truth))


def correct(beats, truth, tolerance=0.175):
    """The share of true beats that are met in phase and period (CMLt; Davies, Degara & Plumbley 2009)."""
    beats, truth = np.asarray(beats), np.asarray(truth)
    if len(beats) < 2 or len(truth) < 2:
        return 0.0
    good, used = 0, set()
    for index, time in enumerate(beats):
        near = int(np.argmin(np.abs(truth - time)))
        if near in used:
            continue
        after = max(1, near)
        period = truth[after] - truth[after - 1]
        own = beats[max(1, index)] - beats[max(1, index) - 1]
        if abs(truth[near] - time) < tolerance * period and abs(1 - own / period) < tolerance:
            used.add(near)
            good += 1
    return good / max(len(beats), len(truth))


def correct_any(beats, truth):
    """The same, where the off-beats, half or twice the tempo count too (AMLt)."""
    truth = np.asarray(truth)
    double = np.sort(np.concatenate([truth, (truth[:-1] + truth[1:]) / 2]))
    return max(correct(beats, t) for t in (truth, double, double[1::2], truth[::2], truth[1::2]))


def offset(beats, truth):
    """The median of how far matched beats are away, signed, in milliseconds."""
    pairs = matched(beats, truth, 0.07)
    return 1000 * float(np.median([a - b for a, b in pairs])) if pairs else None


def calibration(answers, bins=10):
    """The expected calibration error, and (mean confidence, share right, count) by bin."""
    confidence = np.array([c for c, _ in answers])
    right = np.array([r for _, r in answers], float)
    rows, error = [], 0.0
    for low in np.linspace(0, 1, bins, endpoint=False):
        inside = (confidence >= low) & ((confidence < low + 1 / bins) | (low + 1 / bins >= 1))
        if inside.any():
            rows.append((confidence[inside].mean(), right[inside].mean(), int(inside.sum())))
            error += inside.sum() * abs(rows[-1][0] - rows[-1][1])
    return error / max(1, len(answers)), rows
