"""Builds the benchmark's material: loops and songs with their truth, in two halves split by song and package.

usage: material.py FOLDER [scale]
"""

import json
import random
import struct
import sys
import zlib
from multiprocessing import Pool
from pathlib import Path

import mido
import numpy as np
import soundfile

import genres
import grooves
import midi
import modules
import projects
from halves import half

RATE = midi.RATE
# Loops of the packages sonic-pi-samples and lmms-common: beats by ear and by the packages' own examples.
NAMED = {
    "/usr/share/sonic-pi/samples/loop_%s.flac": {
        "amen": 4, "amen_full": 16, "breakbeat": 4, "compus": 16, "drone_g_97": 8, "electric": 4, "garzul": 16,
        "industrial": 2, "mehackit1": 4, "mehackit2": 4, "mika": 16, "perc1": 4, "perc2": 4, "safari": 16,
        "tabla": 16, "weirdo": 8,
    },
    "/usr/share/lmms/samples/beats/%s.ogg": {
        "909beat01": 8, "break01": 4, "break02": 4, "break03": 4, "electro_beat01": 8, "electro_beat02": 4,
        "house_loop01": 4, "jungle01": 8,
    },
    "/usr/share/lmms/samples/bassloops/%s.ogg": {
        "briff01": 4, "tb303_01": 8, "techno_bass01": 4, "techno_bass02": 4, "techno_synth01": 8,
        "techno_synth02": 8, "techno_synth03": 8, "techno_synth04": 16,
    },
}
SONG_SECONDS = 110
# Single MIDI files, of games and of music programs.
TUNES = [
    "games/dink/dink/Sound/*.mid", "games/crimson/music/*.mid", "games/liquidwar/music/*.mid", "games/pinball/hurd/*.mid",
    "kobo-deluxe/sfx/*.mid", "perl5/auto/share/dist/Games-PangZero/*.mid", "faust/examples/**/*.mid", "mma/lib/pflib/*.mid",
    "doc/mma/examples/simple/*.mid", "doc/mma/examples/aria/*.mid", "doc/mma/examples/harmony/*.mid", "doc/mma/examples/plectrum/*.mid",
    "doc/mma/examples/tutorial/*.mid",
]
# How the songs of the training half are rendered again: soundfont, and whether only with or only without drums.
AGAIN = [("fluid", None), ("tim", True), ("fluid", False), ("tim", None), ("musescore", None), ("musescore", True)]


def freedoom(folder):
    """The MIDI files in Freedoom's game data."""
    seen = {}
    for wad in sorted(Path("/usr/share/games/doom").glob("freedoom?.wad")):
        data = wad.read_bytes()
        count, directory = struct.unpack("<II", data[4:12])
        for index in range(count):
            start, size, name = struct.unpack("<II8s", data[directory + 16 * index:directory + 16 * index + 16])
            if data[start:start + 4] == b"MThd" and data[start:start + size] not in seen:
                seen[data[start:start + size]] = name.rstrip(b"\0").decode()
    for data, name in seen.items():
        path = folder / f"freedoom-{name.lower()}.mid"
        path.write_bytes(data)
    return sorted(folder.glob("freedoom-*.mid"))


def midi_songs(folder):
    """MIDI songs by package, the name telling the half."""
    files = [(f"openttd-{file.stem}", file) for file in sorted(Path("/usr/share/games/openttd/baseset/openmsx").glob("*.mid"))]
    files += [(f"planetblupi-{file.stem}", file) for file in sorted(Path("/usr/share/planetblupi/music").glob("*.mid"))]
    files += [(file.stem, file) for file in freedoom(folder)]
    files += [(f"pianobooster-{file.stem}", file)
              for file in sorted(Path("/usr/share/doc/pianobooster/courses").rglob("*.mid"))]
    files += [(f"simutrans-{file.stem}", file) for root in ("/usr/share/games", "/usr/share")
              for file in sorted(Path(root).glob("simutrans*/**/*.mid"))]
    for pattern in TUNES:
        files += [(f"tune-{file.stem.lower()}", file) for file in sorted(Path("/usr/share").glob(pattern))]
    return files


def write(folder, name, samples, **truth):
    """Writes sound and what is true of it."""
    peak = np.abs(samples).max()
    if peak > 0.999:
        samples = samples * (0.999 / peak)
    soundfile.write(folder / f"{name}.wav", samples, RATE, subtype="PCM_16")
    truth["file"] = f"{name}.wav"
    return truth


def song(job):
    """Renders one MIDI song, cuts its first minutes, and loops of whole bars."""
    name, path, folder, cache = job
    try:
        parsed = midi.Song(path)
    except (OSError, ValueError, EOFError, KeyError, mido.KeySignatureError):
        return []
    grid = parsed.grid()
    if len(grid) < 16 or parsed.on_grid() < 0.7:
        return []
    sound = midi.render(path, cache / f"{name}.wav")
    target = folder / half(name)
    source = random.Random(zlib.crc32(name.encode()))
    times = [(parsed.seconds(tick) + midi.SYNTH_DELAY, down, per) for tick, down, per in grid]
    first = parsed.seconds(parsed.notes[0]) - 0.05
    begin = max(0.0, first - 0.2)
    limit = min(begin + SONG_SECONDS, len(sound) / RATE)
    cut = sound[int(begin * RATE):int(limit * RATE)]
    inside = [(t - begin, d, p) for t, d, p in times if first <= t < limit - 0.1]
    if len(inside) < 16 or np.abs(cut).max() < 1e-3:
        return []
    beats = [t for t, _, _ in inside]
    bpm = 60 / float(np.median(np.diff(beats)))
    entries = [write(target, f"song-{name}", cut, kind="song", source=name, bpm=bpm, beatTimes=beats,
                     downbeats=[t for t, d, _ in inside if d], beatsPerBar=inside[0][2],
                     constant=bool(np.ptp(np.diff(beats)) < 0.002))]
    entries += cut_loops(name, sound, times, parsed, target, source, 3)
    return entries


def cut_loops(name, sound, times, parsed, target, source, count):
    """Cuts loops of whole bars out of a song where the tempo is constant; a third of them badly."""
    entries = []
    downs = [index for index, (_, down, _) in enumerate(times) if down]
    onsets = np.array([parsed.seconds(tick) for tick in np.unique(parsed.notes)])
    for attempt in range(count * 6):
        if len(entries) >= count or len(downs) < 3:
            break
        bars = source.choice([1, 2, 2, 4, 4, 8])
        at = source.randrange(len(downs) - 1)
        if at + bars >= len(downs):
            continue
        first, last = downs[at], downs[at + bars]
        beats = last - first
        per_bar = times[first][2]
        start, end = times[first][0], times[last][0]
        steps = np.diff([t for t, _, _ in times[first:last + 1]])
        inside = onsets[(onsets >= start - 0.01) & (onsets < end - 0.03)]
        if np.ptp(steps) > 1e-4 or not 1.0 < end - start < 28 or len(inside) < max(3, beats * 0.8) or bars * per_bar != beats:
            continue
        if len(inside) == 0 or np.min(np.abs(inside - (start - midi.SYNTH_DELAY))) > 0.02:
            continue
        entries += loop_variants(f"{name}-{len(entries)}", sound, start - midi.SYNTH_DELAY, end - start, beats, per_bar, target, source,
                                 name, ragged=attempt % 3 == 2)
    return entries


def loop_variants(name, sound, start, length, beats, per_bar, target, source, origin, ragged):
    """One loop, cut exactly or badly."""
    bpm = 60 * beats / length
    first, last = round(start * RATE), round((start + length) * RATE)
    if last > len(sound):
        return []
    cut = sound[first:last]
    if np.abs(cut).max() < 3e-3:
        return []
    truth = dict(source=origin, bpm=bpm, beatsPerBar=per_bar)
    if not ragged:
        return [write(target, f"loop-{name}", cut, kind="loop", beats=beats, **truth)]
    beat = 60 / bpm
    way = source.choice(["lead", "tail", "drop", "silence", "both"])
    if way == "lead":
        silence = np.zeros((int(source.uniform(0.1, 0.9) * beat * RATE), sound.shape[1]), np.float32)
        cut = np.concatenate([silence, cut])
    elif way == "tail":
        extra = int(source.uniform(0.2, 1.8) * beat * RATE)
        tail = np.array(cut[-extra:])[::-1] * np.linspace(0.15, 0, min(extra, len(cut)))[:, None]
        cut = np.concatenate([cut, tail])
    elif way == "silence":
        cut = np.concatenate([cut, np.zeros((int(source.uniform(0.15, 1.7) * beat * RATE), sound.shape[1]), np.float32)])
    elif way == "drop":
        cut = cut[:-int(round(beat * RATE))]
    else:
        silence = np.zeros((int(source.uniform(0.1, 0.9) * beat * RATE), sound.shape[1]), np.float32)
        cut = np.concatenate([silence, cut, silence * 0])
    if len(cut) < RATE:
        return []
    return [write(target, f"ragged-{name}", cut, kind="ragged", beats=beats - 1 if way == "drop" else None, way=way,
                  **truth)]


def project(job):
    """A demo song or a recording, cut like a MIDI song; its beat is even from the start."""
    name, path, bpm, per_bar, folder = job
    try:
        sound = projects.load(Path(path))
    except (OSError, RuntimeError, ValueError):
        return []
    audible = np.flatnonzero(np.abs(sound).max(1) > 0.01)
    if len(audible) < 5 * RATE:
        return []
    source = random.Random(zlib.crc32(name.encode()))
    begin, end = audible[0] / RATE, audible[-1] / RATE
    beats = [k * 60 / bpm for k in range(int(len(sound) / RATE * bpm / 60))]
    times = [(t, k % per_bar == 0, per_bar) for k, t in enumerate(beats)]
    start = max(0.0, begin - 0.1)
    stop = min(end, start + SONG_SECONDS)
    inside = [(t - start, d) for t, d, _ in times if begin - 0.05 <= t < stop]
    target = folder / half(name)
    entries = []
    if len(inside) > 24:
        entries.append(write(target, f"song-{name}", sound[int(start * RATE):int(stop * RATE)], kind="song", source=name,
                             bpm=bpm, beatTimes=[t for t, _ in inside], downbeats=[t for t, d in inside if d],
                             beatsPerBar=per_bar, constant=True))
    count = 0
    for attempt in range(40):
        bars = source.choice([1, 2, 2, 4, 4, 8])
        first = per_bar * source.randrange(max(1, len(beats) // per_bar - bars))
        length = bars * per_bar * 60 / bpm
        if count >= 4 or not 1.0 < length < 28 or beats[first] < begin - 0.05 or beats[first] + length > end:
            continue
        cut = sound[round(beats[first] * RATE):round((beats[first] + length) * RATE)]
        levels = np.abs(cut[:len(cut) // 50 * 50]).max(1).reshape(50, -1).max(1)
        if np.mean(levels > 0.02) < 0.6:
            continue
        count += 1
        entries += loop_variants(f"{name}-{count}", sound, beats[first], length, bars * per_bar, per_bar, target, source, name,
                                 ragged=count % 3 == 0)
    return entries


def varied(job):
    """A song of the training half again: other tempo and soundfont, and without or only with its drums."""
    name, path, folder, cache, number = job
    source = random.Random(zlib.crc32(f"{name}{number}".encode()))
    try:
        file = mido.MidiFile(path, clip=True)
    except (OSError, ValueError, EOFError, KeyError, mido.KeySignatureError):
        return []
    factor = source.uniform(0.93, 1.07)
    font, drums = AGAIN[number]
    for track in file.tracks:
        for message in track:
            if message.type == "set_tempo":
                message.tempo = int(message.tempo * factor)
            elif message.type == "note_on" and drums is not None and (message.channel == 9) != drums:
                message.velocity = 0
    if not any(m.type == "set_tempo" for track in file.tracks for m in track):
        file.tracks[0].insert(0, mido.MetaMessage("set_tempo", tempo=int(500000 * factor)))
    label = f"{name}-v{number}"
    changed = cache / f"{label}.mid"
    file.save(changed)
    parsed = midi.Song(changed)
    grid = parsed.grid()
    if len(grid) < 16 or parsed.on_grid() < 0.7:
        return []
    sound = midi.render(changed, cache / f"{label}.wav", font)
    (cache / f"{label}.wav").unlink()
    times = [(parsed.seconds(tick) + midi.SYNTH_DELAY, down, per) for tick, down, per in grid]
    entries = cut_loops(label, sound, times, parsed, folder / "train", source, 4)
    begin = max(0, parsed.seconds(parsed.notes[0]) - 0.1 + source.uniform(0, 30))
    end = min(begin + 60, len(sound) / RATE)
    inside = [(t - begin, d, p) for t, d, p in times if begin <= t < end - 0.1]
    if len(inside) > 32:
        beats = [t for t, _, _ in inside]
        entries.append(write(folder / "train", f"song-{label}", sound[int(begin * RATE):int(end * RATE)], kind="song",
                             source=name, bpm=60 / float(np.median(np.diff(beats))), beatTimes=beats,
                             downbeats=[t for t, d, _ in inside if d], beatsPerBar=inside[0][2], constant=True))
    for entry in entries:
        entry["source"] = name
    return entries


def generated(job):
    """One loop of our own."""
    index, folder, cache = job
    path = cache / f"own-{index}.mid"
    what = genres.write(path, 1000 + index)
    font = "tim" if index % 3 == 0 else "fluid"
    sound = midi.render(path, cache / f"own-{index}.wav", font)
    length = what["beats"] * 60 / what["bpm"]
    source = random.Random(index)
    # The second pass has the first one's tails in it, as a loop made to be repeated has; the first has none.
    start = length if source.random() < 0.5 else 0.0
    (cache / f"own-{index}.wav").unlink()
    if what["notes"] < 3:
        return []
    entries = loop_variants(f"own-{index}", sound, start, length, what["beats"], what["metre"], folder / "train", source,
                         f"own-{index}", ragged=index % 5 == 4)
    for entry in entries:
        entry["genre"] = what["genre"]
    return entries


def groove(job):
    """An accompaniment, and loops cut from it."""
    index, style, name, folder, cache = job
    path = cache / f"groove-{index}.mid"
    bpm = grooves.write(path, style, name, 5000 + index)
    if bpm is None:
        return []
    parsed = midi.Song(path)
    if len(parsed.notes) < 16:
        return []
    grid = parsed.grid()
    sound = midi.render(path, cache / f"groove-{index}.wav", "tim" if index % 3 == 0 else "fluid")
    (cache / f"groove-{index}.wav").unlink()
    times = [(parsed.seconds(tick) + midi.SYNTH_DELAY, down, per) for tick, down, per in grid]
    source = random.Random(index)
    label = f"groove-{name.lower()}"
    entries = []
    if index % 3 == 0:
        beats = [t for t, _, _ in times if t < len(sound) / RATE - 0.1]
        entries.append(write(folder / "train", f"song-{label}", sound, kind="song", source=label, bpm=bpm, beatTimes=beats,
                             downbeats=[t for t, d, _ in times if d and t <= beats[-1]], beatsPerBar=times[0][2], constant=True))
    return entries + cut_loops(label, sound, times, parsed, folder / "train", source, 2)


def named():
    """Recorded loops of the packages."""
    entries = []
    for pattern, loops in NAMED.items():
        for name, beats in loops.items():
            path = Path(pattern % name)
            if path.exists():
                info = soundfile.info(path)
                entries.append((half(f"named-{name}"), dict(file=str(path), kind="loop", source=name, beats=beats,
                                                   bpm=60 * beats / info.duration, beatsPerBar=4, named=True)))
    return entries


def main():
    folder = Path(sys.argv[1])
    scale = float(sys.argv[2]) if len(sys.argv) > 2 else 1.0
    cache = folder / "cache"
    for part in ("train", "test", "cache"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    chosen = grooves.names()
    random.Random(3).shuffle(chosen)
    chosen = chosen[:int(240 * scale)]
    truth = {"train": [], "test": []}
    for part, entry in named():
        truth[part].append(entry)
    with Pool(2) as pool:
        for entries in pool.imap(song, [(name, str(path), folder, cache) for name, path in midi_songs(cache)]):
            for entry in entries:
                truth[half(entry["source"])].append(entry)
        jobs = projects.lmms(cache) + projects.hydrogen(cache) + projects.recorded() + modules.render(cache)
        for entries in pool.imap(project, [(name, str(path), bpm, per, folder) for name, path, bpm, per in jobs]):
            for entry in entries:
                truth[half(entry["source"])].append(entry)
        again = [(name, str(path), folder, cache, number) for name, path in midi_songs(cache) if half(name) == "train"
                 for number in range(round(len(AGAIN) * scale))]
        for entries in pool.imap(varied, again):
            truth["train"] += entries
        for entries in pool.imap(generated, [(index, folder, cache) for index in range(int(700 * scale))]):
            truth["train"] += entries
        for entries in pool.imap(groove, [(index, *item, folder, cache) for index, item in enumerate(chosen)]):
            truth["train"] += entries
    for part, entries in truth.items():
        with open(folder / part / "truth.jsonl", "w") as file:
            for entry in entries:
                file.write(json.dumps(entry) + "\n")
        kinds = [entry["kind"] for entry in entries]
        print(part, {kind: kinds.count(kind) for kind in sorted(set(kinds))})


if __name__ == "__main__":
    main()
