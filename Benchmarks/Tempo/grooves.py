"""Accompaniments in the styles of the package `mma`, at tempos that each style is played at. Seeded."""

import random
import re
import subprocess
from pathlib import Path

LIBRARY = Path("/usr/share/mma/lib/stdlib")
# By the first word that the file's name contains: tempo range in beats as a player counts them.
TEMPOS = [
    ("fastswing", (180, 240)), ("fastblues", (150, 190)), ("fastjazzwaltz", (150, 210)), ("fastwaltz", (160, 200)),
    ("slow", (60, 84)), ("ballad", (58, 84)), ("lullaby", (66, 90)), ("hymn", (72, 100)), ("bebop", (170, 240)),
    ("viene", (160, 190)), ("polka", (110, 130)), ("march", (100, 126)), ("samba", (95, 125)), ("merengue", (110, 140)),
    ("dixie", (160, 210)), ("charleston", (180, 220)), ("quickstep", (180, 208)), ("foxtrot", (110, 130)),
    ("swing", (120, 190)), ("bigband", (120, 180)), ("jive", (150, 180)), ("twist", (150, 170)), ("rb", (80, 110)),
    ("waltz", (90, 150)), ("bolero", (70, 100)), ("rhumba", (100, 120)), ("bossa", (115, 150)), ("beguine", (105, 130)),
    ("chacha", (112, 128)), ("mambo", (160, 200)), ("salsa", (150, 200)), ("tango", (110, 132)), ("ska", (110, 150)),
    ("rock", (105, 150)), ("folk", (95, 130)), ("blues", (90, 130)), ("bluegrass", (110, 140)), ("jazz", (120, 180)),
    ("trance", (130, 142)), ("funk", (95, 118)), ("fusion", (100, 130)), ("ragtime", (150, 190)), ("zydeco", (100, 130)),
    ("country", (100, 150)), ("desert", (90, 120)), ("8beat", (100, 130)), ("", (95, 140)),
]
CHORDS = ["C", "F", "G7", "Am", "Dm", "Em", "Bb", "D7", "A7", "Fmaj7", "Gm7", "Eb"]


def names():
    """The styles' files: (file, groove)."""
    found = []
    for file in sorted(LIBRARY.glob("*.mma")):
        if re.search(r"metronome|none", file.name):
            continue
        text = file.read_text(errors="replace")
        for groove in re.findall(r"^\s*DefGroove\s+(\S+)", text, re.MULTILINE):
            if not re.search(r"Intro|End|Fill|Rit", groove):
                found.append((file.stem, groove))
    return found


def write(path, style, groove, seed, bars=12):
    """Writes a MIDI file in a groove, or returns none where the style's metre is not simple."""
    source = random.Random(seed)
    low, high = next(value for key, value in TEMPOS if key in style)
    bpm = round(source.uniform(low, high), 1 if source.random() < 0.3 else None)
    # These are written so that a beat is a dotted quarter or an eighth.
    if re.search(r"68|128", style):
        return None
    lines = [f"Tempo {bpm}", f"Groove {groove}"]
    if source.random() < 0.2:
        lines.append("AllTracks Bass Chord Arpeggio Walk Scale Solo Melody Off")
    elif source.random() < 0.25:
        lines.append("AllTracks Drum Off")
    for bar in range(bars):
        lines.append(f"{bar + 1} {source.choice(CHORDS)}" + (f" / {source.choice(CHORDS)}" if source.random() < 0.3 else ""))
    text = Path(path).with_suffix(".mma")
    text.write_text("\n".join(lines) + "\n")
    result = subprocess.run(["mma", "-f", str(path), str(text)], capture_output=True, check=False)
    text.unlink()
    return bpm if result.returncode == 0 and Path(path).exists() else None
