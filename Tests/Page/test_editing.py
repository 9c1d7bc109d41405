"""The clip editor: what is changed there is what plays, and can be undone."""

import base64
import re

import pytest
from sound import period_error


@pytest.fixture
def own(program, open_page):
    """A page that is high enough for the editor, and its program."""
    return open_page(program, height=1000), program


def clip_of(program, identity):
    for track in program.session()["session"]["tracks"]:
        for clip in track["clips"]:
            if clip["id"] == identity:
                return clip
    return None


def drag_end_to(stage, fraction):
    stage.take_loop_end_to(fraction)
    stage.page.mouse.up()


def test_half_a_loop_repeats_twice_as_often(own):
    stage, program = own
    stage.edit("drums-four-steps")
    whole = program.session()["clips"]["drums-four-steps"]["frames"]
    stage.choice("Snap to").select_option("half")
    drag_end_to(stage, 0.5)
    program.wait_for(lambda: clip_of(program, "drums-four-steps").get("end") == whole // 2, "the loop's new end")
    assert clip_of(program, "drums-four-steps")["beats"] == 4
    recording = stage.record()
    stage.button("Launch", exact=True).click()
    start = stage.started("drums-four-steps")
    program.wait_for(lambda: program.events("clipLooped")[1:], "two wraps")
    stage.rest(0.5)
    samples, _, _ = stage.stop_recording()
    # Four beats at 120 BPM.
    assert program.events("clipLooped")[0]["frame"] - start == 96000
    heard = samples[start - recording["since"]:][:192000]
    assert period_error(heard[:, 0], 96000) < 0.05
    stage.button("Undo", exact=True).click()
    program.wait_for(lambda: clip_of(program, "drums-four-steps").get("end") is None, "the edit is undone")
    stage.button("Redo", exact=True).click()
    program.wait_for(lambda: clip_of(program, "drums-four-steps").get("end") == whole // 2, "the edit is done again")


def test_loop_ends_move_by_keys_from_beat_to_beat(own):
    stage, program = own
    stage.edit("bass-rubber-root")
    stage.choice("Snap to").select_option("half")
    whole = program.session()["clips"]["bass-rubber-root"]["frames"]
    end = stage.page.get_by_role("slider", name="Loop end")
    end.focus()
    stage.page.keyboard.press("ArrowLeft")
    program.wait_for(lambda: clip_of(program, "bass-rubber-root").get("end"), "the loop's end")
    # Half a beat of sixteen.
    assert abs(clip_of(program, "bass-rubber-root")["end"] - whole * 31 / 32) < 2
    assert clip_of(program, "bass-rubber-root")["beats"] == 15.5


def test_an_end_that_is_dragged_past_the_other_rests_a_beat_before_it(own):
    stage, program = own
    stage.edit("drums-four-steps")
    stage.choice("Snap to").select_option("beat")
    whole = program.session()["clips"]["drums-four-steps"]["frames"]
    beats = program.session()["clips"]["drums-four-steps"]["beats"]
    wave = stage.page.locator(".editor-wave").bounding_box()
    handle = stage.page.get_by_role("slider", name="Loop start").bounding_box()
    y = handle["y"] + 10
    stage.page.mouse.move(handle["x"] + handle["width"] / 2 + 8, y)
    stage.page.mouse.down()
    stage.page.mouse.move(wave["x"] + wave["width"] + 40, y, steps=6)
    stage.page.mouse.up()
    program.wait_for(lambda: clip_of(program, "drums-four-steps").get("start"), "the loop's start")
    assert abs(clip_of(program, "drums-four-steps")["start"] - whole * (beats - 1) / beats) < 2
    assert clip_of(program, "drums-four-steps")["beats"] == 1


def test_home_and_end_lead_a_loop_end_as_far_as_it_goes(own):
    stage, program = own
    stage.edit("drums-four-steps")
    stage.choice("Snap to").select_option("beat")
    facts = program.session()["clips"]["drums-four-steps"]
    whole, beat = facts["frames"], facts["frames"] / facts["beats"]
    end = stage.page.get_by_role("slider", name="Loop end")
    end.focus()
    for key, frame in [("Home", beat), ("End", whole)]:
        stage.page.keyboard.press(key)
        program.wait_for(
            lambda: abs((clip_of(program, "drums-four-steps").get("end") or whole) - frame) < 2, f"the end after {key}")
    start = stage.page.get_by_role("slider", name="Loop start")
    start.focus()
    for key, frame in [("End", whole - beat), ("Home", 0)]:
        stage.page.keyboard.press(key)
        program.wait_for(
            lambda: abs((clip_of(program, "drums-four-steps").get("start") or 0) - frame) < 2, f"the start after {key}")


def test_escape_takes_back_a_loop_end_that_is_dragged_and_nothing_else(own):
    stage, program = own
    stage.edit("drums-four-steps")
    end = stage.page.get_by_role("slider", name="Loop end")
    before = end.get_attribute("aria-valuenow")
    stage.take_loop_end_to(0.6)
    assert end.get_attribute("aria-valuenow") != before
    stage.page.keyboard.press("Escape")
    assert end.get_attribute("aria-valuenow") == before
    stage.page.mouse.up()
    stage.rest(0.3)
    assert end.is_visible() and end.get_attribute("aria-valuenow") == before
    assert clip_of(program, "drums-four-steps").get("end") is None
    stage.take_loop_end_to(0.5)
    stage.page.mouse.up()
    program.wait_for(lambda: clip_of(program, "drums-four-steps").get("end"), "an end that is let go")
    stage.page.keyboard.press("Escape")
    end.wait_for(state="hidden")


def test_escape_takes_back_what_is_typed(own):
    stage, program = own
    stage.edit("lead-arc-runner")
    before = clip_of(program, "lead-arc-runner")
    fields = {"Name of the clip": "Other", "Clip: gain in dB": "-12", "Beats": "3", "First beat, s": "0.5"}
    for label, text in fields.items():
        field = stage.page.locator("#editor").get_by_label(label, exact=True)
        shown = field.input_value()
        field.fill(text)
        field.press("Escape")
        assert field.input_value() == shown
        assert stage.page.locator("#editor").is_visible()
    stage.rest(0.5)
    assert clip_of(program, "lead-arc-runner") == before
    assert program.session()["history"]["undo"] is None


def test_a_swipe_over_the_editor_leaves_the_page_where_it_is(own):
    stage, _ = own
    stage.edit("drums-four-steps")
    address = stage.page.url
    wave = stage.page.locator(".editor-wave").bounding_box()
    touches = stage.page.context.new_cdp_session(stage.page)
    y = wave["y"] + wave["height"] / 2
    for kind, x in [("touchStart", 20)] + [("touchMove", 20 + 40 * step) for step in range(1, 16)]:
        touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        stage.page.wait_for_timeout(16)
    touches.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    stage.rest(0.5)
    assert stage.page.url == address


def test_the_tempo_is_corrected_and_goes_back(own):
    stage, program = own
    stage.edit("drums-four-steps")
    tempo = lambda: program.session()["clips"]["drums-four-steps"]["tempo"]
    stage.button("Twice the tempo").click()
    program.wait_for(lambda: abs(tempo() - 240) < 0.01, "twice the tempo")
    stage.button("Half the tempo").click()
    program.wait_for(lambda: abs(tempo() - 120) < 0.01, "the tempo it was")
    stage.page.locator(".chips [data-key='heard-0']").wait_for(timeout=20000)
    assert "%" in stage.page.locator(".chips [data-key='heard-0']").inner_text()
    stage.page.get_by_label("Beats", exact=True).fill("16")
    stage.page.get_by_label("Beats", exact=True).press("Enter")
    program.wait_for(lambda: abs(tempo() - 240) < 0.01, "the tempo of 16 beats")
    stage.button("Back to what is heard").click()
    program.wait_for(lambda: abs(tempo() - 120) < 1, "the tempo that is heard")


def test_every_field_of_a_clip(own):
    stage, program = own
    stage.edit("lead-arc-runner")
    name = stage.page.get_by_label("Name of the clip")
    name.fill("Runner")
    name.press("Enter")
    stage.clip("lead-arc-runner").get_by_text("Runner").wait_for()
    stage.choice("Playback").select_option("original")
    stage.choice("Launch").select_option("toggle")
    stage.choice("Starts").select_option("synced")
    stage.choice("Launch on", within="#editor").select_option("1/4")
    stage.page.get_by_label("Loop", exact=True).uncheck()
    stage.page.get_by_label("Colour 2").click()
    wanted = {"name": "Runner", "playback": "original", "launchMode": "toggle", "startPosition": "synced", "quantization": "1/4", "loop": False,
              "color": "#e0b040"}
    program.wait_for(lambda: wanted.items() <= clip_of(program, "lead-arc-runner").items(), f"{wanted}")
    gain = stage.page.get_by_label("Clip: gain in dB")
    gain.fill("-6")
    gain.press("Enter")
    program.wait_for(lambda: clip_of(program, "lead-arc-runner")["gain"] == -6, "the gain")


def test_pitch_of_a_clip(own):
    stage, program = own
    stage.edit("lead-arc-runner")
    box = stage.page.get_by_label("Transpose, semitones")
    stage.choice("Playback").select_option("repitch")
    box.wait_for(state="hidden")
    stage.choice("Playback").select_option("stretch")
    program.wait_for(lambda: clip_of(program, "lead-arc-runner")["playback"] == "stretch", "its pitch kept")
    box.fill("-2,5")
    box.press("Enter")
    program.wait_for(lambda: clip_of(program, "lead-arc-runner").get("transpose") == -2.5, "two semitones and a half down")
    box.fill("25")
    box.press("Enter")
    stage.page.wait_for_function("(box) => box.value === '-2.5'", arg=box.element_handle())
    stage.choice("Stretched").select_option("tonal")
    program.wait_for(lambda: clip_of(program, "lead-arc-runner").get("stretchMode") == "tonal", "a mode for sounds without attacks")
    assert not stage.page.get_by_label("Decay, ms").is_visible()
    formants = stage.page.get_by_label("Formants, semitones")
    formants.fill("-1,5")
    formants.press("Enter")
    program.wait_for(lambda: clip_of(program, "lead-arc-runner").get("formants") == -1.5, "its formants moved")
    formants.fill("")
    formants.press("Enter")
    program.wait_for(lambda: clip_of(program, "lead-arc-runner").get("formants") is None, "its formants with its pitch")
    stage.choice("Grains").select_option("short")
    program.wait_for(lambda: clip_of(program, "lead-arc-runner").get("stretchGrain") == "short", "shorter grains")
    stage.choice("Stretched").select_option("beats")
    decay = stage.page.get_by_label("Decay, ms")
    decay.fill("300")
    decay.press("Enter")
    program.wait_for(lambda: clip_of(program, "lead-arc-runner").get("stretchDecay") == 300, "attacks that die away")
    kept = stage.page.get_by_label("Kept of each attack, %")
    assert kept.input_value() == "80"
    kept.fill("9")
    kept.press("Enter")
    stage.page.wait_for_function("(box) => box.value === '80'", arg=kept.element_handle())
    knob = stage.page.get_by_label("Pitch", exact=True)
    knob.press("Home")
    program.wait_for(lambda: clip_of(program, "lead-arc-runner")["transpose"] == -24, "two octaves down")


def pins(stage, kind):
    return stage.page.locator(f".pins[data-kind='{kind}'] .pin")


def test_beats_are_pinned_to_the_sound(own):
    stage, program = own
    stage.edit("drums-four-steps")
    clip = lambda: clip_of(program, "drums-four-steps")
    whole = program.session()["clips"]["drums-four-steps"]["frames"]
    stage.choice("Handles").select_option("warp")
    box = stage.page.locator(".editor-wave").bounding_box()
    stage.page.mouse.dblclick(box["x"] + box["width"] * 0.26, box["y"] + 20)
    program.wait_for(lambda: len(clip().get("warp") or []) == 3, "a marker between those of the ends")
    # A quarter of eight beats is beat 2, to which the sound beside it is held.
    ends = [{"frame": 0, "beat": 0}, {"frame": whole, "beat": 8}]
    added = clip()["warp"][1]
    assert clip()["warp"][::2] == ends and added["beat"] == 2 and abs(added["frame"] / whole - 0.26) < 0.02
    pin = pins(stage, "warp").nth(1)
    pin.wait_for()
    place = pin.bounding_box()
    middle = (place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    stage.page.mouse.move(*middle)
    stage.page.mouse.down()
    stage.page.mouse.move(middle[0] + box["width"] * 0.1, middle[1], steps=5)
    stage.page.mouse.up()
    program.wait_for(lambda: clip()["warp"][1]["frame"] > added["frame"] + whole * 0.05, "the marker where it was dragged")
    assert clip()["warp"][1]["beat"] == 2
    dragged = clip()["warp"][1]["frame"]
    place = pin.bounding_box()
    stage.page.mouse.move(place["x"] + place["width"] / 2, middle[1])
    stage.page.mouse.down()
    stage.page.mouse.move(place["x"] + box["width"] * 0.1, middle[1], steps=5)
    stage.page.keyboard.press("Escape")
    stage.page.mouse.up()
    stage.page.wait_for_function("([pin, frame]) => pin.ariaValueNow === String(frame)", arg=[pin.element_handle(), dragged])
    assert clip()["warp"][1]["frame"] == dragged
    pin.focus()
    stage.page.keyboard.press("Shift+ArrowLeft")
    program.wait_for(lambda: clip()["warp"][1]["frame"] == dragged - 1, "a frame less")
    stage.page.keyboard.press("Delete")
    program.wait_for(lambda: clip()["warp"] == ends, "the marker gone")
    stage.button("Undo", exact=True).click()
    program.wait_for(lambda: len(clip()["warp"]) == 3, "the marker back")
    stage.button("Even beats").click()
    program.wait_for(lambda: clip().get("warp") is None and clip()["beats"] == 8, "beats of one length")


def test_a_clip_follows_its_beats_and_is_quantized(own):
    stage, program = own
    stage.edit("drums-four-steps")
    clip = lambda: clip_of(program, "drums-four-steps")
    stage.button("Follow its beats").click()
    program.wait_for(lambda: len(clip().get("warp") or []) >= 8, "a marker on each beat")
    stage.page.get_by_label("Swing, %").fill("60")
    stage.choice("Grid", within="#editor").select_option("1/8")
    stage.button("Quantize", exact=True).click()
    program.wait_for(lambda: any(abs(marker["beat"] % 1 - 0.6) < 1e-6 for marker in clip()["warp"]), "the second eighths late")


def test_attacks_of_a_clip(own):
    stage, program = own
    stage.edit("drums-four-steps")
    clip = lambda: clip_of(program, "drums-four-steps")
    heard = lambda: program.session()["clips"]["drums-four-steps"]["attacks"]
    stage.choice("Playback").select_option("stretch")
    program.wait_for(heard, "the attacks that are heard")
    first = heard()
    stage.choice("Handles").select_option("onsets")
    pin = pins(stage, "onsets").nth(1)
    pin.focus()
    stage.page.keyboard.press("Delete")
    program.wait_for(lambda: clip().get("onsets") == first[:1] + first[2:], "one attack less")
    program.wait_for(lambda: heard() == clip()["onsets"], "what is played by")
    pin.focus()
    stage.page.keyboard.press("Shift+ArrowRight")
    program.wait_for(lambda: clip()["onsets"][1] == first[2] + 1, "a frame later")
    box = stage.page.locator(".editor-wave").bounding_box()
    count = len(clip()["onsets"])
    stage.page.mouse.dblclick(box["x"] + box["width"] * 0.47, box["y"] + 12)
    program.wait_for(lambda: len(clip()["onsets"]) == count + 1, "another attack")
    stage.button("Attacks as heard").click()
    program.wait_for(lambda: clip().get("onsets") is None and heard() == first, "those that are heard")


def test_fades_of_a_clip(own):
    stage, program = own
    stage.edit("lead-arc-runner")

    def set_fade(label, key, text, value):
        box = stage.page.get_by_label(label)
        box.fill(text)
        box.press("Enter")
        program.wait_for(lambda: clip_of(program, "lead-arc-runner")[key] == value, f"{key} of {value}")
        return box

    fade_in = set_fade("Fade in, ms", "fadeIn", "0", 0)
    assert fade_in.input_value() == "0"
    set_fade("Fade out, ms", "fadeOut", "12,5", 12.5)
    fade_in.fill("10001")
    fade_in.press("Enter")
    stage.page.wait_for_function("(box) => box.value === '0'", arg=fade_in.element_handle())
    set_fade("Fade in, ms", "fadeIn", "", None)
    assert clip_of(program, "lead-arc-runner")["fadeOut"] == 12.5


def test_the_first_beat_of_a_clip(own):
    stage, program = own
    stage.edit("lead-arc-runner")
    rate = clip_of(program, "lead-arc-runner").get("sampleRate", 48000)

    def set_beat(text, value):
        box = stage.page.get_by_label("First beat, s")
        box.fill(text)
        box.press("Enter")
        program.wait_for(lambda: clip_of(program, "lead-arc-runner")["firstBeat"] == value, f"a first beat of {value}")

    set_beat("0,25", rate // 4)
    set_beat("", None)


def test_clips_are_added_from_files(own, demo):
    stage, program = own
    stage.button("Edit", exact=True).click()
    with stage.page.expect_file_chooser() as chooser:
        stage.button("Add a clip to Bass, scene 1").click()
    chooser.value.set_files(demo.parent / "loops" / "bass-deep-blue.wav")
    added = program.wait_for(lambda: [clip for clip in program.session()["session"]["tracks"][1]["clips"] if clip["slot"] == 0], "the clip")[0]
    stage.button("Edit", exact=True).click()
    stage.clip(added["id"]).click()
    stage.wait_for_clip(added["id"], "playing")
    stage.button("Undo", exact=True).click()
    program.wait_for(lambda: clip_of(program, added["id"]) is None, "the clip is taken back")
    stage.clip(added["id"]).wait_for(state="detached")


DROP = """async ([selector, name, address]) => {
  const transfer = new DataTransfer()
  const bytes = Uint8Array.from(atob(address), (letter) => letter.charCodeAt(0))
  transfer.items.add(new File([bytes], name, { type: "audio/wav" }))
  const place = document.querySelector(selector)
  for (const type of ["dragenter", "dragover", "drop"]) {
    place.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }))
  }
  return document.body.classList.contains("dropping")
}"""


def test_a_file_that_is_dropped_on_a_place_becomes_its_clip(own, demo):
    stage, program = own
    sound = base64.b64encode((demo.parent / "loops" / "bass-deep-blue.wav").read_bytes()).decode()
    still = stage.page.evaluate(DROP, ["[data-key='slot-bass-0']", "Dropped 90 bpm.wav", sound])
    assert not still
    added = program.wait_for(lambda: [clip for clip in program.session()["session"]["tracks"][1]["clips"] if clip["slot"] == 0], "the clip")
    stage.clip(added[0]["id"]).wait_for()


def test_a_clip_is_dragged_to_another_place_while_editing(own):
    stage, program = own
    stage.button("Edit", exact=True).click()
    stage.clip("bass-rubber-root").drag_to(stage.page.locator("[data-key='slot-bass-0']"))
    program.wait_for(lambda: clip_of(program, "bass-rubber-root")["slot"] == 0, "the clip in the first row")
    stage.button("Undo", exact=True).click()
    program.wait_for(lambda: clip_of(program, "bass-rubber-root")["slot"] == 1, "the clip where it was")


def test_what_is_no_audio_is_refused_in_words(own, tmp_path):
    stage, program = own
    lies = tmp_path / "lies.wav"
    lies.write_bytes(b"RIFF but nothing else")
    stage.button("Edit", exact=True).click()
    with stage.page.expect_file_chooser() as chooser:
        stage.button("Add a clip to Bass, scene 1").click()
    stage.expects_losses = True
    chooser.value.set_files(lies)
    stage.page.locator(".notice.error", has_text="lies.wav").wait_for()
    assert len(program.session()["session"]["tracks"][1]["clips"]) == 3
    stage.complaints = [text for text in stage.complaints if "Failed to load resource" not in text]


def test_who_edits_by_keyboard_comes_back_to_the_clip(own):
    stage, program = own
    keyboard = stage.page.keyboard
    focused = "() => document.activeElement.dataset.clip ?? document.activeElement.tagName"

    def back(way):
        stage.clip("drums-four-steps").focus()
        keyboard.press("Shift+Enter")
        stage.button("Duplicate").focus()
        way()
        stage.button("Duplicate").wait_for(state="hidden")
        stage.rest(0.1)
        return stage.page.evaluate(focused)

    assert back(lambda: keyboard.press("Escape")) == "drums-four-steps"

    def close():
        stage.button("Close the editor").focus()
        keyboard.press("Enter")

    assert back(close) == "drums-four-steps"

    def remove():
        stage.button("Remove the clip").focus()
        keyboard.press("Enter")
        stage.clip("drums-four-steps").wait_for(state="detached")

    assert back(remove) != "BODY", "a place of the grid"
    stage.rest(0.1)
    assert stage.page.evaluate("() => Boolean(document.activeElement.closest('[role=grid]'))")


def test_tracks_and_scenes(own):
    stage, program = own
    stage.button("Add track").click()
    program.wait_for(lambda: len(program.session()["session"]["tracks"]) == 5, "a fifth track")
    stage.button("Add scene").click()
    program.wait_for(lambda: len(program.session()["session"]["scenes"]) == 5, "a fifth scene")
    stage.button("Drums: commands").click()
    stage.page.get_by_role("menuitem", name="Rename…").click()
    stage.page.get_by_label("Name", exact=True).fill("Beats")
    stage.page.keyboard.press("Enter")
    stage.button("Stop Beats").wait_for()
    stage.button("Launch scene Lift").click(button="right")
    stage.button("Tempo…").click()
    stage.page.get_by_label(re.compile("^BPM")).fill("128")
    stage.page.keyboard.press("Enter")
    program.wait_for(lambda: program.session()["session"]["scenes"][2]["tempo"] == 128, "the scene's tempo")
    assert program.session()["session"]["tracks"][0]["name"] == "Beats"


def test_sessions_are_saved_and_opened_again(own):
    stage, program = own
    stage.tempo(97)
    session = stage.button("Session:")
    stage.page.wait_for_function("() => document.querySelector('.set .button').textContent.includes('•')")
    session.click()
    stage.page.get_by_role("menuitem", name="Save as…").click()
    stage.page.get_by_label("Name of the session").fill("Ninety seven")
    stage.page.keyboard.press("Enter")
    program.wait_for(lambda: not program.session()["file"]["isDirty"], "it is saved")
    session.click()
    stage.page.get_by_role("menuitem", name="New session…").click()
    stage.page.get_by_label("Name", exact=True).fill("Empty")
    stage.page.keyboard.press("Enter")
    stage.page.get_by_text("This set is empty").wait_for()
    session.click()
    stage.page.get_by_role("menuitem", name="Open…").click()
    stage.button("Ninety seven").click()
    stage.clip("drums-four-steps").wait_for()
    assert program.session()["session"]["tempo"] == 97
