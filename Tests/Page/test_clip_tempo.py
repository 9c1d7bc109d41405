"""A clip's tempo on the page: unknown, chosen, given while it plays; and that nothing is shown that is for programs."""

import json
import math
import re
import wave

import numpy
import pytest
from program import Program
from stage import VIEWS

# What a path, a key or a word of the format looks like.
JARGON = re.compile(r"\.barline|(^|[\s“(])/\w|\w\[\d+\]|\b(action|tracks|clips|stems|scenes|set)\.\w|\bexpected\b")


def write_set(folder, **session):
    """A set with a hum whose tempo nobody hears, a groove at 125 BPM that says nothing of itself, and a file that is missing."""
    frames = numpy.arange(8 * 23040)
    beat, between = frames % 23040 / 48000, (frames + 11520) % 23040 / 48000
    groove = 0.6 * numpy.exp(-30 * beat) * numpy.sin(2 * math.pi * 60 * beat) + 0.2 * numpy.exp(-120 * between) * numpy.sin(2 * math.pi * 7000 * between)
    for name, samples in {"hum": 0.3 * numpy.sin(2 * math.pi * 100 / 48000 * numpy.arange(96000)), "groove": groove}.items():
        with wave.open(str(folder / f"{name}.wav"), "wb") as file:
            file.setparams((1, 2, 48000, len(samples), "NONE", ""))
            file.writeframes(numpy.round(samples * 32000).astype("<i2").tobytes())
    clips = [{"id": name, "name": name.title(), "file": f"{place}{name}.wav"} for name, place in [("hum", ""), ("groove", ""), ("missing", "deep/down/")]]
    path = folder / "tempos.barline"
    path.write_text(json.dumps({"barline": 1, "name": "Tempos", "launchQuantization": "none",
                                "tracks": [{"id": "t", "name": "Track", "clips": clips}], **session}))
    return path


@pytest.fixture
def program(home, tmp_path):
    program = Program(home, write_set(tmp_path))
    yield program
    program.stop()


@pytest.fixture
def stage(program, open_page):
    return open_page(program, height=1000)


def shown(stage):
    """All that can be read, and all that is read out or shown on a touch."""
    return stage.page.evaluate("""() => [document.body.innerText, ...[...document.querySelectorAll('*')].flatMap((element) =>
        ['title', 'aria-label', 'placeholder', 'aria-valuetext'].map((name) => element.getAttribute(name)).filter(Boolean))].join('\\n')""")


def complain_of_jargon(stage):
    found = [line for line in shown(stage).splitlines() if JARGON.search(line)]
    assert found == []


def test_a_clip_of_unknown_tempo_says_so_calmly_and_offers_tempos(stage, program):
    clip = stage.clip("hum")
    assert "tempo unknown" in clip.inner_text()
    assert clip.get_attribute("title") == "tempo unknown: plays at its own speed"
    assert "broken" not in clip.get_attribute("class")
    stage.edit("hum")
    stage.page.get_by_text("tempo unknown: plays at its own speed").first.wait_for()
    assert not stage.page.locator("#editor .problem").is_visible()
    complain_of_jargon(stage)
    # Another one has its tempos to be chosen from.
    stage.edit("groove")
    chips = stage.page.get_by_role("group", name="Tempos that were heard").get_by_role("button")
    chips.first.wait_for()
    assert re.match(r"125(\.\d+)? · \d+ %", chips.first.inner_text())


def test_a_clip_that_is_far_from_the_set_says_how_far(stage, program):
    clip = stage.clip("groove")
    own = program.session()["clips"]["groove"]["tempo"]
    program.act({"do": "tempo", "bpm": 1.5 * own})
    clip.get_by_text("×1.50").wait_for()
    assert "far from the set: 1.5 times its speed" in clip.get_attribute("aria-label")
    program.act({"do": "tempo", "bpm": own})
    clip.get_by_text(re.compile(r"^125[.\d]*$")).wait_for()


def test_a_tempo_that_is_given_while_it_plays_stops_nothing(stage, program):
    stage.clip("hum").click()
    stage.wait_for_clip("hum", "playing")
    stage.edit("hum")
    field = stage.page.get_by_label("Tempo, BPM")
    field.fill("90")
    field.press("Enter")
    program.wait_for(lambda: program.session()["clips"]["hum"]["beats"] == 3, "three beats")
    program.wait_for(lambda: program.events("clipLooped"), "a turn")
    stage.wait_for_clip("hum", "playing")
    stage.button("Back to what is heard").click()
    program.wait_for(lambda: program.session()["clips"]["hum"]["beats"] is None, "no tempo")
    stage.rest(0.3)
    assert len(program.events("clipStarted")) == 1
    assert program.events("clipStopped") == []


def test_tempos_that_are_chosen_and_typed_make_whole_beats_unless_they_are_to_be_exact(stage, program):
    beats = lambda: program.session()["clips"]["groove"]["beats"]
    stage.edit("groove")
    field = stage.page.get_by_label("Tempo, BPM")
    # 6.24 beats.
    field.fill("97.52")
    field.press("Enter")
    program.wait_for(lambda: beats() == 6, "six beats")
    stage.page.locator(".notice", has_text="6 beats, so 93.75 BPM").wait_for()
    exact = stage.page.get_by_label("Exact: not rounded to whole beats")
    exact.check()
    field.fill("97.52")
    field.press("Enter")
    program.wait_for(lambda: abs(beats() - 3.84 * 97.52 / 60) < 1e-6, "what was typed")
    exact.uncheck()
    chips = stage.page.get_by_role("group", name="Tempos that were heard").get_by_role("button")
    for index in range(chips.count()):
        stage.button("Twice the tempo").click()
        before = beats()
        chips.nth(index).click()
        program.wait_for(lambda: beats() != before and beats() == round(beats()), "whole beats")


def test_nothing_is_shown_that_is_for_programs(stage, program, tmp_path):
    missing = stage.clip("missing")
    stage.wait_for_clip("missing", "stopped")
    assert missing.get_attribute("title").startswith("“missing.wav” can't be opened")
    for view in VIEWS:
        stage.show(view)
        complain_of_jargon(stage)
    assert stage.page.get_by_text("“Hum”: tempo unknown: plays at its own speed.").is_visible()
    stage.show("launcher")
    # What is refused: a clip that can't be played, a name that can't be, a file that is no audio.
    missing.click()
    stage.page.locator(".notice.error", has_text="missing.wav").wait_for()
    complain_of_jargon(stage)
    stage.edit("missing")
    stage.page.locator("#editor .problem", has_text="missing.wav").wait_for()
    complain_of_jargon(stage)
    stage.button(re.compile("^Session")).click()
    stage.page.get_by_role("menuitem", name="Save as…").click()
    stage.page.get_by_label("Name of the session").fill("a/b")
    stage.button("Save", exact=True).click()
    stage.page.locator(".notice.error", has_text="Name").wait_for()
    complain_of_jargon(stage)
    text = tmp_path / "words.wav"
    text.write_text("no audio")
    with stage.page.expect_file_chooser() as chooser:
        stage.button(re.compile("^Session")).click()
        stage.page.get_by_role("menuitem", name="Add audio files…").click()
    chooser.value.set_files(text)
    stage.page.locator(".notice.error", has_text="words.wav").wait_for()
    complain_of_jargon(stage)
    # A browser says on its console that the file was refused.
    stage.complaints[:] = [line for line in stage.complaints if "422" not in line]
