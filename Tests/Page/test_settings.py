"""Settings: where the sound goes, and who may control it."""

import io
import socket
import struct
import subprocess

import pytest
import zxingcpp
from jack import JackServer
from PIL import Image
from program import Program, copy_session, free_port


@pytest.fixture
def jack():
    server = JackServer()
    yield server
    server.stop()


@pytest.fixture
def program(home, demo, tmp_path, jack):
    program = Program(home, copy_session(demo.parent, tmp_path / "set"), environment=jack.environment)
    yield program
    program.stop()


@pytest.fixture
def stage(program, open_page):
    return open_page(program, view="settings")


def test_the_output_is_changed_while_the_set_plays(stage, program, jack):
    outputs = stage.choice("Play to")
    outputs.locator("option", has_text="No sound").wait_for(state="attached")
    assert "No sound" in outputs.locator("option:checked").inner_text()
    program.act({"do": "launchScene", "scene": 1})
    program.wait_for(lambda: program.events("clipStarted"), "clips start")
    jack.start()
    stage.button("Look for outputs again").click()
    outputs.locator("option", has_text="JACK").wait_for(state="attached")
    before = program.act({"do": "tap"})[0]["frame"]
    outputs.select_option(label=outputs.locator("option", has_text="JACK").inner_text())
    stage.page.get_by_text("Plays to JACK server.").wait_for()
    program.wait_for(lambda: program.session()["engine"]["backend"] == "jack", "the output in the state")
    program.wait_for(lambda: jack.ports("barline:") == ["barline:main_1", "barline:main_2", "barline:clock_out"], "the ports")
    stage.page.get_by_text("Ports barline-midi:control_in and barline-midi:control_out").wait_for()
    stage.page.get_by_text("barline:clock_out is the clock for other machines").wait_for()
    # The timeline goes on where it was: a loop that began before comes round on its bar line.
    wraps = program.wait_for(lambda: [event for event in program.events("clipLooped") if event["frame"] > before and event["clip"] == "drums-four-steps"],
                             "the loop goes on")
    start = next(event["frame"] for event in program.events("clipStarted") if event["clip"] == "drums-four-steps")
    assert (wraps[0]["frame"] - start) % 192000 == 0
    assert not program.events("clipStopped")
    program.act({"do": "editTrack", "track": "drums", "set": {"output": "phones"}})
    program.wait_for(lambda: jack.ports("barline:phones") == ["barline:phones_1", "barline:phones_2"], "ports of an output with a new name")
    program.wait_for(lambda: program.session()["engine"]["outputs"] == ["main", "phones"], "the outputs in the state")
    outputs.select_option(label=outputs.locator("option", has_text="No sound").inner_text())
    program.wait_for(lambda: program.session()["engine"]["backend"] == "null", "the clock again")
    program.wait_for(lambda: not jack.ports("barline:"), "the ports are gone")


def test_an_output_that_is_not_there_is_refused_and_the_sound_stays(stage, program):
    field = stage.page.get_by_label("Other rooms: address of a Snapcast server")
    field.fill(f"snapcast://127.0.0.1:{free_port()}")
    stage.button("Play to the Snapcast server").click()
    stage.page.get_by_text("It plays where it did.").wait_for()
    assert program.session()["engine"]["backend"] == "null"
    before = program.act({"do": "tap"})[0]["frame"]
    assert program.act({"do": "tap"})[0]["frame"] > before


def message(address, tags, *values):
    def padded(data):
        return data + bytes(4 - len(data) % 4)

    return padded(address.encode()) + padded(f",{tags}".encode()) + b"".join(struct.pack(">f", value) for value in values)


def test_osc_is_turned_on_and_off(stage, program):
    stage.page.get_by_text("Nobody can control Barline by OSC now.").wait_for()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.bind(("127.0.0.1", 0))
        port = udp.getsockname()[1]
    stage.page.get_by_label("OSC: UDP port").fill(str(port))
    stage.button("Take OSC").click()
    stage.page.get_by_text(f"Listens on 127.0.0.1, UDP port {port}.").wait_for()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.sendto(message("/barline/tempo", "f", 97), ("127.0.0.1", port))
        program.wait_for(lambda: program.session()["session"]["tempo"] == 97, "the tempo")
    stage.button("Stop taking OSC").click()
    stage.page.get_by_text("Nobody can control Barline by OSC now.").wait_for()
    program.wait_for(lambda: program.session()["engine"]["osc"] is None, "OSC is off in the state")


def test_rooms_that_are_not_there_are_said_so(stage):
    stage.button("Look for rooms").click()
    stage.page.get_by_text("snapcast: ").wait_for()


def test_links_are_shown_and_made_anew_and_who_watches_sees_only(program, open_page, home, demo, tmp_path):
    network = Program(home, copy_session(demo.parent, tmp_path / "net"), network=True)
    try:
        played = open_page(network, view="settings", address=network.link)
        played.button("Links to this page…").click()
        watch = played.page.get_by_label("Only to watch").input_value()
        # What a telephone's camera makes of it.
        for name, link in [("Code of the link to play", network.link), ("Code of the link to watch", watch)]:
            picture = Image.open(io.BytesIO(played.page.get_by_role("img", name=name).screenshot()))
            assert [code.text for code in zxingcpp.read_barcodes(picture)] == [link]
        watched = open_page(network, view="settings", address=watch)
        watched.expects_losses = True
        watched.page.get_by_text("You only watch.").wait_for()
        watched.choice("Launch on").select_option("1/4")
        watched.page.get_by_text("This page only watches.").first.wait_for()
        assert network.session()["session"]["launchQuantization"] == "1 bar"
        # What is refused does not look as if it were done.
        watched.show("mixer")
        fader = watched.page.locator("[data-key='fader-drums']")
        fader.focus()
        watched.page.keyboard.press("End")
        watched.page.wait_for_function("() => document.querySelector('[data-key=\"fader-drums\"]').ariaValueText === '0.0 dB'")
        # What it asks for from then on is refused, whenever the browser says so.
        watched.is_shut_out = True
        played.button("Make new ones, and shut out who has these").click()
        watched.page.get_by_text("This link does not hold any more").wait_for()
        played.page.wait_for_url(lambda url: "token" not in url)
        played.button("Links to this page…").click()
        assert played.page.get_by_label("Only to watch").input_value() != watch
    finally:
        network.stop()


def test_the_page_plays_over_tls(open_page, home, demo, tmp_path):
    certificate = [str(tmp_path / "server.pem"), str(tmp_path / "server.key")]
    names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=Barline",
         "-addext", names, "-out", certificate[0], "-keyout", certificate[1]], check=True, capture_output=True)
    secure = Program(home, copy_session(demo.parent, tmp_path / "tls"), network=True, certificate=certificate)
    try:
        assert secure.link.startswith("https://127.0.0.1:")
        played = open_page(secure, view="settings", address=secure.link)
        [cookie] = played.context.cookies()
        assert cookie["secure"] and cookie["httpOnly"]
        played.choice("Launch on").select_option("1/4")
        secure.wait_for(lambda: secure.session()["session"]["launchQuantization"] == "1/4", "what was chosen")
        played.button("Links to this page…").click()
        assert played.page.get_by_label("Only to watch").input_value().startswith("https://")
    finally:
        secure.stop()


def test_what_can_not_be_set_is_not_shown_as_if_it_were(stage, program):
    program.act({"do": "editSession", "set": {"snapTolerance": 0.1, "master": {"ceiling": -3}}}, {"do": "addInput", "name": "mic"})
    stage.show("settings")
    gain = "input-gain-mic"
    for key, there, wrong in [("ceiling", "-3", "77"), ("snap-tolerance", "10", "-5"), (gain, "0", "999"), (gain, "0", "loud")]:
        field = stage.page.locator(f"[data-key='{key}']")
        field.fill(wrong)
        field.press("Tab")
        stage.page.wait_for_function(
            "([key, there]) => document.querySelector(`[data-key='${key}']`).value === there", arg=[key, there])
    session = program.session()["session"]
    assert (session["master"]["ceiling"], session["snapTolerance"]) == (-3, 0.1)
    name = stage.page.locator("[data-key='input-name-mic']")
    name.fill("Esc")
    name.press("Escape")
    assert name.input_value() == "mic" and program.session()["session"]["inputs"][0]["name"] == "mic"


@pytest.mark.parametrize(("view", "key", "change"), [
    ("settings", "input-name-mic", {"do": "addInput", "name": "line"}),
    ("mixer", "fader-bass-value", {"do": "editTrack", "track": "bass", "set": {"name": "Low"}}),
    ("mixer", "fader-bass-value", {"do": "addTrack"}),
])
def test_what_is_half_typed_is_not_set_by_what_others_do_and_goes_on(stage, program, view, key, change):
    program.act({"do": "addInput", "name": "mic"})
    stage.show(view)
    before = program.session()["session"]
    field = stage.page.locator(f"[data-key='{key}']")
    field.select_text()
    field.press_sequentially("-1")
    program.act(change)
    stage.rest(0.5)
    now = program.session()["session"]
    assert [track.get("gain") for track in now["tracks"]][:len(before["tracks"])] == [track.get("gain") for track in before["tracks"]]
    assert now["inputs"][0]["name"] == "mic"
    stage.page.keyboard.type("2")
    assert stage.page.evaluate("document.activeElement.dataset.key") == key and field.input_value() == "-12"
    stage.page.keyboard.press("Enter")
    if view == "mixer":
        program.wait_for(lambda: [t for t in program.session()["session"]["tracks"] if t["id"] == "bass"][0]["gain"] == -12, "the gain")
    else:
        program.wait_for(lambda: program.session()["session"]["inputs"][0]["name"] == "-12", "the name")


def test_what_is_typed_into_a_level_takes_the_place_of_what_it_was_though_others_move_it(stage, program):
    stage.show("mixer")
    field = stage.page.locator("[data-key='fader-bass-value']")
    field.focus()
    program.act({"do": "gain", "track": "bass", "db": -7})
    stage.rest(0.5)
    stage.page.keyboard.type("-12")
    stage.page.keyboard.press("Enter")
    program.wait_for(lambda: [t for t in program.session()["session"]["tracks"] if t["id"] == "bass"][0]["gain"] == -12, "the gain")


def test_a_field_that_is_emptied_sets_nothing(stage, program):
    program.act({"do": "editSession", "set": {"snapTolerance": 0.1, "master": {"ceiling": -3}}})
    stage.show("settings")
    ceiling = stage.page.locator("[data-key='ceiling']")
    snap = stage.page.get_by_label("A press so late still counts, % of a period")
    for field in [ceiling, snap]:
        field.fill("")
        field.press("Tab")
    stage.rest(0.5)
    session = program.session()["session"]
    assert (session["master"]["ceiling"], session["snapTolerance"]) == (-3, 0.1)


def test_where_sound_can_not_be_played_the_page_says_why(open_page, program):
    stage = open_page(program, view="settings")
    stage.page.evaluate("() => Object.defineProperty(window, 'isSecureContext', { value: false })")
    stage.page.locator("[data-key='listen']").click()
    stage.page.get_by_text("over a secure connection only").wait_for()
    assert stage.page.locator("[data-key='listen']").get_attribute("aria-pressed") == "false"
