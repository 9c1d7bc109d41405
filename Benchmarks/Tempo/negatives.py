"""Sounds without a tempo: speech, noise, single sounds, things that happen at random. Seeded.

usage: negatives.py MATERIAL
"""

import json
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import soundfile

RATE = 44100
WORDS = ("the morning train arrived late and nobody on the platform knew why it had stopped between two small stations "
         "for almost an hour while a thin rain fell over fields where cows stood quite still as if they were waiting too "
         "a clerk wrote numbers in a ledger then crossed them out because yesterday the price of apples had changed again "
         "children asked questions that their teacher answered slowly with long pauses looking out of the window").split()
VOICES = {"train": ["en", "de", "fr", "en+f2"], "test": ["en-us", "es", "it", "en+m3"]}


def speech(source, voice, path):
    words = " ".join(source.choice(WORDS) + source.choice(["", "", "", "", ",", "."]) for _ in range(source.randint(6, 60)))
    subprocess.run(["espeak-ng", "-v", voice, "-s", str(source.randint(120, 190)), "-p", str(source.randint(25, 70)),
                    "-w", str(path), words], check=True)


def noise(random_source, kind, seconds):
    count = int(seconds * RATE)
    white = random_source.normal(0, 0.2, count)
    if kind == "white":
        return white
    spectrum = np.fft.rfft(white)
    frequency = np.maximum(1, np.arange(len(spectrum)))
    shaped = np.fft.irfft(spectrum / frequency ** (0.5 if kind == "pink" else 1.0), count)
    return 0.3 * shaped / np.abs(shaped).max()


def scattered(random_source, seconds):
    """Decaying sounds at random times."""
    out = np.zeros(int(seconds * RATE))
    for time in random_source.uniform(0, seconds * 0.95, int(seconds * random_source.uniform(1, 5)) + 4):
        count = int(random_source.uniform(0.02, 0.4) * RATE)
        hit = np.exp(-np.arange(count) / (count / 5)) * random_source.uniform(0.1, 0.8)
        hit *= random_source.normal(0, 1, count) if random_source.random() < 0.5 else np.sin(
            2 * np.pi * random_source.uniform(80, 2000) * np.arange(count) / RATE)
        start = int(time * RATE)
        out[start:start + count] += hit[:len(out) - start]
    return 0.5 * out / np.abs(out).max()


def slow(random_source, seconds):
    """A chord that swells."""
    t = np.arange(int(seconds * RATE)) / RATE
    tone = sum(np.sin(2 * np.pi * f * t + random_source.uniform(0, 6)) for f in random_source.uniform(80, 900, 4))
    return 0.1 * tone * (1 + 0.5 * np.sin(2 * np.pi * random_source.uniform(0.05, 0.3) * t))


def length(path):
    """Seconds, or none where the package's file is broken."""
    try:
        return soundfile.info(path).duration
    except RuntimeError:
        return 0.0


def main():
    material = Path(sys.argv[1])
    samples = sorted(Path("/usr/share/sonic-pi/samples").glob("*.flac")) + sorted(
        p for k in ("effects", "stringsnpads", "misc", "basses", "drums") for p in Path(f"/usr/share/lmms/samples/{k}").glob("*.ogg"))
    rhythmic = ("loop_", "raving", "applause", "glitch", "mehackit", "vinyl")
    samples = [p for p in samples if not p.stem.startswith(rhythmic) and length(p) > 0.45]
    for number, part in enumerate(("train", "test")):
        folder = material / part
        source, random_source = random.Random(11 + number), np.random.default_rng(11 + number)
        entries = []
        for index in range(60 if part == "train" else 24):
            path = folder / f"none-speech-{index}.wav"
            speech(source, VOICES[part][index % 4], path)
            entries.append((path.name, "speech"))
        for index in range(90 if part == "train" else 36):
            kind = ["white", "pink", "brown", "scattered", "scattered", "scattered", "slow"][index % 7]
            seconds = random_source.uniform(0.6, 25)
            sound = scattered(random_source, seconds) if kind == "scattered" else slow(
                random_source, seconds) if kind == "slow" else noise(random_source, kind, seconds)
            soundfile.write(folder / f"none-{kind}-{index}.wav", sound, RATE, subtype="PCM_16")
            entries.append((f"none-{kind}-{index}.wav", kind))
        entries += [(str(path), "single") for path in samples[number::2]]
        with open(folder / "none.jsonl", "w") as file:
            for name, kind in entries:
                file.write(json.dumps({"file": name, "kind": "none", "source": kind}) + "\n")
        print(part, len(entries))


if __name__ == "__main__":
    main()
