"""Contents that are sent in pieces, with their progress."""

from __future__ import annotations

import io
import os
from typing import AsyncIterator, BinaryIO, Iterator, Optional, Union

from ._callbacks import Told, tell, tell_async
from ._progress import Progress

PIECE_BYTES = 256 * 1024

Content = Union[str, bytes, BinaryIO]
"""What a file can be written with: a text (as UTF-8), bytes, or an open binary file."""


class Body:
    """A content that is read from where the file stands now."""

    def __init__(self, content: Content, on_progress: Told[Progress] = None) -> None:
        if isinstance(content, str):
            content = content.encode()
        self._file: BinaryIO = io.BytesIO(content) if isinstance(content, bytes) else content
        self._on_progress = on_progress
        self.repeatable = _seekable(self._file)
        """Whether it can be sent again."""
        self._start = self._file.tell() if self.repeatable else 0
        self.length: Optional[int] = None
        """Bytes; None of a pipe."""
        if self.repeatable:
            self.length = self._file.seek(0, os.SEEK_END) - self._start
            self._file.seek(self._start)

    def chunks(self) -> Iterator[bytes]:
        """Pieces of it, from its start."""
        for done, piece in self._pieces():
            yield piece
            tell(self._on_progress, Progress(done, self.length))

    def _pieces(self) -> Iterator[tuple[int, bytes]]:
        if self.repeatable:
            self._file.seek(self._start)
        done = 0
        while piece := self._file.read(PIECE_BYTES):
            done += len(piece)
            yield done, piece


class AsyncBody(Body):
    """The same for the client with `await`. Files are read as they are: they are local."""

    async def chunks(self) -> AsyncIterator[bytes]:  # type: ignore[override]  # pyright: ignore
        for done, piece in self._pieces():
            yield piece
            await tell_async(self._on_progress, Progress(done, self.length))


def _seekable(file: BinaryIO) -> bool:
    try:
        return file.seekable()
    except AttributeError:
        return False
