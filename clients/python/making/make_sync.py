"""Makes the client without `await`, `_sync`, of the one with it, `_async`; so of the one for E2B's names.

Usage: python3 making/make_sync.py [--check]
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "toolyard"

# In their order, for each line.
CHANGES = (
    (r"\basync (def|for|with) ", r"\1 "),
    (r"\bawait ", ""),
    (r"\bAsync(Iterator|Generator)\b", r"\1"),
    (r"\b(Generator\[[\w.]+, None)\]", r"\1, None]"),
    (r"\b_?Opening\[(\w+)\]", r"\1"),
    (r"\bOpening\(([^\n]*)\)$", r"\1"),
    (r"\bAsync(\w)", r"\1"),
    (r"\basynccontextmanager\b", "contextmanager"),
    (r"\b__a(enter|exit|iter|next)__\b", r"__\1__"),
    (r"\bStopAsyncIteration\b", "StopIteration"),
    (r"\ba(read|close|iter_bytes)\(", r"\1("),
    (r"\btell_async\b", "tell"),
    (r"\banyio\.sleep\b", "time.sleep"),
    (r"\b_async\b", "_sync"),
)
# Lines that only the client with `await` has.
DROPPED = re.compile(r"^import anyio$|^from \._opening import|# async only$")


def without_await(text: str) -> str:
    """The same module without `await`."""
    lines = [line for line in text.split("\n") if not DROPPED.search(line)]
    for at, line in enumerate(lines):
        for pattern, replacement in CHANGES:
            line = re.sub(pattern, replacement, line)
        lines[at] = line
    made = "\n".join(lines)
    if "time.sleep" in made and not re.search(r"^import time$", made, re.M):
        made = re.sub(r"^(from __future__ import annotations\n\n)", r"\1import time\n", made, count=1, flags=re.M)
    return made


def modules() -> dict[Path, str]:
    """Text of each module that is made, by its path."""
    made: dict[Path, str] = {}
    sources = [path for path in sorted((PACKAGE / "_async").glob("*.py")) if path.name not in ("__init__.py", "_opening.py")]
    for path in [*sources, *PACKAGE.glob("compat/*/_async.py")]:
        if path.parent.name == "_async":
            target = PACKAGE / "_sync" / path.name
        else:
            target = path.with_name("_sync.py")
        source = path.relative_to(PACKAGE).as_posix()
        note = f"# Made of {source} by making/make_sync.py; do not edit.\n"
        made[target] = note + without_await(path.read_text())
    return made


if __name__ == "__main__":
    if "--check" in sys.argv:
        wrong = [str(path) for path, text in modules().items() if not path.exists() or path.read_text() != text]
        left = [str(path) for path in (PACKAGE / "_sync").glob("*.py") if path not in modules() and path.name != "__init__.py"]
        sys.exit(f"not what `python3 making/make_sync.py` makes: {', '.join(wrong + left)}" if wrong or left else 0)
    for path, text in modules().items():
        path.write_text(text)
