# Made of _async/_pages.py by making/make_sync.py; do not edit.
"""Lists that come by pages."""

from __future__ import annotations

from typing import Any, Iterator, Generic, Optional, TypeVar, cast

from .._values import Rows
from ._transport import Transport, Query, Request

Row = TypeVar("Row")


class Pages(Generic[Row]):
    """Rows of a list, fetched page by page while they are read. Each reading begins anew."""

    def __init__(self, transport: Transport, path: str, query: Query) -> None:
        self._transport = transport
        self._path = path
        self._query = query

    def __iter__(self) -> Iterator[Row]:
        cursor: Optional[str] = None
        while True:
            page = self._page(cursor)
            for row in page["data"]:
                yield cast(Row, row)
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def all(self, limit: Optional[int] = None) -> Rows[Row]:
        """All rows, or so many, as a list that notebooks show as a table."""
        rows: Rows[Row] = Rows()
        if limit is not None and limit <= 0:
            return rows
        for row in self:
            rows.append(row)
            if len(rows) == limit:
                break
        return rows

    def first(self) -> Optional[Row]:
        """The first row; None of an empty list."""
        rows = self.all(1)
        return rows[0] if rows else None

    def _page(self, cursor: Optional[str]) -> Any:
        answer = self._transport.request(Request("GET", self._path, {**self._query, "cursor": cursor}))
        return answer.json()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._path!r}): iterate over it, or call all()"
