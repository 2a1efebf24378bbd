"""Values by E2B's names, and what they are made of."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from posixpath import basename, normpath
from typing import Any, Dict, Iterator, List, Optional

from ... import _results as own  # pyright: ignore[reportPrivateUsage]: it is of this package
from ... import types
from ._errors import InvalidArgumentException

HOME = "/home/user"
ROOT = "/home/user/workspace"
"""Where the session's root is in its sandbox."""


@dataclass
class CommandResult:
    stderr: str
    stdout: str
    exit_code: int
    error: Optional[str] = None


class FileType(Enum):
    FILE = "file"
    DIR = "dir"
    SYMLINK = "symlink"


@dataclass
class WriteInfo:
    name: str
    type: Optional[FileType]
    path: str
    """Where programs in the sandbox find it."""


@dataclass
class EntryInfo(WriteInfo):
    size: int
    modified_time: datetime


@dataclass
class OutputMessage:
    line: str
    timestamp: int
    """Nanoseconds since 1970."""
    error: bool = False

    def __str__(self) -> str:
        return self.line


@dataclass
class ExecutionError:
    name: str
    value: str
    traceback: str


@dataclass
class Logs:
    stdout: List[str] = field(default_factory=lambda: [])
    stderr: List[str] = field(default_factory=lambda: [])


@dataclass
class Result:
    """A result or something displayed, in its forms. Pictures but SVG are base64."""

    text: Optional[str] = None
    html: Optional[str] = None
    markdown: Optional[str] = None
    svg: Optional[str] = None
    png: Optional[str] = None
    jpeg: Optional[str] = None
    latex: Optional[str] = None
    json: Optional[Any] = None
    is_main_result: bool = False

    def formats(self) -> List[str]:
        names = ("text", "html", "markdown", "svg", "png", "jpeg", "latex", "json")
        return [name for name in names if getattr(self, name)]

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def _repr_png_(self) -> Optional[str]:
        return self.png

    def _repr_html_(self) -> Optional[str]:
        return self.html


@dataclass
class Execution:
    results: List[Result] = field(default_factory=lambda: [])
    logs: Logs = field(default_factory=Logs)
    error: Optional[ExecutionError] = None
    execution_count: Optional[int] = None

    @property
    def text(self) -> Optional[str]:
        """Text of the last expression's value."""
        return next((result.text for result in self.results if result.is_main_result), None)


def message(text: str, error: bool = False) -> OutputMessage:
    return OutputMessage(text, time.time_ns(), error)


def in_session(path: str) -> str:
    """Path in the session of one as programs for E2B have it. Raises InvalidArgumentException for one outside of it."""
    whole = normpath(path if path.startswith("/") else f"{ROOT}/{path}")
    for root in (ROOT, HOME):
        if whole == root or whole.startswith(f"{root}/"):
            return whole[len(root) :].strip("/")
    raise InvalidArgumentException(f"{path} is not below {HOME}: other files are for commands alone")


def in_sandbox(path: str) -> str:
    return f"{ROOT}/{path}".rstrip("/")


def entry_info(entry: types.FileEntry) -> EntryInfo:
    kind = {"file": FileType.FILE, "directory": FileType.DIR, "link": FileType.SYMLINK}[entry["type"]]
    changed = datetime.fromisoformat(entry["modified_at"].replace("Z", "+00:00"))
    return EntryInfo(basename(entry["path"]), kind, in_sandbox(entry["path"]), entry["size"] or 0, changed)


def lines_of(text: str) -> Iterator[str]:
    return iter(text.splitlines(keepends=True))


def execution(cell: own.Cell) -> Execution:
    raised = cell.error
    error = None if raised is None else ExecutionError(raised.name, raised.value, raised.traceback)
    results = [result_of(output) for output in cell.outputs]
    return Execution(results, Logs(list(lines_of(cell.stdout)), list(lines_of(cell.stderr))), error)


def result_of(output: own.CellOutput) -> Result:
    data: Dict[str, Any] = output.data

    def text(kind: str) -> Optional[str]:
        value = data.get(kind)
        return None if value is None else "".join(value)

    return Result(
        text=text("text/plain"),
        html=text("text/html"),
        markdown=text("text/markdown"),
        svg=text("image/svg+xml"),
        png=text("image/png"),
        jpeg=text("image/jpeg"),
        latex=text("text/latex"),
        json=data.get("application/json"),
        is_main_result=output.is_result,
    )
