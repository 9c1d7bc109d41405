"""A JACK server of the test's own, without a sound device."""

import os
import subprocess
import time


class JackServer:
    def __init__(self):
        self.name = f"barline-page-{os.getpid()}-{time.monotonic_ns()}"
        self.environment = {"JACK_DEFAULT_SERVER": self.name, "JACK_NO_START_SERVER": "1", "JACK_NO_AUDIO_RESERVATION": "1"}
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            # It waits for its clients: however busy the machine is, no frame is passed over.
            ["jackd", "-n", self.name, "-r", "-S", "-d", "dummy", "-r", "48000", "-p", "1024"], env={**os.environ, **self.environment},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 30
        while not self.ports("system:"):
            assert self.process.poll() is None and time.monotonic() < deadline, "jackd did not start"
            time.sleep(0.1)

    def ports(self, beginning):
        listed = subprocess.run(["jack_lsp"], env={**os.environ, **self.environment}, capture_output=True, text=True, check=False)
        return [line for line in listed.stdout.splitlines() if line.startswith(beginning)]

    def connect(self, source, target):
        subprocess.run(["jack_connect", source, target], env={**os.environ, **self.environment}, check=True, capture_output=True)

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(10)
