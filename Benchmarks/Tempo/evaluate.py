"""Measures Barline, and the peers that are installed, on the held-out half.

usage: evaluate.py MATERIAL BARLINE [--half train|test] [--peers] [--errors]
       evaluate.py MATERIAL BARLINE [--half train|test] --cuts
"""

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

import metrics
import peers


def barline(program, paths):
    """Barline's answers, file by file, on one core. The files have no names from which a tempo could be told."""
    answers = {}
    with tempfile.TemporaryDirectory() as folder:
        aliases = {}
        for index, path in enumerate(paths):
            alias = str(Path(folder, f"{index}{Path(path).suffix}"))
            Path(alias).symlink_to(Path(path).resolve())
            aliases[alias] = path
        names = list(aliases)
        for start in range(0, len(names), 100):
            result = subprocess.run(["taskset", "-c", "0", program, "analyze", "--json", *names[start:start + 100]],
                                    capture_output=True, text=True, check=False)
            for line in result.stdout.splitlines():
                answer = json.loads(line)
                answers[aliases[answer["file"]]] = answer
    return answers


def report(name, truths, answers, errors):
    """Prints a method's figures."""
    for kind in ("loop", "ragged", "song"):
        rows = [(t, answers.get(t["path"]) or {}) for t in truths if t["kind"] == kind]
        if not rows:
            continue
        def share(width, octaves=(1,)):
            return np.mean([metrics.within(a.get("bpm"), t["bpm"], width, octaves) for t, a in rows])
        text = (f"{name:16} {kind:7} n={len(rows):3} A1 {share(0.04):.3f} A2 {share(0.04, metrics.OCTAVES):.3f} "
                f"0.1% {share(0.001):.3f} 0.1%any {share(0.001, metrics.OCTAVES):.3f} 0.5%any {share(0.005, metrics.OCTAVES):.3f}")
        if kind == "song":
            rows = [(t, a) for t, a in rows if a.get("beats") is not None]
            def mean(measure):
                return np.mean([measure(a["beats"], t["beatTimes"]) for t, a in rows]) if rows else 0
            offsets = [abs(o) for o in (metrics.offset(a["beats"], t["beatTimes"]) for t, a in rows) if o is not None]
            text += (f" F {mean(metrics.f_measure):.3f} CMLt {mean(metrics.correct):.3f} AMLt {mean(metrics.correct_any):.3f}"
                     f" offset {np.median(offsets) if offsets else 0:.1f} ms")
            if rows and rows[0][1].get("downbeats") is not None:
                text += f" down F {np.mean([metrics.f_measure(a['downbeats'], t['downbeats']) for t, a in rows]):.3f}"
        if kind == "loop" and name == "barline":
            text += f" beats {np.mean([a.get('loopBeats') == t['beats'] for t, a in rows]):.3f}"
        print(text)
        if errors:
            for t, a in rows:
                if kind == "song" and (f := metrics.f_measure(a["beats"], t["beatTimes"])) < 0.9:
                    print(f"     {Path(t['path']).name:50} beat F {f:.2f} AMLt {metrics.correct_any(a['beats'], t['beatTimes']):.2f}"
                          f" {t['bpm']:.3f} said {a['bpm'] or 0:.3f} offset {metrics.offset(a['beats'], t['beatTimes'])}")
                if not metrics.within(a.get("bpm"), t["bpm"], 0.04 if kind != "ragged" else 0.005):
                    print(f"     {Path(t['path']).name:50} {t['bpm']:8.3f} said {a.get('bpm')} sure {a.get('confidence')}"
                          f" beats {t.get('beats')} {a.get('loopBeats')} {t.get('way', '')}")


def report_cuts(folder, program):
    """Prints how exact loops fare, and cuts that begin off the beat (cuts.py): among them those whose length is a whole
    number of the beats that are heard."""
    truths = [t for name in ("truth", "cuts") for t in map(json.loads, open(folder / f"{name}.jsonl"))]
    for truth in truths:
        truth["path"] = truth["file"] if truth["file"].startswith("/") else str(folder / truth["file"])
    truths = [t for t in truths if t["kind"] in ("loop", "preview", "trim", "rotated")]
    answers = barline(program, [t["path"] for t in truths])
    for kind in ("loop", "preview", "trim", "rotated"):
        rows = [(t, answers.get(t["path"]) or {}) for t in truths if t["kind"] == kind]
        for truth, answer in rows:
            if kind == "loop":
                truth["beatTimes"] = [k * answer["duration"] / truth["beats"] for k in range(int(truth["beats"]))]
                truth["downbeats"] = truth["beatTimes"][::truth["beatsPerBar"]]
        loops = [(t, a) for t, a in rows if a.get("loopBeats")]
        nailed = [a["beats"][0] < 0.003 for _, a in loops]
        text = f"{kind:8} n={len(rows):3} loops {len(loops):3} from frame 0 {sum(nailed):3}"
        for name, some in (("all", rows), ("loops", loops)):
            beats = [metrics.f_measure(a.get("beats", []), t["beatTimes"]) for t, a in some]
            downs = [metrics.f_measure(a.get("downbeats", []), t["downbeats"]) for t, a in some]
            text += f"; {name}: F {np.mean(beats):.3f} down F {np.mean(downs):.3f}"
        offsets = [abs(o) for o in (metrics.offset(a.get("beats", []), t["beatTimes"]) for t, a in rows) if o is not None]
        first, any_octave = (np.mean([metrics.within(a.get("bpm"), t["bpm"], w, o) for t, a in rows])
                             for w, o in ((0.04, (1,)), (0.001, metrics.OCTAVES)))
        print(f"{text}; offset {np.median(offsets):.1f} ms A1 {first:.3f} 0.1%any {any_octave:.3f}", flush=True)


def draw(bins, path):
    """The reliability diagram: the share of right answers by confidence, as wide as there are answers."""
    side, edge = 320, 48
    most = max(count for _, _, count in bins)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side + 2 * edge} {side + 2 * edge}" font-family="sans-serif"'
             ' font-size="12" fill="#57606a"><rect width="100%" height="100%" fill="#ffffff"/>',
             f'<path d="M{edge} {edge + side}L{edge + side} {edge}" stroke="#8c959f" stroke-dasharray="4 4"/>',
             f'<path d="M{edge} {edge}V{edge + side}H{edge + side}" stroke="#57606a" fill="none"/>']
    for tick in range(0, 11, 2):
        at = side * tick / 10
        parts.append(f'<text x="{edge + at}" y="{edge + side + 18}" text-anchor="middle">{tick / 10}</text>')
        parts.append(f'<text x="{edge - 8}" y="{edge + side - at + 4}" text-anchor="end">{tick / 10}</text>')
    for confidence, right, count in bins:
        x, y = edge + side * confidence, edge + side * (1 - right)
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{3 + 12 * (count / most) ** 0.5:.1f}" fill="#b45309" fill-opacity="0.55"/>')
        parts.append(f'<text x="{x:.1f}" y="{y - 12:.1f}" text-anchor="middle" font-size="10">{count}</text>')
    parts.append(f'<text x="{edge + side / 2}" y="{2 * edge + side - 8}" text-anchor="middle">confidence</text>')
    parts.append(f'<text x="14" y="{edge + side / 2}" text-anchor="middle" transform="rotate(-90 14 {edge + side / 2})">share right</text></svg>')
    Path(path).write_text("\n".join(parts) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("material", type=Path)
    parser.add_argument("program")
    parser.add_argument("--half", default="test")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--diagram", help="draw the reliability diagram (SVG)")
    parser.add_argument("--cuts", action="store_true", help="cuts that begin off the beat, beside exact loops")
    options = parser.parse_args()
    folder = options.material / options.half
    if options.cuts:
        report_cuts(folder, options.program)
        return
    truths = [json.loads(line) for line in open(folder / "truth.jsonl")]
    for truth in truths:
        truth["path"] = truth["file"] if truth["file"].startswith("/") else str(folder / truth["file"])
    paths = [truth["path"] for truth in truths]
    started = time.time()
    answers = barline(options.program, paths)
    took = time.time() - started
    seconds = sum(answer["duration"] for answer in answers.values())
    report("barline", truths, answers, options.errors)
    print(f"{'barline':16} {60 * took / seconds:.3f} s a minute, loudness and true peak included")
    graded = [(a["confidence"], metrics.within(a.get("bpm"), t["bpm"], 0.04)) for t in truths if (a := answers.get(t["path"]))]
    error, bins = metrics.calibration(graded)
    print(f"calibration error {error:.3f}; confidence: share right (count): "
          + ", ".join(f"{c:.2f}: {r:.2f} ({n})" for c, r, n in bins))
    if options.diagram:
        draw(bins, options.diagram)
    if options.peers:
        for name, method in peers.METHODS.items():
            for truth in truths:
                truth.setdefault("seconds", answers[truth["path"]]["duration"])
            started = time.time()
            found = {path: method(path) for path in paths}
            took = time.time() - started
            if any(found.values()):
                report(name, truths, found, False)
                print(f"{name:16} {60 * took / seconds:.3f} s a minute")


if __name__ == "__main__":
    main()
