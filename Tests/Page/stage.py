"""A page in the words of those who use it."""

import re
from urllib.parse import parse_qs, quote, urlsplit

from program import PATIENCE
from sound import read_wave

VIEWS = ["launcher", "pads", "mixer", "stems", "playlist", "metronome", "settings"]


class Stage:
    def __init__(self, browser, program, width=1280, height=900, theme="dark", touch=False, view="launcher", motion=None, address=None):
        self.program = program
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme, has_touch=touch, is_mobile=touch, reduced_motion=motion,
            ignore_https_errors=program.trust is not None)
        self.page = self.context.new_page()
        self.page.set_default_timeout(1000 * PATIENCE)
        self.complaints = []
        self.expects_losses = False
        self.is_shut_out = False
        self.requests = []
        self.page.on("console", self.hear)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(f"{address or program.url}#{view}")
        self.wait_until_ready()

    def hear(self, message):
        if message.type not in ("error", "warning"):
            return
        # A browser says so itself when a server can't be reached.
        if self.expects_losses and re.search(r"ERR_CONNECTION|WebSocket connection", message.text):
            return
        if self.is_shut_out and "401" in message.text:
            return
        if self.asks_for_what_is_gone(message):
            return
        self.complaints.append(message.text)

    def asks_for_what_is_gone(self, message):
        """Whether a picture was not found because its clip, stem or item was taken back while it was asked for."""
        address = urlsplit(message.location.get("url", ""))
        if "404" not in message.text or address.path not in ("/api/waveform", "/api/analysis", "/api/cover"):
            return False
        asked = {value for key, [value, *_] in parse_qs(address.query).items() if key in ("clip", "stem", "item", "pad")}
        session = self.program.session()["session"]
        clips = (clip for track in session.get("tracks", []) for clip in track.get("clips", []))
        there = {entry["id"] for part in ("stems", "playlist", "pads") for entry in session.get(part, [])} | {clip["id"] for clip in clips}
        return bool(asked) and asked.isdisjoint(there)

    def wait_until_ready(self):
        self.page.wait_for_selector("html[data-ready]")

    def show(self, view):
        self.page.locator(f"[data-key='view-{view}']").click()
        self.page.locator(f"[data-key='view-{view}'][aria-current='page']").wait_for()

    def button(self, name, exact=False):
        return self.page.get_by_role("button", name=name, exact=exact)

    def choice(self, name, within="body"):
        return self.page.locator(within).get_by_role("combobox", name=name, exact=True).first

    def clip(self, identity):
        return self.page.locator(f"[data-clip='{identity}']")

    def wait_for_clip(self, identity, status, seconds=PATIENCE):
        label = re.compile(rf", {status}$")
        self.page.locator(f"[data-clip='{identity}'][aria-label$=', {status}']").wait_for(timeout=seconds * 1000)
        assert label.search(self.clip(identity).get_attribute("aria-label"))

    def edit(self, identity):
        self.clip(identity).click(button="right")
        self.page.locator("#editor:not([hidden])").wait_for()

    def slow_down(self, seconds):
        """What the page asks for is so long on its way."""
        self.page.evaluate("""(seconds) => {
            const { send } = WebSocket.prototype
            WebSocket.prototype.send = function (data) { setTimeout(() => send.call(this, data), 1000 * seconds) }
        }""", seconds)

    def take_loop_end_to(self, fraction):
        """Drags the end of the loop that is edited to a place of its waveform, and does not let go."""
        wave = self.page.locator(".editor-wave").bounding_box()
        handle = self.page.get_by_role("slider", name="Loop end").bounding_box()
        y = handle["y"] + 10
        # Its flag lies left of the end itself.
        self.page.mouse.move(handle["x"] + handle["width"] / 2 - 8, y)
        self.page.mouse.down()
        self.page.mouse.move(wave["x"] + wave["width"] * fraction - 5, y, steps=6)

    def tempo(self, bpm):
        field = self.page.get_by_role("spinbutton", name="Tempo, beats a minute")
        field.click()
        field.fill(str(bpm))
        field.press("Enter")

    def record(self):
        self.button("Record the performance").click()
        self.page.locator("[data-key='record'][aria-pressed='true']").wait_for()
        return self.program.session()["recording"]

    def stop_recording(self):
        """Ends the recording; returns its samples, its rate and its script's lines."""
        self.button("Record the performance").click()
        self.page.locator("[data-key='record'][aria-pressed='false']").wait_for()
        files = {entry["kind"]: quote(entry["name"]) for entry in self.program.session()["recordings"]}
        data = self.program.get(f"/api/recordings/{files['audio']}")[1]
        return *read_wave(data), self.program.get(f"/api/recordings/{files['script']}")[1]

    def rest(self, seconds):
        """Lets music play; what is tested here is what time brings."""
        self.page.wait_for_timeout(seconds * 1000)

    def started(self, clip, count=1):
        """The frame on which a clip started, told by the engine."""
        return self.program.wait_for(
            lambda: [event for event in self.program.events("clipStarted") if event["clip"] == clip][count - 1:], f"{clip} starts")[0]["frame"]


