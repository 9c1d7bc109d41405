"""What holds for every view: accessible, within its width, nothing from elsewhere, smooth."""

import json
import re
import time
from itertools import pairwise

import pytest
from axe_playwright_python.sync_playwright import Axe
from program import Program, copy_session, write_wall
from stage import VIEWS


@pytest.fixture
def program(resting):
    return resting


def violations(stage):
    found = Axe().run(stage.page).response["violations"]
    return [(violation["id"], node["html"][:160]) for violation in found for node in violation["nodes"]]


@pytest.mark.parametrize(("width", "theme"), [(390, "dark"), (1280, "light")])
def test_axe_finds_nothing(program, open_page, theme, width):
    stage = open_page(program, width=width, theme=theme)
    assert violations(stage) == []
    stage.button("Launch scene Groove").click()
    stage.wait_for_clip("drums-four-steps", "playing")
    for view in VIEWS:
        stage.show(view)
        stage.page.locator("#view > *").wait_for()
        assert violations(stage) == [], view
    stage.show("launcher")
    stage.edit("bass-rubber-root")
    assert violations(stage) == []
    stage.button("Close the editor").click()
    stage.button("Session:").click()
    assert violations(stage) == []
    stage.page.get_by_role("menuitem", name="Open…").click()
    assert violations(stage) == []


def test_the_modules_are_named_with_the_page_and_loaded_once(program, open_page):
    """A browser that is told of them beforehand asks for all of them at once."""
    named = re.findall(r'<link rel="modulepreload" href="([^"]+)">', program.get("/")[1].decode())
    stage = open_page(program)
    loaded = stage.page.evaluate("""() => performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname)
      .filter((path) => path.endsWith(".js"))""")
    assert sorted(loaded) == sorted([*named, "/modules/main.js"])


LUMINANCE = """(selector) => [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility()).map((element) => {
  const parse = (text) => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true })
    canvas.fillStyle = text
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data]
  }
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, index) => sum + v * [0.2126, 0.7152, 0.0722][index], 0)
  let ground = element
  while (parse(getComputedStyle(ground).backgroundColor)[3] < 255) ground = ground.parentElement
  const [a, b] = [light(parse(getComputedStyle(element).color)), light(parse(getComputedStyle(ground).backgroundColor))]
  return [element.textContent, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)]
})"""


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_clips_can_be_read_in_every_state(program, open_page, theme):
    stage = open_page(program, theme=theme)
    stage.button("Launch scene Groove").click()
    stage.wait_for_clip("drums-four-steps", "playing")
    stage.clip("drums-high-gear").click()
    stage.wait_for_clip("drums-four-steps", "stopping")
    read = stage.page.evaluate(LUMINANCE, ".clip .name, .clip .facts span, .clip .count")
    assert len(read) > 30
    assert [entry for entry in read if entry[1] < 4.5] == []


@pytest.mark.parametrize("width", [360, 390, 768, 1024, 1920])
def test_every_view_fits_its_width(program, open_page, width):
    stage = open_page(program, width=width)
    for view in VIEWS:
        stage.show(view)
        assert stage.page.evaluate("document.documentElement.scrollWidth") <= width, view
        box = stage.page.evaluate("(() => { const box = document.querySelector('.transport'); return [box.scrollWidth, box.clientWidth] })()")
        assert box[0] <= box[1], view


SMALL = """() => [...document.querySelectorAll("button, input, select, a, [role=slider]")]
  .filter((element) => element.checkVisibility() && !element.closest(".skip, .switch"))
  .map((element) => [element.getAttribute("aria-label") ?? element.textContent, element.getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && (box.width < 43.5 || box.height < 43.5))
  .map(([name, box]) => `${name}: ${Math.round(box.width)} x ${Math.round(box.height)}`)"""


@pytest.mark.parametrize("width", [390, 1024])
def test_fingers_find_every_control(program, open_page, width):
    stage = open_page(program, width=width, touch=True)
    for view in VIEWS:
        stage.show(view)
        assert stage.page.evaluate(SMALL) == [], view


INSIDE = """(selector) => {
  const view = document.querySelector(".view").getBoundingClientRect()
  return [...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect())
    .filter((box) => box.top >= view.top && box.bottom <= view.bottom && box.left >= view.left && box.right <= view.right).length
}"""

CUT = """(selector) => [...document.querySelectorAll(selector)]
  .filter((element) => element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1)
  .map((element) => element.textContent)"""


def font_sizes(stage, selector):
    return stage.page.evaluate("(selector) => [...document.querySelectorAll(selector)].map((e) => parseFloat(getComputedStyle(e).fontSize))", selector)


@pytest.mark.parametrize(("width", "height"), [(667, 375), (740, 360), (844, 390)])
def test_the_transport_fits_a_phone_on_its_side_whatever_it_shows(home, demo, open_page, tmp_path, width, height):
    program = Program(home, copy_session(demo.parent, tmp_path / "loud"))
    try:
        stage = open_page(program, width=width, height=height, touch=True)
        program.act({"do": "tempo", "bpm": 187.14}, {"do": "timeSignature", "value": "12/8"}, {"do": "gain", "db": 6})
        program.act(*[{"do": "gain", "track": track, "db": 6} for track in ["drums", "bass", "chords", "lead"]], {"do": "launchScene", "scene": 2})
        stage.page.locator(".over.lit").wait_for()
        assert stage.page.evaluate("document.documentElement.scrollWidth") <= width
        assert stage.page.evaluate("(() => { const box = document.querySelector('.over').getBoundingClientRect(); return box.right })()") <= width
        tempo = stage.page.locator(".tempo .number")
        assert tempo.evaluate("element => element.scrollWidth <= element.clientWidth")
    finally:
        program.stop()


def test_a_phone_on_its_side_shows_the_clips(program, open_page):
    stage = open_page(program, width=844, height=390, touch=True)
    assert stage.page.evaluate(INSIDE, ".clip") == 15, "the whole set is seen without scrolling"
    assert stage.page.evaluate("document.querySelector('.transport').getBoundingClientRect().height") <= 60
    assert stage.page.evaluate(CUT, ".clip .name, .scene .name, .head .name") == []
    for view in VIEWS:
        stage.show(view)
        assert stage.page.evaluate("document.documentElement.scrollWidth") <= 844, view
        assert stage.page.evaluate(SMALL) == [], view


# Which of the elements are not what is pressed in the middle of them when they are scrolled to.
COVERED = """(selector) => [...document.querySelectorAll(selector)].filter((element) => {
  if (!element.checkVisibility()) return false
  element.scrollIntoView({ block: "center", inline: "center" })
  const box = element.getBoundingClientRect()
  const found = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
  return !found || !(element.contains(found) || found.contains(element))
}).map((element) => element.getAttribute("aria-label") ?? element.textContent)"""


@pytest.mark.parametrize(("width", "height", "touch"), [(390, 664, True), (844, 390, True), (1366, 650, False), (1280, 600, False)])
def test_strips_of_the_mixer_have_names_and_all_controls_at_any_height(program, open_page, width, height, touch):
    stage = open_page(program, width=width, height=height, touch=touch)
    stage.show("mixer")
    heights = stage.page.evaluate("[...document.querySelectorAll('.strip-name')].map((name) => name.offsetHeight)")
    assert min(heights) >= 16
    assert stage.page.evaluate(COVERED, ".strip:first-child :is(.strip-name, button, select, input)") == []
    assert stage.page.evaluate(COVERED, ".strip.master :is(.strip-name, button, select, input)") == []


@pytest.mark.parametrize(("width", "height"), [(1366, 650), (1280, 600), (1280, 720)])
def test_clips_are_seen_and_pressed_while_the_editor_is_open_on_a_laptop(program, open_page, width, height):
    stage = open_page(program, width=width, height=height)
    stage.edit("drums-four-steps")
    assert stage.page.evaluate("document.querySelector('#editor').getBoundingClientRect().height") >= 180
    clip = stage.clip("bass-rubber-root")
    clip.scroll_into_view_if_needed()
    seen = clip.evaluate("""(element) => {
      const box = element.getBoundingClientRect()
      const at = (share) => document.elementFromPoint(box.x + box.width / 2, box.y + box.height * share)
      return [0.2, 0.5, 0.8].filter((share) => element.contains(at(share))).length
    }""")
    assert seen == 3


@pytest.mark.parametrize(("width", "touch"), [(390, True), (844, True), (1280, False)])
def test_twelve_tracks_scroll_and_can_be_read(home, demo, open_page, width, touch):
    names = ["Drums", "Percussion", "Bass", "Keys left", "Guitar", "Lead vocals", "Backing vocals", "Strings", "Brass", "FX", "Click", "Room"]
    path = write_wall(demo.parent, 12)
    session = json.loads(path.read_text())
    for track, name in zip(session["tracks"], names, strict=True):
        track["name"] = name
    path.write_text(json.dumps(session))
    program = Program(home, path)
    try:
        stage = open_page(program, width=width, height=390 if width == 844 else 900, touch=touch)
        assert stage.page.evaluate("(() => { const view = document.querySelector('.view'); return view.scrollWidth > view.clientWidth })()")
        assert stage.page.evaluate(CUT, ".head .name, .clip .name") == []
        assert min(font_sizes(stage, ".head .name, .clip .name")) >= 12
        stage.clip("clip-11").scroll_into_view_if_needed()
        box = stage.button("Launch scene All").bounding_box()
        assert box["x"] >= 0 and stage.button("Launch scene All").is_visible(), "a row keeps its head"
    finally:
        program.stop()


@pytest.mark.parametrize(("width", "height", "size"), [(1920, 1080, 20), (2560, 1440, 26)])
def test_a_wall_is_read_from_afar(program, open_page, width, height, size):
    stage = open_page(program, width=width, height=height)
    assert min(font_sizes(stage, ".clip .name")) >= size
    assert min(font_sizes(stage, ".clip .facts, .head .name, .scene .name")) >= size / 1.5
    rows = stage.page.evaluate("[...document.querySelectorAll('.clip')].map((e) => e.getBoundingClientRect().height)")
    assert min(rows) > height / 9, "the rows fill the height"


def test_faders_beside_the_clips_where_they_are_wanted(program, stage):
    fader = stage.page.get_by_role("slider", name="Drums: gain")
    assert not fader.is_visible()
    stage.button("Faders").click()
    fader.press("ArrowDown")
    program.wait_for(lambda: program.session()["session"]["tracks"][0]["gain"] == -0.5, "the gain")
    stage.page.reload()
    stage.wait_until_ready()
    assert fader.is_visible(), "it is remembered"
    program.act({"do": "gain", "track": "drums", "db": 0})


def test_motion_is_reduced_where_that_is_asked_for(program, open_page):
    stage = open_page(program, motion="reduce")
    stage.clip("drums-four-steps").click()
    stage.wait_for_clip("drums-four-steps", "queued")
    assert stage.clip("drums-four-steps").evaluate("element => getComputedStyle(element).animationDuration") in ("0.001s", "1ms")


def test_nothing_comes_from_elsewhere_and_nothing_is_inline(program, stage):
    headers, body = program.get("/")
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert b"style=" not in body and b"<style" not in body and b"onclick" not in body
    for view in VIEWS:
        stage.show(view)
    assert all(address.startswith(program.url) for address in stage.requests)


FRAMES = """(seconds) => new Promise((resolve) => {
  const times = []
  const start = performance.now()
  const step = (now) => {
    times.push(now)
    if (now - start < seconds * 1000) requestAnimationFrame(step)
    else resolve(times)
  }
  requestAnimationFrame(step)
})"""


def test_sixty_four_clips_play_smoothly(home, demo, open_page, tell):
    program = Program(home, write_wall(demo.parent))
    try:
        stage = open_page(program, width=1920, height=1080)
        stage.button("Launch scene All").click()
        stage.wait_for_clip("clip-63", "playing")
        before, began = program.server_seconds(), time.monotonic()
        times = stage.page.evaluate(FRAMES, 4)
        share = (program.server_seconds() - before) / (time.monotonic() - began)
        steps = sorted(after - before for before, after in pairwise(times))
        tell(f"64 clips: {len(steps) / 4:.0f} frames a second, frame time median {steps[len(steps) // 2]:.1f} ms,"
             f" 95 % {steps[len(steps) * 95 // 100]:.1f} ms, longest {steps[-1]:.1f} ms;"
             f" the server's threads {100 * share:.1f} % of a core")
        assert len(steps) > 20
    finally:
        program.stop()


# The server's clock and the frames on which clips start, beside when the page was pressed by its own clock.
PRESSES = """() => {
  const socket = new WebSocket(location.origin.replace("http", "ws") + "/api/socket")
  socket.binaryType = "arraybuffer"
  const seen = { presses: [], starts: [], way: Infinity, offset: 0, frame: 0, time: 0, rate: 0 }
  window.presses = seen
  const ping = () => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify({ ping: performance.now() / 1000 }))
  setInterval(ping, 50)
  socket.addEventListener("message", ({ data }) => {
    if (data instanceof ArrayBuffer) {
      const view = new DataView(data)
      const [frame, time, block] = [view.getFloat64(8, true), view.getFloat64(16, true), view.getFloat32(56, true)]
      Object.assign(seen, { frame, time, block, rate: view.getFloat32(60, true) })
      return
    }
    const message = JSON.parse(data)
    if (message.type === "pong") {
      const now = performance.now() / 1000
      const way = now - message.ping
      if (way < seen.way) Object.assign(seen, { way, offset: message.time - (now + message.ping) / 2 })
    }
    if (message.type === "events")
      for (const { event, frame } of message.events)
        if (event === "clipStarted") seen.starts.push(seen.time + (frame - seen.frame) / seen.rate + seen.block)
  })
  addEventListener("pointerdown", (event) => seen.presses.push(event.timeStamp / 1000), { capture: true })
}"""

# Milliseconds from each press to the block with which the engine took the command: it is rendered a block after its first
# frame was the next, and with the clock a block is what the output tells as its latency.
DELAYS = """() => {
  const { presses, starts, offset } = window.presses
  return starts.map((start, index) => (start - presses[index] - offset) * 1000)
}"""


def test_a_press_is_a_command_within_a_moment(home, demo, open_page, tell, tmp_path):
    program = Program(home, copy_session(demo.parent, tmp_path / "set"))
    try:
        program.act({"do": "editSession", "set": {"launchQuantization": "none", "firstLaunch": "immediate"}})
        stage = open_page(program)
        stage.page.evaluate(PRESSES)
        stage.page.wait_for_function("() => window.presses.rate > 0 && window.presses.way < Infinity")
        clip = stage.clip("drums-four-steps")
        for count in range(1, 41):
            clip.click()
            stage.page.wait_for_function("(count) => window.presses.starts.length >= count", arg=count)
        times = sorted(stage.page.evaluate(DELAYS))
        tell(f"from a press to the block that takes its command: median {times[20]:.1f} ms, 95 % {times[38]:.1f} ms")
        assert len(times) == 40
    finally:
        program.stop()
