"""Files that are brought in: each is seen in one colour."""

from program import Program, write_tones


def write_loops(folder, names):
    """Loops of different content; returns their paths in the order of `names`."""
    write_tones(folder, {name: (200 + 10 * index, 48000 + 100 * index) for index, name in enumerate(names)})
    return [folder / f"{name}.wav" for name in names]


def shown(stage, selector):
    """The colour in which an element is drawn."""
    return stage.page.locator(selector).first.evaluate("element => getComputedStyle(element).getPropertyValue('--clip').trim()")


def test_an_old_set_keeps_its_colours(home, tmp_path, open_page):
    write_loops(tmp_path, ["a", "b"])
    session = tmp_path / "old.barline"
    session.write_text("""{"barline": 1, "tracks": [
        {"id": "t", "clips": [{"id": "x", "file": "a.wav", "color": "#123456"}, {"id": "y", "file": "b.wav"}]},
        {"id": "u", "clips": [{"id": "z", "file": "b.wav"}]}]}""")
    program = Program(home, session)
    stage = open_page(program)
    assert [shown(stage, f"[data-clip='{name}']") for name in "xyz"] == ["#123456", "#123456", "#e0b040"]
    stage.show("mixer")
    assert [shown(stage, f".strip[aria-label='{name}']") for name in "tu"] == ["#123456", "#e0b040"]
    program.stop()
