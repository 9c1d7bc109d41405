"""A program, a browser, and pages that may not complain."""

import pytest
from jack import JackServer
from playwright.sync_api import sync_playwright
from program import Program, copy_session, write_demo
from stage import Stage


@pytest.fixture(scope="session")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    """The demo set as files."""
    return write_demo(tmp_path_factory.mktemp("demo") / "set")


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium-headless-shell", args=["--no-sandbox", "--autoplay-policy=user-gesture-required"])
        yield browser
        browser.close()


@pytest.fixture
def jack():
    """A JACK server that serves."""
    server = JackServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def program(home, demo, tmp_path):
    """A copy of the demo set, played to the clock."""
    program = Program(home, copy_session(demo.parent, tmp_path / "set"))
    yield program
    program.stop()


@pytest.fixture(scope="session")
def lasting(home, demo, tmp_path_factory):
    program = Program(home, copy_session(demo.parent, tmp_path_factory.mktemp("lasting") / "set"))
    yield program
    program.stop()


@pytest.fixture
def resting(lasting):
    """One program for all tests that leave the session as it was: it is stopped, and what happened before is forgotten."""
    lasting.rest()
    return lasting


@pytest.fixture
def open_page(browser):
    """Opens pages; at the end none of them may have said anything on its console."""
    stages = []

    def open_page(program, **options):
        stage = Stage(browser, program, **options)
        stages.append(stage)
        return stage

    yield open_page
    complaints = [text for stage in stages for text in stage.complaints]
    for stage in stages:
        stage.context.close()
    assert complaints == []


@pytest.fixture
def tell(request):
    """Says a figure, whatever else is captured."""
    capture = request.config.pluginmanager.get_plugin("capturemanager")

    def tell(text):
        with capture.global_and_fixture_disabled():
            print(f"\n{text}")

    return tell


@pytest.fixture
def stage(program, open_page):
    """One page of the demo set."""
    return open_page(program)
