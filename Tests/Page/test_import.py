"""Files that are brought in: none is lost, each comes under its name, in its track's colour, as loud as the set."""

import json
import math
import re
import wave

import numpy
import pytest
from program import Program, copy_session, write_stems, write_tones


@pytest.fixture
def own(program, open_page):
    return open_page(program, height=1000), program


@pytest.fixture
def empty(home, tmp_path, open_page):
    """A page of a set with two tracks and nothing in them."""
    folder = tmp_path / "empty"
    folder.mkdir()
    session = folder / "empty.barline"
    session.write_text("""{"barline": 1, "name": "Empty", "scenes": [{"name": "A"}, {"name": "B"}, {"name": "C"}],
        "tracks": [{"id": "one", "name": "One"}, {"id": "two", "name": "Two"}]}""")
    program = Program(home, session)
    yield open_page(program, height=1000), program
    program.stop()


def write_loops(folder, names):
    """Loops of different content; returns their paths in the order of `names`."""
    write_tones(folder, {name: (200 + 10 * index, 48000 + 100 * index) for index, name in enumerate(names)})
    return [folder / f"{name}.wav" for name in names]


def seen(stage, selector):
    """The middle of an element where a pointer would meet it, otherwise nothing."""
    return stage.page.evaluate("""(selector) => {
        const element = document.querySelector(selector)
        const box = element?.getBoundingClientRect()
        const place = box && { x: box.x + box.width / 2, y: box.y + box.height / 2 }
        return place && element.contains(document.elementFromPoint(place.x, place.y)) ? place : null
    }""", selector)


def drop(stage, selector, paths):
    """What a file manager does: files, or folders, are let go over an element."""
    # What can be dropped on is what is seen: the grid may be made anew, or be longer than the window, until the page has
    # what the program already says.
    place = stage.program.wait_for(lambda: seen(stage, selector), f"{selector} in sight")
    client = stage.context.new_cdp_session(stage.page)
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    for kind in ["dragEnter", "dragOver", "drop"]:
        client.send("Input.dispatchDragEvent", {"type": kind, **place, "data": data})


def clips_of(program, track):
    tracks = program.session()["session"]["tracks"]
    return sorted(next(entry for entry in tracks if entry["id"] == track)["clips"], key=lambda clip: clip["slot"])


def wait_for_clips(program, track, count):
    program.wait_for(lambda: len(clips_of(program, track)) >= count, f"{count} clips on {track}")
    found = clips_of(program, track)
    assert len(found) == count
    return found


def shown(stage, selector):
    """The colour in which an element is drawn."""
    return stage.page.locator(selector).first.evaluate("element => getComputedStyle(element).getPropertyValue('--clip').trim()")


def test_seventeen_files_that_are_dropped_on_a_track_all_get_a_place(own, tmp_path):
    stage, program = own
    names = [f"Take {number}" for number in range(1, 18)]
    before = clips_of(program, "bass")
    drop(stage, "[data-key='slot-bass-0']", reversed(write_loops(tmp_path / "takes", names)))
    found = wait_for_clips(program, "bass", 17 + len(before))
    assert [clip for clip in found if clip in before] == before
    added = [clip for clip in found if clip not in before]
    assert [clip["name"] for clip in added] == names
    assert len({clip["slot"] for clip in found}) == len(found)
    assert all(fact["number"] >= 0 for fact in program.session()["clips"].values())
    stage.button("Undo", exact=True).click()
    program.wait_for(lambda: clips_of(program, "bass") == before, "one step takes all of them back")


def test_seventeen_files_that_are_chosen_go_down_the_first_track(own, tmp_path):
    stage, program = own
    names = [f"Take {number}" for number in range(1, 18)]
    before = clips_of(program, "drums")
    stage.button("Session:").click()
    with stage.page.expect_file_chooser() as chooser:
        stage.page.get_by_role("menuitem", name="Add audio files…").click()
    chooser.value.set_files(write_loops(tmp_path / "takes", names))
    found = wait_for_clips(program, "drums", 17 + len(before))
    assert [clip["name"] for clip in found if clip not in before] == names
    assert [clip for clip in found if clip in before] == before


def test_a_file_that_is_dropped_on_a_clip_does_not_replace_it(own, tmp_path):
    stage, program = own
    before = clips_of(program, "drums")
    drop(stage, f"[data-clip='{before[0]['id']}']", write_loops(tmp_path / "one", ["Other"]))
    found = wait_for_clips(program, "drums", len(before) + 1)
    assert found[:len(before)] == before and found[-1]["name"] == "Other"


def test_names_arrive_as_they_were(empty, tmp_path):
    stage, program = empty
    names = ["Kick Loop & Bass 126 BPM", "a+b %20 100%", "#1 ?=;", "太鼓 ループ", "cafe\u0301", "\U0001F941 beat"]
    drop(stage, "[data-key='slot-one-0']", write_loops(tmp_path / "names", names))
    found = wait_for_clips(program, "one", len(names))
    assert sorted(clip["name"] for clip in found) == sorted(names)
    assert sorted(clip["file"] for clip in found) == sorted(f"audio/{name}.wav" for name in names)
    kick = next(clip for clip in found if clip["name"] == names[0])
    assert kick["id"] == "kick-loop-bass-126-bpm"


def test_what_can_not_be_read_is_told_by_name_and_the_others_come(empty, tmp_path):
    stage, program = empty
    files = write_loops(tmp_path / "mixed", ["a", "b", "c"])
    (tmp_path / "mixed" / "lies.wav").write_bytes(b"RIFF but nothing else")
    (tmp_path / "mixed" / "cover.jpg").write_bytes(b"no sound")
    stage.expects_losses = True
    drop(stage, "[data-key='slot-one-0']", [*files, tmp_path / "mixed" / "lies.wav", tmp_path / "mixed" / "cover.jpg"])
    assert [clip["name"] for clip in wait_for_clips(program, "one", 3)] == ["a", "b", "c"]
    notice = stage.page.locator(".notice.error").first
    notice.wait_for()
    said = notice.inner_text()
    assert said.count("lies.wav") == 1 and "cover.jpg" in said
    assert ".." not in said and "name:" not in said, "in words, as a sentence"
    stage.page.locator(".notice.working").wait_for(state="detached")
    stage.complaints = [text for text in stage.complaints if "Failed to load resource" not in text]


def test_what_was_sent_when_the_link_was_lost_is_named(empty, tmp_path):
    stage, program = empty
    stage.expects_losses = True
    paths = write_loops(tmp_path, ["Kick", "Snare 100%", "太鼓"])
    stage.page.route("**/api/actions", lambda route: route.abort())
    drop(stage, "[data-key='slot-one-0']", paths)
    notice = stage.page.locator(".notice.error").first
    notice.wait_for()
    assert "Kick, Snare 100%, 太鼓: sent, and not added: Barline can’t be reached" in notice.inner_text()
    assert clips_of(program, "one") == []
    # They are among the files of the set, to be added without being sent again.
    stage.complaints = [text for text in stage.complaints if "Failed to load resource" not in text]
    files = json.loads(program.get("/api/library")[1])["files"]
    assert {"audio/Kick.wav", "audio/Snare 100%.wav", "audio/太鼓.wav"} <= set(files)


def test_an_import_shows_how_far_it_is_and_can_be_cancelled(empty, tmp_path):
    stage, program = empty
    held = []
    stage.page.route("**/api/files*", lambda route: held.append(route))
    drop(stage, "[data-key='slot-one-0']", write_loops(tmp_path / "many", ["a", "b", "c", "d"]))
    working = stage.page.locator(".notice.working")
    working.get_by_text("Adding 1 of 4").wait_for()
    program.wait_for(lambda: stage.page.evaluate("1") and len(held) == 3, "three uploads under way")
    for route in held[:2]:
        route.continue_()
    working.get_by_text("Adding 3 of 4").wait_for()
    working.get_by_role("button", name="Cancel").click()
    working.wait_for(state="detached")
    assert clips_of(program, "one") == [] and program.session()["history"]["undo"] is None


def test_a_folder_is_laid_out_as_the_user_says(empty, tmp_path):
    stage, program = empty
    names = [f"Loop {number}" for number in range(1, 13)]
    write_loops(tmp_path / "Pack", names)
    drop(stage, ".launcher .tools", [tmp_path / "Pack"])
    stage.page.get_by_role("dialog").get_by_text("Add the 12 files of “Pack”").wait_for()
    stage.button("Down one track: Pack").click()
    program.wait_for(lambda: any(track["id"] == "pack" for track in program.session()["session"]["tracks"]), "a track for them")
    assert [clip["name"] for clip in wait_for_clips(program, "pack", 12)] == names
    stage.button("Undo", exact=True).click()
    program.wait_for(lambda: len(program.session()["session"]["tracks"]) == 2, "the step back")
    drop(stage, ".launcher .tools", [tmp_path / "Pack"])
    stage.button("One track each").click()
    program.wait_for(lambda: len(program.session()["session"]["tracks"]) == 12, "ten tracks more")
    tracks = program.session()["session"]["tracks"]
    assert [[clip["name"] for clip in track["clips"]] for track in tracks] == [[name] for name in names]
    assert [track["name"] for track in tracks] == ["One", "Two", *names[2:]]
    colours = [track["clips"][0]["color"] for track in tracks]
    assert len(set(colours)) == 12 and colours == [track["color"] for track in tracks]
    stage.button("Undo", exact=True).click()
    program.wait_for(lambda: len(program.session()["session"]["tracks"]) == 2, "the step back")
    # A waveform that the page asks for while its clip is taken back is not there any more.
    stage.complaints = [text for text in stage.complaints if "404" not in text]


def test_clips_have_one_colour_in_all_views(empty, tmp_path):
    stage, program = empty
    files = write_loops(tmp_path / "two", ["a", "b", "c", "d"])
    drop(stage, "[data-key='slot-one-0']", files[:2])
    wait_for_clips(program, "one", 2)
    drop(stage, "[data-key='slot-two-0']", files[2:])
    wait_for_clips(program, "two", 2)
    stage.clip("d").wait_for()
    clips = {name: shown(stage, f"[data-clip='{name}']") for name in "abcd"}
    assert clips["a"] == clips["b"] != clips["c"] == clips["d"]
    stage.show("stems")
    with stage.page.expect_file_chooser() as chooser:
        stage.button("Add stems").last.click()
    chooser.value.set_files(files[:2])
    stage.page.locator(".lane[aria-label='b']").wait_for()
    lanes = {name: shown(stage, f".lane[aria-label='{name}']") for name in "ab"}
    stage.show("mixer")
    strips = {name: shown(stage, f".strip[aria-label='{name}']") for name in ["One", "Two", "a", "b"]}
    assert strips == {"One": clips["a"], "Two": clips["c"], **lanes}
    assert len(set(strips.values())) == 4
    assert program.session()["history"]["undo"] == "Add stems"


def test_an_old_set_keeps_its_colours(home, tmp_path, open_page):
    write_loops(tmp_path, ["a", "b"])
    session = tmp_path / "old.barline"
    session.write_text("""{"barline": 1, "tracks": [
        {"id": "t", "clips": [{"id": "x", "file": "a.wav", "color": "#123456"}, {"id": "y", "file": "b.wav"}]},
        {"id": "u", "clips": [{"id": "z", "file": "b.wav"}]}]}""")
    program = Program(home, session)
    stage = open_page(program)
    assert [shown(stage, f"[data-clip='{name}']") for name in "xyz"] == ["#123456", "#123456", "#e0b040"]
    stage.show("mixer")
    assert [shown(stage, f".strip[aria-label='{name}']") for name in "tu"] == ["#123456", "#e0b040"]
    program.stop()


def sine(path, decibels, frequency=997):
    """A sine of 4 s on both sides; by definition it is as loud in LUFS as its level in dB, near 1 kHz."""
    samples = 10 ** (decibels / 20) * numpy.sin(2 * math.pi * frequency / 48000 * numpy.arange(4 * 48000))
    frames = numpy.repeat(numpy.round(samples * 32767).astype("<i2")[:, None], 2, axis=1)
    with wave.open(str(path), "wb") as file:
        file.setparams((2, 2, 48000, len(frames), "NONE", ""))
        file.writeframes(frames.tobytes())
    return path


def test_what_is_louder_than_the_set_is_matched_to_it(empty, tmp_path):
    stage, program = empty
    drop(stage, "[data-key='slot-one-0']", [sine(tmp_path / "first.wav", -20)])
    assert wait_for_clips(program, "one", 1)[0]["gain"] == 0
    drop(stage, "[data-key='slot-one-1']", [sine(tmp_path / "loud.wav", -12)])
    stage.page.locator(".notice", has_text=re.compile(r"loud: matched: −(7\.9|8\.0|8\.1) dB")).wait_for()
    assert abs(wait_for_clips(program, "one", 2)[1]["gain"] + 8) <= 0.1
    # On the head of the track: the next free place.
    drop(stage, ".head:has([data-key='Mute-one'])", [sine(tmp_path / "quiet.wav", -30)])
    assert wait_for_clips(program, "one", 3)[2]["gain"] == 0
    stage.button("Undo", exact=True).click()
    stage.button("Undo", exact=True).click()
    program.wait_for(lambda: len(clips_of(program, "one")) == 1, "two steps back")
    stage.show("settings")
    stage.choice("Match the loudness of new clips").select_option("off")
    program.wait_for(lambda: program.session()["session"]["importLoudness"] == "off", "the setting")
    stage.show("launcher")
    drop(stage, "[data-key='slot-one-1']", [tmp_path / "loud.wav"])
    assert wait_for_clips(program, "one", 2)[1]["gain"] == 0


def test_the_same_content_is_stored_once(empty, tmp_path):
    stage, program = empty
    [path] = write_loops(tmp_path / "same", ["Loop"])
    for count in range(1, 4):
        drop(stage, "[data-key='slot-one-0']" if count == 1 else "[data-clip='loop']", [path])
        wait_for_clips(program, "one", count)
    found = clips_of(program, "one")
    assert [clip["name"] for clip in found] == ["Loop"] * 3
    assert {clip["file"] for clip in found} == {"audio/Loop.wav"}


def test_stems_and_playlist_take_many_at_once(home, demo, tmp_path, open_page):
    copy_session(demo.parent, tmp_path / "set")
    program = Program(home, write_stems(tmp_path / "set"))
    stage = open_page(program, view="stems")
    names = [f"Part {number}" for number in range(1, 10)]
    files = write_loops(tmp_path / "parts", names)
    drop(stage, ".lanes", files)
    program.wait_for(lambda: len(program.session()["session"]["stems"]) == 12, "nine stems more")
    assert [stem["name"] for stem in program.session()["session"]["stems"]][3:] == names
    stage.button("Undo", exact=True).click()
    program.wait_for(lambda: len(program.session()["session"]["stems"]) == 3, "one step back")
    stage.show("playlist")
    drop(stage, ".empty", files)
    program.wait_for(lambda: len(program.session()["session"]["playlist"]) == 9, "nine items")
    assert [item["file"] for item in program.session()["session"]["playlist"]] == [f"audio/{name}.wav" for name in names]
    program.stop()


def test_a_name_that_begins_with_dots_is_a_clip_like_any_other(empty, tmp_path):
    stage, program = empty
    [file] = write_loops(tmp_path, ["...Baby One"])
    drop(stage, "[data-key='slot-one-0']", [file])
    clips = program.wait_for(lambda: program.session()["session"]["tracks"][0]["clips"], "the clip")
    assert [clip["name"] for clip in clips] == ["...Baby One"]


def test_what_can_not_be_read_in_a_folder_is_named_and_the_others_come(stage, program, tmp_path):
    folder = tmp_path / "mixed"
    write_tones(folder, {"good": (200, 12000)})
    # One that has vanished between the folder's being read and its own.
    stage.page.evaluate("""() => {
        const gone = {
          isFile: true, isDirectory: false, name: "gone.wav",
          file: (_, refuse) => refuse(new DOMException("It is gone", "NotFoundError")),
        }
        const entryOf = DataTransferItem.prototype.webkitGetAsEntry
        DataTransferItem.prototype.webkitGetAsEntry = function () {
          const folder = entryOf.call(this)
          const reader = folder.createReader()
          let isFirst = true
          const readEntries = (take, refuse) => reader.readEntries((found) => {
            take(isFirst ? [...found, gone] : found)
            isFirst = false
          }, refuse)
          return { name: folder.name, isFile: false, isDirectory: true, createReader: () => ({ readEntries }) }
        }
      }""")
    tracks = len(program.session()["session"]["tracks"])
    drop(stage, "#view", [folder])
    stage.page.get_by_text("gone.wav").wait_for()
    program.wait_for(lambda: any(clip["file"].endswith("good.wav") for track in program.session()["session"]["tracks"]
                                 for clip in track["clips"]), lambda: f"the one that can be read, on {tracks} tracks")
