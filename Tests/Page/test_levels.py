"""Levels: the master meter, the light for what was over full scale, the limiter."""

import pytest


def play_too_loud(program):
    program.act({"do": "gain", "db": 12}, {"do": "launchScene", "scene": 1})


def light(stage):
    return stage.page.locator("[data-key='over']")


def wait_until_lit(stage, is_lit=True):
    stage.page.wait_for_function(
        "isLit => document.querySelector('[data-key=over]').classList.contains('lit') === isLit", arg=is_lit)


def test_the_over_light_stays_until_it_is_pressed_and_goes_out_on_every_page(program, open_page):
    stage, other = open_page(program), open_page(program)
    assert light(stage).get_attribute("aria-label") == "Over. Nothing was over full scale"
    play_too_loud(program)
    for page in (stage, other):
        wait_until_lit(page)
    stage.page.wait_for_function("() => /^−[0-9.]+ dB$/.test(document.querySelector('.output-level .reduction').textContent)")
    stage.page.wait_for_function("() => /samples over full scale, the highest .* held down/.test(document.querySelector('[data-key=over]').ariaLabel)")
    program.act({"do": "transport", "action": "stop"})
    stage.page.wait_for_function("() => document.querySelector('.output-level .reduction').textContent === ''")
    stage.rest(0.5)
    wait_until_lit(stage)
    light(stage).click()
    for page in (stage, other):
        wait_until_lit(page, False)
    assert light(other).get_attribute("aria-label") == "Over. Nothing was over full scale"


def test_the_limiter_is_turned_off_and_its_ceiling_set(program, open_page):
    stage = open_page(program, view="settings")
    box = stage.page.get_by_label("Limiter: hold peaks down on every output")
    assert box.is_checked()
    box.uncheck()
    program.wait_for(lambda: program.session()["session"]["master"]["limiter"] is False, "the limiter is off")
    gain = program.session()["session"]["master"]["gain"]
    field = stage.page.get_by_label("Ceiling, true peak in dB")
    assert field.input_value() == "-1"
    field.fill("-3.5")
    field.press("Enter")
    program.wait_for(lambda: program.session()["session"]["master"]["ceiling"] == -3.5, "the ceiling")
    assert program.session()["session"]["master"]["gain"] == gain
    play_too_loud(program)
    wait_until_lit(stage)
    assert "cut off: the limiter is off" in light(stage).get_attribute("aria-label")
    assert stage.page.locator(".output-level .reduction").inner_text() == ""
    stage.button("Undo", exact=True).click()
    program.wait_for(lambda: program.session()["session"]["master"]["gain"] == gain, "the fader is back")


@pytest.mark.parametrize("size", [(360, 740), (844, 390), (1024, 768), (1440, 900), (2560, 1300)])
def test_the_master_meter_is_there_at_every_width(resting, open_page, size):
    stage = open_page(resting, width=size[0], height=size[1])
    resting.act({"do": "launchScene", "scene": 1})
    canvas = stage.page.locator(".output-level canvas")
    box = canvas.bounding_box()
    assert canvas.is_visible() and box["width"] >= 60 and box["height"] >= 8
    assert box["x"] >= 0 and box["x"] + box["width"] <= size[0]
    assert light(stage).is_visible()
    # Something of it is in the colour of a level.
    stage.page.wait_for_function(
        """() => {
          const canvas = document.querySelector(".output-level canvas")
          const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true })
          copy.drawImage(canvas, 0, 0)
          const { data } = copy.getImageData(2, Math.floor(canvas.height / 4), 1, 1)
          return data[3] === 255 && data[1] > data[0] + 20 && data[1] > data[2] + 20
        }""")


@pytest.mark.parametrize(("width", "rows"), [(1280, 2), (1600, 2), (1920, 1), (2100, 1), (2560, 1)])
def test_the_transport_is_no_higher_than_it_must_be(resting, open_page, width, rows):
    stage = open_page(resting, width=width, height=1080)
    gain = resting.session()["session"]["master"]["gain"]
    play_too_loud(resting)
    stage.page.wait_for_function("() => /^−[0-9.]+ dB$/.test(document.querySelector('.output-level .reduction').textContent)")
    height, boxes = stage.page.evaluate(
        """() => {
          const transport = document.querySelector(".transport")
          const parts = [...transport.children].filter((part) => getComputedStyle(part).position !== "absolute")
          const boxes = parts.map((part) => part.getBoundingClientRect()).filter(({ height }) => height > 0)
          return [transport.clientHeight, boxes.map(({ top, bottom, right }) => [top, bottom, right])]
        }""")
    resting.act({"do": "gain", "db": gain}, {"do": "resetOvers"})
    # Parts of one row overlap: a row begins below all that came before it.
    found, end = 0, 0
    for top, bottom, _ in sorted(boxes):
        found, end = found + (top >= end), max(end, bottom)
    assert found == rows
    assert height <= rows * max(bottom - top for top, bottom, _ in boxes) + 30
    assert all(right <= width for _, _, right in boxes)
