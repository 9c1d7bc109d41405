"""Loops of our own: patterns by genre, so that each has the tempo at which it is counted. Seeded."""

import random

import mido

# name: tempo range, metre, kick, snare, hat (characters are sixteenths: x sounds, o often, . rarely, - never), swing.
GENRES = {
    "house": ((118, 130), 4, "x---x---x---x---", "----x-------x---", "..x...x...x...x.", 0.0),
    "techno": ((125, 145), 4, "x---x---x---x---", "----o-------o---", "..x...x...x...x.", 0.0),
    "trance": ((132, 145), 4, "x---x---x---x---", "----x-------x---", "..x...x...x...x.", 0.0),
    "hardcore": ((160, 190), 4, "x---x---x---x---", "----.-------.---", "..x...x...x...x.", 0.0),
    "drumandbass": ((160, 180), 4, "x---------x-----", "----x-------x---", "x.x.x.x.x.x.x.x.", 0.0),
    "jungle": ((155, 176), 4, "x-x-------xx----", "----x--o-o--x--o", "x.x.x.x.x.x.x.x.", 0.0),
    "breakbeat": ((105, 140), 4, "x-.---.---x-.---", "----x--.-.--x---", "x.x.x.x.x.x.x.x.", 0.0),
    "hiphop": ((80, 102), 4, "x--.-.-o-.x---.-", "----x-------x---", "x.x.x.x.x.x.x.x.", 0.25),
    "boombap": ((84, 98), 4, "x-----ox--x---.-", "----x-------x--.", "x.x.x.x.x.x.x.x.", 0.3),
    "trap": ((130, 160), 4, "x-----.---o---.-", "--------x-------", "xox.xoxoxox.xoxo", 0.0),
    "dubstep": ((136, 146), 4, "x-----.---.---o-", "--------x-------", "..x...x...x...x.", 0.0),
    "reggaeton": ((86, 100), 4, "x---x---x---x---", "---x--x----x--x-", "x.x.x.x.x.x.x.x.", 0.0),
    "reggae": ((66, 90), 4, "--------x-------", "--------x-------", "x.x.x.x.x.x.x.x.", 0.2),
    "dub": ((65, 84), 4, "x---x---x---x---", "--------x-------", "..x...x...x...x.", 0.0),
    "rock": ((96, 150), 4, "x-----.-x-o-----", "----x-------x---", "x-x-x-x-x-x-x-x-", 0.0),
    "hardrock": ((110, 172), 4, "x-x---x-x-x-----", "----x-------x---", "x---x---x---x---", 0.0),
    "punk": ((160, 200), 4, "x---x-o-x---x---", "--x---x---x---x-", "x-x-x-x-x-x-x-x-", 0.0),
    "funk": ((92, 122), 4, "x-o---.---x--.--", "----x--.-.--x--.", "xoxoxoxoxoxoxoxo", 0.1),
    "disco": ((108, 128), 4, "x---x---x---x---", "----x-------x---", "x-xox-xox-xox-xo", 0.0),
    "pop": ((90, 132), 4, "x-----o-x-------", "----x-------x---", "x-x-x-x-x-x-x-x-", 0.0),
    "ballad": ((58, 84), 4, "x-----.-x-----.-", "----x-------x---", "x-x-x-x-x-x-x-x-", 0.0),
    "slowrock": ((60, 80), 4, "x-------x----o--", "----x-------x---", "x.x.x.x.x.x.x.x.", 0.0),
    "electro": ((110, 135), 4, "x-----x---o-----", "----x-------x---", "xoxoxoxoxoxoxoxo", 0.0),
    "bossa": ((110, 150), 4, "x--xx--xx--xx--x", "x--x--x---x--x--", "x-x-x-x-x-x-x-x-", 0.0),
    "samba": ((90, 125), 4, "x--xx--xx--xx--x", "x-x-.x-x-x.-x-x-", "xxxxxxxxxxxxxxxx", 0.05),
    "shuffle": ((90, 140), 4, "x-------x-------", "----x-------x---", "x-x-x-x-x-x-x-x-", 0.66),
    "swing": ((110, 220), 4, "x---.---x---.---", "----.-------.---", "x---x-x-x---x-x-", 0.66),
    "polka": ((100, 132), 2, "x---x---", "--x---x-", "x-x-x-x-", 0.0),
    "march": ((100, 126), 2, "x---x---", "--x-o-x-", "x-x-x-x-", 0.0),
    "waltz": ((90, 190), 3, "x-----------", "----x---x---", "x---x---x---", 0.0),
    "slowwaltz": ((70, 110), 3, "x-----.-----", "----x---x---", "x-x-x-x-x-x-", 0.0),
    "five": ((95, 180), 5, "x-----o-----x-------", "----x-------o---x---", "x-x-x-x-x-x-x-x-x-x-", 0.0),
    "seven": ((100, 170), 7, "x-----o-----x-------x-------", "----x-------x-------o---x---",
              "x-x-x-x-x-x-x-x-x-x-x-x-x-x-", 0.0),
    "sevenEight": ((95, 150), 3.5, "x-----x-------", "----x-----x---", "x-x-x-x-x-x-x-", 0.0),
    "ambient": ((60, 100), 4, "x---------------", "----------------", "............x...", 0.0),
    "downtempo": ((70, 100), 4, "x-----.-.-x-----", "----x-------x---", "..x...x...x...x.", 0.15),
}
KITS = [0, 8, 16, 24, 25, 25, 24, 32, 40]
CHANCE = {"x": 0.97, "o": 0.55, ".": 0.15, "-": 0.01}
PARTS = [("drums",), ("drums",), ("drums",), ("drums",), ("kick", "snare"), ("hat",), ("kick",), ("drums", "bass"),
         ("drums", "bass", "chords"), ("bass",), ("bass",), ("chords",), ("arpeggio",), ("drums", "arpeggio"),
         ("bass", "arpeggio"), ("drums", "bass", "chords", "arpeggio"), ("snare", "hat"), ("chords", "bass")]


def pattern(random_source, text, vary):
    """One bar's chosen steps."""
    return [random_source.random() < CHANCE[c] * (1 if c != "x" or not vary else 0.9) for c in text]


def write(path, seed):
    """Writes a loop's MIDI file, repeated thrice; returns what it is."""
    source = random.Random(seed)
    name = source.choice(sorted(GENRES))
    (low, high), metre, kick, snare, hat, swing = GENRES[name]
    bpm = source.uniform(low, high)
    if source.random() < 0.6:
        bpm = float(round(bpm))
    steps = len(kick)
    parts = source.choice(PARTS)
    if name == "ambient" and "drums" in parts:
        parts = ("chords", "bass")
    bars = source.choice([1, 2, 2, 2, 4, 4, 4, 8, 3, 5, 6])
    while bars * steps / 4 * 60 / bpm > 30 or bars * steps / 4 * 60 / bpm < 0.9:
        bars = source.choice([1, 2, 4])
    drums = "drums" in parts
    swing *= source.uniform(0.7, 1.1)
    if swing == 0 and source.random() < 0.1:
        swing = source.uniform(0, 0.3)
    tick = 480
    notes = []

    def time(step):
        # A full swing of 2/3 moves every second eighth of a shuffle, or every second sixteenth of others.
        whole = step * tick / 4
        if swing > 0.45:
            if step % 4 == 2:
                whole += swing * tick / 4
            elif step % 2:
                whole += swing * tick / 8
        elif step % 2:
            whole += swing * tick / 4
        return whole

    lines = {"kick": (kick, 36), "snare": (snare, source.choice([38, 40, 39])), "hat": (hat, 42)}
    chosen = {part: pattern(source, text, False) for part, (text, _) in lines.items()}
    base = source.choice([36, 38, 40, 41, 43, 33])
    bass_style = source.choice(["kick", "eighths", "off", "sixteenths", "quarters", "riff"])
    riff = [source.random() < (0.75 if s % 4 == 0 else 0.4 if s % 2 == 0 else 0.15) for s in range(steps)]
    rate = source.choice([1, 2, 2, 4])
    chord_style = source.choice(["bar", "half", "off", "stabs", "beats", "arranged"])
    stabs = [source.random() < (0.5 if s % 4 == 0 else 0.3 if s % 2 == 0 else 0.15) for s in range(steps)]
    stabs[0] = True
    scale = source.choice([[0, 3, 5, 7, 10], [0, 2, 4, 7, 9], [0, 2, 3, 7, 8], [0, 4, 7, 11, 14]])
    tune = [source.choice(scale) + 12 * source.choice([0, 0, 1]) for _ in range(steps)]
    roots = [source.choice([0, 0, -2, -4, 3, 5, -5]) for _ in range(bars)]
    human = source.choice([0, 0, 0, 2, 5, 9])
    for bar in range(bars):
        if source.random() < 0.3:
            chosen = {part: pattern(source, text, True) for part, (text, _) in lines.items()}
        fill = bar == bars - 1 and bars > 1 and source.random() < 0.25
        for step in range(steps):
            at = time(step) + bar * steps * tick / 4
            on_beat = step % 4 == 0
            for part, (_, key) in lines.items():
                if (drums or part in parts) and chosen[part][step]:
                    accent = 105 if on_beat or part != "hat" else 75
                    open_hat = key == 42 and step % 4 == 2 and name in ("house", "disco", "trance") and drums
                    notes.append((at, 9, 46 if open_hat else key, accent + source.randint(-12, 12), 60))
            if fill and drums and step >= steps - 8 and source.random() < 0.6:
                notes.append((at, 9, source.choice([38, 45, 47, 50]), 100, 60))
            if "bass" in parts:
                sounds = {"kick": chosen["kick"][step], "eighths": step % 2 == 0, "off": step % 4 == 2,
                          "sixteenths": True, "quarters": on_beat, "riff": riff[step]}[bass_style]
                if sounds:
                    pitch = base + roots[bar] + (tune[step] % 12 if bass_style == "riff" else 0)
                    notes.append((at, 1, pitch, 95 + source.randint(-8, 8), tick // 4 if bass_style != "quarters" else tick * 0.9))
            if "chords" in parts:
                sounds = {"bar": step == 0, "half": step % 8 == 0, "off": step % 4 == 2, "stabs": stabs[step],
                          "beats": on_beat, "arranged": step == 0 or step == 6}[chord_style]
                if sounds:
                    length = {"bar": steps * tick / 4, "half": tick * 2}.get(chord_style, tick / 3)
                    for interval in [0, scale[1], 7]:
                        notes.append((at, 2, base + 24 + roots[bar] + interval, 80, length * 0.95))
            if "arpeggio" in parts and step % (4 // rate if rate else 1) == 0:
                notes.append((at, 3, base + 24 + roots[bar] + tune[step], 85 + (10 if on_beat else 0), tick / rate * 0.8))
    length = int(bars * steps * tick / 4)
    programs = {1: source.choice([33, 34, 38, 39, 87, 81, 36]), 2: source.choice([0, 4, 16, 27, 48, 50, 81, 88, 62]),
                3: source.choice([0, 5, 11, 24, 46, 80, 81, 98, 12])}
    events = []
    for repeat in range(3):
        for at, channel, key, velocity, duration in notes:
            start = max(0, at + repeat * length + source.gauss(0, human))
            velocity = max(1, min(127, int(velocity)))
            events.append((start, 1, channel, key, velocity))
            events.append((start + max(20, duration), 0, channel, key, 0))
    events.sort(key=lambda event: (event[0], event[1]))
    midi = mido.MidiFile(ticks_per_beat=tick)
    track = mido.MidiTrack()
    midi.tracks.append(track)
    track.append(mido.MetaMessage("set_tempo", tempo=round(60e6 / bpm)))
    track.append(mido.Message("program_change", channel=9, program=source.choice(KITS)))
    for channel, program in programs.items():
        track.append(mido.Message("program_change", channel=channel, program=program))
    last = 0
    for start, kind, channel, key, velocity in events:
        now = int(round(start))
        track.append(mido.Message("note_on" if kind else "note_off", channel=channel, note=min(127, key),
                                  velocity=velocity, time=now - last))
        last = now
    midi.save(path)
    return {"genre": name, "bpm": 60e6 / round(60e6 / bpm), "beats": bars * steps / 4, "metre": metre, "parts": parts,
            "notes": len(notes), "bars": bars}
