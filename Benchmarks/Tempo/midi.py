"""MIDI files with their tempo map: reading, truth, and rendering to sound."""

import subprocess
from pathlib import Path

import mido
import numpy as np
import soundfile

RATE = 44100
# From a note's time in the file to the sound, measured with a click.
SYNTH_DELAY = 0.0055
FONTS = {
    "fluid": "/usr/share/sounds/sf2/FluidR3_GM.sf2",
    "tim": "/usr/share/sounds/sf2/TimGM6mb.sf2",
    "musescore": "/usr/share/sounds/sf3/MuseScore_General.sf3",
}


class Song:
    """The tempo map, metre and note times of a MIDI file."""

    def __init__(self, path):
        midi = mido.MidiFile(path, clip=True)
        self.ticks_per_quarter = midi.ticks_per_beat
        tempos, metres, notes = [(0, 500000)], [], []
        for track in midi.tracks:
            tick = 0
            for message in track:
                tick += message.time
                if message.type == "set_tempo":
                    tempos.append((tick, message.tempo))
                elif message.type == "time_signature":
                    metres.append((tick, message.numerator, message.denominator))
                elif message.type == "note_on" and message.velocity > 0:
                    notes.append(tick)
        self.has_tempo = len(tempos) > 1
        self.has_metre = bool(metres)
        self.tempos = sorted(dict(tempos).items())
        self.metres = sorted(set(metres)) or [(0, 4, 4)]
        if self.metres[0][0] > 0:
            self.metres.insert(0, (0, 4, 4))
        self.notes = np.array(sorted(notes))

    def seconds(self, tick):
        """The time of a tick."""
        time, last, tempo = 0.0, 0, self.tempos[0][1]
        for start, value in self.tempos[1:]:
            if start >= tick:
                break
            time += (start - last) * tempo / self.ticks_per_quarter / 1e6
            last, tempo = start, value
        return time + (tick - last) * tempo / self.ticks_per_quarter / 1e6

    def grid(self):
        """Ticks of the beats, and whether each begins a bar; the beat of 6/8, 9/8 and 12/8 is the dotted quarter."""
        if len(self.notes) == 0:
            return []
        beats = []
        end = self.notes[-1]
        for index, (start, upper, lower) in enumerate(self.metres):
            stop = self.metres[index + 1][0] if index + 1 < len(self.metres) else end + 1
            compound = lower == 8 and upper % 3 == 0
            step = self.ticks_per_quarter * (1.5 if compound else 4 / lower)
            per_bar = upper // 3 if compound else upper
            count = 0
            while start + count * step < stop - 1:
                beats.append((start + count * step, count % per_bar == 0, per_bar))
                count += 1
        return beats

    def on_grid(self):
        """The share of notes within a tenth of a sixteenth or a twelfth of a beat's grid."""
        def share(parts):
            step = self.ticks_per_quarter / parts
            phase = (self.notes / step) % 1
            return np.mean(np.minimum(phase, 1 - phase) < 0.13)
        return max(share(4), share(3), share(12) * 0.8) if len(self.notes) else 0.0


def render(midi, wav, font="fluid", gain=0.4):
    """Renders a MIDI file; returns mono or stereo samples, frames first."""
    if not Path(wav).exists():
        subprocess.run(
            ["fluidsynth", "-ni", "-q", "-o", "synth.dynamic-sample-loading=1", "-g", str(gain), "-r", str(RATE), "-O", "s16", "-T", "wav", "-F", str(wav),
             FONTS[font], str(midi)],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    samples, _ = soundfile.read(wav, dtype="float32", always_2d=True)
    return samples
