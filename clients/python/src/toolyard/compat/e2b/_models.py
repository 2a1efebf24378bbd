"""Values by E2B's names, and what they are made of."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass, field
from datetime import datetime
from enum import Enum
from posixpath import basename, normpath
from typing import Any, Dict, Iterator, List, Optional, Sequence, Union, cast

from ... import _display  # pyright: ignore[reportPrivateUsage]: it is of this package
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


class SandboxState(str, Enum):
    RUNNING = "running"
    PAUSED = "paused"


@dataclass
class SandboxInfo:
    """A sandbox as it is now. What a session has no word for, such as its processors, is not there."""

    sandbox_id: str
    template_id: str
    name: Optional[str]
    """Title of the session."""
    metadata: Dict[str, str]
    started_at: datetime
    end_at: Optional[datetime]
    """When it is deleted; None where it stays."""
    state: SandboxState


@dataclass
class SandboxQuery:
    """Sandboxes that have all of the `metadata`, and one of the states."""

    metadata: Optional[Dict[str, str]] = None
    state: Optional[Sequence[Union[SandboxState, str]]] = None


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

    def to_json(self) -> str:
        return json.dumps(asdict(self))


@dataclass(repr=False)
class Logs:
    stdout: List[str] = field(default_factory=lambda: [])
    stderr: List[str] = field(default_factory=lambda: [])

    def __repr__(self) -> str:
        return f"Logs(stdout: {self.stdout}, stderr: {self.stderr})"

    def to_json(self) -> str:
        return json.dumps(asdict(self))


@dataclass(repr=False)
class Result:
    """A result or something displayed, in its forms. Pictures but SVG are base64."""

    text: Optional[str] = None
    html: Optional[str] = None
    markdown: Optional[str] = None
    svg: Optional[str] = None
    png: Optional[str] = None
    jpeg: Optional[str] = None
    pdf: Optional[str] = None
    latex: Optional[str] = None
    json: Optional[Any] = None
    javascript: Optional[str] = None
    is_main_result: bool = False
    chart: None = None
    """Always None: no code here looks for the data of a chart. Its picture is there."""

    def formats(self) -> List[str]:
        return [name for name in _MEDIA_TYPES if getattr(self, name)]

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def __repr__(self) -> str:
        return f"Result({self.text})" if self.text else f"Result(Formats: {', '.join(self.formats())})"

    def _repr_png_(self) -> Optional[str]:
        return self.png

    def _repr_jpeg_(self) -> Optional[str]:
        return self.jpeg

    def _repr_html_(self) -> Optional[str]:
        # What comes from a sandbox stays apart from the notebook's page and its scripts.
        shown = self.html or self.svg
        return None if shown is None else _display.framed(shown)

    def _repr_latex_(self) -> Optional[str]:
        return self.latex


@dataclass(repr=False)
class Execution:
    results: List[Result] = field(default_factory=lambda: [])
    logs: Logs = field(default_factory=Logs)
    error: Optional[ExecutionError] = None
    execution_count: Optional[int] = None

    @property
    def text(self) -> Optional[str]:
        """Text of the last expression's value."""
        return next((result.text for result in self.results if result.is_main_result), None)

    def __repr__(self) -> str:
        return f"Execution(Results: {self.results}, Logs: {self.logs}, Error: {self.error})"

    def to_json(self) -> str:
        """All of it, of each result the forms that it has."""
        results = [{name: result[name] for name in result.formats()} for result in self.results]
        error = None if self.error is None else asdict(self.error)
        return json.dumps({"results": results, "logs": asdict(self.logs), "error": error})


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
    return EntryInfo(basename(entry["path"]), kind, in_sandbox(entry["path"]), entry["size"] or 0, time_of(entry["modified_at"]))


def lines_of(text: str) -> Iterator[str]:
    return iter(text.splitlines(keepends=True))


def execution(cell: own.Cell) -> Execution:
    raised = cell.error
    error = None if raised is None else ExecutionError(raised.name, raised.value, raised.traceback)
    results = [result_of(output) for output in cell.outputs]
    return Execution(results, Logs(list(lines_of(cell.stdout)), list(lines_of(cell.stderr))), error)


_MEDIA_TYPES = {
    "text": "text/plain",
    "html": "text/html",
    "markdown": "text/markdown",
    "svg": "image/svg+xml",
    "png": "image/png",
    "jpeg": "image/jpeg",
    "pdf": "application/pdf",
    "latex": "text/latex",
    "json": "application/json",
    "javascript": "application/javascript",
}
"""Media types of a notebook, by E2B's names."""


def result_of(output: own.CellOutput) -> Result:
    forms: Dict[str, Any] = {}
    for name, kind in _MEDIA_TYPES.items():
        value = output.data.get(kind)
        # A text of a notebook may come as lines.
        is_lines = isinstance(value, list) and name != "json"
        forms[name] = "".join(cast(List[str], value)) if is_lines else value
    return Result(**forms, is_main_result=output.is_result)


def sandbox_info(session: Union[types.Session, types.ListedSession]) -> SandboxInfo:
    ends = session["expires_at"]
    return SandboxInfo(
        session["name"],
        "base",
        session["title"] or None,
        session["labels"],
        time_of(session["created_at"]),
        None if ends is None else time_of(ends),
        SandboxState.PAUSED if session["state"] == "paused" else SandboxState.RUNNING,
    )


def time_of(text: str) -> datetime:
    """A moment as the API has it."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def only_user(user: Optional[str]) -> None:
    """Takes the user whom every sandbox has. Raises InvalidArgumentException for another one."""
    if user not in (None, "", "user"):
        raise InvalidArgumentException(f"there is no user {user}: commands and files are those of one user here, leave it out")
