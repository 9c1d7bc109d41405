"""Which material is trained on, and by what."""

import zlib

# Beginnings of the names of what is trained on only: a package, tracker modules, single MIDI files.
TRAINING_ONLY = ("simutrans", "module", "tune")


def half(name):
    """The half that a song, or a package's loop, belongs to."""
    if name.startswith(TRAINING_ONLY):
        return "train"
    return "train" if zlib.crc32(name.encode()) % 2 else "test"


# How many networks there are: each is trained on all of the training half but one part.
PARTS = 3


def part(source):
    """The part of the training half that a source, and all that is made of it, belongs to: the network that has not
    heard it gives the answers on which what weighs them is trained."""
    return zlib.crc32(source.encode()) // 7 % PARTS


def is_spare(source):
    """Whether the classifiers are first trained without a source: what weighs their answers is trained on answers to such."""
    return zlib.crc32(source.encode()) % 3 == 0
