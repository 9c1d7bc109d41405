"""Trains the classifiers that choose a beat among candidates and what weighs their answers, and writes their weights.

usage: train.py MATERIAL SOURCES trial|grids|cut|start|music|calibration|final

"trial" leaves a third of the sources out, on whose answers "cut", "music" and "calibration" are then trained, and finds the
temperatures; "final" takes everything. The classifiers' weights become binary files of CWeights, what weighs the answers becomes
Swift.
"""

import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np

import metrics
from halves import is_spare

SEED = 7
HIDDEN = 16
ROUNDS = 25
# Productions count more than what a synthesiser plays, and that more than what is generated.
WEIGHTS = {"named": 6.0, "lmms": 6.0, "hydrogen": 6.0, "fretsonfire": 6.0, "midi": 2.0, "groove": 1.0, "own": 1.0}


def named(folder, file="truth"):
    """What is true of each sound, by its file's name."""
    return {t["file"].split("/")[-1]: t for t in map(json.loads, open(folder / f"{file}.jsonl"))}


def origin(truth):
    """Where a sound is from."""
    return "named" if truth.get("named") else truth["source"].split("-")[0]


def load(folder):
    """Groups of candidates by kind: (features, right, weight, truth, tempos)."""
    groups = {"free": [], "loop": []}
    truths = named(folder)
    counts = Counter(truth["source"] for truth in truths.values())
    for line in open(folder / "features.jsonl"):
        entry = json.loads(line)
        truth = truths[entry["file"].split("/")[-1]]
        for kind, found in groups.items():
            rows = [row for row in entry["candidates"] if row["kind"] == kind]
            if kind == "loop" and truth["kind"] != "loop" or not rows:
                continue
            values = np.array([row["values"] for row in rows], np.float32)
            tempos = np.array([row["bpm"] for row in rows])
            error = np.abs(np.log2(tempos / truth["bpm"]))
            # Two candidates can be near; the nearest is the right one.
            right = (error < 0.03) & (error < error.min() + 0.001)
            # A song of which there is much counts more than another, but not as many times.
            weight = WEIGHTS.get(origin(truth), WEIGHTS["midi"]) * (counts[truth["source"]] / 20) ** -0.5
            found.append((values, right, weight, truth, tempos))
    return groups


class Ensemble:
    """Small networks with one hidden layer, whose scores are averaged."""

    def __init__(self, width, count, random):
        self.parts = [
            [random.normal(0, 1 / np.sqrt(width), (width, HIDDEN)), np.zeros(HIDDEN),
             random.normal(0, 1 / np.sqrt(HIDDEN), HIDDEN)] for _ in range(count)]

    @staticmethod
    def score(part, x):
        return np.maximum(x @ part[0] + part[1], 0) @ part[2]

    def scores(self, x):
        return np.mean([self.score(part, x) for part in self.parts], axis=0)


def train(groups, random, count=3, decay=2e-2, dropout=0.4, rounds=ROUNDS):
    """Fits an ensemble by the likelihood of the right candidate among the group's."""
    usable = [group for group in groups if group[1].any()]
    everything = np.concatenate([group[0] for group in usable])
    mean, deviation = everything.mean(0), everything.std(0) + 1e-3
    ensemble = Ensemble(everything.shape[1], count, random)
    inputs = [np.clip((group[0] - mean) / deviation, -5, 5).astype(np.float32) for group in usable]
    for part in ensemble.parts:
        part[:] = [p.astype(np.float32) for p in part]
        moments = [[np.zeros_like(p), np.zeros_like(p)] for p in part]
        step = 0
        for turn in range(rounds):
            rate = 2e-3 * (1 - turn / rounds) + 2e-5
            order = random.permutation(len(usable))
            for start in range(0, len(order), 32):
                batch = order[start:start + 32]
                x = np.concatenate([inputs[i] for i in batch])
                lengths = [len(inputs[i]) for i in batch]
                bounds = np.cumsum([0] + lengths)
                x = x * (random.random(x.shape[1]) > dropout) / (1 - dropout)
                hidden = x @ part[0] + part[1]
                active = np.maximum(hidden, 0)
                scores = active @ part[2]
                slope = np.zeros_like(scores)
                for index, i in enumerate(batch):
                    own = slice(bounds[index], bounds[index + 1])
                    p = np.exp(scores[own] - scores[own].max())
                    p /= p.sum()
                    right = usable[i][1]
                    target = p * right
                    target = target / max(target.sum(), 1e-9)
                    slope[own] = (p - target) * usable[i][2] / 32
                back = np.outer(slope, part[2]) * (hidden > 0)
                gradients = [x.T @ back, back.sum(0), active.T @ slope]
                step += 1
                for index, gradient in enumerate(gradients):
                    first, second = moments[index]
                    first += 0.1 * (gradient - first)
                    second += 0.001 * (gradient ** 2 - second)
                    change = first / (1 - 0.9 ** step) / (np.sqrt(second / (1 - 0.999 ** step)) + 1e-8)
                    part[index] -= rate * (change + (decay * 10 * part[index] if index != 1 else 0))
    return ensemble, mean, deviation


def evaluate(name, groups, model, temperature=1.0):
    """Prints how often the best candidate is right, and how honest the probabilities are."""
    ensemble, mean, deviation = model
    by_kind = {}
    rows = []
    for values, right, _, truth, tempos in groups:
        scores = ensemble.scores(np.clip((values - mean) / deviation, -5, 5)) / temperature
        p = np.exp(scores - scores.max())
        p /= p.sum()
        best = int(np.argmax(p))
        ratio = tempos[best] / truth["bpm"]
        first = abs(np.log2(ratio)) < np.log2(1.04)
        second = any(abs(np.log2(ratio * f)) < np.log2(1.04) for f in (1, 2, 0.5, 3, 1 / 3))
        for key in (truth["kind"], truth["kind"] + " " + origin(truth)):
            by_kind.setdefault(key, []).append((first, second, right.any()))
        rows.append((p[best], first, truth["file"].split("/")[-1], truth["bpm"], tempos[best]))
    for key, found in sorted(by_kind.items()):
        a = np.mean(found, axis=0)
        print(f"{name:12} {key:26} n={len(found):4} accuracy1={a[0]:.3f} accuracy2={a[1]:.3f} possible={a[2]:.3f}")
    return rows


def temperature_of(groups, model):
    """The temperature at which the probabilities of groups that were not trained on are likeliest."""
    ensemble, mean, deviation = model
    found = []
    for values, right, *_ in groups:
        if right.any():
            found.append((ensemble.scores(np.clip((values - mean) / deviation, -5, 5)), right))
    best = None
    for temperature in np.linspace(0.6, 4, 35):
        loss = 0
        for scores, right in found:
            s = scores / temperature
            loss += np.log(np.exp(s - s.max()).sum()) - np.log(np.exp(s - s.max())[right].sum() + 1e-12)
        if best is None or loss < best[0]:
            best = (loss, temperature)
    return best[1]


def write_weights(path, model, temperature):
    """Writes the weights as the program reads them: 16-bit floats, little-endian."""
    ensemble, mean, deviation = model
    numbers = [np.array([len(mean), HIDDEN, len(ensemble.parts)]), mean, 1 / deviation]
    for hidden, offsets, output in ensemble.parts:
        numbers += [hidden.ravel(), offsets, output / temperature]
    path.write_bytes(np.concatenate([n.ravel() for n in numbers]).astype("<f2").tobytes())


def fit_logistic(x, y, weights, decay=1e-3, rounds=4000):
    """A logistic model: weights and offset."""
    mean, deviation = x.mean(0), x.std(0) + 1e-6
    z = np.concatenate([(x - mean) / deviation, np.ones((len(x), 1))], 1)
    w = np.zeros(z.shape[1])
    for _ in range(60):
        p = 1 / (1 + np.exp(-z @ w))
        gradient = z.T @ (weights * (p - y)) / len(y) + decay * np.append(w[:-1], 0)
        curvature = (z * (weights * p * (1 - p))[:, None]).T @ z / len(y) + decay * np.eye(len(w))
        w -= np.linalg.solve(curvature, gradient)
    return w[:-1] / deviation, w[-1] - np.sum(w[:-1] * mean / deviation)


def write_logistic(path, name, model, subject):
    """Writes a logistic model as a Swift file."""
    numbers = [f"{value:.5g}" for value in model[0]]
    lines = [", ".join(numbers[i:i + 10]) for i in range(0, len(numbers), 10)]
    text = "// Made by Benchmarks/Tempo/train.py; not to be edited.\n\n"
    text += f"extension LogisticModel {{\n    /// {subject}.\n    static let {name} = LogisticModel(\n        weights: [\n"
    text += "".join(f"            {line},\n" for line in lines) + f"        ],\n        offset: {model[1]:.5g})\n}}\n"
    Path(path).write_text(text)


def answers(material, part):
    """What the program says of the training half's spare sounds, or of the held-out half: (what it printed, truth)."""
    truths = named(material / part)
    for line in open(material / part / "answers.jsonl"):
        entry = json.loads(line)
        yield entry, truths[entry["file"].split("/")[-1]]


def train_cut(material, output):
    """Fits whether a sound is cut on its beats."""
    sets = {}
    for part in ("train", "test"):
        x, y = [], []
        for entry, truth in answers(material, part):
            if truth["kind"] in ("loop", "ragged") and entry["cut"]:
                x.append(entry["cut"])
                y.append(truth["kind"] == "loop" or truth.get("way") == "drop")
        sets[part] = np.array(x), np.array(y, float)
    x, y = sets["train"]
    model = fit_logistic(x, y, np.where(y > 0, 1.0, 1.5))
    for part, (x, y) in sets.items():
        print("cut", part, len(y), "right", np.mean((x @ model[0] + model[1] > 0) == y))
    write_logistic(output / "LogisticModel+LoopCut.swift", "loopCut", model, "Whether a sound is cut on its beats")


def train_start(material, output):
    """Fits whether a loop's first beat is on its first frame."""
    sets = {}
    for part in ("train", "test"):
        truths = named(material / part) | named(material / part, "cuts")
        x, y, kinds, weights = [], [], [], []
        for entry in map(json.loads, open(material / part / "starts.jsonl")):
            truth = truths[entry["file"].split("/")[-1]]
            # A cut may begin on a beat by chance.
            if entry["start"] and (truth["kind"] == "loop" or min(map(abs, truth["beatTimes"])) > 0.05):
                x.append(entry["start"])
                y.append(truth["kind"] == "loop")
                kinds.append(truth["kind"])
                weights.append(WEIGHTS.get(origin(truth), WEIGHTS["midi"]))
        sets[part] = np.array(x), np.array(y, float), np.array(kinds), np.array(weights)
    x, y, _, weights = sets["train"]
    # As many of both; a loop that is moved off its beat is the greater harm.
    shares = [np.sum(weights * (y == value)) / len(y) for value in (0, 1)]
    model = fit_logistic(x, y, weights * np.where(y > 0, 2 / shares[1], 1 / shares[0]) / 2)
    for part, (x, y, kinds, _) in sets.items():
        on = x @ model[0] + model[1] > 0
        print("start", part, {str(kind): (int(np.sum(kinds == kind)), round(float(np.mean(on[kinds == kind])), 3))
                              for kind in sorted(set(kinds))})
    write_logistic(output / "LogisticModel+LoopStart.swift", "loopStart", model,
                   "Whether a loop's first beat is on its first frame")


def train_music(material, output):
    """Fits whether there is a tempo at all."""
    sets = {}
    for part in ("train", "test"):
        rows = [(entry["music"], 1.0, entry["file"]) for entry, _ in answers(material, part) if entry["music"]]
        rows += [(entry["music"], 0.0, entry["file"])
                 for entry in map(json.loads, open(material / part / "none-answers.jsonl")) if entry["music"]]
        sets[part] = np.array([row[0] for row in rows]), np.array([row[1] for row in rows]), [row[2] for row in rows]
    x, y, names = sets["train"]
    # To play speech in time is a lesser harm than to refuse a loop.
    recorded = np.array([name.startswith("/usr") for name in names])
    model = fit_logistic(x, y, np.where(y > 0, np.where(recorded, 20.0, 1.0), 1.2))
    for part, (x, y, names) in sets.items():
        said = x @ model[0] + model[1] > 0
        print("music", part, len(y), "found", np.mean(said[y > 0]), "refused", np.mean(~said[y == 0]))
        if part == "test":
            for name, truth, found in zip(names, y, said):
                if truth != found:
                    print("   ", name.split("/")[-1], "found" if found else "refused")
    write_logistic(output / "LogisticModel+Music.swift", "music", model, "Whether there is a tempo at all")


def train_calibration(material, output):
    """Fits how often answers of some confidence are right."""
    sets = {}
    for part in ("train", "test"):
        x, y = [], []
        for entry, truth in answers(material, part):
            # What is generated by rule is easier than music.
            if entry["answer"][0] > 0 and origin(truth) not in ("own", "groove"):
                p = min(1 - 1e-6, max(1e-6, entry["answer"][1]))
                x.append(np.log(p / (1 - p)))
                y.append(abs(entry["answer"][0] / truth["bpm"] - 1) <= 0.04)
        sets[part] = np.array(x)[:, None], np.array(y, float)
    x, y = sets["train"]
    (slope,), offset = fit_logistic(x, y, np.ones(len(y)))
    for part, (x, y) in sets.items():
        for name, p in (("as it is", x[:, 0]), ("calibrated", slope * x[:, 0] + offset)):
            error, bins = metrics.calibration(list(zip(1 / (1 + np.exp(-p)), y)))
            print("confidence", part, len(y), name, round(error, 3), [(round(c, 2), round(r, 2), n) for c, r, n in bins])
    text = "// Made by Benchmarks/Tempo/train.py; not to be edited.\n\nextension Calibration {\n"
    text += "    /// That of the answers to the training half.\n"
    text += f"    static let standard = Calibration(slope: {slope:.5g}, offset: {offset:.5g})\n}}\n"
    (output / "Calibration+Standard.swift").write_text(text)


def load_rotations(folder):
    """Groups of the four phases that a song's grid could have, a quarter of a beat apart."""
    groups = []
    truths = named(folder)
    for entry in map(json.loads, open(folder / "features.jsonl")):
        truth = truths[entry["file"].split("/")[-1]]
        beats = np.array(entry["beats"])
        # Loops begin on a beat: with them it learns that a grid is right as it is, which a song's is not always.
        if len(beats) < 4 or truth["kind"] != "song":
            continue
        true = np.array(truth["beatTimes"])
        near = true[np.clip(np.searchsorted(true, beats), 1, len(true) - 1)]
        period = 60 / truth["bpm"]
        # How many quarters of a beat later than the grid the true beats are.
        turn = np.exp(2j * np.pi * (near - beats) / period).mean()
        if abs(turn) < 0.8:
            continue
        position = np.angle(turn) / (np.pi / 2) % 4
        rotation = int(round(position)) % 4
        if abs((position - rotation + 2) % 4 - 2) > 0.3:
            continue
        values = np.array(entry["rotations"], np.float32)
        groups.append((values, np.arange(4) == rotation, 3.0, truth, rotation))
    return groups


def load_bars(folder):
    """Groups of the bars that a grid could have."""
    groups = []
    truths = named(folder)
    for entry in map(json.loads, open(folder / "features.jsonl")):
        truth = truths[entry["file"].split("/")[-1]]
        beats = np.array(entry["beats"])
        per_bar = truth.get("beatsPerBar")
        if len(beats) < 6 or truth["kind"] == "ragged" or per_bar not in (2, 3, 4, 5, 6, 7):
            continue
        first = 0
        if truth["kind"] == "song":
            downs = np.array(truth["downbeats"])
            if len(downs) < 3:
                continue
            hits = [np.min(np.abs(downs - b)) < 0.07 for b in beats]
            scores = [np.mean(hits[o::per_bar]) for o in range(per_bar)]
            first = int(np.argmax(scores))
            if scores[first] < 0.8:
                continue
        values = np.array([bar["values"] for bar in entry["bars"]], np.float32)
        right = np.array([bar["length"] == per_bar and bar["first"] == first for bar in entry["bars"]])
        groups.append((values, right, 3.0 if truth["kind"] == "song" else 1.0, truth, first))
    return groups


def train_grids(material, output):
    """Trains what chooses the phase of beats and of bars."""
    for name, loader in (("beatPhases", load_rotations), ("bars", load_bars)):
        groups, held = loader(material / "train"), loader(material / "test")
        model = train(groups, np.random.default_rng(SEED), count=2, dropout=0.2)
        for part, some in (("train", groups), ("held out", held)):
            ensemble, mean, deviation = model
            kinds = {}
            for values, right, _, truth, _ in some:
                scores = ensemble.scores(np.clip((values - mean) / deviation, -5, 5))
                kinds.setdefault(truth["kind"], []).append(bool(right[np.argmax(scores)]))
            print(name, part, {kind: (len(v), round(float(np.mean(v)), 3)) for kind, v in kinds.items()})
        write_weights(output / f"{name}.weights", model, 1.0)


def train_tempos(material, output, final):
    """Trains what scores tempos and numbers of beats."""
    everything, held = load(material / "train"), load(material / "test")
    temperatures = {}
    if final:
        temperatures = json.loads((material / "temperatures.json").read_text())
    for kind, name in (("free", "tempos"), ("loop", "beatCounts")):
        groups = everything[kind] if final else [group for group in everything[kind] if not is_spare(group[3]["source"])]
        print(kind, "groups", len(groups), "features", groups[0][0].shape[1], flush=True)
        # A loop has more candidates and more numbers, and fewer of its kind were heard.
        options = {"free": {"rounds": 12, "decay": 6e-2}, "loop": {"count": 4, "dropout": 0.6, "decay": 6e-2}}[kind]
        model = train(groups, np.random.default_rng(SEED), **options)
        if not final:
            # What is generated by rule is easier than music.
            spare = [group for group in everything[kind]
                     if is_spare(group[3]["source"]) and origin(group[3]) not in ("own", "groove")]
            temperatures[kind] = max(1.0, temperature_of(spare, model))
            print("temperature", temperatures[kind])
            evaluate("spare", spare, model)
        rows = evaluate("held out", held[kind], model)
        write_weights(output / f"{name}.weights", model, temperatures[kind])
        for p, good, file, bpm, said in sorted(rows, key=lambda row: row[2]):
            if not good:
                print(f"   {file:60} {bpm:7.2f} said {said:7.2f} p {p:.2f}")
    (material / "temperatures.json").write_text(json.dumps(temperatures))


def main():
    material, sources, what = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    binaries, swift = sources / "CWeights/Data", sources / "BarlineAnalysis/Tempo/Weights"
    if what in ("trial", "final"):
        train_tempos(material, binaries, what == "final")
    elif what == "grids":
        train_grids(material, binaries)
    else:
        {"cut": train_cut, "start": train_start, "music": train_music, "calibration": train_calibration}[what](material, swift)


if __name__ == "__main__":
    main()
