"""The page about the client: its blocks are one program, and print what stands below them."""

import io
import os
import re
from contextlib import redirect_stdout
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[3] / "docs" / "clients" / "python.md"


def test_the_page_prints_what_it_says(base_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLYARD_BASE_URL", base_url)
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE.read_text(), re.M | re.S)
    names: dict = {"__name__": "page"}
    ran = 0
    for at, (language, text) in enumerate(blocks):
        if language != "python":
            continue
        printed = io.StringIO()
        with redirect_stdout(printed):
            exec(compile(text, str(PAGE), "exec"), names)
        assert printed.getvalue() == blocks[at + 1][1], text
        ran += 1
    assert ran >= 6 and os.environ["TOOLYARD_BASE_URL"] == base_url
