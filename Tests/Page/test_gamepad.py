"""A gamepad plays the grid."""

import pytest

# A pad whose buttons a test presses: no browser has one without a hand on it.
PAD = """
const pad = { index: 0, connected: true, axes: [0, 0], buttons: Array.from({ length: 17 }, () => ({ pressed: false })) }
navigator.getGamepads = () => [pad, null, null, null]
window.holdPad = (index, isDown) => { pad.buttons[index].pressed = isDown }
window.leanPad = (x, y) => { pad.axes = [x, y] }
"""

LAUNCH, STOP, STOP_ALL, SCENE, START, UP, DOWN, LEFT, RIGHT = 0, 1, 4, 5, 9, 12, 13, 14, 15
FRAMES = "() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))"
# In one step: what is held while the machine is busy is repeated.
PRESS = """async (button) => {
  for (const isDown of [true, false]) {
    holdPad(button, isDown)
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  }
}"""


@pytest.fixture
def program(resting):
    return resting


@pytest.fixture
def stage(program, open_page):
    stage = open_page(program)
    stage.page.evaluate(PAD + "window.dispatchEvent(new Event('gamepadconnected'))")
    return stage


def press(stage, *buttons):
    for button in buttons:
        stage.page.evaluate(PRESS, button)


def focused(stage):
    return stage.page.evaluate("document.activeElement.dataset.clip ?? document.activeElement.dataset.key")


def test_a_pad_moves_launches_and_stops(stage):
    press(stage, RIGHT)
    assert focused(stage) == "scene-0"
    press(stage, DOWN, RIGHT)
    assert focused(stage) == "drums-four-steps"
    press(stage, LAUNCH)
    stage.wait_for_clip("drums-four-steps", "playing")
    press(stage, STOP)
    stage.wait_for_clip("drums-four-steps", "stopped")
    press(stage, SCENE)
    stage.wait_for_clip("lead-amber-pluck", "playing")
    press(stage, STOP_ALL)
    stage.wait_for_clip("lead-amber-pluck", "stopped")
    press(stage, START)
    stage.page.locator("[data-key='roll'][aria-pressed='false']").wait_for()


def test_a_stick_moves_once_until_it_is_held_for_long(stage):
    press(stage, DOWN)
    stage.page.evaluate("leanPad(0, 0.9)")
    stage.page.evaluate(FRAMES)
    stage.page.evaluate("leanPad(0, 0)")
    stage.page.evaluate(FRAMES)
    assert focused(stage) == "scene-1"
    stage.page.evaluate("leanPad(0, 0.9)")
    stage.page.wait_for_function("() => document.activeElement.dataset.key === 'stop-all'")


def test_a_gate_clip_plays_while_the_button_is_held(stage, program):
    program.act({"do": "editClip", "clip": "drums-four-steps", "set": {"launchMode": "gate", "quantization": "none"}})
    press(stage, DOWN, DOWN, RIGHT)
    stage.page.evaluate("holdPad(0, true)")
    stage.wait_for_clip("drums-four-steps", "playing")
    stage.page.evaluate("holdPad(0, false)")
    stage.wait_for_clip("drums-four-steps", "stopped")
    program.act({"do": "undo"})


def test_a_gate_clip_ends_with_the_pad_that_has_launched_it(stage, program):
    program.act({"do": "editClip", "clip": "drums-four-steps", "set": {"launchMode": "gate", "quantization": "none"}})
    press(stage, DOWN, DOWN, RIGHT)
    stage.page.evaluate("holdPad(0, true)")
    stage.wait_for_clip("drums-four-steps", "playing")
    stage.page.evaluate("""
        const gone = new Event("gamepaddisconnected")
        gone.gamepad = navigator.getGamepads()[0]
        navigator.getGamepads = () => []
        dispatchEvent(gone)""")
    stage.wait_for_clip("drums-four-steps", "stopped")
    program.act({"do": "undo"})
