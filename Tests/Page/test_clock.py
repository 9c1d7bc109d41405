"""A set that follows another program's MIDI clock."""

import pytest
from playwright.sync_api import expect
from program import Program, copy_session


@pytest.fixture
def program(home, demo, tmp_path, jack):
    program = Program(home, copy_session(demo.parent, tmp_path / "set"), backend="jack", environment=jack.environment,
                      options=["--clock", "midi"])
    yield program
    program.stop()


@pytest.fixture
def leader(home, demo, tmp_path, jack, program):
    folder = home / "leader"
    folder.mkdir()
    leader = Program(folder, copy_session(demo.parent, tmp_path / "leading"), backend="jack", environment=jack.environment)
    yield leader
    leader.stop()


def test_the_tempo_is_said_to_be_the_clocks(open_page, program, leader, jack):
    stage = open_page(program, view="settings")
    unit = stage.page.locator(".tempo .unit")
    expect(unit).to_have_attribute("title", "Waits for a MIDI clock")
    stage.page.get_by_text("Waits for a MIDI clock there.").wait_for()
    assert program.session()["engine"]["clock"] == {"source": "midi", "state": "waiting"}
    before = program.session()["session"]["tempo"]
    leader.act({"do": "tempo", "bpm": 133})
    jack.connect("barline-01:clock_out", "barline-midi:control_in")
    expect(unit).to_have_text("MIDI")
    stage.page.get_by_text("Beats follow the MIDI clock that comes there.").wait_for()
    expect(stage.page.get_by_role("spinbutton", name="Tempo, beats a minute")).to_have_value("133.0")
    leader.act({"do": "transport", "action": "play"})
    program.wait_for(lambda: program.events("transportStarted"), "it has started with the leader")
    leader.act({"do": "transport", "action": "stop"})
    program.wait_for(lambda: program.events("transportStopped"), "it has stopped with the leader")
    # The session's own tempo is as it was: what was followed is not an edit.
    assert program.session()["session"]["tempo"] == before and not program.session()["history"]["undo"]
    leader.stop()
    expect(unit).to_have_text("lost")
    expect(unit).to_have_attribute("title", "The MIDI clock is gone: its latest tempo goes on")
