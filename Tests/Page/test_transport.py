"""Tempo, metre, quantisation, metronome."""

import pytest


def test_a_typed_tempo_is_the_clips_tempo(stage, program):
    stage.tempo(150)
    program.wait_for(lambda: program.session()["session"]["tempo"] == 150, "the tempo")
    stage.clip("drums-four-steps").click()
    wraps = program.wait_for(lambda: program.events("clipLooped")[1:] and program.events("clipLooped")[-2:], "two wraps")
    # Eight beats at 150 BPM are 153600 frames.
    assert wraps[1]["frame"] - wraps[0]["frame"] == 153600


def test_the_tempo_is_dragged_and_nudged(stage, program):
    field = stage.page.get_by_role("spinbutton", name="Tempo, beats a minute")
    box = field.bounding_box()
    stage.page.mouse.move(box["x"] + 20, box["y"] + 30)
    stage.page.mouse.down()
    for step in range(1, 11):
        stage.page.mouse.move(box["x"] + 20, box["y"] + 30 - 6 * step)
        stage.rest(0.04)
    stage.page.mouse.up()
    program.wait_for(lambda: program.session()["session"]["tempo"] > 124, "a faster tempo")
    stage.tempo(100)
    program.wait_for(lambda: program.session()["session"]["tempo"] == 100, "100 BPM")
    stage.button("Faster by 1").click()
    program.wait_for(lambda: program.session()["session"]["tempo"] == 101, "101 BPM")
    stage.page.locator("#view").focus()
    stage.page.keyboard.press("[")
    program.wait_for(lambda: program.session()["session"]["tempo"] == 100.9, "100.9 BPM")


@pytest.mark.parametrize("width", [360, 390, 800, 1024, 1280, 1920])
def test_a_tempo_of_two_decimals_is_seen_whole(program, open_page, width):
    stage = open_page(program, width=width, touch=width < 500)
    field = stage.page.get_by_role("spinbutton", name="Tempo, beats a minute")
    before = field.bounding_box()["width"]
    program.act({"do": "tempo", "bpm": 128.57})
    stage.page.wait_for_function("(field) => field.value === '128.57'", arg=field.element_handle())
    assert field.evaluate("(field) => field.scrollWidth <= field.clientWidth")
    assert abs(field.bounding_box()["width"] - before) < 4


def test_a_ramp_reaches_the_tempo_later(stage, program):
    stage.button("Play", exact=True).click()
    stage.page.locator("[data-key='roll'][aria-pressed='true']").wait_for()
    stage.choice("Ramp").select_option("8")
    stage.tempo(240)
    seen = set()
    field = stage.page.get_by_role("spinbutton", name="Tempo, beats a minute")
    for _ in range(40):
        seen.add(float(field.get_attribute("aria-valuenow")))
        stage.rest(0.1)
    assert any(130 < tempo < 230 for tempo in seen)
    assert float(field.get_attribute("aria-valuenow")) == 240


def test_taps_give_the_tempo(stage):
    tap = stage.button("Tap", exact=True)
    for _ in range(6):
        tap.click()
        stage.rest(0.4)
    field = stage.page.get_by_role("spinbutton", name="Tempo, beats a minute")
    assert 30 < float(field.get_attribute("aria-valuenow")) < 160
    assert field.get_attribute("aria-valuenow") != "120.0"


def test_metre_and_quantisation_are_chosen(stage, program):
    stage.choice("Metre").select_option("7/8")
    stage.choice("Launch on").select_option("1/4")
    program.wait_for(lambda: program.session()["session"]["timeSignature"] == "7/8", "the metre")
    program.wait_for(lambda: program.session()["session"]["launchQuantization"] == "1/4", "the quantisation")
    stage.button("Play", exact=True).click()
    stage.page.wait_for_function("() => document.querySelectorAll('.beat .pulses i').length === 7")


def test_the_beat_is_shown_as_it_is_heard(stage):
    stage.button("Play", exact=True).click()
    seen = set()
    for _ in range(60):
        seen.add(stage.page.locator(".beat .place").inner_text())
        stage.rest(0.05)
    assert {"1.1", "1.2", "1.3", "1.4"} <= seen


def test_a_control_is_taught_and_forgotten(stage, program):
    stage.show("settings")
    stage.choice("Grid controller").select_option("launchpad")
    program.wait_for(lambda: program.session()["session"].get("midi", {}).get("grid") == "launchpad", "the grid controller")
    stage.choice("Teach a control").select_option(label="Drums: fader")
    stage.button("Learn").click()
    stage.page.get_by_text("Now move a control").wait_for()
    assert program.session()["learning"]
    stage.button("Stop learning").click()
    stage.page.get_by_text("Now move a control").wait_for(state="hidden")
    program.act({"do": "addMapping", "mapping": {"message": "cc", "channel": 0, "number": 7, "action": {"do": "gain", "track": "drums"}, "key": "db",
                                                 "from": -60, "to": 6}})
    stage.page.get_by_text("Controller 7, channel 1: Drums: fader").wait_for()
    stage.button("Forget Controller 7").click()
    program.wait_for(lambda: not program.session()["session"]["midi"].get("mappings"), "the mapping is gone")


def test_everything_that_has_a_button_can_be_taught(stage, program):
    stage.show("settings")
    choice = stage.choice("Teach a control")
    offered = choice.locator("option").all_inner_texts()
    taught = ["Play or stop", "Click on or off", "Next scene", "Previous scene", "Drums: mute", "Drums: solo", "Stems: play or pause",
              "Playlist: play or pause", "Playlist: next", "Record or end recording", "Undo"]
    assert set(taught) <= set(offered)
    for name in taught:
        choice.select_option(label=name)
        stage.button("Learn").click()
        stage.page.get_by_text("Now move a control").wait_for()
        stage.button("Stop learning").click()
        stage.page.get_by_text("Now move a control").wait_for(state="hidden")
    program.act({"do": "addMapping", "mapping": {"message": "note", "number": 40, "action": {"do": "stepScene", "by": 1}}})
    stage.page.get_by_text("Note 40: Next scene").wait_for()


def test_the_metronome_and_its_pattern(stage, program):
    stage.show("metronome")
    stage.button("Click on").click()
    stage.page.locator("[data-key='click'][aria-pressed='true']").wait_for()
    stage.button("Pulse 2: beat").click()
    program.wait_for(lambda: program.session()["session"]["metronome"]["pattern"] == "X.xx", "the pattern")
    stage.button("Pulse 2: silent").wait_for()
    stage.button("Play", exact=True).click()
    stage.page.locator(".pulse.lit").first.wait_for()
    assert program.wait_for(lambda: [event for event in program.events("beat") if event["beat"] == 1], "beats")[0]["accent"]


def test_a_click_without_a_transport_says_what_to_press(stage, program):
    stage.show("metronome")
    stage.button("Click on").click()
    said = stage.page.get_by_text("It sounds when the transport runs: press Play, or Space.")
    said.wait_for()
    assert program.events("transportStarted") == []
    stage.page.keyboard.press("Escape")
    stage.page.locator("h2", has_text="Metronome").click()
    stage.page.keyboard.press(" ")
    program.wait_for(lambda: program.events("beat"), "beats")
    said.wait_for(state="hidden")
    stage.button("Stop", exact=True).click()
    said.wait_for()
    stage.page.locator("[data-key='click']").click()
    said.wait_for(state="hidden")
    # In other views it is a notice.
    stage.show("launcher")
    stage.page.keyboard.press("l")
    stage.page.locator(".notice", has_text="press Play, or Space").wait_for()


@pytest.mark.parametrize("width", [360, 700, 1280, 1920])
@pytest.mark.parametrize("metre", ["7/8", "12/8"])
def test_pulses_are_drawn_equal(program, open_page, width, metre):
    stage = open_page(program, width=width, view="metronome")
    program.act({"do": "timeSignature", "value": metre})
    count = int(metre.split("/")[0])
    stage.page.wait_for_function(f"() => document.querySelectorAll('.pulse').length === {count}")
    boxes = [stage.page.locator(".pulse").nth(index).bounding_box() for index in range(count)]
    for size in ["width", "height"]:
        sizes = [box[size] for box in boxes]
        assert max(sizes) - min(sizes) < 0.5, sizes
    # All in sight, and large enough for a finger.
    assert min(box["width"] for box in boxes) >= 40
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)


def test_the_song_is_moved_and_looped(stage, program):
    def song_loop():
        return program.session()["session"].get("songLoop", {})

    stage.page.get_by_role("button", name="Song: bar 1").click()
    song = stage.page.get_by_role("dialog")
    for label, value in [("Song bar", "9"), ("The loop's first bar", "9"), ("Bars of the loop", "2")]:
        song.get_by_label(label).fill(value)
        song.get_by_label(label).press("Tab")
    program.wait_for(lambda: (song_loop().get("bar"), song_loop().get("bars")) == (9, 2), "two bars from the ninth on")
    song.get_by_role("button", name="Done").click()
    stage.page.get_by_role("button", name="Song: bar 9, looped").click()
    song.get_by_role("button", name="Loop the song").click()
    program.wait_for(lambda: song_loop().get("on") is False, "a loop that is off")
    song.get_by_role("button", name="Done").click()
    stage.page.get_by_role("button", name="Song: bar 9", exact=True).wait_for()


def test_of_a_tempo_beyond_what_there_is_the_nearest_is_taken_and_said(stage, program):
    for typed, tempo in [("1200", 999), ("3", 20)]:
        field = stage.page.locator("[data-key='tempo']")
        field.fill(typed)
        field.press("Enter")
        stage.page.get_by_text("Tempos are from 20 to 999 BPM.").first.wait_for()
        program.wait_for(lambda: program.session()["session"]["tempo"] == tempo, "the nearest tempo")
