"""Cuts that are no loops from their first frame on: previews, trims, and loops that begin off the beat. Seeded.

usage: cuts.py MATERIAL

"preview" is 30.000 s of a song from anywhere on; "trim" a number of beats, at the nearest whole number of BPM, from anywhere on;
"rotated" a loop that was cut exactly, and begins off the beat.
"""

import json
import random
import sys
import zlib
from pathlib import Path

import numpy as np
import soundfile

PREVIEW_SECONDS = 30
# Seconds from a beat that a cut is off it at least.
OFF_BEAT = 0.06


def is_off(start, beats):
    """Whether a time is clearly between beats."""
    return np.min(np.abs(np.asarray(beats) - start)) > OFF_BEAT


def piece(folder, truth, name, sound, rate, start, length, kind):
    """Writes a piece of a song, and returns what is true of it; none where it is silent, or holds too few beats."""
    first, count = round(start * rate), round(length * rate)
    cut = sound[first:first + count]
    beats = [t - start for t in truth["beatTimes"] if 0 <= t - start < length - 0.01]
    if len(cut) < count or len(beats) < 4 or np.abs(cut).max() < 0.01:
        return []
    # Where a song is silent for long there is nothing to be heard of its beats.
    levels = np.abs(cut[:len(cut) // 50 * 50]).max(1).reshape(50, -1).max(1)
    if np.mean(levels > 0.01) < 0.8:
        return []
    soundfile.write(folder / f"{name}.wav", cut, rate, subtype="PCM_16")
    downs = [t - start for t in truth["downbeats"] if 0 <= t - start < length - 0.01]
    return [dict(file=f"{name}.wav", kind=kind, source=truth["source"], beatTimes=beats, downbeats=downs,
                 bpm=60 / float(np.median(np.diff(beats))), beatsPerBar=truth["beatsPerBar"], seconds=count / rate)]


def of_song(folder, truth, path, source):
    """Previews and trims of a song."""
    sound, rate = soundfile.read(path, dtype="float32", always_2d=True)
    seconds, beats = len(sound) / rate, truth["beatTimes"]
    name = Path(truth["file"]).stem.removeprefix("song-")
    entries = []
    for index in range(3):
        latest = min(seconds, beats[-1]) - PREVIEW_SECONDS
        start = source.uniform(max(0, beats[0]), max(beats[0], latest))
        entries += piece(folder, truth, f"preview-{name}-{index}", sound, rate, start, PREVIEW_SECONDS, "preview")
    for index in range(2):
        count = source.choice([8, 16, 16, 32, 32, 64]) * truth["beatsPerBar"] / 4
        length = count * 60 / max(1, round(truth["bpm"]))
        latest = min(seconds, beats[-1]) - length
        if not 3 < length < 58 or latest < beats[0]:
            continue
        start = next((s for s in (source.uniform(beats[0], latest) for _ in range(40)) if is_off(s, beats)), None)
        if start is not None:
            entries += piece(folder, truth, f"trim-{name}-{index}", sound, rate, start, length, "trim")
    return entries


def of_loop(folder, truth, path, source):
    """A loop that begins elsewhere: anywhere between two beats, or half a beat late."""
    sound, rate = soundfile.read(path, dtype="float32", always_2d=True)
    count, frames = truth["beats"], len(sound)
    beat = frames / rate / count
    part = 0.5 if source.random() < 0.25 else source.uniform(OFF_BEAT / beat, 1 - OFF_BEAT / beat)
    late = source.randrange(int(count)) + part
    first = round(late * frames / count)
    rotated = np.concatenate([sound[first:], sound[:first]])
    name = f"rotated-{Path(truth['file']).stem}"
    soundfile.write(folder / f"{name}.wav", rotated, rate, subtype="PCM_16")
    times = sorted((k * beat - first / rate) % (frames / rate) for k in range(int(count)))
    downs = sorted((k * beat - first / rate) % (frames / rate) for k in range(0, int(count), truth["beatsPerBar"]))
    return [dict(file=f"{name}.wav", kind="rotated", source=truth["source"], beats=count, bpm=truth["bpm"], beatTimes=times,
                 downbeats=downs, beatsPerBar=truth["beatsPerBar"], seconds=frames / rate, named=truth.get("named", False))]


def main():
    material = Path(sys.argv[1])
    for half in ("train", "test"):
        folder = material / half
        entries = []
        for truth in map(json.loads, open(folder / "truth.jsonl")):
            path = truth["file"] if truth["file"].startswith("/") else folder / truth["file"]
            source = random.Random(zlib.crc32(f"cut-{truth['file'].split('/')[-1]}".encode()))
            if truth["kind"] == "song" and truth["beatTimes"][-1] - truth["beatTimes"][0] > PREVIEW_SECONDS + 5:
                entries += of_song(folder, truth, path, source)
            elif truth["kind"] == "loop" and truth["beats"] == int(truth["beats"]):
                entries += of_loop(folder, truth, path, source)
        with open(folder / "cuts.jsonl", "w") as file:
            file.writelines(json.dumps(entry) + "\n" for entry in entries)
        kinds = [entry["kind"] for entry in entries]
        print(half, {kind: kinds.count(kind) for kind in sorted(set(kinds))})


if __name__ == "__main__":
    main()
