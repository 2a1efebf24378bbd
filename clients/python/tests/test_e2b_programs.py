"""Programs as E2B's users write them: with another import, and nothing else, they do here what they say."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent / "e2b_programs"
IMPORT = re.compile(r"^from e2b_code_interpreter import", re.M)

PRINTED = {
    "analyst": """\
otters: 8
heard: True ['counting in summer', 'counted']
formats: ['png']
chart: PNG None
error: IndexError
IndexError - list index out of range - True
Logs(stdout: [], stderr: []) 0
['from summer\\n']
killed: True
""",
    "workshop": """\
10 0 ''
failed: 3 broken
timed out
background: stopped
[('main.py', True), ('notes.txt', True)]
read-me.txt 5 file False
True bytearray(b'bytes')
not found
True {'job': 'workshop-7'} running True
[True]
['main.py', 'read-me.txt']
running: False
""",
    "first_version": """\
['hello\\n']
21
[True]
hello True
""",
    "with_await": """\
42 begun
True True
False
""",
}


def test_every_program_is_run() -> None:
    assert sorted(PRINTED) == sorted(path.stem for path in PROGRAMS.glob("*.py"))


@pytest.mark.parametrize("name", sorted(PRINTED))
def test_a_program_changes_one_import(name: str, base_url: str) -> None:
    text, changed = IMPORT.subn("from toolyard.compat.e2b import", (PROGRAMS / f"{name}.py").read_text())
    assert changed == 1 and "e2b_code_interpreter" not in text
    source = str(Path(__file__).resolve().parents[1] / "src")
    environment = {**os.environ, "TOOLYARD_BASE_URL": base_url, "PYTHONPATH": source}
    ran = subprocess.run([sys.executable, "-c", text], env=environment, capture_output=True, text=True)
    assert ran.stderr == ""
    assert ran.stdout == PRINTED[name]
