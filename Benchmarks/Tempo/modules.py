"""Tracker modules: songs whose tempo is exact, as each row of their patterns is a sixteenth."""

import ctypes
import ctypes.util
from pathlib import Path

import numpy as np
import soundfile

RATE = 44100
SECONDS = 180
# Frames at a time: how exactly a row's start is known.
STEP = 63
ROOTS = ("biniax2", "bomberclone", "flobopuyo", "freedroid", "gl-117", "heroes", "pekka-kana-2", "pingus", "rafkill", "tecnoballz")
KINDS = {".mod", ".xm", ".it", ".s3m"}
ROWS_PER_BEAT = 4


def library():
    """libopenmpt, with the types of what is called."""
    name = ctypes.util.find_library("openmpt")
    if not name:
        return None
    openmpt = ctypes.CDLL(name)
    pointer, integer = ctypes.c_void_p, ctypes.c_int32
    openmpt.openmpt_module_create_from_memory2.restype = pointer
    openmpt.openmpt_module_create_from_memory2.argtypes = [ctypes.c_char_p, ctypes.c_size_t] + [pointer] * 7
    openmpt.openmpt_module_destroy.argtypes = [pointer]
    openmpt.openmpt_module_read_interleaved_float_stereo.restype = ctypes.c_size_t
    openmpt.openmpt_module_read_interleaved_float_stereo.argtypes = [pointer, integer, ctypes.c_size_t, pointer]
    for what in ("order", "row", "pattern"):
        function = getattr(openmpt, f"openmpt_module_get_current_{what}")
        function.restype, function.argtypes = integer, [pointer]
    openmpt.openmpt_module_get_num_channels.restype = integer
    openmpt.openmpt_module_get_num_channels.argtypes = [pointer]
    openmpt.openmpt_module_get_pattern_row_channel_command.restype = ctypes.c_uint8
    openmpt.openmpt_module_get_pattern_row_channel_command.argtypes = [pointer] + [integer] * 4
    return openmpt


def play(openmpt, data):
    """The sound of a module, and its rows: (frame, row, notes that begin in it)."""
    module = openmpt.openmpt_module_create_from_memory2(data, len(data), *[None] * 7)
    if not module:
        return None, []
    channels = openmpt.openmpt_module_get_num_channels(module)
    buffer = (ctypes.c_float * (2 * STEP))()
    parts, rows, last, frame = [], [], None, 0
    while frame < SECONDS * RATE:
        count = openmpt.openmpt_module_read_interleaved_float_stereo(module, RATE, STEP, buffer)
        if count == 0:
            break
        place = (openmpt.openmpt_module_get_current_order(module), openmpt.openmpt_module_get_current_row(module))
        if place != last:
            pattern = openmpt.openmpt_module_get_current_pattern(module)
            notes = sum(0 < openmpt.openmpt_module_get_pattern_row_channel_command(module, pattern, place[1], c, 0) < 120
                        for c in range(channels))
            rows.append((frame, place[1], notes))
            last = place
        parts.append(np.array(buffer[:2 * count], np.float32).reshape(-1, 2))
        frame += count
    openmpt.openmpt_module_destroy(module)
    return np.concatenate(parts) if parts else None, rows


def tempo(rows):
    """The tempo of even rows that are sixteenths of 4/4, from the first one on, or none."""
    if len(rows) < 128:
        return None
    frames, numbers, notes = (np.array(column, float) for column in zip(*rows))
    index = np.arange(len(rows))
    # A line through all starts; all rows on it, and each at its place in the bar.
    slope, start = np.polyfit(index, frames, 1)
    if np.abs(frames - start - slope * index).max() > 4 * STEP or np.any(numbers % 16 != index % 16):
        return None
    counts = [notes[index % ROWS_PER_BEAT == k].mean() for k in range(ROWS_PER_BEAT)]
    if counts[0] < 1.3 * max(counts[1], counts[3]) or counts[0] < 1.1 * counts[2]:
        return None
    bpm = 60 * RATE / slope / ROWS_PER_BEAT
    # The rows of slower ones may be eighths, those of faster ones thirty-seconds.
    return bpm if 80 <= bpm <= 176 else None


def render(cache):
    """The modules of some games: (name, sound, tempo, beats to the bar)."""
    openmpt, songs = library(), []
    if openmpt is None:
        return songs
    for root in ROOTS:
        for path in sorted(Path("/usr/share/games", root).rglob("*")):
            if path.suffix.lower() not in KINDS:
                continue
            wav, note = cache / f"module-{root}-{path.stem.lower()}.wav", cache / f"module-{root}-{path.stem.lower()}.bpm"
            if not note.exists():
                sound, rows = play(openmpt, path.read_bytes())
                bpm = tempo(rows) if rows else None
                if bpm:
                    soundfile.write(wav, 0.999 * sound / max(0.999, np.abs(sound).max()), RATE, subtype="PCM_16")
                note.write_text(str(bpm or ""))
            if note.read_text():
                songs.append((f"module-{root}-{path.stem.lower()}", wav, float(note.read_text()), 4))
    return songs
