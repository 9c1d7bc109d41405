"""The saved sessions, in the page's dialogs."""

import json
import os
import re
import subprocess

import pytest
from axe_playwright_python.sync_playwright import Axe
from program import BARLINE, Program, copy_session


@pytest.fixture
def program(home, demo, tmp_path):
    """A program with a library of its own: Opener, and Closer, which is open."""
    program = Program(home, copy_session(demo.parent, tmp_path / "set"), environment={"XDG_DATA_HOME": str(tmp_path / "data")})
    program.act({"do": "saveAs", "name": "Opener"}, {"do": "saveAs", "name": "Closer"})
    yield program
    program.stop()


@pytest.fixture
def own(program, open_page):
    return open_page(program), program


def ask(stage, command):
    stage.button("Session:").click()
    stage.page.get_by_role("menuitem", name=command).click()


def row(stage, name):
    return stage.page.get_by_role("list", name="Saved sessions").get_by_role("listitem").filter(has_text=name)


def names(program):
    return sorted(session["name"] for session in program.session()["sessions"])


@pytest.mark.parametrize("command", ["Save as…", "Rename…", "New session…"])
def test_a_dialog_selects_its_text_when_it_opens(own, command):
    stage, _ = own
    ask(stage, command)
    field = stage.page.locator("dialog input")
    field.wait_for()
    value = field.input_value()
    assert value
    assert field.evaluate("(field) => document.activeElement === field && field.value.slice(field.selectionStart, field.selectionEnd)") == value
    # So what is typed takes its place.
    stage.page.keyboard.type("X")
    assert field.input_value() == "X"
    stage.page.keyboard.press("Escape")


def test_saved_sessions_are_renamed(own):
    stage, program = own
    ask(stage, "Open…")
    row(stage, "Opener").get_by_role("button", name="Rename").click()
    stage.page.keyboard.type("Warm-up")
    stage.page.keyboard.press("Enter")
    row(stage, "Warm-up").wait_for()
    assert names(program) == ["Closer", "Warm-up"]
    # The one that is open goes on under its new name.
    row(stage, "Closer").get_by_role("button", name="Rename").click()
    stage.page.keyboard.type("Encore")
    stage.page.keyboard.press("Enter")
    row(stage, "Encore").get_by_text("open now").wait_for()
    assert names(program) == ["Encore", "Warm-up"]
    assert program.session()["file"]["name"] == "Encore.barline"
    stage.page.get_by_role("list", name="Saved sessions").get_by_role("button", name="Warm-up").click()
    program.wait_for(lambda: program.session()["file"]["name"] == "Warm-up.barline", "the other one is open")
    assert program.session()["session"]["name"] == "Warm-up"


def test_a_session_that_was_broken_off_says_so_in_the_list(own):
    stage, program = own
    ask(stage, "Open…")
    row(stage, "Closer").get_by_text("open now").wait_for()
    assert stage.page.get_by_text("changes were not saved").count() == 0
    stage.page.keyboard.press("Escape")
    copies = program.home / ".local" / "state" / "barline" / "autosave"
    before = set(copies.glob("Closer-*.barline"))
    program.act({"do": "tempo", "bpm": 99})
    program.wait_for(lambda: set(copies.glob("Closer-*.barline")) - before, "a copy is kept")
    stage.expects_losses = True
    program.process.kill()
    program.process.wait()
    program.start()
    stage.page.reload()
    stage.wait_until_ready()
    ask(stage, "Open…")
    row(stage, "Closer").get_by_text("changes were not saved").wait_for()
    assert row(stage, "Opener").get_by_text("changes were not saved").count() == 0
    row(stage, "Closer").get_by_role("button", name="Closer", exact=True).click()
    stage.page.locator(".notice", has_text="the session menu can recover it").wait_for()
    stage.button("Session:").click()
    stage.page.get_by_role("menuitem", name="Recover “Closer").click()
    program.wait_for(lambda: program.session()["session"]["tempo"] == 99, "the changes are there again")


def test_a_name_that_is_taken_is_refused_in_words(own):
    stage, program = own
    ask(stage, "Open…")
    row(stage, "Opener").get_by_role("button", name="Rename").click()
    stage.page.keyboard.type("Closer")
    stage.page.keyboard.press("Enter")
    stage.page.locator(".notice.error", has_text="a name that no session has yet is needed").wait_for()
    assert names(program) == ["Closer", "Opener"]
    stage.page.keyboard.press("Escape")


def test_saving_over_another_session_is_asked_about(own):
    stage, program = own
    program.act({"do": "tempo", "bpm": 99})
    ask(stage, "Save as…")
    stage.page.keyboard.type("Opener")
    stage.page.keyboard.press("Enter")
    stage.page.get_by_role("dialog", name="Replace “Opener”?").get_by_role("button", name="Cancel").click()
    assert program.session()["file"]["name"] == "Closer.barline" and program.session()["file"]["isDirty"]
    ask(stage, "Save as…")
    stage.page.keyboard.type("Opener")
    stage.page.keyboard.press("Enter")
    stage.button("Replace it").click()
    program.wait_for(lambda: program.session()["file"]["name"] == "Opener.barline", "it is saved there")
    # What it was can be had again, and the name that it has now is no question.
    assert len(json.loads(program.get("/api/versions")[1])["versions"]) == 1
    program.act({"do": "tempo", "bpm": 98})
    ask(stage, "Save as…")
    stage.page.keyboard.type("Opener")
    stage.page.keyboard.press("Enter")
    program.wait_for(lambda: not program.session()["file"]["isDirty"], "it is saved")


def test_changes_are_left_only_of_the_session_that_was_asked_about(own):
    stage, program = own
    program.act({"do": "tempo", "bpm": 99})
    ask(stage, "New session…")
    stage.page.keyboard.type("Third")
    stage.page.keyboard.press("Enter")
    question = stage.page.get_by_role("dialog", name="Leave the changes?")
    question.wait_for()
    # Another window goes on elsewhere.
    program.act({"do": "save"}, {"do": "open", "name": "Opener"}, {"do": "tempo", "bpm": 77})
    stage.button("Session: Opener, not saved").wait_for()
    question.get_by_role("button", name="Leave them").click()
    question.get_by_text("“Opener” has changes").wait_for()
    assert program.session()["file"]["name"] == "Opener.barline" and program.session()["session"]["tempo"] == 77
    question.get_by_role("button", name="Leave them").click()
    program.wait_for(lambda: program.session()["file"]["name"] == "Third.barline", "the new session")


def test_the_open_session_is_renamed_in_the_list_too(own):
    stage, program = own
    program.act({"do": "tempo", "bpm": 99})
    ask(stage, "Rename…")
    stage.page.keyboard.type("Finale")
    stage.page.keyboard.press("Enter")
    program.wait_for(lambda: names(program) == ["Finale", "Opener"], "its new name")
    state = program.session()
    assert state["session"]["name"] == "Finale" and state["file"] == {**state["file"], "name": "Finale.barline", "isDirty": True}
    ask(stage, "Rename…")
    stage.page.keyboard.type("Opener")
    stage.page.keyboard.press("Enter")
    stage.page.locator(".notice.error").wait_for()
    assert program.session()["session"]["name"] == "Finale"


@pytest.mark.parametrize("command", ["Rename…", "Save as…"])
def test_a_name_is_not_given_to_a_session_that_was_opened_meanwhile(own, command):
    stage, program = own
    ask(stage, command)
    stage.page.keyboard.type("Third")
    program.act({"do": "open", "name": "Opener"})
    stage.page.wait_for_function("() => document.title.startsWith('Opener')")
    stage.page.keyboard.press("Enter")
    stage.page.locator(".notice.error", has_text="Another session was opened meanwhile").wait_for()
    assert program.session()["session"]["name"] == "Opener" and program.session()["file"]["name"] == "Opener.barline"


def test_saved_sessions_are_deleted_when_that_is_confirmed(own):
    stage, program = own
    ask(stage, "Open…")
    row(stage, "Opener").get_by_role("button", name="Delete").click()
    stage.page.get_by_role("dialog", name="Delete “Opener”?").get_by_role("button", name="Cancel").click()
    assert names(program) == ["Closer", "Opener"]
    row(stage, "Opener").get_by_role("button", name="Delete").click()
    stage.button("Delete it").click()
    row(stage, "Opener").wait_for(state="detached")
    assert names(program) == ["Closer"]
    # The one that is open stays.
    assert row(stage, "Closer").get_by_role("button", name="Delete").is_disabled()


@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing_in_the_list(own, open_page, width):
    _, program = own
    stage = open_page(program, width=width)
    ask(stage, "Open…")
    row(stage, "Opener").wait_for()
    assert stage.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    found = Axe().run(stage.page).response["violations"]
    assert [(violation["id"], node["html"]) for violation in found for node in violation["nodes"]] == []


def test_the_version_is_the_programs(own):
    stage, program = own
    version = subprocess.run([BARLINE, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    assert re.fullmatch(r"\d+\.\d+\.\d+", version)
    stage.show("settings")
    assert stage.page.locator("dd", has_text=f"barline {version}").inner_text() == f"barline {version}"
    assert program.session()["program"]["version"] == version


def test_a_page_that_finds_another_version_loads_itself_anew(program, browser):
    context = browser.new_context()
    page = context.new_page()
    connections, loads = [], []
    page.on("load", lambda: loads.append(page.url))

    def connect(socket):
        connections.append(socket)
        is_next = len(connections) == 2
        server = socket.connect_to_server()
        version = program.session()["program"]["version"]
        server.on_message(lambda data: socket.send(
            data.replace(f'"version":"{version}"', '"version":"99.0.0"') if is_next and isinstance(data, str) else data))

    page.route_web_socket(re.compile("/api/socket$"), connect)
    page.goto(program.url)
    page.wait_for_selector("html[data-ready]")
    assert len(connections) == 1 and len(loads) == 1
    connections[0].close()
    program.wait_for(lambda: page.wait_for_timeout(50) or len(connections) == 3, "the page is loaded anew")
    page.wait_for_selector("html[data-ready]")
    assert len(loads) == 2
    context.close()


def test_the_menu_of_the_session_is_scrolled_where_it_is_higher_than_the_window(program, open_page):
    stage = open_page(program)
    stage.page.set_viewport_size({"width": 844, "height": 390})
    stage.button("Session:").click()
    last = stage.page.get_by_role("menuitem").last
    first = stage.page.get_by_role("menuitem").first.bounding_box()
    stage.page.mouse.move(first["x"] + 20, first["y"] + first["height"] / 2)
    stage.page.mouse.wheel(0, 2000)
    stage.page.wait_for_function(
        "(item) => { const { bottom } = item.getBoundingClientRect(); return bottom <= innerHeight }", arg=last.element_handle())
    assert stage.page.evaluate("document.scrollingElement.scrollTop") == 0


def test_an_earlier_version_is_brought_back_and_undo_takes_that_back(own):
    stage, program = own
    for name in ["One", "Two", "Three"]:
        # Of the second in which the session was copied there is a version as well.
        stage.rest(1.1)
        program.act({"do": "editSession", "set": {"name": name}}, {"do": "save"})
    ask(stage, "Earlier versions…")
    dialog = stage.page.get_by_role("dialog", name="Earlier versions")
    versions = dialog.get_by_role("button", name="The version of")
    versions.first.wait_for()
    # Those of one minute have their seconds.
    assert len(set(versions.all_inner_texts())) == 3
    assert Axe().run(stage.page).response["violations"] == []
    versions.nth(1).click()
    program.wait_for(lambda: program.session()["session"]["name"] == "One", "the one before the last but one is back")
    assert program.session()["history"]["undo"] == "Restore version"
    program.act({"do": "undo"})
    assert program.session()["session"]["name"] == "Three"


def test_what_several_crashes_left_is_offered_until_each_is_answered(home, demo, tmp_path, open_page):
    program = Program(home, copy_session(demo.parent, tmp_path / "set"),
                      environment={"XDG_DATA_HOME": str(tmp_path / "data"), "XDG_STATE_HOME": str(tmp_path / "state")})
    copies = tmp_path / "state" / "barline" / "autosave"
    dated = set()
    try:
        for second, name in enumerate(["First", "Second"]):
            program.act({"do": "editSession", "set": {"name": name}})
            program.wait_for(lambda name=name: any(f'"{name}"' in file.read_text() for file in copies.glob("*.barline")), "a copy is kept")
            program.process.kill()
            program.process.wait()
            for file in set(copies.iterdir()) - dated:
                os.utime(file, (1_800_000_000 + second,) * 2)
                dated.add(file)
            program.start()
        stage = open_page(program)
        stage.button("Session:").click()
        offers = stage.page.get_by_role("menuitem", name=re.compile("^Recover “.*” of "))
        offers.nth(1).wait_for()
        assert offers.count() == 2
        # Of one minute, and told apart by their seconds.
        assert [re.search(r":\d\d:(\d\d)\b", offer.inner_text())[1] for offer in offers.all()] == ["01", "00"]
        offers.nth(1).click()
        program.wait_for(lambda: program.session()["session"]["name"] == "First", "the older one is taken over")
        program.wait_for(lambda: len(program.session()["recoverables"]) == 1, "the other one is offered still")
    finally:
        program.stop()
