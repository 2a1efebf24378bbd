# Made of _async/_files.py by making/make_sync.py; do not edit.
"""Files of a session."""

from __future__ import annotations

import os
from typing import Any, Generator, BinaryIO, Dict, List, Literal, Mapping, Optional, Union, cast
from urllib.parse import quote

import httpx

from .. import types
from .._body import PIECE_BYTES, Body, Content
from .._callbacks import Told, tell
from .._errors import ConnectionFailed, NotFound
from .._progress import Progress
from .._results import Image
from .._sse import ServerEvent
from .._watch import WatchEvent
from ._events import SILENCE_SECONDS, Stream, server_events
from ._pages import Pages
from ._transport import Transport, Query, Request

Moment = Union[int, str]
"""Number of a commit, name of a snapshot, or `HEAD~2`."""


class Files:
    """Files of one session, by paths from its root. Commands start in `code_run`."""

    def __init__(self, transport: Transport, session_path: str) -> None:
        self._transport = transport
        self._session = session_path

    def _path(self, path: str) -> str:
        return f"{self._session}/files/{quote(path.strip('/'), safe='/')}"

    def read(self, path: str, *, as_of: Optional[Moment] = None, encoding: str = "utf-8") -> str:
        """A file as a text. Raises UnicodeDecodeError for one that is no such text."""
        return (self.read_bytes(path, as_of=as_of)).decode(encoding)

    def read_bytes(self, path: str, *, as_of: Optional[Moment] = None) -> bytes:
        """A file as it is, or as it was at a moment."""
        return (self._transport.request(Request("GET", self._path(path), {"as_of": as_of}))).content

    def image(self, path: str) -> Image:
        """A picture, which notebooks show."""
        kinds = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif"}
        kinds.update({".webp": "image/webp", ".svg": "image/svg+xml"})
        kind = kinds.get(os.path.splitext(path)[1].lower(), "application/octet-stream")
        return Image(self.read_bytes(path), kind)

    def write(
        self,
        path: str,
        content: Content,
        *,
        if_match: Optional[str] = None,
        create: bool = False,
        on_progress: Told[Progress] = None,
    ) -> types.WrittenFile:
        """Creates or replaces a file.

        `if_match` replaces only the content with this ETag, `create` replaces none: PreconditionFailed otherwise. A text is
        written as UTF-8. A file that cannot be rewound, such as a pipe, is sent once and may have 28 MiB.
        """
        headers: Dict[str, str] = {"Content-Type": "application/octet-stream"}
        if if_match is not None:
            headers["If-Match"] = if_match
        if create:
            headers["If-None-Match"] = "*"
        body = Body(content, on_progress)
        request = Request("PUT", self._path(path), body=body, headers=headers, timeout=300.0)
        return cast(types.WrittenFile, (self._transport.request(request)).json())

    def upload(
        self, source: str, path: Optional[str] = None, *, on_progress: Told[Progress] = None
    ) -> types.WrittenFile:
        """Writes a file of this machine, by default to `upload/` under its own name."""
        with open(source, "rb") as file:
            return self.write(path or f"upload/{os.path.basename(source)}", file, on_progress=on_progress)

    def download(
        self, path: str, target: str, *, as_of: Optional[Moment] = None, on_progress: Told[Progress] = None
    ) -> int:
        """Reads a file into one of this machine, which has all of it or stays as it was. Gives its bytes.

        What breaks off goes on behind the last byte, as long as the file is the same.
        """
        part = f"{target}.part"
        try:
            with open(part, "wb") as file:
                size = self._copy(path, file, as_of, on_progress)
            os.replace(part, target)
        except BaseException:
            os.unlink(part)
            raise
        return size

    def _copy(
        self, path: str, file: BinaryIO, as_of: Optional[Moment], on_progress: Told[Progress]
    ) -> int:
        done, failures = 0, 0
        etag: Optional[str] = None
        total: Optional[int] = None
        while True:
            headers = {"Range": f"bytes={done}-", "If-Match": etag} if done and etag else {}
            request = Request("GET", self._path(path), {"as_of": as_of}, headers=headers)
            try:
                with self._transport.stream(request) as response:
                    if response.status_code != 206:
                        done = file.seek(0)
                        file.truncate()
                        total = _number(response.headers.get("content-length"))
                    etag = response.headers.get("etag")
                    for piece in response.iter_bytes(PIECE_BYTES):
                        file.write(piece)
                        done += len(piece)
                        failures = 0
                        tell(on_progress, Progress(done, total))
                return done
            except httpx.TransportError as error:
                failures += 1
                if failures > self._transport.retries.max_retries:
                    raise ConnectionFailed(f"the download broke off after {done} bytes ({error})") from error

    def edit(
        self,
        path: str,
        old: Optional[str] = None,
        new: Optional[str] = None,
        *,
        replace_all: bool = False,
        edits: Optional[List[Mapping[str, Any]]] = None,
        if_match: Optional[str] = None,
    ) -> types.FileToolAnswer:
        """Replaces a text that stands in a file exactly once, or everywhere with `replace_all`.

        `edits` are several of `{"old_text", "new_text", "replace_all"}`: all are made, or none.
        """
        body: Dict[str, Any] = {"file_path": path, "old_text": old, "new_text": new}
        if edits is not None:
            body = {"file_path": path, "edits": edits}
        if replace_all:
            body["replace_all"] = True
        return self._tool("edit", body, {"If-Match": if_match} if if_match is not None else {})

    def patch(self, diff: str, *, workdir: Optional[str] = None) -> types.FileToolAnswer:
        """Applies a unified diff: all of it, or nothing."""
        return self._tool("patch", {"patch": diff, **({"workdir": workdir} if workdir else {})})

    def search(self, text: str, path: Optional[str] = None, **more: Any) -> types.FileToolAnswer:
        """Finds a text, or with `regex=True` a pattern, in a file or below a directory. `more` are parameters of `file_search`."""
        return self._tool("search", {"search_text": text, **({"file_path": path} if path else {}), **more})

    def glob(self, pattern: str, **more: Any) -> types.FileToolAnswer:
        """Finds files by a pattern of their paths, such as `**/*.py`. `more` are parameters of `file_glob`."""
        return self._tool("glob", {"pattern": pattern, **more})

    def move(self, source: str, target: str, *, overwrite: bool = False) -> types.FileToolAnswer:
        """Moves or renames a file or a directory."""
        return self._tool("move", {"src_path": source, "dest_path": target, "overwrite": overwrite})

    def copy(self, source: str, target: str, *, overwrite: bool = False) -> types.FileToolAnswer:
        """Copies a file or a directory."""
        return self._tool("copy", {"src_path": source, "dest_path": target, "overwrite": overwrite})

    def delete(self, path: str, *, recursive: bool = False, if_match: Optional[str] = None) -> None:
        """Deletes a file, or with `recursive` a directory with all below it."""
        headers = {"If-Match": if_match} if if_match is not None else {}
        query: Query = {"recursive": True if recursive else None}
        self._transport.request(Request("DELETE", self._path(path), query, headers=headers))

    def etag(self, path: str) -> str:
        """ETag of a file, for `if_match`."""
        answer = self._transport.request(Request("HEAD", self._path(path)))
        return str(answer.headers["etag"])

    def exists(self, path: str) -> bool:
        """Whether a file or a directory is there."""
        try:
            self._transport.request(Request("HEAD", self._path(path)))
        except NotFound:
            return False
        return True

    def list(
        self,
        path: str = "",
        *,
        recursive: bool = False,
        depth: Optional[int] = None,
        as_of: Optional[Moment] = None,
    ) -> Pages[types.FileEntry]:
        """What is in a directory, and with `recursive` below it."""
        query: Query = {"recursive": True if recursive else None, "depth": depth, "as_of": as_of}
        directory = self._path(path) + "/" if path.strip("/") else f"{self._session}/files"
        return Pages(self._transport, directory, query)

    def watch(self, path: Optional[str] = None, *, since: Optional[int] = None) -> Stream[WatchEvent]:
        """Each commit as it is made, of all files or of those below a path; `since` begins behind a commit.

        The first event is `watching`: from then on nothing is missed, also where the connection is cut.
        """
        return Stream(self._watching({"path": path, "from": since}))

    def _watching(self, query: Query) -> Generator[WatchEvent, None, None]:
        path = f"{self._session}/watch"
        headers = {"Accept": "text/event-stream"}
        request = Request("GET", path, query, headers=headers, timeout=SILENCE_SECONDS)
        # Where it went on is not said again: an id comes with each event.
        again: Query = {key: value for key, value in query.items() if key != "from"}
        told = False

        def is_end(event: ServerEvent) -> bool:
            return event.name == "end"

        def the_path(_: ServerEvent) -> str:
            return path

        for event in server_events(self._transport, request, the_path, is_end, again):
            if event.name == "watching":
                if told:
                    continue
                told = True
            yield WatchEvent(event.name, event.data)

    def archive(
        self, path: str = "", *, format: Literal["zip", "tar.gz"] = "zip", as_of: Optional[Moment] = None
    ) -> bytes:
        """A directory as an archive."""
        query: Query = {"format": format, "path": path or None, "as_of": as_of}
        return (self._transport.request(Request("GET", f"{self._session}/archive", query, timeout=300.0))).content

    def unpack(
        self, archive: Content, path: str = "", *, mode: Literal["merge", "replace"] = "merge"
    ) -> types.UnpackedArchive:
        """Unpacks a zip or a tar.gz as one commit: all of it, or nothing."""
        query: Query = {"path": path or None, "mode": mode}
        body = Body(archive)
        headers = {"Content-Type": "application/octet-stream"}
        request = Request("PUT", f"{self._session}/archive", query, body=body, headers=headers, timeout=300.0)
        return cast(types.UnpackedArchive, (self._transport.request(request)).json())

    def link(
        self,
        path: str,
        *,
        method: Literal["download", "upload"] = "download",
        expires_in_seconds: int = 3600,
        max_bytes: Optional[int] = None,
    ) -> str:
        """URL by which somebody without a key may download, or upload, this file."""
        body: Dict[str, Any] = {"path": path, "method": method, "expires_in_seconds": expires_in_seconds}
        if max_bytes is not None:
            body["max_bytes"] = max_bytes
        answer = (self._transport.request(Request("POST", f"{self._session}/links", json=body))).json()
        return self._transport.base_url + str(cast(types.NewFileLink, answer)["url"])

    def _tool(
        self, name: str, body: Mapping[str, Any], headers: Optional[Mapping[str, str]] = None
    ) -> types.FileToolAnswer:
        request = Request("POST", f"{self._session}/files:{name}", json=body, headers=headers or {}, timeout=300.0)
        return cast(types.FileToolAnswer, (self._transport.request(request)).json())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._session!r})"


def _number(text: Optional[str]) -> Optional[int]:
    return int(text) if text is not None and text.isdigit() else None
