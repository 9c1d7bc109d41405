"""Clips and scenes: what is pressed is queued, then plays, on the frame that the grid gives."""

import re
from itertools import pairwise

import pytest
from sound import SILENCE, level


@pytest.fixture
def program(resting):
    return resting


PLACES = """(seconds) => new Promise((resolve) => {
  const samples = []
  const start = performance.now()
  const step = (at) => {
    const done = document.querySelector("[data-clip='drums-four-steps'] .done")
    samples.push({ at, place: Number(/translateX\\((.*)%\\)/.exec(done.style.transform)[1]) })
    if (at - start < seconds * 1000) requestAnimationFrame(step)
    else resolve(samples)
  }
  requestAnimationFrame(step)
})"""


def test_first_visit_has_one_obvious_thing_to_press(stage):
    greeting = stage.button("Play the first scene")
    assert greeting.is_visible()
    greeting.click()
    stage.wait_for_clip("drums-dust-shaker", "queued")
    stage.wait_for_clip("drums-dust-shaker", "playing")
    stage.wait_for_clip("lead-bell-drift", "playing")
    greeting.wait_for(state="hidden")
    stage.page.reload()
    stage.wait_until_ready()
    stage.wait_for_clip("drums-dust-shaker", "playing")
    assert not greeting.is_visible()


def test_a_queued_clip_counts_down_and_starts_on_the_bar(stage, program):
    stage.clip("drums-four-steps").click()
    stage.wait_for_clip("drums-four-steps", "playing")
    stage.clip("bass-rubber-root").click()
    stage.wait_for_clip("bass-rubber-root", "queued")
    stage.clip("bass-rubber-root").locator(".count", has_text=re.compile("^[1-4]$")).wait_for()
    stage.wait_for_clip("bass-rubber-root", "playing")
    # Four beats at 120 BPM are 96000 frames.
    assert (stage.started("bass-rubber-root") - stage.started("drums-four-steps")) % 96000 == 0


def test_the_playhead_moves_with_what_is_heard(stage, program):
    stage.clip("drums-four-steps").click()
    stage.wait_for_clip("drums-four-steps", "playing")
    stage.rest(0.3)
    samples = stage.page.evaluate(PLACES, 1.5)
    # Eight beats at 120 BPM are 4 s for the whole way, whenever a frame is drawn.
    errors = sorted(abs((after["place"] - before["place"]) % 100 / 100 * 4000 - (after["at"] - before["at"])) for before, after in pairwise(samples))
    # A machine with more to do may learn late what the time is; it goes on from there.
    assert errors[len(errors) * 8 // 10] < 15
    assert len(samples) > 10


def test_scenes_launch_rows_and_stop_what_has_no_clip_there(stage, program):
    stage.button("Launch scene Groove").click()
    for clip in ["drums-four-steps", "bass-rubber-root", "chords-velvet-keys", "lead-amber-pluck"]:
        stage.wait_for_clip(clip, "playing")
    frames = {event["frame"] for event in program.events("clipStarted")}
    assert len(frames) == 1
    stage.button("Launch scene Intro").click()
    stage.wait_for_clip("bass-rubber-root", "stopping")
    stage.wait_for_clip("drums-dust-shaker", "playing")
    stage.wait_for_clip("bass-rubber-root", "stopped")


def test_the_keyboard_plays_the_grid(stage):
    stage.page.keyboard.press("a")
    stage.wait_for_clip("drums-four-steps", "playing")
    stage.page.keyboard.press("Shift+Z")
    stage.wait_for_clip("bass-night-drive", "playing")
    stage.page.keyboard.press(" ")
    stage.wait_for_clip("bass-night-drive", "stopped")
    stage.page.keyboard.press(" ")
    stage.page.locator("[data-key='roll'][aria-pressed='false']").wait_for()


def test_a_choice_that_was_made_leaves_the_keys_to_the_grid(stage, program):
    first = program.session()["session"]["tracks"][0]
    clips = {clip["slot"]: clip["id"] for clip in first["clips"]}
    for name, key, clip in [("Launch on", "1", clips[3]), ("Ramp", "a", clips[1]), ("Metre", "1", clips[3]), ("Count-in", "z", clips[2])]:
        choice = stage.choice(name)
        choice.focus()
        before = choice.input_value()
        choice.select_option(before)
        stage.page.keyboard.press(key)
        stage.page.locator(f"[data-clip='{clip}']:is(.queued, .playing)").wait_for()
        assert choice.input_value() == before
        assert stage.page.evaluate("document.activeElement.tagName") == "SELECT"
    assert program.session()["session"]["launchQuantization"] == "1 bar"
    # What is typed is text where text is typed, and nowhere else.
    started = len(program.events("clipStarted"))
    stage.page.get_by_role("spinbutton", name="Tempo, beats a minute").click()
    stage.page.keyboard.press("q")
    stage.page.keyboard.press("Escape")
    stage.rest(0.3)
    assert stage.page.locator(f"[data-clip='{clips[0]}']:is(.queued, .playing)").count() == 0
    assert len(program.events("clipStarted")) <= started + 1


def test_an_empty_place_stops_its_track_and_asks_for_no_file(stage, program):
    asked = []
    stage.page.on("filechooser", lambda chooser: asked.append(chooser))
    stage.clip("bass-rubber-root").click()
    stage.wait_for_clip("bass-rubber-root", "playing")
    stage.button("Bass, scene 1, empty: stop the track").click()
    stage.wait_for_clip("bass-rubber-root", "stopping")
    stage.wait_for_clip("bass-rubber-root", "stopped")
    stage.page.keyboard.press("Enter")
    stage.rest(0.3)
    assert asked == []
    with stage.page.expect_file_chooser():
        stage.button("Edit", exact=True).click()
        stage.button("Add a clip to Bass, scene 1").click()


def test_the_space_bar_is_not_for_what_a_pointer_has_pressed(stage, program):
    stage.clip("drums-four-steps").click()
    stage.wait_for_clip("drums-four-steps", "playing")
    stage.page.keyboard.press(" ")
    stage.wait_for_clip("drums-four-steps", "stopping")
    stage.wait_for_clip("drums-four-steps", "stopped")
    assert len(program.events("clipStarted")) == 1
    # Who has come by the keyboard presses with it.
    stage.clip("lead-amber-pluck").focus()
    stage.page.keyboard.press(" ")
    stage.wait_for_clip("lead-amber-pluck", "playing")


def test_arrow_keys_and_enter_reach_everything_too(stage):
    stage.button("Launch scene Intro").focus()
    for key in ["ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"]:
        stage.page.keyboard.press(key)
    assert stage.page.evaluate("document.activeElement.dataset.clip") == "lead-amber-pluck"
    for key, name in [("Home", "Launch scene Groove"), ("Control+Home", "Launch scene Intro"), ("Control+End", "Stop Lead")]:
        stage.page.keyboard.press(key)
        assert stage.page.evaluate("document.activeElement.ariaLabel") == name
    stage.clip("lead-amber-pluck").focus()
    stage.page.keyboard.press("Enter")
    stage.wait_for_clip("lead-amber-pluck", "playing")
    stage.page.keyboard.press("Shift+Enter")
    stage.page.locator("#editor:not([hidden])").wait_for()


def test_stopping_a_track_and_panic(stage, program):
    stage.button("Launch scene Groove").click()
    stage.wait_for_clip("bass-rubber-root", "playing")
    stage.button("Stop Bass").click()
    stage.wait_for_clip("bass-rubber-root", "stopping")
    stage.wait_for_clip("bass-rubber-root", "stopped")
    stage.button("Panic").click()
    stage.wait_for_clip("drums-four-steps", "stopped")
    # At once, and not on the next bar line.
    assert (program.events("clipStopped")[-1]["frame"] - program.events("clipStarted")[0]["frame"]) % 96000 != 0


def test_a_gate_clip_plays_while_it_is_held(stage, program):
    program.act({"do": "editClip", "clip": "lead-amber-pluck", "set": {"launchMode": "gate", "quantization": "none"}})
    box = stage.clip("lead-amber-pluck").bounding_box()
    stage.page.mouse.move(box["x"] + 30, box["y"] + 40)
    stage.page.mouse.down()
    stage.wait_for_clip("lead-amber-pluck", "playing")
    stage.page.mouse.up()
    stage.wait_for_clip("lead-amber-pluck", "stopped")
    program.act({"do": "undo"})


def test_what_sounds_is_what_was_pressed(stage, program):
    recording = stage.record()
    stage.clip("drums-four-steps").click()
    stage.wait_for_clip("drums-four-steps", "playing")
    stage.rest(2.2)
    stage.button("Panic").click()
    stage.wait_for_clip("drums-four-steps", "stopped")
    stage.rest(0.4)
    samples, rate, _ = stage.stop_recording()
    start = stage.started("drums-four-steps") - recording["since"]
    assert rate == 48000
    # A loop comes in over the 5 ms before its boundary.
    assert level(samples[:start - 240]) < SILENCE
    assert level(samples[start:start + 4800]) > 0.01
    assert level(samples[-4800:]) < SILENCE
