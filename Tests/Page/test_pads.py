"""Pads: what is pressed sounds at once, as hard as it is hit; sounds are dropped on them, and what they are set to is kept."""

import json
import re

import numpy
import pytest
from program import Program, write_tones
from test_import import drop
from test_page import SMALL, violations

TONES = {"kick": (60, 24000), "snare": (200, 12000), "open": (3000, 96000), "closed": (5000, 4800)}


@pytest.fixture
def kit(home, tmp_path):
    """A set of four pads, two of which choke each other, and one whose file is missing."""
    folder = tmp_path / "kit"
    write_tones(folder, TONES)
    pads = [{"id": "kick", "name": "Kick", "file": "kick.wav", "slot": 0, "note": 36, "color": "#e8825a"},
            {"id": "snare", "name": "Snare", "file": "snare.wav", "slot": 1, "note": 38, "color": "#4fa8cf"},
            {"id": "open", "name": "Open hat", "file": "open.wav", "slot": 4, "choke": 1, "color": "#8fbf4f"},
            {"id": "closed", "name": "Closed hat", "file": "closed.wav", "slot": 5, "choke": 1, "color": "#a07fd8"},
            {"id": "gone", "file": "gone.wav", "slot": 15}]
    session = folder / "kit.barline"
    session.write_text(json.dumps({"barline": 1, "name": "Kit", "pads": pads}))
    program = Program(home, session)
    yield program
    program.stop()


def pad(stage, identity):
    return stage.page.locator(f"[data-pad='{identity}']")


def pads_of(program):
    return {entry["id"]: entry for entry in program.session()["session"]["pads"]}


def hits(program, count, why=lambda: ""):
    heard = lambda: [(event["pad"], event["velocity"]) for event in program.events("padHit")]
    program.wait_for(lambda: len(heard()) >= count, lambda: f"{count} hits, but {heard()} {why()}")
    return heard()


def set_range(stage, name, value):
    stage.page.get_by_label(name).evaluate(
        "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input', { bubbles: true })) }", value)


def test_a_press_hits_once_whatever_presses_and_it_lights_up(kit, open_page):
    stage = open_page(kit, view="pads")
    box = pad(stage, "kick").bounding_box()
    stage.page.mouse.move(box["x"] + 40, box["y"] + 40)
    stage.page.mouse.down()
    assert hits(kit, 1) == [("kick", 1)]
    stage.page.locator("[data-pad='kick'].playing").wait_for()
    stage.page.mouse.up()
    pad(stage, "snare").focus()
    stage.page.keyboard.press("Enter")
    set_range(stage, "Velocity of hits from this page", 50)
    pad(stage, "snare").click()
    # Row by row the keys lie as the pads do: A and S are the second row from below.
    stage.page.keyboard.press("z")
    stage.page.keyboard.press("s")
    stage.page.keyboard.press("Shift+A")
    assert hits(kit, 6) == [("kick", 1), ("snare", 1), ("snare", 0.5), ("kick", 0.5), ("closed", 0.5), ("open", 0.2)]
    stage.rest(0.3)
    assert len(kit.events("padHit")) == 6


def test_fingers_play_several_pads_at_once(kit, open_page):
    stage = open_page(kit, width=390, height=844, view="pads", touch=True)
    client = stage.context.new_cdp_session(stage.page)
    places = [pad(stage, name).bounding_box() for name in ["kick", "open"]]
    points = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2, "id": index} for index, box in enumerate(places)]
    # What the browser makes of the fingers, and what the page asks for: where a hit is missing it is one or the other.
    stage.page.evaluate("""() => {
        window.seen = []
        for (const type of ["touchstart", "pointerdown", "pointercancel"])
            addEventListener(type, (event) => seen.push(`${type} ${event.target.closest?.("[data-pad]")?.dataset.pad} ${event.clientX},${event.clientY}`), true)
        const send = WebSocket.prototype.send
        WebSocket.prototype.send = function (text) {
            if (text.includes("hit")) seen.push(text)
            return send.call(this, text)
        }
    }""")
    client.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points[:1]})
    client.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    stage.rest(0.4)
    assert sorted(hits(kit, 2, lambda: f"at {points} the page saw {stage.page.evaluate('seen')}")) == [("kick", 1), ("open", 1)]
    assert len(kit.events("padHit")) == 2


def test_on_a_phone_a_notice_lies_over_no_pad(kit, open_page):
    stage = open_page(kit, width=390, height=844, view="pads", touch=True)
    pad(stage, "snare").wait_for()
    # As many as there may be after a run that was broken off.
    stage.page.evaluate("""async () => {
        const { tell } = await import(document.querySelector("script[type=module][src]").src.replace(/[^/]*$/, "ui/notices.js"))
        for (const number of [1, 2, 3]) tell(`${number}: something that takes its time to be read, and is as long as what is said of a recording that was broken off and can be kept`, "error")
    }""")
    stage.page.locator(".notice.error").last.wait_for()
    covered = stage.page.evaluate("""() => [...document.querySelectorAll("[data-pad]")].filter((pad) => {
        const box = pad.getBoundingClientRect()
        return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest("[data-pad]") !== pad
    }).map((pad) => pad.dataset.pad)""")
    assert covered == []


def test_what_is_heard_begins_on_the_frame_of_the_hit_and_chokes(kit, open_page):
    stage = open_page(kit, view="pads")
    stage.record()
    pad(stage, "open").click()
    stage.rest(0.3)
    pad(stage, "closed").click()
    stage.rest(0.4)
    samples, _, script = stage.stop_recording()
    lines = [json.loads(line) for line in script.decode().splitlines()]
    done = [line for line in lines if line["do"] == "hit"]
    assert [line["pad"] for line in done] == ["open", "closed"]
    left = numpy.asarray(samples)[:, 0]
    first, second = (line["frame"] for line in done)
    assert numpy.abs(left[:first]).max() == 0
    tone = lambda hertz, frame, count: numpy.round(8000 * numpy.sin(2 * numpy.pi * hertz / 48000 * numpy.arange(frame, frame + count))) / 2**15
    assert numpy.allclose(left[first:first + 4000], tone(3000, 0, 4000), atol=1e-4)
    # 5 ms after the second hit the first one is gone.
    assert numpy.allclose(left[second + 240:second + 4000], tone(5000, 240, 3760), atol=1e-4)


def test_sounds_are_dropped_on_pads_and_one_for_a_pad_keeps_what_it_was_set_to(kit, open_page, tmp_path):
    write_tones(tmp_path / "new", {"clap": (900, 4800), "tom": (120, 9600), "rim": (1500, 2400)})
    stage = open_page(kit, view="pads")
    paths = [tmp_path / "new" / f"{name}.wav" for name in ["clap", "tom", "rim"]]
    drop(stage, "[data-key='pad-1']", paths[:1])
    kit.wait_for(lambda: pads_of(kit)["snare"]["name"] == "clap", "another sound")
    assert pads_of(kit)["snare"]["file"].endswith("clap.wav") and pads_of(kit)["snare"]["note"] == 38
    drop(stage, "[data-key='pad-4']", paths[1:])
    kit.wait_for(lambda: len(pads_of(kit)) == 7, "two more pads")
    assert {name: pads_of(kit)[name]["slot"] for name in ["rim", "tom"]} == {"rim": 6, "tom": 7}
    pad(stage, "rim").click()
    assert hits(kit, 1) == [("rim", 1)]
    stage.page.keyboard.press("Control+z")
    stage.page.keyboard.press("Control+z")
    kit.wait_for(lambda: pads_of(kit)["snare"]["name"] == "Snare" and len(pads_of(kit)) == 5, "as it was")


def test_a_pad_is_edited(kit, open_page):
    stage = open_page(kit, view="pads")
    pad(stage, "kick").click(button="right")
    editor = stage.page.get_by_label("Pad editor")
    editor.wait_for()
    editor.get_by_label("Name of the pad").fill("Boom")
    editor.get_by_label("Name of the pad").press("Enter")
    stage.choice("Choke", ".pad-editor").select_option("group 2")
    stage.choice("Starts", ".pad-editor").select_option("1/16")
    editor.get_by_label("MIDI note").fill("40")
    editor.get_by_label("MIDI note").press("Enter")
    editor.get_by_label("Pitch, semitones").fill("-5")
    editor.get_by_label("Pitch, semitones").press("Enter")
    editor.get_by_label("Pad: gain in dB").fill("-4.5")
    editor.get_by_label("Pad: gain in dB").press("Enter")
    set_range(stage, "Pad: sensitivity to velocity", 25)
    stage.button("Colour 3").click()
    wanted = {"name": "Boom", "choke": 2, "quantization": "1/16", "note": 40, "pitch": -5, "gain": -4.5, "sensitivity": 0.25, "color": "#8fbf4f"}
    kit.wait_for(lambda: wanted.items() <= pads_of(kit)["kick"].items(), "all of it is kept")
    assert re.match("Boom, pad 1, note E1, choke group 2", pad(stage, "kick").get_attribute("aria-label"))
    assert kit.events("padHit") == [], "nothing was hit by editing"
    editor.get_by_label("MIDI note").fill("")
    editor.get_by_label("MIDI note").press("Enter")
    kit.wait_for(lambda: pads_of(kit)["kick"]["note"] is None, "no note")
    stage.button("Learn", exact=True).click()
    kit.wait_for(lambda: kit.session()["learning"] == {"do": "hit", "pad": "kick"}, "it waits for a control")
    stage.button("Stop learning").click()
    kit.wait_for(lambda: kit.session()["learning"] is None, "it waits no longer")
    stage.button("Remove the pad").click()
    kit.wait_for(lambda: "kick" not in pads_of(kit), "it is gone")
    editor.wait_for(state="hidden")


def test_in_edit_mode_pads_are_chosen_and_dragged_to_other_places(kit, open_page):
    stage = open_page(kit, view="pads")
    stage.button("Edit", exact=True).click()
    pad(stage, "snare").click()
    stage.page.get_by_label("Pad editor").wait_for()
    pad(stage, "kick").drag_to(pad(stage, "open"))
    kit.wait_for(lambda: pads_of(kit)["kick"]["slot"] == 4 and pads_of(kit)["open"]["slot"] == 0, "they have changed places")
    assert kit.events("padHit") == []


def test_the_level_of_all_pads_is_set_here_and_in_the_mixer(kit, open_page):
    stage = open_page(kit, view="pads")
    field = stage.page.get_by_label("Pads: gain in dB")
    field.fill("-6")
    field.press("Enter")
    kit.wait_for(lambda: kit.session()["session"]["padSet"] == {"gain": -6}, "the fader is kept")
    stage.show("mixer")
    stage.button("Mute Pads").click()
    kit.wait_for(lambda: kit.session()["session"]["padSet"].get("mute") is True, "the mute is kept")


def test_pages_of_pads_and_a_set_without(kit, program, open_page):
    stage = open_page(kit, view="pads")
    stage.button("Pads 17 to 32").click()
    assert stage.page.locator("[data-pad]").count() == 0
    assert stage.button("Add a sound to pad 32").is_visible()
    stage.button("Pads 1 to 16").click()
    pad(stage, "kick").wait_for()
    empty = open_page(program, view="pads")
    assert empty.page.get_by_text("No pads yet").is_visible()
    assert empty.page.locator(".board .slot-empty").count() == 16


@pytest.mark.parametrize(("width", "theme"), [(360, "dark"), (390, "light"), (1280, "dark"), (1280, "light")])
def test_pads_are_accessible_and_fit(kit, open_page, width, theme):
    stage = open_page(kit, width=width, theme=theme, view="pads", touch=width < 500)
    pad(stage, "kick").wait_for()
    assert violations(stage) == []
    stage.button("Edit", exact=True).click()
    pad(stage, "snare").click()
    stage.page.get_by_label("Pad editor").wait_for()
    assert violations(stage) == []
    assert stage.page.evaluate("document.documentElement.scrollWidth") <= width
    if width == 390:
        assert stage.page.evaluate(SMALL) == []


@pytest.mark.parametrize("width", [390, 1024, 1280, 1920])
def test_levels_of_the_pads_have_room_beside_the_hint_of_an_empty_board(home, tmp_path, open_page, width):
    (tmp_path / "empty.barline").write_text(json.dumps({"barline": 1}))
    program = Program(home, tmp_path / "empty.barline")
    try:
        stage = open_page(program, width=width, view="pads")
        stage.page.get_by_text("No pads yet").wait_for()
        places = [stage.page.get_by_role("slider", name=name, exact=True).bounding_box() for name in ("Velocity of hits from this page", "Pads: gain")]
        header = stage.page.locator(".pads > header").bounding_box()
        assert all(place["width"] >= 50 and place["x"] >= 0 and place["x"] + place["width"] <= width for place in places), places
        assert places[0]["x"] + places[0]["width"] < places[1]["x"], places
        assert places[0]["x"] > header["x"] + header["width"] or places[0]["y"] > header["y"] + header["height"], (places, header)
    finally:
        program.stop()


def test_sounds_for_which_a_page_has_no_place_are_told_of(kit, open_page, tmp_path):
    write_tones(tmp_path / "new", {f"tone{index}": (200 + index, 480) for index in range(3)})
    paths = [tmp_path / "new" / f"tone{index}.wav" for index in range(3)]
    stage = open_page(kit, view="pads")
    drop(stage, "[data-key='pad-12']", paths)
    kit.wait_for(lambda: len(pads_of(kit)) == 8, "three more pads")
    assert stage.page.get_by_text("On other pages").count() == 0
    # Two places are left from here on, behind which one is taken.
    kit.act(*({"do": "removePad", "pad": name} for name in pads_of(kit) if name.startswith("tone")))
    drop(stage, "[data-key='pad-13']", paths)
    stage.page.get_by_text("On other pages: 1 of 3 sounds.").wait_for()
    assert sorted(pad["slot"] for name, pad in pads_of(kit).items() if name.startswith("tone")) == [13, 14, 16]


def test_one_sound_that_is_added_takes_a_free_place_and_no_pad_is_replaced(kit, open_page, tmp_path):
    write_tones(tmp_path, {"tom": (90, 24000), "cowbell": (600, 12000)})
    stage = open_page(kit, view="pads")
    with stage.page.expect_file_chooser() as chooser:
        stage.button("Add pads").click()
    chooser.value.set_files([tmp_path / "tom.wav"])
    kit.wait_for(lambda: len(pads_of(kit)) == 6, "one more pad")
    drop(stage, "header", [tmp_path / "cowbell.wav"])
    kit.wait_for(lambda: len(pads_of(kit)) == 7, "another one")
    pads = pads_of(kit)
    assert (pads["kick"]["name"], pads["kick"]["file"], pads["kick"]["slot"]) == ("Kick", "kick.wav", 0)
    assert {pad["slot"] for pad in pads.values()} == {0, 1, 2, 3, 4, 5, 15}


def test_pads_are_moved_and_their_editor_is_closed_by_keys(kit, open_page):
    stage = open_page(kit, view="pads")
    stage.button("Edit", exact=True).click()
    pad(stage, "kick").focus()
    stage.page.keyboard.press("Alt+ArrowRight")
    kit.wait_for(lambda: pads_of(kit)["kick"]["slot"] == 1, "the kick is one to the right")
    stage.page.wait_for_function("() => document.activeElement.dataset.pad === 'kick' && document.activeElement.dataset.key === 'pad-1'")
    stage.page.keyboard.press("Alt+ArrowUp")
    kit.wait_for(lambda: pads_of(kit)["kick"]["slot"] == 5, "and one up")
    stage.page.wait_for_function("() => document.activeElement.dataset.key === 'pad-5'")
    # One more press than there are places, before any of the moves was seen.
    for _ in range(3):
        stage.page.keyboard.press("Alt+ArrowRight")
    kit.wait_for(lambda: pads_of(kit)["kick"]["slot"] == 7, "at the right edge")
    stage.rest(0.3)
    assert pads_of(kit)["kick"]["slot"] == 7
    assert stage.page.evaluate("document.activeElement.dataset.pad") == "kick"
    stage.page.keyboard.press("Enter")
    editor = stage.page.locator(".pad-editor")
    editor.wait_for()
    name = editor.get_by_label("Name of the pad")
    name.press_sequentially("x")
    stage.page.keyboard.press("Escape")
    assert editor.is_visible() and pads_of(kit)["kick"]["name"] == "Kick"
    editor.get_by_role("button", name="Close the editor").focus()
    stage.page.keyboard.press("Escape")
    editor.wait_for(state="hidden")
    stage.page.wait_for_function("() => document.activeElement.dataset.pad === 'kick'")


def test_a_pad_that_goes_away_while_its_name_is_typed_is_no_error(kit, open_page):
    stage = open_page(kit, height=1000, view="pads")
    pad(stage, "kick").click(button="right")
    stage.page.get_by_label("Name of the pad").press_sequentially("Half a na")
    kit.act({"do": "removePad", "pad": "kick"})
    stage.page.locator(".pad-editor").wait_for(state="hidden")
    stage.page.mouse.click(5, 5)
    stage.rest(0.2)
