"""Runs the tool that prints what the network or the classifiers see over all material.

usage: features.py MATERIAL TOOL rows
       features.py MATERIAL TOOL NETWORK.bin
"""

import json
import subprocess
import sys
from multiprocessing import Pool
from pathlib import Path

from halves import is_for_classifiers


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


def write(pool, folder, truths, output, tool):
    """Runs the tool over sounds, and writes what it prints."""
    given = list(lines(folder, truths))
    pieces = pool.imap(look, [(tool, given[start:start + 40]) for start in range(0, len(given), 40)])
    with open(output, "w") as file:
        for piece in pieces:
            file.write(piece)


def main():
    material, tool, what = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    with Pool(2) as pool:
        for part in ("train", "test"):
            folder = material / part
            for name, output in (("truth", "features"), ("none", "none-features")):
                truths = [json.loads(line) for line in open(folder / f"{name}.jsonl")]
                if what == "rows":
                    (material / "rows").mkdir(exist_ok=True)
                    write(pool, folder, truths, "/dev/null", [tool, "--rows", str(material / "rows")])
                    continue
                if part == "train":
                    # Negatives have no source but themselves.
                    truths = [t for t in truths if is_for_classifiers(t["source"] if name == "truth" else Path(t["file"]).stem)]
                write(pool, folder, truths, folder / f"{output}.jsonl", [tool, "--network", what])


if __name__ == "__main__":
    main()
