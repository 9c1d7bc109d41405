"""Recordings: begun while music plays, told of when they end, heard on the page, and rendered again from their script."""

import json
import re
import subprocess
import time
from urllib.parse import quote

from axe_playwright_python.sync_playwright import Axe
from program import BARLINE
from sound import read_wave


def rendered(tmp_path, script, *arguments):
    """What `barline render` makes of a script."""
    (tmp_path / "take.jsonl").write_bytes(script)
    command = [BARLINE, "render", *arguments, "--script", tmp_path / "take.jsonl", "--output", tmp_path / "again.wav"]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return read_wave((tmp_path / "again.wav").read_bytes())


def test_a_take_of_what_plays_is_rendered_again_bit_for_bit(stage, program, tmp_path):
    program.act({"do": "launchScene", "scene": 1}, {"do": "metronome", "on": True})
    program.wait_for(lambda: len(program.events("clipStarted")) > 2, "clips start")
    program.act({"do": "gain", "track": "drums", "db": -7}, {"do": "tempo", "bpm": 131, "ramp": 4})
    program.act({"do": "editClip", "clip": "bass-rubber-root", "set": {"gain": -4}})
    stage.rest(1.2)
    stage.record()
    stage.rest(1.5)
    program.act({"do": "launch", "clip": "bass-night-drive"}, {"do": "mute", "track": "drums", "on": True})
    program.act({"do": "editTrack", "track": "bass", "set": {"pan": -0.4}})
    stage.rest(2.5)
    heard, rate, script = stage.stop_recording()
    assert abs(heard[: rate // 2]).max() > 0.01, "it sounds from the beginning"
    again, again_rate = rendered(tmp_path, script)
    assert again_rate == rate and again.shape == heard.shape
    assert (again == heard).all()
    beginning = json.loads(script.splitlines()[0])
    assert beginning["do"] == "begin" and beginning["frame"] < 0 and beginning["frames"] == len(heard)
    # With a session beside it, its frames are the recording's still.
    session = program.command[2]
    again, _ = rendered(tmp_path, script, session, "--duration", "1")
    assert (again == heard[:rate]).all()


def test_a_notice_says_where_the_take_is_and_plays_it(stage, program):
    program.act({"do": "launch", "clip": "drums-four-steps"})
    program.wait_for(lambda: program.events("clipStarted"), "a clip starts")
    stage.record()
    stage.rest(1.5)
    stage.stop_recording()
    notice = stage.page.locator(".notice", has_text="Recorded")
    notice.wait_for()
    name = program.session()["recordings"][-1]["name"]
    folder = program.home / "data" / "barline" / "recordings"
    assert str(folder) in notice.inner_text() and name in notice.inner_text()
    assert (folder / name).exists()
    assert re.search(r"0:0[1-9]", notice.inner_text())
    link = notice.get_by_role("link", name="Download")
    assert link.get_attribute("href") == f"/api/recordings/{quote(name)}"
    assert Axe().run(stage.page).response["violations"] == []
    notice.get_by_role("button", name=f"Play {name}").click()
    notice.get_by_role("button", name=f"Stop {name}").wait_for()
    # It ends by itself.
    notice.get_by_role("button", name=f"Play {name}").wait_for()
    notice.get_by_role("button", name="Close").click()
    notice.wait_for(state="detached")
    assert f"recorded: {folder / name}" in program.log_file.read_text()
    stage.show("settings")
    stage.button(f"Play {name}").click()
    stage.button(f"Stop {name}").click()
    stage.button(f"Play {name}").wait_for()


def test_a_take_that_was_broken_off_is_offered_kept_and_thrown_away(program, open_page):
    for _ in range(2):
        program.act({"do": "launch", "clip": "drums-four-steps"}, {"do": "record", "on": True})
        time.sleep(1.2)
        program.process.kill()
        program.process.wait()
        program.start()
    stage = open_page(program)
    other = open_page(program).page.locator(".notice", has_text="was rescued")
    takes = program.session()["rescued"]
    assert len(takes) == 2 and all(take["seconds"] > 0.2 for take in takes)
    first, second = (take["name"] for take in takes)
    notices = stage.page.locator(".notice", has_text="was rescued")
    assert notices.count() == 2
    notices.filter(has_text=f"“{first}”").get_by_role("button", name=f"Play {first}.wav").click()
    notices.get_by_role("button", name=f"Stop {first}.wav").click()
    assert Axe().run(stage.page).response["violations"] == []
    notices.get_by_role("button", name=f"Keep {first}").click()
    program.wait_for(lambda: len(program.session()["rescued"]) == 1, "one is kept")
    for shown in (notices, other):
        shown.filter(has_text=f"“{first}”").wait_for(state="detached")
        assert shown.count() == 1
    stage.show("settings")
    settings = stage.page.get_by_role("region", name="Settings")
    settings.get_by_role("button", name=f"Throw {second} away").click()
    stage.button("Throw it away").click()
    program.wait_for(lambda: program.session()["rescued"] == [], "one is thrown away")
    for shown in (notices, other):
        shown.first.wait_for(state="detached")
    folder = program.home / "data" / "barline" / "recordings"
    assert (folder / f"{first}.wav").exists() and not (folder / f"{second}.wav").exists()
    assert not list(folder.glob("*.unfinished"))
    assert [recording["name"] for recording in program.session()["recordings"]] == [f"{first}.jsonl", f"{first}.wav"]


def test_what_a_notice_covers_on_a_phone_can_be_scrolled_out_from_under_it(program, open_page):
    program.act({"do": "launch", "clip": "drums-four-steps"}, {"do": "record", "on": True})
    time.sleep(1.2)
    program.process.kill()
    program.process.wait()
    program.start()
    stage = open_page(program, width=375, height=812, touch=True, view="mixer")
    stage.page.locator(".notice", has_text="was rescued").wait_for()
    covered = stage.page.evaluate("""() => {
      const view = document.getElementById("view")
      view.scrollTop = view.scrollHeight
      const top = document.getElementById("notices").getBoundingClientRect().top
      return [...view.querySelectorAll("button, select, input")].filter((element) => element.offsetParent && element.getBoundingClientRect().bottom > top)
        .map((element) => element.ariaLabel ?? element.textContent)
    }""")
    assert covered == []


def test_every_track_is_recorded_to_a_file_of_its_own(stage, program):
    program.act({"do": "launchScene", "scene": 1})
    program.wait_for(lambda: len(program.events("clipStarted")) > 2, "clips start")
    stage.show("settings")
    stage.page.get_by_role("button", name="Record every track").click()
    program.wait_for(lambda: program.session()["recording"], "it records")
    assert program.session()["recording"]["tracks"] is True
    stage.rest(1.5)
    stage.page.get_by_role("button", name="End the recording").click()
    notice = stage.page.locator(".notice", has_text="Recorded")
    notice.wait_for()
    names = [each["name"] for each in program.session()["recordings"]]
    apart = [name for name in names if "/" in name]
    assert f"and {len(apart)} files of tracks and outputs" in notice.inner_text()
    files = {
        name.split("/")[1]: read_wave(program.get(f"/api/recordings/{quote(name, safe='')}")[1])[0] for name in apart
    }
    bus = files["bus-main.wav"]
    assert abs(bus).max() > 0.01
    assert {len(file) for file in files.values()} == {len(bus)}
    tracks = sum(file for name, file in files.items() if not name.startswith(("bus-", "input-")))
    assert abs(tracks - bus).max() < 1e-5
    assert len([name for name in files if name.startswith("track-")]) == len(program.session()["session"]["tracks"])
