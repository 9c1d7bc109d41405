"""The playlist: put in order while it plays, and what is heard is in that order, without a gap."""

import re
import time

import numpy
import pytest
from axe_playwright_python.sync_playwright import Axe
from program import Program, write_playlist, write_tones

# Odd lengths: a seam between blocks would be seen.
TONES = {"one": (220, 150_001), "two": (330, 120_007), "three": (440, 96_001), "four": (550, 1_440_000)}


@pytest.fixture
def tones(tmp_path):
    return write_tones(tmp_path / "list", TONES)


@pytest.fixture
def program(home, tones, tmp_path):
    program = Program(home, write_playlist(tmp_path / "list", TONES))
    yield program
    program.stop()


@pytest.fixture
def stage(program, open_page):
    return open_page(program, view="playlist")


def listed(program):
    return [item["id"] for item in program.session()["session"]["playlist"]]


def shown(stage):
    return stage.page.locator(".items .item:visible").evaluate_all("rows => rows.map((row) => row.dataset.item)")


def wait_until_shown(stage, names):
    stage.page.wait_for_function(
        "(names) => JSON.stringify([...document.querySelectorAll('.items .item')].filter((row) => row.checkVisibility())"
        ".map((row) => row.dataset.item)) === JSON.stringify(names)", arg=names)


def grip(stage, name):
    return stage.page.locator(f"[data-item='{name}'] [data-grip]")


def drag(stage, name, to, below=False):
    source, target = grip(stage, name).bounding_box(), stage.page.locator(f"[data-item='{to}']").bounding_box()
    x = source["x"] + source["width"] / 2
    stage.page.mouse.move(x, source["y"] + source["height"] / 2)
    stage.page.mouse.down()
    stage.page.mouse.move(x, target["y"] + target["height"] * (0.8 if below else 0.2), steps=8)
    stage.page.locator(".drop-line:not([hidden])").wait_for()
    stage.page.mouse.up()


def violations(stage):
    found = Axe().run(stage.page).response["violations"]
    return [(violation["id"], node["html"][:160]) for violation in found for node in violation["nodes"]]


def wait_until_playing(program, name):
    return program.wait_for(lambda: [event for event in program.events("itemStarted") if event["item"] == name], f"{name} starts")[0]


def test_what_is_dragged_while_it_plays_is_heard_in_its_new_place_without_a_gap(stage, program, tones):
    recording = stage.record()
    stage.button("Play the list").click()
    start = wait_until_playing(program, "one")["frame"] - recording["since"]
    drag(stage, "three", to="two")
    wait_until_shown(stage, ["one", "three", "two", "four"])
    assert listed(program) == ["one", "three", "two", "four"]
    stage.page.locator("[data-item='three'][aria-current='true']").wait_for()
    stage.page.locator("[data-item='two'][aria-current='true']").wait_for()
    wait_until_playing(program, "four")
    stage.rest(0.3)
    samples, rate, _ = stage.stop_recording()
    expected = numpy.concatenate([tones[name] for name in ["one", "three", "two"]])
    heard = samples[start:start + len(expected)]
    assert rate == 48000
    # Whatever fades in at the start is over after a moment.
    assert numpy.abs(heard[4800:, 0] - expected[4800:]).max() < 1e-6
    assert numpy.abs(expected[4800:]).max() > 0.2


def test_a_finger_drags_too(program, open_page):
    stage = open_page(program, width=390, height=844, touch=True, view="playlist")
    source, target = grip(stage, "four").bounding_box(), stage.page.locator("[data-item='one']").bounding_box()
    session = stage.context.new_cdp_session(stage.page)
    x, start, end = source["x"] + 20, source["y"] + 20, target["y"] + 5

    def touch(kind, y=None):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [] if y is None else [{"x": x, "y": y}]})

    touch("touchStart", start)
    for step in range(1, 9):
        touch("touchMove", start + (end - start) * step / 8)
    stage.page.locator(".drop-line:not([hidden])").wait_for()
    touch("touchEnd")
    wait_until_shown(stage, ["four", "one", "two", "three"])


def test_arrow_keys_move_an_item_and_it_is_said(stage, program):
    grip(stage, "one").focus()
    stage.page.keyboard.press("ArrowDown")
    wait_until_shown(stage, ["two", "one", "three", "four"])
    stage.page.get_by_text("One: place 2 of 4").wait_for()
    stage.page.wait_for_function("() => document.activeElement.closest('[data-item]')?.dataset.item === 'one'")
    stage.page.keyboard.press("End")
    wait_until_shown(stage, ["two", "three", "four", "one"])
    stage.button("Undo").click()
    wait_until_shown(stage, ["two", "one", "three", "four"])


def test_arrow_keys_that_are_faster_than_the_link_move_as_far_as_they_are_pressed(stage, program):
    stage.slow_down(0.3)
    grip(stage, "one").focus()
    for key, pause in [("ArrowDown", 200), ("ArrowDown", 200), ("ArrowDown", 100), ("ArrowUp", 0), ("ArrowDown", 0)]:
        stage.page.keyboard.press(key)
        stage.page.wait_for_timeout(pause)
    wait_until_shown(stage, ["two", "three", "four", "one"])
    stage.page.wait_for_timeout(700)
    assert listed(program) == ["two", "three", "four", "one"]


@pytest.mark.parametrize("size", [(1280, 900), (1024, 600), (360, 740)])
def test_the_menu_of_the_session_is_above_what_plays(program, open_page, size):
    stage = open_page(program, width=size[0], height=size[1], view="playlist")
    stage.page.locator(".now").wait_for()
    stage.button("Session:").click()
    stage.page.get_by_role("menuitem").first.wait_for()
    covered = stage.page.get_by_role("menuitem").evaluate_all("""(items) => items.filter((item) => {
      const { left, top, width, height } = item.getBoundingClientRect()
      return [0.1, 0.5, 0.95].some((part) => !item.contains(document.elementFromPoint(left + width * part, top + height / 2)))
    }).map((item) => item.textContent)""")
    assert covered == []


@pytest.mark.parametrize("size", [(1280, 600), (1024, 480), (844, 390)])
def test_in_a_low_window_the_list_has_more_of_it_than_what_plays(program, open_page, size):
    stage = open_page(program, width=size[0], height=size[1], view="playlist")
    card, view = stage.page.locator(".now").bounding_box(), stage.page.locator("#view").bounding_box()
    assert card["height"] < 0.5 * view["height"]
    # What there is no room for is one press away.
    more = stage.button("Repeat, shuffle, crossfade")
    more.click()
    stage.choice("Repeat").wait_for()
    more.click()
    stage.choice("Repeat").wait_for(state="hidden")


def test_a_long_list_is_scrolled_up_by_what_is_dragged_to_what_plays(program, open_page):
    for index in range(16):
        program.act({"do": "playlist", "action": "insert", "index": 4 + index, "file": "one.wav", "id": f"more{index}"})
    stage = open_page(program, width=1024, height=600, view="playlist")
    grip(stage, "more15").scroll_into_view_if_needed()
    view = stage.page.locator("#view")
    scrolled = view.evaluate("(view) => view.scrollTop")
    assert scrolled > 200
    source, card = grip(stage, "more15").bounding_box(), stage.page.locator(".now").bounding_box()
    x = source["x"] + source["width"] / 2
    stage.page.mouse.move(x, source["y"] + source["height"] / 2)
    stage.page.mouse.down()
    stage.page.mouse.move(x, card["y"] + card["height"] + 10, steps=8)
    stage.page.wait_for_function("() => document.getElementById('view').scrollTop === 0")
    # Over what plays it comes before the first item that is seen.
    stage.page.mouse.move(x, card["y"] + card["height"] / 2, steps=4)
    stage.page.mouse.up()
    program.wait_for(lambda: listed(program)[0] == "more15", "it is the first")


def test_a_search_shows_what_is_called_so(stage, program):
    search = stage.page.get_by_role("searchbox", name="Search the playlist")
    search.fill("o")
    wait_until_shown(stage, ["one", "two", "four"])
    search.fill("thr")
    wait_until_shown(stage, ["three"])
    stage.button("Play Three").click()
    wait_until_playing(program, "three")
    search.fill("none of these")
    stage.page.get_by_text("Nothing in the list is called").wait_for()
    search.fill("")
    wait_until_shown(stage, ["one", "two", "three", "four"])


def test_a_place_is_sought_and_shown(stage, program):
    stage.button("Play Four").click()
    wait_until_playing(program, "four")
    # Until the page shows that item, its bar is as long as the one before.
    stage.page.locator(".now-title", has_text="Four").wait_for()
    bar = stage.page.get_by_role("slider", name="Position in the item")
    box = bar.bounding_box()
    stage.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    sought = program.wait_for(lambda: program.events("itemSeeked"), "a seek")[0]
    assert sought["item"] == "four" and abs(sought["position"] - 15) < 0.5
    stage.page.wait_for_function("() => document.querySelector('.elapsed').innerText >= '0:15'")
    bar.focus()
    stage.page.keyboard.press("ArrowRight")
    program.wait_for(lambda: len(program.events("itemSeeked")) > 1, "a seek by a key")
    assert program.events("itemSeeked")[1]["position"] > sought["position"] + 4.5
    stage.button("Pause the list").click()
    stage.button("Play the list").wait_for()
    program.wait_for(lambda: program.session()["playlist"]["phase"] == "paused", "the pause in the state")
    assert re.fullmatch(r"0:2\d", stage.page.locator(".elapsed").inner_text())


def test_buttons_and_keys_go_through_the_list(stage, program):
    stage.page.locator("#view").focus()
    stage.page.keyboard.press(" ")
    wait_until_playing(program, "one")
    stage.button("Next item").click()
    wait_until_playing(program, "two")
    stage.page.locator("[data-item='two'][aria-current='true']").wait_for()
    stage.button("Previous item").click()
    program.wait_for(lambda: len([event for event in program.events("itemStarted") if event["item"] == "one"]) == 2, "the first again")
    stage.button("Panic").click()
    stage.button("Play the list").wait_for()


def test_modes_are_kept_with_the_session_and_undone(stage, program):
    stage.choice("Repeat").select_option("all")
    stage.button("Shuffle").click()
    stage.choice("Crossfade").select_option("2")
    program.wait_for(lambda: program.session()["session"].get("playlistSettings") == {"repeat": "all", "shuffle": True, "crossfade": 2}, "the modes")
    state = program.session()["playlist"]
    assert (state["repeat"], state["shuffle"], state["crossfade"]) == ("all", True, 2)
    program.act({"do": "undo"})
    program.wait_for(lambda: program.session()["playlist"]["crossfade"] == 0, "the last is undone")
    assert program.session()["playlist"]["shuffle"]


def test_files_come_by_upload_and_from_the_library_and_leave_again(stage, program, demo):
    with stage.page.expect_file_chooser() as chooser:
        stage.button("Add files").click()
    chooser.value.set_files([demo.parent / "loops" / "lead-arc-runner.wav", demo.parent / "loops" / "bass-rubber-root.wav"])
    program.wait_for(lambda: len(listed(program)) == 6, "two more")
    assert [item["file"] for item in program.session()["session"]["playlist"]][4:] == ["audio/lead-arc-runner.wav", "audio/bass-rubber-root.wav"]
    stage.button("From the library").click()
    stage.page.get_by_role("searchbox", name="Search the library").fill("two")
    stage.page.get_by_role("checkbox", name="two.wav").check()
    stage.button("Add 1").click()
    program.wait_for(lambda: len(listed(program)) == 7, "one from the library")
    stage.button("Remove Lead-Arc-Runner").or_(stage.button("Remove lead-arc-runner")).click()
    program.wait_for(lambda: len(listed(program)) == 6, "one is gone")
    stage.button("Empty the list").click()
    stage.page.get_by_role("heading", name="No playlist yet").wait_for()
    stage.button("Undo").click()
    program.wait_for(lambda: len(listed(program)) == 6, "all are back")


def test_what_is_left_is_what_will_be_heard(stage, program):
    total = stage.page.locator(".total")
    program.act({"do": "playlist", "action": "play", "index": 0}, {"do": "playlist", "action": "pause"})

    def left(seconds):
        shown = re.compile(f"0:({'|'.join(f'{round(seconds) - late:02}' for late in range(2))}) left")
        total.filter(has_text=shown).wait_for()

    lengths = [frames / 48_000 for _, frames in TONES.values()]
    left(sum(lengths))
    # Items overlap by half of the shorter one at most.
    program.act({"do": "playlist", "action": "crossfade", "seconds": 2})
    left(sum(lengths) - 2.5 / 2 - 1 - 1)
    program.act({"do": "playlist", "action": "stopAfterCurrent", "on": True})
    left(lengths[0])


def test_files_come_where_they_were_meant_to_whatever_others_do_meanwhile(stage, program, tmp_path):
    stage.button("From the library").click()
    search = stage.page.get_by_role("searchbox", name="Search the library")
    for name in ["two", "three"]:
        search.fill(name)
        stage.page.get_by_role("checkbox", name=f"{name}.wav").check()
    program.act({"do": "playlist", "action": "insert", "index": 0, "file": "one.wav", "id": "first"})
    stage.button("Add 2").click()
    program.wait_for(lambda: len(listed(program)) == 7, "two more")
    files = [item["file"] for item in program.session()["session"]["playlist"]]
    assert files == ["one.wav", "one.wav", "two.wav", "three.wav", "four.wav", "two.wav", "three.wav"]
    # Another client adds an item at the front while a file is sent.
    with stage.page.expect_file_chooser() as chooser:
        stage.button("Add files").click()

    def send(route):
        program.act({"do": "playlist", "action": "insert", "index": 0, "file": "four.wav"})
        time.sleep(0.3)
        route.continue_()

    stage.page.route("**/api/files*", send)
    chooser.value.set_files([tmp_path / "list" / "one.wav"])
    # The other client acts while the page is waited for.
    stage.page.wait_for_function("() => document.querySelectorAll('.items .item').length === 9")
    files = [item["file"].removeprefix("audio/") for item in program.session()["session"]["playlist"]]
    assert files == ["four.wav", "one.wav", "one.wav", "two.wav", "three.wav", "four.wav", "two.wav", "three.wav", "one.wav"]


def test_two_pages_and_a_reload_show_the_same(stage, program, open_page):
    other = open_page(program, width=390, height=844, touch=True, view="playlist")
    stage.button("Play Four").click()
    other.page.locator("[data-item='four'][aria-current='true']").wait_for()
    grip(stage, "two").focus()
    stage.page.keyboard.press("Home")
    wait_until_shown(other, ["two", "one", "three", "four"])
    stage.page.reload()
    stage.wait_until_ready()
    wait_until_shown(stage, ["two", "one", "three", "four"])
    stage.page.locator("[data-item='four'][aria-current='true']").wait_for()
    stage.button("Pause the list").wait_for()
    first, second = (page.page.locator(".total").inner_text() for page in (stage, other))
    assert first.split(" left")[0].split("·")[:2] == second.split(" left")[0].split("·")[:2] == ["4 items ", " 0:38 "]
    assert not [event for event in program.events() if event["event"] in ("playlistUnderrun", "itemSkipped")]


@pytest.mark.parametrize(("width", "theme"), [(390, "light"), (1280, "dark")])
def test_axe_finds_nothing_while_it_plays(program, open_page, theme, width):
    stage = open_page(program, width=width, theme=theme, view="playlist")
    stage.button("Play Two").click()
    stage.page.locator("[data-item='two'][aria-current='true']").wait_for()
    assert violations(stage) == []
    stage.button("From the library").click()
    stage.page.get_by_role("searchbox", name="Search the library").wait_for()
    assert violations(stage) == []


def test_an_item_is_played_slower_and_lower(stage, program):
    field = {name: stage.page.get_by_label(name) for name in ["Item’s key, semitones", "Item’s speed, %"]}
    field["Item’s speed, %"].fill("50")
    field["Item’s speed, %"].press("Enter")
    program.wait_for(lambda: program.session()["session"]["playlist"][0].get("speed") == 0.5, "half the speed")
    field["Item’s key, semitones"].fill("-2.5")
    field["Item’s key, semitones"].press("Tab")
    program.wait_for(lambda: program.session()["session"]["playlist"][0].get("transpose") == -2.5, "a lower pitch")
    stage.page.locator("[data-item='one'] .item-duration", has_text="0:06").wait_for()
    # What can't be played is taken back.
    field["Item’s speed, %"].fill("500")
    field["Item’s speed, %"].press("Tab")
    stage.page.wait_for_function("() => document.querySelector('[data-key=playlist-speed]').value === '50'")
    stage.button("Undo").click()
    stage.page.wait_for_function("() => document.querySelector('[data-key=playlist-transpose]').value === '0'")
    assert program.session()["session"]["playlist"][0]["speed"] == 0.5
    formants = stage.page.get_by_label("Item’s formants, semitones")
    for text, there in [("0", 0), ("", None)]:
        formants.fill(text)
        formants.press("Tab")
        program.wait_for(lambda: program.session()["session"]["playlist"][0].get("formants") == there, "formants")


def test_what_was_being_typed_for_an_item_is_that_items_though_the_list_goes_on(stage, program):
    field = stage.page.get_by_label("Item’s key, semitones")
    field.select_text()
    field.press_sequentially("-4")
    program.act({"do": "playlist", "action": "play", "index": 2})
    stage.page.locator("[data-item='three'][aria-current='true']").wait_for()
    assert field.input_value() == "-4"
    field.press("Enter")
    program.wait_for(lambda: program.session()["session"]["playlist"][0].get("transpose") == -4, "the first item lower")
    assert "transpose" not in program.session()["session"]["playlist"][2]


def test_what_another_one_moved_meanwhile_is_still_what_is_removed(stage, program):
    # Nothing reaches the page between the other one's move and the press, as on a slow link.
    stage.page.evaluate("""() => {
        const request = new XMLHttpRequest()
        request.open("POST", "/api/actions", false)
        request.setRequestHeader("Content-Type", "application/json")
        request.send(JSON.stringify({ actions: [{ do: "playlist", action: "move", from: 3, to: 0 }] }))
        document.querySelector("[aria-label='Remove Two']").click()
    }""")
    wait_until_shown(stage, ["four", "one", "three"])
    assert listed(program) == ["four", "one", "three"]


def test_a_double_click_removes_one_item(stage, program):
    box = stage.button("Remove One").bounding_box()
    place = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    mouse = stage.page.mouse
    mouse.click(*place)
    wait_until_shown(stage, ["two", "three", "four"])
    mouse.down(click_count=2)
    mouse.up(click_count=2)
    stage.rest(0.3)
    assert listed(program) == ["two", "three", "four"]
    # Whoever goes on clicking at that pace means what follows.
    mouse.down(click_count=3)
    mouse.up(click_count=3)
    wait_until_shown(stage, ["three", "four"])
    mouse.click(*place)
    wait_until_shown(stage, ["four"])


def test_files_of_the_library_come_in_the_order_in_which_they_were_chosen(stage, program):
    stage.button("From the library").click()
    for name in ["two.wav", "four.wav", "one.wav", "three.wav"]:
        stage.page.get_by_role("checkbox", name=name).check()
    stage.button("Add 4").click()
    program.wait_for(lambda: len(listed(program)) == 8, "four more")
    files = [item["file"] for item in program.session()["session"]["playlist"]]
    assert files[4:] == ["two.wav", "four.wav", "one.wav", "three.wav"]
