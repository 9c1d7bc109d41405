"""What is held, dragged or under way goes on while the session changes elsewhere, and whatever the page shows."""

import json
import re

import pytest
from program import Program

GATE = "lead-amber-pluck"


def press(stage, locator):
    box = locator.bounding_box()
    place = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    stage.page.mouse.move(*place)
    stage.page.mouse.down()
    return place


def session_of(program):
    return program.session()["session"]


@pytest.mark.parametrize("change", [
    {"do": "addScene"}, {"do": "addTrack"}, {"do": "editTrack", "track": "lead", "set": {"name": "Melody"}},
    {"do": "moveClip", "clip": GATE, "track": "lead", "slot": 6},
], ids=["scene", "track", "name", "place"])
def test_a_gate_clip_ends_when_it_is_let_go_whatever_changed_meanwhile(program, open_page, change):
    program.act({"do": "editClip", "clip": GATE, "set": {"launchMode": "gate", "quantization": "none"}})
    stage = open_page(program)
    press(stage, stage.clip(GATE))
    stage.wait_for_clip(GATE, "playing")
    program.act(change)
    program.wait_for(lambda: program.session()["history"]["undo"] != "Edit clip", "the change")
    stage.rest(0.3)
    stage.page.mouse.up()
    stage.wait_for_clip(GATE, "stopped")


@pytest.mark.parametrize("event", ["window.dispatchEvent(new Event('blur'))", "document.dispatchEvent(new Event('visibilitychange'))"],
                         ids=["blur", "hidden"])
def test_a_held_key_is_let_go_when_the_page_no_longer_hears_of_it(program, open_page, event):
    program.act({"do": "editClip", "clip": "drums-four-steps", "set": {"launchMode": "gate", "quantization": "none"}})
    stage = open_page(program)
    stage.page.keyboard.down("a")
    stage.wait_for_clip("drums-four-steps", "playing")
    stage.page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true })")
    stage.page.evaluate(event)
    stage.wait_for_clip("drums-four-steps", "stopped")


def test_a_gate_clip_that_is_let_go_while_the_link_is_lost_ends_when_it_is_back(program, browser):
    program.act({"do": "editClip", "clip": GATE, "set": {"launchMode": "gate", "quantization": "none"}})
    context = browser.new_context()
    page = context.new_page()
    sockets = []
    held = True

    def connect(socket):
        sockets.append(socket)
        # There is no link until the button is let go.
        if len(sockets) > 1 and held:
            socket.close()
        else:
            socket.connect_to_server()

    page.route_web_socket(re.compile("/api/socket$"), connect)
    page.goto(program.url)
    page.wait_for_selector("html[data-ready]")
    clip = page.locator(f"[data-clip='{GATE}']")
    box = clip.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.wait_for_selector(f"[data-clip='{GATE}'].playing")
    sockets[0].close()
    page.get_by_text("can't be reached").wait_for()
    page.mouse.up()
    lost = len(sockets)
    assert not program.events("clipStopped")
    held = False
    page.get_by_text("can't be reached").wait_for(state="hidden")
    page.wait_for_selector(f"[data-clip='{GATE}']:not(.playing)")
    assert len(sockets) > lost
    program.wait_for(lambda: any(event["clip"] == GATE for event in program.events("clipStopped")), "the clip ends")
    context.close()


@pytest.mark.parametrize("delay", [0, 0.7], ids=["at once", "late"])
def test_arrow_keys_on_a_fader_go_one_way(stage, program, delay):
    stage.slow_down(delay)
    stage.show("mixer")
    fader = stage.page.locator("[data-key='fader-drums']")
    fader.focus()
    places = fader.evaluate_handle("""(fader) => {
        const places = []
        const look = () => { places.push(Number(fader.value)); requestAnimationFrame(look) }
        look()
        return places
    }""")
    for _ in range(30):
        stage.page.keyboard.press("ArrowDown")
        stage.rest(0.02)
    stage.rest(0.6 + 2 * delay)
    seen = places.json_value()
    assert all(later <= earlier for earlier, later in zip(seen, seen[1:])) and seen[-1] < seen[0] - 50
    drums = next(track for track in session_of(program)["tracks"] if track["id"] == "drums")
    assert drums["gain"] < -12


def test_text_that_is_marked_past_the_edge_of_a_question_does_not_close_it(stage):
    stage.show("stems")
    stage.page.evaluate("void import('/modules/ui/dialog.js').then(({ askText }) => askText('A question', { label: 'A word', value: 'something' }))")
    box = stage.page.get_by_role("dialog").get_by_label("A word").bounding_box()
    stage.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    stage.page.mouse.down()
    stage.page.mouse.move(5, 5, steps=4)
    stage.page.mouse.up()
    stage.rest(0.2)
    assert stage.page.get_by_role("dialog").count() == 1
    stage.page.mouse.click(5, 5)
    stage.page.get_by_role("dialog").wait_for(state="detached")


def test_a_fader_that_is_held_moves_on_while_a_track_is_added(stage, program):
    stage.show("mixer")
    fader = stage.page.locator("[data-key='fader-drums']")
    box = fader.bounding_box()
    x, y = press(stage, fader)
    stage.page.mouse.move(x, y + 20, steps=3)
    program.act({"do": "addTrack", "name": "Extra"})
    stage.page.locator(".strip-name", has_text="Extra").wait_for()
    stage.page.mouse.move(x, box["y"] + box["height"] * 0.75, steps=5)
    stage.page.mouse.up()
    program.wait_for(lambda: -30 < session_of(program)["tracks"][0]["gain"] < -18, "the gain of a quarter of the way")


def test_a_menu_stays_open_while_a_scene_is_added(stage, program):
    stage.button("Bass: commands").click()
    program.act({"do": "addScene", "name": "Extra"})
    stage.button("Launch scene Extra").wait_for()
    stage.page.get_by_role("menuitem", name="Move left").click()
    program.wait_for(lambda: session_of(program)["tracks"][0]["id"] == "bass", "the track is moved")
    # The grid follows, in the document's order.
    stage.page.wait_for_function("() => document.querySelector('.grid .head .name').textContent === 'Bass'")
    names = stage.page.locator(".grid .head .name").all_inner_texts()
    assert names == [track["name"] for track in session_of(program)["tracks"]]


def test_a_loop_end_that_is_dragged_stays_in_the_hand(program, open_page):
    stage = open_page(program, height=1000)
    stage.edit("drums-four-steps")
    whole = program.session()["clips"]["drums-four-steps"]["frames"]
    stage.choice("Snap to").select_option("half")
    stage.take_loop_end_to(0.5)
    program.act({"do": "editTrack", "track": "drums", "set": {"name": "Beats"}})
    stage.button("Stop Beats").wait_for(state="attached")
    stage.page.mouse.up()
    def region():
        return next(clip for clip in session_of(program)["tracks"][0]["clips"] if clip["id"] == "drums-four-steps")
    program.wait_for(lambda: region().get("end") == whole // 2, "the loop's new end")


def test_the_speed_trainer_goes_on_in_other_views(stage, program):
    stage.show("metronome")
    for label, value in [("From, BPM", 300), ("To, BPM", 360), ("Step, BPM", 20), ("Every … bars", 1)]:
        field = stage.page.get_by_label(label)
        field.fill(str(value))
        field.press("Tab")
    stage.button("Start the trainer").click()
    program.wait_for(lambda: session_of(program)["tempo"] == 300, "the first tempo")
    stage.show("launcher")
    def raised():
        return [event for event in program.events("tempoChanged") if event["bpm"] > 300]
    tempos = program.wait_for(lambda: len(raised()) == 3 and raised(), "the last tempo")
    assert [event["bpm"] for event in tempos] == [320, 340, 360]
    # One bar after the other.
    bars = [event["beat"] // 4 for event in tempos]
    assert [bar - bars[0] for bar in bars] == [0, 1, 2]


def test_what_is_kept_in_the_browser_and_damaged_keeps_no_view_shut(stage):
    stage.page.evaluate("localStorage.setItem('barline.trainer', '{')")
    stage.page.reload()
    stage.wait_until_ready()
    stage.show("metronome")
    stage.page.get_by_label("From, BPM").wait_for()
    assert stage.page.get_by_label("From, BPM").input_value() == "80"


def test_a_clip_that_goes_away_while_its_name_is_typed_is_no_error(program, open_page):
    stage = open_page(program, height=1000)
    stage.edit("drums-four-steps")
    stage.page.get_by_label("Name of the clip").fill("Half a na")
    program.act({"do": "removeClip", "clip": "drums-four-steps"})
    stage.page.locator("#editor").wait_for(state="hidden")
    stage.page.mouse.click(5, 5)
    stage.rest(0.2)


@pytest.mark.parametrize("field", ["Tempo, BPM", "Beats"])
def test_a_clip_that_goes_away_while_its_tempo_is_typed_is_no_error(program, open_page, field):
    stage = open_page(program, height=1000)
    stage.edit("drums-four-steps")
    stage.page.locator("#editor").get_by_label(field).first.press_sequentially("7")
    program.act({"do": "removeClip", "clip": "drums-four-steps"})
    stage.page.locator("#editor").wait_for(state="hidden")
    stage.page.mouse.click(5, 5)
    stage.rest(0.2)


@pytest.mark.parametrize(("typed", "tempo"), [("120 BPM", 120), ("92,5", 92.5), ("5000", 999), ("fast", 140)])
def test_the_tempo_of_a_scene_is_read_as_it_is_written(stage, program, typed, tempo):
    program.act({"do": "editScene", "scene": 1, "set": {"tempo": 140}})
    stage.button("Launch scene Groove").click(button="right")
    stage.button("Tempo…").click()
    stage.page.get_by_label("BPM; empty").fill(typed)
    stage.page.keyboard.press("Enter")
    if typed == "fast":
        stage.page.locator(".notice.error", has_text="“fast” is no tempo").wait_for()
    program.wait_for(lambda: session_of(program)["scenes"][1].get("tempo") == tempo, "the scene's tempo")


def test_the_skip_link_leads_into_the_view_that_is_shown(stage):
    stage.show("mixer")
    stage.page.locator(".skip").focus()
    stage.page.keyboard.press("Enter")
    assert stage.page.evaluate("document.activeElement.id") == "view"
    assert stage.page.locator("[data-key='view-mixer']").get_attribute("aria-current") == "page"


OVER = """([inner, outer]) => [...document.querySelectorAll(inner)].filter((element) => {
  const [box, room] = [element.getBoundingClientRect(), element.closest(outer).getBoundingClientRect()]
  return box.left < room.left - 1 || box.right > room.right + 1
}).map((element) => element.textContent)"""


@pytest.mark.parametrize("width", [360, 390])
def test_names_of_scenes_break_between_words_on_a_phone(program, open_page, width):
    stage = open_page(program, width=width, touch=True)
    stage.button("Launch scene Groove").wait_for()
    heights = stage.page.locator(".scene .name").evaluate_all("(names) => names.map((name) => name.offsetHeight)")
    assert len(heights) == 4 and len(set(heights)) == 1


@pytest.mark.parametrize("width", [360, 390])
def test_long_names_stay_in_their_places_on_a_phone(program, open_page, width):
    long = "A marker whose name is a whole sentence, as they are when a singer writes them"
    program.act({"do": "editScene", "scene": 0, "set": {"name": "Instrumental"}}, {"do": "editScene", "scene": 1, "set": {"name": "Zwischenspielwiederholung"}})
    program.act({"do": "addStem", "file": session_of(program)["tracks"][0]["clips"][0]["file"]}, {"do": "addMarker", "name": long, "position": 1})
    stage = open_page(program, width=width, touch=True)
    stage.button("Launch scene Instrumental").wait_for()
    assert stage.page.evaluate(OVER, [".scene .name", ".scene"]) == []
    stage.show("stems")
    stage.page.locator(".marker").wait_for()
    assert stage.page.evaluate(OVER, [".marker .button", "section"]) == []


def test_waveforms_are_fetched_once_and_only_of_what_is_seen(home, demo, open_page):
    clips = [clip for track in json.loads(demo.read_text())["tracks"] for clip in track["clips"]]
    tracks = [{"id": f"track-{column}", "name": f"Track {column}",
               "clips": [{**clips[(column + row) % len(clips)], "id": f"clip-{column}-{row}", "slot": row} for row in range(30)]}
              for column in range(20)]
    path = demo.parent / "large.barline"
    path.write_text(json.dumps({"barline": 1, "name": "Large", "tracks": tracks, "scenes": [{"name": f"Row {row}"} for row in range(30)]}))
    program = Program(home, path)
    try:
        stage = open_page(program)
        def asked():
            return [url for url in stage.requests if "/api/waveform" in url]
        program.wait_for(lambda: stage.rest(0.5) or len(asked()) > 20, "waveforms")
        seen = stage.page.evaluate("""() => [...document.querySelectorAll('.clip')].filter((clip) => {
          const [box, view] = [clip.getBoundingClientRect(), document.getElementById('view').getBoundingClientRect()]
          return box.bottom > view.top && box.top < view.bottom && box.right > view.left && box.left < view.right
        }).length""")
        # Two tempo changes draw everything again.
        program.act({"do": "tempo", "bpm": 121}, {"do": "editTrack", "track": "track-0", "set": {"name": "First"}})
        stage.rest(2)
        assert len(asked()) == len(set(asked()))
        assert len(asked()) <= seen
        # What is scrolled to is drawn then.
        before = len(asked())
        stage.page.locator("#view").evaluate("(view) => view.scrollTo(0, view.scrollHeight)")
        program.wait_for(lambda: stage.rest(0.2) or len(asked()) > before, "those that are seen now")
        stage.rest(1)
        drawn = stage.page.locator("[data-clip='clip-0-29'] canvas").evaluate(
            "(canvas) => new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer).some(Boolean)")
        assert drawn
    finally:
        program.stop()


def test_a_second_press_means_what_the_first_one_asked_for(stage, program):
    stage.slow_down(0.7)
    heard = stage.page.evaluate_handle("""() => {
        const asked = []
        const { send } = WebSocket.prototype
        WebSocket.prototype.send = function (data) { asked.push(JSON.parse(data)); return send.call(this, data) }
        return asked
    }""")
    stage.show("mixer")
    mute = stage.page.locator("[data-key='mute-drums']")
    for isOn in ["true", "false", "true"]:
        mute.click()
        assert mute.get_attribute("aria-pressed") == isOn
        # What comes meanwhile still says how it was.
        program.act({"do": "gain", "track": "bass", "db": -1 if isOn == "true" else -2})
        stage.rest(0.1)
    program.wait_for(lambda: session_of(program)["tracks"][0].get("mute"), "the track is silent")
    stage.rest(1)
    asked = [action["on"] for action in heard.json_value() if action.get("do") == "mute"]
    assert asked == [True, False, True] and mute.get_attribute("aria-pressed") == "true"
    assert session_of(program)["tracks"][0]["mute"]


def test_a_switch_that_is_refused_is_taken_back(stage, program):
    stage.show("mixer")
    stage.page.evaluate("""() => {
        const { send } = WebSocket.prototype
        WebSocket.prototype.send = function (data) { return send.call(this, data.replace('"drums"', '"nobody"')) }
    }""")
    mute = stage.page.locator("[data-key='mute-drums']")
    mute.click()
    stage.page.get_by_text("“nobody”").wait_for()
    stage.page.wait_for_selector("[data-key='mute-drums'][aria-pressed='false']")
    assert not session_of(program)["tracks"][0].get("mute")


def test_a_loop_end_is_dragged_without_the_other_one(program, open_page):
    stage = open_page(program, height=1000)
    name = "drums-four-steps"

    def clip():
        return next(clip for clip in session_of(program)["tracks"][0]["clips"] if clip["id"] == name)

    stage.edit(name)
    whole, beats = program.session()["clips"][name]["frames"], clip()["beats"]
    stage.choice("Snap to").select_option("half")
    stage.take_loop_end_to(0.5)
    # Somebody else takes the first quarter out meanwhile.
    program.act({"do": "editClip", "clip": name, "set": {"start": whole // 4, "beats": beats * 3 / 4}})
    program.wait_for(lambda: clip().get("start") == whole // 4, "the other one's edit")
    stage.rest(0.3)
    stage.page.mouse.up()
    program.wait_for(lambda: clip().get("end") == whole // 2, "the loop's new end")
    assert clip()["start"] == whole // 4 and abs(clip()["beats"] - beats / 4) < 0.002


@pytest.mark.parametrize("view, focused, action, next_one", [
    ("launcher", "clip-drums-four-steps", {"do": "removeClip", "clip": "drums-four-steps"}, "slot-drums-1"),
    ("launcher", "Mute-drums", {"do": "removeTrack", "track": "drums"}, "Mute-bass"),
    ("mixer", "solo-chords", {"do": "removeTrack", "track": "chords"}, "solo-lead"),
    ("mixer", "fader-drums", {"do": "editTrack", "track": "drums", "set": {"name": "Beats"}}, "fader-drums"),
], ids=["clip", "track", "strip", "name"])
def test_the_focus_goes_to_what_is_in_the_place_of_what_is_gone(stage, program, view, focused, action, next_one):
    stage.show(view)
    stage.page.locator(f"[data-key='{focused}']").focus()
    program.act(action)
    program.wait_for(lambda: program.session()["history"]["undo"], "the change")
    stage.page.wait_for_function("(key) => document.activeElement.dataset.key === key", arg=next_one)


def test_a_menu_is_used_by_keys_which_play_nothing(stage, program):
    opener = stage.page.locator("[aria-haspopup=menu]").first
    opener.focus()
    stage.page.keyboard.press("Enter")
    names = [name.split("\n")[0] for name in stage.page.locator("[role=menuitem]:enabled:visible").all_inner_texts()]

    def chosen():
        return stage.page.evaluate("document.activeElement.innerText").split("\n")[0]

    for key, name in [("End", names[-1]), ("ArrowDown", names[0]), ("ArrowUp", names[-1]), ("Home", names[0]),
                      ("ArrowDown", names[1]), ("ArrowUp", names[0])]:
        stage.page.keyboard.press(key)
        assert chosen() == name, key
    # As letters would, on the page: the first clips of the grid.
    for letter in ["a", "s", "d"]:
        focused = names.index(chosen())
        order = names[focused + 1:] + names[:focused + 1]
        stage.page.keyboard.press(letter)
        assert chosen() == next((name for name in order if name.lower().startswith(letter)), names[focused])
    stage.page.keyboard.press("Escape")
    assert opener.evaluate("(element) => element === document.activeElement")
    stage.page.keyboard.press("a")
    program.wait_for(lambda: program.events("clipStarted"), "the key plays again")
    assert len({event["clip"] for event in program.events("clipStarted")}) == 1


def clip_named(program, name):
    return next(clip for track in session_of(program)["tracks"] for clip in track["clips"] if clip["id"] == name)


def test_a_fader_that_is_let_go_is_of_what_it_was_dragged_for(program, open_page):
    stage = open_page(program, height=1000)
    stage.edit("drums-four-steps")
    before = clip_named(program, "bass-rubber-root").get("gain", 0)
    stage.slow_down(0.6)
    fader = stage.page.get_by_label("Clip: gain", exact=True)
    fader.focus()
    for _ in range(12):
        stage.page.keyboard.press("ArrowDown")
    stage.edit("bass-rubber-root")
    stage.rest(2)
    assert clip_named(program, "drums-four-steps")["gain"] == pytest.approx(-6)
    assert clip_named(program, "bass-rubber-root").get("gain", 0) == before


def test_one_attack_after_the_other_is_added_over_a_slow_link(program, open_page):
    stage = open_page(program, height=1000)
    stage.edit("bass-rubber-root")
    stage.choice("Handles").select_option("onsets")
    heard = stage.page.locator(".pins .pin").count()
    stage.slow_down(0.6)
    wave = stage.page.locator(".editor-wave").bounding_box()
    for place in [0.31, 0.53, 0.77]:
        stage.page.mouse.dblclick(wave["x"] + place * wave["width"], wave["y"] + wave["height"] - 8)
        stage.rest(0.15)
    program.wait_for(lambda: len(clip_named(program, "bass-rubber-root").get("onsets", [])) == heard + 3, "all three")


def test_a_marker_that_is_dragged_is_the_same_one_whatever_goes_meanwhile(program, open_page):
    name = "drums-four-steps"
    program.act({"do": "followBeats", "clip": name})
    program.wait_for(lambda: clip_named(program, name).get("warp"), "the markers")
    markers = clip_named(program, name)["warp"]
    stage = open_page(program, height=1000)
    stage.edit(name)
    stage.choice("Handles").select_option("warp")
    pin = stage.page.locator(".pins .pin").nth(5)
    box = pin.bounding_box()
    place = (box["x"] + box["width"] / 2, box["y"] + 6)
    stage.page.mouse.move(*place)
    stage.page.mouse.down()
    stage.page.mouse.move(place[0] + 12, place[1], steps=3)
    program.act({"do": "removeWarpMarker", "clip": name, "frame": markers[2]["frame"]})
    program.wait_for(lambda: len(clip_named(program, name)["warp"]) == len(markers) - 1, "the other one's edit")
    stage.rest(0.4)
    stage.page.mouse.up()
    stage.rest(0.5)
    left = [marker for marker in markers if marker != markers[2]]
    assert clip_named(program, name)["warp"] == left
    # By the next one its own beat is moved, and no other.
    stage.page.locator(".pins .pin").nth(4).press("ArrowRight")
    program.wait_for(lambda: clip_named(program, name)["warp"] != left, "the move")
    moved = clip_named(program, name)["warp"]
    assert [marker["beat"] for marker in moved] == [marker["beat"] for marker in left]
    assert [new != old for new, old in zip(moved, left)] == [index == 4 for index in range(len(left))]


def test_what_is_asked_of_a_scene_is_done_to_it_wherever_it_is_by_then(stage, program):
    names = [scene["name"] for scene in session_of(program)["scenes"]]
    stage.button(f"Launch scene {names[1]}").click(button="right")
    dialog = stage.page.get_by_role("dialog")
    dialog.wait_for()
    program.act({"do": "removeScene", "scene": 0})
    program.wait_for(lambda: len(session_of(program)["scenes"]) == len(names) - 1, "the other one's edit")
    stage.rest(0.4)
    dialog.get_by_role("button", name="Remove scene").click()
    program.wait_for(lambda: len(session_of(program)["scenes"]) == len(names) - 2, "the removal")
    assert [scene["name"] for scene in session_of(program)["scenes"]] == names[2:]


def test_an_effect_is_moved_by_as_many_places_as_it_is_pressed_for(stage, program):
    def effects():
        return [effect["id"] for effect in session_of(program)["tracks"][0].get("effects", [])]

    before = len(effects())
    for _ in range(4):
        program.act({"do": "addEffect", "track": "drums", "type": "filter"})
    program.wait_for(lambda: len(effects()) == before + 4, "the effects")
    moved = effects()[before]
    stage.show("mixer")
    stage.page.locator("[data-key='effects-drums']").click()
    down = stage.page.locator(f"[data-key='move-down-{moved}']")
    down.wait_for()
    stage.slow_down(0.6)
    down.click()
    stage.page.wait_for_timeout(400)
    down.click()
    # The first press is done, the second is on its way: the third goes on from where that one leads.
    program.wait_for(lambda: effects().index(moved) == before + 1, "the first place")
    stage.page.wait_for_timeout(100)
    down.click()
    program.wait_for(lambda: effects().index(moved) == before + 3, "the last place")


def test_a_large_set_comes_in_over_a_link_that_takes_long_for_it(program, browser):
    context = browser.new_context()
    page = context.new_page()
    # Nothing is heard of a message before it is there as a whole.
    page.add_init_script("""
        const Socket = WebSocket
        window.sockets = 0
        window.WebSocket = class extends Socket {
            constructor(...where) {
                super(...where)
                window.sockets += 1
                this.late = new Promise((arrive) => setTimeout(arrive, 8000))
            }
            addEventListener(type, hear, ...rest) {
                const later = (event) => this.late.then(() => hear(event))
                super.addEventListener(type, type === "message" ? later : hear, ...rest)
            }
        }""")
    page.goto(program.url)
    page.wait_for_selector("html[data-ready]")
    assert page.evaluate("window.sockets") == 1
    context.close()
