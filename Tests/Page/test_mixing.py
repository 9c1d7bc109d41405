"""Faders, pan, mute and solo: what the strips show is what is heard."""

from sound import SILENCE, level


def test_a_mute_silences_and_a_fader_makes_quieter(stage, program):
    stage.show("mixer")
    recording = stage.record()
    program.act({"do": "launch", "clip": "chords-slow-tide"})
    start = stage.started("chords-slow-tide") - recording["since"]
    stage.rest(3)
    frame = program.act({"do": "tempo", "bpm": 120})[0]["frame"] - recording["since"]
    stage.button("Mute Chords").click()
    stage.page.locator("[data-key='mute-chords'][aria-pressed='true']").wait_for()
    stage.rest(1)
    stage.button("Mute Chords").click()
    field = stage.page.get_by_label("Chords: gain in dB")
    field.fill("-20")
    field.press("Enter")
    program.wait_for(lambda: program.session()["session"]["tracks"][2]["gain"] == -20, "the fader")
    stage.rest(1.5)
    samples, rate, _ = stage.stop_recording()
    loud = level(samples[start:frame])
    silent = min(level(samples[at:at + 2400]) for at in range(frame, len(samples) - 2400, 2400))
    quiet = level(samples[-rate:])
    assert loud > 0.01
    assert silent < SILENCE
    assert 0.05 < quiet / loud < 0.2


def test_faders_move_by_hand_and_by_keys(stage, program):
    stage.show("mixer")
    fader = stage.page.locator("[data-key='fader-drums']")
    box = fader.bounding_box()
    stage.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    stage.page.mouse.down()
    stage.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.75, steps=5)
    stage.page.mouse.up()
    program.wait_for(lambda: -30 < program.session()["session"]["tracks"][0]["gain"] < -18, "the gain of a quarter of the way")
    fader.dblclick()
    program.wait_for(lambda: program.session()["session"]["tracks"][0]["gain"] == 0, "0 dB")
    fader.focus()
    stage.page.keyboard.press("ArrowDown")
    program.wait_for(lambda: program.session()["session"]["tracks"][0]["gain"] == -0.5, "-0.5 dB")
    assert fader.get_attribute("aria-valuetext") == "−0.5 dB"


def test_escape_takes_back_what_a_hand_does_with_a_fader_or_a_pan(stage, program):
    def strip():
        track = program.session()["session"]["tracks"][0]
        return (track["gain"], track["pan"])

    program.act({"do": "gain", "track": "drums", "db": -4})
    program.act({"do": "pan", "track": "drums", "value": 0.25})
    stage.show("mixer")
    mouse = stage.page.mouse
    for label, shown in [("Drums: gain", "−4.0 dB"), ("Drums: pan", "25 % right")]:
        slider = stage.page.get_by_label(label, exact=True)
        stage.page.wait_for_function(
            "([label, text]) => document.querySelector(`[aria-label='${label}']`).getAttribute('aria-valuetext') === text",
            arg=[label, shown])
        box = slider.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        mouse.move(x, y)
        mouse.down()
        mouse.move(x + box["width"] / 8, y + box["height"] / 4, steps=5)
        program.wait_for(lambda: strip() != (-4, 0.25), "the hand's value")
        stage.page.keyboard.press("Escape")
        program.wait_for(lambda: strip() == (-4, 0.25), "what it was")
        # The hand is still there.
        mouse.move(x - box["width"] / 8, y - box["height"] / 4, steps=5)
        mouse.up()
        stage.rest(0.6)
        assert strip() == (-4, 0.25) and slider.get_attribute("aria-valuetext") == shown
    # It moves again with the next press.
    slider.focus()
    stage.page.keyboard.press("ArrowRight")
    program.wait_for(lambda: strip() == (-4, 0.26), "a step of the pan")


def test_a_fader_that_others_move_just_after_the_hand_shows_it(stage, program):
    stage.show("mixer")
    fader = stage.page.locator("[data-key='fader-drums']")
    fader.focus()
    stage.page.keyboard.press("End")
    program.wait_for(lambda: program.session()["session"]["tracks"][0]["gain"] == 6, "the hand's gain")
    program.act({"do": "gain", "track": "drums", "db": -6})
    stage.page.wait_for_function("() => document.querySelector('[data-key=\"fader-drums\"]').ariaValueText === '−6.0 dB'")


def test_solo_and_pan_reach_the_session(stage, program):
    stage.show("mixer")
    stage.button("Solo Lead").click()
    program.wait_for(lambda: program.session()["session"]["tracks"][3]["solo"], "the solo")
    pan = stage.page.get_by_label("Lead: pan")
    pan.focus()
    for _ in range(10):
        stage.page.keyboard.press("ArrowLeft")
    program.wait_for(lambda: program.session()["session"]["tracks"][3]["pan"] < 0, "the pan")


def test_meters_move_with_the_music(stage, program):
    stage.show("mixer")
    peak = stage.page.locator(".strip.master .peak")
    assert peak.inner_text() == "−∞"
    program.act({"do": "launchScene", "scene": 1})
    stage.page.wait_for_function("() => document.querySelector('.strip.master .peak').innerText !== '−∞'")
    assert "LUFS" in stage.page.locator(".strip.master .loudness-value").inner_text()


def test_everything_goes_to_the_output_that_is_chosen(stage, program):
    def wait_for(read, name):
        program.wait_for(lambda: read(program.session()["session"]) == name, f"an output {name}")

    stage.show("mixer")
    stage.choice("Output of Drums").select_option(label="New output…")
    stage.page.get_by_label("Name of the output for Drums").fill("phones")
    stage.page.keyboard.press("Enter")
    wait_for(lambda session: session["tracks"][0]["output"], "phones")
    program.wait_for(lambda: program.session()["engine"]["outputs"] == ["main", "phones"], "the engine's outputs")
    stage.choice("Output of Click").select_option("phones")
    wait_for(lambda session: session["metronome"]["output"], "phones")
    loop = program.session()["session"]["tracks"][0]["clips"][0]["file"]
    program.act({"do": "addStem", "file": loop}, {"do": "playlist", "action": "insert", "index": 0, "file": loop})
    stage.page.get_by_role("group", name="Playlist").wait_for()
    stage.choice("Output of Playlist").select_option("phones")
    wait_for(lambda session: session.get("playlistSettings", {}).get("output"), "phones")
    stem = program.session()["session"]["stems"][0]["name"]
    stage.choice(f"Output of {stem}").select_option("phones")
    wait_for(lambda session: session["stems"][0]["output"], "phones")
    # What goes elsewhere is not heard in the main output.
    recording = stage.record()
    program.act({"do": "launch", "clip": program.session()["session"]["tracks"][0]["clips"][0]["id"]}, {"do": "playlist", "action": "play"})
    program.wait_for(lambda: program.events("itemStarted") and program.events("clipStarted"), "both play")
    stage.rest(0.5)
    samples, _, _ = stage.stop_recording()
    assert recording and level(samples) < SILENCE
    stage.choice("Output of Drums").select_option("main")
    wait_for(lambda session: session["tracks"][0]["output"], "main")


def test_a_strip_is_sent_to_another_output_before_or_after_its_fader(stage, program):
    def sends():
        return program.session()["session"]["tracks"][0].get("sends", [])

    stage.show("mixer")
    stage.button("Effects of Drums").wait_for()
    assert stage.button("Sends of Drums").count() == 0, "there is one output"
    other = program.session()["session"]["tracks"][1]["id"]
    program.act({"do": "editTrack", "track": other, "set": {"output": "phones"}})
    stage.button("Sends of Drums").click()
    assert stage.page.get_by_role("group", name="Drums to main").count() == 0, "it goes there anyway"
    level = stage.page.get_by_role("slider", name="Drums to phones: gain")
    assert level.get_attribute("aria-valuetext") == "silent"
    level.focus()
    stage.page.keyboard.press("End")
    program.wait_for(lambda: sends() == [{"output": "phones", "level": 6, "preFader": False}], "a send")
    point = stage.button("Drums to phones: before the fader")
    point.click()
    program.wait_for(lambda: sends() == [{"output": "phones", "level": 6, "preFader": True}], "before the fader")
    stage.page.locator("[data-key='pre-drums-phones'][aria-pressed='true']").wait_for()
    program.act({"do": "send", "track": "drums", "output": "phones", "db": -6})
    stage.page.wait_for_function("() => document.querySelector('[data-key=\"send-drums-phones\"]').ariaValueText === '−6.0 dB'")
    stage.page.get_by_role("dialog").get_by_role("button", name="Close").click()
    assert stage.page.locator("[data-key='sends-drums']").inner_text() == "1 send"


def test_a_filter_is_added_set_and_taken_out_in_the_rack(stage, program):
    def effects():
        return program.session()["session"]["tracks"][2].get("effects", [])

    stage.show("mixer")
    recording = stage.record()
    program.act({"do": "launch", "clip": "chords-slow-tide"})
    start = stage.started("chords-slow-tide") - recording["since"]
    stage.rest(2)
    stage.button("Effects of Chords").click()
    stage.button("Add filter").click()
    rack = stage.page.get_by_role("group", name="Filter 1")
    rack.wait_for()
    program.wait_for(lambda: [effect["type"] for effect in effects()] == ["filter"], "the filter")
    cutoff = stage.page.get_by_label("Filter 1: Cutoff")
    cutoff.focus()
    stage.page.keyboard.press("Home")
    program.wait_for(lambda: effects()[0]["cutoff"] == 20, "the lowest cutoff")
    assert cutoff.get_attribute("aria-valuetext") == "20 Hz"
    frame = program.act({"do": "tempo", "bpm": 120})[0]["frame"] - recording["since"]
    stage.rest(1.5)
    stage.page.get_by_label("Filter 1: Mode").select_option("highpass")
    program.wait_for(lambda: effects()[0]["mode"] == "highpass", "the mode")
    stage.button("Bypass Filter 1").click()
    program.wait_for(lambda: effects()[0]["bypass"], "the bypass")
    stage.button("Remove Filter 1").click()
    program.wait_for(lambda: effects() == [], "no effects")
    stage.page.get_by_text("No effects yet.").wait_for()
    stage.page.get_by_role("dialog").get_by_role("button", name="Close").click()
    samples, rate, _ = stage.stop_recording()
    loud = level(samples[start:start + rate])
    quiet = level(samples[frame + rate // 2:frame + rate])
    assert quiet < loud / 10


def test_while_effects_are_set_the_keys_that_silence_and_undo_are_what_they_are(stage, program):
    def effects():
        return program.session()["session"]["tracks"][2].get("effects", [])

    stage.clip("chords-slow-tide").click()
    stage.wait_for_clip("chords-slow-tide", "playing")
    stage.show("mixer")
    stage.button("Effects of Chords").click()
    stage.button("Add filter").click()
    program.wait_for(lambda: len(effects()) == 1, "the filter")
    stage.page.get_by_label("Filter 1: Cutoff").focus()
    # A letter launches nothing here.
    for key in ("q", "Control+z"):
        stage.page.keyboard.press(key)
    program.wait_for(lambda: effects() == [], "the filter is taken back")
    # By then the slider that had the focus is gone.
    stage.page.get_by_text("No effects yet.").wait_for()
    assert stage.page.get_by_role("dialog").is_visible()
    stage.page.keyboard.press(".")
    program.wait_for(lambda: program.events("transportStopped"), "silence")
    stage.page.keyboard.press("Escape")
    stage.page.get_by_role("dialog").wait_for(state="detached")
    # What is asked has the keyboard to itself.
    stage.show("launcher")
    stage.clip("chords-slow-tide").click()
    stage.wait_for_clip("chords-slow-tide", "playing")
    stage.page.evaluate("import('/modules/ui/dialog.js').then(({ confirm }) => { confirm('Sure?', 'Text', 'Yes') })")
    stage.page.get_by_role("dialog").wait_for()
    stage.page.keyboard.press(".")
    stage.rest(0.5)
    stage.wait_for_clip("chords-slow-tide", "playing")


def test_a_dialog_has_the_keys_also_where_what_was_pressed_in_it_is_gone(stage, program):
    stage.show("mixer")
    stage.button("Effects of Chords").click()
    dialog = stage.page.locator("dialog[open]")
    dialog.wait_for()
    stage.page.evaluate("() => document.activeElement.blur()")
    stage.page.wait_for_function("() => document.activeElement === document.body")
    for key in [" ", "q", "F1", "l"]:
        stage.page.keyboard.press(key)
    stage.rest(0.5)
    state = program.session()
    assert not state["session"]["metronome"]["enabled"] and program.events("clipStarted") == []
    stage.page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    stage.page.keyboard.press("l")
    program.wait_for(lambda: program.session()["session"]["metronome"]["enabled"], "the click")


def test_an_arrow_does_not_turn_down_what_was_typed_above_the_fader(stage, program):
    stage.show("mixer")
    field = stage.page.get_by_label("Chords: gain in dB")
    field.fill("12")
    field.press("Enter")
    gain = lambda: program.session()["session"]["tracks"][2]["gain"]
    program.wait_for(lambda: gain() == 12, "12 dB")
    slider = stage.page.get_by_role("slider", name="Chords: gain")
    slider.focus()
    stage.page.keyboard.press("ArrowUp")
    stage.page.keyboard.press("ArrowDown")
    program.wait_for(lambda: gain() == 11.5, lambda: f"half a decibel less, not {gain()}")


def test_the_rack_of_a_strip_that_is_gone_closes(stage, program):
    stage.show("mixer")
    stage.button("Effects of Chords").click()
    stage.button("Add filter").click()
    stage.page.locator("dialog .effect").wait_for()
    program.act({"do": "removeTrack", "track": "chords"})
    stage.page.locator("dialog").wait_for(state="detached")
    program.act({"do": "undo"})
    stage.button("Effects of Chords").click()
    stage.page.locator("dialog .effect").wait_for()
