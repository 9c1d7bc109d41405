"""Slots that are recorded into, with inputs of a JACK server without a sound device."""

import json
import re
import time

import pytest
from axe_playwright_python.sync_playwright import Axe
from program import Program

# Slow enough for every state to be seen on a machine that has more to do.
SESSION = {"barline": 1, "tempo": 40, "inputs": [{"name": "mic", "monitor": "never"}],
           "tracks": [{"id": "voice", "name": "Voice"}, {"id": "keys", "name": "Keys"}]}


@pytest.fixture
def program(tmp_path, jack):
    home = tmp_path / "home"
    for folder in [home, tmp_path / "set"]:
        folder.mkdir()
    (tmp_path / "set" / "set.barline").write_text(json.dumps(SESSION))
    program = Program(home, tmp_path / "set" / "set.barline", backend="jack", environment=jack.environment)
    program.wait_for(lambda: program.session()["givesInputs"], "inputs are given")
    yield program
    program.stop()


def clips(program):
    return program.session()["session"]["tracks"][0].get("clips", [])


def test_an_empty_place_waits_records_closes_and_plays(stage, program):
    place = stage.page.locator("[data-key='slot-voice-0']")
    stage.button("Record on Voice", exact=True).click()
    stage.button("Record into Voice, scene 1", exact=True).wait_for()
    assert program.session()["session"]["tracks"][0]["input"] == "mic"
    place.click()
    stage.button("Voice, scene 1: waiting", exact=True).wait_for()
    stage.button("Voice, scene 1: recording", exact=True).wait_for()
    assert Axe().run(stage.page).response["violations"] == []
    # Beats are counted; in the second one there is time until the end.
    stage.page.locator("[data-key='slot-voice-0'] .count", has_text="2").wait_for()
    place.click()
    stage.button("Voice, scene 1: closing", exact=True).wait_for()
    ended = program.wait_for(lambda: program.events("recordEnded"), "the take ends")[0]
    started = program.events("recordStarted")[0]
    assert ended["frames"] == ended["frame"] - started["frame"] and ended["frames"] % (4 * 72000) == 0
    stage.wait_for_clip(clips(program)[0]["id"], "playing")
    stage.button("Undo").first.click()
    stage.button("Record into Voice, scene 1", exact=True).wait_for()
    assert clips(program) == []


def test_a_track_keeps_the_bars_that_were_played(stage, program):
    program.act({"do": "editTrack", "track": "voice", "set": {"input": "mic"}}, {"do": "transport", "action": "play"})
    stage.button("Voice: commands").click()
    stage.page.get_by_role("menuitem", name="Keep the last 2 bars").click()
    program.wait_for(lambda: clips(program), "the clip comes")
    clip = clips(program)[0]
    assert clip["end"] - clip["start"] == 2 * 4 * 72000
    stage.clip(clip["id"]).wait_for()


def test_a_loop_is_recorded_over_and_its_layers_go_and_come(stage, program):
    program.act(
        {"do": "editTrack", "track": "voice", "set": {"input": "mic"}}, {"do": "tempo", "bpm": 120}, {"do": "transport", "action": "play"},
        {"do": "recordClip", "track": "voice", "slot": 0, "bars": 1, "id": "loop"})
    program.wait_for(lambda: clips(program), "the loop comes")
    stage.wait_for_clip("loop", "playing")
    stage.edit("loop")
    group = stage.page.get_by_role("group", name="Layers", exact=True)
    over = group.get_by_role("button", name="Record over it")
    over.focus()
    stage.page.keyboard.press("Enter")
    group.get_by_text(re.compile("recording$")).wait_for()
    stage.page.locator("[data-clip='loop'].recorded-over").wait_for()
    assert Axe().run(stage.page).response["violations"] == []
    # A turn of two seconds is a layer; the press ends what follows it.
    stage.page.locator("[data-clip='loop'] .tempo-fact", has_text="+1").wait_for()
    over.click()
    stage.page.locator("[data-clip='loop']:not(.recorded-over)").wait_for()
    program.wait_for(lambda: len(clips(program)[0]["layers"]) == len(program.events("layerAdded")), "the layers that were told of")
    count = len(clips(program)[0]["layers"])
    file = clips(program)[0]["file"]
    undo, redo = (group.get_by_role("button", name=f"{word} layer", exact=True) for word in ("Undo", "Redo"))
    undo.click()
    group.get_by_text(re.compile("1 undone$")).wait_for()
    assert len(clips(program)[0].get("layers", [])) == count - 1 and clips(program)[0]["file"] != file
    # Each layer is a strip on the clip, the one that was undone too, which is paler.
    strips = stage.page.locator("[data-clip='loop'] .loop-layer")
    stage.page.locator("[data-clip='loop'] .loop-layer-undone").wait_for(state="attached")
    assert strips.count() == min(count + 1, 8)
    assert all(strip["height"] >= 2 and strip["width"] > 20 for strip in (one.bounding_box() for one in strips.all()))
    redo.click()
    group.get_by_text(re.compile("^[0-9]+ layers?$")).wait_for()
    assert stage.page.locator("[data-clip='loop'] .loop-layer-undone").count() == 0
    assert clips(program)[0]["file"] == file
    group.get_by_role("button", name="Twice as long").click()
    group.get_by_text(f"{count + 1} layers", exact=True).wait_for()
    assert clips(program)[0]["beats"] == 8
    undo.click()
    group.get_by_text(re.compile("1 undone$")).wait_for()
    assert clips(program)[0]["file"] == file and clips(program)[0]["beats"] == 4
    redo.click()
    group.get_by_text(f"{count + 1} layers", exact=True).wait_for()
    # No label runs into the next one.
    for width in [1920, 1280, 375]:
        stage.page.set_viewport_size({"width": width, "height": 740})
        stage.page.wait_for_function("(width) => document.documentElement.clientWidth <= width", arg=width)
        cut = "(group) => [...group.querySelectorAll('button')].filter((button) => button.scrollWidth > button.clientWidth + 1).map((button) => button.textContent)"
        assert group.evaluate(cut) == [], width
    undo.scroll_into_view_if_needed()
    undo.click()
    group.get_by_text(re.compile("1 undone$")).wait_for()
    assert Axe().run(stage.page).response["violations"] == []


def record_until_killed(program):
    """Kills the program while it records into a slot, and starts it again; gives the frames that it has recorded at least."""
    program.act({"do": "recordClip", "track": "voice", "slot": 0, "input": "mic"})
    took = program.wait_for(lambda: [take for take in program.session()["takes"] if take["since"] is not None], "it is recorded")[0]
    time.sleep(3)
    last = [event["frame"] for event in program.events("beat")][-1]
    program.process.kill()
    program.process.wait()
    program.start()
    return last - took["since"]


def test_what_was_recorded_when_the_program_was_killed_is_offered(program, open_page):
    frames = record_until_killed(program)
    stage = open_page(program)
    rescued = program.session()["rescued"]
    # Half a second before its first frame is kept too; a second may be missing.
    assert len(rescued) == 1 and rescued[0]["seconds"] >= 0.5 + frames / 48000 - 1 and rescued[0]["session"] is None
    notice = stage.page.locator(".notice", has_text="was rescued")
    notice.get_by_role("button", name=f"Keep {rescued[0]['name']}").click()
    program.wait_for(lambda: program.session()["rescued"] == [], "it is kept")
    assert rescued[0]["recordings"][0]["name"] in [each["name"] for each in program.session()["recordings"]]


def test_what_was_recorded_of_another_session_is_kept_without_its_place_only_when_that_is_confirmed(program, open_page):
    record_until_killed(program)
    own = program.session()["file"]["name"].removesuffix(".barline")
    program.act({"do": "new", "name": "Another", "discard": True})
    stage = open_page(program)
    rescued = program.session()["rescued"]
    assert [take["session"] for take in rescued] == [own]
    keep = stage.page.locator(".notice", has_text=f"of “{own}”").get_by_role("button", name=f"Keep {rescued[0]['name']}")
    question = stage.page.get_by_role("dialog", name="Keep it without its place?")
    keep.click()
    question.get_by_role("button", name="Cancel").click()
    question.wait_for(state="detached")
    assert program.session()["rescued"] == rescued
    keep.click()
    question.get_by_role("button", name="Keep the file").click()
    program.wait_for(lambda: program.session()["rescued"] == [], "it is kept")
    assert rescued[0]["recordings"][0]["name"] in [each["name"] for each in program.session()["recordings"]]


def test_inputs_are_added_changed_and_taken_out(stage, program):
    stage.show("settings")
    card = stage.page.locator(".card", has=stage.page.get_by_role("heading", name="Inputs", exact=True))
    card.get_by_role("button", name="Add an input").click()
    name = card.locator("[data-key='input-name-Input 2']")
    name.fill("Line")
    name.press("Enter")
    card.get_by_role("combobox", name="Line: monitor").select_option("always")
    program.wait_for(
        lambda: [(each["name"], each.get("monitor")) for each in program.session()["session"]["inputs"]] == [("mic", "never"), ("Line", "always")],
        "the input is changed")
    assert Axe().run(stage.page).response["violations"] == []
    card.get_by_role("button", name="Remove Line").click()
    program.wait_for(lambda: len(program.session()["session"]["inputs"]) == 1, "the input goes away")


def test_an_input_is_of_what_is_played(stage, program):
    program.act({"do": "editTrack", "track": "voice", "set": {"input": "mic"}})
    stage.show("settings")
    card = stage.page.locator(".card", has=stage.page.get_by_role("heading", name="Inputs", exact=True))
    of = card.get_by_role("combobox", name="mic: of")
    card.get_by_role("combobox", name="mic: monitor").wait_for()
    of.select_option(label="the master")
    # What is played has neither channels of a device nor a monitor.
    card.get_by_role("combobox", name="mic: monitor").wait_for(state="detached")
    program.wait_for(lambda: program.session()["session"]["inputs"][0].get("from") == {"output": "main"}, "it is of the main output")
    assert Axe().run(stage.page).response["violations"] == []
    of.select_option(label="track Keys")
    program.wait_for(lambda: program.session()["session"]["inputs"][0].get("from") == {"track": "keys"}, "it is of a track")
    of.select_option(label="the device's channels")
    card.get_by_role("combobox", name="mic: monitor").wait_for()
    program.wait_for(lambda: program.session()["session"]["inputs"][0].get("from") is None, "it is of the device")


def test_the_first_loop_says_the_tempo(stage, program):
    program.act({"do": "editTrack", "track": "voice", "set": {"input": "mic"}})
    stage.show("settings")
    stage.page.get_by_role("checkbox", name="The first loop that is recorded says the tempo").check()
    program.wait_for(lambda: program.session()["session"].get("tempoFromFirstLoop"), "it is set")
    program.act({"do": "recordClip", "track": "voice", "slot": 0, "id": "loop"})
    program.wait_for(lambda: [take for take in program.session()["takes"] if take["since"] is not None], "it is recorded")
    # So long that several numbers of bars fit.
    time.sleep(4.2)
    program.act({"do": "recordClip", "track": "voice", "slot": 0})
    program.wait_for(lambda: clips(program), "the loop comes")
    clip = clips(program)[0]
    tempo = 60 * clip["beats"] * 48000 / (clip["end"] - clip["start"])
    assert 60 <= tempo <= 180 and abs(program.session()["session"]["tempo"] - tempo) < 1e-6
    stage.show("launcher")
    stage.wait_for_clip("loop", "playing")
    stage.edit("loop")
    offered = stage.page.get_by_role("group", name="Tempos of the set from this loop").get_by_role("button")
    offered.last.wait_for()
    assert Axe().run(stage.page).response["violations"] == []
    # Which one the set has, and whether another one is faster, depends on how long this machine took.
    tempos = {float(re.search(r"[\d.]+", button.text_content()).group()): button for button in offered.all()}
    asked, other = next((bpm, button) for bpm, button in tempos.items() if abs(bpm - tempo) > 1)
    other.click()
    program.wait_for(lambda: abs(program.session()["session"]["tempo"] - asked) < 0.06, f"the set at {asked} BPM")
