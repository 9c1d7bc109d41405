"""Several pages, pages that are opened anew, servers that go away."""

import time

import numpy
from program import PATIENCE, Program, render
from sound import SILENCE, read_wave


def test_two_pages_show_the_same(program, stage, open_page):
    other = open_page(program, width=390, height=844, touch=True)
    stage.clip("drums-four-steps").click()
    other.wait_for_clip("drums-four-steps", "playing")
    other.clip("bass-rubber-root").tap()
    stage.wait_for_clip("bass-rubber-root", "playing")
    stage.tempo(133)
    other.page.wait_for_function("() => document.querySelector('.tempo .number').getAttribute('aria-valuenow') === '133.0'")
    other.show("mixer")
    other.button("Mute Bass").tap()
    stage.page.locator("[data-key='Mute-bass'][aria-pressed='true']").wait_for()


def test_a_page_that_is_opened_anew_finds_all_and_disturbs_nothing(program, stage, demo, tmp_path):
    recording = stage.record()
    stage.button("Launch scene Groove").click()
    stage.wait_for_clip("lead-amber-pluck", "playing")
    stage.tempo(126)
    for _ in range(3):
        stage.page.reload()
        stage.wait_until_ready()
        stage.wait_for_clip("drums-four-steps", "playing")
        assert stage.page.get_by_role("spinbutton", name="Tempo, beats a minute").get_attribute("aria-valuenow") == "126.0"
    stage.rest(1)
    samples, rate, script = stage.stop_recording()
    # The script that was recorded, rendered offline, is what was heard, so nothing came between.
    assert recording["audio"]
    path = tmp_path / "take.jsonl"
    path.write_bytes(script)
    output = tmp_path / "take.wav"
    render(demo, path, output, len(samples) / rate + 1)
    expected, _ = read_wave(output.read_bytes())
    assert numpy.abs(expected[:len(samples)] - samples).max() < SILENCE
    assert numpy.abs(samples).max() > 0.05


def test_a_page_comes_back_when_the_server_does(home, demo, open_page):
    program = Program(home, demo)
    stage = open_page(program)
    stage.expects_losses = True
    program.stop()
    stage.page.get_by_text("can't be reached").wait_for()
    program.start()
    try:
        stage.page.get_by_text("can't be reached").wait_for(state="hidden")
        stage.clip("drums-four-steps").click()
        stage.wait_for_clip("drums-four-steps", "playing")
    finally:
        stage.context.close()
        program.stop()


def test_listening_here_brings_the_sound_and_tells_how_late_it_is(program, stage):
    blocks = []
    stage.page.on("websocket", lambda socket: socket.on("framereceived", lambda data: blocks.append(data) if "/api/listen" in socket.url else None))
    stage.show("settings")
    stage.button("Listen here", exact=True).last.click()
    stage.page.get_by_text("ms late").wait_for()
    program.act({"do": "launchScene", "scene": 1})
    program.wait_for(lambda: program.events("clipStarted"), "clips start")

    def loudest():
        sound = [numpy.frombuffer(block[16:], "<f4") for block in blocks if isinstance(block, bytes)]
        return max((numpy.abs(block).max() for block in sound), default=0)

    deadline = time.monotonic() + PATIENCE
    while loudest() < 0.01 and time.monotonic() < deadline:
        stage.rest(0.1)
    assert loudest() > 0.01
    stage.button("Stop listening here").click()
    stage.button("Listen here", exact=True).last.wait_for()


def test_who_listens_goes_on_listening_when_the_program_is_there_again(home, demo, open_page):
    program = Program(home, demo)
    stage = open_page(program)
    stage.expects_losses = True
    stage.show("settings")
    stage.button("Listen here", exact=True).last.click()
    stage.page.get_by_text("ms late").wait_for()
    program.stop()
    stage.page.get_by_text("ms late").wait_for(state="detached")
    stage.button("Stop listening here").wait_for()
    program.start()
    try:
        stage.page.get_by_text("ms late").wait_for()
        stage.button("Stop listening here").click()
        stage.button("Listen here", exact=True).last.wait_for()
    finally:
        stage.context.close()
        program.stop()
