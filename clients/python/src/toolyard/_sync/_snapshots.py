# Made of _async/_snapshots.py by making/make_sync.py; do not edit.
"""Snapshots: names of moments, which do not expire."""

from __future__ import annotations

from typing import Any, Dict, Optional, Union, cast
from urllib.parse import quote

from .. import types
from ._pages import Pages
from ._transport import Transport, Request


class Snapshots:
    """Snapshots of one session. Wherever a moment is taken, so is a snapshot's name."""

    def __init__(self, transport: Transport, session_path: str) -> None:
        self._transport = transport
        self._path = f"{session_path}/snapshots"

    def create(
        self, name: str, *, commit: Optional[Union[int, str]] = None, replace: bool = False
    ) -> types.Snapshot:
        """Names the files as they are now, or were at a moment. `replace` takes the name away from another commit."""
        body: Dict[str, Any] = {} if commit is None else {"commit": commit}
        if replace:
            body["replace"] = True
        answer = self._transport.request(Request("PUT", self._of(name), json=body))
        return cast(types.Snapshot, answer.json())

    def get(self, name: str) -> types.Snapshot:
        return cast(types.Snapshot, (self._transport.request(Request("GET", self._of(name)))).json())

    def delete(self, name: str) -> None:
        """Takes the name away; the files stay as they are."""
        self._transport.request(Request("DELETE", self._of(name)))

    def list(self) -> Pages[types.Snapshot]:
        """All snapshots, by name."""
        return Pages(self._transport, self._path, {})

    def _of(self, name: str) -> str:
        return f"{self._path}/{quote(name, safe='')}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._path!r})"
