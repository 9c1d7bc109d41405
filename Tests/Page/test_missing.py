"""Files that are not where the session says: said, looked for, chosen."""

import shutil

import pytest
from program import Program, copy_session

GONE = ["drums-four-steps", "bass-deep-blue"]


@pytest.fixture
def own(home, demo, tmp_path, open_page):
    """A page of the demo set without two of its files, its program, the set's folder and the files."""
    session = copy_session(demo.parent, tmp_path / "set")
    away = tmp_path / "away"
    away.mkdir()
    for name in GONE:
        shutil.move(session.parent / "loops" / f"{name}.wav", away)
    program = Program(home, session, environment={"XDG_DATA_HOME": str(tmp_path / "data")})
    yield open_page(program, height=1000), program, session.parent, away
    program.stop()


def ask(stage):
    stage.page.locator(".notice.error", has_text="2 files can't be played").wait_for()
    stage.button("Session:").click()
    stage.page.get_by_role("menuitem", name="Find missing files…").click()
    dialog = stage.page.get_by_role("dialog", name="Find missing files")
    dialog.get_by_text("drums-four-steps.wav, bass-deep-blue.wav").wait_for()
    return dialog


def file_of(program, identity):
    return next(clip["file"] for track in program.session()["session"]["tracks"] for clip in track["clips"] if clip["id"] == identity)


def plays(stage, identity):
    stage.clip(identity).click()
    stage.wait_for_clip(identity, "playing")


def test_files_that_were_moved_within_the_folder_are_found(own):
    stage, program, folder, away = own
    (folder / "old" / "loops").mkdir(parents=True)
    shutil.move(away / f"{GONE[0]}.wav", folder / "old" / "loops")
    ask(stage).get_by_role("button", name="Look in the library").click()
    stage.page.locator(".notice", has_text="1 file was found.").wait_for()
    stage.page.locator(".notice.error", has_text="Not found: bass-deep-blue.wav").wait_for()
    assert file_of(program, GONE[0]) == f"old/loops/{GONE[0]}.wav"
    plays(stage, GONE[0])
    # The other one is put back to where it was.
    shutil.move(away / f"{GONE[1]}.wav", folder / "loops")
    stage.button("Session:").click()
    stage.page.get_by_role("menuitem", name="Find missing files…").click()
    stage.button("Look in the library").click()
    stage.page.locator(".notice", has_text="All files are where they should be.").wait_for()
    plays(stage, GONE[1])
    stage.button("Session:").click()
    assert stage.page.get_by_role("menuitem", name="Find missing files…").count() == 0


def test_files_that_are_chosen_take_the_places_of_those_with_their_names(own):
    stage, program, _, away = own
    with stage.page.expect_file_chooser() as chooser:
        ask(stage).get_by_role("button", name="Choose files…").click()
    chooser.value.set_files([away / f"{name}.wav" for name in GONE])
    stage.page.locator(".notice", has_text="2 files were found.").wait_for()
    for name in GONE:
        assert file_of(program, name).startswith("audio/")
        plays(stage, name)
    stage.button("Undo", exact=True).click()
    program.wait_for(lambda: [file_of(program, name) for name in GONE] == [f"loops/{name}.wav" for name in GONE], "both are back, in one step")


def test_another_file_is_played_in_the_place_of_one_that_is_gone(own):
    stage, program, folder, _ = own
    other = shutil.copy(folder / "loops" / "drums-high-gear.wav", folder.parent / "back\\up\t1.wav")
    stage.edit(GONE[0])
    with stage.page.expect_file_chooser() as chooser:
        stage.button("Another file…").click()
    chooser.value.set_files(other)
    program.wait_for(lambda: program.session()["clips"][GONE[0]]["problem"] is None, "the clip has a file")
    stage.button("Another file…").wait_for(state="hidden")
    plays(stage, GONE[0])
