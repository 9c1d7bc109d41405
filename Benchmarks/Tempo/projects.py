"""Demo songs of other programs, rendered by them, and recorded songs whose notes' tempo map is exact."""

import os
import re
import subprocess
import zlib
from pathlib import Path

import mido
import numpy as np
import soundfile

RATE = 44100


def lmms(cache):
    """LMMS's demo songs: (name, samples, bpm, beats to the bar)."""
    songs = []
    for path in sorted(Path("/usr/share/lmms/projects").rglob("*.mmp*")):
        data = path.read_bytes()
        text = zlib.decompress(data[4:]) if path.suffix == ".mmpz" else data
        head = re.search(rb"<head[^>]*>", text).group().decode()
        bpm = float(re.search(r'bpm="(\d+)"', head).group(1))
        upper, lower = (int(re.search(rf'timesig_{k}="(\d+)"', head).group(1)) for k in ("numerator", "denominator"))
        if (upper, lower) != (4, 4) or "tutorial" in str(path):
            continue
        wav = cache / f"lmms-{path.stem}.wav"
        if not wav.exists():
            with open(os.devnull, "w") as sink:
                try:
                    subprocess.run(["lmms", "--allowroot", "render", str(path), "-o", str(wav), "-f", "wav", "-s", "44100"],
                                   env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}, stdout=sink, stderr=sink,
                                   timeout=45, check=False)
                except subprocess.TimeoutExpired:
                    wav.unlink(missing_ok=True)
        songs.append((f"lmms-{path.stem.lower()}", wav, bpm, 4))
    return songs


def hydrogen(cache):
    """Hydrogen's demo songs."""
    songs = []
    for path in sorted(Path("/usr/share/hydrogen/data/demo_songs").glob("*.h2song")):
        bpm = float(re.search(r"<bpm>([\d.]+)", path.read_text(errors="replace")).group(1))
        wav = cache / f"hydrogen-{path.stem}.wav"
        if not wav.exists():
            with open(os.devnull, "w") as sink:
                try:
                    subprocess.run(["h2cli", "-s", str(path), "-o", str(wav)],
                                   env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}, stdout=sink, stderr=sink,
                                   timeout=60, check=False)
                except subprocess.TimeoutExpired:
                    pass
        songs.append((f"hydrogen-{path.stem.lower()}", wav, bpm, 4))
    return songs


def recorded():
    """The songs of the packages fretsonfire-songs-*: recordings, with notes in time with them."""
    songs = []
    for folder in sorted(Path("/usr/share/games/fretsonfire/data/songs").glob("*/*/")):
        if not (folder / "song.ogg").exists():
            continue
        midi = mido.MidiFile(folder / "notes.mid", clip=True)
        tempos = {round(60e6 / m.tempo, 3) for track in midi.tracks for m in track if m.type == "set_tempo"}
        if len(tempos) == 1:
            songs.append((f"fretsonfire-{folder.name.lower().replace(' ', '-')}", folder, tempos.pop(), 4))
    return songs


def load(path):
    """The samples of a song at 44.1 kHz."""
    if path.is_dir():
        parts = [soundfile.read(path / f"{part}.ogg", dtype="float32", always_2d=True)[0] for part in ("song", "guitar")
                 if (path / f"{part}.ogg").exists()]
        length = max(len(part) for part in parts)
        total = np.zeros((length, 2), np.float32)
        for part in parts:
            total[:len(part)] += 0.7 * part
        return total
    samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
    if rate != RATE:
        raise ValueError(f"{path}: {rate} Hz")
    return samples
