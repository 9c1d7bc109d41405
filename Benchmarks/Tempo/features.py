"""Runs the tool that prints what the classifiers see over all material.

usage: features.py MATERIAL TOOL [every]
"""

import json
import subprocess
import sys
from pathlib import Path


def write(folder, truths, output, tool, every=1):
    lines = []
    for name in truths[::every]:
        path = name["file"] if name["file"].startswith("/") else str(folder / name["file"])
        beats = name["beats"] if name["kind"] == "loop" else 0
        lines.append(f"{path}\t{name.get('bpm', 120)}\t{beats}\n")
    with open(output, "w") as file:
        subprocess.run([tool], input="".join(lines), stdout=file, text=True, check=True)


def main():
    material, tool = Path(sys.argv[1]), sys.argv[2]
    every = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    for part in ("train", "test"):
        folder = material / part
        for truth, output in (("truth.jsonl", "features.jsonl"), ("none.jsonl", "none-features.jsonl")):
            write(folder, [json.loads(line) for line in open(folder / truth)], folder / output, tool, every)


if __name__ == "__main__":
    main()
