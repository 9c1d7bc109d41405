"""Runs the tool that prints what the networks or the classifiers see over all material.

usage: features.py MATERIAL TOOL rows
       features.py MATERIAL TOOL NETWORKS
       features.py MATERIAL TOOL NETWORKS answers
       features.py MATERIAL TOOL NETWORKS starts

NETWORKS.bin has all networks, NETWORKS-0.bin and so on each of them: of the training half, a sound's numbers are from the
network that has not heard it. With "answers" it writes what the classifiers answer to the recorded loops and to what they
have not seen; with "starts" to exact loops and to cuts that begin off the beat (cuts.py).
"""

import json
import subprocess
import sys
from multiprocessing import Pool
from pathlib import Path

from halves import PARTS, is_spare, part


def look(job):
    """Runs the tool over some lines; returns what it prints."""
    tool, lines = job
    return subprocess.run(tool, input="".join(lines), stdout=subprocess.PIPE, text=True, check=True).stdout


def lines(folder, truths):
    """What the tool reads."""
    for truth in truths:
        path = truth["file"] if truth["file"].startswith("/") else str(folder / truth["file"])
        beats = truth["beats"] if truth["kind"] == "loop" else 0
        yield f"{path}\t{truth.get('bpm', 120)}\t{beats}\n"


def run(pool, folder, truths, tool):
    """What the tool prints of sounds, piece by piece."""
    given = list(lines(folder, truths))
    return pool.imap(look, [(tool, given[start:start + 40]) for start in range(0, len(given), 40)])


def heard(pool, folder, truths, tool, networks, by_part):
    """What the classifiers see of sounds, piece by piece."""
    if not by_part:
        yield from run(pool, folder, truths, [*tool, "--networks", f"{networks}.bin"])
        return
    for left in range(PARTS):
        some = [t for t in truths if part(source(t)) == left]
        yield from run(pool, folder, some, [*tool, "--networks", f"{networks}-{left}.bin"])


def source(truth):
    """What a sound is made of; one without a tempo, of itself."""
    return Path(truth["file"]).stem if truth["kind"] == "none" else truth["source"]


def starts(pool, folder, tool, networks, by_part):
    """Writes what is asked about loops' first beats."""
    truths = [t for name in ("truth", "cuts") for t in map(json.loads, open(folder / f"{name}.jsonl"))]
    truths = [t for t in truths if t["kind"] not in ("song", "ragged")]
    with open(folder / "starts.jsonl", "w") as file:
        file.writelines(heard(pool, folder, truths, [tool, "--answers"], networks, by_part))


def main():
    material, tool, what = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    if "starts" in sys.argv[4:]:
        with Pool(2) as pool:
            for half in ("train", "test"):
                starts(pool, material / half, tool, what, by_part=half == "train")
        return
    options = ["--answers"] if "answers" in sys.argv[4:] else []
    with Pool(2) as pool:
        for half in ("train", "test"):
            folder = material / half
            for name, output in (("truth", "features"), ("none", "none-features")):
                truths = [json.loads(line) for line in open(folder / f"{name}.jsonl")]
                if what == "rows":
                    (material / "rows").mkdir(exist_ok=True)
                    for _ in run(pool, folder, truths, [tool, "--rows", str(material / "rows")]):
                        pass
                    continue
                if options:
                    output = output.replace("features", "answers")
                    # Recorded loops are few: all of them are needed.
                    truths = [t for t in truths
                              if name == "none" or half == "test" or t.get("named") or is_spare(t["source"])]
                elif name == "none":
                    continue
                with open(folder / f"{output}.jsonl", "w") as file:
                    file.writelines(heard(pool, folder, truths, [tool, *options], what, by_part=half == "train"))


if __name__ == "__main__":
    main()
