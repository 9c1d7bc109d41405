"""The stretchers: each is given the loop's turns in a row, and gives its second turn at another tempo."""

import json
import subprocess
import time
from pathlib import Path

import numpy as np
import soundfile

from material import BEATS, RATE, TEMPO, length

TURNS = 4


def turn(sound, rate):
    frames = length(rate)
    return sound[frames:2 * frames]


class Barline:
    """Onsets are those that analysis hears, or those that are given; so is the mode."""

    def __init__(self, program, folder, given=False, mode=None):
        self.program, self.folder, self.given, self.mode = program, Path(folder), given, mode
        self.name = f"Barline, {mode}" if mode else "Barline, onsets given" if given else "Barline, onsets heard"

    def stretch(self, sound, rate, onsets):
        path = self.folder / "loop.wav"
        soundfile.write(path, sound, RATE, subtype="FLOAT")
        clip = {"id": "a", "file": path.name, "slot": 0, "bpm": TEMPO, "beats": BEATS, "playback": "stretch"}
        if self.given:
            clip["onsets"] = onsets
        if self.mode:
            clip["stretchMode"] = self.mode
        session = {
            "barline": 1, "tempo": TEMPO * rate, "quantization": "none", "firstLaunch": "immediate",
            "tracks": [{"id": "t", "clips": [clip]}],
        }
        (self.folder / "set.barline").write_text(json.dumps(session))
        (self.folder / "launch.jsonl").write_text('{"frame": 0, "do": "launch", "clip": "a"}\n')
        out = self.folder / "out.wav"
        subprocess.run(
            [self.program, "render", str(self.folder / "set.barline"), "--script", str(self.folder / "launch.jsonl"),
             "--duration", str(2.1 * length(rate) / RATE), "--output", str(out)],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return turn(soundfile.read(out)[0], rate), None


class Program:
    """A command that reads one file and writes another."""

    def __init__(self, name, folder, *words):
        self.name, self.folder, self.words = name, Path(folder), words

    def stretch(self, sound, rate, onsets):
        path, out = self.folder / "in.wav", self.folder / "out.wav"
        soundfile.write(path, np.tile(sound, (TURNS, 1)), RATE, subtype="PCM_16" if "soundstretch" in self.words else "FLOAT")
        words = {"IN": str(path), "OUT": str(out), "TIME": repr(1 / rate), "TEMPO": f"-tempo={(rate - 1) * 100}"}
        out.unlink(missing_ok=True)
        subprocess.run(
            [words.get(word, word) for word in self.words], check=True, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        return turn(soundfile.read(out)[0], rate), None


class Signalsmith:
    """Called in this process, so that its time is known: seconds of the processor for a frame that is put out."""

    name = "Signalsmith"

    def stretch(self, sound, rate, onsets):
        from python_stretch import Signalsmith as library

        stretcher = library.Stretch()
        stretcher.preset(2, RATE)
        stretcher.setTimeFactor(rate)
        turns = np.ascontiguousarray(np.tile(sound, (TURNS, 1)).T.astype(np.float32))
        start = time.process_time()
        output = stretcher.process(turns)
        spent = (time.process_time() - start) / output.shape[1]
        return turn(output.T.astype(np.float64), rate), spent


def finest(folder):
    return Program("Rubber Band R3", folder, "rubberband", "-q", "-3", "-t", "TIME", "IN", "OUT")


def tonal_engines(program, folder):
    return [Barline(program, folder, mode="tonal"), finest(folder)]


def all_engines(program, folder):
    return [
        Barline(program, folder, given=True),
        Barline(program, folder, given=False),
        finest(folder),
        Program("Rubber Band R2", folder, "rubberband", "-q", "-t", "TIME", "IN", "OUT"),
        Program("SoundTouch", folder, "soundstretch", "IN", "OUT", "TEMPO"),
        Signalsmith(),
    ]
