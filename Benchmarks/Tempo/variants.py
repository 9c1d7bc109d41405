"""The held-out half again: coded, quieter, in noise, and at another sample rate.

usage: variants.py MATERIAL BARLINE [kinds…]
"""

import json
import subprocess
import sys
import tempfile
from multiprocessing import Pool
from pathlib import Path

import evaluate
import metrics

# Names, and what is done to a file; noise is pink, its peaks 20 dB below full scale.
VARIANTS = {
    "as it is": None,
    "MP3, 96 kbit/s": ["lame", "--quiet", "-b", "96", "IN", "OUT.mp3"],
    "Ogg Vorbis, q 1": ["oggenc", "-Q", "-q", "1", "IN", "-o", "OUT.ogg"],
    "20 dB quieter": ["sox", "IN", "OUT.wav", "gain", "-20"],
    "in noise": ["sh", "-c", "sox -D IN -p synth pinknoise gain -n -20 | sox -D -m IN - OUT.wav"],
    "48 kHz": ["sox", "-D", "IN", "-r", "48000", "OUT.wav"],
}


def changed(job):
    """Makes one file; returns its path, or none where that failed."""
    path, command, target = job
    if command is None:
        return path
    suffix = next(word for word in " ".join(command).split() if word.startswith("OUT"))
    output = str(target) + Path(suffix).suffix
    command = [word.replace("IN", path).replace(suffix, output) for word in command]
    done = subprocess.run(command, capture_output=True, check=False).returncode == 0
    return output if done and Path(output).exists() else None


def main():
    material, program = Path(sys.argv[1]), sys.argv[2]
    kinds = sys.argv[3:] or ["loop", "ragged"]
    truths = [t for t in map(json.loads, open(material / "test/truth.jsonl")) if t["kind"] in kinds and not t.get("named")]
    for name, command in VARIANTS.items():
        with tempfile.TemporaryDirectory() as folder, Pool(2) as pool:
            jobs = [(str(material / "test" / t["file"]), command, Path(folder) / str(i)) for i, t in enumerate(truths)]
            paths = pool.map(changed, jobs)
            answers = evaluate.barline(program, [path for path in paths if path])
            for kind in kinds:
                rows = [(t, answers.get(path) or {}) for t, path in zip(truths, paths) if t["kind"] == kind and path]

                def share(width, octaves=(1,), rows=rows):
                    return sum(metrics.within(a.get("bpm"), t["bpm"], width, octaves) for t, a in rows) / len(rows)

                print(f"{name:16} {kind:7} n={len(rows):3} A1 {share(0.04):.3f} A2 {share(0.04, metrics.OCTAVES):.3f} "
                      f"0.1% {share(0.001):.3f} 0.1%any {share(0.001, metrics.OCTAVES):.3f}", flush=True)


if __name__ == "__main__":
    main()
