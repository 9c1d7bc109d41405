"""Other programs and libraries; those that are not installed are left out."""

import contextlib
import os
import re
import subprocess

import numpy as np

METHODS = {}


def method(function):
    METHODS[function.__name__] = function
    return function


@contextlib.contextmanager
def quiet():
    """Keeps a library's messages from the screen."""
    keep = os.dup(2)
    with open(os.devnull, "w") as sink:
        os.dup2(sink.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(keep, 2)
            os.close(keep)


@method
def length_alone(path):
    """A power of two of beats, nearest to 120 BPM."""
    import soundfile
    seconds = soundfile.info(path).duration
    if seconds > 35:
        return None
    return {"bpm": min((60 * 2 ** k / seconds for k in range(9)), key=lambda b: abs(np.log2(b / 120)))}


@method
def aubio(path):
    """aubio track: beats; the tempo is the median of their distances."""
    result = subprocess.run(["aubiotrack", "-i", path], capture_output=True, text=True, check=False)
    beats = [float(line) for line in result.stdout.split()] if result.returncode == 0 else []
    return {"bpm": 60 / np.median(np.diff(beats)) if len(beats) > 2 else None, "beats": beats}


@method
def soundstretch(path):
    """SoundTouch's tempo detector."""
    if not path.endswith(".wav"):
        return None
    result = subprocess.run(["soundstretch", path, "-bpm"], capture_output=True, text=True, check=False)
    found = re.search(r"Detected BPM rate ([\d.]+)", result.stdout + result.stderr)
    return {"bpm": float(found.group(1)) if found else None}


@method
def librosa(path):
    """librosa.beat.beat_track."""
    try:
        import librosa as library
    except ImportError:
        return None
    with quiet():
        samples, rate = library.load(path, sr=22050)
        tempo, beats = library.beat.beat_track(y=samples, sr=rate, units="time")
    return {"bpm": float(np.atleast_1d(tempo)[0]), "beats": list(beats)}


def essentia_samples(path):
    import essentia
    import essentia.standard as standard
    essentia.log.infoActive = False
    essentia.log.warningActive = False
    return standard, standard.MonoLoader(filename=path, sampleRate=44100)()


@method
def essentia_multi(path):
    """RhythmExtractor2013, multifeature."""
    try:
        standard, samples = essentia_samples(path)
        bpm, beats, *_ = standard.RhythmExtractor2013(method="multifeature")(samples)
    except (ImportError, RuntimeError):
        return None
    return {"bpm": float(bpm), "beats": list(map(float, beats))}


@method
def essentia_degara(path):
    """RhythmExtractor2013, degara."""
    try:
        standard, samples = essentia_samples(path)
        bpm, beats, *_ = standard.RhythmExtractor2013(method="degara")(samples)
    except (ImportError, RuntimeError):
        return None
    return {"bpm": float(bpm), "beats": list(map(float, beats))}


@method
def essentia_percival(path):
    """PercivalBpmEstimator."""
    try:
        standard, samples = essentia_samples(path)
        return {"bpm": float(standard.PercivalBpmEstimator()(samples))}
    except (ImportError, RuntimeError):
        return None


@method
def essentia_loop(path):
    """LoopBpmEstimator."""
    try:
        standard, samples = essentia_samples(path)
        return {"bpm": float(standard.LoopBpmEstimator()(samples)) or None}
    except (ImportError, RuntimeError):
        return None
