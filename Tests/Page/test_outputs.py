"""Outputs that come while the program runs: a JACK server that is started later, devices that are plugged in."""

import json
import os
import sys
import time

import pytest
from jack import JackServer
from program import Program, copy_session


@pytest.fixture
def jack():
    server = JackServer()
    yield server
    server.stop()


@pytest.fixture
def alsa(tmp_path):
    return Alsa(tmp_path / "asound.conf")


@pytest.fixture
def start(home, demo, tmp_path, jack, alsa):
    programs = []

    def start(backend=None):
        program = Program(home, copy_session(demo.parent, tmp_path / f"set-{len(programs)}"), backend=backend,
                          environment={**jack.environment, "ALSA_CONFIG_PATH": str(alsa.path)})
        programs.append(program)
        return program

    yield start
    for program in programs:
        program.stop()


class Alsa:
    """The machine's sound devices, as ALSA's configuration says."""

    def __init__(self, path):
        self.path = path
        self.plug()

    def plug(self, *names):
        fresh = self.path.with_suffix(".new")
        # PortAudio takes a configuration without a default device for an error, unless there is one that can't be opened.
        fresh.write_text("pcm.none 1\n" + "".join(f"pcm.{name} {{ type null }}\n" for name in names))
        os.replace(fresh, self.path)


def outputs(program):
    return json.loads(program.get("/api/outputs")[1])["outputs"]


def names(program):
    return [output["name"] for output in outputs(program) if output["backend"] == "portaudio"]


def backend(program):
    return program.session()["engine"]["backend"]


def test_a_jack_server_that_starts_later_is_joined(start, jack):
    program = start()
    assert backend(program) == "null"
    program.act({"do": "launchScene", "scene": 1})
    program.wait_for(lambda: program.events("clipStarted"), "clips start")
    jack.start()
    program.wait_for(lambda: backend(program) == "jack", "JACK is joined")
    assert jack.ports("barline:main") == ["barline:main_1", "barline:main_2"]
    # Not once more, as PortAudio's.
    assert [output["name"] for output in outputs(program)] == ["JACK server", "null (paced by the clock, not heard)"]
    before = program.wait_for(lambda: program.act({"do": "metronome", "on": False})[0]["frame"], "JACK's first block")
    program.wait_for(lambda: [event for event in program.events("clipLooped") if event["frame"] > before], "the loops go on")
    assert not program.events("clipStopped")
    assert "playing to jack (barline) from now on" in program.log_file.read_text()


def test_the_clock_that_was_asked_for_stays(start, jack):
    program = start("null")
    waiting = start()
    jack.start()
    waiting.wait_for(lambda: backend(waiting) == "jack", "the one that waits joins")
    assert backend(program) == "null"
    # So does the one that is chosen while another one plays.
    waiting.act({"do": "output", "backend": "null"})
    waiting.wait_for(lambda: backend(waiting) == "null", "the clock again")
    # Longer than the first looks are apart.
    time.sleep(3)
    assert backend(waiting) == "null"


@pytest.mark.skipif(sys.platform != "linux", reason="the devices are ALSA's")
def test_devices_that_are_plugged_in_are_listed_and_played_to(start, alsa):
    program = start("null")
    assert names(program) == []
    alsa.plug("desk")
    program.wait_for(lambda: names(program) == ["ALSA: desk"], "a device that came")
    alsa.plug("desk", "stage")
    program.wait_for(lambda: names(program) == ["ALSA: desk", "ALSA: stage"], "another one")
    chosen = next(output for output in outputs(program) if output["name"] == "ALSA: desk")
    program.act({"do": "output", "backend": "portaudio", "device": chosen["device"]})
    program.wait_for(lambda: program.session()["engine"]["output"] == "portaudio (ALSA: desk)", "it is played to")
    # While it plays.
    alsa.plug("desk", "stage", "booth")
    program.wait_for(lambda: names(program) == ["ALSA: desk", "ALSA: stage", "ALSA: booth"], "a device that came while one plays")
    chosen = next(output for output in outputs(program) if output["name"] == "ALSA: booth")
    program.act({"do": "output", "backend": "portaudio", "device": chosen["device"]})
    program.wait_for(lambda: program.session()["engine"]["output"] == "portaudio (ALSA: booth)", "the other one is played to")
    assert [output["name"] for output in outputs(program) if output["isUsed"]] == ["ALSA: booth"]


@pytest.mark.skipif(sys.platform != "linux", reason="the devices are ALSA's")
def test_a_device_that_is_plugged_in_ends_the_silence(start, alsa):
    program = start()
    assert backend(program) == "null"
    alsa.plug("default")
    program.wait_for(lambda: backend(program) == "portaudio", "the device is played to")
