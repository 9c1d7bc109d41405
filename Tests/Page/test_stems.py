"""Stems on their time line."""

import re

import pytest
from program import Program, copy_session, write_stems
from sound import SILENCE, level


@pytest.fixture
def song(home, demo, tmp_path, open_page):
    """A page of three stems, and its program."""
    copy_session(demo.parent, tmp_path / "set")
    program = Program(home, write_stems(tmp_path / "set"))
    yield open_page(program, view="stems"), program
    program.stop()


def position(stage):
    minutes, seconds = re.match(r"(\d+):([\d.]+) /", stage.page.locator(".position").inner_text()).groups()
    return 60 * int(minutes) + float(seconds)


def test_stems_play_pause_and_go_where_they_are_sent(song):
    stage, program = song
    stage.button("Play the stems").click()
    stage.button("Pause the stems").wait_for()
    stage.rest(0.6)
    assert 0.2 < position(stage) < 4
    stage.button(re.compile("^chorus")).click()
    program.wait_for(lambda: program.events("stemsSeeked"), "a seek")
    assert program.events("stemsSeeked")[0]["position"] == 5
    stage.rest(0.3)
    assert position(stage) > 4.9
    stage.button("Pause the stems").click()
    stage.button("Play the stems").wait_for()
    box = stage.page.get_by_role("slider", name="Position of the stems").bounding_box()
    duration = program.session()["stemsDuration"]
    stage.page.mouse.click(box["x"] + box["width"] / 4, box["y"] + 20)
    program.wait_for(lambda: abs(program.events("stemsSeeked")[-1]["position"] - duration / 4) < 0.1, "a seek to a quarter")
    stage.page.wait_for_function(f"() => Math.abs(parseFloat(document.querySelector('.position').innerText.slice(2)) - {duration / 4}) < 0.2")
    stage.page.get_by_role("slider", name="Position of the stems").focus()
    for key, place in [("End", duration), ("Home", 0)]:
        stage.page.keyboard.press(key)
        program.wait_for(lambda: abs(program.events("stemsSeeked")[-1]["position"] - place) < 0.1, f"a seek by {key}")


def test_what_is_half_typed_for_a_stem_goes_on_when_another_one_changes(song):
    stage, program = song
    one, two = [stem["id"] for stem in program.session()["session"]["stems"]][:2]
    for key, name in [(f"stem-gain-{one}-value", "gain"), (f"transpose-{one}", "transpose")]:
        field = stage.page.locator(f"[data-key='{key}']")
        before = program.session()["session"]["stems"][0].get(name)
        field.select_text()
        field.press_sequentially("-1")
        program.act({"do": "editStem", "stem": two, "set": {"color": "#123456" if name == "gain" else "#654321"}})
        stage.rest(0.5)
        assert program.session()["session"]["stems"][0].get(name) == before
        stage.page.keyboard.type("2")
        assert field.input_value() == "-12"
        stage.page.keyboard.press("Enter")
        program.wait_for(lambda: program.session()["session"]["stems"][0].get(name) == -12, name)


def test_a_drag_on_the_time_line_loops(song):
    stage, program = song
    box = stage.page.get_by_role("slider", name="Position of the stems").bounding_box()
    stage.page.mouse.move(box["x"] + 2, box["y"] + 20)
    stage.page.mouse.down()
    stage.page.mouse.move(box["x"] + box["width"] / 8, box["y"] + 20, steps=4)
    stage.page.locator(".timeline .loop:not([hidden])").wait_for()
    stage.page.keyboard.press("Escape")
    stage.page.locator(".timeline .loop").wait_for(state="hidden")
    stage.page.mouse.up()
    stage.rest(0.3)
    assert program.session().get("stemsLoop") is None and not program.events("stemsSeeked")
    stage.page.mouse.move(box["x"] + 2, box["y"] + 20)
    stage.page.mouse.down()
    stage.page.mouse.move(box["x"] + box["width"] / 8, box["y"] + 20, steps=4)
    stage.page.mouse.up()
    stage.page.locator(".timeline .loop:not([hidden])").wait_for()
    stage.button("Play the stems").click()
    program.wait_for(lambda: program.events("stemsLooped"), "the loop comes round")
    assert position(stage) < 1.5
    stage.button("Loop the region").click()
    stage.page.locator(".timeline .loop").wait_for(state="hidden")


def test_a_loop_that_others_set_is_shown_and_ended_here(song):
    stage, program = song
    duration = program.session()["stemsDuration"]
    line = stage.page.get_by_role("slider", name="Position of the stems").bounding_box()
    shown = stage.page.locator(".timeline .loop")
    program.act({"do": "stems", "action": "loop", "start": 1, "end": 3})
    stage.page.locator(".timeline .loop:not([hidden])").wait_for()
    box = shown.bounding_box()
    assert abs(box["width"] - line["width"] * 2 / duration) < 3
    assert abs(box["x"] - line["x"] - line["width"] / duration) < 3
    assert program.session()["stemsLoop"] == {"start": 1, "end": 3}
    # Behind the loop's end they play on.
    program.act({"do": "stems", "action": "seek", "position": 4}, {"do": "stems", "action": "play"})
    program.wait_for(lambda: program.events("stemsStarted"), "the stems start")
    stage.rest(0.4)
    assert 4 < position(stage) < 7
    stage.button("Loop the region").click()
    program.wait_for(lambda: program.session()["stemsLoop"] is None, "the loop is ended")
    shown.wait_for(state="hidden")
    # It is looped again from here, on every page.
    stage.button("Loop the region").click()
    program.wait_for(lambda: program.session()["stemsLoop"] == {"start": 1, "end": 3}, "it is looped again")


def test_a_marker_is_pressed_while_others_change_the_set(song):
    stage, program = song
    box = stage.button(re.compile("^chorus")).bounding_box()
    stage.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    stage.page.mouse.down()
    program.act({"do": "mute", "stem": "drums", "on": True})
    stage.page.locator("[aria-label='Mute Drums'][aria-pressed='true']").wait_for()
    stage.page.mouse.up()
    program.wait_for(lambda: program.events("stemsSeeked"), "a seek")
    stage.button(re.compile("^verse")).focus()
    program.act({"do": "mute", "stem": "drums", "on": False})
    stage.page.locator("[aria-label='Mute Drums'][aria-pressed='false']").wait_for()
    assert stage.page.evaluate("document.activeElement.innerText").startswith("verse")


def test_a_stem_of_the_same_length_in_the_place_of_another_has_its_own_shape(song, tmp_path):
    stage, program = song
    shapes = "[...document.querySelectorAll('.lanes canvas')].map((canvas) => canvas.toDataURL())"
    stage.page.wait_for_function(f"() => new Set({shapes}).size > 3")
    stage.rest(0.5)
    before = stage.page.evaluate(shapes)
    loops = tmp_path / "set" / "loops"
    # A loop that is as long as the drums, with other sound.
    whole = (loops / "drums-four-steps.wav").read_bytes()
    (loops / "other.wav").write_bytes(whole[:60] + bytes(len(whole) // 2) + whole[60 + len(whole) // 2:])
    version = program.session()["stems"]["drums"]["version"]
    program.act({"do": "editStem", "stem": "drums", "set": {"file": "loops/other.wav"}})
    program.wait_for(lambda: program.session()["stems"]["drums"]["version"] != version, "another file")
    stage.page.wait_for_function(f"(before) => {shapes}.some((shape, index) => shape !== before[index] && index < 2)", arg=before)


def test_markers_mutes_and_faders_of_stems(song):
    stage, program = song
    stage.button("Add a marker here").click()
    stage.page.get_by_label(re.compile("Name of the place")).fill("start")
    stage.page.keyboard.press("Enter")
    stage.button("start · 0:00.0", exact=True).wait_for()
    recording = stage.record()
    stage.button("Play the stems").click()
    program.wait_for(lambda: program.events("stemsStarted"), "the stems start")
    stage.rest(0.8)
    for name in ["Drums", "Bass", "Keys"]:
        stage.button(f"Mute {name}").click()
        program.wait_for(lambda name=name: next(stem for stem in program.session()["session"]["stems"] if stem["name"] == name)["mute"], "a mute")
    stage.rest(0.6)
    samples, _, _ = stage.stop_recording()
    start = program.events("stemsStarted")[0]["frame"] - recording["since"]
    assert level(samples[max(0, start):start + 9600]) > 0.001
    assert level(samples[-4800:]) < SILENCE


def test_a_stem_is_added_and_taken_away(song, demo):
    stage, program = song
    with stage.page.expect_file_chooser() as chooser:
        stage.button("Add stems").first.click()
    chooser.value.set_files(demo.parent / "loops" / "lead-arc-runner.wav")
    program.wait_for(lambda: len(program.session()["session"]["stems"]) == 4, "a fourth stem")
    stage.button("Remove Drums").click()
    program.wait_for(lambda: program.session()["session"]["stems"][0]["id"] == "bass", "the drums are gone")


def test_the_space_bar_plays_and_pauses_the_stems(song):
    stage, program = song
    stage.page.keyboard.press(" ")
    stage.button("Pause the stems").wait_for()
    program.wait_for(lambda: program.events("stemsStarted"), "the stems start")
    stage.button("Mute Drums").click()
    stage.page.keyboard.press(" ")
    stage.button("Play the stems").wait_for()
    assert not program.events("transportStarted")


def test_stems_of_a_tempo_have_bars_a_count_in_and_the_click(song):
    stage, program = song
    program.act({"do": "editMetronome", "set": {"countIn": 1}})
    tempo = stage.page.get_by_label(re.compile("^Tempo of the stems"))
    tempo.fill("120")
    tempo.press("Enter")
    program.wait_for(lambda: program.session()["session"].get("stemSet") == {"bpm": 120}, "the stems' tempo")
    stage.page.locator(".timeline.barred").wait_for()
    stage.page.locator("#view").focus()
    stage.page.keyboard.press(" ")
    rolled = program.wait_for(lambda: program.events("transportStarted"), "the transport rolls")[0]["frame"]
    started = program.wait_for(lambda: program.events("stemsStarted"), "the stems start")[0]["frame"]
    assert started - rolled == 96000
    stage.page.locator(".beat .place", has_text=re.compile("^1[.]")).wait_for()
    stage.page.locator(".stem-place", has_text=re.compile("^1[.]")).wait_for()
    stage.page.keyboard.press(" ")
    program.wait_for(lambda: program.events("transportStopped"), "the transport stops with them")


def test_places_snap_to_bars(song):
    stage, program = song
    program.act({"do": "editStemSet", "set": {"bpm": 120}})
    snap = stage.button("Snap to bars")
    stage.page.locator("[data-key='stems-snap']:not(:disabled)").wait_for()
    snap.click()
    stage.page.locator("[data-key='stems-snap'][aria-pressed='true']").wait_for()
    stage.button(re.compile("^chorus")).click()
    program.wait_for(lambda: program.events("stemsSeeked"), "a seek")
    assert program.events("stemsSeeked")[0]["position"] == 6
    stage.page.wait_for_function("() => document.querySelector('.stem-place').innerText === '4.1'")
    stage.button("Bar line here").click()
    program.wait_for(lambda: program.session()["session"]["stemSet"].get("firstBeat") == 288000, "the bar line")
    stage.button("Add a marker here").click()
    stage.page.get_by_label(re.compile("Name of the place")).fill("here")
    stage.page.keyboard.press("Enter")
    program.wait_for(lambda: {"name": "here", "position": 6} in program.session()["session"]["markers"], "a marker on the bar line")
    box = stage.page.get_by_role("slider", name="Position of the stems").bounding_box()
    stage.page.mouse.move(box["x"] + 2, box["y"] + 20)
    stage.page.mouse.down()
    stage.page.mouse.move(box["x"] + box["width"] * 2.2 / program.session()["stemsDuration"], box["y"] + 20, steps=4)
    stage.page.mouse.up()
    loop = stage.page.locator(".timeline .loop:not([hidden])")
    loop.wait_for()
    assert abs(loop.bounding_box()["width"] - box["width"] * 2 / program.session()["stemsDuration"]) < 3


def test_the_tempo_of_stems_is_found_by_listening(song):
    stage, program = song
    program.act({"do": "removeStem", "stem": "bass"}, {"do": "removeStem", "stem": "keys"})
    stage.page.get_by_label(re.compile("^Tempo of the stems")).wait_for()
    stage.button("Find the tempo").click()
    program.wait_for(lambda: program.session()["session"].get("stemSet"), "a tempo")
    found = program.session()["session"]["stemSet"]
    assert abs(found["bpm"] - 120) < 0.5
    # On a beat, within 15 ms.
    assert abs((found["firstBeat"] + 12000) % 24000 - 12000) < 720
    stage.page.locator(".notice", has_text="BPM").wait_for()


def test_stems_follow_the_tempo_at_their_own_pitch(song):
    stage, program = song
    choice = stage.page.locator("[data-key='stems-playback']")
    program.act({"do": "editStemSet", "set": {"bpm": 120}})
    stage.page.locator("[data-key='stems-playback']:not(:disabled)").wait_for()
    choice.select_option("stretch")
    program.wait_for(
        lambda: all(stem.get("playback") == "stretch" and stem.get("bpm") == 120 for stem in program.session()["session"]["stems"]),
        "stems that keep their pitch",
    )
    stage.page.locator("[data-key='stems-tempo']:disabled").wait_for()
    stage.button("Undo").click()
    stage.page.locator("[data-key='stems-tempo']:not(:disabled)").wait_for()
    stage.page.wait_for_function("() => document.querySelector(`[data-key='stems-playback']`).value === 'original'")


def test_a_stem_is_transposed(song):
    stage, program = song
    first = program.session()["session"]["stems"][0]
    field = stage.page.get_by_label(f"Transpose {first['name']}, semitones")
    field.fill("2")
    field.press("Enter")
    program.wait_for(lambda: program.session()["session"]["stems"][0].get("transpose") == 2, "a higher pitch")
    stage.button("Undo").click()
    stage.page.wait_for_function("(key) => document.querySelector(`[data-key='${key}']`).value === '0'", arg=f"transpose-{first['id']}")
    voice = stage.page.get_by_role("button", name=f"Keep the voice of {first['name']}")
    voice.click()
    program.wait_for(lambda: program.session()["session"]["stems"][0].get("formants") == 0, "formants that stay")
    stage.page.locator("[aria-pressed=true]").and_(voice).wait_for()
    voice.click()
    program.wait_for(lambda: "formants" not in program.session()["session"]["stems"][0], "formants that follow")


def test_the_tempo_of_the_stems_is_what_was_entered(song):
    stage, program = song
    field = stage.page.locator("[data-key='stems-tempo']")
    for text, bpm, shown in [("97", 97, "97.0"), ("98,5", 98.5, "98.5"), ("", None, ""), ("60", 60, "60.0")]:
        field.fill(text)
        field.press("Enter")
        program.wait_for(lambda: program.session()["session"].get("stemSet", {}).get("bpm") == bpm, text)
        stage.page.wait_for_function(f"() => document.querySelector('[data-key=stems-tempo]').value === '{shown}'")
        stage.rest(0.5)
        assert field.input_value() == shown
    field.fill("fast")
    field.press("Enter")
    stage.page.get_by_text("A tempo is a number of beats a minute.").wait_for()
    assert field.input_value() == "60.0"
    # Who goes on typing is not interrupted, and who leaves it as it was has set nothing.
    field.fill("61")
    program.act({"do": "editStemSet", "set": {"bpm": 90}})
    stage.rest(0.5)
    assert field.input_value() == "61"
    field.press("Escape")
    assert field.input_value() == "90.0"
    assert program.session()["session"]["stemSet"]["bpm"] == 90


def test_a_number_out_of_range_is_told(song):
    stage, program = song
    first = program.session()["session"]["stems"][0]
    field = stage.page.locator(f"[data-key='transpose-{first['id']}']")
    field.fill("-24.01")
    field.press("Enter")
    stage.page.get_by_text("From −24 to 24.").wait_for()
    assert field.input_value() == "0"
    gain = stage.page.locator(f"[data-key='stem-gain-{first['id']}-value']")
    shown = gain.input_value()
    gain.fill("70")
    gain.press("Enter")
    stage.page.get_by_text("At most +24.0 dB.").wait_for()
    assert gain.input_value() == shown
    assert program.session()["session"]["stems"][0] == first


def test_the_gain_of_a_stem_is_shown_whole(song):
    stage, program = song
    first = program.session()["session"]["stems"][0]["id"]
    program.act({"do": "gain", "stem": first, "db": -14})
    stage.page.wait_for_function(f"() => document.querySelector('[data-key=\"stem-gain-{first}-value\"]').value === '−14.0'")
    for width in [1280, 390]:
        stage.page.set_viewport_size({"width": width, "height": 844})
        assert stage.page.locator(".gain-value:visible").evaluate_all("(fields) => fields.every((field) => field.scrollWidth <= field.clientWidth)")


def test_stems_are_put_into_another_order_by_keys_and_by_hand(song):
    stage, program = song
    order = lambda: [stem["id"] for stem in program.session()["session"]["stems"]]
    one, two, three = order()[:3]
    rest = order()[3:]
    grip = stage.page.locator(f"[data-key='stem-grip-{one}']")
    grip.focus()
    stage.page.keyboard.press("ArrowDown")
    program.wait_for(lambda: order() == [two, one, three, *rest], "one below")
    stage.page.wait_for_function(f"() => document.querySelector('.lanes [data-index=\"1\"] [data-key=\"stem-grip-{one}\"]')")
    assert stage.page.evaluate("document.activeElement.dataset.key") == f"stem-grip-{one}"
    box = grip.bounding_box()
    to = stage.page.locator(f"[data-key='stem-grip-{two}']").bounding_box()
    stage.page.mouse.move(box["x"] + 5, box["y"] + 5)
    stage.page.mouse.down()
    stage.page.mouse.move(to["x"] + 5, to["y"] - 5, steps=6)
    stage.page.mouse.up()
    program.wait_for(lambda: order() == [one, two, three, *rest], "back at the top")


def test_a_stem_that_is_renamed_has_one_name_for_all(song, open_page):
    stage, program = song
    stem = program.session()["session"]["stems"][0]
    stage.page.get_by_role("group", name=stem["name"], exact=True).wait_for()
    program.act({"do": "editStem", "stem": stem["id"], "set": {"name": "Mute Solo"}})
    stage.page.get_by_role("group", name="Mute Solo", exact=True).wait_for()
    labels = lambda page: page.evaluate(
        "[...document.querySelectorAll('.lane *, .lane')].map((element) => [element.ariaLabel, element.title])"
    )
    other = open_page(program, view="stems")
    other.page.get_by_role("group", name="Mute Solo", exact=True).wait_for()
    assert labels(stage.page) == labels(other.page)


def test_what_is_typed_for_a_stem_that_another_page_removes_is_nothing_elses(song):
    stage, program = song
    one, two = [stem["id"] for stem in program.session()["session"]["stems"]][:2]
    stage.page.locator(f"[data-key='transpose-{one}']").focus()
    stage.rest(3.1)
    program.act({"do": "removeStem", "stem": one})
    stage.page.locator(f"[data-key='transpose-{one}']").wait_for(state="detached")
    before = program.session()
    stage.page.keyboard.type("7 1")
    stage.page.keyboard.press("Enter")
    stage.rest(0.5)
    after = program.session()
    assert after["session"] == before["session"] and not program.events("clipQueued")
    assert stage.page.evaluate("document.activeElement !== document.body")
    stage.page.keyboard.press("Tab")
    assert stage.page.evaluate("document.activeElement.tagName") in ["BUTTON", "INPUT"]
    # Who removes one by keys is at the next one.
    stage.page.locator(".lane [aria-label^='Remove ']").first.focus()
    stage.page.keyboard.press("Enter")
    program.wait_for(lambda: two not in [stem["id"] for stem in program.session()["session"]["stems"]], "the next one is removed")
    stage.page.wait_for_function("() => document.activeElement.getAttribute('aria-label')?.startsWith('Remove ')")


def test_each_press_of_an_arrow_key_counts_however_quick(song):
    stage, program = song
    line = stage.page.get_by_role("slider", name="Position of the stems")
    line.focus()
    for _ in range(2):
        stage.page.keyboard.press("ArrowRight")
    program.wait_for(lambda: len(program.events("stemsSeeked")) == 2, "two seeks")
    # It is shorter than ten seconds.
    assert [event["position"] for event in program.events("stemsSeeked")] == [5, program.session()["stemsDuration"]]


def test_the_loop_of_other_stems_is_not_looped(song):
    stage, program = song
    duration = program.session()["stemsDuration"]
    program.act({"do": "stems", "action": "loop", "start": duration - 3, "end": duration - 1})
    program.wait_for(lambda: program.session()["stemsLoop"], "a loop")
    stage.page.locator(".timeline .loop:visible").wait_for()
    files = [stem["file"] for stem in program.session()["session"]["stems"]]
    program.act({"do": "stems", "action": "loop", "on": False})
    for stem in program.session()["session"]["stems"]:
        program.act({"do": "removeStem", "stem": stem["id"]})
    stage.page.get_by_role("heading", name="No stems yet").wait_for()
    program.act({"do": "addStem", "file": files[0]})
    stage.button("Loop the region").click()
    program.wait_for(lambda: program.session()["stemsLoop"], "a loop again")
    assert program.session()["stemsLoop"] == {"start": 0, "end": min(8, program.session()["stemsDuration"])}
