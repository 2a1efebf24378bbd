"""Server-sent events. Source: https://html.spec.whatwg.org/multipage/server-sent-events.html"""

from __future__ import annotations

import codecs
import json
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, cast

from ._errors import ToolyardError

MAX_EVENT_CHARS = 64 * 1024 * 1024
"""Characters of one event: twice what an answer may have."""

_FIELDS = frozenset(("event", "data", "id", "retry"))


@dataclass(frozen=True)
class ServerEvent:
    """One event: its name, its data as JSON, and the last id that was sent."""

    name: str
    data: Dict[str, Any]
    id: Optional[str]


class EventDecoder:
    """Makes events of bytes as they come. Lines end with LF, CR or both, and with nothing else that Unicode has."""

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode
        self._line = ""
        self._after_cr = False
        self._name = ""
        self._data: List[str] = []
        self._chars = 0
        self.last_id: Optional[str] = None
        """Id to go on behind."""
        self.is_alive = False
        """Whether a comment or a field has come: something that a page of a proxy does not have."""

    def feed(self, piece: bytes) -> List[ServerEvent]:
        """Events that are whole with this piece."""
        text = self._decode(piece)
        if self._after_cr and text:
            text = text[1:] if text[0] == "\n" else text
            self._after_cr = False
        self._after_cr = self._after_cr or text.endswith("\r")
        *lines, rest = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        events: List[ServerEvent] = []
        for line in lines:
            event = self._take(self._line + line)
            self._line = ""
            if event is not None:
                events.append(event)
        self._line += rest
        if len(self._line) + self._chars > MAX_EVENT_CHARS:
            raise ToolyardError(f"an event of the server has more than {MAX_EVENT_CHARS} characters")
        return events

    def _take(self, line: str) -> Optional[ServerEvent]:
        if line == "":
            return self._dispatch()
        field, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        self.is_alive = self.is_alive or field in _FIELDS or line.startswith(":")
        if field == "event":
            self._name = value
        elif field == "data":
            self._data.append(value)
            self._chars += len(value)
        elif field == "id" and "\0" not in value:
            self.last_id = value
        return None

    def _dispatch(self) -> Optional[ServerEvent]:
        name, data = self._name or "message", "\n".join(self._data)
        self._name, self._data, self._chars = "", [], 0
        if data == "":
            return None
        parsed = json.loads(data)
        fields = cast(Dict[str, Any], parsed) if isinstance(parsed, dict) else {"value": parsed}
        return ServerEvent(name, fields, self.last_id)
