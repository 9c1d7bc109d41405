"""Four bars of each kind of music, as sounds on exact frames: the same notes at the loop's tempo and at any other.

A one-shot of a General MIDI sound font, or a spoken word, is rendered once and laid on the frame of its beat; what rings on
past the end goes on at the beginning, as in a loop's second turn. So the loop at another tempo has an exact reference. Notes
decay as a player's would, not stretched: all stretchers are judged by the same reference.
"""

import subprocess
from functools import lru_cache
from pathlib import Path

import mido
import numpy as np
import soundfile

RATE = 48_000
TEMPO = 120.0
BEATS = 16
FONT = "/usr/share/sounds/sf2/FluidR3_GM.sf2"
# Ticks of a millisecond: a quarter of 500 ms has 500.
TICKS = 500
RING = 4.0

DRUMS, BASS, KEYS, PIANO, PAD, CHOIR = 128, 33, 4, 0, 48, 52


def drums():
    for bar in range(4):
        first = 4 * bar
        for eighth in range(8):
            late = 1 / 12 if eighth % 2 else 0
            yield first + eighth / 2 + late, DRUMS, 42, 70 + 20 * (eighth % 2 == 0), 0.2
        for beat in (0, 2.5) if bar % 2 else (0, 2):
            yield first + beat, DRUMS, 36, 110, 0.3
        for beat in (1, 3):
            yield first + beat, DRUMS, 38, 105, 0.3


def bass():
    for bar, root in enumerate((33, 29, 36, 31)):
        for beat, step in ((0, 0), (0.75, 0), (1.5, 7), (2, 12), (2.75, 10), (3.5, 7)):
            yield 4 * bar + beat, BASS, root + step, 100, 0.45


def keys():
    for bar, chord in enumerate(((57, 60, 64, 67), (53, 57, 60, 64), (60, 64, 67, 71), (55, 59, 62, 65))):
        for beat in (0, 1.5, 2.5):
            for key in chord:
                yield 4 * bar + beat, KEYS, key, 80, 0.9


def piano():
    for bar, chord in enumerate(((57, 64, 69, 72), (53, 60, 65, 69), (60, 67, 72, 76), (55, 62, 67, 71))):
        for sixteenth in range(16):
            yield 4 * bar + sixteenth / 4, PIANO, chord[(0, 1, 2, 3, 2, 1, 2, 3)[sixteenth % 8]], 85, 0.25


CHORDS = ((57, 60, 64), (53, 57, 60), (60, 64, 67), (55, 59, 62))


def held(program):
    """A chord a bar."""

    def notes():
        for bar, chord in enumerate(CHORDS):
            for key in chord:
                yield 4 * bar, program, key, 80, 3.9

    return notes


def pads():
    for bar, chord in enumerate(CHORDS):
        for key in chord:
            yield 4 * bar, PAD, key, 80, 3.9
        yield 4 * bar, CHOIR, chord[0] + 12, 70, 3.9


def mix():
    yield from drums()
    yield from bass()
    yield from keys()
    yield from pads()


WORDS = "one two ready steady every sample counts the beat goes on and nobody comes in late again".split()


def speech():
    for number, word in enumerate(WORDS[:BEATS]):
        yield number, "voice", word, 100, 1.0


PHRASES = {
    "drums": drums, "bass": bass, "electric piano": keys, "piano": piano, "pads": pads, "full mix": mix, "speech": speech,
}
# What has few attacks, by its program.
TONAL = {
    "pads": pads, "strings": held(49), "organ": held(19), "choir": held(52), "violin": held(40), "saxophone": held(65),
    "accordion": held(21), "synthesizer's pad": held(89),
}


@lru_cache(maxsize=None)
def one_shot(folder, program, key, velocity, seconds):
    """A note as floats, frames by channels, from its first frame above -60 dB of its peak on."""
    path = Path(folder) / f"{program}-{key}-{velocity}-{seconds}.wav"
    if not path.exists():
        speak(key, path) if program == "voice" else play(program, key, velocity, seconds, path)
    sound, rate = soundfile.read(path, always_2d=True)
    if rate != RATE:
        frames = int(len(sound) * RATE / rate)
        sound = np.stack([resampled(channel, frames) for channel in sound.T], axis=1)
    if sound.shape[1] == 1:
        sound = np.repeat(sound, 2, axis=1)
    level = np.abs(sound).max(axis=1)
    first = int(np.argmax(level > 1e-3 * level.max()))
    return sound[first:]


def resampled(channel, frames):
    spectrum = np.fft.rfft(channel)
    wanted = np.zeros(frames // 2 + 1, dtype=complex)
    count = min(len(wanted), len(spectrum))
    wanted[:count] = spectrum[:count]
    return np.fft.irfft(wanted, frames) * frames / len(channel)


def speak(word, path):
    subprocess.run(["espeak-ng", "-w", str(path), word], check=True, stdout=subprocess.DEVNULL)


def play(program, key, velocity, seconds, path):
    track = mido.MidiTrack()
    channel = 9 if program == DRUMS else 0
    if program != DRUMS:
        track.append(mido.Message("program_change", channel=channel, program=program))
    track.append(mido.Message("note_on", channel=channel, note=key, velocity=velocity, time=100))
    track.append(mido.Message("note_off", channel=channel, note=key, time=int(seconds * TICKS * 2)))
    track.append(mido.MetaMessage("end_of_track", time=int(RING * TICKS * 2)))
    midi = mido.MidiFile(ticks_per_beat=TICKS)
    midi.tracks.append(track)
    source = path.with_suffix(".mid")
    midi.save(source)
    command = ["fluidsynth", "-ni", "-q", "-R", "0", "-C", "0", "-g", "0.5", "-r", str(RATE), "-O", "float", "-F", str(path)]
    subprocess.run(command + [FONT, str(source)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def length(rate):
    return int(round(BEATS * 60 / (TEMPO * rate) * RATE))


def loop(folder, phrase, rate):
    """The loop's second turn at `rate` of its tempo, and the frames on which its sounds begin."""
    frames = length(rate)
    sound = np.zeros((frames, 2))
    places = set()
    for beat, program, key, velocity, beats in (PHRASES | TONAL)[phrase]():
        shot = one_shot(folder, program, key, velocity, beats * 60 / TEMPO)
        place = int(round(beat * 60 / (TEMPO * rate) * RATE))
        places.add(place)
        for first in range(0, len(shot), frames):
            part = shot[first:first + frames]
            end = min(len(part), frames - place)
            sound[place:place + end] += part[:end]
            sound[:len(part) - end] += part[end:]
    return sound, sorted(places)


def level(folder, phrase):
    """What brings the loop's peak to half of full scale."""
    return 0.5 / np.abs(loop(folder, phrase, 1.0)[0]).max()
