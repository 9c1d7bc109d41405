"""The program under test: a real `barline run`, on the clock or on a JACK server."""

import json
import os
import shutil
import signal
import socket
import ssl
import subprocess
import time
import urllib.request
import wave
from pathlib import Path

import numpy

ROOT = Path(__file__).resolve().parents[2]
# Files of the page that are not in the program yet, for those who work on them.
PAGE_FOLDER = os.environ.get("BARLINE_PAGE_FOLDER")
BARLINE = os.environ.get("BARLINE", str(ROOT / ".build/release/barline"))

SERVER_NICENESS = 5
# Seconds that anything may take on a slow machine that has more to do.
PATIENCE = 40


def free_port():
    with socket.socket() as candidate:
        candidate.bind(("127.0.0.1", 0))
        return candidate.getsockname()[1]


class Program:
    """A running `barline`, with folders of its own for all that it keeps."""

    def __init__(self, home, session=None, backend="null", port=None, environment=None, network=False, certificate=None, options=()):
        self.home = Path(home)
        self.port = port or free_port()
        # The files of a certificate and its key, where the page is served over TLS.
        self.trust = ssl.create_default_context(cafile=certificate[0]) if certificate else None
        self.url = f"{'https' if certificate else 'http'}://127.0.0.1:{self.port}/"
        # The link that carries a token, where the page is served to the network.
        self.link = None
        self.events_file = self.home / f"events-{self.port}-{time.monotonic_ns()}.jsonl"
        self.log_file = self.home / "log"
        self.read_from = 0
        self.environment = environment or {}
        self.command = [BARLINE, "run", *([str(session)] if session else []), *(["--backend", backend] if backend else []),
                        "--port", str(self.port), "--no-browser", "--json", *(["--listen", "127.0.0.1"] if network else []),
                        *(["--tls-certificate", certificate[0], "--tls-key", certificate[1]] if certificate else []),
                        *(["--page-folder", PAGE_FOLDER] if PAGE_FOLDER else []), *options]
        self.start()

    def start(self):
        environment = {**os.environ, "XDG_CACHE_HOME": str(self.home / "cache"), "XDG_DATA_HOME": str(self.home / "data"), "HOME": str(self.home),
                       **self.environment}
        with open(self.log_file, "ab") as log, open(self.events_file, "ab") as events:
            self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=events, stderr=log, env=environment,
                                            cwd=self.home)
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                links = self.events("page")
                self.link = links[-1]["link"] if links else None
                self.session()
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise AssertionError(f"barline did not start:\n{self.log_file.read_text()}") from None
                time.sleep(0.05)

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                raise AssertionError("barline did not end when it was asked to") from None

    def rights(self):
        """The header of a request that may do everything."""
        token = self.link.partition("token=")[2] if self.link else ""
        return {"Authorization": f"Bearer {token}"} if token else {}

    def get(self, path):
        request = urllib.request.Request(self.url + path.lstrip("/"), headers=self.rights())
        with urllib.request.urlopen(request, timeout=20, context=self.trust) as answer:
            return answer.headers, answer.read()

    def session(self):
        return json.loads(self.get("/api/session")[1])

    def rest(self):
        """Stops what plays, and forgets what happened."""
        self.act({"do": "transport", "action": "stop"})
        time.sleep(0.1)
        self.read_from = self.events_file.stat().st_size

    def act(self, *actions):
        """Does something without the page, and waits until it is done."""
        body = json.dumps({"actions": list(actions)}).encode()
        request = urllib.request.Request(self.url + "api/actions", body, {"Content-Type": "application/json", **self.rights()})
        with urllib.request.urlopen(request, timeout=20, context=self.trust) as answer:
            results = json.loads(answer.read())["results"]
        assert all(result["ok"] for result in results), results
        return results

    def events(self, kind=None):
        with open(self.events_file, "rb") as file:
            file.seek(self.read_from)
            lines = file.read().decode().splitlines()
        events = [json.loads(line) for line in lines if line.endswith("}")]
        return [event for event in events if kind is None or event["event"] == kind]

    def wait_for(self, condition, what, seconds=PATIENCE):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            found = condition()
            if found:
                return found
            time.sleep(0.03)
        raise AssertionError(f"not seen in {seconds} s: {what() if callable(what) else what}")

    def server_seconds(self):
        """What the server's threads, which are the ones of its niceness, have used of the processor."""
        ticks = 0
        for task in Path(f"/proc/{self.process.pid}/task").iterdir():
            fields = (task / "stat").read_text().rsplit(")", 1)[1].split()
            if int(fields[16]) == SERVER_NICENESS:
                ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")


def write_demo(folder):
    """The demo set as files; returns its session."""
    subprocess.run([BARLINE, "demo", str(folder)], check=True, stdout=subprocess.DEVNULL)
    return Path(folder) / "demo.barline"


def write_wall(folder, tracks=64):
    """A session of as many tracks as asked for, with a clip each, all in the first row."""
    demo = json.loads((Path(folder) / "demo.barline").read_text())
    clips = [clip for track in demo["tracks"] for clip in track["clips"]]
    wall = {"barline": 1, "name": "Wall", "tempo": 124, "master": {"gain": -24}, "scenes": [{"name": "All"}], "tracks": []}
    for index in range(tracks):
        clip = {**clips[index % len(clips)], "id": f"clip-{index}", "slot": 0}
        wall["tracks"].append({"id": f"track-{index}", "name": f"Track {index + 1}", "clips": [clip]})
    path = Path(folder) / "wall.barline"
    path.write_text(json.dumps(wall))
    return path


def write_stems(folder):
    """A session with three stems, which are loops of the demo set, and two markers."""
    files = {"drums": "drums-four-steps", "bass": "bass-rubber-root", "keys": "chords-velvet-keys"}
    stems = [{"id": name, "name": name.title(), "file": f"loops/{file}.wav", "gain": -6} for name, file in files.items()]
    session = {"barline": 1, "name": "Stems", "stems": stems, "markers": [{"name": "verse", "position": 1.5}, {"name": "chorus", "position": 5}]}
    path = Path(folder) / "stems.barline"
    path.write_text(json.dumps(session))
    return path


def write_tones(folder, tones):
    """Sine waves as 16-bit files at 48 kHz: `tones` has frequency and frames by name. Returns the samples by name."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    written = {}
    for name, (frequency, frames) in tones.items():
        samples = numpy.round(8000 * numpy.sin(2 * numpy.pi * frequency / 48000 * numpy.arange(frames))).astype("<i2")
        with wave.open(str(Path(folder) / f"{name}.wav"), "wb") as file:
            file.setparams((1, 2, 48000, frames, "NONE", ""))
            file.writeframes(samples.tobytes())
        written[name] = samples / 2**15
    return written


def write_playlist(folder, names):
    """A session whose playlist has these files of the folder."""
    items = [{"id": name, "file": f"{name}.wav", "title": name.title()} for name in names]
    path = Path(folder) / "list.barline"
    path.write_text(json.dumps({"barline": 1, "name": "List", "playlist": items}))
    return path


def render(session, script, output, duration):
    """What a script sounds like, rendered offline."""
    subprocess.run([BARLINE, "render", str(session), "--script", str(script), "--duration", str(duration), "--output", str(output)],
                   check=True, stdout=subprocess.DEVNULL)


def copy_session(folder, to):
    shutil.copytree(folder, to)
    return Path(to) / "demo.barline"
