"""What calls give: of commands, of Python code, and of any tool."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Union, cast

from . import _display, types
from ._errors import CodeFailed, CommandFailed

_FORMATS = {"image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp", "image/svg+xml": "svg"}


@dataclass(frozen=True, repr=False)
class Image:
    """A picture. Notebooks show it."""

    data: bytes
    mime_type: str

    @property
    def format(self) -> str:
        """Ending of a file with it, such as `png`."""
        return _FORMATS.get(self.mime_type, "bin")

    def save(self, path: str) -> None:
        """Writes it to a file of this machine."""
        with open(path, "wb") as file:
            file.write(self.data)

    def __repr__(self) -> str:
        return f"Image({self.mime_type}, {len(self.data)} bytes)"

    def _repr_png_(self) -> Optional[bytes]:
        return self.data if self.mime_type == "image/png" else None

    def _repr_jpeg_(self) -> Optional[bytes]:
        return self.data if self.mime_type == "image/jpeg" else None

    def _repr_html_(self) -> Optional[str]:
        # An SVG as a picture runs no script; its text in the page would.
        if self.mime_type in ("image/png", "image/jpeg") or self.mime_type not in _FORMATS:
            return None
        return _embedded(self)


class ToolResult:
    """What a tool answered: a text for a model, named fields for a program, and pictures."""

    def __init__(self, answer: types.CallAnswer) -> None:
        self.raw = answer
        """The whole answer of the API."""

    @property
    def call_id(self) -> Optional[str]:
        return self.raw["call_id"]

    @property
    def tool(self) -> str:
        return self.raw["tool"]

    @property
    def state(self) -> str:
        """`done`, or `pending` where its work goes on or waits for a person."""
        return self.raw["state"]

    @property
    def text(self) -> str:
        return self.raw.get("text", "")

    @property
    def data(self) -> Dict[str, Any]:
        return self.raw.get("data", {})

    @property
    def files(self) -> List[types.CallFile]:
        """Files that the call made or changed."""
        return self.raw.get("files", [])

    @property
    def receipt(self) -> Optional[types.Receipt]:
        """Where the call ran and what it took."""
        return self.raw.get("receipt")

    @property
    def images(self) -> List[Image]:
        items = self.raw.get("content", [])
        return [image for item in items if (image := _image(item["data"], item["mimeType"]))]

    @property
    def notes(self) -> List[str]:
        """What the server says besides, such as that the sandbox is a new one."""
        return [str(note) for note in self.data.get("notes", [])]

    def __getitem__(self, field: str) -> Any:
        return self.data[field]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"{type(self).__name__}(tool={self.tool!r}, state={self.state!r}, text={_short(self.text)!r})"

    def _repr_html_(self) -> str:
        shown = "".join(_embedded(image) for image in self.images)
        return _display.preformatted(self.text) + shown


class CommandResult(ToolResult):
    """How a command ended."""

    @property
    def exit_code(self) -> int:
        return int(self.data.get("exit_code", -1))

    @property
    def stdout(self) -> str:
        """What it printed. A long output is cut in its middle: see `full_output`."""
        return str(self.data.get("stdout", ""))

    @property
    def stderr(self) -> str:
        return str(self.data.get("stderr", ""))

    @property
    def full_output(self) -> Dict[str, str]:
        """Paths of files with all of `stdout` and `stderr`, where they are cut and not secret."""
        return cast(Dict[str, str], self.data.get("full_output", {}))

    @property
    def ok(self) -> bool:
        return self.exit_code == 0

    def check(self) -> CommandResult:
        """Itself. Raises CommandFailed unless the exit code is 0."""
        if not self.ok:
            raise CommandFailed(self)
        return self

    def __repr__(self) -> str:
        parts = [f"exit_code={self.exit_code}", f"stdout={_short(self.stdout)!r}"]
        return f"CommandResult({', '.join(parts + ([f'stderr={_short(self.stderr)!r}'] if self.stderr else []))})"

    def _repr_html_(self) -> str:
        parts = [_display.preformatted(self.stdout)] if self.stdout else []
        parts += [_display.preformatted(self.stderr, "#82071e")] if self.stderr else []
        return "".join(parts) + ("" if self.ok else f"<p>exit code {self.exit_code}</p>")


@dataclass(frozen=True)
class CodeError:
    """What Python code raised."""

    name: str
    traceback: str

    @property
    def value(self) -> str:
        """Last line of the traceback, without the name."""
        last = self.traceback.strip().rsplit("\n", 1)[-1]
        return last[len(self.name) + 2 :] if last.startswith(f"{self.name}: ") else last


@dataclass(frozen=True, repr=False)
class CellOutput:
    """Something that a cell displayed, or its result, in all forms that it has."""

    is_result: bool
    """Whether it is the value of the last expression."""
    data: Dict[str, Any]
    """By media type, as in a notebook."""

    @property
    def text(self) -> Optional[str]:
        return self._joined("text/plain")

    @property
    def html(self) -> Optional[str]:
        return self._joined("text/html")

    @property
    def image(self) -> Optional[Image]:
        for kind in _FORMATS:
            value = self._joined(kind)
            if value is not None:
                return Image(value.encode(), kind) if kind == "image/svg+xml" else _image(value, kind)
        return None

    def _joined(self, kind: str) -> Optional[str]:
        value = self.data.get(kind)
        if value is None:
            return None
        return "".join(map(str, cast(List[object], value))) if isinstance(value, list) else str(value)

    def _repr_mimebundle_(self, **_: Any) -> Dict[str, Any]:
        return self.data

    def __repr__(self) -> str:
        return f"CellOutput({', '.join(self.data)})"


class Cell(ToolResult):
    """What Python code printed, displayed, gave and raised."""

    def _stream(self, name: str) -> str:
        found = [one for one in self._outputs() if one.get("output_type") == "stream" and one.get("name") == name]
        return "".join(str(one.get("text", "")) for one in found)

    def _outputs(self) -> List[Dict[str, Any]]:
        return cast(List[Dict[str, Any]], self.data.get("outputs", []))

    @property
    def stdout(self) -> str:
        return self._stream("stdout")

    @property
    def stderr(self) -> str:
        return self._stream("stderr")

    @property
    def outputs(self) -> List[CellOutput]:
        """What it displayed, and its result as the last."""
        kinds = ("display_data", "execute_result")
        found = [one for one in self._outputs() if one.get("output_type") in kinds]
        return [CellOutput(one["output_type"] == "execute_result", one["data"]) for one in found]

    @property
    def result(self) -> Optional[str]:
        """Text of the last expression's value; None where it has none."""
        results = [output for output in self.outputs if output.is_result]
        return results[-1].text if results else None

    @property
    def images(self) -> List[Image]:
        return [output.image for output in self.outputs if output.image is not None]

    @property
    def error(self) -> Optional[CodeError]:
        error = self.data.get("error")
        return CodeError(str(error["name"]), str(error["traceback"])) if error else None

    @property
    def ok(self) -> bool:
        return self.error is None

    def check(self) -> Cell:
        """Itself. Raises CodeFailed if the code raised."""
        if not self.ok:
            raise CodeFailed(self)
        return self

    def __repr__(self) -> str:
        parts = [f"result={_short(self.result)!r}"] if self.result is not None else []
        parts += [f"stdout={_short(self.stdout)!r}"] if self.stdout else []
        parts += [f"images={len(self.images)}"] if self.images else []
        parts += [f"error={self.error.name!r}"] if self.error else []
        return f"Cell({', '.join(parts)})"

    def _repr_html_(self) -> str:
        parts = [_display.preformatted(self.stdout)] if self.stdout else []
        parts += [_display.preformatted(self.stderr, "#82071e")] if self.stderr else []
        for output in self.outputs:
            image = output.image
            if image is not None:
                parts.append(_embedded(image))
            elif output.html is not None:
                # HTML of a sandbox stays apart from the notebook's page and its scripts.
                parts.append(_display.framed(output.html))
            elif output.text is not None:
                parts.append(_display.preformatted(output.text))
        parts += [_display.preformatted(self.error.traceback, "#82071e")] if self.error else []
        return "".join(parts)


def _embedded(image: Image) -> str:
    """A picture in a page. What is no known picture is not named as one."""
    if image.mime_type not in _FORMATS:
        return ""
    return f'<img src="data:{image.mime_type};base64,{base64.b64encode(image.data).decode()}">'


def _image(data: str, kind: str) -> Optional[Image]:
    """Picture of base64; None for what stands in the place of one that was too large."""
    try:
        return Image(base64.b64decode(data.replace("\n", ""), validate=True), kind)
    except (binascii.Error, ValueError):
        return None


def _short(text: Union[str, None], limit: int = 80) -> str:
    text = text or ""
    return text if len(text) <= limit else text[: limit - 1] + "…"

