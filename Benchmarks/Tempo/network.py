"""Trains the networks that hear beats, downbeats and the tempo, and writes their weights.

usage: network.py MATERIAL ROWS-FOLDER OUTPUT [--steps N]

Writes OUTPUT-0.bin and so on (16-bit floats, as the program reads them), each of a network that has not heard one part of the
training half, and OUTPUT.bin with all of them.
"""

import argparse
import json
import time
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

from halves import PARTS, part

SEED = 11
RATE = 50.0
BANDS = 26
WIDTH = 2 * BANDS + 12
CHANNELS = 32
DILATIONS = [1, 2, 4, 8, 16, 32, 64, 128, 256]
# Tempos of the last layer's classes: 40 BPM and up by steps of 2 %.
CLASSES = 92
WINDOW = 1024
BATCH = 24


def tempo_class(bpm):
    """The class of a tempo, as a fraction."""
    return np.log(bpm / 40) / np.log(1.02)


class Sound:
    """Rows of one file and what is true of it."""

    def __init__(self, rows, truth):
        self.rows = rows
        self.bpm = truth.get("bpm")
        self.is_loop = truth["kind"] == "loop"
        self.source = truth["source"]
        seconds = len(rows) / RATE
        self.beats = self.downs = None
        if self.is_loop and truth["beats"] == int(truth["beats"]) and truth["beatsPerBar"] != 3.5:
            count = int(truth["beats"])
            self.beats = np.arange(count) * seconds / count
            per = int(truth["beatsPerBar"])
            if not truth.get("named") and count % per == 0:
                self.downs = self.beats[::per]
        elif truth["kind"] == "none":
            self.beats = self.downs = np.zeros(0)
        elif truth["kind"] == "song":
            self.beats = np.array(truth["beatTimes"])
            self.downs = np.array(truth["downbeats"])
            if len(self.downs) == 0:
                self.downs = None
        self.weight = 1.0
        if truth.get("named"):
            self.weight = 6.0
        elif truth["kind"] == "song":
            self.weight = max(1.0, seconds / 12)
        elif not self.source.startswith(("own", "groove")):
            self.weight = 1.6

    def window(self, random):
        """Rows of a window with labels: beat, downbeat, their weights, tempo."""
        speed = np.exp(random.uniform(-0.16, 0.16)) if random.random() < 0.8 else 1.0
        need = int(np.ceil(WINDOW * speed)) + 2
        if self.is_loop and random.random() < 0.7:
            turns = need // len(self.rows) + 2
            start = random.integers(len(self.rows))
            indices = np.arange(start, start + need) % len(self.rows)
            offset = start / RATE
            period = len(self.rows) / RATE
            laps = np.arange(turns + 1) * period
            beats = None if self.beats is None else (laps[:, None] + self.beats).ravel() - offset
            downs = None if self.downs is None else (laps[:, None] + self.downs).ravel() - offset
            rows = self.rows[indices].astype(np.float32)
        else:
            spare = len(self.rows) - need
            start = random.integers(spare + 1) if spare > 0 else -random.integers(-spare + 1)
            rows = np.zeros((need, WIDTH), np.float32)
            first, last = max(0, start), min(len(self.rows), start + need)
            rows[first - start:last - start] = self.rows[first:last]
            offset = start / RATE
            beats = None if self.beats is None else self.beats - offset
            downs = None if self.downs is None else self.downs - offset
        at = np.arange(WINDOW) * speed
        low = at.astype(int)
        part = (at - low)[:, None]
        rows = rows[low] * (1 - part) + rows[low + 1] * part
        beat, down = (self.labels(times, speed) for times in (beats, downs))
        return augmented(rows, random), beat, down, beats is not None, downs is not None, self.bpm and self.bpm * speed

    @staticmethod
    def labels(times, speed):
        labels = np.zeros(WINDOW, np.float32)
        if times is None:
            return labels
        at = np.round(times * RATE / speed).astype(int)
        for shift, value in ((-1, 0.4), (1, 0.4), (0, 1.0)):
            near = at + shift
            near = near[(near >= 0) & (near < WINDOW)]
            labels[near] = np.maximum(labels[near], value)
        return labels


def augmented(rows, random):
    """Other colours, levels, bandwidths and keys."""
    levels, rises, chroma = rows[:, :BANDS], rows[:, BANDS:2 * BANDS], rows[:, 2 * BANDS:]
    if random.random() < 0.7:
        # A gain of up to 12 dB in wide bands; what is silent stays silent.
        knots = random.normal(0, 0.12, 5)
        gain = np.interp(np.linspace(0, 4, BANDS), np.arange(5), knots) + random.normal(0, 0.04)
        levels = np.maximum(0, np.where(levels > 0.05, levels + gain, levels))
    if random.random() < 0.15:
        floor = random.uniform(0.1, 0.8)
        rises = rises * np.clip((levels - floor) * 4, 0, 1)
        levels = np.maximum(levels, floor)
    if random.random() < 0.1:
        top = random.integers(16, BANDS)
        levels, rises = levels.copy(), rises.copy()
        levels[:, top:] = 0
        rises[:, top:] = 0
    chroma = np.roll(chroma, random.integers(12), axis=1)
    return np.concatenate([levels, rises, chroma], 1).astype(np.float16)


def initial(random):
    """Weights before training."""
    def dense(a, b, gain=1.4):
        return (random.normal(0, gain / np.sqrt(a), (a, b)).astype(np.float32), np.zeros(b, np.float32))
    weights = {"in": dense(5 * WIDTH, CHANNELS)}
    for index in range(len(DILATIONS)):
        weights[f"conv{index}"] = dense(3 * CHANNELS, CHANNELS)
        weights[f"mix{index}"] = dense(CHANNELS, CHANNELS, 0.5)
    weights["out"] = dense(CHANNELS, 2, 0.5)
    weights["skip"] = dense(CHANNELS, CHANNELS)
    weights["tempo"] = dense(CHANNELS, CLASSES, 0.5)
    weights["out"][1][:] = [-2.5, -4.0]
    return weights


def shifted(x, taps, dilation):
    """Neighbours in time side by side."""
    reach = dilation * (taps // 2)
    padded = jnp.pad(x, ((0, 0), (reach, reach), (0, 0)))
    return jnp.concatenate([padded[:, k * dilation:k * dilation + x.shape[1]] for k in range(taps)], axis=2)


def forward(weights, x, key=None, rate=0.0):
    """Logits of beats and downbeats per row, and of tempo classes."""
    def dropped(value, number):
        if key is None:
            return value
        keep = jax.random.bernoulli(jax.random.fold_in(key, number), 1 - rate, (value.shape[0], 1, value.shape[2]))
        return value * keep / (1 - rate)
    x = jax.nn.relu(shifted(x, 5, 1) @ weights["in"][0] + weights["in"][1])
    x = dropped(x, 99)
    skip = 0
    for index, dilation in enumerate(DILATIONS):
        h = jax.nn.relu(shifted(x, 3, dilation) @ weights[f"conv{index}"][0] + weights[f"conv{index}"][1])
        h = dropped(h, index)
        x = x + h @ weights[f"mix{index}"][0] + weights[f"mix{index}"][1]
        skip = skip + h
    out = x @ weights["out"][0] + weights["out"][1]
    pooled = jnp.mean(jax.nn.relu(skip @ weights["skip"][0] + weights["skip"][1]), axis=1)
    if key is not None:
        keep = jax.random.bernoulli(jax.random.fold_in(key, 1000), 0.7, pooled.shape)
        pooled = pooled * keep / 0.7
    return out, pooled @ weights["tempo"][0] + weights["tempo"][1]


def loss(weights, batch, key):
    x, beat, down, has_beat, has_down, tempo = batch
    out, classes = forward(weights, x.astype(jnp.float32), key, 0.1)
    def cross(logit, target, use, boost):
        each = jnp.maximum(logit, 0) - logit * target + jnp.log1p(jnp.exp(-jnp.abs(logit)))
        each = each * (1 + boost * target)
        return jnp.mean(jnp.mean(each, axis=1) * use)
    beats = cross(out[:, :, 0], beat, has_beat, 2.0)
    downs = cross(out[:, :, 1], down, has_down, 5.0)
    tempos = -jnp.mean(jnp.sum(tempo * jax.nn.log_softmax(classes), axis=1))
    return beats + downs + 0.05 * tempos, (beats, downs, tempos)


@partial(jax.jit, donate_argnums=(0, 1, 2))
def update(weights, first, second, batch, key, step, rate):
    (_, parts), gradient = jax.value_and_grad(loss, has_aux=True)(weights, batch, key)
    norm = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(gradient)))
    gradient = jax.tree.map(lambda g: g * jnp.minimum(1.0, 0.5 / norm), gradient)
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradient)
    second = jax.tree.map(lambda m, g: 0.999 * m + 0.001 * g * g, second, gradient)
    def move(w, m, v):
        change = m / (1 - 0.9 ** step) / (jnp.sqrt(v / (1 - 0.999 ** step)) + 1e-8)
        return w - rate * (change + (1e-2 * w if w.ndim > 1 else 0))
    return jax.tree.map(move, weights, first, second), first, second, parts


def negative(truth):
    """A sound without a tempo, as one of a source of its own."""
    return dict(truth, kind="none", source=Path(truth["file"]).stem)


def load(material, folder, half):
    """The sounds of a half."""
    sounds = []
    truths = [json.loads(line) for line in open(material / half / "truth.jsonl")]
    if half == "train":
        truths += [negative(json.loads(line)) for line in open(material / half / "none.jsonl")]
    for truth in truths:
        path = folder / (Path(truth["file"]).name + ".rows")
        if truth["kind"] == "ragged" or not path.exists():
            continue
        rows = np.fromfile(path, "<f2").reshape(-1, WIDTH)
        if len(rows) >= 20:
            sounds.append(Sound(rows, truth))
    return sounds


def batches(sounds, random, size):
    """Endless batches."""
    weights = np.array([s.weight for s in sounds])
    weights /= weights.sum()
    while True:
        windows = [sounds[i].window(random) for i in random.choice(len(sounds), size, p=weights)]
        tempos = np.array([w[5] or 1 for w in windows])
        distance = np.arange(CLASSES)[None] - tempo_class(tempos)[:, None]
        classes = np.exp(-distance ** 2 / 2) + 1e-9
        classes /= classes.sum(1, keepdims=True)
        classes[[w[5] is None for w in windows]] = 0
        yield tuple(np.array(column) for column in list(zip(*windows))[:3]) + (
            np.array([w[3] for w in windows], np.float32), np.array([w[4] for w in windows], np.float32),
            classes.astype(np.float32))


def judge(weights, sounds, name):
    """Prints how the network does on whole sounds."""
    found = {}
    for sound in sounds:
        rows = sound.rows.astype(np.float32)
        if sound.is_loop:
            rows = np.tile(rows, (max(1, -(-WINDOW // len(rows))), 1))[:WINDOW]
        else:
            rows = rows[:3 * WINDOW]
        padded = np.zeros((WINDOW if sound.is_loop else 3 * WINDOW, WIDTH), np.float32)
        padded[:len(rows)] = rows
        out, classes = evaluate(weights, padded[None])
        beat = 1 / (1 + np.exp(-np.array(out[0, :len(rows), 0])))
        best = int(np.argmax(classes[0]))
        bpm = 40 * 1.02 ** best
        ratio = abs(np.log2(bpm / sound.bpm))
        f = np.nan
        if sound.beats is not None and not sound.is_loop:
            peaks = [i for i in range(1, len(beat) - 1) if beat[i] > 0.3 and beat[i] >= beat[i - 1] and beat[i] > beat[i + 1]]
            times = np.array(peaks) / RATE
            truth = sound.beats[sound.beats < len(rows) / RATE]
            hits = sum(np.min(np.abs(times - t)) < 0.07 for t in truth) if len(times) else 0
            f = 2 * hits / max(1, len(times) + len(truth))
        found.setdefault("loop" if sound.is_loop else "song", []).append(
            (ratio < np.log2(1.04), min(abs(np.log2(bpm / sound.bpm * o)) for o in (1, 2, .5, 3, 1 / 3)) < np.log2(1.04), f))
    for kind, values in found.items():
        values = np.array(values)
        print(f"{name} {kind} n={len(values)} tempo {values[:, 0].mean():.3f} octave free {values[:, 1].mean():.3f}"
              f" beat F {np.nanmean(values[:, 2]):.3f}", flush=True)


evaluate = jax.jit(forward)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("material", type=Path)
    parser.add_argument("rows", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--steps", type=int, default=3600)
    options = parser.parse_args()
    sounds = load(options.material, options.rows, "train")
    held = load(options.material, options.rows, "test")
    files = [options.output.with_name(f"{options.output.name}-{left}.bin") for left in range(PARTS)]
    for left, file in enumerate(files):
        some = [s for s in sounds if part(s.source) != left]
        print(len(some), "sounds", round(sum(len(s.rows) for s in some) / RATE / 3600, 1), "hours", flush=True)
        weights = train(some, SEED + left, options.steps)
        judge(weights, [s for s in sounds if part(s.source) == left and s.bpm][::5], "left out")
        judge(weights, held, "held out")
        file.write_bytes(packed(weights))
    options.output.with_suffix(".bin").write_bytes(b"".join(file.read_bytes() for file in files))


def train(sounds, seed, steps):
    """The weights after some steps of training on sounds."""
    random, key = np.random.default_rng(seed), jax.random.PRNGKey(seed)
    weights = initial(random)
    first = jax.tree.map(np.zeros_like, weights)
    second = jax.tree.map(np.zeros_like, weights)
    started, sums = time.time(), []
    for step, batch in enumerate(batches(sounds, random, BATCH), 1):
        rate = 3e-3 * min(1, step / 100) * (0.5 + 0.5 * np.cos(np.pi * step / steps)) + 2e-5
        weights, first, second, parts = update(weights, first, second, batch, jax.random.fold_in(key, step), step, rate)
        sums.append([float(p) for p in parts])
        if step % 250 == 0:
            print(step, np.mean(sums[-250:], axis=0).round(4), f"{(time.time() - started) / step:.2f} s a step", flush=True)
        if step == steps:
            return weights


def packed(weights):
    """The weights as 16-bit floats, layer by layer."""
    names = ["in"] + [f"{kind}{i}" for i in range(len(DILATIONS)) for kind in ("conv", "mix")] + ["out", "skip", "tempo"]
    numbers = np.concatenate([np.array(weights[name][i]).ravel() for name in names for i in (0, 1)])
    return numbers.astype("<f2").tobytes()


if __name__ == "__main__":
    main()
