"""Spectra of stretched loops beside those of the same notes played at that tempo, for Barline and its peers."""

import os
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

from engines import all_engines, tonal_engines
from material import PHRASES, TONAL, level, loop
from metrics import convergence, log_distance

folder, program = Path(sys.argv[1]), sys.argv[2]
folder.mkdir(parents=True, exist_ok=True)
rates = [1.25] if os.environ.get("BENCH_QUICK") else [0.7, 0.85, 1.1, 1.25, 1.5]
spent = defaultdict(list)


def compare(phrase, engines, digits):
    gain = level(folder, phrase)
    source, onsets = loop(folder, phrase, 1.0)
    print(f"{phrase}: spectral convergence (256), log-spectral distance (2048, dB), at rate " + " · ".join(map(str, rates)))
    for engine in engines:
        rows = []
        for rate in rates:
            reference = gain * loop(folder, phrase, rate)[0]
            try:
                sound, seconds = engine.stretch(gain * source, rate, onsets)
            except (FileNotFoundError, ImportError):
                break
            if seconds:
                spent[engine.name].append(seconds)
            sound = np.vstack([sound, np.zeros((max(0, len(reference) - len(sound)), 2))])[:len(reference)]
            rows.append((convergence(reference, sound), log_distance(reference, sound)))
        if not rows:
            print(f"  {engine.name}: not installed")
            continue
        columns = [" · ".join(f"{row[index]:.{places}f}" for row in rows) for index, places in enumerate(digits)]
        print(f"  {engine.name:24}" + "   ".join(columns), flush=True)


for phrase in PHRASES:
    compare(phrase, all_engines(program, folder), (2, 1))
print("What is held, as `tonal`:")
for phrase in TONAL:
    compare(phrase, tonal_engines(program, folder), (3, 2))

for name, values in spent.items():
    print(f"{name}: {1e9 * float(np.median(values)):.0f} ns a stereo frame")
