"""The focus is never nowhere: keys go on from what was done."""

from program import Program, write_playlist, write_tones


def focused(stage, key):
    stage.page.wait_for_function("(key) => document.activeElement.dataset.key === key", arg=key)


def press(stage, name, key="Enter"):
    stage.button(name).focus()
    stage.page.keyboard.press(key)


def test_what_was_typed_beside_a_fader_leads_to_the_fader(stage, program):
    stage.show("mixer")
    for key, gain in [("Enter", -20), ("Escape", -20)]:
        field = stage.page.get_by_label("Drums: gain in dB")
        field.fill("-20" if key == "Enter" else "-3")
        field.press(key)
        focused(stage, "fader-drums")
        program.wait_for(lambda: program.session()["session"]["tracks"][0]["gain"] == gain, "the gain")
    stage.page.keyboard.press("ArrowUp")
    program.wait_for(lambda: program.session()["session"]["tracks"][0]["gain"] == -19.5, "a step of the fader")


def test_undo_and_redo_keep_the_focus_when_there_is_nothing_left(stage, program):
    program.act({"do": "editTrack", "track": "drums", "set": {"name": "Beats"}})
    stage.page.locator("[data-key='undo']:not([aria-disabled='true'])").focus()
    for key, left in [("undo", "redo"), ("redo", "undo")]:
        stage.page.locator(f"[data-key='{key}']").focus()
        stage.page.keyboard.press("Enter")
        stage.page.locator(f"[data-key='{key}'][aria-disabled='true']").wait_for()
        focused(stage, key)
        # It does nothing now.
        stage.page.keyboard.press("Enter")
        stage.rest(0.3)
        assert program.session()["history"][left] is not None
        focused(stage, key)


def test_an_effect_that_is_moved_to_the_end_keeps_the_focus_on_its_button(stage, program):
    def effects():
        return [effect["id"] for effect in program.session()["session"]["tracks"][2].get("effects", [])]

    for _ in range(2):
        program.act({"do": "addEffect", "track": "chords", "type": "filter"})
    one, two = effects()
    stage.show("mixer")
    stage.button("Effects of Chords").click()
    press(stage, "Move Filter 1 down")
    program.wait_for(lambda: effects() == [two, one], "the filter is last")
    stage.page.locator(f"[data-key='move-down-{one}'][aria-disabled='true']").wait_for()
    focused(stage, f"move-down-{one}")


def test_the_focus_stays_near_what_was_the_last_one(stage, program):
    program.act({"do": "addInput", "name": "mic"})
    stage.show("settings")
    press(stage, "Remove mic")
    stage.page.wait_for_function("() => document.activeElement.matches('ul.inputs')")
    assert not program.session()["session"].get("inputs")
    file = program.session()["session"]["tracks"][0]["clips"][0]["file"]
    program.act({"do": "playlist", "action": "insert", "index": 0, "file": file})
    stage.show("playlist")
    press(stage, "Empty the list")
    program.wait_for(lambda: program.session()["session"]["playlist"] == [], "an empty list")
    stage.page.wait_for_function("() => document.activeElement.closest('.empty')")


def test_a_track_that_is_moved_by_keys_is_followed_by_the_focus(stage, program):
    program.wait_for(lambda: program.session()["session"]["tracks"], "tracks")
    for way, place in [("Move right", 1), ("Move right", 2), ("Move left", 1)]:
        press(stage, "Drums: commands")
        stage.page.get_by_role("menuitem", name=way).focus()
        stage.page.keyboard.press("Enter")
        program.wait_for(lambda: program.session()["session"]["tracks"][place]["id"] == "drums", "the track")
        stage.rest(0.3)
        focused(stage, "commands-drums")


# Of what gets the focus by a key, the parts of the view that lie under others.
COVERED = """() => {
  const part = document.activeElement
  const box = part.getBoundingClientRect()
  const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
  return part.closest("#view") && !(part.contains(top) || top?.contains(part)) ? part.ariaLabel ?? part.textContent : null
}"""


def covered(stage, key, count):
    found = []
    for _ in range(count):
        stage.page.keyboard.press(key)
        found.append(stage.page.evaluate(COVERED))
    return [name for name in found if name]


def test_a_strip_that_gets_the_focus_is_not_left_under_the_masters(program, open_page):
    for name in ["One", "Two", "Three", "Four", "Five", "Six"]:
        program.act({"do": "addTrack", "name": name})
    stage = open_page(program, width=1000, height=600, view="mixer")
    stage.page.get_by_label("Drums: gain in dB").focus()
    assert covered(stage, "Tab", 90) == []


def test_an_item_that_gets_the_focus_is_not_left_under_what_plays(home, tmp_path, open_page):
    write_tones(tmp_path / "list", {"tone": (220, 48_000)})
    program = Program(home, write_playlist(tmp_path / "list", {"tone": (220, 48_000)}))
    try:
        for index in range(1, 16):
            program.act({"do": "playlist", "action": "insert", "index": index, "file": "tone.wav"})
        stage = open_page(program, width=1000, height=600, view="playlist")
        stage.page.locator(".items .item").nth(15).locator("button").last.focus()
        assert covered(stage, "Shift+Tab", 40) == []
    finally:
        program.stop()
