"""Which material is trained on, and by what."""

import zlib

# Packages of which everything is trained on.
TRAINING_PACKAGES = ("simutrans",)


def half(name):
    """The half that a song, or a package's loop, belongs to."""
    if name.startswith(TRAINING_PACKAGES):
        return "train"
    return "train" if zlib.crc32(name.encode()) % 2 else "test"


def is_for_classifiers(source):
    """Whether a source of the training half, and all that is made of it, is kept from the network: what weighs the
    network's answers must be trained on answers to what it has not heard."""
    return zlib.crc32(source.encode()) // 7 % 3 == 0
