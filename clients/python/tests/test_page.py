"""The page about the client, and the README: the blocks of each are one program, and print what stands below them."""

import io
import os
import re
from contextlib import redirect_stdout
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize(("page", "at_least"), [("docs/clients/python.md", 6), ("README.md", 1)])
def test_a_page_prints_what_it_says(page: str, at_least: int, base_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLYARD_BASE_URL", base_url)
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", (ROOT / page).read_text(), re.M | re.S)
    names: dict = {"__name__": "page"}
    ran = 0
    for at, (language, text) in enumerate(blocks):
        if language != "python":
            continue
        printed = io.StringIO()
        with redirect_stdout(printed):
            exec(compile(text, page, "exec"), names)
        assert printed.getvalue() == blocks[at + 1][1], text
        ran += 1
    assert ran >= at_least and os.environ["TOOLYARD_BASE_URL"] == base_url
