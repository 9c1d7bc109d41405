"""Draws the picture of the page for the documentation: picture.py OUTPUT.png"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright
from program import Program, write_demo
from stage import Stage

with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
    program = Program(home, write_demo(Path(home) / "set"))
    try:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium-headless-shell", args=["--no-sandbox"])
        stage = Stage(browser, program, width=1280, height=760)
        stage.button("Launch scene Groove").click()
        stage.wait_for_clip("lead-amber-pluck", "playing")
        stage.rest(6.2)
        stage.clip("drums-high-gear").click()
        stage.wait_for_clip("drums-high-gear", "queued")
        stage.page.mouse.move(640, 740)
        stage.rest(0.2)
        stage.page.screenshot(path=sys.argv[1])
        browser.close()
    finally:
        program.stop()
